"""The `companion` command; `python -m companion` is the same."""

from __future__ import annotations

import io
import os
import sys


def main() -> None:
    """Run the command line and exit: 0 on success, 1 on failure, 2 on wrong usage; one clear line for an error."""
    _open_streams()
    # OpenCV writes pages about a camera that is not there; this program says it in a line. A user's setting stays.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    from companion.cli.stopping import begin

    begin()
    from companion.cli.app import run

    sys.exit(run(sys.argv[1:]))


def _open_streams() -> None:
    """Make sure of the three standard streams, and that what is written is UTF-8 whatever the locale says.

    Where one was closed by whoever started the program, the next file to be opened (the journal) would get its number,
    and what is meant for a person would be written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest free number
        pass
    os.close(number)
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that is no UTF-8 becomes an escape, which JSON has, too.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    main()
