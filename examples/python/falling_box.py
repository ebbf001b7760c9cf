"""A scene made of objects: a box falls on a floor and comes to rest. Prints how high it rests, and whether every step
is certified."""

import stickslip as ss


def falling_box(height: float) -> ss.Scene:
    """A box of 0.2 m whose centre starts at this height [m], a little tilted."""
    return ss.Scene(
        name="falling box",
        time=ss.Time(step=1e-3, end=2.0),
        system=ss.Bodies(
            materials={"default": ss.Material(friction=0.4)},
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfSpace()),
                ss.Body(
                    name="box",
                    position=[0, 0, height],
                    orientation=ss.AxisAngle([1, 2, 0], 0.3),
                    shape=ss.Box([0.2, 0.2, 0.2], density=500),
                ),
            ],
        ),
    )


def main() -> float:
    scene = falling_box(0.5)
    sim = scene.simulation()
    summary = sim.run()
    height = float(sim.bodies["box"].position[2])
    print(f"after {sim.time:.2f} s the box rests at z = {height:.9f} m (half its side is 0.1 m)")
    print(f"{summary.steps} steps, certified: {summary.certified}")
    return height


if __name__ == "__main__":
    main()
