"""Devices of a config file, ready to report: cameras that are looked through, ports, pins."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.config import CameraSection, Config
from companion.errors import CompanionError, InputError, error_words
from companion.evidence import DeviceChanged, DeviceState, Evidence, Sight
from companion.live import Device
from companion.service.memory import give_back
from companion.texts import text
from companion.unread import UnreadPictures

if TYPE_CHECKING:
    from calibration.file import Calibration
    from companion.games.game import TableGame
    from companion.knob_places import KnobPlaces
    from firmware_bridge.beams import BeamCounts
    from firmware_bridge.knob import KnobPlace
    from vision.camera import CameraChanged, Frame, OpenCapture
    from vision.reading import Reading
    from vision.recogniser import Recogniser

log = logging.getLogger(__name__)

CAMERA = "camera"
BOARD = "board"
PINS = "gpio"

LOOK_S = 0.05
"""Shortest time from one look to the next: a hand takes longer to move a marble, and a Pi has other work, too."""


def since_now() -> Callable[[], float]:
    """A clock that begins at 0: seconds since the machine was switched on mean nothing to people."""
    began_s = time.monotonic()
    return lambda: time.monotonic() - began_s


TIDY_S = 2.0
"""How often memory is given back: it takes about a thousandth of that time."""
CHECK_S = 0.25
"""Silence after which the camera is asked: a driver that hangs in a read cannot say so itself, and people hear of it
within two seconds all the same."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands in for the machine's own devices; the simulator gives its own.

    Attributes:
        clock: seconds, monotonic; every device stamps with it. The default counts from when the stand is made.
        open_capture: opens a camera.
        pin_factory: gpiozero's, where pins are not the machine's own.
        knob_verified: whether the knob is known to stand at `*` when the board starts.
        patience: how many times longer than real devices these may keep silent: simulated ones work in real time, and
            the clock may run faster than that.
    """

    clock: Callable[[], float] = field(default_factory=since_now)
    open_capture: OpenCapture | None = None
    pin_factory: Any = None
    knob_verified: bool = False
    patience: float = 1.0


@dataclass(frozen=True, slots=True)
class Taps:
    """Who else is told what devices gave, before anybody has read it: for recordings. Called in devices' threads."""

    frame: Callable[[float, Any], object] | None = None
    serial: Callable[[float, str, bytes], object] | None = None
    level: Callable[[float, str, int], object] | None = None


class CameraEye:
    """A camera that is looked through: its newest picture, read in a thread of its own.

    Args:
        section: which camera.
        calibration: what it was calibrated to.
        put: takes sights and the camera's state.
    """

    def __init__(
        self,
        section: CameraSection,
        calibration: Calibration,
        put: Callable[[Evidence], None],
        stand: Stand,
        taps: Taps,
    ) -> None:
        from vision.camera import Camera, CameraSettings
        from vision.recogniser import recogniser_for
        from vision.runtime import one_thread

        one_thread()

        self._put = put
        self._clock = stand.clock
        self._taps = taps
        self._recogniser: Recogniser = recogniser_for(calibration)
        self._newest: Frame | None = None
        self._arrived = threading.Event()
        self._stopping = threading.Event()
        self._last: tuple[Frame, Any] | None = None
        self._drawn: tuple[float, bytes] | None = None
        self._kept_at = section.calibration
        self._wished: tuple[float, Mapping[str, Any]] | None = None
        self._unread = UnreadPictures(CAMERA)
        self._fault = ""
        self._tidy_at_s = float("-inf")
        settings = CameraSettings(str(section.device), section.width, section.height)
        patience = stand.patience
        settings = replace(settings, stale_s=patience * settings.stale_s, lost_s=patience * settings.lost_s)
        self._camera = Camera(settings, self._deliver, self._changed, stand.open_capture, stand.clock)
        self._thread = threading.Thread(target=self._run, name="looking", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._camera.start()

    def stop(self) -> None:
        self._stopping.set()
        self._arrived.set()
        self._camera.stop()
        self._thread.join(3)

    def recalibrate(self, position: Mapping[str, Any]) -> None:
        """Learn from the next picture how the board looks with this position on it (a reference state's JSON).

        It is done in the looking thread. How it went is told as news of the camera; where it did not go, the old
        calibration stays. The file is written whole, and where it cannot be, the new one counts until the next start.
        """
        self._wished = self._clock(), position

    def picture(self) -> tuple[bytes, float] | None:
        """The newest picture with what was seen drawn in, as JPEG, and its age in seconds."""
        from vision.annotate import annotated_jpeg

        last = self._last
        if last is None:
            return None
        frame, reading = last
        if self._drawn is None or self._drawn[0] != frame.t_s:
            recogniser = self._recogniser
            jpeg = annotated_jpeg(frame.image, reading, recogniser.calibration, pose=recogniser.pose)
            self._drawn = frame.t_s, jpeg
        return self._drawn[1], max(0.0, self._clock() - frame.t_s)

    def _deliver(self, frame: Frame) -> None:
        if self._taps.frame is not None:
            self._taps.frame(frame.t_s, frame.image)
        self._newest = frame
        self._arrived.set()

    def _changed(self, change: CameraChanged) -> None:
        self._unread.forget()
        self._put(DeviceChanged(change.t_s, CAMERA, DeviceState(change.state), change.detail))

    def _run(self) -> None:
        while not self._stopping.is_set():
            if not self._arrived.wait(CHECK_S):
                self._camera.check()
                continue
            self._arrived.clear()
            frame, self._newest = self._newest, None
            if frame is None:
                continue
            wished = self._wished
            if wished is not None and frame.t_s > wished[0]:  # an older picture shows what lay there before
                self._wished = None
                self._put(DeviceChanged(frame.t_s, CAMERA, DeviceState.OK, self._renewed(frame, wished[1])))
            reading = self._read(frame)
            self._last = frame, reading
            self._tidy(frame.t_s)
            self._put(Sight(frame.t_s, CAMERA, reading))
            unread = self._unread.take(frame.t_s, reading)
            if unread is not None:
                self._put(unread)
            self._stopping.wait(LOOK_S)

    def _tidy(self, now_s: float) -> None:
        """A close look at everything needs some megabytes for a moment; the rest of the time nobody does."""
        if now_s >= self._tidy_at_s:
            self._tidy_at_s = now_s + TIDY_S
            give_back()

    def _read(self, frame: Frame) -> Reading:
        """What the picture shows. A fault of our own must not blind the table for good: it is told as a bad picture."""
        from vision.reading import Reading, Status

        try:
            return self._recogniser.look(frame.image)
        except Exception as error:
            if repr(error) != self._fault:
                log.exception("a picture of %s could not be read", CAMERA)
            self._fault = repr(error)
            return Reading(Status.BAD_IMAGE, detail=text("the picture cannot be read: {error}", error=repr(error)))

    def _renewed(self, frame: Frame, position: Mapping[str, Any]) -> str:
        """Take the calibration anew, if it can be; says how it went."""
        from calibration.errors import CalibrationError
        from calibration.file import save
        from companion.recalibrating import renewed
        from vision.recogniser import recogniser_for

        try:
            fresh = renewed(self._recogniser.calibration, frame.image, position)
        except (CompanionError, CalibrationError) as error:
            return text("not recalibrated: {why}", why=error_words(error))
        self._recogniser = recogniser_for(fresh)
        self._drawn = None
        if not self._kept_at.exists():  # a simulated camera has no file
            return text("recalibrated")
        try:
            save(fresh, self._kept_at)
        except CalibrationError as error:
            return text("recalibrated until the next start: {why}", why=error_words(error))
        return text("recalibrated")


def load_calibration(section: CameraSection, game: TableGame[Any]) -> Calibration:
    """The calibration of a config's camera.

    Raises:
        CalibrationError: if the file cannot be used for this game.
        InputError: if it is for another size of picture, or for tiles of another number of players, than the config's.
    """
    from calibration.file import load

    calibration = load(section.calibration, game.name)
    if calibration.size != (section.width, section.height):
        made, asked = (f"{width}x{height}" for width, height in (calibration.size, (section.width, section.height)))
        raise InputError(
            text(
                "{calibration}: made for pictures of {made}, the config asks the camera for {asked}; "
                "set camera.width and camera.height to the calibration's, or calibrate again",
                calibration=str(section.calibration),
                made=made,
                asked=asked,
            )
        )
    if fault := misfit(calibration, game):
        raise InputError(text("{path}: {why}", path=str(section.calibration), why=fault))
    return calibration


def misfit(calibration: Calibration, game: TableGame[Any]) -> str:
    """Why pictures of this calibration cannot be of this game; empty where they can."""
    from calibration.finity.appearance import FinityCalibration

    if not isinstance(calibration, FinityCalibration) or calibration.appearance.players == len(game.players):
        return ""
    return text(
        "made with the tiles of {players} players, but {count} play: set table.players, or calibrate "
        "with the tiles that lie there",
        players=calibration.appearance.players,
        count=len(game.players),
    )


def sensors(
    config: Config,
    put: Callable[[Evidence], None],
    stand: Stand,
    taps: Taps,
    places: KnobPlaces | None = None,
    beams: Mapping[str, BeamCounts] | None = None,
) -> list[Device]:
    """The serial board and the pins of a config, with their knobs where they were kept in `places`.

    Args:
        beams: the marbles that boards had counted when the record was kept; pins do not count while the program is off.
    Raises:
        BridgeError: if a wiring cannot be.
    """
    found: list[Device] = []
    if config.serial is not None:
        from firmware_bridge.port import PortSupervisor
        from firmware_bridge.serial_decoder import STALE_S, SerialDecoder

        spec = config.serial.port or config.serial.usb_serial or ""
        saved = _saved(BOARD, places, stand)
        decoder = SerialDecoder(
            BOARD,
            verified=stand.knob_verified,
            saved=saved,
            stale_s=STALE_S * stand.patience,
            beams=(beams or {}).get(BOARD),
            counts=True,
        )
        tap = taps.serial
        on_bytes = None if tap is None else lambda t_s, data: tap(t_s, BOARD, data)
        found.append(PortSupervisor(spec, put, on_bytes, stand.clock, device=BOARD, decoder=decoder))
    if config.gpio is not None:
        from firmware_bridge.gpio import PinBoard, Wiring

        wiring = Wiring.parse(config.gpio)
        saved = _saved(PINS, places, stand)
        stop, verified = (0, stand.knob_verified) if saved is None else (saved.detents, saved.verified)
        board = PinBoard(
            wiring, put, taps.level, stand.pin_factory, stand.clock, device=PINS, stop=stop, verified=verified
        )
        found.append(board)
    return found


def _saved(device: str, places: KnobPlaces | None, stand: Stand) -> KnobPlace | None:
    """Where a device's knob was kept; nothing where the stand knows better."""
    return None if places is None or stand.knob_verified else places.saved(device)
