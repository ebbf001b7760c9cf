"""Bodies, joints and coordinates of a simulation: by name, by number, and all of them as arrays.

They are views: they have no state of their own, and show that of the simulation now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip._engine import InputError
from stickslip.arrays import axial_vector, number, numbers, shown_only, vector
from stickslip.named import Named

if TYPE_CHECKING:
    from stickslip.simulation import Simulation

__all__ = ["Bodies", "BodyHandle", "CoordinateHandle", "Coordinates", "JointHandle", "Joints", "expect_plane"]

Array = NDArray[np.float64]
Handle = TypeVar("Handle")


class _OfSimulation(Named[Handle]):
    """What a simulation has by name."""

    def __init__(self, simulation: Simulation, places: Mapping[str, int]) -> None:
        super().__init__(places)
        self._simulation = simulation


# ---- Bodies ----


def expect_plane(simulation: Simulation, what: str) -> None:
    """A body in space has no angle of its own."""
    if simulation._source.dimension == 3:
        raise InputError(f"{what}: is of scenes in the plane; in space use orientation")


class Bodies(_OfSimulation["BodyHandle"]):
    """The bodies of a scene; `bodies["box"]` is one of them."""

    _what, _several = "body", "bodies"

    def _handle(self, place: int) -> BodyHandle:
        return BodyHandle(self._simulation, place, self.names[place])

    def _states(self, part: str) -> Array:
        return shown_only(self._simulation._body_states()[part][0])

    @property
    def position(self) -> Array:
        """Origins of the bodies' frames, (bodies, 3) [length]; z = 0 in the plane."""
        return self._states("position")

    @property
    def orientation(self) -> Array:
        """Unit quaternions (w, x, y, z), (bodies, 4)."""
        return self._states("orientation")

    @property
    def angle(self) -> Array:
        """In the plane: angles with all their turns, (bodies,) [rad]."""
        expect_plane(self._simulation, "angle")
        return self._states("angle")

    @property
    def velocity(self) -> Array:
        """Of the origins, world axes, (bodies, 3) [velocity]."""
        return self._states("velocity")

    @property
    def angular_velocity(self) -> Array:
        """World axes, (bodies, 3) [rad/s]."""
        return self._states("angular_velocity")


class BodyHandle:
    """One body of a simulation. Its state can be set between steps if it is dynamic: `body.velocity = (1, 0, 0)`.

    Arrays are copies of the state now, which cannot be written to. `index` is the body's row in the arrays of all.
    """

    __slots__ = ("_simulation", "index", "name")

    def __init__(self, simulation: Simulation, index: int, name: str) -> None:
        self._simulation = simulation
        self.index = index
        self.name = name

    def _state(self, part: str) -> Array:
        return shown_only(self._simulation._body_states()[part][0, self.index])

    @property
    def position(self) -> Array:
        """Of the origin of the body's frame, (3,) [length]."""
        return self._state("position")

    @position.setter
    def position(self, to: ArrayLike) -> None:
        self._simulation._place(self.index, position=self._vector("position", to))

    @property
    def orientation(self) -> Array:
        """Unit quaternion (w, x, y, z)."""
        return self._state("orientation")

    @orientation.setter
    def orientation(self, to: ArrayLike) -> None:
        self._simulation._place(self.index, orientation=numbers(f"{self.name}.orientation", to))

    @property
    def angle(self) -> float:
        """In the plane: with all its turns [rad]."""
        expect_plane(self._simulation, f"{self.name}.angle")
        return float(self._state("angle"))

    @angle.setter
    def angle(self, to: float) -> None:
        expect_plane(self._simulation, f"{self.name}.angle")
        self._simulation._place(self.index, angle=number(f"{self.name}.angle", to))

    @property
    def velocity(self) -> Array:
        """Of the origin, world axes, (3,) [velocity]."""
        return self._state("velocity")

    @velocity.setter
    def velocity(self, to: ArrayLike) -> None:
        self._simulation._place(self.index, velocity=self._vector("velocity", to))

    @property
    def angular_velocity(self) -> Array:
        """World axes, (3,) [rad/s]; in the plane a number may be given."""
        return self._state("angular_velocity")

    @angular_velocity.setter
    def angular_velocity(self, to: ArrayLike) -> None:
        self._simulation._place(self.index, angular_velocity=axial_vector(f"{self.name}.angular_velocity", to))

    def _vector(self, part: str, to: ArrayLike) -> Array:
        return vector(f"{self.name}.{part}", to, planar=True)

    @property
    def contacts(self) -> NDArray[np.void]:
        """The contacts of the last step that it has a part in (`Simulation.contacts`)."""
        contacts = self._simulation.contacts
        own: NDArray[np.void] = contacts[(contacts["body_a"] == self.index) | (contacts["body_b"] == self.index)]
        return own

    def __repr__(self) -> str:
        return f"<body {self.name!r} at {self.position}>"


# ---- Joints ----


class Joints(_OfSimulation["JointHandle"]):
    """The joints of a scene; `joints["hinge"]` is one of them."""

    _what, _several = "joint", "joints"

    def _handle(self, place: int) -> JointHandle:
        return JointHandle(self._simulation, place, self.names[place])

    @property
    def coordinates(self) -> Array:
        """(joints, 2): angles with all their turns [rad], displacements; not a number where there are fewer."""
        return shown_only(self._simulation._joint_coordinates()[0])


class JointHandle:
    """One joint of a simulation. `index` is its row in the arrays of all; `Simulation.inputs` drives it."""

    __slots__ = ("_simulation", "index", "name")

    def __init__(self, simulation: Simulation, index: int, name: str) -> None:
        self._simulation = simulation
        self.index = index
        self.name = name

    @property
    def coordinates(self) -> Array:
        """What the joint leaves free, in the order of docs/scene-format.md: angles [rad], displacements."""
        of_this = self._simulation._joint_coordinates()[0, self.index]
        return shown_only(of_this[~np.isnan(of_this)])

    @property
    def coordinate(self) -> float:
        """The only, or the first, coordinate."""
        coordinates = self.coordinates
        if not len(coordinates):
            raise InputError(f"joint {self.name!r} has no coordinate")
        return float(coordinates[0])

    def _force(self, part: str) -> Array:
        return shown_only(self._simulation.joint_forces[self.index][part])

    @property
    def force(self) -> Array:
        """On its second body, mean over the last step, world axes, (3,) [force]."""
        return self._force("force")

    @property
    def torque(self) -> Array:
        """On its second body about the joint's point on it, (3,) [force x length]."""
        return self._force("torque")

    @property
    def drive(self) -> Array:
        """Along the coordinates by motor, limits, friction and spring, (2,); torques where they are angles."""
        return self._force("drive")

    def __repr__(self) -> str:
        return f"<joint {self.name!r} at {self.coordinates}>"


# ---- Coordinates ----


class Coordinates(_OfSimulation["CoordinateHandle"]):
    """The positions of a system by name, as recordings have them; `coordinates["phi_M"]` is one of them."""

    _what, _several = "coordinate", "coordinates"

    def __init__(self, simulation: Simulation, positions: Mapping[str, int], velocities: Mapping[str, int]) -> None:
        super().__init__(simulation, positions)
        self._velocities = velocities

    def _handle(self, place: int) -> CoordinateHandle:
        name = self.names[place]
        return CoordinateHandle(self._simulation, name, place, self._velocities.get(name))


class CoordinateHandle:
    """One coordinate of a simulation."""

    __slots__ = ("_position", "_simulation", "_velocity", "name")

    def __init__(self, simulation: Simulation, name: str, position: int, velocity: int | None) -> None:
        self._simulation = simulation
        self.name = name
        self._position = position
        self._velocity = velocity

    @property
    def q(self) -> float:
        """Its position."""
        return float(self._simulation.q[self._position])

    @q.setter
    def q(self, to: float) -> None:
        self._simulation.set(q={self.name: number(f"{self.name}.q", to)})

    @property
    def u(self) -> float:
        """Its velocity."""
        return float(self._simulation.u[self._known_velocity()])

    @u.setter
    def u(self, to: float) -> None:
        self._known_velocity()
        self._simulation.set(u={self.name: number(f"{self.name}.u", to)})

    def _known_velocity(self) -> int:
        if self._velocity is None:
            raise InputError(f"{self.name!r} has no velocity of that name: set bodies by Simulation.bodies")
        return self._velocity

    def __repr__(self) -> str:
        return f"<coordinate {self.name!r}: q = {self.q}>"
