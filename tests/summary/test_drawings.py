"""Boards, charts and pictures of games, looked into."""

from __future__ import annotations

import io
import re
import time
import xml.etree.ElementTree as ET

import pytest
from PIL import Image

from companion.page.layout import LAYOUTS
from companion.summary.board_drawing import board_drawing
from companion.summary.board_svg import board_svg, ranges
from companion.summary.chart import chart
from companion.summary.marks import Disc, Words, placed
from companion.summary.picture import FINE, _cut, _fitted, _font, png_of
from companion.summary.sheet import sheet
from companion.summary.story import Story
from companion.summary.svg import svg_of


@pytest.fixture(params=["finity_story", "hostile_story", "left_story"])
def told(request: pytest.FixtureRequest) -> Story:
    story: Story = request.getfixturevalue(request.param)
    return story


def test_every_shape_of_the_pages_drawing_is_drawn(told: Story) -> None:
    kinds = {shape["kind"] for shape in told.layout["shapes"]}
    drawn = {layer.place for layer in board_drawing(told.layout).layers}
    named = {shape["place"] for shape in told.layout["shapes"] if shape.get("place") and shape["kind"] != "well"}
    assert kinds
    assert named <= drawn
    assert told.game.name in LAYOUTS


def test_the_svg_shows_each_frame_as_it_is_drawn_alone(told: Story) -> None:
    """The groups that a turn shows are the marks of that turn's own drawing, without the rings round what is new."""
    drawing = board_drawing(told.layout)
    root = ET.fromstring(board_svg(drawing, told.frames, label="x"))
    for turn in (len(told.frames) // 2, len(told.frames) - 1):
        shown = [ET.tostring(each) for each in root if "data-at" not in each.attrib]
        shown += [ET.tostring(each) for group in root if _shows(group.get("data-at"), turn) for each in group]
        alone = ET.fromstring(f"<svg>{svg_of(drawing.marks(told.frames[turn]))}</svg>")
        assert {ET.tostring(each) for each in alone} <= set(shown)
        extra = [each for each in shown if each not in {ET.tostring(one) for one in alone}]
        assert all(b'stroke="#ffffff"' in each for each in extra)


def _shows(told: str | None, turn: int) -> bool:
    spans = [[int(n) for n in span.split("-")] for span in (told or "").split()]
    return any(span[0] <= turn <= span[-1] for span in spans)


def test_the_last_position_is_shown_before_any_script_runs(told: Story) -> None:
    svg = board_svg(board_drawing(told.layout), told.frames, label="x")
    last = len(told.frames) - 1
    for at, hidden in re.findall(r'<g data-at="([^"]+)"( visibility="hidden")?>', svg):
        assert (hidden == "") == _shows(at, last)


def test_ranges_are_short() -> None:
    assert ranges([0, 1, 2, 3, 7, 9, 10]) == "0-3 7 9-10"


def test_a_name_in_a_drawing_stays_a_name() -> None:
    assert svg_of([Words(0, 0, "<b>&", 5, "#000000")]).endswith(">&lt;b&gt;&amp;</text>")


def test_marks_are_placed() -> None:
    assert placed([Disc(1, 2, 3)], 10, 20, 2) == (Disc(12, 24, 6),)


def test_a_chart_says_who_is_who_without_colour(finity_story: Story, hostile_story: Story) -> None:
    for story, letters in ((finity_story, {"A", "B", "C"}), (hostile_story, {"B", "Y"})):
        assert story.course is not None
        marks = chart(story.course, story.layout, 400, 150)
        assert letters <= {mark.text for mark in marks if isinstance(mark, Words)}
        assert all(0 <= mark.x <= 400 and 0 <= mark.y <= 150 for mark in marks if isinstance(mark, Words | Disc))


def test_the_picture_is_a_png_with_the_board_on_it(told: Story) -> None:
    began_s = time.process_time()
    png = png_of(sheet(told, "pl"))
    took_s = time.process_time() - began_s
    image = Image.open(io.BytesIO(png))
    assert (image.format, image.width) == ("PNG", 1080)
    assert len(png) < 300_000
    assert took_s < 5  # 0.4 s here; a Raspberry Pi takes some times as long
    colours = {colour for _, colour in image.getcolors(1 << 24) or []}
    look = next(look for look in told.layout["labels"].values() if look["shape"] in ("ring", "ball"))
    wanted = tuple(int(look["fill"][n : n + 2], 16) for n in (1, 3, 5))
    assert wanted in colours


def test_polish_letters_are_in_our_own_font() -> None:
    empty = bytes(_font(False, 40).getmask("\U000f0000"))
    for letter in "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ★∞→":
        assert bytes(_font(False, 40).getmask(letter)) not in (empty, b""), letter
        assert bytes(_font(True, 40).getmask(letter)) not in (empty, b""), letter


def test_a_long_name_is_cut_to_its_place() -> None:
    font = _font(True, 40)
    cut = _cut("Bardzo długie imię " * 9, font, 500)
    assert cut.endswith("…")
    assert font.getlength(cut) <= 500


def test_two_long_names_and_a_long_result_stand_whole_in_smaller_letters() -> None:
    wide = 960.0
    for words in (
        "Żółć Świętopełk-Gęśliński kontra Anna Maria Brzęczyszczykiewicz",
        "Gra kończy się remisem (długo nie dołożono ani nie zdjęto żadnego pierścienia)",
    ):
        font, text = _fitted(Words(0, 0, words, 34, "#000000", True, "start", wide))
        assert text == words
        assert font.size < FINE * 34
    font, text = _fitted(Words(0, 0, "W" * 400, 34, "#000000", True, "start", wide))
    assert text.endswith("…")
