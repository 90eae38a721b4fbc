"""The `[voice]` section of the config."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import load_config
from companion.errors import InputError

TABLE = "[serial]\nport = '/dev/ttyACM0'\n"


def config_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE + text, encoding="utf-8")
    return path


def test_nobody_speaks_unless_asked(tmp_path: Path) -> None:
    assert not load_config(config_of(tmp_path, "")).voice.enabled


def test_what_is_said_and_how_can_be_chosen(tmp_path: Path) -> None:
    keys = ["enabled = true", 'language = "pl"', 'say = ["warnings", "questions"]', "words_per_minute = 120"]
    text = "\n".join(["[voice]", *keys, "volume = 40"])
    voice = load_config(config_of(tmp_path, text)).voice
    assert (voice.enabled, voice.language, voice.say) == (True, "pl", ("warnings", "questions"))
    assert (voice.words_per_minute, voice.volume) == (120, 40)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('language = "xx"', "voice.language: there is no language 'xx'; known: en, pl"),
        ('say = ["jokes"]', "voice.say"),
        ("volume = 300", "voice.volume"),
        ("loud = true", "unknown key voice.loud"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        load_config(config_of(tmp_path, f"[voice]\n{line}\n"))
    assert told in str(caught.value)
