"""What a game is told beside its options: how many play, the pattern, who sits where, and perhaps another board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.errors import InputError
from companion.games.finity.board import PLAYER_COUNTS, Board, builtin_board, parse_board
from companion.games.finity.layout import Layout, layout_of
from companion.games.finity.options import CLOCKWISE, Options
from companion.games.finity.pieces import PLAYERS, Station
from companion.games.game import Json
from companion.games.shown import listed, shown


@dataclass(frozen=True, slots=True)
class Setup:
    """A set-up that was checked. `posts` are the start stations of A, B, …"""

    players: int
    pattern: str
    posts: tuple[Station, ...]
    layout: Layout
    board_data: Mapping[str, Json] | None = field(default=None)
    """The user's own board as it was given; None for the built-in one."""

    @classmethod
    def parse(cls, given: Mapping[str, Json], options: Options) -> Setup:
        """Read `players`, `pattern`, `posts` and `board`; other keys are left alone.

        Raises:
            InputError: with every fault.
        """
        faults: list[str] = []
        board, own = _board(given.get("board"), faults)
        players = _players(given, faults)
        pattern = _pattern(given.get("pattern"), options, faults)
        layout = layout_of(board, players)
        posts = _posts(given.get("posts"), options, layout, players, faults)
        if faults:
            raise InputError("; ".join(faults))
        return cls(players, pattern, posts, layout, own)

    def as_json(self) -> dict[str, Json]:
        """What `parse` takes back."""
        seated = zip(PLAYERS, self.posts, strict=False)
        posts: dict[str, Json] = {str(letter): self.layout.names[post] for letter, post in seated}
        data: dict[str, Json] = {"players": self.players, "pattern": self.pattern, "posts": posts}
        return data if self.board_data is None else {**data, "board": self.board_data}


def _board(given: Json, faults: list[str]) -> tuple[Board, Mapping[str, Json] | None]:
    if given is None:
        return builtin_board(), None
    try:
        board = parse_board(given)
    except InputError as error:
        faults.append(str(error))
        return builtin_board(), None
    return board, given if isinstance(given, Mapping) else None


def _players(given: Mapping[str, Json], faults: list[str]) -> int:
    posts = given.get("posts")
    players = given.get("players", len(posts) if isinstance(posts, Mapping) else 2)
    if type(players) is int and players in PLAYER_COUNTS:
        return players
    faults.append(f"players must be {listed(PLAYER_COUNTS)}, not {shown(players)}")
    return PLAYER_COUNTS[-1]


def _pattern(given: Json, options: Options, faults: list[str]) -> str:
    length = options.pattern_length
    if isinstance(given, str) and given and set(given) <= {"b", "w"}:
        if len(given) == length:
            return given
        faults.append(
            f"pattern {shown(given)} has {len(given)} cones, but the option pattern_length says {length}: "
            "give the whole tower, or the option"
        )
    elif given is None:
        faults.append(f"pattern is missing: the {length} cones of the tower from bottom to top, such as 'bwbbwbww'")
    else:
        faults.append(f"pattern must be letters b and w, bottom cone first, such as 'bwbbwbww', not {shown(given)}")
    return "b" * length


def _posts(given: Json, options: Options, layout: Layout, players: int, faults: list[str]) -> tuple[Station, ...]:
    if given is None:
        return _posts_by_turn_order(options, layout, faults)
    if not isinstance(given, Mapping):
        faults.append(f'posts must be an object such as {{"A": "N", "B": "S"}}, not {shown(given)}')
        return ()
    letters = PLAYERS[:players]
    faults.extend(f"posts: there is no player {shown(letter)}" for letter in given if letter not in letters)
    return tuple(
        post
        for letter in letters
        if (post := _start_station(given.get(letter), f"posts: {letter}", given, layout, faults)) is not None
    )


def _start_station(
    name: Json, where: str, posts: Mapping[str, Json], layout: Layout, faults: list[str]
) -> Station | None:
    if not isinstance(name, str) or name not in layout.index:
        stations = listed(layout.base_posts, "or")
        faults.append(f"{where} must be a base station ({stations}), not {shown(name)}")
    elif sum(other == name for other in posts.values()) > 1:
        fault = f"posts: several players start on {name}"
        faults.extend([] if fault in faults else [fault])
    elif layout.index[name] not in layout.start_blockers:
        faults.append(f"{where}: nobody can start on {name}, which has no slots towards the centre for blockers")
    else:
        return layout.index[name]
    return None


def _posts_by_turn_order(options: Options, layout: Layout, faults: list[str]) -> tuple[Station, ...]:
    order = options.turn_order
    names = layout.base_posts if order == CLOCKWISE else tuple(order)
    if sorted(names) != sorted(layout.base_posts):
        stations = listed(layout.base_posts, "and")
        faults.append(f"option turn_order must name the base stations {stations}, not {listed(names, 'and')}")
        return ()
    return tuple(layout.index[name] for name in names)
