"""Many simulations side by side: steps in threads, and states as arrays with a leading axis n."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import number, numbers, shown_only
from stickslip.batch_handles import BatchBodies, BatchCoordinates, BatchJoints
from stickslip.copies import Where, picked, place_of_copy
from stickslip.handles import expect_plane
from stickslip.progress import ProgressLine
from stickslip.scene import Scene
from stickslip.scene_text import Overrides
from stickslip.simulation import Simulation
from stickslip.threads import team_of

if TYPE_CHECKING:
    from stickslip.batch_inputs import BatchInputs
    from stickslip.system import System

__all__ = ["Batch", "Energies", "vectorize"]

Array = NDArray[np.float64]
#: More copies than this are a mistake: a simulation takes some 100 kB.
MOST_COPIES = 1 << 20


class Energies(NamedTuple):
    """Energies of the copies [force x length]."""

    kinetic: Array
    potential: Array

    @property
    def total(self) -> Array:
        """Kinetic plus potential."""
        return self.kinetic + self.potential


def vectorize(
    of: Scene | str | os.PathLike[str] | System | Iterable[Simulation],
    n: int | None = None,
    *,
    set: Sequence[Overrides] | Callable[[int], Overrides] | None = None,
    threads: int | None = 0,
    **options: Any,
) -> Batch:
    """Copies of a scene that are stepped side by side.

        batch = stickslip.vectorize(scene, 64, set=lambda i: {"system.materials.default.friction": 0.01 * i})
        batch.run(until=2.0)
        print(batch.bodies["box"].position)  # (64, 3)

    Each copy has the bits that it has alone, for any number of threads.

    Args:
        of: A `Scene`, the path of a scene file, a `System`, or simulations, which then go on together.
        n: The number of copies; it may be left out with simulations, or with a list of overrides.
        set: What differs, as in `Scene.load(set=...)`: one for each copy, or a function of its number.
            It must not change the number of coordinates, bodies or joints, nor their names.
        threads: So many threads of the batch's own; 0: as many as the machine has. None: those of the
            process (`set_threads`). A batch never changes those of the process.
        options: As in `Simulation`.

    Functions of Python that a step calls (a `System`, a solver of one's own) run one at a time, as all
    of Python does; everything else runs in parallel.
    """
    if isinstance(of, (list, tuple)) or (isinstance(of, Iterable) and not isinstance(of, (str, os.PathLike, Scene))):
        simulations = _simulations(of)
        if n is not None and n != len(simulations) or set is not None or options:
            raise InputError("vectorize: simulations are as they are; n, set and options are for a scene")
        return Batch(simulations, threads=threads)
    count = _count(n, set)
    if set is None:
        first = Simulation(of, **options)
        return Batch([first, *(Simulation(first._source, **options) for _ in range(count - 1))], threads=threads)
    if not isinstance(of, Scene):
        if not isinstance(of, (str, os.PathLike)):
            raise InputError(f"set: overrides are for scenes, not for {type(of).__name__}")
        of = Scene.load(of)
    overrides = (set(i) if callable(set) else set[i] for i in range(count))
    return Batch([Simulation(of.with_(changed), **options) for changed in overrides], threads=threads)


class Batch:
    """Simulations of the same size that are stepped side by side; made by `vectorize`.

    `batch[i]` is the simulation i itself: what is set there is set here. Arrays are copies of the
    state now, which cannot be written to; `set` and `place` change it. Looking
    at a batch while another thread steps it raises a RuntimeError.
    """

    def __init__(self, simulations: Iterable[Simulation], *, threads: int | None = 0) -> None:
        self._copies = _simulations(simulations)
        _expect_same(self._copies)
        self._threads = threads
        self._team = team_of(threads, most=len(self._copies))
        self._starts = [copy.save() for copy in self._copies]
        self._inputs: BatchInputs | None = None

    # ---- Steps ----

    def step(self) -> NDArray[np.bool_]:
        """One step of each copy. (n,): whether it is certified.

        A copy whose state would not stay finite does not move any more, and is not certified. An
        exception that a function of the user raises in one copy comes out when all have made the step.
        """
        self._give_inputs()
        return _engine.step_all(self._copies, self._team)

    def run(
        self,
        until: float | None = None,
        *,
        steps: int | None = None,
        before: Callable[[Batch], object] | None = None,
        after: Callable[[Batch], object] | None = None,
        progress: bool | Callable[[Batch], object] = False,
    ) -> NDArray[np.bool_]:
        """Steps until each copy is at the time `until` [s], or so many steps, whichever comes first.

        Without either, to the end that the scene names. Other Python threads run in the meantime. Ctrl-C
        ends the run with a KeyboardInterrupt: all copies have then made the same number of steps, but
        for those that have arrived, and can go on.

        Args:
            before: Called as `before(batch)` before each step of the copies: a controller.
            after: Called as `after(batch)` after each step.
            progress: True shows how far the run is; a function is called with the batch now and then.

        Returns:
            (n,): whether all steps so far are certified.
        """
        if not isinstance(progress, (bool, np.bool_)) and not callable(progress):
            raise InputError(f"progress: expected True, False or a function of the batch, got {progress!r}")
        end = self._end(until, steps)
        most = (1 << 62) if steps is None else min(_whole("steps", steps, 0), 1 << 62)
        line = ProgressLine(float(self.time.min()), end, steps) if progress and not callable(progress) else None
        first = self._most_steps()
        show: Callable[[], object] | None = None
        if line is not None:
            show = lambda: line.show(float(self.time.min()), self._most_steps() - first)  # noqa: E731
        elif callable(progress):
            show = lambda: progress(self)  # noqa: E731
        for function in (before, after):
            if function is not None and not callable(function):
                raise InputError(f"before, after: expected a function of the batch, got {function!r}")
        if before is None and after is None:
            self._give_inputs()
            _engine.run_all(self._copies, self._team, end, most, show)
        else:
            self._run_with(before, after, end, most, show)
        if line is not None:
            line.show(float(self.time.min()), self._most_steps() - first, last=True)
        return self.certified

    def _run_with(
        self,
        before: Callable[[Batch], object] | None,
        after: Callable[[Batch], object] | None,
        end: float,
        most: int,
        show: Callable[[], object] | None,
    ) -> None:
        """A run that functions of the user look at, step by step."""
        goes_on = True
        while goes_on and most > 0 and bool((self.time < end).any()):
            if before is not None:
                before(self)
            self._give_inputs()
            goes_on = _engine.run_all(self._copies, self._team, end, 1, show)
            if after is not None:
                after(self)
            most -= 1

    def _most_steps(self) -> int:
        return max(copy.steps for copy in self._copies)

    def _give_inputs(self) -> None:
        if self._inputs is not None:
            self._inputs.give()

    def _end(self, until: float | None, steps: int | None) -> float:
        if until is not None:
            return math.inf if until == math.inf else number("until", until)
        if steps is not None:
            return math.inf
        ends: list[float] = sorted({copy._source.end for copy in self._copies})
        if len(ends) > 1:
            raise InputError(f"until: the copies end between {ends[0]:g} and {ends[-1]:g} s: say until when")
        return ends[0]

    # ---- The state ----

    @property
    def time(self) -> Array:
        """(n,) [s]"""
        return shown_only(_engine.times_of(self._copies))

    @property
    def q(self) -> Array:
        """All positions, (n, nq)."""
        return shown_only(_engine.q_of(self._copies))

    @property
    def u(self) -> Array:
        """All velocities, (n, nu)."""
        return shown_only(_engine.u_of(self._copies))

    @property
    def bodies(self) -> BatchBodies:
        """The bodies of all copies: by name, by number, and as arrays."""
        return BatchBodies(self, self._places("body"))

    @property
    def joints(self) -> BatchJoints:
        """The joints of all copies."""
        return BatchJoints(self, self._places("joint"))

    @property
    def coordinates(self) -> BatchCoordinates:
        """Coordinates by name: `batch.coordinates["x"].q` is (n,)."""
        return BatchCoordinates(self, self._places("position"), self._places("velocity"))

    @property
    def position(self) -> Array:
        """Origins of the bodies' frames, (n, bodies, 3) [length]; z = 0 in the plane."""
        return self.bodies.position

    @property
    def orientation(self) -> Array:
        """Unit quaternions (w, x, y, z) of the bodies, (n, bodies, 4)."""
        return self.bodies.orientation

    @property
    def angle(self) -> Array:
        """In the plane: angles of the bodies with all their turns, (n, bodies) [rad]."""
        return self.bodies.angle

    @property
    def velocity(self) -> Array:
        """Of the bodies' origins, world axes, (n, bodies, 3) [velocity]."""
        return self.bodies.velocity

    @property
    def angular_velocity(self) -> Array:
        """Of the bodies, world axes, (n, bodies, 3) [rad/s]."""
        return self.bodies.angular_velocity

    @property
    def joint_coordinates(self) -> Array:
        """(n, joints, 2): angles [rad], displacements; not a number where a joint has fewer."""
        return self.joints.coordinates

    @property
    def energy(self) -> Energies:
        """Kinetic and potential energy, (n,) each."""
        both = _engine.energies_of(self._copies)
        return Energies(both[:, 0].copy(), both[:, 1].copy())

    @property
    def certified(self) -> NDArray[np.bool_]:
        """(n,): whether all steps so far are certified."""
        return _engine.certified_of(self._copies)

    @property
    def finite(self) -> NDArray[np.bool_]:
        """(n,): false where the last step would have led to a state that is not finite."""
        return _engine.finite_of(self._copies)

    @property
    def summaries(self) -> list[_engine.RunSummary]:
        """About all steps so far, of each copy."""
        return [copy._run_summary() for copy in self._copies]

    @property
    def hashes(self) -> list[str]:
        """Of each copy: sixteen digits that identify the exact bits of its state."""
        return [copy._state_hash() for copy in self._copies]

    # ---- Changes ----

    def set(
        self,
        *,
        time: ArrayLike | None = None,
        q: ArrayLike | Mapping[str, ArrayLike] | None = None,
        u: ArrayLike | Mapping[str, ArrayLike] | None = None,
        where: Where = None,
    ) -> None:
        """Puts copies elsewhere; what sleeps wakes. What is None stays as it is.

        Args:
            time: [s], one for all or one for each copy.
            q, u: All coordinates (nq,) for all copies or (n, nq); or some of them by name, a number for
                all copies or (n,). Rows may also be those of the copies that `where` picks.
            where: Which copies: a mask (n,), their numbers, or the number of one; None: all.

        Nothing changes if something is wrong.
        """
        places = self._picked(where)
        _engine.set_states_of(
            self._copies,
            places,
            None if time is None else self._rows("time", time, places, ())[:, np.newaxis],
            self._filled("q", q, places, lambda: self.q, "position"),
            self._filled("u", u, places, lambda: self.u, "velocity"),
        )

    def place(
        self,
        body: str | int,
        *,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        angle: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        where: Where = None,
    ) -> None:
        """Puts one dynamic body of copies elsewhere. What is None stays as it is.

        Args:
            position, velocity, angular_velocity: (3,) for all copies, or (n, 3).
            orientation: (4,) or (n, 4).
            angle: In the plane: a number or (n,) [rad].
            where: As in `set`.
        """
        places = self._picked(where)
        index = self.bodies[body].index
        if angle is not None:
            expect_plane(self._copies[0], "angle")
        given = {"position": position, "orientation": orientation, "angle": angle}
        given |= {"velocity": velocity, "angular_velocity": angular_velocity}
        widths: dict[str, tuple[int, ...]] = {"orientation": (4,), "angle": ()}
        parts = {
            part: self._rows(part, values, places, widths.get(part, (3,)))
            for part, values in given.items()
            if values is not None
        }
        for part, values in parts.items():
            if not np.isfinite(values).all():
                raise InputError(f"{part}: expected finite numbers")
        for row, i in enumerate(places):
            # Numbers as numbers: the engine wants a float for an angle.
            values_of_one = {part: values[row] if values.ndim > 1 else float(values[row]) for part, values in parts.items()}
            self._copies[i]._place(index, **values_of_one)

    def reset(self, where: Where = None) -> None:
        """Puts copies back to what they were when the batch was made, with its inputs: the same bits as new ones.

        Args:
            where: As in `set`.
        """
        places = self._picked(where)
        for i in places:
            self._copies[i].restore(self._starts[i])
        if self._inputs is not None:
            self._inputs.take(places)

    @property
    def inputs(self) -> BatchInputs:
        """Forces and drives that hold from the next step on, with a leading axis n."""
        if self._inputs is None:
            from stickslip.batch_inputs import BatchInputs

            self._inputs = BatchInputs(self._copies, self._places("body"), self._places("joint"))
        return self._inputs

    # ---- Copies ----

    def __len__(self) -> int:
        return len(self._copies)

    def __getitem__(self, i: int) -> Simulation:
        return self._copies[place_of_copy(i, len(self))]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._copies)

    @property
    def threads(self) -> int:
        """How many threads step the copies."""
        return _engine.thread_count() if self._team is None else self._team.count

    def copy(self) -> Batch:
        """Another batch in the same state, which goes on with the same bits."""
        import copy

        return copy.deepcopy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        self._give_inputs()
        return _remade, (type(self), self._copies, self._threads, self._starts)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} copies of {self._copies[0]._source.title!r} on {self.threads} threads>"

    # ---- Arguments ----

    def _picked(self, where: Where) -> NDArray[np.int64]:
        return picked(where, len(self))

    def _places(self, kind: str) -> dict[str, int]:
        names: dict[str, int] = self._copies[0]._source.names(kind)
        return names

    def _rows(self, what: str, values: ArrayLike, places: NDArray[np.int64], row: tuple[int, ...]) -> Array:
        """A row for each of the places, of values for all copies, for each, or for each of the places."""
        given = numbers(what, values)
        leading = given.shape[: given.ndim - len(row)]
        if given.shape[len(leading) :] == row:
            if leading in ((), (1,)):
                return np.ascontiguousarray(np.broadcast_to(given, (len(places), *row)))
            if leading == (len(self),):
                return np.ascontiguousarray(given[places])
            if leading == (len(places),):
                return given
        raise InputError(f"{what}: expected the shape {row} or {(len(self), *row)}, got {given.shape}")

    def _filled(
        self,
        what: str,
        values: ArrayLike | Mapping[str, ArrayLike] | None,
        places: NDArray[np.int64],
        now: Callable[[], Array],
        kind: str,
    ) -> Array | None:
        if values is None:
            return None
        known = self._places(kind)
        if not isinstance(values, Mapping):
            return self._rows(what, values, places, (len(known),))
        out = now()[places]
        for name, of_name in values.items():
            if name not in known:
                raise InputError(f"{what}: there is no coordinate {name!r}; there are {', '.join(known) or 'none'}")
            out[:, known[name]] = self._rows(f"{what}[{name!r}]", of_name, places, ())
        return out


def _simulations(given: Iterable[Any]) -> tuple[Simulation, ...]:
    simulations = tuple(given)
    for i, simulation in enumerate(simulations):
        if not isinstance(simulation, Simulation):
            raise InputError(f"batch: expected simulations, got {type(simulation).__name__} at place {i}")
    if not simulations:
        raise InputError("batch: expected at least one simulation")
    if len({id(simulation) for simulation in simulations}) < len(simulations):
        raise InputError("batch: a simulation is there twice; simulation.copy() makes another one")
    return simulations


def _expect_same(copies: Sequence[Simulation]) -> None:
    first = copies[0]._source
    for i, copy in enumerate(copies):
        source = copy._source
        if source is first:
            continue
        for kind in ("body", "joint", "position", "velocity"):
            ours, others = first.names(kind), source.names(kind)
            if len(ours) != len(others):
                kinds = {"velocity": "velocities", "body": "bodies"}.get(kind, kind + "s")
                raise InputError(f"batch: copy {i} has {len(others)} {kinds}, copy 0 has {len(ours)}: all must be alike")
            if ours != others:
                raise InputError(f"batch: copy {i} has other names than copy 0: {kind} {_first_other(ours, others)}")


def _first_other(ours: Mapping[str, int], others: Mapping[str, int]) -> str:
    return next(f"{other!r}, not {own!r}" for own, other in zip(ours, others) if own != other)


def _count(n: object, set: object) -> int:
    if set is not None and not callable(set):
        if isinstance(set, (str, Mapping)) or not isinstance(set, Sequence):
            raise InputError("set: expected a list of overrides, one for each copy, or a function of its number")
        if n is not None and n != len(set):
            raise InputError(f"set: there are overrides for {len(set)} copies, and n is {n!r}")
        n = len(set)
    if n is None:
        raise InputError("n: expected the number of copies")
    return _whole("n", n, 1, MOST_COPIES)


def _whole(what: str, value: object, least: int, most: int | None = None) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, np.integer))
        or value < least
        or (most is not None and value > most)
    ):
        limits = f">= {least}" if most is None else f"from {least} to {most}"
        raise InputError(f"{what}: expected a whole number {limits}, got {value!r}")
    return int(value)


def _remade(kind: type[Batch], copies: tuple[Simulation, ...], threads: int | None, starts: list[bytes]) -> Batch:
    batch = kind.__new__(kind)
    batch._copies, batch._threads, batch._starts = copies, threads, starts
    batch._team, batch._inputs = team_of(threads, most=len(copies)), None
    return batch
