#!/usr/bin/env python3
"""What is compiled for more than the baseline stays by itself: objects of kernels (src/simd/README.md) define no
function that the linker could take for one of the rest of the program, which must run on every CPU.
Usage: instruction_set_test.py NM LIBRARY"""
import re
import subprocess
import sys

NM, LIBRARY = sys.argv[1:]
BASELINE = "baseline"


def functions(library):
    """Object -> functions that it defines for others, demangled."""
    text = subprocess.run([NM, "-C", "--defined-only", "--extern-only", library], capture_output=True, text=True,
                          check=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        if line.endswith(":"):
            name = line[:-1]
            found[name] = []
        elif match := re.match(r"[0-9a-f]+ [TWi] (.+)", line):
            found[name].append(match[1])
    return found


def main():
    kernels = {}
    for name, names in functions(LIBRARY).items():
        if match := re.fullmatch(r"(\w+_kernels)_([a-z0-9]+)\.cpp\.o(bj)?", name):
            kernels[match[1], match[2]] = names
    if not kernels:
        sys.exit(f"{LIBRARY} has no objects of kernels")
    faults = []
    for (source, instructions), names in kernels.items():
        if not any("compiledKernels" in name for name in names):
            faults.append(f"{source} for {instructions} offers no table")
        if instructions != BASELINE:
            faults += [f"{source} for {instructions} defines {name}" for name in names
                       if f"{instructions}::" not in name and "compiledKernels<" not in name]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(kernels)} objects of kernels, each with names of its own")


main()
