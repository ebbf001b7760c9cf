"""What all parts of a scene have in common: fields with the names of the scene format, both ways.

A part is a dataclass whose annotations say what its fields hold (kinds.py). A field that is None, or an empty list,
is left out of the file and has the default of the format. Whatever is assigned is checked and made plain at once.
"""

from __future__ import annotations

import dataclasses
import inspect
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from stickslip._engine import InputError
from stickslip.parts.kinds import (
    Choice,
    DictOf,
    Either,
    Flag,
    Kind,
    ListOf,
    Number,
    Optional,
    Path,
    Text,
    WholeNumber,
    WordForNull,
    Wrong,
    shown,
)
from stickslip.parts.part_list import PartList

P = TypeVar("P", bound="Part")

_LONGEST_LIST_SHOWN = 6


@dataclasses.dataclass(eq=False, repr=False)
class Part:
    """A part of a scene."""

    def __init_subclass__(cls) -> None:
        """help() of a part shows the fields of its bases, too: each class describes only its own."""
        own = inspect.cleandoc(cls.__dict__.get("__doc__") or "")
        cls._own_fields = own.partition("\n\n")[2]
        if own:
            inherited = [base._own_fields for base in cls.__mro__[1:] if issubclass(base, Part) and base._own_fields]
            cls.__doc__ = "\n\n".join([own, *inherited])

    _own_fields: ClassVar[str] = ""
    _described: ClassVar[dict[str, FieldOfPart] | None] = None

    def to_dict(self) -> dict[str, Any]:
        """The part as JSON has it: dicts, lists, strings, numbers."""
        try:
            return plain_fields(self)
        except Wrong as wrong:
            raise _said(wrong, self) from None

    @classmethod
    def from_dict(cls: type[P], fields: Mapping[str, Any]) -> P:
        """The part that to_dict gave these fields; of Shape, Motion and Joint the class that "type" names."""
        try:
            part: P = PartOf([cls]).take(fields)
        except Wrong as wrong:
            raise _said(wrong, cls) from None
        return part

    def __setattr__(self, name: str, value: Any) -> None:
        field = fields_of(type(self)).get(name)
        if field is None:
            raise AttributeError(f'{type(self).__name__} has no field "{name}"{_nearest(type(self), name)}')
        try:
            self.__dict__[name] = field.take(value)
        except Wrong as wrong:
            raise _said(wrong.within(name), self) from None

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Part) and type(other) is type(self) else False

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = []
        for name, field in fields_of(type(self)).items():
            value = self.__dict__.get(name)
            if value is not None and (field.usual is None or value):
                given.append(f"{name}={_brief(value)}")
        return f"{type(self).__name__}({', '.join(given)})"


def _brief(value: Any) -> str:
    if not isinstance(value, list):
        return repr(value)
    if len(value) <= _LONGEST_LIST_SHOWN:
        return f"[{', '.join(map(_brief, value))}]"
    return f"[{', '.join(map(_brief, value[:2]))}, ... {len(value)} in all]"


def _said(wrong: Wrong, part: Part | type[Part]) -> InputError:
    name = part.__name__ if isinstance(part, type) else type(part).__name__
    return InputError(f"{name}{wrong.attribute()}: {wrong.problem}")


def _nearest(cls: type[Part], name: str) -> str:
    import difflib

    known = list(fields_of(cls))
    near = difflib.get_close_matches(name, known, 1)
    return f'; did you mean "{near[0]}"?' if near else f"; it has: {', '.join(known)}"


# ---- Fields and their kinds ----


@dataclasses.dataclass(frozen=True)
class FieldOfPart:
    """A field of a part."""

    kind: Kind
    required: bool
    usual: Callable[[], Any] | None  # what None stands for; if that is empty, files do not have it

    def take(self, value: Any) -> Any:
        if value is not None:
            return self.kind.take(value)
        if self.required:
            raise Wrong(f"is required; expected {self.kind.words}")
        return None if self.usual is None else self.kind.take(self.usual())


def parts_of(usual_name: str = "") -> Any:
    """An empty list, as the default of a field that holds parts; those without a name have the usual one and a number:
    spring0, spring1, ..."""
    return dataclasses.field(default_factory=list, metadata={"usual_name": usual_name})


def fields_of(cls: type[Part]) -> dict[str, FieldOfPart]:
    """The fields of a class of parts, in the order of files."""
    known: dict[str, FieldOfPart] | None = cls.__dict__.get("_described")
    if known is None:
        hints = get_type_hints(cls)
        first = {"name": 0, "type": 1}
        fields = sorted(dataclasses.fields(cls), key=lambda field: (first.get(field.name, 2), field.kw_only))
        known = cls._described = {field.name: _described(field, hints[field.name]) for field in fields}
    return known


def _described(field: dataclasses.Field[Any], hint: Any) -> FieldOfPart:
    kind = kind_of(hint, field.metadata.get("usual_name", ""))
    kind = kind.kind if isinstance(kind, Optional) else kind
    usual: Callable[[], Any] | None = None
    if field.default_factory is not dataclasses.MISSING:
        usual = field.default_factory
    elif field.default is not dataclasses.MISSING and field.default is not None:
        default = field.default
        usual = lambda: default  # noqa: E731
    return FieldOfPart(kind, field.default is dataclasses.MISSING and usual is None, usual)


def kind_of(hint: Any, usual_name: str = "") -> Kind:
    """The kind of a field with this annotation."""
    simple: dict[Any, type[Kind]] = {float: Number, int: WholeNumber, bool: Flag, str: Text}
    if hint in simple:
        return simple[hint]()
    if isinstance(hint, type) and issubclass(hint, Part):
        return PartOf([hint])
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return Choice(args)
    if origin is list:
        return ListOfParts(kind_of(args[0]), usual_name)
    if origin is Sequence:
        return ListOf(kind_of(args[0]))
    if origin is dict:
        return DictOf(kind_of(args[0]), kind_of(args[1]))
    if origin is not Union and origin is not types.UnionType:
        raise TypeError(f"{hint} is no type of a field")
    kind = _kind_of_union([arg for arg in args if arg is not type(None)])
    return Optional(kind) if type(None) in args else kind


def _kind_of_union(hints: list[Any]) -> Kind:
    if any(get_origin(hint) is os.PathLike for hint in hints):
        return Path()
    kinds = [kind_of(hint) for hint in hints]
    if len(kinds) == 1:
        return kinds[0]
    if all(isinstance(kind, PartOf) for kind in kinds):
        return PartOf(hints)
    return Either([WordForNull(kind.choices[0]) if isinstance(kind, Choice) else kind for kind in kinds])


# ---- Parts within parts ----


class PartOf(Kind):
    """A part of one of some classes, which their "type" tells apart in a file."""

    def __init__(self, classes: Sequence[type[Part]]) -> None:
        self.classes = tuple(classes)
        self.words = "a " + " or ".join(part.__name__ for part in classes)
        self._by_type: dict[str, type[Part]] | None = None

    def take(self, value: Any) -> Any:
        if isinstance(value, self.classes):
            return value
        if not isinstance(value, Mapping):
            raise self.refuse(value)
        return part_of_fields(self.class_of(value), value)

    def plain(self, value: Any) -> Any:
        return plain_fields(self.take(value))

    def by_type(self) -> dict[str, type[Part]]:
        if self._by_type is None:
            self._by_type = {}
            for base in self.classes:
                for part in _family(base):
                    for word in types_of(part):
                        self._by_type.setdefault(word, part)
        return self._by_type

    def class_of(self, fields: Mapping[str, Any]) -> type[Part]:
        by_type = self.by_type()
        if len(set(by_type.values())) <= 1:
            return next(iter(by_type.values()), self.classes[0])
        word = fields.get("type")
        if not isinstance(word, str) or word not in by_type:
            raise Wrong(f"{shown(word)} is not known; choose from: {', '.join(by_type)}", "type")
        return by_type[word]


class ListOfParts(ListOf):
    """A list that can be changed, with access by name."""

    def __init__(self, kind: Kind, usual_name: str) -> None:
        super().__init__(kind)
        self.usual_name = usual_name

    def take(self, value: Any) -> Any:
        return PartList(super().take(value), self.usual_name)


def types_of(cls: type[Part]) -> tuple[str, ...]:
    """What "type" can be in a file; empty if there is no such field."""
    field = fields_of(cls).get("type")
    if field is not None:
        return field.kind.choices if isinstance(field.kind, Choice) else ()
    tag = getattr(cls, "type", None)
    return (tag,) if isinstance(tag, str) else ()


def _family(cls: type[Part]) -> Iterator[type[Part]]:
    yield cls
    for derived in cls.__subclasses__():
        yield from _family(derived)


def plain_fields(part: Part) -> dict[str, Any]:
    """As Part.to_dict, but raises Wrong."""
    cls = type(part)
    fields = fields_of(cls)
    plain: dict[str, Any] = {}
    if "type" not in fields:
        plain.update(("type", word) for word in types_of(cls))
    for name, field in fields.items():
        value = part.__dict__.get(name)
        if value is None and not field.required:
            continue
        try:
            entry = field.kind.plain(field.take(value) if value is None else value)
        except Wrong as wrong:
            raise wrong.within(name) from None
        if field.usual is None or entry:
            plain[name] = entry
    return {"name": plain.pop("name"), **plain} if "name" in plain else plain


def part_of_fields(cls: type[P], fields: Mapping[str, Any]) -> P:
    """As Part.from_dict, but of this class only, and raises Wrong."""
    known = fields_of(cls)
    for name in fields:
        if name not in known and not (name == "type" and fields[name] in types_of(cls)):
            raise Wrong(f"unknown field {shown(name)}{_nearest(cls, str(name))}")
    part = cls.__new__(cls)
    for name, field in known.items():
        value = fields.get(name)
        if value is None and name in fields:
            value = field.kind.null
        try:
            part.__dict__[name] = field.take(value)
        except Wrong as wrong:
            raise wrong.within(name) from None
    return part
