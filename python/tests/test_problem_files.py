"""Contact problems as files: the same as those of the program, bit for bit both ways; and damaged ones."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

import stickslip as ss
from stickslip.problem import ImpulseSet

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = sorted((ROOT / "scenes" / "problems").glob("*.hdf5"))
STACK = ROOT / "scenes" / "problems" / "box-stack.hdf5"
LOCAL = ROOT / "scenes" / "problems" / "box-stack-local.hdf5"
DUMP = ROOT / "scenes" / "problems" / "woodpecker.hdf5"
FOREIGN = sorted(Path(os.environ.get("STICKSLIP_FCLIB", ROOT.parent / "shared" / "fclib")).glob("*.hdf5"))


def solve_as_the_program(path: Path, **changes: Any) -> ss.ContactSolution:
    """By the method that the file names, and to FCLIB's measure if it is FCLIB's."""
    problem = ss.read_problem(path)
    method = {**problem.method, "fclib": problem.origin["format"] != "stickslip", **changes}
    if changes.get("solver", method.get("solver")) != problem.method.get("solver"):
        method["budget"] = changes.get("budget", 0)
    return problem.solve(**method)


def expect_same(solution: ss.ContactSolution, answer: dict[str, Any]) -> None:
    """To the last bit."""
    assert (solution.status, solution.iterations, solution.residual, solution.certificate.fclib_error) == (
        answer["status"], answer["iterations"], answer["residual"], answer["fclib_error"])  # fmt: skip


def read_vector(path: Path) -> list[float]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    return [float(line) for line in lines[1:]]


def same_parts(a: ss.ContactProblem, b: ss.ContactProblem) -> bool:
    return a._parts.keys() == b._parts.keys() and all(
        np.array_equal(value, b._parts[name]) for name, value in a._parts.items())  # fmt: skip


def datasets(path: Path) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


# ---- The program reads the same ----


@pytest.mark.parametrize("solver", ["", "auto", "exact", "lemke", "accelerated"])
@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_a_file_has_the_program_s_answer(path, solver, program, tmp_path):
    choice = ["--solver", solver] if solver else []
    if solver == "lemke" and path.stem in ("box-stack", "box-stack-local", "rock-pile"):
        with pytest.raises(ss.InputError, match="circular"):
            solve_as_the_program(path, solver=solver)
        return
    answer = program("solve", path, *choice, "--out", tmp_path / "r.mtx")
    solution = solve_as_the_program(path, **({"solver": solver} if solver else {}))
    expect_same(solution, answer)
    if solution.certified:
        assert solution.p.tolist() == read_vector(tmp_path / "r.mtx")
    assert [stage._asdict() for stage in solution.stages] == [
        {"name": stage.pop("stage"), **stage} for stage in answer["stages"]]  # fmt: skip


def test_answers_are_those_of_the_committed_table():
    import csv

    with (ROOT / "tests" / "scenes" / "problems.csv").open() as table:
        rows = [row for row in csv.DictReader(table) if row["solver"] in ("auto", "exact", "convex", "sweeps")]
    assert len(rows) > 40
    for row in rows:
        path, changes = ROOT / "scenes" / "problems" / row["problem"], {"law": row["law"] or None, "solver": row["solver"]}
        try:
            solution = solve_as_the_program(path, **changes)
        except ss.InputError:
            assert row["status"] == "refused"
            continue
        assert (solution.status, str(solution.iterations)) == (row["status"], row["iterations"]), row
        assert solution.residual == pytest.approx(float(row["residual"]), rel=0.01)
        assert solution.certificate.fclib_error == pytest.approx(float(row["fclib_error"]), rel=0.01)


@pytest.mark.skipif(not FOREIGN, reason="the problems of FCLIB are not here")
def test_problems_of_fclib(program):
    for path in FOREIGN:
        expect_same(solve_as_the_program(path, budget=60), program("solve", path, "--budget", 60))


# ---- Written and read again ----


@pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.stem)
def test_a_problem_that_is_written_again_is_the_same_file(path, tmp_path):
    problem = ss.read_problem(path)
    again = tmp_path / "again.hdf5"
    ss.write_problem(again, problem, format=problem.origin["format"])
    expected, found = datasets(path), datasets(again)
    for name in [name for name in expected if name.startswith("solution/")]:
        del expected[name]
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        assert found[name].dtype == values.dtype and found[name].tobytes() == values.tobytes(), name
    copy = ss.read_problem(again)
    assert same_parts(problem, copy) and copy.method == problem.method
    assert {**problem.origin, "file": ""} == {**copy.origin, "file": ""}


@pytest.mark.skipif(not FOREIGN, reason="the problems of FCLIB are not here")
def test_problems_of_fclib_written_again(tmp_path):
    for path in FOREIGN:
        problem = ss.read_problem(path)
        ss.write_problem(tmp_path / path.name, problem, format=problem.origin["format"])
        assert same_parts(problem, ss.read_problem(tmp_path / path.name))


def mixed_problem(seed: int) -> ss.ContactProblem:
    """Of every kind of contact, with joints."""
    random = np.random.default_rng(seed)
    sets = [
        ImpulseSet(), ImpulseSet("elliptic", mu=0.4, mu_2=0.2), ImpulseSet("elliptic", mu=0.3, torsion=0.1, rolling=0.05),
        ImpulseSet("polyhedral", mu=0.5, directions=6), ImpulseSet("interval", lower=-0.2, upper=np.inf),
        ImpulseSet("elliptic", mu=0.2, load_independent=True), ImpulseSet.hull(0.4, [[1, 0], [-1, 0.5], [-1, -0.5]]),
        ImpulseSet("planar", mu=0.7, rolling=0.2),
        ImpulseSet.hull(0.3, [[1, 0, 0.1], [-1, 0, 0.1], [0, 1, -0.1], [0, -1, -0.1]]),
    ]  # fmt: skip
    rows = sum(s.dimension for s in sets)
    A = random.normal(size=(30, 30))
    M = np.kron(np.eye(5), np.ones((6, 6))) * (A @ A.T + 10 * np.eye(30))
    return ss.ContactProblem(
        M=M, J=random.normal(size=(rows, 30)), v_free=random.normal(size=30), b=random.normal(size=rows) / 10, sets=sets,
        G=random.normal(size=(3, 30)), g=[0.1, 0, 0.2], compliance=[0, 0, 1e-3], joint_rows=[2, 1],
        v_old=random.normal(size=30), gap=random.normal(size=len(sets)), contact_ids=np.arange(len(sets)) * 2**59)  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_every_kind_of_contact_goes_to_the_program_and_back(seed, tmp_path, program):
    problem = mixed_problem(seed)
    solution = problem.solve()
    path = tmp_path / "mixed.hdf5"
    ss.write_problem(path, problem, solution)
    again = ss.read_problem(path)
    assert same_parts(problem, again) and again.sets == problem.sets
    for name in ("p", "v", "c", "u"):
        assert again.stored_solution[name].tolist() == getattr(solution, name).tolist()
    expect_same(solution, program("solve", path))
    # What the program writes on its part reads the same.
    program("solve", path, "--write-solution", tmp_path / "solved.hdf5")
    assert ss.read_problem(tmp_path / "solved.hdf5").stored_solution["p"].tolist() == solution.p.tolist()


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("form", ["stickslip", "fclib", "fclib-local"])
def test_each_form_has_the_program_s_answer(form, dimension, tmp_path, program):
    random = np.random.default_rng(dimension)
    A = random.normal(size=(12, 12))
    problem = ss.ContactProblem(
        M=np.kron(np.eye(2), np.ones((6, 6))) * (A @ A.T + np.eye(12)), J=random.normal(size=(2 * dimension, 12)),
        f=random.normal(size=12), mu=[0.3, 0.0], dimension=dimension, G=random.normal(size=(1, 12)), g=[0.1])  # fmt: skip
    path = tmp_path / "problem.hdf5"
    ss.write_problem(path, problem, problem.solve(), format=form)
    answer = program("solve", path)
    assert answer["kind"] == {"stickslip": "dump", "fclib": "fclib_global", "fclib-local": "fclib_local"}[form]
    expect_same(solve_as_the_program(path), answer)
    again = ss.read_problem(path)
    assert again.solve().u == pytest.approx(problem.solve().u, abs=1e-7)
    assert again.stored_solution["u"].tolist() == problem.solve().u.tolist()
    if form == "fclib":
        assert again.f.tolist() == problem.f.tolist()


def test_a_step_of_a_simulation_is_the_program_s_dump(scenes, tmp_path, program):
    for form in ("", "fclib", "fclib-local"):
        option = ["--dump-format", form] if form else []
        path = tmp_path / f"program-{form}.hdf5"
        program("run", scenes / "box-stack.json", "--set", "time.end=0.1", "--dump-problem", 5, "--dump-to", path, *option)
        sim = ss.Scene.load(scenes / "box-stack.json").simulation()
        sim.run(steps=5)
        ss.write_problem(tmp_path / "mine.hdf5", sim.problem, format=form or None)
        expected, found = datasets(path), datasets(tmp_path / "mine.hdf5")
        for name, values in expected.items():
            if "/origin/" not in name and "/method/" not in name and not name.startswith("solution/"):
                assert found[name].tolist() == values.tolist(), name


def test_contacts_without_friction_get_tangents_of_zeros(tmp_path):
    problem = ss.ContactProblem(
        M=np.eye(3), J=np.eye(3)[[2, 2, 0, 1]], v_free=[0, 1, -1], sets=[ImpulseSet(), ImpulseSet("elliptic", mu=0.5)])
    for form in ("fclib", "fclib-local"):
        ss.write_problem(tmp_path / "p.hdf5", problem, problem.solve(), format=form)
        again = ss.read_problem(tmp_path / "p.hdf5")
        assert again.mu.tolist() == [0, 0.5] and again.row_count == 6
        assert again.stored_solution["p"][[0, 3, 4, 5]].tolist() == problem.solve().p.tolist()
        assert again.stored_solution["p"][1:3].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("the_set", "why"),
    [
        (ImpulseSet("elliptic", mu=0.5, mu_2=0.2), "friction differs between its tangents"),
        (ImpulseSet("elliptic", mu=0.5, torsion=0.2), "torsional friction"),
        (ImpulseSet("elliptic", mu=0.5, rolling=0.2), "rolling friction"),
        (ImpulseSet("elliptic", mu=0.5, load_independent=True), "does not depend on the load"),
        (ImpulseSet("polyhedral", mu=0.5), "polyhedral"),
        (ImpulseSet("interval", lower=-1, upper=1), "bounded row"),
    ],
)
def test_what_fclib_cannot_hold(the_set, why, tmp_path):
    n = the_set.dimension
    problem = ss.ContactProblem(M=np.eye(n), J=np.eye(n), v_free=np.zeros(n), sets=[the_set])
    for form in ("fclib", "fclib-local"):
        with pytest.raises(ss.InputError, match=f"cannot hold contact 0: it.*{why}|cannot hold contact 0: {why}"):
            ss.write_problem(tmp_path / "p.hdf5", problem, format=form)
    assert list(tmp_path.iterdir()) == []


def test_other_things_that_fclib_cannot_hold(tmp_path):
    sound: dict[str, Any] = {"M": np.eye(3), "J": np.eye(3), "v_free": np.zeros(3), "mu": 0.5}
    for change, line in (({"law": "relaxed"}, "Coulomb's law"), ({"G": [[1, 0, 0]], "compliance": [1]}, "compliant")):
        with pytest.raises(ss.InputError, match=line):
            ss.write_problem(tmp_path / "p.hdf5", ss.ContactProblem(**{**sound, **change}), format="fclib")
    local = ss.ContactProblem.local(np.eye(3), np.zeros(3), 0.5)
    for form in ("fclib", "stickslip"):
        with pytest.raises(ss.InputError, match="this one is local"):
            ss.write_problem(tmp_path / "p.hdf5", local, format=form)
    with pytest.raises(ss.InputError, match="format: \"hdf5\" is not known"):
        ss.write_problem(tmp_path / "p.hdf5", local, format="hdf5")
    with pytest.raises(ss.InputError, match="problem: expected a ContactProblem"):
        ss.write_problem(tmp_path / "p.hdf5", np.eye(3))  # type: ignore[arg-type]


# ---- Matrices as others store them ----


def rewrite(path: Path, group: str, matrix: dict[str, Any]) -> None:
    with h5py.File(path, "a") as file:
        del file[group]
        for name, values in matrix.items():
            file[f"{group}/{name}"] = np.asarray(values, dtype=float if name == "x" else np.int32).reshape(-1)


def test_matrices_in_every_storage(tmp_path, program):
    whole = ss.read_problem(LOCAL)
    W = whole.W.toarray()
    n = W.shape[0]
    rows, columns = np.nonzero(W)
    values = W[rows, columns]
    size = {"m": n, "n": n, "nzmax": values.size + 3}
    spare = np.zeros(3)
    by_columns = np.argsort(columns, kind="stable")
    lower = rows >= columns
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=n))))
    forms = {
        "triplets": {**size, "nz": values.size, "p": columns, "i": rows, "x": values},
        "room": {**size, "nz": values.size, "p": np.append(columns, spare), "i": np.append(rows, spare),
                 "x": np.append(values, spare)},
        "twice": {**size, "nzmax": 2 * values.size, "nz": 2 * values.size, "p": np.tile(columns, 2), "i": np.tile(rows, 2),
                  "x": np.tile(values / 2, 2)},
        "columns": {**size, "nz": -1, "p": starts, "i": rows[by_columns], "x": values[by_columns]},
        "rows": {**size, "nz": -2, "p": starts, "i": columns, "x": values},
        "triangle": {**size, "nz": lower.sum(), "p": columns[lower], "i": rows[lower], "x": values[lower]},
    }  # fmt: skip
    assert (np.bincount(columns) == np.bincount(rows)).all() and (W == W.T).all()
    for name, matrix in forms.items():
        path = tmp_path / f"{name}.hdf5"
        shutil.copyfile(LOCAL, path)
        rewrite(path, "/fclib_local/W", matrix)
        assert (ss.read_problem(path).W.toarray() == W).all(), name
        expect_same(solve_as_the_program(path), program("solve", path))


# ---- Damage ----


def replace(name: str, values: Any) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        del file[name]
        file[name] = values

    return change


def remove(name: str) -> Callable[[h5py.File], None]:
    return lambda file: file.__delitem__(name)


def never_written(name: str) -> Callable[[h5py.File], None]:
    def change(file: h5py.File) -> None:
        del file[name]
        file.create_dataset(name, shape=(10**10,), dtype=float)

    return change


G, L, D = "/fclib_global", "/fclib_local", "/stickslip_problem"


@pytest.mark.parametrize(
    ("source", "change", "line"),
    [
        (LOCAL, remove(f"{L}/W"), "/fclib_local/W: this group with a matrix is missing"),
        (LOCAL, remove(f"{L}/vectors/q"), "/fclib_local/vectors/q: this dataset is missing"),
        (LOCAL, replace(f"{L}/spacedim", [4]), "/fclib_local/spacedim: is 4; expected 2 or 3"),
        (LOCAL, replace(f"{L}/spacedim", [3.5]), "/fclib_local/spacedim: does not hold whole numbers"),
        (LOCAL, replace(f"{L}/spacedim", np.array([2**40])), "/fclib_local/spacedim: .*32 bits"),
        (LOCAL, replace(f"{L}/vectors/mu", [0.5]), "/fclib_local/vectors/mu: has length 1; expected 12"),
        (LOCAL, replace(f"{L}/vectors/mu", [-0.5] * 12), "/fclib_local/vectors/mu: entry 0 is -0.5; expected at least 0"),
        (LOCAL, replace(f"{L}/vectors/q", np.full(36, np.nan)), "/fclib_local/vectors/q: entry 0 is nan"),
        (LOCAL, replace(f"{L}/vectors/q", np.zeros((36, 1))), "/fclib_local/vectors/q: has rows and columns"),
        (LOCAL, replace(f"{L}/W/m", [35]), "/fclib_local/W/m: is 35; expected 36"),
        (LOCAL, replace(f"{L}/W/nz", [-3]), "/fclib_local/W/nz: is -3"),
        (LOCAL, replace(f"{L}/W/nz", [10**6]), "/fclib_local/W/nz: is 1000000, more than nzmax"),
        (LOCAL, replace(f"{L}/W/p", [1, 2]), "/fclib_local/W/p: has length 2; expected 37"),
        (LOCAL, replace(f"{L}/W/p", np.full(37, 1)), "/fclib_local/W/p: expected numbers that start with 0"),
        (LOCAL, replace(f"{L}/W/i", np.full(1296, 99)), "/fclib_local/W/i: (entry 0 is 99|has length)"),
        (LOCAL, never_written(f"{L}/W/x"), "/fclib_local/W/x: damaged: the 10000000000 values"),
        (LOCAL, lambda file: file.create_group(f"{L}/V"), "/fclib_local/V: local problems with equality"),
        (STACK, replace(f"{G}/vectors/f", np.zeros(3)), "/fclib_global/M/m: is 12; expected 3"),
        (STACK, replace(f"{G}/M/x", -np.ones(12)), "/fclib_global/M"),
        (STACK, replace(f"{G}/H", 3), "/fclib_global/H: this group with a matrix is missing"),
        (STACK, remove(G), "no contact problem"),
        (DUMP, replace(f"{D}/format", [2]), "/stickslip_problem/format: is 2"),
        (DUMP, replace(f"{D}/law", np.array([b"newton"])), "law \"newton\" is not known"),
        (DUMP, replace(f"{D}/law", 3), "/stickslip_problem/law: does not hold texts"),
        (DUMP, replace(f"{D}/contacts/kind", np.array([b"round"])), "/stickslip_problem/contacts/kind: \"round\" is not known"),
        (DUMP, replace(f"{D}/contacts/rows", [3]), "J: "),
        (DUMP, replace(f"{D}/contacts/strips", [7]), "J: its strips do not fit"),
        (DUMP, replace(f"{D}/contacts/first_column", [10**9]), "J: group 0"),
        (DUMP, replace(f"{D}/contacts/first_column", [-1]), "J: group 0"),
        (DUMP, replace(f"{D}/contacts/columns", [2**31 - 1]), "J: its strips do not fit"),
        (DUMP, replace(f"{D}/contacts/mu", [-1.0]), r"sets\[0\]: mu must be finite"),
        (DUMP, replace(f"{D}/mass/sizes", [0]), "M: the sizes of its blocks"),
        (DUMP, replace(f"{D}/mass/sizes", [2**31 - 1] * 3), "M: the sizes of its blocks"),
        (DUMP, replace(f"{D}/v_old", [0.0]), "/stickslip_problem/v_old: has length 1; expected 3"),
        (DUMP, replace(f"{D}/contacts/id", np.zeros(9, dtype=np.uint64)), "contact_id: has length 9; expected 1"),
        (DUMP, replace(f"{D}/method/budget", [1, 2]), "/stickslip_problem/method/budget: expected one number"),
    ],
)
def test_damage_is_said_in_one_line(source, change, line, tmp_path):
    path = tmp_path / "damaged.hdf5"
    shutil.copyfile(source, path)
    with h5py.File(path, "a") as file:
        change(file)
    with pytest.raises(ss.InputError, match=line) as caught:
        ss.read_problem(path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)
    program = os.environ.get("STICKSLIP_PROGRAM")
    if program:  # It says so, too.
        assert subprocess.run([program, "solve", path], capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize("path", [STACK, LOCAL, DUMP], ids=lambda path: path.stem)
def test_files_cut_short_or_with_wrong_bytes(path, tmp_path):
    content = path.read_bytes()
    damaged = tmp_path / "damaged.hdf5"
    random = np.random.default_rng(3)
    for k in range(150):
        if k % 3 == 0:
            damaged.write_bytes(content[: random.integers(0, len(content))])
        else:
            wrong = bytearray(content)
            for place in random.integers(0, len(content), 1 + k % 4):
                wrong[place] = random.integers(0, 256)
            damaged.write_bytes(wrong)
        try:
            problem = ss.read_problem(damaged)
        except ss.InputError as error:
            assert str(error).startswith(f"{damaged}: ") and "\n" not in str(error)
        else:
            assert problem.solve(budget=100).status != ""


def test_what_is_no_file(tmp_path):
    (tmp_path / "text.hdf5").write_text("no HDF5")
    os.mkfifo(tmp_path / "pipe")
    with h5py.File(tmp_path / "other.hdf5", "w") as file:
        file["x"] = 1
    for name, line in (
        (tmp_path / "none.hdf5", "there is no such file"),
        (tmp_path, "is no file"),
        (tmp_path / "pipe", "is no file"),
        (tmp_path / "text.hdf5", "not an HDF5 file"),
        (tmp_path / "other.hdf5", "no contact problem"),
        (3, "path: expected the name of a file, not int"),
        (b"x", "path: expected the name of a file"),
        ("", "path: expected the name of a file"),
        ("a\0b", "path: expected the name of a file"),
    ):
        with pytest.raises(ss.InputError, match=line):
            ss.read_problem(name)  # type: ignore[arg-type]


# ---- What is there already ----


def test_only_files_of_stickslip_are_replaced(tmp_path):
    problem = ss.read_problem(LOCAL)
    mine, other, text = (tmp_path / name for name in ("mine.hdf5", "other.hdf5", "text.txt"))
    ss.write_problem(mine, problem)
    ss.write_problem(mine, problem, np.zeros(36))
    assert ss.read_problem(mine).stored_solution["p"].tolist() == [0] * 36
    with h5py.File(other, "w") as file:
        file["x"] = 1
    text.write_text("keep me")
    link = tmp_path / "link.hdf5"
    link.symlink_to(mine)
    before = {path: path.read_bytes() for path in (mine, other, text)}
    for path in (other, text, link, tmp_path):
        with pytest.raises(ss.InputError, match="is there, and no contact problem that stickslip wrote"):
            ss.write_problem(path, problem)
    with pytest.raises(ss.InputError, match="cannot be written"):
        ss.write_problem(tmp_path / "nowhere" / "p.hdf5", problem)
    with pytest.raises(ss.InputError, match="p: has length 3"):
        ss.write_problem(mine, problem, np.zeros(3))
    assert {path: path.read_bytes() for path in before} == before
    assert sorted(tmp_path.iterdir()) == sorted([*before, link])
    # FCLIB's files of others are theirs.
    if FOREIGN:
        shutil.copyfile(FOREIGN[0], tmp_path / "fclib.hdf5")
        with pytest.raises(ss.InputError, match="no contact problem that stickslip wrote"):
            ss.write_problem(tmp_path / "fclib.hdf5", problem)


def test_without_h5py_it_is_said_what_to_install():
    code = "import sys; sys.modules['h5py'] = None\nimport stickslip as ss\nss.read_problem('x.hdf5')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 'pip install "stickslip[recordings]"' in result.stderr.splitlines()[-1]
