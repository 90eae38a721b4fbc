"""Faults of the wires: each really happens, and none happens unasked."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from hw_sim.faults import Faults, stream
from hw_sim.table import SimTable
from hw_sim.timeline import Timeline
from hw_sim.wires import TABLE_WIRING, Edge, Wires, line_pins


def pushes(faults: Faults, seed: int = 0, count: int = 8) -> list[Edge]:
    """The beams' edges of some pushes."""
    table = SimTable(seed=seed, faults=faults)
    edges: list[Edge] = []
    table.listen(edges.append)
    for index in range(count):
        table.perform(table.person("blue").push("B", 1 + index % 4))
        table.advance(1.0)
    return [edge for edge in edges if edge.line.startswith("e")]


def turns(faults: Faults, seed: int = 0) -> list[Edge]:
    table = SimTable(seed=seed, faults=faults)
    edges: list[Edge] = []
    table.listen(edges.append)
    for stop in (2, 4, 1, -2, 0) * 4:
        table.perform(table.person("blue").turn_knob(stop))
    return edges


def test_without_faults_every_pass_is_one_clean_pulse() -> None:
    edges = pushes(Faults())
    assert [edge.level for edge in edges] == [0, 1] * 8
    assert [edge.line for edge in edges[::2]] == ["entry1", "entry2", "entry3", "entry4"] * 2


def test_bounce_chatters_for_at_most_2_ms_and_ends_at_the_true_level() -> None:
    edges = pushes(Faults(bounce_ms=2.0))
    assert len(edges) > 24
    clean = pushes(Faults())
    first = [edge for before, edge in zip([None, *edges], edges, strict=False) if not _chatters(before, edge)]
    assert [(edge.line, edge.level) for edge in first] == [(edge.line, edge.level) for edge in clean]
    for line in {edge.line for edge in edges}:
        assert [edge.level for edge in edges if edge.line == line][-1] == 1
        own = [edge for edge in edges if edge.line == line]
        assert all(a.level != b.level for a, b in pairwise(own))


def _chatters(before: Edge | None, edge: Edge) -> bool:
    return before is not None and before.line == edge.line and edge.t_s - before.t_s <= 0.002


def test_a_missed_marble_leaves_no_edge_and_the_next_one_is_seen() -> None:
    edges = pushes(Faults(missed_beam=0.5), count=8)
    assert 0 < len(edges) < 16
    assert [edge.level for edge in edges] == [0, 1] * (len(edges) // 2)
    assert pushes(Faults(missed_beam=1.0)) == []


def test_a_marble_that_rolls_back_breaks_the_beam_twice_within_a_third_of_a_second() -> None:
    edges = pushes(Faults(rolls_back=1.0))
    assert [edge.level for edge in edges] == [0, 1, 0, 1] * 8
    for first, second in zip(edges[1::4], edges[2::4], strict=True):
        assert 0.0 < second.t_s - first.t_s < 0.34


def test_lost_knob_edges_are_lost_and_never_told_late() -> None:
    whole, lossy = turns(Faults()), turns(Faults(lost_knob_edge=0.2))
    assert 0.6 * len(whole) < len(lossy) < 0.95 * len(whole)
    assert set(lossy) < set(whole)


def test_bouncing_knob_contacts_end_where_they_should() -> None:
    clean, bouncing = turns(Faults()), turns(Faults(bounce_ms=2.0))
    assert len(bouncing) > 1.5 * len(clean)
    for line in ("knob_a", "knob_b"):
        assert [e.level for e in bouncing if e.line == line][-1] == [e.level for e in clean if e.line == line][-1]


def test_a_beam_wired_the_other_way_round_reads_1_when_blocked() -> None:
    timeline = Timeline()
    wires = Wires(timeline, replace(TABLE_WIRING, beam_blocked_level=1), Faults(), stream(0, "wires"))
    edges: list[Edge] = []
    wires.listen(edges.append)
    assert wires.levels["entry1"] == 0
    wires.beam("entry1", blocked=True)
    wires.beam("entry1", blocked=False)
    assert [edge.level for edge in edges] == [1, 0]


def test_every_line_of_the_wiring_has_its_pin() -> None:
    pins = line_pins(TABLE_WIRING)
    assert pins["knob_a"] == "BCM17"
    assert pins["entry4"] == "BCM19"
    assert pins["exit1"] == "BCM12"
    assert len(pins) == 10
    assert set(line_pins(replace(TABLE_WIRING, knob_a=None, knob_b=None, exit=()))) == {
        "entry1",
        "entry2",
        "entry3",
        "entry4",
    }


@pytest.mark.parametrize("wrong", [{"misread": 1.5}, {"bounce_ms": -1.0}, {"bump_rate": -0.1}])
def test_impossible_faults_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Faults(**wrong)


def test_all_faults_are_off_by_default_and_all_on_means_all() -> None:
    from dataclasses import asdict

    assert set(asdict(Faults()).values()) == {0.0}
    assert all(value > 0 for value in asdict(Faults.all_on()).values())
    assert Faults.all_on().misread == 0.05
