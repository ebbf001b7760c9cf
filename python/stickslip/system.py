"""Systems of one's own in generalized coordinates, q' = u: M(q, t) du = h(q, u, t) dt + contacts and joints.

    class Rod(ss.System):
        coordinates = ("x", "y", "theta")
        contacts = (ss.ContactLaw("tip", mu=0.4),)
        mass = np.diag([1.0, 1.0, 1 / 12])
        forces = (0.0, -9.81, 0.0)

        def gaps(self, t, q):
            return [q[1] - np.sin(q[2]) / 2]

        def normals(self, t, q):
            return [[0, 1, -np.cos(q[2]) / 2]]

        def tangents(self, t, q):
            return [[1, 0, np.sin(q[2]) / 2]]

    sim = ss.Simulation(Rod(), step=1e-4, q={"y": 1.0})

Contacts are as in Glocker & Studer (2005): the gap g_N, the direction w_N, which is its gradient, and the direction of
sliding w_T, along which the contact has the velocities w_N.u + (rheonomic term) and w_T.u + (rheonomic term).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import number, numbers
from stickslip.parts import Method, Transition

if TYPE_CHECKING:
    from stickslip.scene import Scene

__all__ = ["ContactLaw", "DryFriction", "JointLaw", "OneWay", "Prestress", "System", "SystemSource"]

Array = NDArray[np.float64]
#: A function of time and positions, or what it gives if that never changes.
OfPlace = Union[Callable[[float, Array], ArrayLike], ArrayLike]
#: The same with velocities.
OfState = Union[Callable[[float, Array, Array], ArrayLike], ArrayLike]

_MOST_DIRECTIONS = 64


# ---- Laws ----


@dataclass(frozen=True)
class ContactLaw:
    """A contact that can open: Coulomb friction, and Newton's restitution.

    Args:
        name: For output; empty: contact0, contact1 and so on.
        mu: Coefficient of friction, >= 0; with two tangents along the first one.
        e_n, e_t: Restitution along the normal and the tangents, from 0 to 1.
        friction_force: If > 0, the largest friction force whatever the load, in place of `mu` [force].
        mu_kinetic: The coefficient that fast sliding tends to; `mu` holds at rest then.
        transition: With `mu_kinetic`, over which speeds: a `Transition`, or a dictionary as scenes have it.
        tangents: 1 or 2 directions in which the contact can slide.
        mu_2: Two tangents: the coefficient along the second one, if it is another.
        directions: Two tangents: corners of a polyhedral cone, 3 to 64; 0 leaves it to the method.
        friction_directions: Two tangents: the corners themselves, rows of two numbers in units of `mu`.
    """

    name: str = ""
    mu: float = 0.0
    e_n: float = 0.0
    e_t: float = 0.0
    friction_force: float = 0.0
    mu_kinetic: float | None = None
    transition: Mapping[str, Any] | Transition | None = None
    tangents: int = 1
    mu_2: float | None = None
    directions: int = 0
    friction_directions: ArrayLike | None = None

    kind = "unilateral"

    def __post_init__(self) -> None:
        check = _Check(self)
        check.text("name")
        for field in ("mu", "friction_force"):
            check.number(field, "a number >= 0", lambda x: x >= 0)
        for field in ("e_n", "e_t"):
            check.number(field, "a number from 0 to 1", lambda x: 0 <= x <= 1)
        for field in ("mu_kinetic", "mu_2"):
            if getattr(self, field) is not None:
                check.number(field, "a number >= 0", lambda x: x >= 0)
        check.whole("tangents", "1 or 2", lambda n: n in (1, 2))
        check.whole("directions", f"0, or 3 to {_MOST_DIRECTIONS}", lambda n: n == 0 or 3 <= n <= _MOST_DIRECTIONS)
        if (self.mu_kinetic is None) != (self.transition is None):
            check.refuse("mu_kinetic", "goes together with transition, which says over which speeds")
        if self.transition is not None:
            if self.mu == 0:
                check.refuse("mu", "must be > 0 with mu_kinetic, which is a multiple of it")
            check.set("transition", _Curve.of(self.transition, check))
        for field in ("mu_2", "directions", "friction_directions"):
            if self.tangents == 1 and getattr(self, field) not in (None, 0):
                check.refuse(field, "only for a contact with tangents=2")
        if self.friction_directions is not None:
            if self.mu_2 is not None or self.directions != 0:
                check.refuse("friction_directions", "says it for each direction; leave out mu_2 and directions")
            given = numbers(check.what("friction_directions"), self.friction_directions)
            if given.ndim != 2 or given.shape[1] != 2 or len(given) > _MOST_DIRECTIONS:
                check.refuse("friction_directions", f"expected up to {_MOST_DIRECTIONS} rows of two numbers")
            check.set("friction_directions", tuple(map(tuple, given.tolist())))


@dataclass(frozen=True)
class _Curve:
    type: str
    speed: float
    exponent: float = 1.0

    @staticmethod
    def of(given: Mapping[str, Any] | Transition, check: _Check) -> _Curve:
        if isinstance(given, _Curve):
            return given
        if not isinstance(given, (Transition, Mapping)):
            check.refuse("transition", f"expected a Transition or a dictionary, got {given!r}")
        fields: dict[str, Any] = dict(given) if isinstance(given, Mapping) else given.to_dict()
        kind = fields.pop("type", None)
        if kind not in ("smooth", "stribeck"):
            check.refuse("transition", f'type: expected "smooth" or "stribeck", got {kind!r}')
        what = check.what("transition")
        speed = number(f"{what}: speed", fields.pop("speed", None))
        exponent = number(f"{what}: exponent", fields.pop("exponent", 1.0)) if kind == "stribeck" else 1.0
        if fields:
            check.refuse("transition", f"{', '.join(fields)} not expected")
        if not (speed > 0 and exponent > 0):
            check.refuse("transition", "speed and exponent must be > 0")
        return _Curve(kind, speed, exponent)


@dataclass(frozen=True)
class DryFriction:
    """A force element along a row of `normals`: any force up to `force` that stops its velocity."""

    name: str = ""
    force: float = 0.0  #: [force], >= 0

    kind = "friction"

    def __post_init__(self) -> None:
        _check_element(self)


@dataclass(frozen=True)
class OneWay:
    """A force element along a row of `normals`, whose velocity cannot be negative: a sprag clutch."""

    name: str = ""

    kind = "one-way"

    def __post_init__(self) -> None:
        _Check(self).text("name")


@dataclass(frozen=True)
class Prestress:
    """A prestressed spring along a row of `normals`.

    Its elongation, the row of `gaps`, stays 0 until a force above `force` acts, which is what it then gives. What
    is added per elongation is a joint with a stiffness (`JointLaw`).
    """

    name: str = ""
    force: float = 0.0  #: [force], >= 0

    kind = "prestress"

    def __post_init__(self) -> None:
        _check_element(self)


@dataclass(frozen=True)
class JointLaw:
    """A joint: its gap stays 0, or a spring and damper act along its direction.

    The force -stiffness gap - damping d(gap)/dt is taken implicitly: it is stable for any stiffness.

    Args:
        name: For output.
        stiffness: [force / length], >= 0; infinite: nothing moves the joint.
        damping: [force x time / length], >= 0; of joints with a finite stiffness.
    """

    name: str = ""
    stiffness: float = math.inf
    damping: float = 0.0

    def __post_init__(self) -> None:
        check = _Check(self)
        check.text("name")
        if self.stiffness != math.inf:
            check.number("stiffness", "a number >= 0, or infinity", lambda x: x >= 0)
        check.number("damping", "a number >= 0", lambda x: x >= 0)
        if self.stiffness == math.inf and self.damping != 0:
            check.refuse("damping", "only for a joint with a finite stiffness")


Contact = Union[ContactLaw, DryFriction, OneWay, Prestress]


class _Check:
    """Checks the fields of a law, and writes them as what they are."""

    def __init__(self, law: Any) -> None:
        self._law = law

    def what(self, field: str) -> str:
        name = getattr(self._law, "name", "")
        return f"{type(self._law).__name__}{f' {name!r}' if name else ''}.{field}"

    def refuse(self, field: str, why: str) -> NoReturn:
        raise InputError(f"{self.what(field)}: {why}")

    def set(self, field: str, value: object) -> None:
        object.__setattr__(self._law, field, value)

    def text(self, field: str) -> None:
        if not isinstance(getattr(self._law, field), str):
            raise InputError(f"{type(self._law).__name__}.{field}: expected a text, got {getattr(self._law, field)!r}")

    def number(self, field: str, expected: str, fits: Callable[[float], bool]) -> None:
        value = number(self.what(field), getattr(self._law, field))
        if not fits(value):
            self.refuse(field, f"expected {expected}, got {value!r}")
        self.set(field, value)

    def whole(self, field: str, expected: str, fits: Callable[[int], bool]) -> None:
        value = getattr(self._law, field)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not fits(int(value)):
            self.refuse(field, f"expected {expected}, got {value!r}")
        self.set(field, int(value))


def _check_element(element: DryFriction | Prestress) -> None:
    check = _Check(element)
    check.text("name")
    check.number("force", "a number >= 0", lambda x: x >= 0)


# ---- The system ----


class System:
    """A mechanical system with n coordinates q and velocities u = q': to be derived from.

    A class gives what the system has. What does not change may be an array in place of a function; so may lists be
    in place of arrays. Functions get arrays that cannot be written to, and are called once for each time and place
    that the engine asks about, on the thread that steps. They must be pure: the same arguments, the same result; what
    a controller sets between two steps `forces` may use.

    Attributes:
        coordinates: Names of the coordinates; their number is n.
        contacts: A law for each contact, open ones included, and for each force element: m of them.
        joints: A law for each joint: k of them. `Simulation.joint_impulses` has what they carry, in this order;
            `Simulation.joints` are those of bodies.
        mass: `mass(t, q)`, the mass matrix M, symmetric and positive definite: (n, n).
        forces: `forces(t, q, u)`, all forces h but those of contacts and joints: (n,).
        gaps: `gaps(t, q)`, gaps of the contacts, > 0 where open, and elongations of prestressed elements: (m,)
            [length].
        normals: `normals(t, q)`, w_N, the gradients of the gaps: (m, n).
        tangents: `tangents(t, q)`, w_T, the directions of sliding: (m, n). Only contacts with friction use theirs.
        second_tangents: `second_tangents(t, q)`: (m, n). Only contacts with two tangents use theirs.
        drives: `drives(t, q)`, rheonomic terms: the velocities along normal and tangents that a contact has at u = 0,
            as on a belt: (m, 2), or (m, 3) if any contact has two tangents. None without it.
        joint_gaps: `joint_gaps(t, q)`, what joints keep at 0: (k,) [length].
        joint_directions: `joint_directions(t, q)`, the gradients of these: (k, n).
        joint_drives: `joint_drives(t, q)`, the rates of the joint gaps at u = 0: (k,). None without it.
        potential_energy: `potential_energy(t, q)`, of the forces that have one [force x length]; for output only.
    """

    coordinates: Sequence[str] = ()
    contacts: Sequence[Contact] = ()
    joints: Sequence[JointLaw] = ()

    mass: OfPlace
    forces: OfState
    gaps: OfPlace
    normals: OfPlace
    tangents: OfPlace
    second_tangents: OfPlace
    drives: OfPlace
    joint_gaps: OfPlace
    joint_directions: OfPlace
    joint_drives: OfPlace
    potential_energy: OfPlace


def _check_system(system: System) -> None:
    kind = type(system).__name__
    names = system.coordinates
    if isinstance(names, str) or not all(isinstance(name, str) for name in _listed(f"{kind}.coordinates", names)):
        raise InputError(f"{kind}.coordinates: expected names, got {names!r}")
    if len(names) == 0:
        raise InputError(f"{kind}.coordinates: expected a name for each coordinate, got none")
    laws: tuple[tuple[str, Any, str], ...] = (
        ("contacts", (ContactLaw, DryFriction, OneWay, Prestress), "ContactLaw, DryFriction, OneWay or Prestress"),
        ("joints", JointLaw, "JointLaw"),
    )
    for field, kinds, expected in laws:
        for i, law in enumerate(_listed(f"{kind}.{field}", getattr(system, field))):
            if not isinstance(law, kinds):
                raise InputError(f"{kind}.{field}[{i}]: expected {expected}, got {law!r}")
    for field, listed in (
        ("coordinates", list(names)),
        ("contacts", [law.name or f"contact{i}" for i, law in enumerate(system.contacts)]),
        ("joints", [law.name or f"joint{i}" for i, law in enumerate(system.joints)]),
    ):
        twice = sorted({name for name in listed if listed.count(name) > 1}) if len(set(listed)) < len(listed) else []
        if twice:
            raise InputError(f"{kind}.{field}: {twice[0]!r} is used twice; names must differ")


def _listed(what: str, values: Any) -> Sequence[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Sequence):
        raise InputError(f"{what}: expected a list, got {values!r}")
    return values


# ---- A simulation of it ----

# What Simulation(system, ...) takes, beside solver and scheme of one's own.
_OPTIONS = ("step", "q", "u", "time", "end", "error", "method", "impact", "name")


class SystemSource:
    """What a simulation of a System is made of: it, and the options that Simulation has been given.

    Options:
        step: [s], > 0.
        q, u: Where it starts: n numbers, or some of them by name, the others 0.
        time: When it starts [s].
        end: Where `run()` ends if it is not told [s].
        error: If given, `step` is the longest one, and steps are chosen by this error [length].
        method: A `Method`, the name of a preset, or a dictionary as scenes have it.
        impact: True: begin with an impact, which makes velocities agree with the contacts.
        name: For output; the class's if it is not given.
        solver, scheme: Of one's own.
    """

    def __init__(self, system: System) -> None:
        _check_system(system)
        self.system = system
        self.title = type(system).__name__
        self._end: float | None = None

    @property
    def end(self) -> float:
        if self._end is None:
            raise InputError("run: a system of one's own has no end; give until or steps, or end when it is made")
        return self._end

    dimension = 0  # it has no bodies, and no place in plane or space

    def start(self, init: Callable[..., None], options: Mapping[str, Any]) -> None:
        own = {key: value for key, value in options.items() if key in ("solver", "scheme") and value is not None}
        rest = {key: value for key, value in options.items() if key not in ("solver", "scheme")}
        for key in rest:
            if key not in _OPTIONS:
                raise InputError(f"Simulation: there is no option {key!r} of a system; there are {', '.join(_OPTIONS)}")
        model = self.model(**rest)
        if not own:
            init(model)
            return
        from stickslip.methods import start_with

        start_with(init, model, own)

    def model(
        self,
        *,
        step: float | None = None,
        q: ArrayLike | Mapping[str, float] | None = None,
        u: ArrayLike | Mapping[str, float] | None = None,
        time: float = 0.0,
        end: float | None = None,
        error: float | None = None,
        method: Any = None,
        impact: bool = False,
        name: str | None = None,
    ) -> _engine.Model:
        """The engine's own."""
        if step is None:
            raise InputError("Simulation: a system of one's own needs step, the length of a step [s]")
        if name is not None and not isinstance(name, str):
            raise InputError(f"name: expected a text, got {name!r}")
        self.title = name or type(self.system).__name__
        start = number("time", time)
        times: dict[str, Any] = {"step": number("step", step), "end": 0.0}
        if end is not None:
            self._end = times["end"] = number("end", end)
        if error is not None:
            times["error"] = number("error", error)
        document: dict[str, Any] = {"stickslip": 1, "name": self.title, "time": times}
        if method is not None:
            document["method"] = _method(method)
        if not isinstance(impact, (bool, np.bool_)):
            raise InputError(f"impact: expected True or False, got {impact!r}")
        if impact:
            document["initial"] = {"impact": True}
        names = list(self.system.coordinates)
        return _engine.Model(
            self.system, start, _start("q", q, names), _start("u", u, names), json.dumps(document), self.title
        )

    def names(self, kind: str) -> dict[str, int]:
        listed: Sequence[str] = self.system.coordinates if kind in ("position", "velocity") else ()
        return {name: i for i, name in enumerate(listed)}

    def scene(self) -> Scene:
        raise InputError(f"{self.title}: a system of one's own is no scene, which a file could say")

    def __reduce__(self) -> tuple[Any, ...]:
        return SystemSource, (self.system,)


def _start(what: str, values: ArrayLike | Mapping[str, float] | None, names: Sequence[str]) -> Array:
    start = np.zeros(len(names))
    if values is None:
        return start
    if not isinstance(values, Mapping):
        return numbers(what, values)
    for name, value in values.items():
        if name not in names:
            raise InputError(f"{what}: there is no coordinate {name!r}; there are {', '.join(names)}")
        start[names.index(name)] = number(f"{what}.{name}", value)
    return start


def _method(method: Any) -> dict[str, Any]:
    if isinstance(method, str):
        return {"preset": method}
    if isinstance(method, Method):
        return method.to_dict()
    if not isinstance(method, Mapping):
        raise InputError(f"method: expected a Method, the name of a preset or a dictionary, got {method!r}")
    try:
        fields: dict[str, Any] = json.loads(json.dumps(dict(method)))
    except (TypeError, ValueError):
        raise InputError(f"method: expected names and numbers, got {method!r}") from None
    return fields
