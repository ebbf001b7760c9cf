"""Systems of one's own: the same bits as those of a scene, what is wrong in a function, threads, memory."""

import copy
import gc
import importlib.util
import json
import math
import pickle
import resource
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from stickslip.system import SystemSource

ROOT = Path(__file__).resolve().parents[2]


def dot(a, b):
    """As the engine adds it up: NumPy's own order depends on the machine."""
    return sum((x * y for x, y in zip(a, b)), 0.0)


class Restated(ss.System):
    """A linear scene once more, written as functions."""

    def __init__(self, scene):
        linear = scene["system"]
        self.linear = linear
        self.coordinates = linear["coordinates"]
        self.rows = [(c["g0"], c["w_N"], c.get("drive_n", 0.0)) for c in linear.get("contacts", [])]
        self.joint_rows = [(j["g0"], j["w"], j.get("drive", 0.0)) for j in linear.get("joints", [])]
        self.contacts = [self.law(c) for c in linear.get("contacts", [])]
        self.joints = [ss.JointLaw(j["name"]) for j in linear.get("joints", [])]
        for element in linear.get("elements", []):
            row = (element.get("g0", 0.0), element["w"], element.get("drive", 0.0))
            if element["type"] == "friction":
                self.contacts.append(ss.DryFriction(element["name"], force=element["force"]))
                self.rows.append(row)
            if "prestress" in element:
                self.contacts.append(ss.Prestress(element["name"], force=element["prestress"]))
                self.rows.append(row)
            if "stiffness" in element:
                self.joints.append(ss.JointLaw(element["name"], stiffness=element["stiffness"]))
                self.joint_rows.append(row)

    @staticmethod
    def law(contact):
        names = ("name", "mu", "e_n", "e_t", "mu_kinetic", "transition", "friction_force", "mu_2", "directions")
        law = {key: contact[key] for key in names if key in contact}
        return ss.ContactLaw(**law, tangents=2 if "w_T2" in contact else 1)

    def mass(self, t, q):
        return self.linear["M"]

    def forces(self, t, q, u):
        h = np.zeros(len(q))
        for i in range(len(q)):
            h[i] = self.linear.get("f", h)[i]
            if "K" in self.linear:
                h[i] -= dot(self.linear["K"][i], q)
            if "C" in self.linear:
                h[i] -= dot(self.linear["C"][i], u)
        for load in self.linear.get("loads", []):
            wave = 2 * math.pi * load["frequency"] * t + load.get("phase", 0.0)
            h[self.coordinates.index(load["coordinate"])] += load["amplitude"] * math.sin(wave)
        return h

    def gaps(self, t, q):
        return [g0 + dot(w, q) + drive * t for g0, w, drive in self.rows]

    def normals(self, t, q):
        return [w for _, w, _ in self.rows]

    def along(self, key):
        return [c.get(key, np.zeros(len(self.coordinates))) for c in self.linear.get("contacts", [])]

    def tangents(self, t, q):
        return self.along("w_T") + [w for _, w, _ in self.rows[len(self.linear.get("contacts", [])) :]]

    def second_tangents(self, t, q):
        return self.along("w_T2")

    def drives(self, t, q):
        width = 1 + max((c.tangents for c in self.contacts if isinstance(c, ss.ContactLaw)), default=1)
        names = ("drive_n", "drive_t", "drive_t2")
        rows = [[contact.get(name, 0.0) for name in names] for contact in self.linear.get("contacts", [])]
        rows += [[drive, 0.0, 0.0] for _, _, drive in self.rows[len(rows) :]]
        return [row[:width] for row in rows]

    def joint_gaps(self, t, q):
        return [g0 + dot(w, q) + drive * t for g0, w, drive in self.joint_rows]

    def joint_directions(self, t, q):
        return [w for _, w, _ in self.joint_rows]

    def joint_drives(self, t, q):
        return [drive for _, _, drive in self.joint_rows]


SPATIAL = """{
  "stickslip": 1, "name": "block in space", "time": {"step": 1e-3, "end": 1},
  "system": {"type": "linear", "coordinates": ["x", "y", "z"], "M": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "f": [1, 0, -10],
    "contacts": [{"name": "floor", "g0": 0, "w_N": [0, 0, 1], "w_T": [1, 0, 0], "w_T2": [0, 1, 0], "mu": 0.3, "mu_2": 0.2,
                  "e_n": 0.5, "drive_t2": 0.1}]},
  "initial": {"q": {"z": 0.01}, "u": {"x": 1, "y": 0.5}}
}"""

LINEAR = [
    "belt-oscillator",
    "bouncing-ball",
    "coupled-carts",
    "sliding-block",
    "stick-slip",
    "woodpecker",
    "elements/prestressed-spring",
    "elements/driven-friction",
    "papers/particle",
    "in space",
]


@pytest.mark.parametrize("name", LINEAR)
def test_functions_have_the_bits_of_a_scene(name, scenes):
    text = SPATIAL if name == "in space" else (scenes / f"{name}.json").read_text()
    scene = json.loads(text)
    initial = scene.get("initial", {})
    sim = ss.Simulation(
        Restated(scene),
        step=scene["time"]["step"],
        q=initial.get("q"),
        u=initial.get("u"),
        impact=initial.get("impact", False),
        method=scene.get("method"),
    )
    reference = ss.Scene.parse(text).simulation()
    for simulation in (sim, reference):
        simulation.run(steps=400)
    if name == "elements/driven-friction":  # math.sin is not the engine's
        assert np.allclose(sim.q, reference.q, rtol=1e-12)
    else:
        assert sim.hash == reference.hash
    assert sim.certified
    assert sim.summary.contacts_max == reference.summary.contacts_max


def rod(**changes):
    """Painleve's rod with one tip, and whatever else is to be wrong."""

    class Rod(ss.System):
        coordinates = ("x", "y", "theta")
        contacts = (ss.ContactLaw("tip", mu=0.4),)
        mass = np.diag([1.0, 1.0, 1 / 12])

        def forces(self, t, q, u):
            return np.array([0.0, -9.81, 0.0])

        def gaps(self, t, q):
            return np.array([q[1] - math.sin(q[2]) / 2])

        def normals(self, t, q):
            return np.array([[0.0, 1.0, -math.cos(q[2]) / 2]])

        def tangents(self, t, q):
            return np.array([[1.0, 0.0, math.sin(q[2]) / 2]])

        def potential_energy(self, t, q):
            return 9.81 * q[1]

    for name, value in changes.items():
        setattr(Rod, name, value)
    return Rod()


START = {"y": 0.6, "theta": 1.0}


def simulate(system, **options):
    return ss.Simulation(system, **{"step": 1e-3, "q": START, **options})


def test_arrays_and_lists_stand_for_functions():
    plain = simulate(rod())
    other = simulate(rod(mass=lambda self, t, q: [[1, 0, 0], [0, 1, 0], [0, 0, 1 / 12]], forces=[0, -9.81, 0]))
    strided = simulate(rod(normals=lambda self, t, q: np.array([[0.0, 0, 1, 0, -math.cos(q[2]) / 2, 0]])[:, ::2]))
    for sim in (plain, other, strided):
        sim.run(steps=600)
    assert plain.hash == other.hash == strided.hash
    assert plain.certified and plain.summary.contacts_max == 1


def test_one_call_a_function_and_place():
    calls = []

    def counted(name):
        function = getattr(type(rod()), name)

        def call(self, t, q, *u):
            calls.append((name, t, q.tobytes()))
            return function(self, t, q, *u)

        return call

    sim = simulate(rod(**{name: counted(name) for name in ("gaps", "normals", "tangents", "forces")}))
    sim.run(steps=300)
    assert len(calls) == len(set(calls))
    assert {name for name, _, _ in calls} == {"gaps", "normals", "tangents", "forces"}
    assert len(calls) <= 4 * 301


def test_what_functions_get_cannot_be_written_to_and_stays():
    kept = []

    def forces(self, t, q, u):
        assert isinstance(t, float)
        for array in (q, u):
            assert array.shape == (3,) and array.dtype == np.float64
            with pytest.raises(ValueError):
                array[0] = 1.0
        kept.append((q, q.copy()))
        return [0, -9.81, 0]

    simulate(rod(forces=forces)).run(steps=20)
    gc.collect()
    assert len(kept) >= 20
    assert all((q == copied).all() for q, copied in kept)


def test_energy_names_and_state():
    sim = simulate(rod(), time=2.0, end=2.5, u=[1, 0, 0], name="my rod")
    assert sim.energy.potential == 9.81 * 0.6 and sim.energy.kinetic == 0.5
    assert sim.coordinates["theta"].q == 1.0 and "my rod" in repr(sim)
    sim.run()
    assert sim.time == 2.5 and sim.certified
    with pytest.raises(ss.InputError, match="no end"):
        simulate(rod()).run()
    with pytest.raises(ss.InputError, match="is no scene"):
        sim.scene  # noqa: B018


def test_a_start_that_is_an_impact():
    fast = simulate(rod(), q={"y": math.sin(1.0) / 2, "theta": 1.0}, u={"y": -1.0}, impact=True)
    assert fast.report is not None and fast.u[1] - 0.5 * math.cos(1.0) * fast.u[2] >= -1e-12


def test_steps_by_their_error():
    sim = simulate(rod(), error=1e-5)
    sim.run(until=0.2)
    assert sim.time == 0.2 and sim.summary.certified


# ---- What is wrong ----

NAN = float("nan")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mass": np.eye(2)}, r"^Rod\.mass: expected an array of shape \(3, 3\), got one of shape \(2, 2\)$"),
        ({"mass": np.diag([1.0, 0.0, 1.0])}, r'Rod\.mass: not positive definite; .* "y" has no inertia'),
        ({"mass": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}, r'Rod\.mass: not positive definite; .* "y"'),
        ({"mass": [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}, r'Rod\.mass: not symmetric in "y" and "x"'),
        ({"mass": np.diag([1, NAN, 1])}, r"Rod\.mass: expected finite numbers, got nan"),
        ({"mass": None}, r"Rod\.mass: missing"),
        ({"gaps": None}, r"Rod\.gaps: missing; a system with contacts needs it"),
        ({"tangents": None}, r"Rod\.tangents: missing; a contact with friction needs it"),
        ({"joints": [ss.JointLaw()]}, r"Rod\.joint_gaps: missing"),
        ({"contacts": [ss.ContactLaw(mu=0.1, tangents=2)]}, r"Rod\.second_tangents: missing"),
        ({"coordinates": ()}, r"Rod\.coordinates: expected a name for each"),
        ({"coordinates": "xyz"}, r"Rod\.coordinates: expected a list|expected names"),
        ({"coordinates": ("x", "x", "y")}, r"Rod\.coordinates: 'x' is used twice"),
        ({"contacts": [1]}, r"Rod\.contacts\[0\]: expected ContactLaw"),
        ({"contacts": ss.ContactLaw()}, r"Rod\.contacts: expected a list"),
        ({"joints": [ss.ContactLaw()]}, r"Rod\.joints\[0\]: expected JointLaw"),
    ],
)
def test_wrong_systems_are_named(changes, message):
    with pytest.raises(ss.InputError, match=message):
        simulate(rod(**changes))


@pytest.mark.parametrize(
    ("name", "result", "message"),
    [
        ("mass", np.eye(2), r"^Rod\.mass: expected an array of shape \(3, 3\), got one of shape \(2, 2\)$"),
        ("forces", [0, 1], r"Rod\.forces: expected an array of shape \(3,\), got one of shape \(2,\)"),
        ("forces", None, r"Rod\.forces: expected an array of shape \(3,\), got NoneType"),
        ("forces", "down", r"Rod\.forces: expected an array of shape \(3,\)"),
        ("forces", [1j, 0, 0], r"Rod\.forces: .*real numbers"),
        ("forces", [[1], [1, 2]], r"Rod\.forces: expected an array of shape \(3,\), got list"),
        ("forces", [0, math.inf, 0], r"Rod\.forces: expected finite numbers, got inf"),
        ("forces", np.float64(1.0), r"Rod\.forces: expected an array of shape \(3,\), got a number"),
        ("forces", object(), r"Rod\.forces: expected an array of shape \(3,\), got object"),
        ("gaps", [NAN], r"Rod\.gaps: expected finite numbers, got nan"),
        ("gaps", 0.1, r"Rod\.gaps: expected an array of shape \(1,\), got a number"),
        ("normals", np.zeros((1, 3)), r"Rod\.normals: row 0 is all zero"),
        ("tangents", np.ones((2, 3)), r"Rod\.tangents: expected an array of shape \(1, 3\)"),
        ("drives", [[0.0]], r"Rod\.drives: expected an array of shape \(1, 2\)"),
    ],
)
def test_wrong_results_are_named_and_change_nothing(name, result, message):
    good = simulate(rod(), q={"y": 0.4207354924039483, "theta": 1.0})
    is_wrong = False
    original = getattr(rod(), name, None)

    def function(self, *arguments):
        return result if is_wrong else original(*arguments) if callable(original) else good_value

    good_value = np.zeros((1, 2)) if name == "drives" else original
    sim = simulate(rod(**{name: function}), q={"y": 0.4207354924039483, "theta": 1.0})
    for simulation in (good, sim):
        simulation.run(steps=5)
    is_wrong, before = True, (sim.hash, sim.summary.steps)
    for _ in range(3):
        with pytest.raises(ss.InputError, match=message):
            sim.step()
    is_wrong = False
    assert (sim.hash, sim.summary.steps) == before
    for simulation in (good, sim):
        simulation.run(steps=100)
    assert sim.hash == good.hash and sim.certified


@pytest.mark.parametrize("method", [None, {"scheme": "position"}, {"scheme": "velocity"}])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, ZeroDivisionError, SystemExit])
def test_exceptions_come_out_as_they_are(kind, method):
    raised = kind("now")
    fails = False

    def gaps(self, t, q):
        if fails:
            raise raised
        return [q[1] - math.sin(q[2]) / 2]

    sim = simulate(rod(gaps=gaps), method=method)
    other = simulate(rod(), method=method)
    sim.run(steps=50)
    fails = True
    with pytest.raises(kind) as caught:
        sim.run(steps=50)
    assert caught.value is raised
    assert any("gaps" in str(entry) for entry in caught.traceback)
    fails = False
    assert sim.summary.steps == 50
    sim.run(steps=300)
    other.run(steps=350)
    assert sim.hash == other.hash


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": None}, "needs step"),
        ({"step": 0.0}, "time.step"),
        ({"step": NAN}, "step: expected a finite number"),
        ({"q": [1, 2]}, r"q: expected 3 numbers"),
        ({"q": {"z": 1.0}}, "there is no coordinate 'z'; there are x, y, theta"),
        ({"u": [NAN, 0, 0]}, r"u\[0\]: expected a finite number"),
        ({"time": math.inf}, "time: expected a finite number"),
        ({"method": "mine"}, "preset"),
        ({"method": {"scheme": "mine"}}, "scheme"),
        ({"method": {"schema": "mine"}}, "schema"),
        ({"method": 3}, "method: expected a Method"),
        ({"method": {"theta": object()}}, "method: expected names and numbers"),
        ({"impact": 1}, "impact: expected True or False"),
        ({"stop": 1.0}, "no option 'stop' of a system"),
        ({"forces": []}, "no option 'forces' of a system"),
        ({"name": 3}, "name: expected a text"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ss.InputError, match=message):
        simulate(rod(), **options)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ss.ContactLaw("tip", mu=-1), "ContactLaw 'tip'.mu: expected a number >= 0, got -1.0"),
        (lambda: ss.ContactLaw(mu=NAN), "ContactLaw.mu: expected a finite number"),
        (lambda: ss.ContactLaw(e_n=1.1), "ContactLaw.e_n: expected a number from 0 to 1"),
        (lambda: ss.ContactLaw(name=3), "ContactLaw.name: expected a text"),
        (lambda: ss.ContactLaw(tangents=3), "ContactLaw.tangents: expected 1 or 2"),
        (lambda: ss.ContactLaw(mu_2=0.1), "ContactLaw.mu_2: only for a contact with tangents=2"),
        (lambda: ss.ContactLaw(mu=0.1, mu_kinetic=0.05), "goes together with transition"),
        (lambda: ss.ContactLaw(mu=0.1, mu_kinetic=0.05, transition={"type": "jump"}), "smooth"),
        (lambda: ss.ContactLaw(mu=0.1, mu_kinetic=0.05, transition={"type": "smooth"}), "speed"),
        (lambda: ss.ContactLaw(mu_kinetic=0.05, transition={"type": "smooth", "speed": 1}), "mu: must be > 0"),
        (lambda: ss.ContactLaw(tangents=2, directions=2), "3 to 64"),
        (lambda: ss.ContactLaw(tangents=2, friction_directions=[1, 2]), "rows of two numbers"),
        (lambda: ss.DryFriction(force=-1), "DryFriction.force: expected a number >= 0"),
        (lambda: ss.JointLaw(stiffness=-1), "JointLaw.stiffness: expected a number >= 0, or infinity"),
        (lambda: ss.JointLaw(damping=1), "only for a joint with a finite stiffness"),
    ],
)
def test_wrong_laws_are_named(make, message):
    with pytest.raises(ss.InputError, match=message):
        make()


def test_unbalanced_directions_are_refused():
    law = ss.ContactLaw(mu=0.3, tangents=2, friction_directions=[[1, 0], [0, 1]])
    with pytest.raises(ss.InputError, match="balanced|directions"):
        simulate(rod(contacts=[law], second_tangents=np.ones((1, 3))))


# ---- Copies ----


class Bead(ss.System):
    """On the parabola y = x^2 / 2."""

    coordinates = ("x", "y")
    joints = (ss.JointLaw("wire"),)
    mass = np.eye(2)
    forces = (0.0, -1.0)

    def __init__(self, shift=0.0):
        self.shift = shift

    def joint_gaps(self, t, q):
        return [q[1] - q[0] ** 2 / 2 - self.shift]

    def joint_directions(self, t, q):
        return [[-q[0], 1.0]]


def test_copies_go_on_with_the_same_bits():
    sim = ss.Simulation(Bead(0.1), step=1e-2, q=[1, 0.6], end=1.0)
    sim.run(steps=20)
    if not hasattr(sim, "save"):
        pytest.skip("simulations cannot be copied yet")
    for other in (copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))):
        assert other.hash == sim.hash
        other.run()
        original = copy.deepcopy(sim)
        original.run()
        assert other.hash == original.hash and other.time == 1.0


def test_sources_pickle():
    source = pickle.loads(pickle.dumps(SystemSource(Bead(0.25))))
    sim = ss.Simulation(source, step=1e-2, q=[1, 0.75])
    sim.run(steps=10)
    assert sim.certified and source.system.shift == 0.25


# ---- Threads and functions that call back ----


def test_a_function_may_not_step_its_own_simulation():
    told = []

    def forces(self, t, q, u):
        for action in (lambda: sim.step(), lambda: sim.time, lambda: sim.set(time=0.0), lambda: sim.run(steps=1)):
            with pytest.raises(RuntimeError, match="in a step"):
                action()
        told.append(True)
        return [0, -9.81, 0]

    sim = simulate(rod(forces=forces))
    sim.run(steps=3)
    assert len(told) == 3 and sim.summary.steps == 3


def test_a_function_may_step_another_simulation():
    inner = simulate(rod())

    def forces(self, t, q, u):
        inner.step()
        return [0, -9.81, 0]

    outer, reference = simulate(rod(forces=forces)), simulate(rod())
    for sim in (outer, reference):
        sim.run(steps=400)
    assert outer.hash == inner.hash == reference.hash


def test_a_simulation_that_a_function_drops():
    holder = []

    def forces(self, t, q, u):
        holder.clear()
        gc.collect()
        return [0, -9.81, 0]

    holder.append(simulate(rod(forces=forces)))
    assert holder[0].step() is True
    assert holder == []


def test_threads_step_side_by_side():
    system = rod()
    reference = simulate(system)
    reference.run(steps=300)
    hashes = []

    def work():
        sim = simulate(system)
        for _ in range(300):
            sim.step()
        hashes.append(sim.hash)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == [reference.hash] * 6


def test_one_simulation_in_many_threads_is_refused_not_broken():
    sim = simulate(rod())
    wrong, refused = [], []

    def work():
        for _ in range(200):
            try:
                sim.step()
            except RuntimeError:
                refused.append(1)
            except BaseException as error:  # noqa: BLE001
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert sim.summary.steps == 800 - len(refused)


# ---- Memory ----


def test_a_system_that_keeps_its_simulation_goes_with_it():
    system = rod()
    system.simulation = simulate(system)
    system.simulation.step()
    system.model = SystemSource(system).model(step=1e-3)
    seen = weakref.ref(system)
    del system
    gc.collect()
    assert seen() is None


def test_many_simulations_take_no_memory():
    def some(count):
        for _ in range(count):
            system = rod_kind()
            system.simulation = ss.Simulation(system, step=1e-3, q=START)
            system.simulation.step()

    rod_kind = type(rod())
    some(300)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some(3000)
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # [KiB]


# ---- Examples ----


def example(name):
    path = ROOT / "examples" / "python" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert len(path.read_text().splitlines()) <= 40
    return module


def test_woodpecker(scenes, capsys):
    module = example("woodpecker")
    sim, period, drop = module.main()
    assert sim.certified and "certified: True" in capsys.readouterr().out
    # docs/papers.md: the limit cycle of the event-driven reference
    assert period == pytest.approx(0.1460, abs=2e-4) and drop == pytest.approx(19.46e-3, abs=5e-5)
    # The scene, whose numbers are those of Table I put in.
    reference = ss.Scene.load(scenes / "woodpecker.json").simulation()
    own = ss.Simulation(
        module.Woodpecker(),
        step=1e-5,
        q=[0, -0.1036, -0.2788],
        u=[-0.3411, 0, -7.4583],
        method={"preset": "glocker-studer", "tolerance": 1e-9},
    )
    for simulation in (own, reference):
        simulation.run(until=0.05)
    assert np.allclose(own.q, reference.q, rtol=1e-9) and np.allclose(own.u, reference.u, rtol=1e-7)


def test_painleve_rod(capsys):
    # What examples/painleve_rod.cpp prints.
    tips = [(ratio, round(tip, 6), round(impulse, 6)) for _, ratio, tip, impulse in example("painleve_rod").main()]
    assert tips == [
        (0.5, -0.99851, 0.001277),
        (pytest.approx(0.99), -0.780604, 0.063875),
        (pytest.approx(1.01), 0.0, 0.288116),
        (2.0, 0.0, 0.288116),
    ]
    assert "critical friction 1.3366" in capsys.readouterr().out


def test_bead_on_parabola():
    free, held = example("bead_on_parabola").main()
    assert free.certified and held.certified
    assert free.q[0] == pytest.approx(1.0, abs=1e-5) and free.u[0] == pytest.approx(0.0, abs=2e-2)
    assert abs(held.q[0]) < 0.3 and np.abs(held.u).max() < 1e-12
