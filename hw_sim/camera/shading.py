"""Light: how bright a point is, split into what the lamp and the room give, and what is mirrored of each.

Brightness is relative: a flat white surface at the board's centre has 1. The colour of a point is
`albedo * (room * A + lamp * K) + room_gloss * A + lamp_gloss * K` with A and K the colours of room and lamp, so that
shadows that fall later only scale planes of one channel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from hw_sim.camera.lens import Doubles, Floats, Rays, Rect, floats
from hw_sim.camera.look import Finish, Lamp
from hw_sim.camera.textures import RGB


class Shade(NamedTuple):
    """The four planes of brightness, each of the points' shape."""

    room: Floats
    lamp: Floats
    room_gloss: Floats
    lamp_gloss: Floats


class Gloss(NamedTuple):
    """How a surface mirrors where that differs from point to point: see `Finish`; arrays of the points' shape."""

    f0: Floats
    roughness: Floats


class Layers(NamedTuple):
    """What every pixel shows, before colour is made of it: planes of one shape.

    Red, green and blue are linear reflectance, depth is in millimetres along the line of sight.
    """

    red: Floats
    green: Floats
    blue: Floats
    room: Floats
    lamp: Floats
    room_gloss: Floats
    lamp_gloss: Floats
    depth: Floats

    @property
    def of_room(self) -> tuple[Floats, Floats]:
        """The planes that grow darker where the room's light does not arrive."""
        return self.room, self.room_gloss

    @property
    def of_lamp(self) -> tuple[Floats, Floats]:
        """The planes that grow darker in the lamp's shadow."""
        return self.lamp, self.lamp_gloss

    def crop(self, rect: Rect) -> Layers:
        """Views of a rectangle."""
        return Layers(*(plane[rect.slices] for plane in self))

    def copy(self) -> Layers:
        return Layers(*(plane.copy() for plane in self))

    def dim(self, room: Floats, lamp: Floats) -> None:
        """Leave only these shares of the room's and the lamp's light, in place."""
        for planes, share in ((self.of_room, room), (self.of_lamp, lamp)):
            for plane in planes:
                np.multiply(plane, share, out=plane)

    def blend(self, alpha: Floats, over: Layers) -> None:
        """Lay other layers over these with a coverage of 0 to 1, in place."""
        for plane, new in zip(self[:-1], over[:-1], strict=True):
            np.add(plane, alpha * (new - plane), out=plane)
        np.copyto(self.depth, over.depth, where=alpha > 0.5)


def layers(albedo: Floats | RGB, light: Shade, depth: Floats) -> Layers:
    """Layers of a surface whose albedo is one colour or an array of shape (rows, columns, 3)."""
    if isinstance(albedo, tuple):
        red, green, blue = (np.full(depth.shape, part, np.float32) for part in albedo)
    else:
        red, green, blue = (np.asarray(part, np.float32) for part in cv2.split(albedo))
    return Layers(red, green, blue, *light, depth)


@dataclass(frozen=True, slots=True)
class Rig:
    """A lamp in the frame in which we draw.

    Attributes:
        lamp_mm: its place, (3,).
        across, along: unit vectors of the lamp's width and height, (3,).
        half: half its width and height as seen from the board's centre, in radians (about).
        distance_mm: from the board's centre.
        lamp_rgb, room_rgb: (3,) colours, scaled so that a flat white board is 1.
    """

    lamp_mm: Doubles
    across: Doubles
    along: Doubles
    half: tuple[float, float]
    distance_mm: float
    lamp_rgb: Floats
    room_rgb: Floats

    @property
    def towards(self) -> Doubles:
        """Unit vector from the board's centre to the lamp."""
        return np.asarray(self.lamp_mm / np.linalg.norm(self.lamp_mm), np.float64)

    @property
    def softness(self) -> float:
        """Half the width of a penumbra for each millimetre between what casts the shadow and where it falls."""
        return math.sqrt(self.half[0] * self.half[1])

    def turned(self, R: Doubles, t: Doubles) -> Rig:
        """The same lamp in a frame whose coordinates are R x + t."""
        return Rig(
            R @ self.lamp_mm + t,
            R @ self.across,
            R @ self.along,
            self.half,
            self.distance_mm,
            self.lamp_rgb,
            self.room_rgb,
        )


def rig(lamp: Lamp, white_balance: float, gain: float) -> Rig:
    """Place a lamp over the board.

    Args:
        lamp: as described in the look.
        white_balance: share of the light's colour that the camera took out.
        gain: brightness of a flat white board.
    """
    azimuth, elevation = math.radians(lamp.azimuth_deg), math.radians(lamp.elevation_deg)
    towards = np.array(
        [math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth), math.sin(elevation)]
    )
    across = np.cross([0.0, 0.0, 1.0], towards) if elevation < math.radians(89) else np.array([1.0, 0.0, 0.0])
    across = across / np.linalg.norm(across)
    seen = 1 - white_balance
    lamp_rgb = np.array(lamp.rgb) ** seen * gain * lamp.share / math.sin(elevation)
    room_rgb = np.array(lamp.room_rgb) ** seen * gain * (1 - lamp.share)
    return Rig(
        towards * lamp.distance_mm,
        across,
        np.cross(towards, across),
        (lamp.half_mm[0] / lamp.distance_mm, lamp.half_mm[1] / lamp.distance_mm),
        lamp.distance_mm,
        lamp_rgb.astype(np.float32),
        room_rgb.astype(np.float32),
    )


def towards_lamp(lamp: Rig, p: Rays) -> tuple[Rays, Floats]:
    """Unit directions from points to the lamp, and how much brighter it is there than at the board's centre."""
    x, y, z = (np.float32(c) - part for c, part in zip(lamp.lamp_mm, p, strict=True))
    inverse = 1 / np.sqrt(x * x + y * y + z * z)
    nearness = np.float32(lamp.distance_mm) * inverse
    return Rays(x * inverse, y * inverse, z * inverse), nearness * nearness


def _window(offset: Floats, half: float, width: float | Floats) -> Floats:
    """How much of a strip from -half to half a lobe of some width around `offset` sees."""
    scale = np.asarray(1 / width, np.float32)
    edge = np.asarray(half / width, np.float32)
    return floats((np.tanh(edge - offset * scale) + np.tanh(edge + offset * scale)) * np.float32(0.5))


def shade(lamp: Rig, p: Rays, n: Rays, d: Rays, finish: Finish | Gloss, wrap: float = 0.0) -> Shade:
    """Light at points without any shadow.

    Args:
        lamp: the lamp in the points' frame.
        p: points, millimetres.
        n: unit normals.
        d: unit lines of sight, from the camera.
        finish: gives the gloss; its colour is not used.
        wrap: how far light creeps round edges, 0 for stone, 0.3 for skin.
    """
    to, near = towards_lamp(lamp, p)
    facing = _dot(n, to)
    lit = np.maximum(facing + np.float32(wrap), 0) * near * np.float32(1 / (1 + wrap))
    room = np.float32(0.5) + np.float32(0.5) * n.z
    out = np.clip(-_dot(n, d), 0, 1)
    grazing = 1 - out
    grazing *= (grazing * grazing) ** 2
    at_edge = np.asarray((1 - finish.f0) * (1 - np.minimum(finish.roughness * 2, 0.9)), np.float32)
    mirrored = np.asarray(finish.f0, np.float32) + at_edge * grazing
    r = Rays(*(a + 2 * out * b for a, b in zip(d, n, strict=True)))
    # The ceiling is bright, the walls are less so, and what looks downwards mirrors the board: almost nothing.
    room_gloss = mirrored * (np.float32(0.05) + np.float32(0.95) * np.clip(r.z * 0.85 + 0.15, 0, 1))
    lamp_gloss = mirrored * near
    lamp_gloss *= _lamp_in_mirror(lamp, r, to, finish.roughness)
    lamp_gloss *= facing > 0
    return Shade(room, lit, room_gloss, lamp_gloss)


def _dot(a: Rays, b: Rays | Floats) -> Floats:
    return floats(a.x * b[0] + a.y * b[1] + a.z * b[2])


def _lamp_in_mirror(lamp: Rig, r: Rays, to: Rays, roughness: float | Floats) -> Floats:
    """Brightness of the lamp in directions of mirrored sight `r` from points that have the lamp towards `to`."""
    ahead = 1 / np.maximum(_dot(r, to), np.float32(0.05))
    across, along = floats(lamp.across), floats(lamp.along)
    # The lamp's axes are those seen from the board's centre; its middle is taken from each point itself.
    lobe = _window(floats(_dot(r, across) * ahead) - _dot(to, across), lamp.half[0], roughness)
    lobe *= _window(floats(_dot(r, along) * ahead) - _dot(to, along), lamp.half[1], roughness)
    lobe *= np.float32(math.pi / (4 * lamp.half[0] * lamp.half[1]))
    return lobe


def colour(seen: Layers, lamp: Rig, gains: Floats | float = 1.0) -> list[Floats]:
    """Linear red, green and blue planes of layers, each times its gain."""
    factors = np.broadcast_to(np.asarray(gains, np.float32), 3)
    planes = []
    for albedo, of_room, of_lamp, gain in zip(seen[:3], lamp.room_rgb, lamp.lamp_rgb, factors, strict=True):
        from_room, from_lamp = np.float32(of_room * gain), np.float32(of_lamp * gain)
        light = seen.room * from_room
        light += seen.lamp * from_lamp
        light *= albedo
        light += seen.room_gloss * from_room
        light += seen.lamp_gloss * from_lamp
        planes.append(light)
    return planes
