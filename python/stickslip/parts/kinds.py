"""What a field of a part of a scene can hold: numbers, words, lists of them.

`take` makes what is kept from what Python code or a scene file gives: plain numbers, strings and lists, whatever they
were before; arrays are copied. `plain` makes what a file holds from what is kept, and checks it once more, since lists
can be changed in place. Both raise Wrong.
"""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

_LONGEST_SHOWN = 60


def shown(value: object) -> str:
    """A value as it appears in a message."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    text = " ".join(text.split()).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


class Wrong(Exception):
    """A value that a field cannot hold; `path` leads to it, from the inside out."""

    def __init__(self, problem: str, *path: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = list(path)

    def within(self, step: str | int) -> Wrong:
        """The same, seen from one level further out."""
        self.path.append(step)
        return self

    def pointer(self) -> str:
        """The path as a JSON pointer: /system/bodies/0/mass."""
        return "".join("/" + _step(step).replace("~", "~0").replace("/", "~1") for step in reversed(self.path)) or "/"

    def attribute(self) -> str:
        """The path as in Python: .bodies[0].mass."""
        return "".join(f"[{step}]" if isinstance(step, int) else f".{_step(step)}" for step in reversed(self.path))


def _step(step: str | int) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in str(step))


class Kind:
    """What a field can hold."""

    words = "a value"
    null: str | None = None  # the word that stands for null in a file; in Python, None leaves a field out

    def take(self, value: Any) -> Any:
        raise NotImplementedError

    def plain(self, value: Any) -> Any:
        return self.take(value)

    def refuse(self, value: object) -> Wrong:
        return Wrong(f"{shown(value)} is not {self.words}")


class Number(Kind):
    words = "a finite number"

    def take(self, value: Any) -> Any:
        number = value if type(value) in (float, int) else self.converted(value)
        try:
            if math.isfinite(number):
                return number
        except OverflowError:
            raise Wrong("a whole number beyond all others; expected a finite number") from None
        raise self.refuse(value)

    def converted(self, value: Any) -> float | int:
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value.item()
        if isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(value, numbers.Real):
            raise self.refuse(value)
        try:
            return int(value) if isinstance(value, numbers.Integral) else float(value)
        except Exception:
            raise self.refuse(value) from None


class WholeNumber(Number):
    words = "a whole number"

    def take(self, value: Any) -> Any:
        number = super().take(value)
        if number != int(number):
            raise self.refuse(value)
        return int(number)


class Flag(Kind):
    words = "True or False"

    def take(self, value: Any) -> Any:
        if not isinstance(value, (bool, np.bool_)):
            raise self.refuse(value)
        return bool(value)


class Text(Kind):
    words = "a string"

    def take(self, value: Any) -> Any:
        if not isinstance(value, str):
            raise self.refuse(value)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Wrong(f"{shown(value)} holds half of a character, which UTF-8 cannot write") from None
        return str(value)


class Path(Text):
    words = "a string or path"

    def take(self, value: Any) -> Any:
        try:
            return super().take(os.fspath(value) if isinstance(value, os.PathLike) else value)
        except Wrong:
            raise
        except Exception:
            raise self.refuse(value) from None


class Choice(Text):
    """One of some words."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = tuple(choices)
        self.words = "one of " + ", ".join(f'"{choice}"' for choice in choices)

    def take(self, value: Any) -> Any:
        if not isinstance(value, str) or value not in self.choices:
            raise Wrong(f"{shown(value)} is not known; choose from: {', '.join(self.choices)}")
        return str(value)


class WordForNull(Choice):
    """A word in Python for what is null in a file."""

    def __init__(self, word: str) -> None:
        super().__init__([word])
        self.words = f'"{word}"'
        self.null = word

    def plain(self, value: Any) -> Any:
        self.take(value)
        return None


class Optional(Kind):
    """Or None, which is null in a file: an entry of a list."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.words = f"{kind.words} or None"

    def take(self, value: Any) -> Any:
        try:
            return None if value is None else self.kind.take(value)
        except Wrong as wrong:
            raise wrong if wrong.path else self.refuse(value) from None


class ListOf(Kind):
    words = "a list"

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def take(self, value: Any) -> Any:
        return self.each(value, self.kind.take)

    def plain(self, value: Any) -> Any:
        return self.each(value, self.kind.plain)

    def entries(self, value: Any) -> list[Any]:
        if type(value) is list:
            return value
        if isinstance(value, (str, bytes, bytearray, memoryview)):
            raise self.refuse(value)
        try:
            # Arrays of NumPy, and of whatever can become one.
            if not isinstance(value, Sequence) and hasattr(value, "__array__") and np.ndim(value) > 0:
                return list(np.asarray(value).tolist())
            if isinstance(value, Sequence):
                return list(value)
        except MemoryError:
            raise
        except Exception:
            pass
        raise self.refuse(value)

    def each(self, value: Any, use: Callable[[Any], Any]) -> list[Any]:
        entries = self.entries(value)
        if type(self.kind) is Number and _are_plain_numbers(entries):
            return entries.copy()
        made: list[Any] = []
        try:
            for entry in entries:
                made.append(use(entry))
        except Wrong as wrong:
            raise wrong.within(len(made)) from None
        return made


def _are_plain_numbers(entries: list[Any]) -> bool:
    try:
        return set(map(type, entries)) <= {float, int} and all(map(math.isfinite, entries))
    except OverflowError:
        return False


class DictOf(Kind):
    words = "a dict"

    def __init__(self, key: Kind, kind: Kind) -> None:
        self.key = key
        self.kind = kind

    def take(self, value: Any) -> Any:
        return self.each(value, self.kind.take)

    def plain(self, value: Any) -> Any:
        return self.each(value, self.kind.plain)

    def each(self, value: Any, use: Callable[[Any], Any]) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise self.refuse(value)
        made = {}
        for key, entry in value.items():
            name = self.key.take(key)
            try:
                made[name] = use(entry)
            except Wrong as wrong:
                raise wrong.within(name) from None
        return made


class Either(Kind):
    """One of some kinds: the first that fits."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = tuple(kinds)
        self.words = " or ".join(kind.words for kind in kinds)
        self.null = next((kind.null for kind in kinds if kind.null is not None), None)

    def take(self, value: Any) -> Any:
        return self.first(value, lambda kind: kind.take(value))

    def plain(self, value: Any) -> Any:
        return self.first(value, lambda kind: kind.plain(value))

    def first(self, value: Any, use: Callable[[Kind], Any]) -> Any:
        closest = self.refuse(value)
        for kind in self.kinds:
            try:
                return use(kind)
            except Wrong as wrong:
                if len(wrong.path) > len(closest.path):
                    closest = wrong
        raise closest
