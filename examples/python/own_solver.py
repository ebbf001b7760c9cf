"""A solver of one's own, projected Gauss-Seidel, as the solver of a simulation: the certificate judges each step."""

import numpy as np

import stickslip as ss


def projected_gauss_seidel(problem, most=2000):
    """Contact by contact: what the velocity asks for, cut off at p_n = 0 and at mu p_n along the tangents."""
    local = problem.local_form()  # u = W p + q
    W, q, mu, p = local.W.toarray(), local.q, local.mu, np.zeros(problem.row_count)
    for _ in range(most):
        before = p.copy()
        for i, first in enumerate(local.first_rows):
            rows = slice(first, first + 3)
            p[rows] -= (W[rows] @ p + q[rows]) / np.trace(W[rows, rows])
            p[first] = max(0.0, p[first])
            p[first + 1 : first + 3] /= max(1.0, np.hypot(*p[first + 1 : first + 3]) / max(mu[i] * p[first], 1e-300))
        if abs(p - before).max(initial=0.0) <= 0.01 * problem.method["tolerance"] * p.max(initial=0.0):
            break
    return p


def main():
    floor = ss.Body(name="floor", type="static", shape=ss.HalfSpace())
    box = ss.Body(name="box", position=[0, 0, 0.1], velocity=[2, 0, 0], shape=ss.Box([0.4, 0.4, 0.2]))
    world = ss.Bodies(type="spatial", materials={"default": ss.Material(friction=0.5)}, bodies=[floor, box])
    method, time = ss.Method(scheme="position", cone="circular", tolerance=1e-6), ss.Time(step=1e-2, end=1)
    scene = ss.Scene(name="thrown", time=time, system=world, method=method)
    ss.register_solver("projected-gauss-seidel", projected_gauss_seidel)
    own = scene.simulation(solver=projected_gauss_seidel)  # handed over ...
    named = scene.with_({"method.solver": "projected-gauss-seidel"}).simulation()  # ... and by name
    for name, sim in (("own", own), ("by name", named), ("exact", scene.simulation())):
        sim.run()
        print(f"{name:8} {sim.bodies['box'].position[0]:.6f} m, {sim.summary}")
    return own, named, sim


if __name__ == "__main__":
    main()
