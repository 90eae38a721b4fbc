"""The `companion` command; `python -m companion` is the same."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and exit: 0 on success, 1 on failure, 2 on wrong usage; one clear line for an error."""
    from companion.cli.app import run

    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


if __name__ == "__main__":
    main()
