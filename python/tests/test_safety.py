"""What would make the engine read where nothing is, were it not refused: numbers of contacts that nobody has, saved
bytes that were changed, and functions of one's own that use what the engine is in the middle of."""

import contextlib
import gc
import struct
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import stickslip as ss
from stickslip import _engine


# ---- Numbers and bytes from elsewhere ----


def sealed(content):
    """With the checksum that fits, as src/base/sealed_bytes.cpp has it."""
    total = len(content)
    for k in range(0, len(content), 8):
        word = int.from_bytes(content[k : k + 8].ljust(8, b"\0"), "little")
        total = ((total ^ word) * 0x9E3779B97F4A7C15) % (1 << 64)
        total ^= total >> 29
    return b"stickslip state\n" + struct.pack("<QQQ", 1, len(content), total) + content


JOINT = 1 << 63
NOBODY = [(1 << 62) + 5, (1 << 42) * 999, (1 << 63) - 1, JOINT | 77 << 8, JOINT | 14 << 4, (1 << 64) - 1]


@pytest.mark.parametrize("number", NOBODY)
def test_a_contact_that_is_not_there_is_of_no_bodies(number, scenes):
    model = ss.Scene.load(scenes / "box-stack.json").model
    assert model.contact_bodies(np.array([number], np.uint64)).tolist() == [[-1, -1]]


@pytest.mark.parametrize("number", NOBODY)
def test_saved_bytes_with_contacts_that_are_not_there_show_none_of_them(number, scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    sim.run(steps=3)
    content = sim.save()[40:]
    assert sealed(content) == sim.save()
    ids = set(sim.contacts["id"].tolist())
    for known in ids:
        content = content.replace(struct.pack("<Q", known), struct.pack("<Q", number))
    sim.restore(sealed(content))
    shown = sim.contacts
    assert not ids & set(shown["id"].tolist())
    assert (shown["body_a"] == -1).all() and (shown["body_b"] == -1).all()
    sim.joint_forces
    sim.run(steps=3)
    assert sim.certified


def test_saved_bytes_without_what_belongs_to_contacts_are_refused(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    sim.run(steps=3)
    content = sim.save()[40:]
    all_ids = sim.problem.contact_ids
    ids = struct.pack("<Q", len(all_ids)) + np.asarray(all_ids, np.uint64).tobytes()
    assert content.count(ids) == 1
    begin = content.index(b"last") + 4
    length = struct.unpack_from("<Q", content, begin)[0]
    shorter = content[:begin] + struct.pack("<Q", length - len(ids) + 8) + content[begin + 8 :]
    before = sim.hash
    with pytest.raises(ss.InputError, match="sizes do not fit"):
        sim.restore(sealed(shorter.replace(ids, struct.pack("<Q", 0))))
    assert sim.hash == before and len(sim.contacts) > 0


def test_masses_of_saved_bytes_are_for_looking_at(scenes):
    sim, other = (ss.Simulation(scenes / "box-stack.json") for _ in range(2))
    sim.run(steps=3)
    other.step()  # it has its own masses now
    content = sim.save()[40:]
    begin = content.index(b"last")
    mass = struct.pack("<d", float(sim.problem.M[0, 0]))
    assert mass in content[begin:]
    other.restore(sealed(content[:begin] + content[begin:].replace(mass, struct.pack("<d", -1.0))))
    for s in (sim, other):
        s.run(steps=3)
    assert other.hash == sim.hash


# ---- Functions of one's own, and what they are in the middle of ----


class Ball(ss.System):
    """A ball above the floor, whose functions can be told to do something else first."""

    coordinates = ("z",)
    contacts = (ss.ContactLaw("floor"),)

    def __init__(self):
        self.also = lambda: None

    def mass(self, t, q):
        return [[1.0]]

    def forces(self, t, q, u):
        return [-10.0]

    def gaps(self, t, q):
        self.also()
        return [q[0] - 1]

    def normals(self, t, q):
        return [[1.0]]

    def potential_energy(self, t, q):
        self.also()
        return 10 * q[0]


def ball(**options):
    system = Ball()
    return system, ss.Simulation(system, step=1e-2, q=[1.0], **options)


CHANGES = {
    "step": lambda sim: sim.step(),
    "run": lambda sim: sim.run(steps=1),
    "set": lambda sim: sim.set(q=[2.0]),
    "restore": lambda sim: sim.restore(sim.save()),
    "energy": lambda sim: sim.energy,
    "state": lambda sim: sim.time,
    "batch": lambda sim: _engine.step_all((sim,), None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_simulation_stays_as_it_is_while_it_asks(change):
    system, sim = ball()
    sim.step()
    before, asked = sim.hash, []

    def also():
        system.also = lambda: None
        with pytest.raises(RuntimeError, match="asks functions of your own"):
            change(sim)
        asked.append(1)

    for ask in (lambda: sim.energy, lambda: sim.summary, lambda: _engine.energies_of((sim,))):
        system.also = also
        ask()
    assert len(asked) == 3 and sim.hash == before
    sim.step()


class Memory(ss.Solver):
    """A solver whose memory can be told to do something else first."""

    also = staticmethod(lambda: None)

    def solve(self, problem):
        return problem.solve("auto")

    def save(self):
        Memory.also()
        return b"nothing"

    def restore(self, memory):
        Memory.also()


def test_a_simulation_stays_as_it_is_while_it_is_saved_and_restored(scenes, monkeypatch):
    sim = ss.Scene.load(scenes / "box-stack.json").simulation(solver=Memory)
    sim.run(steps=3)
    saved, before, refused = sim.save(), sim.hash, []

    def also():
        with pytest.raises(RuntimeError, match="asks functions of your own"):
            sim.step()
        refused.append(1)

    monkeypatch.setattr(Memory, "also", staticmethod(also))
    assert sim.save() == saved
    sim.restore(saved)
    assert refused and sim.hash == before


def test_a_run_does_not_go_on_while_another_thread_asks():
    system, sim = ball()
    asks, may_answer = threading.Event(), threading.Event()

    def also():
        system.also = lambda: None
        asks.set()
        assert may_answer.wait(10)

    energies = []

    def after(_):
        system.also = also
        other.start()
        assert asks.wait(10)

    other = threading.Thread(target=lambda: energies.append(sim.energy))
    with pytest.raises(RuntimeError, match="asks functions of your own"):
        sim.run(steps=5, after=after)
    may_answer.set()
    other.join()
    assert len(energies) == 1
    sim.run(steps=2)
    assert sim.steps == 3


# ---- Schemes ----


class Euler(ss.Scheme):
    """Calls all that a step has, in an order that can be told."""

    before = during = after = staticmethod(lambda step: None)

    def formulate(self, step):
        self.before(step)
        step.free_motion(mass=(step.time, step.q))
        self.during(step)
        step.contacts(step.time, step.q, margin=10.0)
        self.after(step)

    def advance(self, step, v):
        return step.q + step.h * v, v


def test_a_step_that_is_not_set_up_refuses_what_needs_it(scenes):
    refused = []

    class Early(Euler):
        def before(self, step):
            for call, text in (
                (lambda: step.prestress(0, 1e-3, 1e-2), "call free_motion first"),
                (lambda: step.mobility(0), "call free_motion first"),
                (lambda: step.make_spring(0, 0.0, 0.0), "there is no row|call joints first"),
            ):
                with pytest.raises(ss.InputError, match=text):
                    call()
            refused.append(1)

    _, sim = ball(scheme=Early)
    sim.run(steps=2)
    assert len(refused) == 2


def test_a_step_is_not_used_by_the_functions_that_it_calls():
    system, refused = Ball(), []

    class Late(Euler):
        def after(self, step):
            def also():
                system.also = lambda: None
                for use in (
                    lambda: step.e_n,
                    lambda: step.normal_rows,
                    lambda: step.b,
                    lambda: step.problem,
                    lambda: step.contacts(step.time, step.q),
                    lambda: step.mobility(0),
                ):
                    with pytest.raises(RuntimeError, match="at work"):
                        use()
                refused.append(1)

            system.also = also
            step.contacts(step.time + 1e-4, step.q, margin=10.0)

    sim = ss.Simulation(system, step=1e-2, q=[1.0], scheme=Late)
    sim.run(steps=2)
    assert len(refused) == 2


def test_contacts_that_were_not_found_are_not_solved():
    system = Ball()

    class Careless(Euler):
        def after(self, step):
            def also():
                raise ArithmeticError

            system.also = also
            with contextlib.suppress(ArithmeticError):
                step.contacts(step.time + 1e-4, step.q, margin=10.0)
            system.also = lambda: None
            with pytest.raises(ss.InputError, match="there is no contact"):
                step.prestress(0, 1.0, 1.0)

    sim = ss.Simulation(system, step=1e-2, q=[1.0], scheme=Careless)
    with pytest.raises(ss.InputError, match="expected it to call step.contacts"):
        sim.step()
    assert len(sim.contacts) == 0


def test_a_step_is_for_the_thread_that_calls_the_scheme():
    kept, refused = [], []

    class Shared(Euler):
        def during(self, step):
            def use():
                with pytest.raises(RuntimeError, match="in the thread that calls the scheme"):
                    step.contacts(step.time, [1.0])
                refused.append(1)

            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
            kept.append(step)

    _, sim = ball(scheme=Shared)
    sim.step()
    assert refused == [1]
    del sim
    with pytest.raises(RuntimeError, match="only in the functions of a scheme"):
        kept[0].q


# ---- Making and letting go ----


def test_a_simulation_is_made_once(scenes):
    scene = ss.Scene.load(scenes / "box-stack.json")
    sim = _engine.Simulation.__new__(_engine.Simulation)

    class Twice(Memory):
        def __init__(self):
            if made:
                made.pop()
                sim.__init__(scene.model)

    from stickslip.methods import SolverDescription

    made = []
    description = SolverDescription(Twice)
    made = [1]
    with pytest.raises(RuntimeError, match="made by another call"):
        sim.__init__(scene.model, description)
    assert sim.step()


@pytest.mark.parametrize("wrong", [{"tangents": 0}, {"tangents": -3}, {"tangents": 7}])
def test_laws_that_were_changed_after_their_check_are_refused(wrong):
    system = Ball()
    law = ss.ContactLaw("floor", mu=0.5)
    for name, value in wrong.items():
        object.__setattr__(law, name, value)
    system.contacts = (law,)
    system.tangents = lambda t, q: [[1.0]]
    with pytest.raises(ss.InputError):
        ss.Simulation(system, step=1e-2, q=[1.0])


def test_a_watcher_that_calls_what_it_watches_goes_with_it(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    watcher = _engine.FrameWatcher(sim, 1, lambda sim=sim: None)
    watcher.watch(sim)
    sim.run(steps=3)
    gone = weakref.ref(sim)
    del sim, watcher
    gc.collect()
    assert gone() is None


# ---- The end ----

AT_THE_END = """
import threading, time
import stickslip as ss

class Own(ss.Solver):
    def solve(self, problem):
        return problem.solve("auto")

scene = ss.Scene.load({scene!r})
what = {what}
def work():
    while True:
        what.run(until=1e9)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("what", ["scene.simulation()", "scene.simulation(solver=Own)", "ss.vectorize(scene, 4, threads=2)"])
def test_a_program_ends_while_a_daemon_thread_steps(what, scenes):
    script = AT_THE_END.format(scene=str(scenes / "box-stack.json"), what=what)
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr  # nanobind says what the thread still holds
