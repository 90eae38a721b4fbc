"""A simulated camera as a live device, opened and read like `cv2.VideoCapture`, with faults that are off by default."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hw_sim.faults import stream
from hw_sim.scene import Light

Picture = npt.NDArray[np.uint8]
Scene = Any
"""A scene of the game that the camera draws."""
DARK = 0.0005
"""Brightness of a picture before the camera's automatics have found their exposure."""
STEPS = (0.6, 0.75, 0.85, 1.2, 1.4)
"""Brightness against the start after an exposure step."""


@dataclass(frozen=True, slots=True)
class CameraFaults:
    """What goes wrong with the device; rates are times a minute.

    Attributes:
        freeze_rate: the picture stands still for ever while every read succeeds; opening again helps.
        stall_rate: one read blocks for `stall_s` and then fails, as a driver's time-out does.
        unplug_rate: the camera is pulled out for `unplug_s`; reads and opening fail meanwhile, and a capture that
            was open then stays dead.
        exposure_rate: the brightness jumps and stays until the next jump.
        dark_first: so many pictures after opening are nearly black.
        delivered_size: width and height that the device delivers in place of the camera's.
    """

    freeze_rate: float = 0.0
    stall_rate: float = 0.0
    unplug_rate: float = 0.0
    exposure_rate: float = 0.0
    stall_s: float = 10.0
    unplug_s: float = 3.0
    dark_first: int = 0
    delivered_size: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if isinstance(value, int | float) and value < 0:
                raise ValueError(f"{item.name} must be 0 or more, got {value}")


class Drawer(Protocol):
    """Draws scenes of one game's table: `SimCamera`, `FinityCamera`."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures."""
        ...

    def picture(self, scene: Scene, light: Light | None = None) -> Picture: ...


class SimCameraDevice:
    """A camera on a cable: what stays when a capture of it is closed and opened again.

    Args:
        camera: draws the pictures.
        see: the scene and the light at a moment, in seconds of `clock`; called in the thread that reads.
        frames_per_s: a read waits for the next picture.
        faults, seed: what goes wrong, and when.
        clock, sleep: time; a sleep must let the clock pass.
    """

    def __init__(
        self,
        camera: Drawer,
        see: Callable[[float], tuple[Scene, Light]],
        *,
        frames_per_s: float = 15.0,
        faults: CameraFaults | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if frames_per_s <= 0:
            raise ValueError(f"frames_per_s must be above 0, got {frames_per_s}")
        self.camera = camera
        self.see = see
        self.frame_s = 1 / frames_per_s
        self.faults = faults or CameraFaults()
        self.clock = clock
        self.sleep = sleep
        self._chance = {name: stream(seed, f"camera {name}") for name in ("freeze", "stall", "unplug", "exposure")}
        self._unplugged_until_s = float("-inf")
        self._brightness = 1.0

    @property
    def is_plugged(self) -> bool:
        return self.clock() >= self._unplugged_until_s

    def open(self) -> SimCameraFeed:
        """A capture of this device; like OpenCV's it is there even where opening failed: ask `isOpened`."""
        return SimCameraFeed(self)

    def unplug(self, seconds: float) -> None:
        """Pull the cable now, for some time."""
        self._unplugged_until_s = self.clock() + seconds

    def happens(self, fault: str) -> bool:
        """Whether a fault strikes in this frame."""
        rate: float = getattr(self.faults, f"{fault}_rate")
        return rate > 0 and self._chance[fault].random() < rate / 60 * self.frame_s

    def brightness(self) -> float:
        """The camera's own factor on brightness in this frame."""
        if self.happens("exposure"):
            self._brightness = self._chance["exposure"].choice(STEPS)
        return self._brightness


class SimCameraFeed:
    """One opened capture; the methods of `cv2.VideoCapture` that a program needs, under their names there."""

    def __init__(self, device: SimCameraDevice) -> None:
        self._device = device
        self._is_open = device.is_plugged
        self._frames = 0
        self._due_s = device.clock()
        self._frozen: Picture | None = None
        self._grabbed: Picture | None = None

    def isOpened(self) -> bool:  # noqa: N802
        return self._is_open

    def release(self) -> None:
        self._is_open = False

    def read(self) -> tuple[bool, Picture | None]:
        """The next picture; waits until it is due. (False, None) where none comes."""
        if not self._is_open or not self._wait():
            return False, None
        return True, self._picture()

    def grab(self) -> bool:
        ok, self._grabbed = self.read()
        return ok

    def retrieve(self) -> tuple[bool, Picture | None]:
        return self._grabbed is not None, self._grabbed

    def get(self, prop: int) -> float:
        """Width, height and frames a second; 0 for everything else, as OpenCV says for what a driver lacks."""
        width, height = self._device.faults.delivered_size or self._device.camera.size
        known = {
            cv2.CAP_PROP_FRAME_WIDTH: float(width),
            cv2.CAP_PROP_FRAME_HEIGHT: float(height),
            cv2.CAP_PROP_FPS: 1 / self._device.frame_s,
        }
        return known.get(prop, 0.0)

    def set(self, prop: int, value: float) -> bool:
        """Nothing can be changed: True only for what is so already."""
        return self.get(prop) == value

    def _wait(self) -> bool:
        """Let time pass until a picture is due; False where none comes."""
        device = self._device
        if device.happens("unplug"):
            device.unplug(device.faults.unplug_s)
        if not device.is_plugged:
            self._is_open = False
            return False
        if device.happens("stall"):
            device.sleep(device.faults.stall_s)
            return False
        ahead_s = self._due_s - device.clock()
        if ahead_s > 0:
            device.sleep(ahead_s)
        self._due_s = max(self._due_s, device.clock()) + device.frame_s
        return True

    def _picture(self) -> Picture:
        device = self._device
        if self._frozen is not None:
            return self._frozen.copy()
        scene, light = device.see(device.clock())
        factor = DARK if self._frames < device.faults.dark_first else device.brightness()
        self._frames += 1
        picture = device.camera.picture(scene, replace(light, exposure=light.exposure * factor))
        if device.faults.delivered_size:
            size = device.faults.delivered_size
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        if device.happens("freeze"):
            self._frozen = picture.copy()
        return picture
