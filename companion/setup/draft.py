"""What people have chosen so far: checked choice by choice, and whole as the config that it will be.

A draft may lack anything, but what it has can be: a wrong choice is refused with what is wrong, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from companion.errors import CompanionError, InputError, error_words
from companion.games.game import Json, TableGame
from companion.games.registry import default_options, game_named, game_names
from companion.names import plain_name
from companion.texts import languages, text

LONGEST_NAME: Final = 60
LONGEST_DEVICE: Final = 300
PLAYER_COUNTS: Final[Mapping[str, tuple[int, ...]]] = {"infinity": (2,), "finity": (2, 3, 4)}
USUAL_PATTERN: Final = 8
"""Cones of a tower that nobody has told of yet."""
LONGEST_PATTERN: Final = 12
"""Cones in the box."""


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera by its device, with the size of its pictures in pixels."""

    device: str
    width: int = 1280
    height: int = 720


@dataclass(frozen=True, slots=True)
class Draft:
    """The choices, as the page shows them (`companion.setup`).

    Attributes:
        without_camera: somebody said that none looks on.
        options: house rules that differ from the defaults.
    """

    game: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    setup: Mapping[str, Json] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)
    camera: CameraChoice | None = None
    without_camera: bool = False
    board: str | None = None
    serial: Mapping[str, str] | None = None
    gpio: Mapping[str, Any] | None = None
    language: str = "en"

    def to_json(self) -> dict[str, Json]:
        return {
            "game": self.game,
            "names": dict(self.names),
            "setup": dict(self.setup),
            "options": dict(self.options),
            "camera": None if self.camera is None else asdict(self.camera),
            "without_camera": self.without_camera,
            "board": self.board,
            "serial": None if self.serial is None else dict(self.serial),
            "gpio": None if self.gpio is None else dict(self.gpio),
            "language": self.language,
        }

    @property
    def players(self) -> int | None:
        """How many play, where the game leaves a choice."""
        count = self.setup.get("players")
        return count if isinstance(count, int) else None


def choose_game(draft: Draft, game: str, players: object = None) -> Draft:
    """Another game, or another number of players; what the new one cannot have is dropped."""
    if game not in game_names():
        raise InputError(text("There is no such game; choose one of {games}.", games=", ".join(game_names())))
    counts = PLAYER_COUNTS[game]
    count = counts[0] if players is None else players
    if isinstance(count, bool) or count not in counts:
        raise InputError(text("So many cannot play; choose one of {counts}.", counts=", ".join(map(str, counts))))
    if game != draft.game:
        draft = replace(draft, names={}, setup={}, options={}, board=None)
    if len(counts) > 1 and draft.setup.get("players") != count:
        kept = {key: value for key, value in draft.setup.items() if key == "pattern"}
        draft = replace(draft, setup={"players": count, **kept})
    draft = replace(draft, game=game)
    known = provisional_game(draft).players
    return replace(draft, names={player: name for player, name in draft.names.items() if player in known})


def choose_camera(draft: Draft, device: object, size: tuple[object, object], known: Sequence[str]) -> Draft:
    """A camera of those that are there (`known`), or the one chosen before; None for none."""
    if device is None:
        return replace(draft, camera=None, without_camera=True)
    chosen = draft.camera.device if draft.camera else None
    if not isinstance(device, str) or len(device) > LONGEST_DEVICE or device not in (*known, chosen):
        raise InputError(text("There is no such camera here; plug it in, or choose one of the list."))
    width, height = (int(n) if isinstance(n, int) and not isinstance(n, bool) else 0 for n in size)
    if not (160 <= width <= 7680 and 120 <= height <= 4320):
        raise InputError(text("A camera's picture has 160 x 120 to 7680 x 4320 pixels; 1280 x 720 is usual."))
    return replace(draft, camera=CameraChoice(device, width, height), without_camera=False)


def choose_sensors(draft: Draft, serial: object, gpio: object, known: Sequence[Mapping[str, str]]) -> Draft:
    """The board's own sensors: a port of those that are there (`known`), or pins; None takes them away."""
    if serial is not None and gpio is not None:
        raise InputError(text("The sensors are read by a serial port or by pins, not by both."))
    if serial is not None and serial not in (*known, draft.serial):
        raise InputError(text("There is no such port here; plug the board in, or choose one of the list."))
    return replace(draft, serial=serial, gpio=_wiring(gpio))


def _wiring(gpio: object) -> Mapping[str, Any] | None:
    from firmware_bridge.errors import BridgeError
    from firmware_bridge.wiring import Wiring

    if gpio is None:
        return None
    if not isinstance(gpio, Mapping):
        raise InputError(text("Pins are given as in docs/configuration.md: knob_a, knob_b, entry, exit."))
    try:
        Wiring.parse(gpio)
    except BridgeError as error:
        raise InputError(error_words(error)) from error
    return gpio


def set_names(draft: Draft, names: Mapping[str, object]) -> Draft:
    """Names of players; an empty one takes a name away."""
    known = provisional_game(draft).players
    kept = dict(draft.names)
    for player, name in names.items():
        if player not in known:
            raise InputError(text("There is no such player; there are {players}.", players=", ".join(known)))
        if not isinstance(name, str) or len(name.strip()) > LONGEST_NAME or any(ord(letter) < 32 for letter in name):
            raise InputError(text("A name has up to {most} letters, in one line.", most=LONGEST_NAME))
        kept.pop(player, None)
        if plain := plain_name(name):
            kept[player] = plain
    return replace(draft, names={player: kept[player] for player in known if player in kept})


def set_rules(draft: Draft, options: Mapping[str, Json]) -> Draft:
    """House rules; those that are not named stay."""
    draft = replace(draft, options={**draft.options, **options})
    full = provisional_game(draft).options
    usual = default_options(_game(draft))
    # every option in force, so that 10 and 10.0, a list and a tuple are the same
    return replace(draft, options={key: value for key, value in full.items() if value != usual[key]})


def set_game(draft: Draft, args: Mapping[str, Json]) -> Draft:
    """The tower's pattern, and who starts where. How long a full path is follows from the pattern."""
    strangers = [key for key in args if key not in provisional_game(draft).setup]
    if strangers:
        raise InputError(text("{game} has no {what}.", game=_game(draft), what=", ".join(strangers)))
    draft = replace(draft, setup={key: value for key, value in {**draft.setup, **args}.items() if value is not None})
    pattern = draft.setup.get("pattern")
    if "pattern" in args and isinstance(pattern, str):
        return set_rules(draft, {"pattern_length": min(len(pattern), LONGEST_PATTERN + 1)})
    provisional_game(draft)
    return draft


def set_language(draft: Draft, language: str) -> Draft:
    """The language of texts and voice at this table."""
    if language not in languages():
        raise InputError(text("There are no texts in that language; there are {known}.", known=", ".join(languages())))
    return replace(draft, language=language)


def provisional_game(draft: Draft) -> TableGame[Any]:
    """The rules as far as they are chosen, with some pattern where it is not told yet.

    Raises:
        InputError: where no game is chosen, or what is chosen cannot be.
    """
    game = _game(draft)
    if len(PLAYER_COUNTS[game]) == 1:
        return game_named(game, draft.options, draft.setup)
    length = draft.options.get("pattern_length", USUAL_PATTERN)
    some = ("bw" * LONGEST_PATTERN)[: length if isinstance(length, int) else 0]
    return game_named(game, draft.options, {"pattern": some, **draft.setup})


def _game(draft: Draft) -> str:
    if draft.game is None:
        raise InputError(text("Choose the game first."))
    return draft.game


def parse_draft(data: object) -> Draft:
    """Read what `to_json` wrote.

    Raises:
        InputError: where it is not that.
    """
    if not isinstance(data, Mapping):
        raise InputError(text("it is no draft"))
    try:
        camera = data.get("camera")
        draft = Draft(
            _text_or_none(data.get("game")),
            setup=_mapping_or_none(data.get("setup")) or {},
            camera=camera and CameraChoice(str(camera["device"]), int(camera["width"]), int(camera["height"])),
            without_camera=data.get("without_camera") is True,
            board=_text_or_none(data.get("board")),
            serial=_mapping_or_none(data.get("serial")),
            gpio=_wiring(data.get("gpio")),
            language=str(data.get("language", "en"))[:10],
        )
        if draft.game is None:
            return draft
        draft = set_rules(draft, _mapping_or_none(data.get("options")) or {})
        return set_names(draft, _mapping_or_none(data.get("names")) or {})
    except (KeyError, TypeError, ValueError, CompanionError) as error:
        raise InputError(text("the draft is damaged ({why})", why=str(error))) from error


def _text_or_none(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _mapping_or_none(value: object) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, Mapping):
        raise TypeError("not an object")
    return value
