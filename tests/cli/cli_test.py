#!/usr/bin/env python3
"""The command line as a user meets it: output, exit codes, files. Usage: cli_test.py PROGRAM SCENES"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SCENES = pathlib.Path(sys.argv.pop(1)).resolve()
WOODPECKER = SCENES / "woodpecker.json"


def call(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def expect_refusal(self, result, *words):
        """Bad input: exit code 2, one line on standard error, nothing on standard output."""
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class Run(Command):
    def test_json_has_every_field(self):
        result = call("run", WOODPECKER, "--set", "time.end=0.1", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        run = json.loads(result.stdout)
        self.assertEqual(run["scene"], "woodpecker")
        self.assertEqual(run["scheme"], "midpoint")
        self.assertEqual(run["solver"], "lemke")
        self.assertEqual(run["steps"], 10000)
        self.assertEqual(run["time"], 0.1)
        self.assertGreater(run["wall_seconds"], 0)
        self.assertEqual(run["status"], "certified")
        self.assertLess(run["residual_max"], 1e-9)
        self.assertLess(run["penetration_max"], 1e-5)
        self.assertEqual(run["joint_drift_max"], 0)
        self.assertEqual(run["contacts_max"], 1)
        self.assertEqual(set(run["energy"]), {"start", "end", "max_gain"})
        self.assertLess(run["energy"]["end"], run["energy"]["start"])
        self.assertEqual(list(run["final"]["q"]), ["y", "phi_M", "phi_S"])
        self.assertEqual(list(run["final"]["u"]), ["y", "phi_M", "phi_S"])
        self.assertRegex(run["hash"], r"^[0-9a-f]{16}$")

    def test_friction_that_depends_on_the_speed_is_reported(self):
        scene = SCENES / "stick-slip.json"
        run = json.loads(call("run", scene, "--set", "time.end=1", "--json").stdout)
        self.assertEqual(run["status"], "certified")
        self.assertLess(run["friction_residual_max"], 1e-8)
        self.assertGreater(run["friction_iterations_max"], 1)
        self.assertIn("fits the sliding speeds", call("run", scene, "--set", "time.end=1").stdout)

    def test_what_a_step_gives_up_is_reported(self):
        scene = SCENES / "shapes" / "spatial-on-capsule.json"
        bouncing = ["--set", "system.materials.default.restitution=0.1",
                    "--set", "method.scheme=midpoint", "--set", "time.end=1"]
        run = json.loads(call("run", scene, *bouncing, "--json").stdout)
        self.assertEqual(run["status"], "certified")
        self.assertGreater(run["restitution_dropped_steps"], 0)
        self.assertEqual(run["drift_kept_steps"], 0)
        self.assertIn("given up     restitution", call("run", scene, *bouncing).stdout)

    def test_same_input_same_hash(self):
        runs = [json.loads(call("run", WOODPECKER, "--set", "time.end=0.2", "--json").stdout)
                for _ in range(2)]
        self.assertEqual(runs[0]["hash"], runs[1]["hash"])

    def test_table_names_the_recording(self):
        out = self.folder / "deep" / "out"
        result = call("run", WOODPECKER, "--set", "time.end=0.01", "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(out / "recording.h5"), result.stdout)
        self.assertIn("certified", result.stdout)
        self.assertTrue((out / "recording.h5").is_file())

    def test_every_scene_of_the_repository_is_certified(self):
        for scene in sorted(SCENES.glob("**/*.json")):
            if scene.parent.name in ("papers", "scale"):  # long runs; they have tests of their own
                result = call("check", scene, "--strict")
                self.assertEqual(result.returncode, 0, f"{scene}: {result.stderr}")
                continue
            result = call("run", scene, "--json")
            self.assertEqual(result.returncode, 0, f"{scene}: {result.stderr}")
            self.assertEqual(json.loads(result.stdout)["status"], "certified")

    def test_collisions_are_located_and_counted(self):
        for impact in ("poisson", "reflected"):
            result = call("run", SCENES / "bouncing-sphere.json", "--json",
                          "--set", "method.preset=anitescu-potra",
                          "--set", f"method.impact={impact}")
            self.assertEqual(result.returncode, 0, result.stderr)
            run = json.loads(result.stdout)
            self.assertEqual((run["scheme"], run["status"]), ("velocity", "certified"))
            self.assertGreaterEqual(run["collisions"], 8)
            self.assertLessEqual(run["collisions"], 20)
            self.assertEqual(run["crowded_steps"], 0)
            self.assertLess(run["penetration_max"], 1e-12)
        result = call("run", SCENES / "bouncing-sphere.json", "--set", "method.impact=reflected")
        self.assertEqual(result.returncode, 2)
        self.assertIn("velocity", result.stderr)

    def test_repeats_a_run_from_its_recording(self):
        first = json.loads(call("run", WOODPECKER, "--set", "time.end=0.05", "--json", "--out",
                                self.folder).stdout)
        again = json.loads(call("run", self.folder, "--json").stdout)
        self.assertEqual(first["hash"], again["hash"])
        self.assertEqual(again["steps"], 5000)

    def test_a_recording_may_be_replaced_by_its_own_repetition(self):
        call("run", WOODPECKER, "--set", "time.end=0.01", "--out", self.folder)
        result = call("run", self.folder, "--out", self.folder, "--force")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_uncertified_steps_end_with_1_and_are_named(self):
        scene = {
            "stickslip": 1, "name": "closing walls", "time": {"step": 0.01, "end": 0.1},
            "system": {
                "type": "linear", "coordinates": ["x"], "M": [[1]],
                "contacts": [
                    {"name": side, "g0": 0.05, "w_N": [sign], "mu": 0, "e_n": 0, "drive_n": -1}
                    for side, sign in (("left", 1), ("right", -1))]}}
        file = self.folder / "walls.json"
        file.write_text(json.dumps(scene))
        result = call("run", file, "--json")
        self.assertEqual(result.returncode, 1)
        run = json.loads(result.stdout)
        self.assertEqual(run["status"], "uncertified")
        self.assertEqual(run["first_uncertified_step"], 6)
        self.assertEqual(run["first_uncertified_solve"], "ray")
        self.assertEqual(run["steps"], 10)
        self.assertIn("step 6 from t = 0.05", result.stderr)
        self.assertIn("residual", result.stderr)

    def test_a_run_that_blows_up_stops_with_a_finite_state(self):
        scene = {"stickslip": 1, "name": "stiff", "time": {"step": 1, "end": 1000},
                 "system": {"type": "linear", "coordinates": ["x"], "M": [[1]], "K": [[1e6]]},
                 "initial": {"q": {"x": 1}}}
        file = self.folder / "stiff.json"
        file.write_text(json.dumps(scene))
        result = call("run", file, "--json", "--out", self.folder, "--set", "recording.every=10")
        self.assertEqual(result.returncode, 1)
        run = json.loads(result.stdout)
        self.assertEqual(run["status"], "stopped")
        self.assertIn("time.step", result.stderr)
        last = call("export", self.folder, "--csv", "-").stdout.splitlines()[-1]
        self.assertEqual(float(last.split(",")[1]), run["final"]["q"]["x"])

    def test_two_runs_do_not_record_into_one_folder(self):
        first = subprocess.Popen([PROGRAM, "run", WOODPECKER, "--set", "time.end=1000", "--set",
                                  "recording.every=100000", "--out", self.folder],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not (self.folder / "recording.h5").exists():
                self.assertIsNone(first.poll())
            self.expect_refusal(call("run", WOODPECKER, "--set", "time.end=0", "--out", self.folder),
                                "another run")
        finally:
            first.kill()
            first.wait()
        self.assertEqual(call("run", WOODPECKER, "--set", "time.end=0", "--force", "--out",
                              self.folder).returncode, 0)

    def test_a_result_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, "run", SCENES / "coupled-carts.json"], stdout=full,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)


class BadInput(Command):
    def test_nothing_is_written(self):
        out = self.folder / "out"
        for change in ("time.step=0", "time.step=-1", "time.step=nan", "system.contacts.beak.mu=-1",
                       "system.contacts.0.e_n=2", "system.M=[[1]]", "no.such.field=1",
                       "initial.q.nobody=1"):
            self.expect_refusal(call("run", WOODPECKER, "--set", change, "--out", out), "--set")
        self.assertFalse(out.exists())

    def test_nothing_is_lost(self):
        call("run", WOODPECKER, "--set", "time.end=0.01", "--out", self.folder)
        before = (self.folder / "recording.h5").read_bytes()
        call("run", WOODPECKER, "--set", "time.step=0", "--out", self.folder)
        self.assertEqual((self.folder / "recording.h5").read_bytes(), before)

    def test_missing_file(self):
        self.expect_refusal(call("run", self.folder / "none.json"), "none.json", "no such file")
        self.expect_refusal(call("check", self.folder / "none.json"), "no such file")
        self.expect_refusal(call("export", self.folder, "--csv", self.folder / "x.csv"),
                            "no such recording")
        self.assertFalse((self.folder / "x.csv").exists())

    def test_wrong_command_lines(self):
        for arguments in ((), ("fly",), ("run",), ("run", WOODPECKER, "--speed", "9"),
                          ("export", self.folder), ("solve",), ("solve", "--lcp", "N.mtx"),
                          ("solve", "--lcp", "N.mtx", "q.mtx", "--solver", "magic"),
                          ("solve", "--lcp", "N.mtx", "q.mtx", "--tolerance", "nan"),
                          ("solve", "--lcp", "N.mtx", "q.mtx", "--budget", "-1"),
                          ("run", WOODPECKER, "--out", "")):
            self.expect_refusal(call(*arguments), "--help")

    def test_names_file_line_and_field(self):
        text = WOODPECKER.read_text().replace('"e_n": 0.5', '"e_n": 1.5')
        file = self.folder / "bad.json"
        file.write_text(text)
        line = 1 + text[:text.index("1.5")].count("\n")
        self.expect_refusal(call("check", file), f"bad.json:{line}", "/system/contacts/0/e_n", "1.5",
                            "0 to 1")

    def test_output_that_cannot_be_written(self):
        (self.folder / "file").write_text("in the way")
        self.expect_refusal(call("run", WOODPECKER, "--set", "time.end=0", "--out",
                                 self.folder / "file"), "--out")


class Check(Command):
    def test_good_scene(self):
        result = call("check", WOODPECKER)
        self.assertEqual(result.returncode, 0)
        self.assertIn("300000 steps", result.stdout)

    def analyse(self, scene, *arguments):
        result = call("check", scene, "--analyse", "--json", *arguments)
        self.assertEqual(result.returncode, 0, f"{scene}: {result.stderr}")
        return json.loads(result.stdout)

    def test_every_scene_can_be_analysed(self):
        for scene in sorted(SCENES.glob("*.json")):
            analysis = self.analyse(scene)
            self.assertEqual(list(analysis), ["scene", "contacts", "islands", "painleve",
                                              "impulses_unique"])
            for island in analysis["islands"]:
                for opening in island["frictionless"], island["frictional"]:
                    self.assertIn(opening["answer"], ("opens", "jams"), scene)
                    self.assertLessEqual(opening["margin_proven"], opening["margin_ceiling"] + 1e-9)

    def test_analysis_of_a_pocket(self):
        walls = [{"name": name, "type": "static", "shape": {"type": "half-plane", "normal": normal},
                  "position": position}
                 for name, normal, position in [("floor", [0, 1], [0, 0]), ("left", [1, 0], [-1, 0]),
                                                ("right", [-1, 0], [1, 0])]]
        box = {"name": "box", "mass": 1, "position": [0, 1],
               "shape": {"type": "box", "size": [2, 2]}}
        pocket = self.folder / "pocket.json"
        pocket.write_text(json.dumps({
            "stickslip": 1, "name": "pocket", "time": {"step": 0.01, "end": 1},
            "system": {"type": "planar", "gravity": [0, -9.81],
                       "materials": {"default": {"friction": 0.2}}, "bodies": [*walls, box]}}))
        island, = self.analyse(pocket)["islands"]
        self.assertEqual(len(island["contacts"]), 6)
        self.assertEqual(island["frictionless"]["answer"], "jams")
        self.assertEqual(set(island["frictionless"]["jammed"]), {"left/box", "right/box"})
        self.assertEqual(set(island["frictional"]["jammed"]), set(island["contacts"]))
        result = call("check", pocket, "--analyse")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in "6 at the start, 6 planar", "without friction 4 contacts can jam: left/box":
            self.assertIn(words, result.stdout)

    def test_analysis_counts_redundant_joints_and_knows_its_options(self):
        island, = self.analyse(SCENES / "four-bar.json")["islands"]
        self.assertEqual((island["joint_rows"], island["redundant_joint_rows"]), (20, 3))
        self.expect_refusal(call("check", WOODPECKER, "--json"), "--analyse")
        self.expect_refusal(call("check", "--schema", "--analyse"), "--schema")


class Export(Command):
    def test_csv(self):
        call("run", WOODPECKER, "--set", "time.end=0.01", "--set", "recording.every=100", "--out",
             self.folder)
        file = self.folder / "out.csv"
        self.assertEqual(call("export", self.folder, "--csv", file).returncode, 0)
        with open(file) as stream:
            rows = list(csv.reader(stream))
        self.assertEqual(rows[0], ["t", "q.y", "q.phi_M", "q.phi_S", "u.y", "u.phi_M", "u.phi_S"])
        self.assertEqual([float(row[0]) for row in rows[1:]],
                         [n * 100 * 1e-5 for n in range(10)] + [0.01])
        self.assertEqual(call("export", self.folder, "--csv", "-").stdout, file.read_text())

    def test_the_recording_is_not_overwritten_by_its_export(self):
        call("run", WOODPECKER, "--set", "time.end=0.01", "--out", self.folder)
        recording = self.folder / "recording.h5"
        before = recording.read_bytes()
        self.expect_refusal(call("export", self.folder, "--csv", recording), "the recording itself")
        self.assertEqual(recording.read_bytes(), before)

    def test_damaged_recordings_leave_no_csv(self):
        call("run", WOODPECKER, "--set", "time.end=0.1", "--out", self.folder)
        recording = self.folder / "recording.h5"
        good = recording.read_bytes()
        for k in range(20):
            at = len(good) * k // 20
            recording.write_bytes(good[:at] + bytes(64) + good[at + 64:])
            file = self.folder / "out.csv"
            result = call("export", self.folder, "--csv", file)
            self.assertIn(result.returncode, (0, 2), result)
            self.assertEqual(file.exists(), result.returncode == 0)
            self.assertFalse((self.folder / "out.csv.part").exists())
            file.unlink(missing_ok=True)


def body_scene(kind, bodies, **system):
    return {"stickslip": 1, "name": "bodies", "time": {"step": 0.01, "end": 0.1},
            "system": {"type": kind, "bodies": bodies, **system}}


SWING = body_scene("planar", [
    {"name": "wall", "type": "static", "position": [-9, 0], "shape": {"type": "box", "size": [1, 1]}},
    {"name": "belt", "type": "kinematic", "position": [0, 9], "angle": 0.25,
     "motion": {"type": "constant", "velocity": [2, 0], "angular_velocity": 1}},
    {"name": "arm", "position": [1, 0], "mass": 1, "inertia": 0.1, "angular_velocity": 3,
     "velocity": [0, 3]}],
    gravity=[0, 0],
    joints=[{"name": "hinge", "type": "revolute", "bodies": ["world", "arm"], "position": [0, 0]}])
FLIGHT = body_scene("spatial", [
    {"name": "ball", "position": [0, 0, 5], "velocity": [1, 0, 0], "angular_velocity": [0, 0, 2],
     "shape": {"type": "sphere", "radius": 0.5}}])


class Bodies(Command):
    def write(self, scene, name="scene.json"):
        file = self.folder / name
        file.write_text(json.dumps(scene))
        return file

    def run_json(self, scene, *arguments):
        result = call("run", self.write(scene), "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_planar_bodies_in_json(self):
        run = self.run_json(SWING)
        self.assertNotIn("final", run)
        wall, belt, arm = run["bodies"]
        self.assertEqual(wall, {"name": "wall", "type": "static", "position": [-9, 0],
                                "orientation": 0, "velocity": [0, 0], "angular_velocity": 0})
        self.assertEqual((belt["name"], belt["type"]), ("belt", "kinematic"))
        self.assertAlmostEqual(belt["position"][0], 0.2)
        self.assertAlmostEqual(belt["orientation"], 0.35)
        self.assertAlmostEqual(belt["angular_velocity"], 1)
        self.assertAlmostEqual(arm["orientation"], 0.3, places=3)
        self.assertAlmostEqual(arm["position"][1], math.sin(0.3), places=3)
        self.assertAlmostEqual(math.hypot(*arm["velocity"]), 3, places=2)
        (hinge,) = run["joints"]
        self.assertEqual((hinge["name"], hinge["type"]), ("hinge", "revolute"))
        self.assertAlmostEqual(hinge["coordinates"]["angle"], arm["orientation"])

    def test_spatial_bodies_in_json(self):
        (ball,) = self.run_json(FLIGHT)["bodies"]
        for value, expected in zip(ball["position"], (0.1, 0, 5 - 9.81 * 0.1 ** 2 / 2)):
            self.assertAlmostEqual(value, expected)
        for value, expected in zip(ball["orientation"], (math.cos(0.1), 0, 0, math.sin(0.1))):
            self.assertAlmostEqual(value, expected)
        for value, expected in zip(ball["velocity"], (1, 0, -0.981)):
            self.assertAlmostEqual(value, expected)
        self.assertEqual([round(w, 9) for w in ball["angular_velocity"]], [0, 0, 2])

    def test_csv_of_planar_bodies(self):
        final = self.run_json(SWING, "--out", self.folder / "out")
        rows = list(csv.reader(call("export", self.folder / "out", "--csv", "-").stdout.splitlines()))
        columns = ("x", "y", "angle", "vx", "vy", "omega")
        self.assertEqual(rows[0], ["t", *(f"belt.{c}" for c in columns),
                                   *(f"arm.{c}" for c in columns), "hinge.angle"])
        self.assertEqual(len(rows), 12)
        last = dict(zip(rows[0], map(float, rows[-1])))
        arm = final["bodies"][2]
        self.assertEqual([last["arm.x"], last["arm.y"]], arm["position"])
        self.assertEqual([last["arm.vx"], last["arm.vy"]], arm["velocity"])
        self.assertEqual(last["hinge.angle"], final["joints"][0]["coordinates"]["angle"])
        self.assertEqual(float(rows[1][rows[0].index("belt.angle")]), 0.25)

    def test_csv_of_spatial_bodies(self):
        final = self.run_json(FLIGHT, "--out", self.folder / "out")
        rows = list(csv.reader(call("export", self.folder / "out", "--csv", "-").stdout.splitlines()))
        self.assertEqual(rows[0][1:], [f"ball.{c}" for c in (
            "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz")])
        ball = final["bodies"][0]
        self.assertEqual([float(x) for x in rows[-1][1:]],
                         ball["position"] + ball["orientation"] + ball["velocity"]
                         + ball["angular_velocity"])

    def test_the_table_names_a_few_bodies_only(self):
        scene = body_scene("planar", [], instances=[{
            "name": "b{i}", "grid": {"count": [13, 1], "spacing": [3, 0]},
            "body": {"shape": {"type": "disk", "radius": 1}}}])
        result = call("run", self.write(scene))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("b9", result.stdout)
        self.assertNotIn("b10", result.stdout)
        self.assertIn("... and 3 more", result.stdout)

    def test_a_recording_needs_no_mesh_files(self):
        (self.folder / "tetra.obj").write_text(
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        scene = body_scene("spatial", [
            {"name": "rock", "shape": {"type": "convex", "file": "tetra.obj", "scale": 0.5}}])
        first = self.run_json(scene, "--out", self.folder / "out")
        (self.folder / "tetra.obj").unlink()
        again = call("run", self.folder / "out", "--json")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(json.loads(again.stdout)["hash"], first["hash"])
        self.expect_refusal(call("check", self.folder / "scene.json"), "/system/bodies/0/shape/file",
                            "does not exist")

    def test_overlaps_are_warnings_and_errors_with_strict(self):
        disks = [{"name": f"d{i}", "position": [0.1 * i, 0], "shape": {"type": "disk", "radius": 1}}
                 for i in range(4)]
        scene = self.write(body_scene("planar", disks) | {"time": {"step": 0.01, "end": 0}})
        result = call("check", scene)
        self.assertEqual(result.returncode, 0)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertIn('bodies "d0" and "d1" overlap', lines[0])
        self.assertIn("1 more", lines[5])
        deep = self.write(body_scene("planar", [
            {"name": "floor", "type": "static", "shape": {"type": "half-plane"}},
            {"name": "disk", "position": [0, -2.9], "shape": {"type": "disk", "radius": 1}}]), "deep.json")
        self.assertRegex(call("check", deep).stderr, r", \d{3} % of the smaller one")
        self.expect_refusal(call("check", scene, "--strict"), "d0", "d1", "overlap")
        self.expect_refusal(call("run", scene, "--strict", "--out", self.folder / "out"), "overlap")
        self.assertFalse((self.folder / "out").exists())
        touching = [disks[0], disks[1] | {"position": [1.99, 0]}]
        fine = call("check", self.write(body_scene("planar", touching)), "--strict")
        self.assertEqual(fine.returncode, 0, fine.stderr)

    def test_rolling_friction_stops_a_ball(self):
        floor = {"name": "floor", "type": "static", "shape": {"type": "half-space"}}
        ball = {"name": "ball", "position": [0, 0, 0.5], "velocity": [1, 0, 0],
                "angular_velocity": [0, 2, 0], "mass": 1,
                "shape": {"type": "sphere", "radius": 0.5}}
        scene = body_scene("spatial", [floor, ball]) | {"time": {"step": 0.01, "end": 2}}
        speeds = []
        for rolling in (0, 0.05):
            scene["system"]["gravity"] = [0, 0, -9.81]
            scene["system"]["materials"] = {"default": {"rolling_friction": rolling}}
            result = call("run", self.write(scene), "--json", "--strict")
            self.assertEqual(result.returncode, 0, result.stderr)
            speeds.append(json.loads(result.stdout)["bodies"][1]["velocity"][0])
        self.assertAlmostEqual(speeds[0], 1, places=6)
        self.assertAlmostEqual(speeds[1], 0, places=6)

    def test_bad_bodies_are_refused(self):
        ball = FLIGHT["system"]["bodies"][0]
        for changes, words in (
                ({"mass": 0}, ("/system/bodies/0/mass", "> 0")),
                ({"mass": 1, "inertia": [1, 1, 3]}, ("/system/bodies/0/inertia", "triangle")),
                ({"shape": {"type": "mesh", "file": "none.stl"}}, ("none.stl", "does not exist")),
                ({"shape": {"type": "half-space"}}, ("half-space", "static")),
                ({"shape": {"type": "convex", "file": "/etc/passwd"}}, ("relative",)),
                ({"mass": 1e200}, ("/system/bodies/0/mass", "beyond any unit")),
                ({"shape": {"type": "sphere", "radus": 1}}, ("did you mean", '"radus"')),
                ({"colour": "red"}, ("/system/bodies/0/colour", "unknown"))):
            scene = body_scene("spatial", [ball | changes])
            self.expect_refusal(call("check", self.write(scene)), "scene.json:1", *words)
        for method in ({"cone": "planar"}, {"solver": "lemke"}, {"directions": 6},
                       {"scheme": "midpoint", "implicit": True}, {"scheme": "midpoint", "margin": 1},
                       {"scheme": "position", "impact": "reflected"}, {"rest_speed": -1},
                       {"scheme": "position", "geometry": "start"}, {"scheme": "midpoint", "joint_stabilization": "none"},
                       {"preset": "glocker"}):
            self.expect_refusal(call("check", self.write(FLIGHT | {"method": method})), "/method")
        polyhedral = {"cone": "polyhedral", "solver": "lemke", "directions": 6}
        fine = call("check", self.write(FLIGHT | {"method": polyhedral}))
        self.assertEqual(fine.returncode, 0, fine.stderr)
        self.expect_refusal(call("check", self.write(FLIGHT | {
            "method": polyhedral | {"directions": 2}})), "/method/directions", "3 to 64")
        scene = FLIGHT | {"initial": {"q": {"x": 1}}}
        self.expect_refusal(call("check", self.write(scene)), "/initial/q", "linear")

    def test_a_thousand_million_bodies_are_refused_at_once(self):
        scene = body_scene("spatial", [], instances=[{
            "name": "b{i}", "grid": {"count": [1000, 1000, 1000], "spacing": [1, 1, 1]},
            "body": {"shape": {"type": "sphere", "radius": 0.1}}}])
        self.expect_refusal(call("check", self.write(scene)), "/system/instances/0/grid", "1000000")

    def test_columns_have_different_names(self):
        hinge = SWING["system"]["joints"][0]
        scene = body_scene("planar", SWING["system"]["bodies"], joints=[hinge | {"name": "arm"}])
        self.expect_refusal(call("check", self.write(scene)), "/system/joints/0/name", '"arm"', "twice")

    def test_times_of_body_scenes_are_in_some_unit(self):
        scene = FLIGHT | {"time": {"step": 1e-200, "end": 1e-190}}
        self.expect_refusal(call("check", self.write(scene)), "/time/step", "beyond any unit")

    def test_the_schema_is_printed(self):
        result = call("check", "--schema")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, (SCENES.parent / "schema" / "scene.schema.json").read_text())
        self.expect_refusal(call("check"), "--help")


class Solve(Command):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def lcp(self, matrix, q):
        n = len(q)
        columns = "\n".join(str(matrix[i][j]) for j in range(n) for i in range(n))
        head = "%%MatrixMarket matrix array real general\n"
        return (self.write("N.mtx", f"{head}{n} {n}\n{columns}\n"),
                self.write("q.mtx", f"{head}{n} 1\n" + "\n".join(map(str, q)) + "\n"))

    def test_solved(self):
        out = self.folder / "z.mtx"
        result = call("solve", "--lcp", *self.lcp([[2, 1], [1, 2]], [-5, -6]), "--json", "--out", out)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual((answer["kind"], answer["size"], answer["status"]), ("lcp", 2, "solved"))
        self.assertLess(answer["residual"], 1e-12)
        lines = [line for line in out.read_text().splitlines() if not line.startswith("%")]
        z = [float(x) for x in lines[1:]]
        self.assertAlmostEqual(z[0], 4 / 3)
        self.assertAlmostEqual(z[1], 7 / 3)

    def test_ray(self):
        out = self.folder / "z.mtx"
        result = call("solve", "--lcp", *self.lcp([[1, -1], [-1, 1]], [-1, -1]), "--json", "--out",
                      out)
        self.assertEqual(result.returncode, 1)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["status"], "ray")
        self.assertEqual(answer["ray"], [1, 1])
        self.assertTrue(answer["infeasible"])
        self.assertFalse(out.exists())

    def test_limit(self):
        result = call("solve", "--lcp", *self.lcp([[2, 1], [1, 2]], [-5, -6]), "--json", "--budget",
                      "1")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(json.loads(result.stdout)["status"], "iteration_limit")
        self.assertIn("the budget of 1 iterations is used up", result.stderr)

    def test_the_tolerance_decides_both_ways(self):
        matrix = [[1 / (i + j + 1) + (0.1 if i == j else 0) for j in range(6)] for i in range(6)]
        files = self.lcp(matrix, [-1 / (i + 3) for i in range(6)])
        loose = call("solve", "--lcp", *files, "--json", "--tolerance", "0.1")
        self.assertEqual(json.loads(loose.stdout)["status"], "solved")
        tight = call("solve", "--lcp", *files, "--json", "--tolerance", "1e-20")
        self.assertEqual(tight.returncode, 1)
        self.assertEqual(json.loads(tight.stdout)["status"], "inaccurate")

    def test_bad_files(self):
        N, q = self.lcp([[2, 1], [1, 2]], [-5, -6])
        self.expect_refusal(call("solve", "--lcp", self.folder / "none.mtx", q), "no such file")
        self.expect_refusal(call("solve", "--lcp", q, q), "square")
        long_q = self.write("long.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n")
        self.expect_refusal(call("solve", "--lcp", N, long_q), "long.mtx", "2 x 1")
        bad = self.write("bad.mtx", "%%MatrixMarket matrix array real general\n1 1\nx\n")
        self.expect_refusal(call("solve", "--lcp", bad, q), "bad.mtx:3")


class General(Command):
    def test_version_and_help(self):
        self.assertRegex(call("--version").stdout, r"^stickslip \d+\.\d+\.\d+\n$")
        for arguments in (("--help",), ("run", "--help"), ("solve", "--help")):
            result = call(*arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("--help", result.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
