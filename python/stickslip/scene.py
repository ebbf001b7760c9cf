"""A scene: what to simulate and how, as a scene file says it (docs/scene-format.md)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from stickslip import _engine

if TYPE_CHECKING:
    from stickslip.simulation import Simulation

PathLike = Union[str, "os.PathLike[str]"]
Overrides = Union[Mapping[str, Any], Iterable[str]]


class Scene:
    """What to simulate and how."""

    def __init__(self, text: str, source: str, folder: str, set: Overrides) -> None:
        assignments = (
            [f"{path}={json.dumps(value)}" for path, value in set.items()] if isinstance(set, Mapping) else list(set)
        )
        self._folder = folder
        self._model = _engine.Model(text, source, assignments, folder)

    @classmethod
    def load(cls, path: PathLike, *, set: Overrides = ()) -> Scene:
        """Reads a scene file. `set` overrides fields, as `--set` does: {"time.end": 2.0}."""
        name = os.fspath(path)
        with open(name, encoding="utf-8") as file:
            return cls(file.read(), name, os.path.dirname(os.path.abspath(name)), set)

    @classmethod
    def parse(cls, text: str, source: str = "scene", folder: PathLike | None = None, *, set: Overrides = ()) -> Scene:
        """The same from text. Mesh files are looked for in `folder`."""
        return cls(text, source, os.fspath(folder) if folder is not None else "", set)

    @property
    def model(self) -> _engine.Model:
        """The scene as the engine has read and checked it."""
        return self._model

    def to_json(self) -> str:
        """The scene as a scene file."""
        return self._model.text

    def simulation(self, **options: Any) -> "Simulation":
        """A simulation of the scene."""
        from stickslip.simulation import Simulation

        return Simulation(self, **options)
