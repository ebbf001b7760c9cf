#!/usr/bin/env python3
"""Measures the scenes in scenes/scale against what is known about them, and prints a line for each run.

Usage: measure_scenes.py PROGRAM FIGURE [--steps-of FACTOR]

FIGURE is one of hopper, silo, drum, pile, dominoes, arch; docs/scenes.md explains the figures. With
--steps-of all steps are so many times as long as in the scenes.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

SCENES = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "scale"
GRAVITY = 9.81


class Runner:
    def __init__(self, program, factor):
        self.program, self.factor = program, factor

    def report(self, scene, settings, record=None):
        """The final report of a run. Large scenes are not always solved to their tolerance: no error here."""
        file = SCENES / f"{scene}.json"
        settings = {"time.step": self.factor * json.loads(file.read_text())["time"]["step"]} | settings
        command = [self.program, "run", file, "--json"]
        for path, value in settings.items():
            command += ["--set", f"{path}={json.dumps(value)}"]
        result = subprocess.run(command + (["--out", record] if record else []), capture_output=True, text=True)
        if result.returncode not in (0, 1):
            raise SystemExit(result.stderr)
        return json.loads(result.stdout)

    def motion(self, scene, settings):
        """Frames of a run as dictionaries, column -> number."""
        with tempfile.TemporaryDirectory() as folder:
            self.report(scene, settings, folder)
            table = pathlib.Path(folder) / "motion.csv"
            subprocess.run([self.program, "export", folder, "--csv", table], check=True)
            with table.open() as stream:
                return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(stream)]


def line_through(points):
    """Slope and value at zero of the least squares line."""
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = (sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points))
    return slope, mean_y - slope * mean_x


# ---- Beverloo: W ~ (D - k d)^n, n = 3/2 in the plane and 5/2 in space ----

def rate(frames, axis):
    """Grains a second through height 0, while between a tenth and six tenths of them are out."""
    columns = [key for key in frames[0] if key.endswith("." + axis) and key.startswith("grain")]
    out = [(row["t"], sum(row[key] < 0 for key in columns)) for row in frames]
    steady = [(t, n) for t, n in out if 0.1 * len(columns) < n < 0.6 * len(columns)]
    return line_through(steady)[0] if len(steady) > 2 else 0


def beverloo(runner, scene, outlets, axis, exponent, setting):
    d, rates = 0.01, []
    for outlet in outlets:
        rates.append((outlet, rate(runner.motion(scene, setting(outlet)), axis)))
        print(f"{scene}: D = {outlet / d:.1f} d: {rates[-1][1]:.0f} grains/s", flush=True)
    slope, value = line_through([(x, w ** (1 / exponent)) for x, w in rates])
    k = -value / slope / d
    logs = [(math.log(x - 1.4 * d), math.log(w)) for x, w in rates]
    volume = math.pi / 4 * d**2 if axis == "y" else math.pi / 6 * d**3
    c = slope**exponent * volume / math.sqrt(GRAVITY)
    print(f"{scene}: W^(1/{exponent}) is linear in D with k = {k:.2f}, C times the packing fraction = {c:.2f}; "
          f"with k = 1.4 the exponent is {line_through(logs)[0]:.2f} (Beverloo: {exponent})")


def hopper(runner):
    beverloo(runner, "hopper", [0.06, 0.08, 0.11], "y", 1.5,
             lambda outlet: {"system.bodies.right.position": [outlet, 0]})


def silo(runner):
    def setting(outlet):
        profile = [[outlet / 2, -0.01], [outlet / 2, 0], [0.08, 0], [0.08, 1]]
        return {"system.bodies.wall.shape.revolve.profile": profile}
    beverloo(runner, "silo", [0.05, 0.06, 0.07], "z", 2.5, setting)


# ---- Inclination of the surface in a drum ----

def drum(runner):
    for friction in (0.1, 0.3, 0.5, 0.9):
        angles = []
        for row in runner.motion("drum", {"system.materials.default.friction": friction}):
            xs, ys = ([v for key, v in row.items() if key.startswith("grain") and key.endswith(end)]
                      for end in (".x", ".y"))
            if row["t"] > 2:
                angles.append(math.degrees(math.atan2(sum(xs), -sum(ys))))
        mean = sum(angles) / len(angles)
        spread = math.sqrt(sum((a - mean) ** 2 for a in angles) / len(angles))
        print(f"drum: friction {friction}: {mean:.1f} degrees, standard deviation in time {spread:.1f}", flush=True)


# ---- Share of the space that a pile of spheres fills ----

def pile(runner):
    radius, inset = 0.05, 0.15
    for friction in (0.0, 0.2, 0.5):
        report = runner.report("sphere-pile", {"system.materials.default.friction": friction})
        balls = [b["position"] for b in report["bodies"] if b["name"].startswith("ball")]
        speed = max(math.dist(b["velocity"], [0, 0, 0]) for b in report["bodies"] if b["name"].startswith("ball"))
        top = sorted(p[2] for p in balls)[int(0.9 * len(balls))] - inset
        side, n = 0.6 - inset, 24
        inside = total = 0
        for i, j, k in ((i, j, k) for i in range(n) for j in range(n) for k in range(n)):
            p = [-side + (i + 0.5) * 2 * side / n, -side + (j + 0.5) * 2 * side / n,
                 inset + (k + 0.5) * (top - inset) / n]
            total += 1
            inside += any(abs(p[0] - b[0]) < radius and math.dist(p, b) < radius for b in balls)
        print(f"pile: friction {friction}: fills {inside / total:.3f} away from the walls; fastest ball {speed:.2g} "
              f"m/s, deepest overlap of the run {report['penetration_max'] / (2 * radius):.2g} d", flush=True)


# ---- Speed of a domino wave ----

def dominoes(runner):
    h = 0.048
    for pitch in (0.016, 0.024, 0.032, 0.04):
        frames = runner.motion("dominoes", {"system.instances.0.grid.spacing": [pitch, 1],
                                            "system.instances.0.grid.origin": [pitch, h / 2]})
        tips = [next((row["t"] for row in frames if row[f"domino{i}.angle"] < -0.01), None) for i in range(40)]
        tips = [t for t in tips if t is not None][-12:-2]  # far from both ends
        speed = pitch * (len(tips) - 1) / (tips[-1] - tips[0])
        print(f"dominoes: one every {pitch / h:.3f} h: speed {speed / math.sqrt(GRAVITY * h):.3f} sqrt(g h)", flush=True)


# ---- The thinnest arch that stands ----

def arch(runner):
    thin, thick = 0.1, 0.115
    while thick - thin > 1e-4:
        middle = (thin + thick) / 2
        report = runner.report("arch", {"system.instances.0.arch.thickness": middle})
        crown = next(b for b in report["bodies"] if b["name"] == "stone15")
        stands = crown["position"][1] > 0.99
        print(f"arch: thickness {middle:.5f} of the radius {'stands' if stands else 'falls'}", flush=True)
        thin, thick = (thin, middle) if stands else (middle, thick)


def main():
    figures = {f.__name__: f for f in (hopper, silo, drum, pile, dominoes, arch)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("figure", choices=figures)
    parser.add_argument("--steps-of", type=float, default=1)
    options = parser.parse_args()
    figures[options.figure](Runner(options.program, options.steps_of))


main()
