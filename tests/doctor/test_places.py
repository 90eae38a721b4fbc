"""The journal's place, and the calibration."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.config import CameraSection, Config
from companion.doctor.bounded import Unknown
from companion.doctor.finding import Finding, Verdict
from companion.doctor.places import (
    LITTLE_ROOM,
    NO_ROOM,
    JournalPlace,
    Learnt,
    journal_place,
    learnt,
    of_calibration,
    of_journal,
)
from companion.journal.opening import open_journal
from firmware_bridge.held import Holder

PLACE = JournalPlace(Path("/home/ann/games.db"), Path("/home/ann"), writable=True, free_bytes=LITTLE_ROOM)


def one(findings: list[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_place_with_room_is_well() -> None:
    assert one(of_journal(PLACE, configured=True)).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (replace(PLACE, writable=False), "cannot be written"),
        (replace(PLACE, is_folder=True), "is a folder"),
        (replace(PLACE, free_bytes=NO_ROOM - 1), "only"),
        (replace(PLACE, holders=(Holder(900, "companion"),)), "another Companion (process 900)"),
    ],
)
def test_what_is_wrong_with_a_place(place: JournalPlace, words: str) -> None:
    told = one(of_journal(place, configured=True))
    assert told.verdict is Verdict.WRONG
    assert words in told.words
    assert told.mend
    assert one(of_journal(place, configured=False)).verdict is Verdict.NOTE


@pytest.mark.parametrize(
    ("place", "mend"),
    [
        (replace(PLACE, there=True), "sudo chown $USER /home/ann/games.db  # or"),
        (replace(PLACE, path=Path("/home/ann/new/games.db")), "sudo install -d -o $USER /home/ann/new  # or"),
        (PLACE, "name another file"),
    ],
)
def test_no_folder_that_is_there_is_given_away(place: JournalPlace, mend: str) -> None:
    told = one(of_journal(replace(place, writable=False), configured=True))
    assert told.mend is not None
    assert told.mend.startswith(mend)


def test_little_room_is_told_before_it_is_wrong() -> None:
    told = one(of_journal(replace(PLACE, free_bytes=LITTLE_ROOM - 1), configured=True))
    assert told.verdict is Verdict.NOTE


def test_a_place_that_is_not_there_yet_is_made_by_nobody(tmp_path: Path) -> None:
    place = journal_place(tmp_path / "new" / "folder" / "games.db")
    assert (place.folder, place.writable) == (tmp_path, True)
    assert place.free_bytes > 0
    assert list(tmp_path.iterdir()) == []
    assert journal_place(tmp_path).is_folder


def test_g05_a_journal_that_a_companion_writes_is_known(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    opened = open_journal(path)
    try:
        assert len(journal_place(path).holders) == 1
    finally:
        opened.journal.close()
    assert journal_place(path).holders == ()


@pytest.mark.parametrize(("now", "count"), [("5.0.0", 1), ("5.0.3", 1), ("5.1.0", 2), (None, 1)])
def test_a_calibration_of_another_opencv_is_noted(now: str | None, count: int) -> None:
    told = of_calibration(Learnt(Path("cal.json"), "5.0.0"), now)
    assert [finding.verdict for finding in told] == [Verdict.OK, Verdict.NOTE][:count]


def test_a_calibration_that_cannot_be_used_is_wrong(tmp_path: Path) -> None:
    section = CameraSection(device=0, calibration=tmp_path / "cal.json")
    told = one(of_calibration(learnt(Config(camera=section), section), "5.0.0"))
    assert told.verdict is Verdict.WRONG
    assert "there is no such calibration file" in told.words


def test_no_calibration_and_one_that_was_not_read_in_time() -> None:
    assert of_calibration(None, "5.0.0") == []
    assert one(of_calibration(Unknown("no answer within 10 s"), "5.0.0")).verdict is Verdict.NOTE
