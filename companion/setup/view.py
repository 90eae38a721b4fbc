"""What a set-up is at this moment, put together from what there is so far and what is around."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game import Json
from companion.setup.around import Around
from companion.setup.desk import Desk
from companion.setup.state import View
from companion.setup.steps import Facts


@dataclass(frozen=True, slots=True)
class Going:
    """How the session itself is.

    Attributes:
        busy: what is done just now, and how far it is.
        error: of what went on by itself.
        new_game: why `begin` would begin another game than the one that is `playing`.
    """

    seq: int
    editor: Json
    busy: tuple[str, str] | None
    error: str | None
    simulated: bool
    playing: bool
    new_game: tuple[str, ...]


def facts_of(desk: Desk, around: Around) -> Facts:
    """What the steps are judged by."""
    look, finder = around.look, around.finder
    return Facts(
        draft=desk.draft,
        camera=finder.state,
        camera_words=finder.words,
        missing=None if look is None else look.missing,
        fit=look is not None and look.ready,
        advice=() if look is None else look.advice,
        shots=desk.shots,
        learnt=desk.learnt is not None,
        stale=desk.stale,
        refused=desk.refused,
    )


def view_of(desk: Desk, around: Around, going: Going) -> View:
    """All that the page is told."""
    return View(
        seq=going.seq,
        facts=facts_of(desk, around),
        scenery=None if desk.board is None else desk.scenery,
        look=around.look,
        cameras=around.cameras,
        ports=around.ports,
        boards=around.boards,
        heard=around.ears.heard,
        measured=None if desk.learnt is None else desk.learnt.measured,
        editor=going.editor,
        busy=going.busy,
        error=going.error,
        config=str(desk.config),
        calibration=desk.calibration_file,
        simulated=going.simulated,
        saved=desk.saved,
        playing=going.playing,
        new_game=going.new_game,
    )
