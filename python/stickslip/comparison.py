"""Solvers side by side: each of them on each problem, and a table of what the certificate says.

    def mine(problem):                      # any function of W and q, or of M, J, ...: impulses p, or (v, p, c)
        ...
    print(compare(problem, ["exact", "fixed-point-1", mine]))
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Union, overload

from stickslip._engine import InputError, solver_names
from stickslip.matrices import is_sparse
from stickslip.problem import ContactProblem, ContactSolution, OwnSolver, solve_contact_problem
from stickslip.problem_file import read_problem

__all__ = ["Comparison", "ComparisonRow", "compare"]

# A name, a function, or one of them with options of solve_contact_problem.
SolverChoice = Union[str, OwnSolver, tuple[Union[str, OwnSolver], Mapping[str, Any]]]
ProblemChoice = Union[ContactProblem, str, "os.PathLike[str]"]


class ComparisonRow(NamedTuple):
    """One solver on one problem."""

    problem: str
    solver: str
    status: str
    """As of `ContactSolution`; "refused": the solver does not take such problems, see `note`."""
    certified: bool
    residual: float
    """The largest of the certificate's relative residuals; NaN if the solver refused."""
    fclib_error: float
    """The error as FCLIB defines it."""
    iterations: int | None
    """In the solver's own measure; None of functions."""
    seconds: float
    """Wall time of the solver alone; the least of several repetitions."""
    note: str
    """Why the solver refused; else empty."""


class Comparison(Sequence[ComparisonRow]):
    """The rows of a comparison: prints as a table, in notebooks as well."""

    def __init__(self, rows: Iterable[ComparisonRow]) -> None:
        self.rows = tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> ComparisonRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ComparisonRow, ...]: ...
    def __getitem__(self, index: int | slice) -> ComparisonRow | tuple[ComparisonRow, ...]:
        return self.rows[index]

    def __iter__(self) -> Iterator[ComparisonRow]:
        return iter(self.rows)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`, one row for each problem and solver."""
        try:
            import pandas
        except ImportError:
            raise ImportError("a table needs pandas: pip install \"stickslip[tables]\"") from None
        return pandas.DataFrame(self.rows, columns=list(ComparisonRow._fields))

    def _cells(self) -> list[list[str]]:
        several = len({row.problem for row in self.rows}) > 1
        table = [["problem", "solver", "status", "certified", "residual", "FCLIB error", "iterations", "seconds"]]
        for row in self.rows:
            table.append([row.problem, row.solver, row.status, "yes" if row.certified else "no",
                          *(f"{x:.1e}" if x == x else "-" for x in (row.residual, row.fclib_error)),
                          "-" if row.iterations is None else str(row.iterations),
                          f"{row.seconds:.2e}" if row.seconds == row.seconds else "-"])
        return table if several else [line[1:] for line in table]

    def __str__(self) -> str:
        table = self._cells()
        widths = [max(len(line[k]) for line in table) for k in range(len(table[0]))]
        words = len(table[0]) - 4  # to the left; numbers to the right
        return "\n".join("  ".join(cell.ljust(width) if k < words else cell.rjust(width)
                                   for k, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in table)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        line: Callable[[list[str], str], str] = lambda cells, tag: "<tr>" + "".join(
            f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
        return ("<table><thead>" + line(head, "th") + "</thead><tbody>"
                + "".join(line(cells, "td") for cells in body) + "</tbody></table>")


def compare(problems: ProblemChoice | Iterable[ProblemChoice] | Mapping[str, ProblemChoice],
            solvers: Iterable[SolverChoice] = ("auto",), *, tolerance: float = 1e-8, repeat: int = 1,
            **options: Any) -> Comparison:
    """Solves each problem by each solver and says how it went; the certificate is the judge of all.

    `problems`: one, a list, or a dict with names: `ContactProblem`s, or files of them. `solvers`: names, functions
    f(problem) that return p or (v, p, c), or pairs of one of them and a dict of options of
    `solve_contact_problem`; `options` are for all. Each solve is done `repeat` times, and the least time is taken.
    What a function raises comes out of this.
    """
    choices = [_solver(choice) for choice in _list(solvers, "solvers")]
    if isinstance(repeat, bool) or not isinstance(repeat, int) or repeat < 1:
        raise InputError("repeat: expected a whole number, at least 1")
    rows = []
    for name, problem in _named(problems):
        for label, solver, own in choices:
            asked = {"solver": solver, "tolerance": tolerance, **options, **own}
            rows.append(_row(name, problem, label, repeat, asked))
    return Comparison(rows)


def _row(name: str, problem: ContactProblem, label: str, repeat: int, options: dict[str, Any]) -> ComparisonRow:
    solver = options["solver"]
    try:
        solutions: list[ContactSolution] = [solve_contact_problem(problem, **options) for _ in range(repeat)]
    except InputError as error:
        if not isinstance(solver, str):
            raise
        nothing = float("nan")
        return ComparisonRow(name, label, "refused", False, nothing, nothing, None, nothing, str(error))
    last = solutions[-1]
    return ComparisonRow(name, label, last.status, last.certified, last.residual, last.certificate.fclib_error,
                         last.iterations, min(solution.seconds for solution in solutions), "")


def _list(values: Any, name: str) -> list[Any]:
    if isinstance(values, (str, bytes)) or callable(values) or not isinstance(values, Iterable):
        raise InputError(f"{name}: expected a list")
    return list(values)


def _solver(choice: Any) -> tuple[str, str | OwnSolver, dict[str, Any]]:
    """Its label, what it is, and its options."""
    solver, own = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, {})
    if not isinstance(solver, str) and not callable(solver) or not isinstance(own, Mapping):
        raise InputError("solvers: expected names, functions, or pairs of one of them and a dict of options, not "
                         f"{choice!r}")
    if isinstance(solver, str) and solver not in solver_names():
        raise InputError(f"solvers: {solver!r} is not known; choose from: {', '.join(solver_names())}")
    label = solver if isinstance(solver, str) else getattr(solver, "__name__", type(solver).__name__)
    extra = ", ".join(f"{name}={value}" for name, value in own.items())
    return (f"{label} ({extra})" if extra else label), solver, dict(own)


def _named(problems: Any) -> Iterator[tuple[str, ContactProblem]]:
    """Problems one after the other, read as they are needed."""
    if isinstance(problems, (ContactProblem, str, os.PathLike)):
        problems = [problems]
    if is_sparse(problems) or not isinstance(problems, (Mapping, Iterable)):
        raise InputError("problems: expected a ContactProblem, a file, or several of them")
    items = problems.items() if isinstance(problems, Mapping) else ((None, problem) for problem in problems)
    for k, (name, problem) in enumerate(items):
        if isinstance(problem, (str, os.PathLike)):
            problem = read_problem(problem)
        if not isinstance(problem, ContactProblem):
            raise InputError(f"problems[{k}]: expected a ContactProblem or a file, not {type(problem).__name__}")
        yield str(_name(problem, k) if name is None else name), problem


def _name(problem: ContactProblem, k: int) -> str:
    file = problem.origin.get("file")
    return Path(file).stem if file else str(k)
