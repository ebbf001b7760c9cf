"""A rigid body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from stickslip.parts.motions import Motion
from stickslip.parts.orientations import Orientation
from stickslip.parts.part import Part, parts_of
from stickslip.parts.part_list import Parts
from stickslip.parts.shapes import Shape
from stickslip.parts.values import Rows, Vector


@dataclass(eq=False, repr=False, kw_only=True)
class Body(Part):
    """A rigid body.

    name: default "body0", "body1", ...; left out in Instances.
    type: "dynamic", moves by forces and impulses, the default; "static", never moves; "kinematic", moves as `motion`
        says.
    position: of the body's frame [m]; default: the origin.
    angle: in the plane, counterclockwise [rad]; default 0.
    orientation: in space, a unit quaternion [w, x, y, z] or an AxisAngle; default: not turned.
    velocity: of the frame's origin [m/s], of dynamic bodies; default 0.
    angular_velocity: world frame [rad/s], three numbers in space, of dynamic bodies; default 0.
    mass: [kg]; default: from shapes and densities.
    inertia: about the centre of mass, in the body's axes [kg m^2]: a number in the plane, three moments or three rows
        in space; default: from the shapes.
    center_of_mass: in the body's frame [m]; only with `inertia`. Default: the origin.
    density: of shapes that name none [kg/m^3, in the plane kg/m^2]; default: the material's.
    shape: one shape; or use `shapes`.
    shapes: several shapes, a compound.
    material: name of the surface of shapes that name none; default "default".
    motion: of kinematic bodies.
    """

    name: str | None = None
    type: Literal["dynamic", "static", "kinematic"] | None = None
    position: Vector | None = None
    angle: float | None = None
    orientation: Orientation | None = None
    velocity: Vector | None = None
    angular_velocity: float | Vector | None = None
    mass: float | None = None
    inertia: float | Vector | Rows | None = None
    center_of_mass: Vector | None = None
    density: float | None = None
    shape: Shape | None = None
    shapes: Parts[Shape] = parts_of()
    material: str | None = None
    motion: Motion | None = None
