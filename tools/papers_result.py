#!/usr/bin/env python3
"""Keeps the committed result of the papers' experiments, docs/papers.json, and the page about it.

Usage: papers_result.py compare RUN.json   is a new run (reproduce all --json) what is committed?
       papers_result.py record RUN.json    commit the new run instead, and rewrite the table of docs/papers.md
       papers_result.py page               does the table of docs/papers.md say what is committed?

Times are left out. Words and counts must be the same; other numbers to a millionth, and residuals
of rounding size may be any such. Exit code 1 names each difference.
"""
import json
import pathlib
import sys

docs = pathlib.Path(__file__).resolve().parent.parent / "docs"
kept, page = docs / "papers.json", docs / "papers.md"
BEGIN, END = "<!-- table: tools/papers_result.py record -->", "<!-- end of table -->"
RELATIVE, ROUNDING = 1e-6, 1e-9


def is_time(name):
    return name.endswith("seconds") or name == "speedup"


def without_times(value):
    if isinstance(value, dict):
        return {name: without_times(part) for name, part in value.items() if not is_time(name)}
    if isinstance(value, list):
        return [without_times(part) for part in value]
    return value


def read_run(path):
    experiments = json.loads(pathlib.Path(path).read_text())["experiments"]
    return {"experiments": [without_times(one) for one in experiments]}


def differences(old, new, where):
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*old, *(name for name in new if name not in old)]:
            if name not in old or name not in new:
                yield f"{where}/{name}: only in the {'new run' if name in new else 'committed result'}"
            elif name != "why":  # says in words what the numbers say
                yield from differences(old[name], new[name], f"{where}/{name}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{where}/{k}")
    elif isinstance(old, float) and isinstance(new, (int, float)) or isinstance(new, float) and isinstance(old, int):
        if abs(old - new) > max(RELATIVE * abs(old), ROUNDING):
            yield f"{where}: {old!r} is committed, {new!r} now"
    elif old != new:
        yield f"{where}: {old!r} is committed, {new!r} now"


def named(run):
    return {one["name"]: one for one in run["experiments"]}


def table(run):
    rows = ["| name | where | verdict | what comes out here |", "| --- | --- | --- | --- |"]
    for one in run["experiments"]:
        why = one["why"].replace("|", "\\|")
        rows.append(f"| `{one['name']}` | {one['paper']} | {one['verdict']} | {why} |")
    return "\n".join(rows)


def page_with(run):
    text = page.read_text()
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{table(run)}\n{END}{rest.split(END)[1]}"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "record":
        run = read_run(sys.argv[2])
        kept.write_text(json.dumps(run, indent=1) + "\n")
        page.write_text(page_with(run))
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "compare":
        found = list(differences(named(json.loads(kept.read_text())), named(read_run(sys.argv[2])), ""))
        for line in found:
            print(line)
        if found:
            print(f"{len(found)} differences from docs/papers.json; if they are meant: tools/papers_result.py record")
        else:
            print(f"{len(named(read_run(sys.argv[2])))} experiments are as in docs/papers.json")
        return 1 if found else 0
    if sys.argv[1:] == ["page"]:
        if page.read_text() == page_with(json.loads(kept.read_text())):
            return 0
        print("docs/papers.md: its table is not that of docs/papers.json; run tools/papers_result.py record")
        return 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
