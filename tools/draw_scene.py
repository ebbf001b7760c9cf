#!/usr/bin/env python3
"""Draws body scenes as SVG: where the bodies start (pale) and where they are at the end of a run.

Usage: draw_scene.py PROGRAM OUTPUT.svg SCENE... [--columns N]

Runs each scene, exports it to CSV and draws it; several scenes make a table of pictures. Spatial scenes
are seen from the front right, from above; convex shapes show their outline, terrain its triangles.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

PALETTE = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bb5566", "#004488"]
GROUND, GRID = "#999999", "#d5d5d5"


# ---- Vectors and rotations ----

def quaternion(value):
    if value is None:
        return [1, 0, 0, 0]
    if isinstance(value, dict):
        length = math.sqrt(sum(x * x for x in value["axis"]))
        sine = math.sin(value["angle"] / 2) / length
        return [math.cos(value["angle"] / 2)] + [sine * x for x in value["axis"]]
    return value


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rotate(q, v):
    axis = q[1:]
    t = [2 * x for x in cross(axis, v)]
    return [v[i] + q[0] * t[i] + cross(axis, t)[i] for i in range(3)]


def turn_to(normal):
    """The rotation that takes z to `normal`."""
    length = math.sqrt(sum(x * x for x in normal))
    n = [x / length for x in normal]
    w = 1 + n[2]
    q = [0, 1, 0, 0] if w < 1e-9 else [w, -n[1], n[0], 0]
    size = math.sqrt(sum(x * x for x in q))
    return [x / size for x in q]


# ---- Shapes as points (outline of their hull) or lines ----

def circle(radius, count=24):
    return [[radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count)]
            for k in range(count)]


def ball(center, radius):
    return [[center[0] + radius * math.cos(a) * math.cos(b), center[1] + radius * math.sin(a) * math.cos(b),
             center[2] + radius * math.sin(b)]
            for a in [2 * math.pi * k / 24 for k in range(24)] for b in [math.pi * k / 12 for k in range(-6, 7)]]


def planar_points(shape):
    kind = shape["type"]
    if kind == "disk":
        return circle(shape["radius"])
    if kind == "capsule":
        return [[p[0] + s * shape["length"] / 2, p[1]] for s in (-1, 1) for p in circle(shape["radius"])]
    if kind == "box":
        w, h = shape["size"]
        return [[sx * w / 2, sy * h / 2] for sx in (-1, 1) for sy in (-1, 1)]
    return shape["vertices"]


def spatial_points(shape):
    kind = shape["type"]
    if kind == "sphere":
        return ball([0, 0, 0], shape["radius"])
    if kind == "capsule":
        return [p for s in (-1, 1) for p in ball([0, 0, s * shape["length"] / 2], shape["radius"])]
    if kind == "cylinder":
        return [[*p, s * shape["height"] / 2] for s in (-1, 1) for p in circle(shape["radius"])]
    if kind == "box":
        return [[sx * shape["size"][0] / 2, sy * shape["size"][1] / 2, sz * shape["size"][2] / 2]
                for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    return shape["points"]


def terrain_lines(shape, extent):
    """Polylines in the shape's frame; `extent` is how far unbounded ones are drawn."""
    kind = shape["type"]
    if kind == "half-plane":
        return [[[-extent, 0], [extent, 0]]]
    if kind == "polyline":
        return [shape["points"]]
    if kind == "half-space":
        along = [[[-extent, y, 0], [extent, y, 0]] for y in range(-3, 4)]
        return along + [[[x, -3, 0], [x, 3, 0]] for x in range(-int(extent), int(extent) + 1)]
    if kind == "height-field":
        rows, spacing = shape["heights"], shape["spacing"]
        dx, dy = spacing if isinstance(spacing, list) else (spacing, spacing)
        grid = [[[(i - (len(row) - 1) / 2) * dx, (j - (len(rows) - 1) / 2) * dy, z] for i, z in enumerate(row)]
                for j, row in enumerate(rows)]
        return grid + [list(column) for column in zip(*grid)]
    vertices = shape["vertices"]
    return [[vertices[i] for i in (*triangle, triangle[0])] for triangle in shape["triangles"]]


def is_terrain(shape):
    return shape["type"] in ("half-plane", "polyline", "half-space", "height-field", "mesh")


def hull(points):
    points = sorted(set((round(x, 6), round(y, 6)) for x, y in points))
    def half(order):
        chain = []
        for p in order:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      - (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]
    return half(points) + half(points[::-1])


# ---- Scenes ----

class Drawing:
    def __init__(self, program, scene_file):
        self.scene = json.loads(pathlib.Path(scene_file).read_text())
        self.planar = self.scene["system"]["type"] == "planar"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "run", scene_file, "--out", folder], check=True, capture_output=True)
            table = pathlib.Path(folder) / "motion.csv"
            subprocess.run([program, "export", folder, "--csv", table], check=True)
            rows = list(csv.DictReader(table.open()))
        self.frames = [rows[0], rows[-1]]
        self.bodies = self.scene["system"]["bodies"]

    def pose(self, body, row):
        name = body["name"]
        if self.planar:
            if f"{name}.x" in row:
                return [float(row[f"{name}.x"]), float(row[f"{name}.y"])], float(row[f"{name}.angle"])
            return body.get("position", [0, 0]), body.get("angle", 0)
        if f"{name}.x" in row:
            return ([float(row[f"{name}.{k}"]) for k in "xyz"],
                    [float(row[f"{name}.{k}"]) for k in ("qw", "qx", "qy", "qz")])
        return body.get("position", [0, 0, 0]), quaternion(body.get("orientation"))

    def place(self, points, position, turn):
        if self.planar:
            c, s = math.cos(turn), math.sin(turn)
            return [[position[0] + c * x - s * y, position[1] + s * x + c * y] for x, y in points]
        return [[position[i] + v[i] for i in range(3)] for v in (rotate(turn, p) for p in points)]

    def project(self, points):
        if self.planar:
            return [(x, -y) for x, y in points]
        return [(x - 0.35 * y, -(z + 0.3 * y)) for x, y, z in points]

    def own_place(self, shape):
        if self.planar:
            turn = shape.get("angle", 0)
            if "normal" in shape:
                turn = math.atan2(-shape["normal"][0], shape["normal"][1])
            return shape.get("position", [0, 0]), turn
        turn = turn_to(shape["normal"]) if "normal" in shape else quaternion(shape.get("orientation"))
        return shape.get("position", [0, 0, 0]), turn

    def outlines(self, body, row, extent):
        """(is_line, projected points) of every shape of a body."""
        position, turn = self.pose(body, row)
        for shape in body.get("shapes", [body["shape"]] if "shape" in body else []):
            own_position, own_turn = self.own_place(shape)
            lines = terrain_lines(shape, extent) if is_terrain(shape) else [
                planar_points(shape) if self.planar else spatial_points(shape)]
            for line in lines:
                placed = self.project(self.place(self.place(line, own_position, own_turn), position, turn))
                yield (True, placed) if is_terrain(shape) else (False, hull(placed))

    def svg(self, x, y, width, height):
        solids = [p for row in self.frames for b in self.bodies
                  for line, points in self.outlines(b, row, 0) if not line for p in points]
        left, right = min(p[0] for p in solids) - 0.5, max(p[0] for p in solids) + 0.5
        top, bottom = min(p[1] for p in solids) - 0.5, max(p[1] for p in solids) + 0.5
        scale = min(width / (right - left), (height - 16) / (bottom - top))
        def path(points):
            return " ".join(f"{(px - left) * scale:.1f},{(py - top) * scale:.1f}" for px, py in points)
        ground, parts = [], []
        for k, row in enumerate(self.frames):
            for i, body in enumerate(self.bodies):
                fixed = body.get("type", "dynamic") == "static"
                color = GROUND if fixed else PALETTE[i % len(PALETTE)]
                for line, points in self.outlines(body, row, max(right - left, bottom - top)):
                    if line and k == 1:
                        ground.append(f'<polyline points="{path(points)}" fill="none" '
                                      f'stroke="{GROUND if self.planar else GRID}"/>')
                    elif not line and (k == 1 or not fixed):
                        opacity = 0.18 if k == 0 else 0.75
                        parts.append(f'<polygon points="{path(points)}" fill="{color}" fill-opacity="{opacity}" '
                                     f'stroke="{color}" stroke-opacity="{opacity}"/>')
        text = f'<text x="4" y="12" font-size="11" font-family="sans-serif">{self.scene["name"]}</text>'
        return "\n".join([f'<svg x="{x}" y="{y}" width="{width}" height="{height}">', *ground, *parts, text,
                          "</svg>"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("output")
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--columns", type=int, default=2)
    options = parser.parse_args()
    width, height, columns = 420, 120, options.columns
    drawings = [Drawing(options.program, scene) for scene in options.scenes]
    rows = (len(drawings) + columns - 1) // columns
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {columns * width} {rows * height}" '
             f'width="{columns * width}">', '<rect width="100%" height="100%" fill="white"/>']
    for k, drawing in enumerate(drawings):
        parts.append(drawing.svg(k % columns * width, k // columns * height, width, height))
    pathlib.Path(options.output).write_text("\n".join(parts) + "\n</svg>\n")


main()
