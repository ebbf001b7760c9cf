#!/usr/bin/env python3
"""The schema of scenes, checked with python3-jsonschema. Usage: schema_test.py REPOSITORY SCENE_TESTS

All scenes of the repository must fit. The scenes that the C++ tests give to the reader, good and bad, are noted by
SCENE_TESTS with what the schema should say: whatever the reader accepts the schema must accept, and where a schema can
tell what is wrong it must."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:  # the interpreter of CMake may be another one than Debian's
    if sys.executable == "/usr/bin/python3":
        sys.exit("python3-jsonschema is missing: make setup")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])


def expect(condition, message):
    if not condition:
        sys.exit(message)


def unexplained(schema, place):
    """Fields without a description: somebody who reads the schema in an editor is told about every field."""
    if isinstance(schema, list):
        return [fault for item in schema for fault in unexplained(item, place)]
    if not isinstance(schema, dict):
        return []
    faults = []
    for key, field in schema.get("properties", {}).items():
        explained = isinstance(field, bool) or {"description", "$ref", "const"} & field.keys()
        if not explained and "/if" not in place:
            faults.append(f"{place}/{key}")
    return faults + [fault for key, child in schema.items() for fault in unexplained(child, f"{place}/{key}")]


def main():
    repository, scene_tests = pathlib.Path(sys.argv[1]), sys.argv[2]
    schema = json.loads((repository / "schema" / "scene.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    expect(not unexplained(schema, ""), f"fields without a description: {unexplained(schema, '')}")

    scenes = sorted((repository / "scenes").rglob("*.json"))
    expect(len(scenes) > 50, f"only {len(scenes)} scenes")
    for scene in scenes:
        error = next(validator.iter_errors(json.loads(scene.read_text())), None)
        expect(error is None, f"{scene}: {error}")

    with tempfile.TemporaryDirectory() as folder:
        cases = pathlib.Path(folder) / "cases"
        subprocess.run([scene_tests, "--gtest_filter=BodyScene.*:FrictionFields.*:SceneData.*", "--gtest_brief=1"],
                       env={**os.environ, "STICKSLIP_SCHEMA_CASES": str(cases)}, check=True)
        lines = set(cases.read_text().splitlines())
    counts = {True: 0, False: 0}
    for line in sorted(lines):
        case = json.loads(line)
        counts[case["accepted"]] += 1
        expect(validator.is_valid(case["scene"]) == case["accepted"],
               f"the schema should {'accept' if case['accepted'] else 'refuse'} {json.dumps(case['scene'])}")
    expect(counts[True] > 20 and counts[False] > 80, f"too few cases: {counts}")
    print(f"{len(scenes)} scenes, {counts[True]} good and {counts[False]} bad ones of the tests")


main()
