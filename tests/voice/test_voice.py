"""The voice with a real process for each sentence: a script that writes down what it was given, or espeak-ng itself."""

from __future__ import annotations

import os
import threading
import time
import wave
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.config import VoiceSection
from companion.events import GameOver, IllegalSeen, MovePlayed, QuestionAsked, QuestionClosed, Record, ScoreChanged
from companion.games.game import Json
from companion.games.registry import game_named
from companion.live import TableLoop
from companion.page.table import Request
from companion.sinks.voice import Espeak, Voice, plain
from companion.table import Table
from tests.shared_material import program

STATE: Mapping[str, Json] = {"players": ["blue", "yellow"], "names": {"blue": "Łucja"}}
PATIENCE_S = 10.0


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def heard(tmp_path: Path) -> Callable[[], list[str]]:
    """What the script was given by its input so far, a sentence each."""
    return lambda: (
        (tmp_path / "heard").read_text(encoding="utf-8").splitlines() if (tmp_path / "heard").exists() else []
    )


@pytest.fixture
def scribe(tmp_path: Path) -> str:
    return script(tmp_path / "espeak-ng", f'echo "$@" >>{tmp_path}/arguments; cat >>{tmp_path}/heard')


def moves(*numbers: int) -> list[Record]:
    return [Record(n, f"id {n}", float(n), MovePlayed("blue", f"B{n}", n, f"Blue makes move {n}")) for n in numbers]


def test_sentences_go_by_the_input_in_order_and_once(
    tmp_path: Path, scribe: str, heard: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    settings = VoiceSection(enabled=True, language="pl", words_per_minute=200, volume=50)
    voice = Voice(settings, pytest.fail)
    voice.start()
    voice.publish([], STATE)
    voice.publish(moves(1), STATE)
    voice.publish([Record(2, "id 2", 2.0, ScoreChanged(1, {}))], STATE)
    voice.publish([*moves(1), Record(2, "id 2", 2.0, ScoreChanged(1, {}))], STATE)
    voice.publish([Record(3, "id 3", 3.0, GameOver({}, "Blue wins"))], STATE)
    voice.stop()
    assert heard() == ["Blue makes move 1.", "Prowadzi Łucja, punkty: 1.", "Koniec gry. Blue wins."]
    arguments = (tmp_path / "arguments").read_text().splitlines()
    assert arguments == ["-b 1 -v pl -s 200 -a 50 --stdin"] * 3


def test_kinds_that_are_not_wanted_are_not_said() -> None:
    speaker = Slow()
    voice = Voice(VoiceSection(enabled=True, say=("warnings",)), pytest.fail, speaker=speaker)
    voice.start()
    voice.publish([*moves(1), Record(2, "id 2", 2.0, IllegalSeen("two_moves", "two marbles", None, {}))], STATE)
    speaker.go.set()
    voice.stop()
    assert speaker.said == ["Please put it right: two marbles."]


class Slow:
    """A speaker that is still at a sentence until it is let go."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.begun = threading.Event()
        self.go = threading.Event()

    def say(self, sentence: str) -> None:
        self.begun.set()
        self.go.wait(PATIENCE_S)
        self.said.append(sentence)

    def kill(self) -> None:
        self.go.set()


def test_a_voice_that_falls_behind_drops_moves_and_answered_questions_and_no_warning() -> None:
    speaker = Slow()
    voice = Voice(VoiceSection(enabled=True), pytest.fail, speaker=speaker)
    voice.start()
    voice.publish(moves(1), STATE)
    assert speaker.begun.wait(PATIENCE_S)
    voice.publish(moves(2), STATE)
    voice.publish([Record(3, "id 3", 3.0, IllegalSeen("two_moves", "two marbles", None, {}))], STATE)
    voice.publish([Record(4, "id 4", 4.0, QuestionAsked("q", "Which?", (), ()))], STATE)
    voice.publish([Record(5, "id 5", 5.0, QuestionClosed("q", None, "evidence"))], STATE)
    voice.publish(moves(6, 7), STATE)
    speaker.go.set()
    voice.stop()
    assert speaker.said == [
        "Blue makes move 1.",
        "Please put it right: two marbles.",
        "Blue makes move 6.",
        "Blue makes move 7.",
    ]


def test_a_voice_that_was_not_there_says_nothing_of_what_was(scribe: str, heard: Callable[[], list[str]]) -> None:
    """A restart: the loop shows the state, and only what happens from then on is a record."""
    espeak = Espeak(scribe, VoiceSection(), pytest.fail)
    voice = Voice(VoiceSection(enabled=True), pytest.fail, speaker=espeak)
    voice.start()
    voice.publish([], {**STATE, "question": {"question": "q", "text": "Which?", "choices": [], "choice_words": []}})
    voice.publish(moves(12), STATE)
    voice.stop()
    assert heard() == ["Blue makes move 12."]


def test_without_espeak_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    told: list[str] = []
    voice = Voice(VoiceSection(enabled=True), told.append)
    voice.start()
    voice.publish(moves(1, 2), STATE)
    voice.stop()
    assert told == ["the voice is on, but espeak-ng is not installed: sudo apt install espeak-ng"]


def test_an_espeak_that_hangs_is_killed_and_told_of_once(tmp_path: Path) -> None:
    told: list[str] = []
    espeak = Espeak(script(tmp_path / "hangs", "exec sleep 60"), VoiceSection(), told.append, limit_s=(0.2, 0.0))
    began_s = time.monotonic()
    espeak.say("one")
    espeak.say("two")
    assert time.monotonic() - began_s < PATIENCE_S
    assert len(told) == 1
    assert "hangs" in told[0]


@pytest.mark.parametrize("body", ["exit 3", "echo 'error: No such device' >&2"])
def test_an_espeak_that_fails_is_told_of_once_and_tried_again(tmp_path: Path, body: str) -> None:
    told: list[str] = []
    espeak = Espeak(
        script(tmp_path / "fails", f"echo x >>{tmp_path}/tries; cat >/dev/null; {body}"), VoiceSection(), told.append
    )
    espeak.say("one")
    espeak.say("two")
    assert len(told) == 1
    assert (tmp_path / "tries").read_text() == "x\nx\n"


def test_an_espeak_that_cannot_be_started_is_told_of(tmp_path: Path) -> None:
    told: list[str] = []
    Espeak(str(tmp_path / "nowhere"), VoiceSection(), told.append).say("one")
    assert len(told) == 1


def test_the_end_does_not_wait_for_a_long_sentence(tmp_path: Path) -> None:
    espeak = Espeak(script(tmp_path / "long", "exec sleep 60"), VoiceSection(), pytest.fail)
    voice = Voice(VoiceSection(enabled=True), pytest.fail, speaker=espeak)
    voice.start()
    voice.publish(moves(1, 2), STATE)
    began_s = time.monotonic()
    voice.stop()
    assert time.monotonic() - began_s < PATIENCE_S, "the sentence takes a minute"


def test_names_are_only_letters_to_the_voice() -> None:
    assert plain("a\x00b\nc\x1b[[_s]] -f /etc/passwd") == "a b c [ [_s]] -f /etc/passwd\n"


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Blue leads with two."), ("pl", "Żółty prowadzi, punkty: dwa.")]
)
def test_the_real_program_speaks_both_languages(tmp_path: Path, language: str, sentence: str) -> None:
    espeak_ng = program("espeak-ng")
    sound = tmp_path / "sound.wav"
    wrapped = script(tmp_path / "espeak-ng", f'exec {espeak_ng} "$@" -w {sound}')
    Espeak(wrapped, VoiceSection(language=language), pytest.fail).say(sentence)
    with wave.open(str(sound)) as heard:
        assert heard.getnframes() / heard.getframerate() > 0.5
        assert max(heard.readframes(heard.getnframes())) > 0


def test_anybody_may_have_something_said_at_a_table_with_a_voice(
    tmp_path: Path, scribe: str, heard: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    asked = Request("say", 0, "t", {"text": "Tea is ready; $(rm -rf /)"})
    for sinks, ok in (([], False), ([Voice(VoiceSection(enabled=True), pytest.fail)], True)):
        loop = TableLoop(Table(game_named("infinity", {})), sinks, clock=time.monotonic)
        thread = threading.Thread(target=loop.run)
        thread.start()
        result = loop.command(asked)
        loop.stop()
        thread.join(PATIENCE_S)
        assert result.ok is ok, result
        assert ok or "[voice]" in result.detail
    assert "Tea is ready; $(rm -rf /)" in heard()
