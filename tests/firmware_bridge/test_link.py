"""The link: any chunking, any loss, and on its feet again at the next frame. S01, S02, S03, S06, S07, S13."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.link import MAX_BLOCK, Link, Received, VersionMismatch
from firmware_bridge.protocol import (
    Capability,
    Frame,
    Garbled,
    GetHello,
    Hello,
    SetZero,
    State,
    UnknownFrame,
    encode,
)


def state(number: int) -> State:
    return State(boot_id=7, uptime_ms=250 * number, knob=number, passages=(number % 256,) * 8, seq=number % 256)


def sound(received: list[Received]) -> list[Received]:
    return [item for item in received if not isinstance(item, Garbled)]


def in_chunks(link: Link, data: bytes, sizes: list[int]) -> list[Received]:
    received: list[Received] = []
    while data:
        size = sizes.pop(0) if sizes else len(data)
        received += link.receive_bytes(data[:size])
        data = data[size:]
    return received


@given(st.lists(st.integers(1, 70), max_size=40))
def test_any_chunking_gives_the_same(sizes: list[int]) -> None:
    sent = [state(number) for number in range(12)]
    data = b"".join(map(encode, sent))
    assert in_chunks(Link(), data, sizes) == sent


def test_one_byte_at_a_time() -> None:
    sent = [state(number) for number in range(5)]
    assert in_chunks(Link(), b"".join(map(encode, sent)), [1] * 1000) == sent


def damaged(data: bytes, rng: random.Random) -> bytes:
    """A hundred bytes in ten thousand each lost, flipped or doubled, and now and then a longer cut."""
    out = bytearray()
    skip = 0
    for byte in data:
        luck = rng.random()
        if skip:
            skip -= 1
        elif luck < 0.002:
            skip = rng.randint(1, 40)
        elif luck < 0.012:
            continue
        elif luck < 0.022:
            out.append(byte ^ 1 << rng.randrange(8))
        elif luck < 0.032:
            out += bytes((byte, byte))
        else:
            out.append(byte)
    return bytes(out)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.lists(st.integers(1, 90), max_size=60))
def test_loss_never_invents_a_frame_and_never_stalls(seed: int, sizes: list[int]) -> None:
    rng = random.Random(seed)
    sent = [state(number) for number in range(60)]
    link = Link()
    received = in_chunks(link, damaged(b"".join(map(encode, sent)), rng), sizes)
    assert set(sound(received)) <= set(sent)
    # the wire is clean again: at most the first frame is still part of the damage
    after = [state(number) for number in range(100, 103)]
    assert sound(link.receive_bytes(b"".join(map(encode, after)))) == after
    assert link.garbled == len(received) - len(sound(received))


@pytest.mark.long
def test_loss_campaign() -> None:
    sent = [state(number) for number in range(200)]
    data = b"".join(map(encode, sent))
    kept = 0
    for seed in range(300):
        received = sound(Link().receive_bytes(damaged(data, random.Random(seed))))
        assert set(received) <= set(sent)
        kept += len(received)
    assert kept > 0.25 * 300 * 200, "at three damaged bytes in a hundred, a third of all frames has none"


def test_s01_a_cut_frame_before_a_whole_one() -> None:
    link = Link()
    received = link.receive_bytes(encode(state(1))[:7] + encode(state(2)))
    assert sound(received) == [state(2)]
    assert link.garbled == 1


def test_s02_a_run_of_junk_does_not_hold_back_what_follows() -> None:
    link = Link()
    junk = b"\xff" * 5000
    sent = [state(number) for number in range(3)]
    received = link.receive_bytes(junk + b"".join(map(encode, sent)))
    assert sound(received) == sent
    assert link.garbled > 0


def test_s03_an_end_is_never_taken_for_a_start() -> None:
    link = Link()
    corrupt = bytearray(encode(state(1))[:-1])
    corrupt[9] ^= 0x40
    received = link.receive_bytes(b"\x00" + bytes(corrupt) + b"\x00\x00" + encode(state(2)) + b"\x00")
    assert [type(item) for item in received] == [Garbled, State]
    assert received[1] == state(2)


def test_s06_half_a_frame_is_nothing_yet() -> None:
    link = Link()
    whole = encode(state(1)) + encode(state(2))
    assert link.receive_bytes(whole[:40]) == [state(1)]
    assert link.receive_bytes(b"") == []
    assert link.receive_bytes(whole[40:]) == [state(2)]


def test_s07_bytes_without_an_end_are_cut_and_counted() -> None:
    link = Link()
    for _ in range(10 * MAX_BLOCK):
        link.receive_bytes(b"x")
        assert len(link._pending) <= MAX_BLOCK
    assert link.garbled >= 9


def test_s13_a_modem_manager_is_passed_over() -> None:
    link = Link()
    received: list[Received] = []
    for number in range(20):
        received += link.receive_bytes(b"AT\r" * (number % 3) + encode(state(number)))
    assert sound(received) == [state(number) for number in range(20)]


def test_lost_frames_are_counted() -> None:
    link = Link()
    for number in (1, 2, 5, 255, 256, 258):
        link.receive_bytes(encode(state(number)))
    assert link.lost == 2 + 249 + 0 + 1


def hello(major: int) -> Hello:
    return Hello(boot_id=1, serial_number="x", firmware=(1, 0, 0), capabilities=Capability(1), major=major)


def test_another_major_version_is_a_value_and_silences_the_rest() -> None:
    link = Link()
    received = link.receive_bytes(encode(hello(2)) + encode(state(1)))
    assert len(received) == 1
    assert isinstance(received[0], VersionMismatch)
    assert "update the program" in received[0].detail
    assert link.receive_bytes(encode(hello(1)) + encode(state(2))) == [hello(1), state(2)], "until it speaks ours"


def test_an_older_major_version_asks_for_new_firmware() -> None:
    (mismatch,) = Link().receive_bytes(encode(hello(0)))
    assert isinstance(mismatch, VersionMismatch)
    assert "firmware" in mismatch.detail


def test_commands_are_numbered_and_fetched_once() -> None:
    host, board = Link(), Link()
    assert [host.send(GetHello()), host.send(SetZero())] == [0, 1]
    expected: list[Frame] = [GetHello(seq=0), SetZero(seq=1)]
    assert board.receive_bytes(host.bytes_to_send()) == expected
    assert host.bytes_to_send() == b""


def test_reset_forgets_half_a_frame() -> None:
    link = Link()
    link.receive_bytes(encode(state(1))[:20])
    link.reset()
    assert link.receive_bytes(encode(state(2))) == [state(2)]
    assert link.garbled == 0


def test_an_unknown_type_is_handed_on() -> None:
    frame = UnknownFrame(0x20, b"new", 3)
    assert Link().receive_bytes(encode(frame)) == [frame]
