"""The pages after a game: its summary, its replay, the list of all games. HTML that is whole without any script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from companion.catalogues import page_texts
from companion.summary import sentences
from companion.summary.board_drawing import board_drawing
from companion.summary.board_svg import board_svg
from companion.summary.chart import chart
from companion.summary.markup import Child, Markup, inside, tag
from companion.summary.story import Breach, Story
from companion.summary.svg import FONT, svg_of
from companion.texts import in_language, languages, text

OWN_NAMES = {"en": "English", "pl": "Polski"}
CHART = (430.0, 150.0)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page stands, so that everything in it can be found from there.

    Attributes:
        root: the way to the site's first page ("../../"); None in a file that stands alone.
        table: the table's name in addresses.
        language: the language that was asked for in the address, which links then ask for, too.
    """

    root: str | None
    table: str = ""
    language: str = ""

    def to(self, address: str) -> str:
        """The way to an address of the site."""
        return f"{self.root or ''}{address}{f'?lang={self.language}' if self.language else ''}"


def summary_page(story: Story, language: str, place: Place) -> str:
    """The summary of a game: result, last position, course, moves in words, breaches, corrections, ways to keep it."""
    own = f"summary/{place.table}/{story.number}"
    say = _speaker(language)
    ways = [
        (place.to(f"replay/{place.table}/{story.number}"), text("Step through the game"), None),
        (place.to(f"{own}/replay.html"), text("File to send: the game to step through"), f"game-{story.number}.html"),
        (place.to(f"{own}/picture.png"), text("Picture of the game"), f"game-{story.number}.png"),
        (place.to(f"{own}/record.txt"), text("Record as text"), f"game-{story.number}.txt"),
        (place.to(f"{own}/record.json"), text("Record as JSON"), f"game-{story.number}.json"),
        (place.to("games/"), text("All games"), None),
    ]
    links = [tag("li", tag("a", say(words), href=href, download=name)) for href, words, name in ways]
    body = inside(
        _head(story, say),
        tag(
            "main",
            tag("section", _board(story, say, one=True), class_="stage", aria_label=say(text("The board at the end"))),
            tag("section", _course(story, say), _facts(story, say), class_="card"),
            tag("section", tag("h2", say(text("Keep and send"))), tag("ul", links, class_="ways"), class_="card"),
            _moves(story, say),
            _breaches(story, say, language),
            _amendments(story, say),
        ),
    )
    return _document(say(sentences.title(story)), language, body, place)


def replay_page(story: Story, language: str, place: Place) -> str:
    """A game to step through; with `place.root` None a file that stands alone and can be sent to friends."""
    say = _speaker(language)
    buttons = [
        tag("button", words, type="button", data_go=go, aria_label=say(label))
        for go, words, label in (
            ("first", "⇤", text("To the start")),
            ("back", "←", text("One turn back")),
            ("next", "→", text("One turn on")),
            ("last", "⇥", text("To the end")),
        )
    ]
    last = len(story.turns)
    slider = tag("input", type="range", min=0, max=last, value=last, aria_label=say(text("Turn")), data_go="turn")
    now = story.turns[-1].words if story.turns else text("The start")
    back = tag("a", say(text("Summary of the game")), href=place.to(f"summary/{place.table}/{story.number}"))
    body = inside(
        _head(story, say),
        tag(
            "main",
            tag(
                "section",
                _board(story, say, one=False),
                tag("p", say(now), id="now", class_="now", aria_live="polite"),
                tag("div", buttons, slider, class_="controls", hidden=True),
                class_="stage",
                aria_label=say(text("The board, turn by turn")),
            ),
            tag("section", _course(story, say), _facts(story, say), class_="card"),
            _moves(story, say, steps=True),
            None if place.root is None else tag("p", back),
        ),
    )
    return _document(say(sentences.title(story)), language, body, place, script="replay.js")


def games_page(rows: Sequence[Row], language: str, place: Place, *, older: str | None = None) -> str:
    """The list of games, newest first; `older` is where it goes on."""
    say = _speaker(language)
    heads = (text("Day"), text("Game"), text("Players"), text("Result"))
    table = tag(
        "table",
        tag("thead", tag("tr", [tag("th", say(head), scope="col") for head in heads])),
        tag("tbody", [_row(row, say, place) for row in rows]),
    )
    body = inside(
        tag(
            "header", tag("h1", say(text("All games"))), tag("p", tag("a", say(text("To the table")), href=place.root))
        ),
        tag(
            "main",
            tag("section", table, class_="card games") if rows else tag("p", say(text("No game was played here yet."))),
            None if older is None else tag("p", tag("a", say(text("Older games")), href=older)),
        ),
    )
    return _document(say(text("All games")), language, body, place)


def said_page(words: str, language: str, place: Place) -> str:
    """A page that only says why there is nothing to show, and leads on."""
    say = _speaker(language)
    back = tag("p", tag("a", say(text("To the table")), href=place.root))
    links = tag("p", tag("a", say(text("All games")), href=place.to("games/")))
    body = inside(tag("header", tag("h1", "Companion")), tag("main", tag("p", say(words)), back, links))
    return _document("Companion", language, body, place)


@dataclass(frozen=True, slots=True)
class Row:
    """A game in the list. `result` is a sentence, empty where the game was left before its end."""

    number: int
    table: str
    game: str
    when: str
    players: str
    result: str


def _row(row: Row, say: Callable[[str], str], place: Place) -> Markup:
    address = place.to(f"summary/{row.table}/{row.number}")
    return tag(
        "tr",
        tag("td", tag("a", say(row.when), href=address)),
        tag("td", say(row.game)),
        tag("td", say(row.players)),
        tag("td", say(row.result or text("Not finished"))),
    )


def _speaker(language: str) -> Callable[[str], str]:
    return lambda words: str(in_language(words, language))


def _head(story: Story, say: Callable[[str], str]) -> Markup:
    when = tag("time", say(sentences.day(story.started)), datetime=story.started.isoformat(timespec="minutes"))
    game = tag("p", say(sentences.game_name(story.game.name)), " · ", when, ", ", sentences.hour(story.started))
    result = tag("p", say(sentences.result(story)), class_="result")
    return tag("header", game, tag("h1", say(sentences.against(story))), result)


def _board(story: Story, say: Callable[[str], str], *, one: bool) -> Child:
    drawing = board_drawing(story.layout)
    frames = story.frames[-1:] if one else story.frames
    words = text("The position after {turns}", turns=sentences.turns(story))
    label = tag("p", say(words), id="board-words", class_="unseen") if one else None
    return label, board_svg(drawing, frames, label="board-words" if one else "now")


def _course(story: Story, say: Callable[[str], str]) -> Child:
    if story.course is None:
        return None
    width, height = CHART
    marks = svg_of(chart(story.course, story.layout, width, height))
    words = text("The score, turn by turn") if story.course.between else text("The longest paths, turn by turn")
    box = f"0 0 {width:g} {height:g}"
    drawn = f'<svg class="chart" viewBox="{box}" role="img" aria-labelledby="course" font-family="{FONT}">{marks}</svg>'
    return tag("h2", say(words), id="course"), Markup(drawn)


def _facts(story: Story, say: Callable[[str], str]) -> Markup:
    told = [sentences.turns(story), sentences.how_long(story.duration), *sentences.counted(story)]
    return tag("ul", [tag("li", say(words)) for words in told], class_="facts")


def _moves(story: Story, say: Callable[[str], str], *, steps: bool = False) -> Markup:
    def line(number: int, words: str, more: str) -> Markup:
        said = tag("button", words, type="button", data_turn=number) if steps else words
        return tag("li", said, tag("span", more, class_="quiet") if more else None, id=f"turn-{number}")

    lines = [line(turn.ply, say(turn.words), say(turn.explanation)) for turn in story.turns]
    start = tag("p", tag("button", say(text("The start")), type="button", data_turn=0)) if steps else None
    listed = tag("ol", lines) if lines else tag("p", say(text("Nobody made a move.")))
    return tag("section", tag("h2", say(text("Moves"))), start, listed, class_="card moves")


def _breaches(story: Story, say: Callable[[str], str], language: str) -> Child:
    if not story.breaches:
        return None

    def line(breach: Breach) -> Markup:
        after = text(
            "After turn {ply}: {what}", ply=breach.after, what=breach.detail or _reason(breach.reason, language)
        )
        return tag("li", say(after))

    heading = tag("h2", say(text("Against the rules")))
    return tag("section", heading, tag("ul", map(line, story.breaches)), class_="card")


def _reason(reason: str, language: str) -> str:
    said = page_texts(language).get(f"reason.{reason}")
    return said if isinstance(said, str) else reason.replace("_", " ")


def _amendments(story: Story, say: Callable[[str], str]) -> Child:
    if not story.amended:
        return None
    lines = [
        tag("li", say(sentences.amended(each)), tag("span", say(sentences.who_and_why(each)), class_="quiet"))
        for each in story.amended
    ]
    return tag("section", tag("h2", say(text("Put right"))), tag("ul", lines), class_="card")


def _document(title: str, language: str, body: Markup, place: Place, script: str | None = None) -> str:
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
    ]
    if place.root is None:
        head += _alone(script)
    else:
        head.append(tag("link", rel="icon", href=f"{place.root}static/icon.svg", type="image/svg+xml"))
        head.append(tag("link", rel="stylesheet", href=f"{place.root}static/summary.css"))
        if script:
            head.append(tag("script", type="module", src=f"{place.root}static/{script}"))
        body = inside(body, _languages(language))
    page = tag("html", tag("head", head), tag("body", body), lang=language)
    return f"<!doctype html>\n{page}\n"


def _languages(language: str) -> Child:
    """Links to the same page in the other languages."""
    others = [name for name in languages() if name != language]
    if not others:
        return None
    links = [tag("a", OWN_NAMES.get(name, name), href=f"?lang={name}", lang=name, hreflang=name) for name in others]
    return tag("footer", links)


def _alone(script: str | None) -> list[Markup]:
    """Style and script within the file, and a policy that lets nothing but just these two do anything."""
    style = _static("summary.css")
    code = _static(script) if script else ""
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(code)}'; base-uri 'none'"
    told = tag("meta", http_equiv="Content-Security-Policy", content=policy)
    return [told, tag("style", Markup(style)), tag("script", Markup(code), type="module")]


def _static(name: str) -> str:
    return files("companion.page").joinpath("static", name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
