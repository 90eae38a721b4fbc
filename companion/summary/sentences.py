"""The sentences of a summary. All are `Text`, so that they can be said in any language that there is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from companion.summary.story import Amended, Story
from companion.texts import joined, listed, plural, text

GAMES: Final[Mapping[str, str]] = {"infinity": text("Rubik's Infinity"), "finity": text("Finity")}
SIDES: Final[Mapping[str, str]] = {"blue": text("Blue"), "yellow": text("Yellow")}
MONTHS: Final = (
    text("January"), text("February"), text("March"), text("April"), text("May"), text("June"), text("July"),
    text("August"), text("September"), text("October"), text("November"), text("December"),
)  # fmt: skip


def game_name(name: str) -> str:
    return GAMES.get(name, name)


def player_name(player: str, names: Mapping[str, str]) -> str:
    """A player as people call them."""
    return names.get(player) or SIDES.get(player, player)


def against(story: Story) -> str:
    """Who played."""
    players = [player_name(str(player), story.names) for player in story.game.players]
    if len(players) == 2:
        return text("{one} against {other}", one=players[0], other=players[1])
    return listed(players)


def day(when: datetime) -> str:
    """A day as it stands in a letter, in this machine's time zone."""
    local = when.astimezone()
    return text("{day} {month} {year}", day=local.day, month=MONTHS[local.month - 1], year=local.year)


def hour(when: datetime) -> str:
    return when.astimezone().strftime("%H:%M")


def how_long(duration: timedelta) -> str:
    minutes = round(duration.total_seconds() / 60)
    if minutes < 1:
        return text("less than a minute")
    if minutes < 60:
        return plural("{n} minute", "{n} minutes", minutes)
    return text("{hours} h {minutes} min", hours=minutes // 60, minutes=minutes % 60)


def result(story: Story) -> str:
    return story.finished or text("Not finished")


def turns(story: Story) -> str:
    return plural("{n} turn", "{n} turns", len(story.turns))


def counted(story: Story) -> list[str]:
    """What went on beside the moves, in numbers; what did not happen is left out."""
    forfeits = sum(turn.forfeit for turn in story.turns)
    told = [
        (forfeits, plural("{n} forfeit", "{n} forfeits", forfeits)),
        (len(story.breaches), plural("{n} illegal move", "{n} illegal moves", len(story.breaches))),
        (len(story.amended), plural("{n} correction", "{n} corrections", len(story.amended))),
        (story.questions, plural("{n} question", "{n} questions", story.questions)),
    ]
    return [words for count, words in told if count]


def amended(correction: Amended) -> str:
    """A correction as a sentence, without who and why."""
    old, new = ", ".join(correction.old), ", ".join(correction.new)
    if not new:
        return text("Turn {ply} was taken back: {old}", ply=correction.ply, old=old)
    return text("From turn {ply} on: {new} instead of {old}", ply=correction.ply, new=new, old=old or "–")


def who_and_why(correction: Amended) -> str:
    return joined([correction.by, correction.why], ": ")


def title(story: Story) -> str:
    return joined([game_name(story.game.name), against(story)], ": ")
