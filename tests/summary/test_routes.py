"""The pages after a game from a real server."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image

from companion.notation.game_text import parse_game, play_text
from companion.page.app import create_app
from companion.page.archive import Archive
from companion.page.server import PageServer
from tests.page.fake_table import TOKEN, FakePageTable
from tests.summary.games import Evening, infinity


@pytest.fixture(scope="module")
def client(journal: Path) -> Iterator[httpx.Client]:
    archives = {"table": Archive(journal), "empty": Archive(journal.with_name("none.sqlite"))}
    app = create_app({"table": FakePageTable()}, token=TOKEN, archives=archives)
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url, timeout=20) as client:
        yield client


def test_the_summary_is_that_of_the_newest_game(client: httpx.Client) -> None:
    newest = client.get("summary/table")
    assert newest.status_code == 200
    assert newest.headers["content-type"] == "text/html; charset=utf-8"
    assert "Józef" in newest.text
    assert "Łucja" in client.get("summary/table/1").text


NOWHERE = [
    "summary/table/99",
    "summary/nowhere",
    "replay/table/99",
    "summary/table/99/picture.png",
    "replay/nowhere/1",
    "summary/table/x",
    "summary/empty",
]


@pytest.mark.parametrize("path", NOWHERE)
def test_what_is_not_there_is_said_so(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_table_without_games_leads_on(client: httpx.Client) -> None:
    answer = client.get("summary/empty?lang=pl")
    assert answer.status_code == 404
    assert "../games/?lang=pl" in answer.text


def test_the_picture_comes_from_the_page(client: httpx.Client) -> None:
    answer = client.get("summary/table/picture.png")
    assert answer.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).width == 1080


def test_the_record_is_one_that_can_be_imported(client: httpx.Client) -> None:
    answer = client.get("summary/table/3/record.txt")
    assert answer.headers["content-disposition"] == 'attachment; filename="game-3.txt"'
    record = play_text(parse_game(answer.text))
    told = client.get("summary/table/3/record.json").json()
    assert [turn["move"] for turn in told["turns"]] == [ply.move for ply in record.plies]
    assert {"illegal", "correction", "game_over"} <= {event["event"] for event in told["events"]}


def test_the_file_for_friends_is_taken_along(client: httpx.Client) -> None:
    answer = client.get("summary/table/1/replay.html?lang=pl")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert '<html lang="pl">' in answer.text


def test_all_games_are_listed_newest_first(client: httpx.Client) -> None:
    html = client.get("games/").text
    places = [html.index(f'href="../summary/table/{number}"') for number in (3, 2, 1)]
    assert places == sorted(places)
    assert "Not finished" in html


def test_a_long_list_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    evening = Evening(path)
    for seed in range(53):
        evening.play(infinity(), {}, seed=seed, most=1)
    evening.close()
    app = create_app({}, token=TOKEN, archives={"table": Archive(path)})
    with PageServer(app, port=0) as server, httpx.Client(base_url=server.url, timeout=20) as client:
        first = client.get("games/").text
        assert first.count("../summary/table/") == 50
        assert 'href="?table=table&amp;before=4"' in first
        rest = client.get("games/?table=table&before=4").text
        assert [f"summary/table/{n}" in rest for n in (3, 2, 1, 4)] == [True, True, True, False]


def test_a_game_that_was_put_right_after_its_end_shows_how_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    evening = Evening(path)
    record = evening.play(infinity(), {"blue": "Anna", "yellow": "Ben"}, seed=7)
    assert record.game.outcome(record.position) is not None
    evening.close()
    assert Archive(path).rows("table", 9)[0].result.endswith("wins (five ahead)")


def test_a_page_of_a_running_game_is_not_an_old_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    evening = Evening(path)
    archive = Archive(path)
    evening.play(infinity(), {}, ["B1"])
    assert len(archive.story(1).turns) == 1
    evening.play(infinity(), {}, ["B1", "Y1"])
    assert archive.newest() == 2
    assert len(archive.story(2).turns) == 2
    evening.close()
