"""A simulation: a scene that is stepped, looked at and changed between steps."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import axial_vector, number, numbers, vector
from stickslip.handles import Bodies, Coordinates, Joints, expect_plane
from stickslip.progress import ProgressLine

if TYPE_CHECKING:
    from stickslip.inputs import Inputs
    from stickslip.problem import ContactProblem
    from stickslip.recorder import Recorder
    from stickslip.scene import Scene

__all__ = ["CONTACT", "JOINT_FORCE", "Energy", "Simulation"]

#: The fields of `Simulation.contacts`; lengths, impulses and forces are in the scene's units.
CONTACT = np.dtype(
    [
        ("id", np.uint64),  # stays while the same two places touch
        ("body_a", np.int32),  # places in Simulation.bodies; -1: none
        ("body_b", np.int32),
        ("state", "U6"),  # "open", "stick", "slip", "impact"
        ("index", np.int32),  # of the contact in Simulation.problem
        ("gap", float),  # [length]; < 0: overlap
        ("p", float, 3),  # impulse along the normal and the tangents [force x time]
        ("gamma", float, 3),  # velocity of b as seen from a in these directions [velocity]
        ("point", float, 3),  # halfway between the two sides; 0 where the system does not know
        ("normal", float, 3),  # unit, from a to b
        ("impulse", float, 3),  # on b, of the step [force x time]
        ("force", float, 3),  # the mean over the step that has this impulse [force]
        ("slip_velocity", float, 3),  # of b along the surface of a, at the end of the step
    ]
)

#: The fields of `Simulation.joint_forces`: means over the last step.
JOINT_FORCE = np.dtype(
    [
        ("force", float, 3),  # on the second body, world axes [force]
        ("torque", float, 3),  # on it, about the joint's point on it [force x length]
        ("drive", float, 2),  # along the coordinates: motor, limits, friction, spring
    ]
)

_STATES = np.array(["open", "stick", "slip", "impact"])
# As the engine packs a contact (python/engine/simulation.cpp).
_PACKED = np.dtype(
    [
        (name, np.int32 if name == "state" else kind[0], *kind[1:])
        for name, *kind in (
            ("id", np.uint64),
            ("body_a", np.int32),
            ("body_b", np.int32),
            ("state", np.int32),
            ("index", np.int32),
            ("gap", float),
            *((name, float, 3) for name in ("p", "gamma", "point", "normal", "impulse", "force", "slip_velocity")),
        )
    ]
)

Step = Callable[["Simulation"], object]


class Energy(NamedTuple):
    """Energy of the state [force x length]."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Kinetic plus potential."""
        return self.kinetic + self.potential


class Simulation(_engine.Simulation):
    """Steps a scene, or a system of one's own (`System`).

    Args:
        of: A `Scene`, the path of a scene file, or a `System`.
        solver, scheme: Of one's own: `stickslip.Solver`, `stickslip.Scheme`.
        forces: Of a scene: forces of one's own on bodies, a list of functions or of `ForceLaw`s.
        step: Of a `System`, as all that follow: the length of a step [s]; it must be given.
        q, u: Positions and velocities at the start, (n,), or some of them by name; 0 if left out.
        time: The time at the start [s]; default 0.
        end: Where `run()` ends [s]; without it `run` needs `until` or `steps`.
        error: The largest error of a step, for steps of variable length, as `Time.error`.
        method: A `Method`, the name of a preset, or a dictionary as scenes have it.
        impact: True makes an impact at the start, as `Initial.impact`.
        name: What the simulation is called; default: the name of the class.

    Looking at a simulation while it is stepped, from another thread or from a function that the step
    calls, raises a RuntimeError; `before` and `after` of `run` may look and change.
    """

    def __init__(self, of: Scene | str | os.PathLike[str] | Any, **options: Any) -> None:
        """See the class."""
        self._source = _source_of(of)
        self._options = options
        self._source.start(super().__init__, options)

    # ---- Steps ----

    # step() is the engine's own: a call of it costs a fraction of a microsecond.

    def run(
        self,
        until: float | None = None,
        *,
        steps: int | None = None,
        before: Step | None = None,
        after: Step | None = None,
        progress: bool | Step = False,
        record: str | os.PathLike[str] | None = None,
    ) -> _engine.RunSummary:
        """Steps until the time `until` [s], or so many steps, whichever comes first.

        Without either, to the end that the scene names. The last step is shortened to end at `until`; a time
        that has passed makes no step.
        Other Python threads run in the meantime. Ctrl-C ends the run between two steps with a
        KeyboardInterrupt; the simulation is whole then and can go on.

        Args:
            before: Called as `before(sim)` before each step: a controller.
            after: Called as `after(sim)` after each step.
            progress: True shows how far the run is; a function is called with the simulation now and then.
            record: A folder for a recording of this run, which must not hold one yet (`stickslip.record`).

        Returns:
            What is said about all steps so far (`summary`).
        """
        if not isinstance(progress, (bool, np.bool_)) and not callable(progress):
            raise InputError(f"progress: expected True, False or a function of the simulation, got {progress!r}")
        end = self._end(until, steps)
        most = _whole("steps", steps) if steps is not None else (1 << 62)
        if record is not None:
            from stickslip.recorder import record as recording

            with recording(self, record):
                return self.run(until, steps=steps, before=before, after=after, progress=progress)
        line = ProgressLine(self.time, end, steps) if progress and not callable(progress) else None
        first = self.steps
        show: Callable[[], object] | None = None
        if line is not None:
            show = lambda: line.show(self.time, self.steps - first)  # noqa: E731
        elif callable(progress):
            show = lambda: progress(self)  # noqa: E731
        self._run_steps(end, most, _bound(before, self), _bound(after, self), show)
        if line is not None:
            line.show(self.time, self.steps - first, last=True)
        return self._run_summary()

    def _end(self, until: float | None, steps: int | None) -> float:
        if until is not None:
            return math.inf if until == math.inf else number("until", until)
        if steps is not None:
            return math.inf
        end: float = self._source.end
        return end

    # ---- The state ----

    @property
    def bodies(self) -> Bodies:
        """The bodies of the scene, by name, by number and all together."""
        return Bodies(self, self._source.names("body"))

    @property
    def joints(self) -> Joints:
        """The joints of the scene, by name, by number and all together."""
        return Joints(self, self._source.names("joint"))

    @property
    def coordinates(self) -> Coordinates:
        """Coordinates by name: `sim.coordinates["phi_M"].q = 0.1`."""
        return Coordinates(self, self._source.names("position"), self._source.names("velocity"))

    def set(
        self,
        *,
        time: float | None = None,
        q: ArrayLike | Mapping[str, float] | None = None,
        u: ArrayLike | Mapping[str, float] | None = None,
    ) -> None:
        """Puts the simulation elsewhere; what sleeps wakes. What is None stays as it is.

        Args:
            time: [s]
            q, u: All positions (positions,), all velocities (velocities,), or some of them by name.
        """
        self._set_state(
            time=None if time is None else number("time", time),
            q=_filled("q", q, lambda: self.q, lambda: self._source.names("position")),
            u=_filled("u", u, lambda: self.u, lambda: self._source.names("velocity")),
        )

    def place(
        self,
        body: str | int,
        *,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        angle: float | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
    ) -> None:
        """Puts one dynamic body elsewhere; what sleeps wakes. What is None stays as it is.

        Args:
            position, velocity: (3,), in the plane two numbers are enough [length], [velocity].
            orientation: A unit quaternion (w, x, y, z), (4,).
            angle: In the plane [rad].
            angular_velocity: (3,), in the plane a number is enough [rad/s].
        """
        handle = self.bodies[body]
        if angle is not None:
            expect_plane(self, "angle")
        self._place(
            handle.index,
            position=None if position is None else vector("position", position, planar=True),
            orientation=None if orientation is None else numbers("orientation", orientation),
            angle=None if angle is None else number("angle", angle),
            velocity=None if velocity is None else vector("velocity", velocity, planar=True),
            angular_velocity=None if angular_velocity is None else axial_vector("angular_velocity", angular_velocity),
        )

    @property
    def energy(self) -> Energy:
        """Kinetic and potential energy of the state."""
        return Energy(*self._energies())

    # ---- The last step ----

    @property
    def contacts(self) -> NDArray[np.void]:
        """The contacts of the last step, (contacts,): a structured array, and a copy, which stays as it is.

        Its fields:
            body_a, body_b: numbers of the bodies in `bodies`; -1: none.
            state: "open", "stick", "slip" or "impact".
            gap: [length]; < 0: overlap.
            point: halfway between the two sides, (3,) [length]; 0 where a system does not know it.
            normal: from a to b, a unit vector (3,).
            impulse, force: on b, of the step and its mean over the step, (3,) [force x time], [force].
            slip_velocity: of b along the surface of a at the end of the step, (3,) [velocity].
            p, gamma: the impulse along normal and tangents, and the velocity of b as seen from a in these
                directions, (3,); 0 where there is no such tangent.
            id: stays while the same two places touch.
            index: of the contact in `problem`.
        """
        packed = np.frombuffer(self._contact_bytes().tobytes(), dtype=_PACKED)
        out = np.empty(len(packed), dtype=CONTACT)
        for name in CONTACT.names or ():
            out[name] = _STATES[packed[name]] if name == "state" else packed[name]
        return out

    @property
    def joint_forces(self) -> NDArray[np.void]:
        """What each joint did in the last step, (joints,): a structured array in the order of `joints`.

        Its fields, means over the step:
            force: on the second body, world axes, (3,) [force].
            torque: on it, about the joint's point on it, (3,) [force x length].
            drive: along the coordinates by motor, limits, friction and spring, (2,); torques where they are angles.
        """
        force, torque, drive = self._joint_wrenches()
        out = np.empty(len(force), dtype=JOINT_FORCE)
        out["force"], out["torque"], out["drive"] = force, torque, drive
        return out

    @property
    def certificate(self) -> _engine.Certificate | None:
        """The certificate of the last step; None before the first one."""
        report = self.report
        return None if report is None else report.certificate

    @property
    def summary(self) -> _engine.RunSummary:
        """About all steps so far."""
        return self._run_summary()

    @property
    def problem(self) -> ContactProblem:
        """The (last) contact problem of the last step, a copy."""
        from stickslip.problem import problem_of

        return problem_of(self)

    # ---- The whole ----

    @property
    def inputs(self) -> Inputs:
        """Forces and drives that hold from the next step on."""
        inputs: Inputs | None = self.__dict__.get("_inputs")
        if inputs is None:
            from stickslip.inputs import Inputs

            inputs = self._inputs = Inputs(self)
        return inputs

    @property
    def hash(self) -> str:
        """Sixteen digits that identify the exact bits of the state, as the program prints them."""
        return self._state_hash()

    @property
    def scene(self) -> Scene:
        """The scene that this simulation was made of, as it was then."""
        scene: Scene = self._source.scene()
        return scene

    def record(self, folder: str | os.PathLike[str], *, every: int | None = None, replace: bool = False) -> Recorder:
        """Records every so many steps into a folder, from now on: `stickslip.record`."""
        from stickslip.recorder import record

        return record(self, folder, every=every, replace=replace)

    def copy(self) -> Simulation:
        """Another simulation in the same state, which goes on with the same bits."""
        import copy

        return copy.deepcopy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        others = {k: v for k, v in self.__dict__.items() if k not in ("_source", "_options", "_inputs", "_recorders")}
        return _remade, (type(self), self._source, self._options, self.save()), others

    def __repr__(self) -> str:
        return f"<Simulation of {self._source.title!r} at t = {self.time:.6g} s>"


# ---- What a simulation is made of ----


class _SceneSource:
    """A scene, read and checked; what it said when the simulation was made."""

    def __init__(self, model: _engine.Model) -> None:
        self.model = model
        self._names: dict[str, dict[str, int]] = {}

    @property
    def title(self) -> str:
        return self.model.name

    @property
    def end(self) -> float:
        return self.model.end

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def start(self, init: Callable[..., None], options: Mapping[str, Any]) -> None:
        if not options:
            init(self.model)
            return
        from stickslip.methods import start_with

        start_with(init, self.model, options)

    def names(self, kind: str) -> dict[str, int]:
        found = self._names.get(kind)
        if found is None:
            listed: Sequence[str] = getattr(self.model, f"{kind}_names")
            found = self._names[kind] = {name: i for i, name in enumerate(listed)}
        return found

    def scene(self) -> Scene:
        from stickslip.scene import Scene

        return Scene.parse(self.model.text, source=self.model.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _SceneSource._of_text, (self.model.text, self.model.name)

    @staticmethod
    def _of_text(text: str, name: str) -> _SceneSource:
        return _SceneSource(_engine.Model(text, name, [], ""))


def _source_of(of: Any) -> Any:
    if isinstance(of, (_SceneSource, _engine.Model)):
        return of if isinstance(of, _SceneSource) else _SceneSource(of)
    from stickslip.scene import Scene

    if isinstance(of, (str, os.PathLike)):
        of = Scene.load(of)
    if isinstance(of, Scene):
        return _SceneSource(of.model)
    from stickslip.system import System, SystemSource

    if isinstance(of, System):
        return SystemSource(of)
    if isinstance(of, SystemSource):
        return of
    raise InputError(f"Simulation: expected a Scene, the path of one, or a System, got {type(of).__name__}")


def _remade(kind: type[Simulation], source: Any, options: dict[str, Any], state: bytes) -> Simulation:
    simulation = kind(source, **options)
    simulation.restore(state)
    return simulation


# ---- Arguments ----


def _whole(what: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise InputError(f"{what}: expected a whole number >= 0, got {value!r}")
    return min(int(value), 1 << 62)


def _bound(function: Step | None, simulation: Simulation) -> Callable[[], object] | None:
    if function is None:
        return None
    if not callable(function):
        raise InputError(f"before, after: expected a function of the simulation, got {function!r}")
    return lambda: function(simulation)


def _filled(
    what: str,
    values: ArrayLike | Mapping[str, float] | None,
    now: Callable[[], NDArray[np.float64]],
    names: Callable[[], Mapping[str, int]],
) -> NDArray[np.float64] | None:
    if values is None:
        return None
    if not isinstance(values, Mapping):
        return numbers(what, values)
    known = names()
    out = now().copy()
    for name, value in values.items():
        if name not in known:
            raise InputError(f"{what}: there is no coordinate {name!r}; there are {', '.join(known) or 'none'}")
        out[known[name]] = number(f"{what}: {name!r}", value)
    return out
