"""One seeded happening at the sensors, felt three ways: by pins, by the model of the firmware, by the firmware itself.

A script is physical: contacts that chatter for up to 2 ms and are quiet before the other one moves, a knob that is
turned at 1 to 2,000 edges a second and turned back in the middle of a detent, marbles in beams for 20 to 500 ms, that
roll back, in all channels at once, and sparks. It says what a perfect observer would have seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from firmware_bridge.beams import BEAMS
from firmware_bridge.knob import stop_of
from firmware_bridge.pin_decoder import PinDecoder
from firmware_bridge.readings import BridgeReading, KnobAt, MarbleEntered, MarbleLeft
from firmware_bridge.serial_decoder import SerialDecoder
from firmware_bridge.wiring import Wiring
from hw_sim.chip.build import ChipFiles
from hw_sim.chip.sim_chip import BoardSettings, SimChip
from hw_sim.firmware import LINES, SimFirmware
from hw_sim.wires import QUADRATURE, TABLE_WIRING, Edge, line_pins

START_S = 0.3
"""When the first thing happens: every board is up by then."""
AFTER_S = 1.0
LATE_S = 0.015
"""How much later than the pins a STATE may tell: 5 ms until it may follow the last, 3 ms on the line, a millisecond of
the firmware's loop, and 2 ms of chatter, twice."""
REST_S = 0.25
BOUNCE_S = 0.002


@dataclass(frozen=True, slots=True)
class Script:
    """What happens to the lines, and what that means.

    Attributes:
        levels: of all lines at the start.
        edges: in the order of their time.
        rests: the detents at which the knob comes to rest on a detent, in order.
        marbles: through each beam, in the order of the wire.
    """

    wiring: Wiring
    levels: dict[str, int]
    edges: tuple[Edge, ...]
    rests: tuple[int, ...]
    marbles: tuple[int, ...]
    end_s: float


@dataclass(frozen=True, slots=True)
class Felt:
    """Readings in a form to compare: times apart from what happened."""

    stops: tuple[tuple[int, int], ...]
    stop_times_s: tuple[float, ...]
    marbles: tuple[int, ...]
    marble_times_s: tuple[float, ...]

    @classmethod
    def of(cls, readings: list[BridgeReading]) -> Felt:
        rests = [each for each in readings if isinstance(each, KnobAt) and each.at_rest and each.t_s > START_S]
        times_s: list[list[float]] = [[] for _ in BEAMS]
        for each in readings:
            if isinstance(each, MarbleEntered | MarbleLeft):
                times_s[each.channel - 1 + 4 * isinstance(each, MarbleLeft)].append(each.t_s)
        return cls(
            tuple((each.detents, each.stop) for each in rests),
            tuple(each.t_s for each in rests),
            tuple(len(each) for each in times_s),
            tuple(t_s for each in times_s for t_s in each),
        )

    def same_as(self, other: Felt) -> bool:
        mine, others = (self.stop_times_s + self.marble_times_s, other.stop_times_s + other.marble_times_s)
        return (self.stops, self.marbles) == (other.stops, other.marbles) and all(
            abs(a - b) <= LATE_S for a, b in zip(mine, others, strict=True)
        )


def script(seed: int) -> Script:
    """The same one for a seed, always."""
    rng = random.Random(f"script {seed}")
    edges_per_detent = rng.choice((4, 4, 4, 2, 1))
    wiring = replace(TABLE_WIRING, edges_per_detent=edges_per_detent, beam_blocked_level=rng.randint(0, 1))
    phase = rng.randrange(4)
    levels = dict.fromkeys(LINES, 1 - wiring.beam_blocked_level)
    levels["knob_a"], levels["knob_b"] = QUADRATURE[phase]
    edges: list[Edge] = []
    walk, rests = _walk(rng, edges_per_detent)
    for index, (t_s, quarter) in enumerate(walk):
        until_s = walk[index + 1][0] if index + 1 < len(walk) else t_s + 1.0
        before, now = (
            QUADRATURE[(phase + walk[index - 1][1] if index else phase) % 4],
            QUADRATURE[(phase + quarter) % 4],
        )
        line, level = ("knob_a", now[0]) if before[0] != now[0] else ("knob_b", now[1])
        edges += _chattering(rng, t_s, line, level, 0.8 * (until_s - t_s))
    marbles = []
    for line in LINES:
        count = rng.choice((0, 0, 1, 2, 3))
        marbles.append(count)
        edges += _beam(rng, line, wiring.beam_blocked_level, count)
    edges.sort(key=lambda edge: edge.t_s)
    return Script(wiring, levels, tuple(edges), tuple(rests), tuple(marbles), edges[-1].t_s + AFTER_S)


def _walk(rng: random.Random, edges_per_detent: int) -> tuple[list[tuple[float, int]], list[int]]:
    """(time, quarter step) of every step of some turns, and the detents at which they end."""
    walk: list[tuple[float, int]] = []
    rests: list[int] = []
    t_s, here = START_S, 0
    for _ in range(rng.randint(1, 4)):
        # the spring does not let a knob with few edges a detent stand between two
        rate = 10 ** rng.uniform(0.0 if edges_per_detent == 4 else 0.9, 3.3010)
        detents = rng.choice((-1, 1)) * rng.randint(1, 2 if rate < 5 else 12)
        goal = here + detents * edges_per_detent
        way = [goal]
        if rng.random() < 0.6:
            turning_points = [here + rng.randint(-6, 6) for _ in range(rng.randint(1, 2))]
            way = [*turning_points, goal]
        for point in way:
            while here != point:
                here += 1 if point > here else -1
                walk.append((t_s, here))
                t_s += _wait_s(rng, rate)
        if walk and here // edges_per_detent != (rests[-1] if rests else 0):
            rests.append(here // edges_per_detent)
        t_s += rng.uniform(0.4, 1.0)
    return walk, rests


def _wait_s(rng: random.Random, rate: float) -> float:
    """Until the next edge; not so that being at rest would be a matter of milliseconds."""
    while True:
        wait_s = rng.uniform(0.7, 1.3) / rate
        if abs(wait_s - REST_S) > 2 * LATE_S:
            return wait_s


def _chattering(rng: random.Random, t_s: float, line: str, level: int, longest_s: float) -> Iterator[Edge]:
    """An edge, and its contact leaving the level again and coming back, up to three times."""
    yield Edge(t_s, line, level)
    longest_s = min(rng.choice((0.0, BOUNCE_S)), longest_s)
    waits_s = sorted(rng.uniform(0.01, 1.0) * longest_s for _ in range(2 * rng.randint(0, 3)))
    for index, wait_s in enumerate(waits_s if longest_s else ()):
        yield Edge(t_s + wait_s, line, level ^ (1 - index % 2))


def _beam(rng: random.Random, line: str, blocked: int, marbles: int) -> Iterator[Edge]:
    t_s = START_S + rng.uniform(0.0, 1.5)
    for _ in range(marbles):
        for _ in range(rng.choice((1, 1, 1, 2))):  # the second time, it rolls back into the beam
            takes_s = rng.uniform(0.02, 0.5)
            yield from _chattering(rng, t_s, line, blocked, takes_s / 2)
            t_s += takes_s
            gap_s = rng.uniform(0.03, 0.35)
            yield from _chattering(rng, t_s, line, 1 - blocked, gap_s / 2)
            t_s += gap_s
        t_s += rng.uniform(0.45, 1.5)
        if rng.random() < 0.3:  # a spark, a fly
            yield Edge(t_s, line, blocked)
            yield Edge(t_s + rng.uniform(20e-6, 60e-6), line, 1 - blocked)
            t_s += rng.uniform(0.45, 1.0)


def felt_by_pins(played: Script) -> Felt:
    pins = line_pins(played.wiring)
    decoder = PinDecoder(played.wiring)
    readings: list[BridgeReading] = []
    for line, pin in pins.items():
        readings += decoder.feed(0.0, pin, played.levels[line])
    for edge in played.edges:
        readings += decoder.feed(edge.t_s, pins[edge.line], edge.level)
    readings += decoder.tick(played.end_s)
    assert decoder.impossible_edges == 0
    return Felt.of(readings)


def felt_by_model(played: Script) -> Felt:
    model = SimFirmware(played.wiring, random.Random(0))
    model.boot(0.0, played.levels)
    sent: list[tuple[float, bytes]] = [(0.0, model.tick(0.0))]
    for edge in (*played.edges, None):
        until_s = edge.t_s if edge else played.end_s
        while model.due_s < until_s:
            sent.append((model.due_s, model.tick(model.due_s)))
        if edge:
            sent.append((edge.t_s, model.edge(edge)))
    return _decoded(sent, played.end_s)


def felt_by_chip(played: Script, files: ChipFiles) -> Felt:
    settings = BoardSettings(
        edges_per_detent=played.wiring.edges_per_detent, broken_level=played.wiring.beam_blocked_level
    )
    with SimChip(settings=settings, files=files) as chip:
        for line, level in played.levels.items():
            chip.drive(0.0, line, level)
        for edge in played.edges:
            chip.drive(edge.t_s, edge.line, edge.level)
        return _decoded([(sent.t_s, sent.data) for sent in chip.run_until(played.end_s)], played.end_s)


def _decoded(sent: list[tuple[float, bytes]], end_s: float) -> Felt:
    decoder = SerialDecoder(verified=True)
    readings: list[BridgeReading] = []
    for t_s, data in sent:
        readings += decoder.feed(t_s, data)
    readings += decoder.tick(end_s)
    assert decoder.link.garbled == decoder.link.lost == decoder.impossible_edges == 0
    return Felt.of(readings)


def told_by(played: Script, felt: Felt) -> None:
    """Assert that a perfect observer would agree."""
    assert felt.marbles == played.marbles
    if played.rests:
        assert felt.stops[-1] == (played.rests[-1], stop_of(played.rests[-1]))
