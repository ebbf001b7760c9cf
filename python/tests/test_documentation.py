"""The pages are right: their code runs from top to bottom, as one session in a clone."""

import re

import pytest
from conftest import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_code_of_the_page_runs(page, tmp_path, monkeypatch):
    text = (ROOT / page).read_text()
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {"__name__": "page"}
    blocks = list(BLOCK.finditer(text))
    assert blocks
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 2
        code = compile("\n" * (line - 1) + block.group(1), str(ROOT / page), "exec")
        exec(code, session)
