"""Solvers, schemes and forces of one's own.

    def solver(problem):                 # a ContactProblem; gives p, or v, p and c
        ...

    sim = scene.simulation(solver=solver)
    sim.run()
    sim.certified                        # the certificate judges it, as it judges the engine's own

    ss.register_solver("mine", solver)   # and by name, as "method": {"solver": "mine"} of a scene
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError, SchemeStep

__all__ = ["BodyStates", "ForceLaw", "Scheme", "SchemeStep", "Solver", "register_scheme", "register_solver"]

Array = NDArray[np.float64]


# ---- Solvers ----


class Solver:
    """A solver of contact problems: to be derived from where a function is not enough.

    What is said beside `solve` are its traits; the defaults suit one that iterates, takes every problem, and claims
    nothing.
    """

    #: In reports, and for scenes if it is registered; empty: the name of the class.
    name: str = ""
    #: Whether it takes problems with the laws "coulomb" and "relaxed".
    takes_coulomb: bool = True
    takes_relaxed: bool = True
    #: Whether it takes friction cones that no finite number of planes bounds.
    takes_circular: bool = True
    #: Whether it ends after as many iterations as it is told, and its answers are as good as they are then.
    fixed_effort: bool = False
    #: Whether it takes the method's `initial_slip`.
    takes_initial_slip: bool = False
    #: After which of its failures a problem may have no solution, so that the step tries one that asks for less:
    #: "never", "after_inaccurate" or "after_any_failure".
    doubt: str = "never"

    def solve(self, problem: Any) -> Any:
        """Solves a problem.

        Args:
            problem: A `ContactProblem`; `problem.method` has the "tolerance" that a certified step needs, and the
                "budget" of iterations, 0 if that is left to the solver.

        Returns:
            p, the impulses of the contacts, one a row of `problem.J`: velocities and the impulses of joints then
            follow. Or (v, p, c) with velocities and the impulses of joints. Or a `ContactSolution`.
            A wrong answer is no error: the certificate says how wrong it is.
        """
        raise NotImplementedError(f"{type(self).__name__}.solve")

    def save(self) -> bytes:
        """What it remembers of earlier solves, if that reaches results: copies of a simulation then go on with the
        same bits."""
        return b""

    def restore(self, memory: bytes) -> None:
        """Remembers what `save` gave, and nothing else."""


#: A function of the problem, a Solver, or a class of solvers, of which each simulation then has one.
OwnSolver = Union[Callable[[Any], Any], Solver, type[Solver]]


def register_solver(name: str, solver: OwnSolver) -> None:
    """Gives a solver a name, for the methods of scenes and for `compare`. It stays as long as the program runs."""
    _engine.register_solver(SolverDescription(solver, name))


class SolverDescription:
    """What the engine asks about a solver."""

    def __init__(self, solver: OwnSolver, name: str | None = None) -> None:
        self._solver = solver
        of = solver if _is_class(solver, Solver) or isinstance(solver, Solver) else Solver
        if of is Solver and not callable(solver):
            raise InputError(f"solver: expected a function of the problem or a Solver, got {solver!r}")
        if isinstance(solver, type) and not _is_class(solver, Solver):
            raise InputError(f"solver: {solver.__name__} is a class, but none of ss.Solver")
        self.name = _name("solver", solver, name)
        for trait in ("takes_coulomb", "takes_relaxed", "takes_circular", "fixed_effort", "takes_initial_slip"):
            setattr(self, trait, _flag(f"{self.name}.{trait}", getattr(of, trait)))
        self.doubt = of.doubt  # type: ignore[union-attr]
        if self.doubt not in ("never", "after_inaccurate", "after_any_failure"):
            raise InputError(
                f'{self.name}.doubt: expected "never", "after_inaccurate" or "after_any_failure", got {self.doubt!r}'
            )

    def answer(self) -> _Answer:
        """Solves for one simulation."""
        solver = self._solver() if isinstance(self._solver, type) else self._solver
        return _Answer(self.name, solver)


class _Answer:
    """The answers of a solver, completed."""

    def __init__(self, name: str, solver: Callable[[Any], Any] | Solver) -> None:
        self._name = name
        self._solver = solver if isinstance(solver, Solver) else None
        self._solve = solver.solve if isinstance(solver, Solver) else solver

    def __call__(self, lent: _engine.Problem, tolerance: float, budget: int) -> tuple[Array, Array, Array, str, int]:
        from stickslip.problem import ContactProblem

        method = {"solver": self._name, "tolerance": tolerance, "budget": budget}
        problem = ContactProblem._of(lent, method=method)
        answer = self._solve(problem)
        if answer is None:
            raise InputError(f"{self._name}: expected p, or v, p and c, got None")
        v, p, c = problem._completed(answer)
        iterations = getattr(answer, "iterations", None) or 0
        return v, p, c, getattr(answer, "status", "solved"), iterations

    def save(self) -> bytes:
        return b"" if self._solver is None else self._solver.save()

    def restore(self, memory: bytes) -> None:
        if self._solver is not None:
            self._solver.restore(memory)


# ---- Schemes ----


class Scheme:
    """A time discretization, to be derived from: it makes the contact problem of a step, and the state at its end.

        class Euler(ss.Scheme):
            gaps_at_start = True

            def formulate(self, step):
                here = (step.time, step.q)
                step.free_motion(here)
                step.contacts(*here, way=step.h * (abs(step.u) + abs(step.v_free)), time=step.h)
                step.b[step.normal_rows] += np.maximum(step.gap, 0) / step.h
                step.joints(*here)

            def advance(self, step, v):
                return step.move(step.time, v, step.h, step.q), v
    """

    #: In reports, and for scenes if it is registered; empty: the name of the class.
    name: str = ""
    #: Options of the method that it has: of "implicit", "margin", "theta" and so on (docs/solvers.md).
    options: Sequence[str] = ()
    #: Whether gaps are those at the start of a step: overlaps at the end of a run are then looked for.
    gaps_at_start: bool = False

    def formulate(self, step: SchemeStep) -> None:
        """Sets up the (first) contact problem of a step: calls `step.free_motion`, `step.contacts` and
        `step.joints`, and then adds to `step.b` and `step.g` what positions and bounces ask for. With `step.h` = 0
        it is an impact, in which nothing moves."""
        raise NotImplementedError(f"{type(self).__name__}.formulate")

    def advance(self, step: SchemeStep, v: Array) -> tuple[ArrayLike, ArrayLike]:
        """Positions and velocities at the end of the step, where the solution has the velocities v."""
        raise NotImplementedError(f"{type(self).__name__}.advance")

    def concede(self, step: SchemeStep, contacts: NDArray[np.int64], joints: NDArray[np.int64]) -> bool:
        """Changes a problem that has no solution. For each contact and each joint it is said what may be given up:
        0 nothing, 1 restitution, 2 also that an overlap, or an open joint, is taken back. False if nothing changes."""
        return False

    def conclude(self, step: SchemeStep, v: Array, p: Array, c: Array) -> str:
        """What follows a solution: "done"; or, after the next problem has been set up as in `formulate`, "repeat" if
        it is the same with better geometry, or "proceed" if it is another stage of the step."""
        return "done"

    def save(self) -> bytes:
        """What it remembers from step to step, if that reaches results."""
        return b""

    def restore(self, memory: bytes) -> None:
        """Remembers what `save` gave, and nothing else."""


#: A Scheme, or a class of schemes, of which each simulation then has one.
OwnScheme = Union[Scheme, type[Scheme]]


def register_scheme(name: str, scheme: OwnScheme) -> None:
    """Gives a scheme a name, for the methods of scenes. It stays as long as the program runs."""
    _engine.register_scheme(SchemeDescription(scheme, name))


class SchemeDescription:
    """What the engine asks about a scheme."""

    def __init__(self, scheme: OwnScheme, name: str | None = None) -> None:
        if not isinstance(scheme, Scheme) and not _is_class(scheme, Scheme):
            raise InputError(f"scheme: expected a Scheme, got {scheme!r}")
        self._scheme = scheme
        self.name = _name("scheme", scheme, name)
        if isinstance(scheme.options, str) or not all(isinstance(option, str) for option in scheme.options):
            raise InputError(f"{self.name}.options: expected a list of names, got {scheme.options!r}")
        self.options = list(scheme.options)
        self.gaps_at_start = _flag(f"{self.name}.gaps_at_start", scheme.gaps_at_start)

    def functions(self) -> tuple[Any, ...]:
        """A scheme for one simulation, and its functions; None where the class has none of its own."""
        scheme = self._scheme() if isinstance(self._scheme, type) else self._scheme
        own = type(scheme)
        return (
            scheme,
            scheme.formulate,
            scheme.advance,
            None if own.concede is Scheme.concede else scheme.concede,
            None if own.conclude is Scheme.conclude else scheme.conclude,
        )


# ---- Forces ----


class ForceLaw:
    """A force on bodies, to be derived from where a function of the same arguments is not enough. It must be pure."""

    def __call__(self, t: float, bodies: BodyStates) -> ForceAnswer:
        """Forces at their centres of mass and torques, world axes.

        Args:
            t: [s]
            bodies: Where all bodies are, fixed ones too.

        Returns:
            For some bodies, by name, three numbers (force) or six (force and torque [force x length]); or for all of
            them an array (n, 3) or (n, 6). In the plane the force is (x, y, 0), the torque (0, 0, z).
        """
        raise NotImplementedError(f"{type(self).__name__}.__call__")


ForceAnswer = Union[Mapping[str, ArrayLike], ArrayLike]


class BodyStates:
    """Where bodies are: arrays of all of them, and by name one.

    `bodies["box"].position` is that of one, `bodies.position` has a row for each.
    """

    __slots__ = ("_numbers", "names")

    def __init__(self, numbers: Array, names: Sequence[str]) -> None:
        self._numbers = numbers
        #: Names of all bodies, in the order of the rows.
        self.names = names

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, body: str | int) -> BodyStates:
        if isinstance(body, str):
            if body not in self.names:
                raise InputError(f"there is no body {body!r}; there are {', '.join(self.names)}")
            body = self.names.index(body)
        return BodyStates(self._numbers[body], (self.names[body],))

    @property
    def position(self) -> Array:
        """(n, 3), or (3,) of one [length]."""
        return self._numbers[..., 0:3]

    @property
    def orientation(self) -> Array:
        """Unit quaternions (w, x, y, z): (n, 4), or (4,) of one."""
        return self._numbers[..., 3:7]

    @property
    def angle(self) -> Array:
        """In the plane, with all turns: (n,) [rad]."""
        return np.asarray(self._numbers[..., 7])

    @property
    def velocity(self) -> Array:
        """Of the body's origin: (n, 3), or (3,) of one [velocity]."""
        return self._numbers[..., 8:11]

    @property
    def angular_velocity(self) -> Array:
        """World axes: (n, 3), or (3,) of one [rad/s]."""
        return self._numbers[..., 11:14]


class _Force:
    """A force of one's own as the engine calls it."""

    _NUMBERS = 14  # of a body

    def __init__(self, force: Callable[[float, BodyStates], ForceAnswer], names: Sequence[str], what: str) -> None:
        self._force = force
        self._names = tuple(names)
        self._what = what

    def __call__(self, t: float, numbers: Array) -> Array:
        answer = self._force(t, BodyStates(numbers.reshape(-1, self._NUMBERS), self._names))
        wrenches = np.zeros((len(self._names), 6))
        if not isinstance(answer, Mapping):
            rows = _real(self._what, answer)
            if rows.ndim != 2 or len(rows) != len(wrenches) or rows.shape[1] not in (3, 6):
                n = len(wrenches)
                raise InputError(
                    f"{self._what}: expected numbers for bodies by name, or an array ({n}, 3) or ({n}, 6), "
                    f"got one of shape {rows.shape}"
                )
            wrenches[:, : rows.shape[1]] = rows
            return wrenches
        for name, values in answer.items():
            if name not in self._names:
                raise InputError(f"{self._what}: there is no body {name!r}; there are {', '.join(self._names)}")
            row = _real(f"{self._what}: {name}", values)
            if row.shape not in ((3,), (6,)):
                raise InputError(
                    f"{self._what}: {name}: expected a force, three numbers, or with a torque six, "
                    f"got shape {row.shape}"
                )
            wrenches[self._names.index(name), : row.size] = row
        return wrenches


# ---- Simulations with them ----


def start_with(init: Callable[..., None], model: _engine.Model, options: Mapping[str, Any]) -> None:
    """Begins a simulation with parts of one's own: solver, scheme, forces."""
    unknown = [key for key in options if key not in ("solver", "scheme", "forces")]
    if unknown:
        raise InputError(f"Simulation: there is no option {unknown[0]!r} of a scene; there are solver, scheme, forces")
    solver, scheme, forces = (options.get(key) for key in ("solver", "scheme", "forces"))
    for key, value in (("solver", solver), ("scheme", scheme)):
        if isinstance(value, str):
            raise InputError(f"{key}: expected one of your own; {value!r} belongs into the method of the scene")
    init(
        model,
        solver=None if solver is None else SolverDescription(solver),
        scheme=None if scheme is None else SchemeDescription(scheme),
        forces=_forces(forces, model),
    )


def _forces(forces: Any, model: _engine.Model) -> list[tuple[_Force, str]] | None:
    if forces is None:
        return None
    if callable(forces) or isinstance(forces, (str, bytes, Mapping)) or not isinstance(forces, Sequence):
        raise InputError(f"forces: expected a list of functions of (t, bodies), got {forces!r}")
    listed = []
    for i, force in enumerate(forces):
        if not callable(force) or isinstance(force, type):
            raise InputError(f"forces[{i}]: expected a function of (t, bodies), got {force!r}")
        what = getattr(force, "__name__", type(force).__name__)
        listed.append((_Force(force, model.body_names, what), what))
    return listed or None


def _is_class(value: object, of: type) -> bool:
    return isinstance(value, type) and issubclass(value, of)


def _name(what: str, of: Any, given: str | None) -> str:
    if given is None:
        given = getattr(of, "name", "") or getattr(of, "__name__", type(of).__name__)
    if not isinstance(given, str) or not given:
        raise InputError(f"{what}: expected a name, got {given!r}")
    return given


def _flag(what: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what}: expected True or False, got {value!r}")
    return bool(value)


def _real(what: str, values: Any) -> Array:
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected numbers, got {values!r}") from None
