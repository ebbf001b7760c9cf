"""What users give as numbers, as arrays of doubles; what is none is said in one line."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError

__all__ = ["axial_vector", "number", "numbers", "shown_only", "vector"]


def numbers(what: str, values: ArrayLike) -> NDArray[np.float64]:
    """The values as an array of doubles in C order; a copy only if they are none yet."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "fiub":
            raise TypeError
        return np.asarray(array, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: expected numbers, got {_short(values)}") from None


def number(what: str, value: object) -> float:
    """The value as a finite number."""
    array = numbers(what, value)  # type: ignore[arg-type]
    if array.size != 1 or not np.isfinite(array).all():
        raise InputError(f"{what}: expected a finite number, got {_short(value)}")
    return float(array.reshape(()))


def vector(what: str, values: ArrayLike, *, planar: bool = False) -> NDArray[np.float64]:
    """Three numbers; in the plane two are enough."""
    array = numbers(what, values)
    if planar and array.shape == (2,):
        return np.array([array[0], array[1], 0.0])
    if array.shape != (3,):
        raise InputError(f"{what}: expected {'2 or 3' if planar else '3'} numbers, got {_short(values)}")
    return array


def axial_vector(what: str, values: ArrayLike) -> NDArray[np.float64]:
    """Three numbers; in the plane one is enough, which is about z."""
    array = numbers(what, values)
    return np.array([0.0, 0.0, float(array)]) if array.ndim == 0 else vector(what, array)


def shown_only(copy: NDArray[np.float64]) -> NDArray[np.float64]:
    """A copy of a state: writing into it would change nothing, so that NumPy refuses it."""
    copy.setflags(write=False)
    return copy


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
