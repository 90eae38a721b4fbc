"""Model and firmware asked the same: the same answers in the same order, among noise, too."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from firmware_bridge.link import Link, Received
from firmware_bridge.protocol import (
    END,
    Ack,
    Frame,
    GetHello,
    Hello,
    Identify,
    Nack,
    SetReporting,
    SetZero,
    State,
    UnknownFrame,
    encode,
)
from hw_sim.chip.sim_chip import BoardSettings, SimChip
from hw_sim.firmware import SimFirmware
from hw_sim.serial_line import NOISE
from hw_sim.wires import TABLE_WIRING
from tests.firmware_bridge.chip_stand import built_chip

Asked = list[tuple[float, bytes]]
NAME = "12-A7"
EVERY_S = 0.05
"""The firmware answers one command a millisecond; bytes of a command take less than one."""


def questions(seed: int) -> Asked:
    rng = random.Random(f"questions {seed}")
    asked = []
    for number in range(40):
        command: Frame = rng.choice(
            (
                GetHello(number),
                SetZero(number),
                SetReporting(rng.choice((0, 49, 50, 100, 250, 1000, 1001, 65535)), number),
                Identify(rng.randrange(256), number),
                UnknownFrame(rng.choice((0x10, 0x7F, 0x80, 0x85, 0xFF)), rng.randbytes(rng.randint(0, 12)), number),
                UnknownFrame(0x82, b"of a later version", number),
                State(1, 2, 3, seq=number),
            )
        )
        data = encode(command)
        luck = rng.random()
        if luck < 0.2:
            data = rng.choice(NOISE) + data
        elif luck < 0.3:
            at = rng.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        elif luck < 0.4:
            data = data[: rng.randrange(len(data))]
        asked.append((0.2 + EVERY_S * number, data))
    return asked


def said_by_model(asked: Asked) -> list[Received]:
    model = SimFirmware(TABLE_WIRING, random.Random(0), serial_number=NAME)
    said = model.tick(0.0)
    for t_s, data in (*asked, (asked[-1][0] + EVERY_S, b"")):
        while model.due_s < t_s:
            said += model.tick(model.due_s)
        said += model.receive_bytes(t_s, data)
    assert said.startswith(END)
    return Link().receive_bytes(said)


def said_by_chip(asked: Asked) -> list[Received]:
    said = b""
    with SimChip(settings=BoardSettings(NAME), files=built_chip()) as chip:
        for t_s, data in asked:
            said += b"".join(sent.data for sent in chip.run_until(t_s))
            chip.write(data)
        said += b"".join(sent.data for sent in chip.run_until(asked[-1][0] + EVERY_S))
    assert said.startswith(END)
    return Link().receive_bytes(said)


def answers(said: list[Received]) -> list[Received]:
    """Without what may differ: STATEs and when they come in between, and the boot id."""
    plain: list[Received] = []
    for item in said:
        if isinstance(item, Hello):
            plain.append(replace(item, boot_id=0, seq=0))
        elif not isinstance(item, State):
            plain.append(replace(item, seq=0) if isinstance(item, Ack | Nack) else item)
    return plain


def check(seed: int) -> None:
    asked = questions(seed)
    model, chip = said_by_model(asked), said_by_chip(asked)
    assert answers(model) == answers(chip)
    assert zeroings(model) == zeroings(chip)


def zeroings(said: list[Received]) -> int:
    return [item for item in said if isinstance(item, State)][-1].zeroings


@pytest.mark.parametrize("seed", range(6))
def test_the_same_questions_get_the_same_answers(seed: int) -> None:
    check(seed)


@pytest.mark.long
def test_three_hundred_rows_of_questions() -> None:
    for seed in range(6, 306):
        check(seed)
