"""Scene files as text: read, laid out, written, and changed by overrides."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

import numpy as np

from stickslip._engine import InputError
from stickslip.parts.kinds import shown
from stickslip.parts.part import Part
from stickslip.parts.values import FilePath

#: As `--set` of the command line: {"time.end": 2.0}, or ["time.end=2.0"].
Overrides = Union[Mapping[str, Any], Sequence[str]]

# Objects and lists that fit into a line of this length stay on one; so do lists of numbers.
_LINE_WIDTH = 100
_HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"


# ---- Files ----


def path_of(file: object) -> str:
    """The path of a file. Raises InputError if it is none."""
    try:
        content = os.fsencode(file)  # type: ignore[arg-type]
    except Exception:
        raise InputError(f"{shown(file)} is not a path") from None
    if not content or b"\0" in content:
        raise InputError(f"{shown(file)} is not a path")
    return os.fsdecode(content)


def printable(path: str) -> str:
    """A path in messages, which are one line of UTF-8."""
    text = path.encode("utf-8", "backslashreplace").decode()
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def read_text(file: FilePath) -> str:
    """The text of a scene file. Like the engine, reads only regular files: others may never end."""
    path = path_of(file)

    def refuse(why: str) -> InputError:
        return InputError(f"{printable(path)}: {why}")

    def expect_regular(mode: int) -> None:
        if stat.S_ISDIR(mode):
            raise refuse("is a folder, not a file")
        if not stat.S_ISREG(mode):
            raise refuse("is a device, a pipe or the like; only regular files are read")

    try:
        # Looked at before it is opened, since that alone can move a device; and again after, since it may be another
        # one by then.
        expect_regular(os.stat(path).st_mode)
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with open(descriptor, "rb") as stream:
            expect_regular(os.fstat(descriptor).st_mode)
            content = stream.read()
    except (FileNotFoundError, NotADirectoryError):
        raise refuse("no such file") from None
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}") from None
    if content.startswith(_HDF5_SIGNATURE):
        raise refuse("is a recording, not a scene; stickslip.open() reads its folder")
    return text_of_bytes(content, printable(path))


def text_of_bytes(content: bytes, source: str) -> str:
    """Text in UTF-8, with or without a mark that says so."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + content.count(b"\n", 0, error.start)
        raise InputError(f"{source}:{line}: not valid JSON: byte 0x{content[error.start]:02x} is not UTF-8") from None


def write_scene(text: str, file: FilePath) -> None:
    """Writes a scene file, in place of one that is there; there is never half a scene. A file that is no scene is left
    as it is."""
    path = path_of(file)

    def refuse(why: str) -> InputError:
        return InputError(f"{printable(path)}: cannot be written: {why}")

    draft = f"{path}.{os.getpid()}.draft"
    try:
        _expect_replaceable(path, refuse)
        try:
            with open(draft, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            os.replace(draft, path)
        except BaseException:
            if os.path.lexists(draft):
                os.remove(draft)
            raise
    except OSError as error:
        raise refuse(error.strerror or str(error)) from None


def _expect_replaceable(path: str, refuse: Any) -> None:
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise refuse("is a folder" if stat.S_ISDIR(mode) else "is a device, a pipe or the like")
    with open(path, "rb") as stream:
        begin = stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if begin and not begin.startswith(b"{"):
        raise refuse("is there and is no scene; choose another name")


# ---- JSON ----


def json_of(value: Any, what: str) -> str:
    """A value that Python code gives, parts and arrays included, as JSON. `what` names it in messages."""
    try:
        return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False)
    except InputError:
        raise
    except (TypeError, ValueError, RecursionError):
        raise InputError(f"{what}: {shown(value)} cannot be in a scene: JSON has no such value") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Part):
        return value.to_dict()
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON as people write it: what fits into a line stays on one."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    is_flat = not isinstance(value, (dict, list)) or (value and type(value) is list and _is_number(value[0]))
    if is_flat or indent + len(line) <= _LINE_WIDTH:
        return line
    margin = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {laid_out(part, indent + 2)}" for key, part in value.items()]
    else:
        parts = [laid_out(part, indent + 2) for part in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return begin + "\n" + ",\n".join(margin + part for part in parts) + "\n" + " " * indent + end


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


# ---- Overrides ----


def assignments_of(overrides: Overrides) -> list[str]:
    """Overrides as the engine takes them: "path.to.field=value" with JSON values."""
    if isinstance(overrides, Mapping):
        return [_assignment(path, value) for path, value in overrides.items()]
    if not isinstance(overrides, (list, tuple)):
        raise InputError(f'set: expected a dict like {{"time.end": 2.0}} or a list like ["time.end=2"], not '
                         f"{shown(overrides)}")
    for assignment in overrides:
        if not isinstance(assignment, str):
            raise InputError(f'set: expected "path.to.field=value", not {shown(assignment)}')
    return [_utf8(assignment) for assignment in overrides]


def _assignment(path: object, value: object) -> str:
    if not isinstance(path, str) or not path or "=" in path:
        raise InputError(f'set: {shown(path)} is not a path like "time.end"')
    return _utf8(f"{path}={json_of(value, f'set: {printable(path)}')}")


def _utf8(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"set: {shown(text)} holds half of a character, which UTF-8 cannot write") from None
    return text


def apply(assignments: Iterable[str], scene: dict[str, Any]) -> None:
    """Does with parsed JSON what the engine does with its own; it has accepted the assignments before."""
    for assignment in assignments:
        path, _, text = assignment.partition("=")
        *way, last = path.split(".")
        at: Any = scene
        for key in way:
            entry = _place(at, key)
            if isinstance(at, list):
                at[entry] = {} if at[entry] is None else at[entry]
            elif at.get(entry) is None:
                at[entry] = {}
            at = at[entry]
        at[_place(at, last)] = _value(text)


def _place(at: Any, key: str) -> Any:
    if not isinstance(at, list):
        return key
    if key.isascii() and key.isdigit():
        return int(key)
    return next(i for i, entry in enumerate(at) if isinstance(entry, dict) and entry.get("name") == key)


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except ValueError:
        return text


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")
