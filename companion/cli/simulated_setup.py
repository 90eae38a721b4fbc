"""A simulated table to set up: people lay what is asked, and play when the game has begun."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.plan import Plan, Sensors
from companion.cli.simulated import CalibratedCamera
from companion.cli.simulated_finity import PATTERN
from companion.cli.simulated_infinity import USUAL_LOOK
from companion.cli.simulated_sensors import IdleBoard
from companion.cli.simulation import SIMULATED, Simulation, opened, simulation
from companion.errors import UsageError
from companion.setup.draft import Draft
from companion.setup.evening import Staged
from companion.setup.found import Found
from companion.setup.room import Asked, Room
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.config import Config
    from companion.games.game import Json
    from companion.station import Station

CAMERA = "simulated"
PICTURES_TO_SET_UP_PER_S = 4
"""Before a game: somebody looks three times a second, and drawing a picture takes a good part of a small machine."""
PATIENCE = 4.0
"""A picture of many pieces takes a second to draw where the machine has much else to do."""


class Drawer:
    """A camera that draws the tables of both games, whichever stands before it."""

    def __init__(self, looks: Mapping[str, str], seed: int) -> None:
        self._looks = looks
        self._seed = seed
        self._cameras: dict[str, Any] = {}
        self._drawing = threading.Lock()

    @property
    def size(self) -> tuple[int, int]:
        return (1280, 720)

    def picture(self, scene: Any, light: Any = None) -> Any:
        from hw_sim.finity.scene import FinityScene

        with self._drawing:
            camera = self._camera("finity" if isinstance(scene, FinityScene) else "infinity")
            return camera.picture(scene, light)

    def _camera(self, game: str) -> Any:
        if game not in self._cameras:
            make = _finity_camera if game == "finity" else _infinity_camera
            self._cameras[game] = make(self._looks[game], self._seed)
        return self._cameras[game]


def _infinity_camera(look: str, seed: int) -> Any:
    from calibration.infinity.board import reference_board
    from hw_sim.camera.camera import SimCamera
    from hw_sim.camera.presets import PRESETS

    return SimCamera(reference_board(), look=PRESETS[look], seed=seed)


def _finity_camera(look: str, seed: int) -> Any:
    from calibration.finity.board import reference_board
    from hw_sim.finity.camera.camera import FinityCamera
    from hw_sim.finity.camera.looks import FINITY_LOOKS

    return FinityCamera(reference_board(), look=FINITY_LOOKS[look], seed=seed)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be simulated: the rest is chosen in the set-up."""

    game: str
    seed: int = 1
    speed: float = 2.0
    sensors: Sensors = Sensors.SERIAL
    look: str | None = None


class SimulatedTable:
    """Devices and people of a simulated table, before the game and in it. Use it as a context.

    Args:
        folder: its serial port is made there, and the journal of its games.
        drawer: a camera that has drawn before; it takes a second to make one.
    """

    def __init__(self, wish: Wish, folder: Path, drawer: Drawer | None = None) -> None:
        self._wish = wish
        self._folder = folder
        looks = {"infinity": USUAL_LOOK, "finity": SIMULATED["finity"].looks()[0]}
        self.drawer = drawer or Drawer(looks if wish.look is None else {**looks, wish.game: wish.look}, wish.seed)
        self.scene: Any = None
        self._tables: dict[tuple[int, str], Any] = {}
        self._stack = ExitStack()
        self._sensors: IdleBoard | None = None
        self._sim: Simulation | None = None
        self._plan: Plan | None = None

    def __enter__(self) -> SimulatedTable:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        if self._sensors is not None:
            self._sensors.stop()

    def room(self) -> Room:
        """What a set-up finds here."""
        from hw_sim.camera.feed import SimCameraDevice
        from hw_sim.scene import Light

        self.lay(Asked(self._draft(), "empty", None))
        self.drawer.picture(self.scene, Light())  # the first picture takes a second, or a slow machine many
        device = SimCameraDevice(
            self.drawer, lambda _: (self.scene, Light()), frames_per_s=PICTURES_TO_SET_UP_PER_S, seed=self._wish.seed
        )
        path = self._folder / "board"
        port = Found(str(path), text("the simulated board"), {"port": str(path)})
        self._sensors = sensors = self._sensors or IdleBoard(self._wish.sensors, path, self._wish.seed)
        return Room(
            cameras=lambda: (Found(CAMERA, text("the simulated camera")),),
            ports=lambda: (port,) if self._wish.sensors in (Sensors.SERIAL, Sensors.CHIP) else (),
            open_capture=partial(opened, device),
            stand=lambda: sensors.stand(PATIENCE),
            clock=time.monotonic,
            asked=self.lay,
            turn_knob=sensors.turn_knob,
            draft=self._draft(),
            patience=PATIENCE,
            simulated=True,
        )

    def lay(self, asked: Asked) -> None:
        """The people lay what is asked; nothing, where a game may begin."""
        game = asked.draft.game or self._wish.game
        self.scene = self._finity(asked) if game == "finity" else self._infinity(asked)

    def _infinity(self, asked: Asked) -> Any:
        from calibration.infinity.board import reference_board
        from hw_sim.camera.positions import EMPTY, SET, Layout
        from hw_sim.camera.troubles import resting_scene

        state: Mapping[str, Any] = asked.state or {"board": EMPTY, "knob_stop": 0}
        well = list(SET)
        for marble in state["board"].replace("|", "").replace(".", ""):
            well.remove(marble)
        return resting_scene(Layout(state["board"], "".join(well), state.get("knob_stop") or 0), reference_board())

    def _finity(self, asked: Asked) -> Any:
        from calibration.finity.board import reference_board
        from hw_sim.finity.camera.references import bare, laid

        table = self._table_of_finity(asked.draft)
        if asked.state is None:
            return bare(table)
        return laid(table, asked.state, reference_board(), self._wish.seed)

    def _table_of_finity(self, draft: Draft) -> Any:
        """The tiles and the tower as they will stand in the game."""
        from hw_sim.finity.game_run import FinityGame

        players, pattern = draft.players or 2, str(draft.setup.get("pattern", PATTERN))
        key = players, pattern
        if key not in self._tables:
            setup: dict[str, Json] = {"players": players, "pattern": pattern}
            options: dict[str, Json] = {"pattern_length": len(pattern)}
            game = FinityGame(self._wish.seed, setup=setup, options=options, frame_s=0, sights=False)
            self._tables[key] = game.table.scene()
        return self._tables[key]

    def _draft(self) -> Draft:
        from companion.setup.draft import choose_game, set_game

        draft = choose_game(Draft(), self._wish.game)
        if self._wish.game == "finity":
            return set_game(draft, {"pattern": PATTERN})
        if self._wish.sensors is Sensors.PINS:
            return replace(draft, gpio=_wiring())
        return draft

    # The game

    @contextmanager
    def stage(self, config: Config, calibration: Calibration | None) -> Iterator[Staged]:
        """The table with people who play; a game under way goes on where the set-up is the same."""
        from companion.cli.people import People

        plan = self._plan_of(config)
        fresh = self._sim is None or plan != self._plan or self._sim.table.finished.is_set()
        if fresh:
            self._stack.close()
            camera = None if calibration is None else CalibratedCamera(self.drawer, calibration, b"")
            self._sim, self._plan = self._stack.enter_context(simulation(plan, camera)), plan
        sim = self._sim
        assert sim is not None
        people = People(sim)

        def started(station: Station) -> None:
            people.loop = station.loop
            if fresh:
                sim.table.start()

        journal = config.journal.model_copy(update={"path": config.journal.path or self._folder / "journal.sqlite"})
        devices = {"serial": sim.config.serial, "gpio": sim.config.gpio}  # where this table has them
        yield Staged(
            config.model_copy(update={"journal": journal, **devices}),
            replace(sim.stand, knob_verified=fresh),
            [people],
            started,
        )

    @property
    def made(self) -> tuple[str, ...]:
        """The moves that were really made in the game under way."""
        return () if self._sim is None else tuple(self._sim.game.truth().moves)

    def _plan_of(self, config: Config) -> Plan:
        sensors = Sensors.NONE
        if config.serial is not None:
            sensors = Sensors.CHIP if self._wish.sensors is Sensors.CHIP else Sensors.SERIAL
        elif config.gpio is not None:
            sensors = Sensors.PINS
        return Plan(
            config.table.game,
            seed=self._wish.seed,
            speed=self._wish.speed,
            sensors=sensors,
            camera=config.camera is not None,
            setup=config.table.setup,
            options=config.options,
            names=config.players,
        )


def _wiring() -> Mapping[str, Any]:
    """How the simulated board's sensors are wired to the pins."""
    from hw_sim.recording import wiring_json
    from hw_sim.wires import TABLE_WIRING

    return wiring_json(TABLE_WIRING)


def checked_wish(game: str, seed: int, speed: float, sensors: Sensors | None, look: str | None) -> Wish:
    """A table that can be simulated.

    Raises:
        UsageError: for what cannot, with what can.
    """
    if game not in SIMULATED:
        raise UsageError(
            text("there is no simulated table of {game}; known: {known}", game=game, known=", ".join(SIMULATED))
        )
    kind = SIMULATED[game]
    if look is not None and look not in kind.looks():
        raise UsageError(text("there is no look {look}; known: {known}", look=look, known=", ".join(kind.looks())))
    if sensors is not None and not kind.sensors:
        raise UsageError(text("--device: Finity's board has no sensors; leave it out"))
    return Wish(game, seed, speed, sensors or (Sensors.SERIAL if kind.sensors else Sensors.NONE), look)
