"""The woodpecker toy of Glocker & Studer (2005), section 4, from the data of their Table I: its limit cycle."""

import numpy as np

import stickslip as ss


class Woodpecker(ss.System):
    coordinates = ("y", "phi_M", "phi_S")  # height and angle of the sleeve, angle of the bird
    contacts = (ss.ContactLaw("beak", mu=0.3, e_n=0.5), ss.ContactLaw("lower", mu=0.3), ss.ContactLaw("upper", mu=0.3))
    r_O, r_M, h_M, l_M, l_G, h_S, l_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201  # [m]
    m_M, m_S, J_M, J_S, c, g = 3e-4, 4.5e-3, 5e-9, 7e-7, 0.0056, 9.81  # [kg], [kg m^2], [N m / rad], [m / s^2]

    mass = m_S * np.outer([1, l_M, l_G], [1, l_M, l_G]) + np.diag([m_M, J_M, J_S])
    weight = np.array([m_S + m_M, m_S * l_M, m_S * l_G]) * g
    normals = np.array([[0, 0, -h_S], [0, h_M, 0], [0, -h_M, 0]])
    tangents = np.array([[1, l_M, l_G - l_S], [1, r_M, 0], [1, r_M, 0]])

    def forces(self, t, q, u):
        return self.c * (q[1] - q[2]) * np.array([0, -1, 1]) - self.weight

    def gaps(self, t, q):
        return np.array([self.l_M + self.l_G - self.l_S - self.r_O, *[self.r_M - self.r_O] * 2]) + self.normals @ q


def main():
    start = {"q": [0, -0.1036, -0.2788], "u": [-0.3411, 0, -7.4583]}
    sim = ss.Simulation(Woodpecker(), step=2e-5, method="glocker-studer", **start)
    passes = []  # time and height where the sleeve turns upwards through its middle position
    while sim.time < 2.0:
        before, _ = sim.q[1], sim.step()
        if before < 0 <= sim.q[1]:
            passes.append((sim.time, -sim.q[0]))
    period, drop = np.diff(passes, axis=0)[-5:].mean(axis=0)
    print(f"period {1e3 * period:.2f} ms, {1e3 * drop:.3f} mm down each; certified: {sim.certified}")
    return sim, period, drop


if __name__ == "__main__":
    main()
