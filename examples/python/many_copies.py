"""How far a block slides on floors of 64 frictions: copies of one scene, side by side in threads."""

import numpy as np

import stickslip as ss

COPIES = 64
SPEED = 2.0  # [m/s]
GRAVITY = 9.81


def scene() -> ss.Scene:
    """A block that is thrown along the floor."""
    return ss.Scene(
        name="curling",
        time=ss.Time(step=2e-3, end=3),
        system=ss.Bodies(
            type="spatial",
            materials={"default": ss.Material(friction=0.5)},
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfSpace()),
                ss.Body(name="block", position=(0, 0, 0.1), velocity=(SPEED, 0, 0), shape=ss.Box((0.4, 0.4, 0.2))),
            ],
        ),
    )


def main() -> np.ndarray:
    """Prints where blocks come to rest, and returns how far they slid [m]."""
    friction = np.linspace(0.08, 0.8, COPIES)
    batch = ss.vectorize(scene(), COPIES, set=lambda i: {"system.materials.default.friction": friction[i]})
    certified = batch.run()
    way = batch.bodies["block"].position[:, 0]
    assert certified.all()
    assert np.abs(batch.bodies["block"].velocity).max() < 1e-9, "all are at rest"
    print("friction  slides to   v^2 / (2 mu g)")
    for i in range(0, COPIES, 9):
        print(f"{friction[i]:8.3f}  {way[i]:7.4f} m  {SPEED**2 / (2 * friction[i] * GRAVITY):7.4f} m")
    return way


if __name__ == "__main__":
    main()
