"""Bodies, joints and coordinates of a batch, in the words of those of a simulation: with a leading axis n.

An expression such as `s.bodies["pole"].angle` can be written once, for a simulation and for a batch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.arrays import shown_only
from stickslip.handles import expect_plane
from stickslip.named import Named

if TYPE_CHECKING:
    from stickslip.batch import Batch

__all__ = [
    "BatchBodies",
    "BatchBody",
    "BatchCoordinate",
    "BatchCoordinates",
    "BatchJoint",
    "BatchJoints",
]

Array = NDArray[np.float64]
Handle = TypeVar("Handle")


class _OfBatch(Named[Handle]):
    """What the copies of a batch have by name."""

    def __init__(self, batch: Batch, places: Mapping[str, int]) -> None:
        super().__init__(places)
        self._batch = batch

    def __repr__(self) -> str:
        return f"<{len(self)} {self._several} of {len(self._batch)} copies>"


# ---- Bodies ----


class BatchBodies(_OfBatch["BatchBody"]):
    """The bodies of all copies; `bodies["box"]` is one body in all of them."""

    _what, _several = "body", "bodies"

    def _handle(self, place: int) -> BatchBody:
        return BatchBody(self._batch, place, self.names[place])

    def _states(self, part: str) -> Array:
        return shown_only(_engine.bodies_of(self._batch._copies, part))

    @property
    def position(self) -> Array:
        """Origins of the bodies' frames, (n, bodies, 3) [length]; z = 0 in the plane."""
        return self._states("position")

    @property
    def orientation(self) -> Array:
        """Unit quaternions (w, x, y, z), (n, bodies, 4)."""
        return self._states("orientation")

    @property
    def angle(self) -> Array:
        """In the plane: angles with all their turns, (n, bodies) [rad]."""
        expect_plane(self._batch[0], "angle")
        return self._states("angle")[..., 0]

    @property
    def velocity(self) -> Array:
        """Of the origins, world axes, (n, bodies, 3) [velocity]."""
        return self._states("velocity")

    @property
    def angular_velocity(self) -> Array:
        """World axes, (n, bodies, 3) [rad/s]."""
        return self._states("angular_velocity")


class BatchBody:
    """One body in all copies. What is set is for all of them, or a row for each; `Batch.place` sets some."""

    __slots__ = ("_batch", "index", "name")

    def __init__(self, batch: Batch, index: int, name: str) -> None:
        self._batch = batch
        self.index = index
        self.name = name

    def _state(self, part: str) -> Array:
        return shown_only(np.ascontiguousarray(_engine.bodies_of(self._batch._copies, part)[:, self.index]))

    @property
    def position(self) -> Array:
        """Of the origin of the body's frame, (n, 3) [length]."""
        return self._state("position")

    @position.setter
    def position(self, to: ArrayLike) -> None:
        self._batch.place(self.index, position=to)

    @property
    def orientation(self) -> Array:
        """Unit quaternions (w, x, y, z), (n, 4)."""
        return self._state("orientation")

    @orientation.setter
    def orientation(self, to: ArrayLike) -> None:
        self._batch.place(self.index, orientation=to)

    @property
    def angle(self) -> Array:
        """In the plane: with all its turns, (n,) [rad]."""
        expect_plane(self._batch[0], f"{self.name}.angle")
        return self._state("angle")[:, 0]

    @angle.setter
    def angle(self, to: ArrayLike) -> None:
        self._batch.place(self.index, angle=to)

    @property
    def velocity(self) -> Array:
        """Of the origin, world axes, (n, 3) [velocity]."""
        return self._state("velocity")

    @velocity.setter
    def velocity(self, to: ArrayLike) -> None:
        self._batch.place(self.index, velocity=to)

    @property
    def angular_velocity(self) -> Array:
        """World axes, (n, 3) [rad/s]."""
        return self._state("angular_velocity")

    @angular_velocity.setter
    def angular_velocity(self, to: ArrayLike) -> None:
        self._batch.place(self.index, angular_velocity=to)

    def __repr__(self) -> str:
        return f"<body {self.name!r} of {len(self._batch)} copies>"


# ---- Joints ----


class BatchJoints(_OfBatch["BatchJoint"]):
    """The joints of all copies; `joints["hinge"]` is one joint in all of them."""

    _what, _several = "joint", "joints"

    def _handle(self, place: int) -> BatchJoint:
        return BatchJoint(self._batch, place, self.names[place])

    @property
    def coordinates(self) -> Array:
        """(n, joints, 2): angles with all their turns [rad], displacements; not a number where there are fewer."""
        return shown_only(_engine.joint_coordinates_of(self._batch._copies))


class BatchJoint:
    """One joint in all copies."""

    __slots__ = ("_batch", "index", "name")

    def __init__(self, batch: Batch, index: int, name: str) -> None:
        self._batch = batch
        self.index = index
        self.name = name

    @property
    def coordinates(self) -> Array:
        """What the joint leaves free, (n, 0 to 2): angles [rad], displacements."""
        of_this = _engine.joint_coordinates_of(self._batch._copies)[:, self.index]
        return shown_only(np.ascontiguousarray(of_this[:, ~np.isnan(of_this[0])]))

    @property
    def coordinate(self) -> Array:
        """The only, or the first, coordinate, (n,)."""
        coordinates = self.coordinates
        if not coordinates.shape[1]:
            raise InputError(f"joint {self.name!r} has no coordinate")
        return coordinates[:, 0]

    def __repr__(self) -> str:
        return f"<joint {self.name!r} of {len(self._batch)} copies>"


# ---- Coordinates ----


class BatchCoordinates(_OfBatch["BatchCoordinate"]):
    """The positions of a system by name; `coordinates["x"]` is one of them in all copies."""

    _what, _several = "coordinate", "coordinates"

    def __init__(self, batch: Batch, positions: Mapping[str, int], velocities: Mapping[str, int]) -> None:
        super().__init__(batch, positions)
        self._velocities = velocities

    def _handle(self, place: int) -> BatchCoordinate:
        name = self.names[place]
        return BatchCoordinate(self._batch, name, place, self._velocities.get(name))


class BatchCoordinate:
    """One coordinate in all copies."""

    __slots__ = ("_batch", "_position", "_velocity", "name")

    def __init__(self, batch: Batch, name: str, position: int, velocity: int | None) -> None:
        self._batch = batch
        self.name = name
        self._position = position
        self._velocity = velocity

    @property
    def q(self) -> Array:
        """Its positions, (n,)."""
        return self._batch.q[:, self._position]

    @q.setter
    def q(self, to: ArrayLike) -> None:
        self._batch.set(q={self.name: to})

    @property
    def u(self) -> Array:
        """Its velocities, (n,)."""
        return self._batch.u[:, self._known_velocity()]

    @u.setter
    def u(self, to: ArrayLike) -> None:
        self._known_velocity()
        self._batch.set(u={self.name: to})

    def _known_velocity(self) -> int:
        if self._velocity is None:
            raise InputError(f"{self.name!r} has no velocity of that name: set bodies by Batch.bodies")
        return self._velocity

    def __repr__(self) -> str:
        return f"<coordinate {self.name!r} of {len(self._batch)} copies>"
