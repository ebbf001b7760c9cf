"""A four-bar linkage: a motor turns the crank, the rocker swings.

The linkage closes a loop, so that four hinges hold more than there is to hold. The angles of the joints are compared
with the geometry of the loop. Prints the largest difference and how far the rocker swings."""

import numpy as np

import stickslip as ss

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.6, 0.5, 0.6  # lengths [m]
SPEED = 2 * np.pi  # of the crank [rad/s]


def pins(crank: float) -> np.ndarray:
    """Where the four joints are when the crank has this angle [rad]: rows x, y [m]."""
    a, d = np.zeros(2), np.array([GROUND, 0.0])
    b = CRANK * np.array([np.cos(crank), np.sin(crank)])
    # C is where two circles cross, about B and D, above the line between these.
    diagonal = np.linalg.norm(d - b)
    along = (COUPLER**2 - ROCKER**2 + diagonal**2) / (2 * diagonal)
    across = np.sqrt(COUPLER**2 - along**2)
    unit = (d - b) / diagonal
    c = b + along * unit + across * np.array([-unit[1], unit[0]])
    return np.array([a, b, c, d])


def rocker_angle(crank: float) -> float:
    """Of the line from D to C [rad]."""
    _, _, c, d = pins(crank)
    return float(np.arctan2(c[1] - d[1], c[0] - d[0]))


def four_bar(start: float) -> ss.Scene:
    """The linkage with the crank at this angle [rad]."""
    a, b, c, d = pins(start)
    system = ss.Bodies(type="planar")
    for name, begin, end in [("crank", a, b), ("coupler", b, c), ("rocker", d, c)]:
        x, y = end - begin
        bar = ss.Body(name=name, position=(begin + end) / 2, angle=np.arctan2(y, x))
        bar.shape = ss.Box([np.hypot(x, y), 0.02], density=50)
        system.bodies.append(bar)
    for name, first, second, place in [
        ("A", "world", "crank", a),
        ("B", "crank", "coupler", b),
        ("C", "coupler", "rocker", c),
        ("D", "world", "rocker", d),
    ]:
        system.joints.append(ss.RevoluteJoint([first, second], name=name, position=place))
    system.no_collision = [["crank", "rocker"]]
    scene = ss.Scene(name="four-bar linkage", time=ss.Time(step=1e-3, end=1.0), system=system)
    motor = scene.joints["A"]
    assert isinstance(motor, ss.RevoluteJoint)
    motor.motor = ss.Motor(velocity=SPEED, max_force=100)
    return scene


def main(start: float = 0.5) -> float:
    sim = four_bar(start).simulation()
    rocker: list[float] = []
    errors: list[float] = []

    def compare(sim: ss.Simulation) -> None:
        expected = rocker_angle(start + sim.joints["A"].coordinate) - rocker_angle(start)
        rocker.append(sim.joints["D"].coordinate)
        errors.append(abs(rocker[-1] - expected))

    sim.run(after=compare)
    turns = sim.joints["A"].coordinate / (2 * np.pi)
    print(f"the crank has turned {turns:.3f} times; the rocker swings by {np.degrees(np.ptp(rocker)):.2f} degrees")
    print(f"joint D differs from the geometry of the loop by at most {max(errors):.1e} rad")
    torque = sim.joints["A"].drive[0]
    print(f"the motor's torque in the last step: {torque:.3f} N m; certified: {sim.summary.certified}")
    return max(errors)


if __name__ == "__main__":
    main()
