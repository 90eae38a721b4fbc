"""Everything that can go wrong at a simulated table. All faults are off by default, and all are seeded."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields


def stream(seed: int | str, purpose: str) -> random.Random:
    """A source of chance of its own for each purpose, so that one fault switched on leaves the others as they were."""
    return random.Random(f"{seed}/{purpose}")


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong, and how often. Shares are probabilities (0 to 1), rates are times a minute.

    Sight:
        misread: share of places that a picture misreads; most are told as unsure, some as sure.
        glare_rate: glare that lies on one place for some seconds and favours a wrong label there, never surely.
        lost_frames: share of pictures that never arrive.
        exposure_rate: the camera's automatics change the brightness or the white balance.
    People:
        hands_rate: a hand comes and rests over the board without doing anything.
        things_rate: somebody puts a mug, a pen, a card, a sleeve or a phone over the board for a while.
        bump_rate: the board is bumped by some millimetres and degrees.
        hold_rate: a piece is held over a place and taken back, or lifted and put back.
        nudge_rate: a piece is pushed by some millimetres or turned by some degrees (Finity).
        topple_rate: a post is knocked over and put up again (Finity).
    Wires:
        bounce_ms: contacts bounce for up to so long after every edge.
        rolls_back: share of marbles that roll back into the beam that they just passed, within a third of a second.
        missed_beam: share of marbles that a beam does not see at all.
        lost_knob_edge: share of the knob's edges that nobody sees.
    Serial line:
        lost_byte, flipped_bit: shares of bytes.
        cut_frame: share of writes of which only a first part arrives.
        garbage: share of writes before which somebody else's bytes arrive (ModemManager's AT, line noise).
        trickle: share of writes of which the bytes arrive one by one, 0.1 s apart.
        silence_rate: the firmware says nothing for 1.2 to 4 s.
        reset_rate: the chip resets: a new boot id, counters at 0.
        unplug_rate: the cable is pulled and comes back after 1 to 5 s.
    """

    misread: float = 0.0
    glare_rate: float = 0.0
    lost_frames: float = 0.0
    exposure_rate: float = 0.0
    hands_rate: float = 0.0
    things_rate: float = 0.0
    bump_rate: float = 0.0
    hold_rate: float = 0.0
    nudge_rate: float = 0.0
    topple_rate: float = 0.0
    bounce_ms: float = 0.0
    rolls_back: float = 0.0
    missed_beam: float = 0.0
    lost_knob_edge: float = 0.0
    lost_byte: float = 0.0
    flipped_bit: float = 0.0
    cut_frame: float = 0.0
    garbage: float = 0.0
    trickle: float = 0.0
    silence_rate: float = 0.0
    reset_rate: float = 0.0
    unplug_rate: float = 0.0

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            is_share = not item.name.endswith(("_rate", "_ms"))
            if value < 0 or (is_share and value > 1):
                wanted = "a share from 0 to 1" if is_share else "0 or more"
                raise ValueError(f"{item.name} must be {wanted}, got {value}")

    @classmethod
    def all_on(cls) -> Faults:
        """Every fault at once, each about as bad as at a really bad table."""
        return cls(
            misread=0.05,
            glare_rate=2.0,
            lost_frames=0.05,
            exposure_rate=2.0,
            hands_rate=1.5,
            things_rate=0.4,
            bump_rate=0.3,
            hold_rate=0.5,
            nudge_rate=1.0,
            topple_rate=0.2,
            bounce_ms=2.0,
            rolls_back=0.02,
            missed_beam=0.02,
            lost_knob_edge=0.01,
            lost_byte=0.002,
            flipped_bit=0.002,
            cut_frame=0.01,
            garbage=0.01,
            trickle=0.005,
            silence_rate=0.3,
            reset_rate=0.1,
            unplug_rate=0.1,
        )
