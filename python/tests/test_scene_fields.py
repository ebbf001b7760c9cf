"""The parts of scenes have the fields of the format, all of them and no others: compared with the schema."""

import inspect
import json
from collections.abc import Iterator
from typing import Any

import stickslip as ss
from stickslip import _engine
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
)
from stickslip.parts.part import PartOf, fields_of, types_of

SCHEMA = json.loads(_engine.scene_schema())


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """What a schema refers to."""
    while "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]
    return schema


def alternatives(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    schema = resolved(schema)
    if "oneOf" in schema and not schema.get("properties"):
        for case in schema["oneOf"]:
            yield from alternatives(case)
    elif isinstance(schema.get("type"), list):
        for word in schema["type"]:
            yield {**schema, "type": word}
    else:
        yield schema


class Comparison:
    """Walks through the schema and the kinds of fields side by side."""

    def __init__(self) -> None:
        self.objects: dict[type[ss.Part], list[dict[str, Any]]] = {}
        self.seen: set[int] = set()
        self.kinds: dict[int, Kind] = {}
        self.words: dict[int, set[str]] = {}

    def kind(self, kind: Kind, schema: dict[str, Any], place: str) -> None:
        self.kinds[id(kind)] = kind
        for case in alternatives(schema):
            self.case(kind, case, place)

    def case(self, kind: Kind, schema: dict[str, Any], place: str) -> None:
        if isinstance(kind, (Either, Optional)):
            kinds = [*kind.kinds] if isinstance(kind, Either) else [kind.kind]
            if isinstance(kind, Optional) and schema["type"] == "null":
                return
            fitting = [each for each in kinds if self.fits(each, schema)]
            assert len(fitting) == 1, f"{place}: {schema} fits {len(fitting)} of {kind.words}"
            self.kind(fitting[0], schema, place)
            return
        assert self.fits(kind, schema), f"{place}: {schema} is not {kind.words} ({type(kind).__name__})"
        self.kinds[id(kind)] = kind
        if isinstance(kind, Choice) and not isinstance(kind, WordForNull):
            self.words.setdefault(id(kind), set()).update(schema.get("enum", [schema.get("const")]))
        elif isinstance(kind, ListOf):
            self.kind(kind.kind, schema["items"], place + "/0")
        elif isinstance(kind, DictOf):
            self.entries(kind, schema, place)
        elif isinstance(kind, PartOf):
            self.part(kind, schema, place)

    @staticmethod
    def fits(kind: Kind, schema: dict[str, Any]) -> bool:
        if isinstance(kind, (WordForNull, Optional)) and schema.get("type") == "null":
            return True
        kind = kind.kind if isinstance(kind, Optional) else kind
        if isinstance(kind, Choice):
            return "enum" in schema or "const" in schema
        if isinstance(kind, ListOf):
            return schema.get("type") == "array" and all(
                any(Comparison.fits(each, case) for each in getattr(kind.kind, "kinds", [kind.kind]))
                for case in alternatives(schema["items"])
            )
        words = {Number: "number", WholeNumber: "integer", Flag: "boolean", Text: "string", Path: "string"}
        return schema.get("type") == words.get(type(kind), "object")

    def entries(self, kind: DictOf, schema: dict[str, Any], place: str) -> None:
        self.seen.add(id(schema.get("properties")))
        if isinstance(kind.key, Choice):
            assert set(kind.key.choices) == set(schema["properties"]), place
            for key, entry in schema["properties"].items():
                self.kind(kind.kind, entry, f"{place}/{key}")
        else:
            assert "properties" not in schema, place
            self.kind(kind.kind, schema["additionalProperties"], place + "/*")

    def part(self, kind: PartOf, schema: dict[str, Any], place: str) -> None:
        properties = schema["properties"]
        tag = properties.get("type", {})
        # A body without "type" is dynamic.
        cls = kind.class_of({"type": tag.get("const", tag.get("enum", [None])[0])})
        known = self.objects.setdefault(cls, [])
        if any(schema is other for other in known):
            return
        known.append(schema)
        self.seen.add(id(properties))
        fields = fields_of(cls)
        for name, entry in properties.items():
            if name == "type" and name not in fields:
                assert types_of(cls) == (entry["const"],), place
            else:
                assert name in fields, f"{cls.__name__} lacks the field {name} of {place}"
                self.kind(fields[name].kind, entry, f"{place}/{name}")


def compared() -> Comparison:
    comparison = Comparison()
    # The top: what depends on the type of the system stands beside.
    initial = [{"$ref": "#/$defs/linear_initial"}, {"$ref": "#/$defs/body_initial"}]
    properties = {name: entry for name, entry in SCHEMA["properties"].items() if name != "stickslip"}
    top = {**SCHEMA, "properties": {**properties, "initial": {"oneOf": initial}}}
    comparison.kind(PartOf([ss.Scene]), top, "")
    comparison.seen.add(id(SCHEMA["properties"]))
    return comparison


def test_parts_have_the_fields_of_the_format_and_no_others():
    comparison = compared()
    for cls, objects in comparison.objects.items():
        names = {name for schema in objects for name in schema["properties"]}
        own = set(fields_of(cls)) | ({"type"} if types_of(cls) else set())
        assert own == names, cls.__name__
        required = set.intersection(*(set(schema.get("required", ())) for schema in objects)) - {"type", "stickslip"}
        assert {n for n, field in fields_of(cls).items() if field.required} - {"type"} == required, cls.__name__


def test_every_object_of_the_format_is_a_part():
    comparison = compared()
    missed = []

    def walk(schema: Any, place: str) -> None:
        if isinstance(schema, list):
            for i, entry in enumerate(schema):
                walk(entry, f"{place}/{i}")
        elif isinstance(schema, dict):
            is_object = "additionalProperties" in schema and "properties" in schema
            if is_object and id(schema["properties"]) not in comparison.seen:
                missed.append(place)
            for key, entry in schema.items():
                walk(entry, f"{place}/{key}")

    walk(SCHEMA, "")
    assert not missed
    # And every class of the package is an object of the format, or a base of such classes.
    bases = {ss.Part, ss.Shape, ss.Motion, ss.Joint, ss.Driven}
    classes = {getattr(ss.parts, name) for name in ss.parts.__all__} - bases - {ss.parts.PartList}
    assert {cls.__name__ for cls in classes} == {cls.__name__ for cls in comparison.objects} - {"Scene"}


def test_words_are_those_of_the_format_and_no_alternative_is_idle():
    comparison = compared()
    for cls in comparison.objects:
        for name, field in fields_of(cls).items():
            for kind in within(field.kind):
                if isinstance(kind, Choice) and not isinstance(kind, WordForNull) and id(kind) in comparison.words:
                    assert set(kind.choices) == comparison.words[id(kind)] - {None}, f"{cls.__name__}.{name}"
                assert id(kind) in comparison.kinds, f"{cls.__name__}.{name}: nothing in the format is {kind.words}"


def within(kind: Kind) -> Iterator[Kind]:
    yield kind
    for inner in getattr(kind, "kinds", [kind.kind] if isinstance(kind, (ListOf, DictOf, Optional)) else []):
        yield from within(inner)


def test_every_field_is_explained():
    for cls in compared().objects:
        explained = inspect.getdoc(cls) or ""  # with the fields of its bases
        for name in fields_of(cls):
            assert f"\n{name}: " in explained, f"{cls.__name__}.{name} has no line in the docstring"
