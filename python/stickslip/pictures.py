"""Pictures of the bodies in a frame of a recording: planar scenes as they are, spatial ones from the side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stickslip import _engine
from stickslip._engine import InputError
from stickslip.plots import COLOURS, UNITS, new_axes
from stickslip.series import frame_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stickslip.recording import Recording

__all__ = ["draw", "hull"]

Array = NDArray[np.float64]

_GROUND = "#c9d3dc"
_EDGE = "#3a4553"
_CONTACT = "#c1121f"
_CORNERS = 48  # of a circle
# Room around the bodies, and arrows of contacts, in parts of the picture.
_MARGIN = 0.06
_ARROW = 0.15
# Ground that is so many times as large as all that moves is cut off.
_MOST_GROUND = 5.0
# Of more bodies names would hide each other, and colours tell nothing.
_MOST_COLOURS = len(COLOURS)

_CIRCLE = np.stack([f(2 * np.pi * np.arange(_CORNERS) / _CORNERS) for f in (np.cos, np.sin)], axis=1)


def draw(recording: Recording, frame: int, ax: Axes | None, contacts: bool) -> Axes:
    """See `Recording.draw`."""
    number = frame_of(frame, len(recording))
    if not recording._is_of_bodies():
        raise InputError(f"{recording.path}: draw is for scenes of bodies; this one has coordinates: use plot")
    from matplotlib.collections import PolyCollection

    panel = ax if ax is not None else new_axes(size=(6.0, 4.6))[0]
    scene = _Bodies(recording, number)
    low, high = scene.box()
    kinds = ((scene.ground(low, high), _GROUND, 1), (scene.solids(), None, 2))
    for polygons, colour, order in kinds:
        panel.add_collection(
            PolyCollection(
                [points for _, points in polygons],
                facecolors=[colour or COLOURS[body % _MOST_COLOURS] for body, _ in polygons],
                edgecolors=_EDGE,
                linewidths=0.6,
                alpha=None if colour else 0.8,
                zorder=order,
            )
        )
    for start, end in scene.spokes():
        panel.plot(*zip(start, end), color=_EDGE, linewidth=0.8, zorder=3)
    for points in scene.chains():
        panel.plot(*points.T, color=_EDGE, linewidth=1.2, zorder=1)
    if contacts:
        _draw_contacts(panel, recording, number, scene.planar, float(max(high - low)))
    panel.set_xlim(low[0], high[0])
    panel.set_ylim(low[1], high[1])
    panel.set_aspect("equal")
    wide, tall = np.maximum((high - low) / max(high - low), 0.34)
    panel.locator_params(axis="x", nbins=round(7 * wide))
    panel.locator_params(axis="y", nbins=round(7 * tall))
    panel.grid(False)
    unit = f" [{UNITS['position']}]" if UNITS["position"] else ""
    panel.set_xlabel(f"x{unit}")
    panel.set_ylabel(f"{'y' if scene.planar else 'z'}{unit}")
    time = f"t = {recording.time[number]:.4g} {UNITS['time']}"
    panel.set_title(f"{recording.name}, {time}", loc="left", fontsize="medium")
    return panel


class _Bodies:
    """The outlines of all bodies of a frame, in the plane of the picture."""

    def __init__(self, recording: Recording, frame: int) -> None:
        model = recording._current_model()
        self.planar = model.dimension == 2
        self._shapes = _engine.body_outlines(model)
        t, q, u = (recording._rows(name, range(frame, frame + 1)) for name in ("time", "q", "u"))
        states = model.body_states(t, q, u)
        self._position: Array = states["position"][0]
        self._turn = np.array([_matrix(q) for q in states["orientation"][0]])
        # Bodies behind come first: those in front hide them.
        depth = np.zeros(len(self._shapes)) if self.planar else -self._position[:, 1]
        self._order = np.argsort(depth, kind="stable").tolist()

    def _of(self, *kinds: str) -> Any:
        for body in self._order:
            moves, shapes = self._shapes[body]
            for kind, points, radius in shapes:
                if kind in kinds:
                    yield body, moves, kind, points, radius

    def _world(self, body: int, points: Array) -> Array:
        places: Array = points @ self._turn[body].T + self._position[body]
        return places

    def _flat(self, points: Array) -> Array:
        return points[:, :2] if self.planar else points[:, [0, 2]]

    def _hulls(self, moving: bool) -> list[tuple[int, Array]]:
        return [
            (body, hull(self._flat(self._world(body, points)), radius))
            for body, moves, _, points, radius in self._of("hull")
            if moves == moving
        ]

    def solids(self) -> list[tuple[int, Array]]:
        """What can move, as polygons."""
        return self._hulls(True)

    def ground(self, low: Array, high: Array) -> list[tuple[int, Array]]:
        """What cannot: bodies, half-planes as far as they are in the picture, and triangles."""
        polygons = self._hulls(False)
        corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        for body, _, kind, points, _ in self._of("half", "triangles"):
            if kind == "half":
                place = self._flat(self._world(body, points[:1]))[0]
                normal = self._flat((self._turn[body] @ points[1])[None])[0]
                # Seen from the front a half-space that leans towards us is everywhere.
                if np.linalg.norm(normal) > 0.99:
                    polygons.append((body, _below(corners, place, normal)))
            else:
                flat = self._flat(self._world(body, points)).reshape(-1, 3, 2)
                polygons += [(body, triangle) for triangle in flat]
        return [(body, polygon) for body, polygon in polygons if len(polygon) > 2]

    def chains(self) -> list[Array]:
        """Terrain of lines."""
        return [self._flat(self._world(body, points)) for body, _, _, points, _ in self._of("chain")]

    def spokes(self) -> list[tuple[Array, Array]]:
        """From the centres of disks and balls to their rims: how they have turned."""
        lines = []
        for body, moves, _, points, radius in self._of("hull"):
            if moves and radius > 0 and len(points) == 1:
                ends = np.stack([points[0], points[0] + [radius, 0, 0]])
                start, end = self._flat(self._world(body, ends))
                lines.append((start, end))
        return lines

    def box(self) -> tuple[Array, Array]:
        """The corners of the picture: around what moves, and what else is not much larger than that."""
        moving = [polygon for _, polygon in self._hulls(True)]
        still = [polygon for _, polygon in self._hulls(False)] + self.chains()
        still += [self._flat(self._world(body, p)) for body, _, _, p, _ in self._of("triangles")]
        if moving:
            most = _MOST_GROUND * float(np.ptp(np.concatenate(moving), axis=0).max())
            still = [points for points in still if np.ptp(points, axis=0).max() <= most]
        points = moving + still
        places = np.concatenate(points) if points else self._flat(self._position)
        if not len(places):
            places = np.zeros((1, 2))
        low, high = places.min(axis=0), places.max(axis=0)
        room = _MARGIN * max(float(max(high - low)), 1e-3 * float(np.abs(places).max(initial=1e-3)))
        # A picture that is much wider than high, or the other way round, shows neither well.
        spread = np.maximum(high - low + 2 * room, 0.25 * float(max(high - low)) + 2 * room)
        middle = (low + high) / 2
        return middle - spread / 2, middle + spread / 2


def hull(points: Array, radius: float = 0.0) -> Array:
    """The convex hull of points in the plane, or of circles around them: corners counterclockwise, (n, 2)."""
    if radius > 0:
        points = (points[:, None, :] + radius * _CIRCLE).reshape(-1, 2)
    places = sorted(set(map(tuple, points.tolist())))
    if len(places) < 3:
        return np.array(places)

    def half(order: list[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in order:
            while len(chain) > 1 and _turn_of(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(places) + half(places[::-1]))


def _turn_of(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _below(corners: Array, place: Array, normal: Array) -> Array:
    """The part of a polygon that is below a line."""
    out: list[Array] = []
    heights = (corners - place) @ normal
    for k in range(len(corners)):
        a, b, ha, hb = corners[k - 1], corners[k], heights[k - 1], heights[k]
        if (ha < 0) != (hb < 0):
            out.append(a + (b - a) * (ha / (ha - hb)))
        if hb < 0:
            out.append(b)
    return np.array(out).reshape(-1, 2)


def _matrix(q: Array) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _draw_contacts(ax: Axes, recording: Recording, frame: int, planar: bool, size: float) -> None:
    """Normal impulses on the second bodies, the largest one as long as a part of the picture."""
    contacts = recording.contacts(frame)
    contacts = contacts[(contacts["p"][:, 0] > 0) & (np.abs(contacts["normal"]).max(axis=1, initial=0) > 0)]
    if not len(contacts):
        return
    axes = [0, 1] if planar else [0, 2]
    point, normal = contacts["point"][:, axes], contacts["normal"][:, axes]
    length = contacts["p"][:, 0] / contacts["p"][:, 0].max() * _ARROW * size
    arrows = normal * length[:, None]
    ax.quiver(
        *point.T, *arrows.T, angles="xy", scale_units="xy", scale=1, color=_CONTACT, width=0.005, zorder=4
    )
