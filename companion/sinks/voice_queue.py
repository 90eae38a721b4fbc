"""What waits to be said: in order, each once. A queue that falls behind drops what is overtaken, never a warning."""

from __future__ import annotations

from collections.abc import Iterable

from companion.sinks.voice_words import Kind, Utterance

MOST_MOVES = 2
"""Moves that may wait: an older one is no news any more when two have followed it."""


class VoiceQueue:
    """Utterances in the order in which they came. Not safe between threads by itself."""

    def __init__(self) -> None:
        self._waiting: list[Utterance] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, utterance: Utterance) -> None:
        """Add one, and drop what it makes pointless."""
        if utterance.about:
            self.drop(utterance.about)
        self._keep(each for each in self._waiting if each.kind not in utterance.clears)
        if utterance in self._waiting:
            return  # the same warning twice within a sentence's time
        self._waiting.append(utterance)
        moves = [each for each in self._waiting if each.kind is Kind.MOVES]
        overtaken = moves[:-MOST_MOVES]
        self._keep(each for each in self._waiting if not any(each is one for one in overtaken))

    def drop(self, about: str) -> None:
        """What is about this needs no saying any more."""
        self._keep(each for each in self._waiting if each.about != about)

    def take(self) -> Utterance | None:
        """The next one to say; None where all is said."""
        return self._waiting.pop(0) if self._waiting else None

    def _keep(self, utterances: Iterable[Utterance]) -> None:
        self._waiting = list(utterances)
