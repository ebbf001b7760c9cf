"""Batches: the bits of single runs, arrays with a leading axis, and what may go wrong."""

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import stickslip as ss

# Boxes that are thrown onto a floor and onto each other.
HEAP = {
    "stickslip": 1,
    "name": "heap",
    "time": {"step": 2e-3, "end": 0.2},
    "system": {
        "type": "spatial",
        "materials": {"default": {"friction": 0.5}},
        "bodies": [
            {"name": "floor", "type": "static", "shape": {"type": "half-space"}},
            *(
                {
                    "name": f"box{i}",
                    "position": [0.1 * i, 0, 0.3 + 0.55 * i],
                    "velocity": [1, 0.1 * i, 0],
                    "shape": {"type": "box", "size": [0.5, 0.5, 0.5]},
                }
                for i in range(3)
            ),
        ],
    },
}
ARM = {
    "stickslip": 1,
    "name": "arm",
    "time": {"step": 1e-3, "end": 0.1},
    "system": {
        "type": "planar",
        "bodies": [{"name": "arm", "position": [0.5, 0], "shape": {"type": "box", "size": [1, 0.1]}}],
        "joints": [{"name": "hinge", "type": "revolute", "bodies": ["world", "arm"], "position": [0, 0]}],
    },
}
COPIES = 5


def friction(i: int) -> dict[str, object]:
    return {"system.materials.default.friction": 0.1 * i}


@pytest.fixture(scope="module")
def heap() -> ss.Scene:
    return ss.Scene.parse(json.dumps(HEAP))


@pytest.fixture(scope="module")
def arm() -> ss.Scene:
    return ss.Scene.parse(json.dumps(ARM))


def single(i: int, **until: float) -> ss.Simulation:
    sim = ss.Scene.parse(json.dumps(HEAP), set=friction(i)).simulation()
    sim.run(**until)
    return sim


# ---- The bits of single runs ----


@pytest.mark.parametrize("threads", [1, 2, 5, 0, None])
def test_copies_have_the_bits_of_single_runs(heap, threads):
    batch = ss.vectorize(heap, COPIES, set=friction, threads=threads)
    batch.step()
    batch.run(steps=7)
    batch.run(until=0.0751)
    certified = batch.run()
    assert certified.dtype == bool and certified.all()
    hashes = []
    for i in range(COPIES):
        sim = single(i, steps=8)
        sim.run(until=0.0751)
        sim.run()
        hashes.append(sim.hash)
    assert batch.hashes == hashes
    assert len(set(hashes)) == COPIES, "friction makes a difference"
    assert np.array_equal(batch.time, np.full(COPIES, 0.2))


def test_threads_are_the_batch_s_own(heap):
    before = ss.threads()
    batch = ss.vectorize(heap, 4, threads=3)
    assert batch.threads == 3
    batch.run(steps=3)
    assert ss.threads() == before
    assert ss.vectorize(heap, 2, threads=64).threads == 2, "not more than there are copies"
    assert ss.vectorize(heap, 2, threads=None).threads == before


def test_a_list_of_overrides_and_a_path(scenes):
    changes = [{"time.step": 1e-3}, {"time.step": 2e-3}, {}]
    batch = ss.vectorize(scenes / "box-stack.json", set=changes)
    assert len(batch) == 3
    batch.run(until=0.02)
    for change, one in zip(changes, batch):
        sim = ss.Scene.load(scenes / "box-stack.json", set=change).simulation()
        sim.run(until=0.02)
        assert sim.hash == one.hash


def test_steps_say_which_copies_are_certified(heap):
    batch = ss.vectorize(heap, 3)
    certified = batch.step()
    assert certified.shape == (3,) and certified.dtype == bool and certified.all()
    assert [s.steps for s in batch.summaries] == [1, 1, 1]
    assert batch.finite.all()


def test_simulations_go_on_together(heap, arm):
    sims = [heap.simulation() for _ in range(3)]
    sims[1].run(steps=5)
    batch = ss.vectorize(sims, threads=2)
    assert batch[1] is sims[1] and list(batch) == sims
    batch.run(steps=4)
    assert [s.summary.steps for s in sims] == [4, 9, 4]
    sims[2].step()
    assert batch.time[2] == sims[2].time > sims[0].time
    with pytest.raises(ss.InputError, match="copy 1 has 1 bodies, copy 0 has 4"):
        ss.vectorize([heap.simulation(), arm.simulation()])


# ---- Arrays ----


def test_arrays_are_those_of_the_copies(heap):
    batch = ss.vectorize(heap, 4, set=friction)
    batch.run(steps=60)
    n, bodies = 4, 4
    assert batch.q.shape == (n, 21) and batch.u.shape == (n, 18)
    assert batch.position.shape == (n, bodies, 3) and batch.orientation.shape == (n, bodies, 4)
    assert batch.bodies.names == ["floor", "box0", "box1", "box2"]
    for i, sim in enumerate(batch):
        assert batch.time[i] == sim.time
        assert np.array_equal(batch.q[i], sim.q) and np.array_equal(batch.u[i], sim.u)
        for part in ("position", "orientation", "velocity", "angular_velocity"):
            assert np.array_equal(getattr(batch, part)[i], getattr(sim.bodies, part)), part
            assert np.array_equal(getattr(batch.bodies["box1"], part)[i], getattr(sim.bodies["box1"], part)), part
        assert batch.energy.kinetic[i] == sim.energy.kinetic
        assert batch.energy.total[i] == sim.energy.total
        assert batch.certified[i] == sim.certified
    held = batch.q
    before = held.copy()
    batch.step()
    assert np.array_equal(held, before), "arrays are copies"
    with pytest.raises(ss.InputError, match="is it 'box1'"):
        batch.bodies["bok1"]


def test_angles_in_the_plane(arm):
    batch = ss.vectorize(arm, 2)
    batch.set(u=[0, 0, 1], where=1)
    batch.run(steps=5)
    for i, sim in enumerate(batch):
        assert np.array_equal(batch.angle[i], sim.bodies.angle) and batch.bodies[0].angle[i] == sim.bodies[0].angle
    assert batch.angle[0] != batch.angle[1]


def test_joints_and_coordinates_by_name(arm, scenes):
    batch = ss.vectorize(arm, 3)
    batch.run(steps=20)
    assert batch.joint_coordinates.shape == (3, 1, 2)
    hinge = batch.joints["hinge"]
    assert hinge.coordinates.shape == (3, 1)
    assert np.array_equal(hinge.coordinate, [sim.joints["hinge"].coordinate for sim in batch])
    assert (hinge.coordinate < 0).all()
    carts = ss.vectorize(scenes / "coupled-carts.json", 2)
    carts.coordinates["a"].u = [0.5, 0.25]
    assert np.array_equal(carts.coordinates["a"].u, [0.5, 0.25])
    assert np.array_equal(carts.coordinates["b"].q, [0, 0])
    assert carts.position.shape == (2, 0, 3) and carts.joint_coordinates.shape == (2, 0, 2)


# ---- Changes ----


def test_the_state_of_some_copies(arm):
    batch = ss.vectorize(arm, 4)
    q = batch.q + np.arange(4)[:, np.newaxis] * [0, 0, 1e-3]
    batch.set(q=q, where=[True, False, True, False])
    assert np.array_equal(batch.q[2], q[2]) and np.array_equal(batch.q[1], batch[3].q)
    batch.set(u=[[1, 2, 3]], time=0.25, where=-1)
    assert np.array_equal(batch.u[3], [1, 2, 3]) and not batch.u[:3].any()
    assert np.array_equal(batch.time, [0, 0, 0, 0.25])
    batch.set(u=[[1, 0, 0], [2, 0, 0]], where=[0, 2])
    assert np.array_equal(batch.u[:, 0], [1, 0, 2, 1])
    batch.set(time=np.arange(4.0))
    assert np.array_equal(batch.time, np.arange(4.0))


def test_a_body_of_some_copies(heap):
    batch = ss.vectorize(heap, 3)
    batch.bodies["box0"].velocity = [[i, 0, 0] for i in range(3)]
    batch.bodies["box1"].position = [5, 5, 5]
    batch.place("box2", velocity=[0, 0, 9], angular_velocity=[1, 2, 3], where=[1])
    assert np.array_equal(batch.velocity[:, 1, 0], [0, 1, 2])
    assert np.array_equal(batch.bodies["box1"].position, [[5, 5, 5]] * 3)
    assert batch.velocity[1, 3, 2] == 9 and batch.velocity[0, 3, 2] == 0
    other = heap.simulation()
    other.bodies["box0"].velocity = [2, 0, 0]
    other.bodies["box1"].position = [5, 5, 5]
    assert other.hash == batch[2].hash


def test_an_angle_in_the_plane(scenes):
    free = ss.Scene.parse(
        '{"stickslip": 1, "name": "free", "time": {"step": 0.01, "end": 1}, "system": {"type": "planar",'
        ' "bodies": [{"name": "rod", "shape": {"type": "box", "size": [1, 0.1]}}]}}'
    )
    batch = ss.vectorize(free, 2)
    batch.bodies["rod"].angle = [0.1, 0.2]
    assert np.array_equal(batch.bodies["rod"].angle, [0.1, 0.2])


def test_nothing_changes_if_something_is_wrong(arm):
    batch = ss.vectorize(arm, 3)
    before = batch.hashes
    bad = batch.q.copy()
    bad[2, 1] = np.nan
    for arguments in (
        {"q": bad},
        {"q": [1.0]},
        {"q": np.zeros((4, 3))},
        {"q": "q"},
        {"u": {"nobody": 1}},
        {"u": batch.u + 1, "time": np.inf},
        {"u": [1, 2, 3], "where": [0, 0]},
        {"u": [1, 2, 3], "where": [True, False]},
        {"u": [1, 2, 3], "where": "all"},
        {"u": [1, 2, 3], "where": 1.5},
        {"u": [1, 2, 3], "where": [[0], [1, 2]]},
    ):
        with pytest.raises(ss.InputError):
            batch.set(**arguments)
    with pytest.raises(IndexError, match="there is no copy 3"):
        batch.set(u=[1, 2, 3], where=3)
    with pytest.raises(ss.InputError, match="velocity: expected finite"):
        batch.place("arm", velocity=[0, np.inf, 0])
    assert batch.hashes == before


def test_reset_gives_new_simulations(heap):
    batch = ss.vectorize(heap, COPIES, set=friction, threads=2)
    starts = batch.hashes
    batch.run(steps=60)
    middle = batch.hashes
    batch.reset([False, True, False, True, False])
    assert batch.hashes == [(starts if i % 2 else middle)[i] for i in range(COPIES)]
    assert [s.steps for s in batch.summaries] == [60, 0, 60, 0, 60]
    batch.run(until=0.2)
    assert batch.hashes == [single(i).hash for i in range(COPIES)]
    batch.reset()
    assert batch.hashes == starts
    batch.run()
    assert batch.hashes == [single(i).hash for i in range(COPIES)]


# ---- Inputs ----


@pytest.mark.parametrize("threads", [1, 2])
def test_inputs_of_copies_are_those_of_single_simulations(arm, threads):
    batch = ss.vectorize(arm, 3, threads=threads)
    batch.inputs.body("arm").force = [[0, i] for i in range(3)]
    batch.inputs.torque[:, 0, 2] = [0.5, 0, 0.25]
    batch.inputs.joint("hinge").force = [1, 2, 3]
    batch.run(steps=20)
    batch.inputs.generalized[1] = [1, 2, 3]
    batch.inputs.force[0] = 0
    batch.run(steps=20)
    for i, torque in enumerate([0.5, 0, 0.25]):
        sim = arm.simulation()
        sim.inputs.body("arm").force = [0, i]
        sim.inputs.body("arm").torque = torque
        sim.inputs.joint("hinge").force = i + 1
        sim.run(steps=20)
        if i == 1:
            sim.inputs.generalized = [1, 2, 3]
        if i == 0:
            sim.inputs.force[:] = 0
        sim.run(steps=20)
        assert sim.hash == batch[i].hash, i
    batch.reset([1])
    batch.run(steps=20)
    new = arm.simulation()
    new.run(steps=20)
    assert batch[1].hash == new.hash, "a copy that is reset has no inputs"
    assert (batch.inputs.joint("hinge").force[2] == 3).all()
    copied = pickle.loads(pickle.dumps(batch))
    copied.run(steps=5)
    batch.run(steps=5)
    assert copied.hashes == batch.hashes and (copied.inputs.joint("hinge").force[2] == 3).all()
    batch.inputs.clear()
    assert not batch.inputs.force.any() and not batch.inputs.joint_force.any()


def test_a_reset_takes_the_inputs_of_the_start(arm):
    pushed = arm.simulation()
    pushed.inputs.joint("hinge").force = 7
    batch = ss.vectorize([pushed, arm.simulation()])
    batch.run(steps=5)
    after = batch.hashes
    batch.inputs.joint("hinge").force = [1, 2]
    batch.run(steps=5)
    batch.reset()
    assert np.array_equal(batch.inputs.joint("hinge").force, [[7], [0]])
    batch.run(steps=5)
    assert batch.hashes == after


def test_motors_of_copies(arm):
    driven = json.loads(json.dumps(ARM))
    driven["system"]["joints"][0]["motor"] = {"velocity": 1, "max_force": 1e4}
    batch = ss.vectorize(ss.Scene.parse(json.dumps(driven)), 3)
    hinge = batch.inputs.joint("hinge")
    assert np.isnan(hinge.target).all() and hinge.target.shape == (3, 1)
    hinge.target = [0.5, np.nan, -2]
    hinge.max_force = 1e5
    batch.run(steps=10)
    assert np.allclose(batch.angular_velocity[:, 0, 2], [0.5, 1, -2])


def test_wrong_inputs(arm):
    batch = ss.vectorize(arm, 2)
    with pytest.raises(ss.InputError, match=r"inputs.force: expected the shape \(2, 1, 3\)"):
        batch.inputs.force = [1, 2]
    for to in ("x", [1, 2, 3], [[1, 2], [3, 4]], None):
        with pytest.raises(ss.InputError):
            batch.inputs.joint("hinge").force = to
    batch.inputs.force[1, 0] = [np.nan, 0, 0]
    with pytest.raises(ss.InputError, match="force"):
        batch.step()
    assert batch.time[1] == 0 and batch.time[0] > 0, "what is wrong in one copy is not so in others"
    engine = ss._engine
    for shape in ((), (2,), (1, 1, 3), (2, 1, 2), (0,)):
        with pytest.raises(ss.InputError, match="does not fit"):
            engine.set_inputs_of(tuple(batch), force=np.zeros(shape))


# ---- Functions of Python in a batch ----


class Hopper(ss.System):
    """A ball above a floor, with a force that is a function of Python."""

    coordinates = ("y",)
    mass = np.eye(1)
    contacts = (ss.ContactLaw("floor", mu=0.0, e_n=0.5),)

    def __init__(self, fails_at: float = np.inf) -> None:
        self.fails_at = fails_at

    def forces(self, t, q, u):
        if t > self.fails_at:
            raise ZeroDivisionError(f"at {t:.3f}")
        return [-9.81 - 0.1 * u[0]]

    def gaps(self, t, q):
        return [q[0]]

    def normals(self, t, q):
        return [[1.0]]


def hopper(height: float, fails_at: float = np.inf) -> ss.Simulation:
    return ss.Simulation(Hopper(fails_at), step=1e-2, q=[height])


@pytest.mark.parametrize("threads", [1, 2, 4, None])
def test_systems_of_one_s_own_in_threads(threads):
    batch = ss.vectorize([hopper(0.1 * i) for i in range(1, 7)], threads=threads)
    for _ in range(5):
        batch.step()
    batch.run(until=0.5)
    for i in range(6):
        alone = hopper(0.1 * (i + 1))
        alone.run(until=0.5)
        assert alone.hash == batch[i].hash
    copies = ss.vectorize(Hopper(), 3, threads=threads, step=1e-2, q=[0.3])
    copies.run(steps=10)
    assert len(set(copies.hashes)) == 1 and copies.q.shape == (3, 1)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_exception_in_one_copy_comes_out_when_all_have_stepped(threads):
    batch = ss.vectorize([hopper(0.5, f) for f in (np.inf, 0.042, np.inf, 0.033)], threads=threads)
    batch.run(steps=3)
    with pytest.raises(ZeroDivisionError, match="at 0.035"):  # of copy 3
        batch.step()
    with pytest.raises(ZeroDivisionError, match="at 0.045"):  # of copy 1, the first in order
        batch.step()
    assert np.allclose(batch.time, [0.05, 0.04, 0.05, 0.03])
    alone = hopper(0.5)
    alone.run(steps=6)
    batch[0].step()
    assert batch[0].hash == alone.hash, "those that did not fail are whole"


def test_a_function_of_a_step_may_step_another_batch():
    inner = ss.vectorize([hopper(0.5), hopper(0.6)], threads=2)

    class Nested(Hopper):
        def forces(self, t, q, u):
            inner.step()
            return [0.0]

    outer = ss.vectorize([ss.Simulation(Nested(), step=1e-2, q=[1.0])], threads=2)
    outer.run(steps=2)
    assert inner.time[0] > 0

    class Recursive(Hopper):
        def forces(self, t, q, u):
            outer.step()
            return [0.0]

    outer = ss.vectorize([ss.Simulation(Recursive(), step=1e-2, q=[1.0]) for _ in range(2)], threads=2)
    with pytest.raises(RuntimeError, match="in a step"):
        outer.step()


# ---- Copies ----


def test_copies_and_pickles_go_on_with_the_same_bits(heap):
    batch = ss.vectorize(heap, 3, set=friction, threads=2)
    batch.run(steps=50)
    others = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    batch.run()
    for other in others:
        assert type(other) is ss.Batch and other.threads == 2
        assert other.time[0] < batch.time[0]
        other.run()
        assert other.hashes == batch.hashes
        other.reset()
        assert other.hashes == ss.vectorize(heap, 3, set=friction).hashes


def test_a_copy_outlives_the_batch(heap):
    batch = ss.vectorize(heap, 3)
    one, q = batch[1], batch[2].q
    arrays, forces = batch.position, batch.inputs.force
    batch.bodies, batch.joints, batch.coordinates
    batch.step()
    gone = [weakref.ref(batch), weakref.ref(batch[0])]
    del batch
    assert [dead() for dead in gone] == [None, None]  # without the collector: there is no cycle
    gc.collect()
    assert forces.shape == (3, 4, 3)
    one.run(steps=3)
    assert one.time > 0 and len(q) == 21 and np.isfinite(arrays).all()


def test_indices(heap):
    batch = ss.vectorize(heap, 3)
    assert batch[-1] is batch[2] and batch[np.int64(1)] is batch[1]
    assert len(batch) == 3
    for index in (3, -4, 10**30):
        with pytest.raises(IndexError):
            batch[index]
    for index in ("a", 1.0, None, True, slice(2)):
        with pytest.raises(ss.InputError):
            batch[index]


# ---- What may go wrong ----


def test_wrong_arguments_of_vectorize(heap):
    for n in (0, -1, 10**9, 1 << 70, 1.5, "3", True, None):
        with pytest.raises(ss.InputError, match="n: expected"):
            ss.vectorize(heap, n)
    for threads in (-1, 1025, 1.5, "2", True):
        with pytest.raises(ss.InputError, match="threads: expected"):
            ss.vectorize(heap, 2, threads=threads)
    with pytest.raises(ss.InputError, match="overrides for 1 copies, and n is 2"):
        ss.vectorize(heap, 2, set=[{}])
    for wrong in ("time.end=1", {"time.end": 1}, 7):
        with pytest.raises(ss.InputError, match="set: expected a list"):
            ss.vectorize(heap, 2, set=wrong)
    with pytest.raises(ss.InputError):
        ss.vectorize(heap, 2, set=lambda i: {"time.edn": 1})
    with pytest.raises(ss.InputError, match="at least one"):
        ss.vectorize([])
    with pytest.raises(ss.InputError, match="got int at place 0"):
        ss.vectorize([1])
    one = heap.simulation()
    with pytest.raises(ss.InputError, match="twice"):
        ss.vectorize([one, one])
    with pytest.raises(ss.InputError, match="are for a scene"):
        ss.vectorize([one], 2)
    with pytest.raises(ss.InputError):
        ss.vectorize(7, 2)


def test_copies_of_different_size_are_refused():
    more = {**HEAP["system"], "bodies": HEAP["system"]["bodies"][:3]}
    with pytest.raises(ss.InputError, match="copy 1 has 3 bodies, copy 0 has 4"):
        ss.vectorize(ss.Scene.parse(json.dumps(HEAP)), set=[{}, {"system": more}])
    with pytest.raises(ss.InputError, match="other names than copy 0: body 'crate', not 'box2'"):
        ss.vectorize(ss.Scene.parse(json.dumps(HEAP)), set=[{}, {"system.bodies.3.name": "crate"}])


def test_wrong_arguments_of_run(heap):
    batch = ss.vectorize(heap, 2, set=[{}, {"time.end": 1}])
    for arguments in ({"until": "x"}, {"until": np.nan}, {"steps": -1}, {"steps": 1.5}, {"steps": True}):
        with pytest.raises(ss.InputError):
            batch.run(**arguments)
    with pytest.raises(ss.InputError, match=r"the copies end between 0\.2 and 1 s"):
        batch.run()
    batch.run(until=-1)
    batch.run(steps=0)
    assert not batch.time.any()


@pytest.mark.filterwarnings("ignore:nanobind")
def test_the_engine_s_own_functions_refuse_what_is_no_batch(heap):
    engine = ss._engine
    batch = ss.vectorize(heap, 2)
    for wrong in ((None,), (1,), ("sim",), (object(),), (ss.Simulation.__new__(ss.Simulation),)):
        for function in (engine.q_of, engine.energies_of, engine.certified_of, engine.times_of):
            with pytest.raises((TypeError, RuntimeError, ValueError)):
                function(wrong)
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            engine.step_all(wrong, None)
    with pytest.raises(ss.InputError):
        engine.bodies_of(tuple(batch), "colour")
    for places in ([5], [-1]):
        with pytest.raises(ss.InputError, match="there is no copy"):
            engine.set_states_of(tuple(batch), np.array(places), np.zeros((1, 1)), None, None)
    with pytest.raises(ss.InputError, match="a row for each copy"):
        engine.set_states_of(tuple(batch), np.array([0, 1]), None, np.zeros((1, 21)), None)


def test_another_thread_is_refused_while_a_batch_is_stepped(heap):
    batch = ss.vectorize(heap, 8, threads=2)
    other = ss.vectorize(heap, 2, threads=1)
    errors, done = [], threading.Event()

    def look() -> None:
        while not done.is_set():
            for attempt in (batch.step, lambda: batch.q, lambda: batch[3].step(), lambda: batch.set(time=0.0)):
                try:
                    attempt()
                except RuntimeError as error:
                    errors.append(str(error))
            other.step()  # one's own batch is no matter of others

    thread = threading.Thread(target=look)
    thread.start()
    try:
        for _ in range(20):
            try:
                batch.run(steps=20)
            except RuntimeError as error:
                errors.append(str(error))
    finally:
        done.set()
        thread.join()
    assert errors and all("in a step" in error for error in errors)
    batch.step()  # it is whole
    assert np.isfinite(batch.q).all()


def test_progress_may_look_but_not_step(heap):
    batch = ss.vectorize(heap, 2)
    seen = []

    def progress(b: ss.Batch) -> None:
        seen.append(b.time[0])
        with pytest.raises(RuntimeError, match="in a step"):
            b.step()

    batch.run(progress=progress)
    assert seen == sorted(seen) and seen[-1] == 0.2
    with pytest.raises(ZeroDivisionError):
        batch.run(until=1.0, progress=lambda b: 1 / 0)
    batch.step()


def test_progress_line(heap, capsys):
    ss.vectorize(heap, 2).run(progress=True)
    assert "100" in capsys.readouterr().err


def test_ctrl_c_leaves_all_copies_after_the_same_step(heap):
    batch = ss.vectorize(heap, 4, threads=2)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.run(until=1e6)
    steps = {s.steps for s in batch.summaries}
    assert len(steps) == 1 and steps.pop() > 10
    single_one = heap.simulation()
    single_one.run(steps=batch.summaries[0].steps)
    assert batch[3].hash == single_one.hash
    batch.step()


def test_other_python_threads_run_in_the_meantime(heap):
    batch = ss.vectorize(heap, 8, threads=1)
    count, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            count[0] += 1
            time.sleep(1e-3)

    thread = threading.Thread(target=tick)
    thread.start()
    batch.run(until=1.0)
    done.set()
    thread.join()
    assert count[0] > 10


def test_a_copy_that_does_not_stay_finite_stays_where_it_is(heap):
    batch = ss.vectorize(heap, 3)
    batch.bodies["box2"].velocity = [[0, 0, 0], [0, 0, 1e300], [0, 0, 0]]
    batch.run(steps=200)
    assert np.array_equal(batch.finite, [True, False, True])
    assert not batch.step()[1] and not batch.certified[1]
    assert batch.summaries[1].steps < 200 and batch.summaries[0].steps == 201


FORKED = """
import os, sys
import stickslip as ss
ss.set_threads(2)
batch = ss.vectorize(ss.Scene.load(sys.argv[1]), 4, threads=3)
batch.run(steps=20)
child = os.fork()
batch.run(steps=20)
if child == 0:
    ss.set_threads(3)
    batch.run(steps=5)
    print("child", batch.threads, flush=True)
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
print("parent", flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_of_fork_steps_on(scenes):
    command = [sys.executable, "-W", "ignore", "-c", FORKED, str(scenes / "box-stack.json")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["child", "3", "parent"]


def test_repr_says_what_it_is(heap):
    assert repr(ss.vectorize(heap, 2, threads=1)) == "<Batch of 2 copies of 'heap' on 1 threads>"


def test_functions_of_the_user_are_called_each_step(arm):
    batch, other = ss.vectorize(arm, 3), ss.vectorize(arm, 3)
    times = []

    def controller(b):
        b.inputs.joint_force[:, 0, 0] = [0.1, 0.2, 0.3] - 0.5 * b.joints[0].coordinate

    certified = batch.run(until=0.0205, before=controller, after=lambda b: times.append(b.time))
    for _ in range(21):
        controller(other)
        other.run(until=0.0205, steps=1)
    assert batch.hashes == other.hashes and (batch.time == 0.0205).all() and certified.all()
    assert len(times) == 21 and len({*batch.hashes}) == 3
    batch.run(until=0.01, before=lambda b: 1 / 0)  # it is there already
    with pytest.raises(ZeroDivisionError):
        batch.run(steps=1, before=lambda b: 1 / 0)
    batch.run(steps=0, after=lambda b: 1 / 0)
    for arguments in ({"before": 3}, {"after": "f"}, {"progress": 7}):
        with pytest.raises(ss.InputError, match="expected"):
            batch.run(steps=1, **arguments)
    assert batch.hashes == other.hashes


def test_a_run_with_functions_ends_where_no_copy_can_go_on(heap):
    batch = ss.vectorize(heap, 2)
    batch.bodies["box2"].velocity = [[0, 0, 0], [0, 0, 1e300]]
    calls = []
    batch.run(until=0.5, after=lambda b: calls.append(b.time))
    assert np.array_equal(batch.finite, [True, False]) and batch.time[0] == 0.5 > batch.time[1]
    # One step more, to see that the copy that does not stay finite cannot go on.
    assert len(calls) <= batch.summaries[0].steps + 1


def test_what_is_read_cannot_be_written_into(arm):
    batch = ss.vectorize(arm, 2)
    for array in (batch.q, batch.u, batch.time, batch.position, batch.bodies[0].velocity, batch.joints[0].coordinate):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
