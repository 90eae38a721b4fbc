"""Whole simulated games of both kinds, with breaches, read in Polish: no English is left, also after a restart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.catalogues import page_texts
from companion.events import MovePlayed, Record, record_json
from companion.games.game import Json
from companion.journal.opening import open_journal
from companion.sinks.words import words_of
from companion.texts import in_language
from hw_sim.breaches import BreachKind
from hw_sim.faults import Faults
from hw_sim.finity.breaches import FinityBreachKind
from tests.reconciler.playing import Playing
from tests.reconciler.playing_finity import PlayingFinity
from tests.texts.polish import english_in, polish

FOR_PEOPLE = frozenset({"words", "detail", "text", "choice_words", "explanation", "outcome_words", "why"})
"""What of events and states people read; the rest is for programs."""


class Enough(Exception):  # noqa: N818 - no fault
    """The game has been watched for long enough."""


Told = tuple[tuple[Record, ...], tuple[Mapping[str, Json], ...]]
"""Records, and the states after them."""


@cache
def played(game: str) -> Told:
    """The beginning of a game, with breaches."""
    if game == "infinity":
        return watched(Playing(1, breaches=tuple(BreachKind)[:3]), plies=20)
    return watched(PlayingFinity(3, breaches=tuple(FinityBreachKind)[:2], frame_s=1.0), plies=12)


def watched(playing: Any, plies: int | None = None) -> Told:
    """What is told of a game, up to a number of plies or to its end."""
    states: list[Mapping[str, Json]] = []
    tell = playing._tell

    def told(records: Sequence[Record]) -> None:
        happened = list(records)
        tell(happened)
        if happened:
            states.append(playing.table.state_json())
            if plies is not None and states[-1]["ply"] == plies:
                raise Enough

    playing._tell = told
    with suppress(Enough):
        playing.run()
    return tuple(playing.outcome.records), tuple(states)


def for_people(value: Json, key: str = "") -> Iterator[str]:
    """Every text in a value that people read."""
    if isinstance(value, str):
        if key in FOR_PEOPLE and value:
            yield value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            # "explanation" is a sentence in an event and an analysis in a state, whose keys are not for people.
            yield from for_people(item, name)
    elif isinstance(value, Sequence):
        for item in value:
            yield from for_people(item, key)


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_everything_that_people_read_is_said_in_polish(game: str) -> None:
    all_is_polish(*played(game))


@pytest.mark.long
def test_everything_that_can_go_wrong_is_said_in_polish() -> None:
    faults = replace(Faults.all_on(), misread=0.03)
    all_is_polish(*watched(Playing(1, faults=faults, breaches=tuple(BreachKind))))
    all_is_polish(*watched(PlayingFinity(3, faults=faults, breaches=tuple(FinityBreachKind))))


def all_is_polish(records: Sequence[Record], states: Sequence[Mapping[str, Json]]) -> None:
    said = [word for record in records for word in for_people(record_json(record))]
    said += [word for state in states for word in for_people(state)]
    assert len(said) > 30
    for word in said:
        assert polish(word) != word


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_the_terminal_shows_a_whole_game_in_polish(game: str) -> None:
    for record in played(game)[0]:
        line = words_of(record, "pl")
        assert english_in(line[10:]) == set(), line


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_a_restart_keeps_it(tmp_path: Path, game: str) -> None:
    records, states = played(game)
    journal = open_journal(tmp_path / "journal.sqlite").journal
    journal.append(records, states[-1])
    journal.close()
    again = open_journal(tmp_path / "journal.sqlite").journal
    read = list(again.records())
    again.close()
    for before, after in zip(records, read, strict=True):
        assert words_of(after, "pl")[10:] == words_of(before, "pl")[10:]


@pytest.mark.parametrize("game", ["infinity", "finity"])
def test_players_are_called_by_their_names_in_both_languages(game: str) -> None:
    names = {"blue": "Żaneta", "yellow": "{n} <b>Bo</b>", "A": "Żaneta", "B": "{n} <b>Bo</b>"}
    playing: Any = Playing(2) if game == "infinity" else PlayingFinity(2, frame_s=1.0)
    playing.table.referee.names = {str(player): names[player] for player in playing.table.referee.game.players}
    records, states = watched(playing, plies=8)
    moves = [record.event.words for record in records if isinstance(record.event, MovePlayed)]
    assert moves
    assert all("Żaneta" in words or "{n} <b>Bo</b>" in words for words in moves)
    assert all(
        "Żaneta" in words or "{n} <b>Bo</b>" in words for words in map(str, (in_language(m, "pl") for m in moves))
    )
    told: Any = states[-1]["moves"]
    assert [move["words"] for move in told] == moves


def test_reasons_have_words_in_every_language() -> None:
    reasons = {key for key in page_texts("en") if key.startswith("reason.")}
    assert len(reasons) > 30
    assert all(page_texts("pl")[key] != page_texts("en")[key] for key in reasons)
