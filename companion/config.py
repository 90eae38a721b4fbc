"""The table's configuration: one TOML file, every key optional, every fault named with its key.

Secrets are never in the file: the broker's password comes from the environment (`COMPANION_MQTT_PASSWORD`) or from
a file of its own that only its owner may read (`password_file`).
"""

from __future__ import annotations

import os
import re
import socket
import stat
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from companion.errors import CompanionError, InputError, error_words, system_words
from companion.names import plain_name
from companion.texts import Said, joined, noted, remade, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.game import Json, TableGame

PASSWORD_VARIABLE = "COMPANION_MQTT_PASSWORD"

PYDANTIC_SAYS = (
    noted("input should be a valid integer"),
    noted("input should be a valid integer, unable to parse string as an integer"),
    noted("input should be a valid number"),
    noted("input should be a valid string"),
    noted("input should be a valid boolean"),
    noted("input should be a valid boolean, unable to interpret input"),
    noted("input should be a valid tuple"),
    noted("input should be a valid dictionary"),
    noted("input should be a valid dictionary or instance of {class_name}"),
    noted("input is not a valid path"),
    noted("input should be greater than or equal to {ge}"),
    noted("input should be less than or equal to {le}"),
    noted("input should be {expected}"),
    noted("string should match pattern '{pattern}'"),
    noted("string should have at least {min_length} character"),
    noted("string should have at most {max_length} characters"),
)
"""What pydantic says of a value that is of a wrong kind or too large, small or long; from a small letter on."""

Port = Annotated[int, Field(ge=1, le=65535)]


def _known_language(language: str) -> str:
    from companion.texts import languages

    if language not in languages():
        raise ValueError(
            text(
                "there is no language {language}; known: {known}", language=repr(language), known=", ".join(languages())
            )
        )
    return language


Language = Annotated[str, AfterValidator(_known_language)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


SETUP = ("players", "pattern", "posts")
"""What a game of Finity is told beside its rules: how many play, the tower's cones bottom to top, who starts where."""


class TableSection(_Section):
    """Which game is played and how it is set up, and what this table is called on the page and on MQTT."""

    game: str = "infinity"
    name: str = Field(default="table", min_length=1, max_length=60)
    node: str = Field(default_factory=lambda: socket.gethostname() or "companion", min_length=1, max_length=60)
    players: int | None = None
    pattern: str | None = None
    posts: dict[str, str] | None = None
    language: Language = "en"

    @property
    def setup(self) -> dict[str, Json]:
        """What the game is told, as `game_named` takes it; what is not given is left out."""
        return {key: value for key in SETUP if (value := getattr(self, key)) is not None}


class CameraSection(_Section):
    """A USB camera, by a path that survives replugging (`/dev/v4l/by-id/…`) or a number, and its calibration."""

    device: str | int
    calibration: Path
    width: int = Field(default=1280, ge=160, le=7680)
    height: int = Field(default=720, ge=120, le=4320)


class SerialSection(_Section):
    """The board's microcontroller: a path (`/dev/serial/by-id/…`) or its USB serial number."""

    port: str | None = None
    usb_serial: str | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> SerialSection:
        if (self.port is None) == (self.usb_serial is None):
            raise ValueError(text("give either port or usb_serial"))
        return self


class MqttSection(_Section):
    """The broker. Without this section there is no MQTT."""

    host: str = Field(default="localhost", min_length=1)
    port: Port = 1883
    base: str = Field(default="companion", pattern=r"^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$")
    username: str | None = None
    password_file: Path | None = None
    tls: bool = False
    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None
    websockets: bool = False
    websocket_path: str = Field(default="/mqtt", pattern=r"^/")
    commands: bool | None = None
    home_assistant: str = Field(default="homeassistant", pattern=r"^([A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*)?$")
    keepalive_s: int = Field(default=30, ge=5, le=3600)
    mqtt5: bool = True

    @field_validator("host")
    @classmethod
    def _machine_alone(cls, host: str) -> str:
        if re.fullmatch(r"(?:[^:]*|\[.*\]):\d*", host):
            raise ValueError(
                text("{host} has a port in it; name that as port, on a command line with --port", host=repr(host))
            )
        return host

    @property
    def takes_commands(self) -> bool:
        """Whether the table may be commanded from there: where nothing is said, only by brokers that want a login."""
        logs_in = self.username is not None or self.cert_file is not None
        return logs_in if self.commands is None else self.commands


class PageSection(_Section):
    """The page, bound to this machine alone unless told otherwise."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int = Field(default=8420, ge=0, le=65535)
    hosts: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    token_file: Path | None = None

    @field_validator("hosts")
    @classmethod
    def _bare_names(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        for name in hosts:
            if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", name):
                raise ValueError(
                    text("{name} is no name of a machine; write it without http:// and port", name=repr(name))
                )
        return hosts

    @field_validator("frames")
    @classmethod
    def _origins(cls, frames: tuple[str, ...]) -> tuple[str, ...]:
        for origin in frames:
            if not re.fullmatch(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?", origin):
                raise ValueError(
                    text("{origin} is no site; write it as https://homeassistant.local:8123", origin=repr(origin))
                )
        return frames


class VoiceSection(_Section):
    """What is said aloud by espeak-ng on this machine; off unless it is asked for."""

    enabled: bool = False
    language: Language | None = None
    say: tuple[Literal["moves", "scores", "warnings", "questions", "results"], ...] = (
        "moves",
        "scores",
        "warnings",
        "questions",
        "results",
    )
    words_per_minute: int = Field(default=160, ge=80, le=450)
    volume: int = Field(default=100, ge=0, le=200)


class JournalSection(_Section):
    """Where the record of all games is kept; by default in the user's data folder."""

    path: Path | None = None


class Config(_Section):
    table: TableSection = TableSection()
    players: dict[str, str] = Field(default_factory=dict)
    rules: dict[str, str | int | float | bool] = Field(default_factory=dict)
    camera: CameraSection | None = None
    serial: SerialSection | None = None
    gpio: dict[str, Any] | None = None
    mqtt: MqttSection | None = None
    page: PageSection = PageSection()
    voice: VoiceSection = VoiceSection()
    journal: JournalSection = JournalSection()

    @field_validator("players")
    @classmethod
    def _short_names(cls, names: dict[str, str]) -> dict[str, str]:
        plain = {player: plain_name(name) for player, name in names.items()}
        for player, name in plain.items():
            if not name or len(name) > 60:
                raise ValueError(text("the name of {player} must have 1 to 60 characters", player=player))
        return plain

    @property
    def options(self) -> dict[str, Any]:
        """The house rules, with the knob's direction where only the wiring says it."""
        wired = {} if self.gpio is None else {k: v for k, v in self.gpio.items() if k == "blue_knob"}
        return {**wired, **self.rules}

    @property
    def by_hand(self) -> bool:
        """Whether no device sees anything, and all moves are entered on the page."""
        return self.camera is None and self.serial is None and self.gpio is None

    def make_game(self) -> TableGame[Any]:
        """The rules of the game that is played, as it is set up.

        Raises:
            InputError: where rules or set-up cannot be.
        """
        from companion.games.registry import game_named

        return game_named(self.table.game, self.options, self.table.setup)


def load_config(path: Path, setup: Mapping[str, Json] | None = None) -> Config:
    """Read a config file; paths in it count from its own folder.

    Args:
        setup: what stands in place of `players`, `pattern` and `posts` in the file's `[table]`.
    Raises:
        InputError: naming the file and every key that is wrong.
    """
    try:
        written = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            text("{path}: {why}; write one as docs/configuration.md shows", path=str(path), why=system_words(error))
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            text("{path}: no text in UTF-8 (byte {start}); is this the config file?", path=str(path), start=error.start)
        ) from error
    try:
        data = tomllib.loads(written)
    except (ValueError, RecursionError) as error:  # also for numbers and brackets without an end
        raise InputError(
            text("{path}: is no TOML: {why}; docs/configuration.md shows the form", path=str(path), why=str(error))
        ) from error
    if setup and isinstance(table := data.setdefault("table", {}), dict):
        table.update(setup)
    return checked_config(data, path)


def checked_config(data: Mapping[str, Any], path: Path) -> Config:
    """What a config file has, checked; paths in it count from the file's folder.

    Raises:
        InputError: naming the file and every key that is wrong.
    """
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        raise InputError(
            text("{path}: {why}", path=str(path), why=joined(map(_fault, error.errors()), "; "))
        ) from error
    faults = _cannot_be(config)
    if faults:
        raise InputError(text("{path}: {why}", path=str(path), why=joined(faults, "; ")))
    return _paths_from(config, path.resolve().parent)


def default_config() -> Path:
    """The config that is used where none is named (`~/.config/companion/table.toml` on Linux)."""
    from platformdirs import user_config_path

    return user_config_path("companion") / "table.toml"


def _cannot_be(config: Config) -> list[str]:
    """What every key allows and yet no table can be, with the section where it stands."""
    from companion.games.registry import game_names
    from firmware_bridge.errors import BridgeError
    from firmware_bridge.wiring import Wiring

    faults = []
    if config.table.game not in game_names():
        return [
            text(
                "table.game: there is no game {game}; known: {known}",
                game=repr(config.table.game),
                known=", ".join(game_names()),
            )
        ]
    setup = config.table.setup
    try:
        game = config.make_game()
    except CompanionError as error:
        faults.append(_game_fault(error_words(error)))
    else:
        players = game.players
        strangers = [player for player in config.players if player not in players]
        faults += [
            text("players: there is no player {name}; known: {players}", name=repr(name), players=", ".join(players))
            for name in strangers
        ]
        faults += [
            text("table.{key}: {name} has none", key=key, name=game.name) for key in setup if key not in game.setup
        ]
    try:
        if config.gpio is not None:
            Wiring.parse(config.gpio)
    except BridgeError as error:
        faults.append(text("gpio: {why}", why=error_words(error)))
    if config.by_hand and not config.page.enabled:
        faults.append(
            text(
                "names no camera, no serial board and no pins, and its page is off, where moves "
                "could be entered by hand: add [camera], [serial] or [gpio] (docs/configuration.md), "
                "or try `companion demo`"
            )
        )
    return faults


def _game_fault(message: str) -> str:
    """What the rules say of options or set-up, with the section where it stands."""
    if not message.startswith(SETUP):
        return text("rules: {why}", why=message)
    if message.startswith("pattern is missing"):
        return text("table: {why} (set it there, or give --pattern)", why=message)
    return text("table: {why}", why=message)


def _fault(fault: Mapping[str, Any]) -> str:
    key = ".".join(str(part) for part in fault["loc"]) or text("the file")
    if fault["type"] == "extra_forbidden":
        return _unknown(key, fault["loc"])
    if fault["type"] == "missing":
        return text("{key} is missing", key=key)
    return text("{key}: {why}", key=key, why=_value_fault(fault))


def _value_fault(fault: Mapping[str, Any]) -> str:
    """What a value should be: our own words, or pydantic's, which are translated where they are known."""
    known = fault.get("ctx", {})
    if fault["type"] == "value_error":
        return error_words(known["error"])
    said = str(fault["msg"])[:1].lower() + str(fault["msg"])[1:]
    for message in PYDANTIC_SAYS:
        with suppress(KeyError, ValueError):
            if message.format_map(known) == said:
                return remade(Said(message, known))
    return said


def _unknown(key: str, location: tuple[str | int, ...]) -> str:
    """An unknown key, with the known one that it resembles."""
    from difflib import get_close_matches

    model: type[BaseModel] = Config
    for part in location[:-1]:
        annotation = model.model_fields[str(part)].annotation
        candidates = [annotation, *getattr(annotation, "__args__", ())]
        model = next(c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel))
    close = get_close_matches(str(location[-1]), model.model_fields, n=1)
    if close:
        return text("unknown key {key} (did you mean {close}?)", key=key, close=close[0])
    return text("unknown key {key} (known: {known})", key=key, known=", ".join(model.model_fields))


def _paths_from(config: Config, folder: Path) -> Config:
    """Make relative paths absolute, so that the program may be started from any folder."""

    def placed(section: _Section | None) -> _Section | None:
        if section is None:
            return None
        moved = {k: folder / v.expanduser() for k, v in section if isinstance(v, Path)}
        return section.model_copy(update=moved)

    return config.model_copy(update={k: placed(getattr(config, k)) for k in ("camera", "mqtt", "page", "journal")})


def mqtt_password(section: MqttSection) -> str | None:
    """The broker's password from the environment or its file; None where neither is given.

    Raises:
        InputError: if the file cannot be read, or others than its owner may read it.
    """
    if section.password_file is None:
        return os.environ.get(PASSWORD_VARIABLE)
    path = section.password_file
    try:
        mode = path.stat().st_mode
        if mode & (stat.S_IRGRP | stat.S_IROTH):
            raise InputError(text("{path}: others can read this password; run: chmod 600 {path}", path=str(path)))
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise InputError(
            text("{path}: {why}; it should hold the MQTT broker's password", path=str(path), why=system_words(error))
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            text("{path}: no text in UTF-8; it should hold the MQTT broker's password", path=str(path))
        ) from error
