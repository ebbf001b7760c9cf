#!/usr/bin/env python3
"""Runs every command of the README and of docs/, and checks the files that they mention.

Usage: run_commands.py SOURCE_DIR PROGRAM

Code blocks marked `sh` are run in a scratch copy of what a user has, line by line, with the program
on the PATH; each command must succeed, or, if a comment `# exit 2` follows it, end with that code.
`make` commands are not run here: they are what runs this test. Blocks marked `json` must be scenes
that pass `stickslip check`, blocks marked `cpp` must compile as the body of a function.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
pages = [source / "README.md", *sorted((source / "docs").glob("**/*.md"))]
failures = []


def commands_of(page):
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith(("#", "make", "git clone", "cd ")):
                yield line


def run_commands():
    count = 0
    for page in pages:
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(source / "scenes", pathlib.Path(scratch) / "scenes")
            environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
            for command in commands_of(page):
                expected = re.search(r"# exit (\d)", command)
                result = subprocess.run(["sh", "-c", command], cwd=scratch, env=environment,
                                        capture_output=True, text=True)
                count += 1
                if result.returncode != (int(expected[1]) if expected else 0):
                    failures.append(f"{page.name}: {command}\n  ended with {result.returncode}: "
                                    f"{result.stderr.strip()}")
    return count


def blocks_of(kind):
    for page in pages:
        for block in re.findall(rf"```{kind}\n(.*?)```", page.read_text(), re.S):
            yield page, block


def check_scenes():
    for page, block in blocks_of("json"):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as scene:
            scene.write(block)
            scene.flush()
            result = subprocess.run([program, "check", scene.name], capture_output=True, text=True)
            if result.returncode != 0:
                failures.append(f"{page.name}: a scene is refused: {result.stderr.strip()}")


def check_cpp():
    head = '#include "rod.hpp"\n#include "stickslip/stickslip.hpp"\nusing namespace stickslip;\n'
    for page, block in blocks_of("cpp"):
        code = head + "void example([[maybe_unused]] double mu) {\n" + block + "}\n"
        result = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{source}/include",
                                 f"-I{source}/examples", "-"], input=code, capture_output=True,
                                text=True)
        if result.returncode != 0:
            failures.append(f"{page.name}: does not compile: {result.stderr.strip()}")


def check_mentioned_files():
    """Paths in backquotes and links must exist."""
    count = 0
    for page in pages:
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
        mentioned = re.findall(r"`((?:src|include|apps|tests|bench|scenes|docs|examples|tools|cmake)/"
                               r"[\w./-]+)`", text)
        linked = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
        for path, base in [(m, source) for m in mentioned] + [(l, page.parent) for l in linked]:
            count += 1
            if not (base / path).exists():
                failures.append(f"{page.name}: {path} does not exist")
    return count


commands, files = run_commands(), check_mentioned_files()
check_scenes()
check_cpp()
print(f"{commands} commands run, {files} mentioned files checked in {len(pages)} pages")
for failure in failures:
    print(failure)
sys.exit(1 if failures or commands == 0 or files == 0 else 0)
