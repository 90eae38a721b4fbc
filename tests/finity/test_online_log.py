"""Online logs: recorded games written as such logs are read back move by move, and odd lines are told."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.errors import InputError
from companion.games.game import Played
from companion.notation.online_game import online_game
from companion.notation.online_log import Action, EndTold, NotUnderstood, OrphansTold, read_log
from tests.finity.online_writer import log_of
from tests.finity.play import plies, random_game
from tests.shared_material import shared

NAMES = {"A": "Anna Maria", "B": "Bert: the 2nd", "C": "Cé", "D": "d"}


def recorded() -> list[dict[str, Any]]:
    text = shared("games", "finity_games.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def written(record: dict[str, Any]) -> tuple[str, dict[str, str]]:
    names = {player: NAMES[player] for player in record["posts"]}
    return log_of(record["moves"], names, record["outcome"]), names


def check_given(record: dict[str, Any]) -> bool:
    """Read a recorded game from its log with its pattern; returns whether a blocker was moved in it."""
    text, names = written(record)
    found = online_game(text, record["pattern"])
    moves = [each["move"] for each in record["moves"]]
    assert (found.names, found.fitting, found.inferred) == (names, (record["pattern"],), False)
    assert found.game.setup["posts"] == record["posts"]
    assert found.not_understood == ()
    moved = any(move.startswith("blocker") for move in moves)
    if found.ways == 1 or not moved:
        assert without_sources(found.moves) == without_sources(moves)
    assert len(found.moves) == len(moves)
    position = found.game.start()
    for move in found.moves:
        played = found.game.play(position, move)
        assert isinstance(played, Played)
        position = played.after
    outcome = found.outcome
    assert found.game.outcome(position) == outcome
    if "winner" in record["outcome"]:
        assert outcome is not None
        assert outcome.winner == record["outcome"]["winner"]
    return moved


def without_sources(moves: Any) -> list[str]:
    """The moves as far as a log tells them: where a blocker came from it does not, and slots have two names."""
    return [move.split(" ")[0] if move.startswith(("blocker", "unblock")) else move for move in moves]


def test_recorded_games_are_read_with_their_patterns() -> None:
    moved = [check_given(record) for record in recorded()]
    assert 10 < sum(moved) < len(moved)


def check_inferred(record: dict[str, Any]) -> int:
    text, _ = written(record)
    found = online_game(text)
    assert found.inferred
    assert record["pattern"] in found.fitting or len(found.fitting[0]) != len(record["pattern"])
    assert found.game.setup["pattern"] == found.fitting[0]
    return len(found.fitting)


def test_patterns_are_inferred() -> None:
    assert min(check_inferred(record) for record in recorded()[8::24]) == 1


@pytest.mark.long
def test_all_patterns_are_inferred() -> None:
    for record in recorded():
        check_inferred(record)


def test_random_games_of_all_player_counts_are_read() -> None:
    """Teleports, which the log writes like any other move of a post, and games of three and four."""
    for seed in range(12):
        rng = random.Random(seed)
        players = 2 + seed % 3
        game = random_game(rng, players, pattern_length=8, turn_order=list(ORDER[players]))
        turns = list(plies(game, rng, most=90))
        moves = []
        for _, played in turns:
            lost: Any = played.facts["orphans"]
            counts = {player: sum(owner == player for owner, _, _ in lost) for player in game.players}
            orphans = {player: count for player, count in counts.items() if count}
            moves.append({"by": str(played.by), "move": played.move, "orphans": orphans})
        outcome = game.outcome(turns[-1][1].after)
        end: dict[str, Any] = {}
        if outcome is not None:
            end = {"winner": outcome.winner} if outcome.winner else {"draw": outcome.draw}
        names = {str(player): NAMES[player] for player in game.players}
        found = online_game(log_of(moves, names, end), str(game.setup["pattern"]))
        assert without_sources(found.moves) == without_sources(each["move"] for each in moves)


ORDER = {2: ("N", "S"), 3: ("S", "NW", "NE"), 4: ("NW", "SW", "NE", "SE")}

START = """Move 1 :
Anna: Added a White Bridge at Station [-1,1] => [0,1] Position:Right
10:01:07 PM
Bert B: Added a White Bridge at Station [1,-1] => [0,-1] Position:Middle
"""


def test_lines_are_read_one_by_one() -> None:
    entries = read_log(
        START + "\n  Anna:   Added a Small Ring at Station [ 0 , 1 ]  \n"
        "Bert B has to remove 1 orphaned ring\nNo rings placed or orphaned. 7 moves until a forced draw\n"
        "2020-02-25 23:39\nhello: there\nFORCED DRAW. Ten rounds.\nThe end of the game: Anna wins!\n"
        "Bert B concedes the game.\n"
    )
    assert entries == [
        Action(2, "Anna", "Added", "Bridge", "White", (-1, 1), (0, 1), "R"),
        Action(4, "Bert B", "Added", "Bridge", "White", (1, -1), (0, -1), "M"),
        Action(6, "Anna", "Added", "Ring", "Small", (0, 1)),
        OrphansTold(7, "Bert B", 1),
        NotUnderstood(10, "hello: there"),
        EndTold(11, "draw"),
        EndTold(12, "won", "Anna"),
        EndTold(13, "conceded", "Bert B"),
    ]


def test_a_log_that_stops_and_one_that_was_conceded() -> None:
    stopped = online_game(START, "bwbbwbww")
    assert (stopped.outcome, stopped.conceded, len(stopped.moves)) == (None, None, 2)
    given_up = online_game(START + "Anna concedes the game.\nThe end of the game: Bert B wins!\n", "bwbbwbww")
    assert (given_up.outcome, given_up.conceded) == (None, "Anna")
    assert len(online_game(START).fitting) == 256


def test_windows_line_ends_and_a_byte_order_mark() -> None:
    assert online_game("\ufeff" + START.replace("\n", "\r\n"), "bwbbwbww").moves == online_game(START, "bwbbwbww").moves


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("Anna: Added a Green Bridge at Station [0,1]", "line 5: 'Anna: Added a Green Bridge"),
        ("Anna: Added a Small Bridge at Station [0,1] => [1,1] Position:Left", "is no action of Finity"),
        ("Anna: Added a White Ring at Station [0,1]", "is no action of Finity"),
        ("Anna: Reversed a Small Ring at Station [0,1]", "is no action of Finity"),
        ("Anna: Added a Small Ring at Station [0,1] => [1,1] Position:Left", "is no action of Finity"),
        ("Anna: Moved a Blocker at Station [0,1]", "is no action of Finity"),
        ("Anna: Added a White Bridge at Station [0,1] => [1,1]", "cannot be read to its end"),
        ("Anna: Added a Small Ring at Station [7,7]", "line 5: there is no station at [7,7]"),
        ("Bert B: Added a Small Ring at Station [0,1]", "line 5: it is Anna's turn, not Bert B's"),
        ("Anna: Added a Large Ring at Station [1,1]", "line 5: ring E L: No walk from A's post reaches E"),
        ("Anna: Moved a Blocker at Station [0,1] => [-1,1] Position:Left", "is taken by the white bridge"),
        ("Anna: Removed a White Bridge at Station [1,-1] => [0,-1] Position:Middle", "top marker"),
        (
            "Bert B has to remove 2 orphaned rings",
            "line 4: add w S>SW M: 0 rings would be orphaned, and the log tells of 2",
        ),
        ("The end of the game: Anna wins!", "the log tells of an end, but the game would not be over"),
        ("FORCED DRAW. Ten rounds.", "the log tells of an end"),
    ],
)
def test_what_cannot_have_happened_is_told_with_its_line(more: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        online_game(f"{START}{more}\n", "wbwbwbwb" if "Large" not in more else "wbbbbbbb")
    assert said in str(caught.value)


def test_all_lines_that_cannot_be_read_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        read_log("A: Added a Small Hat\nfine\nA: Moved a Base Post somewhere\n")
    assert "line 1" in str(caught.value)
    assert "line 3" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no action in the log"),
        ("Anna has to remove 1 orphaned ring", "line 1: orphaned rings are told before any action"),
        ("".join(f"P{n}: Added a Small Ring at Station [0,1]\n" for n in range(5)), "5 players act in the log"),
    ],
)
def test_what_is_no_game_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        online_game(text, "bwbbwbww")
    assert said in str(caught.value)


def test_where_no_pattern_fits_it_is_told_how_far_one_came() -> None:
    with pytest.raises(InputError, match=r"none of 320 patterns fits: line 5: "):
        online_game(START + "Anna: Added a Small Ring at Station [1,1]\n")


def test_one_who_never_acts_can_be_counted_in() -> None:
    text = "Anna: Added a White Bridge at Station [1,-1] => [0,-1] Position:Middle\n"
    found = online_game(text, "bwbbwbww", players=3)
    assert found.names == {"A": "Anna", "B": "player 2", "C": "player 3"}
    assert found.moves == ("add w S>SW M",)
