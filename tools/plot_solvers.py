#!/usr/bin/env python3
"""Draws the study of the solvers as SVG: accuracy against time, and time against friction, mass ratio
and size.

Usage: plot_solvers.py PROBLEMS.csv IMAGE_FOLDER
The CSV is what build/release/bench/solver_study writes. Writes solvers-*.svg.
"""
import csv
import math
import pathlib
import sys

GRID, TEXT = "#dfe3e6", "#37424a"
COLOURS = {
    "auto": "#1f6f8b", "exact": "#d1495b", "lemke": "#66a182", "convex": "#edae49",
    "fixed-point-1": "#8d6a9f", "fixed-point-2": "#c08497", "one-step": "#a44a3f",
    "one-step-2": "#c97064",
    "siconos-nsgs": "#b0b7bd", "siconos-nsn-ac": "#8c959d", "siconos-admm": "#6c757d",
    "siconos-prox": "#495057", "siconos-lemke": "#8c959d",
}
SOLVED = 1e-8
WIDTH, HEIGHT, COLUMNS = 290, 210, 3
LEFT, TOP, GAP_X, GAP_Y = 62, 52, 78, 84


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key in ("value", "rows", "tolerance", "residual", "fclib_error", "seconds"):
            row[key] = float(row[key])
        row["label"] = row["solver"] + (" (relaxed)" if row["law"] == "relaxed" else "")
    return rows


def is_answer(row):
    return row["status"] in ("solved", "unsolved") and math.isfinite(row["residual"])


class Panel:
    """One pair of logarithmic axes; maps data to the page."""

    def __init__(self, number, title, x_range, y_range, x_label, y_label):
        self.left = LEFT + number % COLUMNS * (WIDTH + GAP_X)
        self.top = TOP + number // COLUMNS * (HEIGHT + GAP_Y)
        self.x_range, self.y_range = grown(x_range), grown(y_range)
        self.parts = [f'<rect x="{self.left}" y="{self.top}" width="{WIDTH}" height="{HEIGHT}" '
                      f'fill="#ffffff" stroke="{GRID}"/>']
        self.write(self.left, self.top - 10, title, "start", "600")
        self.write(self.left + WIDTH, self.top + HEIGHT + 32, x_label, "end")
        self.write(self.left + WIDTH, self.top - 10, y_label, "end")
        for x in decades(self.x_range):
            self.line(self.x(x), self.top, self.x(x), self.top + HEIGHT)
            self.write(self.x(x), self.top + HEIGHT + 16, power(x), "middle")
        for y in decades(self.y_range):
            self.line(self.left, self.y(y), self.left + WIDTH, self.y(y))
            self.write(self.left - 6, self.y(y) + 4, power(y), "end")

    def x(self, value):
        return self.left + WIDTH * share(value, self.x_range)

    def y(self, value):
        return self.top + HEIGHT * (1 - share(value, self.y_range))

    def write(self, x, y, text, anchor, weight="400"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{TEXT}" '
                          f'font-weight="{weight}">{text}</text>')

    def line(self, x1, y1, x2, y2):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{GRID}"/>')

    def curve(self, points, label):
        colour = colour_of(label)
        dash = dash_of(label)
        places = [(self.x(x), self.y(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          f'stroke-width="1.6" stroke-linejoin="round"{dash}/>')
        for x, y in places:
            self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>')


def colour_of(label):
    return COLOURS.get(label.split(" ")[0], "#000000")


def dash_of(label):
    return ' stroke-dasharray="5 3"' if "relaxed" in label else ""


def share(value, bounds):
    low, high = (math.log10(x) for x in bounds)
    return min(1.0, max(0.0, (math.log10(value) - low) / (high - low)))


def grown(bounds):
    """To whole decades, at least one."""
    low, high = math.floor(math.log10(bounds[0])), math.ceil(math.log10(bounds[1]))
    return 10.0 ** low, 10.0 ** max(high, low + 1)


def decades(bounds):
    low, high = (round(math.log10(x)) for x in bounds)
    stride = max(1, math.ceil((high - low) / 8))
    return [10.0 ** k for k in range(low, high + 1, stride)]


def power(value):
    exponent = round(math.log10(value))
    return {0: "1", 1: "10", 2: "100"}.get(exponent, f"1e{exponent}")


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups


def draw(path, panels):
    """`panels`: (title, x label, y label, {label: points})."""
    panels = [panel for panel in panels if any(panel[3].values())]
    if not panels:
        return
    labels = sorted({label for panel in panels for label, points in panel[3].items() if points},
                    key=lambda name: (list(COLOURS).index(name.split(" ")[0])
                                      if name.split(" ")[0] in COLOURS else 99, name))
    parts = []
    for number, (title, x_label, y_label, curves) in enumerate(panels):
        xs = [x for points in curves.values() for x, _ in points]
        ys = [y for points in curves.values() for _, y in points]
        panel = Panel(number, title, (min(xs), max(xs)), (min(ys), max(ys)), x_label, y_label)
        for label, points in curves.items():
            if points:
                panel.curve(points, label)
        parts += panel.parts
    columns, rows = min(COLUMNS, len(panels)), math.ceil(len(panels) / COLUMNS)
    width = LEFT + columns * (WIDTH + GAP_X) - 30
    legend_top = TOP + rows * (HEIGHT + GAP_Y) - 24
    per_line = max(1, (width - LEFT) // 165)
    for k, label in enumerate(labels):
        x, y = LEFT + k % per_line * 165, legend_top + k // per_line * 20
        parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 18}" y2="{y - 4}" '
                     f'stroke="{colour_of(label)}" stroke-width="3"{dash_of(label)}/>')
        parts.append(f'<text x="{x + 24}" y="{y}" fill="{TEXT}">{label}</text>')
    height = legend_top + (len(labels) - 1) // per_line * 20 + 24
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                    f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">\n'
                    f'<rect width="{width}" height="{height}" fill="#fbfcfd"/>\n'
                    + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def accuracy(rows, title, error="residual"):
    """Time and error of every tolerance."""
    curves = {}
    for label, group in grouped(rows, "label").items():
        points = [(r["seconds"], max(r[error], 1e-17)) for r in group
                  if is_answer(r) and r["seconds"] > 0 and r[error] < 1]
        curves[label] = points
    return title, "CPU seconds", error.replace("_", " "), curves


def cost(rows, title, x_label):
    """Least time to SOLVED over the parameter."""
    curves = {}
    for label, group in grouped(rows, "label").items():
        points = []
        for value, at in sorted(grouped(group, "value").items()):
            times = [r["seconds"] for r in at if is_answer(r) and r["residual"] <= SOLVED]
            if times:
                points.append((value, min(times)))
        curves[label] = points
    return title, x_label, f"CPU seconds to {power(SOLVED)}", curves


def main():
    rows, folder = read(sys.argv[1]), pathlib.Path(sys.argv[2])
    families = grouped(rows, "problem")
    of = lambda name, value=None: [r for r in families.get(name, [])
                                   if value is None or math.isclose(r["value"], value)]
    draw(folder / "solvers-pile.svg",
         [accuracy(of(f"pile{n}", mu), f"pile{n}, mu = {mu:g}")
          for n in (6, 20, 60) for mu in (0.05, 0.2, 0.8)])
    draw(folder / "solvers-friction.svg",
         [cost(of(f"pile{n}"), f"pile{n}", "mu") for n in (6, 20, 60)])
    draw(folder / "solvers-tower.svg",
         [accuracy(of("tower20", ratio), f"tower20, mass ratio {ratio:g}") for ratio in (1, 1e3, 1e6)]
         + [cost(of("tower20"), "tower20", "mass ratio")])
    draw(folder / "solvers-spheres.svg",
         [accuracy(of(name), name) for name in ("spheres125", "spheres1000")])
    draw(folder / "solvers-fclib.svg",
         [accuracy(group, name.removeprefix("fclib:")[:28], "fclib_error")
          for name, group in sorted(families.items()) if name.startswith("fclib:")])
    draw(folder / "solvers-lcp.svg", [cost(of("lcp"), "LCP of contacts", "size")])


if __name__ == "__main__":
    main()
