"""The order of two schemes: errors over step sizes of a block that slides until friction stops it.

Prints the table and the orders of the errors. With matplotlib, `convergence_order.py FILE` draws them."""

import sys

import stickslip as ss


def sliding_block() -> ss.Scene:
    """A mass of 1 kg that starts with 3 m/s on a floor with mu = 0.3: it stops after 1.02 s."""
    return ss.Scene(
        name="sliding block",
        time=ss.Time(step=0.01, end=1.5),
        system=ss.Linear(
            coordinates=["x", "y"],
            M=[[1, 0], [0, 1]],
            f=[0, -9.81],
            contacts=[ss.LinearContact(name="floor", g0=0, w_N=[0, 1], w_T=[1, 0], mu=0.3, e_n=0)],
        ),
        initial=ss.Initial(u={"x": 3}),
    )


def main(picture: str | None = None) -> ss.Convergence:
    """Prints the errors, draws them if a file is named, and returns them."""
    result = ss.convergence(sliding_block(), steps=[0.02, 0.01, 0.005, 0.0025], schemes=["position", "midpoint"])
    print(result)
    if picture is not None:
        from matplotlib import pyplot

        result.plot()
        pyplot.savefig(picture, dpi=150)
    return result


if __name__ == "__main__":
    main(*sys.argv[1:2])
