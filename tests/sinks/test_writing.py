"""Events on a terminal and as lines of JSON: whole, in order, and never at the table's cost."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TextIO, get_args

import pytest

from companion.events import (
    DeviceReported,
    Event,
    GameStarted,
    MovePlayed,
    Occluded,
    OrphansFound,
    Record,
    record_json,
)
from companion.sinks.json_lines import JsonLines
from companion.sinks.terminal import Terminal
from companion.sinks.words import Weight, words_of, words_of_event
from companion.texts import languages
from tests.journal.material import EVENTS, records, state

RECORDS = [Record(seq, f"id-{seq}", seq / 7, event) for seq, event in enumerate(EVENTS, start=1)]


def written(sink_class: Callable[[TextIO], JsonLines | Terminal], happened: list[Record]) -> str:
    out = io.StringIO()
    sink = sink_class(out)
    sink.start()
    for record in happened:
        sink.publish([record], state(record.seq))
    sink.stop()
    return out.getvalue()


def test_lines_are_the_contracts_json_in_order() -> None:
    lines = written(JsonLines, RECORDS).splitlines()
    assert [json.loads(line) for line in lines] == [json.loads(json.dumps(record_json(r))) for r in RECORDS]
    assert "Żaneta" in lines[0]


def test_every_event_has_words_of_its_own() -> None:
    assert {type(record.event) for record in RECORDS} == set(get_args(Event))
    for record in RECORDS:
        first, *more = words_of(record).split("\n")
        assert first.startswith(f"{record.t_s:8.1f}  ")
        assert all(line.startswith(" " * 21) and line.strip() for line in more)
        assert words_of_event(record.event).text.strip()


def test_what_asks_to_be_looked_at_says_so_in_a_word() -> None:
    """Nobody needs to see colours."""
    for record in RECORDS:
        words = words_of_event(record.event)
        if words.weight is Weight.WARNING:
            assert words.tag in ("WARNING", "orphans")
        if words.weight is Weight.QUESTION:
            assert words.tag == "QUESTION"


def test_a_pipe_gets_plain_text() -> None:
    text = written(Terminal, RECORDS)
    assert "\x1b" not in text
    assert isinstance(RECORDS[0].event, GameStarted)
    assert text == "".join(words_of(record, names=RECORDS[0].event.names) + "\n" for record in RECORDS)


def test_a_terminal_gets_colours_and_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Tty()
    sink = Terminal(out)
    sink.start()
    sink.publish([Record(1, "a", 0.0, DeviceReported("camera", "lost", "put the plug back [in]"))], state(1))
    sink.stop()
    assert "\x1b[1;33m" in out.getvalue()
    assert "WARNING" in out.getvalue()
    assert "put the plug back [in]" in out.getvalue()


class Slow(io.StringIO):
    """A reader that takes nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.going = threading.Event()

    def write(self, text: str) -> int:
        self.going.wait(20)
        return super().write(text)


def test_a_terminal_speaks_the_tables_language() -> None:
    said = written(lambda out: Terminal(out, "pl"), [Record(1, "a", 0.0, OrphansFound((("A", "NE", "S"),)))])
    assert (
        said.split(maxsplit=1)[1]
        == "odcięte    zdejmij: mały pierścień gracza A na NE – nie prowadzi tam już żadna ścieżka\n"
    )


def test_tags_are_short_in_every_language() -> None:
    for language in languages():
        for record in RECORDS:
            head = words_of(record, language).split("\n")[0]
            assert head[8:10] + head[19:21] == "    "
            assert head[21] != " "


def test_a_slow_reader_does_not_hold_up_the_table() -> None:
    out = Slow()
    sink = JsonLines(out)
    sink.start()
    for record in records(2000):
        sink.publish([record], state(record.seq))  # which else would wait for ever
    out.going.set()
    sink.stop()
    assert [json.loads(line)["seq"] for line in out.getvalue().splitlines()] == list(range(1, 2001))


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


def test_a_file_that_cannot_be_written_is_said_once() -> None:
    out: TextIO = Full()
    sink = JsonLines(out)
    sink.start()
    sink.publish(records(1), state(1))
    sink._thread.join(5)
    with pytest.raises(OSError, match="No space"):
        sink.publish(records(1, first=2), state(2))
    sink.publish(records(1, first=3), state(3))
    sink.stop()


PIPED = """
import sys
from companion.sinks.json_lines import JsonLines
from tests.journal.material import records, state
sink = JsonLines(sys.stdout)
sink.start()
try:
    for record in records(100000):
        sink.publish([record], state(record.seq))
except BrokenPipeError:
    sink.stop()
    sys.exit(7)
"""


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    piped = subprocess.Popen(
        [sys.executable, "-c", PIPED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ}, text=True
    )
    assert piped.stdout is not None
    assert piped.stderr is not None
    piped.stdout.readline()
    piped.stdout.close()
    assert piped.wait(30) == 7
    assert piped.stderr.read() == ""


def test_a_move_that_may_be_another_says_which() -> None:
    move = MovePlayed("blue", "B1", 1, "Blue pushes a marble into channel 1", others=("K1",))
    assert "(or K1)" in words_of(Record(1, "a", 0.0, move))


def test_a_hand_over_half_the_board_takes_one_line() -> None:
    few, many = (words_of_event(Occluded(tuple(f"{n}.1" for n in range(count)))).text for count in (3, 40))
    assert few == "0.1, 1.1, 2.1"
    assert many == "0.1, 1.1, 2.1, 3.1, 4.1, 5.1 and 34 more places"
