"""Shapes of bodies, in a frame of their own, and where this is in the body's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from stickslip.parts.orientations import Orientation
from stickslip.parts.part import Part
from stickslip.parts.values import FilePath, Rows, Vector, WholeRows


@dataclass(eq=False, repr=False)
class Shape(Part):
    """A shape, one of the classes below."""

    type: ClassVar[str]


@dataclass(eq=False, repr=False, kw_only=True)
class PlanarShape(Shape):
    """A shape in the plane.

    position: in the body's frame [m]; default: its origin.
    angle: counterclockwise [rad]; default 0.
    material: name of its surface; default: the body's.
    density: of dynamic bodies [kg/m^2]; default: the body's, or the material's.
    """

    position: Vector | None = None
    angle: float | None = None
    material: str | None = None
    density: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class SpatialShape(Shape):
    """A shape in space.

    position: in the body's frame [m]; default: its origin.
    orientation: a unit quaternion [w, x, y, z] or an AxisAngle; default: not turned.
    material: name of its surface; default: the body's.
    density: of dynamic bodies [kg/m^3]; default: the body's, or the material's.
    """

    position: Vector | None = None
    orientation: Orientation | None = None
    material: str | None = None
    density: float | None = None


# ---- Both in the plane and in space ----


@dataclass(eq=False, repr=False)
class Box(PlanarShape, SpatialShape):
    """A rectangle or cuboid, centred.

    size: two or three side lengths [m].
    """

    type: ClassVar[str] = "box"
    size: Vector


@dataclass(eq=False, repr=False)
class Capsule(PlanarShape, SpatialShape):
    """Points within a radius of a segment, centred; along x in the plane, along z in space.

    length: of the segment [m].
    radius: [m].
    """

    type: ClassVar[str] = "capsule"
    length: float
    radius: float


@dataclass(eq=False, repr=False)
class Rock(PlanarShape, SpatialShape):
    """A random convex polygon or polytope; every instance is another one.

    radius: of the circle or sphere through all corners [m].
    corners: how many, at most 200; default 12.
    seed: of the random choices; default 1.
    scale: in space, factor on all lengths, or one for each axis; default 1.
    """

    type: ClassVar[str] = "rock"
    radius: float
    corners: int | None = field(default=None, kw_only=True)
    seed: int | None = field(default=None, kw_only=True)
    scale: float | Vector | None = field(default=None, kw_only=True)


# ---- In the plane ----


@dataclass(eq=False, repr=False)
class Disk(PlanarShape):
    """A disk; in the plane.

    radius: [m].
    """

    type: ClassVar[str] = "disk"
    radius: float


@dataclass(eq=False, repr=False)
class Polygon(PlanarShape):
    """A convex polygon; in the plane.

    vertices: at least three rows [x, y] in order, either way round [m].
    """

    type: ClassVar[str] = "polygon"
    vertices: Rows


@dataclass(eq=False, repr=False, kw_only=True)
class HalfPlane(PlanarShape):
    """All points below the line y = 0; in the plane, not for dynamic bodies.

    normal: outward direction, in place of `angle`.
    """

    type: ClassVar[str] = "half-plane"
    normal: Vector | None = None


@dataclass(eq=False, repr=False)
class Ring(Part):
    """A regular polygon around what is inside.

    radius: of the corners [m].
    sides: how many, at most 10000; default 48.
    """

    radius: float
    sides: int | None = None


@dataclass(eq=False, repr=False)
class Polyline(PlanarShape):
    """A chain of segments, solid on the right of the way; in the plane, not for dynamic bodies.

    points: at least two rows [x, y] [m].
    ring: instead of points.
    """

    type: ClassVar[str] = "polyline"
    points: Rows | None = None
    ring: Ring | None = field(default=None, kw_only=True)


# ---- In space ----


@dataclass(eq=False, repr=False)
class Sphere(SpatialShape):
    """A ball; in space.

    radius: [m].
    """

    type: ClassVar[str] = "sphere"
    radius: float


@dataclass(eq=False, repr=False)
class Cylinder(SpatialShape):
    """A solid cylinder along z, centred; in space.

    radius: [m].
    height: [m].
    """

    type: ClassVar[str] = "cylinder"
    radius: float
    height: float


@dataclass(eq=False, repr=False)
class Convex(SpatialShape):
    """The convex hull of points; in space.

    points: at least four rows [x, y, z], not all in a plane [m].
    file: instead of points, an OBJ or STL file in the scene's folder; its path is relative to this folder.
    scale: factor on all lengths, or one for each axis; default 1.
    """

    type: ClassVar[str] = "convex"
    points: Rows | None = None
    file: FilePath | None = field(default=None, kw_only=True)
    scale: float | Vector | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False, kw_only=True)
class HalfSpace(SpatialShape):
    """All points below the plane z = 0; in space, not for dynamic bodies.

    normal: outward direction, in place of `orientation`.
    """

    type: ClassVar[str] = "half-space"
    normal: Vector | None = None


@dataclass(eq=False, repr=False)
class HeightField(SpatialShape):
    """Terrain: heights over a regular grid, centred, solid below; in space, not for dynamic bodies.

    heights: rows along x, one for each y, all of the same length [m].
    spacing: of the grid [m], along both axes or [x, y].
    """

    type: ClassVar[str] = "height-field"
    heights: Rows
    spacing: float | Vector


@dataclass(eq=False, repr=False)
class Revolve(Part):
    """The surface that a profile sweeps about z, solid on the right of the way.

    profile: at least two rows [r, z], r >= 0 [m].
    sides: how many flat ones, at most 10000; default 48.
    """

    profile: Rows
    sides: int | None = None


@dataclass(eq=False, repr=False)
class Mesh(SpatialShape):
    """Triangles, counterclockwise seen from outside; in space, not for dynamic bodies.

    vertices: rows [x, y, z] [m].
    triangles: rows of the indices of three vertices, from 0.
    file: instead of these, an OBJ or STL file in the scene's folder; its path is relative to this folder.
    revolve: or a surface of revolution.
    scale: factor on all lengths, or one for each axis; default 1.
    """

    type: ClassVar[str] = "mesh"
    vertices: Rows | None = None
    triangles: WholeRows | None = None
    file: FilePath | None = field(default=None, kw_only=True)
    revolve: Revolve | None = field(default=None, kw_only=True)
    scale: float | Vector | None = field(default=None, kw_only=True)
