"""Looks through cameras for a moment, as a process of its own: `python -m vision.probe < asked.json`.

A driver that hangs or crashes takes this process with it and no other. It is asked with a JSON list of
`{"source", "width", "height"}` and answers in lines of JSON, each as soon as it is known: OpenCV's version, then for
each camera its size or why it gives no picture.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import cv2

from calibration.sentences import Sentence, error_sentence
from vision.camera import CameraSettings, OpenCapture, open_video
from vision.errors import CameraError

LOOK_S = 4.0
"""How long cameras are waited for, all together: the first picture of a slow one on USB takes over two seconds."""


def look(settings: CameraSettings, open_capture: OpenCapture = open_video) -> dict[str, Any]:
    """The size in pixels of the first picture that a camera gives, or its fault."""
    try:
        capture = open_capture(settings)
    except CameraError as error:
        return {"camera": settings.source, "fault": error_sentence(error)}
    try:
        good, image = capture.read()
    finally:
        capture.release()
    if not good or image is None:
        return {
            "camera": settings.source,
            "fault": Sentence("camera {camera} opens, but gives no picture", camera=settings.source),
        }
    height, width = image.shape[:2]
    return {"camera": settings.source, "size": [width, height]}


def main() -> None:
    asked = json.load(sys.stdin)
    lock = threading.Lock()

    def tell(answer: Mapping[str, Any]) -> None:
        with lock:
            print(json.dumps(answer), flush=True)

    tell({"opencv": cv2.__version__})
    looks = [threading.Thread(target=_look_and_tell, args=(settings, tell), daemon=True) for settings in asked]
    until_s = time.monotonic() + LOOK_S
    for thread in looks:
        thread.start()
    for thread in looks:
        thread.join(max(0.0, until_s - time.monotonic()))
    sys.stdout.flush()
    os._exit(0)  # a driver that hangs would keep an ordinary end waiting


def _look_and_tell(asked: Mapping[str, Any], tell: Callable[[Mapping[str, Any]], None]) -> None:
    answer = look(CameraSettings(asked["source"], asked["width"], asked["height"]))
    fault = answer.get("fault")
    if isinstance(fault, Sentence):  # whoever asked says it in other languages
        answer |= {"pattern": fault.pattern, "values": dict(fault.values)}
    tell(answer)


if __name__ == "__main__":
    main()
