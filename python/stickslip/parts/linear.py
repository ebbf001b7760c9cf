"""Linear systems: M du/dt = f + loads(t) - K q - C u + contact and joint forces. Units are those of the coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stickslip.parts.materials import Transition
from stickslip.parts.part import Part, parts_of
from stickslip.parts.part_list import Parts
from stickslip.parts.values import Rows, Vector


@dataclass(eq=False, repr=False, kw_only=True)
class LinearLoad(Part):
    """A load on one coordinate that changes with time.

    coordinate: its name.
    type: "sinusoid", amplitude sin(2 pi frequency t + phase); "table", linear between the times, constant outside.
    amplitude: "sinusoid": of the load.
    frequency: "sinusoid": [Hz], > 0.
    phase: "sinusoid": [rad]; default 0.
    times: "table": strictly ascending [s].
    values: "table": one for each time.
    """

    coordinate: str
    type: Literal["sinusoid", "table"]
    amplitude: float | None = None
    frequency: float | None = None
    phase: float | None = None
    times: Vector | None = None
    values: Vector | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class LinearContact(Part):
    """Keeps the gap g0 + w_N.q + drive_n t >= 0, and slides with w_T.u + drive_t, in space also with w_T2.u + drive_t2.

    name: default "contact0", "contact1", ...
    g0: gap at q = 0, t = 0.
    w_N: gradient of the gap, not all zero.
    w_T: direction of sliding; required with friction.
    mu: Coulomb coefficient, at rest if it depends on the speed.
    e_n: restitution of Newton in normal direction, 0 to 1.
    e_t: the same in tangential direction; default 0.
    mu_kinetic: coefficient of fast sliding; with `transition`.
    transition: how friction gets there.
    friction_force: if not 0, the largest friction force whatever the load; default 0.
    drive_n: rheonomic term of the gap; default 0.
    drive_t: rheonomic term of the sliding velocity; default 0.
    w_T2: second direction of sliding, of a contact in space.
    mu_2: with w_T2: coefficient along it; default mu.
    drive_t2: with w_T2: rheonomic term; default 0.
    directions: with w_T2: corners of a polyhedral friction cone, 3 to 64.
    friction_directions: with w_T2: 2 to 64 rows of two components; friction is in mu times their hull.
    """

    name: str | None = None
    g0: float
    w_N: Vector
    w_T: Vector | None = None
    mu: float
    e_n: float
    e_t: float | None = None
    mu_kinetic: float | None = None
    transition: Transition | None = None
    friction_force: float | None = None
    drive_n: float | None = None
    drive_t: float | None = None
    w_T2: Vector | None = None
    mu_2: float | None = None
    drive_t2: float | None = None
    directions: int | None = None
    friction_directions: Rows | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class LinearJoint(Part):
    """Keeps g0 + w.q + drive t = 0.

    name: default "joint0", "joint1", ...
    g0: constant.
    w: gradient, not all zero.
    drive: rheonomic term; default 0.
    """

    name: str | None = None
    g0: float
    w: Vector
    drive: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class LinearElement(Part):
    """A force element along the elongation g0 + w.q + drive t.

    type: "rope", pulls so that the elongation stays <= length; "spring", stays at rest until a force above `prestress`
        acts; "one-way", the elongation only grows; "friction", any force up to `force` against its change.
    name: default "element0", "element1", ...
    g0: elongation at q = 0, t = 0; default 0.
    w: its gradient, not all zero.
    drive: rheonomic term; default 0.
    length: "rope": largest elongation.
    restitution: "rope": of Newton when it becomes taut, 0 to 1; default 0.
    prestress: "spring": force that it takes to leave rest; default 0.
    stiffness: "spring": default 0.
    damping: "spring": default 0.
    rest: "spring": elongation at rest; default 0.
    force: "friction": largest force, > 0.
    """

    type: Literal["rope", "spring", "one-way", "friction"]
    name: str | None = None
    g0: float | None = None
    w: Vector
    drive: float | None = None
    length: float | None = None
    restitution: float | None = None
    prestress: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    rest: float | None = None
    force: float | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Linear(Part):
    """Coordinates with constant matrices and affine contacts. Where they start is in Initial.

    coordinates: their names, all different; there are n.
    M: mass matrix, n x n, symmetric positive definite.
    K: stiffness, n x n; default: none.
    C: damping, n x n; default: none.
    f: constant load, n numbers; default 0.
    implicit: whether K and C, symmetric and not negative, are taken implicitly; default False.
    loads: loads over time.
    contacts: affine contacts.
    joints: affine joints.
    elements: force elements.
    """

    type: ClassVar[str] = "linear"
    coordinates: Sequence[str]
    M: Rows
    K: Rows | None = None
    C: Rows | None = None
    f: Vector | None = None
    implicit: bool | None = None
    loads: Parts[LinearLoad] = parts_of()
    contacts: Parts[LinearContact] = parts_of("contact")
    joints: Parts[LinearJoint] = parts_of("joint")
    elements: Parts[LinearElement] = parts_of("element")
