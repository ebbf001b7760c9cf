"""Reads a recording: how often, and how much less each time, a ball of rubber bounces.

What is asked for is read from the file, and no more. Prints the height of each bounce, and the restitution that
follows from two bounces; the scene has 0.8."""

import tempfile
from pathlib import Path

import numpy as np

import stickslip as ss


def bouncing_ball() -> ss.Scene:
    """A ball of 0.1 m that falls from a height of 1 m."""
    return ss.Scene(
        name="bouncing ball",
        time=ss.Time(step=5e-4, end=4.0),
        method=ss.Method(preset="glocker-studer"),
        system=ss.Bodies(
            materials={"default": ss.Material(friction=0.3, restitution=0.8)},
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfSpace()),
                ss.Body(name="ball", position=[0, 0, 1.1], velocity=[0.5, 0, 0], shape=ss.Sphere(0.1)),
            ],
        ),
    )


def bounces(recording: ss.Recording) -> np.ndarray:
    """The highest point of each flight [m] above the floor, where the velocity changes its sign."""
    z, v = recording["ball"].position[:, 2] - 0.1, recording["ball"].velocity[:, 2]
    return np.asarray(z[:-1][(v[:-1] > 0) & (v[1:] <= 0)])


def main() -> float:
    """Prints the bounces, and returns the restitution between the first two of them."""
    with tempfile.TemporaryDirectory() as folder:
        # `stickslip run SCENE --out FOLDER` writes the same file.
        bouncing_ball().simulation().run(record=Path(folder) / "ball")
        with ss.open(Path(folder) / "ball") as recording:
            heights = bounces(recording)
            hits = recording.contact_count[:] > 0
            print(f"{recording.name}: {len(recording)} frames, certified: {recording.certified[:].all()}")
            print(f"on the floor in {hits.sum()} of them, first at {recording.time[np.argmax(hits)]:.3f} s")
    print("bounces to " + ", ".join(f"{height:.3f}" for height in heights[:5]) + " m")
    restitution = float(np.sqrt(heights[1] / heights[0]))
    print(f"restitution from the first two bounces: {restitution:.3f}")
    return restitution


if __name__ == "__main__":
    main()
