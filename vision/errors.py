"""What can be wrong with pictures and cameras, in sentences for people."""

from __future__ import annotations


class VisionError(Exception):
    """Root of the errors of this package."""


class PictureError(VisionError):
    """A picture that cannot be read."""


class CameraError(VisionError):
    """A camera that cannot be opened or gives something else than was asked for."""
