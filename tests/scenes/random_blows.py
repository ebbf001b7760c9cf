#!/usr/bin/env python3
"""Blows through crowds: random scenes with bodies that move by themselves run into rows of others,
with and without margins, by every preset and scheme. None ends by a signal, and what is called
certified has not gained energy from nowhere: with what moves by itself at rest, there is no more than
at the start. Usage: random_blows.py PROGRAM COUNT [COMMAND...]

COMMAND runs the program, `valgrind -q --error-exitcode=99` for instance."""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

PRESETS = ["stickslip", "realtime", "anitescu", "stewart-trinkle", "anitescu-hart-0", "anitescu-hart-2",
           "anitescu-potra", "glocker-studer"]
OF_POSITIONS = PRESETS[:6]


def shape(choose, spatial):
    size = round(choose.uniform(0.05, 0.15), 4)
    if choose.random() < 0.6:
        return size, {"type": "sphere" if spatial else "disk", "radius": size}
    return size, {"type": "box", "size": [2 * size] * (3 if spatial else 2)}


def place(x, y, spatial):
    return [round(x, 6), round(y, 6)] + ([0] if spatial else [])


def motion(choose, spatial):
    """Of a ram: at a constant speed, or to and fro."""
    speed = choose.choice([0, 2, 8, 30])
    if choose.random() < 0.5 or speed == 0:
        return speed, {"type": "constant", "velocity": place(speed, 0, spatial)}
    return speed, {"type": "sinusoid", "amplitude": place(speed / 100, 0, spatial), "frequency": 15}


def row(choose, spatial, name, x, y):
    """Bodies along x, a little apart, the first one perhaps on its way."""
    gap = choose.choice([1e-6, 1e-3, 0.01])
    bodies = []
    for k in range(choose.randint(1, 6)):
        size, its = shape(choose, spatial)
        x += size + gap
        body = {"name": f"{name}{k}", "position": place(x, y + choose.uniform(-0.01, 0.01), spatial),
                "shape": its}
        if k == 0 and choose.random() < 0.5:
            body["velocity"] = place(choose.choice([5, 20]), 0, spatial)
        bodies.append(body)
        x += size
    return bodies


def scene(seed):
    choose = random.Random(seed)
    spatial = choose.random() < 0.4
    bodies, driven = [], 0
    for k in range(choose.randint(1, 3)):
        y = 0.5 * k
        if choose.random() < 0.8:
            speed, its = motion(choose, spatial)
            driven = max(driven, speed)
            bodies.append({"name": f"ram{k}", "type": "kinematic", "position": place(-1.5, y, spatial),
                           "shape": {"type": "box", "size": [0.2] * (3 if spatial else 2)}, "motion": its})
        bodies += row(choose, spatial, f"row{k}-", -1.395 + choose.uniform(0, 0.02), y)
    preset = choose.choice(PRESETS)
    method = {"preset": preset}
    if preset in OF_POSITIONS and choose.random() < 0.6:
        method["margin"] = choose.choice([1e-4, 1e-3, 0.01, 0.1])
    step = choose.choice([0.0005, 0.001, 0.004])
    gravity = place(0, choose.choice([0, -9.81]), spatial)
    return driven, {"stickslip": 1, "name": f"blows-{seed}", "time": {"step": step, "end": 60 * step},
                    "system": {"type": "spatial" if spatial else "planar", "gravity": gravity,
                               "materials": {"default": {"friction": choose.choice([0, 0.3, 1])}},
                               "bodies": bodies}, "method": method}


def faults(command, seed, folder):
    driven, data = scene(seed)
    file = folder / f"{seed}.json"
    file.write_text(json.dumps(data))
    done = subprocess.run([*command, "run", file, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return f"seed {seed}: exit code {done.returncode} {done.stderr.strip()}"
    energy = json.loads(done.stdout)["energy"]
    free = driven == 0 and data["system"]["gravity"][1] == 0
    if done.returncode == 0 and free and energy["end"] > energy["start"] * (1 + 1e-6):
        return f"seed {seed}: certified, but energy grew from {energy['start']} to {energy['end']}"
    return ""


def main(program, count, *command):
    with tempfile.TemporaryDirectory() as folder:
        found = [fault for seed in range(int(count))
                 if (fault := faults([*command, pathlib.Path(program).resolve()], seed, pathlib.Path(folder)))]
    print("\n".join(found) or f"{count} scenes run to their end")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
