"""The state of a set-up as its page gets it (`companion.setup`), built from what the session holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.calibrating import Measured
from companion.games.game import Json
from companion.games.registry import game_names
from companion.setup.draft import PLAYER_COUNTS
from companion.setup.found import Found
from companion.setup.listening import Heard
from companion.setup.positions import sight_of
from companion.setup.rules import knob_turn, rules_json
from companion.setup.scenery import Scenery
from companion.setup.shots import Shot, next_shot
from companion.setup.steps import Facts, steps_of
from companion.texts import in_words


@dataclass(frozen=True, slots=True)
class LookSeen:
    """What the newest picture shows of the board."""

    seen: tuple[int, ...]
    missing: tuple[int, ...]
    advice: tuple[str, ...]
    ready: bool
    age_s: float

    def to_json(self) -> Json:
        markers: Json = {"seen": list(self.seen), "missing": list(self.missing)}
        return {"markers": markers, "advice": list(self.advice), "ready": self.ready, "age_s": self.age_s}


@dataclass(frozen=True, slots=True)
class View:
    """What the session holds at a moment."""

    seq: int
    facts: Facts
    scenery: Scenery | None = None
    look: LookSeen | None = None
    cameras: Sequence[Found] = ()
    ports: Sequence[Found] = ()
    boards: Sequence[tuple[str | None, str]] = ()
    heard: Heard | None = None
    measured: Measured | None = None
    editor: Json = None
    busy: tuple[str, str] | None = None
    error: str | None = None
    config: str = ""
    calibration: str | None = None
    simulated: bool = False
    saved: bool = False
    playing: bool = False
    new_game: Sequence[str] = field(default=())


def state_json(view: View) -> dict[str, Json]:
    """The whole state."""
    facts, draft = view.facts, view.facts.draft
    steps = steps_of(facts)
    ready = steps[-1].is_done and view.busy is None
    return {
        "seq": view.seq,
        "step": next((step.name for step in steps if not step.is_done), steps[-1].name),
        "steps": [{"name": step.name, "done": step.is_done, "problems": list(step.problems)} for step in steps],
        "draft": draft.to_json(),
        "games": [{"game": game, "players": list(PLAYER_COUNTS[game])} for game in game_names()],
        **_of_scenery(view.scenery),
        "cameras": [{"device": found.device, "words": found.words} for found in view.cameras],
        "camera": None if facts.camera is None else {"state": facts.camera, "words": facts.camera_words},
        "ports": [
            {"device": found.device, "words": found.words, "serial": dict(found.serial or {})} for found in view.ports
        ],
        "sensors": None if view.heard is None else {"state": view.heard.state, "words": view.heard.words},
        "boards": [{"board": board, "words": words} for board, words in view.boards],
        "look": None if view.look is None else view.look.to_json(),
        "shots": [_shot(shot, view.scenery) for shot in facts.shots],
        "asked": next_shot(facts.shots),
        "calibration": _calibration(view.measured, facts) if facts.learnt else None,
        "rules": [] if draft.game is None else rules_json(draft.game, draft.options),
        "knob": knob_turn(draft.game, draft.options),
        "knob_seen": None if view.heard is None else view.heard.turned,
        "board_editor": view.editor,
        "busy": None if view.busy is None else {"what": view.busy[0], "progress": view.busy[1]},
        "error": view.error,
        "files": {"config": view.config, "calibration": view.calibration},
        "simulated": view.simulated,
        "saved": view.saved,
        "playing": view.playing,
        "new_game": list(view.new_game),
        "ready": ready,
    }


def _of_scenery(scenery: Scenery | None) -> dict[str, Json]:
    if scenery is None:
        return {"players": [], "stations": [], "layout": {}, "labels": {}}
    return {
        "players": [{"player": player, "words": words} for player, words in scenery.player_words.items()],
        "stations": list(scenery.stations),
        "layout": scenery.layout,
        "labels": scenery.labels,
    }


def _shot(shot: Shot, scenery: Scenery | None) -> Json:
    state = shot.state
    return {
        "name": shot.name,
        "words": shot.words,
        "suggested": shot.suggested,
        "state": state,
        "sight": None if state is None or scenery is None else _sight(scenery, state),
        "taken": shot.jpeg is not None,
        "problems": list(shot.problems),
    }


def _sight(scenery: Scenery, state: Mapping[str, Json]) -> Json:
    """The label at every place; None for a state of another board than is chosen now."""
    from calibration.errors import CalibrationError

    try:
        return dict(sight_of(scenery.board, state))
    except CalibrationError:
        return None


def _calibration(measured: Measured | None, facts: Facts) -> Json:
    """What was measured; nulls of a calibration that is read from its file."""
    doubtful: Json = [] if measured is None else list(map(in_words, measured.doubtful))
    return {
        "reprojection_error_px": None if measured is None else round(measured.reprojection_error_px, 3),
        "colour_margin": None if measured is None else round(measured.colour_margin, 2),
        "doubtful": doubtful,
        "blind": [] if measured is None else list(measured.blind),
        "ok": not doubtful,
        "stale": facts.stale,
    }
