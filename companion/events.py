"""What the referee tells the world: happenings in the past tense, numbered without gaps.

`Record` is one event with its number; `record_json` writes the line of the contract:
`{"seq":17,"id":"…","t":12.9,"event":"move",…}`. The word of each event is its class's `event`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import ClassVar

from companion.games.game import Json


@dataclass(frozen=True, slots=True)
class GameStarted:
    event: ClassVar[str] = "game_started"
    game: str
    players: tuple[str, ...]
    names: Mapping[str, str]
    options: Mapping[str, Json]
    position: Mapping[str, Json]
    rules_version: str
    setup: Mapping[str, Json] = field(default_factory=dict)
    """What the game was told beside its options (players, pattern, posts); left out of the JSON where nothing."""
    by: str = ""
    """Who began it; left out of the JSON where the program did."""
    takes_up: str = ""
    """The id of the event that began the game which goes on here; left out of the JSON of a new game."""


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A legal move. `facts` are the game's (score, rows, points, house_rules); they stand flat in the JSON.

    `others` are moves that fit the evidence as well (without a camera: plain marble or Joker), likeliest first; the
    move is then told as the likeliest, and a question is open. They are left out of the JSON of a sure move.
    """

    event: ClassVar[str] = "move"
    by: str
    move: str
    ply: int
    words: str
    facts: Mapping[str, Json] = field(default_factory=dict)
    explanation: str = ""
    others: tuple[str, ...] = ()
    person: str = ""
    """Who entered it by hand; left out of the JSON where devices told of it."""


@dataclass(frozen=True, slots=True)
class Forfeited:
    event: ClassVar[str] = "forfeit"
    by: str
    ply: int
    words: str
    facts: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class IllegalSeen:
    """Something that the rules forbid. `also` names other readings that look just the same."""

    event: ClassVar[str] = "illegal"
    reason: str
    detail: str
    by: str | None
    seen: Mapping[str, str]
    moves: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IllegalCleared:
    """The table is as it should be again."""

    event: ClassVar[str] = "illegal_cleared"
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreChanged:
    event: ClassVar[str] = "score"
    score: int
    points: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OrphansFound:
    """Rings that a move has cut off and that must leave the board now: (player, station, size) each."""

    event: ClassVar[str] = "orphans"
    orphans: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class OrphansReminded:
    """These rings still lie there after the time to take them off."""

    event: ClassVar[str] = "orphans_reminder"
    orphans: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class OrphansRemoved:
    """All rings of the last `orphans` are off the board."""

    event: ClassVar[str] = "orphans_removed"
    orphans: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    event: ClassVar[str] = "game_over"
    outcome: Mapping[str, Json]
    words: str


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The referee needs a person. `choices` in order of likelihood; `choice_words` say them for people."""

    event: ClassVar[str] = "question"
    question: str
    text: str
    choices: tuple[str, ...]
    choice_words: tuple[str, ...]
    ply: int = 0
    """The ply that it is about; left out of the JSON, as `told`, where an older version asked."""
    told: bool = False
    """Whether a move was told at that ply, and an answer puts it right."""


@dataclass(frozen=True, slots=True)
class PlaceSaid:
    """A person said what stands at a place that the camera cannot tell; an empty label takes that back."""

    event: ClassVar[str] = "place_said"
    place: str
    label: str
    by: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class QuestionClosed:
    """A question is answered by a person, or by later evidence (`by` says which), or is void."""

    event: ClassVar[str] = "question_closed"
    question: str
    answer: str | None
    by: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person put the record right: `old` and `new` moves from `ply` on, who and why; the position after it."""

    event: ClassVar[str] = "correction"
    ply: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    by: str
    why: str
    position: Mapping[str, Json]
    score: int | None = None
    overlooked: tuple[int, ...] = ()
    """The numbers (from 0) of the `new` moves after which orphans stayed; left out of the JSON where none."""


@dataclass(frozen=True, slots=True)
class KnobMismatch:
    """The knob does not show the score after the grace time; told again with `resolved` when it is put right."""

    event: ClassVar[str] = "knob_mismatch"
    expected: int
    seen: int
    resolved: bool
    words: str


@dataclass(frozen=True, slots=True)
class KnobConfirmed:
    """A person said that the knob stands where the score belongs."""

    event: ClassVar[str] = "knob_confirmed"
    stop: int
    by: str


@dataclass(frozen=True, slots=True)
class Paused:
    """From now on nobody judges what is seen."""

    event: ClassVar[str] = "paused"
    by: str


@dataclass(frozen=True, slots=True)
class Resumed:
    event: ClassVar[str] = "resumed"
    by: str


@dataclass(frozen=True, slots=True)
class DeviceReported:
    event: ClassVar[str] = "device"
    device: str
    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Occluded:
    event: ClassVar[str] = "occluded"
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cleared:
    event: ClassVar[str] = "clear"


@dataclass(frozen=True, slots=True)
class BoardMoved:
    event: ClassVar[str] = "board_moved"
    shift_px: float
    followed: bool


@dataclass(frozen=True, slots=True)
class CalibrationDoubtful:
    event: ClassVar[str] = "calibration_doubtful"
    detail: str


Event = (
    GameStarted
    | MovePlayed
    | Forfeited
    | IllegalSeen
    | IllegalCleared
    | ScoreChanged
    | OrphansFound
    | OrphansReminded
    | OrphansRemoved
    | GameOver
    | QuestionAsked
    | PlaceSaid
    | QuestionClosed
    | Corrected
    | KnobMismatch
    | KnobConfirmed
    | Paused
    | Resumed
    | DeviceReported
    | Occluded
    | Cleared
    | BoardMoved
    | CalibrationDoubtful
)


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its place in the record. `seq` counts without gaps for each table; `id` never changes."""

    seq: int
    id: str
    t_s: float
    event: Event


LEFT_OUT = frozenset({"others", "setup", "overlooked", "told"})
"""Fields that are not written where they say nothing."""


def record_json(record: Record) -> dict[str, Json]:
    """The contract's line: seq, id, t, event, then the event's own fields, `facts` flat among them."""
    line: dict[str, Json] = {
        "seq": record.seq,
        "id": record.id,
        "t": round(record.t_s, 3),
        "event": record.event.event,
    }
    for item in fields(record.event):
        value = getattr(record.event, item.name)
        if item.name == "facts":
            line.update(value)
        elif item.name in LEFT_OUT and not value:
            continue
        elif value not in ("", None) or item.name == "answer" or (item.name == "by" and value is None):
            line[item.name] = value
    return line
