"""What the Python package costs above C++. Ratios of interleaved runs; `make bench-python` runs it.

usage: overhead.py PROGRAM SCENES
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import stickslip as ss

REPEATS = 9


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def run_against_program(program: str, scene: Path, end: float) -> None:
    """Ten plates on a slope: the time of all steps, without making the scene."""
    ratios = []
    for _ in range(REPEATS):
        command = [program, "run", str(scene), "--threads", "1", "--json", "--set", f"time.end={end}"]
        native = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        sim = ss.Simulation(scene)
        ratios.append(seconds(lambda: sim.run(until=end)) / native["wall_seconds"])
        assert sim.hash == native["hash"], "not the same bits"
    print(f"sim.run of ten bodies / C++            {statistics.median(ratios):.3f}  (of {REPEATS}: {min(ratios):.3f} to {max(ratios):.3f})")


def step_above_run(scene: Path, steps: int) -> None:
    """A call of step() beside a step of run(), whose loop is in C++."""
    above = []
    sim = ss.Simulation(scene)
    sim.run(steps=steps)

    def one_by_one() -> None:
        for _ in range(steps):
            sim.step()

    for _ in range(REPEATS):
        in_run = seconds(lambda: sim.run(steps=steps))
        above.append((seconds(one_by_one) - in_run) / steps * 1e6)
    print(f"sim.step() above a step of C++         {statistics.median(above):.2f} us")


def import_above_numpy() -> None:
    def start(module: str) -> float:
        return seconds(lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True))

    above = [start("stickslip") - start("numpy") for _ in range(2 * REPEATS)]
    print(f"import stickslip above import numpy    {1e3 * statistics.median(above):.0f} ms")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, scenes = sys.argv[1], Path(sys.argv[2])
    run_against_program(program, scenes / "incline-stack.json", end=10)
    step_above_run(scenes / "woodpecker.json", steps=50_000)
    import_above_numpy()
