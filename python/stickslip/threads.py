"""Threads that the engine may use. Results have the same bits for every number of them."""

from stickslip import _engine

__all__ = ["set_threads", "threads"]


def set_threads(count: int) -> None:
    """Lets so many threads work on a step, the calling one included; 0 takes all the machine has.

    One is the setting at the start. The threads are those of the whole process.
    """
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= _MOST_THREADS:
        raise _engine.InputError(f"threads: expected a whole number from 0 to {_MOST_THREADS}, got {count!r}")
    _engine.set_thread_count(count)


def threads() -> int:
    """How many threads work on a step."""
    return _engine.thread_count()


_MOST_THREADS = 1024
