"""The parts that scenes are made of: everything that a scene file can say, as objects.

Fields have the names of the scene format (docs/scene-format.md). What is None, or an empty list, is left out of the
file and has the default of the format. Numbers and vectors may be NumPy arrays and scalars; they are kept as plain
numbers and lists, which can be changed in place. SI units are named; any consistent ones will do.
"""

from stickslip.parts.body import Body
from stickslip.parts.body_system import Bodies
from stickslip.parts.forces import Drag, Element, Load, Spring
from stickslip.parts.instances import Arch, Grid, Instances, RandomPlaces
from stickslip.parts.joints import (
    CylindricalJoint,
    DistanceJoint,
    Drive,
    Driven,
    FixedJoint,
    Frame,
    GearJoint,
    Joint,
    JointSpring,
    Motor,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    SphericalJoint,
    UniversalJoint,
)
from stickslip.parts.linear import Linear, LinearContact, LinearElement, LinearJoint, LinearLoad
from stickslip.parts.materials import Anisotropy, Material, MaterialPair, Transition
from stickslip.parts.method import Initial, Method, RecordingSettings, Time
from stickslip.parts.motions import ConstantMotion, Motion, SinusoidalMotion, Table, TabledMotion
from stickslip.parts.orientations import AxisAngle
from stickslip.parts.part import Part
from stickslip.parts.part_list import PartList
from stickslip.parts.shapes import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Disk,
    HalfPlane,
    HalfSpace,
    HeightField,
    Mesh,
    Polygon,
    Polyline,
    Revolve,
    Ring,
    Rock,
    Shape,
    Sphere,
)

__all__ = [
    "Anisotropy",
    "Arch",
    "AxisAngle",
    "Bodies",
    "Body",
    "Box",
    "Capsule",
    "ConstantMotion",
    "Convex",
    "Cylinder",
    "CylindricalJoint",
    "Disk",
    "DistanceJoint",
    "Drag",
    "Drive",
    "Driven",
    "Element",
    "FixedJoint",
    "Frame",
    "GearJoint",
    "Grid",
    "HalfPlane",
    "HalfSpace",
    "HeightField",
    "Initial",
    "Instances",
    "Joint",
    "JointSpring",
    "Linear",
    "LinearContact",
    "LinearElement",
    "LinearJoint",
    "LinearLoad",
    "Load",
    "Material",
    "MaterialPair",
    "Mesh",
    "Method",
    "Motion",
    "Motor",
    "Part",
    "PartList",
    "PlanarJoint",
    "Polygon",
    "Polyline",
    "PrismaticJoint",
    "RandomPlaces",
    "RecordingSettings",
    "RevoluteJoint",
    "Revolve",
    "Ring",
    "Rock",
    "Shape",
    "SinusoidalMotion",
    "Sphere",
    "SphericalJoint",
    "Spring",
    "Table",
    "TabledMotion",
    "Time",
    "Transition",
    "UniversalJoint",
]
