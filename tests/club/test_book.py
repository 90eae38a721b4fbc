"""The games of a table, from events that come twice, late, or never, and states that come before or after them."""

from __future__ import annotations

from contextlib import closing
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from companion.club.book import OWED_S, Book, believed, time_of
from companion.club.games import Change, Game, Place, Voided
from companion.club.store import Store, open_store
from tests.club.conftest import NIGHT

PLACE = Place("node", "table")
NOW = "2030-01-02T18:00:00.000+00:00"
NAMES = {"blue": "Ada", "yellow": "Ben"}
STARTED: dict[str, Any] = {"event": "game_started", "game": "infinity", "players": ["blue", "yellow"], "names": NAMES}


def line(seq: int, **told: Any) -> dict[str, Any]:
    return {"seq": seq, "id": f"id-{seq}", "at": f"2030-01-02T17:00:{seq:02d}.000+00:00", "table": "Kitchen", **told}


def over(seq: int, winner: str | None = "blue") -> dict[str, Any]:
    return line(seq, event="game_over", outcome={"winner": winner} if winner else {"draw": "agreed"}, words="over")


def state(seq: int, winner: str | None = None, **told: Any) -> dict[str, Any]:
    outcome = {"winner": winner, "by": "score"} if winner else None
    moves = [{"move": "B1"}, {"move": "Y2"}]
    return {**STARTED, "seq": seq, "table": "Kitchen", "score": 5, "outcome": outcome, "moves": moves, **told}


def told(book: Book, *lines: dict[str, Any], now_s: float = 0.0) -> list[Change]:
    return [change for each in lines for change in book.event(each, now_s, NOW)]


def whole_game(book: Book) -> list[Change]:
    return told(book, line(1, **STARTED), line(2, event="move", score=5), over(3))


def result(changes: list[Change]) -> Game:
    found = [change for change in changes if isinstance(change, Game) and change.over]
    assert len({game.key for game in found}) == 1
    return found[-1]


def test_a_game_has_names_points_winner_and_times() -> None:
    game = result(whole_game(Book(PLACE)))
    assert (game.key, game.table, game.winner, game.words) == ("id-1", "Kitchen", "blue", "over")
    assert [(side.name, side.points) for side in game.sides] == [("Ada", 5), ("Ben", -5)]
    assert (game.began[17:19], game.ended[17:19]) == ("01", "03")


def test_events_that_come_twice_count_once() -> None:
    book = Book(PLACE)
    whole_game(book)
    assert whole_game(book) == []
    assert book.missed == 0


def test_the_next_game_is_another() -> None:
    book = Book(PLACE)
    first = result(whole_game(book))
    second = result(told(book, line(4, **STARTED), over(5, None)))
    assert second.key != first.key
    assert second.winner is None


def test_a_game_that_is_taken_up_again_has_one_result(store: Store) -> None:
    book = Book(PLACE)
    store.keep(whole_game(book))
    store.keep(told(book, line(4, **STARTED), line(5, **{**STARTED, "takes_up": "id-1"}), line(6, event="correction")))
    assert store.results() == [], "its end may be taken back now"
    store.keep(told(book, over(7, "yellow")))
    assert [(game.key, game.winner) for game in store.results()] == [("id-1", "yellow")]


def test_numbers_that_go_back_with_newer_times_are_news() -> None:
    book = Book(PLACE)
    whole_game(book)
    later = {"at": "2030-01-02T17:30:00.000+00:00"}
    assert result(told(book, {**line(1, **STARTED), "id": "new", **later}, {**over(2), **later})).key == "new"


def test_a_game_after_missed_events_is_not_taken_for_the_one_before() -> None:
    book = Book(PLACE)
    told(book, line(1, **STARTED), line(2, event="move", score=1))
    game = result(told(book, line(9, event="move", score=2), over(10)))
    assert game.key != "id-1"
    assert book.missed == 6
    assert game.sides == ()  # who played is not known


def test_names_of_a_game_joined_in_the_middle_come_from_the_state() -> None:
    book = Book(PLACE)
    told(book, line(7, event="move", score=1))
    book.state(state(7), 0.0)
    assert [side.name for side in result(told(book, over(8))).sides] == ["Ada", "Ben"]


def test_a_correction_takes_a_result_back_when_the_state_says_so() -> None:
    book = Book(PLACE)
    whole_game(book)
    assert told(book, line(4, event="correction", score=4)) != [Voided("id-1")]
    changes = book.state(state(4), 0.0)
    assert Voided("id-1") in changes
    assert result(told(book, line(5, event="move", score=5), over(6, "yellow"))).winner == "yellow"


def test_a_correction_that_leaves_the_end_as_it_was_keeps_the_result() -> None:
    book = Book(PLACE)
    whole_game(book)
    changes = told(book, line(4, event="correction", score=6)) + book.state(state(4, "blue", score=6), 0.0)
    assert not any(isinstance(change, Voided) for change in changes)
    assert result(changes).sides[0].points == 6


def test_a_move_after_the_end_takes_the_result_back() -> None:
    book = Book(PLACE)
    whole_game(book)
    assert Voided("id-1") in told(book, line(4, event="move", score=4))


def test_the_state_of_a_later_moment_says_nothing_of_this_game() -> None:
    book = Book(PLACE)
    whole_game(book)
    assert book.state(state(9, names={"blue": "Other"}), 0.0) == []


def test_an_end_whose_event_never_comes_is_taken_from_the_state_once() -> None:
    book = Book(PLACE)
    book.state(state(9, "blue"), 0.0)
    assert book.settle(OWED_S - 0.1, NOW) == []
    game = result(book.settle(OWED_S, NOW))
    assert game.by_state
    assert [side.name for side in game.sides] == ["Ada", "Ben"]
    book.state(state(11, "blue"), 20.0)  # a device reported since
    assert book.settle(100.0, NOW) == []


def test_an_end_whose_event_comes_soon_is_taken_from_the_event() -> None:
    book = Book(PLACE)
    book.state(state(3, "blue"), 0.0)
    assert not result(whole_game(book)).by_state
    assert book.settle(100.0, NOW) == []


def test_nothing_is_taken_from_a_state_while_events_are_on_their_way() -> None:
    book = Book(PLACE)
    book.state(state(60, "blue"), 0.0)
    for seq in range(1, 50):
        told(book, line(seq, event="clear"), now_s=seq)
        assert book.settle(seq + 1.0, NOW) == []


def test_events_that_are_none_change_nothing() -> None:
    book = Book(PLACE)
    nonsense: list[dict[str, Any]] = [
        {},
        {"seq": True, "event": "move"},
        {"seq": 2**80, "event": "move"},
        {"seq": 1, "event": 5},
    ]
    for each in nonsense:
        assert book.event(each, 0.0, NOW) == []
    assert book.state({"seq": "1"}, 0.0) == []


def test_a_clock_that_cannot_be_right_is_not_believed() -> None:
    assert believed(time_of({"at": "1970-01-01T00:00:01+00:00"}), NOW) == NOW
    assert believed(time_of({"at": "2031-01-01T00:00:01+00:00"}), NOW) == NOW
    assert believed(time_of({"at": "2030-01-02T19:00:00+02:00"}), NOW) == "2030-01-02T17:00:00.000+00:00"
    assert time_of({"at": "yesterday"}) == time_of({}) == ""


def test_a_program_that_starts_again_goes_on_with_the_game(store: Store) -> None:
    book = Book(PLACE)
    store.keep(told(book, line(1, **STARTED), line(2, event="move", score=3)))
    (known,) = store.newest()
    game = result(told(Book(PLACE, known), line(3, event="move", score=5), over(4)))
    assert (game.key, game.sides[0].name, game.sides[0].points) == ("id-1", "Ada", 5)


def test_a_program_killed_at_any_moment_has_the_results_that_it_would_have_had(tmp_path: Path) -> None:
    """Events before `acknowledged` do not come again; what followed from those before `committed` is on the disk."""
    move, end = line(4, event="move", score=-2), over(5, "yellow")
    events = [line(1, **STARTED), over(2), line(3, **STARTED), move, end, line(6, event="move", score=3), over(7)]
    one, early, both = {"id-1": "blue"}, {"id-1": "blue", "id-3": "yellow"}, {"id-1": "blue", "id-3": "blue"}
    truth = [{}, {}, one, one, one, early, one, both]
    for n, (acknowledged, committed) in enumerate(combinations_with_replacement(range(len(events) + 1), 2)):
        with closing(open_store(tmp_path / f"{n}.sqlite", NIGHT).store) as store:
            store.keep(told(Book(PLACE), *events[:committed]))
            book = Book(PLACE, *store.newest())
            for heard in range(acknowledged, len(events)):
                store.keep(told(book, events[heard]))
                found = {game.key: game.winner for game in store.results()}
                true = truth[heard + 1 : heard + 2] if heard >= committed else truth[acknowledged : committed + 1]
                assert found in true, (acknowledged, committed, heard)
            assert book.missed == 0


def test_after_a_lost_session_the_game_may_be_another(store: Store) -> None:
    store.keep(told(Book(PLACE), line(1, **STARTED)))
    (known,) = store.newest()
    book = Book(PLACE, known)
    book.gap()
    assert result(told(book, over(4))).key != "id-1"


def test_a_game_that_is_taken_up_again_is_the_same_game(store: Store) -> None:
    book = Book(PLACE)
    store.keep(told(book, line(1, **STARTED), line(2, **STARTED), over(3)))
    store.keep(told(book, line(4, **STARTED, takes_up="id-1"), line(5, event="move", score=2), over(6, "yellow")))
    assert {(game.key, game.winner) for game in store.results()} == {("id-1", "yellow"), ("id-2", "blue")}
