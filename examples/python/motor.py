"""A servo: the hinge of an arm follows a sine that is set from step to step."""

import json

import numpy as np

import stickslip as ss

SCENE = {
    "stickslip": 1,
    "name": "servo",
    "time": {"step": 1e-3, "end": 4},
    "system": {
        "type": "spatial",
        "gravity": [0, 0, -9.81],
        "bodies": [{"name": "arm", "position": [0.25, 0, 0], "shape": {"type": "box", "size": [0.5, 0.05, 0.05]}}],
        "joints": [
            {
                "name": "hinge",
                "type": "revolute",
                "bodies": ["world", "arm"],
                "position": [0, 0, 0],
                "axis": [0, 1, 0],
                "motor": {"position": 0, "max_force": 20, "time_constant": 0.01},
            }
        ],
    },
}


def main() -> float:
    """Prints how well the hinge follows, and returns the largest distance [rad]."""
    sim = ss.Scene.parse(json.dumps(SCENE)).simulation()
    servo, hinge = sim.inputs.joint("hinge"), sim.joints["hinge"]
    worst = 0.0
    for period, max_force in ((2.0, None), (0.5, None), (0.5, 1.0)):
        servo.max_force = max_force
        worst, start = 0.0, sim.time
        while sim.time < start + 4:
            wanted = 0.5 * np.sin(2 * np.pi * sim.time / period)
            servo.target = wanted
            sim.step()
            if sim.time > start + 2:
                worst = max(worst, abs(hinge.coordinate - wanted))
        limit = "the motor's own torque" if max_force is None else f"at most {max_force} N m"
        print(f"period {period} s, {limit}: at most {worst:.3f} rad behind")
    assert sim.certified
    return worst


if __name__ == "__main__":
    main()
