"""Recordings: read with every fault named, played to the truth, written and read back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InputError
from companion.events import Record, record_json
from companion.recording import RecordingPlayer, RecordingWriter, open_recording, play_recording
from tests.reconciler.sights import COVERED, STOPS, board_places, place
from tests.shared_material import shared
from vision.reading import Reading, Status


class TruthfulEyes:
    """Reads the recording's pictures without looking: what they show stands in its frames_truth.jsonl."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "frames_truth.jsonl").read_text(encoding="utf-8").splitlines()
        self._truth = {Path(line["image"]).name: line for line in map(json.loads, lines)}

    def __call__(self, picture: Path) -> Reading:
        truth = self._truth[picture.name]
        hidden = truth["hidden"]
        places = {name: COVERED if name in hidden else seen for name, seen in board_places(truth["board"]).items()}
        return Reading(
            status=Status.OCCLUDED if hidden else Status.OK,
            places=places,
            knob=None if "knob" in hidden else place(str(truth["knob_stop"]), STOPS),
            well=None if truth["well_hidden"] else truth["well_counts"],
            foreign=truth["hand"],
        )


def source() -> Path:
    return shared("images", "infinity", "recording")


def copied(folder: Path, *files: str, **meta: Any) -> Path:
    """The shared recording with only these of its files."""
    folder.mkdir()
    data = json.loads((source() / "meta.json").read_text(encoding="utf-8"))
    (folder / "calibration.json").write_text("{}", encoding="utf-8")
    data |= {"calibration": "calibration.json"} | meta
    (folder / "meta.json").write_text(json.dumps(data), encoding="utf-8")
    for name in files:
        shutil.copy(source() / name, folder)
    return folder


def truth() -> list[dict[str, Any]]:
    lines = (source() / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def lines_of(records: list[Record], event: str) -> list[dict[str, Any]]:
    return [dict(record_json(record)) for record in records if record.event.event == event]


def played(folder: Path) -> list[Record]:
    records = list(play_recording(folder, look=TruthfulEyes(source())))
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    return records


@pytest.mark.parametrize("files", [("frames.jsonl", "gpio.jsonl"), ("frames.jsonl",)])
def test_a_whole_game_is_told_exactly(tmp_path: Path, files: tuple[str, ...]) -> None:
    records = played(copied(tmp_path / "game", *files))
    told = [(line["by"], line["move"], line["score"]) for line in lines_of(records, "move")]
    assert told == [(turn["by"], turn["move"], turn["score"]) for turn in truth()]
    words = {record.event.event for record in records}
    assert words <= {"game_started", "move", "score", "game_over", "occluded", "clear"}
    assert lines_of(records, "game_over")[0]["outcome"] == truth()[-1]["outcome"]


def test_without_pictures_moves_are_right_or_asked_for(tmp_path: Path) -> None:
    """The turn, the knob and the far beams give all but the first of the Jokers."""
    player = RecordingPlayer(open_recording(copied(tmp_path / "game", "gpio.jsonl", calibration=None)))
    records = list(player.play())
    moves = lines_of(records, "move")
    assert len(moves) == 24
    for line, turn in zip(moves, truth(), strict=True):
        assert turn["move"] in (line["move"], *line.get("others", ()))
        assert (line["by"], line["score"]) == (turn["by"], turn["score"])
    assert lines_of(records, "question")
    assert not lines_of(records, "illegal")
    assert not lines_of(records, "knob_mismatch")
    assert lines_of(records, "game_over")[0]["outcome"] == truth()[-1]["outcome"]


def test_playing_twice_tells_the_same(tmp_path: Path) -> None:
    folder = copied(tmp_path / "game", "frames.jsonl", "gpio.jsonl")
    assert list(map(record_json, played(folder))) == list(map(record_json, played(folder)))


def test_bad_lines_are_passed_over_and_named_with_their_number(tmp_path: Path) -> None:
    folder = copied(tmp_path / "game", "frames.jsonl", "gpio.jsonl")
    lines = (folder / "gpio.jsonl").read_text(encoding="utf-8").splitlines()
    lines[12:12] = [
        '{"t": 5.9, "pin": "BCM',
        '{"t": 5.9, "pin": "BCM5", "level": 7}',
        '{"t": 1.0, "pin": "BCM5", "level": 1}',
    ]
    (folder / "gpio.jsonl").write_text("\n".join(lines), encoding="utf-8")
    recording = open_recording(folder)
    records = list(RecordingPlayer(recording, look=TruthfulEyes(source())).play())
    assert len(lines_of(records, "move")) == 24
    assert [fault.split(":")[0] for fault in recording.faults.found] == [
        f"gpio.jsonl line {number}" for number in (13, 14, 15)
    ]


@pytest.mark.parametrize(
    ("meta", "files", "fault"),
    [
        ({"game": "chess"}, ["gpio.jsonl"], "unknown game 'chess'"),
        ({"options": {"joker": 1}}, ["gpio.jsonl"], "unknown option 'joker'"),
        ({"wiring": {"knob_a": "X"}}, ["gpio.jsonl"], "'X' is no pin name"),
        ({"wiring": None}, ["gpio.jsonl"], 'no "wiring"'),
        ({"calibration": "gone.json"}, ["frames.jsonl"], "the calibration gone.json is not there"),
        ({"calibration": None}, ["frames.jsonl"], "companion calibrate"),
        ({}, [], "nothing to play"),
    ],
)
def test_every_fault_of_a_recording_is_named(
    tmp_path: Path, meta: dict[str, Any], files: list[str], fault: str
) -> None:
    folder = copied(tmp_path / "game", *files, **meta)
    with pytest.raises(InputError) as caught:
        open_recording(folder)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_no_recording_is_said_to_be_none(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "gone", "no such folder"), (tmp_path, "no meta.json")):
        with pytest.raises(InputError, match=words):
            open_recording(path)
    (tmp_path / "meta.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(InputError, match="no JSON object"):
        open_recording(tmp_path)


def test_a_picture_outside_the_folder_is_not_read(tmp_path: Path) -> None:
    folder = copied(tmp_path / "game", "gpio.jsonl")
    (folder / "frames.jsonl").write_text('{"t": 1.0, "image": "../secret.jpg"}\n', encoding="utf-8")
    recording = open_recording(folder)
    list(RecordingPlayer(recording, look=TruthfulEyes(source())).play())
    assert "not in the recording's folder" in recording.faults.found[0]


def test_what_is_written_is_read_back_even_if_the_writer_is_never_closed(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    writer = RecordingWriter(folder, {"game": "infinity", "options": {}, "calibration": None, "wiring": None})
    assert writer.add_frame(0.5, b"jpeg") == "frames/0001.jpg"
    writer.add_serial(0.25, "board", b"\x02\x00")
    writer.add_level(0.125, "BCM5", 1)
    (folder / "meta.json").write_text(
        json.dumps(
            {"game": "infinity", "calibration": "meta.json", "wiring": {"entry": ["BCM5", "BCM6", "BCM13", "BCM19"]}}
        ),
        encoding="utf-8",
    )
    recording = open_recording(folder)
    assert [line.t_s for line in recording.lines()] == [0.125, 0.25, 0.5]
    assert (folder / "frames" / "0001.jpg").read_bytes() == b"jpeg"
    writer.close()
    with pytest.raises(InputError, match="holds a recording already"):
        RecordingWriter(folder, {})


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="name a folder that can be written"):
        RecordingWriter(tmp_path / "file" / "new", {})


def test_a_recording_of_empty_files_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "game")
    (folder / "frames.jsonl").touch()
    with pytest.raises(InputError, match=r"frames\.jsonl is empty, so there is nothing to play"):
        open_recording(folder)


def test_nothing_is_told_of_a_recording_whose_calibration_cannot_be_used(tmp_path: Path) -> None:
    player = RecordingPlayer(open_recording(copied(tmp_path / "game", "frames.jsonl")))
    with pytest.raises(InputError, match="calibration"):
        next(player.play())
