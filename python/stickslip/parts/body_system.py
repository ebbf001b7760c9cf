"""Rigid bodies, and the systems that they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stickslip.parts.forces import Drag, Element, Load, Spring
from stickslip.parts.instances import Instances
from stickslip.parts.body import Body
from stickslip.parts.joints import Joint
from stickslip.parts.materials import Material, MaterialPair
from stickslip.parts.part import Part, parts_of
from stickslip.parts.part_list import Parts
from stickslip.parts.values import TwoNames, Vector


@dataclass(eq=False, repr=False, kw_only=True)
class Bodies(Part):
    """Rigid bodies in the plane or in space. Vectors have two or three numbers; rotations, angular velocities and
    torques have one number in the plane, about z, and three in space.

    type: "spatial" or "planar".
    gravity: [m/s^2]; default 9.81 downwards, along -z or -y.
    materials: surfaces by name; those of shapes that name none is "default".
    material_pairs: what two materials make together.
    bodies: one by one.
    instances: many bodies from one description each.
    joints: between bodies.
    elements: force elements with a law of their own: ropes, prestressed springs, one-way elements, dry friction.
    springs: springs and dampers between points of bodies.
    loads: given forces and torques.
    drag: on bodies.
    no_collision: pairs of names of bodies that pass through each other.
    """

    type: Literal["planar", "spatial"] = "spatial"
    gravity: Vector | None = None
    materials: dict[str, Material] = field(default_factory=dict)
    material_pairs: Parts[MaterialPair] = parts_of()
    bodies: Parts[Body] = parts_of("body")
    instances: Parts[Instances] = parts_of("instances")
    joints: Parts[Joint] = parts_of("joint")
    elements: Parts[Element] = parts_of("element")
    springs: Parts[Spring] = parts_of("spring")
    loads: Parts[Load] = parts_of()
    drag: Parts[Drag] = parts_of()
    no_collision: Parts[TwoNames] = parts_of()

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return 2 if self.type == "planar" else 3
