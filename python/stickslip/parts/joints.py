"""Joints between bodies, and what acts along their coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from stickslip.parts.motions import Table
from stickslip.parts.orientations import Orientation
from stickslip.parts.part import Part
from stickslip.parts.values import Bounds, Free, TwoNames, Vector

# ---- What acts along a coordinate ----


@dataclass(eq=False, repr=False, kw_only=True)
class Motor(Part):
    """Drives a coordinate with a limited force, to a velocity or to a position.

    velocity: to be reached [rad/s, m/s], constant or a Table.
    position: instead of this, to be reached [rad, m], constant or a Table; with `time_constant`.
    max_force: largest force [N] or torque [N m].
    time_constant: within which the distance to `position` is closed [s], > 0.
    """

    velocity: float | Table | None = None
    position: float | Table | None = None
    max_force: float
    time_constant: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class JointSpring(Part):
    """Spring and damper along a coordinate.

    stiffness: [N/m, N m/rad]; default 0.
    damping: [N s/m, N m s/rad]; default 0.
    prestress: force [N] or torque [N m] that it takes to leave `rest`; default 0.
    rest: coordinate at rest [m, rad]; default: as at the start.
    """

    stiffness: float | None = None
    damping: float | None = None
    prestress: float | None = None
    rest: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Driven(Part):
    """What has a coordinate along which something acts.

    limits: least and largest value of the coordinate [m, rad]; None for none.
    limit_restitution: of Newton at the limits, 0 to 1; default 0.
    motor: drives the coordinate with a limited force.
    friction: largest force [N] or torque [N m] of dry friction; default 0.
    one_way: sprag clutch; the coordinate can only grow ("forward") or only shrink ("backward").
    spring: along the coordinate.
    """

    limits: Bounds | None = None
    limit_restitution: float | None = None
    motor: Motor | None = None
    friction: float | None = None
    one_way: Literal["forward", "backward"] | None = None
    spring: JointSpring | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Drive(Driven):
    """What acts along one coordinate of a joint that has two; fields as in Driven."""


# ---- What all joints have ----


@dataclass(eq=False, repr=False, kw_only=True)
class Joint(Part):
    """A joint, one of the classes below.

    name: default "joint0", "joint1", ...
    """

    type: ClassVar[str]
    name: str | None = None


@dataclass(eq=False, repr=False)
class BodyJoint(Joint):
    """A joint between two bodies.

    bodies: their names; "world" is the world.
    collide: whether the two collide; default False.
    """

    bodies: TwoNames
    collide: bool | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False, kw_only=True)
class Frame(Part):
    """Where a joint sits in the frame of a body; its axis is z in space, x in the plane.

    position: [m]; default: the origin.
    angle: in the plane, counterclockwise [rad]; default 0.
    orientation: in space, a unit quaternion [w, x, y, z] or an AxisAngle; default: not turned.
    """

    position: Vector | None = None
    angle: float | None = None
    orientation: Orientation | None = None


@dataclass(eq=False, repr=False)
class PlacedJoint(BodyJoint):
    """A joint at a place.

    position: where it is at the start, world frame [m].
    frame_a: instead of position and axes, a frame in the first body's.
    frame_b: and one in the second body's.
    """

    position: Vector | None = field(default=None, kw_only=True)
    frame_a: Frame | None = field(default=None, kw_only=True)
    frame_b: Frame | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False)
class AxisJoint(PlacedJoint):
    """A joint with an axis.

    axis: its direction at the start, world frame.
    """

    axis: Vector | None = field(default=None, kw_only=True)


# ---- The types ----


@dataclass(eq=False, repr=False)
class RevoluteJoint(Driven, AxisJoint):
    """Turns about a point, in space about an axis; coordinate: angle [rad], 0 at the start."""

    type: ClassVar[str] = "revolute"


@dataclass(eq=False, repr=False)
class PrismaticJoint(Driven, AxisJoint):
    """Slides along an axis; coordinate: displacement [m], 0 at the start."""

    type: ClassVar[str] = "prismatic"


@dataclass(eq=False, repr=False)
class CylindricalJoint(AxisJoint):
    """Slides along and turns about an axis, in space; coordinates: displacement [m] and angle [rad], 0 at the start.

    drives: what acts along "displacement" and "angle".
    """

    type: ClassVar[str] = "cylindrical"
    drives: dict[Literal["displacement", "angle"], Drive] = field(default_factory=dict, kw_only=True)


@dataclass(eq=False, repr=False)
class SphericalJoint(PlacedJoint):
    """Holds a point, in space."""

    type: ClassVar[str] = "spherical"


@dataclass(eq=False, repr=False)
class UniversalJoint(AxisJoint):
    """Turns about two axes, in space; coordinates: angle_1 and angle_2 [rad], 0 at the start.

    axis_2: at right angles to axis.
    drives: what acts along "angle_1" and "angle_2".
    """

    type: ClassVar[str] = "universal"
    axis_2: Vector | None = field(default=None, kw_only=True)
    drives: dict[Literal["angle_1", "angle_2"], Drive] = field(default_factory=dict, kw_only=True)


@dataclass(eq=False, repr=False)
class PlanarJoint(AxisJoint):
    """Keeps a plane, in space; axis is its normal."""

    type: ClassVar[str] = "planar"


@dataclass(eq=False, repr=False)
class FixedJoint(PlacedJoint):
    """Holds everything."""

    type: ClassVar[str] = "fixed"


@dataclass(eq=False, repr=False)
class DistanceJoint(Driven, BodyJoint):
    """Holds the distance of two points, or limits it; coordinate: distance [m].

    point_a: in the first body's frame [m]; default: its origin.
    point_b: in the second body's frame [m]; default: its origin.
    length: [m]; default: as at the start. "free" (null in a file): not held, only limits, motor, friction and spring
        act.
    """

    type: ClassVar[str] = "distance"
    point_a: Vector | None = field(default=None, kw_only=True)
    point_b: Vector | None = field(default=None, kw_only=True)
    length: float | Free | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False)
class GearJoint(Joint):
    """Coordinate of the second joint = ratio times that of the first, from the start.

    joints: names of two revolute, prismatic or cylindrical joints.
    ratio: not zero.
    """

    type: ClassVar[str] = "gear"
    joints: TwoNames
    ratio: float
