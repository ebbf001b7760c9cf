"""Painleve's rod: pushed along the floor below and above the critical friction, and what one step does with it."""

import numpy as np

import stickslip as ss

LENGTH, ANGLE, GRAVITY = 1.0, np.radians(65), 9.81


class Rod(ss.System):
    coordinates = ("x", "y", "theta")  # of the centre of 1 kg; angle from the floor y = 0
    mass = np.diag([1, 1, LENGTH**2 / 12])
    forces = np.array([0, -GRAVITY, 0])

    def __init__(self, mu):
        self.contacts = (ss.ContactLaw("tip", mu=mu),)

    def gaps(self, t, q):
        return [q[1] - LENGTH / 2 * np.sin(q[2])]

    def normals(self, t, q):
        return [[0, 1, -LENGTH / 2 * np.cos(q[2])]]

    def tangents(self, t, q):
        return [[1, 0, LENGTH / 2 * np.sin(q[2])]]


def main():
    critical = (np.tan(ANGLE) ** 2 + 4) / (3 * np.tan(ANGLE))  # no finite contact force beyond: Painleve's paradox
    print(f"critical friction {critical:.4f}\n    mu   tip before   tip after   impulse")
    steps, start = [], {"q": {"y": LENGTH / 2 * np.sin(ANGLE), "theta": ANGLE}, "u": {"x": -1}}
    for mu in np.array([0.5, 0.99, 1.01, 2]) * critical:
        sim = ss.Simulation(Rod(mu), step=1e-4, method="glocker-studer", **start)
        steps.append((sim.step(), mu / critical, sim.contacts["gamma"][0, 1], sim.contacts["p"][0, 0]))
        print(f"{mu:6.3f} {-1:12.6f} {steps[-1][2]:11.6f} {steps[-1][3]:9.6f}")
    return steps


if __name__ == "__main__":
    main()
