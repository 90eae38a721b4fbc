"""Laws that hold in every position and every game, under all house rules."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from companion.games.game import Illegal, Played
from companion.games.infinity import Infinity, Options, Position
from companion.games.infinity.position import Channels
from tests.rules import boards

GAMES = st.lists(st.integers(0, 10_000), max_size=90)
ALL_TEXTS = [*(marble + number for marble in "BKYW" for number in "012345"), "pass", "", "B", "B11", "1B", "b1"]
SUPPLY = {"B": 8, "K": 1, "Y": 8, "W": 1}


def unpushed(after: Channels, move: str, over: str) -> Channels:
    """The channels before a push, from those after it and the marble that went over."""
    index = int(move[1]) - 1
    assert after[index][0] == move[0]
    before = [*after[:index], after[index][1:] + over, *after[index + 1 :]]
    return before[0], before[1], before[2], before[3]


@given(boards.options, GAMES)
def test_marbles_are_conserved_and_channels_have_no_gap(options: Options, choices: list[int]) -> None:
    game = Infinity(options)
    for _, played in boards.turns(game, choices):
        after = played.after
        assert Counter(game.well(after)) + Counter(after.board.replace("|", "").replace(".", "")) == SUPPLY
        assert all("." not in channel.rstrip(".") for channel in after.board.split("|"))
        assert sum(game.well(after).values()) >= 2


@given(boards.options, GAMES)
def test_a_move_inverts(options: Options, choices: list[int]) -> None:
    for before, played in boards.turns(Infinity(options), choices):
        if played.move == "pass":
            assert played.after.channels == before.channels
            continue
        full = before.channels[int(played.move[1]) - 1]
        over = full[3] if len(full) == 4 else ""
        assert unpushed(played.after.channels, played.move, over) == before.channels


@given(boards.options, GAMES)
def test_the_other_player_is_next_or_the_game_is_over(options: Options, choices: list[int]) -> None:
    for before, played in boards.turns(Infinity(options), choices):
        after = played.after
        assert before.to_move in (None, played.by)
        assert after.to_move != played.by
        assert (after.to_move is None) == (after.outcome is not None)
        assert abs(after.score) <= 5
        assert abs(after.score - before.score) <= 4


@given(boards.positions())
def test_the_players_are_never_both_stuck(given_position: tuple[Infinity, Position]) -> None:
    game, position = given_position
    forfeit = game.forced(position)
    if forfeit is not None:
        assert game.legal_moves(position) == ()
        position = forfeit.after
    assert game.forced(position) is None
    assert bool(game.legal_moves(position)) == (game.outcome(position) is None)


@given(boards.positions())
def test_the_legal_moves_are_those_that_play_accepts(given_position: tuple[Infinity, Position]) -> None:
    game, position = given_position
    if game.forced(position) is not None:
        return
    legal = game.legal_moves(position)
    assert len(set(legal)) == len(legal)
    for text in ALL_TEXTS:
        verdict = game.play(position, text)
        assert isinstance(verdict, Played) == (text in legal), (text, verdict)
        if isinstance(verdict, Illegal):
            assert verdict.detail[0] in "'ABTIY"
            assert "\n" not in verdict.detail


@given(boards.options, GAMES)
def test_a_position_survives_its_json(options: Options, choices: list[int]) -> None:
    game = Infinity(options)
    for _, played in boards.turns(game, choices):
        again = game.parse_position(game.position_json(played.after))
        assert again == played.after
        assert hash(again) == hash(played.after)


@given(boards.positions(), st.sampled_from(["B1", "K2", "Y3", "W4"]))
def test_mirrored_sides_mirror_the_turn(given_position: tuple[Infinity, Position], move: str) -> None:
    """Colours exchanged, the same push scores the same for the other side."""
    game, position = given_position
    swap = str.maketrans("BKYW", "YWBK")
    other = {"blue": "yellow", "yellow": "blue"}
    mirrored = game.parse_position(
        {
            "board": position.board.translate(swap),
            "score": -position.score,
            "to_move": other[str(position.to_move)],
        }
    )
    one, two = game.play(position, move), game.play(mirrored, move.translate(swap))
    if isinstance(one, Illegal) or isinstance(two, Illegal):
        assert isinstance(one, Illegal)
        assert isinstance(two, Illegal)
        assert one.reason == two.reason
        return
    assert one.after.score == -two.after.score
    assert one.facts["house_rules"] == two.facts["house_rules"]
    assert (one.after.outcome is None) == (two.after.outcome is None)
