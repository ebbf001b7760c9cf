"""Forces between bodies and on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stickslip.parts.motions import Table
from stickslip.parts.part import Part
from stickslip.parts.values import TwoNames, Vector


@dataclass(eq=False, repr=False, kw_only=True)
class Element(Part):
    """A force element along the line between two points of two bodies.

    type: "rope", pulls so that the distance stays <= length; "spring", keeps its length until a force above
        `prestress` acts; "one-way", the points can move in one way only; "friction", any force up to `force` against
        the change of the distance.
    name: default "element0", "element1", ...
    bodies: their names; "world" is the world.
    point_a: in the first body's frame [m]; default: its origin.
    point_b: in the second body's frame [m]; default: its origin.
    length: "rope": largest distance [m]; default: as at the start.
    restitution: "rope": of Newton when it becomes taut, 0 to 1; default 0.
    prestress: "spring": force that it takes to leave rest [N]; default 0.
    stiffness: "spring": [N/m]; default 0.
    damping: "spring": [N s/m]; default 0.
    rest_length: "spring": [m], > 0; default: as at the start.
    direction: "one-way": "apart" or "together".
    force: "friction": largest force [N], > 0.
    """

    type: Literal["rope", "spring", "one-way", "friction"]
    name: str | None = None
    bodies: TwoNames
    point_a: Vector | None = None
    point_b: Vector | None = None
    length: float | None = None
    restitution: float | None = None
    prestress: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    rest_length: float | None = None
    direction: Literal["apart", "together"] | None = None
    force: float | None = None


@dataclass(eq=False, repr=False)
class Spring(Part):
    """Spring and damper between two points.

    name: default "spring0", "spring1", ...
    bodies: names of two bodies; "world" is the world.
    point_a: in the first body's frame [m]; default: its origin.
    point_b: in the second body's frame [m]; default: its origin.
    rest_length: [m]; default: as at the start.
    stiffness: [N/m]; default 0.
    damping: [N s/m]; default 0.
    implicit: solved together with the contacts, stable for any stiffness; default True.
    """

    bodies: TwoNames
    name: str | None = field(default=None, kw_only=True)
    point_a: Vector | None = field(default=None, kw_only=True)
    point_b: Vector | None = field(default=None, kw_only=True)
    rest_length: float | None = field(default=None, kw_only=True)
    stiffness: float | None = field(default=None, kw_only=True)
    damping: float | None = field(default=None, kw_only=True)
    implicit: bool | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False)
class Load(Part):
    """A force and a torque on a body.

    body: name of a dynamic body, or of Instances for all of them.
    force: [N], constant or a Table.
    torque: [N m], three numbers in space; constant or a Table.
    point: where the force acts, in the body's frame [m]; default: its origin.
    frame: of force and torque: "world", the default, or "body", which turns with it.
    """

    body: str
    force: Vector | Table | None = field(default=None, kw_only=True)
    torque: float | Vector | Table | None = field(default=None, kw_only=True)
    point: Vector | None = field(default=None, kw_only=True)
    frame: Literal["world", "body"] | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False)
class Drag(Part):
    """force = -(linear + quadratic |v|) v, torque = -(angular + angular_quadratic |omega|) omega.

    body: name of a dynamic body, or of Instances for all of them.
    linear: [N s/m]; default 0.
    quadratic: [N s^2/m^2]; default 0.
    angular: [N m s]; default 0.
    angular_quadratic: [N m s^2]; default 0.
    """

    body: str
    linear: float | None = field(default=None, kw_only=True)
    quadratic: float | None = field(default=None, kw_only=True)
    angular: float | None = field(default=None, kw_only=True)
    angular_quadratic: float | None = field(default=None, kw_only=True)
