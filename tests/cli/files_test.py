#!/usr/bin/env python3
"""What the program writes over, and what it never does: files, links, devices, folders in use.

Usage: files_test.py PROGRAM SCENES

Every target is in a scratch folder. The device is a node made there, so that a program that fails this
test replaces nothing else; a user who cannot make one cannot replace /dev/null either.
"""
import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
SCENES = pathlib.Path(sys.argv.pop(1)).resolve()
SCENE = SCENES / "woodpecker.json"
SHORT = ("--set", "time.end=0.002")
PROBLEM = SCENES / "problems" / "box-stack.hdf5"
NOBODY = 65534


def call(*arguments, **how):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                          **how)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"

    def refused(self, result, *words):
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def fine(self, result):
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def record(self, *arguments):
        return call("run", SCENE, *SHORT, "--out", self.out, *arguments)

    def text(self, name="note.txt", content="not yours"):
        file = self.folder / name
        file.write_text(content)
        return file

    def copy_of_a_problem(self, name):
        """As somebody else's program would have written it."""
        file = self.folder / name
        file.write_bytes(PROBLEM.read_bytes().replace(b"written_by_stickslip", b"written_by_somebody!"))
        return file

    def device(self):
        node = self.folder / "device"
        try:
            os.mknod(node, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            return pathlib.Path("/dev/null")
        return node

    def fifo(self):
        os.mkfifo(self.folder / "fifo")
        return self.folder / "fifo"

    def content(self):
        """Everything in the scratch folder: name, kind, bytes."""
        def of(path):
            kind = stat.S_IFMT(path.lstat().st_mode)
            return (str(path), kind, path.read_bytes() if stat.S_ISREG(kind) else
                    os.readlink(path) if stat.S_ISLNK(kind) else None)
        return sorted(of(path) for path in self.folder.rglob("*"))

    def nothing_changes(self, *arguments, words=()):
        before = self.content()
        self.refused(call(*arguments), *words)
        self.assertEqual(self.content(), before)


class Targets(Files):
    """The same rules for every option that names a file."""

    def commands(self, target):
        problem = self.folder / "problem.hdf5"
        matrix, vector = self.folder / "N.mtx", self.folder / "q.mtx"
        if not self.out.exists():
            self.fine(self.record())
            self.copy_of_a_problem(problem.name)
            head = "%%MatrixMarket matrix array real general\n"
            matrix.write_text(head + "1 1\n2\n")
            vector.write_text(head + "1 1\n-1\n")
        return (("export", self.out, "--csv", target),
                ("run", SCENE, *SHORT, "--dump-problem", 2, "--dump-to", target),
                ("solve", problem, "--out", target),
                ("solve", problem, "--write-solution", target),
                ("solve", "--lcp", matrix, vector, "--out", target))

    def test_devices_fifos_links_and_folders_are_refused_and_stay(self):
        victim = self.text()
        link = self.folder / "link"
        link.symlink_to(victim)
        dangling = self.folder / "dangling"
        dangling.symlink_to(self.folder / "outside")
        (self.folder / "sub").mkdir()
        for target, word in ((self.device(), "device"), (self.fifo(), "FIFO"), (link, "link"),
                             (dangling, "link"), (self.folder / "sub", "folder")):
            for command in self.commands(target):
                with self.subTest(command=command[:2], target=target.name):
                    self.nothing_changes(*command, words=(str(target), word))
        self.assertTrue(stat.S_ISCHR(pathlib.Path("/dev/null").stat().st_mode))

    def test_files_of_others_are_refused_and_stay(self):
        scene = self.text("scene.json", SCENE.read_text())
        table = self.text("table.csv", "time,speed\n0,1\n")
        points = self.text("points.csv", "t,x,y\n0,1,2\n")
        empty = self.text("empty", "")
        foreign = self.copy_of_a_problem("collected.hdf5")
        for target in (scene, table, points, empty, foreign):
            for command in self.commands(target):
                with self.subTest(command=command, target=target.name):
                    self.nothing_changes(*command, words=(str(target), "not replaced"))

    def test_inputs_and_results_of_other_kinds_are_refused_and_stay(self):
        export, dump, solve, _, lcp = self.commands(self.folder / "q.mtx")
        for command in (solve, lcp, export, dump):
            self.nothing_changes(*command, words=("q.mtx",))
        for command in self.commands(self.out / "recording.h5"):
            self.nothing_changes(*command, words=("recording.h5",))

    def test_own_files_are_replaced(self):
        for k, command in enumerate(self.commands(self.folder / "new")):
            command = [self.folder / f"new{k}" if word == self.folder / "new" else word
                       for word in command]
            self.fine(call(*command))
            first = (self.folder / f"new{k}").read_bytes()
            (self.folder / f"new{k}").chmod(0o644)
            self.fine(call(*command))
            self.assertEqual((self.folder / f"new{k}").read_bytes(), first)
        self.assertEqual([p for p in self.folder.rglob("*.part")], [])

    def test_a_problem_may_get_its_own_solution_and_remains_whose_it_was(self):
        problem = self.copy_of_a_problem("mine.hdf5")
        before = problem.read_bytes()
        self.fine(call("solve", problem, "--write-solution", problem))
        self.assertNotEqual(problem.read_bytes(), before)
        self.nothing_changes("run", SCENE, *SHORT, "--dump-problem", 2, "--dump-to", problem,
                             words=("mine.hdf5",))

    def test_a_name_without_a_folder_is_found_before_the_work(self):
        for target in (self.folder / "no" / "file", self.text() / "file"):
            for command in self.commands(target):
                self.nothing_changes(*command, words=("cannot be written",))

    def test_two_results_do_not_go_to_one_file(self):
        self.nothing_changes("solve", PROBLEM, "--out", self.folder / "x", "--write-solution",
                             self.folder / "." / "x", words=("same file",))
        self.nothing_changes("run", SCENE, *SHORT, "--dump-problem", 2, "--out", self.out, "--dump-to",
                             self.out / "recording.h5", words=("where the recording goes",))
        self.fine(call("run", SCENE, *SHORT, "--dump-problem", 2, "--out", self.out, "--dump-to",
                       self.out / "problem.hdf5"))


class Recordings(Files):
    def frames(self, folder=None):
        lines = self.fine(call("export", folder or self.out, "--csv", "-")).stdout.splitlines()
        return len(lines) - 1

    def test_an_existing_recording_needs_force(self):
        self.fine(call("run", SCENE, "--set", "time.end=0.01", "--out", self.out))
        self.assertEqual(self.frames(), 1001)
        self.nothing_changes("run", SCENE, *SHORT, "--out", self.out, words=("--force", "1001 frames"))
        self.nothing_changes("run", self.out, "--out", self.out, words=("--force",))
        self.fine(self.record("--force"))
        self.assertEqual(self.frames(), 201)
        self.assertEqual([p.name for p in self.out.iterdir()], ["recording.h5"])
        self.refused(call("run", SCENE, "--force"), "--out")

    def test_what_is_not_a_recording_is_never_replaced(self):
        self.out.mkdir()
        recording = self.out / "recording.h5"
        outside = self.text()
        for make in (lambda: recording.write_text("my notes"), lambda: recording.write_bytes(b""),
                     lambda: shutil.copy(PROBLEM, recording), lambda: recording.symlink_to(outside),
                     lambda: recording.symlink_to(self.folder / "nowhere"),
                     lambda: os.mkfifo(recording)):
            make()
            for force in ((), ("--force",)):
                self.nothing_changes("run", SCENE, *SHORT, "--out", self.out, *force,
                                     words=("recording.h5",))
            recording.unlink()
        recording.mkdir()
        self.nothing_changes("run", SCENE, *SHORT, "--out", self.out, "--force", words=("folder",))

    def test_the_folder_itself_may_be_a_link(self):
        (self.folder / "disk").mkdir()
        self.out.symlink_to(self.folder / "disk")
        self.fine(self.record())
        self.assertTrue((self.folder / "disk" / "recording.h5").is_file())
        self.out.unlink()
        self.out.symlink_to(self.folder / "nowhere")
        self.nothing_changes("run", SCENE, *SHORT, "--out", self.out, words=("--out", "nowhere"))

    def test_obstacles_are_found_before_the_work(self):
        file = self.text()
        # Would take hours.
        endless = ("run", SCENE, "--set", "time.end=1e4")
        self.nothing_changes(*endless, "--out", file, words=("--out",))
        self.nothing_changes(*endless, "--out", file / "below", words=("--out",))
        self.nothing_changes(*endless, "--out", self.out / ("x" * 300), words=("--out",))
        self.nothing_changes(*endless, "--out", self.out, "--dump-problem", 5, "--dump-to", file,
                             words=("note.txt",))
        self.assertFalse(self.out.exists())

    def test_read_only_folders_and_files(self):
        as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        try:
            if call("--version", **as_user).returncode != 0:
                self.skipTest("the program cannot be run as another user")
        except PermissionError:
            self.skipTest("the program cannot be run as another user")
        scene = self.text("scene.json", SCENE.read_text())
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        before = self.content()
        for out in (self.folder, self.out):
            self.refused(call("run", scene, *SHORT, "--out", out, **as_user), "--out")
        self.assertEqual(self.content(), before)
        self.folder.chmod(0o777)
        self.fine(call("run", scene, *SHORT, "--out", self.out, **as_user))
        table = self.folder / "table.csv"
        self.fine(call("export", self.out, "--csv", table, **as_user))
        table.chmod(0o444)
        before = self.content()
        self.refused(call("export", self.out, "--csv", table, **as_user), "table.csv")
        self.assertEqual(self.content(), before)

    def long_run(self):
        process = subprocess.Popen([PROGRAM, "run", SCENE, "--set", "time.end=1000", "--out", self.out],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.out / "recording.h5").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process

    def test_two_runs_do_not_mix_and_a_killed_one_does_not_block(self):
        first = self.long_run()
        try:
            for force in ((), ("--force",)):
                self.refused(self.record(*force), "another run")
            self.refused(call("converge", SCENE, "--steps", 1e-3, 5e-4, *SHORT, "--out", self.out),
                         "another run")
            self.assertIsNone(first.poll())
        finally:
            first.kill()
            first.wait()
        self.assertGreater(self.frames(), 0)
        self.assertEqual([p.name for p in self.out.iterdir()], ["recording.h5"])
        self.refused(self.record(), "--force")
        self.fine(self.record("--force"))
        self.assertEqual(self.frames(), 201)

    def test_many_runs_at_once_leave_one_whole_recording(self):
        runs = [subprocess.Popen([PROGRAM, "run", SCENE, "--set", f"time.end={0.001 * (1 + k)}",
                                  "--out", self.out, "--force"], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True) for k in range(6)]
        errors = [run.communicate()[1] for run in runs]
        codes = [run.returncode for run in runs]
        self.assertIn(0, codes)
        for code, error in zip(codes, errors):
            self.assertIn(code, (0, 2), error)
            self.assertEqual(error.count("\n"), 1 if code else 0, error)
        wanted = {101 + 100 * k for k, code in enumerate(codes) if code == 0}
        self.assertIn(self.frames(), wanted)
        self.assertEqual([p.name for p in self.out.iterdir()], ["recording.h5"])


class Reports(Files):
    def converge(self, *arguments):
        return ("converge", SCENES / "sliding-block.json", "--steps", 0.02, 0.01, *arguments)

    def test_only_reports_of_ours_are_replaced(self):
        self.fine(call(*self.converge("--out", self.out)))
        self.fine(call(*self.converge("--out", self.out)))
        self.assertEqual(sorted(p.name for p in self.out.iterdir()), ["converge.json", "report.html"])
        for name, text in (("report.html", "<html>mine</html>"), ("converge.json", SCENE.read_text())):
            own = (self.out / name).read_text()
            (self.out / name).write_text(text)
            self.nothing_changes(*self.converge("--out", self.out), words=(name, "not replaced"))
            (self.out / name).write_text(own)

    def test_an_experiment_does_not_replace_a_scene_of_its_name(self):
        self.out.mkdir()
        shutil.copy(SCENES / "papers" / "rod.json", self.out)
        self.nothing_changes("reproduce", "rod", "--quick", "--out", self.out, words=("rod.json",))
        (self.out / "rod.json").unlink()
        for _ in range(2):
            self.fine(call("reproduce", "rod", "--quick", "--out", self.out))
        (self.out / "report.html").unlink()
        (self.out / "report.html").symlink_to(self.text())
        self.nothing_changes("reproduce", "rod", "--quick", "--out", self.out, words=("report.html",))

    def test_fields_that_converge_sets_itself(self):
        for change in ("time.step=-5", "time.step=0.01", "time.step=nan", "time={\"step\":-5,\"end\":1}",
                       "time.end=nan", "no.such.field=1", "time.stp=1"):
            self.nothing_changes(*self.converge("--set", change, "--out", self.out), words=("time" if
                                 "time" in change else "no.such",))
        self.nothing_changes(*self.converge("--set", "method.scheme=midpoint", "--schemes", "position",
                                            "--out", self.out), words=("--schemes",))
        self.nothing_changes(*self.converge("--set", "method.preset=anitescu", "--presets", "moreau",
                                            "--out", self.out))
        self.assertFalse(self.out.exists())


class Inputs(Files):
    def test_devices_and_fifos_are_refused_without_waiting(self):
        for source in (self.device(), self.fifo()):
            named = self.folder / f"{source.name}.obj"
            for command in (("run", source), ("check", source), ("export", source, "--csv", "-"),
                            ("solve", source), ("solve", "--lcp", source, source),
                            ("converge", source, "--steps", 0.1, 0.2)):
                with self.subTest(command=command):
                    self.refused(call(*command), str(source), "regular")
            named.symlink_to(source)
            scene = self.text("scene.json", json.dumps({
                "stickslip": 1, "name": "mesh", "time": {"step": 0.01, "end": 0.1},
                "system": {"type": "spatial", "bodies": [
                    {"name": "b", "shape": {"type": "convex", "file": named.name}}]}}))
            self.refused(call("check", scene), named.name)

    def test_a_recording_that_is_a_fifo(self):
        self.out.mkdir()
        os.mkfifo(self.out / "recording.h5")
        self.refused(call("run", self.out), "recording")
        self.refused(call("export", self.out, "--csv", "-"), "regular")

    def test_links_to_inputs_are_followed(self):
        link = self.folder / "link.json"
        link.symlink_to(SCENE)
        self.fine(call("check", link))
        with open(SCENE) as stream:
            self.fine(call("check", "/dev/stdin", stdin=stream))
        self.refused(call("check", "/dev/stdin", stdin=subprocess.PIPE), "regular")


class Numbers(Files):
    def test_steps_are_counted_in_64_bits(self):
        # 3e9 steps are more than 32 bits hold.
        done = self.fine(call("check", SCENE, "--set", "time.step=1e-9", "--set", "time.end=3"))
        self.assertIn("3000000000 steps", done.stdout)
        done = self.fine(call("run", SCENE, *SHORT, "--set", "recording.every=5000000000", "--json"))
        self.assertEqual(json.loads(done.stdout)["steps"], 200)
        self.refused(call("check", SCENE, "--set", "time.step=1e-300"), "time", "steps")
        self.refused(call("run", SCENE, "--dump-problem", "9223372036854775808"), "--dump-problem")


if __name__ == "__main__":
    unittest.main(verbosity=2)
