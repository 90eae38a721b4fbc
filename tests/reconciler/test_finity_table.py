"""Finity at the table: orphans, the first look, quick moves, pieces that fall, with sights made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.events import (
    GameOver,
    IllegalSeen,
    MovePlayed,
    OrphansFound,
    OrphansReminded,
    OrphansRemoved,
    QuestionAsked,
    Record,
)
from companion.evidence import Sight
from companion.games.registry import game_named
from companion.referee import Referee
from companion.table import Table
from tests.reconciler.sights import COVERED, place, words
from vision.reading import Reading, Status

SETUP: dict[str, Any] = {"players": 2, "pattern": "bwbwbbww"}
CHAIN: dict[str, Any] = {
    "to_move": "B",
    "bridges": ["b N>NE M", "w NE>E M", "b E>SE M"],
    "rings": {"NE": {"S": "A"}, "E": {"S": "A"}, "SE": {"S": "A"}},
}
CUT = "reverse NE>E M"
ORPHANS = (("A", "SE", "S"), ("A", "E", "S"))


class Watched:
    """A table whose camera sees what a test lays on it."""

    def __init__(
        self,
        position: Mapping[str, Any] | None = None,
        setup: Mapping[str, Any] = SETUP,
        options: Mapping[str, Any] | None = None,
        blind: tuple[str, ...] = (),
    ) -> None:
        self.blind = blind
        self.game: Any = game_named("finity", options or {}, setup)
        self.table = Table(self.game, game_id="a game")
        self.records = self.table.start(0.0)
        if position is not None:
            self.records += self.table.command("new_game", {"position": dict(position)}, 0.0)
        self.now_s = 0.0
        self.sight: dict[str, str] = {
            str(p): str(label) for p, label in self.game.sight(self.table.referee.record.position).items()
        }

    def see(
        self,
        seconds: float,
        covered: Sequence[str] = (),
        misread: Mapping[str, str] | None = None,
        *,
        beside: bool = False,
        every_s: float = 0.2,
    ) -> list[Record]:
        """Look at the board for a while; `beside`: with a hand in the picture that covers no place."""
        told: list[Record] = []
        for _ in range(round(seconds / every_s)):
            self.now_s = round(self.now_s + every_s, 3)
            places = {n: place(label, (label, ".", *"ABC")) for n, label in {**self.sight, **(misread or {})}.items()}
            places |= dict.fromkeys((*covered, *self.blind), COVERED)
            status = Status.OCCLUDED if covered else Status.OK
            foreign = bool(covered) or beside
            reading = Reading(status, places, foreign=foreign, confidence=0.99, blind=self.blind)
            told += self.table.take(Sight(self.now_s, "camera", reading))
        self.records += told
        return told

    def hand(self) -> list[Record]:
        return self.see(0.6, covered=("C>N M", "C>S M"))

    def lay(self, changes: Mapping[str, str], seconds: float = 2.0) -> list[Record]:
        """A hand changes some places, and the camera looks at the board for a while."""
        told = self.hand()
        self.sight.update(changes)
        return told + self.see(seconds)


def reasons(told: Sequence[Record]) -> list[str]:
    return [record.event.reason for record in told if isinstance(record.event, IllegalSeen)]


def cut(seconds: float = 2.0) -> Watched:
    """B has reversed the bridge on which two of A's rings hang, and they still lie there."""
    watched = Watched(CHAIN)
    assert words(watched.see(2.0)) == []
    watched.lay({"NE>E M": "w E"}, seconds)
    return watched


def test_orphans_are_named_with_their_move_and_told_when_they_are_off() -> None:
    watched = cut()
    events = [record.event for record in watched.records]
    found = next(event for event in events if isinstance(event, OrphansFound))
    move = next(event for event in events if isinstance(event, MovePlayed))
    assert (move.move, found.orphans) == (CUT, ORPHANS)
    assert watched.table.state_json()["orphans"] == [list(orphan) for orphan in ORPHANS]
    assert words(watched.lay({"E.S": "."})) == []
    assert watched.table.state_json()["orphans"] == [["A", "SE", "S"]]
    told = watched.lay({"SE.S": "."})
    assert [record.event for record in told if isinstance(record.event, OrphansRemoved)] == [OrphansRemoved(ORPHANS)]
    assert watched.table.state_json()["orphans"] == []


def test_orphans_that_are_gone_already_are_named_before_they_are_told_to_be_off() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    told = words(watched.lay({"NE>E M": "w E", "E.S": ".", "SE.S": "."}))
    assert told == [CUT, "orphans", "orphans_removed"]


def test_a_reminder_comes_after_a_while_of_open_view_and_the_next_later() -> None:
    watched = cut()
    assert words(watched.see(8.0)) == []
    told = watched.see(6.0)
    assert [record.event for record in told] == [OrphansReminded(ORPHANS)]
    assert words(watched.see(20.0)) == []
    assert words(watched.see(8.0)) == ["orphans_reminder"]


def test_the_next_move_is_recorded_while_orphans_lie_and_that_is_said() -> None:
    watched = cut()
    told = watched.lay({"NE>SE M": "b NE"})
    assert words(told) == ["add b NE>SE M", "illegal"]
    assert reasons(told) == ["ring_not_removed"]
    told = watched.lay({"E.S": ".", "SE.S": "."})
    assert words(told) == ["orphans_removed", "illegal_cleared"]


def test_another_ring_taken_off_instead_is_said_with_both() -> None:
    watched = cut()
    told = watched.lay({"NE.S": "."}, 4.0)
    assert reasons(told) == ["wrong_ring_removed"]
    event = next(record.event for record in told if isinstance(record.event, IllegalSeen))
    assert "small ring on NE" in event.detail
    assert "small ring on E" in event.detail
    assert words(watched.lay({"NE.S": "A", "E.S": ".", "SE.S": "."}))[:1] == ["illegal_cleared"]


def test_orphans_that_a_quick_move_connects_again_stay_and_the_record_holds_it() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    told = watched.lay({"NE>E M": "w E", "NE>E L": "w NE"}, 4.0)
    assert words(told) == [CUT, "add w NE>E L"]
    position = watched.table.referee.record.position
    assert watched.game.sight(position)["E.S"] == "A"
    back = Referee.restore(watched.game, "a game", watched.records)
    assert back.record.position == position


def test_a_ring_taken_off_that_is_no_orphan_takes_patience() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert words(watched.lay({"SE.S": "."}, 4.0)) == []
    assert reasons(watched.see(8.0)) == ["piece_taken"]
    assert words(watched.lay({"SE.S": "A"})) == ["illegal_cleared"]


def test_a_ring_carried_to_another_station_was_moved_whoever_is_to_move() -> None:
    for carried, into in (("SE.S", "W.S"), ("NE.S", "N.S")):
        watched = Watched(CHAIN)
        watched.see(2.0)
        told = watched.lay({carried: ".", into: "A"}, 4.0)
        assert reasons(told) == ["piece_moved"]
        event = next(record.event for record in told if isinstance(record.event, IllegalSeen))
        assert f"from {carried[:-2]} to {into[:-2]}" in event.detail
        assert words(watched.lay({carried: "A", into: "."})) == ["illegal_cleared"]


def test_a_post_that_falls_and_is_put_up_again_is_nothing() -> None:
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert words(watched.lay({"N.P": "."}, 3.0) + watched.lay({"N.P": "A"}, 4.0)) == []


def test_a_bridge_that_is_lifted_for_a_moment_and_reversed_is_one_move() -> None:
    """R09"""
    watched = Watched(CHAIN)
    watched.see(2.0)
    told = watched.lay({"NE>E M": "."}, 0.4) + watched.lay({"NE>E M": "w E"})
    assert words(told) == [CUT, "orphans"]


def test_a_hand_that_stays_without_a_change_is_nothing() -> None:
    """R18"""
    watched = Watched(CHAIN)
    told = watched.see(2.0) + watched.see(4.0, covered=("E.S", "E.M", "NE>E M", "NE>E L")) + watched.see(3.0)
    assert words(told) == []


def test_after_a_full_path_pieces_are_cleared_away_untold() -> None:
    """R01, R16: the path closes by a reversal."""
    position = {
        "to_move": "A",
        "bridges": ["b SE>NE M", "w NE>N M", "b N>NW M", "w NW>SW M", "b SW>S M", "w S>SW L", "b SW>NW L", "w C>NW M"],
        "rings": {"NE": {"S": "A"}, "N": {"S": "A"}, "NW": {"S": "A", "M": "A"}, "SW": {"S": "A", "M": "A"}}
        | {"S": {"S": "A"}},
        "posts": {"A": "SE", "B": "E"},
    }
    watched = Watched(position, {"players": 2, "pattern": "bwbwbwbw"})
    watched.see(2.0)
    slot = next(name for name, label in watched.sight.items() if label == "w C")
    assert words(watched.lay({slot: "w NW"})) == ["reverse C>NW M", "game_over"]
    assert words(watched.lay({"NE.S": ".", "N.S": ".", "S.S": "."}, 15.0)) == []


def test_after_a_win_the_others_play_on_where_the_table_wants_it_so() -> None:
    """`continue_after_win`: A wins, B and C go on, A is passed over, and each who finishes is told a place."""
    position = {
        "to_move": "A",
        "posts": {"A": "NW", "B": "NE", "C": "S"},
        "bridges": ["b NW>N M", "b NE>SE M"],
        "rings": {"N": {"S": "A"}, "SE": {"S": "B"}},
    }
    options = {"pattern_length": 2, "continue_after_win": True}
    watched = Watched(position, {"players": 3, "pattern": "bw"}, options)
    watched.see(2.0)
    assert words(watched.lay({"C>N M": "w N"})) == ["add w N>C M"]
    assert words(watched.lay({"N.M": "A"}, 6.0)) == ["illegal"], "who has won moves no more"
    assert words(watched.lay({"N.M": "."})) == ["illegal_cleared"]
    told = watched.lay({"S>SW M": "b S"}) + watched.lay({"SW>FSW M": "w SW"}) + watched.lay({"C>SE M": "w SE"})
    assert words(told) == ["add b S>SW M", "add w SW>FSW M", "add w SE>C M", "game_over"]
    assert [record.event.by for record in told if isinstance(record.event, MovePlayed)] == ["B", "C", "B"]
    over = next(record.event for record in told if isinstance(record.event, GameOver))
    assert over.outcome["winner"] == "A"
    last = [record.event for record in told if isinstance(record.event, MovePlayed)][-1]
    assert last.facts["places"] == {"B": 2}


# The first look


def questions(told: Sequence[Record]) -> list[QuestionAsked]:
    return [record.event for record in told if isinstance(record.event, QuestionAsked)]


def test_a_board_that_is_not_set_up_is_said_quickly_and_closed_when_it_is() -> None:
    watched = Watched()
    watched.sight |= {"N.P": ".", "NE.S": "A"}
    asked = questions(watched.see(3.0))
    assert len(asked) == 1
    assert "missing: A's post on N" in asked[0].text
    assert "too much: A's small ring on NE" in asked[0].text
    watched.sight |= {"N.P": "A", "NE.S": "."}
    assert words(watched.see(2.0)) == ["question_closed"]


def test_players_seated_the_other_way_round_are_offered_as_that() -> None:
    watched = Watched()
    swapped = {"A": "B", "B": "A", "blocker A": "blocker B", "blocker B": "blocker A"}
    watched.sight = {name: swapped.get(label, label) for name, label in watched.sight.items()}
    (asked,) = questions(watched.see(3.0))
    assert asked.choices == ("posts A=S B=N", "none")
    assert asked.choice_words[0] == "A starts on S and B starts on N"
    told = watched.table.command("answer", {"question": asked.question, "choice": asked.choices[0]}, watched.now_s)
    assert words(told)[-1] == "game_started"
    assert words(watched.see(3.0)) == []
    assert watched.game.position_json(watched.table.referee.record.position)["posts"] == {"A": "S", "B": "N"}


def test_a_ring_read_as_another_players_for_a_look_accuses_nobody() -> None:
    """R14"""
    watched = Watched(CHAIN)
    watched.see(2.0)
    assert words(watched.see(0.4, misread={"SE.S": "B"}) + watched.see(3.0)) == []
