"""From the set-up to the first move on the same pages, set up anew in the middle of a game, and after a kill."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.cli.plan import Sensors
from companion.config import PageSection
from companion.errors import DeviceError
from companion.page.pages import Pages
from companion.page.table import PageTable, Request
from companion.setup.evening import Evening
from tests.setup.at_table import AtTable, at_table, table_of, until


@dataclass
class Playing:
    """A table whose set-up may begin games."""

    seated: AtTable
    pages: Pages
    told: list[str] = field(default_factory=list)

    @property
    def table(self) -> PageTable:
        return next(iter(self.pages.tables.values()))

    @property
    def moves(self) -> list[Any]:
        moves = self.table.state()["moves"]
        assert isinstance(moves, list)
        return moves

    @property
    def names(self) -> Mapping[str, Any]:
        names = self.table.state()["names"]
        assert isinstance(names, Mapping)
        return names

    @property
    def games(self) -> int:
        """How many games have begun."""
        return sum(record["event"] == "game_started" for record in self.table.records(0))

    @property
    def told_of_recalibrating(self) -> int:
        """How often it was told how recalibrating went."""
        return sum("recalibrated" in str(record.get("detail")) for record in self.table.records(0))

    def begin(self) -> None:
        self.seated.do("begin")
        until(lambda: self.seated.state["busy"] is None, "the game")
        assert self.seated.state["error"] is None
        until(lambda: self.seated.state["playing"], "the game")


@contextmanager
def playing(folder: Path, game: str, sensors: Sensors = Sensors.SERIAL) -> Iterator[Playing]:
    table = table_of(folder, game, sensors)
    told: list[str] = []
    evening = Evening(list, told.append, table.stage)
    with (
        table,
        at_table(folder, game, table=table, begin=evening.begin) as seated,
        Pages(PageSection(port=0), setup=seated.session) as pages,
    ):
        thread = threading.Thread(target=evening.run, args=(seated.session, pages))
        thread.start()
        try:
            yield Playing(seated, pages, told)
        finally:
            evening.stop()
            thread.join(30)
            assert not thread.is_alive()


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_from_the_set_up_to_moves_that_are_told_as_they_are_made(tmp_path: Path, game: str) -> None:
    with playing(tmp_path, game) as there:
        seated = there.seated
        if game == "infinity":
            seated.do("choose_sensors", serial=seated.state["ports"][0]["serial"])
        seated.learn()
        first = seated.state["players"][0]["player"]
        seated.do("set_names", names={first: "Ada"})
        there.begin()
        until(lambda: len(there.moves) >= 3, "moves")
        told = [move["move"] for move in there.moves]
        assert list(seated.table.made[: len(told)]) == told
        assert there.names[first] == "Ada"
        assert seated.state["camera"]["state"] == "ok"  # the game's pictures are shown in the set-up, too
        until(seated.session.preview, "a picture of the game")


def test_a_set_up_that_is_changed_in_the_middle_goes_on_with_the_game_and_with_its_renewed_calibration(
    tmp_path: Path,
) -> None:
    with playing(tmp_path, "infinity") as there:
        seated = there.seated
        seated.do("choose_sensors", serial=seated.state["ports"][0]["serial"])
        seated.learn()
        there.begin()
        file = Path(seated.state["files"]["calibration"])
        until(lambda: len(there.moves) >= 1, "a move")
        before = file.read_bytes()

        def renewed() -> bool:
            """Asked for again where a hand was in the way."""
            seq: Any = there.table.state()["seq"]
            told = there.told_of_recalibrating
            if there.table.command(Request("recalibrate", seq, f"{time.monotonic()}", {})).ok:
                until(lambda: there.told_of_recalibrating > told, "how it went")
            return file.read_bytes() != before

        until(renewed, "the calibration anew")
        seated.do("set_names", names={"blue": "Zoe"})
        assert seated.state["new_game"] == []
        there.begin()
        moves = len(there.moves)
        until(lambda: there.pages.tables and len(there.moves) > moves, "the game to go on")
        assert there.games == 1
        assert there.names["blue"] == "Zoe"
        kept = Path(seated.state["files"]["calibration"])
        assert kept.read_bytes() == file.read_bytes() != before


def test_other_rules_begin_another_game_and_say_so_before(tmp_path: Path) -> None:
    with playing(tmp_path, "infinity") as there:
        seated = there.seated
        seated.learn()
        there.begin()
        until(lambda: there.pages.tables, "the game")
        seated.do("set_rules", options={"allow_pass": True})
        assert seated.state["new_game"] == ["House rules are others."]
        there.begin()
        until(lambda: there.pages.tables and there.games == 2, "another game")
        assert seated.state["new_game"] == []


def test_after_a_kill_the_set_up_goes_on_where_it_was(tmp_path: Path) -> None:
    """Nothing is told to the session that it ends: its files are all that the next one has."""
    with at_table(tmp_path) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: seated.state["camera"]["state"] == "ok", "the camera")
        seated.do("set_names", names={"blue": "Ada"})
        seated.do("take_shot", name="empty")
        seated.do("take_shot", name="first")
        seated.do("enter_position", name="first", state={"board": "BYK.|....|....|W...", "knob_stop": 1})
        was = seated.state
        seated.session._kept.close()  # as the kernel does it for a process that is killed
        with at_table(tmp_path) as again:
            now = again.state
            assert now["draft"] == was["draft"]
            assert [(shot["taken"], shot["state"]) for shot in now["shots"]] == [
                (shot["taken"], shot["state"]) for shot in was["shots"]
            ]
            assert now["asked"] == "second"
            assert again.session.shot("first") == seated.session.shot("first")
            until(lambda: again.state["camera"]["state"] == "ok", "the camera")


def test_a_second_set_up_of_the_same_table_is_refused(tmp_path: Path) -> None:
    with at_table(tmp_path), pytest.raises(DeviceError, match="already running"), at_table(tmp_path):
        pass


def test_what_was_written_is_set_up_again(tmp_path: Path) -> None:
    with at_table(tmp_path) as seated:
        seated.learn()
        seated.do("save")
    with at_table(tmp_path, kept=tmp_path / "elsewhere") as again:
        state = again.state
        assert state["saved"]
        assert state["draft"]["camera"]["device"] == "simulated"
        assert state["calibration"]["ok"]
        assert state["calibration"]["reprojection_error_px"] is None  # nobody wrote down what was measured
        assert not state["calibration"]["stale"]
        until(lambda: again.state["ready"], "the camera")


def test_a_config_that_cannot_be_read_is_told_and_set_aside_by_saving(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[table\n", encoding="utf-8")
    with at_table(tmp_path) as seated:
        assert "table.toml" in seated.state["error"]
        seated.learn()
        seated.do("save")
        assert (tmp_path / "table.toml.bak").read_text(encoding="utf-8") == "[table\n"
