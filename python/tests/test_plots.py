"""Pictures show what the recordings hold: asserted on what is drawn, not on files alone."""

import sys

import numpy as np
import pytest

import stickslip as ss

pytest.importorskip("h5py")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import colors, pyplot  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402
from matplotlib.quiver import Quiver  # noqa: E402

from stickslip.pictures import hull  # noqa: E402


@pytest.fixture(autouse=True)
def no_figure_stays():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Opens a recording of a scene that is run once."""
    found = {}

    def recorded(scenes, name, **changes):
        key = (name, *changes.items())
        if key not in found:
            folder = tmp_path_factory.mktemp("recording")
            fields = {field.replace("__", "."): value for field, value in changes.items()}
            sim = ss.Simulation(ss.Scene.load(scenes / f"{name}.json", set=fields))
            sim.run(record=folder)
            found[key] = ss.open(folder)
        return found[key]

    yield recorded
    for recording in found.values():
        recording.close()


def crank(recorded, scenes):
    return recorded(scenes, "slider-crank", time__end=0.2)


def curves(ax):
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


def overlap(figure):
    """Pairs of texts of a figure that are on each other."""
    figure.canvas.draw()
    boxes = []
    for ax in figure.axes:
        texts = [ax.xaxis.label, ax.yaxis.label, ax.title, ax._left_title, ax.xaxis.offsetText, ax.yaxis.offsetText]
        for axis in (ax.xaxis, ax.yaxis):
            low, high = axis.get_view_interval()
            # There are ticks outside of the axes, which are not drawn.
            texts += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        if ax.get_legend() is not None:
            texts += ax.get_legend().get_texts()
        shown = [text for text in texts if text.get_text() and text.get_visible()]
        boxes += [(text.get_text(), text.get_window_extent()) for text in shown]
    return [
        (one, other)
        for k, (one, a) in enumerate(boxes)
        for other, b in boxes[:k]
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5
    ]


# ---- Over time ----


def test_curves_have_the_numbers_of_the_recording(recorded, scenes, tmp_path):
    recording = crank(recorded, scenes)
    axes = recording.plot("piston.position.x", "piston.velocity", "cylinder", "certificate.residual")
    assert len(axes) == 4
    position = curves(axes[0])["piston.position.x"]
    assert np.array_equal(position.get_xdata(), recording.time.values)
    assert np.array_equal(position.get_ydata(), recording["piston"].position[:, 0])
    velocities = curves(axes[1])
    assert list(velocities) == ["piston.velocity.x", "piston.velocity.y"]
    assert np.array_equal(velocities["piston.velocity.y"].get_ydata(), recording["piston"].velocity[:, 1])
    assert np.array_equal(curves(axes[2])["cylinder.displacement"].get_ydata(), recording["cylinder"].coordinate)
    assert [ax.get_ylabel() for ax in axes] == [
        "piston.position.x [m]",
        "velocity [m/s]",
        "cylinder.displacement [m]",
        "certificate.residual",
    ]
    assert axes[-1].get_xlabel() == "time [s]"
    assert [text.get_text() for text in axes[1].get_legend().get_texts()] == list(velocities)
    assert axes[0].get_legend() is None
    assert not overlap(axes[0].figure)
    axes[0].figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_legend_of_long_names_stays_inside(recorded, scenes):
    figure = crank(recorded, scenes).plot("crank.velocity", "piston.velocity", "link.angular_velocity")[0].figure
    figure.canvas.draw()
    legends = [ax.get_legend().get_window_extent() for ax in figure.axes if ax.get_legend() is not None]
    assert legends and all(0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in legends)
    stack = recorded(scenes, "box-stack", time__end=0.02)
    figure = stack.plot("heavy.angular_velocity")[0].figure  # three names of 24 letters
    figure.canvas.draw()
    assert figure.axes[0].get_legend().get_window_extent().x1 <= figure.bbox.x1


def test_axes_of_ones_own_and_some_frames(recorded, scenes):
    recording = crank(recorded, scenes)
    _, ax = pyplot.subplots()
    assert recording.plot("piston.position.x", "crank.angle", ax=ax, frames=slice(10, 100, 10)) == [ax]
    assert list(curves(ax)) == ["piston.position.x", "crank.angle"]
    for line in curves(ax).values():
        assert np.array_equal(line.get_xdata(), recording.time[10:100:10])
    assert ax.get_ylabel() == "position [m], angle [rad]"
    assert len({line.get_color() for line in curves(ax).values()}) == 2


def test_coordinates_and_contacts_of_linear_systems(recorded, scenes):
    recording = recorded(scenes, "stick-slip", time__end=1)
    axes = recording.plot("x", "x.u", "belt.impulse", "belt.gap", "contact_count")
    assert np.array_equal(curves(axes[0])["x.q"].get_ydata(), recording.q[:, 0])
    assert np.array_equal(curves(axes[1])["x.u"].get_ydata(), recording.u[:, 0])
    # The second tangent, which there is not in the plane, is left out.
    assert list(curves(axes[2])) == ["belt.impulse, normal", "belt.impulse, tangent 1"]
    assert list(curves(recording.plot("belt.impulse.tangent_1")[0])) == ["belt.impulse, tangent 1"]
    assert np.array_equal(curves(axes[4])["contact_count"].get_ydata(), recording.contact_count.values)


def test_frames_without_a_certificate_are_marked(recorded, scenes):
    # No solver is as exact as this.
    recording = recorded(scenes, "slider-crank", time__end=0.05, method__tolerance=1e-30)
    bad = ~recording.certified.values
    assert bad.any() and not bad[0]
    for ax in (recording.plot("piston.position")[0], recording.plot_phase("piston.position.x")):
        marks = curves(ax)["not certified"]
        assert marks.get_marker() == "x" and marks.get_linestyle() == "None"
        assert [text.get_text() for text in ax.get_legend().get_texts()].count("not certified") == 1
    assert np.array_equal(marks.get_xdata(), recording["piston"].position[:, 0][bad])
    assert "not certified" not in curves(crank(recorded, scenes).plot("piston.position")[0])


def test_energy(recorded, scenes):
    recording = crank(recorded, scenes)
    ax = recording.plot_energy()
    lines = curves(ax)
    assert list(lines) == ["kinetic", "potential", "total"]
    assert np.array_equal(lines["total"].get_ydata(), lines["kinetic"].get_ydata() + lines["potential"].get_ydata())
    assert ax.get_ylabel() == "energy [J]" and not overlap(ax.figure)
    assert list(curves(recording.plot("energy.kinetic")[0])) == ["energy.kinetic"]


def test_names_that_are_none(recorded, scenes):
    recording = crank(recorded, scenes)
    for name, message in [
        ("pistn.position", "is it 'piston'"),
        ("piston", "there are position, orientation"),
        ("piston.speed", "there are position, orientation"),
        ("piston.position.w", "there are x, y, z"),
        ("piston.position.x.y", "nothing is called"),
        ("cylinder.angle", "there are displacement"),
        ("energy.total.x", "there are kinetic, potential, total"),
        ("certificate.nothing", "certificate: there is no"),
        (3, "expected the name"),
    ]:
        with pytest.raises(ss.InputError, match=message):
            recording.plot(name)
    with pytest.raises(ss.InputError, match="names of what to draw"):
        recording.plot()
    with pytest.raises(ss.InputError, match="frames: expected a slice"):
        recording.plot("energy", frames=3)
    assert not pyplot.get_fignums(), "a figure was made for nothing"


def test_every_kind_of_name(recorded, scenes):
    recording = crank(recorded, scenes)
    # "crank.x" is a coordinate of the state, "crank.angle" the body's; both are known.
    assert list(curves(recording.plot("crank.x")[0])) == ["crank.x.q"]
    assert recording.plot("crank.angle")[0].get_ylabel() == "crank.angle [rad]"
    assert list(curves(recording.plot("crank.angular_velocity")[0])) == ["crank.angular_velocity.z"]
    assert len(curves(recording.plot("crank.orientation")[0])) == 4


# ---- Phase portraits ----


def test_a_phase_portrait(recorded, scenes):
    recording = recorded(scenes, "stick-slip", time__end=2)
    ax = recording.plot_phase("x", frames=slice(500, None))
    line, start, end = ax.get_lines()
    assert np.array_equal(line.get_xdata(), recording.q[500:, 0])
    assert np.array_equal(line.get_ydata(), recording.u[500:, 0])
    assert (start.get_xdata(), end.get_xdata()) == (line.get_xdata()[:1], line.get_xdata()[-1:])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x.q", "x.u") and not overlap(ax.figure)
    body = crank(recorded, scenes)
    for name, velocity in (
        ("piston.position.x", "piston.velocity.x [m/s]"),
        ("crank.angle", "crank.angular_velocity.z [rad/s]"),
    ):
        assert body.plot_phase(name).get_ylabel() == velocity
    for name in ("piston.position", "cylinder", "piston.velocity.x", "energy.total"):
        with pytest.raises(ss.InputError, match="a phase portrait is of"):
            body.plot_phase(name)


# ---- Bodies ----


def polygons(ax):
    """Corners of what is drawn, by colour."""
    return [
        (colors.to_hex(colour), path.vertices[:-1])
        for collection in ax.collections
        if isinstance(collection, PolyCollection)
        for colour, path in zip(collection.get_facecolors(), collection.get_paths())
    ]


def test_planar_bodies_are_where_they_are(recorded, scenes):
    recording = crank(recorded, scenes)
    frame = 300
    ax = recording.draw(frame)
    shapes = [points for _, points in polygons(ax)]
    assert len(shapes) == 3
    box = min(shapes, key=len)
    centre = recording["piston"].position[frame, :2]
    expected = centre + np.array([[-0.1, -0.075], [0.1, -0.075], [0.1, 0.075], [-0.1, 0.075]])
    assert np.allclose(sorted(map(tuple, box)), sorted(map(tuple, expected)), atol=1e-9)
    # The crank: a capsule of 0.3 with radius 0.03, turned by its angle about the origin.
    angle = recording["crank"].angle[frame]
    along = np.array([np.cos(angle), np.sin(angle)])
    reach = sorted((points @ along).max() for points in shapes[:1])[0]
    assert reach == pytest.approx(0.33, abs=1e-3)
    assert ax.get_aspect() == 1 and not overlap(ax.figure)
    assert ax.get_title(loc="left") == "slider-crank, t = 0.15 s"
    low, high = np.min([p.min(axis=0) for p in shapes], axis=0), np.max([p.max(axis=0) for p in shapes], axis=0)
    assert ax.get_xlim()[0] < low[0] < high[0] < ax.get_xlim()[1]
    assert ax.get_ylim()[0] < low[1] < high[1] < ax.get_ylim()[1]


def test_spatial_bodies_are_seen_from_the_side(recorded, scenes):
    recording = recorded(scenes, "slip-to-roll", time__end=0.1)
    ax = recording.draw(contacts=True)
    ground, ball = polygons(ax)
    centre = recording["ball"].position[-1]
    assert np.allclose(np.linalg.norm(ball[1] - centre[[0, 2]], axis=1), 0.1)
    assert ground[1][:, 1].max() == pytest.approx(0) and ax.get_ylabel() == "z [m]"
    arrows = next(item for item in ax.collections if isinstance(item, Quiver))
    contact = recording.contacts(-1)
    assert np.allclose(arrows.XY, contact["point"][:, [0, 2]]) and (arrows.V > 0).all() and np.allclose(arrows.U, 0)


@pytest.mark.parametrize("name", ["planar-on-polyline", "planar-on-box", "spatial-on-mesh", "spatial-on-height-field"])
def test_every_shape_is_drawn(recorded, scenes, name):
    recording = recorded(scenes, f"shapes/{name}", time__end=0.02)
    ax = recording.draw(0, contacts=True)
    moving = sum(1 for kind in recording.model.body_types if kind != "static")
    assert len({tuple(points.mean(axis=0)) for _, points in polygons(ax)}) >= moving
    for _, points in polygons(ax):
        assert np.isfinite(points).all()
    assert not overlap(ax.figure)


def test_draw_says_what_is_wrong(recorded, scenes):
    with pytest.raises(ss.InputError, match="use plot"):
        recorded(scenes, "stick-slip", time__end=1).draw()
    with pytest.raises(IndexError, match="there is no frame 9999"):
        crank(recorded, scenes).draw(9999)


def test_hulls():
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5, 0]])
    assert hull(square).tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    disk = hull(np.zeros((1, 2)), 2.0)
    assert np.allclose(np.linalg.norm(disk, axis=1), 2) and len(disk) == 48
    assert len(hull(np.zeros((1, 2)))) == 1


# ---- Orders of convergence ----


def test_errors_are_drawn_over_steps(scenes, tmp_path):
    result = ss.convergence(scenes / "sliding-block.json", [0.02, 0.01, 0.005], schemes=["position", "midpoint"])
    ax = result.plot()
    lines = curves(ax)
    study = result["midpoint"]
    line = lines[f"midpoint: position error, order {study.position_rate:.2f}"]
    assert np.array_equal(line.get_xdata(), [0.02, 0.01, 0.005])
    assert np.array_equal(line.get_ydata(), study.column("position_error"))
    for order in (1, 2):
        x, y = lines[f"slope {order}"].get_data()
        assert np.polyfit(np.log(x), np.log(y), 1)[0] == pytest.approx(order)
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert ax.get_xlabel() == "step h [s]" and ax.get_title(loc="left") == "sliding-block"
    assert not overlap(ax.figure)
    ax.figure.savefig(tmp_path / "orders.png")


def test_a_motion_without_errors_is_drawn_all_the_same(scenes):
    scene = ss.Scene.load(scenes / "sliding-block.json", set={"initial.u.x": 0})
    ax = ss.convergence(scene, [0.02, 0.01]).plot()
    assert "position: velocity error, no error" in curves(ax)


def test_matplotlib_is_asked_for_by_name(recorded, scenes, monkeypatch):
    recording = crank(recorded, scenes)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "stickslip\[plots\]"'):
        recording.plot("energy")
