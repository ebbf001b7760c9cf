"""Nonsmooth mechanics with a certificate for every step.

    import stickslip as ss

    scene = ss.Scene.load("scenes/box-stack.json")
    sim = scene.simulation()
    sim.run(until=2.0)
    print(sim.summary.certified, sim.bodies["box0"].position)

Units are those of the scene, SI unless it says otherwise. Results have the same bits as those of the
program `stickslip`, on any number of threads.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from stickslip._engine import (
    Certificate,
    InputError,
    RunSummary,
    StepReport,
    preset_names,
    scheme_names,
    solver_names,
    version,
)
from stickslip.simulation import Simulation
from stickslip.threads import set_threads, threads

if TYPE_CHECKING:
    # `as` says to type checkers that they are public.
    from stickslip import parts as parts
    from stickslip.batch import Batch as Batch, vectorize as vectorize
    from stickslip.comparison import Comparison as Comparison, compare as compare
    from stickslip.lcp import LcpSolution as LcpSolution, solve_lcp as solve_lcp
    from stickslip.methods import (
        ForceLaw as ForceLaw,
        Scheme as Scheme,
        Solver as Solver,
        register_scheme as register_scheme,
        register_solver as register_solver,
    )
    from stickslip.orders import Convergence as Convergence, convergence as convergence
    from stickslip.parts import *  # noqa: F403
    from stickslip.problem import (
        ContactProblem as ContactProblem,
        ContactSolution as ContactSolution,
        ImpulseSet as ImpulseSet,
        solve_contact_problem as solve_contact_problem,
    )
    from stickslip.problem_file import read_problem as read_problem, write_problem as write_problem
    from stickslip.recorder import Recorder as Recorder, record as record
    from stickslip.recording import Recording as Recording, open as open
    from stickslip.scene import Scene as Scene
    from stickslip.system import (
        ContactLaw as ContactLaw,
        DryFriction as DryFriction,
        JointLaw as JointLaw,
        OneWay as OneWay,
        Prestress as Prestress,
        System as System,
    )

__version__ = version

# What a session may never use is loaded when it is asked for.
_LATER = {
    "stickslip.batch": ("Batch", "vectorize"),
    "stickslip.orders": ("Convergence", "convergence"),
    "stickslip.lcp": ("LcpSolution", "solve_lcp"),
    "stickslip.methods": ("ForceLaw", "Scheme", "Solver", "register_scheme", "register_solver"),
    "stickslip.comparison": ("Comparison", "compare"),
    "stickslip.problem": (
        "ContactProblem",
        "ContactSolution",
        "ImpulseSet",
        "solve_contact_problem",
    ),
    "stickslip.problem_file": ("read_problem", "write_problem"),
    "stickslip.recorder": ("Recorder", "record"),
    "stickslip.recording": ("Recording", "open"),
    "stickslip.scene": ("Scene",),
    "stickslip.system": ("ContactLaw", "DryFriction", "JointLaw", "OneWay", "Prestress", "System"),
}
_HOME = {name: module for module, names in _LATER.items() for name in names}

_NOW = (
    "Certificate",
    "InputError",
    "RunSummary",
    "Simulation",
    "StepReport",
    "preset_names",
    "scheme_names",
    "set_threads",
    "solver_names",
    "threads",
    "version",
)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    home = _HOME.get(name)
    if home is None and not name.startswith("_"):
        parts = import_module("stickslip.parts")
        if name == "parts":
            return parts
        home = "stickslip.parts" if name in parts.__all__ else None
    if home is None:
        raise AttributeError(f"module 'stickslip' has no attribute '{name}'")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*_NOW, *_HOME, "parts", *import_module("stickslip.parts").__all__))
