#!/usr/bin/env python3
"""Runs every command of the documents, and checks the files and headings that they mention.

Usage: run_commands.py SOURCE_DIR PROGRAM

Code blocks marked `sh` are run in a scratch copy of what a user has, line by line, with the program
on the PATH; each command must succeed, or, if a comment `# exit 2` follows it, end with that code.
`make` and `pip` commands are not run here: they are what runs the tests (tools/python_package). Blocks marked `json` must be scenes
that pass `stickslip check`, blocks marked `cpp` must compile as the body of a function. Paths and names of
sources in backquotes must exist, links must lead to a file and a heading. The documents are the README, docs/,
CONTRIBUTING and the README of each folder of the sources.
"""
import os
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
folders = ["src", "include", "apps", "tests", "studies", "bench", "scenes", "schema", "docs", "examples", "tools", "cmake", "python"]
pages = [source / "README.md", source / "CONTRIBUTING.md", source / "CHANGELOG.md",
         *sorted((source / "docs").glob("**/*.md")),
         *sorted(page for folder in folders if folder != "docs" for page in (source / folder).glob("**/README.md"))]
failures = []


def commands_of(page):
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.startswith(("#", "make", "pip install", "git clone", "cd ")):
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


def without_code(page):
    return re.sub(r"```.*?```", "", page.read_text(), flags=re.S)


def headings_of(page):
    """Anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain}


def exists(page, path):
    """From the top of the sources, the page's folder, src or include; `*` stands for any characters."""
    return any(list(base.glob(path)) if "*" in path else (base / path).exists()
               for base in (source, page.parent, source / "src", source / "include"))


def check_mentioned_files():
    """Paths and names of sources in backquotes must exist, and links lead somewhere."""
    count = 0
    names = {file.name for folder in folders for file in (source / folder).rglob("*")}
    for page in pages:
        text = without_code(page)
        for mentioned in re.findall(r"`([\w./*-]+)`", text):
            is_path = mentioned.split("/")[0] in folders and "/" in mentioned
            is_name = re.fullmatch(r"[\w/]+\.(?:hpp|cpp|inl|py)", mentioned) is not None
            if not is_path and not is_name:
                continue
            count += 1
            if not exists(page, mentioned) and not (is_name and not is_path and mentioned in names):
                failures.append(f"{page.relative_to(source)}: {mentioned} does not exist")
        links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)
        for link in links:
            if "://" in link:
                continue
            count += 1
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.exists():
                failures.append(f"{page.relative_to(source)}: the link to {link} leads nowhere")
            elif anchor and anchor not in headings_of(target):
                failures.append(f"{page.relative_to(source)}: {path or page.name} has no heading #{anchor}")
    return count


def check_rooms():
    """The table of who may include whom is that of tools/check_house."""
    house = runpy.run_path(str(source / "tools" / "check_house"))
    page = (source / "docs" / "architecture.md").read_text()
    table = page.split("## Who may include whom")[1].split("##")[0]
    told = {room: set(re.findall(r"\w+", sees)) & set(house["SEES"])
            for room, sees in re.findall(r"^\| (\w+) \|([^|]*)\|$", table, re.M) if room in house["SEES"]}
    for room, sees in house["SEES"].items():
        allowed = {other for user, other in house["ALLOWED"] if user == room}
        if "/" not in room and room != "solvers" and told.get(room) != sees | allowed:
            failures.append(f"architecture.md: {room} may include {sorted(sees | allowed)}, it says "
                            f"{sorted(told.get(room, []))}")


commands, files = run_commands(), check_mentioned_files()
check_scenes()
check_cpp()
check_rooms()
print(f"{commands} commands run, {files} mentioned files checked in {len(pages)} pages")
for failure in failures:
    print(failure)
sys.exit(1 if failures or commands == 0 or files == 0 else 0)
