"""A simulated game of Finity as a folder, and in real time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.errors import InputError
from companion.games.finity.rules import Finity
from companion.games.game import Json, Played
from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from hw_sim.finity.game_run import FinityGame
from hw_sim.finity.happenings import GameEnded, MoveMade, RingsRemoved
from hw_sim.finity.players import FinityHabits
from hw_sim.finity.scene import FinityScene
from hw_sim.live import LiveTable
from hw_sim.players import ScriptedPlayers
from hw_sim.recording import write_recording
from hw_sim.scene import Light
from tests.shared_material import shared

SETUP: dict[str, Json] = {"players": 2, "pattern": "bwbbwbww", "posts": {"A": "S", "B": "N"}}
MOVES = ["add b S>SW M", "add b N>NE M", "ring SW S", "ring NE L", "reverse S>SW M", "add w SW>S L"]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def a_game(**settings: Any) -> FinityGame:
    return FinityGame(2, setup=SETUP, habits=FinityHabits(notices_orphans=1.0), **settings)


def test_a_recording_says_what_the_game_was_and_what_happened(tmp_path: Path) -> None:
    drawn: list[FinityScene] = []

    def draw(scene: FinityScene, light: Light) -> bytes:
        drawn.append(scene)
        return b"picture"

    game = a_game(players=ScriptedPlayers(MOVES))
    write_recording(tmp_path / "game", game, draw=draw, calibration="CAL.json")
    meta = json.loads((tmp_path / "game" / "meta.json").read_text(encoding="utf-8"))
    assert meta == {"game": "finity", **SETUP, "options": {}, "calibration": "CAL.json"}
    truth = lines(tmp_path / "game" / "truth.jsonl")
    assert [(line["by"], line["move"]) for line in truth] == list(zip("ABABAB", MOVES, strict=True))
    assert [line["orphans"] for line in truth] == [[], [], [], [], ["SW.S"], []]
    assert truth[4]["orphan_owners"] == ["A"]
    assert truth[4]["t_settled"] < truth[4]["t_orphans_removed"] < truth[5]["t_settled"]
    assert not [line for line in truth[:4] if "t_orphans_removed" in line]
    frames = lines(tmp_path / "game" / "frames.jsonl")
    assert len(frames) == len(drawn) > 50
    assert [frame["t"] for frame in frames] == sorted(frame["t"] for frame in frames)
    assert (tmp_path / "game" / frames[-1]["image"]).read_bytes() == b"picture"
    assert not (tmp_path / "game" / "gpio.jsonl").exists()


def test_its_truth_has_the_form_of_the_shared_recording(tmp_path: Path) -> None:
    write_recording(tmp_path / "game", a_game(players=ScriptedPlayers(MOVES), frame_s=0))
    ours = lines(tmp_path / "game" / "truth.jsonl")
    theirs = lines(shared("images", "finity", "recording", "truth.jsonl"))
    assert set(ours[0]) == set(theirs[0])
    orphaning = next(line for line in theirs if line["orphans"])
    assert set(ours[4]) == set(orphaning)


def test_the_meta_is_enough_to_play_the_truth_again(tmp_path: Path) -> None:
    write_recording(tmp_path / "game", a_game(frame_s=0, faults=Faults.all_on(), options={"draw_rounds": 0}))
    meta = json.loads((tmp_path / "game" / "meta.json").read_text(encoding="utf-8"))
    rules = Finity.of(meta, meta["options"])
    position = rules.start()
    for line in lines(tmp_path / "game" / "truth.jsonl"):
        played = rules.play(position, line["move"])
        assert isinstance(played, Played)
        position = played.after


def test_breaches_stand_in_the_truth(tmp_path: Path) -> None:
    game = a_game(frame_s=0, breaches=[FinityBreachKind.CORNER_TAKEN])
    write_recording(tmp_path / "game", game)
    truth = lines(tmp_path / "game" / "truth.jsonl")
    breach = next(line for line in truth if "t_breach" in line)
    assert (breach["breach"], breach["reasons"]) == ("corner_taken", ["corner_taken"])
    assert truth[truth.index(breach) + 1]["t_right"] > breach["t_breach"]


def test_a_folder_with_a_recording_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="has a recording"):
        write_recording(tmp_path, a_game(frame_s=0))


def test_a_live_table_lets_a_game_pass_and_hears_the_referee() -> None:
    moves: list[str] = []
    removed: list[RingsRemoved] = []
    ends: list[object] = []
    game = FinityGame(
        2,
        setup=SETUP,
        players=ScriptedPlayers(MOVES),
        habits=FinityHabits(notices_orphans=0.0, forgets_orphans=0.0, patience_s=1000.0),
        frame_s=0,
        sights=False,
    )

    def happened(happening: object) -> None:
        if isinstance(happening, MoveMade):
            moves.append(happening.move)
            live.point_out(happening.orphans)
        elif isinstance(happening, RingsRemoved):
            removed.append(happening)
        elif isinstance(happening, GameEnded):
            ends.append(happening)

    live = LiveTable(game, speed=200.0, on_happening=happened)
    with live:
        assert live.finished.wait(30)
        _, scene, _ = live.look()
    assert moves == MOVES
    assert [each.rings for each in removed] == [(("A", "SW", "S"),)]
    assert len(ends) == 1
    assert isinstance(scene, FinityScene)
    assert live.answer(["add w SW>S L"], 5) == "add w SW>S L"
