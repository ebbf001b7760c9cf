"""Contact problems by themselves: made from matrices, solved by any solver, judged by the certificate.

    problem = ContactProblem(M=M, v_free=v_free, J=J, b=b, mu=[0.5, 0.3])
    solution = solve_contact_problem(problem)
    solution.p, solution.certified

A problem with bodies is

    M (v - v_free) = J' p + G' c         momentum; f = M v_free may be given instead
    G v + g + C c = 0                    joints; C diagonal, 0 where they are rigid
    u_i = J_i v + b_i                    velocity of contact i, its normal component first
    p_i in K_i, and u_i against p_i as the law says

and one without bodies, a local one, has u = W p + q instead (`ContactProblem.local`). Laws and sets K are those of
docs/theory.md; p are impulses (force x time), those of spin and rolling moments x time.
"""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, Union, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.impulse_sets import COMPONENTS, KINDS, TANGENTS, Friction, ImpulseSet, dimensions_of
from stickslip.matrices import (SparseRows, Strips, asymmetry, block_sizes, blocks_of, count, matrix_of_blocks, number,
                                numbers, rows_of_strips, shown, sparse_rows, strips_of, text, vector)

__all__ = ["ContactProblem", "ContactSolution", "ImpulseSet", "Stage", "StageRecord", "problem_of", "solution_of",
           "solve_contact_problem"]

Floats = NDArray[np.float64]
Parts = dict[str, Any]

# W is symmetric by what it means. Problems of FCLIB that others wrote are off by up to 2e-2 of the diagonal; what is
# off by more is a mistake.
MOST_ASYMMETRY = 0.1


class Stage(NamedTuple):
    """What one stage of a solver did."""

    name: str
    solved: int
    """Islands that were solved when it ended, and not before."""
    tried: int
    """Islands that it was tried on."""
    iterations: int


class StageRecord(NamedTuple):
    """What one stage did on one island."""

    solver: str
    stage: str
    island: int
    """Of the problem, in the solver's order."""
    rows: int
    """Of contacts and joints in it."""
    iterations: int
    before: float
    """Residual of the best point before; NaN where the solver has none."""
    after: float
    seconds: float
    solved: bool
    """By this stage."""


@dataclass(frozen=True, repr=False)
class ContactSolution:
    """Impulses and velocities, with the certificate that says how well they satisfy their problem."""

    v: Floats
    """Velocities, one a row of M; none in a local problem."""
    p: Floats
    """Impulses of the contacts, one a row of J or W."""
    c: Floats
    """Impulses of the joints, one a row of G."""
    u: Floats
    """Velocities of the contacts, J v + b or W p + q."""
    status: str
    """"solved" if the certificate holds; else what stopped the solver: "ray", "iteration_limit", "solver_limit",
    "diverged", "inaccurate"."""
    certified: bool
    """The certificate holds to the tolerance."""
    certificate: _engine.Certificate = field(repr=False)
    tolerance: float
    solver: str
    iterations: int | None
    """In the solver's own measure; None of a function."""
    seconds: float
    """Wall time of the solver alone."""
    solved_by: str = ""
    """Solver "auto": whose solution this is."""
    stages: tuple[Stage, ...] = field(default=(), repr=False)
    trace: tuple[StageRecord, ...] = field(default=(), repr=False)
    """With trace=True: each stage on each island."""
    explanation: str = field(default="", repr=False)

    @property
    def residual(self) -> float:
        """The largest of the certificate's relative residuals."""
        return self.certificate.worst_residual

    def explain(self) -> str:
        """What became of the solve, in one or two sentences."""
        return self.explanation

    def __repr__(self) -> str:
        by = self.solved_by or self.solver
        iterations = "" if self.iterations is None else f", {self.iterations} iterations"
        return (f"<ContactSolution by {by}: {self.status}, {'' if self.certified else 'not '}certified; "
                f"residual {self.residual:.3g}{iterations}, {len(self.p)} rows>")


# What a solver of a user's own may answer: p; or v, p and c.
Answer = Union[ArrayLike, tuple[ArrayLike, ArrayLike, ArrayLike], ContactSolution]
OwnSolver = Callable[["ContactProblem"], Answer]


class ContactProblem:
    """A contact problem: it does not change, and its arrays are copies.

    `M`, n x n, is symmetric positive definite; of velocities that it couples, neighbours are put into dense blocks
    (or into `blocks` of these sizes). `v_free` (n) is the velocity without contacts and joints, or `f` = M v_free.
    `J` has the rows of all contacts, one contact after the other, the normal first; `b`, one a row, is added to
    their velocity (0 if left out). `G`, `g` and `compliance` are the joints', `joint_rows` how many rows belong to
    each (1 if left out). Matrices are dense or sparse ones of SciPy.

    Friction: `mu`, one a contact or one for all, with `dimension` 3 (normal and two tangents), 2 (normal and one
    tangent) or 1 (no friction); `cone` "circular" or "polyhedral" with so many `directions`; `mu_2` along the
    second tangent; `torsion` and `rolling`, lengths, which add rows; `load_independent`. Contacts of different
    kinds are a list `sets` of `ImpulseSet` instead.
    """

    def __init__(self, *, M: Any, J: Any, mu: ArrayLike | None = None, v_free: ArrayLike | None = None,
                 f: ArrayLike | None = None, b: ArrayLike | None = None, G: Any = None, g: ArrayLike | None = None,
                 compliance: ArrayLike | None = None, law: str = "coulomb", dimension: int = 3,
                 cone: str | None = None, directions: int = 8, sets: Iterable[ImpulseSet] | None = None,
                 mu_2: ArrayLike | None = None, torsion: ArrayLike | None = None, rolling: ArrayLike | None = None,
                 load_independent: ArrayLike | None = None, blocks: ArrayLike | None = None,
                 joint_rows: ArrayLike | None = None, v_old: ArrayLike | None = None, gap: ArrayLike | None = None,
                 contact_ids: ArrayLike | None = None) -> None:
        if (v_free is None) == (f is None):
            raise InputError("v_free: expected either v_free or f = M v_free")
        velocities = vector(cast(ArrayLike, v_free), "v_free") if f is None else vector(f, "f")
        n = velocities.size
        mass = sparse_rows(M, "M", (n, n))
        friction = Friction(mu, sets, dimension, cone, directions, mu_2, torsion, rolling, load_independent)
        rows = sparse_rows(J, "J", (None, n))
        parts = friction.parts(rows.shape[0])
        in_space = bool((TANGENTS[parts["kind"]] == 2).any())
        sizes = block_sizes(mass, 3 if in_space else 2) if blocks is None else _block_list(blocks, n, "blocks")
        parts.update(_mass_parts(mass, sizes), law=text(law, "law"), duration=0.0)
        parts.update(strips_of(rows, dimensions_of(parts), sizes, "J")._asdict())
        parts.update(b=_zeros_or(b, "b", rows.shape[0]), drive=np.zeros(rows.shape[0]))
        parts.update(_joint_parts(G, g, compliance, joint_rows, n, sizes))
        contacts = parts["kind"].size
        parts.update(gap=_zeros_or(gap, "gap", contacts), id=_identities(contact_ids, contacts))
        # v_free of f needs the factor that only the engine has.
        parts.update(v_free=np.zeros(n) if f is not None else velocities,
                     v_old=np.zeros(n) if v_old is None else vector(v_old, "v_old", n))
        made = _engine.Problem(parts)
        if f is not None:
            parts["v_free"] = made.solve_mass(velocities)
        if v_old is None:
            parts["v_old"] = parts["v_free"]
        if f is not None or v_old is None:
            made = _engine.Problem(parts)
        self._start(made, f=velocities if f is not None else None)

    @classmethod
    def local(cls, W: Any, q: ArrayLike, mu: ArrayLike | None = None, *, law: str = "coulomb", dimension: int = 3,
              cone: str | None = None, directions: int = 8, sets: Iterable[ImpulseSet] | None = None,
              mu_2: ArrayLike | None = None, torsion: ArrayLike | None = None, rolling: ArrayLike | None = None,
              load_independent: ArrayLike | None = None) -> ContactProblem:
        """A problem without bodies: u = W p + q. `W`, dense or sparse, is symmetric positive semidefinite; friction
        is said as in `ContactProblem(...)`."""
        free = vector(q, "q")
        matrix = sparse_rows(W, "W", (free.size, free.size))
        difference = asymmetry(matrix)
        if not difference <= MOST_ASYMMETRY:
            raise InputError(f"W: is not symmetric, its halves differ by {difference:.1e} of its diagonal")
        friction = Friction(mu, sets, dimension, cone, directions, mu_2, torsion, rolling, load_independent)
        return cls._of(_engine.Problem(local_parts(matrix, free, friction.parts(free.size), text(law, "law"))))

    @classmethod
    def _of(cls, engine: _engine.Problem, **extras: Any) -> ContactProblem:
        """One that the engine has already."""
        made = cls.__new__(cls)
        made._start(engine, **extras)
        return made

    def _start(self, engine: _engine.Problem, f: Floats | None = None, method: Mapping[str, Any] | None = None,
               origin: Mapping[str, Any] | None = None, stored: Mapping[str, Floats] | None = None) -> None:
        self._engine = engine
        self._f = f
        self._method = dict(method or {})
        self._origin = dict(origin or {})
        self._stored = dict(stored or {})

    # What it is.

    @property
    def is_local(self) -> bool:
        """True if it has W and q, and no bodies."""
        return self._engine.is_local

    @property
    def law(self) -> str:
        """"coulomb" or "relaxed"."""
        return self._engine.law

    @property
    def method(self) -> dict[str, Any]:
        """Of a problem from a file: solver, tolerance and budget that it was solved with, to be handed to
        `solve_contact_problem`; else empty."""
        return dict(self._method)

    @property
    def origin(self) -> dict[str, Any]:
        """Of a problem from a file: where it comes from; else empty."""
        return dict(self._origin)

    @property
    def stored_solution(self) -> dict[str, Floats]:
        """Of a problem from a file: impulses and velocities p, u, v, c that it had with it; else empty."""
        return {name: values.copy() for name, values in self._stored.items()}

    @cached_property
    def _parts(self) -> Parts:
        parts: Parts = self._engine.parts()
        for values in parts.values():
            if isinstance(values, np.ndarray):
                values.setflags(write=False)
        return parts

    def _list(self, name: str) -> Any:
        if name not in self._parts:
            raise InputError(f"{name}: a local problem has no bodies and joints" if self.is_local else
                             f"{name}: only a local problem has it; see local_form()")
        return self._parts[name]

    @property
    def v_free(self) -> Floats:
        """Velocities without contacts and joints, n entries."""
        return cast(Floats, self._list("v_free"))

    @cached_property
    def f(self) -> Floats:
        """M v_free, n entries."""
        return self._engine.mass_times(self.v_free) if self._f is None else self._f.copy()

    @property
    def v_old(self) -> Floats:
        """Velocities at the start of the step, n entries; for the certificate's account of energy."""
        return cast(Floats, self._list("v_old"))

    @property
    def b(self) -> Floats:
        """What is added to the velocities of contacts, one a row of J."""
        return cast(Floats, self._list("b"))

    @property
    def g(self) -> Floats:
        """What is added to the velocities of joints, one a row of G."""
        return cast(Floats, self._list("g"))

    @property
    def compliance(self) -> Floats:
        """Diagonal of C, one a row of G."""
        return cast(Floats, self._list("compliance"))

    @property
    def q(self) -> Floats:
        """Of a local problem: velocities of contacts without impulses, one a row of W."""
        return cast(Floats, self._list("q"))

    @property
    def gap(self) -> Floats:
        """Of each contact where the geometry was taken [length]."""
        return cast(Floats, self._list("gap"))

    @property
    def contact_ids(self) -> NDArray[np.uint64]:
        """Numbers by which the system knows its contacts."""
        return cast(NDArray[np.uint64], self._list("id"))

    @cached_property
    def M(self) -> Any:
        """The mass matrix, n x n, sparse (a copy)."""
        return shown(matrix_of_blocks(self._list("mass_sizes"), self._list("mass_values")))

    @cached_property
    def J(self) -> Any:
        """Rows of the contacts over the velocities, sparse (a copy)."""
        return shown(rows_of_strips(Strips(*(self._list(name) for name in Strips._fields)), self.v_free.size))

    @cached_property
    def G(self) -> Any:
        """Rows of the joints over the velocities, sparse (a copy)."""
        lists = (self._list(f"joint_{name}") for name in Strips._fields)
        return shown(rows_of_strips(Strips(*lists), self.v_free.size))

    @cached_property
    def W(self) -> Any:
        """Of a local problem: the Delassus matrix, sparse (a copy)."""
        n = self.q.size
        return shown(SparseRows(self._list("W_value").copy(), self._list("W_column").copy(),
                                self._list("W_start").copy(), (n, n)))

    @property
    def mu(self) -> Floats:
        """Coefficients of friction along the first tangent, one a contact."""
        return cast(Floats, self._list("mu"))

    @cached_property
    def sets(self) -> tuple[ImpulseSet, ...]:
        """The set of impulses of each contact."""
        parts = self._parts
        ends = np.cumsum(parts["direction_sizes"])
        rows = parts["direction_components"].reshape(-1, COMPONENTS)
        lists = [tuple(map(tuple, part.tolist())) for part in np.split(rows, ends)[:-1]] if ends.size > 0 else []
        columns = ("kind", "mu", "mu_2", "directions", "lower", "upper", "torsion", "rolling", "load_independent",
                   "given")
        return tuple(
            ImpulseSet(KINDS[kind], mu, mu_2, directions, lower, upper, torsion, rolling, bool(free),
                       lists[given] if given >= 0 else None)
            for kind, mu, mu_2, directions, lower, upper, torsion, rolling, free, given
            in np.array([parts[name].astype(object) for name in columns], dtype=object).T)

    @cached_property
    def dimensions(self) -> NDArray[np.int64]:
        """Rows of each contact."""
        rows = dimensions_of(self._parts)
        rows.setflags(write=False)
        return rows

    @cached_property
    def first_rows(self) -> NDArray[np.int64]:
        """The row of J or W at which each contact begins."""
        rows = np.cumsum(self.dimensions) - self.dimensions
        rows.setflags(write=False)
        return rows

    @property
    def velocity_count(self) -> int:
        """n, 0 of a local problem."""
        return 0 if self.is_local else int(self.v_free.size)

    @property
    def contact_count(self) -> int:
        """Contacts, limits of joints and motors included."""
        return int(self._parts["kind"].size)

    @property
    def row_count(self) -> int:
        """Rows of J or W."""
        return int(self.dimensions.sum())

    @property
    def joint_row_count(self) -> int:
        """Rows of G, 0 of a local problem."""
        return 0 if self.is_local else int(self.g.size)

    # What follows from it.

    def solve(self, solver: str | OwnSolver = "auto", **options: Any) -> ContactSolution:
        """`solve_contact_problem` of this problem."""
        return solve_contact_problem(self, solver=solver, **options)

    def certify(self, p: Answer, v: ArrayLike | None = None, c: ArrayLike | None = None) -> _engine.Certificate:
        """How well impulses (and velocities) from anywhere satisfy the problem, by code that shares nothing with
        the solvers. Where v and c are left out they are those that belong to p (`velocities`)."""
        answer = p if v is None and c is None else (v, p, np.zeros(0) if c is None else c)
        certificate, _ = self._certified(*self._completed(cast(Answer, answer)))
        return certificate

    def velocities(self, p: ArrayLike) -> tuple[Floats, Floats]:
        """v and c that belong to impulses p of the contacts, by momentum and joints."""
        v, c = self._engine.solution_with(vector(p, "p", self.row_count))
        return v, c

    def contact_velocities(self, x: ArrayLike) -> Floats:
        """u = J v + b of velocities v, or u = W p + q of impulses p of a local problem."""
        size, name = (self.row_count, "p") if self.is_local else (self.velocity_count, "v")
        return self._engine.contact_velocities(vector(x, name, size))

    def local_form(self) -> ContactProblem:
        """The problem with velocities and joints eliminated: u = W p + q. W is formed as a dense matrix."""
        return ContactProblem._of(self._engine.local_form(), origin=self._origin)

    def with_law(self, law: str) -> ContactProblem:
        """The same with another law: "coulomb" or "relaxed"."""
        if text(law, "law") == self.law:
            return self
        return ContactProblem._of(_engine.Problem({**self._parts, "law": law}), f=self._f, method=self._method,
                                  origin=self._origin)

    def _completed(self, answer: Answer) -> tuple[Floats, Floats, Floats]:
        """v, p, c of what a solver of a user's own returned; numbers may be NaN."""
        if isinstance(answer, ContactSolution):
            return answer.v, answer.p, answer.c
        if isinstance(answer, tuple) and len(answer) == 3 and any(np.ndim(part) == 1 for part in answer):
            v, p, c = (_raw(part, name) for part, name in zip(answer, ("v", "p", "c")))
            return v, p, c
        p = _raw(cast(ArrayLike, answer), "p")
        if p.size != self.row_count:
            raise InputError(f"p: has length {p.size}; expected {self.row_count}, the rows of all contacts")
        if self.is_local:
            return np.zeros(0), p, np.zeros(0)
        if not np.isfinite(p).all():
            return np.full(self.velocity_count, np.nan), p, np.full(self.joint_row_count, np.nan)
        v, c = self._engine.solution_with(p)
        return v, p, c

    def _certified(self, v: Floats, p: Floats, c: Floats) -> tuple[_engine.Certificate, Floats]:
        certificate, u = self._engine.certify("", v, p, c)
        return certificate, u

    def __repr__(self) -> str:
        size = f"{self.contact_count} contacts, {self.row_count} rows"
        if self.is_local:
            return f"ContactProblem.local({size}, law {self.law})"
        joints = f", {self.joint_row_count} joint rows" if self.joint_row_count > 0 else ""
        return f"ContactProblem({self.velocity_count} velocities, {size}{joints}, law {self.law})"

    def __reduce__(self) -> tuple[Any, ...]:
        extras = {"f": self._f, "method": self._method, "origin": self._origin, "stored": self._stored}
        return _again, ({name: np.array(x) if isinstance(x, np.ndarray) else x for name, x in self._parts.items()},
                        extras)


def _again(parts: Parts, extras: dict[str, Any]) -> ContactProblem:
    """A pickled problem."""
    return ContactProblem._of(_engine.Problem(parts), **extras)


def local_parts(W: SparseRows, q: Floats, sets: Parts, law: str) -> Parts:
    """The parts of a local problem."""
    return {**sets, "law": law, "q": q, "W_start": W.indptr.astype(np.int64), "W_column": W.indices.astype(np.int32),
            "W_value": W.data}


def _raw(values: ArrayLike, name: str) -> Floats:
    array = numbers(values, name)
    if array.ndim != 1:
        raise InputError(f"{name}: has shape {array.shape}; expected one axis")
    return np.asarray(array, dtype=np.float64, order="C")


def _zeros_or(values: ArrayLike | None, name: str, size: int) -> Floats:
    return np.zeros(size) if values is None else vector(values, name, size)


def _block_list(values: ArrayLike, total: int, name: str) -> NDArray[np.int64]:
    sizes = vector(values, name)
    if (sizes < 1).any() or (sizes > total).any() or (sizes != np.floor(sizes)).any() or sizes.sum() != total:
        raise InputError(f"{name}: expected whole numbers above 0 that add up to {total}")
    return sizes.astype(np.int64)


def _mass_parts(M: SparseRows, sizes: NDArray[np.int64]) -> Parts:
    return {"mass_sizes": sizes.astype(np.int32), "mass_values": blocks_of(M, sizes)}


def _joint_parts(G: Any, g: ArrayLike | None, compliance: ArrayLike | None, joint_rows: ArrayLike | None, n: int,
                 sizes: NDArray[np.int64]) -> Parts:
    if G is None and any(x is not None for x in (g, compliance, joint_rows)):
        raise InputError("G: is missing; g, compliance and joint_rows belong to its rows")
    matrix = sparse_rows(np.zeros((0, n)) if G is None else G, "G", (None, n))
    rows = matrix.shape[0]
    if rows == 0:
        groups = np.zeros(0, dtype=np.int64)
    else:
        groups = np.ones(rows, dtype=np.int64) if joint_rows is None else _block_list(joint_rows, rows, "joint_rows")
    strips = strips_of(matrix, groups, sizes, "G")._asdict()
    return {**{f"joint_{name}": values for name, values in strips.items()},
            "g": _zeros_or(g, "g", rows), "compliance": _zeros_or(compliance, "compliance", rows),
            "joint_gap": np.zeros(rows), "joint_drive": np.zeros(rows)}


def _identities(values: ArrayLike | None, contacts: int) -> NDArray[np.uint64]:
    if values is None:
        return np.arange(contacts, dtype=np.uint64)
    array = numbers(values, "contact_ids")
    if array.dtype.kind not in "iu" or array.shape != (contacts,) or (array.dtype.kind == "i" and (array < 0).any()):
        raise InputError(f"contact_ids: expected {contacts} whole numbers, at least 0")
    return array.astype(np.uint64)


def solve_contact_problem(problem: Any = None, q: ArrayLike | None = None, mu: ArrayLike | None = None, *,
                          solver: str | OwnSolver = "auto", tolerance: float = 1e-8, budget: int = 0,
                          law: str | None = None, initial_slip: str = "zero", trace: bool = False,
                          fclib: bool = False, **matrices: Any) -> ContactSolution:
    """Solves a contact problem; the certificate decides whether it is solved.

    `problem` is a `ContactProblem`; or W, with `q` and `mu`, as for `ContactProblem.local`; or left out, with
    M=..., J=... and what else `ContactProblem` takes.

    `solver` is one of `solver_names()`, or a function that gets the `ContactProblem` and returns p, or (v, p, c).
    `tolerance` is the largest residual of the certificate; with `fclib`, FCLIB's own error must be below it, too.
    `budget` is the most iterations, 0: as the solver chooses. `law` is the problem's own if left out.
    `initial_slip` ("zero", "previous") is for the solvers fixed-point-1 and -2, one-step and one-step-2. `trace`
    records each stage on each island. A problem that cannot be solved has a status that says so; only what cannot
    be a problem is an `InputError`.
    """
    made = _problem_of_arguments(problem, q, mu, matrices)
    largest = number(tolerance, "tolerance")
    if not 0 < largest <= 1:
        raise InputError(f"tolerance: is {largest}; expected more than 0, and at most 1")
    most = count(budget, "budget")
    if law is not None and text(law, "law") not in ("coulomb", "relaxed"):
        raise InputError(f"law: \"{law}\" is not known: expected coulomb or relaxed")
    if not isinstance(solver, str):
        if not callable(solver):
            raise InputError(f"solver: expected a name or a function, not {type(solver).__name__}")
        return _solve_by(made if law is None else made.with_law(law), solver, largest, bool(fclib))
    found = made._engine.solve(solver, law or "", largest, most, text(initial_slip, "initial_slip"), bool(trace),
                               bool(fclib))
    return ContactSolution(
        v=found["v"], p=found["p"], c=found["c"], u=found["u"], status=found["status"],
        certified=found["certified"], certificate=found["certificate"], tolerance=largest, solver=solver,
        iterations=found["iterations"], seconds=found["seconds"], solved_by=found["solved_by"],
        stages=tuple(Stage(*stage) for stage in found["stages"]),
        trace=tuple(StageRecord(*record) for record in found["trace"]), explanation=found["explanation"])


_MATRICES = {name for of in (ContactProblem.__init__, ContactProblem.local)
             for name, parameter in inspect.signature(of).parameters.items() if name != "self"}


def _problem_of_arguments(problem: Any, q: ArrayLike | None, mu: ArrayLike | None,
                          matrices: dict[str, Any]) -> ContactProblem:
    unknown = sorted({*matrices} - _MATRICES)
    if unknown:
        raise InputError(f"solve_contact_problem: there is no {', '.join(map(repr, unknown))}; it takes solver, tolerance, "
                         "budget, law, initial_slip, trace, fclib, and what a ContactProblem is made of")
    if isinstance(problem, ContactProblem):
        if isinstance(q, str) or callable(q):
            raise InputError("solver: is given by keyword, as solver=\"exact\"")
        if q is not None or mu is not None or matrices:
            extra = sorted({*matrices, *(name for name, x in (("q", q), ("mu", mu)) if x is not None)})
            raise InputError(f"{', '.join(extra)}: the problem says it already")
        return problem
    if isinstance(problem, (str, bytes, os.PathLike)):
        raise InputError("problem: expected a ContactProblem, not a path; read_problem reads files")
    if problem is None:
        if "M" not in matrices or "J" not in matrices:
            raise InputError("problem: expected a ContactProblem; or W, q and mu; or M=..., v_free=..., J=..., mu=...")
        if q is not None:
            raise InputError("q: belongs to W; a problem with bodies has v_free and b")
        return ContactProblem(mu=mu, **matrices)
    if q is None:
        raise InputError("q: is missing, which belongs to W")
    return ContactProblem.local(problem, q, mu, **matrices)


def _solve_by(problem: ContactProblem, function: OwnSolver, tolerance: float, fclib: bool) -> ContactSolution:
    """By a function of a user's own."""
    start = time.perf_counter()
    answer = function(problem)
    seconds = time.perf_counter() - start
    v, p, c = problem._completed(answer)
    certificate, u = problem._certified(v, p, c)
    certified = certificate.holds(tolerance) and (not fclib or certificate.fclib_error <= tolerance)
    name = getattr(function, "__name__", type(function).__name__)
    what = (f"{certificate.worst_name} is {certificate.worst_residual:.2g}, tolerance {tolerance:.2g}"
            if certificate.finite else "the solution is not finite")
    return ContactSolution(v=v, p=p, c=c, u=u, status="solved" if certified else "inaccurate", certified=certified,
                           certificate=certificate, tolerance=tolerance, solver=name, iterations=None,
                           seconds=seconds, explanation=f"{'Certified' if certified else 'Not certified'}: {what}.")


def _engine_simulation(simulation: Any) -> _engine.Simulation:
    if not isinstance(simulation, _engine.Simulation):
        raise InputError(f"simulation: expected a Simulation, not {type(simulation).__name__}")
    return simulation


def problem_of(simulation: Any) -> ContactProblem:
    """The (last) contact problem of the last step of a simulation: a copy, with the constant coefficients of
    friction that fit its speeds."""
    return ContactProblem._of(_engine.problem_of(_engine_simulation(simulation)))


def solution_of(simulation: Any) -> ContactSolution:
    """The solution that the simulation took in its last step, for `problem_of`."""
    engine = _engine_simulation(simulation)
    report = engine.report
    if report is None:
        raise InputError("simulation: it has not made a step yet")
    v, p, c = _engine.solution_of(engine)
    certificate, u = problem_of(engine)._certified(v, p, c)
    certified = certificate.holds(report.tolerance)
    return ContactSolution(v=v, p=p, c=c, u=u, status="solved" if certified else report.status, certified=certified,
                           certificate=certificate, tolerance=report.tolerance, solver=report.solver,
                           iterations=report.iterations, seconds=float("nan"), solved_by=report.solved_by,
                           stages=tuple(Stage(*stage) for stage in report.stages), explanation=report.explain())
