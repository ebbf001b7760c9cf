"""What a batch gains: 64 copies of ten bodies on two threads, against the same copies run one after the other.

usage: batch.py [SCENE]           scenes/incline-stack.json unless told; `make bench-python` runs it

Ratios of interleaved runs. What else runs on the machine takes from the batch's second thread: the ratio of
processor times, 1 where a batch costs nothing by itself, says how much the other one may be believed.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import stickslip as ss

COPIES = 64
THREADS = 2
STEPS = 100
REPEATS = 5


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of all processors."""
    clock, processors = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processors


def measure(of: ss.Scene, name: str, work: Callable[[ss.Batch], object]) -> None:
    """Prints how much faster work(batch) is than single runs of as many steps."""
    batch = ss.vectorize(of, COPIES, threads=THREADS)
    sims = [of.simulation() for _ in range(COPIES)]

    def one_by_one() -> None:
        for sim in sims:
            sim.run(steps=STEPS)

    gains, costs = [], []
    for _ in range(REPEATS):
        single, together = seconds(one_by_one), seconds(lambda: work(batch))
        gains.append(single[0] / together[0])
        costs.append(together[1] / single[1])
        assert batch.hashes == [sim.hash for sim in sims], "not the same bits"
    gain, spread = statistics.median(gains), f"{min(gains):.2f} to {max(gains):.2f}"
    print(f"{name:38}{gain:5.2f} x  ({spread}, processor time {statistics.median(costs):.2f} x)")


def step_by_step(batch: ss.Batch) -> None:
    """As an agent does: look and push before each step."""
    for _ in range(STEPS):
        batch.inputs.generalized[:, 0] = 0.0 * batch.u[:, 0]
        batch.step()


def main(scene: str | None = None) -> None:
    """Prints the gain of runs, and of steps with looks and forces between them."""
    of = ss.Scene.load(scene or Path(__file__).resolve().parents[2] / "scenes" / "incline-stack.json")
    print(f"{COPIES} copies of {of.model.name} on {THREADS} threads / one after the other, median of {REPEATS}")
    measure(of, "batch.run", lambda batch: batch.run(steps=STEPS))
    measure(of, "batch.step, with looks and forces", step_by_step)


if __name__ == "__main__":
    main(*sys.argv[1:])
