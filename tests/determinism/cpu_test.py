#!/usr/bin/env python3
"""Same bits on every CPU: all scenes end in the same state whether or not the C library may use what
this CPU has beyond the first x86-64 (glibc chooses variants of its functions by that when a program
starts). Usage: cpu_test.py PROGRAM SCENES [full]

Without `full`, scenes run for their first steps only."""
import json
import os
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SCENES = pathlib.Path(sys.argv[2]).resolve()
FULL = "full" in sys.argv[3:]

# What glibc's variants ask for (sysdeps/x86_64/fpu/multiarch).
OLD_CPU = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX,-AVX512F,-SSE4_1"
PROBE = """
import math
x = [0.37 * 1.0037 ** i for i in range(2000)]
print(hash(tuple(f(v) for f in (math.sin, math.cos, math.exp, math.log) for v in x)))
"""
# Steps of a scene, and of those with hundreds of bodies.
STEPS, STEPS_AT_SCALE = 250, 10


def environment(old_cpu):
    variables = {key: value for key, value in os.environ.items() if key != "GLIBC_TUNABLES"}
    return variables | ({"GLIBC_TUNABLES": OLD_CPU} if old_cpu else {})


def probe(old_cpu):
    """What the C library makes of elementary functions."""
    return subprocess.run([sys.executable, "-c", PROBE], env=environment(old_cpu), capture_output=True,
                          text=True, check=True).stdout


def shortened(scene):
    time = json.loads(scene.read_text())["time"]
    steps = STEPS_AT_SCALE if scene.parent.name == "scale" else STEPS
    return [] if FULL else ["--set", f"time.end={min(time['end'], steps * time['step'])!r}"]


def final_hash(scene, old_cpu):
    run = subprocess.run([PROGRAM, "run", scene, "--json", *shortened(scene)], env=environment(old_cpu),
                         capture_output=True, text=True)
    try:
        return json.loads(run.stdout)["hash"]
    except (json.JSONDecodeError, KeyError):
        sys.exit(f"{scene.relative_to(SCENES)}: exit code {run.returncode}: {run.stderr.strip()}")


def main():
    if probe(False) == probe(True):
        print("this machine has one variant of the C library's functions only: nothing to compare")
    scenes = sorted(SCENES.rglob("*.json"))
    differ = [scene for scene in scenes if final_hash(scene, False) != final_hash(scene, True)]
    if differ:
        sys.exit("bits depend on the CPU: " + ", ".join(str(s.relative_to(SCENES)) for s in differ))
    print(f"{len(scenes)} scenes: the same bits with and without what this CPU has")


main()
