#!/usr/bin/env python3
"""Every scene that is shipped runs to its end, and ends as expected.csv says.

Usage: scene_runs.py PROGRAM SCENES quick|soak [--write]

The table has a line for each scene: when it is run (`quick`: in the tests; `soak`: in `make soak`),
and the exit code, the steps, the steps without a certificate and those with contacts missed that
are expected, and the worst residual: the tolerance, or a power of ten that is not exceeded. A scene without a line, or
a line without a scene, is an error. `--write` puts what was seen into the lines of this run.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("expected.csv")
FIELDS = ["scene", "when", "exit", "steps", "uncertified", "missed", "residual"]


def table():
    """The lines of the table, by scene."""
    with open(TABLE, newline="") as file:
        return {line["scene"]: line for line in csv.DictReader(file)}


def shipped(folder):
    """Names of all scenes below a folder, as the table has them."""
    return sorted(path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob("*.json"))


def scenes(folder, when):
    """Paths of the scenes that are run `quick`, or in a `soak`."""
    lines = table()
    return [pathlib.Path(folder) / name for name in shipped(folder)
            if name in lines and lines[name]["when"] == when]


def run(program, scene, environment=None):
    """Runs a scene to its end. The exit code, what is said on standard error, and the result."""
    done = subprocess.run([program, "run", scene, "--json"], capture_output=True, text=True,
                          env=environment)
    return done.returncode, done.stderr, json.loads(done.stdout) if done.stdout else {}


def decade(result):
    """The tolerance where the worst residual does not exceed it, or a power of ten."""
    worst, tolerance = result["residual_max"], result["tolerance"]
    return f"{tolerance:g}" if worst <= tolerance else f"1e{math.ceil(math.log10(worst))}"


def seen(program, folder, name, when):
    """What the table would say, and what the program says beyond it."""
    code, error, result = run(program, pathlib.Path(folder) / name)
    line = {"scene": name, "when": when, "exit": str(code), "steps": str(result.get("steps", "")),
            "uncertified": str(result.get("uncertified_steps", "")),
            "missed": str(result.get("missed_contact_steps", 0)),
            "residual": decade(result) if result else ""}
    return line, error


def differences(expected, line):
    """Fields that are not as expected; a smaller residual is."""
    return [field for field in FIELDS if line[field] != expected[field] and not (
        field == "residual" and line[field] and float(line[field]) <= float(expected[field]))]


def main(program, folder, when, write):
    lines = table()
    print(f"{sum(line['when'] == when for line in lines.values())} of {len(lines)} scenes are run")
    unknown = set(shipped(folder)) ^ set(lines)
    wrong = [f"{name}: in only one of {TABLE.name} and the folder of scenes" for name in sorted(unknown)]
    for name in shipped(folder):
        if name not in lines or lines[name]["when"] != when:
            continue
        line, error = seen(program, folder, name, when)
        for field in differences(lines[name], line):
            wrong.append(f"{name}: {field} is {line[field]}, expected {lines[name][field]} {error.strip()}")
        if write:
            lines[name] = line
    if write:
        with open(TABLE, "w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines[name] for name in sorted(lines))
    print("\n".join(wrong) or "they end as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[3] not in ("quick", "soak"):
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], "--write" in sys.argv))
