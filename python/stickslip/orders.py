"""Errors over step sizes, and the powers of the step with which they fall: `stickslip converge`.

Motions are compared as functions of time ([ST00] section 4): positions go straight from one step to the
next, velocities are those at the end of the step that a time is in. The largest of all coordinates counts.

    position error   largest difference of positions at any time
    velocity error   mean over time of the difference of velocities
    variation        sum over all steps of the change of the velocity
    rate             log of the quotient of errors over log of the quotient of steps
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stickslip import _engine
from stickslip._engine import InputError

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from stickslip.scene import Scene

__all__ = ["Convergence", "ConvergenceRow", "ConvergenceStudy", "convergence"]

Array = NDArray[np.float64]

# The reference is so much finer than the finest step, unless it is given.
_FINER = 4.0
_LEAST_QUOTIENT = 1.01
# Errors that are rounding beside the motion, relative to its largest number, are none.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class ConvergenceRow:
    """One step size of a study. A rate that is not known is not a number."""

    h: float
    velocity_error: float
    velocity_rate: float
    position_error: float
    position_rate: float
    velocity_variation: float
    uncertified_steps: int
    residual_max: float


@dataclass(frozen=True)
class ConvergenceStudy:
    """One method over all step sizes, from the longest to the shortest."""

    method: str
    reference: float  #: step of the run that errors are against
    rows: list[ConvergenceRow]
    velocity_rate: float  #: fitted over all steps
    position_rate: float
    to_first_method: float  #: distance of the references of this and of the first method
    uncertified_steps: int

    def column(self, name: str) -> Array:
        """One of the fields of the rows, over the steps."""
        return np.array([getattr(row, name) for row in self.rows])


@dataclass(frozen=True)
class Convergence:
    """The result of `stickslip.convergence`."""

    scene: str
    studies: list[ConvergenceStudy] = field(default_factory=list)

    def __getitem__(self, method: str) -> ConvergenceStudy:
        for study in self.studies:
            if study.method == method:
                return study
        raise InputError(f"there is no method {method!r}; there are {', '.join(s.method for s in self.studies)}")

    def to_pandas(self) -> pandas.DataFrame:
        """A table with a row for each method and step."""
        try:
            import pandas
        except ImportError:
            raise ImportError('to_pandas needs pandas: pip install "stickslip[tables]"') from None
        return pandas.DataFrame([{"method": study.method, **vars(row)} for study in self.studies for row in study.rows])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the errors over the steps, both axes logarithmic, and lines of slope 1 and 2."""
        from stickslip.plots import plot_convergence

        return plot_convergence(self, ax)

    def __str__(self) -> str:
        lines = [("method", "h", "velocity error", "rate", "position error", "rate", "variation")]
        for study in self.studies:
            for row in study.rows:
                lines.append(
                    (
                        study.method,
                        f"{row.h:g}",
                        f"{row.velocity_error:.4g}",
                        _rate_text(row.velocity_rate),
                        f"{row.position_error:.4g}",
                        _rate_text(row.position_rate),
                        f"{row.velocity_variation:.6g}",
                    )
                )
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        table = [
            "  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(line, widths)))
            for line in lines
        ]
        fitted = [
            f"{study.method}: order {_rate_text(study.velocity_rate) or 'none'} (velocity), "
            f"{_rate_text(study.position_rate) or 'none'} (position), fitted over all steps"
            for study in self.studies
        ]
        return "\n".join([*table, *fitted])


def convergence(
    scene: Scene | str | os.PathLike[str],
    steps: Sequence[float],
    *,
    schemes: Sequence[str] = (),
    presets: Sequence[str] = (),
    reference: float | None = None,
    until: float | None = None,
) -> Convergence:
    """Runs a scene over step sizes, and over schemes or presets, and compares each run with a finer one.

    Args:
        scene: A `Scene`, or the path of a scene file.
        steps: At least two step sizes [s].
        schemes, presets: Names; one of the two lists, or none for the method of the scene.
        reference: Step of the run that the others are compared with; a quarter of the finest if None.
        until: The end of all runs [s]; that of the scene if None.

    Returns:
        A table for each method; `.plot()` draws them, `print()` shows them.
    """
    from stickslip.scene import Scene

    if not isinstance(scene, Scene):
        scene = Scene.load(scene)
    sizes = _sorted_steps(steps)
    finest = _reference(reference, sizes[-1])
    studies: list[ConvergenceStudy] = []
    first: _Motion | None = None
    for method, override in _methods(schemes, presets):
        ends = [] if until is None else [f"time.end={json.dumps(until)}"]
        runs = [_run(scene, [*override, *ends], h) for h in (*sizes, finest)]
        first = first or runs[-1]
        studies.append(_study(method or runs[0].scheme, runs, first))
    return Convergence(scene.model.name, studies)


# ---- What is run ----


def _sorted_steps(steps: Sequence[float]) -> list[float]:
    try:
        sizes = sorted({float(h) for h in steps}, reverse=True)
    except (TypeError, ValueError):
        raise InputError(f"steps: expected a list of step sizes, got {steps!r}") from None
    if len(sizes) < 2 or not all(math.isfinite(h) and h > 0 for h in sizes):
        raise InputError("steps: at least two different step sizes > 0 are needed, as in [0.02, 0.01, 0.005]")
    for coarse, fine in zip(sizes, sizes[1:]):
        if coarse < _LEAST_QUOTIENT * fine:
            raise InputError(
                f"steps: {coarse!r} and {fine!r} are too close for a rate; the quotient of two steps must be "
                f"at least {_LEAST_QUOTIENT:g}"
            )
    return sizes


def _reference(reference: float | None, finest: float) -> float:
    if reference is None:
        return finest / _FINER
    if not (isinstance(reference, (int, float)) and 0 < reference < finest):
        raise InputError(f"reference: expected a step below the shortest of steps, {finest:g}, got {reference!r}")
    return float(reference)


def _methods(schemes: Sequence[str], presets: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for what, names in (("schemes", schemes), ("presets", presets)):
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise InputError(f"{what}: expected a list of names, got {names!r}")
    if schemes and presets:
        raise InputError("schemes, presets: only one of them can be given")
    if not schemes and not presets:
        yield "", []
    for what, names in (("scheme", schemes), ("preset", presets)):
        for name in names:
            yield name, [f"method.{what}={json.dumps(name)}"]


@dataclass(frozen=True)
class _Motion:
    """A run, step by step."""

    step: float
    scheme: str
    times: Array
    q: Array
    u: Array
    uncertified_steps: int
    residual_max: float


def _run(scene: Scene, overrides: list[str], h: float) -> _Motion:
    from stickslip.simulation import Simulation

    model = _engine.Model(scene.to_json(), scene.model.name, [*overrides, f"time.step={h!r}"], "")
    if model.error > 0:
        raise InputError("time.error: steps are chosen by their error; convergence compares steps of one length")
    if not model.end / h > 1:
        raise InputError(f"steps {h:g}: the run ends at {model.end:g}, and needs two steps at least")
    simulation = Simulation(model)
    watcher = _engine.FrameWatcher(simulation, 1, lambda: None)
    watcher.append(simulation)
    watcher.watch(simulation)
    summary = simulation.run()
    watcher.unwatch(simulation)
    frames = watcher.take()
    return _Motion(
        h,
        model.scheme,
        frames["time"][:, 0],
        frames["q"],
        frames["u"],
        summary.uncertified_steps,
        summary.residual_max,
    )


# ---- How runs differ ----


def _common_times(a: _Motion, b: _Motion) -> Array:
    times = np.sort(np.concatenate([a.times, b.times]))
    end = min(a.times[-1], b.times[-1])
    kept: list[float] = []
    for t in times[times <= end].tolist():
        # Times that differ by rounding are one.
        if not kept or t - kept[-1] > _ROUNDING * end:
            kept.append(t)
    return np.array(kept)


def _steps_at(motion: _Motion, times: Array) -> NDArray[np.intp]:
    """The step that holds each time: step k goes from times[k - 1], exclusive, to times[k]."""
    return np.clip(np.searchsorted(motion.times, times, side="left"), 1, len(motion.times) - 1)


def _positions(motion: _Motion, times: Array) -> Array:
    k = _steps_at(motion, times)
    start = motion.times[k - 1]
    length = motion.times[k] - start
    share = np.ones(len(times))
    np.divide(times - start, length, out=share, where=length > 0)
    share = np.clip(share, 0, 1)[:, None]
    positions: Array = (1 - share) * motion.q[k - 1] + share * motion.q[k]
    return positions


def _largest(values: Array) -> Array:
    largest: Array = np.abs(values).max(axis=1, initial=0)
    return largest


def _above_rounding(error: float, *of: Array) -> float:
    largest = max(float(np.abs(values).max(initial=0)) for values in of)
    return error if error > _ROUNDING * largest else 0.0


def _position_error(a: _Motion, b: _Motion) -> float:
    times = _common_times(a, b)
    return _above_rounding(float(_largest(_positions(a, times) - _positions(b, times)).max()), a.q, b.q)


def _velocity_error(a: _Motion, b: _Motion) -> float:
    times = _common_times(a, b)
    middles = (times[:-1] + times[1:]) / 2
    differences = _largest(a.u[_steps_at(a, middles)] - b.u[_steps_at(b, middles)])
    return _above_rounding(float(np.diff(times) @ differences / (times[-1] - times[0])), a.u, b.u)


def _variation(a: _Motion) -> float:
    return float(_largest(np.diff(a.u, axis=0)).sum())


def _rate(coarse: tuple[float, float], fine: tuple[float, float]) -> float:
    if not (coarse[1] > 0 and fine[1] > 0):
        return math.nan
    return math.log(coarse[1] / fine[1]) / math.log(coarse[0] / fine[0])


def _fitted(steps: Sequence[float], errors: Sequence[float]) -> float:
    """Slope of the line through the logarithms, of the errors that are > 0."""
    points = [(math.log(h), math.log(e)) for h, e in zip(steps, errors) if e > 0]
    if len(points) < 2:
        return math.nan
    x, y = np.array(points).T
    x = x - x.mean()
    return float(x @ y / (x @ x))


def _study(method: str, runs: list[_Motion], first: _Motion) -> ConvergenceStudy:
    *runs, reference = runs
    rows: list[ConvergenceRow] = []
    for run in runs:
        position, velocity = _position_error(run, reference), _velocity_error(run, reference)
        before: Any = rows[-1] if rows else None
        rows.append(
            ConvergenceRow(
                run.step,
                velocity,
                _rate((before.h, before.velocity_error), (run.step, velocity)) if before else math.nan,
                position,
                _rate((before.h, before.position_error), (run.step, position)) if before else math.nan,
                _variation(run),
                run.uncertified_steps,
                run.residual_max,
            )
        )
    steps = [row.h for row in rows]
    return ConvergenceStudy(
        method,
        reference.step,
        rows,
        _fitted(steps, [row.velocity_error for row in rows]),
        _fitted(steps, [row.position_error for row in rows]),
        _position_error(reference, first),
        reference.uncertified_steps + sum(row.uncertified_steps for row in rows),
    )


def _rate_text(rate: float) -> str:
    return "" if math.isnan(rate) else f"{rate:.2f}"
