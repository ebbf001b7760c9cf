"""h5py, where it is needed, and what goes wrong with its files in our words."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stickslip._engine import InputError

__all__ = ["import_h5py", "open_to_read", "reading"]

# With more of them HDF5 tries for ever to read what is damaged in a file that seems to be written.
_READ_ATTEMPTS = 20


def import_h5py() -> Any:
    """The module; an ImportError that says what to install if it is not there."""
    try:
        import h5py
    except ImportError:
        raise ImportError('recordings and contact problems in files need h5py: pip install "stickslip[recordings]"') from None
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


def open_to_read(path: Path) -> tuple[Any, bool]:
    """The file, and whether its writer has closed it."""
    h5py = import_h5py()
    # A run that was killed, or still goes on, left the file marked as being written.
    for flags, is_closed in ((h5py.h5f.ACC_RDONLY, True), (h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ, False)):
        access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
        access.set_fclose_degree(_close_degree())
        _limit_attempts(h5py, access)
        try:
            return h5py.File(h5py.h5f.open(os.fsencode(path), flags, access)), is_closed
        except OSError as error:
            if not is_closed:
                raise error
    raise AssertionError


@functools.cache
def _close_degree() -> int:
    """How h5py closes its files: those who open one file in one process must agree."""
    with import_h5py().File("none", "w", driver="core", backing_store=False) as file:
        return int(file.id.get_access_plist().get_fclose_degree())


def _limit_attempts(h5py: Any, access: Any) -> None:
    """What h5py has no function for: that of the HDF5 library it uses."""
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(h5py.h5p.__file__)
        library.H5Pset_metadata_read_attempts(ctypes.c_int64(access.id), ctypes.c_uint(_READ_ATTEMPTS))
