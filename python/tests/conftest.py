"""What the tests of the package share."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def scenes() -> Path:
    """The folder of the shipped scenes."""
    return ROOT / "scenes"


@pytest.fixture(scope="session")
def program() -> Callable[..., Any]:
    """Runs the command line program with --json and gives what it prints; skips where there is none."""
    path = os.environ.get("STICKSLIP_PROGRAM")
    if not path:
        pytest.skip("STICKSLIP_PROGRAM does not name the program")

    def run(*arguments: object) -> Any:
        command = [path, *map(str, arguments), "--json"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode in (0, 1), result.stderr
        return json.loads(result.stdout)

    return run
