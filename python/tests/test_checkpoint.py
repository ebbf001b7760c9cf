"""What a simulation saves as bytes: restored, it goes on bit for bit; anything else is refused and changes nothing."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import stickslip as ss
from stickslip import _engine

SCENES = {
    "box-stack.json": 40,
    "scale/dominoes.json": 60,
    "rocking-block.json": 80,
    "stick-slip.json": 120,
    "shapes/spatial-on-height-field.json": 90,
}


def made(scenes: Path, name: str, *overrides: str) -> _engine.Simulation:
    path = scenes / name
    return _engine.Simulation(_engine.Model(path.read_text(), name, list(overrides), str(path.parent)))


def stepped(simulation: _engine.Simulation, count: int) -> _engine.Simulation:
    for _ in range(count):
        simulation.step()
    return simulation


def now(simulation: _engine.Simulation) -> tuple[object, ...]:
    report = simulation.report
    certificate = report.certificate
    return simulation._state_hash(), simulation.time, certificate.residual, certificate.contact_work, report.iterations


@pytest.mark.parametrize("name", SCENES)
def test_restored_goes_on_bit_for_bit(scenes: Path, name: str) -> None:
    one = stepped(made(scenes, name), SCENES[name])
    saved = one.save()
    assert isinstance(saved, bytes)
    elsewhere = stepped(made(scenes, name), 7)
    for other in (made(scenes, name), elsewhere):
        other.restore(saved)
        assert other.save() == saved
        assert now(other) == now(one)
        assert bytes(other._contact_bytes()) == bytes(one._contact_bytes())
    others = [made(scenes, name), elsewhere]
    others[0].restore(saved)
    for _ in range(10):
        one.step()
        for other in others:
            other.step()
            assert now(other) == now(one)
    assert one.save() == others[0].save() == others[1].save()


def test_views_follow(scenes: Path) -> None:
    one, other = (made(scenes, "box-stack.json") for _ in range(2))
    q, u = other.q, other.u
    other.restore(stepped(one, 25).save())
    assert np.array_equal(q, one.q)
    assert np.array_equal(u, one.u)


def test_other_bytes_are_refused_and_change_nothing(scenes: Path) -> None:
    one = stepped(made(scenes, "box-stack.json"), 5)
    saved = stepped(made(scenes, "box-stack.json"), 20).save()
    before = one.save()
    damaged = bytearray(saved)
    damaged[len(saved) // 2] ^= 1
    for wrong, message in (
        (b"", "these bytes are something else"),
        (b"not a simulation, but some text", "these bytes are something else"),
        (saved[:-1], "not complete"),
        (saved + b"x", "bytes behind its end"),
        (bytes(damaged), "damaged"),
        (made(scenes, "cradle.json").save(), "another model: the number of positions"),
        (made(scenes, "box-stack.json", "method.tolerance=1e-5").save(), "method.tolerance is 1e-05 in it"),
        (made(scenes, "box-stack.json", "time.step=0.5").save(), "time.step is 0.5 in it"),
    ):
        with pytest.raises(ss.InputError, match=message):
            one.restore(wrong)
        assert one.save() == before
    with pytest.raises(TypeError):
        one.restore("text")  # type: ignore[arg-type]


def test_a_function_that_a_run_calls_may_save_and_restore(scenes: Path) -> None:
    sim = ss.Simulation(scenes / "box-stack.json")
    kept: list[bytes] = []

    def after(s: ss.Simulation) -> None:
        kept.append(s.save())

    sim.run(steps=5, after=after)
    assert len(set(kept)) == 5
    end = sim.hash
    sim.restore(kept[1])
    sim.run(steps=3)
    assert sim.hash == end


@pytest.mark.parametrize("again", [copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_have_the_inputs(scenes: Path, again: object) -> None:
    sim = ss.Simulation(scenes / "slider-crank.json")
    sim.inputs.generalized[-1] = 0.25
    sim.inputs.joint_force[0, 0] = 0.5
    sim.run(steps=20)
    other = again(sim)  # type: ignore[operator]
    assert other.inputs.generalized[-1] == 0.25
    assert other.inputs.joint_force[0, 0] == 0.5
    for s in (sim, other):
        s.run(steps=20)
    assert other.hash == sim.hash
    # Inputs that somebody looks at are set where they are.
    generalized = other.inputs.generalized
    other.restore(ss.Simulation(scenes / "slider-crank.json").save())
    assert not generalized.any()
