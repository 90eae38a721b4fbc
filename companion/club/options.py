"""What a club's program is told of broker and page: by a file, and by the command line, which has the last word."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.config import Config, MqttSection, PageSection, checked_config
from companion.errors import InputError, system_words
from companion.mqtt.settings import MqttSettings, mqtt_settings
from companion.texts import text

SECTIONS = ("mqtt", "page")


@dataclass(frozen=True, slots=True)
class ClubConfig:
    mqtt: MqttSection
    page: PageSection

    def settings(self) -> MqttSettings:
        """How the broker is reached.

        Raises:
            InputError: if the password's file cannot be used.
        """
        found = mqtt_settings(Config(mqtt=self.mqtt))
        assert found is not None
        return found


def default_store() -> Path:
    """Where results are kept when nobody says otherwise (`~/.local/share/companion/club.sqlite` on Linux)."""
    from platformdirs import user_data_path

    return user_data_path("companion") / "club.sqlite"


def read_options(path: Path | None, told: Mapping[str, Mapping[str, Any]]) -> ClubConfig:
    """Put file and command line together.

    Args:
        path: a file with the sections of `SECTIONS`; a table's config file will do, too.
        told: what the command line says, by section and key; None where it says nothing. Its paths count from here.
    Raises:
        InputError: naming what is wrong, and where.
    """
    read = {} if path is None else _read(path)
    sections: dict[str, dict[str, Any]] = {name: dict(read.get(name) or {}) for name in SECTIONS}
    for name, keys in told.items():
        given = {key: value for key, value in keys.items() if value is not None}
        sections[name] |= {key: value.absolute() if isinstance(value, Path) else value for key, value in given.items()}
    config = checked_config(sections, path or Path("command line"))
    assert config.mqtt is not None
    if not config.page.enabled:
        raise InputError(
            text("{path}: page.enabled is false, and a club's program has nothing but its page", path=str(path))
        )
    return ClubConfig(config.mqtt, config.page)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            text("{path}: {why}; write one as docs/club.md shows", path=str(path), why=system_words(error))
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(
            text("{path}: is no TOML in UTF-8 ({why}); docs/club.md shows the form", path=str(path), why=str(error))
        ) from error
    wrong = [name for name in SECTIONS if not isinstance(data.get(name, {}), dict)]
    if wrong:
        raise InputError(text("{path}: {wrong} must be a section, as [{wrong}]", path=str(path), wrong=wrong[0]))
    return data
