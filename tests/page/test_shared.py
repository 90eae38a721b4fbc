"""What viewers share: one encoding of a picture, one saying of a state; files that are compressed and kept."""

from __future__ import annotations

import asyncio
import gzip
import struct
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from companion.page.app import create_app
from companion.page.pictures import NO_PICTURE, PICTURE_S, ROW_S, SHARED_S, PictureFeed
from companion.page.server import PageServer
from companion.page.statics import read_statics, takes_gzip
from companion.page.stream import SNAPSHOT_RECORDS, Telling, newest_records
from companion.page.table import CommandResult
from companion.texts import text
from tests.page.conftest import Serve
from tests.page.fake_table import TOKEN, FakePageTable
from tests.page.finity_table import FakeFinityTable
from tests.page.ruled_table import RuledTable
from tests.page.test_finity import MOVES
from tests.page.test_server import messages, wait_until

HEAD = struct.Struct(">II")


class FilmTable(FakePageTable):
    """Its camera has a new picture each time it is asked; asking twice at once is a fault."""

    def __init__(self) -> None:
        super().__init__()
        self.age_s = 0.0
        self._drawing = threading.Lock()

    def picture(self) -> tuple[bytes, float] | None:
        assert self._drawing.acquire(blocking=False), "two pictures are drawn at once"
        self.shots_taken += 1
        time.sleep(0.005)
        self._drawing.release()
        return b"picture %d" % self.shots_taken, self.age_s


def framed(data: bytes) -> list[tuple[bytes, int]]:
    """The pictures of a row, each with its age in milliseconds."""
    found = []
    while data:
        length, age_ms = HEAD.unpack(data[: HEAD.size])
        found.append((data[HEAD.size : HEAD.size + length], age_ms))
        data = data[HEAD.size + length :]
    return found


def test_twenty_viewers_share_each_picture(serve: Serve) -> None:
    table = FilmTable()
    url = serve(table, 0).url

    def watch(_: int) -> list[tuple[bytes, int]]:
        return framed(httpx.get(f"{url}pictures", timeout=3 * ROW_S).content)

    began_s = time.monotonic()
    with ThreadPoolExecutor(20) as pool:
        rows = list(pool.map(watch, range(20)))
    assert table.shots_taken <= (time.monotonic() - began_s) / SHARED_S + 1
    seen = {picture for row in rows for picture, _ in row}
    assert len(seen) <= table.shots_taken
    for row in rows:
        numbers = [int(picture.split()[1]) for picture, _ in row if picture]
        assert len(numbers) > 1
        assert numbers == sorted(set(numbers))


def test_nothing_is_drawn_while_nobody_looks(serve: Serve) -> None:
    table = FilmTable()
    url = serve(table, 0).url
    with httpx.stream("GET", f"{url}events") as response:
        next(messages(response))
        httpx.get(f"{url}state")
        assert table.shots_taken == 0
        with httpx.stream("GET", f"{url}pictures") as pictures:
            next(pictures.iter_bytes())
        wait_until(lambda: table.shots_taken > 0)

        def rests() -> bool:
            drawn = table.shots_taken
            time.sleep(5 * PICTURE_S)
            return table.shots_taken == drawn

        wait_until(rests)  # the server notices that the viewer has left


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def taken(feed: PictureFeed, clock: Clock, changes: Iterator[object]) -> list[tuple[bytes, int]]:
    """A row whose waits are jumps of the clock; `changes` is drawn on before each look."""

    async def rows() -> list[tuple[bytes, int]]:
        found: list[tuple[bytes, int]] = []
        row: AsyncIterator[bytes] = feed.row(lambda: next(changes, None) is None)
        async for part in row:
            clock.now_s += PICTURE_S
            found += framed(part)
        return found

    with ThreadPoolExecutor(1) as elsewhere:  # a browser's tests leave a loop running in this thread
        return elsewhere.submit(asyncio.run, rows()).result()


def test_an_old_picture_is_said_and_not_sent() -> None:
    table, clock = FakePageTable(), Clock()
    feed = PictureFeed(table, fresh_s=3.0, clock=clock)
    table.shot = b"jpeg", 3.5
    assert taken(feed, clock, iter([1]))[0] == (b"", 3500)
    table.shot = None
    clock.now_s += 1
    assert taken(feed, clock, iter([1]))[0] == (b"", NO_PICTURE)


def test_the_same_picture_is_not_sent_twice_but_grows_old() -> None:
    table, clock = FakePageTable(), Clock()
    table.shot = b"jpeg", 0.0

    def later() -> Iterator[object]:
        yield "first"
        clock.now_s += 1.0
        table.shot = b"jpeg", 1.1
        yield "second"

    first, second = taken(PictureFeed(table, 3.0, clock), clock, later())
    assert first == (b"jpeg", 0)
    assert second[0] == b""
    assert 1000 < second[1] < 1300


def test_a_state_is_said_once_for_all_viewers_of_a_language(serve: Serve) -> None:
    table = FakePageTable()
    telling = Telling(table)
    for _ in range(20):
        telling.state("en")
        telling.state("pl")
    assert telling.made == 2
    table.change(paused=True)
    for _ in range(20):
        telling.state("en")
    assert telling.made == 3
    record = table.records(0)[0]
    for _ in range(20):
        telling.record(record, "en")
    assert telling.made == 4


def test_what_is_said_is_in_the_viewers_language(serve: Serve) -> None:
    table = FakePageTable()
    table.change(outcome_words=text("The score is even."))
    url = serve(table, 0).url
    for language, said in (("en", "The score is even."), ("pl", "Jest remis.")):
        with httpx.stream("GET", f"{url}events?lang={language}") as response:
            assert next(messages(response))["data"]["state"]["outcome_words"] == said


def test_a_long_games_snapshot_has_its_beginning_and_its_end() -> None:
    table = FakePageTable()
    for number in range(300):
        table.tell("device", device="camera", state="ok", detail=str(number))
    records = newest_records(table, 301)
    assert records[0]["event"] == "game_started"
    assert [record["seq"] for record in records[1:]] == list(range(302 - SNAPSHOT_RECORDS, 302))
    table.tell("game_started")
    assert [record["seq"] for record in newest_records(table, 302)] == [302]


def test_all_records_of_the_running_game_can_be_had(serve: Serve) -> None:
    table = FakePageTable()
    for number in range(120):
        table.tell("device", device="camera", state="ok", detail=str(number))
    assert len(httpx.get(f"{serve(table, 0).url}records").json()) == 121


# Positions


@pytest.fixture(scope="module")
def finity() -> Iterator[str]:
    with PageServer(create_app({"table": FakeFinityTable(MOVES)}, token=TOKEN), port=0) as server:
        yield server.url


def test_an_earlier_position_is_as_the_rules_had_it(finity: str) -> None:
    told = httpx.get(f"{finity}position", params={"ply": 3}).json()
    again = RuledTable("finity", MOVES[:3], setup={"players": 2, "pattern": "bwbbwbww"}).state()
    assert told["sight"] == again["sight"]
    assert told["to_move"] == again["to_move"] == "B"
    assert told["explanation"] == again["explanation"]
    assert told["places"] == ["NE.S"]


def test_what_a_move_would_lead_to_is_told(finity: str) -> None:
    told = httpx.get(f"{finity}position", params={"ply": 7, "move": "reverse N>NE M"}).json()
    assert (told["legal"], told["by"], told["to_move"]) == (True, "B", "A")
    assert told["orphans"] == [["A", "NE", "S"], ["A", "E", "M"]]
    assert told["sight"]["NE.S"] == "."
    said = httpx.get(f"{finity}position", params={"ply": 7, "move": "reverse N>NE M", "lang": "pl"}).json()["words"]
    assert said != told["words"]


def test_an_illegal_move_leads_nowhere_and_says_why(finity: str) -> None:
    told = httpx.get(f"{finity}position", params={"ply": 7, "move": "ring C S"}).json()
    assert (told["legal"], told["reason"]) == (False, "centre_station")
    assert told["detail"]


def test_moves_are_listed_with_what_they_cut_off(finity: str) -> None:
    moves = {each["move"]: each for each in httpx.get(f"{finity}moves", params={"ply": 7}).json()["moves"]}
    assert moves["reverse N>NE M"]["orphans"] == [["A", "NE", "S"], ["A", "E", "M"]]
    assert moves["ring W S"]["orphans"] == []
    assert moves["ring W S"]["taps"] == [["W.S"]]


@pytest.mark.parametrize(
    ("params", "status"),
    [({"ply": "8"}, 404), ({"ply": "9" * 15}, 404), ({"ply": "-1"}, 400), ({"ply": "x"}, 400), ({}, 400)],
)
def test_a_position_that_never_was_is_refused(finity: str, params: dict[str, str], status: int) -> None:
    answer = httpx.get(f"{finity}position", params=params)
    assert answer.status_code == status
    assert answer.json()["detail"]


def test_a_table_that_is_busy_says_so() -> None:
    table = FakePageTable()
    release = threading.Event()

    table.answer = lambda name, args: CommandResult(release.wait(10.0))
    app = create_app({"table": table}, token=TOKEN, command_timeout_s=0.05)
    with PageServer(app, port=0) as server:
        answer = httpx.get(f"{server.url}position", params={"ply": 0})
        release.set()
    assert (answer.status_code, answer.json()["reason"]) == (503, "busy")


# Files


def test_files_are_compressed_for_who_takes_it_so(finity: str) -> None:
    plain = httpx.get(f"{finity}static/page.css", headers={"Accept-Encoding": "identity"})
    with httpx.stream("GET", f"{finity}static/page.css", headers={"Accept-Encoding": "gzip"}) as response:
        squeezed = b"".join(response.iter_raw())
    assert gzip.decompress(squeezed) == plain.content == read_statics()["page.css"][0]
    assert 3 * len(squeezed) < len(plain.content)
    assert response.headers["etag"] != plain.headers["etag"]
    assert response.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    again = {"Accept-Encoding": "gzip", "If-None-Match": response.headers["etag"]}
    assert httpx.get(f"{finity}static/page.css", headers=again).status_code == 304


@pytest.mark.parametrize(
    ("accepted", "taken_so"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("GZIP ; q=1", True), ("gzip;q=0", False), ("br", False), ("", False)],
)
def test_who_takes_gzip(accepted: str, taken_so: bool) -> None:
    assert takes_gzip({"accept-encoding": accepted}) is taken_so
