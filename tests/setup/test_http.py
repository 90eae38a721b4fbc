"""The set-up over HTTP: what its page gets, who may command, and what many viewers cost."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from calibration import preview
from companion.config import PageSection
from companion.page.pages import Pages
from companion.setup.commands import COMMANDS
from tests.setup.at_table import AtTable, at_table, until


@dataclass
class Browser:
    """Sends what a browser sends, or what it should not."""

    pages: Pages
    seated: AtTable
    sent: int = 0

    @property
    def port(self) -> int:
        return int(self.pages.link().split(":")[2].split("/")[0])

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        told = {key.replace("_", "-"): value for key, value in headers.items()}
        connection.request(method, path, body, told)
        answer = connection.getresponse()
        return answer.status, answer.read(), {key.lower(): value for key, value in answer.getheaders()}

    def command(self, name: str, args: Any, transaction: str = "", **headers: str) -> tuple[int, Any]:
        self.sent += 1
        told = {"x_companion_token": self.pages.token, **headers}
        body = {
            "seq": self.seated.state["seq"],
            "transaction": transaction or f"browser {self.sent}",
            "args": args,
        }
        status, answer, _ = self.request("POST", f"/setup/command/{name}", json.dumps(body), **told)
        return status, json.loads(answer)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with (
        at_table(tmp_path_factory.mktemp("http")) as seated,
        Pages(PageSection(port=0), setup=seated.session) as pages,
    ):
        yield Browser(pages, seated)


def test_without_a_table_the_root_leads_to_the_set_up(browser: Browser) -> None:
    status, _, headers = browser.request("GET", "/")
    assert (status, headers["location"]) == (307, "./setup/")
    status, page, headers = browser.request("GET", "/setup/")
    assert status == 200
    assert b"<html" in page
    assert "script-src 'self'" in headers["content-security-policy"]


def test_the_stream_begins_with_all_and_goes_on_with_every_change(browser: Browser) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", browser.port, timeout=30)
    connection.request("GET", "/setup/events")
    stream = connection.getresponse()
    assert stream.readline() == b"event: snapshot\n"
    snapshot = json.loads(stream.readline().removeprefix(b"data: "))
    assert snapshot.keys() == {"state", "page"}
    assert browser.command("set_names", {"names": {"blue": "Ada"}})[0] == 200
    while stream.readline() != b"event: state\n":
        pass
    assert json.loads(stream.readline().removeprefix(b"data: "))["draft"]["names"] == {"blue": "Ada"}
    connection.close()


def test_the_state_is_said_in_the_language_asked_for(browser: Browser) -> None:
    english, polish = (json.loads(browser.request("GET", f"/setup/state?lang={lang}")[1]) for lang in ("en", "pl"))
    assert english["rules"][7]["words"] == "A player may pass."
    assert polish["rules"][7]["words"] != english["rules"][7]["words"]
    assert polish["rules"][7]["option"] == "allow_pass"


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_without_the_token_or_from_elsewhere(browser: Browser, name: str) -> None:
    before = browser.seated.state["seq"]
    assert browser.command(name, {}, x_companion_token="guessed")[1]["reason"] == "token"
    assert browser.command(name, {}, origin="http://elsewhere.example")[0] == 403
    assert browser.command(name, {}, origin="null")[1]["reason"] == "origin"
    status, _, _ = browser.request("POST", f"/setup/command/{name}", "{}", host="elsewhere.example")
    assert status == 421
    assert browser.seated.state["seq"] == before


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_of_another_form(browser: Browser, name: str) -> None:
    before = browser.seated.state["seq"]
    assert browser.command(name, {"strange": 1})[1]["reason"] == "bad_args"
    assert browser.command(name, [])[1]["reason"] == "no_json"
    assert browser.seated.state["seq"] == before


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("choose_game", {"game": ["finity"]}),
        ("choose_game", {"game": "x" * 1000}),
        ("choose_game", {"game": "finity", "players": "3"}),
        ("choose_game", {"game": "finity", "players": True}),
        ("take_shot", {"name": 3}),
        ("enter_position", {"name": "first", "state": "BY"}),
        ("set_names", {"names": ["Ada"]}),
        ("set_rules", {"options": None}),
        ("set_knob", {"blue_knob": None}),
    ],
)
def test_no_argument_of_another_kind(browser: Browser, name: str, args: Any) -> None:
    assert browser.command(name, args) == (400, browser.command(name, args)[1])
    assert browser.command(name, args)[1]["reason"] == "bad_args"


def test_an_unknown_command_a_huge_body_and_a_path_outside(browser: Browser) -> None:
    assert browser.command("format_disk", {})[0] == 404
    status, _, _ = browser.request(
        "POST", "/setup/command/set_names", "x" * 100_000, x_companion_token=browser.pages.token
    )
    assert status == 413
    for path in ("/setup/shot/..%2f..%2ftable.toml.jpg", "/setup/shot/nothing.jpg", "/setup/static/..%2fsetup.py"):
        assert browser.request("GET", path)[0] == 404
    assert browser.request("GET", "/setup/board.jpg")[0] == 404


def test_a_double_tap_counts_once(browser: Browser) -> None:
    before = browser.seated.state["seq"]
    assert browser.command("set_names", {"names": {"yellow": "Ben"}}, "tap")[1]["ok"]
    assert browser.command("set_names", {"names": {"yellow": "Ben"}}, "tap")[1]["ok"]
    assert browser.seated.state["seq"] == before + 1


def test_of_two_browsers_that_tap_at_once_one_is_told_to_look_again(browser: Browser) -> None:
    seq = browser.seated.state["seq"]

    def body(name: str) -> str:
        return json.dumps({"seq": seq, "transaction": name, "args": {"names": {"blue": name}}})

    answers: list[tuple[int, bytes, dict[str, str]]] = []
    token = browser.pages.token
    taps = [
        threading.Thread(
            target=lambda name=name: answers.append(
                browser.request("POST", "/setup/command/set_names", body(name), x_companion_token=token)
            )
        )
        for name in ("Ann", "Bob", "Cid")
    ]
    for tap in taps:
        tap.start()
    for tap in taps:
        tap.join()
    assert sorted(status for status, _, _ in answers) == [200, 409, 409]
    assert {json.loads(answer)["reason"] for status, answer, _ in answers if status == 409} == {"stale"}


def test_names_are_text_whatever_they_look_like(browser: Browser) -> None:
    hostile = "<script>alert(1)</script>"
    assert browser.command("set_names", {"names": {"blue": hostile}})[1]["ok"]
    state = json.loads(browser.request("GET", "/setup/state")[1])
    assert state["draft"]["names"]["blue"] == hostile


def test_many_viewers_cost_one_picture_and_none_without_them(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    assert browser.request("GET", "/setup/preview.jpg")[0] == 204
    browser.seated.do("choose_camera", device="simulated")
    until(lambda: browser.seated.state["look"], "a look")
    drawn: list[int] = []
    draw = preview.draw

    def counted(*args: Any) -> bytes:
        drawn.append(1)
        return draw(*args)

    monkeypatch.setattr(preview, "draw", counted)
    shown: list[tuple[int, bytes]] = []
    viewers = [
        threading.Thread(target=lambda: shown.append(browser.request("GET", "/setup/preview.jpg")[:2]))
        for _ in range(20)
    ]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    assert {status for status, _ in shown} == {200}
    assert all(picture.startswith(b"\xff\xd8") for _, picture in shown)
    assert len({picture for _, picture in shown}) == len(drawn) < 10, "who looks at once is shown one picture, or a few"

    drawn.clear()
    for _ in range(10):
        browser.seated.session.turn()
    assert drawn == [], "for somebody who reads the steps, and has no picture in sight, none is encoded"


def test_nobody_at_the_page_means_that_no_picture_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_table(tmp_path) as seated:
        seated.do("choose_camera", device="simulated")
        until(lambda: seated.state["look"], "a look")
        seated.leave()
        until(lambda: not seated.session.is_watched, "an empty room")
        seated.session.turn()  # one that was under way is over
        looked: list[int] = []
        look = preview.look

        def counted(*args: Any) -> preview.BoardLook:
            looked.append(1)
            return look(*args)

        monkeypatch.setattr(preview, "look", counted)
        before = seated.session.state()
        for _ in range(20):
            seated.session.turn()
        assert looked == []
        assert seated.session.state() is before


def test_a_picture_that_was_taken_is_shown(browser: Browser) -> None:
    assert browser.request("GET", "/setup/shot/empty.jpg")[0] == 404
    assert browser.command("take_shot", {"name": "empty"})[1]["ok"]
    status, jpeg, headers = browser.request("GET", "/setup/shot/empty.jpg")
    assert (status, headers["content-type"], jpeg[:2]) == (200, "image/jpeg", b"\xff\xd8")


def test_may_command_is_told(browser: Browser) -> None:
    assert json.loads(browser.request("GET", "/setup/access")[1]) == {"may_command": False}
    token = browser.pages.token
    assert json.loads(browser.request("GET", "/setup/access", x_companion_token=token)[1]) == {"may_command": True}


def test_no_set_up_where_there_is_none(tmp_path: Path) -> None:
    with Pages(PageSection(port=0)) as pages:
        browser = Browser(pages, None)  # type: ignore[arg-type]
        assert browser.request("GET", "/setup/")[0] == 404
