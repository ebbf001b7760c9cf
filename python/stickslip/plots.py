"""Curves with matplotlib: quantities of a recording over time, phase portraits, energy, orders of convergence.

Labels have the units of SI; `UNITS` of this module changes them for scenes in other units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stickslip._engine import InputError
from stickslip.series import Series
from stickslip.tracks import AnyTrack, BodyTrack, ContactTrack, CoordinateTrack, JointTrack

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stickslip.orders import Convergence
    from stickslip.recording import Recording

__all__ = ["COLOURS", "UNITS", "plot", "plot_convergence", "plot_energy", "plot_phase", "new_axes"]

#: What labels say after the name of a quantity; an empty text says nothing.
UNITS = {
    "time": "s",
    "position": "m",
    "displacement": "m",
    "gap": "m",
    "angle": "rad",
    "velocity": "m/s",
    "angular velocity": "rad/s",
    "impulse": "N s",
    "energy": "J",
}
#: Of curves, in this order; told apart with most kinds of colour blindness (as in `stickslip converge`).
COLOURS = ("#0b62a4", "#d1495b", "#2e8b57", "#b8860b", "#7b4fa6", "#3aa6b9", "#555555")
_UNCERTIFIED = "#c1121f"
_GRID = "#e3e7ec"
_FRAME = "#8a95a3"
# Markers of more frames than this would be a bar.
_MOST_MARKS = 400

_BODY_PARTS = ("position", "orientation", "angle", "velocity", "angular_velocity")
_AXES = {3: "xyz", 4: "wxyz"}
_CONTACT_AXES = ("normal", "tangent 1", "tangent 2")


class Curve(NamedTuple):
    """One curve: what it is called, which quantity it shows, and its numbers over the frames."""

    name: str
    quantity: str
    series: Series
    column: int | None

    def values(self, frames: slice) -> NDArray[np.float64]:
        """Of some frames."""
        values: NDArray[np.float64] = self.series[frames] if self.column is None else self.series[frames, self.column]
        return values


# ---- Names of quantities ----


def curves_of(recording: Recording, name: str) -> list[Curve]:
    """The curves that a name stands for, as "ball.position.z" or "energy"."""
    if not isinstance(name, str):
        raise InputError(f"plot: expected the name of a quantity, as 'ball.position.z', got {name!r}")
    if name == "energy" or name.startswith("energy."):
        parts = ("kinetic", "potential", "total")
        return [
            Curve(part if name == "energy" else f"energy.{part}", "energy", getattr(recording.energy, part), None)
            for part in ([_among(name, name[7:], parts)] if name != "energy" else parts)
        ]
    if name.startswith("certificate."):
        return [Curve(name, name[12:].replace("_", " "), recording.certificate[name[12:]], None)]
    if name == "contact_count":
        return [Curve(name, "contacts", recording.contact_count, None)]
    track, rest = _owner(recording, name)
    if isinstance(track, BodyTrack):
        return _of_body(track, name, rest)
    if isinstance(track, JointTrack):
        return _of_joint(track, name, rest)
    if isinstance(track, ContactTrack):
        return _of_contact(track, name, rest)
    return _of_coordinate(track, name, rest)


def _owner(recording: Recording, name: str) -> tuple[AnyTrack, list[str]]:
    """What a name begins with, and the rest. Names may have dots themselves: the longest one counts."""
    parts = name.split(".")
    # In scenes of bodies "crank.angle" is the body's, though the state has a coordinate of that name.
    found: list[tuple[AnyTrack, list[str]]] = []
    for kind, names in recording._kinds():
        for count in range(len(parts), 0, -1):
            owner = ".".join(parts[:count])
            if owner in names:
                found.append((kind(recording, owner, names.index(owner)), parts[count:]))
                break
    for track, rest in found:
        if not isinstance(track, BodyTrack) or rest[:1] == [] or rest[0] in _BODY_PARTS:
            return track, rest
    if not found:
        raise recording._no(parts[0])
    return found[0]


def _among(name: str, part: str, known: Sequence[str]) -> str:
    if part not in known:
        raise InputError(f"{name!r}: there is no {part!r}; there are {', '.join(known)}")
    return part


def _components(name: str, rest: list[str], axes: Sequence[str]) -> Iterator[int]:
    if len(rest) > 1:
        raise InputError(f"{name!r}: nothing is called {'.'.join(rest)!r} there; there are {', '.join(axes)}")
    if not rest:
        yield from range(len(axes))
    else:
        short = [axis.split()[0] if len(axis.split()) == 1 else axis.replace(" ", "_") for axis in axes]
        yield short.index(_among(name, rest[0], short))


def _of_body(track: BodyTrack, name: str, rest: list[str]) -> list[Curve]:
    part = _among(name, rest[0] if rest else "", _BODY_PARTS)
    planar = track._recording.model.dimension == 2
    series: Series = getattr(track, part)
    quantity = part.replace("_", " ")
    if part == "angle":
        if rest[1:]:
            raise InputError(f"{name!r}: an angle has no parts")
        return [Curve(f"{track.name}.angle", quantity, series, None)]
    axes = _AXES[series.shape[1]]
    asked = list(_components(name, rest[1:], axes))
    if planar and not rest[1:]:
        # Of vectors in the plane the third number says nothing; of turning it is the only one.
        asked = {"position": [0, 1], "velocity": [0, 1], "angular_velocity": [2]}.get(part, asked)
    return [Curve(f"{track.name}.{part}.{axes[k]}", quantity, series, k) for k in asked]


def _of_joint(track: JointTrack, name: str, rest: list[str]) -> list[Curve]:
    names = track.names
    if not names:
        raise InputError(f"{name!r}: this joint has no coordinate")
    return [
        Curve(
            f"{track.name}.{names[k]}",
            "angle" if names[k].startswith("angle") else "displacement",
            track.coordinates,
            k,
        )
        for k in _components(name, rest, names)
    ]


def _of_contact(track: ContactTrack, name: str, rest: list[str]) -> list[Curve]:
    part = _among(name, rest[0] if rest else "", ("gap", "impulse"))
    if part == "gap":
        return [Curve(f"{track.name}.gap", "gap of a contact", track.gap, None)]
    asked = list(_components(name, rest[1:], _CONTACT_AXES))
    if not rest[1:]:
        used = np.abs(track.impulse.values).max(axis=0, initial=0) > 0
        asked = [k for k in asked if k == 0 or used[k]]
    return [Curve(f"{track.name}.impulse, {_CONTACT_AXES[k]}", "impulse of a contact", track.impulse, k) for k in asked]


def _of_coordinate(track: CoordinateTrack, name: str, rest: list[str]) -> list[Curve]:
    part = _among(name, rest[0] if rest else "q", ("q", "u"))
    if len(rest) > 1:
        raise InputError(f"{name!r}: a coordinate has q and u, and no parts of them")
    quantity = "coordinate" if part == "q" else "velocity of a coordinate"
    return [Curve(f"{track.name}.{part}", quantity, getattr(track, part), None)]


def _label(quantity: str) -> str:
    unit = UNITS.get(quantity, "")
    return f"{quantity} [{unit}]" if unit else quantity


# ---- Axes ----


def new_axes(rows: int = 1, size: tuple[float, float] = (7.0, 3.6), **options: Any) -> list[Axes]:
    """Panels below each other in a new figure, in the style of all pictures here."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError('pictures need matplotlib: pip install "stickslip[plots]"') from None
    height = size[1] if rows == 1 else 0.4 + 2.4 * rows
    _, panels = pyplot.subplots(
        rows, 1, figsize=(size[0], height), squeeze=False, sharex=rows > 1, layout="constrained", **options
    )
    axes: list[Axes] = list(panels[:, 0])
    for ax in axes:
        style(ax)
    return axes


def style(ax: Axes) -> None:
    """Quiet frame and grid."""
    ax.grid(True, color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(_FRAME)
    ax.tick_params(color=_FRAME)


# Letters that fit above axes of usual width, a line and its gaps taken as six.
_LEGEND_WIDTH = 60


def _legend(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    if len(handles) < 2:
        return
    # Never over the curves: above them, or beside them if there are many.
    if len(handles) > 4:
        ax.legend(handles, labels, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    else:
        ax.legend(
            handles,
            labels,
            frameon=False,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=max(1, min(len(handles), _LEGEND_WIDTH // (max(map(len, labels)) + 6))),
            borderaxespad=0.2,
        )


def _frames_of(frames: object) -> slice:
    if not isinstance(frames, slice):
        raise InputError(f"frames: expected a slice, as slice(0, 100), got {frames!r}")
    return frames


# ---- Over time ----


def plot(recording: Recording, names: Sequence[str], ax: Axes | None, frames: slice) -> list[Axes]:
    """See `Recording.plot`."""
    frames = _frames_of(frames)
    if not names:
        raise InputError("plot: names of what to draw are needed, as 'ball.position.z'")
    curves = [curve for name in names for curve in curves_of(recording, name)]
    quantities = list(dict.fromkeys(curve.quantity for curve in curves))
    axes = [ax] * len(quantities) if ax is not None else new_axes(len(quantities))
    t = recording.time[frames]
    uncertified = ~recording.certified[frames]
    drawn = 0
    for panel, quantity in zip(axes, quantities):
        mine = [curve for curve in curves if curve.quantity == quantity]
        for curve in mine:
            values = curve.values(frames)
            colour = COLOURS[drawn % len(COLOURS)]
            panel.plot(t, values, color=colour, linewidth=1.5, label=curve.name, **_points(t, values))
            _mark(panel, t, values, uncertified)
            drawn += 1
        if ax is None:
            panel.set_ylabel(_label(mine[0].name if len(mine) == 1 and quantity not in UNITS else quantity))
            if len(mine) == 1 and quantity in UNITS:
                panel.set_ylabel(f"{mine[0].name} [{UNITS[quantity]}]" if UNITS[quantity] else mine[0].name)
            drawn = 0
    panels = axes if ax is None else [ax]
    panels[-1].set_xlabel(_label("time"))
    if ax is not None:
        ax.set_ylabel(", ".join(map(_label, quantities)))
    for panel in panels:
        _once(panel)
        _legend(panel)
    return panels


def _points(t: NDArray[np.float64], values: NDArray[np.float64]) -> dict[str, Any]:
    # Frames between frames that have no number would be lines of no length.
    known = np.isfinite(values)
    lonely = known & ~np.roll(known, 1) & ~np.roll(known, -1)
    return {"marker": ".", "markersize": 3} if lonely.any() or len(t) == 1 else {}


def _mark(ax: Axes, x: NDArray[np.float64], y: NDArray[np.float64], uncertified: NDArray[np.bool_]) -> None:
    """Crosses at frames of steps without a certificate."""
    where = np.flatnonzero(uncertified)
    if not len(where):
        return
    where = where[:: max(1, len(where) // _MOST_MARKS)]
    ax.plot(
        x[where],
        y[where],
        linestyle="none",
        marker="x",
        markersize=6,
        markeredgewidth=1.6,
        color=_UNCERTIFIED,
        label="not certified",
        zorder=4,
    )


def _once(ax: Axes) -> None:
    """One entry of the legend for all marks."""
    seen = False
    for line in ax.get_lines():
        if line.get_label() == "not certified":
            if seen:
                line.set_label("_")
            seen = True


def plot_energy(recording: Recording, ax: Axes | None, frames: slice) -> Axes:
    """See `Recording.plot_energy`."""
    panel = plot(recording, ["energy"], ax, frames)[0]
    panel.set_ylabel(_label("energy"))
    return panel


# ---- Phase portraits ----


def plot_phase(recording: Recording, name: str, ax: Axes | None, frames: slice) -> Axes:
    """See `Recording.plot_phase`."""
    frames = _frames_of(frames)
    position, velocity = _pair(recording, name)
    x, y = position.values(frames), velocity.values(frames)
    panel = ax if ax is not None else new_axes(size=(5.2, 4.2))[0]
    line = panel.plot(x, y, color=COLOURS[0], linewidth=1.1, label=position.name)[0]
    if len(x):
        panel.plot(x[:1], y[:1], "o", color=line.get_color(), markerfacecolor="white", markersize=6, label="start")
        panel.plot(x[-1:], y[-1:], "o", color=line.get_color(), markersize=6, label="end")
    _mark(panel, x, y, ~recording.certified[frames])
    panel.set_xlabel(_named(position))
    panel.set_ylabel(_named(velocity))
    _legend(panel)
    return panel


def _named(curve: Curve) -> str:
    unit = UNITS.get(curve.quantity, "")
    return f"{curve.name} [{unit}]" if unit else curve.name


def _pair(recording: Recording, name: str) -> tuple[Curve, Curve]:
    curves = curves_of(recording, name)
    if len(curves) != 1:
        raise InputError(f"{name!r}: a phase portrait is of one number; add .x, .y or .z")
    position = curves[0]
    of_velocity = re.sub(r"\.q$", ".u", position.name) if position.quantity == "coordinate" else ""
    if position.quantity == "position":
        of_velocity = re.sub(r"\.position\.(.)$", r".velocity.\1", position.name)
    elif position.quantity == "angle" and position.series.label.endswith(".angle") and position.column is None:
        of_velocity = re.sub(r"\.angle$", ".angular_velocity.z", position.name)
    if not of_velocity:
        raise InputError(
            f"{name!r}: a phase portrait is of a coordinate, as 'phi_M', of a body's 'position.x' or of its 'angle'"
        )
    return position, curves_of(recording, of_velocity)[0]


# ---- Orders of convergence ----


def plot_convergence(result: Convergence, ax: Axes | None) -> Axes:
    """See `Convergence.plot`."""
    panel = ax if ax is not None else new_axes(size=(6.4, 4.4))[0]
    finite: list[float] = []
    for k, study in enumerate(result.studies):
        h = study.column("h")
        for what, dash, mark, rate in (
            ("velocity", "-", "o", study.velocity_rate),
            ("position", "--", "s", study.position_rate),
        ):
            errors = study.column(f"{what}_error")
            errors = np.where(errors > 0, errors, np.nan)
            finite += errors[np.isfinite(errors)].tolist()
            order = "no error" if np.isnan(rate) else f"order {rate:.2f}"
            panel.plot(
                h,
                errors,
                linestyle=dash,
                marker=mark,
                # Curves that lie on each other show all the same: those below are wider.
                markersize=5 + 2.5 * (len(result.studies) - 1 - k),
                linewidth=1.4 + 1.6 * (len(result.studies) - 1 - k),
                color=COLOURS[k % len(COLOURS)],
                label=f"{study.method}: {what} error, {order}",
            )
    panel.set_xscale("log")
    panel.set_yscale("log")
    if finite:
        _slopes(panel, result, finite)
    panel.set_xlabel(f"step h [{UNITS['time']}]" if UNITS["time"] else "step h")
    panel.set_ylabel("error against the finest run")
    panel.set_title(result.scene, loc="left", fontsize="medium")
    steps = sorted({row.h for study in result.studies for row in study.rows})
    if len(steps) <= 8:
        panel.set_xticks(steps, [f"{h:g}" for h in steps])
        panel.minorticks_off()
    panel.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return panel


def _slopes(ax: Axes, result: Convergence, errors: list[float]) -> None:
    """Lines of slope 1 and 2 from below the smallest error at the largest step."""
    steps = np.array(sorted({row.h for study in result.studies for row in study.rows}))
    for order, style_of in ((1, ":"), (2, "-.")):
        anchor = float(np.exp(np.mean(np.log(errors))))
        middle = float(np.sqrt(steps[0] * steps[-1]))
        ax.plot(
            steps,
            anchor * (steps / middle) ** order,
            linestyle=style_of,
            linewidth=1.0,
            color=_FRAME,
            label=f"slope {order}",
            zorder=1,
        )
