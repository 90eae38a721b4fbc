"""Stepping through a game, on the page and in the file that is sent to friends."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.journal.reader import read_journal
from companion.summary.pages import Place, replay_page
from companion.summary.story import Story, story_of
from tests.overlay.conftest import Open
from tests.summary.games import HOSTILE, Evening, infinity


@pytest.fixture
def story(tmp_path: Path) -> Story:
    path = tmp_path / "journal.sqlite"
    evening = Evening(path)
    evening.play(infinity(), HOSTILE, seed=7, amiss=True)
    evening.close()
    reader = read_journal(path)
    found = story_of(1, reader.entries(1))
    reader.close()
    return found


@pytest.fixture
def file(tmp_path: Path, story: Story) -> str:
    path = tmp_path / "game with Polish ł.html"
    path.write_text(replay_page(story, "en", Place(None)), encoding="utf-8")
    return path.as_uri()


def shown_letters(page: Page) -> list[str]:
    """The letters of all marbles that can be seen."""
    script = """() => [...document.querySelectorAll('svg.board text')]
        .filter((text) => getComputedStyle(text).visibility === 'visible' && 'BKYW'.includes(text.textContent))
        .map((text) => text.textContent).sort()"""
    letters: list[str] = page.evaluate(script)
    return letters


def letters_of(story: Story, turn: int) -> list[str]:
    return sorted(label for place, label in story.frames[turn].items() if label in ("B", "K", "Y", "W"))


def test_the_file_shows_every_position_by_keyboard_alone(file: str, story: Story, open_page: Open) -> None:
    page = open_page(file)
    last = len(story.turns)
    expect(page.locator(".controls")).to_be_visible()
    assert shown_letters(page) == letters_of(story, last)
    page.keyboard.press("Home")
    expect(page.locator("#now")).to_have_text("The start")
    assert shown_letters(page) == letters_of(story, 0)
    for turn in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#now")).to_have_text(f"{turn}. {story.turns[turn - 1].words}")
        assert shown_letters(page) == letters_of(story, turn), turn
    page.keyboard.press("ArrowRight")
    expect(page.locator("[aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert shown_letters(page) == letters_of(story, last - 1)


def test_moves_buttons_and_slider_lead_to_a_turn(file: str, story: Story, open_page: Open) -> None:
    page = open_page(file)
    page.locator("button[data-turn='3']").click()
    expect(page.locator("#now")).to_have_text(f"3. {story.turns[2].words}")
    page.get_by_role("button", name="One turn back").click()
    expect(page.locator("#now")).to_have_text(f"2. {story.turns[1].words}")
    page.get_by_role("slider").fill("4")
    assert shown_letters(page) == letters_of(story, 4)
    page.get_by_role("slider").press("ArrowRight")
    assert shown_letters(page) == letters_of(story, 5)


def test_without_scripts_the_end_of_the_game_is_shown(file: str, story: Story, open_page: Open) -> None:
    page = open_page(file, java=False)
    expect(page.locator(".controls")).to_be_hidden()
    expect(page.locator("h1")).to_contain_text(HOSTILE["blue"])
    expect(page.locator("svg.board")).to_be_visible()
