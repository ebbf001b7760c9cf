#!/usr/bin/env python3
"""Tables of the study of the solvers, in Markdown.

Usage: summarize_solvers.py STUDY_FOLDER > SUMMARY.md
Reads problems.csv and steps.csv, which build/release/bench/solver_study writes.
"""
import csv
import pathlib
import statistics
import sys

SOLVED = 1e-8
SOLVED_STATE = 1e-9


def read(path):
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def label(row):
    return row["solver"] + (" (relaxed)" if row["law"] == "relaxed" else "")


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def in_order(values):
    """Without repetition, as they come."""
    return list(dict.fromkeys(values))


def has_answer(row):
    return row["status"] in ("solved", "unsolved")


def least_time(rows, error, bound):
    """Quickest of the rows that reached the bound, else the best error in brackets."""
    reached = [float(r["seconds"]) for r in rows if has_answer(r) and float(r[error]) <= bound]
    if reached:
        return milliseconds(min(reached))
    errors = [float(r[error]) for r in rows if has_answer(r)]
    return f"({min(errors):.0e})" if errors else ("-" if rows else "")


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def problem_table(title, rows, error, name_of):
    if not rows:
        return
    solvers = in_order(label(r) for r in rows)
    print(f"## {title}\nCPU time in ms of the quickest solve with {error} at most {SOLVED:g}; in brackets the "
          "best value where it was not reached; - where there was no answer in time.\n")
    lines = []
    for name in in_order(name_of(r) for r in rows):
        same = [r for r in rows if name_of(r) == name]
        lines.append([name, same[0]["contacts"]] +
                     [least_time([r for r in same if label(r) == s], error, SOLVED) for s in solvers])
    table(["problem", "contacts"] + solvers, lines)


def fclib_table(rows):
    """Our best beside Siconos' best."""
    if not rows:
        return
    print(f"## FCLIB: our best beside Siconos' best\nms to fclib_error {SOLVED:g}, Coulomb's law.\n")
    lines = []
    for name in in_order(r["problem"] for r in rows):
        same = [r for r in rows if r["problem"] == name and r["law"] == "coulomb"]
        ours = [r for r in same if not r["solver"].startswith("siconos")]
        peers = [r for r in same if r["solver"].startswith("siconos")]
        lines.append([name.removeprefix("fclib:"), same[0]["contacts"],
                      least_time([r for r in ours if r["solver"] == "auto"], "fclib_error", SOLVED),
                      least_time(ours, "fclib_error", SOLVED),
                      least_time(peers, "fclib_error", SOLVED)])
    table(["problem", "contacts", "auto", "ours", "Siconos"], lines)


def state_table(rows):
    if not rows:
        return
    print(f"## Random states of piles near rest\nTo a residual of {SOLVED_STATE:g}; CPU times in ms; a solver "
          "that ran out of time in three states was not asked again.\n")
    lines = []
    for family in in_order(r["problem"] for r in rows):
        count = len({r["value"] for r in rows if r["problem"] == family})
        for solver in in_order(label(r) for r in rows if r["problem"] == family):
            own = [r for r in rows if r["problem"] == family and label(r) == solver]
            times = [float(r["seconds"]) for r in own
                     if has_answer(r) and float(r["residual"]) <= SOLVED_STATE]
            lines.append([family, solver, f"{len(times)} of {count}"] +
                         ([milliseconds(statistics.median(times)), milliseconds(max(times))]
                          if times else ["", ""]))
    table(["problem", "solver", "solved", "median", "worst"], lines)


def lcp_table(rows):
    if not rows:
        return
    print("## LCPs of contacts\nMean CPU time in us of one of 64 problems, and the worst residual of them.\n")
    solvers = in_order(r["solver"] for r in rows)
    lines = []
    for size in in_order(r["value"] for r in rows):
        line = [size]
        for solver in solvers:
            for r in rows:
                if r["value"] == size and r["solver"] == solver:
                    line += [f"{1e6 * float(r['seconds']):.3g}", f"{float(r['residual']):.0e}"]
        lines.append(line)
    table(["size"] + [word for s in solvers for word in (s, "residual")], lines)


def step_table(rows):
    if not rows:
        return
    print("## Whole steps, warm\nCPU ms: mean with recording, median and worst of a step, all but solver and "
          "recording, recording.\n")
    table(["scene", "mu", "law", "solver", "certified", "contacts", "worst residual", "mean", "median", "worst",
           "rest", "recording"],
          [[r["scene"], r["value"], r["law"], r["solver"],
            f"{r['certified']} of {r['steps']}" if r["status"] == "done" else r["status"], r["contacts"],
            r["residual"], r["step_ms"], r["median_ms"], r["worst_ms"], r["rest_ms"], r["record_ms"]]
           for r in rows])


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = read(folder / "problems.csv")
    of = lambda beginning: [r for r in rows if r["problem"].startswith(beginning)]
    states = [r for r in rows if r["problem"].endswith("-states")]
    piles = [r for r in of("pile") if r not in states]
    parameter = lambda r: f"{r['problem']}, {r['parameter'].replace('_', ' ')} {r['value']}"
    print("# The study of the solvers\nMade by `build/release/bench/solver_study`; what it means: "
          "[docs/performance.md](../../docs/performance.md).\n")
    lcp_table(of("lcp"))
    problem_table("Piles over friction", piles, "residual", parameter)
    state_table(states)
    problem_table("Towers over mass ratio", of("tower"), "residual", parameter)
    problem_table("Settled spheres", of("spheres"), "residual", parameter)
    problem_table("FCLIB", of("fclib"), "fclib_error", lambda r: r["problem"].removeprefix("fclib:"))
    fclib_table(of("fclib"))
    step_table(read(folder / "steps.csv"))


main()
