"""A second Finity, deliberately naive: written from the rules' text alone, with dictionaries, loops and plain search.

It shares no code and no data with the program's rules: slots and corners come from where they lie on the table.
Walks are tried one by one. Positions have the form of `companion judge`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from typing import Any

AT = {
    "C": (0, 0), "N": (-1, 1), "NE": (0, 1), "SE": (1, 0), "S": (1, -1), "SW": (0, -1), "NW": (-1, 0),
    "W": (-1, -1), "E": (1, 1), "FNW": (-2, 1), "FNE": (-1, 2), "FSE": (2, -1), "FSW": (1, -2),
}  # fmt: skip
INNER = ["C", "N", "NE", "SE", "S", "SW", "NW"]
STATIONS = {
    2: [*INNER, "E", "W"],
    3: [*INNER, "FNW", "E", "FSW"],
    4: [*INNER, "FNW", "FNE", "E", "FSE", "FSW", "W"],
}
POSTS = {2: ["N", "S"], 3: ["NW", "NE", "S"], 4: ["NW", "NE", "SE", "SW"]}

DEFAULTS: dict[str, Any] = {
    "ring_size_choice": "any_free",
    "undo_exception": "board_changed",
    "blocker_remove_min_bridges": 20,
    "blockers_start": "flank_base_to_center",
    "blocker_blocks_corner": False,
    "teleport_trap": "all_neighbours_full_of_opponents",
    "pattern_length": 8,
    "draw_rounds": 10,
    "repetition_limit": 0,
    "anti_kingmaker": False,
    "multi_completion": "tie_break",
    "continue_after_win": False,
    "turn_order": "clockwise",
    "enforce_supply": True,
}


def xy(station: str) -> tuple[float, float]:
    i, j = AT[station]
    return 1.5 * (i + j), math.sqrt(3) / 2 * (i - j)


def are_neighbours(a: str, b: str) -> bool:
    return a != b and math.dist(xy(a), xy(b)) < 2


def slot_xy(tail: str, tip: str, side: str) -> tuple[float, float]:
    """Where a slot lies: a third of a side to the left or right of the middle of the edge, looking at the tip."""
    (x, y), (u, v) = xy(tail), xy(tip)
    length = math.hypot(u - x, v - y)
    offset = {"L": 0.32, "M": 0.0, "R": -0.32}[side]
    return (x + u) / 2 + offset * (v - y) / length, (y + v) / 2 - offset * (u - x) / length


def slot_of(tail: str, tip: str, side: str) -> str:
    """One name for each slot: from the station that comes first in the alphabet."""
    if tail < tip:
        return f"{tail}>{tip} {side}"
    return f"{tip}>{tail} {({'L': 'R', 'M': 'M', 'R': 'L'})[side]}"


def named(text: str) -> str:
    """The one name of a slot from any of its two."""
    pair, side = text.split(" ")
    tail, tip = pair.split(">")
    return slot_of(tail, tip, side)


def one_name(move: str) -> str:
    """A move with the slots of blockers under their one name, so that two texts of one move are equal."""
    words = move.split(" ")
    if words[0] == "unblock":
        return f"unblock {named(' '.join(words[1:]))}"
    if words[0] == "blocker" and words[1] == "hand":
        return f"blocker hand to {named(' '.join(words[3:]))}"
    if words[0] == "blocker":
        return f"blocker {named(' '.join(words[1:3]))} to {named(' '.join(words[4:]))}"
    return move


class NaiveFinity:
    def __init__(self, players: int, pattern: str, options: dict[str, Any]) -> None:
        self.options = {**DEFAULTS, **options}
        self.pattern = pattern
        self.players = "ABCD"[:players]
        self.stations = STATIONS[players]
        self.slots = [
            slot_of(a, b, side) for a in self.stations for b in self.stations if a < b and are_neighbours(a, b)
            for side in "LMR"
        ]  # fmt: skip
        self.corners = self.find_corners()
        self.bridges: dict[str, tuple[str, str, str]] = {}  # slot -> colour, tail, tip
        self.rings: dict[tuple[str, str], str] = {}  # (station, size) -> player
        self.posts = dict(zip(self.players, POSTS[players], strict=True))
        self.blockers: dict[str, str] = {}  # slot -> player
        self.in_hand = dict.fromkeys(self.players, 0)
        for player, station in self.posts.items():
            if self.options["blockers_start"] == "in_hand":
                self.in_hand[player] = 2
            else:
                self.blockers[slot_of(station, "C", "L")] = player
                self.blockers[slot_of(station, "C", "R")] = player
        self.to_move: str | None = "A"
        self.first_move = True
        self.ringless = 0
        self.before_last: Any = None  # the board before the last move, None where undoing it is allowed
        self.just_removed: tuple[str, str] | None = None  # slot and colour
        self.finished: list[str] = []
        self.outcome: dict[str, Any] | None = None

    def set_position(self, data: dict[str, Any]) -> None:
        """Take over a position that says all about the board; nothing is known of the last move."""
        self.bridges = {}
        for text in data["bridges"]:
            colour, pair, side = text.split(" ")
            tail, tip = pair.split(">")
            self.bridges[slot_of(tail, tip, side)] = (colour, tail, tip)
        self.rings = {(station, size): who for station, rings in data["rings"].items() for size, who in rings.items()}
        self.posts = dict(data["posts"])
        self.blockers = {named(slot): player for player, slots in data["blockers"].items() for slot in slots}
        self.in_hand = dict.fromkeys(self.players, 0)
        self.to_move = data["to_move"]
        self.first_move = False

    def find_corners(self) -> list[list[str]]:
        """Where three stations meet, the three slots nearest to the point between them."""
        corners = []
        for a in self.stations:
            for b in self.stations:
                for c in self.stations:
                    if a < b < c and are_neighbours(a, b) and are_neighbours(b, c) and are_neighbours(a, c):
                        x = (xy(a)[0] + xy(b)[0] + xy(c)[0]) / 3
                        y = (xy(a)[1] + xy(b)[1] + xy(c)[1]) / 3
                        near = []
                        for slot in self.slots:
                            pair, side = slot.split(" ")
                            tail, tip = pair.split(">")
                            if math.dist(slot_xy(tail, tip, side), (x, y)) < 0.25:
                                near.append(slot)
                        assert len(near) == 3
                        corners.append(near)
        return corners

    def board(self) -> Any:
        return copy.deepcopy((self.bridges, self.rings, self.posts, self.blockers, self.in_hand))

    # Walks

    def count(self, player: str, station: str) -> int:
        return sum(self.rings.get((station, size)) == player for size in "SML")

    def walks(self, player: str, start: str) -> Iterator[list[str]]:
        """Every legal walk, the shortest ones too, as lists of stations."""
        rings = {station: self.count(player, station) for station in self.stations}
        out: dict[tuple[str, str], list[str]] = {}
        for colour, tail, tip in self.bridges.values():
            out.setdefault((colour, tail), []).append(tip)

        def further(walk: list[str], passed: dict[str, int]) -> Iterator[list[str]]:
            yield walk
            crossings = len(walk) - 1
            if crossings == len(self.pattern):
                return
            here = walk[-1]
            if crossings > 0:
                # going on makes this station one that is passed through
                if here == "C" or passed.get(here, 0) + 1 > rings[here]:
                    return
                passed = {**passed, here: passed.get(here, 0) + 1}
            for tip in out.get((self.pattern[crossings], here), []):
                if tip != "C" or crossings + 1 == len(self.pattern):
                    yield from further([*walk, tip], passed)

        yield from further([start], {})

    def reachable(self, player: str, start: str | None = None) -> set[str]:
        found: set[str] = set()
        for walk in self.walks(player, start or self.posts[player]):
            found.add(walk[-1])
        return found

    def longest(self, player: str) -> int:
        return max(len(walk) - 1 for walk in self.walks(player, self.posts[player]))

    def most_stations(self, player: str) -> int | None:
        """The most distinct stations on a full path; None where there is no full path."""
        full = [
            len(set(walk))
            for walk in self.walks(player, self.posts[player])
            if len(walk) == len(self.pattern) + 1 and walk[-1] == "C"
        ]
        return max(full, default=None)

    # Moves

    def candidates(self) -> Iterator[str]:
        ways = [(a, b, s) for a in self.stations for b in self.stations if are_neighbours(a, b) for s in "LMR"]
        for a, b, side in ways:
            for colour in "bw":
                yield f"add {colour} {a}>{b} {side}"
            yield f"reverse {a}>{b} {side}"
            yield f"remove {a}>{b} {side}"
        for station in self.stations:
            for size in "SML":
                yield f"ring {station} {size}"
            yield f"post {station}"
            yield f"teleport {station}"
        for target in self.slots:
            yield f"blocker hand to {target}"
            yield f"unblock {target}"
            for source in self.blockers:
                yield f"blocker {source} to {target}"

    def legal_moves(self) -> set[str]:
        return {move for move in self.candidates() if self.is_legal(move)} if self.to_move else set()

    def is_legal(self, move: str) -> bool:
        words = move.split(" ")
        check: Any = getattr(self, f"may_{words[0]}")
        return bool(check(*words[1:])) and not self.undoes(move)

    def empty(self, slot: str) -> bool:
        return slot not in self.bridges and slot not in self.blockers

    def corner_free(self, slot: str, pieces: list[str]) -> bool:
        return not any(slot in corner and any(p in corner for p in pieces if p != slot) for corner in self.corners)

    def redundant(self, colour: str, tail: str, tip: str) -> bool:
        return (colour, tail, tip) in self.bridges.values()

    def at_opponents_base(self, slot: str) -> bool:
        pair = slot.split(" ", maxsplit=1)[0].split(">")
        return any(post in pair for player, post in self.posts.items() if player != self.to_move)

    def closes_opponents_base(self, slot: str) -> bool:
        return any(slot in corner and any(self.at_opponents_base(s) for s in corner) for corner in self.corners)

    def may_act_at(self, slot: str) -> bool:
        if not self.options["anti_kingmaker"] or len(self.players) < 3:
            return True
        assert self.to_move
        own = self.longest(self.to_move)
        if sum(self.longest(player) - own > 2 for player in self.players) < 2:
            return True
        return any(
            station == self.posts[self.to_move] or self.count(self.to_move, station) > 0
            for station in slot.split(" ", maxsplit=1)[0].split(">")
        )

    def may_add(self, colour: str, pair: str, side: str) -> bool:
        tail, tip = pair.split(">")
        slot = slot_of(tail, tip, side)
        closing = [*self.bridges, *(self.blockers if self.options["blocker_blocks_corner"] else [])]
        if not self.empty(slot) or not self.corner_free(slot, closing) or self.redundant(colour, tail, tip):
            return False
        lying = sum(bridge[0] == colour for bridge in self.bridges.values())
        if self.options["enforce_supply"] and lying >= 32:
            return False
        if self.first_move and (self.at_opponents_base(slot) or self.closes_opponents_base(slot)):
            return False
        return self.may_act_at(slot) and self.just_removed != (slot, colour)

    def may_reverse(self, pair: str, side: str) -> bool:
        tail, tip = pair.split(">")
        slot = slot_of(tail, tip, side)
        bridge = self.bridges.get(slot)
        if bridge is None or bridge[1:] != (tail, tip):
            return False
        return not self.redundant(bridge[0], tip, tail) and self.may_act_at(slot)

    def may_remove(self, pair: str, side: str) -> bool:
        tail, tip = pair.split(">")
        bridge = self.bridges.get(slot_of(tail, tip, side))
        if bridge is None or bridge[1:] != (tail, tip) or tip == "C":
            return False
        markers = [player for player, post in self.posts.items() if post == tip]
        markers += [self.rings[tip, size] for size in "SML" if (tip, size) in self.rings]
        return bool(markers) and markers[0] == self.to_move

    def may_ring(self, station: str, size: str) -> bool:
        player = self.to_move
        assert player
        if station in ("C", self.posts[player]) or (station, size) in self.rings:
            return False
        if not self.ring_left(player, size):
            return False
        if self.options["ring_size_choice"] == "smallest_free":
            for smaller in "SML"[: "SML".index(size)]:
                if (station, smaller) not in self.rings and self.ring_left(player, smaller):
                    return False
        return station in self.reachable(player)

    def ring_left(self, player: str, size: str) -> bool:
        if not self.options["enforce_supply"]:
            return True
        lying = sum(who == player and ring[1] == size for ring, who in self.rings.items())
        return lying < (7 if size == "L" else 8)

    def may_blocker(self, *words: str) -> bool:
        target = named(" ".join(words[-2:]))
        assert self.to_move
        if words[0] == "hand":
            if self.in_hand[self.to_move] == 0:
                return False
        elif self.blockers.get(f"{words[0]} {words[1]}") != self.to_move or not self.may_act_at(words[0]):
            return False
        if not self.empty(target) or (self.first_move and self.at_opponents_base(target)):
            return False
        if self.options["blocker_blocks_corner"] and not self.corner_free(target, list(self.bridges)):
            return False
        return self.may_act_at(target)

    def may_unblock(self, pair: str, side: str) -> bool:
        owner = self.blockers.get(f"{pair} {side}")
        enough = len(self.bridges) >= self.options["blocker_remove_min_bridges"]
        return owner is not None and owner != self.to_move and enough

    def may_post(self, station: str) -> bool:
        assert self.to_move
        if station == "C" or station in self.posts.values():
            return False
        reached = self.reachable(self.to_move, station) - {"C"}
        return any(self.count(self.to_move, each) for each in reached)

    def may_teleport(self, station: str) -> bool:
        assert self.to_move
        if self.options["teleport_trap"] == "off" or station == "C" or station in self.posts.values():
            return False
        if any((station, size) in self.rings for size in "SML"):
            return False
        for neighbour in self.stations:
            if neighbour != "C" and are_neighbours(neighbour, self.posts[self.to_move]):
                owners = [self.rings.get((neighbour, size)) for size in "SML"]
                if None in owners:
                    return False
                if self.options["teleport_trap"] == "all_neighbours_full_of_opponents" and self.to_move in owners:
                    return False
        return True

    def undoes(self, move: str) -> bool:
        """Whether the position after the move is the one before the last move."""
        if self.before_last is None or move.split(" ", maxsplit=1)[0] not in ("add", "remove", "reverse"):
            return False
        try_out = copy.copy(self)
        try_out.bridges = dict(self.bridges)
        try_out.change(move)
        if try_out.bridges != self.before_last[0]:
            return False
        if self.options["undo_exception"] == "none":
            return True
        try_out.rings = dict(self.rings)
        try_out.sweep()
        return bool((try_out.bridges, try_out.rings, *self.board()[2:]) == self.before_last)

    def change(self, move: str) -> None:
        """What the hands do."""
        kind, *words = move.split(" ")
        player = self.to_move
        assert player
        if kind == "add":
            tail, tip = words[1].split(">")
            self.bridges[slot_of(tail, tip, words[2])] = (words[0], tail, tip)
        elif kind in ("reverse", "remove"):
            slot = named(" ".join(words))
            colour, tail, tip = self.bridges.pop(slot)
            if kind == "reverse":
                self.bridges[slot] = (colour, tip, tail)
        elif kind == "ring":
            self.rings[words[0], words[1]] = player
        elif kind in ("post", "teleport"):
            self.posts[player] = words[0]
        elif kind == "unblock":
            del self.blockers[named(" ".join(words))]
        else:
            if words[0] == "hand":
                self.in_hand[player] -= 1
            else:
                del self.blockers[named(" ".join(words[:2]))]
            self.blockers[named(" ".join(words[-2:]))] = player

    def sweep(self) -> list[tuple[str, str, str]]:
        orphans = []
        for player in self.players:
            reached = self.reachable(player)
            for (station, size), who in self.rings.items():
                if who == player and station not in reached:
                    orphans.append((player, station, size))
        for _, station, size in orphans:
            del self.rings[station, size]
        return sorted(orphans)

    def play(self, move: str) -> list[tuple[str, str, str]]:
        """Play a legal move; returns the orphans."""
        mover = self.to_move
        assert mover
        before = self.board()
        slot = named(" ".join(move.split(" ")[1:])) if move.startswith("remove") else None
        removed = (slot, self.bridges[slot][0]) if slot else None
        self.change(move)
        orphans = self.sweep()
        waived = bool(orphans) and self.options["undo_exception"] == "board_changed"
        self.before_last = None if waived else before
        self.just_removed = None if waived else removed
        self.ringless = 0 if orphans or move.startswith("ring") else self.ringless + 1
        self.first_move = False
        self.conclude(mover)
        return orphans

    def conclude(self, mover: str) -> None:
        stations = {p: n for p in self.players if p not in self.finished and (n := self.most_stations(p)) is not None}
        if stations:
            best = self.best_of(stations, mover)
            if best["by"] == "tie" and not self.finished:
                self.to_move, self.outcome = None, {"draw": "tie"}
                return
            self.outcome = self.outcome or {"winner": best["winner"], "by": best["by"]}
            self.finished += sorted(stations, key=lambda p: p != best["winner"])
            if not self.options["continue_after_win"] or len(self.players) - len(self.finished) <= 1:
                self.to_move = None
                return
        at = self.players.index(mover)
        order = [*self.players[at + 1 :], *self.players[: at + 1]]
        self.to_move = next(player for player in order if player not in self.finished)
        playing = len(self.players) - len(self.finished)
        if not stations and self.options["draw_rounds"] and self.ringless >= self.options["draw_rounds"] * playing:
            self.to_move = None
            self.outcome = self.outcome or {"draw": "no_ring_change"}

    def best_of(self, stations: dict[str, int], mover: str) -> dict[str, str]:
        if len(stations) == 1 or (self.options["multi_completion"] == "mover_first" and mover in stations):
            return {"winner": mover if mover in stations else next(iter(stations)), "by": "full_path"}
        most = [player for player in stations if stations[player] == max(stations.values())]
        if len(most) == 1:
            return {"winner": most[0], "by": "tie_stations"}
        rings = {player: list(self.rings.values()).count(player) for player in most}
        richest = [player for player in most if rings[player] == max(rings.values())]
        if len(richest) == 1:
            return {"winner": richest[0], "by": "tie_rings"}
        return {"winner": "", "by": "tie"}
