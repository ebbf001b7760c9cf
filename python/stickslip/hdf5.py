"""h5py, where it is needed, and what goes wrong with its files in our words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from stickslip._engine import InputError

__all__ = ["import_h5py", "reading"]


def import_h5py() -> Any:
    """The module; an ImportError that says what to install if it is not there."""
    try:
        import h5py
    except ImportError:
        raise ImportError('recordings need h5py: pip install "stickslip[recordings]"') from None
    return h5py


@contextlib.contextmanager
def reading(path: object) -> Iterator[None]:
    """Turns what HDF5 says about a file that is damaged, or something else, into an InputError."""
    try:
        yield
    except InputError:
        raise
    except (OSError, KeyError, RuntimeError, TypeError, ValueError, UnicodeDecodeError) as error:
        reason = str(error.args[0] if error.args else error).strip().splitlines()
        raise InputError(f"{path}: not a readable recording: {reason[0] if reason else 'damaged'}") from error
