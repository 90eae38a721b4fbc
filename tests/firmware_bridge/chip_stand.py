"""The firmware's tools and files for tests: what is missing is a skip on a user's machine and a failure in CI."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from firmware_bridge.link import Link, Received
from hw_sim.chip.build import ChipFiles, chip_files, missing_tools
from hw_sim.chip.sim_chip import Sent
from tests.shared_material import absent

FIRMWARE = Path(__file__).parents[2] / "firmware_bridge" / "firmware"


@cache
def built_chip() -> ChipFiles:
    """The firmware and its simulator, built once a run."""
    reason = missing_tools()
    if reason is not None:
        absent(reason)
    return chip_files()


def frames(sent: list[Sent]) -> list[Received]:
    """What the bytes of a chip say."""
    return Link().receive_bytes(b"".join(each.data for each in sent))
