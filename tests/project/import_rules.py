"""Who may import whom: the table of ARCHITECTURE.md as data, and the reader that finds forbidden arrows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

OURS = ("calibration", "vision", "firmware_bridge", "companion", "hw_sim", "tests")
PIXELS_AND_BYTES = ("cv2", "numpy", "scipy", "serial", "gpiozero", "cobs", "lgpio")
IMPURE = (
    "time",
    "datetime",
    "threading",
    "logging",
    "random",
    "secrets",
    "os",
    "pathlib",
    "socket",
    "subprocess",
    "asyncio",
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What the modules of one folder may know.

    Attributes:
        folder: dotted; the longest folder that a module lies in is the one that counts.
        ours: the packages of this project that it may import (always itself, too).
        never: other modules that it must not import.
    """

    folder: str
    ours: tuple[str, ...] = ()
    never: tuple[str, ...] = field(default=())


RULES = (
    Rule("calibration", never=("serial", "gpiozero", "paho")),
    Rule("vision", ours=("calibration",), never=("serial", "gpiozero", "paho")),
    Rule("vision.reading", never=PIXELS_AND_BYTES),
    Rule("firmware_bridge", ours=("calibration.sentences",), never=("cv2", "paho")),
    Rule("firmware_bridge.readings", never=PIXELS_AND_BYTES),
    Rule("companion", ours=("calibration", "vision", "firmware_bridge"), never=(*PIXELS_AND_BYTES, "companion.cli")),
    Rule("companion.games", ours=("companion.errors", "companion.texts"), never=(*PIXELS_AND_BYTES, *IMPURE)),
    Rule(
        "companion.reconciler",
        ours=(
            "companion.games",
            "companion.evidence",
            "companion.errors",
            "companion.texts",
            "vision.reading",
            "firmware_bridge.readings",
        ),
        never=(*PIXELS_AND_BYTES, *IMPURE),
    ),
    Rule("companion.__main__", ours=("companion.cli",)),
    Rule(
        "companion.cli",
        ours=("companion", "calibration", "vision", "firmware_bridge", "hw_sim"),
        never=PIXELS_AND_BYTES,
    ),
    Rule(
        "hw_sim",
        ours=("calibration", "firmware_bridge", "companion.games", "companion.errors", "companion.texts"),
        never=("paho",),
    ),
)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An import that a rule forbids."""

    file: str
    line: int
    imported: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.imported}"


def forbidden_arrows(root: Path) -> list[Arrow]:
    """Every import below `root` that the table forbids, wherever in a file it stands."""
    return [
        Arrow(str(path.relative_to(root)), line, imported)
        for package in OURS[:-1]
        for path in sorted((root / package).rglob("*.py"))
        for line, imported in _imports(path, root)
        if not _allowed(_module(path, root), imported)
    ]


def _module(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    package = path.parent.relative_to(root).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*above, *([node.module] if node.module else [])))
            for name in node.names:
                yield node.lineno, f"{base}.{name.name}"


def _below(module: str, folder: str) -> bool:
    return module == folder or module.startswith(folder + ".")


def _allowed(module: str, imported: str) -> bool:
    rule = max((r for r in RULES if _below(module, r.folder)), key=lambda r: len(r.folder))
    if any(_below(imported, name) for name in rule.never):
        return False
    if imported.split(".", maxsplit=1)[0] not in OURS:
        return True
    if any(_below(imported, name) for name in (rule.folder, *rule.ours)):
        return True
    return imported == "companion.__version__"
