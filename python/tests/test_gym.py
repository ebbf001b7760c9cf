"""Environments for agents: Gymnasium's own checks, the bits of simulations, and the physics of the cart with a pole."""

import math
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

import stickslip as ss

gymnasium = pytest.importorskip("gymnasium")
integrate = pytest.importorskip("scipy.integrate")

import stickslip.gym as ssgym  # noqa: E402

ARM = """{"stickslip": 1, "name": "arm", "time": {"step": 1e-3, "end": 1},
  "system": {"type": "planar",
    "bodies": [{"name": "arm", "position": [0.5, 0], "shape": {"type": "box", "size": [1, 0.1]}}],
    "joints": [{"name": "hinge", "type": "revolute", "bodies": ["world", "arm"], "position": [0, 0]}]}}"""


def arm_task(**parts: object) -> ssgym.Task:
    given = {
        "observation": ["arm.angle", "arm.omega", "hinge"],
        "action": {"hinge": 300.0},
        "reward": lambda s: -(s.joints["hinge"].coordinate ** 2),
        "frame_skip": 5,
    }
    return ssgym.Task(ss.Scene.parse(ARM), **{**given, **parts})


# ---- Gymnasium's own checks ----


def check(env: object, **options: bool) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, **options)


def test_cart_pole_passes_gymnasium_s_checker():
    check(gymnasium.make("stickslip/CartPole-v0").unwrapped)
    check(gymnasium.make("stickslip/CartPole-v0", friction=0.5).unwrapped)


def test_a_task_of_one_s_own_passes_gymnasium_s_checker():
    box = gymnasium.spaces.Box(-100.0, 100.0, (3,), np.float64)
    check(arm_task(observation_space=box).environment(), skip_render_check=True)  # which needs what is registered
    parts = {"observation": lambda s: s.u, "action": {"hinge": 1}, "reward": lambda s: 0.0, "observation_space": box}
    check(ssgym.Environment(ss.Scene.parse(ARM), **parts), skip_render_check=True)


# ---- Bits ----


def test_a_reset_is_a_new_simulation():
    env = arm_task().environment()
    env.reset(seed=3)
    for _ in range(20):
        observation, reward, terminated, truncated, info = env.step(np.array([0.7]))
    sim = ss.Scene.parse(ARM).simulation()
    sim.inputs.joint("hinge").force = 300.0 * 0.7
    sim.run(steps=100)
    assert env.sim.hash == sim.hash
    assert np.array_equal(observation, [sim.q[2], sim.u[2], sim.joints["hinge"].coordinate])
    assert isinstance(reward, float) and reward == -(sim.joints["hinge"].coordinate ** 2)
    assert (terminated, truncated) == (False, False) and info == {"time": sim.time, "certified": True}
    env.reset()
    assert env.sim.hash == ss.Scene.parse(ARM).simulation().hash
    env.sim.run(steps=10)
    other = ss.Scene.parse(ARM).simulation()
    other.run(steps=10)
    assert env.sim.hash == other.hash, "a new episode has no inputs of the last one"


def test_seeds_make_episodes():
    env = gymnasium.make("stickslip/CartPole-v0")
    runs = []
    for seed in (1, 1, 2, None):
        start, _ = env.reset(seed=seed)
        steps = [env.step(i % 2)[0] for i in range(10)]
        runs.append(np.stack([start, *steps]))
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2]) and not np.array_equal(runs[2], runs[3])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_vector_environment_does_what_gymnasium_makes_of_single_ones(mode, threads):
    n, limit = 5, 25
    ours = gymnasium.make_vec(
        "stickslip/CartPole-v0", num_envs=n, max_episode_steps=limit, autoreset_mode=mode, threads=threads
    )
    assert isinstance(ours, ssgym.VectorEnvironment) and ours.metadata["autoreset_mode"].value == mode
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make("stickslip/CartPole-v0", max_episode_steps=limit)] * n, autoreset_mode=mode
    )
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    random = np.random.default_rng(5)
    _compare(ours.reset(seed=7), theirs.reset(seed=7))
    ends = 0
    for step in range(60):
        actions = random.integers(0, 2, n)
        results = ours.step(actions), theirs.step(actions)
        _compare(*results)
        ends += int(results[0][2].sum() + results[0][3].sum())
        if step == 30:
            _compare(ours.reset(), theirs.reset())
    assert ends > n, "episodes ended"
    _compare(ours.reset(seed=[1, None, 3, 4, 5]), theirs.reset(seed=[1, None, 3, 4, 5]))


def _compare(ours: object, theirs: object) -> None:
    assert type(ours) is type(theirs), (ours, theirs)
    if isinstance(ours, tuple):
        for a, b in zip(ours, theirs, strict=True):
            _compare(a, b)
    elif isinstance(ours, dict):
        assert ours.keys() == theirs.keys()
        for key in ours:
            _compare(ours[key], theirs[key])
    elif isinstance(ours, np.ndarray):
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype, (ours, theirs)
        if ours.dtype == object:
            _compare(tuple(ours), tuple(theirs))
        else:
            assert np.array_equal(ours, theirs), (ours, theirs)
    else:
        assert ours == theirs


def test_without_autoreset_the_agent_resets():
    envs = ssgym.cart_poles(3, max_episode_steps=4, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(4):
        _, _, _, truncated, _ = envs.step(np.array([0, 1, 1]))
    assert truncated.all()
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step(np.array([0, 1, 1]))
    mask = np.array([True, False, True])
    _, infos = envs.reset(seed=1, options={"reset_mask": mask})
    assert np.array_equal(infos["_time"], mask) and envs.batch.time[1] > 0 == envs.batch.time[0]
    envs.reset(options={"reset_mask": ~mask})
    envs.step(np.array([0, 1, 1]))
    for wrong in ([True, True, True, True], np.zeros(3, bool), np.ones(2, bool), np.ones(3)):
        with pytest.raises(ss.InputError, match="reset_mask"):
            envs.reset(options={"reset_mask": wrong})
    with pytest.raises(ss.InputError, match="seed: expected one for each of 3"):
        envs.reset(seed=[1, 2])


def test_a_vector_environment_of_one_s_own_task():
    envs = arm_task(start=lambda sim, random: sim.set(u={"arm.omega": 0.0}, time=random.uniform())).vector_environment(3)
    observations, _ = envs.reset(seed=0)
    assert observations.shape == (3, 3) and len(set(envs.batch.time)) == 3
    observations, rewards, *_ = envs.step(np.array([[0.0], [1.0], [5.0]]))
    assert np.array_equal(envs.batch.inputs.joint("hinge").force, [[0], [300], [300]])
    assert rewards.shape == (3,) and rewards[1] == rewards[2] != rewards[0]


# ---- Physics ----


@pytest.mark.parametrize("right", [0, 1])
def test_the_cart_with_a_pole_moves_as_its_equations_say(right):
    def equations(_: float, y: np.ndarray) -> list[float]:
        x, v, lean, fall = y
        force, mass, pole, half, g = 10.0 * (2 * right - 1), 1.1, 0.1, 0.5, 9.8
        push = (force + pole * half * fall**2 * math.sin(lean)) / mass
        turn = (g * math.sin(lean) - math.cos(lean) * push) / (half * (4 / 3 - pole * math.cos(lean) ** 2 / mass))
        return [v, push - pole * half * turn * math.cos(lean) / mass, fall, turn]

    env = ssgym.cart_pole()
    start, _ = env.reset(seed=11)
    for _ in range(10):
        observation, *_ = env.step(right)
    exact = integrate.solve_ivp(equations, (0, 0.2), start, rtol=1e-10, atol=1e-12).y[:, -1]
    assert env.sim.time == pytest.approx(0.2, abs=1e-14)
    assert np.abs(observation - exact).max() < 0.02 * np.abs(exact).max()
    assert env.sim.certified


def test_dry_friction_holds_the_cart_until_it_is_pushed():
    scene = ssgym.cart_pole_scene(friction=3.0)
    sim = scene.simulation()
    sim.inputs.joint("rail").force = 2.5
    sim.run(steps=20)
    assert abs(sim.bodies["cart"].position[0]) < 1e-12
    sim.inputs.joint("rail").force = 4.0
    sim.run(steps=1)
    assert sim.bodies["cart"].velocity[0] > 0


# ---- What may go wrong ----


def test_wrong_tasks():
    for wrong, text in (
        ({"frame_skip": 0}, "frame_skip"),
        ({"frame_skip": 1.5}, "frame_skip"),
        ({"reward": 1}, "reward"),
        ({"reward": None}, "reward"),
        ({"terminated": 1}, "terminated"),
        ({"observation": "arm.angle"}, "observation"),
        ({"observation": []}, "observation"),
        ({"observation": ["arm.phi"]}, "there is no 'arm.phi' among arm.x"),
        ({"action": {"hing": 1}}, "is it 'hinge'"),
        ({"action": {"hinge": "x"}}, "action: 'hinge'"),
        ({"action": {}}, "action"),
        ({"action": None}, "action"),
    ):
        with pytest.raises(ss.InputError, match=text):
            arm_task(**wrong).environment()
    with pytest.raises(ss.InputError, match="n: expected"):
        arm_task().vector_environment(0)
    with pytest.raises(ss.InputError, match="max_episode_steps"):
        arm_task().vector_environment(1, max_episode_steps=0)
    with pytest.raises(ss.InputError, match="reward: the task is there already"):
        ssgym.Environment(arm_task(), reward=lambda s: 0)
    with pytest.raises(TypeError):
        ssgym.Environment(ss.Scene.parse(ARM))


def test_what_is_closed_makes_no_steps():
    for env, action in ((ssgym.cart_pole(), 0), (ssgym.cart_poles(2), np.zeros(2, int))):
        env.reset(seed=0)
        env.close()
        env.close()
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            env.step(action)
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            env.reset()


def test_an_episode_ends_where_the_state_would_not_stay_finite():
    scene = ss.Scene.parse(ARM, set={"time.step": 100, "time.end": 1000, "system.joints": [], "system.gravity": [0, 0]})

    def action(s: object, a: np.ndarray) -> None:
        s.set(u={"arm.vx": 1e307 * a[..., 0]})

    task = ssgym.Task(scene, observation=["arm.x"], action=action, reward=lambda s: np.zeros(np.shape(s.time)))
    env, envs = task.environment(), task.vector_environment(2)
    env.reset()
    envs.reset()
    for a in (0.0, 1.0):
        observation, _, terminated, _, info = env.step(np.array([a]))
        observations, _, terminations, _, infos = envs.step(np.array([[0.0], [a]]))
        assert terminated is (a == 1.0) and info["certified"] is (a == 0.0)
        assert np.array_equal(terminations, [False, terminated]) and infos["certified"][1] == info["certified"]
        assert np.isfinite(observation).all() and np.array_equal(observation, observations[1])
    assert not env.sim.is_finite


def test_without_gymnasium_it_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\nimport stickslip\ntry:\n    import stickslip.gym\nexcept ImportError as e:\n    print(e)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "stickslip[gym]"' in result.stdout


def test_a_scene_of_the_task_can_be_kept():
    scene = ssgym.cart_pole_scene(0.25)
    assert pickle.loads(pickle.dumps(scene)).to_json() == scene.to_json()
    assert ss.Scene.parse(scene.to_json()).model.position_names[5] == "pole.angle"


def test_an_action_of_another_length_is_said():
    env = arm_task(action={"hinge": 1}).environment()
    env.reset(seed=1)
    for action in ([0.1, 0.2], 0.1):
        with pytest.raises(ss.InputError, match="action: expected 1 numbers, one for each of hinge"):
            env.step(action)
