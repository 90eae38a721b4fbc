"""How rings and posts look on their stations, learnt from reference pictures.

A player's colour is where the ratio to bare tile lies when it is written as logarithms (see `seats`): a change of
light moves it along brightness only, gloss mixes white into it, and what is left tells the players apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.errors import RefusedError
from calibration.finity.board import POST
from calibration.finity.examples import Bare, Example
from calibration.finity.known import BLOCKER, EMPTY, KINDS, RING, Shown, known_places
from calibration.finity.seats import FOOT, HEAD, POST_PARTS, Look
from calibration.light import Values
from calibration.sentences import Sentence

GLOSS = ((0.0, 0.0), (0.07, 0.1), (0.2, 0.4), (0.45, 1.0), (1.0, 2.0))
"""White light that a piece mirrors, in units of what the tile shows, and what it adds to the squared distance."""
PURER = ((0.35, 0.4), (0.6, 1.0))
"""The same the other way: share of the white in a learnt colour that is gloss which another place does not have."""
CHROMA_SPREAD = (0.07, 0.2)
"""Least and largest spread of a player's chroma. A few rings do not show all of it; were it larger the pieces would
have no colour of their own."""
LIGHT_SPREAD = (0.2, 0.4)
"""The same for brightness: a ring's round back is a third darker on one side than on the other."""
TILE_SPREAD = (0.04, 0.15)
"""The same for the chroma of bare tile: coloured pieces tint it by 0.05, noise of a dim picture by 0.1."""
TILE_BRIGHTER = 0.12
TILE_DARKER = 0.3
"""Spread of a bare tile's brightness: shadows of pieces darken it far more than anything brightens it."""
BRIGHTER = {RING: 0.0, POST: 0.05, BLOCKER: 0.17}
"""How much brighter than rings pieces of the same colour commonly are: they look up to the light, rings are round."""
WIDER = {HEAD: 1.4, FOOT: 2.0}
"""How much more a post varies than a ring: its round head, its steep, dark side; and the tile under it, with a dark
hole in which colours of the pieces around are mirrored."""
FAR = 25.0
"""Squared distance at which a label has nothing to do with what is seen; more says no more."""
MIN_MARGIN = 1.25
"""Ratio of second best to best distance below which two labels look the same."""
CALM = 1.0
"""Squared distance that noise alone makes; a margin counts from here."""
MIN_SECTORS = 4
"""Sectors of a piece from which its colour is learnt."""


@dataclass(frozen=True, slots=True)
class StationLook:
    """What is learnt of rings and posts.

    Attributes:
        colours: each player's colour, by letter: logarithms of the ratio to bare tile in root light, BGR.
        chroma, light: spread of a player's chroma and brightness about that colour.
        tile: spread of the chroma of bare tile.
        post_light: how much brighter the head of a post is than its owner's rings.
        margin: how well the closest two labels are told apart: the median, over the reference places of the one, of
            the ratio of the distance from the other to the distance from itself.
        closest: these two; "." is an empty seat.
        unseen: players of whom no ring was shown: their colour comes from their posts or blockers.
    """

    colours: Mapping[str, tuple[float, float, float]]
    chroma: float
    light: float
    tile: float
    post_light: float
    margin: float
    closest: tuple[str, str]
    unseen: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """ "." and the players' letters, as distances have them."""
        return (EMPTY, *self.colours)

    def distances(self, look: Look, part: str) -> Values:
        """(stations, sectors, labels) squared distances, at most `FAR`, of what a part of stations shows from bare tile
        and from each player's colour."""
        wider = WIDER.get(part, 1.0)
        brighter = self.post_light if part in POST_PARTS else 0.0
        colours = np.array([*self.colours.values()], dtype=np.float32) + brighter
        light, tint, gloss = off_colours(look.colours, colours)
        # the wider a player's colour varies against the tile's, the less it says to be near it
        rarity = max(4 * float(np.log(self.chroma / self.tile)), 0.0)
        players = (tint / self.chroma) ** 2 + (light / (wider * self.light)) ** 2 + gloss + rarity
        tile = self._from_tile(look.ratios, wider)[..., None]
        return np.asarray(np.minimum(np.concatenate([tile, players], axis=-1), FAR), dtype=np.float32)

    def _from_tile(self, ratios: Values, wider: float) -> Values:
        light = ratios.mean(axis=-1)
        spread = np.where(light > 0, TILE_BRIGHTER, TILE_DARKER)
        tint = _tint_size(ratios) / (wider * self.tile)
        return np.asarray(tint**2 + (light / spread) ** 2, dtype=np.float32)

    def to_json(self) -> dict[str, Any]:
        return {
            "colours": {letter: list(colour) for letter, colour in self.colours.items()},
            "chroma": self.chroma,
            "light": self.light,
            "tile": self.tile,
            "post_light": self.post_light,
            "margin": self.margin,
            "closest": list(self.closest),
            "unseen": list(self.unseen),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StationLook:
        colours = {}
        for letter, colour in data["colours"].items():
            b, g, r = (float(value) for value in colour)
            colours[str(letter)] = (b, g, r)
        first, second = data["closest"]
        numbers = {key: float(data[key]) for key in ("chroma", "light", "tile", "post_light", "margin")}
        return cls(
            colours=colours,
            **numbers,
            closest=(str(first), str(second)),
            unseen=tuple(str(letter) for letter in data["unseen"]),
        )


def off_colours(ratios: Values, colours: Values) -> tuple[Values, Values, Values]:
    """How far ratios (..., 3) are from each of the colours (players, 3) with as much gloss as fits best.

    Returns:
        How much brighter they are, how far their chroma is off, and what that gloss adds to a squared distance;
        (..., players) each.
    """
    pure = np.exp(2 * colours)[:, None]
    veils = [np.full(len(colours), veil) for veil, _ in GLOSS] + [-share * pure.min(axis=(1, 2)) for share, _ in PURER]
    shown = (np.log(pure + np.stack(veils, axis=1)[..., None]) / 2).astype(np.float32)
    rare = np.array([rarity for _, rarity in (*GLOSS, *PURER)], dtype=np.float32)
    bright, shown_bright = ratios.mean(axis=-1), shown.mean(axis=-1)
    apart = (ratios - bright[..., None])[..., None, None, :] - (shown - shown_bright[..., None])
    tint, light = (apart * apart).sum(axis=-1), bright[..., None, None] - shown_bright
    best = (tint / CHROMA_SPREAD[0] ** 2 + light**2 / LIGHT_SPREAD[0] ** 2 + rare).argmin(axis=-1)[..., None]
    tint, light = (np.take_along_axis(part, best, axis=-1)[..., 0] for part in (tint, light))
    return light, np.sqrt(tint), rare[best[..., 0]]


def _tint_size(ratios: Values) -> Values:
    """Chroma of ratios (..., 3): how large they are without brightness."""
    return np.asarray(np.linalg.norm(ratios - ratios.mean(axis=-1, keepdims=True), axis=-1), dtype=np.float32)


def learn_stations(bare: Bare, examples: Sequence[Example]) -> StationLook:
    """Learn every player's colour, how far it varies, and how well it is told from the others and from bare tile.

    Raises:
        RefusedError: where a player's pieces are in no reference picture, a picture shows something else than its
            state says, or two labels look alike.
    """
    seen = [place for example in examples for place in known_places(bare, example)]
    colours, sources = {}, {}
    for letter in examples[0].state.letters:
        ratios, sources[letter] = _source(seen, letter)
        colours[letter] = _purest(ratios) - BRIGHTER[sources[letter]]
    off = {
        what: [
            off_colours(place.look.colours, colours[place.label][None])
            for place in seen
            if place.what == what and place.label != EMPTY
        ]
        for what in (RING, POST)
    }
    tiles = [_tint_size(place.look.ratios) for place in seen if place.what == RING and place.label == EMPTY]
    look = StationLook(
        colours={letter: (float(c[0]), float(c[1]), float(c[2])) for letter, c in colours.items()},
        chroma=_spread([tint for _, tint, _ in off[RING]], CHROMA_SPREAD),
        light=_spread([light for light, _, _ in off[RING]], LIGHT_SPREAD),
        tile=_spread(tiles, TILE_SPREAD),
        post_light=float(np.median([light.mean() for light, _, _ in off[POST]])) if off[POST] else BRIGHTER[POST],
        margin=1.0,
        closest=(EMPTY, EMPTY),
        unseen=tuple(letter for letter, what in sources.items() if what != RING),
    )
    margin, closest = _margin(look, seen)
    if margin < MIN_MARGIN:
        first, second = map(in_words, closest)
        raise RefusedError(
            Sentence(
                "{one} and {other} look too much alike (margin {margin:.2f}, at least {least} is "
                "needed): give the board more or softer light, lock the exposure brighter, or choose "
                "other pieces",
                one=first,
                other=second,
                margin=margin,
                least=MIN_MARGIN,
            )
        )
    return replace(look, margin=margin, closest=closest)


def in_words(label: str) -> str:
    """A label of a station, for people."""
    return Sentence("an empty seat") if label == EMPTY else Sentence("the pieces of {player}", player=label)


def _purest(ratios: Values) -> Values:
    """(3,) the colour that pieces have without gloss: the mean of the third of the sectors (N, 3) that are furthest
    from the tile in the direction in which all of them lie."""
    tint = ratios - ratios.mean(axis=1, keepdims=True)
    along = tint @ tint.mean(axis=0)
    return np.asarray(ratios[along >= np.quantile(along, 2 / 3)].mean(axis=0), dtype=np.float32)


def _source(seen: Sequence[Shown], letter: str) -> tuple[Values, str]:
    """(N, 3) what shows a player's colour best, and which kind of piece it is."""
    for what in KINDS:
        own = [place.look.colours[0] for place in seen if place.what == what and place.label == letter]
        if sum(len(ratios) for ratios in own) >= MIN_SECTORS:
            return np.concatenate(own), what
    raise RefusedError(
        Sentence(
            "no piece of player {player} is in sight in the reference pictures: take one that shows "
            "rings, posts and blockers of everybody",
            player=letter,
        )
    )


def _spread(offs: Sequence[Values], bounds: tuple[float, float]) -> float:
    """Robust spread of what scatters about 0, within bounds; the lower one where nothing is known."""
    if not offs:
        return bounds[0]
    # two thirds lie within one standard deviation
    return float(np.clip(np.quantile(np.abs(np.concatenate([off.ravel() for off in offs])), 2 / 3), *bounds))


def _margin(look: StationLook, seen: Sequence[Shown]) -> tuple[float, tuple[str, str]]:
    """How well the closest two labels are told apart, and which these are.

    Raises:
        RefusedError: where a place clearly shows something else than its state says.
    """
    labels = look.labels
    ratios: dict[tuple[str, str], list[float]] = {}
    for place in seen:
        if place.what == BLOCKER or (place.what == POST and place.label == EMPTY):
            continue
        far = look.distances(place.look, HEAD if place.what == POST else RING).mean(axis=(0, 1))
        right = float(far[labels.index(place.label)])
        nearest = labels[int(far.argmin())]
        if right >= 0.8 * FAR and float(far.min()) <= 0.1 * FAR:
            shown = Sentence("empty") if nearest == EMPTY else Sentence("a piece of {player}", player=nearest)
            raise RefusedError(
                Sentence(
                    "{place} is not as its state says, it looks {look}: check the state", place=place.name, look=shown
                )
            )
        for label, wrong in zip(labels, far, strict=True):
            if label != place.label:
                apart = float(np.sqrt((wrong + CALM) / (right + CALM)))
                ratios.setdefault((place.label, label), []).append(apart)
    if not ratios:
        return 1.0, (EMPTY, EMPTY)
    pair = min(ratios, key=lambda key: float(np.median(ratios[key])))
    return float(np.median(ratios[pair])), pair
