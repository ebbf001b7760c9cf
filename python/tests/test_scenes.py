"""Scenes: files, text and objects, both ways; what is wrong with them is said."""

import copy
import gc
import importlib.util
import itertools
import json
import math
import os
import pickle
import random
import re
import socket
import threading
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stickslip as ss
from stickslip import _engine
from stickslip.parts.kinds import Choice, DictOf, Either, Flag, Kind, ListOf, Number, Optional, WholeNumber
from stickslip.parts.part import PartOf, fields_of

ROOT = Path(__file__).resolve().parents[2]
SCENES = sorted((ROOT / "scenes").rglob("*.json"))


def snippets(file: str, pattern: str) -> list[str]:
    """Complete scenes within another file."""
    found = re.findall(pattern, (ROOT / file).read_text(), re.DOTALL)
    return [text for text in found if text.lstrip().startswith('{\n  "stickslip"') or '"stickslip": 1' in text[:60]]


SHOWN = snippets("docs/scene-format.md", r"```json\n(.*?)```")
# They use every field of bodies, but do not fit together.
WITH_EVERY_FIELD = snippets("tests/support/body_scenes.cpp", r'R"\((\{.*?\}\s*)\)"')


def box_on_floor() -> ss.Scene:
    return ss.Scene(
        name="box",
        time=ss.Time(1e-3, 1),
        system=ss.Bodies(
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfSpace()),
                ss.Body(name="box", position=[0, 0, 0.5], shape=ss.Box([1, 1, 1])),
            ]
        ),
    )


def hash_after(model: _engine.Model, steps: int) -> str:
    sim = ss.Simulation(model)
    sim.run(steps=steps)
    return sim.hash


def expect_same(one: _engine.Model, other: _engine.Model, most_steps: int = 20) -> None:
    assert one.warnings == other.warnings
    assert np.array_equal(one.q0, other.q0) and np.array_equal(one.u0, other.u0)
    assert (one.step, one.end, one.error, one.record_every) == (other.step, other.end, other.error, other.record_every)
    steps = 2 if len(one.u0) > 300 else most_steps
    assert hash_after(one, steps) == hash_after(other, steps)


# ---- Both ways ----


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_scene_that_was_read_and_written_is_the_same(path, tmp_path):
    scene = ss.Scene.load(path)
    assert scene.to_dict() == json.loads(path.read_text())
    again = ss.Scene.parse(scene.to_json(), str(path), scene.folder)
    assert again == scene and again.to_json() == scene.to_json()
    original = _engine.Model(path.read_text(), str(path), [], str(path.parent))
    assert json.loads(again.model.text) == json.loads(original.text)
    expect_same(again.model, original)


def test_there_are_scenes():
    assert len(SCENES) > 50 and len(SHOWN) == 5 and len(WITH_EVERY_FIELD) == 2


@pytest.mark.parametrize("text", SHOWN, ids=range(len(SHOWN)))
def test_scenes_that_the_documentation_shows(text):
    scene = ss.Scene.parse(text)
    assert scene.to_dict() == json.loads(text)
    expect_same(ss.Scene.parse(scene.to_json(), scene.name).model, _engine.Model(text, scene.name, [], ""))


@pytest.mark.parametrize("text", WITH_EVERY_FIELD, ids=range(len(WITH_EVERY_FIELD)))
def test_scenes_that_use_every_field(text):
    system = json.loads(text)["system"]
    assert ss.Bodies.from_dict(system).to_dict() == system


def test_every_field_of_every_part_goes_both_ways():
    numbers = itertools.count(1)

    def sample(kind: Kind) -> Any:
        """A value that JSON can have; each number another one."""
        if isinstance(kind, PartOf):
            cls = kind.class_of({"type": next(iter(kind.by_type()), None)})
            return fields(cls)
        if isinstance(kind, Choice):
            return None if kind.null else kind.choices[-1]
        if isinstance(kind, Either):
            return sample(kind.kinds[next(numbers) % len(kind.kinds)])
        if isinstance(kind, Optional):
            return None
        if isinstance(kind, ListOf):
            return [sample(kind.kind), sample(kind.kind)]
        if isinstance(kind, DictOf):
            return {sample(kind.key): sample(kind.kind)}
        simple = {Number: next(numbers) + 0.5, WholeNumber: next(numbers), Flag: bool(next(numbers) % 2)}
        return simple.get(type(kind), f"ä {next(numbers)}")

    def fields(cls: type[ss.Part]) -> dict[str, Any]:
        known = {name: sample(field.kind) for name, field in fields_of(cls).items()}
        tag = getattr(cls, "type", None)
        return {"type": tag, **known} if isinstance(tag, str) and "type" not in known else known

    for name in ss.parts.__all__:
        cls = getattr(ss, name)
        if cls in (ss.Part, ss.parts.PartList, ss.Shape, ss.Motion, ss.Joint, ss.Driven):
            continue
        for _ in range(4):  # alternatives take turns
            plain = fields(cls)
            part = cls.from_dict(plain)
            assert part.to_dict() == plain
            assert cls.from_dict(json.loads(json.dumps(part.to_dict()))) == part
            assert pickle.loads(pickle.dumps(part)) == part == copy.deepcopy(part)
            assert repr(part).startswith(name)


def test_numbers_keep_their_bits():
    values = [0.1, 1 / 3, 5e-324, 1e99, -0.0, 2**53 + 1, math.pi]
    table = ss.Table(times=values, values=np.array(values))
    assert [x.hex() for x in map(float, ss.Table.from_dict(json.loads(json.dumps(table.to_dict()))).values)] == [
        float(x).hex() for x in values
    ]


def test_a_file_has_the_layout_of_those_that_are_shipped():
    scene = box_on_floor()
    assert scene.to_json() == (
        "{\n"
        '  "stickslip": 1,\n'
        '  "name": "box",\n'
        '  "time": {"step": 0.001, "end": 1},\n'
        '  "system": {\n'
        '    "type": "spatial",\n'
        '    "bodies": [\n'
        '      {"name": "floor", "type": "static", "shape": {"type": "half-space"}},\n'
        '      {"name": "box", "position": [0, 0, 0.5], "shape": {"type": "box", "size": [1, 1, 1]}}\n'
        "    ]\n"
        "  }\n"
        "}\n"
    )


# ---- Objects ----


def test_a_scene_of_objects_is_that_of_the_file(scenes):
    made = ss.Scene(
        name="slip-to-roll",
        time=ss.Time(1e-3, 1),
        system=ss.Bodies(
            materials={"default": ss.Material(friction=0.3)},
            bodies=[
                ss.Body(name="floor", type="static", shape=ss.HalfSpace()),
                ss.Body(name="ball", position=(0, 0, 0.1), velocity=np.array([2.0, 0, 0]), shape=ss.Sphere(np.float32(0.125))),
            ],
        ),
    )
    written = ss.Scene.parse(
        """{"stickslip": 1, "name": "slip-to-roll", "time": {"step": 0.001, "end": 1}, "system": {"type": "spatial",
            "materials": {"default": {"friction": 0.3}}, "bodies": [
            {"name": "floor", "type": "static", "shape": {"type": "half-space"}},
            {"name": "ball", "position": [0, 0, 0.1], "velocity": [2, 0, 0], "shape": {"type": "sphere", "radius": 0.125}}]}}"""
    )
    assert made == written
    expect_same(made.model, _engine.Model(written.to_json(), 'scene "slip-to-roll"', [], ""))


def test_linear_systems_from_objects():
    scene = ss.Scene(
        name="ball",
        time=ss.Time(1e-3, 1),
        system=ss.Linear(
            coordinates=["height"],
            M=np.array([[0.1]]),
            f=[-0.981],
            contacts=[ss.LinearContact(name="floor", g0=0, w_N=[1], mu=0, e_n=0.5)],
            elements=[ss.LinearElement(type="rope", g0=0.25, w=[1], length=2)],
        ),
        initial=ss.Initial(q={"height": 1}),
    )
    assert scene.model.q0.tolist() == [1]
    assert scene.model.contact_names == ["floor", "element0"]
    assert scene.contacts["floor"].e_n == 0.5 and scene.elements["element0"].length == 2
    with pytest.raises(ss.InputError, match='of type "linear" has no bodies'):
        scene.bodies  # noqa: B018


def test_objects_take_arrays_and_what_is_like_numbers():
    body = ss.Body(position=np.arange(3), mass=np.float64(2), velocity=(1, 2.5, np.int32(3)), inertia=np.eye(3))
    assert body.to_dict() == {
        "position": [0, 1, 2],
        "velocity": [1, 2.5, 3],
        "mass": 2.0,
        "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    }
    assert type(body.mass) is float and all(type(x) in (int, float) for x in body.velocity)
    assert ss.HeightField(np.zeros((2, 3)), np.array(0.5)).to_dict()["spacing"] == 0.5
    assert ss.Mesh(np.zeros((3, 3)), np.array([[0, 1, 2]], dtype=np.uint8)).triangles == [[0, 1, 2]]
    assert ss.Mesh(file=Path("a/b.obj")).file == "a/b.obj"
    assert ss.Instances(name="i", body=ss.Body(), random_orientation=np.bool_(True)).random_orientation is True
    given = np.zeros(3)
    body.position = given
    given[0] = 7
    assert body.position == [0, 0, 0]


def test_nothing_is_stale():
    scene = box_on_floor()
    model = scene.model
    assert scene.model is model
    seen = {scene.simulation().hash}
    scene.system.bodies[1].mass = 3
    assert scene.model is not model
    scene.bodies["box"].position[2] += 1
    seen.add(scene.simulation().hash)
    scene.bodies.append(ss.Body(name="ball", position=[3, 0, 1], shape=ss.Sphere(0.1)))
    assert len(scene.simulation().bodies) == 3
    scene.bodies["box"].shape.size[0] = 2
    scene.materials["default"] = ss.Material(friction=0)
    scene.method.solver = "exact"
    scene.time.end = 7
    assert scene.model.end == 7
    assert json.loads(scene.model.text)["method"] == {"solver": "exact"}
    assert json.loads(scene.model.text)["system"]["bodies"][1]["shape"]["size"] == [2, 1, 1]
    assert len(seen) == 2
    assert scene.simulation().summary.steps == 0
    scene.bodies.pop()
    del scene.materials["default"]
    assert len(scene.simulation().bodies) == 2


def test_parts_by_name():
    scene = ss.Scene.load(ROOT / "scenes/four-bar.json")
    names = [body.name for body in scene.bodies]
    assert scene.bodies.names == names and scene.bodies[names[1]] is scene.bodies[1]
    assert names[0] in scene.bodies and "no such" not in scene.bodies
    assert scene.joints[0].name in scene.joints
    with pytest.raises(ss.InputError, match=f'did you mean "{names[1]}"'):
        scene.bodies[names[1] + "x"]
    unnamed = ss.Bodies(bodies=[ss.Body(), ss.Body(name="b"), ss.Body()])
    assert unnamed.bodies.names == ["body0", "b", "body2"]
    assert unnamed.bodies["body2"] is unnamed.bodies[2]
    assert unnamed.dimension == 3 and ss.Bodies(type="planar").dimension == 2
    with pytest.raises(IndexError):
        scene.bodies[99]


def test_names_are_those_of_the_engine():
    scene = box_on_floor()
    for body in scene.bodies:
        body.name = None
    scene.system.joints = [ss.SphericalJoint(["world", "body1"], position=[0, 0, 0.5])]
    assert scene.model.body_names == scene.bodies.names
    assert scene.model.joint_names == scene.joints.names == ["joint0"]


def test_copies_share_nothing():
    scene = ss.Scene.load(ROOT / "scenes/double-pendulum.json")
    other = copy.deepcopy(scene)
    assert other == scene and other.model is scene.model
    other.bodies[0].mass = 17
    assert other != scene and scene.bodies[0].mass != 17
    assert copy.copy(scene) == scene
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert scene != 5 and scene != scene.bodies[0]
    with pytest.raises(TypeError):
        hash(scene)
    part = copy.copy(scene.bodies[0])
    assert part == scene.bodies[0]


def test_what_is_shown_is_short():
    scene = ss.Scene.load(ROOT / "scenes/scale/rock-pile.json")
    assert len(repr(scene)) < 200 and scene.name in repr(scene) and "spatial" in repr(scene)
    field = ss.HeightField(np.zeros((300, 300)), 1)
    assert len(repr(field)) < 200 and "300 in all" in repr(field)
    assert repr(ss.Box([1, 2, 3], position=[0, 0, 1])) == "Box(size=[1, 2, 3], position=[0, 0, 1])"
    assert eval(repr(ss.Motor(velocity=2, max_force=3)), vars(ss)) == ss.Motor(velocity=2, max_force=3)


def test_none_leaves_out_and_free_is_null():
    joint = ss.DistanceJoint(["a", "b"], length="free", limits=[None, 2])
    assert joint.to_dict() == {"type": "distance", "bodies": ["a", "b"], "length": None, "limits": [None, 2]}
    assert ss.Joint.from_dict(joint.to_dict()) == joint
    joint.length = None
    joint.limits = None
    assert joint.to_dict() == {"type": "distance", "bodies": ["a", "b"]}
    scene = box_on_floor()
    scene.method = None
    scene.system.drag = None
    assert scene == box_on_floor()


def test_a_dict_will_do_for_a_part():
    body = ss.Body(name="a", shape={"type": "sphere", "radius": 1})
    assert body.shape == ss.Sphere(1)
    with pytest.raises(ss.InputError, match=r'Body.shape: unknown field \'radios\'; did you mean "radius"'):
        ss.Body(shape={"type": "sphere", "radios": 1})
    with pytest.raises(ss.InputError, match=r"Body.shape.type: 'spere' is not known; choose from: .*sphere"):
        ss.Body(shape={"type": "spere"})
    with pytest.raises(ss.InputError, match=r"Body.shape.radius: is required; expected a finite number"):
        ss.Body(shape={"type": "sphere"})


# ---- Overrides ----

OVERRIDES: list[dict[str, Any]] = [
    {"time.end": 0.25},
    {"time.step": np.float64(0.002), "time.end": np.int64(2)},
    {"system.materials.default.friction": 0.3},
    {"system.bodies.0.name": "ground"},
    {"system.bodies.0.name": "7"},
    {"method.solver": "exact", "method.tolerance": 1e-6},
    {"recording.every": 5},
    {"system.gravity": np.array([0, 0, -1.5])},
    {"system.materials": {"default": ss.Material(friction=0.1, restitution=0.5)}},
    {"initial.impact": True},
    {"description": 'so = "ä"'},
]


@pytest.mark.parametrize("overrides", OVERRIDES, ids=lambda overrides: next(iter(overrides)))
def test_overrides_do_what_the_engine_does(overrides):
    path = ROOT / "scenes/box-stack.json"
    scene = ss.Scene.load(path, set=overrides)
    assert scene.to_dict() == json.loads(scene.model.text)
    assert scene == ss.Scene.load(path).with_(overrides) != ss.Scene.load(path)
    first = scene._cached[1]
    assert scene.model is first, "no second reading"


def test_overrides_by_name_and_as_on_the_command_line():
    path = ROOT / "scenes/box-stack.json"
    name = ss.Scene.load(path).bodies[1].name
    scene = ss.Scene.load(path, set=["time.end=2", f"system.bodies.{name}.density=5", "name=a=b", "method.solver=exact"])
    assert (scene.time.end, scene.bodies[name].density, scene.name, scene.method.solver) == (2, 5, "a=b", "exact")
    assert scene.to_dict() == json.loads(scene.model.text)
    linear = ss.Scene.load(ROOT / "scenes/woodpecker.json", set={"system.contacts.beak.mu": 0.5})
    assert linear.contacts["beak"].mu == 0.5


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"time.ends": 1}, "unknown field"),
        ({"time.end": -1}, "--set time.end=-1"),
        ({"time.end": "soon"}, "is not a number"),
        ({"time.end": math.nan}, "JSON has no such value"),
        ({"time.end": object()}, "JSON has no such value"),
        ({"a=b": 1}, "is not a path"),
        ({"": 1}, "is not a path"),
        ({3: 1}, "is not a path"),
        ({"system.bodies.nobody.mass": 1}, "no element"),
        ({"time..end": 1}, "empty part"),
        ({"name": "\ud800"}, "half of a character"),
        ("time.end=1", "expected a dict"),
        (5, "expected a dict"),
        ([5], "path.to.field=value"),
        (["time.end"], "expected path.to.field=value"),
    ],
)
def test_overrides_that_are_wrong(overrides, words):
    with pytest.raises(ss.InputError, match=re.escape(words)):
        ss.Scene.load(ROOT / "scenes/box-stack.json", set=overrides)


# ---- Files ----


def test_saved_and_loaded(tmp_path, monkeypatch):
    scene = box_on_floor()
    file = tmp_path / "box.json"
    scene.save(file)
    assert ss.Scene.load(file) == scene and file.read_text() == scene.to_json()
    scene.time.end = 2
    scene.save(str(file))
    assert ss.Scene.load(os.fsencode(file)).time.end == 2
    monkeypatch.chdir(tmp_path)
    scene.save("here.json")
    assert ss.Scene.load("here.json") == scene
    assert sorted(path.name for path in tmp_path.iterdir()) == ["box.json", "here.json"], "no drafts are left"


def test_what_is_not_sound_or_cannot_be_written_leaves_everything_as_it_was(tmp_path):
    scene = box_on_floor()
    file = tmp_path / "box.json"
    scene.save(file)
    before = file.read_bytes()
    scene.bodies["box"].mass = -1
    with pytest.raises(ss.InputError, match=r'scene "box":\d+: /system/bodies/1/mass: -1 is out of range; expected a number > 0'):
        scene.save(file)
    assert file.read_bytes() == before
    scene.bodies["box"].mass = 1
    mesh = tmp_path / "mesh.obj"
    mesh.write_text("v 0 0 0\n")
    with pytest.raises(ss.InputError, match="is no scene"):
        scene.save(mesh)
    assert mesh.read_text() == "v 0 0 0\n"
    for path, words in [(tmp_path, "is a folder"), (tmp_path / "no/such/x.json", "cannot be written"), ("", "is not a path")]:
        with pytest.raises(ss.InputError, match=words):
            scene.save(path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ss.InputError, match="is a device, a pipe"):
        scene.save(tmp_path / "pipe")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["box.json", "mesh.obj", "pipe"]


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_mesh_files_stay_names(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/stone.obj").write_text(TETRAHEDRON)
    scene = box_on_floor()
    scene.bodies["box"].shape = ss.Convex(file="stone.obj")
    with pytest.raises(ss.InputError, match="not read from a file"):
        scene.check()
    scene.folder = tmp_path / "a"
    scene.check()
    assert scene.folder == str(tmp_path / "a")
    scene.save(tmp_path / "a/scene.json")
    loaded = ss.Scene.load(tmp_path / "a/scene.json")
    assert loaded == scene and loaded.bodies["box"].shape.file == "stone.obj"
    assert loaded.with_({"time.end": 3}).simulation().hash == loaded.simulation().hash
    with pytest.raises(ss.InputError, match="does not exist in the scene's folder"):
        loaded.save(tmp_path / "b/scene.json")
    whole = loaded.with_meshes_inside()
    whole.save(tmp_path / "b/scene.json")
    assert ss.Scene.load(tmp_path / "b/scene.json").simulation().hash == loaded.simulation().hash
    assert len(whole.bodies["box"].shape.points) == 4
    # A pickled scene goes where there are no files.
    pickled = pickle.dumps(loaded)
    digits = loaded.simulation().hash
    (tmp_path / "a/stone.obj").unlink()
    assert pickle.loads(pickled).simulation().hash == digits
    assert copy.deepcopy(loaded) == loaded


def test_files_that_are_none(tmp_path):
    cases: list[tuple[Any, str]] = [
        (tmp_path, "is a folder, not a file"),
        (tmp_path / "none.json", "no such file"),
        (tmp_path / "none.json/x", "no such file"),
        ("/dev/zero", "is a device, a pipe or the like"),
        ("", "is not a path"),
        ("a\0b", "is not a path"),
        (5, "is not a path"),
        (None, "is not a path"),
        ("x" * 5000, "cannot be read"),
    ]
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        cases += [(tmp_path / "pipe", "is a device, a pipe"), (tmp_path / "socket", "is a device, a pipe")]
        for path, words in cases:
            with pytest.raises(ss.InputError, match=re.escape(words)):
                ss.Scene.load(path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ss.InputError, match="cannot be read"):
        ss.Scene.load(tmp_path / "loop")


def test_files_whose_content_is_wrong(tmp_path):
    file = tmp_path / "scene.json"
    good = box_on_floor().to_json()
    for content, words in [
        (b"", r"not valid JSON"),
        (b"{\n\xff}", r"scene.json:2: not valid JSON: byte 0xff is not UTF-8"),
        (b"\x89HDF\r\n\x1a\n", "is a recording, not a scene"),
        (b"[" * 100000, "nested deeper"),
        (good.replace('"end": 1', '"end": NaN').encode(), "not valid JSON"),
        (good.replace('"end": 1', '"end": 1e999').encode(), "not valid JSON"),
        (good.replace('"end"', '"ende"').encode(), 'did you mean "end" for "ende"'),
        (good.replace('"name": "box"', '"name": "box", "name": "b"').encode(), "given twice"),
        (good.replace('"size": [1, 1, 1]', '"sice": [1, 1, 1]').encode(), r"scene.json:\d+: /system/bodies/1/shape/size"),
        (good.replace('"name": "box"', '"name": "\\ud800"').encode(), "not valid JSON"),
        (good.replace('"end": 1', '"end": ' + "1" * 5000).encode(), "not valid JSON"),
        (b"5", "is not an object"),
    ]:
        file.write_bytes(content)
        with pytest.raises(ss.InputError, match=words):
            ss.Scene.load(file)
    file.write_bytes(b"\xef\xbb\xbf" + good.encode())
    assert ss.Scene.load(file) == box_on_floor()
    strange = os.fsencode(tmp_path) + b"/\xff.json"
    Path(os.fsdecode(strange)).write_text("{}")
    with pytest.raises(ss.InputError, match="udcff.json.*a scene begins with"):
        ss.Scene.load(strange)
    Path(os.fsdecode(strange)).write_text(good)
    assert ss.Scene.load(strange) == box_on_floor()


def test_text_that_is_none():
    for text in ("", "null", "\ud800", b"\xff", "{", 5, None, ["a"], "\0", "{}"):
        with pytest.raises(ss.InputError):
            ss.Scene.parse(text)  # type: ignore[arg-type]
    good = box_on_floor().to_json()
    assert ss.Scene.parse(good.encode()) == ss.Scene.parse("\ufeff" + good) == box_on_floor()
    with pytest.raises(ss.InputError, match=re.escape("here\\udcff:1: /time: missing")):
        ss.Scene.parse('{"stickslip": 1, "name": "a"}', "here\udcff")
    assert ss.Scene.from_dict(json.loads(good)) == box_on_floor()
    assert ss.Scene.from_dict({**json.loads(good), "time": ss.Time(np.float64(1e-3), 1)}) == box_on_floor()
    with pytest.raises(ss.InputError, match="JSON has no such value"):
        ss.Scene.from_dict({"name": {1, 2}})
    with pytest.raises(ss.InputError):
        ss.Scene.from_dict(5)  # type: ignore[arg-type]


# ---- Wrong values ----


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ss.Time("soon", 1), "Time.step: 'soon' is not a finite number"),
        (lambda: ss.Time(math.nan, 1), "Time.step: nan is not a finite number"),
        (lambda: ss.Time(1, math.inf), "Time.end: inf is not a finite number"),
        (lambda: ss.Time(True, 1), "Time.step: True is not a finite number"),
        (lambda: ss.Time(1 + 2j, 1), "is not a finite number"),
        (lambda: ss.Time(10**400, 1), "beyond all others"),
        (lambda: ss.Time(Odd(), 1), "Time.step: <Odd> is not a finite number"),
        (lambda: ss.Time(None, 1), "Time.step: is required; expected a finite number"),
        (lambda: ss.Body(position=5), "Body.position: 5 is not a list"),
        (lambda: ss.Body(position="123"), "Body.position: '123' is not a list"),
        (lambda: ss.Body(position=b"123"), "is not a list"),
        (lambda: ss.Body(position={1, 2}), "is not a list"),
        (lambda: ss.Body(position=[0, math.nan, 0]), "Body.position[1]: nan is not a finite number"),
        (lambda: ss.Body(position=np.array([0, 1j])), "Body.position[0]: 0j is not a finite number"),
        (lambda: ss.Body(position=np.array([0, 10**400], dtype=object)), "Body.position[1]: a whole number beyond"),
        (lambda: ss.Body(position=[[0, 0, 0]]), "Body.position[0]: [0, 0, 0] is not a finite number"),
        (lambda: ss.Body(inertia=[[1, 0], ["a", 0]]), "Body.inertia[1][0]: 'a' is not a finite number"),
        (lambda: ss.Body(orientation=[1, 0, 0, None]), "Body.orientation[3]: None is not a finite number"),
        (lambda: ss.Body(name=5), "Body.name: 5 is not a string"),
        (lambda: ss.Body(name="\ud800"), "half of a character"),
        (lambda: ss.Body(type="stat"), "Body.type: 'stat' is not known; choose from: dynamic, static, kinematic"),
        (lambda: ss.Body(shape=ss.Material()), "Body.shape: Material() is not a Shape"),
        (lambda: ss.Body(shapes=ss.Sphere(1)), "Body.shapes: Sphere(radius=1) is not a list"),
        (lambda: ss.Bodies(bodies=[ss.Body(), 5]), "Bodies.bodies[1]: 5 is not a Body"),
        (lambda: ss.Bodies(materials=[ss.Material()]), "Bodies.materials: [Material()] is not a dict"),
        (lambda: ss.Bodies(materials={"a": 5}), "Bodies.materials.a: 5 is not a Material"),
        (lambda: ss.Bodies(materials={"a\nb": 5}), "Bodies.materials.a?b: 5 is not a Material"),
        (lambda: ss.Bodies(no_collision=["ab"]), "Bodies.no_collision[0]: 'ab' is not a list"),
        (lambda: ss.Grid([1.5, 2], [1, 1]), "Grid.count[0]: 1.5 is not a whole number"),
        (lambda: ss.RevoluteJoint(["a", "b"], limits=[0, "x"]), "RevoluteJoint.limits[1]: 'x' is not a finite number or None"),
        (lambda: ss.DistanceJoint(["a", "b"], length="loose"), "'loose' is not a finite number or \"free\""),
        (lambda: ss.CylindricalJoint(["a", "b"], drives={"turn": ss.Drive()}), "'turn' is not known; choose from"),
        (lambda: ss.Method(solver=5), "Method.solver: 5 is not a string"),
        (lambda: ss.Method(implicit=1), "Method.implicit: 1 is not True or False"),
        (lambda: ss.Mesh(file=b"a.obj"), "Mesh.file: b'a.obj' is not a string or path"),
        (lambda: ss.Scene(name="a", time=1, system=ss.Bodies()), "Scene.time: 1 is not a Time"),
        (lambda: ss.Scene(name="a", time=ss.Time(1, 1), system=ss.Body()), "Scene.system: Body() is not a Bodies or Linear"),
    ],
)
def test_values_that_are_wrong(make, words):
    with pytest.raises(ss.InputError, match=re.escape(words)):
        make()


class NoArray:
    def __array__(self, *_: Any) -> Any:
        raise RuntimeError("no")


class NoPath(os.PathLike[str]):
    def __fspath__(self) -> str:
        raise RuntimeError("no")


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
ANYTHING: list[Any] = [
    *(None, True, 0, -1, 2**70, 10**400, 0.5, math.nan, -math.inf, 1j, Fraction(1, 3), Fraction(10**400), Decimal(1)),
    *("", "a", "free", "static", "\ud800", "\0", b"a", bytearray(b"a"), memoryview(b"ab"), Path("a"), ..., int, len),
    *([], [1], [1, 2], [1, 2, 3], [[1, 2], [3, 4]], [[[1]]], [None, 1], ["a", "b"], (1, "a"), range(3), {1, 2}, ENDLESS),
    *({}, {"a": 1}, {1: 2}, {"type": "sphere", "radius": 1}, {"type": []}, {"x": ENDLESS}, (x for x in [1])),
    *(np.float32(1), np.int8(1), np.bool_(True), np.str_("a"), np.datetime64("2020"), np.timedelta64("NaT"), np.array(3)),
    *(np.zeros(3), np.zeros((2, 3)), np.zeros(0), np.zeros((0, 3)), np.full(2, np.nan), np.array(["a"]), np.array([None])),
    *(np.zeros(2, dtype=[("a", float)]), np.ma.masked_array([1.0, 2.0], [True, False]), np.array([[1, [2]]], dtype=object)),
    *(object(), Odd(), NoArray(), NoPath(), ss.Body(), ss.Sphere(1), ss.Table([0], [1]), ss.AxisAngle([0, 0, 1], 1)),
]


def test_any_value_of_any_field_is_taken_or_refused():
    for name in ss.parts.__all__:
        cls = getattr(ss, name)
        if cls is ss.parts.PartList:
            continue
        for field in fields_of(cls):
            for value in ANYTHING:
                part = cls.__new__(cls)
                try:
                    setattr(part, field, value)
                except ss.InputError as error:
                    assert str(error).startswith(f"{name}.{field}"), error
                    assert len(str(error)) < 1000 and "\n" not in str(error)
                    continue
                kept = getattr(part, field)
                plain = None if kept is None else fields_of(cls)[field].kind.plain(kept)
                json.dumps(plain, ensure_ascii=False, allow_nan=False).encode()
                assert len(repr(part)) < 1000


def test_any_argument_is_taken_or_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scene = box_on_floor()
    functions = [ss.Scene.load, ss.Scene.parse, ss.Scene.from_dict, ss.Body.from_dict, ss.Motion.from_dict]
    functions += [scene.with_, scene.save, lambda value: ss.Scene.parse("{}", folder=value)]
    functions += [lambda value: ss.Scene.parse("{}", value), lambda value: setattr(scene, "folder", value)]
    taken = 0
    for function in functions:
        for value in ANYTHING:
            try:
                function(value)
                taken += 1
            except ss.InputError as error:
                assert "\n" not in str(error)
    assert taken < 40


def test_changed_scenes_are_refused_by_both_or_the_same():
    """Changes at random: what the engine takes objects take, with the same bits; what it refuses raises InputError."""
    rng = random.Random(22)
    texts = [text for path in SCENES if path.parent.name != "scale" and len(text := path.read_text()) < 2000]
    values = [None, True, 0, 1, -1, 3.0, 0.5, 1e99, 1e300, 2**63, "", "a", "box", "static", "free", [], {}, [0, 0], [0, 0, 1]]
    values += [[1, 0, 0, 0], [[1, 0], [0, 1]], {"times": [0], "values": [1]}, {"axis": [0, 0, 1], "angle": 1}, [None, 1]]
    accepted = 0
    for _ in range(600):
        fields = json.loads(rng.choice(texts))
        holder, key = rng.choice(places(fields))
        if rng.random() < 0.8:
            holder[key] = rng.choice(values)
        else:
            del holder[key]
        text = json.dumps(fields)
        try:
            model = _engine.Model(text, "changed", [], "")
        except ss.InputError:
            for make in (lambda text=text: ss.Scene.parse(text), lambda fields=fields: ss.Scene.from_dict(fields)):
                with pytest.raises(ss.InputError):
                    make()
            continue
        accepted += 1
        scene = ss.Scene.parse(text)
        expect_same(ss.Scene.parse(scene.to_json(), "changed").model, model, most_steps=3)
    assert accepted > 30


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every entry of dicts and lists, as holder and key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, entry in entries for place in [(value, key), *places(entry)]]


def test_fields_that_are_none_of_the_format():
    with pytest.raises(TypeError, match="positon"):
        ss.Body(positon=[0, 0, 0])
    with pytest.raises(TypeError, match="radius"):
        ss.Sphere()
    body = ss.Body()
    with pytest.raises(AttributeError, match='Body has no field "positon"; did you mean "position"'):
        body.positon = 1
    with pytest.raises(AttributeError, match='no field "sistem"; did you mean "system"'):
        box_on_floor().sistem = ss.Bodies()


def test_lists_are_checked_again_when_they_are_used():
    scene = box_on_floor()
    scene.bodies["box"].position[1] = math.nan
    for use in (scene.to_json, scene.check, scene.simulation, lambda: scene.save("never.json"), lambda: pickle.dumps(scene)):
        with pytest.raises(ss.InputError, match=re.escape('scene "box": /system/bodies/1/position/1: nan is not a finite number')):
            use()
    scene = box_on_floor()
    scene.bodies.append(scene.bodies)  # a cycle
    with pytest.raises(ss.InputError, match="/system/bodies/2: .* is not a Body"):
        scene.check()
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ss.InputError, match="is not a finite number"):
        ss.Mesh(vertices=endless)
    with pytest.raises(ss.InputError, match="JSON has no such value"):
        scene.with_({"time.end": endless}) if scene.bodies.pop() else None
    assert not Path("never.json").exists()


def test_the_engine_checks_what_types_cannot():
    scene = box_on_floor()
    scene.system.drag = [ss.Drag("bax", linear=1)]
    with pytest.raises(ss.InputError, match=r'scene "box":\d+: /system/drag/0/body: .*did you mean "box"'):
        scene.simulation()
    scene.system.drag = None
    scene.bodies["box"].shape = ss.Disk(1)
    with pytest.raises(ss.InputError, match=r'/system/bodies/1/shape/type: "disk" is only for planar scenes'):
        scene.check()
    scene.bodies["box"].shape = ss.Box([1, 1])
    with pytest.raises(ss.InputError, match="/system/bodies/1/shape/size: .* is not a list of 3 numbers"):
        scene.check()


def test_warnings():
    scene = box_on_floor()
    assert scene.check() == scene.warnings == []
    scene.bodies["box"].position = [0, 0, 0.3]
    assert len(scene.warnings) == 1 and "overlap at the start" in scene.check()[0]


def test_large_scenes_and_threads():
    rng = np.random.default_rng(1)
    scene = box_on_floor()
    scene.bodies[0].shape = ss.HeightField(rng.random((100, 100)) * 1e-3, 0.1)
    scene.system.instances = [ss.Instances(name="grain{i}", body=ss.Body(shape=ss.Sphere(0.01)), positions=rng.random((500, 3)) + 1)]
    text = scene.to_json()
    assert ss.Scene.parse(text) == scene
    failures = []

    def use() -> None:
        try:
            for i in range(3):
                box_on_floor().with_({"time.end": i + 1}).simulation().step()
                assert scene.model.body_names[-1] == "grain499"
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    del scene
    gc.collect()


# ---- Examples ----


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples/python" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_box_of_the_example_rests_on_its_side(capsys):
    assert abs(example("falling_box").main() - 0.1) < 1e-8
    assert "certified: True" in capsys.readouterr().out


def test_the_cradle_of_the_example_hands_on_all_of_the_speed(capsys):
    speed, rise = example("newton_cradle").main(count=3, angle=0.5)
    assert math.isclose(speed, math.sqrt(2 * 9.81 * (1 - math.cos(0.5))), rel_tol=1e-4)
    assert math.isclose(rise, 1 - math.cos(0.5), rel_tol=1e-3)


def test_the_linkage_of_the_example_closes(capsys):
    assert example("four_bar").main() < 1e-4
    assert "certified: True" in capsys.readouterr().out
