"""Events of every kind, and records and states made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.events import (
    BoardMoved,
    CalibrationDoubtful,
    Cleared,
    Corrected,
    DeviceReported,
    Event,
    Forfeited,
    GameOver,
    GameStarted,
    IllegalCleared,
    IllegalSeen,
    KnobConfirmed,
    KnobMismatch,
    MovePlayed,
    Occluded,
    OrphansFound,
    OrphansReminded,
    OrphansRemoved,
    Paused,
    PlaceSaid,
    QuestionAsked,
    QuestionClosed,
    Record,
    Resumed,
    ScoreChanged,
)
from companion.games.game import Json

STARTED = GameStarted(
    game="infinity",
    players=("blue", "yellow"),
    names={"blue": "Żaneta", "yellow": "Bo"},
    options={"first": "yellow", "ends": ("left", ("deep", 1))},
    position={"board": "....|....|....|....", "score": 0, "to_move": "yellow"},
    rules_version="1",
)

EVENTS: tuple[Event, ...] = (
    STARTED,
    MovePlayed(
        by="blue",
        move="B3",
        ply=1,
        words="Blue pushes a marble into channel 3",
        facts={"score": 1, "rows": {"blue": 1, "yellow": 0}, "house_rules": ("A1", "A3"), "nested": (("a", (1,)), ())},
    ),
    MovePlayed(by="blue", move="B4", ply=2, words="", explanation="A3 decided"),
    MovePlayed(by="blue", move="B4", ply=2, words="", person="Żaneta"),
    Forfeited(by="yellow", ply=3, words="Yellow must pass", facts={"score": -2}),
    IllegalSeen(reason="two_marbles", detail="two", by=None, seen={"1.1": "B"}, moves=("B1", "B2"), also=("x",)),
    IllegalSeen(reason="no_move", detail="", by="blue", seen={}),
    IllegalCleared(reason="two_marbles"),
    ScoreChanged(score=-3, points={"blue": 0, "yellow": 1}),
    OrphansFound(orphans=(("A", "E", "S"), ("B", "NE", "L"))),
    OrphansFound(orphans=()),
    OrphansReminded(orphans=(("B", "NE", "L"),)),
    OrphansRemoved(orphans=(("A", "E", "S"), ("B", "NE", "L"))),
    GameOver(outcome={"winner": "blue", "by": "five_ahead", "path": ()}, words="Blue wins"),
    QuestionAsked(question="q1", text="Which?", choices=("B1", "B2"), choice_words=("one", "two")),
    QuestionAsked(question="q2", text="?", choices=("B1",), choice_words=("one",), ply=3, told=True),
    PlaceSaid(place="1.1", label="K", by="Bo", words="the black Joker in seat 1 of channel 1"),
    PlaceSaid(place="1.1", label="", by="Bo"),
    QuestionClosed(question="q1", answer=None, by="evidence"),
    QuestionClosed(question="q2", answer="", by="person"),
    Corrected(ply=4, old=("B1",), new=(), by="Bo", why="wrong", position={"score": 2}, score=0),
    Corrected(ply=4, old=(), new=("B1",), by="Bo", why="", position={}),
    KnobMismatch(expected=2, seen=-1, resolved=False, words="Turn the knob"),
    KnobConfirmed(stop=2, by="Bo"),
    Paused(by="Bo"),
    Resumed(by="Żaneta"),
    DeviceReported(device="camera", state="stale", detail=""),
    Occluded(places=("2.3", "knob")),
    Cleared(),
    BoardMoved(shift_px=12.0, followed=True),
    CalibrationDoubtful(detail="margin 1.1"),
    replace(STARTED, by="Bo", takes_up="id-1"),
)


def records(count: int, first: int = 1, game_of: int = 40) -> list[Record]:
    """Numbered records of plain moves, with a game's start at every `game_of`-th."""
    return [record(seq, game_of) for seq in range(first, first + count)]


def record(seq: int, game_of: int = 40) -> Record:
    event: Event = STARTED
    if (seq - 1) % game_of:
        event = MovePlayed(by="blue", move="B1", ply=seq, words=f"move {seq} with some words", facts={"score": seq})
    return Record(seq=seq, id=f"id-{seq}", t_s=seq / 10, event=event)


def state(seq: int) -> Mapping[str, Json]:
    return {"seq": seq, "board": "....|....|....|....", "score": seq}
