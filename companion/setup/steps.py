"""The steps of a set-up as a table: for each, what is still missing, in sentences. A step is done where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.errors import CompanionError, error_words
from companion.games.registry import game_named
from companion.setup.draft import Draft
from companion.setup.shots import CALLED, Shot
from companion.texts import listed, plural, text

OF_PLAYERS: Final = ("pattern", "posts", "players")
"""How the rules' words on a set-up begin; all others are on the house rules."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the steps are judged by.

    Attributes:
        camera: opening, ok, stale, lost; None without one. `camera_words` says it to people.
        missing: markers that are not in sight; None where nobody looked yet.
        fit: whether the newest picture could be calibrated from; `advice` what would make it better.
        shots: the pictures.
        learnt: whether there is a calibration; `stale` where it is not of these pictures, `refused` why none was
            made.
    """

    draft: Draft
    camera: str | None = None
    camera_words: str = ""
    missing: tuple[int, ...] | None = None
    fit: bool = False
    advice: tuple[str, ...] = field(default=())
    shots: Sequence[Shot] = field(default=())
    learnt: bool = False
    stale: bool = False
    refused: str | None = None

    @property
    def sees(self) -> bool:
        """Whether a camera looks on. Without one sensors feel the moves, or people enter them on the page."""
        return not self.draft.without_camera


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    problems: tuple[str, ...]

    @property
    def is_done(self) -> bool:
        return not self.problems


def steps_of(facts: Facts) -> tuple[Step, ...]:
    """All steps in order; the last one is done where all others are."""
    steps = [Step(name, tuple(problems(facts))) for name, problems in STEPS.items()]
    left = [TITLES[step.name] for step in steps if not step.is_done]
    return (*steps, Step("ready", (text("Still to do: {steps}.", steps=listed(left)),) if left else ()))


def _game(facts: Facts) -> list[str]:
    return [] if facts.draft.game else [text("Choose the game.")]


def _camera(facts: Facts) -> list[str]:
    if not facts.sees:
        return []
    if facts.draft.camera is None:
        return [text("Choose the camera.")]
    return [] if facts.camera == "ok" else [facts.camera_words]


def _mat(facts: Facts) -> list[str]:
    if not facts.sees or (facts.learnt and not facts.stale):
        return []
    if facts.missing is None:
        return [text("The camera has to see the board first.")]
    if facts.missing:
        named = ", ".join(map(str, facts.missing))
        n = len(facts.missing)
        return [plural("Marker {ids} is not in sight.", "Markers {ids} are not in sight.", n, ids=named), *facts.advice]
    return [] if facts.fit else list(facts.advice)


def _pictures(facts: Facts) -> list[str]:
    if not facts.sees or (facts.learnt and not facts.stale):
        return []
    left = [CALLED[shot.name] for shot in facts.shots if shot.jpeg is None]
    wrong = [problem for shot in facts.shots for problem in shot.problems]
    if left:
        return [*wrong, text("Still to take: {pictures}.", pictures=listed(left))]
    if facts.refused:
        return [facts.refused]
    again = text("Pictures or board have changed: calibrate again.")
    return [again if facts.learnt else text("All pictures are there: calibrate.")]


def _players(facts: Facts) -> list[str]:
    draft = facts.draft
    if draft.setup and "pattern" not in draft.setup:
        return [text("Say the tower's cones from bottom to top: eight, or six for a short game.")]
    return [fault for fault in _faults(draft) if fault.startswith(OF_PLAYERS)]


def _rules(facts: Facts) -> list[str]:
    return [fault for fault in _faults(facts.draft) if not fault.startswith(OF_PLAYERS)]


def _faults(draft: Draft) -> list[str]:
    """What the rules have against the draft."""
    try:
        if draft.game is not None:
            game_named(draft.game, draft.options, draft.setup)
    except CompanionError as error:
        return [error_words(error)]
    return []


STEPS: Final[Mapping[str, Callable[[Facts], list[str]]]] = {
    "game": _game,
    "camera": _camera,
    "mat": _mat,
    "pictures": _pictures,
    "players": _players,
    "rules": _rules,
}
TITLES: Final = {
    "game": text("the game"),
    "camera": text("the camera"),
    "mat": text("the mat with its markers"),
    "pictures": text("the pictures"),
    "players": text("the players"),
    "rules": text("the house rules"),
}
