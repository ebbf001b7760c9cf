"""Memory of a process that makes and drops simulations: flat, or not.

usage: memory.py [HOW MANY]       100,000 unless told; a tenth of them in batches
"""

import gc
import sys

import stickslip as ss

#: What the process may grow by between its first third and its end [MB]: pages that an allocator keeps.
SLACK = 8.0


def resident() -> float:
    """Memory of this process [MB]."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def scene() -> ss.Scene:
    """Three boxes on a floor."""
    boxes = [
        ss.Body(name=f"box{i}", position=(0, 0, 0.5 + i), velocity=(1, 0, 0), shape=ss.Box((1, 1, 1))) for i in range(3)
    ]
    return ss.Scene(
        name="dropped",
        time=ss.Time(step=1e-3, end=1),
        system=ss.Bodies(type="spatial", bodies=[ss.Body(name="floor", type="static", shape=ss.HalfSpace()), *boxes]),
    )


def make_and_drop(of: ss.Scene, count: int) -> None:
    """Simulations that are used in all the ways that keep something."""
    for i in range(0, count, 10):
        for _ in range(9):
            sim = of.simulation()
            q = sim.q
            sim.step()
            sim.inputs.force[1] = 1.0
            sim.bodies["box0"].position, sim.contacts, sim.report, sim.summary, sim.energy
            if i % 100 == 0:
                sim = sim.copy()
            del q
        batch = ss.vectorize(of, 1, threads=2 if i % 1000 == 0 else 1)
        batch.inputs.force[:, 1:] = 1.0
        batch.step()
        batch.reset()
        batch.position, batch.energy, batch.certified


def main(count: int = 100_000) -> None:
    """Prints memory as it goes, and ends with exit code 1 if it grows."""
    of = scene()
    after = []
    for part in range(10):
        make_and_drop(of, count // 10)
        gc.collect()
        after.append(resident())
        print(f"{(part + 1) * (count // 10):8d} simulations: {after[-1]:7.1f} MB", flush=True)
    growth = after[-1] - after[2]
    print(f"{'flat' if growth < SLACK else 'it grows'}: {growth:+.1f} MB since the first {3 * (count // 10)}")
    sys.exit(growth >= SLACK)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
