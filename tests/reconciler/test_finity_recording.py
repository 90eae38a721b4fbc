"""The shared recording of a game of Finity, read by eyes that see what its truth says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.events import OrphansFound, OrphansRemoved, Record, record_json
from companion.games.registry import game_named
from companion.recording import play_recording
from companion.referee import Referee
from tests.reconciler.sights import COVERED, place
from tests.shared_material import shared
from vision.reading import PlaceReading, Reading, Status


def source() -> Path:
    return shared("images", "finity", "recording")


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (source() / name).read_text(encoding="utf-8").splitlines()]


class TruthfulEyes:
    """Reads pictures without looking: what they show stands in the recording's frames_truth.jsonl."""

    def __init__(self) -> None:
        self._truth = {Path(line["image"]).name: line for line in lines("frames_truth.jsonl")}
        self._game = the_game()

    def __call__(self, picture: Path) -> Reading:
        truth = self._truth[picture.name]
        keys = ("bridges", "rings", "posts", "blockers")
        position = self._game.parse_position({"to_move": "A", **{key: truth[key] for key in keys}})
        hidden = set(truth["hidden"])
        places: dict[str, PlaceReading] = {
            name: COVERED if name in hidden else place(label, (label, ".", "A", "B"))
            for name, label in self._game.sight(position).items()
        }
        return Reading(Status.OCCLUDED if hidden else Status.OK, places, foreign=truth["hand"], confidence=0.99)


class PoorEyes(TruthfulEyes):
    """Every second clear picture of the same board cannot be read: of each turn one clear picture is left."""

    def __init__(self) -> None:
        super().__init__()
        self._before: dict[str, Any] | None = None

    def __call__(self, picture: Path) -> Reading:
        shown = {key: self._truth[picture.name][key] for key in ("bridges", "rings", "posts", "blockers", "hand")}
        again, self._before = shown == self._before and not self._truth[picture.name]["hand"], shown
        return Reading(Status.BAD_IMAGE, detail="the file ends too soon") if again else super().__call__(picture)


def played(tmp_path: Path, eyes: Callable[[Path], Reading] | None = None) -> list[Record]:
    folder = tmp_path / "game"
    folder.mkdir()
    meta = json.loads((source() / "meta.json").read_text(encoding="utf-8")) | {"calibration": "calibration.json"}
    (folder / "calibration.json").write_text("{}", encoding="utf-8")
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    shutil.copy(source() / "frames.jsonl", folder)
    return list(play_recording(folder, look=eyes or TruthfulEyes()))


def test_a_whole_game_is_told_with_its_orphans_in_time(tmp_path: Path) -> None:
    records = played(tmp_path)
    told = [dict(record_json(record)) for record in records]
    moves = [(line["by"], line["move"]) for line in told if line["event"] == "move"]
    assert moves == [(line["by"], as_the_rules_write(line["move"])) for line in lines("truth.jsonl")]
    assert not [line for line in told if line["event"] in ("illegal", "question", "orphans_reminder", "correction")]
    due = [line for line in lines("truth.jsonl") if line["orphans"]]
    found = [record for record in records if isinstance(record.event, OrphansFound)]
    assert len(found) == len(due)
    for record, line in zip(found, due, strict=True):
        assert isinstance(record.event, OrphansFound)
        named = sorted((f"{station}.{size}", player) for player, station, size in record.event.orphans)
        assert named == sorted(zip(line["orphans"], line["orphan_owners"], strict=True))
        assert record.t_s < line["t_orphans_removed"] + 0.01
    assert sum(isinstance(record.event, OrphansRemoved) for record in records) == len(due)


def test_one_clear_picture_a_turn_is_enough(tmp_path: Path) -> None:
    told = [dict(record_json(record)) for record in played(tmp_path, PoorEyes())]
    assert [line["move"] for line in told if line["event"] == "move"] == [
        as_the_rules_write(line["move"]) for line in lines("truth.jsonl")
    ]
    assert not [line for line in told if line["event"] in ("illegal", "question")]


def test_a_referee_comes_back_from_these_events(tmp_path: Path) -> None:
    back = Referee.restore(the_game(), "again", played(tmp_path))
    assert list(back.record.moves) == [as_the_rules_write(line["move"]) for line in lines("truth.jsonl")]
    assert back.orphans == ()


def the_game() -> Any:
    return game_named("finity", {}, json.loads((source() / "meta.json").read_text(encoding="utf-8")))


def as_the_rules_write(move: str) -> str:
    """A slot has two names."""
    notation = the_game().terms.notation
    return str(notation.text(notation.parse(move)))
