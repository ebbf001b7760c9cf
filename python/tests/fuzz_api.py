"""Calls everything that is public, and the compiled module, with arguments that make no sense; run by
test_robustness.py in a process of its own.

usage: fuzz_api.py SEED CALLS
An argument may be refused by any exception. What counts is that the interpreter lives, that no call hangs, and that
the simulations still step in the end.
"""

import contextlib
import copy
import faulthandler
import gc
import io
import math
import random
import resource
import signal
import sys
import tempfile
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import stickslip as ss
from stickslip import _engine

SCENE = """{"stickslip": 1, "name": "fall", "time": {"step": 0.01, "end": 0.1},
  "system": {"type": "spatial", "materials": {"default": {"friction": 0.5}}, "bodies": [
    {"name": "floor", "type": "static", "shape": {"type": "half-space"}},
    {"name": "box", "position": [0, 0, 0.5], "shape": {"type": "box", "size": [1, 1, 1]}},
    {"name": "arm", "position": [3, 0, 0.5], "shape": {"type": "box", "size": [1, 1, 1]}}],
    "joints": [{"name": "hinge", "type": "revolute", "bodies": ["world", "arm"], "position": [3, 0, 2], "axis": [0, 1, 0]}]}}"""

# What would wait for the user, write where it should not, or end the process by what it is for.
LEFT_OUT = {"record", "save", "write_problem", "register_solver", "register_scheme", "show", "close"}


class Liar:
    """Claims to be many things and is none of them."""

    def __len__(self) -> int:
        return -1

    def __getitem__(self, key: object) -> object:
        raise KeyError(key)

    def __float__(self) -> float:
        raise ArithmeticError("no number")

    def __index__(self) -> int:
        return 1 << 70

    def __array__(self, *args: object, **more: object) -> object:
        return "no array"

    def __fspath__(self) -> str:
        return "\0"

    def __iter__(self) -> object:
        return self

    def __call__(self, *args: object, **more: object) -> object:
        return self


class Keeper(ss.Scheme):
    """Keeps its step, which is of no use when it has been made."""

    kept: list[Any] = []

    def formulate(self, step: Any) -> None:
        step.free_motion(mass=(step.time, step.q))
        step.contacts(step.time, step.q)
        step.joints(step.time, step.q)
        self.kept[:] = [step]

    def advance(self, step: Any, v: Any) -> Any:
        return step.move(step.time, v, step.h, step.q), v


def garbage(rng: random.Random, live: list[Any]) -> Any:
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    return rng.choice(
        [
            lambda: None,
            lambda: rng.choice([0, 1, -1, 2, 3, 7, 1 << 31, -(1 << 31), 1 << 63, 1 << 64, -(1 << 70), 10**30]),
            lambda: rng.choice([0.0, -0.0, 1e-300, -1.5, 1e308, math.inf, -math.inf, math.nan]),
            lambda: rng.choice(["", "box", "hinge", "x", "\0", "\ud800", "ä" * 1000, "a" * 100_000, "{}", "[1, 2"]),
            lambda: rng.choice([True, False, b"", b"\xff" * 100, bytearray(8), 1j, ..., NotImplemented]),
            lambda: rng.choice([[], [1], [1, 2, 3], [[1, 2], [3, 4]], [[1], [1, 2]], (), (1,), {}, {"a": 1}, set()]),
            lambda: np.zeros(rng.choice([0, 1, 3, 7, 6, 13, 14, 1000])),
            lambda: np.full(rng.choice([(3,), (7,), (13,), (3, 3), (2, 3, 4), (6, 6)]), rng.choice([math.nan, math.inf, 1.0])),
            lambda: np.array(["a", "b"]),
            lambda: np.array([None, 1], dtype=object),
            lambda: np.arange(12.0)[::-2],
            lambda: np.array([0, 1, 1 << 40, 1 << 63, (1 << 64) - 1], dtype=np.uint64),
            lambda: (rng.choice(live),) * rng.choice([1, 2]),
            lambda: np.zeros((3, 3), dtype=rng.choice([np.int8, np.float32, np.complex128, ">f8", bool])),
            lambda: np.broadcast_to(1.0, (1 << 40,)),
            lambda: np.zeros(3, dtype=[("a", float), ("b", int)]),
            lambda: Liar(),
            lambda: cyclic,
            lambda: lambda *a, **k: rng.choice([None, 1, "x", math.nan, np.zeros(3)]),
            lambda: rng.choice(live),
            lambda: type(rng.choice(live)),
            lambda: memoryview(b"12345678"),
            lambda: io.StringIO("x"),
        ]
    )()


def living() -> list[Any]:
    """Objects of every kind, some of them closed or in the middle of something."""
    scene = ss.Scene.parse(SCENE)
    sim = scene.simulation()
    sim.run(steps=3)
    batch = ss.vectorize(scene, 2)
    batch.step()
    toy = ss.solve_lcp(np.eye(3), [-1, 1, 0])
    objects: list[Any] = [ss, scene, sim, scene.simulation(), sim.bodies, sim.bodies["box"], sim.joints, sim.joints[0]]
    objects += [sim.coordinates, sim.report, sim.certificate, sim.summary, sim.inputs, sim.problem, batch, toy]
    objects += [scene.model, scene.simulation(), ss.parts, ss.solve_contact_problem(sim.problem)]
    scene.simulation(scheme=Keeper).step()
    objects += [_engine, _engine, _engine.ThreadTeam(2), _engine.FrameWatcher(sim, 1, lambda: None), *Keeper.kept]
    objects += [kind.__new__(kind) for kind in vars(_engine).values() if isinstance(kind, type) and kind is not ss.InputError]
    objects *= 3  # more often than the many classes of parts
    objects += [part for name in ss.parts.__all__ if callable(part := getattr(ss.parts, name))]
    folder = tempfile.mkdtemp()
    with contextlib.suppress(ImportError):
        recorded = scene.simulation()
        with ss.record(recorded, folder + "/r") as recorder:
            recorded.run(steps=3)
        recording = ss.open(folder + "/r")
        closed = ss.open(folder + "/r")
        closed.close()
        objects += [recorder, recording, recording["box"], recording["hinge"], closed]
    return objects


def call_one(rng: random.Random, live: list[Any]) -> None:
    target = rng.choice(live)
    names = [n for n in dir(target) if n not in LEFT_OUT and (not n.startswith("_") or n in KEPT)]
    if not names:
        return
    name = rng.choice(names)
    if rng.random() < 0.15 and not isinstance(target, (type, types.ModuleType)):
        setattr(target, name, garbage(rng, live))
        return
    found = getattr(target, name)
    if not callable(found):
        if isinstance(found, np.ndarray) and found.flags.writeable and found.size and found.dtype.kind == "f":
            found[...] = rng.choice([math.nan, math.inf, 1e300, 0.0])
        return
    arguments = [garbage(rng, live) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    keys: list[str] = []
    code = getattr(found, "__code__", None)
    if code is not None and rng.random() < 0.5:
        keys = [k for k in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if k not in ("self", "record")]
    made = found(*arguments, **{k: garbage(rng, live) for k in keys if rng.random() < 0.3})
    if made is not None and type(made).__module__.startswith("stickslip"):
        live.append(made)


KEPT = {"__getitem__", "__contains__", "__len__", "__iter__", "__repr__", "__eq__", "__copy__", "__reduce__", "__setstate__", "__init__", "__call__"}


class TookTooLong(BaseException):
    pass


def guarded(work: Callable[[], None], seconds: float) -> None:
    def expire(*_: object) -> None:
        raise TookTooLong

    signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        work()
    except SystemError:  # the interpreter caught the module at a mistake
        raise
    except (Exception, TookTooLong):
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main(seed: int, calls: int) -> None:
    errors = sys.stderr
    faulthandler.enable(errors)
    warnings.simplefilter("ignore")
    four_gigabytes = 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (four_gigabytes, four_gigabytes))
    rng = random.Random(seed)
    live = living()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for i in range(calls):
            faulthandler.dump_traceback_later(60, exit=True, file=errors)  # a call that not even the alarm ends
            guarded(lambda: call_one(rng, live), 2)
            faulthandler.cancel_dump_traceback_later()
            if i % 200 == 199:
                live = living()
                gc.collect()
    sim = ss.Scene.parse(SCENE).simulation()
    sim.run()
    other = copy.deepcopy(sim)
    assert sim.certified and other.hash == sim.hash
    print(f"{calls} calls, and it lives")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
