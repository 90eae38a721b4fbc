"""Sets of pictures: complete, true, and the same for the same seed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.errors import InputError
from hw_sim.camera import PRESETS, render_set
from hw_sim.camera.positions import SET
from hw_sim.camera.render_set import KINDS

HARD = ("hand", "thing", "held", "half", "hand_bump", "no_board")


def test_a_set_is_complete_and_true(tmp_path: Path) -> None:
    truths = render_set(tmp_path, 3, look=PRESETS["slate_window"], kinds=HARD)
    assert [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()] == truths
    assert [truth["kind"] for truth in truths] == list(HARD)
    for name in ("empty.jpg", "ref1.jpg", "ref2.jpg", *(truth["image"] for truth in truths)):
        picture = cv2.imread(str(tmp_path / name))
        assert picture is not None
        assert picture.shape == (720, 1280, 3)
    references = [json.loads((tmp_path / f"ref{n}.json").read_text()) for n in (1, 2)]
    for truth in (*truths[:-1], *references):
        held = {"held": 1}.get(truth["kind"], 0)
        assert len(truth["well"]) + sum(truth["board"].count(letter) for letter in "BKYW") == 18 - held
        assert sum(truth["well_counts"].values()) == len(truth["well"])
        assert -4 <= truth["knob_stop"] <= 5
        assert truth["hidden"] == [name for name, share in truth["visible"].items() if share < 0.4]
    assert all("K" in state["board"] and "W" in state["board"] for state in references)


def test_troubles_are_told(tmp_path: Path) -> None:
    truths = {t["kind"]: t for t in render_set(tmp_path, 5, look=PRESETS["white_felt"], kinds=HARD, references=0)}
    assert truths["held"]["doubtful"]
    assert truths["half"]["doubtful"]
    assert not truths["thing"]["hand"]
    assert truths["hand"]["hand"]
    assert truths["hand"]["visible"]
    assert truths["no_board"]["board"] is None
    assert len(truths["no_board"]["hidden"]) == 17


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 8), ("b", 8), ("c", 9)):
        render_set(tmp_path / name, seed, look=PRESETS["white_felt"], kinds=("hand",), references=0)
    frames = [(tmp_path / name / "frames" / "f01.jpg").read_bytes() for name in "abc"]
    assert frames[0] == frames[1] != frames[2]


def test_the_default_set_has_every_kind() -> None:
    assert KINDS.count("plain") == 5
    assert {*HARD, "drift", "bump"} < set(KINDS)
    assert len(SET) == 18


def test_nonsense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no kind of frame is called 'fog'"):
        render_set(tmp_path, 1, kinds=("fog",))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="give another folder"):
        render_set(tmp_path / "file", 1, look=PRESETS["white_felt"], kinds=())
