"""Threads that the engine may use. Results have the same bits for every number of them."""

from __future__ import annotations

import os

from stickslip import _engine

__all__ = ["set_threads", "threads"]


def set_threads(count: int) -> None:
    """Lets so many threads work on a step, the calling one included; 0 takes all the machine has.

    One is the setting at the start. The threads are those of the whole process.
    """
    _engine.set_thread_count(_checked(count))


def threads() -> int:
    """How many threads work on a step."""
    return _engine.thread_count()


def team_of(count: int | None, most: int) -> _engine.ThreadTeam | None:
    """Threads apart from those of the process, at most so many; 0 takes all the machine has, None none apart."""
    if count is None:
        return None
    return _engine.ThreadTeam(min(_checked(count) or os.cpu_count() or 1, most))


_MOST_THREADS = 1024


def _checked(count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_THREADS:
        raise _engine.InputError(f"threads: expected a whole number from 0 to {_MOST_THREADS}, got {count!r}")
    return count
