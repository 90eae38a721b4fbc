"""Rings and posts: what stands on each station.

Every sector of a seat says which label its colour is nearest to; a label is sure where nearly all sectors in sight
agree on it. A ring that is off its place, a finger or a blocker that lies over a part of a seat leaves them divided.
What stands further inside is read first: it may hide parts of what is further out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from calibration.camera import Pose
from calibration.finity.appearance import FinityCalibration
from calibration.finity.board import POST, SIZES
from calibration.finity.hiding import BLIND_SHARE, Flags
from calibration.finity.known import EMPTY
from calibration.finity.seats import POST_PARTS, RIM, Look, bare_values, look_at, seats_of
from calibration.finity.stations import StationLook
from calibration.finity.view import UNIT, View
from calibration.light import Values
from vision.finity.sighting import Sighting

AGREE = 0.7
"""Share of the sectors in sight that must show the label: a ring covers all of its seat, a finger or a blocker over it
half at most, and a post before a ring or the gloss of a lamp spoils three of twelve."""
STRANGE = 16.0
"""Squared distance from which a sector shows no label at all: four standard deviations."""
COVERED = 0.5
"""Share of such sectors above which that is no piece at all."""
APART = 6.0
"""How much further, squared, the second best label must be; with the few independent sectors of a place that is odds
of a thousand to one."""
APART_UNSEEN = 12.0
"""The same for a player of whom no reference showed a ring."""
INDEPENDENT = 2.5
"""How many of a place's sectors count on their own: light and colour cast are common to all."""
UNLIKE = 9.0
"""Mean squared distance from which even the best label is doubtful: three standard deviations all around."""
TINTED = 0.35
"""Chroma of the strip around a seat that no tile has: what pieces and lamps throw onto it stays below 0.2."""
TINTED_NOISES = 4.0
"""The same in spreads of a bare seat's chroma: the strip has half as many samples, but three sectors count together."""
LIT = 0.2
LIT_TINT = 0.12
"""Brightness and chroma that nothing near a seat has both: bridges are black or white, shadows dark. Skin has them."""
WHOLE = 0.95
"""Share of such a sector in sight from which it counts: next to a ring that hides the rest, blur colours it."""
TINTED_SECTORS = 2
"""Such sectors that tell a finger or another thing that lies over the station: one may be a piece's reflection."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What one kind of place shows at some stations.

    Attributes:
        far: (stations, labels) mean squared distance from each label.
        share: (stations, labels) share of the sectors in sight that show it.
        strange: (stations,) share of the sectors in sight that show nothing known.
        seen: (stations,) share of the place in sight.
    """

    far: Values
    share: Values
    strange: Values
    seen: Values

    def where(self, kept: Flags, other: _Found) -> _Found:
        """This at the stations that are kept, the other one elsewhere."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in ("far", "share", "strange", "seen"))
        return _Found(*(np.where(kept if own.ndim == 1 else kept[:, None], own, new) for own, new in pairs))


class StationReader:
    """Reads stations from one pose; maps are made once.

    Args:
        calibration: how the board and its pieces look.
        pose: where the board lies.
    """

    def __init__(self, calibration: FinityCalibration, pose: Pose) -> None:
        look, board, lens = calibration.appearance, calibration.board, calibration.lens
        self._look: StationLook = look.stations
        self._seats = seats_of(board, look.players, look.tiles, lens, pose, calibration.pose)
        self._bare = bare_values(self._seats, View(look.empty, lens, calibration.pose, UNIT))

    def read(self, view: View, stations: Collection[str]) -> Mapping[str, Sighting]:
        """The seats and the post of each of these stations, by place."""
        rows = [row for row, name in enumerate(self._seats.stations) if name in stations]
        if not rows:
            return {}
        found = {POST: self._post(rows, view)}
        stands: dict[str, Flags] = {POST: self._may_stand(found[POST])}
        for size in SIZES:
            found[size] = self._judge(rows, view, size, stands)
            stands[size] = self._may_stand(found[size])
        for size in SIZES[-2::-1]:
            # where no ring is clear, those further out are known now, which show behind an empty seat
            again = self._judge(rows, view, size, stands)
            found[size] = found[size].where(found[size].share[:, 1:].max(axis=1) >= AGREE, again)
            stands[size] = self._may_stand(found[size])
        foreign = self._tinted(self._shown(rows, view, RIM, stands)) | _is_wide(found[POST], found["S"])
        sightings = {}
        for what, shown in found.items():
            for index, row in enumerate(rows):
                place = f"{self._seats.stations[row]}.{what}"
                sightings[place] = self._sighting(shown, index, bool(foreign[index]))
        return sightings

    def _shown(self, rows: list[int], view: View, part: str, stands: Mapping[str, Flags]) -> Look:
        return look_at(self._seats, part, rows, view, self._bare, stands)

    def _post(self, rows: list[int], view: View) -> _Found:
        """A post shows its colour both at its head and where its foot stands; without one the foot's place is bare,
        whatever ring lies behind its head."""
        head, foot = (self._judge(rows, view, part, {}) for part in POST_PARTS)
        foot_seen = foot.seen >= BLIND_SHARE
        both = np.where(foot_seen[:, None], np.minimum(head.share, foot.share), 0.0).astype(np.float32)
        far = np.asarray((head.far + foot.far) / 2, dtype=np.float32)
        # with its foot out of sight its colour may be a ring's behind it, but bare tile there is no post
        bare = foot.where(foot_seen, head)
        far[:, 0], both[:, 0] = bare.far[:, 0], bare.share[:, 0]
        return _Found(far, both, bare.strange, np.where(foot_seen, np.minimum(head.seen, foot.seen), head.seen))

    def _judge(self, rows: list[int], view: View, part: str, stands: Mapping[str, Flags]) -> _Found:
        shown = self._shown(rows, view, part, stands)
        far = self._look.distances(shown, part)
        weight = shown.seen / np.maximum(shown.seen.sum(axis=1, keepdims=True), 1e-6)
        known = far.min(axis=2) < STRANGE
        votes = (far.argmin(axis=2)[..., None] == np.arange(far.shape[2])) & known[..., None]
        return _Found(
            (far * weight[..., None]).sum(axis=1),
            (votes * weight[..., None]).sum(axis=1),
            (~known * weight).sum(axis=1),
            shown.seen.mean(axis=1),
        )

    def _may_stand(self, found: _Found) -> Flags:
        """Where a piece may stand, by what was found: everywhere but where the place is clearly empty."""
        return np.asarray((found.share[:, 0] < AGREE) | (found.seen < BLIND_SHARE), dtype=np.bool_)

    def _tinted(self, rim: Look) -> Flags:
        """Stations with something coloured in the strip around their seats."""
        whole = (rim.seen > WHOLE).astype(np.float32)
        beside = [np.roll(whole, step, axis=1) for step in (-1, 0, 1)]
        sums = [np.roll(rim.ratios * whole[..., None], step, axis=1) for step in (-1, 0, 1)]
        ratios = np.sum(sums, axis=0) / np.maximum(np.sum(beside, axis=0), 1)[..., None]
        light = ratios.mean(axis=2)
        tint = np.linalg.norm(ratios - light[..., None], axis=2)
        noise = TINTED_NOISES * self._look.tile
        foreign = (tint > max(TINTED, noise)) | ((light > LIT) & (tint > max(LIT_TINT, noise / 2)))
        return np.asarray((foreign & (whole > 0)).sum(axis=1) >= TINTED_SECTORS, dtype=np.bool_)

    def _sighting(self, found: _Found, index: int, foreign: bool) -> Sighting:
        labels = self._look.labels
        far, seen, strange = found.far[index], float(found.seen[index]), float(found.strange[index])
        if seen <= 0:
            return Sighting(dict.fromkeys(labels, 1.0), ("it is hidden",), visible=0.0)
        order = np.argsort(far)
        best = labels[order[0]]
        doubts = []
        if seen < BLIND_SHARE:
            doubts.append("too little of it is in sight")
        if float(found.share[index, order[0]]) < AGREE:
            unknown = strange > 1 - AGREE
            doubts.append("something unknown lies over it" if unknown else "its parts show different things")
        if float(far[order[0]]) > UNLIKE:
            doubts.append("it is unlike all that was learnt")
        needed = APART_UNSEEN if {best, labels[order[1]]} & set(self._look.unseen) else APART
        if float(far[order[1]] - far[order[0]]) < needed:
            doubts.append(f"it may as well be {labels[order[1]]}")
        if foreign and best != EMPTY:
            doubts.append("something lies over the station")
        likelihoods = np.exp(-INDEPENDENT / 2 * (far - far[order[0]]))
        return Sighting(
            {label: float(value) for label, value in zip(labels, likelihoods, strict=True)},
            tuple(doubts),
            strange > COVERED,
            min(seen, 1.0),
        )


def _is_wide(post: _Found, small: _Found) -> Flags:
    """Stations where what looks like a post reaches over the seat around it: a blocker stands there, or a finger."""
    unclear = (small.share.max(axis=1) < AGREE) | (small.far.min(axis=1) > UNLIKE)
    return np.asarray((post.far.argmin(axis=1) > 0) & unclear & (small.seen >= BLIND_SHARE), dtype=np.bool_)
