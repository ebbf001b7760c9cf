"""Linear complementarity problems: given M and q, find z with w = M z + q, z >= 0, w >= 0, z.w = 0.

    solution = solve_lcp([[2, 1], [1, 2]], [-5, -6])
    solution.z                      # array([1.33333333, 2.33333333])

Lemke's method, by complementary pivoting, finds a solution whenever M is copositive and every z >= 0 with
M z >= 0, z.M z = 0 has q.z >= 0; on other data it may end in a ray.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.matrices import count, dense_matrix, number, vector

__all__ = ["LcpSolution", "solve_lcp"]


@dataclass(frozen=True)
class LcpSolution:
    """The point that `solve_lcp` found, and how good it is."""

    z: NDArray[np.float64]
    """The solution if `solved`, otherwise the best point met."""
    w: NDArray[np.float64]
    """M z + q."""
    status: str
    """"solved", "ray", "iteration_limit", "solver_limit" or "inaccurate"."""
    residual: float
    """|min(z, w)| / |q|, largest entries: zero exactly at solutions."""
    pivots: int
    """Pivots, over all attempts."""
    ray: NDArray[np.float64] | None
    """With status "ray": the direction along which the method ran off, largest entry 1."""
    infeasible: bool
    """With status "ray": the ray y also has M'y <= 0, y >= 0, q.y < 0, which proves that there is no solution."""

    @property
    def solved(self) -> bool:
        """True if the residual is within the tolerance."""
        return self.status == "solved"


def solve_lcp(M: ArrayLike, q: ArrayLike, *, tolerance: float = 1e-8, pivot_limit: int = 0) -> LcpSolution:
    """Solves w = M z + q, z >= 0, w >= 0, z.w = 0 by Lemke's method.

    `M`, n x n, is dense or a sparse matrix of SciPy, which is made dense: the engine pivots on dense data.
    `q` has n entries. The largest residual of an answer that is called solved is `tolerance`. `pivot_limit` is the
    most pivots over all attempts; 0 is 100 + 50 n. Input that is no such problem is an `InputError`; a problem
    that cannot be solved has a status that says so.
    """
    rhs = vector(q, "q")
    matrix = dense_matrix(M, "M", (rhs.size, rhs.size))
    largest = number(tolerance, "tolerance")
    if not 0 < largest <= 1:
        raise InputError(f"tolerance: is {largest}; expected more than 0, and at most 1")
    found = _engine.solve_lcp(matrix, rhs, count(pivot_limit, "pivot_limit"))
    z, ray = found["z"], found["ray"]
    status, residual = found["status"], found["residual"]
    # The residual decides, in both directions.
    if residual <= largest:
        status = "solved"
    elif status == "solved":
        status = "inaccurate"
    with np.errstate(over="ignore", invalid="ignore"):
        w = matrix @ z + rhs
    return LcpSolution(z, w, status, residual, found["pivots"], ray if status == "ray" else None,
                       status == "ray" and found["infeasible"])
