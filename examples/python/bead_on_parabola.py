"""A bead in the valley y = x^2 / 2: free it swings with a known period, with friction it stays on a slope."""

import numpy as np

import stickslip as ss

GRAVITY, START = 9.81, 1.0


class Bead(ss.System):
    coordinates = ("x", "y")
    mass = np.eye(2)
    forces = (0, -GRAVITY)

    def __init__(self, mu):
        self.contacts = (ss.ContactLaw("valley", mu=mu),)

    def gaps(self, t, q):
        return [q[1] - q[0] ** 2 / 2]

    def normals(self, t, q):
        return [[-q[0], 1]]  # the gradient of the gap, which need not have length 1

    def tangents(self, t, q):
        return [[1, q[0]]]


def main():
    angles = (np.arange(64) + 0.5) * np.pi / 128  # x = START sin(angle): T = 4 / sqrt(g) int sqrt(1 + x^2) d(angle)
    exact = 2 * np.pi / np.sqrt(GRAVITY) * np.sqrt(1 + (START * np.sin(angles)) ** 2).mean()
    free, held = (ss.Simulation(Bead(mu), step=1e-3, q=[START, START**2 / 2]) for mu in (0.0, 0.3))
    free.run(until=exact)  # one swing, back to where it was
    held.run(until=5.0)
    print(f"after {exact:.4f} s it is back at {free.q[0]:.6f} m; certified: {free.certified}")
    print(f"with friction it stays on a slope of {abs(held.q[0]):.3f} < 0.3, speed {np.hypot(*held.u):.0e} m/s")
    return free, held


if __name__ == "__main__":
    main()
