"""Contact problems from matrices: against closed forms, enumeration and NumPy; and what is refused."""

import copy
import itertools
import pickle
import re
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import stickslip as ss
from stickslip.problem import ImpulseSet, problem_of, solution_of

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "python"))
from compare_solvers import onto_cone, projected_gauss_seidel  # noqa: E402

SOLVERS = ["auto", "exact", "lemke", "fixed-point-1", "accelerated"]
EYE = np.eye(3)


def spd(random: np.random.Generator, n: int) -> np.ndarray:
    A = random.normal(size=(n, n))
    return A @ A.T + n * np.eye(n) / 10


def block_diagonal(blocks: list[np.ndarray]) -> np.ndarray:
    return sparse.block_diag(blocks).toarray()


def body_problem(seed: int, bodies: int = 3, contacts: int = 5, joints: int = 2, dimension: int = 3) -> dict[str, Any]:
    """Matrices of a random problem: bodies in space, each contact and joint between two of them."""
    random = np.random.default_rng(seed)
    n = 6 * bodies

    def rows(count: int) -> np.ndarray:
        out = np.zeros((count, n))
        for body in random.choice(bodies, 2, replace=False):
            out[:, 6 * body : 6 * body + 6] = random.normal(size=(count, 6))
        return out

    return {
        "M": block_diagonal([spd(random, 6) for _ in range(bodies)]),
        "J": np.vstack([rows(dimension) for _ in range(contacts)]),
        "G": np.vstack([rows(1) for _ in range(joints)]) if joints else None,
        "g": random.normal(size=joints) / 10 if joints else None,
        "v_free": random.normal(size=n),
        "b": random.normal(size=dimension * contacts) / 10,
        "mu": random.uniform(0, 0.8, contacts),
    }


# ---- Closed forms ----


@pytest.mark.parametrize("solver", ["auto", "exact", "fixed-point-1", "accelerated"])
def test_a_block_sticks_slides_or_leaves(solver):
    m, mu = 2.0, 0.5
    J = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    for v_free, v in (
        ([0.3, 0, -1], [0, 0, 0]),
        ([3, 4, -1], [3 - 0.3, 4 - 0.4, 0]),  # 5 - mu * 1 = 4.5 in the same direction
        ([1, 2, 0.5], [1, 2, 0.5]),
    ):
        solution = ss.solve_contact_problem(M=m * EYE, J=J, v_free=v_free, mu=mu, solver=solver)
        assert solution.certified and solution.status == "solved", solution.explain()
        assert solution.v == pytest.approx(v, abs=1e-7)
        assert solution.p == pytest.approx(m * (np.subtract(v, v_free))[[2, 0, 1]], abs=1e-7)
        assert solution.u == pytest.approx(np.take(v, [2, 0, 1]), abs=1e-7)


def test_the_relaxed_law_lifts_what_slides():
    mu, slip = 0.4, 5.0
    p_n = (1 + slip * mu) / (1 + mu**2)  # of p_n - 1 = mu (slip - mu p_n)
    for solver in ("auto", "convex"):
        solution = ss.solve_contact_problem(EYE, [-1, slip, 0], mu, law="relaxed", solver=solver)
        assert solution.certified
        assert solution.p == pytest.approx([p_n, -mu * p_n, 0], abs=1e-7)
    problem = ss.ContactProblem.local(EYE, [-1, slip, 0], mu)
    assert solution.p.tolist() == problem.with_law("relaxed").solve("convex").p.tolist()
    assert solution.p.tolist() == problem.solve("convex", law="relaxed").p.tolist()
    assert problem.law == "coulomb" and problem.with_law("coulomb") is problem


@pytest.mark.parametrize(
    ("the_set", "q", "p"),
    [
        (ImpulseSet(), [-2], [2]),
        (ImpulseSet("frictionless", mu=0.5, torsion=1, rolling=1, load_independent=True), [-2], [2]),
        (ImpulseSet("planar", mu=0.5), [-2, 3], [2, -1]),
        (ImpulseSet("planar", mu=0.5), [-2, 0.25], [2, -0.25]),
        (ImpulseSet("elliptic", mu=0.5, mu_2=0.25), [-2, 0, 3], [2, 0, -0.5]),
        (ImpulseSet("polyhedral", mu=0.5, directions=4), [-2, 3, 0.0], [2, -1, 0]),
        (ImpulseSet("interval", lower=-1, upper=0.5), [3], [-1]),
        (ImpulseSet("interval", lower=-1, upper=0.5), [-3], [0.5]),
        (ImpulseSet("interval", lower=-np.inf, upper=np.inf), [-3], [3]),
        (ImpulseSet("elliptic", mu=0.5, torsion=0.2), [-2, 0, 0, 3], [2, 0, 0, -0.4]),
        (ImpulseSet("elliptic", mu=0.5, torsion=0.2), [-2, 0, 0, 0.1], [2, 0, 0, -0.1]),
        (ImpulseSet("planar", mu=0.5, rolling=0.1), [-2, 3, 1], [2, -1, -0.2]),
        (ImpulseSet("elliptic", mu=0.5, rolling=0.1), [-2, 0, 3, 3, 4], [2, 0, -1, -0.12, -0.16]),
        (ImpulseSet("elliptic", mu=0.5, load_independent=True), [-2, 3, 4], [2, -0.3, -0.4]),
        (ImpulseSet.hull(0.5, [[1, 1], [1, -1], [-1, 1], [-1, -1]]), [-2, 3, 0], [2, -1, 0]),
        (ImpulseSet.hull(0.5, [[1, 0], [-1, 0], [0, 2], [0, -2]]), [-2, 0, 9], [2, 0, -2]),
        (ImpulseSet.hull(0.5, [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 0.3], [0, 0, -0.3]]),
         [-2, 0, 0, 9], [2, 0, 0, -0.3]),
    ],
)  # fmt: skip
def test_each_kind_of_set_alone(the_set, q, p):
    assert the_set.dimension == len(q)
    for solver in ("auto", "exact"):
        solution = ss.solve_contact_problem(np.eye(len(q)), q, sets=[the_set], solver=solver)
        assert solution.certified, solution.explain()
        assert solution.p == pytest.approx(p, abs=1e-8)
        # The same with bodies of unit mass.
        solution = ss.solve_contact_problem(M=np.eye(len(q)), J=np.eye(len(q)), v_free=q, sets=[the_set])
        assert solution.certified and solution.p == pytest.approx(p, abs=1e-8)


def test_joints_springs_and_what_they_carry():
    # A mass on a rail along x + y = 0, and one on a spring.
    M, v_free = np.diag([2.0, 2.0, 5.0]), [1, 0, 1]
    G, g, compliance = [[1, 1, 0], [0, 0, 1]], [0, 0.5], [0, 0.1]
    solution = ss.solve_contact_problem(
        M=M, J=np.zeros((0, 3)), mu=[], v_free=v_free, G=G, g=g, compliance=compliance)
    spring = -(1 + 0.5) / (1 / 5 + 0.1)
    assert solution.certified
    assert solution.c == pytest.approx([-1, spring])
    assert solution.v == pytest.approx([0.5, -0.5, 1 + spring / 5])


def test_the_short_forms_are_the_same():
    W, q, mu = EYE, [-1.0, 2, 0], [0.5]
    expected = ss.ContactProblem.local(W, q, mu).solve().p.tolist()
    assert ss.solve_contact_problem(W, q, mu).p.tolist() == expected
    assert ss.solve_contact_problem(sparse.csr_matrix(W), q, 0.5).p.tolist() == expected
    f = [2.0, 0, -2]
    by_f = ss.solve_contact_problem(M=2 * EYE, J=EYE[[2, 0, 1]], f=f, mu=mu)
    by_v = ss.solve_contact_problem(M=2 * EYE, J=EYE[[2, 0, 1]], v_free=np.divide(f, 2), mu=mu)
    assert by_f.p == pytest.approx(by_v.p, rel=1e-14)


# ---- Enumeration and independent codes ----


def planar_solutions(W: np.ndarray, q: np.ndarray, mu: np.ndarray) -> list[np.ndarray]:
    """All solutions in the plane: each contact is open, sticks, or slides one way or the other."""
    contacts = mu.size
    found = []
    for modes in itertools.product(("open", "stick", "plus", "minus"), repeat=contacts):
        A, rhs = np.zeros((2 * contacts, 2 * contacts)), np.zeros(2 * contacts)
        for i, mode in enumerate(modes):
            n, t = 2 * i, 2 * i + 1
            if mode == "open":
                A[n, n] = A[t, t] = 1
                continue
            A[n], rhs[n] = W[n], -q[n]
            if mode == "stick":
                A[t], rhs[t] = W[t], -q[t]
            else:
                A[t, t], A[t, n] = 1, mu[i] if mode == "plus" else -mu[i]
        if abs(np.linalg.det(A)) < 1e-10:
            continue
        p = np.linalg.solve(A, rhs)
        u, eps = W @ p + q, 1e-9
        holds = [
            {"open": u[n] >= -eps,
             "stick": p[n] >= -eps and abs(p[t]) <= mu[i] * p[n] + eps,
             "plus": p[n] >= -eps and u[t] >= -eps,
             "minus": p[n] >= -eps and u[t] <= eps}[mode]
            for i, mode in enumerate(modes) for n, t in [(2 * i, 2 * i + 1)]
        ]  # fmt: skip
        if all(holds):
            found.append(p)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_planar_problems_against_enumeration(seed):
    random = np.random.default_rng(seed)
    contacts = 1 + seed % 3
    W, q = spd(random, 2 * contacts), random.normal(size=2 * contacts)
    mu = random.uniform(0, 0.6, contacts)
    expected = planar_solutions(W, q, mu)
    assert expected
    problem = ss.ContactProblem.local(W, q, mu, dimension=2)
    for solver in ("auto", "exact", "lemke"):
        solution = problem.solve(solver)
        assert solution.certified
        assert min(np.abs(solution.p - p).max() for p in expected) < 1e-7


def law_error(problem: ss.ContactProblem, p: np.ndarray, u: np.ndarray, rho: np.ndarray) -> np.ndarray:
    """|p - P_K(p - rho u_hat)| / rho of each contact with a circular cone, after the definition."""
    errors = []
    for i, mu in enumerate(problem.mu):
        rows = slice(3 * i, 3 * i + 3)
        modified = u[rows] + [mu * np.hypot(u[3 * i + 1], u[3 * i + 2]), 0, 0]
        errors.append(np.linalg.norm(p[rows] - onto_cone(p[rows] - rho[i] * modified, mu)) / rho[i])
    return np.array(errors)


@pytest.mark.parametrize("joints", [0, 2])
@pytest.mark.parametrize("seed", range(4))
def test_certificates_are_what_their_definition_says(seed, joints):
    problem = ss.ContactProblem(**body_problem(seed, joints=joints))
    random = np.random.default_rng(seed)
    p = problem.solve().p + 1e-3 * random.normal(size=problem.row_count)
    v, c = problem.velocities(p)
    certificate = problem.certify(p)
    assert certificate.momentum_residual < 1e-12 and certificate.joint_residual < 1e-10
    M, J, G = problem.M, problem.J, problem.G
    assert M @ (v - problem.v_free) == pytest.approx(J.T @ p + G.T @ c, abs=1e-10)
    assert G @ v + problem.g == pytest.approx(0, abs=1e-10)
    u = J @ v + problem.b
    assert problem.contact_velocities(v) == pytest.approx(u, abs=1e-12)
    free = J @ problem.v_free + problem.b
    delassus = np.einsum("ij,ji->i", J.toarray(), np.linalg.solve(M.toarray(), J.T.toarray())).reshape(-1, 3)
    unit = law_error(problem, p, u, np.ones(problem.contact_count))
    assert certificate.fclib_error == pytest.approx(np.linalg.norm(unit) / np.linalg.norm(free), rel=1e-9)
    if joints > 0:
        return  # Velocities that joints ask for count in its scale as well.
    errors = law_error(problem, p, u, 3 / delassus.sum(axis=1))
    scale = np.linalg.norm(free.reshape(-1, 3), axis=1).max()
    assert certificate.residual == pytest.approx(errors.max() / scale, rel=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_gauss_seidel_in_numpy_agrees(seed):
    random = np.random.default_rng(seed)
    W, q = spd(random, 9) + 3 * np.eye(9), random.normal(size=9)
    problem = ss.ContactProblem.local(W, q, random.uniform(0, 0.5, 3))
    mine = problem.solve(projected_gauss_seidel, tolerance=1e-7)
    ours = problem.solve("exact")
    assert mine.certified and ours.certified
    assert mine.p == pytest.approx(ours.p, abs=1e-6)
    assert mine.solver == "projected_gauss_seidel" and mine.iterations is None


@pytest.mark.parametrize("seed", range(3))
def test_a_problem_and_its_local_form_have_the_same_velocities(seed):
    matrices = body_problem(seed)
    problem = ss.ContactProblem(**matrices)
    local = problem.local_form()
    with_bodies, without = problem.solve(), local.solve()
    assert with_bodies.certified and without.certified
    assert with_bodies.u == pytest.approx(without.u, abs=1e-6)
    M, J, G = matrices["M"], matrices["J"], matrices["G"]
    inverse = np.linalg.inv(M)
    inverse -= inverse @ G.T @ np.linalg.solve(G @ inverse @ G.T, G @ inverse)
    assert local.W.toarray() == pytest.approx(J @ inverse @ J.T, abs=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_problems_of_all_kinds_of_contacts_together(seed):
    random = np.random.default_rng(seed)
    kinds = [
        ImpulseSet(), ImpulseSet("elliptic", mu=0.4, mu_2=0.2), ImpulseSet("elliptic", mu=0.3, torsion=0.1, rolling=0.05),
        ImpulseSet("polyhedral", mu=0.5, directions=6), ImpulseSet("interval", lower=-0.2, upper=0.4),
        ImpulseSet("elliptic", mu=0.2, load_independent=True),
        ImpulseSet.hull(0.4, [[1, 0], [-1, 0.5], [-1, -0.5]]),
        ImpulseSet("polyhedral", mu=0.3, directions=5, rolling=0.1),
    ]  # fmt: skip
    sets = [kinds[k] for k in random.integers(0, len(kinds), 5)]
    rows = sum(s.dimension for s in sets)
    M, J = block_diagonal([spd(random, 6) for _ in range(4)]), random.normal(size=(rows, 24))
    problem = ss.ContactProblem(M=M, J=J, v_free=random.normal(size=24), sets=sets)
    assert problem.sets == tuple(sets)
    assert problem.dimensions.tolist() == [s.dimension for s in sets]
    assert problem.first_rows.tolist() == np.cumsum([0, *problem.dimensions[:-1]]).tolist()
    solution = problem.solve()
    assert solution.certified, solution.explain()
    assert pickle.loads(pickle.dumps(problem)).sets == problem.sets


# ---- Matrices in, matrices out ----


def test_matrices_come_back_as_they_went_in():
    matrices = body_problem(4)
    forms = [np.asarray, np.asfortranarray, sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_matrix]
    for form in forms:
        problem = ss.ContactProblem(**{**matrices, **{name: form(matrices[name]) for name in ("M", "J", "G")}})
        for name in ("J", "G"):
            assert (getattr(problem, name).toarray() == matrices[name]).all()
        assert (problem.M.toarray() == (matrices["M"] + matrices["M"].T) / 2).all()
        for name in ("v_free", "b", "g", "mu"):
            assert (getattr(problem, name) == matrices[name]).all()
        assert problem._parts["mass_sizes"].tolist() == [6, 6, 6]
        assert problem._parts["strips"].tolist() == [2] * 5
    assert problem.f == pytest.approx(problem.M @ problem.v_free)
    by_f = ss.ContactProblem(**{**matrices, "v_free": None, "f": problem.f})
    assert by_f.v_free == pytest.approx(problem.v_free) and (by_f.f == problem.f).all()


@pytest.mark.parametrize(
    ("M", "dimension", "sizes"),
    [
        (np.eye(6), 3, [6]),
        (np.eye(6), 2, [3, 3]),
        (np.eye(4), 3, [1] * 4),
        (block_diagonal([np.eye(2) + 1, np.eye(3) + 1, EYE]), 3, [2, 3, 1, 1, 1]),
        (np.eye(5) + np.fliplr(np.eye(5)) * 0.5, 3, [5]),
        (block_diagonal([np.eye(3) + 1, np.eye(3) + 1]), 3, [6]),
        (block_diagonal([np.eye(3) + 1, np.eye(3) + 1, np.eye(3) + 1]), 3, [3, 3, 3]),
    ],
)
def test_blocks_of_the_mass_matrix_are_found(M, dimension, sizes):
    n = M.shape[0]
    J = np.zeros((dimension, n))
    J[0, 0] = J[1, 1] = 1
    problem = ss.ContactProblem(M=M, J=J, v_free=np.zeros(n), mu=0.1, dimension=dimension)
    assert problem._parts["mass_sizes"].tolist() == sizes
    named = ss.ContactProblem(M=M, J=J, v_free=np.zeros(n), mu=0.1, dimension=dimension, blocks=[n])
    assert named._parts["mass_sizes"].tolist() == [n]
    assert (named.M.toarray() == M).all()


def test_a_large_sparse_problem_stays_sparse():
    bodies = 5000
    M = sparse.kron(sparse.eye_array(bodies), sparse.csr_array(np.diag([1.0, 1, 1, 0.4, 0.4, 0.4])))
    J = sparse.kron(sparse.eye_array(bodies), sparse.csr_array(np.eye(6)[[2, 0, 1]]))
    problem = ss.ContactProblem(M=M, J=J, v_free=np.tile([1.0, 0, -1, 0, 0, 0], bodies), mu=0.5)
    solution = problem.solve()
    assert solution.certified
    assert solution.v == pytest.approx(np.tile([0.5, 0, 0, 0, 0, 0], bodies))


def test_arrays_do_not_change_the_problem():
    problem = ss.ContactProblem(**body_problem(1))
    for name in ("v_free", "b", "g", "mu", "dimensions"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(problem, name)[0] = 7
    expected = problem.solve().p.tolist()
    problem.M.data[:] = 0
    problem.J.data[:] = 0
    assert problem.solve().p.tolist() == expected


def test_problems_pickle_and_copy():
    problem = ss.ContactProblem(**body_problem(2), law="relaxed")
    for other in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem), copy.copy(problem)):
        assert repr(other) == repr(problem) == "ContactProblem(18 velocities, 5 contacts, 15 rows, 2 joint rows, law relaxed)"
        assert other.solve().p.tolist() == problem.solve().p.tolist()
    local = problem.local_form()
    assert (pickle.loads(pickle.dumps(local)).W.toarray() == local.W.toarray()).all()
    assert repr(local) == "ContactProblem.local(5 contacts, 15 rows, law relaxed)"


def test_solutions_and_their_certificates_pickle():
    solution = ss.ContactProblem(**body_problem(2)).solve(trace=True)
    again = pickle.loads(pickle.dumps(solution))
    assert again.p.tolist() == solution.p.tolist() and again.trace == solution.trace
    assert again.residual == solution.residual


# ---- What a solve says ----


def test_stages_trace_and_words():
    problem = ss.ContactProblem(**body_problem(3))
    solution = problem.solve("exact", trace=True)
    assert [record.stage for record in solution.trace][:2] == ["start", "sweeps"]
    assert {record.solver for record in solution.trace} == {"exact"}
    assert sum(record.solved for record in solution.trace) == sum(stage.solved for stage in solution.stages) == 1
    assert sum(record.iterations for record in solution.trace) == solution.iterations
    assert {record.rows for record in solution.trace} == {17}
    assert problem.solve("exact").trace == ()
    assert solution.p.tolist() == problem.solve("exact").p.tolist()
    assert solution.explain().startswith("Certified: ")
    assert problem.solve("auto").solved_by == "exact"


def test_a_budget_that_runs_out_is_said():
    problem = ss.read_problem(Path(__file__).parents[2] / "scenes" / "problems" / "box-stack.hdf5")
    solution = problem.solve("accelerated", budget=5)
    assert (solution.status, solution.certified) == ("iteration_limit", False)
    assert "Not certified" in solution.explain() and "budget" in solution.explain()
    assert problem.solve("accelerated").status == "solver_limit"


def test_the_fclib_error_can_be_asked_for_as_well():
    problem = ss.ContactProblem.local(1e-6 * EYE, [-1.0, 2, 0], 0.5)
    plain, strict = (problem.solve("accelerated", tolerance=1e-6, fclib=asked) for asked in (False, True))
    assert plain.certified
    assert strict.certified == (strict.certificate.fclib_error <= 1e-6)


# ---- Solvers of a user's own ----


def test_own_solvers_return_p_or_everything():
    problem = ss.ContactProblem(**body_problem(5))
    exact = problem.solve("exact")
    for answer in (exact.p, exact.p.tolist(), (exact.v, exact.p, exact.c), exact):
        solution = problem.solve(lambda _, answer=answer: answer)
        assert solution.certified and solution.status == "solved"
        assert solution.v == pytest.approx(exact.v)
    worse = problem.solve(lambda given: np.zeros(given.row_count))
    assert (worse.status, worse.certified) == ("inaccurate", False)
    # Momentum does not hold of what is no solution.
    assert problem.certify(exact.p, v=exact.v + 1, c=exact.c).momentum_residual > 1e-3


def test_own_solvers_that_go_wrong():
    problem = ss.ContactProblem(**body_problem(5))
    for problem in (problem, problem.local_form()):
        solution = problem.solve(lambda given: np.full(given.row_count, np.nan))
        assert not solution.certified and not solution.certificate.finite
        assert "not finite" in solution.explain()
        with pytest.raises(ss.InputError, match="p: has length 2; expected 15"):
            problem.solve(lambda _: [1, 2])
        with pytest.raises(ss.InputError, match="p: expected an array of numbers"):
            problem.solve(lambda _: None)
        with pytest.raises(ZeroDivisionError):
            problem.solve(lambda _: 1 / 0)


def test_a_comparison_is_a_table():
    problem = ss.ContactProblem(**body_problem(6))
    local = problem.local_form()

    def zero(given: ss.ContactProblem) -> np.ndarray:
        return np.zeros(given.row_count)

    table = ss.compare({"bodies": problem, "local": local}, ["exact", ("auto", {"budget": 700}), "lemke", zero], repeat=2)
    assert [(row.problem, row.solver) for row in table] == [
        (name, solver) for name in ("bodies", "local") for solver in ("exact", "auto (budget=700)", "lemke", "zero")]  # fmt: skip
    assert [row.certified for row in table][:4] == [True, True, False, False]
    assert table[2].status == "refused" and "circular" in table[2].note
    assert table[3].residual == pytest.approx(problem.certify(np.zeros(15)).worst_residual)
    assert table[0].iterations > 0 and table[3].iterations is None and table[0].seconds > 0
    lines = str(table).splitlines()
    assert len(lines) == 9 and lines[0].split()[:3] == ["problem", "solver", "status"]
    assert table._repr_html_().count("<tr>") == 9
    frame = table.to_pandas()
    assert list(frame["solver"]) == [row.solver for row in table] and frame["certified"].sum() == 4
    assert str(ss.compare(problem, ["exact"])).splitlines()[0].startswith("solver")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("nowhere.hdf5", ["exact"]), "nowhere.hdf5: there is no such file"),
        ((EYE, ["exact"]), r"problems\[0\]: expected a ContactProblem"),
        ((3, ["exact"]), "problems: expected"),
        (([], "exact"), "solvers: expected a list"),
        (([], [3]), "solvers: expected names, functions"),
        (([], [("exact", 3)]), "solvers: expected names, functions"),
    ],
)
def test_comparisons_of_what_cannot_be_compared(arguments, line):
    with pytest.raises(ss.InputError, match=line):
        ss.compare(*arguments)


# ---- Simulations ----


def test_the_problem_of_a_step(scenes):
    sim = ss.Scene.load(scenes / "box-stack.json").simulation()
    with pytest.raises(ss.InputError, match="not made a step"):
        solution_of(sim)
    assert problem_of(sim).velocity_count == 0
    sim.run(steps=5)
    problem, taken = sim.problem, solution_of(sim)
    assert problem.contact_count == 12
    assert taken.certified and taken.residual <= sim.certificate.worst_residual
    assert taken.v.tolist() == sim.u.tolist()
    assert problem.solve().v == pytest.approx(sim.u, abs=1e-8)
    sim.run(steps=5)
    assert problem.certify(taken.p, v=taken.v, c=taken.c).residual == taken.residual
    with pytest.raises(ss.InputError, match="expected a Simulation"):
        problem_of(3)


# ---- What is refused ----

SOUND: dict[str, Any] = {"M": EYE, "J": EYE, "v_free": [0, 0, -1.0], "mu": [0.5]}


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"v_free": None}, "v_free: expected either v_free or f"),
        ({"f": [0, 0, 0]}, "v_free: expected either v_free or f"),
        ({"v_free": [0, 0]}, "M: has 3 rows; expected 2"),
        ({"v_free": [0, 0, np.nan]}, r"v_free\[2\]: expected a finite number"),
        ({"M": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "M: is not symmetric at row 0, column 1"),
        ({"M": -EYE}, "M: is not positive definite at row 0"),
        ({"M": np.zeros((3, 3))}, "M: is not positive definite at row 0"),
        ({"M": np.ones((3, 3))}, "M: is not positive definite at row 1"),
        ({"M": np.full((3, 3), np.inf)}, r"M\[0, 0\]: expected a finite number"),
        ({"M": sparse.coo_array((10**9, 10**9))}, "M: has 1000000000 rows; expected 3"),
        ({"J": np.ones((3, 4))}, "J: has 4 columns; expected 3"),
        ({"J": np.ones((2, 3)), "mu": 0.5}, "J: has 2 rows; expected 3 for each contact"),
        ({"J": np.ones((6, 3))}, "mu: the 1 contacts have 3 rows together; expected 6"),
        ({"J": np.broadcast_to(1.0, (10**9, 3))}, "J: has 1000000000 rows, which are too many"),
        ({"J": sparse.coo_array((10**9, 3))}, "J: has 1000000000 rows, which are too many"),
        ({"J": [[1j] * 3] * 3}, "J: expected an array of numbers, not of complex128"),
        ({"b": [1]}, "b: has length 1; expected 3"),
        ({"mu": None}, "mu: is missing"),
        ({"mu": [-0.5]}, r"sets\[0\]: mu must be finite and at least 0"),
        ({"mu": [np.inf]}, r"mu\[0\]: expected a finite number"),
        ({"mu": ["a"]}, "mu: expected an array of numbers"),
        ({"mu": np.ones((1, 1))}, "mu: has shape"),
        ({"mu": {}}, "mu: expected an array of numbers, not of object"),
        ({"torsion": [1, 2]}, "torsion: has length 2; expected 1"),
        ({"dimension": 4}, "dimension: is 4"),
        ({"dimension": "3"}, "dimension: expected a whole number"),
        ({"cone": "round"}, "cone: \"round\" is not known"),
        ({"cone": "planar"}, "cone: \"planar\" does not fit dimension = 3"),
        ({"cone": "polyhedral", "directions": 2}, r"sets\[0\]: directions is 2; expected 3 to 64"),
        ({"cone": "polyhedral", "directions": 10**10}, r"sets\[0\]: directions is"),
        ({"law": "newton"}, "law \"newton\" is not known"),
        ({"law": 3}, "law: expected a text"),
        ({"G": [[1, 0]]}, "G: has 2 columns; expected 3"),
        ({"g": [1]}, "G: is missing"),
        ({"G": [[1, 0, 0]], "g": [1, 2]}, "g: has length 2; expected 1"),
        ({"G": [[1, 0, 0]], "compliance": [-1]}, r"compliance\[0\]: must not be negative"),
        ({"G": [[1, 0, 0]], "joint_rows": [2]}, "joint_rows: expected whole numbers above 0 that add up to 1"),
        ({"blocks": [1, 1]}, "blocks: expected whole numbers above 0 that add up to 3"),
        ({"blocks": [1.5, 1.5]}, "blocks: expected whole numbers"),
        ({"M": EYE + 0.1, "blocks": [1, 2]}, "M: couples velocities 0 and 1, which are in different blocks"),
        ({"sets": [ImpulseSet()]}, "sets: say everything about friction"),
        ({"mu": None, "sets": [ImpulseSet()]}, "sets: have 1 rows together; expected 3"),
        ({"mu": None, "sets": [3]}, r"sets\[0\]: expected an ImpulseSet"),
        ({"mu": None, "sets": 3}, "sets: expected a list of ImpulseSet"),
        ({"contact_ids": [-1]}, "contact_ids: expected 1 whole numbers"),
        ({"contact_ids": [1.5]}, "contact_ids: expected 1 whole numbers"),
        ({"gap": [1, 2]}, "gap: has length 2; expected 1"),
        ({"v_old": [1]}, "v_old: has length 1; expected 3"),
    ],
)
def test_what_is_no_problem_is_said_in_one_line(change, line):
    with pytest.raises(ss.InputError, match=line) as caught:
        ss.ContactProblem(**{**SOUND, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((EYE, [1, 2]), "W: has 3 rows; expected 2"),
        ((np.triu(np.ones((3, 3))), [1, 2, 3], 0.5), "W: is not symmetric"),
        ((-EYE, [1, 2, 3], 0.5), "W: is negative at row 0 of its diagonal"),
        ((np.full((3, 3), np.nan), [1, 2, 3], 0.5), "W.*finite"),
        ((sparse.coo_array((10**9, 10**9)), np.broadcast_to(1.0, 10**6), 0.5), "W: has 1000000000 rows"),
    ],
)
def test_what_is_no_local_problem(arguments, line):
    with pytest.raises(ss.InputError, match=line):
        ss.ContactProblem.local(*arguments)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"kind": "round"}, "kind: \"round\" is not known"),
        ({"mu": "a"}, "mu: expected a number"),
        ({"directions": -1}, "directions: is -1"),
        ({"given": [[1, 2, 3, 4, 5, 6]] * 3}, "directions: has shape"),
        ({"given": [[1, 0]]}, "directions: has shape"),
    ],
)
def test_what_is_no_set(change, line):
    with pytest.raises(ss.InputError, match=line):
        ImpulseSet(**{"kind": "elliptic", **change})


@pytest.mark.parametrize(
    ("the_set", "line"),
    [
        (ImpulseSet("interval", lower=1, upper=2), "expected lower <= 0 <= upper"),
        (ImpulseSet("interval", lower=np.nan), "lower"),
        (ImpulseSet("elliptic", mu=1, rolling=-1), "rolling must be finite"),
        (ImpulseSet.hull(0.5, [[1, 0], [0, 1], [1, 1]]), "not balanced: nothing opposes direction 0"),
        (ImpulseSet.hull(0.0, [[1, 0], [-1, 0]]), "do not fit its kind"),
        (ImpulseSet("elliptic", mu=1, given=((1, 0), (-1, 0))), "do not fit its kind"),
    ],
)
def test_sets_that_the_engine_refuses(the_set, line):
    n = the_set.dimension
    with pytest.raises(ss.InputError, match=line):
        ss.ContactProblem.local(np.eye(n), np.zeros(n), sets=[the_set])


@pytest.mark.parametrize(
    ("arguments", "options", "line"),
    [
        ((), {"solver": "best"}, "solver \"best\" is not known"),
        ((), {"solver": 3}, "solver: expected a name or a function"),
        ((), {"solver": "lemke"}, "cannot take the cone \"circular\""),
        ((), {"solver": "convex"}, "solver \"convex\" is for the law"),
        ((), {"law": "newton"}, "law: \"newton\" is not known"),
        ((), {"tolerance": -1}, "tolerance: is -1.0"),
        ((), {"tolerance": np.nan}, "tolerance: is nan"),
        ((), {"tolerance": None}, "tolerance: expected a number"),
        ((), {"budget": -1}, "budget: is -1"),
        ((), {"budget": 0.5}, "budget: expected a whole number"),
        ((), {"budget": 2**80}, "budget: is"),
        ((), {"initial_slip": "some"}, "initial_slip \"some\" is not known"),
        ((), {"initial_slip": "previous"}, "\"initial_slip\" is for the solvers"),
        ((), {"M": EYE}, "M: the problem says it already"),
        (([1, 2],), {}, "q, mu: the problem says it already|q: the problem says it already"),
    ],
)
def test_options_that_no_solve_has(arguments, options, line):
    problem = ss.ContactProblem(**SOUND)
    with pytest.raises(ss.InputError, match=line):
        ss.solve_contact_problem(problem, *arguments, **options)


def test_what_is_no_problem_at_all():
    for arguments in ((), ("problem.hdf5",), (EYE,), (3, [1, 2, 3], 0.5)):
        with pytest.raises(ss.InputError):
            ss.solve_contact_problem(*arguments)
    local = ss.ContactProblem.local(EYE, [-1, 0, 0], 0.5)
    for name in ("M", "J", "G", "v_free", "f", "b", "g", "compliance", "gap", "contact_ids"):
        with pytest.raises(ss.InputError, match="local"):
            getattr(local, name)
    with pytest.raises(ss.InputError, match="only a local problem has it"):
        ss.ContactProblem(**SOUND).W
    with pytest.raises(ss.InputError, match="local"):
        local.velocities([1, 2, 3])


JUNK: list[Any] = [
    None, 0, -1, 10**30, 0.5, np.nan, np.inf, "x", b"x", [], [[]], {}, set(), object(), lambda: 0, [1, 2, 3], [None], [[1]],
    np.zeros((3, 3)), np.zeros((2, 2, 2)), np.array(1.0), np.array("x"), np.zeros(3, dtype=complex),
    np.zeros(3, dtype=object), np.zeros((0, 0)), np.broadcast_to(1.0, (10**9, 10**9)), np.zeros(3, dtype="datetime64[s]"),
    sparse.csr_array((3, 3)), sparse.coo_array((10**9, 10**9)), ImpulseSet(), [ImpulseSet()], True, -np.ones(3),
    np.array([1e308] * 3), np.full((3, 3), 1e308), np.diag([1e-320] * 3), weakref.ref(ss.ContactProblem),
]  # fmt: skip


def test_junk_does_not_crash_anything():
    random = np.random.default_rng(1)
    names = [*SOUND, "b", "G", "g", "compliance", "law", "dimension", "cone", "directions", "sets", "mu_2", "torsion",
             "rolling", "load_independent", "blocks", "joint_rows", "v_old", "gap", "contact_ids"]  # fmt: skip
    made = 0
    cases = [(name, junk) for name in names for junk in JUNK]
    cases += [(names[a], JUNK[b]) for a, b in zip(random.integers(0, len(names), 200), random.integers(0, len(JUNK), 200))]
    for k, (name, junk) in enumerate(cases):
        changes = {name: junk}
        if k >= len(names) * len(JUNK):
            changes[names[k % len(names)]] = JUNK[k % len(JUNK)]
        try:
            problem = ss.ContactProblem(**{**SOUND, **changes})
        except ss.InputError as error:
            assert "\n" not in str(error)
            continue
        made += 1
        solution = problem.solve(budget=50)
        assert solution.certified == (solution.status == "solved")
    assert made > 40


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_extreme_numbers_end_in_a_status(scale):
    matrices = body_problem(7)
    for name in ("M", "J", "v_free", "b"):
        scaled = {**matrices, name: matrices[name] * scale}
        try:
            problem = ss.ContactProblem(**scaled)
        except ss.InputError:
            continue
        for solver in ("auto", "exact", "accelerated", "sweeps"):
            solution = problem.solve(solver, budget=200)
            assert solution.certified == (solution.status == "solved")
            assert solution.certified == solution.certificate.holds(1e-8)


def test_threads_do_not_disturb_each_other():
    problems = [ss.ContactProblem(**body_problem(seed, bodies=6, contacts=20)) for seed in range(4)]
    expected = [problem.solve().p.tolist() for problem in problems]
    answers: dict[int, list[Any]] = {}

    def work(k: int) -> None:
        answers[k] = [problem.solve().p.tolist() for problem in problems for _ in range(3)]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer == [p for p in expected for _ in range(3)] for answer in answers.values()) and len(answers) == 3


def test_what_is_asked_for_in_the_wrong_way_is_said():
    problem = ss.ContactProblem.local(EYE, [-1, 0, 0], 0.3)
    for call, message in (
        (lambda: ss.solve_contact_problem(problem, "exact"), 'solver: is given by keyword, as solver="exact"'),
        (lambda: ss.solve_contact_problem(problem, lambda p: 0), "solver: is given by keyword"),
        (lambda: ss.solve_contact_problem(problem, tol=1e-3), "there is no 'tol'; it takes solver, tolerance, budget"),
        (lambda: ss.solve_contact_problem(EYE, [0, 0, 0], 0.3, Mu=1), "there is no 'Mu'"),
        (lambda: ss.solve_contact_problem(problem, mu=0.3), "mu: the problem says it already"),
        (lambda: ss.compare(problem, ["exact", "exakt"]), "solvers: 'exakt' is not known; choose from: auto, "),
    ):
        with pytest.raises(ss.InputError, match=re.escape(message)):
            call()


def test_a_solution_is_one_line_at_a_prompt():
    solution = ss.solve_contact_problem(EYE, [-1, 0, 0], 0.3, solver="exact")
    assert re.fullmatch(r"<ContactSolution by exact: solved, certified; residual \S+, \d+ iterations, 3 rows>", repr(solution))
    mine = ss.solve_contact_problem(EYE, [-1, 0, 0], 0.3, solver=lambda p: [0, 0, 0])
    assert repr(mine) == "<ContactSolution by <lambda>: inaccurate, not certified; residual 1, 3 rows>"
