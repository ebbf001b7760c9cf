"""Every example runs as a user would run it, and says what came out."""

import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_it_runs(example, tmp_path):
    result = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip(), "it says nothing"
    assert not list(tmp_path.iterdir()), "it leaves files behind"


def test_the_page_lists_them_all():
    page = (ROOT / "docs" / "python.md").read_text()
    for example in (*EXAMPLES, *EXAMPLES[0].parent.glob("*.ipynb")):
        assert example.name in page.split("## Examples")[1], f"docs/python.md does not list {example.name}"
