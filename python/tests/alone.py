"""The package where nothing but NumPy is installed: run by `tools/python_package alone`, without pytest."""

import importlib.util
import pickle
import sys

import numpy as np

import stickslip as ss

for absent in ("h5py", "scipy", "matplotlib", "pandas", "pytest"):
    assert importlib.util.find_spec(absent) is None, f"{absent} is here: this environment is not empty"
    assert absent not in sys.modules

scene = ss.Scene.parse(
    """{"stickslip": 1, "name": "fall", "time": {"step": 0.01, "end": 1},
        "system": {"type": "spatial", "materials": {"default": {"friction": 0.5}}, "bodies": [
          {"name": "floor", "type": "static", "shape": {"type": "half-space"}},
          {"name": "box", "position": [0, 0, 0.6], "shape": {"type": "box", "size": [1, 1, 1]}}]}}"""
)
sim = scene.simulation()
summary = sim.run()
assert summary.certified, summary
assert abs(sim.bodies["box"].position[2] - 0.5) < 1e-6, sim.bodies["box"]
assert np.isclose(sim.contacts["force"][:, 2].sum(), 1000 * 9.81), "the floor carries the weight"
assert pickle.loads(pickle.dumps(sim)).hash == sim.hash

solution = ss.solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])
assert np.allclose(solution.z, [4 / 3, 7 / 3]), solution

try:
    ss.open("nowhere")
except (ss.InputError, ImportError) as error:
    assert "pip install" in str(error), error
else:
    raise AssertionError("recordings need h5py")

print(f"stickslip {ss.version} works with NumPy {np.__version__} alone")
