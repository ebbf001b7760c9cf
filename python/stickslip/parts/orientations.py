"""Turns in space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from stickslip.parts.part import Part
from stickslip.parts.values import Vector


@dataclass(eq=False, repr=False)
class AxisAngle(Part):
    """A turn about an axis; in space.

    axis: direction, of any length but zero.
    angle: [rad].
    """

    axis: Vector
    angle: float


#: A unit quaternion [w, x, y, z], or axis and angle.
Orientation = Union[Vector, AxisAngle]
