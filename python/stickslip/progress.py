"""How far a run is, on one line of standard error."""

import sys
import time
from typing import TextIO

__all__ = ["ProgressLine"]

_SECONDS_BETWEEN_LINES = 0.1
_BAR = 30


class ProgressLine:
    """Shows how far a run is that ends at `end` [s], or after so many steps. No result depends on it."""

    def __init__(self, start: float, end: float, steps: int | None = None, out: TextIO | None = None) -> None:
        self._start = start
        self._end = end
        self._steps = steps
        self._out = sys.stderr if out is None else out
        self._began = time.monotonic()
        self._shown = -_SECONDS_BETWEEN_LINES
        self._width = 0

    def show(self, at: float, done: int, *, last: bool = False) -> None:
        """The simulation is at the time `at`, and has done so many steps. Writes ten times a second at most."""
        passed = time.monotonic() - self._began
        if not last and passed - self._shown < _SECONDS_BETWEEN_LINES:
            return
        self._shown = passed
        way = self._end - self._start
        parts = [(at - self._start) / way] if 0 < way < float("inf") else []
        if self._steps:
            parts.append(done / self._steps)
        part = min(1.0, max(parts)) if parts else None
        line = f"t = {at:.6g} s, {passed:.1f} s on the clock"
        if part is not None:
            filled = round(_BAR * part)
            left = f", {passed / part * (1 - part):.1f} s to go" if 0 < part < 1 else ""
            line = f"[{'=' * filled}{' ' * (_BAR - filled)}] {100 * part:3.0f} %  {line}{left}"
        self._out.write("\r" + line.ljust(self._width) + ("\n" if last else ""))
        self._out.flush()
        self._width = len(line)
