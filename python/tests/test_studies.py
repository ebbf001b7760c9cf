"""Studies over many processes: what is sent comes back with its bits, in processes of Dask and in others."""

import copy
import importlib.util
import multiprocessing
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from types import ModuleType

import numpy as np
import pytest
from conftest import ROOT

import stickslip as ss

STUDY = ROOT / "examples" / "python" / "parameter_study.py"


@pytest.fixture(scope="module")
def study() -> ModuleType:
    spec = importlib.util.spec_from_file_location("parameter_study", STUDY)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["parameter_study"] = module
    spec.loader.exec_module(module)
    return module


# ---- Reports ----


def reports(sim: ss.Simulation) -> list[object]:
    return [sim.report, sim.certificate, sim.summary]


@pytest.mark.parametrize("name", ["box-stack", "woodpecker", "cradle", "four-bar"])
def test_reports_come_back_as_they_were(name, scenes):
    sim = ss.Simulation(scenes / f"{name}.json")
    sim.run(steps=30)
    for report in reports(sim):
        for again in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report), copy.copy(report)):
            assert again is not report and again == report and hash(again) == hash(report)
            assert repr(again) == repr(report)
            public = [name for name in dir(report) if not name.startswith("_")]
            assert len(public) > 10
            for name_of in public:
                if not callable(getattr(report, name_of)) and name_of != "certificate":
                    np.testing.assert_equal(getattr(again, name_of), getattr(report, name_of), err_msg=name_of)
    report = pickle.loads(pickle.dumps(sim.report))
    assert report.certificate == sim.certificate and report.explain() == sim.report.explain()
    before = reports(sim)
    sim.run(steps=1)
    assert sim.summary != before[2] and sim.summary != 1 and sim.certificate != sim.summary


def test_a_report_that_is_not_certified_says_so_after_its_journey(scenes):
    sim = ss.Simulation(ss.Scene.load(scenes / "box-stack.json", set={"method.solver": "sweeps", "method.budget": 1}))
    sim.run(steps=5)
    for report in reports(sim):
        assert repr(pickle.loads(pickle.dumps(report))) == repr(report)
    assert not sim.summary.certified, "there is something to say"
    assert "not certified" in repr(pickle.loads(pickle.dumps(sim.summary)))


def test_damaged_pickles_of_reports_are_refused(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    sim.run(steps=3)
    random = np.random.default_rng(1)
    for report in reports(sim):
        state = report.__getstate__()
        for cut in (b"", state[:3], state[:20], state[: len(state) // 2], state[:-1]):
            with pytest.raises(ss.InputError):
                type(report).__new__(type(report)).__setstate__(cut)
        for _ in range(200):  # whatever it is then, the interpreter lives
            bits = bytearray(state)
            bits[random.integers(len(bits))] ^= 1 << int(random.integers(8))
            again = type(report).__new__(type(report))
            try:
                again.__setstate__(bytes(bits))
            except ss.InputError:
                continue
            assert repr(again)
        for wrong in (1, "x", None, (1,)):
            with pytest.raises(TypeError):
                type(report).__new__(type(report)).__setstate__(wrong)


# ---- Other processes ----


def steps_on(sim: ss.Simulation) -> tuple[str, ss.Simulation]:
    sim.run(steps=20)
    return sim.hash, sim


def batch_steps_on(batch: ss.Batch) -> list[str]:
    batch.run(steps=20)
    return batch.hashes


def test_simulations_and_batches_go_on_in_another_process(study):
    """With processes of Python alone: 2 s, which pass in their start."""
    sim, batch = study.scene().simulation(), ss.vectorize(study.scene(), 3, threads=2)
    sim.run(steps=20)
    batch.run(steps=10)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        elsewhere, back = pool.submit(steps_on, sim).result()
        hashes = pool.submit(batch_steps_on, batch).result()
    sim.run(steps=20)
    batch.run(steps=20)
    assert sim.hash == elsewhere == back.hash and hashes == batch.hashes
    back.run(steps=5)
    sim.run(steps=5)
    assert back.hash == sim.hash and back.summary == sim.summary


def test_dask_gives_what_one_process_gives(study, capsys):
    """A cluster of two processes: 4 s, which pass in their start."""
    distributed = pytest.importorskip("distributed")
    psutil = pytest.importorskip("psutil")
    del distributed
    points = [(friction, slope) for friction in study.FRICTIONS for slope in study.SLOPES]
    with study.two_processes() as client:
        client.upload_file(str(STUDY))  # here a module and no script: others have to find it
        frictions, slopes = zip(*points)
        outcomes = client.gather(client.map(study.run, [study.scene()] * len(points), frictions, slopes))
        batches = client.gather(client.map(batch_steps_on_dask, [ss.vectorize(study.scene(), 2, threads=1)]))
        assert len(client.scheduler_info()["workers"]) == 2
        me = psutil.Process()
        listening = [
            connection.laddr.ip
            for process in [me, *me.children(recursive=True)]
            for connection in process.net_connections("inet")
            if connection.status == psutil.CONN_LISTEN
        ]
    assert listening and set(listening) == {"127.0.0.1"}, "nobody else can reach it"
    assert outcomes == [study.run(study.scene(), *point) for point in points], "bit for bit"
    assert all(outcome.summary.certified for outcome in outcomes)
    slid = {(o.friction, o.slope): o.way > 1e-3 for o in outcomes}
    assert slid == {point: point[1] > point[0] for point in points}, "it slides where the slope is above the friction"
    assert len({outcome.hash for outcome in outcomes}) == len(points)
    single = ss.vectorize(study.scene(), 2)
    single.run(steps=20)
    assert batches == [single.hashes]


def batch_steps_on_dask(batch: ss.Batch) -> list[str]:
    batch.run(steps=20)
    return batch.hashes


# ---- Memory ----


def test_memory_stays_flat_where_simulations_are_made_and_dropped():
    """2,000 of them; bench/python/memory.py does it with 100,000."""
    script = ROOT / "bench" / "python" / "memory.py"
    result = subprocess.run([sys.executable, str(script), "2000"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "flat" in result.stdout
