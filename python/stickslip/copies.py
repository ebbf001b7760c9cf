"""Which copies of a batch are meant."""

from __future__ import annotations

from typing import Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError

__all__ = ["Where", "picked", "place_of_copy"]

#: Some of n copies: a mask (n,), their numbers, or the number of one; None: all of them.
Where = Union[ArrayLike, None]


def place_of_copy(i: object, n: int) -> int:
    """A number from -n to n - 1 as one from 0."""
    if isinstance(i, bool) or not isinstance(i, (int, np.integer)):
        raise InputError(f"batch: expected the number of a copy, got {i!r}")
    if not -n <= i < n:
        raise IndexError(f"there is no copy {i}; there are {n}")
    return int(i) % n


def picked(where: Where, n: int) -> NDArray[np.int64]:
    """The places of the copies that are meant."""
    if where is None:
        return np.arange(n, dtype=np.int64)
    try:
        given = np.asarray(where)
    except ValueError:
        given = np.array(None)
    if given.dtype == bool and given.shape == (n,):
        return np.flatnonzero(given).astype(np.int64)
    if given.dtype.kind in "iu" and given.ndim <= 1:
        places = [place_of_copy(i, n) for i in np.atleast_1d(given)]
    elif given.shape == (0,):
        places = []
    else:
        raise InputError(f"where: expected a mask of {n} or numbers of copies")
    if len({*places}) < len(places):
        raise InputError("where: a copy is named twice")
    return np.array(places, dtype=np.int64)
