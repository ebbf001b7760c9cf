"""What fields take where numbers, lists of numbers or paths are asked for, as annotations say it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = Union[Sequence[float], NDArray[Any]]
    Rows = Union[Sequence[Union[Sequence[float], NDArray[Any]]], NDArray[Any]]
    WholeNumbers = Union[Sequence[int], NDArray[Any]]
    WholeRows = Union[Sequence[Union[Sequence[int], NDArray[Any]]], NDArray[Any]]
else:
    # Arrays become lists.
    Vector = Sequence[float]
    Rows = Sequence[Sequence[float]]
    WholeNumbers = Sequence[int]
    WholeRows = Sequence[Sequence[int]]

#: Least and largest value; None for none.
Bounds = Sequence[Union[float, None]]
#: Two names.
TwoNames = Sequence[str]
#: A file.
FilePath = Union[str, os.PathLike[str]]
#: What is not held.
Free = Literal["free"]
