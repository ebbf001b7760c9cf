#!/usr/bin/env python3
"""Prints the comparison with other engines as Markdown, one table a scene.

Usage: summarize_peers.py PEERS.csv
The CSV is what `make bench-peers` writes. What did not get to its end within the time is shown with
the steps that it did, and without errors, which would be those of another moment.
"""
import csv
import math
import sys

PURPOSES = {
    "pile": [("overlap at the end", "overlap_end", "mm"), ("at its peak", "overlap_peak", "mm"),
             ("kinetic energy at the end", "rest_energy", "J/kg"), ("worst residual", "residual", "")],
    "stuck": [("drift", "drift", "m"), ("of it after 1 s", "creep", "m"),
              ("overlap at its peak", "overlap_peak", "mm"), ("worst residual", "residual", "")],
    "collision": [("error of momentum", "momentum", ""), ("energy gained", "energy_gain", ""),
                  ("overlap at its peak", "overlap_peak", "mm"), ("worst residual", "residual", "")],
}


def number(text, unit):
    value = float(text)
    if math.isnan(value):
        return ""
    if unit == "mm":
        value *= 1e3
    return "0" if value == 0 else f"{value:.2g}"


def table(name, rows):
    columns = PURPOSES[rows[0]["purpose"]]
    heads = [head + (f" [{unit}]" if unit else "") for head, _, unit in columns]
    print(f"### {name}: {rows[0]['bodies']} bodies\n")
    print("| engine | setting | steps/s | " + " | ".join(heads) + " |")
    print("| --- | --- | --- |" + " --- |" * len(columns))
    for row in rows:
        milliseconds = float(row["step_ms"])
        speed = f"{1e3 / milliseconds:.3g}" if milliseconds > 0 else ""
        if row["status"] != "done":
            speed += f" ({row['steps']} steps: {row['status'].replace('_', ' ')})"
        errors = [number(row[key], unit) if row["status"] == "done" else ""
                  for _, key, unit in columns]
        print(f"| {row['engine']} | {row['setting']} | {speed} | " + " | ".join(errors) + " |")
    print()


def main():
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for scene in dict.fromkeys(row["scene"] for row in rows):
        table(scene, [row for row in rows if row["scene"] == scene])


if __name__ == "__main__":
    main()
