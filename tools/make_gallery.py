#!/usr/bin/env python3
"""Writes scenes/shapes and scenes/joints: one scene per lower shape, on which every other shape of the
plane or of space is dropped, and one scene per type of joint.

Usage: make_gallery.py SCENE_FOLDER
"""
import json
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
SPACING = 4  # between stations, along x

PLANAR = {
    "disk": {"type": "disk", "radius": 0.5},
    "capsule": {"type": "capsule", "length": 1, "radius": 0.25},
    "box": {"type": "box", "size": [1.2, 0.8]},
    "polygon": {"type": "polygon", "vertices": [[-0.6, -0.4], [0.5, -0.5], [0.8, 0.1], [0.2, 0.6], [-0.5, 0.4]]},
    "compound": [
        {"type": "box", "size": [1.4, 0.3]},
        {"type": "box", "size": [0.3, 0.6], "position": [-0.55, -0.45]},
        {"type": "disk", "radius": 0.2, "position": [0.55, -0.35]},
    ],
}
SPATIAL = {
    "sphere": {"type": "sphere", "radius": 0.5},
    "capsule": {"type": "capsule", "length": 0.8, "radius": 0.3},
    "cylinder": {"type": "cylinder", "radius": 0.5, "height": 0.8},
    "box": {"type": "box", "size": [1.2, 1, 0.8]},
    "convex": {
        "type": "convex",
        "points": [[0.7, 0, -0.4], [-0.3, 0.6, -0.4], [-0.4, -0.6, -0.4], [0.5, 0.1, 0.4], [-0.2, 0.4, 0.5],
                   [-0.3, -0.4, 0.4], [0.2, -0.5, 0.1]],
    },
    "compound": [
        {"type": "box", "size": [1.4, 0.8, 0.3]},
        {"type": "sphere", "radius": 0.25, "position": [-0.5, 0, -0.35]},
        {"type": "capsule", "length": 0.5, "radius": 0.2, "position": [0.5, 0, -0.3],
         "orientation": {"axis": [1, 0, 0], "angle": 1.5707963267948966}},
    ],
}


def hills(x, y=0.0):
    return round(0.3 * math.cos(0.9 * x) + 0.2 * math.sin(0.7 * y), 3)


def planar_terrain(length):
    xs = [round(-3 + 0.5 * i, 3) for i in range(int((length + 6) / 0.5) + 1)]
    return {
        "half-plane": {"type": "half-plane"},
        "polyline": {"type": "polyline", "points": [[x, hills(x)] for x in xs]},
    }


def spatial_terrain(length):
    columns, rows = int(length + 6) + 1, 7
    middle = (columns - 1) / 2
    heights = [[hills(i - 3, j - 3) for i in range(columns)] for j in range(rows)]
    vertices = [[i - 3, j - 3, heights[j][i]] for j in range(rows) for i in range(columns)]
    triangles = []
    for j in range(rows - 1):
        for i in range(columns - 1):
            a = j * columns + i
            triangles += [[a, a + 1, a + columns + 1], [a, a + columns + 1, a + columns]]
    return {
        "half-space": {"type": "half-space"},
        "height-field": {"type": "height-field", "spacing": 1, "heights": heights, "position": [middle - 3, 0, 0]},
        "mesh": {"type": "mesh", "vertices": vertices, "triangles": triangles},
    }


def shape_fields(shape):
    return {"shapes": shape} if isinstance(shape, list) else {"shape": shape}


def up(dimension, x, height):
    return [x, height] if dimension == 2 else [x, 0, height]


def drop_scene(dimension, lower_name, lower, uppers, is_terrain):
    """Every upper shape falls on the lower one, a little tilted; a floor catches what rolls off."""
    bodies = []
    if is_terrain:
        bodies.append({"name": lower_name, "type": "static", **shape_fields(lower)})
    else:
        floor = {"type": "half-plane"} if dimension == 2 else {"type": "half-space"}
        bodies.append({"name": "floor", "type": "static", "position": up(dimension, 0, -1.5), "shape": floor})
    for k, (name, shape) in enumerate(uppers.items()):
        x = SPACING * k
        if not is_terrain:
            bodies.append({"name": f"lower {lower_name} {k}", "type": "static", "position": up(dimension, x, 0),
                           **shape_fields(lower)})
        turn = {"angle": 0.15} if dimension == 2 else {"orientation": {"axis": [1, 2, 0.5], "angle": 0.15}}
        bodies.append({"name": name, "mass": 1, "position": up(dimension, x + 0.05, 1.6), **turn,
                       **shape_fields(shape)})
    place = "plane" if dimension == 2 else "space"
    return {
        "stickslip": 1,
        "name": f"{place}-on-{lower_name}",
        "description": f"Every shape of the {place} falls on a {lower_name}.",
        "time": {"step": 0.002, "end": 1.5},
        "recording": {"every": 5},
        "system": {"type": "planar" if dimension == 2 else "spatial",
                   "materials": {"default": {"friction": 0.5}}, "bodies": bodies},
    }


def joint_scene(name, description, bodies, joints, **more):
    return {
        "stickslip": 1,
        "name": f"joint-{name}",
        "description": description,
        "time": {"step": 0.001, "end": 2},
        "recording": {"every": 10},
        "system": {"type": "spatial", "bodies": bodies, "joints": joints, **more},
    }


def bar(name, x=0.5, **fields):
    return {"name": name, "mass": 1, "position": [x, 0, 0], "shape": {"type": "box", "size": [1, 0.2, 0.1]}, **fields}


def joint_scenes():
    at = {"bodies": ["world", "bar"], "position": [0, 0, 0]}
    yield joint_scene("revolute", "A bar on a hinge with limits swings down, hits the limit and bounces.", [bar("bar")],
                      [{"name": "hinge", "type": "revolute", **at, "axis": [0, 1, 0], "limits": [-0.2, 2.2],
                        "limit_restitution": 0.6}])
    yield joint_scene("prismatic", "A sled on an inclined rail slides against dry friction and a spring.", [bar("bar")],
                      [{"name": "rail", "type": "prismatic", **at, "axis": [0.8, 0, -0.6], "friction": 1.5,
                        "spring": {"stiffness": 20, "damping": 0.5}}])
    yield joint_scene("cylindrical", "A nut falls along a vertical shaft while a motor turns it.", [bar("bar")],
                      [{"name": "shaft", "type": "cylindrical", **at, "axis": [0, 0, 1],
                        "drives": {"angle": {"motor": {"velocity": 6, "max_force": 2}},
                                   "displacement": {"limits": [-2, None], "limit_restitution": 0.3}}}])
    yield joint_scene("spherical", "A conical pendulum on a ball joint.", [bar("bar", velocity=[0, 1.5, 0],
                                                                             angular_velocity=[0, 0, 3])],
                      [{"name": "ball", "type": "spherical", **at}])
    yield joint_scene("universal", "Two shafts at an angle of 30 degrees on a universal joint: the second one turns unevenly.",
                      [{"name": "first", "mass": 1, "inertia": [0.02, 0.02, 0.02], "position": [0, 0, -0.5]},
                       {"name": "second", "mass": 1, "inertia": [0.02, 0.02, 0.02],
                        "position": [0.25, 0, 0.4330127018922193],
                        "orientation": {"axis": [0, 1, 0], "angle": 0.5235987755982988}}],
                      [{"name": "drive", "type": "revolute", "bodies": ["world", "first"], "position": [0, 0, -0.5],
                        "axis": [0, 0, 1], "motor": {"velocity": 5, "max_force": 100}},
                       {"name": "cross", "type": "universal", "bodies": ["first", "second"], "position": [0, 0, 0],
                        "axis": [1, 0, 0], "axis_2": [0, 1, 0]},
                       {"name": "bearing", "type": "revolute", "bodies": ["world", "second"],
                        "position": [0.25, 0, 0.4330127018922193], "axis": [0.5, 0, 0.8660254037844386]}],
                      gravity=[0, 0, 0])
    yield joint_scene("planar", "A puck on an inclined table that it cannot leave.", [bar("bar", angular_velocity=[2, 0, 3.4641016151377544])],
                      [{"name": "table", "type": "planar", **at, "axis": [0.5, 0, 0.8660254037844386]}])
    yield joint_scene("fixed", "Two bars welded to a T swing as one body.",
                      [bar("bar"), {"name": "cross bar", "mass": 1, "position": [1, 0, 0],
                                    "shape": {"type": "box", "size": [0.1, 1, 0.1]}}],
                      [{"name": "hinge", "type": "revolute", **at, "axis": [0, 1, 0]},
                       {"name": "weld", "type": "fixed", "bodies": ["bar", "cross bar"]}])
    yield joint_scene("distance", "One ball on a rod, one on a rope that is slack at first.",
                      [{"name": "on rod", "mass": 1, "position": [1, 0, 0], "shape": {"type": "sphere", "radius": 0.1}},
                       {"name": "on rope", "mass": 1, "position": [0.5, 2, 0], "shape": {"type": "sphere", "radius": 0.1}}],
                      [{"name": "rod", "type": "distance", "bodies": ["world", "on rod"]},
                       {"name": "rope", "type": "distance", "bodies": ["world", "on rope"], "point_a": [0, 2, 0],
                        "length": None, "limits": [None, 1]}])
    yield joint_scene("gear", "A motor turns a wheel, a gear turns a second one the other way and twice as fast.",
                      [{"name": f"wheel {k}", "mass": 1, "position": [1.5 * k, 0, 0],
                        "shape": {"type": "cylinder", "radius": 1 - 0.5 * k, "height": 0.2}} for k in (0, 1)],
                      [{"name": f"axle {k}", "type": "revolute", "bodies": ["world", f"wheel {k}"],
                        "position": [1.5 * k, 0, 0], "axis": [0, 0, 1],
                        **({"motor": {"velocity": 3, "max_force": 10}} if k == 0 else {})} for k in (0, 1)]
                      + [{"name": "teeth", "type": "gear", "joints": ["axle 0", "axle 1"], "ratio": -2}],
                      no_collision=[["wheel 0", "wheel 1"]])


def lines(value, indent=0):
    """JSON with one line for everything that fits on it."""
    short = json.dumps(value)
    if len(short) + indent <= 110 or not isinstance(value, (dict, list)):
        return short
    pad = " " * (indent + 2)
    if isinstance(value, list) and all(isinstance(v, (int, float)) for row in value for v in (row if isinstance(row, list) else [row])):
        rows, line = [], ""
        for item in map(json.dumps, value):
            if len(line) + len(item) > 100:
                rows.append(line)
                line = ""
            line += ("" if not line else " ") + item + ","
        rows.append(line.rstrip(","))
        return "[\n" + "\n".join(pad + row for row in rows) + "\n" + " " * indent + "]"
    if isinstance(value, dict):
        items = [f"{pad}{json.dumps(k)}: {lines(v, indent + 2)}" for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(pad + lines(v, indent + 2) for v in value) + "\n" + " " * indent + "]"


def write(path, scene):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines(scene) + "\n")


for dimension, shapes, terrains in [(2, PLANAR, planar_terrain), (3, SPATIAL, spatial_terrain)]:
    place = "planar" if dimension == 2 else "spatial"
    for name, shape in shapes.items():
        write(folder / "shapes" / f"{place}-on-{name}.json", drop_scene(dimension, name, shape, shapes, False))
    for name, shape in terrains(SPACING * (len(shapes) - 1)).items():
        write(folder / "shapes" / f"{place}-on-{name}.json", drop_scene(dimension, name, shape, shapes, True))
for scene in joint_scenes():
    write(folder / "joints" / f"{scene['name'].removeprefix('joint-')}.json", scene)
