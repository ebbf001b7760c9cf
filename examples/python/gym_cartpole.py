"""A cart that balances a pole, as a Gymnasium environment: random pushes, and a rule of four numbers.

It needs Gymnasium: pip install "stickslip[gym]".
"""

import gymnasium
import numpy as np

import stickslip.gym  # noqa: F401  (registers the environment)

COPIES = 32
#: Push to the right where this weighted sum of place, velocity, lean and fall is positive.
WEIGHTS = np.array([0.1, 0.3, 2.0, 0.6])


def pushes_until_it_falls(weights: np.ndarray | None, friction: float) -> float:
    """The mean over COPIES episodes; weights None: pushes at random."""
    envs = gymnasium.make_vec("stickslip/CartPole-v0", num_envs=COPIES, friction=friction)
    envs.action_space.seed(1)
    observations, _ = envs.reset(seed=1)
    lasted, going = np.zeros(COPIES), np.ones(COPIES, bool)
    while going.any():
        actions = envs.action_space.sample() if weights is None else (observations @ weights > 0).astype(int)
        observations, _, terminated, truncated, infos = envs.step(actions)
        lasted += going
        going &= ~(terminated | truncated)
        assert infos["certified"].all()
    envs.close()
    return float(lasted.mean())


def main() -> float:
    """Prints how many pushes pass until the pole falls, 500 at most, and returns it for the rule."""
    print(f"random pushes:                    {pushes_until_it_falls(None, 0.0):6.1f}")
    rule = pushes_until_it_falls(WEIGHTS, 0.0)
    print(f"a weighted sum:                   {rule:6.1f}")
    print(f"the same, 3 N of dry friction:    {pushes_until_it_falls(WEIGHTS, 3.0):6.1f}")
    return rule


if __name__ == "__main__":
    main()
