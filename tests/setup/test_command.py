"""`companion setup` as a process of its own: a kill costs nothing, and two do not get in each other's way."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

from tests.cli.conftest import Command
from tests.cli.processes import begun, until
from tests.cli.test_wrong_input import one_line


class Page:
    """The set-up's page of a process, by the link that it told last."""

    def __init__(self, home: Path) -> None:
        until(lambda: self._links(home), "the link")
        self.url, self.token = self._links(home)[-1]

    @staticmethod
    def _links(home: Path) -> list[tuple[str, str]]:
        errors = home / "errors"
        return re.findall(r"(http://\S+?)#token=(\S+)", errors.read_text() if errors.exists() else "")

    def state(self) -> Any:
        with urllib.request.urlopen(f"{self.url}state", timeout=30) as answer:
            return json.load(answer)

    def do(self, name: str, /, **args: Any) -> None:
        body = json.dumps({"seq": self.state()["seq"], "transaction": name, "args": args}).encode()
        request = urllib.request.Request(f"{self.url}command/{name}", body, {"X-Companion-Token": self.token})
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert json.load(answer)["ok"]


def test_a_set_up_that_is_killed_goes_on_and_its_config_is_refereed(tmp_path: Path) -> None:
    command = ("setup", "--config", "table.toml", "--page-port", "0")
    with begun(tmp_path, *command) as process:
        page = Page(tmp_path)
        page.do("choose_game", game="finity", players=3)
        page.do("choose_camera", device=None)
        page.do("set_names", names={"C": "Cleo"})
        process.kill()
        process.wait()
    (tmp_path / "errors").unlink()
    with begun(tmp_path, *command):
        page = Page(tmp_path)
        draft = page.state()["draft"]
        assert (draft["game"], draft["setup"], draft["names"]) == ("finity", {"players": 3}, {"C": "Cleo"})
        page.do("set_game", pattern="bwbbwbww")
        assert page.state()["ready"]
        page.do("begin")
        until(lambda: page.state()["playing"], "the game")
        with urllib.request.urlopen(f"{page.url.removesuffix('setup/')}state", timeout=30) as answer:
            assert json.load(answer)["names"]["C"] == "Cleo"


def test_a_second_set_up_of_the_same_config_is_one_clear_line(tmp_path: Path) -> None:
    command = ("setup", "--config", "table.toml", "--page-port", "0")
    with begun(tmp_path, *command):
        Page(tmp_path)
        (tmp_path / "errors").unlink()
        with begun(tmp_path, *command) as second:
            assert second.wait(60) == 1
        assert "already running" in (tmp_path / "errors").read_text()


def test_without_any_config_the_way_to_one_is_told(companion: Command) -> None:
    one_line(companion("referee"), 2, "companion setup", "table.toml", "--config")


def test_a_folder_is_no_config_and_is_refused_at_the_start(companion: Command, tmp_path: Path) -> None:
    one_line(companion("setup", "--config", str(tmp_path)), 2, "this is a folder", f"{tmp_path}/table.toml")
    one_line(companion("setup", "--simulate", "finity", "--config", str(tmp_path)), 2, "this is a folder")


def test_what_is_of_simulated_tables_only(companion: Command) -> None:
    one_line(companion("setup", "--speed", "2"), 2, "--simulate")
    one_line(companion("setup", "--simulate", "chess"), 2, "known: infinity, finity")
    one_line(companion("setup", "--simulate", "finity", "--device", "pins"), 2, "no sensors")
    one_line(companion("setup", "--simulate", "infinity", "--look", "pink"), 2, "known: ")
