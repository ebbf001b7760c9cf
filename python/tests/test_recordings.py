"""Recordings: written as the program writes them, read lazily, and robust against what users do with them."""

import copy
import csv
import gc
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import stickslip as ss
from stickslip.orders import convergence
from stickslip.hdf5 import import_h5py

h5py = pytest.importorskip("h5py")


@pytest.fixture
def run(scenes, tmp_path):
    """Records a shipped scene and gives the recording and the simulation."""
    opened = []

    def run(name, *, until=None, every=None, set=()):
        sim = ss.Simulation(ss.Scene.load(scenes / f"{name}.json", set=set))
        folder = tmp_path / name.replace("/", "-")
        with ss.record(sim, folder, every=every):
            sim.run(until)
        recording = ss.open(folder)
        opened.append(recording)
        return recording, sim

    yield run
    for recording in opened:
        recording.close()


def tables_of(path):
    """Everything that is said about each dataset."""
    with h5py.File(path, "r") as file:
        found = {}

        def see(name, item):
            if isinstance(item, h5py.Dataset):
                kind = item.id.get_type()
                text = (kind.get_cset(), kind.get_strpad()) if item.dtype.kind == "S" else ()
                found[name] = (
                    item[...].tobytes(),
                    item.shape,
                    item.dtype.str,
                    text,
                    item.maxshape,
                    item.chunks,
                    item.compression,
                    item.compression_opts,
                    item.shuffle,
                    dict(item.attrs),
                )

        file.visititems(see)
        return found


# ---- The same as the program ----

# Bodies in plane and space, moments, joints with limits, a linear system, an impact at the start, recording.every.
SAME = [
    ("slider-crank", {"time.end": 0.2}),
    ("slip-to-roll", {"time.end": 0.05}),
    ("box-stack", {"time.end": 0.2, "recording": {"every": 7}}),
    ("stick-slip", {"time.end": 0.5}),
    ("elements/ratchet", {"time.end": 0.1, "initial.impact": True}),
    ("bouncing-sphere", {"time.end": 0.1, "method.preset": "anitescu-potra"}),
    ("shapes/spatial-on-mesh", {"time.end": 0.1}),
]


@pytest.mark.parametrize(("name", "changes"), SAME, ids=[name for name, _ in SAME])
def test_the_program_writes_the_same(program, scenes, tmp_path, name, changes):
    file = scenes / f"{name}.json"
    options = [option for key, value in changes.items() for option in ("--set", f"{key}={json.dumps(value)}")]
    program("run", file, "--out", tmp_path / "program", *options)
    sim = ss.Simulation(ss.Scene.load(file, set=changes))
    with ss.record(sim, tmp_path / "python"):
        sim.run()
    of_program, of_python = (tables_of(tmp_path / of / "recording.h5") for of in ("program", "python"))
    assert list(of_program) == list(of_python)
    for table, content in of_program.items():
        assert content == of_python[table], table
    assert of_program["time"][1][0] > 2


def test_the_program_reads_what_python_writes(program, run):
    recording, sim = run("slider-crank", until=0.1)
    recording.close()
    again = program("run", recording.path.parent, "--set", "time.end=0.1")
    assert again["hash"] == sim.hash


def test_a_table_is_that_of_the_program(program, run, tmp_path):
    pytest.importorskip("pandas")
    for name in ("slider-crank", "slip-to-roll", "stick-slip"):
        recording, _ = run(name, until=0.05)
        path = os.environ["STICKSLIP_PROGRAM"]
        out = tmp_path / "table.csv"
        subprocess.run([path, "export", recording.path.parent, "--csv", out], check=True, capture_output=True)
        with out.open() as file:
            head, *rows = csv.reader(file)
        table = recording.to_pandas()
        assert head == ["t", *table.columns]
        assert np.array_equal(np.array(rows, dtype=float), table.reset_index().to_numpy())
        out.unlink()


def test_a_run_with_record_and_one_by_steps_are_the_same(scenes, tmp_path):
    scene = ss.Scene.load(scenes / "slider-crank.json")
    sim = ss.Simulation(scene)
    sim.run(until=0.05, record=tmp_path / "run")
    by_steps = ss.Simulation(scene)
    with ss.record(by_steps, tmp_path / "steps"):
        while by_steps.time < 0.05 - 1e-12:
            by_steps.step()
    watched = ss.Simulation(scene)
    with watched.record(tmp_path / "watched"):
        watched.run(until=0.05, after=lambda sim: None)
    tables = [tables_of(tmp_path / name / "recording.h5") for name in ("run", "steps", "watched")]
    assert tables[0] == tables[1] == tables[2]


# ---- Frames ----


def test_frames_are_those_of_every_so_many_steps_and_of_start_and_end(run):
    recording, sim = run("slider-crank", until=0.0125, every=10)
    assert recording.step.values.tolist() == [0, 10, 20, 25]
    assert recording.complete
    assert recording.time[-1] == sim.time == 0.0125
    assert np.array_equal(recording.q[-1], sim.q)


def test_a_body_in_space_has_no_angle(scenes, tmp_path):
    ss.Scene.load(scenes / "box-stack.json").simulation().run(steps=2, record=tmp_path)
    with pytest.raises(ss.InputError, match="heavy.angle: is of scenes in the plane; in space use orientation"):
        ss.open(tmp_path)["heavy"].angle


def test_tracks_have_names(scenes, tmp_path):
    ss.Scene.load(scenes / "slider-crank.json").simulation().run(steps=2, record=tmp_path)
    recording = ss.open(tmp_path)
    assert recording.bodies.names == ["crank", "link", "piston"] and recording.joints["cylinder"].index == 3
    assert repr(recording.bodies) == "<3 of 'slider-crank': crank, link, piston>"


def test_tracks_are_what_the_simulation_was(scenes, tmp_path):
    sim = ss.Simulation(ss.Scene.load(scenes / "slider-crank.json"))
    seen = []
    with ss.record(sim, tmp_path) as recorder:
        for _ in range(20):
            sim.step()
            body = sim.bodies["piston"]
            seen.append(
                (body.position, body.orientation, body.angle, body.velocity, body.angular_velocity)
                + (sim.joints["cylinder"].coordinate, sim.joint_impulses, sim.energy, sim.certificate.residual)
            )
        recorder.flush()
    with ss.open(tmp_path) as recording:
        track = recording["piston"]
        parts = [track.position, track.orientation, track.angle, track.velocity, track.angular_velocity]
        parts += [recording["cylinder"].coordinate, recording.joint_impulse]
        for k, part in enumerate(parts):
            assert np.array_equal(part[1:], [frame[k] for frame in seen]), k
        assert np.array_equal(recording.energy.kinetic[1:], [frame[7].kinetic for frame in seen])
        assert np.array_equal(recording.energy.potential[1:], [frame[7].potential for frame in seen])
        assert np.array_equal(recording.energy.total[1:], [frame[7].total for frame in seen])
        assert np.array_equal(recording.certificate["residual"][1:], [frame[8] for frame in seen])
        assert recording.certified.dtype == bool and recording.certified.all()
        assert np.array_equal(recording["crank.x"].q, recording.q[:, 0])


def test_contacts_and_stages_are_those_of_the_step(scenes, tmp_path):
    sim = ss.Simulation(ss.Scene.load(scenes / "slip-to-roll.json"))
    with ss.record(sim, tmp_path):
        sim.run(steps=20)
    contacts = sim.contacts
    with ss.open(tmp_path) as recording:
        recorded = recording.contacts(-1)
        assert len(recorded) == len(contacts) > 0
        for name in ("id", "body_a", "body_b", "gap", "p"):
            assert np.array_equal(recorded[name], contacts[name]), name
        for name in ("point", "normal"):
            assert np.array_equal(recorded[name], contacts[name].astype(np.float32)), name
        assert recording.contact_count[-1] == len(contacts)
        assert [tuple(stage) for stage in recording.stages(-1)] == [tuple(s) for s in sim.report.stages]
        assert recording.contacts(0).size == 0 and recording.stages(0) == []


def test_a_contact_of_a_linear_system_over_the_frames(run):
    recording, _ = run("stick-slip", until=0.2)
    track = recording["belt"]
    rows = [recording.contacts(i) for i in range(len(recording))]
    expected = np.array([row["p"][row["id"] == 0][0] if len(row) else np.zeros(3) for row in rows])
    assert np.array_equal(track.impulse.values, expected)
    assert np.array_equal(track.impulse[3:90:7], expected[3:90:7])
    assert np.isnan(track.gap[0]) and np.isfinite(track.gap[1:]).all()
    weight = 2 * 9.81 * 0.001
    assert np.allclose(expected[1:, 0], weight)
    assert recording["x"].u[5] == recording.u[5, 0]


def test_reading_is_lazy(run, monkeypatch):
    recording, _ = run("slider-crank", until=0.5)
    asked = []
    real = type(recording)._table

    def spy(self, name, first, last, step=1):
        asked.append((name, first, last, step))
        return real(self, name, first, last, step)

    monkeypatch.setattr(type(recording), "_table", spy)
    position = recording["piston"].position
    assert asked == []
    position[100:110]
    assert {(first, last) for _, first, last, _ in asked} == {(100, 110)}
    asked.clear()
    position[-1]
    assert {(first, last) for _, first, last, _ in asked} == {(1000, 1001)}


def test_series_are_indexed_as_arrays_are(run):
    recording, _ = run("slider-crank", until=0.05)
    series = recording["piston"].position
    values = series.values
    assert series.shape == values.shape == (101, 3) and series.ndim == 2 and len(series) == 101
    keys = [0, -1, 5, slice(None), slice(3, 50, 7), slice(None, None, -3), slice(90, 10, -1), slice(5, 5)]
    keys += [(slice(2, 9), 0), (3, 1), (slice(None, None, -1), slice(0, 2)), ..., (..., 0)]
    keys += [[4, -1, 4], np.array([[1], [2]]), values[:, 0] > 1.299, [], ()]
    for key in keys:
        assert np.array_equal(series[key], values[key]), key
    assert np.array_equal(series * 2 + series, values * 3)
    assert series.max() == values.max() and np.max(series) == values.max()
    assert np.array_equal(np.asarray(series), values)
    assert np.array_equal(list(series), values)
    for key in (101, -102, [0, 200], np.zeros(5, bool)):
        with pytest.raises(IndexError):
            series[key]


def test_blocks_give_what_one_reading_gives(run, monkeypatch):
    recording, _ = run("slider-crank", until=0.05)
    whole = recording["link"].velocity.values
    monkeypatch.setattr("stickslip.tracks._NUMBERS_AT_ONCE", 100)
    assert np.array_equal(recording["link"].velocity.values, whole)
    assert np.array_equal(recording["link"].velocity[::-4], whole[::-4])


def test_the_scene_repeats_the_run(run):
    recording, sim = run("slider-crank", until=0.05)
    again = recording.scene.simulation() if hasattr(recording.scene, "simulation") else ss.Simulation(recording.scene)
    again.run(until=0.05)
    assert again.hash == sim.hash
    assert recording.name == "slider-crank" and recording.model.end == 3


def test_xarray_has_names(run):
    pytest.importorskip("xarray")
    recording, _ = run("slider-crank", until=0.05)
    data = recording.to_xarray(slice(0, 50))
    assert np.array_equal(data.position.sel(body="piston", axis="x"), recording["piston"].position[:50, 0])
    of_joint = data.joint_coordinate.sel(joint="cylinder", coordinate=0)
    assert np.array_equal(of_joint, recording["cylinder"].coordinate[:50])
    assert np.array_equal(data.time, recording.time[:50])
    assert data.certified.dtype == bool and data.impulses_unique.dtype == bool and data.certified.all()
    recording, _ = run("stick-slip", until=0.05)
    assert np.array_equal(recording.to_xarray().q.sel(position_name="x"), recording["x"].q)


# ---- While it is written, and killed ----


def test_it_can_be_read_while_it_is_written(scenes, tmp_path):
    sim = ss.Simulation(ss.Scene.load(scenes / "stick-slip.json"))
    recorder = sim.record(tmp_path)
    with ss.open(tmp_path) as recording:
        assert len(recording) == 1 and not recording.complete
        sim.run(steps=100)
        track = recording["x"].q
        assert len(recording) == len(track) == 1
        # After 1, 2, 4, ... frames what has been gathered is written.
        assert recording.refresh() == 1 + 2 + 4 + 8 + 16 + 32
        recorder.flush()
        assert recording.refresh() == len(track) == 101
        assert track[100] == sim.q[0]
        assert recording.contacts(100)["p"].shape == (1, 3)
        recorder.close()
        recorder.close()
        assert recording.refresh() == 101
    with ss.open(tmp_path) as recording:
        assert recording.complete and len(recording) == 101


def test_a_run_of_the_program_can_be_read_while_it_goes_on(scenes, tmp_path):
    path = os.environ.get("STICKSLIP_PROGRAM")
    if not path:
        pytest.skip("STICKSLIP_PROGRAM does not name the program")
    command = [path, "run", scenes / "stick-slip.json", "--out", tmp_path, "--set", "time.end=1000000"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        while not (tmp_path / "recording.h5").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        with ss.open(tmp_path) as recording:
            assert not recording.complete
            while recording.refresh() < 2000 and time.monotonic() < deadline:
                time.sleep(0.01)
            assert len(recording) >= 2000
            assert np.allclose(np.diff(recording.time.values), 0.001)
            with pytest.raises(ss.InputError, match="another run is writing there"):
                ss.record(ss.Simulation(recording.scene), tmp_path, replace=True)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with ss.open(tmp_path) as recording:
        assert len(recording) >= 2000 and not recording.complete


def test_what_was_written_survives_a_kill(scenes, tmp_path):
    script = f"""
        import os, signal, stickslip as ss
        sim = ss.Simulation({str(scenes / "stick-slip.json")!r})
        recorder = sim.record({str(tmp_path)!r})
        sim.run(steps=200)
        os.kill(os.getpid(), signal.SIGKILL)
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    assert result.returncode == -signal.SIGKILL
    with ss.open(tmp_path) as recording:
        assert len(recording) == 127 and not recording.complete
        assert recording.step.values.tolist() == list(range(127))
        assert len(recording.contacts(126)) == 1
    # The folder is free again.
    with ss.record(ss.Simulation(scenes / "stick-slip.json"), tmp_path, replace=True):
        pass


def test_a_script_that_ends_without_closing_has_written_all(scenes, tmp_path):
    script = f"""
        import stickslip as ss
        sim = ss.Simulation({str(scenes / "stick-slip.json")!r})
        sim.record({str(tmp_path)!r})
        sim.run(steps=200)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True)
    with ss.open(tmp_path) as recording:
        assert len(recording) == 201 and recording.complete


def test_a_simulation_that_is_dropped_closes_its_recording(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    sim.record(tmp_path)
    sim.run(steps=10)
    del sim
    gc.collect()
    with ss.open(tmp_path) as recording:
        assert len(recording) == 11 and recording.complete


# ---- Recorders ----


def test_a_recording_is_replaced_only_when_asked(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    with ss.record(sim, tmp_path):
        sim.run(steps=3)
    with pytest.raises(ss.InputError, match="holds a recording already, of 4 frames; replace=True"):
        ss.record(sim, tmp_path)
    with ss.record(sim, tmp_path, replace=True):
        pass
    with ss.open(tmp_path) as recording:
        assert recording.step.values.tolist() == [3]
    assert [file.name for file in tmp_path.iterdir()] == ["recording.h5"]


@pytest.mark.parametrize("kind", ["text", "hdf5", "link", "folder"])
def test_other_files_are_never_replaced(scenes, tmp_path, kind):
    file = tmp_path / "recording.h5"
    other = tmp_path / "other"
    if kind == "text":
        file.write_text("mine")
    elif kind == "hdf5":
        with h5py.File(file, "w") as made:
            made["x"] = [1, 2, 3]
    elif kind == "link":
        other.write_text("mine")
        file.symlink_to(other)
    else:
        file.mkdir()
    before = sorted(path.name for path in tmp_path.iterdir())
    with pytest.raises(ss.InputError, match=r"not a recording that stickslip wrote|no regular file"):
        ss.record(ss.Simulation(scenes / "stick-slip.json"), tmp_path, replace=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_two_do_not_record_into_one_folder(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    with ss.record(sim, tmp_path):
        with pytest.raises(ss.InputError, match="another run is writing there"):
            ss.record(ss.Simulation(scenes / "stick-slip.json"), tmp_path, replace=True)
        # One simulation may be recorded twice, with other frames.
        with ss.record(sim, tmp_path / "coarse", every=5):
            sim.run(steps=11)
    assert len(ss.open(tmp_path)) == 12
    assert ss.open(tmp_path / "coarse").step.values.tolist() == [0, 5, 10, 11]


def test_a_recorder_says_what_is_wrong(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    for every in (0, -1, 1.5, "2", True):
        with pytest.raises(ss.InputError, match="every: expected a whole number >= 1"):
            ss.record(sim, tmp_path / "new", every=every)
    with pytest.raises(ss.InputError, match="expected a Simulation"):
        ss.record("sim", tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ss.InputError, match="not a folder that can be written"):
        ss.record(sim, tmp_path / "file" / "x")
    recorder = ss.record(sim, tmp_path / "a")
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied"):
            copied(recorder)
    recorder.close()
    assert recorder.closed and "closed" in repr(recorder)
    for use in (recorder.append, recorder.flush):
        with pytest.raises(ss.InputError, match="this recorder is closed"):
            use()
    sim.step()


def test_frames_may_be_added_by_hand(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    with ss.record(sim, tmp_path, every=100) as recorder:
        sim.run(steps=3)
        recorder.append()
        recorder.append()
        sim.set(q={"x": 0.5})
        recorder.append()
        sim.run(steps=2)
    with ss.open(tmp_path) as recording:
        assert recording.step.values.tolist() == [0, 3, 3, 5]
        assert recording["x"].q[2] == 0.5


def test_a_step_that_could_not_be_made_is_no_frame(scenes, tmp_path):
    # As the program does: the last good state, without what led nowhere.
    set = {"system.f": [1e300, 0], "system.K": [[0, 0], [0, 0]], "time.end": 1e10, "time.step": 1e9}
    sim = ss.Simulation(ss.Scene.load(scenes / "stick-slip.json", set=set))
    with ss.record(sim, tmp_path, every=2):
        sim.run()
    with ss.open(tmp_path) as recording:
        assert np.isfinite(recording.q.values).all()
        if not sim.is_finite:
            assert recording.step[-1] == sim.steps


def test_failures_while_writing_are_said_once_and_stay(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    recorder = ss.record(sim, tmp_path)
    recorder._writer._file.close()
    sim.step()
    with pytest.raises(OSError, match="cannot write to the recording"):
        sim.run(steps=10)
    with pytest.raises(OSError, match="cannot write to the recording"):
        recorder.flush()
    recorder.close()
    sim.run(steps=10)


def test_another_thread_may_flush(scenes, tmp_path):
    sim = ss.Simulation(ss.Scene.load(scenes / "stick-slip.json"))
    with ss.record(sim, tmp_path) as recorder:
        ended = threading.Event()

        def flush():
            while not ended.is_set():
                recorder.flush()

        thread = threading.Thread(target=flush)
        thread.start()
        try:
            sim.run(steps=3000)
        finally:
            ended.set()
            thread.join()
    with ss.open(tmp_path) as recording:
        assert recording.step.values.tolist() == list(range(3001))
        assert np.array_equal(recording.contact_count.values[1:], np.ones(3000))


# ---- What is no recording, and what is misused ----


def test_what_is_no_recording(scenes, tmp_path):
    with pytest.raises(ss.InputError, match="no such recording"):
        ss.open(tmp_path / "nothing")
    with pytest.raises(ss.InputError, match=r"recording\.h5: no such recording"):
        ss.open(tmp_path)
    with pytest.raises(ss.InputError, match="not an HDF5 file"):
        ss.open(scenes / "stick-slip.json")
    with pytest.raises(ss.InputError, match="expected the path"):
        ss.open(3)
    (tmp_path / "empty.h5").write_bytes(b"")
    with pytest.raises(ss.InputError, match="not an HDF5 file"):
        ss.open(tmp_path / "empty.h5")
    with h5py.File(tmp_path / "foreign.h5", "w") as file:
        file["time"] = [1.0, 2.0]
    with pytest.raises(ss.InputError, match="not a readable recording"):
        ss.open(tmp_path / "foreign.h5")
    problem = scenes / "problems" / "box-stack.hdf5"
    with pytest.raises(ss.InputError, match="not a readable recording"):
        ss.open(problem)


def test_damaged_files_are_said_to_be(run, tmp_path):
    recording, _ = run("slip-to-roll", until=0.1)
    content = recording.path.read_bytes()
    recording.close()
    damaged = tmp_path / "damaged.h5"
    rng = np.random.default_rng(1)
    refused = 0

    def read_all():
        with ss.open(damaged) as at:
            at.time.values, at["ball"].position.values, at.energy.total.values, at.certified.values
            [at.contacts(i) for i in range(0, len(at), 9)], [at.stages(i) for i in range(0, len(at), 9)]

    # As with the program's reader: a file that a killed run has left may be whole as far as it goes.
    for size in [len(content) // k for k in (2, 3, 10, 100)]:
        damaged.write_bytes(content[:size])
        with pytest.raises(ss.InputError, match="not a readable recording"):
            read_all()
    for _ in range(40):
        broken = bytearray(content)
        start = int(rng.integers(len(broken) - 64))
        broken[start : start + 64] = rng.bytes(64)
        damaged.write_bytes(broken)
        try:
            read_all()
        except ss.InputError:
            refused += 1
    assert refused > 0


def test_wrong_names_get_near_ones(run):
    recording, _ = run("slider-crank", until=0.01)
    with pytest.raises(ss.InputError, match="there is no 'pistn'; is it 'piston'"):
        recording["pistn"]
    with pytest.raises(ss.InputError, match="there is no 'qqq'; there are crank, link"):
        recording["qqq"]
    with pytest.raises(ss.InputError, match="'residul'.*'residual'"):
        recording.certificate["residul"]
    with pytest.raises(ss.InputError, match="there is no 'cylinder'; "):
        recording.bodies["cylinder"]
    assert list(recording.bodies) == recording.body_names and "cylinder" in recording.joints
    assert np.array_equal(recording.joints["cylinder"].coordinate, recording["cylinder"].coordinate)
    assert np.array_equal(recording.coordinates["crank.x"].q, recording["crank"].position[:, 0])
    assert "piston" in recording and "pistn" not in recording
    tables = [name.split("/") for name in tables_of(recording.path)]
    assert set(recording.certificate) == {name for group, *names in tables if group == "certificate" for name in names}
    with pytest.raises(TypeError):
        list(recording)


def test_frames_out_of_range(run):
    recording, _ = run("slider-crank", until=0.01)
    for ask in (recording.contacts, recording.stages, recording.time.__getitem__):
        for frame in (21, -22, 10**30):
            with pytest.raises(IndexError, match="there is no frame"):
                ask(frame)
        ask(-21)
    with pytest.raises(TypeError):
        recording.contacts("last")
    assert [recording.frame_at(t) for t in (-1, 0, 0.00051, 0.01, 9)] == [0, 0, 1, 20, 20]


def test_a_closed_recording_says_so(run):
    recording, _ = run("slider-crank", until=0.01)
    track, certificate = recording["piston"], recording.certificate
    recording.close()
    recording.close()
    assert recording.closed and "closed" in repr(recording)
    for use in (
        lambda: recording.time[0],
        lambda: recording.q.values,
        lambda: track.position[:],
        lambda: recording.contacts(0),
        lambda: recording.stages(0),
        lambda: recording.energy.total.values,
        lambda: recording.joint_impulse,
        lambda: certificate["residual"][:],
        recording.refresh,
        recording.to_pandas,
    ):
        with pytest.raises(ss.InputError, match="this recording is closed"):
            use()


def test_it_is_pickled_by_its_path(run, monkeypatch, tmp_path):
    recording, _ = run("slider-crank", until=0.01)
    monkeypatch.chdir(recording.path.parent)
    with ss.open("recording.h5") as relative:
        data = pickle.dumps(relative)
    monkeypatch.chdir(tmp_path)
    again = pickle.loads(data)
    assert np.array_equal(again.q, recording.q)
    both = copy.deepcopy(again)
    again.close()
    assert np.array_equal(both["piston"].angle, recording["piston"].angle)
    both.close()


def test_several_threads_may_read(run):
    recording, _ = run("slider-crank", until=0.5)
    expected = recording["piston"].position.values
    wrong = []

    def read(seed):
        rng = np.random.default_rng(seed)
        for _ in range(30):
            start = int(rng.integers(900))
            if not np.array_equal(recording["piston"].position[start : start + 50], expected[start : start + 50]):
                wrong.append(start)
            recording.contacts(start), recording.stages(start)

    threads = [threading.Thread(target=read, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_closing_while_another_thread_reads(run):
    recording, _ = run("slider-crank", until=0.5)
    errors = []

    def read():
        try:
            while True:
                recording["piston"].position[:]
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    recording.close()
    for thread in threads:
        thread.join()
    assert all(isinstance(error, ss.InputError) for error in errors)


def test_velocities_of_another_version_are_refused(run, tmp_path):
    recording, _ = run("slider-crank", until=0.01)
    shutil.copy(recording.path, tmp_path / "old.h5")
    with h5py.File(tmp_path / "old.h5", "r+") as file:
        names = file["names/velocities"][...]
        names[0] = b"other"
        file["names/velocities"][...] = names
    with ss.open(tmp_path / "old.h5") as old:
        assert old.u.shape == (21, 9)
        with pytest.raises(ss.InputError, match="another version of stickslip"):
            old["piston"].position[:]


def test_recordings_of_version_0_1_can_be_read(run, tmp_path):
    recording, _ = run("slip-to-roll", until=0.01)
    shutil.copy(recording.path, tmp_path / "old.h5")
    with h5py.File(tmp_path / "old.h5", "r+") as file:
        for name in ("stages", "contacts/point", "contacts/normal", "certificate/energy_residual"):
            del file[name]
    with ss.open(tmp_path / "old.h5") as old:
        assert old.stages(-1) == []
        assert np.array_equal(old.contacts(-1)["p"], recording.contacts(-1)["p"])
        assert not old.contacts(-1)["normal"].any()
        assert "energy_residual" not in old.certificate and "residual" in old.certificate


def test_h5py_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ImportError, match=r'pip install "stickslip\[recordings\]"'):
        import_h5py()


def test_a_copy_of_a_simulation_is_not_recorded(scenes, tmp_path):
    sim = ss.Simulation(scenes / "stick-slip.json")
    if not hasattr(sim, "save"):
        pytest.skip("simulations cannot be saved")
    with ss.record(sim, tmp_path):
        other = sim.copy()
        other.run(steps=50)
    assert len(ss.open(tmp_path)) == 1


# ---- Orders of convergence ----


@pytest.mark.parametrize(
    ("name", "steps", "options"),
    [
        ("sliding-block", [0.02, 0.01, 0.005], {"schemes": ["position", "midpoint"]}),
        ("papers/rod", [0.02, 0.01], {"reference": 0.004}),
        ("four-bar", [0.01, 0.005], {"presets": ["stewart-trinkle", "anitescu-potra"], "until": 0.2}),
    ],
)
def test_convergence_is_that_of_the_program(program, scenes, name, steps, options):
    file = scenes / f"{name}.json"
    arguments = [f"--{key}" for key in ("schemes", "presets") if key in options]
    arguments += [value for key in ("schemes", "presets") for value in options.get(key, ())]
    arguments += ["--reference", options["reference"]] if "reference" in options else []
    arguments += ["--set", f"time.end={options['until']}"] if "until" in options else []
    numbers = program("converge", file, "--steps", *steps, *arguments)
    result = convergence(file, steps, **options)
    assert len(result.studies) == len(numbers["studies"])
    for study, expected in zip(result.studies, numbers["studies"]):
        assert study.method == expected["method"]
        for key in ("reference", "velocity_rate", "position_rate", "to_first_method", "uncertified_steps"):
            assert getattr(study, key) == pytest.approx(expected[key], rel=1e-9, abs=0), key
        for row, of_program in zip(study.rows, expected["rows"], strict=True):
            for key, value in of_program.items():
                known = np.nan if value is None else value
                assert getattr(row, key) == pytest.approx(known, rel=1e-9, abs=0, nan_ok=True)


def test_orders_of_a_fall_that_is_known(scenes):
    # Midpoint is exact for a fall and of second order for friction that stops a block ([GS05]).
    result = ss.convergence(scenes / "sliding-block.json", [0.02, 0.01, 0.005], schemes=["midpoint"])
    assert result["midpoint"].position_rate == pytest.approx(2, abs=0.01)
    assert "midpoint: order" in str(result) and "0.005" in str(result)
    pytest.importorskip("pandas")
    table = result.to_pandas()
    assert table.h.tolist() == [0.02, 0.01, 0.005] and set(table.method) == {"midpoint"}


def test_convergence_says_what_is_wrong(scenes):
    file = scenes / "sliding-block.json"
    for steps in ([0.1], [], [0.1, 0.1], [0.1, -0.1], [0.1, float("nan")], "ab", None):
        with pytest.raises(ss.InputError, match="steps:"):
            ss.convergence(file, steps)
    with pytest.raises(ss.InputError, match="too close"):
        ss.convergence(file, [0.1, 0.0999])
    with pytest.raises(ss.InputError, match="reference:"):
        ss.convergence(file, [0.1, 0.05], reference=0.07)
    with pytest.raises(ss.InputError, match="only one of them"):
        ss.convergence(file, [0.1, 0.05], schemes=["midpoint"], presets=["stewart-trinkle"])
    with pytest.raises(ss.InputError, match="schemes: expected a list"):
        ss.convergence(file, [0.1, 0.05], schemes="midpoint")
    with pytest.raises(ss.InputError, match="needs two steps"):
        ss.convergence(file, [3.0, 0.1])
    with pytest.raises(ss.InputError, match="there is no method"):
        ss.convergence(file, [0.1, 0.05])["exact"]


# ---- Systems of one's own ----


def test_a_system_of_ones_own_is_recorded_without_a_scene(tmp_path):
    class Ball(ss.System):
        coordinates = ("y",)
        contacts = (ss.ContactLaw("floor", e_n=0.5),)
        mass = np.eye(1)
        normals = np.eye(1)

        def forces(self, t, q, u):
            return np.array([-9.81])

        def gaps(self, t, q):
            return q

    sim = ss.Simulation(Ball(), step=1e-3, q=[0.1], method="glocker-studer")
    with ss.record(sim, tmp_path, every=2):
        sim.run(until=0.2)
    with ss.open(tmp_path) as recording:
        assert recording.name == "Ball" and recording.position_names == ["y"] and recording.contact_names == ["floor"]
        assert np.array_equal(recording.step, np.arange(0, 201, 2))
        assert recording["y"].q[-1] == sim.q[0]
        assert len(recording.contacts(-1)) == len(sim.contacts)
        assert recording["floor"].impulse[:, 0].max() > 0
        for use in (lambda: recording.scene, lambda: recording.energy.total[0]):
            with pytest.raises(ss.InputError, match="of a System in Python, which has no scene"):
                use()
