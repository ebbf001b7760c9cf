"""What becomes of one body, joint, coordinate or contact over the frames of a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stickslip._engine import InputError
from stickslip.series import Series

if TYPE_CHECKING:
    from stickslip.recording import Recording

__all__ = ["BodyTrack", "ContactTrack", "CoordinateTrack", "EnergyTrack", "JointTrack", "blocks"]

Array = NDArray[np.float64]

# Numbers of the state that are turned into places of bodies at once.
_NUMBERS_AT_ONCE = 1 << 20


def blocks(frames: range, width: int) -> Iterator[range]:
    """The frames in parts that fit into memory, if a frame has so many numbers."""
    size = max(1, _NUMBERS_AT_ONCE // max(width, 1))
    for start in range(0, len(frames), size):
        yield frames[start : start + size]


class _Track:
    """Something of a recording that has a name."""

    _kind = ""

    def __init__(self, recording: Recording, name: str, index: int) -> None:
        self._recording = recording
        self.name = name
        self.index = index

    def _series(self, part: str, row: tuple[int, ...], of_states: Callable[[Array, Array, Array], Array]) -> Series:
        """Of the states: `of_states(t, q, u)` makes a row for each."""
        recording = self._recording

        def read(frames: range) -> Array:
            width = recording.q.shape[1] + recording.u.shape[1]
            parts = [
                of_states(*(recording._rows(name, block) for name in ("time", "q", "u")))
                for block in blocks(frames, width)
            ]
            return np.concatenate(parts) if parts else np.empty((0, *row))

        return Series(read, lambda: len(recording), row, label=f"{self.name}.{part}")

    def __repr__(self) -> str:
        return f"<{self._kind} {self.name!r} of {len(self._recording)} frames>"


class BodyTrack(_Track):
    """A body: each part is a `Series`, axes of the world and origins of the body's frame."""

    _kind = "body"

    def _part(self, part: str, row: tuple[int, ...]) -> Series:
        def of_states(t: Array, q: Array, u: Array) -> Array:
            states = self._recording._current_model().body_states(t, q, u, [self.index])
            values: Array = states[part][:, 0]
            return values

        return self._series(part, row, of_states)

    @property
    def position(self) -> Series:
        """Of the origin of its frame, (frames, 3) [length]; z = 0 in the plane."""
        return self._part("position", (3,))

    @property
    def orientation(self) -> Series:
        """Unit quaternions (w, x, y, z), (frames, 4)."""
        return self._part("orientation", (4,))

    @property
    def angle(self) -> Series:
        """In the plane: with all its turns, (frames,) [rad]."""
        if self._recording.model.dimension == 3:
            raise InputError(f"{self.name}.angle: is of scenes in the plane; in space use orientation")
        return self._part("angle", ())

    @property
    def velocity(self) -> Series:
        """Of the origin, (frames, 3) [velocity]."""
        return self._part("velocity", (3,))

    @property
    def angular_velocity(self) -> Series:
        """(frames, 3) [rad/s]"""
        return self._part("angular_velocity", (3,))


class JointTrack(_Track):
    """A joint: what it leaves free."""

    _kind = "joint"

    @property
    def names(self) -> list[str]:
        """Of its coordinates: `["angle"]` of a hinge."""
        names: list[str] = self._recording.model.joint_coordinate_names[self.index]
        return names

    @property
    def coordinates(self) -> Series:
        """(frames, coordinates): angles with all their turns [rad], displacements [length]."""
        count = len(self.names)

        def of_states(t: Array, q: Array, u: Array) -> Array:
            values: Array = self._recording._current_model().joint_coordinates(t, q, u)[:, self.index, :count]
            return values

        return self._series("coordinates", (count,), of_states)

    @property
    def coordinate(self) -> Series:
        """The only, or the first, coordinate, (frames,)."""
        names = self.names
        if not names:
            raise InputError(f"joint {self.name!r} has no coordinate")
        every = self.coordinates
        return Series(lambda frames: every._read(frames)[:, 0], every._count, label=f"{self.name}.{names[0]}")


class CoordinateTrack(_Track):
    """A coordinate of the state as it is recorded."""

    _kind = "coordinate"

    @property
    def q(self) -> Series:
        """Its position, (frames,)."""
        return self._recording._column("q", self.index, f"{self.name}.q")

    @property
    def u(self) -> Series:
        """Its velocity, (frames,)."""
        velocities = self._recording.velocity_names
        if self.name not in velocities:
            raise InputError(f"{self.name!r} has no velocity of that name; there are {', '.join(velocities[:8])}")
        return self._recording._column("u", velocities.index(self.name), f"{self.name}.u")


class ContactTrack(_Track):
    """A contact with a fixed place in its system, of linear systems and systems of one's own."""

    _kind = "contact"

    def _part(self, dataset: str, row: tuple[int, ...], absent: float) -> Series:
        recording = self._recording

        def read(frames: range) -> Array:
            out = np.full((len(frames), *row), absent)
            if not len(frames):
                return out
            first, last = recording._contact_rows(range(frames[0], frames[-1] + 1))
            ids = recording._table("contacts/id", first, last)[:, 0]
            values = recording._table(f"contacts/{dataset}", first, last)
            mine = np.flatnonzero(ids == self.index)
            at = np.searchsorted(recording._contact_ends(), mine + first, side="right") - frames[0]
            asked = at % frames.step == 0
            out[at[asked] // frames.step] = values[mine[asked]].reshape(-1, *row)
            return out

        return Series(read, lambda: len(recording), row, label=f"{self.name}.{dataset}")

    @property
    def gap(self) -> Series:
        """(frames,) [length]; not a number where it took no part in the step."""
        return self._part("gap", (), np.nan)

    @property
    def impulse(self) -> Series:
        """Of the step, along the normal and the tangents, (frames, 3) [force x time]."""
        return self._part("impulse", (3,), 0.0)


class EnergyTrack(_Track):
    """Energy of the states, computed from the scene: each part is a `Series` (frames,) [force x length]."""

    _kind = "energy"

    def _part(self, part: str, of: Callable[[Array], Array]) -> Series:
        def of_states(t: Array, q: Array, u: Array) -> Array:
            return of(self._recording._current_model().energies(t, q, u))

        return self._series(part, (), of_states)

    @property
    def kinetic(self) -> Series:
        """u' M u / 2"""
        return self._part("kinetic", lambda both: both[:, 0])

    @property
    def potential(self) -> Series:
        """Of the forces that have a potential."""
        return self._part("potential", lambda both: both[:, 1])

    @property
    def total(self) -> Series:
        """Kinetic plus potential."""
        return self._part("total", lambda both: both.sum(axis=1))



AnyTrack = BodyTrack | JointTrack | CoordinateTrack | ContactTrack
