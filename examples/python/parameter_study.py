"""A study over many processes with Dask: how steep a slope may be for a stack, over friction and slope.

    python parameter_study.py                        two processes on this machine
    python parameter_study.py tcp://scheduler:8786   a cluster that is there

It needs Dask: pip install "stickslip[studies]".
"""

import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import stickslip as ss

if TYPE_CHECKING:
    from distributed import Client

FRICTIONS = (0.2, 0.4, 0.6)
SLOPES = (0.1, 0.3, 0.5)  # the tangent


class Outcome(NamedTuple):
    """What came of a run; it goes from process to process."""

    friction: float
    slope: float
    way: float  # of the upper box down the slope [m]
    hash: str  # of the last state: its exact bits
    summary: ss.RunSummary


def scene() -> ss.Scene:
    """Two boxes on a floor; the slope is in gravity."""
    return ss.Scene(
        name="stack-on-slope",
        time=ss.Time(step=2e-3, end=0.3),
        system=ss.Bodies(
            type="planar",
            materials={"default": ss.Material(friction=0.5)},
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfPlane()),
                ss.Body(name="lower", position=(0, 0.1), shape=ss.Box((0.4, 0.2))),
                ss.Body(name="upper", position=(0, 0.3), shape=ss.Box((0.4, 0.2))),
            ],
        ),
    )


def run(of: ss.Scene, friction: float, slope: float) -> Outcome:
    """One run of the study: a function of numbers, which any process can call."""
    down = 9.81 * np.array([slope, -1]) / np.hypot(slope, 1)
    sim = of.with_({"system.materials.default.friction": friction, "system.gravity": down.tolist()}).simulation()
    summary = sim.run()
    return Outcome(friction, slope, float(sim.bodies["upper"].position[0]), sim.hash, summary)


def two_processes() -> "Client":
    """A cluster of this machine alone, which nobody else can reach; closing the client ends it."""
    from distributed import Client

    return Client(n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None)


def main(scheduler: str | None = None) -> list[Outcome]:
    """Runs the study and prints a table."""
    from distributed import Client

    points = [(friction, slope) for friction in FRICTIONS for slope in SLOPES]
    frictions, slopes = zip(*points)
    with Client(scheduler) if scheduler else two_processes() as client:
        outcomes = client.gather(client.map(run, [scene()] * len(points), frictions, slopes))
    print("friction  slope  slides")
    for o in outcomes:
        print(f"{o.friction:8.1f}  {o.slope:5.1f}  {abs(o.way):6.3f} m{'' if o.summary.certified else '  not certified'}")
    assert outcomes == [run(scene(), *point) for point in points], "the same bits in every process"
    return outcomes


if __name__ == "__main__":
    main(*sys.argv[1:])
