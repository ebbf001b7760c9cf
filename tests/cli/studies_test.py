#!/usr/bin/env python3
"""The commands converge and reproduce.

Usage: studies_test.py PROGRAM SCENES
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

program, scenes = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


class Converge(unittest.TestCase):
    def test_orders_of_the_two_schemes(self):
        done = run("converge", scenes / "sliding-block.json", "--steps", 0.02, 0.01, 0.005,
                   "--schemes", "position", "midpoint", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        position, midpoint = json.loads(done.stdout)["studies"]
        self.assertEqual([position["method"], midpoint["method"]], ["position", "midpoint"])
        self.assertAlmostEqual(position["position_rate"], 1.16, delta=0.1)
        self.assertAlmostEqual(midpoint["position_rate"], 2, delta=0.1)
        self.assertEqual([row["h"] for row in position["rows"]], [0.02, 0.01, 0.005])
        self.assertAlmostEqual(midpoint["rows"][0]["velocity_variation"], 3, places=9)

    def test_same_numbers_however_many_processes(self):
        outputs = {run("converge", scenes / "papers/rod.json", "--steps", 0.02, 0.01, "--json",
                       "--jobs", jobs).stdout for jobs in (1, 2, 5)}
        self.assertEqual(len(outputs), 1)
        self.assertGreater(len(outputs.pop()), 100)

    def test_rounding_has_no_rate(self):
        done = run("converge", scenes / "coupled-carts.json", "--steps", 0.01, 0.005, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        study = json.loads(done.stdout)["studies"][0]
        self.assertEqual(study["method"], "midpoint")
        self.assertIsNone(study["velocity_rate"])

    def test_a_run_that_stops_is_named(self):
        done = run("converge", scenes / "sliding-block.json", "--steps", 0.01, 0.005, "--set",
                   "system.K=[[1e300,0],[0,1]]", "--set", "method.scheme=midpoint", "--set", "initial.q={\"x\":1}")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ended early", done.stderr)

    def test_children_end_with_their_parent(self):
        scene = scenes / "papers/bouncing-ball.json"
        parent = subprocess.Popen([program, "converge", scene, "--steps", "1e-6", "5e-7"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        found = []
        for _ in range(200):
            found = children.read_text().split()
            if found:
                break
            time.sleep(0.01)
        self.assertTrue(found)
        parent.kill()
        parent.wait()
        for _ in range(500):
            alive = [pid for pid in found if pathlib.Path(f"/proc/{pid}").exists()
                     and ") Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text()]
            if not alive:
                break
            time.sleep(0.01)
        self.assertEqual(alive, [])

    def test_report_and_table(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("converge", scenes / "papers/rod.json", "--steps", 0.02, 0.01, "--reference", 0.002,
                       "--out", pathlib.Path(folder) / "new")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("velocity variation", done.stdout)
            self.assertIn("order", done.stdout)
            page = (pathlib.Path(folder) / "new/report.html").read_text()
            self.assertIn("<svg", page)
            self.assertIn("--reference 0.002", page)
            numbers = json.loads((pathlib.Path(folder) / "new/converge.json").read_text())
            self.assertEqual(numbers["studies"][0]["reference"], 0.002)

    def test_bad_input(self):
        scene = scenes / "papers/rod.json"
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            for words, arguments in {
                "at least two": [scene, "--steps", 0.01],
                "not a number > 0": [scene, "--steps", 0.01, "x"],
                "not shorter": [scene, "--steps", 0.02, 0.01, "--reference", 0.01],
                "too close": [scene, "--steps", 0.01, 0.010001],
                "two steps": [scene, "--steps", 5, 0.01],
                "no such file": [scenes / "nowhere.json", "--steps", 0.02, 0.01],
                "/time/error": [scene, "--steps", 0.02, 0.01, "--set", "time.error=0.1"],
                "excludes": [scene, "--steps", 0.02, 0.01, "--schemes", "position", "--presets", "anitescu"],
            }.items():
                done = run("converge", *arguments, "--out", out)
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertFalse(out.exists(), arguments)


class Reproduce(unittest.TestCase):
    def test_list_names_every_experiment(self):
        listed = json.loads(run("reproduce", "--list", "--json").stdout)
        text = run("reproduce", "--list").stdout
        for entry in listed:
            self.assertIn(entry["name"], text)
            self.assertRegex(entry["paper"], r"\[(ST00|A06|GS05|AP97|AH04)\]")

    def test_everything_in_its_quick_version(self):
        names = [entry["name"] for entry in json.loads(run("reproduce", "--list", "--json").stdout)]
        with tempfile.TemporaryDirectory() as folder:
            done = run("reproduce", "all", "--quick", "--json", "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            experiments = json.loads(done.stdout)["experiments"]
            self.assertEqual([one["name"] for one in experiments], names)
            for one in experiments:
                self.assertIn(one["verdict"], ("agrees", "agrees in kind", "open", "refutes"), one["name"])
                self.assertTrue(one["why"], one["name"])
                self.assertTrue(one["rows"], one["name"])
                self.assertTrue(one["parameters"], one["name"])
                self.assertEqual(json.loads((pathlib.Path(folder) / f"{one['name']}.json").read_text())["rows"],
                                 one["rows"])
            page = (pathlib.Path(folder) / "report.html").read_text()
            for name in names:
                self.assertIn(f'id="{name}"', page)
                self.assertIn(f"stickslip reproduce {name}", page)
            self.assertIsNone(re.search(r"https?://|<script|<link|src=", page), "one file, no network")

    def test_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            for words, arguments in {
                "there is no such experiment": ["cannonbal"],
                "is required": [],
                "not a folder": ["rod", "--out", "/dev/null/x"],
                "--jobs": ["rod", "--jobs", "-1"],
            }.items():
                done = run("reproduce", *arguments, *([] if "--out" in arguments else ["--out", out]))
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn(words, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
                self.assertFalse(out.exists(), arguments)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
