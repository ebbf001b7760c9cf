"""A scene: what to simulate and how. Everything that a scene file can say, as objects, both ways.

    scene = Scene.load("scenes/box-stack.json", set={"time.step": 1e-3})
    scene = Scene(
        name="box",
        time=Time(step=1e-3, end=1),
        system=Bodies(bodies=[
            Body(name="floor", type="static", shape=HalfSpace()),
            Body(name="box", position=[0, 0, 1], shape=Box([1, 1, 1])),
        ]),
    )
    scene.bodies["box"].mass = 3
    scene.save("box.json")
    sim = scene.simulation()

A scene is kept as it is described: instances, grids, rocks and names of mesh files stay what they are, and what is not
given is not filled in. The engine fills it in, with the reader of scene files, which checks everything and names the
field in its messages.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stickslip._engine import InputError, Model
from stickslip.parts.body import Body
from stickslip.parts.body_system import Bodies
from stickslip.parts.forces import Element, Spring
from stickslip.parts.instances import Instances
from stickslip.parts.joints import Joint
from stickslip.parts.kinds import Wrong, shown
from stickslip.parts.linear import Linear, LinearContact, LinearElement, LinearJoint
from stickslip.parts.materials import Material
from stickslip.parts.method import Initial, Method, RecordingSettings, Time
from stickslip.parts.part import Part, part_of_fields, plain_fields
from stickslip.parts.part_list import PartList
from stickslip.parts.values import FilePath
from stickslip.scene_text import (
    Overrides,
    apply,
    assignments_of,
    json_of,
    laid_out,
    path_of,
    printable,
    read_text,
    text_of_bytes,
    write_scene,
)

if TYPE_CHECKING:
    from stickslip.simulation import Simulation

__all__ = ["Overrides", "Scene"]

_FORMAT = 1


@dataclass(eq=False, repr=False, kw_only=True)
class Scene(Part):
    """What to simulate and how.

    name: appears in results.
    description: for people.
    time: how long and how finely.
    system: what moves: Bodies, or Linear.
    initial: where it starts.
    method: how it is computed.
    recording: what is recorded.
    """

    name: str
    description: str | None = None
    time: Time
    system: Bodies | Linear
    initial: Initial = field(default_factory=Initial)
    method: Method = field(default_factory=Method)
    recording: RecordingSettings = field(default_factory=RecordingSettings)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "folder":
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    # ---- Files and text ----

    @classmethod
    def load(cls, path: FilePath, *, set: Overrides = ()) -> Scene:
        """Reads a scene file, and checks it. `set` changes fields first, as `--set` of the command line does:
        {"time.end": 2.0, "system.materials.default.friction": 0.3}; elements of lists go by index or name."""
        file = path_of(path)
        return cls._read(read_text(file), printable(file), os.path.dirname(os.path.abspath(file)), set)

    @classmethod
    def parse(
        cls,
        text: str | bytes,
        source: str = "scene",
        folder: FilePath | None = None,
        *,
        set: Overrides = (),
    ) -> Scene:
        """The same from the text of a file; `source` stands for its name in messages. Mesh files are looked for in
        `folder`; without one, a scene that names any is refused."""
        source = printable(source) if isinstance(source, str) else shown(source)
        if isinstance(text, (bytes, bytearray)):
            text = text_of_bytes(bytes(text), source)
        if not isinstance(text, str):
            raise InputError(f"{source}: expected the text of a scene, not {shown(text)}")
        return cls._read(text, source, "" if folder is None else path_of(folder), set)

    @classmethod
    def _read(cls, text: str, source: str, folder: str, overrides: Overrides) -> Scene:
        assignments = assignments_of(overrides)
        # The engine comes first: its messages name file, line and field.
        model = _model(text, source, assignments, folder)
        fields = json.loads(text.removeprefix("\ufeff"))
        apply(assignments, fields)
        scene = cls._of_fields(fields, folder)
        scene.__dict__["_cached"] = (scene._key(), model)
        return scene

    @classmethod
    def _of_fields(cls, fields: dict[str, Any], folder: str) -> Scene:
        del fields["stickslip"]
        try:
            scene = part_of_fields(cls, fields)
        except Wrong as wrong:
            raise InputError(f"{wrong.pointer()}: {wrong.problem}") from None
        scene.__dict__["_folder"] = folder
        return scene

    def to_json(self) -> str:
        """The scene file. Not checked by the engine; see check()."""
        return laid_out(self.to_dict()) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The scene file as parsed JSON."""
        try:
            return {"stickslip": _FORMAT, **plain_fields(self)}
        except Wrong as wrong:
            raise InputError(f"{self._source()}: {wrong.pointer()}: {wrong.problem}") from None

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> Scene:
        """The scene of a parsed scene file."""
        if not isinstance(fields, Mapping):
            raise InputError(f"scene: expected its fields, not {shown(fields)}")
        return cls.parse(json_of(fields, "scene"))

    def save(self, path: FilePath) -> None:
        """Checks the scene and writes its file, in place of a scene that is there. Mesh files are not copied: they must
        be in the new file's folder, too, under the same names; or save scene.with_meshes_inside()."""
        file = path_of(path)
        folder = os.path.dirname(os.path.abspath(file))
        text = self.to_json()
        if self._names_files() and folder != self._folder:
            _model(text, self._source(), [], folder)
        else:
            self.check()
        write_scene(text, file)

    def with_meshes_inside(self) -> Scene:
        """A copy that holds the contents of mesh files instead of their names, as a recording does: it needs no folder.
        Other fields are the same."""
        return Scene.parse(self.model.text, self._source()) if self._names_files() else copy.deepcopy(self)

    @property
    def folder(self) -> str | None:
        """Where mesh files are looked for; None for scenes that have no folder."""
        return self.__dict__.get("_folder") or None

    @folder.setter
    def folder(self, path: FilePath | None) -> None:
        self.__dict__["_folder"] = "" if path is None else os.path.abspath(path_of(path))

    # ---- Checks, and what is made of a scene ----

    @property
    def model(self) -> Model:
        """The scene as the engine has read and checked it; the same one until the scene changes. Raises InputError if
        something is wrong, with the lines of to_json()."""
        key = self._key()
        cached = self.__dict__.get("_cached")
        if cached is None or cached[0] != key:
            cached = (key, _model(self.to_json(), self._source(), [], self._folder))
            self.__dict__["_cached"] = cached
        model: Model = cached[1]
        return model

    def check(self) -> list[str]:
        """Raises InputError if something is wrong. Gives the warnings."""
        return self.warnings

    @property
    def warnings(self) -> list[str]:
        """What is probably not meant, but can be run: bodies that overlap at the start."""
        return list(self.model.warnings)

    def with_(self, set: Overrides) -> Scene:
        """A copy with other values, as `--set`: scene.with_({"time.step": 1e-4, "system.bodies.box.mass": 2})."""
        return Scene._read(self.to_json(), self._source(), self._folder, set)

    def simulation(self, **options: Any) -> Simulation:
        """A simulation of the scene as it is now; `options` are those of Simulation."""
        from stickslip.simulation import Simulation

        return Simulation(self, **options)

    # ---- Parts by name ----

    @property
    def bodies(self) -> PartList[Body]:
        """Bodies one by one: scene.bodies["box"], scene.bodies[0]."""
        bodies: PartList[Body] = self._parts("bodies")
        return bodies

    @property
    def instances(self) -> PartList[Instances]:
        """Many bodies from one description each."""
        instances: PartList[Instances] = self._parts("instances")
        return instances

    @property
    def joints(self) -> PartList[Joint] | PartList[LinearJoint]:
        """Joints: scene.joints["hinge"]."""
        joints: PartList[Joint] | PartList[LinearJoint] = self._parts("joints")
        return joints

    @property
    def elements(self) -> PartList[Element] | PartList[LinearElement]:
        """Force elements."""
        elements: PartList[Element] | PartList[LinearElement] = self._parts("elements")
        return elements

    @property
    def springs(self) -> PartList[Spring]:
        """Springs between points of bodies."""
        springs: PartList[Spring] = self._parts("springs")
        return springs

    @property
    def contacts(self) -> PartList[LinearContact]:
        """Contacts of a linear system."""
        contacts: PartList[LinearContact] = self._parts("contacts")
        return contacts

    @property
    def materials(self) -> dict[str, Material]:
        """Surfaces by name."""
        materials: dict[str, Material] = self._parts("materials")
        return materials

    def _parts(self, name: str) -> Any:
        if name not in self.system.__dict__:
            raise InputError(f'{self._source()}: a system of type "{self.system.type}" has no {name}')
        return self.system.__dict__[name]

    # ---- Copies ----

    def __copy__(self) -> Scene:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __deepcopy__(self, memo: dict[int, Any]) -> Scene:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        for name, value in self.__dict__.items():
            # A model never changes.
            other.__dict__[name] = value if name == "_cached" else copy.deepcopy(value, memo)
        return other

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: with the contents of mesh files, which are not where it is read."""
        scene = self.with_meshes_inside() if self._names_files() else self
        return {name: value for name, value in scene.__dict__.items() if name != "_cached"}

    def __repr__(self) -> str:
        if not {"name", "time", "system"} <= self.__dict__.keys():
            return f"<{type(self).__name__}>"
        counts = [
            f"{len(value)} {name.replace('_', ' ')}"
            for name, value in self.system.__dict__.items()
            if isinstance(value, (list, dict)) and value and name in _COUNTED
        ]
        return f'<Scene "{self.name}": {self.system.type}, {", ".join(counts)}; {self.time!r}>'

    # ---- Within ----

    @property
    def _folder(self) -> str:
        folder: str = self.__dict__.get("_folder", "")
        return folder

    def _source(self) -> str:
        return f'scene "{self.__dict__.get("name", "")}"'

    def _key(self) -> str:
        """Tells scenes apart that may differ for the engine."""
        return self._folder + "\n" + json.dumps(self.to_dict(), ensure_ascii=False)

    def _names_files(self) -> bool:
        system = self.to_dict()["system"]
        bodies = [*system.get("bodies", ()), *(instances["body"] for instances in system.get("instances", ()))]
        shapes = [shape for body in bodies for shape in (body.get("shape", {}), *body.get("shapes", ()))]
        return any("file" in shape for shape in shapes)


_COUNTED = ("coordinates", "bodies", "instances", "joints", "elements", "springs", "loads", "contacts")


def _model(text: str, source: str, assignments: list[str], folder: str) -> Model:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = 1 + text.count("\n", 0, error.start)
        raise InputError(f"{source}:{line}: not valid JSON: half of a character, which is not UTF-8") from None
    try:
        folder.encode()
    except UnicodeEncodeError:
        folder = ""
    return Model(text, source, assignments, folder)
