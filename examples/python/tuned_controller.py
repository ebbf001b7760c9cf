"""A pole on a cart, kept upright by a controller whose gains are found by running simulations.

The cart is pushed along its rail by F = k . (x, v, angle, omega). The search changes k at random and
keeps what is better: by how far the cart goes, how far the pole leans, and how hard is pushed.
"""

import json

import numpy as np

import stickslip as ss

SCENE = {
    "stickslip": 1,
    "name": "pole on a cart",
    "time": {"step": 5e-3, "end": 4},
    "system": {
        "type": "planar",
        "gravity": [0, -9.81],
        "bodies": [
            {"name": "cart", "position": [0, 0], "mass": 2, "inertia": 0.1},
            {"name": "pole", "position": [0, 0.5], "mass": 0.5, "inertia": 0.04, "angular_velocity": 0.6},
        ],
        "joints": [
            {"name": "rail", "type": "prismatic", "bodies": ["world", "cart"], "position": [0, 0], "axis": [1, 0]},
            {"name": "pivot", "type": "revolute", "bodies": ["cart", "pole"], "position": [0, 0]},
        ],
    },
}


def cost(model: ss.Scene, gains: np.ndarray) -> float:
    """How badly the pole is kept upright, until it falls or the time is over."""
    sim = model.simulation()
    push = sim.inputs.joint("rail").force
    total = 0.0
    while sim.time < 4:
        x, angle, v, omega = sim.q[0], sim.q[5], sim.u[0], sim.u[5]
        if abs(angle) > 1:
            return 1000 * (5 - sim.time)
        push[0] = gains @ (x, v, angle, omega)
        total += x**2 + 10 * angle**2 + 1e-4 * push[0] ** 2
        sim.step()
    return total


def main() -> float:
    """Tunes the gains, prints them, and returns the cost of the best."""
    scene, random = ss.Scene.parse(json.dumps(SCENE)), np.random.default_rng(1)
    gains, best = np.zeros(4), np.inf
    for _ in range(200):
        tried = gains + 0.3 * random.normal(size=4) * (np.abs(gains) + (5, 10, 60, 10))
        if (found := cost(scene, tried)) < best:
            gains, best = tried, found
            print(f"cost {best:8.2f} with gains {np.round(gains, 1)}")
    return best


if __name__ == "__main__":
    main()
