"""The program of a table whose camera is at the other end of a socket: `python -m tests.node.watched CONFIG SOCKET`.

All is as `companion referee` has it, but for the driver: pictures come as JPEG, as a camera's, and are decoded by
OpenCV, as its own driver does.
"""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from companion.cli import app  # noqa: F401 - what the command line takes belongs to the program
from companion.cli.hosting import Hosted, host
from companion.config import Config, load_config
from companion.devices import Stand
from companion.service.memory import share_one_heap
from companion.setup.evening import Staged

LENGTH = struct.Struct(">I")
"""Before every picture: how many bytes it has."""


class FarCamera:
    """A capture of the camera behind the socket."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._pictures = self._socket.makefile("rb")

    def read(self) -> tuple[bool, Any]:
        import cv2
        import numpy as np

        head = self._pictures.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return False, None
        jpeg = self._pictures.read(LENGTH.unpack(head)[0])
        return True, cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    def release(self) -> None:
        self._socket.close()


def main(path: Path, camera: str) -> None:
    share_one_heap()
    config = load_config(path, {})
    stand = Stand(open_capture=lambda _: FarCamera(camera))

    def stage(config: Config, _: object) -> AbstractContextManager[Staged]:
        return nullcontext(Staged(config, stand))

    host(Hosted(path, config.page, config, stage=stage))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
