"""A solver of one's own against those of stickslip, judged by the certificate.

The solver is projected Gauss-Seidel for Coulomb's law with circular cones: contact after contact, the velocity that
the impulses of all contacts give is taken back as far as the cone allows. A box on a slope is no trouble; a stack
whose upper box weighs a thousand times as much takes it more sweeps than it has.
"""

from pathlib import Path

import numpy as np

import stickslip as ss

SCENES = Path(__file__).parents[2] / "scenes"


def projected_gauss_seidel(problem: ss.ContactProblem, sweeps: int = 400) -> np.ndarray:
    """Impulses of the contacts of u = W p + q, in rows of normal and two tangents."""
    local = problem if problem.is_local else problem.local_form()
    W, q, mu = local.W.toarray(), local.q, local.mu
    p = np.zeros_like(q)
    for _ in range(sweeps):
        for i, first in enumerate(range(0, q.size, 3)):
            rows = slice(first, first + 3)
            rho = 3 / np.trace(W[rows, rows])
            u = W[rows] @ p + q[rows]
            p[rows] -= rho * u
            p[first] -= rho * mu[i] * np.hypot(u[1], u[2])  # Coulomb's law: a contact that slides does not lift off
            p[rows] = onto_cone(p[rows], mu[i])
    return p


def onto_cone(p: np.ndarray, mu: float) -> np.ndarray:
    """The point of the cone |p_t| <= mu p_n that is closest to p."""
    slip = np.hypot(p[1], p[2])
    if slip <= mu * p[0]:
        return p
    if mu * slip <= -p[0]:
        return np.zeros(3)
    normal = (p[0] + mu * slip) / (1 + mu**2)
    return np.array([normal, *(mu * normal / slip * p[1:])])


def main() -> ss.Comparison:
    """The comparison, which is what this is about: problems, solvers, a table."""
    sim = ss.Scene.load(SCENES / "incline.json").simulation()
    sim.run(steps=60)
    problems = {"incline": sim.problem, "stack": ss.read_problem(SCENES / "problems" / "box-stack.hdf5")}
    solvers = ["exact", "fixed-point-1", ("accelerated", {"budget": 400}), projected_gauss_seidel]
    table = ss.compare(problems, solvers, tolerance=1e-6)
    print(table)
    return table


if __name__ == "__main__":
    main()
