"""Linear complementarity problems: against enumeration, closed forms and the program; and what is refused."""

import itertools
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import stickslip as ss


def all_solutions(M: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    """By trying every choice of what is zero."""
    n = q.size
    found = []
    for chosen in itertools.product((False, True), repeat=n):
        active = np.flatnonzero(chosen)
        z = np.zeros(n)
        if active.size > 0:
            block = M[np.ix_(active, active)]
            if abs(np.linalg.det(block)) < 1e-12:
                continue
            z[active] = np.linalg.solve(block, -q[active])
        if (z >= -1e-9).all() and (M @ z + q >= -1e-9).all():
            found.append(z)
    return found


def natural_residual(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> float:
    return float(np.abs(np.minimum(z, M @ z + q)).max() / np.abs(q).max())


def test_two_by_two():
    solution = ss.solve_lcp([[2, 1], [1, 2]], [-5, -6])
    assert solution.solved
    assert solution.z == pytest.approx([4 / 3, 7 / 3], rel=1e-14)
    assert solution.w == pytest.approx([0, 0], abs=1e-14)
    assert solution.ray is None and not solution.infeasible


@pytest.mark.parametrize("seed", range(40))
def test_unique_solutions_are_those_of_enumeration(seed):
    random = np.random.default_rng(seed)
    n = 1 + seed % 6
    A, S = random.normal(size=(n, n)), random.normal(size=(n, n))
    M = A @ A.T + 0.1 * np.eye(n) + (S - S.T)  # positive definite, not symmetric
    q = random.normal(size=n)
    solution = ss.solve_lcp(M, q)
    expected = all_solutions(M, q)
    assert solution.solved and len(expected) == 1
    assert solution.z == pytest.approx(expected[0], abs=1e-9)
    assert solution.residual == pytest.approx(natural_residual(M, q, solution.z), abs=1e-14)


@pytest.mark.parametrize("seed", range(40))
def test_of_arbitrary_matrices_only_solutions_are_called_so(seed):
    random = np.random.default_rng(100 + seed)
    n = 2 + seed % 4
    M, q = random.normal(size=(n, n)), random.normal(size=n)
    solution = ss.solve_lcp(M, q)
    assert solution.solved == (natural_residual(M, q, solution.z) <= 1e-8)
    if solution.solved:
        assert min(np.abs(solution.z - z).max() for z in all_solutions(M, q)) < 1e-6
    if solution.infeasible:
        assert not all_solutions(M, q)
        y = solution.ray
        assert y.max() == pytest.approx(1) and (y >= 0).all() and (M.T @ y <= 1e-12).all() and q @ y < 0


def test_a_problem_without_solution_ends_in_a_ray_that_proves_it():
    solution = ss.solve_lcp([[-1.0]], [-1.0])
    assert (solution.status, solution.infeasible) == ("ray", True)
    assert solution.ray == pytest.approx([1.0])


def test_limits_have_a_status():
    n = 30
    M = np.tril(2 * np.ones((n, n)), -1) + np.eye(n)
    assert not ss.solve_lcp(M, -np.ones(n), pivot_limit=1).solved
    assert ss.solve_lcp(M, -np.ones(n)).solved


def test_nothing_at_all_is_solved():
    for M in (np.zeros((0, 0)), sparse.csr_matrix((0, 0))):
        solution = ss.solve_lcp(M, [])
        assert solution.solved and solution.z.shape == solution.w.shape == (0,)


def test_every_form_of_the_same_numbers_has_the_same_answer():
    random = np.random.default_rng(5)
    A = np.where(random.random((7, 7)) < 0.4, random.integers(-4, 5, (7, 7)), 0)
    M = (A @ A.T + np.eye(7)).astype(float)
    q = random.integers(-9, 9, 7).astype(float)
    wide = np.zeros((14, 14))
    wide[::2, ::2] = M
    rows, columns = np.nonzero(M)
    halves = (np.concatenate((M[rows, columns] / 2,) * 2), (np.tile(rows, 2), np.tile(columns, 2)))
    forms: list[Any] = [
        M.astype(int), M.astype(np.float32), np.asfortranarray(M), M.astype(">f8"), M.astype(">i4"), wide[::2, ::2],
        M.tolist(), sparse.coo_array(halves, shape=M.shape), sparse.coo_matrix(halves, shape=M.shape),
        *(sparse.csr_matrix(M).asformat(name) for name in ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")),
        sparse.csr_array(M), sparse.csc_array(M),
    ]  # fmt: skip
    expected = ss.solve_lcp(M, q)
    assert expected.solved
    for form in forms:
        for rhs in (q, q.astype(int), q.astype(">f4"), np.repeat(q, 2)[::2], q.tolist()):
            assert ss.solve_lcp(form, rhs).z.tolist() == expected.z.tolist()


def out_of_bounds() -> Any:
    matrix = sparse.csr_array(np.eye(3))
    matrix.indices[1] = 10**6
    return matrix


def false_starts() -> Any:
    matrix = sparse.csr_array(np.eye(3))
    matrix.indptr[2] = 10**6
    return matrix


EYE = np.eye(3)
Q = np.ones(3)


@pytest.mark.parametrize(
    ("M", "q", "line"),
    [
        (EYE, np.ones(2), "M: has 3 rows; expected 2"),
        (np.ones((3, 2)), Q, "M: has 2 columns; expected 3"),
        (Q, Q, "M: has shape .*expected rows and columns"),
        (EYE, EYE, "q: has shape .*expected one axis"),
        (EYE, [1, 2, np.nan], r"q\[2\]: expected a finite number"),
        (np.full((3, 3), np.inf), Q, r"M\[0, 0\]: expected a finite number"),
        (sparse.csr_array(np.diag([1, np.nan, 1])), Q, r"M\[1, 1\]: expected a finite number"),
        (EYE.astype(complex), Q, "M: expected an array of numbers, not of complex128"),
        (np.array([[None] * 3] * 3), Q, "M: expected an array of numbers, not of object"),
        ([[1, 2], [3]], [1, 2], "M: expected an array of numbers"),
        ("one", Q, "M: expected an array of numbers, not of <U3"),
        (None, Q, "M: expected an array of numbers"),
        (EYE, None, "q: expected an array of numbers"),
        (EYE, sparse.csr_array(EYE), "q: expected an array, not a sparse matrix"),
        (np.ma.masked_equal(EYE, 1), Q, "M: expected an array without masked entries"),
        (out_of_bounds(), Q, "M: has an entry in column 1000000; there are 3"),
        (false_starts(), Q, "M: its starts of rows or columns do not fit"),
        (np.broadcast_to(1.0, (10**9, 10**9)), np.broadcast_to(1.0, 10**6), "M: a dense matrix of .* is too large"),
        (np.broadcast_to(1.0, (10**9, 10**9)), Q, "M: has 1000000000 rows; expected 3"),
        (sparse.coo_array((10**9, 10**9)), Q, "M: has 1000000000 rows; expected 3"),
        (EYE, np.broadcast_to(1.0, 10**12), "q: has length 1000000000000, which is too long"),
    ],
)
def test_what_is_no_problem_is_said_in_one_line(M, q, line):
    with pytest.raises(ss.InputError, match=line) as caught:
        ss.solve_lcp(M, q)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options", [{"tolerance": 0}, {"tolerance": 2}, {"tolerance": "a"}, {"tolerance": np.nan},
                                     {"pivot_limit": -1}, {"pivot_limit": 1.5}, {"pivot_limit": 10**30}])  # fmt: skip
def test_options_out_of_range_are_named(options):
    with pytest.raises(ss.InputError, match=next(iter(options))):
        ss.solve_lcp(EYE, Q, **options)


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1e-30, 1e30])
def test_extreme_numbers_end_in_a_status(scale):
    random = np.random.default_rng(3)
    for _ in range(20):
        M = scale ** random.uniform(-1, 1, (4, 4))
        solution = ss.solve_lcp(M, random.normal(size=4) * scale)
        assert solution.solved == (solution.residual <= 1e-8)


def test_threads_do_not_disturb_each_other():
    random = np.random.default_rng(8)
    A = random.normal(size=(60, 60))
    M, q = A @ A.T, random.normal(size=60)
    expected = ss.solve_lcp(M, q).z.tolist()
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(ss.solve_lcp(M, q).z.tolist())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def write_matrix_market(path: Path, values: np.ndarray) -> None:
    columns = values.reshape(values.shape[0], -1)
    lines = ["%%MatrixMarket matrix array real general", f"{columns.shape[0]} {columns.shape[1]}"]
    path.write_text("\n".join([*lines, *(repr(float(x)) for x in columns.T.ravel()), ""]))


def test_the_program_has_the_same_answer(tmp_path, program):
    random = np.random.default_rng(12)
    A = random.normal(size=(12, 12))
    M, q = A @ A.T, random.normal(size=12)
    write_matrix_market(tmp_path / "M.mtx", M)
    write_matrix_market(tmp_path / "q.mtx", q)
    answer = program("solve", "--lcp", tmp_path / "M.mtx", tmp_path / "q.mtx", "--out", tmp_path / "z.mtx")
    solution = ss.solve_lcp(M, q)
    assert (solution.status, solution.residual, solution.pivots) == (
        answer["status"], answer["residual"], answer["iterations"])  # fmt: skip
    lines = [line for line in (tmp_path / "z.mtx").read_text().splitlines() if not line.startswith("%")]
    assert solution.z.tolist() == [float(line) for line in lines[1:]]


def test_a_sparse_matrix_without_scipy():
    """In a process of its own, in which SciPy cannot be imported."""
    code = """
import sys
sys.modules["scipy"] = None
import numpy as np
import stickslip as ss
problem = ss.ContactProblem.local(np.eye(3), [-1.0, 0.0, 0.0], 0.5)
assert type(problem.W).__name__ == "SparseRows" and (problem.W.toarray() == np.eye(3)).all()
assert ss.solve_lcp(problem.W, problem.q).z.tolist() == [1, 0, 0]
assert ss.ContactProblem.local(problem.W, problem.q, 0.5).solve().certified
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
