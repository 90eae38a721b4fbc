"""From what fits and colours say of one slot to likelihoods, and to why the best label is not sure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.finity.board import COLOURS, SlotPlace
from calibration.finity.hiding import BLIND_SHARE
from calibration.finity.slots import STRAY, SlotLook
from calibration.light import Values
from vision.finity.blockers import Cubes
from vision.finity.bridges import Bridges
from vision.finity.sighting import Sighting

EMPTY: Final = "."
CUBE_FACE: Final = 0.7
"""Share of a cube's upper face that has a player's colour: a ninth may be gloss, and a blocker that stands off leaves
a sixth."""
NO_CUBE: Final = 0.3
"""Up to this share it is colour that something else throws or reaches in with."""
CUBE_FRAME: Final = 0.35
"""Share of the frame around the face that may have it, too: one of four sides, at most. A finger goes on."""
CUBE_SEEN: Final = 0.5
"""Share of the face that must be in sight to tell that no blocker stands there."""
CUBE_PART: Final = 0.3
"""Or this much without a trace of any player's colour, where all else says that the slot is empty: 4 mm of a face, and
blockers stand off by one or two."""
BLOCKER_PART: Final = 0.25
"""Or this much of all that a blocker shows of itself there, from wherever it is seen: as large as that part of a
face."""
COVERED: Final = 0.5
"""Share of a bridge's place that is coloured otherwise than bridges and tiles: something lies over it."""
TINTED: Final = 0.35
"""From this share on what is left is mostly edges."""
UNKNOWN_BARE: Final = 2.0
UNKNOWN_UNSEEN: Final = 1.6
UNKNOWN: Final = 2.5
"""Times what cells are usually off by: what leaves more is neither a bridge nor the tile. The worst of true ones under
side light leave 1.7, of bare tiles 1.6: where no seam is seen, either, more than that is no bare tile, and
where it is there is much in odd light that is one."""
EVEN: Final = 25.0
"""Log likelihood ratio of the best bridge to the bare tile at which neither is likelier: odd light and all the freedom
that a bridge has explain bare tiles better by up to 14, while the faintest bridges (black under gloss) reach 48."""
PRESENT: Final = 10.0
"""How far beyond that either is sure."""
DIRECTION: Final = 7.0
"""Log likelihood ratio of both directions from which one is sure: where shadows of neighbours spoil a patch the wrong
one leads by 6."""
FAINT: Final = 1.5 * STRAY
FAINT_DIRECTION: Final = 16.0
"""The same for a bridge that is so faint that it differs from the bare tile by hardly more than stray light, as in the
shade on dark tiles: what pieces around throw at it is then as strong as its ends, and the wrong direction leads by up
to 14."""
LOW_LIGHT_TIMES: Final = 2.0
"""So many times the evidence is asked for a black bridge's direction under a low lamp: its own shade and those of its
neighbours are as dark as it is, and change its outline. The wrong direction leads by up to 14 times what a patch is
spoilt by, where 7 suffice else."""
LOW_LIGHT_FAINT: Final = 100.0
LOW_LIGHT_FAINT_TIMES: Final = 4.0
"""So many times where the bridge itself explains the patch better than the tile by less than that: shades weigh as much
as it does. Of one that was pushed aside between two others the wrong direction led by 23."""
ROUGHLY: Final = 0.0
"""Log likelihood ratio of rough fits below which a fine one is not believed alone: it found the one way to lie in which
a bridge explains what a tile that is off its place shows, unless the tiles' seam is gone. One true bridge in a thousand
is as low."""
DEEP_SHADE: Final = 0.78
"""Light against the empty picture's (root) below which a slot lies in the shadow of a hand or a thing: without its
direct light a tile shows other rims than on the empty board, and twice the evidence is asked for."""
COLOUR: Final = 3.0
"""The same between the colours; twice that for a colour that no reference showed."""
UNLIKE: Final = -4.5
"""Log likelihood of a brightness three spreads off the likelier colour's: it is a tile in the light, or in the shade,
rather than a bridge."""
SHADED_WHITE: Final = 0.2
"""Log ratio to the tile that a white bridge goes down to, once in hundreds of times."""
BLACK_DOWN: Final = 1.5
"""Spread of a black bridge's log ratio downwards, against what was learnt: shadows are deeper than gloss is high."""
HALF_HIDDEN: Final = 0.6
HALF_COLOURED: Final = 0.25
HALF_HIDDEN_TIMES: Final = 2.0
HALF_COLOURED_TIMES: Final = 4.0
"""Share in sight below which, or under something coloured above which, so many times the evidence is asked for a
direction: the end that tells it may be the hidden one. What is just hidden speaks for no direction: of 180 bridges
behind the tower the wrong one led once, by a third of what is asked of those in sight."""
HUELESS: Final = 0.02
"""Share of a place that may be coloured where there is nothing but a bridge; a blocker, even a dark one that stands
off, colours a tenth of it."""
COLOURED: Final = 0.1
"""Share of a place that is coloured as no bare tile is: a blocker of a dull colour shows as much, and cells of which it
takes the hue tell nothing else. Where the tiles' seam is seen it is light that something throws."""
COUNTED: Final = 0.2
"""Share of a place that must have been compared; what is hidden by what may stand there is not."""
HIDDEN: Final = BLIND_SHARE - 0.15
"""Share in sight below which nothing is told: what hides is drawn a millimetre wider than it is, and the tower's height
is known to some ten, which takes that much of a slot that can just be read."""
PROVEN_SEAM: Final = 6.0
PROVEN_LINE: Final = 5.0
"""A seam seen so much rather than not, and a line so dark, where no bridge is possible, are the bare tiles: whatever
lay there would hide them. Of 1,500 bridges three show both, and are bridges by far."""
SHADED_LINE: Final = 4.0
"""Darkness of the seam (in noise) that proves a tile in the shade of a hand, where nothing else does."""
SEAM: Final = 4.0
"""From this on that no seam between the tiles is seen contradicts the bare tile, whatever bridges explain."""
PLAIN_LINE: Final = 5.0
"""Unless a line as dark as this is seen there: bridges show none."""
SEAM_SHOWS: Final = 0.0
LINE_SHOWS: Final = 2.5
"""A seam seen rather than not and a darker line than chance makes contradict a bridge: what looks like one may be a
neighbour's end that lies off its slot, or a shadow. One bridge in two hundred shows both."""
LINE: Final = 2.0
"""Darkness of a line (in noise) that chance makes on a plain face, the darkest of a few being taken. Black bridges
reach 3.5, three of four bare tiles 5 and more."""
LINE_MOST: Final = 30.0
"""No more than this is believed of a line: the edge of a shadow may look like one."""
LINE_ALONE: Final = 1.0
"""A line counts against a bridge only where the seam's own shape is seen so much rather than not: the edge of a bridge
that was pushed out of its slot is a dark line, too."""
WORST: Final = 9.0
"""No label is less likely than this against the best: something unforeseen happens once in ten thousand times."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one slot; see `Bridges` and `Cubes`. Shares are of the place that a bridge takes; `blocker_seen`
    is of all that a blocker would show."""

    fine: bool
    rough: float
    scores: tuple[float, float]
    calm: float
    ratios: tuple[float, float]
    off: tuple[float, float]
    seam: float
    line: float
    cube: tuple[float, ...]
    frame: tuple[float, ...]
    cube_odd: float
    cube_seen: float
    visible: float
    coloured: float
    counted: float
    usual_off: float
    light: float
    blocker_seen: float

    @classmethod
    def of(
        cls,
        row: int,
        bridges: Bridges,
        cubes: Cubes,
        visible: Values,
        coloured: Values,
        counted: Values,
        off: float,
        light: float,
        blocker_seen: float,
    ) -> Evidence:
        return cls(
            bool(bridges.fine[row]),
            float(bridges.rough[row]),
            (float(bridges.scores.scores[row, 0]), float(bridges.scores.scores[row, 1])),
            float(bridges.scores.calm[row]),
            (float(bridges.scores.ratios[row, 0]), float(bridges.scores.ratios[row, 1])),
            (float(bridges.scores.off[row, 0]), float(bridges.scores.off[row, 1])),
            float(bridges.seam[row]),
            float(bridges.line[row]),
            tuple(map(float, cubes.face[row])),
            tuple(map(float, cubes.frame[row])),
            float(cubes.odd[row]),
            float(cubes.seen[row]),
            float(visible[row]),
            float(coloured[row]),
            float(counted[row]),
            off,
            light,
            blocker_seen,
        )


class Judge:
    """Weighs evidence with what was learnt of bridges.

    Args:
        low_light: whether the rims of the bare tiles throw long, hard shades.
    """

    def __init__(
        self,
        look: SlotLook,
        letters: Sequence[str],
        slots: Sequence[SlotPlace],
        hex_side: float,
        *,
        low_light: bool = False,
    ) -> None:
        self._look, self._letters, self._low_light = look, tuple(letters), low_light
        self._ratios = {
            (slot.name, colour): look.ratio_at(colour, slot, hex_side) for slot in slots for colour in COLOURS
        }

    def judge(self, slot: SlotPlace, e: Evidence) -> tuple[Sighting, int | None]:
        """A slot's sighting, and which of both ways a bridge lies there most likely, if one does."""
        logs = {EMPTY: EVEN, **self._bridge_logs(slot, e)}
        likely = max(logs, key=logs.__getitem__)
        owner = int(np.argmax(e.cube))
        cube = e.cube[owner]
        top = max(logs.values())
        for letter in self._letters:
            logs[f"blocker {letter}"] = top - WORST
        # what is compared lies around a blocker that may stand there: a bridge's ends that are seen beside dark grey
        # tell that it is the bridge's shaft
        if cube > NO_CUBE and (cube >= CUBE_FACE or e.coloured > NO_CUBE) and not self._plain(e, likely, logs):
            # between the two shares it is told less and less surely
            logs[f"blocker {self._letters[owner]}"] = top + WORST * min(1.0, (cube - 0.5) / (CUBE_FACE - 0.5))
        best = max(logs, key=logs.__getitem__)
        doubts = self._cube_doubts(e, owner, logs) if best.startswith("blocker") else self._doubts(slot, e, best, logs)
        # the edge of the tower or of a ring is all that is seen of a place behind it
        hidden = e.visible < HIDDEN
        covered = not hidden and e.coloured > COVERED * e.visible and not best.startswith("blocker")
        if covered or hidden:
            return Sighting(dict.fromkeys(logs, 1.0), ("covered" if covered else "hidden",), covered, e.visible), None
        likelihoods = {label: math.exp(max(log - logs[best], -WORST)) for label, log in logs.items()}
        way = None if best == EMPTY or best.startswith("blocker") else int(best[2:] != slot.stations[0])
        return Sighting(likelihoods, tuple(doubts), False, e.visible, self._proven(e, best, logs)), way

    def _bridge_logs(self, slot: SlotPlace, e: Evidence) -> dict[str, float]:
        """Log likelihood of each bridge against the bare tile."""
        logs = {}
        # where the tiles' seam contradicts a bridge, shades of pieces around do not speak for it
        shown = e.seam > SEAM_SHOWS and e.line > LINE_SHOWS
        shades = max(max(e.scores) - e.calm, 0.0) if shown else 0.0
        for way, tail in enumerate(slot.stations):
            for colour in COLOURS:
                if not e.fine:
                    logs[f"{colour} {tail}"] = min(e.rough, 0.0)
                    continue
                logs[f"{colour} {tail}"] = (
                    e.scores[way]
                    - shades
                    - e.seam
                    - self._line_cost(e.line)
                    + self._colour_log(slot, colour, e.ratios[way])
                )
        return logs

    @staticmethod
    def _line_cost(line: float) -> float:
        """Minus the log likelihood that a plain face shows so dark a line by chance."""
        return min(0.5 * max(line - LINE, 0.0) ** 2, LINE_MOST)

    def _colour_log(self, slot: SlotPlace, colour: str, ratio: float) -> float:
        mean, spread = self._ratios[slot.name, colour]
        # a white bridge in a piece's shadow may be hardly brighter than the tile in the light beside it; no light makes
        # a black one much brighter than the tile, for both mirror the same lamp
        if colour == "w" and ratio < mean:
            spread = max(spread, (mean - SHADED_WHITE) / 3)
        if colour == "b" and ratio < mean:
            spread *= BLACK_DOWN
        return max(-0.5 * ((ratio - mean) / spread) ** 2, -3 * WORST)

    def _cube_doubts(self, e: Evidence, owner: int, logs: dict[str, float]) -> list[str]:
        doubts = []
        if e.cube[owner] < CUBE_FACE:
            doubts.append("coloured, but hardly a blocker")
        if e.frame[owner] > CUBE_FRAME:
            doubts.append("the colour goes on beyond a blocker")
        if e.cube_seen < CUBE_SEEN:
            doubts.append("hardly in sight")
        if sorted(e.cube)[-2:][0] > NO_CUBE:
            doubts.append("two players' colours")
        if e.fine and e.off[1] > UNKNOWN * e.usual_off:
            doubts.append("the tile around it is not seen")
        # of a player as dull as bridges are; a blocker's walls have some hue, and no bridge explains them
        if e.fine and e.coloured < HUELESS and _best_bridge(logs) > EVEN:
            doubts.append("it may as well be a bridge")
        return doubts

    def _doubts(self, slot: SlotPlace, e: Evidence, best: str, logs: dict[str, float]) -> list[str]:
        doubts = []
        proven = self._proven(e, best, logs)
        if not proven and self._may_hide_cube(e, best, logs):
            doubts.append("hardly in sight")
        if e.coloured > TINTED * e.visible or (max(e.cube) + e.cube_odd > NO_CUBE and not self._plain(e, best, logs)):
            doubts.append("something coloured reaches in")
        if best == EMPTY and e.coloured > COLOURED and e.seam < SEAM and e.line < PLAIN_LINE:
            doubts.append("something coloured may lie there")
        if e.counted < COUNTED and not proven:
            doubts.append("too little of it is seen to tell")
        least = -SEAM / 2 if e.counted < HALF_HIDDEN else -SEAM
        if best == EMPTY and e.seam < least and e.line < PLAIN_LINE:
            doubts.append("the seam of the tiles is not seen")
        if best == EMPTY and e.light < DEEP_SHADE and e.line < SHADED_LINE:
            doubts.append("no seam of the tiles is seen in the shade")
        if not e.fine:
            return doubts
        shade = 2.0 if e.light < DEEP_SHADE else 1.0
        more = self._bare_doubts(e, logs, shade) if best == EMPTY else self._bridge_doubts(slot, e, best, logs, shade)
        return doubts + more

    @staticmethod
    def _plain(e: Evidence, best: str, logs: dict[str, float]) -> bool:
        """Whether a bridge explains far better than the tile what has the grey of a player, but no hue anywhere."""
        explains = e.fine and e.off[0] < UNKNOWN_BARE * e.usual_off < e.off[1]
        return explains and best != EMPTY and e.coloured < HUELESS and logs[best] > EVEN + 3 * PRESENT

    @staticmethod
    def _proven(e: Evidence, best: str, logs: dict[str, float]) -> bool:
        """Whether the bare tiles themselves are seen."""
        if best != EMPTY or e.seam < PROVEN_SEAM or e.line < PROVEN_LINE:
            return False
        coloured = NO_CUBE if e.cube_seen >= CUBE_SEEN else 0.0
        return max(e.cube) + e.cube_odd <= coloured and _best_bridge(logs) < EVEN - 3 * PRESENT

    def _may_hide_cube(self, e: Evidence, best: str, logs: dict[str, float]) -> bool:
        """Whether a blocker may stand where the camera sees too little."""
        if e.cube_seen >= CUBE_SEEN or e.visible >= 1 - TINTED:
            return False
        if max(e.cube) + e.cube_odd > 0:
            return True
        if best == EMPTY:
            seen = e.cube_seen >= CUBE_PART or e.blocker_seen >= BLOCKER_PART
            return not seen or _best_bridge(logs) > EVEN - 3 * PRESENT
        return not self._plain(e, best, logs)

    def _bare_doubts(self, e: Evidence, logs: dict[str, float], shade: float) -> list[str]:
        doubts = []
        least = UNKNOWN_BARE
        if e.seam < SEAM and e.line < LINE:
            least = UNKNOWN_UNSEEN
        elif self._proven(e, EMPTY, logs):
            least = UNKNOWN
        if e.off[1] > least * e.usual_off:
            doubts.append("looks neither like a bridge nor like the tile")
        line_alone = self._line_cost(e.line) if e.seam < LINE_ALONE else 0.0
        # a log likelihood is a sum over what counts: what is half hidden can hardly speak for a bridge
        told = min(1.0, e.counted / HALF_HIDDEN)
        if _best_bridge(logs) + line_alone > told * (EVEN - shade * PRESENT):
            doubts.append("a bridge is possible")
        return doubts

    def _bridge_doubts(
        self, slot: SlotPlace, e: Evidence, best: str, logs: dict[str, float], shade: float
    ) -> list[str]:
        doubts = []
        if e.off[0] > UNKNOWN * e.usual_off:
            doubts.append("looks neither like a bridge nor like the tile")
        lucky = e.rough < ROUGHLY and e.seam > -SEAM / 2
        if logs[best] < EVEN + (3 * shade - 2) * PRESENT or lucky:
            doubts.append("hardly differs from the tile")
        if e.seam > SEAM_SHOWS and e.line > LINE_SHOWS:
            doubts.append("the seam of the tiles shows through")
        colour, way = best[0], int(best[2:] != slot.stations[0])
        # where more is left than usual, cells are off in larger patches; usual is a share of what is seen, and a white
        # face is brighter than the tile by which that is measured
        spoilt = max(1.0, e.off[0] / (e.usual_off * max(1.0, math.exp(e.ratios[way])))) ** 2
        hidden = HALF_HIDDEN_TIMES if e.visible < HALF_HIDDEN else 1.0
        if e.coloured > HALF_COLOURED:
            hidden = HALF_COLOURED_TIMES
        least = DIRECTION * spoilt * hidden
        if self._low_light and colour == "b":
            least *= LOW_LIGHT_TIMES if max(e.scores) > LOW_LIGHT_FAINT else LOW_LIGHT_FAINT_TIMES
        if e.off[1] < FAINT:
            least = max(least, FAINT_DIRECTION * hidden)
        if logs[best] - logs[f"{colour} {slot.stations[1 - way]}"] < least * shade:
            doubts.append("the direction is not clear")
        other = COLOURS[1 - COLOURS.index(colour)]
        enough = COLOUR if {colour, other} <= set(self._look.shown) else 2 * COLOUR
        if logs[best] - logs[f"{other} {slot.stations[way]}"] < enough:
            doubts.append("the colour is not clear")
        if self._colour_log(slot, colour, e.ratios[way]) < UNLIKE:
            doubts.append("as bright as neither black nor white bridges are")
        return doubts


def _best_bridge(logs: dict[str, float]) -> float:
    """Log likelihood of the likeliest bridge."""
    return max(log for label, log in logs.items() if label[:2] in ("b ", "w "))
