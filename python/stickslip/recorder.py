"""Records a simulation as `stickslip run --out` does: same file, same datasets, same order of writing.

    with ss.record(sim, "out/ball") as recorder:
        sim.run(until=2.0)

The frames are gathered by the engine after each step, without Python (python/engine/frame.cpp), and are
written after 1, 2, 4, ... and then every 4096 of them, in HDF5's single-writer mode: the file can be read
meanwhile, and what was written survives a kill.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.hdf5 import import_h5py

if TYPE_CHECKING:
    from types import TracebackType

    from stickslip.simulation import Simulation

__all__ = ["RECORDING_FILE", "Recorder", "record"]

#: The name of a recording in its folder.
RECORDING_FILE = "recording.h5"

# Of each dataset in the order in which the program makes them: type and width (a name: so many names).
_DATASETS: tuple[tuple[str, str, int | str], ...] = (
    ("step", "<i8", 1),
    ("q", "<f8", "positions"),
    ("u", "<f8", "velocities"),
    ("joints/impulse", "<f8", "joints"),
    ("contacts/count", "<i4", 1),
    ("contacts/id", "<u8", 1),
    ("contacts/gap", "<f8", 1),
    ("contacts/impulse", "<f8", 3),
    ("stages/names", "S32", 1),
    ("stages/stage", "<i4", 1),
    ("stages/solved", "<i8", 1),
    ("stages/tried", "<i8", 1),
    ("stages/iterations", "<i8", 1),
    ("stages/count", "<i4", 1),
    ("time", "<f8", 1),
    ("contacts/moment", "<f8", 3),
    ("contacts/point", "<f4", 3),
    ("contacts/normal", "<f4", 3),
    *((f"certificate/{name}", "<f8", 1) for name in _engine.certificate_columns()),
)
# What a frame refers to is written before what refers to it, and the time last: with it the frame counts.
_WRITTEN = (
    "contacts/moment",
    "contacts/point",
    "contacts/normal",
    "contacts/id",
    "contacts/gap",
    "contacts/impulse",
    "contacts/count",
    "step",
    "q",
    "u",
    "joints/impulse",
    *(f"certificate/{name}" for name in _engine.certificate_columns()),
    "stages/stage",
    "stages/solved",
    "stages/tried",
    "stages/iterations",
    "stages/count",
    "time",
)
# A chunk is compressed anew whenever rows are added to it: those of wide tables have fewer rows.
_MOST_ROWS_PER_CHUNK = 1024
_MOST_BYTES_PER_CHUNK = 1 << 16


def record(
    simulation: Simulation, folder: str | os.PathLike[str], *, every: int | None = None, replace: bool = False
) -> Recorder:
    """Records a simulation into a folder, from its present state on, until the recorder is closed.

    Frames are kept of the start, of steps whose number is a multiple of `every`, and of the state in
    which the recorder is closed. They are those of `sim.run()` and of `sim.step()` alike; a function
    `after` that changes the state does so when the frame is kept already.

    Args:
        simulation: What to record. It may have several recorders.
        folder: Is made if need be; nobody else may record there meanwhile. The file is `recording.h5`.
        every: One frame for so many steps; what the scene says (`recording.every`) if it is None.
        replace: True replaces a recording that is in the folder. Any other file of that name stays,
            and is an error.

    Raises:
        InputError: the folder cannot be written, or holds something that is in the way.
    """
    return Recorder(simulation, folder, every=every, replace=replace)


class Recorder:
    """Writes the frames of one simulation; made by `stickslip.record`. At the end of a `with` it is closed."""

    def __init__(
        self,
        simulation: Simulation,
        folder: str | os.PathLike[str],
        *,
        every: int | None = None,
        replace: bool = False,
    ) -> None:
        from stickslip.simulation import Simulation

        if not isinstance(simulation, Simulation):
            raise InputError(f"record: expected a Simulation, got {type(simulation).__name__}")
        text, of_scene = _scene_text(simulation)
        number = of_scene if every is None else every
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise InputError(f"every: expected a whole number >= 1, got {every!r}")
        self._simulation = weakref.ref(simulation)
        self._writer = _Writer(simulation, Path(folder), text, int(number), replace)
        # The simulation has its recorder, not the other way round: who drops both has closed the file.
        self._close_file = weakref.finalize(self, self._writer.close)
        self._writer.watcher.append(simulation)
        self._writer.watcher.watch(simulation)
        vars(simulation).setdefault("_recorders", []).append(self)
        self._writer.write()

    @property
    def path(self) -> Path:
        """The recording's file."""
        return self._writer.path

    @property
    def closed(self) -> bool:
        """True if nothing is recorded any more."""
        return self._writer.closed

    def append(self) -> None:
        """Keeps the present state as a frame, whatever the number of the step; once, if asked again."""
        simulation = self._expect_open()
        if self._writer.watcher.append(simulation):
            self._writer.write()

    def flush(self) -> None:
        """Writes what has been gathered: readers see it from now on. From any thread."""
        self._expect_open()
        self._writer.write()

    def close(self) -> None:
        """Keeps the present state as the last frame and closes the file. Once more does nothing."""
        if self.closed:
            return
        try:
            simulation = self._simulation()
            if simulation is not None:
                self._writer.watcher.append(simulation)
                self._writer.watcher.unwatch(simulation)
                vars(simulation)["_recorders"].remove(self)
        finally:
            self._close_file()

    def _expect_open(self) -> Simulation:
        simulation = self._simulation()
        if self.closed or simulation is None:
            raise InputError(f"{self.path}: this recorder is closed")
        return simulation

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Recorder cannot be copied or pickled: it holds its file; copy the simulation")

    def __repr__(self) -> str:
        return f"<Recorder of {str(self.path)!r}{', closed' if self.closed else ''}>"


# ---- What is recorded ----


def _scene_text(simulation: Simulation) -> tuple[str, int]:
    """The text that repeats the run, and how many steps there are for a frame."""
    source = simulation._source
    model = getattr(source, "model", None)
    if isinstance(model, _engine.Model):
        return model.text, model.record_every
    # A System in Python has no scene: what is recorded can be read, and not repeated.
    return json.dumps({"stickslip": 1, "name": str(source.title), "system": {"type": "python"}}), 1


# ---- The file ----

# In one process HDF5 does not tell readers that somebody writes.
_OPEN: weakref.WeakSet[_Writer] = weakref.WeakSet()


def is_recorded_here(path: Path) -> bool:
    """True if a recorder of this process writes to this file."""
    for writer in list(_OPEN):
        with contextlib.suppress(OSError):
            if not writer.closed and writer.path.samefile(path):
                return True
    return False


class _Writer:
    """The file, its datasets, and the frames that wait for being written."""

    def __init__(self, simulation: Simulation, folder: Path, text: str, every: int, replace: bool) -> None:
        h5py = import_h5py()
        self.path = folder / RECORDING_FILE
        self.closed = False
        self._failure = ""
        self._lock = threading.RLock()
        self._stages = 0
        self._tables: dict[str, Any] = {}
        self._rows: dict[str, int] = {}
        of_this = weakref.WeakMethod(self.write)
        self.watcher = _engine.FrameWatcher(simulation, every, _call(of_this))
        first = self.watcher.take()
        with contextlib.ExitStack() as undo:
            self._folder = undo.enter_context(_held(folder))
            _expect_room(self.path, replace)
            draft = undo.enter_context(_draft(self.path))
            # The oldest format that has the single-writer mode: programs with an older HDF5 read it, too.
            self._file = h5py.File(draft, "w", libver=("v110", "v110"))
            undo.callback(self._file.close)
            self._make_datasets(simulation, text, first)
            self._file.swmr_mode = True
            _expect_room(self.path, replace)
            os.replace(draft, self.path)
            self._undo = undo.pop_all()
        _OPEN.add(self)

    def _make_datasets(self, simulation: Simulation, text: str, first: dict[str, Any]) -> None:
        positions, velocities, contacts = _engine.recorded_names(simulation)
        widths = {
            "positions": len(positions),
            "velocities": len(velocities),
            "joints": first["joints/impulse"].shape[1],
        }
        for name, kind, width in _DATASETS:
            if name not in first and name != "stages/names":
                continue
            self._rows[name] = 0
            self._make_table(name, kind, widths[width] if isinstance(width, str) else width)
        self._names_kind = self._tables["stages/names"].dtype
        self._make_names("scene", [text])
        self._make_names("names/positions", positions)
        self._make_names("names/velocities", velocities)
        self._make_names("names/contacts", contacts)

    def _make_table(self, name: str, kind: str, width: int) -> None:
        # A table without columns is an empty one of one column: chunks must hold something.
        columns = max(width, 1)
        kind_of = import_h5py().string_dtype("utf-8", int(kind[1:])) if kind[0] == "S" else np.dtype(kind)
        rows = min(max(_MOST_BYTES_PER_CHUNK // (kind_of.itemsize * columns), 1), _MOST_ROWS_PER_CHUNK)
        self._tables[name] = self._file.create_dataset(
            name,
            shape=(0, columns),
            maxshape=(None, columns),
            dtype=kind_of,
            chunks=(rows, columns),
            shuffle=True,
            compression="gzip",
            compression_opts=1,
        )

    def _make_names(self, name: str, names: list[str]) -> None:
        packed = [text.encode() for text in names]
        longest = max([1, *map(len, packed)])
        kind = import_h5py().string_dtype("utf-8", longest)
        self._file.create_dataset(name, data=np.array(packed, dtype=kind))

    def write(self) -> None:
        """Writes the frames that wait."""
        with self._lock:
            if self.closed:
                return
            frames = self.watcher.take()
            # After a failure tables have different lengths: another attempt would mix up the rows.
            if self._failure:
                raise OSError(self._failure)
            try:
                names = self.watcher.stage_names[self._stages :]
                packed = np.array([name.encode() for name in names], dtype=self._names_kind)
                self._append("stages/names", packed.reshape(-1, 1))
                self._stages += len(names)
                for name in _WRITTEN:
                    if name in frames:
                        self._append(name, frames[name])
            except (OSError, RuntimeError, ValueError, KeyError) as error:
                self._failure = (
                    f"{self.path}: cannot write to the recording; is the disk full? What was written before "
                    f"may still be readable ({error})"
                )
                raise OSError(self._failure) from error

    def _append(self, name: str, rows: np.ndarray[Any, Any]) -> None:
        if not rows.size:
            return
        table = self._tables[name]
        start = self._rows[name]
        table.resize(start + len(rows), axis=0)
        table[start:] = rows
        table.flush()
        self._rows[name] = start + len(rows)

    def close(self) -> None:
        with self._lock:
            if self.closed:
                return
            try:
                if not self._failure:
                    self.write()
            finally:
                self.closed = True
                self._tables.clear()
                self._undo.close()


def _call(method: weakref.WeakMethod[Callable[[], None]]) -> Callable[[], None]:
    def call() -> None:
        alive = method()
        if alive is not None:
            alive()

    return call


# ---- The folder ----


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """The folder, made if need be, which no other run of ours writes to; also not one of the program."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError as error:
        raise InputError(f"record {folder}: not a folder that can be written ({error.strerror})") from None
    try:
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"record {folder}: another run is writing there; wait for its end, or choose another folder"
                ) from None
            except OSError:
                pass  # cannot be locked there, as on some network file systems: drafts do not mix either
        yield
    finally:
        os.close(descriptor)


def _expect_room(file: Path, replace: bool) -> None:
    """Raises InputError if there is what must stay."""
    try:
        status = file.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{file}: cannot be written ({error.strerror})") from None
    if not stat.S_ISREG(status.st_mode):
        raise InputError(
            f"{file}: is no regular file; only those are written, so move it away, or write elsewhere"
        )
    from stickslip.recording import Recording

    try:
        with Recording(file) as recording:
            frames = len(recording)
    except InputError:
        raise InputError(
            f"{file}: is there, and is not a recording that stickslip wrote, so it is not replaced; move it "
            "away, or write elsewhere"
        ) from None
    if not replace:
        raise InputError(
            f"record {file.parent}: holds a recording already, of {frames} frames; replace=True replaces it, "
            "or choose another folder"
        )


@contextlib.contextmanager
def _draft(file: Path) -> Iterator[Path]:
    """A file of a name that nobody else has, until it gets its own."""
    number = 0
    while True:
        draft = file.with_name(f"{file.name}.{os.getpid()}-{number}.part")
        try:
            os.close(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666))
            break
        except FileExistsError:
            number += 1
        except OSError as error:
            raise InputError(f"{file}: cannot be written ({error.strerror})") from None
    try:
        yield draft
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
