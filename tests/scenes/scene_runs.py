#!/usr/bin/env python3
"""Every scene that is shipped runs to its end, and ends as expected.csv says.

Usage: scene_runs.py PROGRAM SCENES quick|soak

The table has a line for each scene: when it is run (`quick`: in the tests; `soak`: in `make soak`;
`net`: a scene with other settings, which only `make fingerprints` runs), its steps, how many of these
have no certificate or miss contacts, and how large the worst residual may be. A scene with none
without a certificate is certified, and the exit code is 0; scenes of `sweeps`, whose cost is fixed,
have some, and the code is 1. Counts are the same on every machine, as the bits are; where a change of
the engine changes the last bits of a pile, which is chaotic, they change with them. A scene without a
line, or a line without a scene, is an error. The other columns are for `make fingerprints`, and
`tools/fingerprints record` writes all of them.
"""
import csv
import json
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("expected.csv")
COUNTS = ["steps", "uncertified", "missed"]


def table():
    """The lines of the table that are in the tests, by scene."""
    with open(TABLE, newline="") as file:
        return {line["scene"]: line for line in csv.DictReader(file) if line["when"] != "net"}


def shipped(folder):
    """Names of all scenes below a folder, as the table has them."""
    return sorted(path.relative_to(folder).as_posix() for path in pathlib.Path(folder).rglob("*.json"))


def run(program, scene, *options):
    """Runs a scene to its end. The exit code, what is said on standard error, and the result."""
    done = subprocess.run([program, "run", scene, "--json", *options], capture_output=True, text=True)
    return done.returncode, done.stderr, json.loads(done.stdout) if done.stdout else {}


def counts(result):
    """Steps, steps without a certificate and with contacts missed."""
    return {"steps": result["steps"], "uncertified": result["uncertified_steps"],
            "missed": result.get("missed_contact_steps", 0)}


def faults(expected, code, result):
    """How a run is not as a line of the table says."""
    if not result:
        return [f"exit code {code}"]
    values, residual = counts(result), result["residual_max"]
    out = [f"{field} {values[field]} instead of {expected[field]}"
           for field in COUNTS if values[field] != int(expected[field])]
    if residual > float(expected["residual"]):
        out.append(f"residual {residual:g} instead of at most {expected['residual']}")
    if code != (1 if values["uncertified"] else 0):
        out.append(f"exit code {code}")
    return out


def main(program, folder, when):
    lines = table()
    print(f"{sum(line['when'] == when for line in lines.values())} of {len(lines)} scenes are run")
    unknown = set(shipped(folder)) ^ set(lines)
    wrong = [f"{name}: in only one of {TABLE.name} and the folder of scenes" for name in sorted(unknown)]
    for name in shipped(folder):
        if name not in lines or lines[name]["when"] != when:
            continue
        code, error, result = run(program, pathlib.Path(folder) / name)
        if found := faults(lines[name], code, result):
            wrong.append(f"{name}: {', '.join(found)} {error.strip()}")
    print("\n".join(wrong) or "they end as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("quick", "soak"):
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]))
