"""The sets K of impulses that contacts can give, and friction as users say it of all contacts at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError
from stickslip.matrices import count, number, numbers, per_contact, text, vector

__all__ = ["ImpulseSet"]

Floats = NDArray[np.float64]
Parts = dict[str, Any]

KINDS = ("frictionless", "planar", "elliptic", "polyhedral", "interval")
TANGENTS = np.array([0, 1, 2, 2, 0])
COMPONENTS = 5  # of a direction: two tangents, spin, two of rolling
CONES = {"planar": "planar", "circular": "elliptic", "elliptic": "elliptic", "polyhedral": "polyhedral"}


@dataclass(frozen=True)
class ImpulseSet:
    """The set K of impulses that one contact, joint limit or motor can give.

    Its rows are those of a contact: the normal, the tangents, the spin about the normal if there is torsional
    friction, the angular velocities about the tangents if there is rolling friction.
    """

    kind: str = "frictionless"
    """"frictionless" (p_n >= 0; 1 row), "planar" (|p_t| <= mu p_n; 2 rows), "elliptic" (friction in an ellipse, a
    circle if mu = mu_2; 3 rows), "polyhedral" (in a polygon; 3 rows) or "interval" (lower <= p <= upper; 1 row)."""
    mu: float = 0.0
    """Coefficient of friction along the first tangent."""
    mu_2: float | None = None
    """Along the second tangent; None: `mu`, as far as there is one."""
    directions: int = 8
    """Polyhedral: corners of the polygon, 3 to 64."""
    lower: float = 0.0
    """Interval: at most 0; may be infinite."""
    upper: float = 0.0
    """Interval: at least 0; may be infinite."""
    torsion: float = 0.0
    """Torsional friction, a length: the moment shares the cone with the tangents. Adds a row."""
    rolling: float = 0.0
    """Rolling friction, a length: |moment| <= rolling p_n. Adds a row for each tangent."""
    load_independent: bool = False
    """`mu` and `mu_2` are impulses, and friction does not depend on p_n."""
    given: tuple[tuple[float, ...], ...] | None = None
    """Polyhedral: the corners of the polygon in units of mu, mu_2, torsion and rolling, each of 2 to 5 components:
    two tangents, spin, two of rolling. `ImpulseSet.hull` makes them from friction as it is meant."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"kind: \"{self.kind}\" is not known: expected one of {', '.join(KINDS)}")
        if self.mu_2 is None:
            object.__setattr__(self, "mu_2", self.mu if self.kind in ("elliptic", "polyhedral") else 0.0)
        for name in ("mu", "mu_2", "lower", "upper", "torsion", "rolling"):
            object.__setattr__(self, name, number(getattr(self, name), name))
        object.__setattr__(self, "directions", count(self.directions, "directions"))
        object.__setattr__(self, "load_independent", bool(self.load_independent))
        if self.given is not None:
            object.__setattr__(self, "given", tuple(tuple(row) for row in directions_of(self.given).tolist()))

    @classmethod
    def hull(cls, mu: float, directions: ArrayLike, *, load_independent: bool = False) -> ImpulseSet:
        """Friction in mu p_n D, D the hull of these directions (m x 2 to m x 5): two tangents, spin and two of
        rolling, the last three lengths. They must be balanced: some of them with positive weights, all among
        these, add up to zero."""
        rows = directions_of(directions)
        tangents = float(np.hypot(rows[:, 0], rows[:, 1]).max(initial=0.0)) or 1.0
        spin = float(np.abs(rows[:, 2]).max(initial=0.0))
        rolling = float(np.hypot(rows[:, 3], rows[:, 4]).max(initial=0.0))
        units = np.array([tangents, tangents, spin or 1.0, rolling or 1.0, rolling or 1.0])
        size = number(mu, "mu")
        return cls("polyhedral", mu=size * tangents, torsion=size * spin, rolling=size * rolling,
                   load_independent=load_independent, given=tuple(tuple(row) for row in (rows / units).tolist()))

    @property
    def dimension(self) -> int:
        """Rows of a contact with this set."""
        tangents = int(TANGENTS[KINDS.index(self.kind)])
        return 1 + tangents + (self.torsion > 0 and tangents == 2) + (tangents if self.rolling > 0 else 0)


def directions_of(values: ArrayLike) -> Floats:
    """Directions with all their components."""
    array = numbers(values, "directions")
    if array.ndim != 2 or not 2 <= array.shape[1] <= COMPONENTS or not 2 <= array.shape[0] <= 66:
        raise InputError(f"directions: has shape {array.shape}; expected 2 to 64 rows of 2 to 5 components")
    flat = vector(array.reshape(-1), "directions").reshape(array.shape)
    return np.hstack((flat, np.zeros((array.shape[0], COMPONENTS - array.shape[1]))))


def parts_of_sets(sets: Sequence[ImpulseSet]) -> Parts:
    lists: dict[tuple[tuple[float, ...], ...], int] = {}
    given = [-1 if s.given is None else lists.setdefault(s.given, len(lists)) for s in sets]

    def column(name: str) -> Floats:
        return np.array([getattr(s, name) for s in sets], dtype=np.float64)

    return {
        "kind": np.array([KINDS.index(s.kind) for s in sets], dtype=np.int32),
        "directions": np.array([min(s.directions, 2**31 - 1) for s in sets], dtype=np.int32),
        "load_independent": np.array([s.load_independent for s in sets], dtype=np.int32),
        "given": np.array(given, dtype=np.int32),
        "direction_sizes": np.array([len(rows) for rows in lists], dtype=np.int32),
        "direction_components": np.array([x for rows in lists for row in rows for x in row], dtype=np.float64),
        **{name: column(name) for name in ("mu", "mu_2", "lower", "upper", "torsion", "rolling")},
    }


def dimensions_of(parts: Parts) -> NDArray[np.int64]:
    """Rows of each contact."""
    tangents = TANGENTS[parts["kind"]].astype(np.int64)
    spins, rolls = (parts["torsion"] > 0) & (tangents == 2), parts["rolling"] > 0
    return cast(NDArray[np.int64], 1 + tangents + spins + np.where(rolls, tangents, 0))


class Friction(NamedTuple):
    """Friction of all contacts as `ContactProblem` takes it."""

    mu: ArrayLike | None
    sets: Iterable[ImpulseSet] | None
    dimension: int
    cone: str | None
    directions: int
    mu_2: ArrayLike | None
    torsion: ArrayLike | None
    rolling: ArrayLike | None
    load_independent: ArrayLike | None

    def parts(self, rows: int) -> Parts:
        """Sets for contacts that have so many rows together."""
        parts = self._from_sets() if self.sets is not None else self._from_mu(rows)
        found = int(dimensions_of(parts).sum())
        if found != rows:
            raise InputError(f"mu: the {parts['kind'].size} contacts have {found} rows together; expected {rows}, the "
                             "rows that are given" if self.sets is None else
                             f"sets: have {found} rows together; expected {rows}, the rows that are given")
        return parts

    def _from_sets(self) -> Parts:
        if any(x is not None for x in (self.mu, self.mu_2, self.torsion, self.rolling, self.load_independent)):
            raise InputError("sets: say everything about friction; leave out mu, mu_2, torsion, rolling and "
                             "load_independent")
        if isinstance(self.sets, (str, bytes)) or not isinstance(self.sets, Iterable):
            raise InputError("sets: expected a list of ImpulseSet")
        sets = list(self.sets)
        for i, entry in enumerate(sets):
            if not isinstance(entry, ImpulseSet):
                raise InputError(f"sets[{i}]: expected an ImpulseSet, not {type(entry).__name__}")
        return parts_of_sets(sets)

    def _from_mu(self, rows: int) -> Parts:
        kind = self._kind()
        if self.mu is None and kind != "frictionless":
            raise InputError("mu: is missing: coefficients of friction, one a contact, or `sets`")
        contacts = self._contacts(rows, kind)

        def column(values: ArrayLike | None, name: str) -> Floats:
            return np.zeros(contacts) if values is None else per_contact(values, name, contacts)

        mu = column(self.mu, "mu")
        two = TANGENTS[KINDS.index(kind)] == 2
        free = column(self.load_independent, "load_independent")
        corners = count(self.directions, "directions")
        return {
            "kind": np.full(contacts, KINDS.index(kind), dtype=np.int32),
            "directions": np.full(contacts, min(corners, 2**31 - 1) if kind == "polyhedral" else 0, dtype=np.int32),
            "load_independent": (free != 0).astype(np.int32),
            "given": np.full(contacts, -1, dtype=np.int32),
            "direction_sizes": np.zeros(0, dtype=np.int32),
            "direction_components": np.zeros(0),
            "mu": mu,
            "mu_2": column(self.mu_2, "mu_2") if self.mu_2 is not None else mu.copy() if two else np.zeros(contacts),
            "lower": np.zeros(contacts),
            "upper": np.zeros(contacts),
            "torsion": column(self.torsion, "torsion"),
            "rolling": column(self.rolling, "rolling"),
        }

    def _kind(self) -> str:
        dimension = count(self.dimension, "dimension")
        if dimension not in (1, 2, 3):
            raise InputError(f"dimension: is {dimension}; expected 3 in space, 2 in the plane, 1 without friction")
        cone = self.cone if self.cone is not None else ("frictionless", "planar", "circular")[dimension - 1]
        if text(cone, "cone") not in CONES and cone != "frictionless":
            raise InputError(f"cone: \"{cone}\" is not known: expected planar, circular or polyhedral")
        kind = CONES.get(cone, "frictionless")
        if 1 + TANGENTS[KINDS.index(kind)] != dimension:
            raise InputError(f"cone: \"{cone}\" does not fit dimension = {dimension}")
        return kind

    def _contacts(self, rows: int, kind: str) -> int:
        for values, name in ((self.mu, "mu"), (self.mu_2, "mu_2"), (self.torsion, "torsion"),
                             (self.rolling, "rolling")):
            if values is not None and numbers(values, name).ndim > 0:
                return int(numbers(values, name).shape[0])
        one: Parts = {"kind": np.array([KINDS.index(kind)]), "torsion": np.array([0.0]), "rolling": np.array([0.0])}
        for values, name in ((self.torsion, "torsion"), (self.rolling, "rolling")):
            if values is not None:
                one[name] = per_contact(values, name, 1)
        width = int(dimensions_of(one)[0])
        if rows % width != 0:
            raise InputError(f"J: has {rows} rows; expected {width} for each contact")
        return rows // width
