"""What a controller sets between steps of a batch: the arrays of `Inputs` with a leading axis n."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import numbers
from stickslip.copies import Where, picked
from stickslip.named import place_of

if TYPE_CHECKING:
    from stickslip.simulation import Simulation

__all__ = ["BatchBodyInput", "BatchInputs", "BatchJointInput"]

Array = NDArray[np.float64]
_UNSET = {"target": np.nan, "max_force": np.nan}


class BatchInputs:
    """Inputs of all copies, `Batch.inputs`: arrays that hold from the next step of the batch on.

        batch.inputs.force[:, 2, 0] = 10 * actions        # body 2 of each copy
        batch.inputs.joint("hinge").target = targets      # the same by name, (n,) or a number

    They mean what those of `Simulation.inputs` mean. An array that has been asked for is what the
    copies get at each step of the batch, in place of what was set in a copy alone.
    """

    # It does not hold the batch, which holds it: both go when they are dropped, without the collector.
    __slots__ = ("_arrays", "_bodies", "_copies", "_joints")

    def __init__(self, copies: tuple[Simulation, ...], bodies: Mapping[str, int], joints: Mapping[str, int]) -> None:
        self._copies = copies
        self._bodies = bodies
        self._joints = joints
        self._arrays: dict[str, Array] = {}

    def body(self, key: str | int) -> BatchBodyInput:
        """What acts on one body of each copy, by name or number."""
        place = place_of("body", key, self._bodies)
        return BatchBodyInput(self, list(self._bodies)[place], place)

    def joint(self, key: str | int) -> BatchJointInput:
        """What drives one joint of each copy, by name or number."""
        place = place_of("joint", key, self._joints)
        coordinates = int((~np.isnan(self._copies[0]._joint_coordinates()[0, place])).sum())
        return BatchJointInput(self, list(self._joints)[place], place, coordinates)

    def clear(self, where: Where = None) -> None:
        """Nothing is set any more in all copies, or in those that `where` picks (`Batch.set`)."""
        places = picked(where, len(self._copies))
        for name, array in self._arrays.items():
            array[places] = _UNSET.get(name, 0.0)

    def give(self) -> None:
        """Hands them to the copies; each step of the batch does."""
        if self._arrays:
            _engine.set_inputs_of(self._copies, **self._arrays)

    def take(self, places: NDArray[np.int64]) -> None:
        """Takes them from the copies at these places, after these were restored."""
        for name, array in self._arrays.items():
            for i in places:
                array[i] = getattr(self._copies[i].inputs, name)

    @property
    def force(self) -> Array:
        """Forces at the centres of mass of the bodies, world axes, (n, bodies, 3) [force]."""
        return self._array("force")

    @force.setter
    def force(self, to: ArrayLike) -> None:
        write("inputs.force", self.force, to)

    @property
    def torque(self) -> Array:
        """Torques on the bodies, world axes, (n, bodies, 3) [force x length]; in the plane only z has an effect."""
        return self._array("torque")

    @torque.setter
    def torque(self, to: ArrayLike) -> None:
        write("inputs.torque", self.torque, to)

    @property
    def target(self) -> Array:
        """What motors aim at in place of the scene's, (n, joints, 2), one column a coordinate; NaN: not set."""
        return self._array("target")

    @target.setter
    def target(self, to: ArrayLike) -> None:
        write("inputs.target", self.target, to)

    @property
    def max_force(self) -> Array:
        """Largest forces of motors in place of the scene's, (n, joints, 2) [force, force x length]; NaN: not set."""
        return self._array("max_force")

    @max_force.setter
    def max_force(self, to: ArrayLike) -> None:
        write("inputs.max_force", self.max_force, to)

    @property
    def joint_force(self) -> Array:
        """Forces along the coordinates of joints, torques where they are angles, (n, joints, 2)."""
        return self._array("joint_force")

    @joint_force.setter
    def joint_force(self, to: ArrayLike) -> None:
        write("inputs.joint_force", self.joint_force, to)

    @property
    def generalized(self) -> Array:
        """Forces in the directions of `Batch.u`, (n, nu), for any system."""
        return self._array("generalized")

    @generalized.setter
    def generalized(self, to: ArrayLike) -> None:
        write("inputs.generalized", self.generalized, to)

    def _array(self, part: str) -> Array:
        array = self._arrays.get(part)
        if array is None:
            array = self._arrays[part] = np.stack([getattr(copy.inputs, part) for copy in self._copies])
        return array

    def __reduce__(self) -> NoReturn:
        raise TypeError("inputs belong to their batch: copy or pickle that")

    def __repr__(self) -> str:
        return f"<inputs of {len(self._copies)} copies: {', '.join(self._arrays) or 'nothing'} set>"


class BatchBodyInput:
    """What acts on one body of each copy: views into `BatchInputs`."""

    __slots__ = ("_inputs", "_place", "name")

    def __init__(self, inputs: BatchInputs, name: str, place: int) -> None:
        self._inputs = inputs
        self._place = place
        self.name = name

    @property
    def force(self) -> Array:
        """Forces at the centre of mass, world axes, (n, 3) [force]; in the plane two columns may be given."""
        return self._inputs.force[:, self._place]

    @force.setter
    def force(self, to: ArrayLike) -> None:
        force = numbers(f"{self.name}.force", to)
        write(f"{self.name}.force", self.force[:, :2] if force.shape[-1:] == (2,) else self.force, force)

    @property
    def torque(self) -> Array:
        """Torques, world axes, (n, 3) [force x length]; in the plane a number or (n,) may be given."""
        return self._inputs.torque[:, self._place]

    @torque.setter
    def torque(self, to: ArrayLike) -> None:
        torque = numbers(f"{self.name}.torque", to)
        planar = torque.ndim < 2 and torque.shape != (3,)
        write(f"{self.name}.torque", self.torque[:, 2] if planar else self.torque, torque)

    def __repr__(self) -> str:
        return f"<inputs of body {self.name!r} of {len(self.force)} copies>"


class BatchJointInput:
    """What drives one joint of each copy: views into `BatchInputs`, as wide as the joint has coordinates.

    What is given may be a number for all copies, (n,) for all coordinates, or (n, coordinates).
    """

    __slots__ = ("_inputs", "_part", "name")

    def __init__(self, inputs: BatchInputs, name: str, place: int, coordinates: int) -> None:
        self._inputs = inputs
        self._part: Callable[[Array], Array] = lambda array: array[:, place, :coordinates]
        self.name = name

    def _set(self, part: str, into: Array, to: ArrayLike) -> None:
        if not into.shape[1]:
            raise InputError(f"joint {self.name!r} has no coordinate that can be driven")
        given = numbers(f"{self.name}.{part}", to)
        write(f"{self.name}.{part}", into, given[:, np.newaxis] if given.ndim == 1 else given)

    @property
    def target(self) -> Array:
        """What its motor aims at, in place of the scene's; NaN: not set."""
        return self._part(self._inputs.target)

    @target.setter
    def target(self, to: ArrayLike) -> None:
        self._set("target", self.target, to)

    @property
    def max_force(self) -> Array:
        """Largest force of its motor, in place of the scene's [force, force x length]; NaN: not set."""
        return self._part(self._inputs.max_force)

    @max_force.setter
    def max_force(self, to: ArrayLike) -> None:
        self._set("max_force", self.max_force, to)

    @property
    def force(self) -> Array:
        """Force along the coordinate, torque where that is an angle [force, force x length]."""
        return self._part(self._inputs.joint_force)

    @force.setter
    def force(self, to: ArrayLike) -> None:
        self._set("force", self.force, to)

    def __repr__(self) -> str:
        return f"<inputs of joint {self.name!r} of {len(self.force)} copies>"


def write(what: str, into: Array, values: ArrayLike) -> None:
    """Into a part of an array."""
    array = numbers(what, values)
    try:
        into[...] = array
    except ValueError:
        raise InputError(f"{what}: expected the shape {into.shape}, got {array.shape}") from None
