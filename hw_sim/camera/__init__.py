"""The simulated camera: scenes of a table drawn through a lens and a pose, as still pictures or as a live device."""

from hw_sim.camera.camera import SimCamera
from hw_sim.camera.cover import Cover, cover_of
from hw_sim.camera.feed import CameraFaults, SimCameraDevice, SimCameraFeed
from hw_sim.camera.lens import Lens, Pose, looking_at
from hw_sim.camera.look import Look
from hw_sim.camera.presets import PRESETS, random_look
from hw_sim.camera.render_set import render_set

__all__ = [
    "PRESETS",
    "CameraFaults",
    "Cover",
    "Lens",
    "Look",
    "Pose",
    "SimCamera",
    "SimCameraDevice",
    "SimCameraFeed",
    "cover_of",
    "looking_at",
    "random_look",
    "render_set",
]
