"""Surfaces: friction, restitution, and what two of them make together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from stickslip.parts.part import Part
from stickslip.parts.values import Rows, TwoNames, Vector


@dataclass(eq=False, repr=False)
class Transition(Part):
    """How friction goes from rest to fast sliding; with x = sliding speed / `speed`, the part of the way that is left
    is 1/(1 + x^2) or exp(-x^exponent).

    type: "smooth" or "stribeck".
    speed: of the transition [m/s], > 0.
    exponent: "stribeck" only; default 1.
    """

    type: Literal["smooth", "stribeck"]
    speed: float
    exponent: float | None = None


@dataclass(eq=False, repr=False)
class Anisotropy(Part):
    """Friction that differs along and across a direction; in space.

    direction: in the body's frame, of any length; `friction` of the material holds along it.
    friction_across: coefficient across it.
    friction_directions: instead of this, 2 to 64 rows of 2, 3 or 5 components: friction is in `friction` times their
        hull. Along and across the direction, then spin [m], then rolling about the two [m].
    """

    direction: Vector
    friction_across: float | None = field(default=None, kw_only=True)
    friction_directions: Rows | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False, kw_only=True)
class Surface(Part):
    """What a material, and a pair of them, say about contacts.

    friction: Coulomb coefficient, at rest if it depends on the speed; default 0.5.
    kinetic_friction: coefficient of fast sliding; with `transition`.
    transition: how friction gets there.
    restitution: of Newton, in normal direction, 0 to 1; default 0.
    tangential_restitution: of Newton, in tangential direction, 0 to 1; default 0.
    rolling_friction: largest moment against rolling per normal force [m]; default 0.
    torsional_friction: largest moment against spin about the normal per normal force [m], in space; default 0.
    friction_force: if not 0, the largest friction force of a contact point whatever its load [N]; default 0.
    directions: corners of a polyhedral friction cone, 3 to 64, in space.
    """

    friction: float | None = None
    kinetic_friction: float | None = None
    transition: Transition | None = None
    restitution: float | None = None
    tangential_restitution: float | None = None
    rolling_friction: float | None = None
    torsional_friction: float | None = None
    friction_force: float | None = None
    directions: int | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Material(Surface):
    """A surface with a density.

    density: mass per volume [kg/m^3], in the plane per area [kg/m^2]; default 1000.
    anisotropy: friction that differs along and across a direction, in space.
    """

    density: float | None = None
    anisotropy: Anisotropy | None = None


@dataclass(eq=False, repr=False)
class MaterialPair(Surface):
    """What two materials make together; fields of Surface that are not given come from the two.

    between: their names, which may be the same.
    """

    between: TwoNames
