"""What is found by name or by number, and what is said where there is none of the name."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

import numpy as np

from stickslip._engine import InputError

__all__ = ["Named", "place_of"]

Handle = TypeVar("Handle")


def place_of(what: str, key: object, places: Mapping[str, int]) -> int:
    """The place of a name or a number among `places`; near names are said for one that is not there."""
    if isinstance(key, str):
        place = places.get(key)
        if place is not None:
            return place
        near = difflib.get_close_matches(key, places, n=3)
        raise InputError(f"there is no {what} {key!r}; {_instead(near, places)}")
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
        place = int(key) + (len(places) if key < 0 else 0)
        if 0 <= place < len(places):
            return place
    raise InputError(f"there is no {what} {key!r}; there are {len(places)}")


def _instead(near: list[str], places: Mapping[str, int]) -> str:
    if near:
        return f"is it {' or '.join(map(repr, near))}?"
    if not places:
        return "there are none"
    names = list(places)
    return f"there are {', '.join(names[:8])}{f', ... {len(names)} in all' if len(names) > 8 else ''}"


class Named(Generic[Handle]):
    """Things with names, whose places are those of arrays."""

    _what = ""  # one of them
    _several = ""

    def __init__(self, places: Mapping[str, int]) -> None:
        self._places = places

    @property
    def names(self) -> list[str]:
        """In the order of the arrays."""
        return list(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[Handle]:
        return (self._handle(i) for i in range(len(self._places)))

    def __getitem__(self, key: str | int) -> Handle:
        return self._handle(place_of(self._what, key, self._places))

    def _handle(self, place: int) -> Handle:
        raise NotImplementedError

    def __repr__(self) -> str:
        what = self._what if len(self) == 1 else self._several
        return f"<{len(self)} {what}{': ' if len(self) else ''}{', '.join(self.names[:8])}{', ...' if len(self) > 8 else ''}>"
