#!/usr/bin/env python3
"""Draws the comparison with other engines as SVG: error against time of a step, one panel a pile.

Usage: plot_peers.py PEERS.csv IMAGE_FOLDER
The CSV is what `make bench-peers` writes. Writes peers.svg. The settings of an engine are joined by
a line, from the quickest to the slowest.
"""
import csv
import pathlib
import sys

import plot_solvers

PILES = ("spheres", "boxes", "rocks", "discs")
COLOURS = {
    "stickslip": "#d1495b", "ODE": "#1f6f8b", "Bullet": "#edae49", "MuJoCo": "#66a182",
    "Box2D": "#8d6a9f", "Chipmunk": "#a44a3f", "Siconos": "#8c959d",
}
LEAST = 1e-12  # overlaps below it are drawn there


def curves(rows):
    by_engine = plot_solvers.grouped([r for r in rows if r["status"] == "done"], "engine")
    return {engine: sorted((float(r["step_ms"]), max(float(r["overlap_end"]), LEAST)) for r in group)
            for engine, group in by_engine.items()}


def main():
    plot_solvers.COLOURS.update(COLOURS)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        scenes = plot_solvers.grouped(list(csv.DictReader(file)), "scene")
    plot_solvers.draw(pathlib.Path(sys.argv[2]) / "peers.svg",
                      [(f"1,000 {name}", "CPU ms a step", "overlap at the end [m]",
                        curves(scenes[name])) for name in PILES if name in scenes])


if __name__ == "__main__":
    main()
