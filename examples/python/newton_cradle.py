"""Newton's cradle, built by a loop: the first ball swings in, and only the last one swings out.

The balls hang a little apart, so that they hit each other one after another; balls that touch share the impact in one
step, as scenes/cradle.json shows. Prints the speeds just before and after, and how far the last ball rises."""

import numpy as np

import stickslip as ss

RADIUS, GAP, LENGTH, MASS = 0.05, 1e-3, 1.0, 0.5  # [m], [m], [m], [kg]


def cradle(count: int, angle: float) -> ss.Scene:
    """So many balls; the first one starts at this angle from the vertical [rad]."""
    bodies, joints = [], []
    for i in range(count):
        x = i * (2 * RADIUS + GAP)
        swing = angle if i == 0 else 0.0
        place = np.array([x - LENGTH * np.sin(swing), LENGTH * (1 - np.cos(swing))])
        bodies.append(ss.Body(name=f"ball{i}", position=place, mass=MASS, shape=ss.Disk(RADIUS)))
        joints.append(ss.DistanceJoint(["world", f"ball{i}"], name=f"string{i}", point_a=[x, LENGTH], collide=True))
    return ss.Scene(
        name=f"cradle of {count}",
        time=ss.Time(step=1e-4, end=1.0),
        system=ss.Bodies(
            type="planar",
            materials={"default": ss.Material(friction=0, restitution=1)},
            bodies=bodies,
            joints=joints,
        ),
    )


def main(count: int = 5, angle: float = 0.5) -> tuple[float, float]:
    sim = cradle(count, angle).simulation()
    first, last = sim.bodies["ball0"], sim.bodies[f"ball{count - 1}"]
    speed = 0.0
    while last.velocity[0] < 0.1:  # until it is hit
        speed = max(speed, float(first.velocity[0]))
        sim.step()
    expected = np.sqrt(2 * 9.81 * LENGTH * (1 - np.cos(angle)))
    print(f"speed of the first ball: {speed:.4f} m/s; sqrt(2 g L (1 - cos)) = {expected:.4f} m/s")
    print("speeds after the impacts: " + ", ".join(f"{v:.4f}" for v in sim.bodies.velocity[:, 0]))
    rise = 0.0
    while last.velocity[1] >= 0:
        rise = float(last.position[1])
        sim.step()
    print(f"the last ball rises by {rise:.4f} m; the first one began at {LENGTH * (1 - np.cos(angle)):.4f} m")
    return speed, rise


if __name__ == "__main__":
    main()
