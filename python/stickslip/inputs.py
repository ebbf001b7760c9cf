"""What a controller sets between steps: forces and torques on bodies, targets and forces of joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import axial_vector, numbers, vector
from stickslip.named import place_of

if TYPE_CHECKING:
    from stickslip.simulation import Simulation

__all__ = ["BodyInput", "Inputs", "JointInput"]

Array = NDArray[np.float64]


def _write(what: str, into: Array, values: ArrayLike) -> None:
    array = numbers(what, values)
    try:
        into[...] = array
    except ValueError:
        raise InputError(f"{what}: expected the shape {into.shape}, got {array.shape}") from None


class Inputs:
    """Inputs of a simulation, `Simulation.inputs`: arrays that its steps read where they are.

    What is written into them holds from the next step on, over whole steps, until it is changed:
    `sim.set` keeps it. Forces are applied forces, as loads of a scene are. What cannot be used, such
    as a force that is not a number, is an InputError of the next step, which is then not made.

        sim.inputs.force[2] = [10, 0, 0]               # rows are in the order of sim.bodies
        sim.inputs.joint("hinge").target = 0.3         # the same by name
        sim.inputs.clear()

    Arrays stay valid when the simulation has gone. Not to be written to while another thread steps.
    """

    __slots__ = ("__weakref__", "_arrays", "_bodies", "_coordinates", "_joints")

    def __init__(self, simulation: Simulation) -> None:
        self._arrays: dict[str, Array] = _engine.input_arrays(simulation)
        self._bodies = {name: i for i, name in enumerate(simulation.bodies.names)}
        self._joints = {name: i for i, name in enumerate(simulation.joints.names)}
        # How many coordinates each joint has.
        self._coordinates: list[int] = (
            (~np.isnan(simulation._joint_coordinates()[0])).sum(axis=1).tolist() if self._joints else []
        )

    def body(self, key: str | int) -> BodyInput:
        """What acts on one body, by name or number."""
        place = place_of("body", key, self._bodies)
        return BodyInput(list(self._bodies)[place], self.force[place], self.torque[place])

    def joint(self, key: str | int) -> JointInput:
        """What drives one joint, by name or number."""
        place = place_of("joint", key, self._joints)
        rows = {part: self._arrays[part][place, : self._coordinates[place]] for part in JointInput._PARTS}
        return JointInput(list(self._joints)[place], rows)

    def clear(self) -> None:
        """Nothing is set any more."""
        for name, array in self._arrays.items():
            array.fill(np.nan if name in ("target", "max_force") else 0.0)

    @property
    def force(self) -> Array:
        """Forces at the centres of mass of the bodies, world axes, (bodies, 3) [force].

        Only dynamic bodies take any; in the plane the z component has no effect.
        """
        return self._arrays["force"]

    @force.setter
    def force(self, to: ArrayLike) -> None:
        _write("inputs.force", self.force, to)

    @property
    def torque(self) -> Array:
        """Torques on the bodies, world axes, (bodies, 3) [force x length]; in the plane only z has an effect."""
        return self._arrays["torque"]

    @torque.setter
    def torque(self, to: ArrayLike) -> None:
        _write("inputs.torque", self.torque, to)

    @property
    def target(self) -> Array:
        """What motors aim at in place of the scene's, (joints, 2), one column a coordinate; NaN: not set.

        A velocity [length/s, rad/s] or a position [length, rad], as the motor's is in the scene. It
        is held: a position motor is behind a target that moves by its time constant.
        """
        return self._arrays["target"]

    @target.setter
    def target(self, to: ArrayLike) -> None:
        _write("inputs.target", self.target, to)

    @property
    def max_force(self) -> Array:
        """Largest forces of motors in place of the scene's, (joints, 2) [force, force x length]; NaN: not set."""
        return self._arrays["max_force"]

    @max_force.setter
    def max_force(self, to: ArrayLike) -> None:
        _write("inputs.max_force", self.max_force, to)

    @property
    def joint_force(self) -> Array:
        """Forces along the coordinates of joints, torques where they are angles, (joints, 2) [force, force x length].

        They act on both bodies in opposite directions, with or without a motor.
        """
        return self._arrays["joint_force"]

    @joint_force.setter
    def joint_force(self, to: ArrayLike) -> None:
        _write("inputs.joint_force", self.joint_force, to)

    @property
    def generalized(self) -> Array:
        """Forces in the directions of `Simulation.u`, (velocities,), for any system; power is generalized @ u.

        Of bodies they are force and torque, the latter in the axes of the body, or of the world for balls.
        """
        return self._arrays["generalized"]

    @generalized.setter
    def generalized(self, to: ArrayLike) -> None:
        _write("inputs.generalized", self.generalized, to)

    def __reduce__(self) -> NoReturn:
        raise TypeError("inputs belong to their simulation: copy or pickle that")

    def __repr__(self) -> str:
        used = [
            name
            for name, array in self._arrays.items()
            if (~np.isnan(array) if name in ("target", "max_force") else array != 0).any()
        ]
        return f"<inputs: {', '.join(used) or 'nothing'} set>"


class BodyInput:
    """What acts on one body: views of rows of `Inputs`."""

    __slots__ = ("_force", "_torque", "name")

    def __init__(self, name: str, force: Array, torque: Array) -> None:
        self.name = name
        self._force = force
        self._torque = torque

    @property
    def force(self) -> Array:
        """Force at the centre of mass, world axes, (3,) [force]; in the plane two numbers may be given."""
        return self._force

    @force.setter
    def force(self, to: ArrayLike) -> None:
        self._force[:] = vector(f"{self.name}.force", to, planar=True)

    @property
    def torque(self) -> Array:
        """Torque, world axes, (3,) [force x length]; in the plane a number may be given."""
        return self._torque

    @torque.setter
    def torque(self, to: ArrayLike) -> None:
        self._torque[:] = axial_vector(f"{self.name}.torque", to)

    def __repr__(self) -> str:
        return f"<inputs of body {self.name!r}: force {self._force}, torque {self._torque}>"


class JointInput:
    """What drives one joint: views of rows of `Inputs`, as long as the joint has coordinates.

    A number may be given for all coordinates; `joint.force[0] = 2` sets one.
    """

    _PARTS = ("target", "max_force", "joint_force")
    __slots__ = ("_rows", "name")

    def __init__(self, name: str, rows: Mapping[str, Array]) -> None:
        self.name = name
        self._rows = rows

    def _set(self, part: str, to: Any) -> None:
        if not len(self._rows[part]):
            raise InputError(f"joint {self.name!r} has no coordinate that can be driven")
        _write(f"{self.name}.{'force' if part == 'joint_force' else part}", self._rows[part], np.nan if to is None else to)

    @property
    def target(self) -> Array:
        """What its motor aims at, in place of the scene's; NaN (None may be given): not set."""
        return self._rows["target"]

    @target.setter
    def target(self, to: ArrayLike | None) -> None:
        self._set("target", to)

    @property
    def max_force(self) -> Array:
        """Largest force of its motor, in place of the scene's [force, force x length]; NaN or None: not set."""
        return self._rows["max_force"]

    @max_force.setter
    def max_force(self, to: ArrayLike | None) -> None:
        self._set("max_force", to)

    @property
    def force(self) -> Array:
        """Force along the coordinate, torque where that is an angle [force, force x length]."""
        return self._rows["joint_force"]

    @force.setter
    def force(self, to: ArrayLike) -> None:
        self._set("joint_force", to)

    def __repr__(self) -> str:
        return f"<inputs of joint {self.name!r}: target {self.target}, max_force {self.max_force}, force {self.force}>"
