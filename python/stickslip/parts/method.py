"""How a scene is computed: time, start, method, recording."""

from __future__ import annotations

from dataclasses import dataclass, field

from stickslip.parts.part import Part


@dataclass(eq=False, repr=False)
class Time(Part):
    """How long and how finely.

    step: length of a step [s], > 0.
    end: the run goes from 0 to here [s].
    error: if given, `step` is the longest step, and steps are chosen so that positions differ by no more when a step
        is halved [m].
    """

    step: float
    end: float
    error: float | None = field(default=None, kw_only=True)


@dataclass(eq=False, repr=False, kw_only=True)
class Initial(Part):
    """Where a scene starts. Bodies say it themselves, in `position` and `velocity`.

    q: linear systems: positions by name; 0 for those that are not given.
    u: linear systems: velocities by name; 0 for those that are not given.
    impact: whether the scene begins with a step of length zero, a pure impact that makes velocities fit closed contacts
        and joints; default False.
    """

    q: dict[str, float] = field(default_factory=dict)
    u: dict[str, float] = field(default_factory=dict)
    impact: bool | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class Method(Part):
    """How a scene is computed. docs/scene-format.md has the choices and what they mean.

    preset: sets scheme, law, cone and solver, which can still be given; see stickslip.preset_names(). Default
        "stickslip".
    scheme: time discretization: "midpoint", "position", "velocity"; default: depends on the scene.
    law: contact law: "coulomb", the default, or "relaxed".
    cone: friction cone: "planar", "polyhedral", "circular".
    solver: of the contact problem; see stickslip.solver_names(). Default "auto".
    directions: corners of a polyhedral cone, 3 to 64; default 8.
    tolerance: largest relative residual of a certified step, > 0, at most 1; default 1e-8.
    budget: most iterations of a step; default 0, which lets the solver choose.
    implicit: scheme "position": normals, gaps and masses at the end of the step; default False.
    margin: scheme "position": gaps up to this take part [m]; default 0, which goes by speeds.
    impact: scheme "velocity": "poisson", the default, or "reflected".
    theta: scheme "midpoint": share of the end of a step in its means, 0.5 to 1; default 0.5.
    joint_stabilization: scheme "velocity": "projection", the default, "baumgarte" or "none".
    geometry: scheme "velocity": "end", the default, "middle" or "start".
    rest_speed: contacts that approach more slowly do not bounce [m/s]; default 0, which lets the scheme choose.
    correction: scheme "position": part of an overlap that a step takes back, > 0, at most 1; default 1.
    sleep_time: scheme "position": islands of bodies that have rested this long sleep [s]; default 0: never.
    initial_slip: solvers of [AH04]: the first sliding speeds, "zero", the default, or "previous".
    full_push: scheme "position": overlaps are taken back within one step however deep; default False.
    lift: law "relaxed", friction that depends on the speed: "product", the default, or "integral".
    """

    preset: str | None = None
    scheme: str | None = None
    law: str | None = None
    cone: str | None = None
    solver: str | None = None
    directions: int | None = None
    tolerance: float | None = None
    budget: int | None = None
    implicit: bool | None = None
    margin: float | None = None
    impact: str | None = None
    theta: float | None = None
    joint_stabilization: str | None = None
    geometry: str | None = None
    rest_speed: float | None = None
    correction: float | None = None
    sleep_time: float | None = None
    initial_slip: str | None = None
    full_push: bool | None = None
    lift: str | None = None


@dataclass(eq=False, repr=False)
class RecordingSettings(Part):
    """What is recorded.

    every: the start, every so many steps, and the end; default 1.
    """

    every: int | None = None
