"""Prescribed motions of kinematic bodies, and functions of time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from stickslip.parts.part import Part
from stickslip.parts.values import Rows, Vector


@dataclass(eq=False, repr=False)
class Table(Part):
    """A function of time: linear between the times, constant outside.

    times: strictly ascending [s].
    values: a number or a row for each time.
    """

    times: Vector
    values: Vector | Rows


@dataclass(eq=False, repr=False)
class Motion(Part):
    """Prescribed motion of a kinematic body, one of the classes below."""

    type: ClassVar[str]


@dataclass(eq=False, repr=False, kw_only=True)
class ConstantMotion(Motion):
    """Constant velocities, world frame.

    velocity: [m/s]; default 0.
    angular_velocity: [rad/s], three numbers in space; default 0.
    """

    type: ClassVar[str] = "constant"
    velocity: Vector | None = None
    angular_velocity: float | Vector | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class SinusoidalMotion(Motion):
    """amplitude sin(2 pi frequency t + phase), from the start.

    amplitude: of the displacement [m]; default 0.
    rotation_amplitude: of the turn [rad], three numbers in space; default 0.
    frequency: [Hz], > 0.
    phase: [rad]; default 0.
    """

    type: ClassVar[str] = "sinusoid"
    amplitude: Vector | None = None
    rotation_amplitude: float | Vector | None = None
    frequency: float
    phase: float | None = None


@dataclass(eq=False, repr=False)
class TabledMotion(Motion):
    """Linear between the times; at rest before the first and after the last.

    times: strictly ascending [s].
    displacements: from the start, a row for each time [m]; default 0.
    rotations: from the start [rad], one for each time: numbers in the plane, rotation vectors in space; default 0.
    """

    type: ClassVar[str] = "table"
    times: Vector
    displacements: Rows | None = field(default=None, kw_only=True)
    rotations: Vector | Rows | None = field(default=None, kw_only=True)
