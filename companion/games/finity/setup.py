"""What a game is told beside its options: how many play, the pattern, who sits where, and perhaps another board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.errors import InputError, error_words
from companion.games.finity.board import PLAYER_COUNTS, Board, builtin_board, parse_board
from companion.games.finity.layout import Layout, layout_of
from companion.games.finity.options import CLOCKWISE, Options
from companion.games.finity.pieces import PLAYERS, Station
from companion.games.game import Json
from companion.games.shown import listed, shown
from companion.texts import joined, text


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
            raise InputError(joined(faults, "; "))
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
        faults.append(error_words(error))
        return builtin_board(), None
    return board, given if isinstance(given, Mapping) else None


def _players(given: Mapping[str, Json], faults: list[str]) -> int:
    posts = given.get("posts")
    players = given.get("players", len(posts) if isinstance(posts, Mapping) else 2)
    if type(players) is int and players in PLAYER_COUNTS:
        return players
    faults.append(text("players must be {known}, not {given}", known=listed(PLAYER_COUNTS), given=shown(players)))
    return PLAYER_COUNTS[-1]


def _pattern(given: Json, options: Options, faults: list[str]) -> str:
    length = options.pattern_length
    if isinstance(given, str) and given and set(given) <= {"b", "w"}:
        if len(given) == length:
            return given
        faults.append(
            text(
                "pattern {given} has {count} cones, but the option pattern_length says {length}: "
                "give the whole tower, or the option",
                given=shown(given),
                count=len(given),
                length=length,
            )
        )
    elif given is None:
        faults.append(
            text(
                "pattern is missing: the {length} cones of the tower from bottom to top, such as 'bwbbwbww'",
                length=length,
            )
        )
    else:
        faults.append(
            text(
                "pattern must be letters b and w, bottom cone first, such as 'bwbbwbww', not {given}",
                given=shown(given),
            )
        )
    return "b" * length


def _posts(given: Json, options: Options, layout: Layout, players: int, faults: list[str]) -> tuple[Station, ...]:
    if given is None:
        return _posts_by_turn_order(options, layout, faults)
    if not isinstance(given, Mapping):
        faults.append(text('posts must be an object such as {{"A": "N", "B": "S"}}, not {given}', given=shown(given)))
        return ()
    letters = PLAYERS[:players]
    faults.extend(
        text("posts: there is no player {given}", given=shown(letter)) for letter in given if letter not in letters
    )
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
        faults.append(
            text(
                "{where} must be a base station ({stations}), not {given}",
                where=where,
                stations=stations,
                given=shown(name),
            )
        )
    elif sum(other == name for other in posts.values()) > 1:
        fault = text("posts: several players start on {name}", name=name)
        faults.extend([] if fault in faults else [fault])
    elif layout.index[name] not in layout.start_blockers:
        faults.append(
            text(
                "{where}: nobody can start on {name}, which has no slots towards the centre for blockers",
                where=where,
                name=name,
            )
        )
    else:
        return layout.index[name]
    return None


def _posts_by_turn_order(options: Options, layout: Layout, faults: list[str]) -> tuple[Station, ...]:
    order = options.turn_order
    names = layout.base_posts if order == CLOCKWISE else tuple(order)
    if sorted(names) != sorted(layout.base_posts):
        stations = listed(layout.base_posts, "and")
        faults.append(
            text(
                "option turn_order must name the base stations {stations}, not {known}",
                stations=stations,
                known=listed(names, "and"),
            )
        )
        return ()
    return tuple(layout.index[name] for name in names)
