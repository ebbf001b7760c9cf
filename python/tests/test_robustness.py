"""No argument crashes the interpreter: the public names with arguments that make no sense, and from several threads."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import stickslip as ss

FUZZER = Path(__file__).with_name("fuzz_api.py")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_interpreter_lives(seed, tmp_path):
    result = subprocess.run(
        [sys.executable, str(FUZZER), str(seed), "5000"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert result.returncode == 0, f"seed {seed}: {result.returncode}\n{result.stderr[-3000:]}"
    assert "it lives" in result.stdout
    assert not list(tmp_path.iterdir()), "it leaves files behind"


def test_many_threads_on_one_simulation_step_it_or_are_refused(scenes):
    sim = ss.Simulation(scenes / "box-stack.json")
    done, refused, wrong = [], [], []

    def work():
        for _ in range(30):
            try:
                sim.step()
                sim.contacts, sim.bodies.position, sim.summary, sim.energy
                done.append(1)
            except RuntimeError as error:
                refused.append(str(error))
            except Exception as error:  # noqa: BLE001
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert done and all("in a step" in text for text in refused)
    sim.step()
    assert sim.certified


def test_simulations_of_their_own_threads_have_their_own_bits(scenes):
    expected = ss.Simulation(scenes / "cradle.json")
    expected.run(steps=300)
    hashes = [None] * 6

    def work(i):
        sim = ss.Simulation(scenes / "cradle.json")
        sim.run(steps=300)
        hashes[i] = sim.hash

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(hashes))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert set(hashes) == {expected.hash}
