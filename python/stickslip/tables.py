"""Recordings as pandas and xarray have tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stickslip._engine import InputError

if TYPE_CHECKING:
    import pandas
    import xarray

    from stickslip.recording import Recording

__all__ = ["to_pandas", "to_xarray"]

_PLANAR = ("x", "y", "angle", "vx", "vy", "omega")
_SPATIAL = ("x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")


def _range_of(recording: Recording, frames: slice) -> range:
    if not isinstance(frames, slice):
        raise InputError(f"frames: expected a slice, got {frames!r}")
    asked = range(len(recording))[frames]
    if asked.step < 0:
        raise InputError("frames: expected a slice with a step > 0")
    return asked


def _states(recording: Recording, frames: range) -> tuple[NDArray[np.float64], ...]:
    return tuple(recording._rows(name, frames) for name in ("time", "q", "u"))


def to_pandas(recording: Recording, frames: slice) -> pandas.DataFrame:
    """See `Recording.to_pandas`."""
    try:
        import pandas
    except ImportError:
        raise ImportError('to_pandas needs pandas: pip install "stickslip[tables]"') from None
    t, q, u = _states(recording, _range_of(recording, frames))
    columns: dict[str, NDArray[np.float64]] = {}
    if not recording._is_of_bodies():
        columns |= {f"q.{name}": q[:, i] for i, name in enumerate(recording.position_names)}
        columns |= {f"u.{name}": u[:, i] for i, name in enumerate(recording.velocity_names)}
        return pandas.DataFrame(columns, index=pandas.Index(t, name="t"))
    model = recording._current_model()
    moving = [i for i, kind in enumerate(model.body_types) if kind != "static"]
    of = model.body_states(t, q, u, moving)
    planar = model.dimension == 2
    parts = (
        (of["position"][..., :2], of["angle"][..., None], of["velocity"][..., :2], of["angular_velocity"][..., 2:])
        if planar
        else (of["position"], of["orientation"], of["velocity"], of["angular_velocity"])
    )
    values = np.concatenate(parts, axis=2)
    for k, body in enumerate(moving):
        for j, name in enumerate(_PLANAR if planar else _SPATIAL):
            columns[f"{model.body_names[body]}.{name}"] = values[:, k, j]
    coordinates = model.joint_coordinates(t, q, u)
    for k, joint in enumerate(model.joint_names):
        for j, name in enumerate(model.joint_coordinate_names[k]):
            columns[f"{joint}.{name}"] = coordinates[:, k, j]
    return pandas.DataFrame(columns, index=pandas.Index(t, name="t"))


def to_xarray(recording: Recording, frames: slice) -> xarray.Dataset:
    """See `Recording.to_xarray`."""
    try:
        import xarray
    except ImportError:
        raise ImportError('to_xarray needs xarray: pip install "stickslip[tables]"') from None
    asked = _range_of(recording, frames)
    t, q, u = _states(recording, asked)
    data: dict[str, Any] = {}
    axes: dict[str, Any] = {"time": t, "step": ("time", recording._rows("step", asked))}
    if recording._is_of_bodies():
        model = recording._current_model()
        of = model.body_states(t, q, u)
        for name, axis in (
            ("position", "axis"),
            ("orientation", "quaternion"),
            ("angle", None),
            ("velocity", "axis"),
            ("angular_velocity", "axis"),
        ):
            if name != "angle" or model.dimension == 2:
                data[name] = (("time", "body", axis) if axis else ("time", "body"), of[name])
        axes |= {"body": model.body_names, "axis": ["x", "y", "z"], "quaternion": ["w", "x", "y", "z"]}
        if model.joint_names:
            data["joint_coordinate"] = (("time", "joint", "coordinate"), model.joint_coordinates(t, q, u))
            axes |= {"joint": model.joint_names, "coordinate": [0, 1]}
    else:
        data |= {"q": (("time", "position_name"), q), "u": (("time", "velocity_name"), u)}
        axes |= {"position_name": recording.position_names, "velocity_name": recording.velocity_names}
    key = slice(asked.start, asked.stop, asked.step)
    for name, column in recording.certificate.items():
        flag = name in ("certified", "impulses_unique")
        data[name] = ("time", column[key] != 0 if flag else column[key])
    data["contacts"] = ("time", recording.contact_count[key])
    return xarray.Dataset(data, coords=axes, attrs={"scene": recording.name, "source": recording.path.name})
