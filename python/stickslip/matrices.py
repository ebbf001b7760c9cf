"""Matrices and vectors as users have them, checked, and as the engine wants them.

What comes in is a dense array, a sparse matrix of SciPy in any format, or `SparseRows`. Nothing is taken on
its word: shapes, kinds of numbers, and indices of sparse matrices are looked at before anything is computed or
allocated, and every complaint is an `InputError` that names the argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError

__all__ = ["SparseRows"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Places = NDArray[np.int64]

# Dense matrices of more numbers (1.6 GB), and more rows than that, are refused: who claims them has no memory for
# what follows from them.
MOST_NUMBERS = 200_000_000
MOST_ROWS = 50_000_000
# Two halves of a symmetric matrix that differ by more than this, relative to its diagonal, are not the same.
SAME_HALVES = 1e-10


class SparseRows(NamedTuple):
    """A sparse matrix by rows, where SciPy is not installed: of row i the entries `indptr[i]` to `indptr[i + 1] - 1`."""

    data: Floats
    """The entries, row by row."""
    indices: NDArray[Any]
    """Their columns, rising within a row."""
    indptr: NDArray[Any]
    """Where rows start; one more than there are rows."""
    shape: tuple[int, int]
    """Numbers of rows and columns."""

    def toarray(self) -> Floats:
        """The matrix as a dense array."""
        if self.shape[0] * self.shape[1] > MOST_NUMBERS:
            raise InputError(f"a dense matrix of {self.shape[0]} x {self.shape[1]} is too large")
        dense = np.zeros(self.shape)
        dense[self.entry_rows(), self.indices] = self.data
        return dense

    def entry_rows(self) -> Places:
        """The row of each entry."""
        return np.repeat(np.arange(self.shape[0], dtype=np.int64), np.diff(self.indptr))


def number(value: object, name: str) -> float:
    """A single number, which may be infinite."""
    if isinstance(value, (str, bytes)) or not isinstance(value, (SupportsFloat, SupportsIndex)):
        raise InputError(f"{name}: expected a number, not {type(value).__name__}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: expected a number") from None


def count(value: object, name: str) -> int:
    """A whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise InputError(f"{name}: expected a whole number, not {type(value).__name__}")
    try:
        whole = value.__index__()
    except TypeError:
        raise InputError(f"{name}: expected a whole number") from None
    if not 0 <= whole < 2**62:
        raise InputError(f"{name}: is {whole}; expected at least 0, and no more than 62 bits")
    return whole


def text(value: object, name: str) -> str:
    """A name, as of a law or a solver."""
    if not isinstance(value, str):
        raise InputError(f"{name}: expected a text, not {type(value).__name__}")
    return value


def numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    """An array of real numbers of any kind and shape, not yet converted."""
    if is_sparse(values):
        raise InputError(f"{name}: expected an array, not a sparse matrix")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(f"{name}: expected an array without masked entries")
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}: expected an array of numbers, with rows of one length") from None
    if array.dtype.kind not in "biuf":
        raise InputError(f"{name}: expected an array of numbers, not of {array.dtype}")
    return array


def converted(array: NDArray[Any]) -> Floats:
    """The same in doubles of this machine's order, row by row."""
    return np.asarray(array, dtype=np.float64, order="C")


def vector(values: ArrayLike, name: str, size: int | None = None, *, finite: bool = True) -> Floats:
    """A list of `size` numbers, which may be infinite, but not NaN, unless `finite`."""
    array = numbers(values, name)
    if array.ndim != 1:
        raise InputError(f"{name}: has shape {array.shape}; expected one axis")
    if size is not None and array.size != size:
        raise InputError(f"{name}: has length {array.size}; expected {size}")
    if array.size > MOST_ROWS:
        raise InputError(f"{name}: has length {array.size}, which is too long")
    result = converted(array)
    bad = ~np.isfinite(result) if finite else np.isnan(result)
    if bad.any():
        raise InputError(f"{name}[{int(np.argmax(bad))}]: expected a finite number")
    return result


def per_contact(values: ArrayLike, name: str, contacts: int | None) -> Floats:
    """A list of one number a contact, or one for all of them."""
    array = numbers(values, name)
    if array.ndim == 0 and contacts is not None:
        return np.full(contacts, vector(array.reshape(1), name)[0])
    return vector(array, name, contacts)


def dense_matrix(values: Any, name: str, shape: tuple[int, int]) -> Floats:
    """A dense matrix of this shape, from a dense or a sparse one."""
    if shape[0] * shape[1] > MOST_NUMBERS:
        raise InputError(f"{name}: a dense matrix of {shape[0]} x {shape[1]} is too large")
    if is_sparse(values):
        return sparse_rows(values, name, shape).toarray()
    array = numbers(values, name)
    expect_shape(array.shape, name, shape)
    result = converted(array)
    bad = ~np.isfinite(result)
    if bad.any():
        i, j = np.unravel_index(int(np.argmax(bad)), result.shape)
        raise InputError(f"{name}[{i}, {j}]: expected a finite number")
    return result


def expect_shape(found: Sequence[int], name: str, shape: tuple[int | None, int | None]) -> None:
    """`None` in `shape` is any number."""
    if len(found) != 2:
        raise InputError(f"{name}: has shape {tuple(found)}; expected rows and columns")
    for axis, (is_there, expected) in enumerate(zip(found, shape)):
        what = ("rows", "columns")[axis]
        if expected is not None and is_there != expected:
            raise InputError(f"{name}: has {is_there} {what}; expected {expected}")
        if is_there > MOST_ROWS:
            raise InputError(f"{name}: has {is_there} {what}, which are too many")


def is_sparse(values: object) -> bool:
    """True of `SparseRows` and whatever looks like a sparse matrix of SciPy."""
    return isinstance(values, SparseRows) or (hasattr(values, "tocoo") and hasattr(values, "format"))


def sparse_rows(values: Any, name: str, shape: tuple[int | None, int | None] = (None, None)) -> SparseRows:
    """A matrix by rows, columns rising, no place twice: entries of the same place are added in their order.

    Of dense matrices what is not 0; of sparse ones what is stored.
    """
    if is_sparse(values):
        return _from_sparse(values, name, shape)
    array = numbers(values, name)
    expect_shape(array.shape, name, shape)
    if array.size > MOST_NUMBERS:
        raise InputError(f"{name}: a dense matrix of {array.shape[0]} x {array.shape[1]} is too large; make it sparse")
    dense = converted(array)
    rows, columns = np.nonzero(dense)
    return compressed(rows, columns, dense[rows, columns], (dense.shape[0], dense.shape[1]), name)


def _from_sparse(values: Any, name: str, shape: tuple[int | None, int | None]) -> SparseRows:
    try:
        if not isinstance(values, SparseRows) and values.format not in ("csr", "csc", "coo"):
            values = values.tocoo()
        found = tuple(int(n) for n in values.shape)
        kind = "csr" if isinstance(values, SparseRows) else values.format
        data = np.asarray(values.data)
        lists = [np.asarray(values.row), np.asarray(values.col)] if kind == "coo" else [
            np.asarray(values.indptr), np.asarray(values.indices)]
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError):
        raise InputError(f"{name}: is not a sparse matrix that can be read") from None
    expect_shape(found, name, shape)
    if data.dtype.kind not in "biuf" or data.ndim != 1:
        raise InputError(f"{name}: expected entries that are numbers, not {data.dtype}")
    if any(list_.dtype.kind not in "iu" or list_.ndim != 1 for list_ in lists):
        raise InputError(f"{name}: expected indices that are whole numbers")
    first, second = lists[0].astype(np.int64), lists[1].astype(np.int64)
    if kind != "coo":
        first = _lines(first, found[0 if kind == "csr" else 1], data.size, name)
        second, data = second[: first.size], data[: first.size]
    if first.size != data.size or second.size != data.size:
        raise InputError(f"{name}: its lists of entries have different lengths")
    places = (second, first) if kind == "csc" else (first, second)
    return compressed(*places, converted(data), (found[0], found[1]), name)


def _lines(indptr: Places, lines: int, entries: int, name: str) -> Places:
    """The line (row or column) of each entry of a compressed matrix."""
    if indptr.size != lines + 1 or indptr[0] != 0 or (np.diff(indptr) < 0).any() or indptr[-1] > entries:
        raise InputError(f"{name}: its starts of rows or columns do not fit its entries")
    return np.repeat(np.arange(lines, dtype=np.int64), np.diff(indptr))


def compressed(rows: NDArray[Any], columns: NDArray[Any], data: Floats, shape: tuple[int, int],
               name: str) -> SparseRows:
    """Entries in any order by rows and columns; those of the same place are added in their order."""
    for places, size, what in ((rows, shape[0], "row"), (columns, shape[1], "column")):
        wrong = (places < 0) | (places >= size)
        if wrong.any():
            raise InputError(f"{name}: has an entry in {what} {int(places[np.argmax(wrong)])}; there are {size}")
    bad = ~np.isfinite(data)
    if bad.any():
        k = int(np.argmax(bad))
        raise InputError(f"{name}[{int(rows[k])}, {int(columns[k])}]: expected a finite number")
    place = rows.astype(np.int64) * max(shape[1], 1) + columns
    if (np.diff(place) <= 0).any():
        order = np.argsort(place, kind="stable")
        place, data = place[order], data[order]
        is_new = np.concatenate(([True], np.diff(place) > 0))
        if not is_new.all():
            # One after the other, which np.add.reduceat would not promise.
            data = np.bincount(np.cumsum(is_new) - 1, weights=data).astype(np.float64)
            place = place[is_new]
    row, column = np.divmod(place, max(shape[1], 1))
    starts = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=shape[0])))).astype(np.int64)
    return SparseRows(data, column.astype(np.int32), starts, shape)


def transposed(matrix: SparseRows) -> SparseRows:
    """The transpose."""
    shape = (matrix.shape[1], matrix.shape[0])
    return compressed(matrix.indices, matrix.entry_rows(), matrix.data, shape, "matrix")


def mirrored(matrix: SparseRows) -> SparseRows:
    """A symmetric matrix of which only one triangle is there, in full; others as they are."""
    rows, columns, data = matrix.entry_rows(), matrix.indices, matrix.data
    below, above = ((data != 0) & side for side in (rows > columns, rows < columns))
    if below.any() == above.any():
        return matrix
    off = below | above
    return compressed(np.concatenate((rows, columns[off])), np.concatenate((columns, rows[off])),
                      np.concatenate((data, data[off])), matrix.shape, "matrix")


def asymmetry(matrix: SparseRows) -> float:
    """Largest |W_ij - W_ji| relative to sqrt(W_ii W_jj); entries far below the largest of the diagonal count as
    1e-10 of it."""
    other = transposed(matrix)
    square = np.abs(diagonal(matrix))
    size = np.sqrt(np.maximum(square, 1e-10 * square.max(initial=np.finfo(float).tiny)))
    rows = np.concatenate((matrix.entry_rows(), other.entry_rows()))
    columns = np.concatenate((matrix.indices, other.indices))
    data = np.concatenate((matrix.data, -other.data))
    difference = compressed(rows, columns, data, matrix.shape, "matrix")
    worst = np.abs(difference.data) / size[difference.entry_rows()] / size[difference.indices]
    return float(worst.max(initial=0.0))


def diagonal(matrix: SparseRows) -> Floats:
    """Its entries on the diagonal, 0 where there is none."""
    values = np.zeros(matrix.shape[0])
    rows = matrix.entry_rows()
    on = rows == matrix.indices
    values[rows[on]] = matrix.data[on]
    return values


def block_sizes(M: SparseRows, dimension: int) -> Places:
    """Sizes of the smallest blocks of neighbouring velocities that M couples to no other, joined to those of
    rigid bodies (6 in space, 3 in both) where they fit into them."""
    n = M.shape[0]
    rows, columns = M.entry_rows(), M.indices
    off = M.data != 0
    reach = np.arange(n, dtype=np.int64)
    np.maximum.at(reach, np.minimum(rows, columns)[off], np.maximum(rows, columns)[off])
    last = np.flatnonzero(np.maximum.accumulate(reach) == np.arange(n))
    first = np.concatenate(([0], last[:-1] + 1)) if n > 0 else np.zeros(0, dtype=np.int64)
    sizes = last - first + 1
    for body in (6, 3):
        if (body == 3 or dimension == 3) and n % body == 0 and (first % body + sizes <= body).all():
            return np.full(n // body, body, dtype=np.int64)
    return sizes


def blocks_of(M: SparseRows, sizes: Places, name: str = "M") -> Floats:
    """Entries of the blocks, row by row, one block after the other; the mean of both halves."""
    if float((sizes.astype(float) ** 2).sum()) > MOST_NUMBERS:
        raise InputError(f"{name}: couples so many velocities that its dense blocks are too large; number them so "
                         "that those of one body stand together")
    block = np.repeat(np.arange(sizes.size), sizes)
    first = (np.cumsum(sizes) - sizes)[block]
    start = (np.cumsum(sizes**2) - sizes**2)[block]
    rows, columns = M.entry_rows(), M.indices.astype(np.int64)
    apart = (block[rows] != block[columns]) & (M.data != 0)
    if apart.any():
        k = int(np.argmax(apart))
        raise InputError(f"{name}: couples velocities {rows[k]} and {columns[k]}, which are in different blocks")
    inside = block[rows] == block[columns]
    i, j, data = rows[inside], columns[inside], M.data[inside]
    width, size = sizes[block], int((sizes**2).sum())
    values = np.bincount(start[i] + (i - first[i]) * width[i] + j - first[j], weights=data, minlength=size)
    mirror = np.bincount(start[j] + (j - first[j]) * width[j] + i - first[i], weights=data, minlength=size)
    on = np.sqrt(np.abs(diagonal(M)))
    at = start[i] + (i - first[i]) * width[i] + j - first[j]
    wrong = ~(np.abs(values[at] - mirror[at]) <= SAME_HALVES * on[i] * on[j])
    if wrong.any():
        k = int(np.argmax(wrong))
        raise InputError(f"{name}: is not symmetric at row {i[k]}, column {j[k]}")
    return values / 2 + mirror / 2


class Strips(NamedTuple):
    """Groups of rows as dense strips over blocks of velocities."""

    rows: Ints
    strips: Ints
    first_column: Ints
    columns: Ints
    values: Floats


def strips_of(matrix: SparseRows, group_rows: Places, sizes: Places, name: str) -> Strips:
    """The rows of J or G: of each group, which has `group_rows` rows, a strip for each block that it touches."""
    group_of = np.repeat(np.arange(group_rows.size), group_rows)
    block_of = np.repeat(np.arange(sizes.size), sizes)
    first_row = np.cumsum(group_rows) - group_rows
    first_column = np.cumsum(sizes) - sizes
    there = matrix.data != 0
    row, column, data = matrix.entry_rows()[there], matrix.indices[there].astype(np.int64), matrix.data[there]
    group, block = group_of[row], block_of[column]
    strip, which = np.unique(group * max(sizes.size, 1) + block, return_inverse=True)
    strip_group, strip_block = np.divmod(strip, max(sizes.size, 1))
    width = sizes[strip_block]
    room = group_rows[strip_group] * width
    total = int(room.sum())
    if total > MOST_NUMBERS:
        raise InputError(f"{name}: its rows touch too many blocks of M: {total} entries")
    start = np.cumsum(room) - room
    values = np.zeros(total)
    values[start[which] + (row - first_row[group]) * width[which] + column - first_column[block]] = data
    return Strips(group_rows.astype(np.int32),
                  np.bincount(strip_group, minlength=group_rows.size).astype(np.int32),
                  first_column[strip_block].astype(np.int32), width.astype(np.int32), values)


def rows_of_strips(strips: Strips, columns: int) -> SparseRows:
    """The matrix that strips are; what they have in common is added."""
    group = np.repeat(np.arange(strips.rows.size), strips.strips)
    rows = strips.rows.astype(np.int64)
    first_row = np.cumsum(rows) - rows
    width = strips.columns.astype(np.int64)
    room = rows[group] * width
    strip = np.repeat(np.arange(room.size), room)
    at = np.arange(int(room.sum())) - (np.cumsum(room) - room)[strip]
    i, j = np.divmod(at, np.maximum(width[strip], 1))
    there = strips.values != 0
    return compressed((first_row[group][strip] + i)[there], (strips.first_column[strip] + j)[there],
                      strips.values[there], (int(rows.sum()), columns), "matrix")


def matrix_of_blocks(sizes: NDArray[Any], values: Floats) -> SparseRows:
    """The block-diagonal matrix of dense blocks."""
    width = sizes.astype(np.int64)
    block = np.repeat(np.arange(width.size), width**2)
    first = np.cumsum(width) - width
    at = np.arange(values.size) - (np.cumsum(width**2) - width**2)[block]
    i, j = np.divmod(at, np.maximum(width[block], 1))
    there = values != 0
    n = int(width.sum())
    return compressed((first[block] + i)[there], (first[block] + j)[there], values[there], (n, n), "matrix")


def shown(matrix: SparseRows) -> Any:
    """What users get to see: `scipy.sparse.csr_array`, or the same three lists if SciPy is not there."""
    try:
        from scipy.sparse import csr_array
    except ImportError:
        return matrix
    return csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)

