"""Gymnasium environments of scenes: one simulation, or a batch of them, that an agent drives.

    import gymnasium
    import stickslip.gym                       # registers what is ready

    env = gymnasium.make("stickslip/CartPole-v0")
    envs = gymnasium.make_vec("stickslip/CartPole-v0", num_envs=64)

A task of one's own is a scene, and what an agent sees, does and wants in it:

    task = stickslip.gym.Task(
        "arm.json",
        observation=["arm.phi"],               # angle and angular velocity
        action={"hinge": 5.0},                 # up to 5 Nm
        reward=lambda s: -s.joints["hinge"].coordinate ** 2,
    )
    env, envs = task.environment(), task.vector_environment(64)

Functions of a task see a `Simulation` or, in a vector environment, a `Batch`, whose arrays have one axis
more, in front: with indices from the last axis, as in `s.q[..., 2]`, they do for both.

A reset is a new simulation, bit for bit, and what `start` makes of it with the random numbers of the seed.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError
from stickslip.arrays import number
from stickslip.batch import Batch, vectorize
from stickslip.parts import Bodies, Body, PrismaticJoint, RevoluteJoint, Time
from stickslip.scene import Scene
from stickslip.simulation import Simulation

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise ImportError('stickslip.gym needs Gymnasium, 1.1 or later: pip install "stickslip[gym]"') from missing

if TYPE_CHECKING:
    from stickslip.system import System

__all__ = ["Environment", "Task", "VectorEnvironment", "cart_pole", "cart_pole_scene", "cart_pole_task", "cart_poles"]

Array = NDArray[Any]
Info = dict[str, Any]


# ---- Tasks ----


@dataclass(frozen=True)
class Task:
    """What an agent sees, does and wants in a scene. Functions see `s`, a simulation or a batch.

    Args:
        scene: A `Scene`, the path of a scene file, or a `System`.
        observation: observation(s), an array (...,), or (n, ...) of a batch. Or names: of positions and
            velocities as recordings have them ("rod.angle", "rod.omega"; one name for both gives both),
            and of joints, which give their first coordinate.
        action: action(s, a) does what the agent says by `s.inputs`. Or names of joints with the largest
            force along their first coordinate (torque, if that is an angle), of which a is a part from -1 to 1.
        reward: reward(s) after the steps of an action, a number or (n,).
        terminated: terminated(s) says whether the episode is over, True or False or (n,) of them; None: never.
            It is over in any case where the state would not stay finite.
        start: start(sim, random) changes a new simulation with the numbers of a `numpy.random.Generator`.
        observation_space: A space of Gymnasium; None: all numbers in the shape of the observation.
        action_space: None: numbers from -1 to 1, one for each name in `action`, or one.
        frame_skip: Steps for each action.
    """

    scene: Scene | str | os.PathLike[str] | System
    _: KW_ONLY
    observation: Callable[[Any], ArrayLike] | Sequence[str]
    action: Callable[[Any, Any], object] | Mapping[str, float]
    reward: Callable[[Any], Any]
    terminated: Callable[[Any], Any] | None = None
    start: Callable[[Simulation, np.random.Generator], object] | None = None
    observation_space: spaces.Space[Any] | None = None
    action_space: spaces.Space[Any] | None = None
    frame_skip: int = 1

    def __post_init__(self) -> None:
        _whole("frame_skip", self.frame_skip)
        for name in ("reward", "terminated", "start"):
            function = getattr(self, name)
            if not callable(function) and (function is not None or name == "reward"):
                raise InputError(f"{name}: expected a function, got {function!r}")

    def environment(self) -> Environment:
        """One simulation for an agent."""
        return Environment(self)

    def vector_environment(self, num_envs: int, **options: Any) -> VectorEnvironment:
        """So many simulations; options as in `VectorEnvironment`."""
        return VectorEnvironment(self, num_envs, **options)


class _Play:
    """A task with the names of its scene looked up, and its spaces."""

    def __init__(self, task: Task, sim: Simulation) -> None:
        self.task = task
        self._observe = task.observation if callable(task.observation) else _observation(task.observation, sim)
        self.act = task.action if callable(task.action) else _action(task.action, sim)
        self.observation_space: spaces.Space[Any] = task.observation_space or spaces.Box(
            -np.inf, np.inf, np.shape(self._observe(sim)), np.float64
        )
        self.action_space: spaces.Space[Any] = task.action_space or spaces.Box(
            -1.0, 1.0, (1 if callable(task.action) else len(task.action),), np.float64
        )

    def observe(self, s: Simulation | Batch) -> Any:
        seen = self._observe(s)
        # A copy: what the agent holds does not change.
        return np.array(seen, self.observation_space.dtype) if isinstance(self.observation_space, spaces.Box) else seen

    def terminated(self, s: Simulation | Batch) -> Any:
        return False if self.task.terminated is None else self.task.terminated(s)

    def begin(self, sim: Simulation, random: np.random.Generator) -> None:
        """Of a simulation that is as new."""
        if self.task.start is not None:
            self.task.start(sim, random)


def _observation(names: Sequence[str], sim: Simulation) -> Callable[[Any], Array]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names) or not names:
        raise InputError(f"observation: expected a function or names, got {names!r}")
    positions, velocities = sim._source.names("position"), sim._source.names("velocity")
    parts: list[Callable[[Any], Any]] = []
    for name in names:
        found = len(parts)
        if name in positions:
            parts.append(_column("q", positions[name]))
        if name in velocities:
            parts.append(_column("u", velocities[name]))
        if name in sim.joints:
            parts.append(_joint(name))
        if len(parts) == found:
            known = ", ".join([*positions, *velocities, *sim.joints.names][:12])
            raise InputError(f"observation: there is no {name!r} among {known}, ...")
    return lambda s: np.stack([part(s) for part in parts], axis=-1)


def _column(part: str, index: int) -> Callable[[Any], Any]:
    return lambda s: getattr(s, part)[..., index]


def _joint(name: str) -> Callable[[Any], Any]:
    return lambda s: s.joints[name].coordinate


def _action(forces: Mapping[str, float], sim: Simulation) -> Callable[[Any, Any], None]:
    if not isinstance(forces, Mapping) or not forces:
        raise InputError(f"action: expected a function or joints with forces, got {forces!r}")
    places = [sim.joints[name].index for name in forces]
    largest = np.array([number(f"action: {name!r}", force) for name, force in forces.items()])

    def act(s: Simulation | Batch, a: Array) -> None:
        if np.shape(a)[-1:] != largest.shape:
            raise InputError(f"action: expected {len(largest)} numbers, one for each of {', '.join(forces)}, got {a!r}")
        s.inputs.joint_force[..., places, 0] = largest * np.clip(a, -1, 1)

    return act


# ---- Environments ----


class Environment(gymnasium.Env[Any, Any]):
    """One simulation of a task.

    Args:
        task: A `Task`; or a scene, with the parts of a task by name.

    `reset(seed=...)` makes the simulation as new, `env.sim` is what it is then. Each step comes with an
    info: the time [s], and whether all steps of the episode so far are certified.
    """

    metadata: ClassVar[Info] = {"render_modes": []}  # type: ignore[misc]

    def __init__(self, task: Task | Scene | str | os.PathLike[str] | System, **parts: Any) -> None:
        self.task = _task(task, parts)
        self.sim = Simulation(self.task.scene)
        self._new = self.sim.save()
        self._play = _Play(self.task, self.sim)
        self.observation_space = self._play.observation_space
        self.action_space = self._play.action_space
        self._closed = False

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Any, Info]:
        """A new simulation; `seed` begins the random numbers anew."""
        self._expect_open()
        super().reset(seed=seed)
        self.sim.restore(self._new)
        self._play.begin(self.sim, self.np_random)
        return self._play.observe(self.sim), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Info]:
        """The steps of one action: observation, reward, terminated, truncated (never), info."""
        self._expect_open()
        self._play.act(self.sim, action)
        for _ in range(self.task.frame_skip):
            self.sim.step()
        terminated = bool(self._play.terminated(self.sim)) or not self.sim.is_finite
        return self._play.observe(self.sim), float(self.task.reward(self.sim)), terminated, False, self._info()

    def close(self) -> None:
        """An environment that is closed makes no more steps."""
        self._closed = True

    def _info(self) -> Info:
        return {"time": self.sim.time, "certified": self.sim.certified}

    def _expect_open(self) -> None:
        if self._closed:
            raise gymnasium.error.ClosedEnvironmentError("this environment is closed")


class VectorEnvironment(VectorEnv[Any, Any, Array]):
    """Simulations of a task side by side in a `Batch`, each with the bits that it has alone in an `Environment`.

    Args:
        task: A `Task`; or a scene, with the parts of a task by name.
        num_envs: How many.
        threads: As in `vectorize`.
        max_episode_steps: Actions after which an episode is truncated; None: never.
        autoreset_mode: What becomes of an episode that is over, as in Gymnasium's vector environments:
            the next action begins a new one (NEXT_STEP), the same action does (SAME_STEP), or the agent
            does, by reset(options={"reset_mask": ...}) (DISABLED).

    Environment i has the seed `seed` + i, or that of a list.
    """

    def __init__(
        self,
        task: Task | Scene | str | os.PathLike[str] | System,
        num_envs: int = 1,
        *,
        threads: int | None = 0,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **parts: Any,
    ) -> None:
        self.task = _task(task, parts)
        if max_episode_steps is not None:
            _whole("max_episode_steps", max_episode_steps)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.batch = vectorize(self.task.scene, num_envs, threads=threads)
        self.num_envs = num_envs
        self.max_episode_steps = max_episode_steps
        self._play = _Play(self.task, self.batch[0])
        self.single_observation_space = self._play.observation_space
        self.single_action_space = self._play.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randoms: list[np.random.Generator | None] = [None] * num_envs
        self._elapsed = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Any, Info]:
        """New simulations: all, or those that `options["reset_mask"]` picks, an array of n booleans."""
        self._expect_open()
        mask = np.ones(self.num_envs, np.bool_)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
                raise InputError(f"reset_mask: expected {self.num_envs} booleans, not all of them False")
        seeds: Sequence[int | None]
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise InputError(f"seed: expected one for each of {self.num_envs} environments, got {len(seeds)}")
        for i in _places(mask):
            if seeds[i] is not None:
                self._randoms[i] = seeding.np_random(seeds[i])[0]
        self._begin(mask)
        return self._play.observe(self.batch), self._infos(mask)

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, Info]:
        """The steps of one action each: observations, rewards, terminations, truncations, infos."""
        self._expect_open()
        anew = self._over.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and anew.any():
            raise gymnasium.error.ResetNeeded(f"episodes are over, and were not reset: {_places(anew)}")
        self._play.act(self.batch, actions)
        self.batch.run(steps=self.task.frame_skip)
        self._elapsed += 1
        rewards = np.array(np.broadcast_to(self.task.reward(self.batch), self.num_envs), np.float64)
        terminated = np.logical_or(self._play.terminated(self.batch), ~self.batch.finite)
        truncated = np.zeros(self.num_envs, np.bool_)
        if self.max_episode_steps is not None:
            truncated = self._elapsed >= self.max_episode_steps
        if anew.any():  # the action of these was to begin
            rewards[anew], terminated[anew], truncated[anew] = 0.0, False, False
            self._begin(anew)
        self._over = terminated | truncated
        infos: Info = {}
        observations = self._play.observe(self.batch)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            for i in _places(self._over):
                last = {"final_obs": _entry(observations, i), "final_info": self._info(i)}
                infos = self._add_info(infos, last, i)
            self._begin(self._over)
            observations = self._play.observe(self.batch)
        return observations, rewards, terminated, truncated, {**infos, **self._infos(np.ones_like(anew))}

    def close_extras(self, **kwargs: Any) -> None:
        """Called by close()."""

    def _random(self, i: int) -> np.random.Generator:
        random = self._randoms[i]
        if random is None:
            random = self._randoms[i] = seeding.np_random()[0]
        return random

    def _begin(self, mask: Array) -> None:
        self.batch.reset(mask)
        for i in _places(mask):
            self._play.begin(self.batch[i], self._random(i))
        self._elapsed[mask] = 0
        self._over[mask] = False

    def _info(self, i: int) -> Info:
        return {"time": self.batch[i].time, "certified": self.batch[i].certified}

    def _infos(self, mask: Array) -> Info:
        time, certified = np.where(mask, self.batch.time, 0.0), self.batch.certified & mask
        return {"time": time, "_time": mask.copy(), "certified": certified, "_certified": mask.copy()}

    def _expect_open(self) -> None:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("this environment is closed")


def _task(task: Any, parts: Mapping[str, Any]) -> Task:
    if not isinstance(task, Task):
        return Task(task, **parts)
    if parts:
        raise InputError(f"{next(iter(parts))}: the task is there already")
    return task


def _places(mask: Array) -> list[int]:
    return [int(i) for i in np.flatnonzero(mask)]


def _entry(observations: Any, i: int) -> Any:
    if isinstance(observations, dict):
        return {name: _entry(part, i) for name, part in observations.items()}
    return observations[i].copy()


def _whole(what: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise InputError(f"{what}: expected a whole number >= 1, got {value!r}")


# ---- A cart with a pole ----

_RAIL = 2.4  # [m] to either side
_LEAN = math.radians(12)
_FORCE = 10.0  # [N]


def cart_pole_scene(friction: float = 0.0) -> Scene:
    """A cart of 1 kg on a rail, and on it a hinge with a rod of 0.1 kg and 1 m that stands upright.

    Args:
        friction: Dry friction of the rail [N].
    """
    rail = PrismaticJoint(name="rail", bodies=("world", "cart"), position=(0, 0), axis=(1, 0))
    if friction:
        rail.friction = number("friction", friction)
    return Scene(
        name="cart-pole",
        description="A cart on a rail that balances a pole.",
        time=Time(step=0.005, end=10),
        system=Bodies(
            type="planar",
            gravity=(0, -9.8),
            bodies=[
                Body(name="cart", mass=1, inertia=0.01),
                Body(name="pole", position=(0, 0.5), mass=0.1, inertia=0.1 / 12),
            ],
            joints=[rail, RevoluteJoint(name="hinge", bodies=("cart", "pole"), position=(0, 0))],
        ),
    )


def cart_pole_task(friction: float = 0.0) -> Task:
    """The task of Barto, Sutton and Anderson (1983): keep the pole upright and the cart on its rail.

    Observation: place of the cart [m], its velocity [m/s], how far the pole leans to the right [rad] and
    how fast it falls [rad/s]. Action: 0 pushes to the left, 1 to the right, with 10 N for 0.02 s. Reward:
    1 for each action. It is over beyond 2.4 m or 12 degrees.
    """

    def observation(s: Any) -> Array:
        return np.stack([s.q[..., 0], s.u[..., 0], -s.q[..., 5], -s.u[..., 5]], axis=-1)

    def action(s: Any, right: Any) -> None:
        s.inputs.joint_force[..., 0, 0] = _FORCE * (2.0 * np.asarray(right) - 1.0)

    def terminated(s: Any) -> Any:
        q = s.q
        return (abs(q[..., 0]) > _RAIL) | (abs(q[..., 5]) > _LEAN)

    def start(sim: Simulation, random: np.random.Generator) -> None:
        x, v, lean, fall = random.uniform(-0.05, 0.05, 4)
        right, up = 0.5 * math.sin(lean), 0.5 * math.cos(lean)
        sim.set(q=[x, 0, 0, x + right, up, -lean], u=[v, 0, 0, v + up * fall, -right * fall, -fall])

    bounds = np.array([2 * _RAIL, 50.0, 2 * _LEAN, 50.0])
    return Task(
        cart_pole_scene(friction),
        observation=observation,
        action=action,
        reward=lambda s: np.ones(np.shape(s.time)),
        terminated=terminated,
        start=start,
        observation_space=spaces.Box(-bounds, bounds, dtype=np.float64),
        action_space=spaces.Discrete(2),
        frame_skip=4,
    )


def cart_pole(friction: float = 0.0) -> Environment:
    """What gymnasium.make("stickslip/CartPole-v0") makes, but for its end after 500 actions."""
    return Environment(cart_pole_task(friction))


def cart_poles(
    num_envs: int = 1, *, max_episode_steps: int | None = 500, friction: float = 0.0, **options: Any
) -> VectorEnvironment:
    """What gymnasium.make_vec("stickslip/CartPole-v0") makes; options as in `VectorEnvironment`."""
    return VectorEnvironment(cart_pole_task(friction), num_envs, max_episode_steps=max_episode_steps, **options)


gymnasium.register(
    "stickslip/CartPole-v0",
    entry_point="stickslip.gym:cart_pole",
    vector_entry_point="stickslip.gym:cart_poles",
    max_episode_steps=500,
)
