"""Positions of Finity for still pictures: played by the rules, and laid on the table as hands lay them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration.finity.board import SIZES, FinityBoard
from companion.games.game import Played
from companion.games.registry import game_named
from hw_sim.finity.places import Places
from hw_sim.finity.scene import FinityScene, Piece, PieceKind, TileShift

TILE_OFF_MM, TILE_OFF_DEG = 0.3, 0.3
"""How far tiles lie off at most when people push them together."""
TRIES = 4
"""So many moves are thought of before one is played that cuts off rings."""
OFF_MM: Mapping[PieceKind, float] = {
    PieceKind.RING: 0.4, PieceKind.POST: 0.15, PieceKind.BRIDGE: 0.6, PieceKind.BLOCKER: 0.8,
}  # fmt: skip
"""How far off its place a hand leaves a piece (standard deviation): rings and posts are held by what they sit on."""
TURN_DEG: Mapping[PieceKind, float] = {
    PieceKind.RING: 180.0, PieceKind.POST: 180.0, PieceKind.BRIDGE: 1.5, PieceKind.BLOCKER: 4.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands on the board, in the form of the contract's truth; everything empty before the first reference."""

    bridges: tuple[str, ...] = ()
    rings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    posts: Mapping[str, str] = field(default_factory=dict)
    blockers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def labels(self, board: FinityBoard) -> dict[str, str]:
        """The label at every place that is not empty, in the order in which the pieces are laid."""
        labels = {f"{station}.{size}": who for station, rings in self.rings.items() for size, who in rings.items()}
        labels |= {f"{station}.P": who for who, station in self.posts.items()}
        for bridge in self.bridges:
            colour, _, name = bridge.partition(" ")
            slot, is_forward = board.slot_named(name)
            labels[slot.name] = f"{colour} {slot.stations[0 if is_forward else 1]}"
        for who, names in self.blockers.items():
            labels |= {board.slot_named(name)[0].name: f"blocker {who}" for name in names}
        return labels

    def to_json(self) -> dict[str, Any]:
        return {
            "bridges": list(self.bridges),
            "rings": {station: dict(rings) for station, rings in self.rings.items()},
            "posts": dict(self.posts),
            "blockers": {who: list(names) for who, names in self.blockers.items()},
        }


def random_pattern(rng: np.random.Generator) -> str:
    """Eight cones, both colours among them."""
    while True:
        pattern = "".join(rng.choice(["b", "w"], 8))
        if len(set(pattern)) == 2:
            return pattern


def played(players: int, pattern: str, rng: np.random.Generator, moves: int) -> Standing:
    """The position after so many sensible moves; fewer where the game ends before."""
    game = game_named("finity", {}, {"players": players, "pattern": pattern})
    position = game.start()
    for _ in range(moves):
        legal = game.legal_moves(position)
        if game.to_move(position) is None or not legal:
            break
        for _ in range(TRIES):
            answer = game.play(position, _sensible(legal, rng))
            # People seldom cut off rings: without this the board would stay almost bare of them.
            if isinstance(answer, Played) and not answer.facts.get("orphans"):
                break
        if isinstance(answer, Played):
            position = answer.after
    data: Mapping[str, Any] = game.position_json(position)
    return Standing(
        tuple(data["bridges"]),
        {station: dict(rings) for station, rings in data["rings"].items()},
        dict(data["posts"]),
        {who: tuple(names) for who, names in data["blockers"].items()},
    )


def _sensible(legal: tuple[str, ...], rng: np.random.Generator) -> str:
    """A move as people play: mostly bridges and rings; what cannot be done now makes room for the others."""
    share = {"add": 0.44, "ring": 0.40, "post": 0.06, "reverse": 0.04, "remove": 0.02, "blocker": 0.03}
    by_word: dict[str, list[str]] = {}
    for move in legal:
        by_word.setdefault(move.partition(" ")[0], []).append(move)
    words = list(by_word)
    weights = np.array([share.get(word, 0.01) for word in words])
    chosen = by_word[words[int(rng.choice(len(words), p=weights / weights.sum()))]]
    return chosen[int(rng.integers(len(chosen)))]


def shows_all(standing: Standing, players: int, board: FinityBoard) -> bool:
    """Whether a reference shows each size of ring, both colours of bridge and every player's ring, post and blocker."""
    labels = standing.labels(board)
    sizes = {place[-1] for place in labels if place[-2:-1] == "." and place[-1] in SIZES}
    owners = {label for place, label in labels.items() if place[-2:-1] == "." and place[-1] in SIZES}
    colours = {label[0] for label in labels.values() if label[:2] in ("b ", "w ")}
    blockers = {label for label in labels.values() if label.startswith("blocker")}
    return (len(sizes), len(owners), len(colours), len(blockers)) == (len(SIZES), players, 2, players)


def random_tiles(board: FinityBoard, players: int, rng: np.random.Generator) -> dict[str, TileShift]:
    """Tiles as people push them together."""
    shifts = {}
    for station in board.stations(players):
        dx, dy = rng.uniform(-TILE_OFF_MM, TILE_OFF_MM, 2)
        shifts[station] = TileShift(float(dx), float(dy), float(rng.uniform(-TILE_OFF_DEG, TILE_OFF_DEG)))
    return shifts


def scene_of(
    standing: Standing,
    board: FinityBoard,
    players: int,
    pattern: str,
    *,
    tiles: Mapping[str, TileShift],
    rng: np.random.Generator,
    centre_rings: str = "",
) -> FinityScene:
    """A position on the table, every piece a little off its place.

    Args:
        centre_rings: the players' letters of the large rings around the tower, bottom to top.
    """
    places = Places(board, players, tiles)
    pieces = [_laid(places, place, label, rng) for place, label in standing.labels(board).items()]
    x, y = places.station(board.map.centre)
    for number, letter in enumerate(centre_rings):
        dx, dy = rng.normal(0, OFF_MM[PieceKind.RING], 2)
        z = board.tower.ring_seat_z + number * board.rings.thickness
        pieces.append(Piece(PieceKind.RING, letter, "L", x + float(dx), y + float(dy), z))
    return FinityScene(players, pattern, tuple(pieces), tiles=dict(tiles))


def _laid(places: Places, place: str, label: str, rng: np.random.Generator) -> Piece:
    lie, kind = places.lie(place, label), _kind(place, label)
    # More than two standard deviations off, people push it straight.
    dx, dy, turn = (float(n) for n in np.clip(rng.normal(0, 1, 3), -2, 2))
    z = places.board.post.hub_z if kind is PieceKind.POST else lie.z_mm
    off = OFF_MM[kind]
    turn_deg = (lie.turn_deg + turn * TURN_DEG[kind]) % 360
    colour = label.removeprefix("blocker ").partition(" ")[0]
    size = place[-1] if kind is PieceKind.RING else ""
    return Piece(kind, colour, size, lie.x_mm + dx * off, lie.y_mm + dy * off, z, turn_deg)


def _kind(place: str, label: str) -> PieceKind:
    if place[-2:-1] == ".":
        return PieceKind.POST if place.endswith(".P") else PieceKind.RING
    return PieceKind.BLOCKER if label.startswith("blocker") else PieceKind.BRIDGE
