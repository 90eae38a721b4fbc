"""Findings keep logins to themselves, and questions that hang or fail become values."""

from __future__ import annotations

import threading

import pytest

from companion.doctor.bounded import Asked, Unknown
from companion.doctor.finding import Finding, Part, Verdict, runs, without_logins


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rtsp://ann:secret@cam.local/live", "rtsp://…@cam.local/live"),
        ("rtsp://ann:p@ss@cam.local/live cannot be opened", "rtsp://…@cam.local/live cannot be opened"),
        ("http://cam/live?user=ann&pwd=secret; look", "http://cam/live?…; look"),
        ("rfc2217://ann:secret@host:4000", "rfc2217://…@host:4000"),
        ("http://cam/live is well", "http://cam/live is well"),
        ("is /dev/video0 there?", "is /dev/video0 there?"),
    ],
)
def test_logins_in_addresses_are_never_shown(text: str, shown: str) -> None:
    assert without_logins(text) == shown
    finding = Finding(Part.CAMERAS, Verdict.NOTE, text, text)
    assert "secret" not in str(finding.to_json())
    assert (finding.words, finding.mend) == (shown, shown)


def test_only_what_is_wrong_keeps_a_table_from_running() -> None:
    well = [Finding(Part.PINS, verdict, "so it is") for verdict in (Verdict.OK, Verdict.NOTE)]
    assert runs(well)
    assert not runs([*well, Finding(Part.PINS, Verdict.WRONG, "so it is")])


def test_a_question_that_hangs_is_left_alone() -> None:
    let_go = threading.Event()
    answer = Asked(let_go.wait, 0.05).answer()  # which else would wait for ever
    let_go.set()
    assert answer == Unknown("no answer within 0.05 s")


def test_a_question_that_fails_is_answered_with_why() -> None:
    def fail() -> None:
        raise KeyError("driver")

    assert Asked(fail, 5).answer() == Unknown("KeyError: 'driver'")


def test_nothing_is_an_answer_too() -> None:
    assert Asked(lambda: None, 5).answer() is None
