"""Marks in a picture that mean the same in every game: doubt, cover, and words that can be read on any ground."""

from __future__ import annotations

import cv2

from calibration.sampling import Picture

Colour = tuple[int, int, int]
"""BGR."""
DOUBT: Colour = (60, 60, 255)


def cross(drawn: Picture, x: int, y: int, radius: int) -> None:
    """A place under a hand or a thing."""
    cv2.drawMarker(drawn, (x, y), DOUBT, cv2.MARKER_TILTED_CROSS, 2 * radius, 2, cv2.LINE_AA)


def doubt(drawn: Picture, x: int, y: int, radius: int, guess: str) -> None:
    """A place that is not sure, with the best guess."""
    cv2.drawMarker(drawn, (x, y), DOUBT, cv2.MARKER_DIAMOND, 2 * radius, 2, cv2.LINE_AA)
    words(drawn, guess, x, y, DOUBT)


def words(drawn: Picture, text: str, x: int, y: int, ink: Colour, left: bool = False, size: float = 0.5) -> None:
    """Words with a dark rim; middled on (x, y) unless `left`."""
    text = text.encode("ascii", "replace").decode()
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    at = (x, y) if left else (x - wide // 2, y + high // 2)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)
