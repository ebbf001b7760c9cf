"""Notebooks run from top to bottom in their folder, and are kept without what they print."""

import json
import re

import pytest
from conftest import ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("h5py")
pytest.importorskip("matplotlib")

FOLDER = ROOT / "examples" / "python"
# What each one prints, among other things.
SAYS = {
    "stick_slip": r"slips for 0\.40\d s, closed form 0\.408 s\nsticks for 0\.39\d s, closed form 0\.392 s",
    "woodpecker_limit_cycle": r"every step certified: True\nperiod 0\.146\d s.*\nit falls 19\.\d+ mm in a cycle",
}
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_all_of_them_are_known():
    assert [path.stem for path in NOTEBOOKS] == sorted(SAYS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_without_results(path):
    notebook = json.loads(path.read_text())
    nbformat.validate(nbformat.from_dict(notebook))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    for cell in notebook["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None and not cell["metadata"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path):
    before = sorted(FOLDER.iterdir())
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    said = "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")
    assert re.search(SAYS[path.stem], said), said
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 2
    assert sorted(FOLDER.iterdir()) == before
