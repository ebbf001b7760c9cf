"""Simulations: steps, runs, what can be seen of them, and what can be changed."""

import copy
import gc
import math
import os
import pickle
import re
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import stickslip as ss

PENDULUM = """{
  "stickslip": 1, "name": "pendulum", "time": {"step": 1e-3, "end": 0.5},
  "system": {"type": "spatial", "gravity": [0, 0, -10],
    "bodies": [{"name": "bob", "position": [1, 0, 0], "mass": 2, "inertia": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}],
    "joints": [{"name": "hinge", "type": "revolute", "bodies": ["world", "bob"], "position": [0, 0, 0], "axis": [0, 1, 0]}]}
}"""


def parse(text: str) -> ss.Simulation:
    return ss.Scene.parse(text).simulation()


# ---- The bits of the program ----


@pytest.mark.parametrize("name", ["box-stack", "four-bar", "woodpecker", "cradle", "belt-oscillator", "incline"])
def test_a_thousand_steps_have_the_hash_of_the_program(name, scenes, program):
    sim = ss.Simulation(scenes / f"{name}.json")
    sim.run(steps=1000)
    end = sim.time
    result = program("run", scenes / f"{name}.json", "--set", f"time.end={end!r}")
    assert result["steps"] == 1000
    assert sim.hash == result["hash"]


def test_steps_one_by_one_have_the_bits_of_a_run(scenes):
    one, other = (ss.Simulation(scenes / "box-stack.json") for _ in range(2))
    for _ in range(50):
        assert one.step() is True
    other.run(steps=50)
    assert one.hash == other.hash
    assert one.summary.steps == other.summary.steps == 50


def test_a_run_ends_where_it_is_told(scenes):
    sim = ss.Simulation(scenes / "bouncing-ball.json")
    sim.run(until=0.123456)
    assert sim.time == 0.123456
    sim.run()
    assert sim.time == sim.summary.time
    assert math.isclose(sim.time, ss.Scene.load(scenes / "bouncing-ball.json").model.end)
    before = sim.hash
    sim.run()  # there already
    assert sim.hash == before


def test_until_and_steps_whichever_comes_first(scenes):
    sim = ss.Simulation(scenes / "incline.json")
    sim.run(until=10.0, steps=3)
    assert sim.summary.steps == 3
    h = sim.time / 3
    sim.run(until=5 * h, steps=100)
    assert sim.summary.steps == 5
    sim.run(steps=0)
    assert sim.summary.steps == 5


# ---- Views ----


def test_q_and_u_are_views_that_follow_and_outlive_the_simulation(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    q, u = sim.q, sim.u
    assert q is sim.q or np.shares_memory(q, sim.q)
    start = q.copy()
    sim.run(steps=10)
    assert not np.array_equal(q, start)
    assert np.shares_memory(q, sim.q)
    with pytest.raises(ValueError):
        q[0] = 1
    last = q.copy()
    del sim
    gc.collect()
    assert np.array_equal(q, last)
    assert u.shape == (3,)


def test_a_simulation_that_is_dropped_goes(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    sim.bodies, sim.joints, sim.coordinates, sim.q
    sim.run(steps=2, after=lambda s: None)
    gone = weakref.ref(sim)
    del sim
    assert gone() is None  # without the collector: there is no cycle


# ---- By name ----


def test_bodies_by_name_by_number_and_as_arrays(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    sim.run(steps=5)
    assert sim.bodies.names == ["floor", "light", "heavy"]
    assert "light" in sim.bodies and "nobody" not in sim.bodies
    for i, body in enumerate(sim.bodies):
        assert body.name == sim.bodies.names[i]
        assert np.array_equal(sim.bodies[i].position, sim.bodies.position[i])
        assert np.array_equal(sim.bodies[body.name].velocity, sim.bodies.velocity[i])
    assert np.array_equal(sim.bodies[-1].position, sim.bodies["heavy"].position)
    with pytest.raises(ss.InputError, match="is it 'light'"):
        sim.bodies["ligth"]
    with pytest.raises(ss.InputError, match="there is no body 3"):
        sim.bodies[3]


def test_a_body_can_be_put_elsewhere_between_steps():
    free = parse(
        """{"stickslip": 1, "name": "free", "time": {"step": 1e-2, "end": 1},
        "system": {"type": "spatial", "gravity": [0, 0, 0], "bodies": [
          {"name": "rod", "mass": 1, "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}]}}"""
    )
    rod = free.bodies["rod"]
    rod.position = (1, 2, 3)
    rod.velocity = [0.5, 0, 0]
    rod.angular_velocity = np.array([0, 0, 2.0])
    rod.orientation = (np.cos(0.2), 0, 0, np.sin(0.2))
    free.run(until=0.5)
    assert np.allclose(rod.position, [1.25, 2, 3], rtol=0, atol=1e-14)
    turned = 2 * math.atan2(rod.orientation[3], rod.orientation[0])
    assert math.isclose(turned, 0.4 + 2 * 0.5, rel_tol=1e-6)
    with pytest.raises(ss.InputError, match="orientation"):
        rod.orientation = (0, 0, 0, 0)
    with pytest.raises(ss.InputError, match="rod.position: expected 2 or 3 numbers"):
        rod.position = 1
    with pytest.raises(ss.InputError):
        rod.velocity = (math.nan, 0, 0)


def test_coordinates_by_name(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    sim.coordinates["phi_M"].q = 0.25
    sim.coordinates["phi_M"].u = -1.5
    assert sim.coordinates["phi_M"].q == 0.25 == sim.q[1]
    sim.set(q={"y": 1.0}, u=[1, 2, 3], time=7)
    assert (sim.time, sim.q[0], *sim.u) == (7, 1, 1, 2, 3)
    sim.step()
    assert sim.time > 7
    with pytest.raises(ss.InputError, match="there is no coordinate 'x'"):
        sim.set(q={"x": 1.0})
    before = sim.hash
    for bad in ([1, 2], [1, 2, math.inf], "abc", [[1, 2, 3]], object()):
        with pytest.raises(ss.InputError):
            sim.set(q=bad)
    assert sim.hash == before


# ---- What a step did ----


def test_contacts_carry_what_lies_on_them(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    sim.run(steps=20)
    contacts = sim.contacts
    assert contacts.dtype.names[:5] == ("id", "body_a", "body_b", "state", "index")
    on_floor = contacts[contacts["body_a"] == 0]
    mass = 1 + 1000
    assert len(on_floor) == 4
    assert np.isclose(on_floor["force"][:, 2].sum(), mass * 9.81, rtol=1e-9)
    assert set(contacts["state"]) == {"stick"}
    assert np.allclose(contacts["impulse"], contacts["force"] * 0.01)
    assert np.allclose(contacts["normal"], [0, 0, 1])
    assert len(sim.bodies["light"].contacts) == len(on_floor) + len(sim.bodies["heavy"].contacts)
    kept = contacts.copy()
    sim.step()
    assert np.array_equal(contacts, kept)  # a copy


def test_a_sliding_block_slips(scenes):
    sim = ss.Simulation(ss.Scene.load(scenes / "incline.json", set={"system.materials.default.friction": 0.3}))
    sim.run(steps=50)
    contacts = sim.contacts
    assert set(contacts["state"]) == {"slip"}
    normal = np.einsum("ij,ij->i", contacts["force"], contacts["normal"])
    friction = contacts["force"] - normal[:, None] * contacts["normal"]
    assert np.allclose(np.linalg.norm(friction, axis=1), 0.3 * normal, rtol=1e-7)
    # Friction is against the motion.
    assert (np.einsum("ij,ij->i", friction, contacts["slip_velocity"]) < 0).all()


def test_the_hinge_of_a_pendulum_carries_weight_and_centripetal_force():
    sim = parse(PENDULUM)
    m, g, r, inertia = 2.0, 10.0, 1.0, 0.1
    sim.run(until=0.3)
    angle = sim.joints["hinge"].coordinate  # about y: turning down is positive
    c, s = math.cos(angle), math.sin(angle)
    # Energy gives the rate, moments about the hinge its derivative.
    rate_2 = 2 * m * g * r * s / (m * r * r + inertia)
    acceleration = m * g * r * c / (m * r * r + inertia)
    outward, along = np.array([c, 0, -s]), np.array([-s, 0, -c])
    expected = m * (r * acceleration * along - r * rate_2 * outward) - m * np.array([0, 0, -g])
    force = sim.joints["hinge"].force
    assert np.allclose(force, expected, atol=5e-2 * m * g)  # first order: the mean over a step
    assert np.allclose(sim.joints["hinge"].torque, 0, atol=1e-9)
    fine = ss.Scene.parse(PENDULUM, set={"time.step": 1e-4}).simulation()
    fine.run(until=0.3)
    assert np.linalg.norm(fine.joints["hinge"].force - expected) < 0.15 * np.linalg.norm(force - expected)


def test_a_beam_that_is_held_fast_gives_its_weight_and_moment():
    text = PENDULUM.replace('"type": "revolute"', '"type": "fixed"').replace(', "axis": [0, 1, 0]', "")
    sim = parse(text)
    sim.run(steps=3)
    assert np.allclose(sim.joints[0].force, [0, 0, 20], atol=1e-9)
    assert np.allclose(sim.joints[0].torque, [0, -20, 0], atol=1e-9)
    # The same seen from the other side: the beam is the first body, the force is on the world.
    sim = parse(text.replace('["world", "bob"]', '["bob", "world"]'))
    sim.run(steps=3)
    assert np.allclose(sim.joints[0].force, [0, 0, -20], atol=1e-9)


def test_drives_of_a_joint_hold_what_they_should():
    drives = {
        '"motor": {"velocity": 0, "max_force": 100}': -20.0,
        '"limits": [null, 0]': -20.0,
        '"friction": 5': -5.0,
        '"spring": {"stiffness": 1e9, "rest": 0}': -20.0,
    }
    for drive, expected in drives.items():
        sim = parse(PENDULUM.replace('"axis": [0, 1, 0]', '"axis": [0, 1, 0], ' + drive))
        sim.run(steps=3)
        assert math.isclose(sim.joints[0].drive[0], expected, rel_tol=1e-3), drive


def test_joint_forces_are_what_changes_the_momentum_of_every_body():
    text = """{"stickslip": 1, "name": "chain", "time": {"step": 1e-3, "end": 1},
      "system": {"type": "spatial", "gravity": [0, 1, -10], "bodies": [
        {"name": "a", "position": [1, 0, 0], "mass": 2, "inertia": [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]},
        {"name": "b", "position": [2, 0, 0.5], "mass": 3, "inertia": [[0.2, 0, 0], [0, 0.1, 0], [0, 0, 0.3]]}],
      "joints": [
        {"name": "one", "type": "universal", "bodies": ["world", "a"], "position": [0, 0, 0], "axis": [0, 1, 0], "axis_2": [0, 0, 1]},
        {"name": "two", "type": "revolute", "bodies": ["a", "b"], "position": [1.5, 0, 0.2], "axis": [1, 0, 0],
         "motor": {"velocity": 3, "max_force": 2}}]}}"""
    sim = parse(text)
    mass, g = np.array([[2.0], [3.0]]), np.array([0, 1.0, -10.0])
    for _ in range(100):
        before, t = sim.bodies.velocity, sim.time
        sim.step()
        force = sim.joint_forces["force"]
        on_body = np.array([force[0] - force[1], force[1]])
        change = mass * ((sim.bodies.velocity - before) / (sim.time - t) - g)
        assert np.allclose(on_body, change, atol=1e-8)
    assert np.isclose(abs(sim.joints["two"].drive[0]), 2) or abs(sim.joints["two"].drive[0]) < 2


def test_certificate_report_energy_and_summary(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    assert sim.certificate is None and sim.report is None
    sim.step()
    assert sim.certificate.holds(1e-8) and sim.certified
    assert sim.certificate.worst_residual <= 1e-8
    assert sim.report.solver == "auto" and sim.report.iterations >= 1
    assert sim.report.stages and "Certified" in sim.report.explain()
    energy = sim.energy
    assert energy.total == energy.kinetic + energy.potential
    assert "1 steps" in repr(sim.summary)


def test_a_step_that_is_not_certified_says_so(scenes):
    sim = ss.Simulation(
        ss.Scene.load(
            scenes / "cannonball.json", set={"method.solver": "sweeps", "method.budget": 1, "method.tolerance": 1e-12}
        )
    )
    assert sim.step() is False
    assert not sim.certified and sim.summary.uncertified_steps == 1
    assert "not certified" in repr(sim.summary)


# ---- Control, progress, interrupts ----


def test_before_and_after_may_look_and_change(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    seen = []

    def before(s):
        s.set(u={"y": 0.0})

    sim.run(steps=4, before=before, after=lambda s: seen.append(s.time))
    assert len(seen) == 4 and seen == sorted(seen)
    with pytest.raises(RuntimeError, match="in a step"):
        sim.run(steps=1, before=lambda s: s.step())
    with pytest.raises(ZeroDivisionError):
        sim.run(steps=1, after=lambda s: 1 / 0)
    steps = sim.summary.steps
    sim.step()
    assert sim.summary.steps == steps + 1


def test_ctrl_c_ends_a_run_between_two_steps(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.run(until=1e9)
    assert time.monotonic() - began < 5
    steps, state = sim.summary.steps, sim.hash
    other = ss.Simulation(scenes / "woodpecker.json")
    other.run(steps=steps)
    assert other.hash == state  # it is whole
    sim.step()


def test_another_thread_runs_meanwhile_and_is_refused_a_look(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    errors, ticks = [], 0
    runner = threading.Thread(target=lambda: sim.run(steps=150_000))
    runner.start()
    while runner.is_alive():
        ticks += 1
        try:
            sim.energy
            sim.step()
        except RuntimeError as error:
            errors.append(str(error))
        time.sleep(0.001)
    runner.join()
    assert ticks > 10 and errors and "in a step" in errors[0]


def test_progress_is_shown(scenes, capsys):
    sim = ss.Simulation(scenes / "bouncing-ball.json")
    sim.run(until=0.2, progress=True)
    shown = capsys.readouterr().err
    assert "100 %" in shown and shown.endswith("\n")
    calls = []
    sim.run(until=0.4, progress=lambda s: calls.append(s.time))
    assert calls and calls[-1] == 0.4


def test_threads_change_no_bit(scenes):
    hashes = set()
    for count in (1, 2, 4):
        ss.set_threads(count)
        assert ss.threads() == count
        sim = ss.Simulation(scenes / "cannonball.json")
        sim.run(steps=2)
        hashes.add(sim.hash)
    ss.set_threads(1)
    assert len(hashes) == 1
    for bad in (-1, 1.5, "two", True, 10**9):
        with pytest.raises(ss.InputError, match="threads"):
            ss.set_threads(bad)


# ---- Copies ----


@pytest.mark.parametrize("name", ["box-stack", "woodpecker", "four-bar", "cradle", "incline-stack"])
@pytest.mark.parametrize("make", [copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s)), lambda s: s.copy()])
def test_a_copy_goes_on_bit_for_bit(name, make, scenes):
    sim = ss.Simulation(scenes / f"{name}.json")
    sim.run(steps=30)
    sim.note = {"a": [1, 2]}
    other = make(sim)
    assert other.hash == sim.hash and other.time == sim.time
    assert other.note == sim.note and other.note is not sim.note
    assert np.array_equal(other.contacts, sim.contacts)
    for _ in range(20):
        assert sim.step() == other.step()
        assert sim.hash == other.hash
        assert sim.report.iterations == other.report.iterations
        assert sim.certificate.residual == other.certificate.residual
    assert repr(sim.summary) == repr(other.summary)


def test_a_simulation_keeps_the_scene_as_it_was(scenes):
    scene = ss.Scene.load(scenes / "box-stack.json")
    sim = scene.simulation()
    again = sim.scene.simulation()
    sim.run(steps=10)
    again.run(steps=10)
    assert sim.hash == again.hash


# ---- For users at a prompt ----


def test_names_are_those_for_users(scenes):
    sim = ss.Simulation(scenes / "four-bar.json")
    engine_only = {"body_states", "contact_bytes", "energies", "run_steps", "run_summary", "set_state", "state_hash"}
    assert not engine_only & {*dir(sim)}
    sim.run(steps=2)
    # Five rows of a revolute joint, four joints.
    assert sim.joint_impulses.shape == (20,) and np.isfinite(sim.joint_impulses).all()
    assert [body.index for body in sim.bodies] == [0, 1, 2] and sim.joints["D"].index == 3


def test_what_is_read_cannot_be_written_into(scenes):
    sim = ss.Simulation(scenes / "four-bar.json")
    body, joint = sim.bodies["crank"], sim.joints["A"]
    sim.step()
    for array in (body.position, sim.bodies.velocity, joint.coordinates, joint.force, sim.joints.coordinates):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        body.velocty = (1, 0, 0)  # a slip of the pen
    with pytest.raises(AttributeError):
        joint.target = 1


def test_a_body_is_placed_by_name(scenes):
    one, other = (ss.Simulation(scenes / "box-stack.json") for _ in range(2))
    one.place("heavy", position=(0, 0, 4), velocity=(1, 2, 3), angular_velocity=(0, 1, 0), orientation=(0, 1, 0, 0))
    body = other.bodies["heavy"]
    body.position, body.velocity = (0, 0, 4), (1, 2, 3)
    body.angular_velocity, body.orientation = (0, 1, 0), (0, 1, 0, 0)
    assert one.hash == other.hash
    for arguments, message in (
        ({"body": "heavi"}, "is it 'heavy'?"),
        ({"body": "box"}, "there are floor, light, heavy"),
        ({"body": "heavy", "position": (1,)}, "position: expected 2 or 3 numbers"),
        ({"body": "floor", "velocity": (1, 0, 0)}, "dynamic"),
    ):
        with pytest.raises(ss.InputError, match=re.escape(message)):
            one.place(**arguments)
    assert one.hash == other.hash


def test_progress_of_so_many_steps(scenes, capsys):
    sim = ss.Simulation(scenes / "woodpecker.json")
    sim.run(steps=30, progress=True)
    assert "100 %" in capsys.readouterr().err  # there is no time until when
    sim.run(until=1e9, steps=30, progress=True)
    assert "100 %" in capsys.readouterr().err
    ss.Batch([sim, sim.copy()]).run(steps=30, progress=True)
    assert "100 %" in capsys.readouterr().err and sim.steps == 90
    sim.run(steps=0, progress=True)


def test_a_body_in_space_has_no_angle(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    batch = ss.vectorize(scenes / "box-stack.json", 2)
    before = sim.hash
    for call in (
        lambda: sim.bodies["heavy"].angle,
        lambda: setattr(sim.bodies["heavy"], "angle", 1),
        lambda: sim.bodies.angle,
        lambda: sim.place("heavy", angle=1),
        lambda: batch.angle,
        lambda: batch.bodies["heavy"].angle,
        lambda: batch.place("heavy", angle=1),
    ):
        with pytest.raises(ss.InputError, match="angle: is of scenes in the plane; in space use orientation"):
            call()
    assert sim.hash == before and batch.hashes == [before, before]
    assert ss.Simulation(scenes / "woodpecker.json").bodies.angle.shape == (0,)


def test_errors_name_what_was_given(scenes):
    sim = ss.Simulation(scenes / "woodpecker.json")
    for call, message in (
        (lambda: sim.set(q="fast"), "q: expected numbers"),
        (lambda: sim.set(u={"z": 1}), "u: there is no coordinate 'z'; there are y, phi_M, phi_S"),
        (lambda: sim.joints["hinge"], "there is no joint 'hinge'; there are none"),
        (lambda: sim.run(steps=1, progress=7), "progress: expected True, False or a function"),
    ):
        with pytest.raises(ss.InputError, match=re.escape(message)):
            call()
    assert repr(sim.joints) == "<0 joints>" and sim.steps == 0
