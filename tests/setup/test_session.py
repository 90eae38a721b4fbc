"""A set-up at simulated tables, from nothing to a calibrated camera, and what goes wrong on the way."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from calibration.board import load_board
from companion.cli.simulation import opened
from companion.config import Config, load_config
from companion.page.layout import layout_for
from companion.page.layout.colours import learnt_colours
from companion.setup.commands import COMMANDS
from companion.setup.deeds import HANDLERS
from companion.setup.kept import Kept
from companion.setup.room import Room
from companion.setup.session import SetupSession
from companion.texts import in_language
from hw_sim.camera.feed import CameraFaults, SimCameraDevice
from hw_sim.scene import Light
from tests.setup.at_table import AtTable, at_table, plain, table_of, until
from tests.texts.polish import polish, untranslated
from vision.errors import CameraError


def test_every_command_is_carried_out_by_something() -> None:
    assert HANDLERS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_from_the_camera_to_files_that_can_be_refereed(tmp_path: Path, game: str) -> None:
    begun: list[Config] = []
    with at_table(tmp_path, game, begin=lambda config, _: begun.append(config)) as seated:
        assert seated.state["step"] == "camera"
        seated.learn()
        state = seated.state
        assert state["error"] is None
        assert state["calibration"]["ok"], state["calibration"]
        assert state["calibration"]["reprojection_error_px"] < 0.5
        assert not state["saved"]
        first, second = [each["player"] for each in state["players"]][:2]
        seated.do("set_names", names={first: "Ada", second: "Ben"})
        assert seated.state["ready"]
        seated.do("begin")
        assert seated.state["saved"]
        assert "begins" in seated.state["busy"]["what"]
        config = load_config(tmp_path / "table.toml")
        assert begun == [config]
        assert config.players == {first: "Ada", second: "Ben"}
        assert config.camera is not None
        assert str(config.camera.calibration) == seated.state["files"]["calibration"]


def test_everything_that_the_page_is_told_is_json_and_said_as_it_was_agreed(tmp_path: Path) -> None:
    keys = {
        *("seq", "step", "steps", "draft", "games", "players", "stations", "cameras", "camera", "ports", "boards"),
        *("look", "shots", "asked", "calibration", "rules", "knob", "layout", "labels", "board_editor", "busy"),
        *("error", "files", "simulated", "saved", "playing", "new_game", "ready", "sensors", "knob_seen"),
    }
    with at_table(tmp_path, "finity") as seated:
        assert seated.state.keys() == keys
        json.dumps(seated.state, default=dict)
        assert seated.state["layout"].keys() == layout_for("finity", _board("finity"), {"players": 2}).keys()
        shot = seated.state["shots"][1]
        assert shot["suggested"] == shot["state"]
        assert {label for label in shot["sight"].values() if label != "."} >= {"A", "B"}
        assert shot["sight"].keys() == seated.state["labels"].keys()
        assert seated.state["stations"] == ["N", "S"]


def _board(game: str) -> dict[str, Any]:
    return load_board(game).to_json()


def test_players_of_finity_are_drawn_in_the_colours_that_the_camera_has_learnt(tmp_path: Path) -> None:
    with at_table(tmp_path, "finity") as seated:
        usual = seated.state["layout"]
        seated.learn()
        learnt = seated.session.desk.learnt
        assert learnt is not None
        colours = learnt_colours(learnt.calibration)
        assert colours.keys() == {"A", "B"}
        drawn = seated.state["layout"]
        looks = {player: drawn["labels"][drawn["players"][player]["label"]]["fill"] for player in colours}
        assert looks == colours
        assert drawn != usual
        seated.do("choose_game", game="finity", players=3)
        assert seated.state["layout"]["players"].keys() == {"A", "B", "C"}
        assert seated.state["layout"]["labels"]["A"] == usual["labels"]["A"]  # nothing is learnt any more


def test_a_position_that_was_laid_otherwise_is_tapped_in(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: seated.state["camera"]["state"] == "ok", "the camera")
        seated.take_all()
        sight = dict(seated.state["shots"][1]["sight"])
        wrong = {**sight, "1.1": "Y", "1.2": "B"}  # the two are the other way round
        seated.do("enter_position", name="first", state={"sight": wrong, "knob_stop": 3})
        assert seated.state["shots"][1]["state"]["board"].startswith("YB")
        seated.calibrate()
        state = seated.state
        told = " ".join(state["calibration"]["doubtful"]) if state["calibration"] else state["error"]
        assert "1.1" in told, told
        assert "the first position" in told
        assert state["calibration"] is None or not state["calibration"]["ok"]
        seated.do("enter_position", name="first", state={"sight": sight, "knob_stop": 3})
        seated.calibrate()
        assert seated.state["calibration"]["ok"]


def test_a_position_that_is_not_what_the_picture_shows_is_refused_and_said_at_its_step(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seated.learn()
        assert seated.state["ready"]
        seated.do("enter_position", name="first", state={"board": "K...|W...|....|....", "knob_stop": -4})
        assert seated.state["calibration"]["stale"]
        assert not seated.state["ready"]
        assert "calibrate again" in seated.problems("pictures")
        seated.calibrate()
        assert seated.state["error"]
        assert seated.state["error"] in seated.problems("pictures")
        assert polish(seated.state["error"])
        assert not seated.state["ready"]
        seated.do("drop_shot", name="first")
        assert seated.state["asked"] == "first"
        assert seated.session.shot("first") is None


def test_a_command_for_an_older_state_is_stale(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seq = seated.state["seq"]
        assert seated.send("set_names", seq=seq, names={"blue": "Ada"}).ok
        late = seated.send("set_names", seq=seq, names={"blue": "Bob"})
        assert (late.ok, late.reason) == (False, "stale")
        assert seated.send("set_names", seq=seq + 5, names={"blue": "Bob"}).reason == "stale"
        assert seated.state["draft"]["names"] == {"blue": "Ada"}


def test_while_it_calibrates_nothing_else_is_changed(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seated.learn()
        seated.do("calibrate")
        refusal = seated.send("drop_shot", name="first")
        assert refusal.reason in ("working", "stale")  # stale where it was already done
        until(lambda: seated.state["busy"] is None, "the calibration")
        assert seated.state["shots"][1]["taken"]


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("choose_game", {"game": "../chess"}, "no such game"),
        ("choose_camera", {"device": "/etc/passwd"}, "no such camera"),
        ("choose_camera", {"device": "simulated", "width": 1, "height": 1}, "160 x 120"),
        ("choose_board", {"board": "../../etc/passwd.json"}, "give a name in it"),
        ("choose_board", {"board": "/etc/passwd"}, "ends in .json"),
        ("choose_board", {"board": "none.json"}, "no such file"),
        ("choose_sensors", {"serial": {"port": "/dev/mem"}}, "no such port"),
        ("take_shot", {"name": "../empty"}, "no such picture"),
        ("take_shot", {"name": "game"}, "no such picture"),
        ("drop_shot", {"name": "../../x"}, "no such picture"),
        ("enter_position", {"name": "first", "state": {}}, '"board"'),
        ("enter_position", {"name": "empty", "state": {"board": "....|....|....|...."}}, "nothing on it"),
        ("enter_position", {"name": "first", "state": {"board": "x" * 60_000}}, "no position"),
        ("enter_position", {"name": "first", "state": {"board": "BBBB|BBBB|B...|...."}}, "a set has 8"),
        ("enter_position", {"name": "first", "state": {"sight": {"9.9": "B"}}}, "9.9"),
        ("enter_position", {"name": "first", "state": {"sight": {"1.1": {}}}}, "1.1"),
        ("calibrate", {}, "Take the picture of the bare board first"),
        ("set_names", {"names": {"blue": "x" * 5000}}, "up to 60"),
        ("set_rules", {"options": {"first": "green"}}, "first"),
        ("set_game", {"pattern": "bw"}, "has no pattern"),
        ("set_knob", {"blue_knob": "up"}, "blue_knob"),
        ("set_language", {"language": "../pl"}, "no texts"),
        ("edit_board", {"do": "undo"}, "Begin with a picture"),
        ("save", {}, "Still to do"),
        ("begin", {}, "Still to do"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    refusing: AtTable, name: str, args: dict[str, Any], words: str
) -> None:
    before = plain(refusing.state)
    result = refusing.send(name, **args)
    assert (result.ok, result.reason) == (False, "refused")
    assert words in result.detail
    assert len(result.detail) < 500
    assert plain(refusing.state) == before


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with at_table(tmp_path_factory.mktemp("refusing")) as seated:
        yield seated


def test_a_bad_board_file_is_told_in_every_language(refusing: AtTable) -> None:
    folder = refusing.session.desk.config.parent
    (folder / "mine.json").write_text(json.dumps({"game": "infinity", "units": "inch"}), encoding="utf-8")
    refused = refusing.send("choose_board", board="mine.json")
    assert not refused.ok
    assert "units must be mm; board is missing" in refused.detail
    assert list(untranslated(refused.detail)) == []
    assert "units musi być mm; brakuje board" in str(in_language(refused.detail, "pl"))


def faulty(table: Any, faults: CameraFaults) -> tuple[SimCameraDevice, Any]:
    """The table's camera with faults, and the room with it."""
    device = SimCameraDevice(table.drawer, lambda _: (table.scene, Light()), frames_per_s=10, faults=faults)
    return device, lambda room: replace(room, open_capture=partial(opened, device))


def test_a_camera_that_is_pulled_out_is_told_and_picked_up_again(tmp_path: Path) -> None:
    table = table_of(tmp_path, "infinity")
    device, room = faulty(table, CameraFaults())
    with at_table(tmp_path, table=table, room=room) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: seated.state["look"], "a look")
        assert seated.session.preview() is not None
        device.unplug(2.5)
        until(lambda: seated.state["camera"]["state"] == "lost", "the loss")
        assert seated.session.preview() is None, "the last picture of a lost camera is no live one"
        assert seated.state["look"] is None
        assert "unplugged" in seated.problems("camera")
        (told,) = next(step["problems"] for step in seated.state["steps"] if step["name"] == "camera")
        assert "odłączona" in polish(told)
        refusal = seated.send("take_shot", name="empty")
        assert refusal.ok or "No picture came" in refusal.detail
        until(lambda: seated.state["camera"]["state"] == "ok", "the camera")
        seated.do("take_shot", name="empty")


def test_a_camera_of_another_size_is_told_with_both(tmp_path: Path) -> None:
    table = table_of(tmp_path, "infinity")
    _, room = faulty(table, CameraFaults(delivered_size=(640, 480)))
    with at_table(tmp_path, table=table, room=room) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: "640x480" in seated.problems("camera"), "the size")
        assert "1280x720" in seated.problems("camera")
        seated.do("choose_camera", device="simulated", width=640, height=480)
        until(lambda: seated.state["camera"]["state"] == "ok", "the camera")


def test_a_camera_that_another_program_has_is_told(tmp_path: Path) -> None:
    def taken(_: object) -> Any:
        raise CameraError("camera /dev/video0 cannot be opened; is another program using it?")

    with at_table(tmp_path, room=lambda room: replace(room, open_capture=taken)) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: "another program" in seated.problems("camera"), "the reason")


def test_nothing_is_looked_at_while_nobody_looks(tmp_path: Path) -> None:
    looked: list[int] = []

    def counting(room: Room) -> Room:
        def cameras() -> tuple[Any, ...]:
            looked.append(1)
            return room.cameras()

        return replace(room, cameras=cameras)

    table = table_of(tmp_path, "infinity")
    session = SetupSession(
        tmp_path / "table.toml", Kept(tmp_path / "kept", tmp_path / "table.toml"), counting(table.room())
    )
    before = session.state()
    for _ in range(50):
        session.turn()
    assert len(looked) == 1  # at the start
    assert session.state() is before
    leave = session.subscribe(lambda: None)
    session.turn()
    leave()
    session.turn()
    session.stop()


def test_another_board_is_edited_over_the_picture_saved_and_chosen(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: seated.state["camera"]["state"] == "ok", "the camera")
        until(lambda: seated.state["look"], "a look")
        seated.do("edit_board", do="begin")
        editor = seated.state["board_editor"]
        assert editor["error_px"] < 0.5
        assert seated.session.board_picture() is not None
        seated.do("edit_board", do="set", what="slots.r", value=editor["board"]["slots"]["r"] + 0.1)
        assert not seated.send("edit_board", do="save", path="../outside.json").ok
        assert not seated.send("edit_board", do="save", path="/tmp/outside.json").ok
        seated.do("edit_board", do="save", path="ours.json")
        assert seated.state["draft"]["board"] == "ours.json"
        assert {"board": "ours.json", "words": "ours"} in seated.state["boards"]
        seated.do("edit_board", do="close")
        assert seated.state["board_editor"] is None
        seated.do("choose_board", board=None)
        assert seated.state["draft"]["board"] is None
