"""The draft of an unfinished set-up, damaged as a power cut damages files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.setup.draft import Draft
from companion.setup.kept import Kept


@pytest.mark.parametrize(
    "damage",
    [lambda text: b"", lambda text: text[:40], lambda text: b"\xff" * 9, lambda text: text.replace(b"{", b"[")],
)
def test_a_draft_that_cannot_be_read_is_kept_aside_and_the_set_up_begins_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[bytes], bytes]
) -> None:
    kept = Kept(tmp_path / "kept", tmp_path / "table.toml")
    kept.keep(Draft(), {})
    file = tmp_path / "kept" / "draft.json"
    file.write_bytes(bad := damage(file.read_bytes()))
    assert kept.read() is None
    kept.keep(Draft(), {})
    (aside,) = file.parent.glob("draft.json.damaged-*")
    assert aside.read_bytes() == bad
    assert aside.name in caplog.text
    assert kept.read() is not None
    kept.close()
