"""Numbers over the frames of a recording, read from the file when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

__all__ = ["Series", "frame_of"]

Array = NDArray[Any]


def frame_of(frame: object, frames: int) -> int:
    """The number of a frame from 0 on; negative ones count from the end."""
    if isinstance(frame, bool) or not isinstance(frame, (int, np.integer)):
        raise TypeError(f"frame: expected a whole number, got {frame!r}")
    number = int(frame) + (frames if frame < 0 else 0)
    if not 0 <= number < frames:
        there = f"{frames}, 0 to {frames - 1}, or -1 to {-frames} from the end" if frames else "none"
        raise IndexError(f"there is no frame {frame}: there are {there}")
    return number


class Series(NDArrayOperatorsMixin):
    """An array whose first axis are the frames of a recording. Nothing is read before it is asked for.

    `series[a:b]` reads these frames and no others; NumPy's functions, operators and `series.values` read
    all. Of a recording that still grows it has the frames that were there at `Recording.refresh`.
    """

    def __init__(
        self,
        read: Callable[[range], Array],
        count: Callable[[], int],
        row: tuple[int, ...] = (),
        dtype: Any = np.float64,
        label: str = "",
    ) -> None:
        self._read = read
        self._count = count
        self._row = row
        self.dtype = np.dtype(dtype)
        self.label = label

    @property
    def shape(self) -> tuple[int, ...]:
        """(frames, ...)"""
        return (self._count(), *self._row)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return 1 + len(self._row)

    @property
    def size(self) -> int:
        """Number of entries."""
        return int(np.prod(self.shape))

    @property
    def values(self) -> Array:
        """All of it, as an array."""
        values: Array = self[:]
        return values

    def __len__(self) -> int:
        return self._count()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __getitem__(self, key: Any) -> Any:
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) and key else (key, ())
        if isinstance(first, (int, np.integer)) and not isinstance(first, (bool, np.bool_)):
            frame = frame_of(first, len(self))
            return self._read(range(frame, frame + 1))[0][rest]
        if isinstance(first, slice):
            asked = range(len(self))[first]
            rows = self._read(asked if asked.step > 0 else asked[::-1])
            return (rows if asked.step > 0 else rows[::-1])[(slice(None), *rest)]
        if first is Ellipsis or first is None or isinstance(first, tuple):
            return self.values[key]
        frames = np.asarray(first)
        if frames.dtype == bool:
            if frames.shape != (len(self),):
                raise IndexError(f"expected a mask of {len(self)} frames, got one of shape {frames.shape}")
            frames = np.flatnonzero(frames)
        if frames.size == 0:
            frames = frames.astype(np.intp)
        elif frames.dtype.kind not in "iu":
            raise IndexError(f"frames are numbers, slices or masks, not {first!r}")
        for extreme in (frames.min(), frames.max()) if frames.size else ():
            frame_of(extreme, len(self))
        frames = np.where(frames < 0, frames + len(self), frames)
        low = int(frames.min()) if frames.size else 0
        rows = self._read(range(low, int(frames.max()) + 1 if frames.size else 0))
        return rows[frames - low][(*(slice(None),) * frames.ndim, *rest)]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("a Series is read from a file: there is no array without a copy")
        values = self.values
        return values if dtype is None else values.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*(np.asarray(x) if isinstance(x, Series) else x for x in inputs), **options)

    def __getattr__(self, name: str) -> Any:
        # min, mean, T, astype ... are those of the whole array.
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"'Series' has no attribute {name!r}")
        return getattr(self.values, name)

    def __repr__(self) -> str:
        return f"<Series {self.label}{': ' if self.label else ''}{self.shape} {self.dtype}>"
