#!/usr/bin/env python3
"""Writes the scene of a cannonball pile in the plane ([AH04], section 5.3): N disks of radius 3 and mass 1
side by side on the floor, one less in every row above, all touching.

Usage: make_cannonball.py N > SCENE.json
"""
import json
import math
import sys

RADIUS, FRICTION, STEP, END = 3, 0.8, 0.05, 0.25


def row(number, count):
    """Row `number`, counted from the floor."""
    origin = [RADIUS * number, RADIUS * (1 + math.sqrt(3) * number)]
    return {
        "name": f"row{number}-{{i}}",
        "grid": {"count": [count, 1], "spacing": [2 * RADIUS, 1], "origin": origin},
        "body": {"mass": 1, "shape": {"type": "disk", "radius": RADIUS}},
    }


def scene(bottom):
    disks, contacts = bottom * (bottom + 1) // 2, 3 * bottom * (bottom - 1) // 2 + bottom
    return {
        "stickslip": 1,
        "name": "cannonball",
        "description": f"A pile of {disks} disks with {contacts} contacts, made by "
                       f"tools/make_cannonball.py {bottom}. With less friction it falls apart.",
        "time": {"step": STEP, "end": END},
        "system": {
            "type": "planar",
            "materials": {"default": {"friction": FRICTION}},
            "bodies": [{"name": "floor", "type": "static", "shape": {"type": "half-plane"}}],
            "instances": [row(k, bottom - k) for k in range(bottom)],
        },
    }


def text(value, indent=""):
    """JSON with every list, and every object that fits, on one line."""
    flat = json.dumps(value)
    if len(flat) + len(indent) <= 180 or not isinstance(value, (dict, list)):
        return flat
    inside = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {text(item, inside)}" for key, item in value.items()]
        opening, closing = "{}"
    else:
        items = [text(item, inside) for item in value]
        opening, closing = "[]"
    return f"{opening}\n{inside}" + f",\n{inside}".join(items) + f"\n{indent}{closing}"


print(text(scene(int(sys.argv[1]))))
