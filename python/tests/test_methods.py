"""Solvers, schemes and forces of one's own: the engine's bits where they do the same, and what is wrong in them."""

import copy
import gc
import importlib.util
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest
from conftest import ROOT

import stickslip as ss
from stickslip.methods import BodyStates

# Rods with one end just above the floor: with mu = 1 and e = 1 some would leave with more energy than they have.
ROD = """{
  "stickslip": 1, "name": "rod", "time": {"step": 1e-3, "end": 1},
  "system": {"type": "planar", "gravity": [0, 0],
    "materials": {"default": {"friction": 1, "restitution": 1}},
    "bodies": [{"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
               {"name": "rod", "position": [0, 0.0505], "velocity": [0, -1], "mass": 1, "inertia": 0.08,
                "shape": {"type": "capsule", "length": 1, "radius": 0.05}}]},
  "method": {"scheme": "midpoint"}
}"""

# A cart on a rail, with a box that slides on it: joints and contacts.
CART = """{
  "stickslip": 1, "name": "cart", "time": {"step": 2e-3, "end": 1},
  "system": {"type": "spatial",
    "bodies": [{"name": "cart", "mass": 2, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "velocity": [2, 0, 0],
                "shape": {"type": "box", "size": [2, 1, 0.2]}},
               {"name": "box", "mass": 1, "inertia": [[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]],
                "position": [0, 0, 0.3], "shape": {"type": "box", "size": [0.4, 0.4, 0.4]}}],
    "materials": {"default": {"friction": 0.3}},
    "joints": [{"name": "rail", "type": "prismatic", "bodies": ["world", "cart"], "position": [0, 0, 0],
                "axis": [1, 0, 0]}]},
  "method": {"scheme": "midpoint", "cone": "circular"}
}"""

FLIGHT = """{
  "stickslip": 1, "name": "flight", "time": {"step": 1e-2, "end": 1},
  "system": {"type": "spatial", "gravity": [0, 0, 0],
    "bodies": [{"name": "wall", "type": "static", "position": [0, 9, 0], "shape": {"type": "sphere", "radius": 1}},
               {"name": "ball", "mass": 2, "inertia": [[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]],
                "velocity": [0, 0, 1], "shape": {"type": "sphere", "radius": 1}}]}
}"""


# ---- Solvers ----


def only_impulses(problem):
    return problem.solve("auto").p


def everything(problem):
    answer = problem.solve("auto")
    return answer.v, answer.p, answer.c


def solution(problem):
    return problem.solve("auto")


def nothing_done(problem):
    return np.zeros(problem.row_count)


@pytest.mark.parametrize("solver", [only_impulses, everything, solution])
def test_velocities_and_joints_follow_from_impulses(solver):
    scene = ss.Scene.parse(CART)
    own, reference = scene.simulation(solver=solver), scene.simulation()
    for sim in (own, reference):
        sim.run(steps=100)
    assert own.certified and own.summary.contacts_max == 4
    assert own.report.solver == solver.__name__
    assert own.summary.joint_residual_max < 1e-10 and own.summary.joint_drift_max < 1e-9
    assert np.allclose(own.u, reference.u, atol=1e-9)
    # What the two share: 2 kg that slow down by what 1 kg gains.
    assert 2 * own.bodies["cart"].velocity[0] + own.bodies["box"].velocity[0] == pytest.approx(4)


def test_a_wrong_solver_is_judged_not_an_error():
    sim = ss.Scene.parse(CART).simulation(solver=nothing_done)
    assert sim.step() is False
    assert not sim.certified and 1e-3 < sim.certificate.residual <= 2
    assert "nothing_done" in sim.report.explain()
    assert sim.bodies["box"].velocity[2] < 0 and sim.certificate.joint_residual < 1e-12  # it falls through the cart
    sim.run(steps=10)
    assert sim.summary.uncertified_steps == 11


def test_a_wrong_answer_for_velocities_is_judged():
    def still(problem):
        v, p, c = everything(problem)
        return 0 * v, p, c

    sim = ss.Scene.parse(CART).simulation(solver=still)
    assert sim.step() is False and sim.certificate.momentum_residual > 0.1


def test_an_answer_that_is_no_number_stops_the_run():
    answers = {"p": np.nan}
    sim = ss.Scene.parse(CART).simulation(solver=lambda problem: answers["p"] + only_impulses(problem))
    before = sim.hash
    assert sim.step() is False
    assert sim.hash == before and not sim.is_finite and not sim.certificate.finite
    answers["p"] = 0.0
    sim.set(time=0.0)
    assert sim.step() is True


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda problem: None, "expected p, or v, p and c, got None"),
        (lambda problem: np.zeros(5), "p: has length 5; expected 12"),
        (lambda problem: np.zeros((12, 1)), "p: has shape"),
        (lambda problem: "impulses", "p: "),
        (lambda problem: object(), "p: "),
        (lambda problem: np.zeros(12) * 1j, "p: "),
        (lambda problem: (np.zeros(3), np.zeros(12), np.zeros(5)), r"v: expected an array of shape \(12,\)"),
        (lambda problem: (np.zeros(12), np.zeros(11), np.zeros(5)), r"p: expected an array of shape \(12,\)"),
        (lambda problem: (np.zeros(12), np.zeros(12), np.zeros(4)), r"c: expected an array of shape \(5,\)"),
    ],
)
def test_answers_that_are_none_are_named(answer, message):
    sim = ss.Scene.parse(CART).simulation(solver=answer)
    before = sim.hash
    with pytest.raises(ss.InputError, match=message):
        sim.step()
    assert sim.hash == before and sim.summary.steps == 0


@pytest.mark.parametrize("kind", [KeyboardInterrupt, ValueError])
def test_exceptions_come_out_and_leave_all_in_order(kind):
    raised, fails = kind("stop"), []

    def solver(problem):
        if fails and problem.contact_count > 0:
            raise raised
        return solution(problem)

    scene = ss.Scene.parse(CART)
    sim, other = scene.simulation(solver=solver), scene.simulation(solver=solution)
    sim.bodies["box"].position = other.bodies["box"].position = (0, 0, 0.301)  # it falls first
    sim.run(steps=2)
    fails.append(True)
    with pytest.raises(kind) as caught:
        sim.run(steps=100)
    assert caught.value is raised
    done = sim.summary.steps
    assert 2 <= done < 100
    # The problem at hand has contacts that nobody has solved.
    assert len(sim.contacts) == 0 and sim.problem.contact_count == 0
    assert (sim.joint_forces["force"] == 0).all() and len(sim.joint_impulses) == 0
    assert "certified" in repr(sim.summary) and sim.energy.kinetic > 0
    fails.clear()
    sim.run(steps=200 - done)
    other.run(steps=200)
    assert sim.hash == other.hash and len(sim.contacts) == 4


def test_what_is_kept_of_a_problem_stays():
    kept = []

    def solver(problem):
        kept.append(problem)
        return only_impulses(problem)

    sim = ss.Scene.parse(CART).simulation(solver=solver)
    sim.run(steps=3)
    del sim
    gc.collect()
    assert len(kept) == 3
    for problem in kept:
        assert problem.method["tolerance"] == 1e-8 and problem.method["solver"] == "solver"
        assert problem.solve().certified and problem.contact_count == 4


class Counted(ss.Solver):
    """Remembers how often it was asked, and lets that reach its results."""

    name = "counted"

    def __init__(self):
        self.solves = 0

    def solve(self, problem):
        self.solves += 1
        return only_impulses(problem) * (1 + 1e-12 * self.solves)

    def save(self):
        return pickle.dumps(self.solves)

    def restore(self, memory):
        self.solves = pickle.loads(memory)


@pytest.mark.parametrize("solver", [Counted, Counted(), solution])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_go_on_with_the_same_bits(solver, copied):
    sim = ss.Scene.parse(CART).simulation(solver=solver)
    sim.run(steps=20)
    other = copied(sim)
    for simulation in (sim, other):
        simulation.run(steps=20)
    assert sim.hash == other.hash and sim.summary.steps == other.summary.steps == 40


def test_a_class_makes_a_solver_for_each_simulation():
    made = []

    class Own(ss.Solver):
        def __init__(self):
            made.append(self)

        def solve(self, problem):
            return only_impulses(problem)

    scene = ss.Scene.parse(CART)
    for sim in (scene.simulation(solver=Own), scene.simulation(solver=Own)):
        assert sim.step() and sim.report.solver == "Own"
    assert len(made) == 2


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        (3, "solver: expected a function of the problem or a Solver, got 3"),
        ("lemke", "solver: expected one of your own; 'lemke' belongs into the method of the scene"),
        (int, "solver: int is a class, but none of ss.Solver"),
        (type("Own", (ss.Solver,), {"takes_coulomb": 1}), "Own.takes_coulomb: expected True or False, got 1"),
        (type("Own", (ss.Solver,), {"doubt": "always"}), "Own.doubt: expected"),
        (type("Own", (ss.Solver,), {"name": 3}), "solver: expected a name, got 3"),
        (type("Own", (ss.Solver,), {"takes_coulomb": False}), "coulomb"),
        (type("Own", (ss.Solver,), {"takes_circular": False}), "circular|cone"),
    ],
)
def test_wrong_solvers_are_named(solver, message):
    with pytest.raises(ss.InputError, match=message):
        ss.Scene.parse(CART).simulation(solver=solver)


def test_a_solver_without_a_function_says_so():
    sim = ss.Scene.parse(CART).simulation(solver=ss.Solver)
    with pytest.raises(NotImplementedError, match="Solver.solve"):
        sim.step()


def test_registered_solvers_have_names():
    ss.register_solver("counted-solver", Counted)
    ss.register_solver("plain-solver", only_impulses)
    assert {"counted-solver", "plain-solver"} <= set(ss.solver_names())
    scene = ss.Scene.parse(CART)
    by_name = scene.with_({"method.solver": "counted-solver"}).simulation()
    handed = scene.simulation(solver=Counted)
    for sim in (by_name, handed):
        sim.run(steps=20)
    assert by_name.report.solver == "counted-solver"
    assert by_name.hash == handed.hash and by_name.certified
    other = copy.deepcopy(by_name)
    for sim in (by_name, other):
        sim.run(steps=5)
    assert by_name.hash == other.hash
    table = str(ss.compare(handed.problem, ["exact", "plain-solver"]))
    assert "plain-solver" in table
    for name in ("plain-solver", "exact", "gradient"):
        with pytest.raises(ss.InputError, match="registered already"):
            ss.register_solver(name, only_impulses)
    for name in ("", 3):
        with pytest.raises(ss.InputError, match="expected a name"):
            ss.register_solver(name, only_impulses)


def test_the_interpreter_ends_with_all_of_it_alive():
    program = """
import stickslip as ss
class Own(ss.Solver):
    def solve(self, problem): return problem.solve().p
class Scheme(ss.Scheme):
    def formulate(self, step):
        step.free_motion((step.time, step.q)); step.contacts(step.time, step.q); step.joints(step.time, step.q)
    def advance(self, step, v): return step.move(step.time, v, step.h, step.q), v
ss.register_solver("mine", Own); ss.register_scheme("own", Scheme)
scene = ss.Scene.load("scenes/incline.json", set={"method.solver": "mine", "method.scheme": "own"})
sims = [scene.simulation(), scene.simulation(solver=Own, scheme=Scheme, forces=[lambda t, bodies: {"box": [0, 0, 1]}])]
for sim in sims: sim.run(steps=2)
Own.sims = sims
problem = sims[0].problem
"""
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_the_example(capsys):
    path = ROOT / "examples" / "python" / "own_solver.py"
    spec = importlib.util.spec_from_file_location("own_solver", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    own, named, exact = module.main()
    assert own.certified and exact.certified and own.hash == named.hash
    assert own.report.solver == "projected_gauss_seidel" and named.report.solver == "projected-gauss-seidel"
    distance = exact.bodies["box"].position[0]
    assert own.bodies["box"].position[0] == pytest.approx(distance, abs=1e-4)
    assert distance == pytest.approx(2**2 / (2 * 0.5 * 9.81), rel=0.03)  # v^2 / (2 mu g), steps of 10 ms
    assert len(path.read_text().splitlines()) <= 40
    assert "certified" in capsys.readouterr().out


# ---- Schemes ----


class Midpoint(ss.Scheme):
    """The engine's own, once more; without springs and prestressed elements."""

    def formulate(self, step):
        h = step.h
        self.t = step.time + 0.5 * h
        u = step.coast(0.5 * h, step.u)
        self.q = step.move(step.time, (step.u + u) / 2, 0.5 * h, step.q)
        step.free_motion((self.t, self.q), u=u)
        step.contacts(self.t, self.q, way=1e-9 * h * (abs(u) + abs(step.v_free)))
        gamma = step.contact_velocities(u)
        for i, row in enumerate(step.normal_rows):
            if step.contact_kinds[i] == "unilateral":
                step.b[row] += step.e_n[i] * gamma[row]
                step.b[row + 1 : row + 3] += step.e_t[i] * gamma[row + 1 : row + 3] if self.has_tangents(step, i) else 0
        step.joints(self.t, self.q)
        if h > 0:
            step.g += step.joint_gap / h

    @staticmethod
    def has_tangents(step, i):
        """The two rows after the normal are those of this contact."""
        rows = np.append(step.normal_rows, len(step.b))
        return rows[i + 1] - rows[i] >= 3 or step.e_t[i] == 0

    def advance(self, step, v):
        u = step.coast(0.5 * step.h, v)
        return step.move(self.t, (v + u) / 2, 0.5 * step.h, self.q), u


@pytest.mark.parametrize(
    "name",
    ["woodpecker", "box-stack", "four-bar", "cradle", "belt-oscillator", "coupled-carts", "dzhanibekov", "incline"],
)
def test_midpoint_in_python_has_the_bits_of_the_engines(name, scenes):
    scene = ss.Scene.load(scenes / f"{name}.json", set={"method.scheme": "midpoint"})
    own, reference = scene.simulation(scheme=Midpoint), scene.simulation()
    for sim in (own, reference):
        sim.run(steps=60)
    assert own.hash == reference.hash and own.certified


class Conceding(Midpoint):
    """Planar, and gives up restitution where it is told to."""

    conceded = 0

    @staticmethod
    def has_tangents(step, i):
        return True

    def formulate(self, step):
        h = step.h
        self.t, self.q = step.time + 0.5 * h, step.move(step.time, step.u, 0.5 * h, step.q)
        step.free_motion((self.t, self.q))
        step.contacts(self.t, self.q, way=1e-9 * h * (abs(step.u) + abs(step.v_free)))
        self.drive = step.contact_velocities(np.zeros_like(step.u))
        gamma = step.contact_velocities(step.u)
        for i, row in enumerate(step.normal_rows):
            step.b[row] += step.e_n[i] * gamma[row]
            step.b[row + 1] += step.e_t[i] * gamma[row + 1]

    def concede(self, step, contacts, joints):
        Conceding.conceded += 1
        changed = False
        for i, row in enumerate(step.normal_rows):
            if contacts[i] > 0:
                changed = changed or bool((step.b[row : row + 2] != self.drive[row : row + 2]).any())
                step.b[row : row + 2] = self.drive[row : row + 2]
        return changed

    def advance(self, step, v):
        return step.move(self.t, v, 0.5 * step.h, self.q), v


def test_a_scheme_concedes_as_the_engines():
    scene, dropped = ss.Scene.parse(ROD), 0
    for angle in (0.3, 0.6, 0.9):
        for speed in (-2.0, -0.5, 0.5, 2.0):
            own, reference = scene.simulation(scheme=Conceding), scene.simulation()
            for sim in (own, reference):
                rod = sim.bodies["rod"]
                rod.angle, rod.position = angle, [0, np.sin(angle) / 2 + 0.0505, 0]
                rod.velocity = [speed, -1, 0]
                sim.run(steps=3)
            assert own.hash == reference.hash and own.certified
            assert own.summary.restitution_dropped_steps == reference.summary.restitution_dropped_steps
            dropped += own.summary.restitution_dropped_steps
    assert dropped > 0 and Conceding.conceded > 0


class Euler(ss.Scheme):
    """That of examples/own_scheme.cpp."""

    gaps_at_start = True

    def formulate(self, step):
        here = (step.time, step.q)
        step.free_motion(here)
        step.contacts(*here, way=step.h * (abs(step.u) + abs(step.v_free)), time=step.h)
        if step.h > 0:
            step.b[step.normal_rows] += np.maximum(step.gap, 0) / step.h
        step.joints(*here)

    def advance(self, step, v):
        return step.move(step.time, v, step.h, step.q), v


BALL = """{
  "stickslip": 1, "name": "ball",
  "system": {"type": "spatial", "gravity": [0, 0, -9.81],
             "materials": {"wood": {"density": 600, "friction": 0.3}},
             "bodies": [
               {"name": "floor", "type": "static", "shape": {"type": "half-space"}, "material": "wood"},
               {"name": "ball", "shape": {"type": "sphere", "radius": 0.1}, "material": "wood",
                "position": [0, 0, 1], "velocity": [1, 0, 0]}]},
  "method": {"scheme": "euler", "cone": "circular"},
  "time": {"step": 0.001, "end": 1}
}"""


def test_a_registered_scheme():
    ss.register_scheme("euler", Euler)
    assert "euler" in ss.scheme_names()
    sim = ss.Scene.parse(BALL).simulation()
    sim.run()
    assert sim.certified and sim.bodies["ball"].position[2] == pytest.approx(0.1, abs=1e-6)
    assert sim.summary.penetration_max < 1e-12
    # It rolls: 5/7 of its speed is left.
    assert sim.bodies["ball"].velocity[0] == pytest.approx(5 / 7, rel=5e-3)
    with pytest.raises(ss.InputError, match="registered already"):
        ss.register_scheme("midpoint", Euler)
    for other in (copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))):
        other.run(steps=10)
        assert other.certified


def test_a_scheme_with_a_solver_of_ones_own():
    sim = ss.Scene.parse(CART).simulation(scheme=Euler(), solver=solution)
    sim.run(steps=50)
    assert sim.certified and sim.report.solver == "solution"


class Twice(Midpoint):
    """Solves each problem again, as schemes do that iterate for their geometry."""

    def formulate(self, step):
        super().formulate(step)
        self.rounds = 0

    def conclude(self, step, v, p, c):
        assert len(v) == len(step.u) and len(p) == len(step.b) and len(c) == len(step.g)
        self.rounds += 1
        if self.rounds == 2:
            return "done"
        Midpoint.formulate(self, step)
        return "repeat"


def test_a_scheme_with_several_problems(scenes):
    scene = ss.Scene.load(scenes / "box-stack.json", set={"method.scheme": "midpoint"})
    own, reference = scene.simulation(scheme=Twice), scene.simulation()
    for sim in (own, reference):
        sim.run(steps=20)
    assert own.certified and own.report.problems == 1
    assert np.allclose(own.q, reference.q, atol=1e-9)


def changed(function):
    """Euler with a change in formulate."""

    class Changed(Euler):
        def formulate(self, step):
            super().formulate(step)
            function(step)

    return Changed


def b_is_nan(step):
    step.b[0] = np.nan


def b_has_another_size(step):
    step.b = np.zeros(3)


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        (type("Own", (Euler,), {"formulate": lambda self, step: None}), r"Own.formulate: .* step.free_motion"),
        (
            type("Own", (Euler,), {"formulate": lambda self, step: step.free_motion((step.time, step.q))}),
            r"Own.formulate: expected it to call step.contacts",
        ),
        (changed(b_is_nan), r"Changed: b\[0\]: expected a finite number"),
        (changed(b_has_another_size), r"b: expected an array of shape \(12,\), got one of shape \(3,\)"),
        (changed(lambda step: step.free_motion(step.q)), r"mass: expected \(t, q\)"),
        (changed(lambda step: step.contacts(0.0, [1, 2])), r"q: expected an array of shape \(14,\)"),
        (changed(lambda step: step.contacts(np.nan, step.q)), "t, margin, time"),
        (changed(lambda step: step.contacts(0.0, step.q, margin=-1)), "way, margin, time: expected numbers >= 0"),
        (changed(lambda step: step.contacts(0.0, step.q, way=-step.h - abs(step.u))), "expected numbers >= 0"),
        (changed(lambda step: step.move(0.0, step.u, np.inf, step.q)), "t, dt"),
        (changed(lambda step: step.mobility(12)), "there is no row 12 of contacts"),
        (changed(lambda step: step.joint_mobility(-1)), "there is no row -1 of joints"),
        (changed(lambda step: step.make_spring(99, 0.0, 0.0)), "there is no row 99 of joints"),
        (changed(lambda step: step.make_spring(0, np.nan, 0.0)), "stretch, resistance"),
        (changed(lambda step: step.prestress(0, 0.0, 1.0)), "0 is no prestressed element"),
        (changed(lambda step: step.prestress(77, 0.0, 1.0)), "there is no contact 77"),
        (type("Own", (Euler,), {"advance": lambda self, step, v: v}), r"Own.advance: expected \(q, u\)"),
        (
            type("Own", (Euler,), {"advance": lambda self, step, v: (v, v)}),
            r"Own.advance: expected an array of shape \(14,\)",
        ),
        (type("Own", (Euler,), {"conclude": lambda self, step, v, p, c: True}), "Own.conclude: expected"),
    ],
)
def test_wrong_schemes_are_named(scheme, message):
    sim = ss.Scene.parse(CART).simulation(scheme=scheme)
    before = sim.hash
    with pytest.raises(ss.InputError, match=message):
        sim.step()
    assert sim.hash == before and len(sim.contacts) in (0, 4)


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        (3, "scheme: expected a Scheme, got 3"),
        ("midpoint", "scheme: expected one of your own"),
        (lambda step: None, "scheme: expected a Scheme"),
        (type("Own", (ss.Scheme,), {"options": "theta"}), "Own.options: expected a list of names"),
        (type("Own", (ss.Scheme,), {"gaps_at_start": None}), "Own.gaps_at_start: expected True or False"),
    ],
)
def test_what_is_no_scheme_is_named(scheme, message):
    with pytest.raises(ss.InputError, match=message):
        ss.Scene.parse(CART).simulation(scheme=scheme)


def test_an_end_that_is_no_number_is_no_step():
    sim = ss.Scene.parse(CART).simulation(
        scheme=type("Own", (Euler,), {"advance": lambda self, step, v: (step.q * np.nan, v)})
    )
    before = sim.hash
    assert sim.step() is False
    assert sim.hash == before and not sim.is_finite


def test_a_step_is_of_no_use_outside():
    kept = []
    sim = ss.Scene.parse(CART).simulation(scheme=changed(kept.append))
    sim.step()
    step = kept[0]
    for use in (lambda: step.q, lambda: step.b, lambda: step.move(0.0, [], 1.0, []), lambda: step.problem):
        with pytest.raises(RuntimeError, match="only in the functions of a scheme"):
            use()
    del sim
    gc.collect()
    with pytest.raises(RuntimeError):
        step.time  # noqa: B018


def test_what_a_step_shows():
    seen = {}

    def look(step):
        seen.update(
            problem=step.problem,
            method=step.method,
            b=step.b,
            kinds=step.contact_kinds,
            mobility=[step.mobility(row) for row in range(len(step.b))],
            joint_mobility=[step.joint_mobility(row) for row in range(len(step.g))],
            divided=step.divide_by_mass(np.arange(1.0, 13.0)),
            stiffness=step.joint_stiffness,
            velocity=step.joint_velocities(step.u),
        )

    sim = ss.Scene.parse(CART).simulation(scheme=changed(look))
    assert sim.step()
    problem, inverse = seen["problem"], np.linalg.inv(seen["problem"].M.toarray())
    J, G = problem.J.toarray(), problem.G.toarray()
    assert np.allclose(seen["mobility"], np.diag(J @ inverse @ J.T))
    assert np.allclose(seen["joint_mobility"], np.diag(G @ inverse @ G.T))
    assert np.allclose(seen["divided"], inverse @ np.arange(1.0, 13.0))
    assert np.isinf(seen["stiffness"]).all() and np.allclose(seen["velocity"], 0)
    assert seen["kinds"] == ["unilateral"] * 4 and seen["method"]["cone"] == "circular"
    seen["b"][:] = np.nan  # what is written later counts no more
    assert sim.step() or True
    assert np.isfinite(sim.q).all()


# ---- Forces ----


def test_a_constant_force_and_torque_in_closed_form():
    def force(t, bodies):
        return {"ball": [2.0, 0, 0, 0, 0, 0.25]}

    sim = ss.Scene.parse(FLIGHT).simulation(forces=[force])
    sim.run()
    assert np.allclose(sim.bodies["ball"].velocity, [1.0, 0, 1.0])
    assert np.allclose(sim.bodies["ball"].angular_velocity, [0, 0, 0.5])
    assert sim.certified


class Spring(ss.ForceLaw):
    """Pulls the ball to where it started."""

    def __init__(self, stiffness):
        self.stiffness = stiffness

    def __call__(self, t, bodies):
        return {"ball": -self.stiffness * bodies["ball"].position}


def test_a_force_of_place():
    scene = ss.Scene.parse(FLIGHT)
    sim = scene.simulation(forces=[Spring(8.0)])  # omega = 2
    sim.run(until=0.75)
    assert sim.bodies["ball"].position[2] == pytest.approx(np.sin(1.5) / 2, abs=5e-3)
    for other in (copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))):
        other.run(until=1.0)
        assert other.certified
    sim.run(until=1.0)
    assert sim.hash == other.hash


def test_forces_add_up_and_come_in_all_forms():
    def array(t, bodies):
        assert len(bodies) == 2 and bodies.position.shape == (2, 3) and bodies.orientation.shape == (2, 4)
        assert bodies.names == ("wall", "ball") and bodies["wall"].position[1] == 9
        with pytest.raises(ValueError):
            bodies.position[0, 0] = 1.0
        return [[0, 0, 0], [1.0, t, 0]]

    def wide(t, bodies):
        assert isinstance(bodies, BodyStates) and bodies[1].velocity.shape == (3,) and bodies.angle.shape == (2,)
        out = np.zeros((2, 6))
        out[1, 0] = 1.0
        return out

    sim = ss.Scene.parse(FLIGHT).simulation(forces=[array, wide, lambda t, bodies: {}])
    sim.run()
    # The force of the start of each step: the sum of t_k h / 2 over 100 steps.
    assert np.allclose(sim.bodies["ball"].velocity, [1.0, 0.2475, 1.0])


def test_a_force_of_nothing_changes_no_bit(scenes):
    for name in ("box-stack", "four-bar", "dzhanibekov", "joints/gear", "shapes/spatial-on-mesh", "elements/ratchet"):
        scene = ss.Scene.load(scenes / f"{name}.json")
        own, reference = scene.simulation(forces=[lambda t, bodies: {}]), scene.simulation()
        for sim in (own, reference):
            sim.run(steps=30)
        assert own.hash == reference.hash


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"stone": [0, 0, 0]}, "there is no body 'stone'; there are wall, ball"),
        ({"ball": [0, 0]}, r"ball: expected a force, three numbers, or with a torque six, got shape \(2,\)"),
        ({"ball": "up"}, "ball: expected numbers"),
        ({"ball": [0, 0, np.nan]}, "expected finite numbers, got nan"),
        (None, "expected numbers, got None"),
        (np.zeros((1, 3)), r"an array \(2, 3\) or \(2, 6\), got one of shape \(1, 3\)"),
        (7.0, r"got one of shape \(\)"),
    ],
)
def test_wrong_forces_are_named(answer, message):
    sim = ss.Scene.parse(FLIGHT).simulation(forces=[lambda t, bodies: answer])
    before = sim.hash
    with pytest.raises(ss.InputError, match=message):
        sim.step()
    assert sim.hash == before


@pytest.mark.parametrize(
    ("forces", "message"),
    [
        (3, "forces: expected a list"),
        (Spring(1.0), "forces: expected a list"),
        ([3], r"forces\[0\]: expected a function"),
        ([Spring], r"forces\[0\]: expected a function"),
    ],
)
def test_what_is_no_force_is_named(forces, message):
    with pytest.raises(ss.InputError, match=message):
        ss.Scene.parse(FLIGHT).simulation(forces=forces)


def test_forces_are_for_bodies(scenes):
    with pytest.raises(ss.InputError, match="forces: only for bodies"):
        ss.Scene.load(scenes / "woodpecker.json").simulation(forces=[Spring(1.0)])
    with pytest.raises(ss.InputError, match="no option 'force' of a scene"):
        ss.Scene.parse(FLIGHT).simulation(force=[Spring(1.0)])


# ---- Memory ----


def test_cycles_through_own_parts_are_collected():
    class Own(ss.Solver):
        def solve(self, problem):
            return only_impulses(problem)

    class OwnScheme(Euler):
        pass

    seen = []
    for kind in ("solver", "scheme", "forces"):
        part = {"solver": Own, "scheme": OwnScheme, "forces": lambda: Spring(0.0)}[kind]()
        sim = ss.Scene.parse(CART if kind != "forces" else FLIGHT).simulation(
            **{kind: [part] if kind == "forces" else part}
        )
        sim.step()
        part.simulation = sim
        seen += [weakref.ref(part), weakref.ref(sim)]
    del part, sim
    gc.collect()
    assert [ref() for ref in seen] == [None] * 6
