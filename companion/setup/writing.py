"""The files in the end: config and calibration, written whole or not at all.

The calibration gets a name of its own by what is in it and is written first; then the config that names it takes the
place of the old one in one step. Whatever happens in between, the old config goes on meaning what it meant.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config import SETUP, Config, checked_config
from companion.errors import InputError, error_words, system_words
from companion.setup.draft import CameraChoice, Draft, choose_game, set_names, set_rules
from companion.texts import text

if TYPE_CHECKING:
    from calibration.file import Calibration

OURS = ("players", "rules", "camera", "serial", "gpio")
"""Sections that the set-up writes; the others stay as they are."""


def config_data(draft: Draft, calibration: str | None, existing: Mapping[str, Any]) -> dict[str, Any]:
    """The config that a draft asks for.

    Args:
        calibration: its file; None without a camera.
        existing: the config as it was; what the set-up knows nothing of is kept.
    """
    old = existing.get("table")
    table = {key: value for key, value in (old if isinstance(old, Mapping) else {}).items() if key not in SETUP}
    data = {key: value for key, value in existing.items() if key not in (*OURS, "table")}
    if draft.language != table.get("language", "en"):
        table["language"] = draft.language
    data = {"table": {**table, "game": draft.game, **draft.setup}, **data}
    if draft.names:
        data["players"] = dict(draft.names)
    if draft.options:
        data["rules"] = {key: value for key, value in draft.options.items() if value is not None}
    if draft.camera is not None and calibration is not None:
        camera = draft.camera
        kept = existing.get("camera")
        data["camera"] = {
            **(kept if isinstance(kept, Mapping) else {}),
            "device": int(camera.device) if camera.device.isdigit() else camera.device,
            "width": camera.width,
            "height": camera.height,
            "calibration": calibration,
        }
    for name in ("serial", "gpio"):
        section = getattr(draft, name)
        if section is not None:
            data[name] = dict(section)
    return data


def draft_of(config: Config) -> Draft:
    """The draft that a config came from.

    Raises:
        InputError: where its game cannot be.
    """
    table, camera, serial = config.table, config.camera, config.serial
    draft = choose_game(Draft(), table.game, table.players)
    draft = Draft(
        draft.game,
        setup={**draft.setup, **table.setup},
        camera=None if camera is None else CameraChoice(str(camera.device), camera.width, camera.height),
        without_camera=camera is None,
        serial=None if serial is None else {key: value for key, value in serial if value is not None},
        gpio=config.gpio,
        language=table.language,
    )
    return set_names(set_rules(draft, config.options), config.players)


def read_existing(path: Path) -> dict[str, Any]:
    """A config file as it stands; {} where there is none.

    Raises:
        InputError: where it is there and cannot be read.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(text("{path}: cannot be read: {why}", path=str(path), why=system_words(error))) from error
    except (ValueError, RecursionError) as error:
        raise InputError(text("{path}: is no config: {why}", path=str(path), why=str(error))) from error


def write_table(path: Path, draft: Draft, calibration: Calibration | None, existing: Mapping[str, Any]) -> Config:
    """Write config and calibration; returns the config as it is read back.

    An old config that says something else is kept beside it as `.bak`.

    Raises:
        InputError: where they cannot be written, or what they would say cannot be. Then nothing has changed.
    """
    import tomli_w

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        name = None if calibration is None else _keep_calibration(path.parent, calibration)
        data = config_data(draft, name, existing)
        config = checked_config(data, path)
        new = tomli_w.dumps(data).encode()
        old = path.read_bytes() if path.exists() else None
        if old is not None and old != new:
            write_whole(path.with_name(f"{path.name}.bak"), old)
        if old != new:
            write_whole(path, new)
    except OSError as error:
        raise InputError(
            text(
                "{path} cannot be written: {why}. Make room or make the folder writable, then save again.",
                path=str(error.filename or path),
                why=system_words(error),
            )
        ) from error
    return config


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step: a crash leaves the old one or the new one, never half of one.

    Raises:
        OSError: where it cannot be written.
    """
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _keep_calibration(folder: Path, calibration: Calibration) -> str:
    """Write a calibration under a name that no other one has; returns it."""
    from calibration.errors import CalibrationError
    from calibration.file import save

    with tempfile.TemporaryDirectory(dir=folder, prefix=".calibration.") as scratch:
        part = Path(scratch) / "calibration.json"
        try:
            save(calibration, part)
        except CalibrationError as error:
            raise OSError(getattr(error.__context__, "errno", None) or 0, _why(error), str(folder)) from error
        digest = hashlib.sha256(part.read_bytes()).hexdigest()[:8]
        name = f"calibration-{calibration.game}-{digest}.json"
        part.replace(folder / name)
    return name


def _why(error: BaseException) -> str:
    cause = error.__context__
    return system_words(cause) if isinstance(cause, OSError) else error_words(error)
