"""What a simulated table is to be, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.cli.simulated import CalibratedCamera
    from companion.games.game import Json
    from hw_sim.serial_port import SimSerialPort


class Sensors(StrEnum):
    """How the board's beams and knob reach the program: a port with a board's model or with the real firmware on a
    simulated chip behind it, the machine's own pins, or not at all."""

    SERIAL = "serial"
    CHIP = "chip"
    PINS = "pins"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to simulate.

    Attributes:
        speed: simulated seconds in a real one.
        sensors: of a board that has some.
        camera: whether one looks on; `look` names its presets, None for the usual one.
        breaches: rule breaches to commit once each.
        setup, options, names: as a config has them.
        moves: after so many moves people stop; 0 plays to the end.
        replay: the moves to play; None lets people choose.
    """

    game: str = "infinity"
    seed: int = 1
    speed: float = 4.0
    sensors: Sensors = Sensors.SERIAL
    camera: bool = True
    look: str | None = None
    faults: bool = False
    breaches: tuple[str, ...] = ()
    setup: Mapping[str, Json] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    moves: int = 0
    replay: tuple[str, ...] | None = None

    def people(self, usual: Any) -> Any:
        """Who chooses the moves: the replay or `usual`, for so many moves as are wanted."""
        from hw_sim.players import ScriptedPlayers

        player = usual if self.replay is None else ScriptedPlayers(self.replay)
        return Stopping(player, self.moves) if self.moves else player


class Stopping:
    """Plays as another player does, and stops after some moves."""

    def __init__(self, player: Any, moves: int) -> None:
        self._player = player
        self._left = moves

    def choose(self, game: Any, position: Any, rng: Any) -> str | None:
        """See `hw_sim.players.Player.choose`."""
        self._left -= 1
        move: str | None = None if self._left < 0 else self._player.choose(game, position, rng)
        return move


@dataclass(frozen=True, slots=True)
class Parts:
    """What a simulated table is made of.

    Attributes:
        game: the simulated game (`hw_sim.game_run.SimGame`, or another of the same face).
        sections: of a config with its devices, without the camera.
        camera: with its calibration, where one looks on.
        port, pin_factory: its sensors' way to the program, where they have one.
        close: called when the game has ended, for what else must end with it.
    """

    game: Any
    sections: Mapping[str, Any]
    camera: CalibratedCamera | None = None
    port: SimSerialPort | None = None
    pin_factory: Any = None
    close: Callable[[], object] = lambda: None


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """How a game is simulated.

    Attributes:
        looks, breaches: the names that a person may give.
        build: makes the parts; a port may be made in the folder.
        right: what the simulated people put the table right to, of the referee's state.
        agrees: whether the referee's state is what really is, beside the moves.
        standing: how it stands in words, where nobody has won.
        sensors: whether its board has any.
    """

    looks: Callable[[], Sequence[str]]
    breaches: Callable[[], Sequence[str]]
    build: Callable[[Plan, Any], Parts]
    right: Callable[[Mapping[str, Json]], Any]
    agrees: Callable[[Any, Mapping[str, Json]], bool]
    standing: Callable[[Any], str]
    sensors: bool
