"""What would make the engine read where nothing is, or end the process, were it not refused."""

import subprocess
import sys

import pytest


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
