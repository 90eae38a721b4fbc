"""Mats cut into sheets: everything is printed, nothing that must stay whole is cut where it need not be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.mat.papers import FLAP, MARGIN, PAPERS, WORDS, cuts, sheets_of

FINITY = (-220.0, -206.0, 220.0, 206.0)
lengths = st.floats(60, 1500)
rooms = st.floats(80, 400)


@given(lengths, rooms)
def test_every_part_finds_room_with_its_flap(length: float, room: float) -> None:
    found = cuts((-length / 2, length / 2), room, [])
    assert found == sorted(found)
    assert (found[0], found[-1]) == (-length / 2, length / 2)
    for index, (low, high) in enumerate(pairwise(found)):
        flap = 0 if index == len(found) - 2 else FLAP
        assert high - low + flap <= room + 1e-6


@given(lengths, rooms)
def test_there_are_no_more_parts_than_needed(length: float, room: float) -> None:
    parts = len(cuts((0, length), room, [])) - 1
    assert parts == 1 or (parts - 1) * (room - FLAP) + FLAP < length + 1e-6


@given(st.floats(-150, 150))
def test_a_marker_is_cut_around_where_there_is_room(middle: float) -> None:
    found = cuts((-220, 220), 194, [(middle - 20, middle + 20)])
    for at in found[1:-1]:
        assert not middle - 20 < at < middle + 20


@pytest.mark.parametrize("paper", PAPERS)
def test_sheets_cover_the_mat_and_fit_their_paper(paper: str) -> None:
    sheets = sheets_of(FINITY, paper)
    assert len({sheet.name for sheet in sheets}) == len(sheets)
    for sheet in sheets:
        left, bottom, right, top = sheet.box
        assert sorted((sheet.width, sheet.height)) == sorted(PAPERS[paper])
        assert left + sheet.shift[0] >= MARGIN - 1e-6
        assert right + sheet.shift[0] <= sheet.width - MARGIN + 1e-6
        assert bottom + sheet.shift[1] >= MARGIN + WORDS - 1e-6
        assert top + sheet.shift[1] <= sheet.height - MARGIN + 1e-6
    for x in range(-220, 221, 20):
        for y in range(-206, 207, 20):
            assert any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in (sheet.box for sheet in sheets))


def test_neighbours_know_the_same_cuts() -> None:
    sheets = {sheet.name: sheet for sheet in sheets_of(FINITY, "a4")}
    assert set(sheets["A1"].cuts_x) & set(sheets["B1"].cuts_x)
    assert set(sheets["A1"].cuts_y) & set(sheets["A2"].cuts_y)
    assert sheets["B1"].box[0] == min(sheets["B1"].cuts_x)
    assert sheets["A1"].box[2] == sheets["B1"].box[0] + FLAP
