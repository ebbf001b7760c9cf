#!/usr/bin/env python3
"""Table of the study of stages, in Markdown.

Usage: summarize_stages.py STAGES_CSV
Reads what build/release/bench/stage_study writes (make bench-stages): for each stage of solver
`exact`, by family, what happens where it is left out.
"""
import collections
import csv
import math
import sys

# Problems that take longer than this with all stages count in the mean of times: shorter ones are
# noise.
SHORTEST = 2e-4


def stages_of(row):
    """Name -> (islands solved, tried, iterations)."""
    efforts = {}
    for text in filter(None, row["stages"].split(";")):
        name, numbers = text.rsplit(" ", 1)
        efforts[name] = tuple(int(x) for x in numbers.split("/"))
    return efforts


def mean_ratio(pairs):
    logs = [math.log(a / b) for a, b in pairs if a > 0 and b > 0]
    return math.exp(sum(logs) / len(logs)) if logs else 1


def unsolved(row):
    """Of solves; all of them if the run did not end."""
    return int(row["unsolved"])


def main(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    base = {(r["family"], r["problem"]): r for r in rows if r["left_out"] == "none"}
    families = list(dict.fromkeys(r["family"] for r in rows))
    print(f"{len(base)} problems, {sum(int(r['solves']) for r in base.values())} solves, "
          f"{sum(unsolved(r) for r in base.values())} of them unsolved with all stages.\n")

    solved = collections.defaultdict(lambda: [0, 0, 0])
    for row in base.values():
        for name, effort in stages_of(row).items():
            for k in range(3):
                solved[name][k] += effort[k]
    names = list(dict.fromkeys(list(solved) + [r["left_out"] for r in rows]))
    print("| stage | solves, of islands tried | iterations | left out: lost | won | time, mean "
          "(worst) | where |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in names:
        if name == "none":
            continue
        lost, won, times, where, worst = 0, 0, [], collections.Counter(), 1.0
        for row in rows:
            if row["left_out"] != name:
                continue
            before = base[row["family"], row["problem"]]
            change = unsolved(row) - unsolved(before)
            lost += max(0, change)
            won += max(0, -change)
            if change > 0:
                where[row["family"]] += change
            if change == 0 and float(before["seconds"]) >= SHORTEST:
                times.append((float(row["seconds"]), float(before["seconds"])))
                worst = max(worst, times[-1][0] / times[-1][1])
        places = ", ".join(f"{f} {where[f]}" for f in families if where[f])
        share = "{} of {}".format(*solved[name][:2]) if name in solved else ""
        cost = solved[name][2] if name in solved else ""
        ratio = f"{mean_ratio(times):.2f} ({worst:.1f})" if times else ""
        print(f"| {name} | {share} | {cost} | {lost or ''} | {won or ''} | {ratio} | {places} |")


if __name__ == "__main__":
    main(sys.argv[1])
