"""The voice: events said aloud by espeak-ng, a process for each sentence.

A sentence goes to espeak-ng by its input, never on a command line, where every user of the machine could read it. A
process that hangs is killed after a limit. Only what happens while the program runs is said: nothing is said again
after a restart, and an open question is not asked anew.
"""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from companion.config import VoiceSection
from companion.errors import system_words
from companion.events import QuestionClosed, Record
from companion.games.game import Json
from companion.sinks.voice_queue import VoiceQueue
from companion.sinks.voice_words import Kind, Utterance, question_of, utterance_of
from companion.texts import ENGLISH, in_language, text

log = logging.getLogger(__name__)

PROGRAM: Final = "espeak-ng"
LIMIT_S: Final = (5.0, 0.25)
"""Seconds that a sentence may take, and for each of its letters: the slowest speed says eight letters a second."""
STOP_S: Final = 4.0
"""How long the last sentences may take when the program ends: the result of a game, mostly."""
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")


class Speaker(Protocol):
    """Says one sentence and comes back when it is said; `kill` ends it early, from any thread."""

    def say(self, sentence: str) -> None: ...
    def kill(self) -> None: ...


class Espeak:
    """espeak-ng as a process for each sentence.

    Args:
        program: its path.
        limit_s: seconds that a sentence may take, and more of them for each of its letters.
        tell: takes a line for people when it cannot speak; the same trouble is told once.
    """

    def __init__(
        self,
        program: str,
        settings: VoiceSection,
        tell: Callable[[str], object],
        limit_s: tuple[float, float] = LIMIT_S,
    ) -> None:
        self._command = [
            program, "-b", "1", "-v", settings.language or ENGLISH,
            "-s", str(settings.words_per_minute), "-a", str(settings.volume), "--stdin",
        ]  # fmt: skip
        self._tell = tell
        self._limit_s = limit_s
        self._told: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def say(self, sentence: str) -> None:
        if self._ended:
            return
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
        except OSError as error:
            self._complain(
                text("cannot be started"),
                text("{why}; is espeak-ng whole? sudo apt install espeak-ng", why=system_words(error)),
            )
            return
        limit_s = self._limit_s[0] + self._limit_s[1] * len(sentence)
        try:
            _, told = self._process.communicate(plain(sentence).encode(), timeout=limit_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            self._complain(
                text("hangs"), text("it is stopped after a while each time; does another program hold the loudspeaker?")
            )
        else:
            errors = [line for line in told.decode(errors="replace").splitlines() if line.startswith("error")]
            if self._process.returncode > 0 or errors:  # without a loudspeaker it ends with 0 all the same
                why = errors[0][:200] if errors else text("it ends with {code}", code=self._process.returncode)
                self._complain(
                    text("fails"),
                    text("{why}; is a loudspeaker connected? try: {program} hello", why=why, program=PROGRAM),
                )

    def kill(self) -> None:
        self._ended = True
        if self._process is not None:
            with suppress(OSError):
                self._process.kill()

    def _complain(self, kind: str, what: str) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._tell(text("the voice: {program} {kind}: {what}", program=PROGRAM, kind=kind, what=what))


def plain(sentence: str) -> str:
    """The sentence without what espeak-ng would take for more than letters: control characters, phonemes in [[ ]]."""
    return CONTROL.sub(" ", sentence).replace("[[", "[ [") + "\n"


class Voice:
    """A sink that speaks.

    Args:
        settings: the config's section.
        tell: takes one line for people at a time.
        speaker: who speaks; espeak-ng where nobody is given.
    """

    def __init__(
        self, settings: VoiceSection, tell: Callable[[str], object] = log.warning, *, speaker: Speaker | None = None
    ) -> None:
        self._settings = settings
        self._tell = tell
        self._speaker = speaker
        self._queue = VoiceQueue()
        self._changed = threading.Condition()
        self._last_seq = 0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)

    def start(self) -> None:
        """Begin to speak; without espeak-ng it says so once, in words, and the game goes on in silence."""
        if self._speaker is None:
            program = shutil.which(PROGRAM)
            if program is None:
                self._tell(
                    text("the voice is on, but {program} is not installed: sudo apt install {program}", program=PROGRAM)
                )
                return
            self._speaker = Espeak(program, self._settings, self._tell)
        self._thread.start()

    def publish(self, records: Sequence[Record], state: Mapping[str, Json]) -> None:
        """Take new records; returns at once."""
        with self._changed:
            for record in records:
                if record.seq <= self._last_seq:
                    continue
                self._last_seq = record.seq
                if isinstance(record.event, QuestionClosed):
                    self._queue.drop(question_of(record.event.question))
                utterance = utterance_of(record, state)
                if utterance is not None and utterance.kind in self._settings.say:
                    self._queue.put(utterance)
            self._changed.notify()

    def say(self, words: str) -> None:
        """Say somebody's words in their turn; returns at once."""
        with self._changed:
            self._queue.put(Utterance(Kind.WARNINGS, words))
            self._changed.notify()

    def stop(self) -> None:
        """Say what waits within some seconds, and end."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(STOP_S)
            if self._speaker is not None:
                self._speaker.kill()
            self._thread.join(STOP_S)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or len(self._queue) > 0)
                utterance = self._queue.take()
            if utterance is None:
                return
            assert self._speaker is not None
            self._speaker.say(str(in_language(utterance.words, self._settings.language or ENGLISH)))
