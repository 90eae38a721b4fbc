"""A game's story says what the record says, and what happened beside it."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from companion.errors import InputError
from companion.games.game import Json
from companion.journal.opening import open_journal
from companion.journal.reader import Entry, read_journal
from companion.record import score_of
from companion.summary import sentences
from companion.summary.story import Story, story_of
from companion.table import Table
from companion.texts import in_language
from tests.summary.games import HOSTILE, infinity


def test_turns_are_those_that_stood_in_the_end(hostile_story: Story) -> None:
    assert [turn.move for turn in hostile_story.turns] == [ply.move for ply in hostile_story.record.plies]
    assert [turn.ply for turn in hostile_story.turns] == list(range(1, len(hostile_story.turns) + 1))
    [correction] = hostile_story.amended
    assert hostile_story.turns[correction.ply - 1].move == correction.new[0] != correction.old[0]


def test_breach_and_correction_are_told_with_who_and_why(hostile_story: Story) -> None:
    [breach] = hostile_story.breaches
    assert breach.after == 4
    assert breach.detail
    assert sentences.who_and_why(hostile_story.amended[0]) == "Ola <i>: wrong & channel"


def test_a_game_that_was_taken_up_again_was_not_put_right_by_that(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    journal = open_journal(path, outbox=False).journal
    table = Table(infinity())
    journal.append(table.start(0.0), table.state_json())
    commands: list[tuple[str, dict[str, Json]]] = [
        ("play", {"move": "B1"}), ("play", {"move": "Y2"}), ("new_game", {}), ("take_up", {}),
        ("correct", {"ply": 2, "moves": ["Y3"], "why": "a slip"}),
    ]  # fmt: skip
    for name, args in commands:
        journal.append(table.command(name, args, 1.0), table.state_json())
    journal.close()
    with closing(read_journal(path)) as reader:
        story = story_of(3, reader.entries(3))
    assert [turn.move for turn in story.turns] == ["B1", "Y3"]
    assert [(each.old, each.new) for each in story.amended] == [(("Y2",), ("Y3",))]


def test_frames_show_the_position_after_each_turn(hostile_story: Story) -> None:
    assert len(hostile_story.frames) == len(hostile_story.turns) + 1
    game = hostile_story.game
    for frame, ply in zip(hostile_story.frames[1:], hostile_story.record.plies, strict=True):
        position = ply.played.after
        assert {place: frame[place] for place in game.sight(position)} == game.sight(position)
        assert frame["knob"] == str(game.knob_stop(position))
        beside = [label for place, label in frame.items() if place.startswith("well.")]
        assert {label: beside.count(label) for label in beside} == {
            k: v for k, v in (game.well(position) or {}).items() if v
        }


def test_the_course_of_a_score_and_of_paths(hostile_story: Story, finity_story: Story) -> None:
    assert hostile_story.course is not None
    scores = [score_of(ply.played) for ply in hostile_story.record.plies]
    assert list(hostile_story.course.lines[""][1:]) == scores
    assert hostile_story.course.between == ("blue", "yellow")
    assert finity_story.course is not None
    assert set(finity_story.course.lines) == {"A", "B", "C"}
    assert finity_story.course.goal == 8
    lengths = finity_story.game.explain(finity_story.record.position)["partial_paths"]
    assert isinstance(lengths, dict)
    assert {p: line[-1] for p, line in finity_story.course.lines.items()} == {p: lengths[p]["length"] for p in "ABC"}


def test_a_game_that_was_left_has_no_result(left_story: Story) -> None:
    assert (left_story.finished, left_story.winner) == ("", None)
    assert sentences.result(left_story) == "Not finished"
    assert in_language(sentences.against(left_story), "pl") == "Anna kontra Żółty"


def test_a_result_names_the_player(hostile_story: Story) -> None:
    assert hostile_story.winner in HOSTILE
    assert HOSTILE[hostile_story.winner] in hostile_story.finished


@pytest.mark.parametrize(
    ("seconds", "english", "polish"),
    [(20, "less than a minute", "mniej niż minuta"), (60, "1 minute", "1 minuta"), (22 * 60, "22 minutes", "22 minuty"),
     (25 * 60, "25 minutes", "25 minut"), (3780, "1 h 3 min", "1 godz. 3 min")],
)  # fmt: skip
def test_how_long_it_took(seconds: int, english: str, polish: str) -> None:
    words = sentences.how_long(timedelta(seconds=seconds))
    assert words == english
    assert in_language(words, "pl") == polish


def test_a_game_without_its_beginning_cannot_be_told(journal: Path) -> None:
    reader = read_journal(journal)
    entries: list[Entry] = list(reader.entries(3))[1:]
    reader.close()
    with pytest.raises(InputError, match="no beginning"):
        story_of(3, entries)
