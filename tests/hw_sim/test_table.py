"""The physics: 18 marbles always, in one place each; beams in order; the knob in its detents."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from hw_sim.faults import Faults
from hw_sim.marbles import FULL_SET, Whereabouts, board_slots
from hw_sim.scene import ThingKind
from hw_sim.table import SimTable
from hw_sim.timeline import Act
from hw_sim.wires import Edge


def edges_of(table: SimTable) -> list[Edge]:
    edges: list[Edge] = []
    table.listen(edges.append)
    return edges


def lines(edges: list[Edge], *starts: str) -> list[tuple[str, int]]:
    return [(edge.line, edge.level) for edge in edges if edge.line.startswith(starts)]


def all_marbles(table: SimTable) -> str:
    truth = table.truth()
    elsewhere = [m.kind for m in table.marbles.all if m.where not in (Whereabouts.WELL, Whereabouts.SLOT)]
    return "".join(sorted([*truth.well, *board_slots(truth.board).values(), *elsewhere]))


def test_at_the_start_all_marbles_rest_round_the_lowest_point_of_the_groove() -> None:
    table = SimTable(seed=3)
    assert sorted(table.truth().well) == sorted(FULL_SET)
    assert table.truth().settled
    scene = table.scene()
    groove = table.geometry.groove
    for marble in scene.marbles:
        assert math.hypot(marble.x_mm - groove.cx, marble.y_mm - groove.cy) == pytest.approx(groove.r)
    xs = sorted(marble.x_mm for marble in scene.marbles)
    assert xs[0] == pytest.approx(-xs[-1])
    gaps = [math.dist((a.x_mm, a.y_mm), (b.x_mm, b.y_mm)) for a, b in pairwise(scene.marbles)]
    assert min(gaps) > table.geometry.marble.d - 0.1


def test_a_push_fills_the_entry_slot_and_moves_the_others_up() -> None:
    table = SimTable(seed=1)
    blue, yellow = table.person("blue"), table.person("yellow")
    table.perform(blue.push("B", 2))
    table.perform(yellow.push("W", 2))
    table.perform(blue.push("K", 2))
    assert table.truth().board == "....|KWB.|....|...."
    assert all_marbles(table) == "".join(sorted(FULL_SET))
    assert not table.hands


def test_a_push_into_a_full_channel_breaks_entry_then_exit_and_the_marble_comes_back_to_the_well() -> None:
    table = SimTable(seed=2)
    blue = table.person("blue")
    for kind in "KBBB":
        table.perform(blue.push(kind, 4))
    edges = edges_of(table)
    pushed = table.perform(blue.push("B", 4))
    assert pushed.over is not None
    assert pushed.over.kind == "K"
    assert "K" not in table.truth().well
    table.advance(3.0)
    assert table.truth().board.endswith("BBBB")
    assert table.truth().well[0] == "K" or table.truth().well[-1] == "K"
    assert table.truth().settled
    beams = [edge for edge in edges if edge.line.startswith(("entry", "exit"))]
    assert sorted(lines(beams, "e")) == [("entry4", 0), ("entry4", 1), ("exit4", 0), ("exit4", 1)]
    times = {(edge.line, edge.level): edge.t_s for edge in beams}
    assert times["entry4", 0] < times["exit4", 0] < times["exit4", 1]
    assert times["entry4", 0] < times["entry4", 1]


@pytest.mark.parametrize("seed", range(5))
def test_beams_are_blocked_for_20_to_500_ms(seed: int) -> None:
    table = SimTable(seed=seed)
    edges = edges_of(table)
    for index in range(8):
        table.perform(table.person("blue").push("B" if index < 8 else "K", 1 + index % 2))
    down: dict[str, float] = {}
    spans = []
    for edge in edges:
        if edge.line.startswith("slot"):
            continue
        if edge.level == 0:
            down[edge.line] = edge.t_s
        else:
            spans.append(edge.t_s - down.pop(edge.line))
    assert len(spans) >= 8
    assert not down
    assert all(0.02 <= span <= 0.5 for span in spans)


def test_a_marble_is_half_way_for_a_while_during_a_push() -> None:
    table = SimTable(seed=4)
    table.perform(table.person("blue").push("B", 1))
    doing = table.start(table.person("blue").push("B", 1))
    seats = [point[:2] for point in table.physics.seats.values()]
    between = 0
    while not doing.done:
        table.advance(0.005)
        for marble in table.scene().marbles:
            in_channel = abs(marble.x_mm - seats[0][0]) < 1 and 22 < marble.y_mm < 40
            between += in_channel and min(math.dist(seat, (marble.x_mm, marble.y_mm)) for seat in seats) > 5
    assert 2 <= between <= 80  # looked at every 5 ms


def test_marbles_stay_in_their_seats_above_a_gap_and_a_push_closes_it() -> None:
    table = SimTable(seed=5)
    blue = table.person("blue")
    for kind in "KBB":
        table.perform(blue.push(kind, 1))
    table.perform(blue.take_away((1, 2)))
    assert table.truth().board == "B.K.|....|....|...."
    table.perform(blue.push("B", 1))
    assert table.truth().board == "BBK.|....|....|...."


def test_from_the_far_end_a_marble_rests_in_a_free_seat_or_pushes_one_out_at_the_entry() -> None:
    boards = set()
    for seed in range(8):
        table = SimTable(seed=seed)
        edges = edges_of(table)
        table.perform(table.person("yellow").put_from_far_end("W", 3))
        boards.add(table.truth().board)
        assert lines(edges, "e") == [("exit3", 0), ("exit3", 1)]
    assert boards == {"....|....|W...|....", "....|....|...W|...."}
    table = SimTable(seed=1)
    for kind in "KYYY":
        table.perform(table.person("yellow").push(kind, 3))
    edges = edges_of(table)
    pushed = table.perform(table.person("yellow").put_from_far_end("W", 3))
    table.advance(3.0)
    assert table.truth().board == "....|....|YYKW|...."
    assert pushed.over is not None
    assert set(lines(edges, "e")) == {("exit3", 0), ("exit3", 1), ("entry3", 0), ("entry3", 1)}


def test_acts_that_change_nothing_change_nothing() -> None:
    table = SimTable(seed=6)
    blue = table.person("blue")
    for kind in "BBK":
        table.perform(blue.push(kind, 2))
    before, edges = table.truth(), edges_of(table)
    table.perform(blue.lift_and_put_back((2, 2)))
    assert table.truth() == before or table.truth().board == before.board
    assert lines(edges, "slot") == [("slot2.2", 0), ("slot2.2", 1)]
    table.perform(blue.hold_over_seat("Y", (1, 1)))
    table.perform(blue.touch_knob())
    table.perform(blue.rest_hand(0.0, 50.0, 1.0))
    table.advance(2.0)
    assert table.truth().board == before.board
    assert sorted(table.truth().well) == sorted(before.well)
    assert table.truth().knob_stop == 0
    assert not lines(edges, "entry", "exit", "knob")


def test_moving_pushing_again_and_two_at_once() -> None:
    table = SimTable(seed=7)
    yellow = table.person("yellow")
    table.perform(yellow.push_two(("Y", 1), ("W", 2)))
    assert table.truth().board == "Y...|W...|....|...."
    table.perform(yellow.push_again((2, 1), 1))
    assert table.truth().board == "WY..|....|....|...."
    table.perform(yellow.move_marble((1, 2), (4, 1)))
    assert table.truth().board == "W...|....|....|Y..."
    table.perform(yellow.take_away((1, 1), into_well=False))
    assert table.truth().board == "....|....|....|Y..."
    assert len(table.truth().well) == 16
    assert len(table.scene().marbles) == 17
    assert all_marbles(table) == "".join(sorted(FULL_SET))


@pytest.mark.parametrize("seed", range(6))
def test_people_can_put_any_board_right(seed: int) -> None:
    rng = random.Random(seed)
    table = SimTable(seed=seed)
    kinds = rng.sample(FULL_SET, 16)
    rows = ["".join(kinds[4 * c : 4 * c + rng.randint(0, 4)]).ljust(4, ".") for c in range(4)]
    table.perform(table.person("blue").push("B", 1))
    table.perform(table.person("yellow").push("Y", 1))
    table.perform(table.person("yellow").take_away((1, 1), into_well=False))
    table.perform(table.person("blue").arrange("|".join(rows)))
    table.advance(2.0)
    assert table.truth().board == "|".join(rows)
    assert len(table.truth().well) + len(board_slots("|".join(rows))) == 18


@pytest.mark.parametrize("seed", range(4))
def test_whatever_people_do_all_18_marbles_stay_and_none_overlap(seed: int) -> None:
    rng = random.Random(seed)
    table = SimTable(seed=seed, faults=Faults.all_on())
    for _ in range(60):
        table.perform(something(table, rng))
        table.advance(rng.uniform(0.0, 1.0))
        assert all_marbles(table) == "".join(sorted(FULL_SET))
    table.advance(5.0)
    assert table.truth().settled
    assert not table.hands
    scene = table.scene()
    for index, one in enumerate(scene.marbles):
        for two in scene.marbles[:index]:
            assert math.dist((one.x_mm, one.y_mm), (two.x_mm, two.y_mm)) > 15.9


def something(table: SimTable, rng: random.Random) -> Act[object]:
    """A random act that is possible now."""
    person = table.person(rng.choice(("blue", "yellow", "guest")))
    kind = rng.choice(table.truth().well)
    filled = sorted(table.marbles.slots)
    free = [slot for slot in table.physics.seats if slot not in table.marbles.slots]
    acts: list[Act[object]] = [person.push(kind, rng.randint(1, 4)), person.put_from_far_end(kind, rng.randint(1, 4))]
    acts += [person.turn_knob(rng.randint(-4, 5)), person.hold_over_seat(kind, (1, 1))]
    if filled:
        slot = rng.choice(filled)
        acts += [person.take_away(slot), person.push_again(slot, rng.randint(1, 4)), person.lift_and_put_back(slot)]
        if free:
            acts.append(person.move_marble(slot, rng.choice(free)))
    return rng.choice(acts)


@pytest.mark.parametrize("edges_per_detent", [1, 2, 4])
def test_the_knob_rests_within_3_degrees_of_its_stop_and_its_edges_add_up(edges_per_detent: int) -> None:
    from dataclasses import replace

    from hw_sim.wires import QUADRATURE, TABLE_WIRING

    table = SimTable(seed=8, wiring=replace(TABLE_WIRING, edges_per_detent=edges_per_detent))
    edges = edges_of(table)
    levels, quarter = {"knob_a": 0, "knob_b": 0}, 0
    rng = random.Random(8)
    for _ in range(40):
        stop = rng.randint(-4, 5)
        edges.clear()
        table.perform(table.person("blue").turn_knob(stop))
        assert table.truth().knob_stop == stop
        off = (table.scene().knob_deg - 36.0 * stop + 180.0) % 360.0 - 180.0
        assert abs(off) <= 3.0
        for edge in edges:
            levels[edge.line] = edge.level
            phase = QUADRATURE.index((levels["knob_a"], levels["knob_b"]))
            step = (phase - quarter + 2) % 4 - 2
            assert abs(step) == 1
            quarter += step
        assert quarter == table.knob.detents * edges_per_detent


def test_the_knob_takes_human_time_and_overshoots_now_and_then() -> None:
    table = SimTable(seed=9)
    beyond = []
    for stop in (1, 2, 3, 4, 3, 2, 1, 0) * 4:
        before, sign = table.now_s, 1 if stop > table.truth().knob_stop else -1
        doing = table.start(table.person("blue").turn_knob(stop))
        farthest = -90.0
        while not doing.done:
            table.advance(0.005)
            farthest = max(farthest, sign * (table.scene().knob_deg - 36.0 * stop))
        assert 0.3 < table.now_s - before < 4.0
        beyond.append(farthest)
    assert sum(deg > 4.5 for deg in beyond) > 4
    assert max(beyond) <= 8.0


def test_hands_come_over_the_board_and_leave_the_picture() -> None:
    table = SimTable(seed=10)
    doing = table.start(table.person("blue").push("B", 3))
    tips = []
    while not doing.done:
        table.advance(0.02)
        tips += [(hand.x_mm, hand.y_mm, hand.pinching) for hand in table.scene().hands]
    assert min(y for _, y, _ in tips) < -240
    assert max(y for _, y, _ in tips) > -10
    assert {True, False} == {pinching for _, _, pinching in tips}
    assert table.scene().hands == ()


def test_things_and_bumps_are_in_the_scene() -> None:
    table = SimTable(seed=11)
    guest = table.person("guest")
    thing = table.perform(guest.put_thing(ThingKind.MUG, 10.0, 20.0))
    assert table.scene().things == (thing,)
    table.perform(guest.take_thing(thing))
    assert table.scene().things == ()
    table.perform(guest.bump(3.0, -2.0, 1.5))
    assert table.scene().bump_mm == pytest.approx((3.0, -2.0))
    assert table.scene().bump_deg == pytest.approx(1.5)


def test_the_same_seed_gives_the_same_table_and_another_seed_another() -> None:
    def played(seed: int) -> tuple[object, ...]:
        table = SimTable(seed=seed, faults=Faults.all_on())
        edges = edges_of(table)
        table.perform(table.person("blue").push("B", 3))
        table.perform(table.person("blue").turn_knob(2))
        return (*edges, table.scene())

    assert played(5) == played(5)
    assert played(5) != played(6)


def test_what_cannot_be_done_is_said() -> None:
    table = SimTable(seed=12)
    blue = table.person("blue")
    table.perform(blue.push("K", 1))
    with pytest.raises(LookupError, match="no K lies in the well"):
        table.perform(blue.push("K", 1))
    with pytest.raises(LookupError, match=r"slot 2\.1 is empty"):
        table.perform(table.person("yellow").take_away((2, 1)))
    marble = table.marbles.in_well_of("B")[0]
    table.physics.lift(marble, "guest")
    with pytest.raises(ValueError, match=r"slot 1\.1 is taken"):
        table.physics.seat(marble, (1, 1), (0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="a board looks like"):
        table.perform(table.person("guest").arrange("nonsense"))
    with pytest.raises(ValueError, match="a game has the marbles"):
        SimTable(well="BBB")


def test_a_hand_does_one_thing_at_a_time() -> None:
    table = SimTable(seed=13)
    blue = table.person("blue")
    table.start(blue.push("B", 1))
    assert blue.busy
    with pytest.raises(RuntimeError, match="still busy"):
        table.perform(blue.push("B", 2))
