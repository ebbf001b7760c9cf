"""Inputs: what is set between steps, against closed forms and against the same in a scene."""

import copy
import gc
import json
import math
import pickle
import runpy
import timeit
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"

FREE = {
    "stickslip": 1,
    "name": "free",
    "time": {"step": 1e-3, "end": 1},
    "system": {
        "type": "spatial",
        "gravity": [0, 0, 0],
        "bodies": [
            {"name": "ground", "type": "static"},
            {"name": "box", "mass": 2, "inertia": [[2, 0, 0], [0, 2, 0], [0, 0, 4]]},
        ],
    },
}


def arm(motor: object = None, planar: bool = True) -> ss.Simulation:
    """Two links that hang at the left of their shoulder; the elbow may have a motor."""
    elbow = {"name": "elbow", "type": "revolute", "bodies": ["upper", "lower"], "position": [-1, 0]}
    if motor is not None:
        elbow["motor"] = motor
    links = [{"name": n, "position": [x, 0], "mass": 1, "inertia": 0.1} for n, x in (("upper", -0.5), ("lower", -1.5))]
    joints = [{"name": "shoulder", "type": "revolute", "bodies": ["world", "upper"], "position": [0, 0]}, elbow]
    scene = {
        "stickslip": 1,
        "name": "arm",
        "time": {"step": 1e-3, "end": 1},
        "system": {"type": "planar", "gravity": [0, -10], "bodies": links, "joints": joints},
    }
    return ss.Scene.parse(json.dumps(scene)).simulation()


def free(**changes: object) -> ss.Simulation:
    return ss.Scene.parse(json.dumps(FREE), set=changes).simulation()


# ---- What inputs do ----


def test_a_force_accelerates_and_a_torque_spins():
    sim = free()
    sim.inputs.force[1] = [3, 0, -1]
    sim.inputs.torque[1] = [0, 0, 2]
    sim.run(until=1)
    box = sim.bodies["box"]
    np.testing.assert_allclose(box.velocity, [1.5, 0, -0.5], atol=1e-12)
    np.testing.assert_allclose(box.position, [0.75, 0, -0.25], atol=1e-12)
    np.testing.assert_allclose(box.angular_velocity, [0, 0, 0.5], atol=1e-12)
    sim.inputs.clear()
    sim.run(until=2)
    np.testing.assert_allclose(box.velocity, [1.5, 0, -0.5], atol=1e-12)
    assert sim.certified


def test_inputs_are_as_a_load_of_the_scene():
    loaded = free(**{"system.loads": [{"body": "box", "force": [1, 2, 3], "torque": [0.1, 0, 0]}]})
    loaded.run(until=0.3)
    sim = free()
    sim.inputs.body("box").force = [1, 2, 3]
    sim.inputs.body("box").torque = [0.1, 0, 0]
    sim.run(until=0.3)
    assert sim.hash == loaded.hash


@pytest.mark.parametrize("kind", ["velocity", "position"])
def test_a_target_has_the_bits_of_a_motor_with_that_target(kind):
    other = {"max_force": 9, **({"time_constant": 0.05} if kind == "position" else {})}
    expected = arm({kind: 0.7, **other})
    sim = arm({kind: -4, **other, "max_force": 1})
    sim.inputs.target[1, 0] = 0.7
    sim.inputs.max_force[1, 0] = 9
    expected.run(until=0.3)
    sim.run(until=0.3)
    assert sim.hash == expected.hash
    sim.inputs.joint("elbow").target = None
    sim.run(until=0.6)
    expected.run(until=0.6)
    assert sim.hash != expected.hash


def test_a_joint_torque_is_a_torque_on_both_bodies():
    sim, other = arm(), arm()
    sim.inputs.joint("elbow").force = 3
    other.inputs.torque[:, 2] = [-3, 3]
    generalized = arm()
    generalized.inputs.generalized[[2, 5]] = [-3, 3]
    for s in (sim, other, generalized):
        s.run(until=0.4)
    np.testing.assert_allclose(sim.q, other.q, atol=1e-12)
    np.testing.assert_allclose(sim.q, generalized.q, atol=1e-12)
    assert abs(sim.joints["elbow"].coordinate) > 0.3


def test_generalized_forces_push_a_linear_system(scenes):
    sim = ss.Simulation(scenes / "belt-oscillator.json")
    free_run = ss.Simulation(scenes / "belt-oscillator.json")
    assert sim.inputs.force.shape == (0, 3)
    assert sim.inputs.target.shape == (0, 2)
    assert sim.inputs.generalized.shape == sim.u.shape
    sim.inputs.generalized[0] = 1e3
    sim.step()
    free_run.step()
    assert sim.u[0] > free_run.u[0]
    assert sim.certified


def test_a_controller_holds_a_pendulum_up():
    sim = arm({"velocity": 0, "max_force": 1e3})  # a stiff elbow: one pendulum
    shoulder = sim.inputs.joint("shoulder")

    def control(s: ss.Simulation) -> None:
        # Straight to the left is angle 0; upright is -pi/2.
        shoulder.force = -200 * (s.q[2] + math.pi / 2) - 60 * s.u[2]

    sim.run(until=4, before=control)
    assert abs(sim.q[2] + math.pi / 2) < 1e-3
    assert sim.certified


def test_a_changed_input_wakes_what_sleeps(scenes):
    scene = ss.Scene.load(scenes / "box-stack.json", set={"method.sleep_time": 0.1, "time.end": 50})
    sim = scene.simulation()
    while not sim.asleep and sim.time < 20:
        sim.step()
    assert sim.asleep > 0
    asleep = sim.hash
    top = sim.bodies.names[-1]
    sim.inputs.body(top).force = [0.0, 1e-3]
    sim.step()
    assert sim.asleep == 0
    assert sim.hash != asleep


def test_inputs_that_are_not_used_change_no_bits(scenes):
    plain, touched = (ss.Simulation(scenes / "box-stack.json") for _ in range(2))
    touched.inputs.force[:] = 5
    touched.inputs.clear()
    plain.run(steps=100)
    touched.run(steps=100)
    assert plain.hash == touched.hash


def test_setting_the_state_and_steps_by_error_keep_inputs():
    sim = free(**{"time.error": 1e-5, "time.step": 0.1})
    sim.inputs.force[1] = [2, 0, 0]
    sim.run(until=0.5)
    np.testing.assert_allclose(sim.bodies["box"].velocity, [0.5, 0, 0], atol=1e-12)
    sim.set(time=0, u=np.zeros(6))
    sim.run(until=0.5)
    np.testing.assert_allclose(sim.bodies["box"].velocity, [0.5, 0, 0], atol=1e-12)


# ---- The arrays ----


def test_arrays_are_where_the_engine_reads_them():
    sim = arm({"velocity": 0, "max_force": 1})
    inputs = sim.inputs
    assert inputs is sim.inputs
    for name, shape in (
        ("force", (2, 3)),
        ("torque", (2, 3)),
        ("target", (2, 2)),
        ("max_force", (2, 2)),
        ("joint_force", (2, 2)),
        ("generalized", (6,)),
    ):
        array = getattr(inputs, name)
        assert array is getattr(inputs, name)
        assert array.shape == shape
        assert array.dtype == np.float64
        assert array.flags.writeable
        assert not array.flags.owndata
        assert np.isnan(array).all() if name in ("target", "max_force") else not array.any()
        setattr(inputs, name, 0)  # writes into it
        assert array is getattr(inputs, name)
        assert (array == 0).all()


def test_each_number_is_one_of_its_own():
    sim = arm({"velocity": 0, "max_force": 1})
    arrays = [getattr(sim.inputs, n) for n in ("force", "torque", "target", "max_force", "joint_force", "generalized")]
    for k, array in enumerate(arrays):
        array[...] = 100 * k + np.arange(array.size).reshape(array.shape)
    for k, array in enumerate(arrays):
        np.testing.assert_array_equal(array, 100 * k + np.arange(array.size).reshape(array.shape))


def test_arrays_outlive_their_simulation():
    sim = arm()
    force, generalized, row = sim.inputs.force, sim.inputs.generalized, sim.inputs.body("lower").force
    force[1] = [1, 2, 3]
    generalized[:] = 7
    del sim
    gc.collect()
    np.testing.assert_array_equal(row, [1, 2, 3])
    force[:] = 4
    np.testing.assert_array_equal(row, [4, 4, 4])
    np.testing.assert_array_equal(generalized, [7] * 6)


def test_bodies_and_joints_by_name():
    sim = arm({"velocity": 0, "max_force": 1})
    lower, elbow = sim.inputs.body("lower"), sim.inputs.joint(-1)
    lower.force = [1, 2]
    lower.torque = 5
    elbow.target = 2
    elbow.force[0] = 3
    np.testing.assert_array_equal(sim.inputs.force, [[0, 0, 0], [1, 2, 0]])
    np.testing.assert_array_equal(sim.inputs.torque, [[0, 0, 0], [0, 0, 5]])
    np.testing.assert_array_equal(sim.inputs.target[1], [2, np.nan])
    np.testing.assert_array_equal(sim.inputs.joint_force, [[0, 0], [3, 0]])
    assert elbow.max_force.shape == (1,)
    assert "elbow" in repr(elbow) and "lower" in repr(lower)
    assert repr(sim.inputs) == "<inputs: force, torque, target, joint_force set>"
    sim.inputs.clear()
    assert repr(sim.inputs) == "<inputs: nothing set>"


# ---- Mistakes ----


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (lambda i: i.body("uper"), "'upper'"),
        (lambda i: i.body(2), "there is no body 2"),
        (lambda i: i.joint(None), "there is no joint None"),
        (lambda i: setattr(i, "force", [1, 2]), "inputs.force: expected the shape (2, 3), got (2,)"),
        (lambda i: setattr(i, "generalized", "seven"), "inputs.generalized: expected numbers"),
        (lambda i: setattr(i.body(0), "force", [1, 2, 3, 4]), "upper.force: expected 2 or 3 numbers"),
        (lambda i: setattr(i.body(0), "torque", [1, 2]), "upper.torque: expected 3 numbers"),
        (lambda i: setattr(i.joint("elbow"), "target", [1, 2]), "elbow.target: expected the shape (1,), got (2,)"),
        (lambda i: setattr(i.joint("elbow"), "force", "much"), "elbow.force: expected numbers"),
    ],
)
def test_what_does_not_fit_is_said_at_once(mistake, says):
    with pytest.raises(ss.InputError) as error:
        mistake(arm().inputs)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("name", "place", "value", "says"),
    [
        ("force", (1, 0), np.nan, 'body "lower": force: expected finite numbers'),
        ("torque", (0, 2), np.inf, 'body "upper": torque'),
        ("joint_force", (0, 0), np.nan, 'joint "shoulder", coordinate 0: force'),
        ("joint_force", (0, 1), 1, "it has 1 coordinates"),
        ("target", (0, 0), 1, 'joint "shoulder", coordinate 0: it has no motor'),
        ("target", (1, 0), np.inf, 'joint "elbow", coordinate 0: target'),
        ("max_force", (1, 0), -1, 'joint "elbow", coordinate 0: max_force'),
        ("generalized", 4, -np.inf, '"lower.vy"'),
    ],
)
def test_what_cannot_be_used_is_said_by_the_next_step_which_is_not_made(name, place, value, says):
    sim = arm({"velocity": 0, "max_force": 1})
    sim.step()
    before, contacts = sim.hash, len(sim.contacts)
    getattr(sim.inputs, name)[place] = value
    for step in (sim.step, lambda: sim.run(steps=3)):
        with pytest.raises(ss.InputError) as error:
            step()
        assert says in str(error.value)
    assert sim.hash == before
    assert sim.summary.steps == 1
    assert len(sim.contacts) == contacts
    sim.inputs.clear()
    sim.run(steps=5)
    assert sim.summary.steps == 6


def test_a_static_body_takes_no_force():
    sim = free()
    sim.inputs.force[0, 0] = 1
    with pytest.raises(ss.InputError, match='body "ground".*only dynamic'):
        sim.step()


def test_a_name_that_inputs_do_not_have_is_refused():
    with pytest.raises(AttributeError):
        arm().inputs.forces = 1  # type: ignore[attr-defined]


def test_inputs_alone_are_not_copied():
    for alone in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="belong to their simulation"):
            alone(arm().inputs)


# ---- Cost, examples ----


def test_inputs_cost_little(scenes):
    """Of a step of a few bodies less than a microsecond; ten of them are allowed on a busy machine."""
    plain, driven = (ss.Simulation(scenes / "four-bar.json") for _ in range(2))
    driven.inputs.force[1] = 1e-9
    rounds = [[timeit.timeit(s.step, number=20) / 20 for s in (plain, driven)] for _ in range(40)]
    least = np.min(rounds, axis=0)
    assert least[1] - least[0] < 1e-5, least


def test_the_tuned_controller_balances():
    assert runpy.run_path(str(EXAMPLES / "tuned_controller.py"))["main"]() < 2


def test_the_servo_follows_as_far_as_its_torque_goes():
    assert runpy.run_path(str(EXAMPLES / "motor.py"))["main"]() > 0.2
