"""Reads recordings: those of `stickslip run --out` and of `stickslip.record`, also while they are written.

    recording = ss.open("out/ball")
    recording["ball"].position[:, 2]
    recording.plot("ball.position.z")

Nothing but the scene and the names is read before it is asked for. docs/recording-format.md is the format.
"""

from __future__ import annotations

import builtins
import difflib
import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.hdf5 import import_h5py, open_to_read, reading
from stickslip.series import Series, frame_of
from stickslip.tracks import AnyTrack, BodyTrack, ContactTrack, CoordinateTrack, EnergyTrack, JointTrack

if TYPE_CHECKING:
    from types import TracebackType

    import pandas
    import xarray
    from matplotlib.axes import Axes

    from stickslip.scene import Scene

__all__ = ["RECORDED_CONTACT", "Recording", "Stage", "open"]

Array = NDArray[Any]
Track = TypeVar("Track", bound=AnyTrack)

#: The fields of `Recording.contacts`: those of `Simulation.contacts` that are recorded, and the moments.
RECORDED_CONTACT = np.dtype(
    [
        ("id", np.uint64),  # stays while the same two places touch; from 2**63 on of joints and elements
        ("body_a", np.int32),  # places in Recording.body_names; -1: none
        ("body_b", np.int32),
        ("gap", float),  # where the scheme took the geometry [length]; < 0: overlap
        ("p", float, 3),  # impulse of the step along the normal and the tangents [force x time]
        ("moment", float, 3),  # of torsion about the normal, of rolling about the tangents [times length]
        ("point", float, 3),  # halfway between the two sides, in single precision; 0 where not recorded
        ("normal", float, 3),  # unit, from a to b, likewise
    ]
)


class Stage(NamedTuple):
    """What one stage of the solver did in a step."""

    name: str
    solved: int  #: islands that it solved
    tried: int  #: islands on which it was tried
    iterations: int


def open(path: str | os.PathLike[str]) -> Recording:
    """Opens a recording: its folder or its file. The run may still go on (`Recording.refresh`).

    Raises:
        InputError: there is none, or the file is damaged or something else.
    """
    return Recording(path)


class Recording:
    """The frames of a run. Made by `stickslip.open`; at the end of a `with` it is closed.

    `recording["ball"]` is a body, a joint, a coordinate or a contact by name; `len(recording)` the number
    of frames. It may be used from several threads, and pickled: it is opened anew then.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._lock = threading.RLock()
        self._path = _file_of(path)
        self._file: Any = None
        self._file, self._complete = _opened(self._path)
        self._model: _engine.Model | None = None
        self._checked = False
        self._ends: Array | None = None
        self._stage_ends: Array | None = None
        self._frames = 0
        try:
            with reading(self._path):
                self._text = self._strings("scene")[0]
                self._names = {kind: self._strings(f"names/{kind}") for kind in ("positions", "velocities", "contacts")}
                self.refresh()
                for name, names in (("q", "positions"), ("u", "velocities")):
                    if self._frames and self._file[name].shape[1] != max(1, len(self._names[names])):
                        raise ValueError(f"{name} has {self._file[name].shape[1]} columns")
        except BaseException:
            self.close()
            raise

    # ---- The file ----

    @property
    def path(self) -> Path:
        """The file, as an absolute path."""
        return self._path

    @property
    def complete(self) -> bool:
        """False of a run that still went on when the recording was opened, or was killed."""
        return self._complete

    @property
    def closed(self) -> bool:
        """True after `close`."""
        return self._file is None

    def close(self) -> None:
        """Closes the file. What has been read stays; asking for more is an InputError."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def refresh(self) -> int:
        """Looks for frames that were written since: `len(recording)` from now on, which is returned."""
        with self._lock, reading(self._path):
            tables = [self._dataset(name) for name in ("time", "step", "q", "u", "contacts/count")]
            if not self._complete:
                for table in tables:
                    table.refresh()
            kinds = ("", "", "positions", "velocities", "")
            self._frames = min(len(table) for table, kind in zip(tables, kinds) if self._is_used(kind))
            self._ends = self._stage_ends = None
        return self._frames

    def _is_used(self, kind: str) -> bool:
        # Tables without columns have no rows.
        return not kind or len(self._names[kind]) > 0

    def _dataset(self, name: str) -> Any:
        if self._file is None:
            raise InputError(f"{self._path}: this recording is closed; stickslip.open it again")
        return self._file[name]

    def _has(self, name: str) -> bool:
        with self._lock:
            if self._file is None:
                self._dataset(name)
            return name in self._file

    def _strings(self, name: str) -> list[str]:
        values = self._dataset(name)[...]
        if values.dtype.kind != "S":
            raise ValueError(f"{name} does not hold texts")
        return [value.decode() for value in values.reshape(-1)]

    def _table(self, name: str, first: int, last: int, step: int = 1) -> Array:
        """Rows [first, last) of a dataset."""
        with self._lock, reading(self._path):
            table = self._dataset(name)
            if not self._complete:
                table.refresh()
            if len(table) < last:
                raise ValueError(f"damaged: {name} has {len(table)} rows of {last}")
            rows: Array = table[first:last:step]
        return rows

    def _rows(self, name: str, frames: range) -> Array:
        """What a dataset has for some frames: (frames, columns), or (frames,) of time and step."""
        if name in ("q", "u") and not self._is_used("positions" if name == "q" else "velocities"):
            return np.empty((len(frames), 0))
        rows = self._table(name, frames.start, max(frames.start, frames[-1] + 1 if frames else 0), frames.step)
        return rows[:, 0] if name in ("time", "step") else rows

    # ---- Frames ----

    def __len__(self) -> int:
        return self._frames

    def _series(self, name: str, row: tuple[int, ...] = (), dtype: Any = np.float64) -> Series:
        def read(frames: range) -> Array:
            rows = self._rows(name, frames)
            return rows.reshape(len(rows), *row).astype(dtype, copy=False)

        return Series(read, lambda: self._frames, row, dtype, name)

    def _column(self, name: str, column: int, label: str) -> Series:
        return Series(lambda frames: self._rows(name, frames)[:, column], lambda: self._frames, label=label)

    @property
    def time(self) -> Series:
        """(frames,) [s]"""
        return self._series("time")

    @property
    def step(self) -> Series:
        """The number of the step that led to each frame, (frames,); 0: the start."""
        return self._series("step", dtype=np.int64)

    @property
    def q(self) -> Series:
        """Positions as the system has them, (frames, positions): `position_names`."""
        return self._series("q", (len(self._names["positions"]),))

    @property
    def u(self) -> Series:
        """Velocities as the system has them, (frames, velocities): `velocity_names`."""
        return self._series("u", (len(self._names["velocities"]),))

    @property
    def joint_impulse(self) -> Series:
        """Impulses of the rows of joints in the recorded step, (frames, rows) [force x time]."""
        with self._lock, reading(self._path):
            table = self._dataset("joints/impulse")
            rows = int(table.shape[1]) if len(table) else 0
        if rows == 0:
            return Series(lambda frames: np.empty((len(frames), 0)), lambda: self._frames, (0,), label="joint_impulse")
        return self._series("joints/impulse", (rows,))

    @property
    def contact_count(self) -> Series:
        """Contacts in the recorded step, (frames,)."""
        return self._series("contacts/count", dtype=np.int32)

    @property
    def certificate(self) -> Mapping[str, Series]:
        """The certificate of the recorded steps: columns (frames,) by name, as `certificate["residual"]`."""
        return _Certificate(self)

    @property
    def certified(self) -> Series:
        """Which frames come from a step with a certificate, (frames,) of bool."""
        return self._series("certificate/certified", dtype=bool)

    def frame_at(self, time: float) -> int:
        """The last frame that is not after a time [s]; the first one if all are."""
        return max(0, int(np.searchsorted(self.time.values, time, side="right")) - 1)

    # ---- Contacts and stages of one frame ----

    def contacts(self, frame: int) -> NDArray[np.void]:
        """The contacts of the step that led to a frame, an array of RECORDED_CONTACT.

        Limits, motors and force elements are among them; they have no place.
        """
        number = frame_of(frame, self._frames)
        first, last = self._contact_rows(range(number, number + 1))
        out = np.zeros(last - first, dtype=RECORDED_CONTACT)
        if not len(out):
            return out
        out["id"] = self._table("contacts/id", first, last)[:, 0]
        out["gap"] = self._table("contacts/gap", first, last)[:, 0]
        out["p"] = self._table("contacts/impulse", first, last)
        for name in ("moment", "point", "normal"):
            if self._has(f"contacts/{name}"):
                out[name] = self._table(f"contacts/{name}", first, last)
        out["body_a"] = out["body_b"] = -1
        if self._is_of_bodies():
            bodies = self._current_model().contact_bodies(np.ascontiguousarray(out["id"]))
            out["body_a"], out["body_b"] = bodies[:, 0], bodies[:, 1]
        return out

    def _contact_ends(self) -> Array:
        """Where the rows of the contacts of each frame end."""
        with self._lock:
            if self._ends is None:
                self._ends = self._ends_of("contacts/count")
            return self._ends

    def _ends_of(self, name: str) -> Array:
        counts = self._table(name, 0, self._frames)[:, 0].astype(np.int64)
        if (counts < 0).any():
            raise InputError(f"{self._path}: not a readable recording: damaged: a negative number in {name}")
        return np.cumsum(counts)

    def _contact_rows(self, frames: range) -> tuple[int, int]:
        return _between(self._contact_ends(), frames)

    def stages(self, frame: int) -> list[Stage]:
        """What the stages of the solver did in the step that led to a frame."""
        number = frame_of(frame, self._frames)
        if not self._has("stages/count"):
            return []
        with self._lock:
            if self._stage_ends is None:
                self._stage_ends = self._ends_of("stages/count")
            first, last = _between(self._stage_ends, range(number, number + 1))
        if first == last:
            return []
        columns = [self._table(f"stages/{name}", first, last)[:, 0].tolist() for name in Stage._fields[1:]]
        with self._lock, reading(self._path):
            if not self._complete:
                self._dataset("stages/names").refresh()
            names = self._strings("stages/names")
            which = self._table("stages/stage", first, last)[:, 0]
            if which.min() < 0 or which.max() >= len(names):
                raise ValueError("damaged: a stage without a name")
        return [Stage(names[k], *of) for k, *of in zip(which, *columns)]

    # ---- Names ----

    @property
    def position_names(self) -> list[str]:
        """Of the columns of `q`."""
        return list(self._names["positions"])

    @property
    def velocity_names(self) -> list[str]:
        """Of the columns of `u`."""
        return list(self._names["velocities"])

    @property
    def contact_names(self) -> list[str]:
        """Of contacts with a fixed place; in scenes of bodies there are none."""
        return list(self._names["contacts"])

    @property
    def body_names(self) -> list[str]:
        """Of the scene's bodies, in the order of the scene."""
        return list(self.model.body_names) if self._is_of_bodies() else []

    @property
    def joint_names(self) -> list[str]:
        """Of the scene's joints, in the order of the scene."""
        return list(self.model.joint_names) if self._is_of_bodies() else []

    def _kinds(self) -> Iterator[tuple[type[Any], list[str]]]:
        yield BodyTrack, self.body_names
        yield JointTrack, self.joint_names
        yield CoordinateTrack, self._names["positions"]
        yield ContactTrack, self._names["contacts"]

    @property
    def bodies(self) -> Mapping[str, BodyTrack]:
        """The bodies by name: `recording.bodies["ball"].position`."""
        return _Tracks(self, BodyTrack, self.body_names)

    @property
    def joints(self) -> Mapping[str, JointTrack]:
        """The joints by name: `recording.joints["hinge"].coordinate`."""
        return _Tracks(self, JointTrack, self.joint_names)

    @property
    def coordinates(self) -> Mapping[str, CoordinateTrack]:
        """Coordinates of the state by name: `recording.coordinates["phi_M"].q`."""
        return _Tracks(self, CoordinateTrack, self._names["positions"])

    def __getitem__(self, name: str) -> Any:
        """What has this name: a `BodyTrack`, `JointTrack`, `CoordinateTrack` or `ContactTrack`, the first there is."""
        for kind, names in self._kinds():
            if name in names:
                return kind(self, name, names.index(name))
        raise self._no(name)

    def __contains__(self, name: object) -> bool:
        return any(name in names for _, names in self._kinds())

    def __iter__(self) -> Iterator[str]:
        raise TypeError("a Recording is no sequence; names of what it has are in body_names, position_names, ...")

    def _no(self, name: object, known: list[str] | None = None) -> InputError:
        if known is None:
            known = [known for _, names in self._kinds() for known in names]
        near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
        listed = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
        hint = f"is it {' or '.join(map(repr, near))}?" if near else f"there are {listed or 'no names'}"
        return InputError(f"{self._path}: there is no {name!r}; {hint}")

    # ---- The scene ----

    @property
    def name(self) -> str:
        """The scene's name."""
        return str(self._scene_field("name"))

    @property
    def model(self) -> _engine.Model:
        """The scene as the engine has read it."""
        with self._lock:
            if self._model is None:
                if self._system_type() == "python":
                    raise InputError(f"{self._path}: is of a System in Python, which has no scene")
                self._model = _engine.Model(self._text, str(self._path), [], "")
            return self._model

    @property
    def scene(self) -> Scene:
        """The scene that was run: `recording.scene.simulation()` repeats it."""
        from stickslip.scene import Scene

        return Scene.parse(self.model.text, source=str(self._path))

    def _scene_field(self, name: str) -> Any:
        import json

        with reading(self._path):
            scene = json.loads(self._text)
            return scene.get(name, "") if isinstance(scene, dict) else ""

    def _system_type(self) -> str:
        system = self._scene_field("system")
        return str(system.get("type", "")) if isinstance(system, dict) else ""

    def _is_of_bodies(self) -> bool:
        return self._system_type() in ("planar", "spatial")

    def _current_model(self) -> _engine.Model:
        """The model, if velocities mean the same as when they were recorded."""
        model = self.model
        if not self._checked:
            if list(model.velocity_names) != self._names["velocities"]:
                raise InputError(
                    f"{self._path}: was recorded by another version of stickslip, with other velocities; "
                    f"run its scene again with `stickslip run {self._path.parent}`"
                )
            self._checked = True
        return model

    @property
    def energy(self) -> EnergyTrack:
        """Kinetic, potential and total energy of the frames."""
        return EnergyTrack(self, "energy", 0)

    # ---- Tables and pictures ----

    def to_pandas(self, frames: slice = slice(None)) -> pandas.DataFrame:
        """A table with a row for each frame: the columns of `stickslip export --csv`, times as its index."""
        from stickslip.tables import to_pandas

        return to_pandas(self, frames)

    def to_xarray(self, frames: slice = slice(None)) -> xarray.Dataset:
        """A Dataset over `time`: bodies, joints, coordinates and the certificate, with names as coordinates."""
        from stickslip.tables import to_xarray

        return to_xarray(self, frames)

    def plot(self, *names: str, ax: Axes | None = None, frames: slice = slice(None)) -> list[Axes]:
        """Draws what is named over time; frames without a certificate are marked.

        Args:
            names: `"ball.position.z"`, `"ball.velocity"` (all axes), `"hinge"`, `"phi_M.q"`, `"beak.impulse"`,
                `"energy"`, `"energy.kinetic"`, `"certificate.residual"`, `"contact_count"`.
            ax: Where to; otherwise a new figure with a panel for each kind of quantity.
            frames: Which ones, as `slice(0, 100)`.

        Returns:
            The panels.
        """
        from stickslip.plots import plot

        return plot(self, names, ax, frames)

    def plot_phase(self, name: str, *, ax: Axes | None = None, frames: slice = slice(None)) -> Axes:
        """Draws velocity over position of a coordinate, or of `"ball.position.x"` or `"ball.angle"`."""
        from stickslip.plots import plot_phase

        return plot_phase(self, name, ax, frames)

    def plot_energy(self, *, ax: Axes | None = None, frames: slice = slice(None)) -> Axes:
        """Draws kinetic, potential and total energy over time."""
        from stickslip.plots import plot_energy

        return plot_energy(self, ax, frames)

    def draw(self, frame: int = -1, *, ax: Axes | None = None, contacts: bool = False) -> Axes:
        """Draws the bodies of a frame: planar scenes as they are, spatial ones from the side (x to the right, z up).

        Args:
            frame: Which one; negative ones count from the end.
            ax: Where to; otherwise a new figure.
            contacts: True draws the contacts that carry load, with their normal impulses as arrows.
        """
        from stickslip.pictures import draw

        return draw(self, frame, ax, contacts)

    # ---- The object ----

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Recording, (str(self._path),)

    def __repr__(self) -> str:
        state = ", closed" if self.closed else "" if self._complete else ", not complete"
        return f"<Recording of {self.name!r}: {self._frames} frames{state}>"


class _Tracks(Mapping[str, Track]):
    """All that are of one kind."""

    def __init__(self, recording: Recording, kind: Callable[[Recording, str, int], Track], names: list[str]) -> None:
        self._recording = recording
        self._kind = kind
        self._places = {name: place for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> Track:
        place = self._places.get(name) if isinstance(name, str) else None
        if place is None:
            raise self._recording._no(name, list(self._places))
        return self._kind(self._recording, name, place)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def names(self) -> list[str]:
        """In the order of the arrays."""
        return list(self._places)

    def __repr__(self) -> str:
        names = ", ".join(self.names[:8]) + (", ..." if len(self) > 8 else "")
        return f"<{len(self)} of {self._recording.name!r}{': ' if names else ''}{names}>"


class _Certificate(Mapping[str, Series]):
    """Columns of the certificate, as far as the recording has them."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def __getitem__(self, name: str) -> Series:
        if name not in list(self):
            near = difflib.get_close_matches(str(name), list(self), n=3)
            hint = f"is it {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(self)}"
            raise InputError(f"certificate: there is no {name!r}; {hint}")
        return self._recording._series(f"certificate/{name}")

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        return (name for name in _engine.certificate_columns() if self._recording._has(f"certificate/{name}"))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _between(ends: Array, frames: range) -> tuple[int, int]:
    if not frames:
        return 0, 0
    return int(ends[frames[0] - 1]) if frames[0] else 0, int(ends[frames[-1]])


# ---- Opening ----


def _file_of(path: str | os.PathLike[str]) -> Path:
    from stickslip.recorder import RECORDING_FILE

    try:
        name = os.fspath(path)
        if not isinstance(name, str):
            raise TypeError
        file = Path(name).absolute()
        return file / RECORDING_FILE if file.is_dir() else file
    except (TypeError, ValueError):
        raise InputError(f"open: expected the path of a recording, got {path!r}") from None


def _opened(path: Path) -> tuple[Any, bool]:
    """The file, and whether its writer has closed it."""
    from stickslip.recorder import is_recorded_here

    import_h5py()
    try:
        kind = path.stat().st_mode
    except OSError as error:
        reason = "no such recording" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path}: {reason}") from None
    if not stat.S_ISREG(kind):
        raise InputError(f"{path}: is no file; expected a recording, or the folder of one")
    with reading(path):
        with builtins.open(path, "rb") as file:
            if file.read(8) != b"\x89HDF\r\n\x1a\n":
                raise ValueError("not an HDF5 file")
        opened, is_closed = open_to_read(path)
        return opened, is_closed and not is_recorded_here(path)
