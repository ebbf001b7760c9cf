"""Many bodies from one description, and where they are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stickslip.parts.body import Body
from stickslip.parts.part import Part
from stickslip.parts.values import Rows, Vector, WholeNumbers


@dataclass(eq=False, repr=False)
class Grid(Part):
    """Places in rows; the first axis runs fastest.

    count: along each axis.
    spacing: along each axis [m].
    origin: place of the first [m]; default: the origin.
    layers: along the last axis: "straight", the default; "staggered", a brick bond, in which every second one has one
        place fewer along the first axis and is half a spacing further; "pyramid", in which each one is so along all
        other axes.
    """

    count: WholeNumbers
    spacing: Vector
    origin: Vector | None = field(default=None, kw_only=True)
    layers: Literal["straight", "staggered", "pyramid"] | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False)
class RandomPlaces(Part):
    """Random places in a box.

    count: how many.
    lower: corner of the box [m].
    upper: the opposite corner [m].
    distance: least distance of any two places [m]; default 0.
    """

    count: int
    lower: Vector
    upper: Vector
    distance: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Arch(Part):
    """Stones of an arch with radial joints, which have their shapes from it; in space in the plane of x and z.

    count: how many stones.
    radius: to their middle [m].
    thickness: radial [m].
    depth: in space, along y [m].
    center: [m]; default: the origin.
    angles: where it begins and ends, counterclockwise from x [rad]; default 0 and pi.
    """

    count: int
    radius: float
    thickness: float
    depth: float | None = None
    center: Vector | None = None
    angles: Vector | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Instances(Part):
    """Many bodies from one description, at the places of one of `grid`, `positions`, `random`, `arch`.

    name: names of the bodies; {i} stands for the number of each, from 0. Loads and drag on this name act on all.
    body: what each one is, without a name; its position is added to that of each place.
    grid: places in rows.
    positions: places one by one [m].
    random: random places in a box.
    arch: stones of an arch.
    jitter: most random displacement along each axis [m]; default 0.
    random_orientation: whether each one is turned at random; default False.
    random_scale: smallest and largest factor on all lengths, at the same density.
    seed: of all random choices, which are the same on every machine; default 1.
    """

    name: str
    body: Body
    grid: Grid | None = None
    positions: Rows | None = None
    random: RandomPlaces | None = None
    arch: Arch | None = None
    jitter: float | None = None
    random_orientation: bool | None = None
    random_scale: Vector | None = None
    seed: int | None = None
