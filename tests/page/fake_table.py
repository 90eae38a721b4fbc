"""A table that answers from memory: what the live loop is to the page, driven by the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from calibration.infinity.board import reference_board
from companion.games.game import Json
from companion.page.commands import overtaken
from companion.page.layout import layout_for
from companion.page.table import CommandResult, Request

TOKEN = "a-token-for-the-tests"


def sight_of(board: str) -> dict[str, Json]:
    """The places of a position like `BY..|....|....|....`."""
    return {
        f"{channel}.{slot}": label
        for channel, labels in enumerate(board.split("|"), start=1)
        for slot, label in enumerate(labels, start=1)
    }


def start_state() -> dict[str, Json]:
    return {
        "seq": 0,
        "game": "infinity",
        "players": ["blue", "yellow"],
        "names": {},
        "sight": sight_of("....|....|....|...."),
        "score": 0,
        "to_move": None,
        "ply": 0,
        "moves": [],
        "question": None,
        "illegal": None,
        "knob": {"expected": 0, "seen": 0, "verified": True},
        "well": {"B": 8, "K": 1, "Y": 8, "W": 1},
        "devices": {"camera": {"state": "ok", "detail": "", "since": 0.0}},
        "outcome": None,
        "outcome_words": "",
        "paused": False,
    }


class FakePageTable:
    """A `PageTable` whose happenings the test makes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state = start_state()
        self._records: list[Mapping[str, Json]] = []
        self._wakers: list[Callable[[], None]] = []
        self.shot: tuple[bytes, float] | None = None
        self.shots_taken = 0
        self.commands: list[tuple[str, Mapping[str, Json]]] = []
        self.asked: list[tuple[str, Mapping[str, Json]]] = []
        self.answer: Callable[[str, Mapping[str, Json]], CommandResult] = lambda name, args: CommandResult(True)
        self.tell("game_started", game="infinity")

    def tell(self, event: str, *, then: Mapping[str, Json] | None = None, **fields: Json) -> None:
        """A record happens, and the state changes with it."""
        with self._lock:
            seq = len(self._records) + 1
            self._records.append({"seq": seq, "id": f"id-{seq}", "t": 2.0 * seq, "event": event, **fields})
            self._state = {**self._state, **(then or {}), "seq": seq}
        self._wake()

    def change(self, **changes: Json) -> None:
        """The state changes without a record (paused, a device)."""
        with self._lock:
            self._state = {**self._state, **changes}
        self._wake()

    def move(self, move: str, board: str, *, by: str, score: int = 0, words: str = "", **fields: Json) -> None:
        moves = self._state["moves"]
        assert isinstance(moves, list)
        ply = len(moves) + 1
        words = words or f"{by.capitalize()} pushes a marble into channel {move[1:]}"
        played: dict[str, Json] = {"ply": ply, "by": by, "move": move, "words": words}
        told: dict[str, Json] = {
            "moves": [*moves, played],
            "sight": sight_of(board),
            "score": score,
            "ply": ply,
            "to_move": "yellow" if by == "blue" else "blue",
            "knob": {"expected": score, "seen": score, "verified": True},
        }
        self.tell("move", then=told, **played, score=score, **fields)

    def put_question(self, name: str, text: str, choices: Mapping[str, str]) -> None:
        question: dict[str, Json] = {
            "question": name,
            "text": text,
            "choices": list(choices),
            "choice_words": list(choices.values()),
        }
        self.tell("question", then={"question": question}, **question)

    def _wake(self) -> None:
        for wake in tuple(self._wakers):
            wake()

    @property
    def watchers(self) -> int:
        return len(self._wakers)

    def state(self) -> Mapping[str, Json]:
        return self._state

    def layout(self) -> Mapping[str, Json]:
        return layout_for("infinity", reference_board().to_json())

    def records(self, after_seq: int) -> Sequence[Mapping[str, Json]]:
        return self._records[max(0, after_seq) :]

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        self._wakers.append(wake)
        return lambda: self._wakers.remove(wake)

    def picture(self) -> tuple[bytes, float] | None:
        self.shots_taken += 1
        return self.shot

    def command(self, request: Request) -> CommandResult:
        late = overtaken(request, self._state, self.records(request.seq))
        if late is not None:
            return late
        with self._lock:
            self.commands.append((request.name, request.args))
        return self.answer(request.name, request.args)

    def ask(self, name: str, args: Mapping[str, Json]) -> CommandResult:
        return self.answer(name, args)
