#!/usr/bin/env python3
"""Contact problems as files: solve FILE and run --dump-problem. Usage: as cli_test.py"""
import json
import os
import pathlib
import subprocess
import unittest

from cli_test import PROGRAM, SCENES, Command, call

PROBLEMS = SCENES / "problems"
STACK = PROBLEMS / "box-stack.hdf5"
LOCAL = PROBLEMS / "box-stack-local.hdf5"
DUMP = PROBLEMS / "woodpecker.hdf5"
FOREIGN = pathlib.Path(os.environ.get("STICKSLIP_FCLIB", SCENES.parent.parent / "shared" / "fclib"))
FIELDS = {"kind", "size", "contacts", "solver", "status", "residual", "fclib_error", "iterations",
          "seconds"}


def numbers_of(matrix_market):
    head, *lines = matrix_market.read_text().splitlines()
    assert head == "%%MatrixMarket matrix array real general"
    size, *values = [line for line in lines if not line.startswith("%")]
    assert size == f"{len(values)} 1"
    values = [float(value) for value in values]
    return values


class SolveFile(Command):
    def solve(self, *arguments, code=0):
        result = call("solve", *arguments, "--json")
        self.assertEqual(result.returncode, code, result.stderr)
        answer = json.loads(result.stdout)
        self.assertEqual(answer["status"] == "solved", code == 0)
        self.assertLessEqual(FIELDS, set(answer))
        return answer

    def test_each_kind_is_recognized_and_solved(self):
        for file, kind, size, contacts in ((STACK, "fclib_global", 36, 12), (DUMP, "dump", 2, 1),
                                           (LOCAL, "fclib_local", 36, 12)):
            answer = self.solve(file)
            self.assertEqual((answer["kind"], answer["size"], answer["contacts"]),
                             (kind, size, contacts))
            self.assertLess(max(answer["residual"], answer["fclib_error"]), 1e-8)
            self.assertGreater(answer["seconds"], 0)

    def test_the_relaxed_law(self):
        for file in (STACK, LOCAL, DUMP):
            answer = self.solve(file, "--law", "relaxed")
            self.assertLess(max(answer["residual"], answer["fclib_error"]), 1e-8)
        answer = self.solve(STACK, "--law", "relaxed", "--tolerance", "1e-11")
        self.assertLess(answer["fclib_error"], 1e-11)

    def test_one_line_for_people(self):
        result = call("solve", STACK)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout.count("\n"), 1)
        self.assertIn("solved: fclib_global with 12 contacts", result.stdout)

    def test_the_stages_of_the_solver_are_named(self):
        answer = self.solve(STACK, "--solver", "exact")
        stages = {entry["stage"]: entry for entry in answer["stages"]}
        self.assertEqual(sum(entry["solved"] for entry in answer["stages"]), 1)
        self.assertEqual(sum(entry["iterations"] for entry in answer["stages"]),
                         answer["iterations"])
        self.assertEqual(stages["start"]["tried"], 1)
        self.assertNotIn("trace", answer)

    def test_auto_names_the_sweeps_that_solve_a_local_problem(self):
        loose = pathlib.Path(self.folder) / "loose.hdf5"
        call("run", SCENES / "sliding-block.json", "--set", "time.end=0.01", "--dump-problem", "5",
             "--dump-to", loose, "--dump-format", "fclib-local")
        answer = self.solve(loose)
        self.assertEqual([entry["stage"] for entry in answer["stages"]], ["local sweeps"])

    def test_a_trace_says_what_each_stage_did(self):
        answer = self.solve(STACK, "--solver", "exact", "--trace")
        trace = answer["trace"]
        self.assertEqual([entry["stage"] for entry in trace],
                         [entry["stage"] for entry in answer["stages"]])
        self.assertEqual([entry["solved"] for entry in trace].count(True), 1)
        for before, after in zip(trace, trace[1:]):
            self.assertEqual(before["residual_after"], after["residual_before"])
        self.assertLess(trace[-1]["residual_after"], 1e-8)
        self.assertGreater(trace[-1]["seconds"], 0)
        self.assertEqual((trace[-1]["rows"], trace[-1]["solver"]), (36, "exact"))

    def test_a_trace_for_people(self):
        result = call("solve", STACK, "--solver", "exact", "--trace")
        head, *lines, verdict = result.stdout.splitlines()
        self.assertEqual(head.split(), ["island", "rows", "solver", "stage", "iterations",
                                        "residual", "seconds"])
        self.assertIn("solved: fclib_global", verdict)
        self.assertEqual([line.endswith("solved") for line in lines].count(True), 1)
        for line in lines:
            self.assertEqual(line.split()[:3], ["0", "36", "exact"])

    def test_every_solver_reports_stages(self):
        for solver in ("auto", "exact", "convex", "accelerated", "fixed-point-1", "fixed-point-2",
                       "sweeps"):
            arguments = ("--law", "relaxed") if solver == "convex" else ()
            result = call("solve", STACK, "--solver", solver, "--trace", "--json", *arguments)
            answer = json.loads(result.stdout)
            self.assertGreater(len(answer["stages"]), 0, solver)
            self.assertEqual({entry["stage"] for entry in answer["stages"]},
                             {entry["stage"] for entry in answer["trace"]}, solver)
        answer = self.solve(DUMP, "--solver", "lemke", "--trace")
        self.assertEqual([entry["stage"] for entry in answer["stages"]], ["dense pivoting"])
        self.assertIsNone(answer["trace"][0]["residual_before"])

    def test_an_lcp_has_no_trace(self):
        result = call("solve", "--lcp", STACK, STACK, "--trace")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--trace is for contact problems", result.stderr)

    def test_solutions_are_written(self):
        out, copy = self.folder / "r.mtx", self.folder / "copy.hdf5"
        self.solve(STACK, "--out", out, "--write-solution", copy)
        impulses = numbers_of(out)
        self.assertEqual(len(impulses), 36)
        # The boxes rest for a step of 0.01 s: 1000 kg on 1 kg, which stands on the floor.
        self.assertAlmostEqual(sum(impulses[0::3]), (1000 + 1001) * 9.81 * 0.01, places=6)
        self.assertGreater(copy.stat().st_size, STACK.stat().st_size)
        self.solve(copy)
        self.solve(copy, "--write-solution", copy)
        self.solve(copy)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["copy.hdf5", "r.mtx"])

    def test_the_best_point_is_written_if_asked_for(self):
        out, copy = self.folder / "r.mtx", self.folder / "copy.hdf5"
        hard = ("--tolerance", "1e-300", "--out", out, "--write-solution", copy)
        answer = self.solve(STACK, *hard, code=1)
        self.assertGreater(answer["residual"], 0)
        self.assertFalse(out.exists() or copy.exists())
        self.solve(STACK, *hard, "--best", code=1)
        self.assertEqual(len(numbers_of(out)), 36)
        self.assertTrue(copy.exists())

    def test_the_budget_is_kept(self):
        answer = self.solve(STACK, "--solver", "exact", "--budget", "1", "--tolerance", "1e-15", code=1)
        self.assertLessEqual(answer["iterations"], 1)

    def test_damaged_files(self):
        def damaged(name, content):
            (self.folder / name).write_bytes(content)
            return self.folder / name
        whole = STACK.read_bytes()
        self.expect_refusal(call("solve", damaged("short.hdf5", whole[:len(whole) // 2])),
                            "short.hdf5")
        self.expect_refusal(call("solve", damaged("text.hdf5", b"no HDF5")), "text.hdf5", "HDF5")
        self.expect_refusal(call("solve", damaged("empty.hdf5", b"")), "empty.hdf5", "HDF5")
        self.expect_refusal(call("solve", self.folder / "none.hdf5"), "none.hdf5", "no such file")
        self.expect_refusal(call("solve", self.folder), "not a file")
        # The dataset's name is spoilt: nothing else tells where it was.
        self.expect_refusal(call("solve", damaged("name.hdf5", whole.replace(b"spacedim", b"spacebar"))),
                            "name.hdf5", "/fclib_global/spacedim", "missing")

    def test_recordings_are_no_problems(self):
        call("run", SCENES / "incline.json", "--set", "time.end=0.01", "--out", self.folder / "out")
        self.expect_refusal(call("solve", self.folder / "out" / "recording.h5"), "recording",
                            "--dump-problem")

    def test_options_that_do_not_fit(self):
        self.expect_refusal(call("solve", STACK, "--solver", "lemke"), "box-stack.hdf5", "lemke")
        self.expect_refusal(call("solve", STACK, "--solver", "none"), "none")
        self.expect_refusal(call("solve", STACK, "--tolerance", "0"), "--tolerance")
        self.expect_refusal(call("solve", STACK, "--lcp", "N.mtx", "q.mtx"), "--lcp")
        self.expect_refusal(call("solve"), "--lcp")
        self.expect_refusal(call("solve", "--lcp", "N.mtx", "q.mtx", "--best"), "--best")
        self.expect_refusal(call("solve", "--lcp", "N.mtx", "q.mtx", "--solver", "exact"), "lemke")
        self.expect_refusal(call("solve", STACK, "--write-solution", self.folder / "no" / "x.hdf5"),
                            "x.hdf5", "cannot be written")

    @unittest.skipUnless(FOREIGN.is_dir(), "no problems of others here")
    def test_problems_of_others(self):
        for file in (*FOREIGN.glob("Box_Stacks*.hdf5"), *FOREIGN.glob("FrictionContact*.hdf5")):
            answer = self.solve(file, "--write-solution", self.folder / "copy.hdf5")
            self.assertLess(answer["fclib_error"], 1e-8)


class DumpProblem(Command):
    def run_in_folder(self, *arguments):
        return subprocess.run([PROGRAM, "run", *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder)

    def test_dumps_solve_to_the_certified_answer(self):
        for scene in ("box-stack.json", "four-bar.json", "rocking-block.json", "wedge.json"):
            result = self.run_in_folder(SCENES / scene, "--set", "time.end=0.3", "--dump-problem", "1",
                                        "--dump-problem", "30", "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            stem = scene.removesuffix(".json")
            names = [f"{stem}-1.hdf5", f"{stem}-30.hdf5"]
            self.assertEqual(json.loads(result.stdout)["problems"], names)
            for name in names:
                solved = call("solve", self.folder / name, "--json")
                self.assertEqual(solved.returncode, 0, solved.stderr)
                self.assertEqual(json.loads(solved.stdout)["kind"], "dump")

    def test_formats(self):
        for form, kind in (("own", "dump"), ("fclib", "fclib_global"), ("fclib-local", "fclib_local")):
            result = self.run_in_folder(SCENES / "box-stack.json", "--set", "time.end=0.05",
                                        "--dump-problem", "2", "--dump-to", "x.hdf5", "--dump-format",
                                        form)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("x.hdf5", result.stdout)
            answer = json.loads(call("solve", self.folder / "x.hdf5", "--json").stdout)
            self.assertEqual((answer["kind"], answer["contacts"]), (kind, 12))

    def test_equal_runs_make_equal_files(self):
        content = []
        for name in ("a.hdf5", "b.hdf5"):
            self.run_in_folder(SCENES / "wedge.json", "--dump-problem", "5", "--dump-to", name)
            content.append((self.folder / name).read_bytes())
        self.assertEqual(content[0], content[1])

    def test_a_recorded_run_is_dumped_by_its_folder_s_name(self):
        self.run_in_folder(SCENES / "wedge.json", "--set", "time.end=0.1", "--out", "record")
        result = self.run_in_folder("record/", "--dump-problem", "3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "record-3.hdf5").is_file())

    def test_what_cannot_be_dumped(self):
        scene = SCENES / "box-stack.json"
        self.expect_refusal(call("run", scene, "--dump-problem", "100000"), "--dump-problem 100000",
                            "500 steps")
        self.expect_refusal(call("run", scene, "--dump-problem", "0"), "impact")
        self.expect_refusal(call("run", scene, "--dump-problem", "-1"), "--dump-problem")
        self.expect_refusal(call("run", scene, "--dump-to", "x.hdf5"), "--dump-problem")
        self.expect_refusal(call("run", scene, "--dump-problem", "1", "--dump-problem", "2",
                                 "--dump-to", "x.hdf5"), "--dump-to")
        self.expect_refusal(call("run", scene, "--dump-problem", "1", "--dump-to",
                                 self.folder / "no" / "x.hdf5"), "x.hdf5", "cannot be written")
        self.expect_refusal(call("run", SCENES / "joints" / "gear.json", "--dump-problem", "1",
                                 "--dump-to", self.folder / "x.hdf5", "--dump-format", "fclib"),
                            "x.hdf5", "FCLIB", "bounded row")
        self.assertFalse((self.folder / "x.hdf5").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
