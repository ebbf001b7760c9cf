"""Contact problems as HDF5 files: FCLIB's local and global form, and the project's own (docs/problem-format.md).

    problem = read_problem("scenes/problems/box-stack.hdf5")
    solution = solve_contact_problem(problem, fclib=True)
    write_problem("solved.hdf5", problem, solution, format="fclib")

The same files as those of the program: what one writes the other reads, and a problem that is read, written and
read again has the same bits.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, Union

import numpy as np
from numpy.typing import NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.hdf5 import import_h5py
from stickslip.impulse_sets import COMPONENTS, KINDS, TANGENTS
from stickslip.matrices import (SparseRows, asymmetry, block_sizes, blocks_of, compressed, diagonal,
                                mirrored, sparse_rows, strips_of, transposed)
from stickslip.problem import Answer, ContactProblem, Parts, local_parts

__all__ = ["read_problem", "write_problem"]

PathLike = Union[str, "os.PathLike[str]"]
Floats = NDArray[np.float64]

OWN, GLOBAL, LOCAL, SOLUTION = "/stickslip_problem", "/fclib_global", "/fclib_local", "/solution"
FORMATS = ("stickslip", "fclib", "fclib-local")
# The attribute of the root by which files of ours are known.
MARK = "written_by_stickslip"
# The strongest compression that HDF5's deflate filter reaches.
STRONGEST_COMPRESSION = 1032
# Two triangles of a mass matrix that differ by more than this are not the same up to rounding.
ROUNDING = 1e-10
COMPRESSED_COLUMNS, COMPRESSED_ROWS = -1, -2
MOST_INT = 2**31 - 1


def read_problem(path: PathLike) -> ContactProblem:
    """The contact problem in a file, whichever of the three forms it has.

    Of a file with several our own is read first, then FCLIB's global one. `problem.origin` says what it was;
    `problem.method` how it was solved, if it is known; `problem.stored_solution` what the file has in /solution.
    A file that is damaged, or no contact problem, is an `InputError` that names file and dataset.
    """
    with _opened(path) as file:
        if file.has(OWN):
            return _read_own(file)
        if file.has(GLOBAL):
            return _read_global(file)
        if file.has(LOCAL):
            return _read_local(file)
        file.fail("/", "none of /fclib_local, /fclib_global and /stickslip_problem is there: no contact problem")


def write_problem(path: PathLike, problem: ContactProblem, solution: Answer | None = None, *,
                  format: str | None = None) -> None:
    """Writes a problem, and a solution of it, as "stickslip" (our own form), "fclib" (global) or "fclib-local".

    Left out, `format` is "fclib-local" for local problems and "stickslip" for others. `solution` is a
    `ContactSolution`, impulses p, or (v, p, c). FCLIB's forms hold circular and planar cones with Coulomb's law
    alone; what they cannot hold is an `InputError`. A file that is there is replaced if stickslip wrote it.
    """
    if not isinstance(problem, ContactProblem):
        raise InputError(f"problem: expected a ContactProblem, not {type(problem).__name__}")
    form = format if format is not None else "fclib-local" if problem.is_local else "stickslip"
    if form not in FORMATS:
        raise InputError(f"format: \"{form}\" is not known: expected one of {', '.join(FORMATS)}")
    if problem.is_local and form != "fclib-local":
        raise InputError(f"format: \"{form}\" holds problems with bodies; this one is local: use \"fclib-local\"")
    h5py = import_h5py()
    answer = None if solution is None else problem._completed(solution)
    vectors = None if answer is None else _solution_vectors(problem, answer)
    if form == "stickslip":
        contents = _own_contents(problem)
    elif form == "fclib":
        contents, vectors = _global_contents(problem, vectors)
    else:
        contents, vectors = _local_contents(problem, vectors)
    with _draft(path) as draft, h5py.File(draft, "w") as file:
        for name, values in contents.items():
            _write(h5py, file, name, values)
        for name, values in (vectors or {}).items():
            _write(h5py, file, f"{SOLUTION}/{name}", values)
        file.attrs.create(MARK, 1, dtype=np.int32)


# An open file that nobody trusts: every complaint names the file, the dataset and what would be right, and no
# dataset makes the reader allocate more than the file can hold.


class _ProblemFile:
    def __init__(self, h5py: Any, file: Any, path: str) -> None:
        self._h5py, self._file, self.path = h5py, file, path
        self._bytes = os.path.getsize(path)

    def fail(self, name: str, problem: str) -> NoReturn:
        raise InputError(f"{self.path}: {name}: {problem}")

    def _get(self, name: str) -> Any:
        try:
            return self._file.get(name)
        except (KeyError, OSError, RuntimeError, ValueError):
            return None

    def has(self, name: str) -> bool:
        return self._get(name) is not None

    def has_group(self, name: str) -> bool:
        return isinstance(self._get(name), self._h5py.Group)

    def _array(self, name: str, kinds: str, what: str) -> NDArray[Any]:
        dataset = self._get(name)
        if dataset is None:
            self.fail(name, "this dataset is missing")
        if not isinstance(dataset, self._h5py.Dataset):
            self.fail(name, "damaged, or not a dataset")
        try:
            shape, dtype = dataset.shape, dataset.dtype
            stored = dataset.id.get_storage_size()
        except (OSError, RuntimeError, TypeError, ValueError):
            self.fail(name, "damaged")
        if shape is None or dtype.kind not in kinds:
            self.fail(name, f"does not hold {what}")
        if len(shape) > 1:
            self.fail(name, "has rows and columns; expected one list")
        size = int(np.prod(shape, dtype=np.float64))
        if size > 0 and not 0 < size * dtype.itemsize <= STRONGEST_COMPRESSION * min(stored, self._bytes):
            self.fail(name, f"damaged: the {size} values that it announces are not there")
        try:
            return np.asarray(dataset[()]).reshape(-1)
        except (OSError, RuntimeError, TypeError, ValueError, MemoryError):
            self.fail(name, "damaged: cannot be read")

    def integers(self, name: str, size: int | None = None, reason: str = "") -> NDArray[np.int64]:
        values = self._array(name, "iu", "whole numbers")
        far = (values > MOST_INT) | (values < -MOST_INT - 1)
        if far.any():
            self.fail(name, f"{values[np.argmax(far)]} is beyond what 32 bits hold")
        self._expect_size(name, values.size, size, reason)
        return values.astype(np.int64)

    def integer(self, name: str) -> int:
        values = self.integers(name)
        if values.size != 1:
            self.fail(name, f"holds {values.size} numbers; expected one")
        return int(values[0])

    def unsigned(self, name: str) -> NDArray[np.uint64]:
        return self._array(name, "iu", "whole numbers").astype(np.uint64)

    def count(self, name: str) -> int:
        values = self.unsigned(name)
        if values.size != 1 or values[0] >= 2**63:
            self.fail(name, "expected one number of 63 bits")
        return int(values[0])

    def numbers(self, name: str, size: int | None = None, reason: str = "", *, infinite: bool = False) -> Floats:
        values = self._array(name, "fiu", "numbers").astype(np.float64)
        bad = np.isnan(values) if infinite else ~np.isfinite(values)
        if bad.any():
            k = int(np.argmax(bad))
            self.fail(name, f"entry {k} is {values[k]}; expected finite numbers")
        self._expect_size(name, values.size, size, reason)
        return values

    def texts(self, name: str) -> list[str]:
        values = self._array(name, "S", "texts")
        try:
            return [text.decode("utf-8") for text in values.tolist()]
        except UnicodeDecodeError:
            self.fail(name, "does not hold texts")

    def text(self, name: str) -> str:
        values = self.texts(name)
        if len(values) != 1:
            self.fail(name, f"holds {len(values)} texts; expected one")
        return values[0]

    def _expect_size(self, name: str, found: int, size: int | None, reason: str) -> None:
        if size is not None and found != size:
            self.fail(name, f"has length {found}; expected {size}, {reason}")

    def made(self, group: str, parts: Parts, **extras: Any) -> ContactProblem:
        """The problem of these parts, with what the engine says about them."""
        try:
            engine = _engine.Problem(parts)
        except InputError as error:
            self.fail(group, str(error))
        return ContactProblem._of(engine, stored=self._stored(parts), **extras)

    def _stored(self, parts: Parts) -> dict[str, Floats]:
        """What is in /solution, as far as it fits: files of others may have there what they like."""
        sizes = {"r": "q", "u": "q"} if "q" in parts else {"r": "b", "u": "b", "v": "v_free", "l": "g"}
        names = {"r": "p", "u": "u", "v": "v", "l": "c"}
        found = {}
        for name, like in sizes.items():
            try:
                found[names[name]] = self.numbers(f"{SOLUTION}/{name}", parts[like].size)
            except InputError:
                continue
        return found


@contextmanager
def _opened(path: PathLike) -> Iterator[_ProblemFile]:
    h5py = import_h5py()
    name = _name(path)
    if not os.path.exists(name):
        raise InputError(f"{name}: there is no such file")
    if not os.path.isfile(name):
        raise InputError(f"{name}: is no file; expected a contact problem")
    try:
        is_hdf5 = h5py.is_hdf5(name)
    except (OSError, RuntimeError, ValueError):
        is_hdf5 = False
    if not is_hdf5:
        raise InputError(f"{name}: not an HDF5 file, or it cannot be read; expected a contact problem")
    try:
        file = h5py.File(name, "r")
    except (OSError, RuntimeError, ValueError):
        raise InputError(f"{name}: damaged or cut short; get it again") from None
    with file:
        yield _ProblemFile(h5py, file, name)


def _name(path: PathLike) -> str:
    try:
        name = os.fspath(path)
    except TypeError:
        raise InputError(f"path: expected the name of a file, not {type(path).__name__}") from None
    if not isinstance(name, str) or "\0" in name or not name:
        raise InputError("path: expected the name of a file")
    return name


# Our own form.


def _read_own(file: _ProblemFile) -> ContactProblem:
    found = file.integer(f"{OWN}/format")
    if found != 1:
        file.fail(f"{OWN}/format", f"is {found}; this version of stickslip reads 1")
    parts: Parts = {"law": file.text(f"{OWN}/law"), "duration": 0.0}
    v_free = file.numbers(f"{OWN}/v_free")
    parts.update(v_free=v_free, v_old=file.numbers(f"{OWN}/v_old", v_free.size, "the length of v_free"))
    parts["mass_sizes"] = file.integers(f"{OWN}/mass/sizes").astype(np.int32)
    parts["mass_values"] = file.numbers(f"{OWN}/mass/values")
    contacts = f"{OWN}/contacts/"
    parts.update(_read_sets(file, contacts))
    size = parts["kind"].size
    parts["b"] = file.numbers(contacts + "b")
    parts.update(_read_rows(file, contacts, ""))
    parts["gap"] = file.numbers(contacts + "gap", size, "one a contact")
    parts["drive"] = file.numbers(contacts + "drive", parts["b"].size, "the length of b")
    parts["id"] = file.unsigned(contacts + "id")
    joints = f"{OWN}/joints/"
    parts["g"] = file.numbers(joints + "g")
    parts.update(_read_rows(file, joints, "joint_"))
    for part, name in (("compliance", "compliance"), ("joint_gap", "gap"), ("joint_drive", "drive")):
        parts[part] = file.numbers(joints + name, parts["g"].size, "the length of g")
    method = {"solver": file.text(f"{OWN}/method/solver"),
              "tolerance": float(file.numbers(f"{OWN}/method/tolerance", 1, "one tolerance")[0]),
              "budget": file.count(f"{OWN}/method/budget")}
    origin = {"file": file.path, "format": "stickslip", "scene": file.text(f"{OWN}/origin/scene"),
              "step": file.count(f"{OWN}/origin/step"), "scheme": file.text(f"{OWN}/method/scheme"),
              "cone": file.text(f"{OWN}/method/cone"), "directions": file.integer(f"{OWN}/method/directions")}
    return file.made(OWN, parts, method=method, origin=origin)


def _read_sets(file: _ProblemFile, prefix: str) -> Parts:
    names = file.texts(prefix + "kind")
    size, each = len(names), "one a contact"
    for word in set(names) - set(KINDS):
        file.fail(prefix + "kind", f"\"{word}\" is not known")
    parts: Parts = {"kind": np.array([KINDS.index(word) for word in names], dtype=np.int32)}
    for name in ("mu", "mu_2"):
        parts[name] = file.numbers(prefix + name, size, each)
    for name in ("lower", "upper"):
        parts[name] = file.numbers(prefix + name, size, each, infinite=True)
    parts["directions"] = file.integers(prefix + "directions", size, each).astype(np.int32)
    for name in ("torsion", "rolling"):
        has = file.has(prefix + name)
        parts[name] = file.numbers(prefix + name, size, each) if has else np.zeros(size)
    for name, absent in (("load_independent", 0), ("given", -1)):
        has = file.has(prefix + name)
        parts[name] = (file.integers(prefix + name, size, each) if has else np.full(size, absent)).astype(np.int32)
    if file.has(prefix + "given"):
        lists = f"{OWN}/direction_lists/"
        parts["direction_sizes"] = file.integers(lists + "size").astype(np.int32)
        parts["direction_components"] = file.numbers(lists + "components")
        if parts["direction_components"].size != COMPONENTS * parts["direction_sizes"].sum():
            file.fail(lists + "components", "has another length than the sizes say")
    else:
        parts.update(direction_sizes=np.zeros(0, dtype=np.int32), direction_components=np.zeros(0))
    return parts


def _read_rows(file: _ProblemFile, prefix: str, part: str) -> Parts:
    lists = {part + name: file.integers(prefix + name).astype(np.int32)
             for name in ("rows", "strips", "first_column", "columns")}
    return {**lists, part + "values": file.numbers(prefix + "values")}


def _own_contents(problem: ContactProblem) -> dict[str, Any]:
    parts, method, origin = problem._parts, problem.method, problem.origin
    two = bool((TANGENTS[parts["kind"]] == 2).any())
    cone = "planar" if not two else "circular" if (parts["kind"] == KINDS.index("elliptic")).any() else "polyhedral"
    contents: dict[str, Any] = {
        "format": np.array([1], dtype=np.int32),
        "origin/scene": [origin.get("scene", "")],
        "origin/step": np.array([origin.get("step", 0)], dtype=np.uint64),
        "method/scheme": [origin.get("scheme", "midpoint")],
        "method/cone": [origin.get("cone", cone)],
        "method/solver": [method.get("solver", "auto")],
        "method/directions": np.array([origin.get("directions", 8)], dtype=np.int32),
        "method/tolerance": np.array([method.get("tolerance", 1e-8)]),
        "method/budget": np.array([method.get("budget", 0)], dtype=np.uint64),
        "law": [problem.law],
        "mass/sizes": parts["mass_sizes"], "mass/values": parts["mass_values"],
        "v_free": parts["v_free"], "v_old": parts["v_old"],
        "contacts/kind": [KINDS[kind] for kind in parts["kind"]],
    }
    for name in ("mu", "mu_2", "directions", "lower", "upper"):
        contents[f"contacts/{name}"] = parts[name]
    if (parts["given"] >= 0).any():
        contents.update({"contacts/given": parts["given"], "direction_lists/size": parts["direction_sizes"],
                         "direction_lists/components": parts["direction_components"]})
    for name in ("torsion", "rolling", "load_independent"):
        if (parts[name] > 0).any():
            contents[f"contacts/{name}"] = parts[name]
    for name in ("rows", "strips", "first_column", "columns", "values", "b", "id", "gap"):
        contents[f"contacts/{name}"] = parts[name]
    drive = parts["drive"]
    contents["contacts/drive"] = drive if drive.size > 0 else np.zeros(parts["b"].size)
    for name in ("rows", "strips", "first_column", "columns", "values", "gap", "drive"):
        contents[f"joints/{name}"] = parts[f"joint_{name}"]
    contents.update({"joints/g": parts["g"], "joints/compliance": parts["compliance"]})
    return {f"{OWN}/{name}": values for name, values in contents.items()}


# FCLIB's forms.


def _read_cones(file: _ProblemFile, group: str, rows: int, rows_name: str) -> tuple[int, Parts]:
    name = f"{group}/spacedim"
    dimension = file.integer(name)
    if dimension not in (2, 3):
        file.fail(name, f"is {dimension}; expected 2 or 3")
    if rows % dimension != 0:
        file.fail(rows_name, f"has length {rows}, which is no multiple of spacedim = {dimension}")
    mu = file.numbers(f"{group}/vectors/mu", rows // dimension,
                      f"the length of {rows_name} divided by spacedim = {dimension}")
    if (mu < 0).any():
        k = int(np.argmax(mu < 0))
        file.fail(f"{group}/vectors/mu", f"entry {k} is {mu[k]}; expected at least 0")
    none = np.zeros(mu.size)
    whole = np.zeros(mu.size, dtype=np.int32)
    return dimension, {
        "kind": np.full(mu.size, KINDS.index("planar" if dimension == 2 else "elliptic"), dtype=np.int32),
        "mu": mu, "mu_2": none if dimension == 2 else mu, "directions": whole, "lower": none, "upper": none,
        "torsion": none, "rolling": none, "load_independent": whole, "given": whole - 1,
        "direction_sizes": np.zeros(0, dtype=np.int32), "direction_components": np.zeros(0)}


def _read_matrix(file: _ProblemFile, group: str, rows: tuple[int, str], columns: tuple[int, str]) -> SparseRows:
    """A matrix; `rows` and `columns`: how many, and the vector that has that length."""
    if not file.has_group(group):
        file.fail(group, "this group with a matrix is missing")
    for name, (size, like) in (("m", rows), ("n", columns)):
        found = file.integer(f"{group}/{name}")
        if found != size:
            file.fail(f"{group}/{name}", f"is {found}; expected {size}, the length of {like}")
    room, storage = file.integer(f"{group}/nzmax"), file.integer(f"{group}/nz")
    if storage >= 0:
        if storage > room:
            file.fail(f"{group}/nz", f"is {storage}, more than nzmax = {room}")
        column = _indices(file, f"{group}/p", storage, room, columns[0])
        row = _indices(file, f"{group}/i", storage, room, rows[0])
        entries = storage
    elif storage in (COMPRESSED_COLUMNS, COMPRESSED_ROWS):
        lines, places = (columns[0], rows[0]) if storage == COMPRESSED_COLUMNS else (rows[0], columns[0])
        starts = file.integers(f"{group}/p", lines + 1, "one more than there are rows or columns")
        if starts[0] != 0 or (np.diff(starts) < 0).any():
            file.fail(f"{group}/p", "expected numbers that start with 0 and never fall")
        entries = int(starts[-1])
        if entries > room:
            file.fail(f"{group}/p", f"ends with {entries}, more than nzmax = {room}")
        place = _indices(file, f"{group}/i", entries, room, places)
        line = np.repeat(np.arange(lines, dtype=np.int64), np.diff(starts))
        row, column = (place, line) if storage == COMPRESSED_COLUMNS else (line, place)
    else:
        file.fail(f"{group}/nz", f"is {storage}; expected the number of triplets, -1 for compressed columns or -2 for "
                                 "compressed rows")
    values = _cut(file, f"{group}/x", file.numbers(f"{group}/x"), entries, room)
    return compressed(row, column, values, (rows[0], columns[0]), group)


def _indices(file: _ProblemFile, name: str, entries: int, room: int, limit: int) -> NDArray[np.int64]:
    values = _cut(file, name, file.integers(name), entries, room)
    wrong = (values < 0) | (values >= limit)
    if wrong.any():
        k = int(np.argmax(wrong))
        file.fail(name, f"entry {k} is {values[k]}; expected 0 to {limit - 1}")
    return values


def _cut(file: _ProblemFile, name: str, values: NDArray[Any], entries: int, room: int) -> NDArray[Any]:
    """Lists may have unused room at their end."""
    if values.size not in (entries, room):
        file.fail(name, f"has length {values.size}; expected {entries}, as the matrix has that many entries")
    return values[:entries]


def _read_global(file: _ProblemFile) -> ContactProblem:
    if not file.has_group(GLOBAL):
        file.fail(GLOBAL, "this group is missing: not a global problem")
    vectors = f"{GLOBAL}/vectors/"
    f = file.numbers(vectors + "f")
    velocities = (f.size, vectors + "f")
    M = mirrored(_read_matrix(file, f"{GLOBAL}/M", velocities, velocities))
    if not (diagonal(M) > 0).all():
        file.fail(f"{GLOBAL}/M", "has a diagonal entry that is not positive; expected a mass matrix")
    difference = asymmetry(M)
    if difference > ROUNDING:
        file.fail(f"{GLOBAL}/M", f"is not symmetric, its halves differ by {difference:.1e} of its diagonal; expected a "
                                 "mass matrix")
    w = file.numbers(vectors + "w")
    dimension, parts = _read_cones(file, GLOBAL, w.size, vectors + "w")
    sizes = block_sizes(M, dimension)
    H = _read_matrix(file, f"{GLOBAL}/H", velocities, (w.size, vectors + "w"))
    contacts = np.full(parts["kind"].size, dimension, dtype=np.int64)
    try:
        parts.update(mass_sizes=sizes.astype(np.int32), mass_values=blocks_of(M, sizes))
        parts.update(strips_of(transposed(H), contacts, sizes, "H")._asdict())
        g, joints = _read_global_joints(file, velocities, sizes)
    except InputError as error:
        file.fail(GLOBAL, str(error))
    parts.update({f"joint_{name}": values for name, values in joints.items()})
    none = np.zeros(g.size)
    parts.update(law="coulomb", duration=0.0, v_free=f, v_old=f, b=w, drive=np.zeros(w.size),
                 gap=np.zeros(contacts.size), id=np.arange(contacts.size, dtype=np.uint64), g=g, compliance=none,
                 joint_gap=none, joint_drive=none)
    free = file.made(GLOBAL, parts)._engine.solve_mass(f)
    parts.update(v_free=free, v_old=free)
    return file.made(GLOBAL, parts, f=f, origin={"file": file.path, "format": "fclib"})


def _read_global_joints(file: _ProblemFile, velocities: tuple[int, str],
                        sizes: NDArray[np.int64]) -> tuple[Floats, Parts]:
    if not file.has(f"{GLOBAL}/G"):
        rows = sparse_rows(np.zeros((0, velocities[0])), "G")
        return np.zeros(0), strips_of(rows, np.zeros(0, dtype=np.int64), sizes, "G")._asdict()
    name = f"{GLOBAL}/vectors/b"
    g = file.numbers(name)
    G = transposed(_read_matrix(file, f"{GLOBAL}/G", velocities, (g.size, name)))
    return g, strips_of(G, np.ones(g.size, dtype=np.int64), sizes, "G")._asdict()


def _read_local(file: _ProblemFile) -> ContactProblem:
    if not file.has_group(LOCAL):
        file.fail(LOCAL, "this group is missing: not a local problem")
    for matrix in ("V", "R"):
        if file.has(f"{LOCAL}/{matrix}"):
            file.fail(f"{LOCAL}/{matrix}",
                      "local problems with equality constraints are not supported; use the global form")
    name = f"{LOCAL}/vectors/q"
    q = file.numbers(name)
    _, parts = _read_cones(file, LOCAL, q.size, name)
    W = mirrored(_read_matrix(file, f"{LOCAL}/W", (q.size, name), (q.size, name)))
    return file.made(LOCAL, local_parts(W, q, parts, "coulomb"), origin={"file": file.path, "format": "fclib-local"})


def _placed_rows(problem: ContactProblem) -> tuple[int, NDArray[np.int64], Floats]:
    """How contacts appear in a file of FCLIB, each with as many rows as the dimension of space says: that
    dimension, the row of each row of the problem, and mu. What the format cannot hold is refused."""
    parts = problem._parts
    if problem.law != "coulomb":
        raise InputError("FCLIB's format is for Coulomb's law, not for the relaxed one")
    kind, dimensions = parts["kind"], problem.dimensions
    space = 2 if dimensions.max(initial=0) == 2 else 3
    two = TANGENTS[kind] == 2
    reasons = (
        ((parts["torsion"] > 0) & two, "it has torsional friction"),
        ((parts["rolling"] > 0) & (TANGENTS[kind] > 0), "it has rolling friction"),
        (parts["load_independent"] != 0, "its friction does not depend on the load"),
        ((kind == KINDS.index("elliptic")) & (parts["mu"] != parts["mu_2"]), "friction differs between its tangents"),
        (kind == KINDS.index("polyhedral"), "its cone is polyhedral"),
        (kind == KINDS.index("interval"), "it is a bounded row (a motor, or friction in a joint)"),
        ((kind == KINDS.index("planar")) & (space == 3), "contacts of the plane and of space are together"),
    )
    for wrong, why in reasons:
        if wrong.any():
            raise InputError(f"FCLIB's format cannot hold contact {int(np.argmax(wrong))}: {why}")
    within = np.arange(int(dimensions.sum())) - np.repeat(problem.first_rows, dimensions)
    rows = np.repeat(np.arange(kind.size) * space, dimensions) + within
    return space, rows, np.where(kind == KINDS.index("frictionless"), 0.0, parts["mu"])


def _placed(values: Floats, rows: NDArray[np.int64], size: int) -> Floats:
    out = np.zeros(size)
    out[rows] = values
    return out


def _placed_vectors(vectors: dict[str, Floats] | None, rows: NDArray[np.int64], size: int) -> dict[str, Floats] | None:
    if vectors is None:
        return None
    return {name: _placed(x, rows, size) if name in ("r", "u") else x for name, x in vectors.items()}


def _whole(value: int) -> NDArray[np.int32]:
    return np.array([value], dtype=np.int32)


def _triplets(group: str, matrix: SparseRows) -> dict[str, Any]:
    entries = matrix.data.size
    return {f"{group}/m": _whole(matrix.shape[0]), f"{group}/n": _whole(matrix.shape[1]),
            f"{group}/nzmax": _whole(entries), f"{group}/nz": _whole(entries),
            f"{group}/p": matrix.indices.astype(np.int32), f"{group}/i": matrix.entry_rows().astype(np.int32),
            f"{group}/x": matrix.data}


def _rows_in_file(matrix: SparseRows, rows: NDArray[np.int64], size: int) -> SparseRows:
    """H: the transpose of J with its rows where the file has them."""
    return compressed(matrix.indices, rows[matrix.entry_rows()], matrix.data, (matrix.shape[1], size), "J")


def _global_contents(problem: ContactProblem,
                     vectors: dict[str, Floats] | None) -> tuple[dict[str, Any], dict[str, Floats] | None]:
    space, rows, mu = _placed_rows(problem)
    stiff = problem.compliance != 0
    if stiff.any():
        raise InputError(f"FCLIB's format cannot hold row {int(np.argmax(stiff))} of the joints: it is compliant (a "
                         "spring)")
    size = space * problem.contact_count
    contents = {f"{GLOBAL}/spacedim": _whole(space), f"{GLOBAL}/vectors/f": problem.f,
                f"{GLOBAL}/vectors/w": _placed(problem.b, rows, size), f"{GLOBAL}/vectors/mu": mu,
                **_triplets(f"{GLOBAL}/M", sparse_rows(problem.M, "M")),
                **_triplets(f"{GLOBAL}/H", _rows_in_file(sparse_rows(problem.J, "J"), rows, size))}
    if problem.joint_row_count > 0:
        contents.update(_triplets(f"{GLOBAL}/G", transposed(sparse_rows(problem.G, "G"))))
        contents[f"{GLOBAL}/vectors/b"] = problem.g
    return contents, _placed_vectors(vectors, rows, size)


def _local_contents(problem: ContactProblem,
                    vectors: dict[str, Floats] | None) -> tuple[dict[str, Any], dict[str, Floats] | None]:
    space, rows, mu = _placed_rows(problem)
    local = problem if problem.is_local else problem.local_form()
    size = space * problem.contact_count
    W = sparse_rows(local.W, "W")
    columns = compressed(rows[W.indices], rows[W.entry_rows()], W.data, (size, size), "W")
    entries = columns.data.size
    group = f"{LOCAL}/W"
    contents = {f"{LOCAL}/spacedim": _whole(space), f"{LOCAL}/vectors/mu": mu,
                f"{LOCAL}/vectors/q": _placed(local.q, rows, size),
                f"{group}/m": _whole(size), f"{group}/n": _whole(size), f"{group}/nzmax": _whole(entries),
                f"{group}/nz": _whole(COMPRESSED_COLUMNS), f"{group}/p": columns.indptr.astype(np.int32),
                f"{group}/i": columns.indices.astype(np.int32), f"{group}/x": columns.data}
    if vectors is not None:
        vectors = {name: x for name, x in vectors.items() if name in ("r", "u")}
    return contents, _placed_vectors(vectors, rows, size)


# Writing.


def _solution_vectors(problem: ContactProblem, answer: tuple[Floats, Floats, Floats]) -> dict[str, Floats]:
    v, p, c = answer
    _, u = problem._certified(v, p, c)
    vectors = {"r": p, "u": u, "v": v, "l": c}
    return {name: values for name, values in vectors.items() if values.size > 0 or name in ("r", "u")}


def _write(h5py: Any, file: Any, name: str, values: Any) -> None:
    if isinstance(values, list):
        encoded = [text.encode("utf-8") for text in values]
        longest = max((len(text) for text in encoded), default=1)
        file.create_dataset(name, data=np.array(encoded, dtype=h5py.string_dtype("utf-8", max(longest, 1))))
    else:
        file.create_dataset(name, data=values)


@contextmanager
def _draft(path: PathLike) -> Iterator[str]:
    """A file of another name in the same folder, which gets its own when it is complete."""
    name = _name(path)
    _expect_replaceable(name)
    folder = os.path.dirname(name) or "."
    draft = ""
    try:
        handle, draft = tempfile.mkstemp(suffix=".part", prefix=".", dir=folder)
        os.close(handle)
        yield draft
        os.chmod(draft, 0o666 & ~_umask())
        os.replace(draft, name)
        draft = ""
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None
    finally:
        if draft:
            Path(draft).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _expect_replaceable(name: str) -> None:
    """Only a regular file that stickslip wrote is ever replaced."""
    try:
        mode = os.lstat(name).st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be written: {error}") from None
    h5py = import_h5py()
    if stat.S_ISREG(mode) and h5py.is_hdf5(name):
        try:
            with h5py.File(name, "r") as file:
                if MARK in file.attrs or OWN in file:
                    return
        except (OSError, RuntimeError, ValueError):
            pass
    raise InputError(f"{name}: is there, and no contact problem that stickslip wrote; choose another name, or remove "
                     "it")

