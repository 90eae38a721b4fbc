"""The board's own sensors during the set-up: whether they are heard, and which way the knob was turned.

They are listened to while somebody looks at the page and no game is refereed, and let go for everybody else.

    away      nothing is open                            is left for
    waiting   opened, and nothing was heard yet          ok, stale, lost: as the device says of itself
    ok        heard                                      stale, lost
    stale     silent, or not to be understood            ok, lost
    lost      gone, or another program has it            ok, stale

`let_go` and `lend` lead from everywhere to away; `listen` from there to waiting, unless they are lent to a game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.errors import error_words
from companion.setup.draft import Draft
from companion.setup.rules import knob_turn
from companion.texts import in_words, text

if TYPE_CHECKING:
    from companion.devices import Stand
    from companion.evidence import DeviceState, Evidence, KnobAt
    from companion.live import Device

WAITING: Final = text("The board's sensors are being opened.")
HEARD: Final = text("The board's sensors are heard.")


@dataclass(frozen=True, slots=True)
class Heard:
    """How the sensors are.

    Attributes:
        state: waiting, ok, stale or lost; `words` says it to people, with what to do.
        turned: clicks of the knob clockwise since it was first heard, at rest; None while it is not heard.
    """

    state: str
    words: str
    turned: int | None = None


class Listening:
    """At most one board's sensors. All methods may be called from any thread.

    Args:
        stand: what stands in for the machine's own devices.
        changed: called when something new is heard; in devices' threads.
    """

    def __init__(self, stand: Callable[[], Stand], changed: Callable[[], object]) -> None:
        self._stand = stand
        self._changed = changed
        self._opening = threading.Lock()
        self._chosen: tuple[Mapping[str, str] | None, Mapping[str, Any] | None] | None = None
        self._devices: list[Device] = []
        self._lent = False
        self._first: int | None = None
        self.heard: Heard | None = None

    def listen(self, draft: Draft) -> None:
        """Listen to the sensors that were chosen, where the game has some."""
        chosen = (draft.serial, draft.gpio)
        with self._opening:
            if self._lent or knob_turn(draft.game, draft.options) is None or chosen == (None, None):
                self._close()
            elif chosen != self._chosen:
                self._close()
                self._open(*chosen)

    def let_go(self) -> None:
        """Close them, for other programs."""
        with self._opening:
            self._close()

    def lend(self) -> None:
        """Let a game have them, until `take_back`."""
        with self._opening:
            self._lent = True
            self._close()

    def take_back(self) -> None:
        """The game has ended."""
        with self._opening:
            self._lent = False

    def _open(self, serial: Mapping[str, str] | None, gpio: Mapping[str, Any] | None) -> None:
        from companion.config import Config
        from companion.devices import Taps, sensors
        from firmware_bridge.errors import BridgeError

        self._chosen = serial, gpio
        self._tell(Heard("waiting", WAITING))
        try:
            config = Config.model_validate({"serial": serial, "gpio": gpio})
            self._devices = sensors(config, self._take, self._stand(), Taps())
            for device in self._devices:
                device.start()
        except BridgeError as error:
            self._tell(Heard("lost", error_words(error)))

    def _close(self) -> None:
        devices, self._devices = self._devices, []
        self._chosen = self._first = None
        for device in devices:
            device.stop()
        if self.heard is not None:
            self._tell(None)

    def _take(self, reading: Evidence) -> None:
        """In a device's thread."""
        from companion.evidence import DeviceChanged, KnobAt

        if self._chosen is None:
            return  # it is being closed
        match reading:
            case DeviceChanged(state=state, detail=detail):
                self._tell(self._of_device(state, detail))
            case KnobAt(at_rest=True):
                self._tell(self._of_knob(reading))

    def _of_device(self, state: DeviceState, detail: str) -> Heard:
        from companion.evidence import DeviceState

        self._first = None  # a board that was away, or started anew, counts from elsewhere
        if state in (DeviceState.OK, DeviceState.BACK):
            return Heard("ok", HEARD)
        return Heard(state.value, in_words(detail))

    def _of_knob(self, knob: KnobAt) -> Heard:
        if self._first is None:
            self._first = knob.detents
        return Heard("ok", HEARD, knob.detents - self._first)

    def _tell(self, heard: Heard | None) -> None:
        if heard != self.heard:
            self.heard = heard
            self._changed()
