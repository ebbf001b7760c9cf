#!/usr/bin/env python3
"""Every scene that is shipped runs to its end, and ends as expected.csv says.

Usage: scene_runs.py PROGRAM SCENES quick|soak [--write]

The table has a line for each scene: when it is run (`quick`: in the tests; `soak`: in `make soak`),
its steps, how many of these have no certificate or miss contacts, and how large the worst residual
may be. A scene with none without a certificate is certified, and the exit code is 0; scenes of
`sweeps`, whose cost is fixed, have some, and the code is 1. Counts are the same on every machine, as
the bits are; where a change of the engine changes the last bits of a pile, which is chaotic, they
change with them. A scene without a line, or a line without a scene, is an error. `--write` puts what
is seen into the lines of this run.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("expected.csv")
FIELDS = ["scene", "when", "steps", "uncertified", "missed", "residual"]


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


def seen(result):
    """Steps, steps without a certificate and with contacts missed, worst residual."""
    return {"steps": result["steps"], "uncertified": result["uncertified_steps"],
            "missed": result.get("missed_contact_steps", 0), "residual": result["residual_max"]}


def faults(expected, code, result):
    """How a run is not as a line of the table says."""
    if not result:
        return [f"exit code {code}"]
    values = seen(result)
    out = [f"{field} {values[field]} instead of {expected[field]}"
           for field in FIELDS[2:5] if values[field] != int(expected[field])]
    if values["residual"] > float(expected["residual"]):
        out.append(f"residual {values['residual']:g} instead of at most {expected['residual']}")
    if code != (1 if values["uncertified"] else 0):
        out.append(f"exit code {code}")
    return out


def line_of(name, when, result):
    values = seen(result)
    worst, tolerance = values["residual"], result["tolerance"]
    return {"scene": name, "when": when, "steps": values["steps"],
            "uncertified": values["uncertified"], "missed": values["missed"],
            "residual": f"{tolerance:g}" if worst <= tolerance else f"1e{math.ceil(math.log10(worst))}"}


def main(program, folder, when, write):
    lines = table()
    print(f"{sum(line['when'] == when for line in lines.values())} of {len(lines)} scenes are run")
    unknown = set(shipped(folder)) ^ set(lines)
    wrong = [f"{name}: in only one of {TABLE.name} and the folder of scenes" for name in sorted(unknown)]
    for name in shipped(folder):
        if name not in lines or lines[name]["when"] != when:
            continue
        code, error, result = run(program, pathlib.Path(folder) / name)
        if write and result:
            lines[name] = line_of(name, when, result)
        elif found := faults(lines[name], code, result):
            wrong.append(f"{name}: {', '.join(found)} {error.strip()}")
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
