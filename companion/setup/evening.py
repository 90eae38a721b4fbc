"""Games one after another on the same pages, as the set-up begins them.

A set-up that is changed in the middle of a game begins that game's table anew: with the same rules the game goes on
where it was, from the journal.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.config import Config
from companion.devices import Taps
from companion.errors import CompanionError, error_words
from companion.setup.session import SetupSession
from companion.station import Station
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.devices import Stand
    from companion.live import TableLoop
    from companion.page.pages import Pages
    from companion.sinks.sink import Sink


@dataclass(frozen=True, slots=True)
class Staged:
    """What stands ready for a game.

    Attributes:
        config: as the game is to be refereed.
        stand: what stands in for the machine's own devices.
        sinks: who is told, beside those that always are.
        started: called when everything is there, before the first look.
    """

    config: Config
    stand: Stand | None = None
    sinks: Sequence[Sink] = field(default=())
    started: Callable[[Station], object] = lambda station: None


BEAT_S = 1.0
"""How long at most between two beats while no game is played."""


def _nothing() -> None:
    pass


Stage = Callable[[Config, "Calibration | None"], AbstractContextManager[Staged]]


def own_stage(config: Config, _: Calibration | None) -> AbstractContextManager[Staged]:
    """The machine's own devices."""
    return nullcontext(Staged(config))


class Evening:
    """Referees what it is told to, until it is stopped. `begin` and `stop` may be called from any thread.

    Args:
        sinks: makes those who are told; anew for each game.
        stage: makes ready what a game needs around it.
        tell: takes one line for people at a time.
        new_game: begin the first game anew, even where the last one of the journal is not over.
        must_begin: a first game that cannot begin is an error, and no word on the page.
        begun: called when the first game begins.
        beat: called some times a second, in a game and between games.
    """

    def __init__(
        self,
        sinks: Callable[[], Sequence[Sink]],
        tell: Callable[[str], object],
        stage: Stage = own_stage,
        *,
        new_game: bool = False,
        must_begin: bool = False,
        begun: Callable[[], object] = _nothing,
        beat: Callable[[], object] = _nothing,
    ) -> None:
        self._sinks = sinks
        self._tell = tell
        self._stage = stage
        self._new_game = new_game
        self._must_begin = must_begin
        self._begun = begun
        self._beat = beat
        self._stopping = False
        self._wanted: queue.SimpleQueue[tuple[Config, Calibration | None] | None] = queue.SimpleQueue()
        self._loop: TableLoop | None = None

    def begin(self, config: Config, calibration: Calibration | None = None) -> None:
        """Referee this from now on; a game under way ends first, and goes on where it is the same."""
        self._wanted.put((config, calibration))
        self._stop_loop()

    def stop(self) -> None:
        """End soon."""
        self._stopping = True
        self._wanted.put(None)
        self._stop_loop()

    def run(self, session: SetupSession, pages: Pages) -> None:
        """Wait for games to begin, and referee them, until `stop` is called."""
        while (wanted := self._next()) is not None:
            self._play(*wanted, session, pages)

    def _next(self) -> tuple[Config, Calibration | None] | None:
        while True:
            self._beat()
            try:
                return self._wanted.get(timeout=BEAT_S)
            except queue.Empty:
                continue

    def _play(self, config: Config, calibration: Calibration | None, session: SetupSession, pages: Pages) -> None:
        from calibration.errors import CalibrationError
        from firmware_bridge.errors import BridgeError
        from vision.errors import VisionError

        try:
            with self._stage(config, calibration) as staged:
                self._referee(staged, calibration, session, pages)
        except (CompanionError, CalibrationError, BridgeError, VisionError, OSError) as error:
            if self._must_begin:
                raise
            self._tell(error_words(error))
            session.failed(error_words(error))
        else:
            if not self._stopping:  # nobody looks through the camera any more
                session.ended()
        finally:
            self._loop = None

    def _referee(self, staged: Staged, calibration: Calibration | None, session: SetupSession, pages: Pages) -> None:
        session.lend()
        with Station(
            staged.config,
            [*self._sinks(), *staged.sinks],
            stand=staged.stand,
            taps=Taps(frame=session.put),
            calibration=calibration,
            pages=pages,
            new_game=self._new_game,
            tell=self._tell,
        ) as station:
            self._begun()
            self._begun, self._new_game = _nothing, False  # a set-up that is changed goes on with its game
            if station.resumed:
                self._tell(text("going on with the unfinished game; --new-game begins another"))
            self._loop = station.loop
            if not self._wanted.empty():
                return  # something else was wanted meanwhile
            self._must_begin = False
            session.began(station.loop, staged.config)
            staged.started(station)
            station.run(self._goes_on)

    def _goes_on(self, _: object) -> bool:
        self._beat()
        return False

    def _stop_loop(self) -> None:
        loop: Any = self._loop
        if loop is not None:
            loop.stop()
