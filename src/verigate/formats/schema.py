"""Validate values by JSON Schema 2020-12 and explain the faults.

jsonschema-rs validates: its errors carry keyword, place and limits, it stays linear on hostile patterns, and on a large
artifact it needs a hundredth of the time of the Python implementation. References may only point into the document
itself or to the documents that ``others`` returns; nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.near_names import suggest_name, suggest_nearest
from verigate.formats.shrink_invalid import shrink_invalid

if TYPE_CHECKING:
    import jsonschema_rs

MAX_FAULTS = 50
_SHOWN = 60
_TYPES = {"object": "an object", "array": "an array", "string": "a string", "integer": "an integer"}
_TYPES |= {"number": "a number", "boolean": "true or false", "null": "null"}


class SchemaError(ValueError):
    """A document that isn't a usable JSON Schema; the message says why."""


class Schema:
    """One JSON Schema, compiled on first use.

    ``others`` maps the address of a referenced schema (without fragment) to its document, or to None if there is none;
    ``keywords`` are validators of custom keywords, as jsonschema-rs expects them.
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        others: Callable[[str], Mapping[str, Any] | None] | None = None,
        keywords: Mapping[str, type] | None = None,
    ) -> None:
        self.document = document
        self._others = others
        self._keywords = dict(keywords) if keywords else None
        self._compiled: jsonschema_rs.Validator | None = None

    def _validator(self) -> jsonschema_rs.Validator:
        if self._compiled is None:
            import jsonschema_rs

            try:
                self._compiled = jsonschema_rs.Draft202012Validator(
                    dict(self.document),
                    retriever=self._retrieve,
                    pattern_options=jsonschema_rs.RegexOptions(),
                    keywords=self._keywords,
                )
            except (jsonschema_rs.ValidationError, ValueError, TypeError) as problem:
                first = (str(problem).splitlines() or [type(problem).__name__])[0]
                raise SchemaError(f"it is not a usable JSON Schema: {first[:300]}") from problem
        return self._compiled

    def check(self) -> None:
        """Compile the schema. Raises SchemaError if it isn't usable."""
        self._validator()

    def _retrieve(self, uri: str) -> dict[str, Any]:
        found = self._others(uri) if self._others else None
        if found is None:
            raise ValueError(f"{uri} is outside the document; a $ref may only lead inside it")
        return dict(found)

    def find_faults(
        self, value: Any, *, file: str | None = None, source: bytes | None = None, limit: int = MAX_FAULTS
    ) -> tuple[Fault, ...]:
        """Return the faults of ``value``, at most ``limit``, in the order of its text; () if it is valid.

        ``source`` is the text that ``value`` was parsed from; it gives the faults line numbers. Raises SchemaError.
        """
        try:
            found = self._find_faults(value, limit)
        except UnicodeEncodeError:
            message = "a name or a text has half of a character (a lone surrogate)"
            found = (Fault(message, hint="write whole characters"),)
        except SchemaError:
            raise
        except ValueError:  # jsonschema-rs: the limit of recursion
            found = (Fault("it is nested too deeply", hint="use fewer levels"),)
        return locate_faults(found, file=file, source=source) if found else ()

    def _find_faults(self, value: Any, limit: int) -> tuple[Fault, ...]:
        validator = self._validator()
        if validator.is_valid(value):
            return ()
        # The validator builds all errors before it returns the first, so only an invalid part of a large value is
        # explained.
        shrunk = shrink_invalid(value, validator.is_valid, self._collect_names())
        found: dict[tuple[str, str], Fault] = {}
        explained = (fault for error in validator.iter_errors(shrunk) for fault in self._explain(error))
        for fault in islice(explained, limit):
            found.setdefault((fault.pointer or "", fault.message), fault)
        return tuple(found.values())

    def _collect_names(self) -> frozenset[str]:
        """Return all member names that the schema mentions."""
        found: set[str] = set()
        pending: list[Any] = [self.document]
        while pending:
            item = pending.pop()
            if isinstance(item, Mapping):
                properties, required = (item.get(key) for key in ("properties", "required"))
                found.update(properties if isinstance(properties, Mapping) else ())
                found.update(name for name in (required if isinstance(required, list) else ()) if isinstance(name, str))
                pending.extend(item.values())
            elif isinstance(item, list):
                pending.extend(item)
        return frozenset(found)

    def find_unknown_keys(
        self, value: Any, *, file: str | None = None, source: bytes | None = None
    ) -> tuple[Fault, ...]:
        """Return a fault for each member that the schema neither names nor explicitly allows.

        For documents with members that we don't know: an object schema with ``properties`` and without
        ``additionalProperties`` accepts them, but they deserve a warning.
        """
        return locate_faults(islice(self._find_unknown(self.document, value, ()), MAX_FAULTS), file=file, source=source)

    def _find_unknown(self, schema: Any, value: Any, path: tuple[str | int, ...]) -> Iterator[Fault]:
        schema = self._dereference(schema)
        if not isinstance(schema, Mapping):
            return
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self._find_unknown(schema.get("items"), item, (*path, index))
        if not isinstance(value, dict):
            return
        known = schema.get("properties", {})
        for key, member in value.items():
            if key in known:
                yield from self._find_unknown(known[key], member, (*path, key))
            elif known and "additionalProperties" not in schema:
                yield _unknown_key(key, known, path)

    def _dereference(self, schema: Any) -> Any:
        for _ in range(8):
            if not isinstance(schema, Mapping) or "$ref" not in schema:
                break
            schema = self._look_up(str(schema["$ref"]))
        return schema

    def _look_up(self, address: str) -> Any:
        """Return the schema at ``<uri>#<pointer>``, None if there is none."""
        uri, _, fragment = address.partition("#")
        document: Any = self.document
        if uri and uri != self.document.get("$id"):
            document = self._others(uri) if self._others else None
        try:
            return pointer.resolve(document, fragment)
        except (LookupError, ValueError):
            return None

    def _parent_schema(self, error: jsonschema_rs.ValidationError) -> Mapping[str, Any]:
        """Return the schema object whose keyword failed."""
        address = error.absolute_keyword_location or pointer.join(*error.schema_path)
        if "#" not in address:
            address = f"#{address}"
        parent = self._look_up(address.rpartition("/")[0])
        return parent if isinstance(parent, Mapping) else {}

    def _explain(self, error: jsonschema_rs.ValidationError) -> Iterator[Fault]:
        kind: Any = error.kind
        path = tuple(error.instance_path)
        if kind.name in {"additionalProperties", "unevaluatedProperties"}:
            known = set(self._known_keys(self._parent_schema(error)))
            # A known key with a wrong value counts as unevaluated too; its own fault says more.
            for key in kind.unexpected:
                if key not in known:
                    yield _unknown_key(key, known, path)
        elif kind.name in {"anyOf", "oneOf"} and hasattr(kind, "context"):
            yield from self._explain_choice(error, kind.context)
        elif kind.name == "propertyNames":
            inner = next(self._explain(kind.error), None)
            name = str(kind.error.instance)
            message = inner.message if inner else str(kind.error.message)
            yield Fault(f"its name: {message}", pointer=pointer.join(*path, name), hint=inner.hint if inner else None)
        else:
            message, hint = _describe(kind, error)
            yield Fault(message, pointer=pointer.join(*path), hint=hint or self._parent_schema(error).get("$comment"))

    def _explain_choice(
        self, error: jsonschema_rs.ValidationError, branches: list[list[jsonschema_rs.ValidationError]]
    ) -> Iterator[Fault]:
        """Explain the branch whose type matches; if none does, name the expected types."""
        here = list(error.instance_path)
        wanted: list[str] = []
        fitting: list[list[jsonschema_rs.ValidationError]] = []
        for branch in branches:
            kinds: list[Any] = [item.kind for item in branch if list(item.instance_path) == here]
            types = [name for kind in kinds if kind.name == "type" for name in kind.types]
            wanted += types
            if not types:
                fitting.append(branch)
        if fitting:
            for item in min(fitting, key=len):
                yield from self._explain(item)
        else:
            yield Fault(_type_message(error.instance, wanted), pointer=pointer.join(*here))

    def _known_keys(self, schema: Any) -> Iterator[str]:
        pending, seen = [schema], set[int]()
        while pending:
            part = pending.pop()
            # The schema is untrusted and may be recursive.
            if not isinstance(part, Mapping) or id(part) in seen:
                continue
            seen.add(id(part))
            yield from part.get("properties", {})
            if "$ref" in part:
                pending.append(self._look_up(str(part["$ref"])))
            pending.extend(part.get("allOf", ()))


def find_outside_references(document: Any) -> tuple[str, ...]:
    """Return the ``$ref`` and ``$dynamicRef`` targets outside of a schema, sorted."""
    found: set[str] = set()
    pending = [document]
    while pending:
        item = pending.pop()
        if isinstance(item, Mapping):
            for key in ("$ref", "$dynamicRef"):
                target = item.get(key)
                if isinstance(target, str) and not target.startswith("#"):
                    found.add(target)
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
    return tuple(sorted(found))


def locate_faults(find_faults: Iterable[Fault], *, file: str | None, source: bytes | None) -> tuple[Fault, ...]:
    """Add ``file`` and the line of the pointer in ``source`` to each fault; return them in the order of the text."""
    every = list(find_faults)
    if not every:
        return ()
    from verigate.formats.json_text import find_lines  # only faults need lines

    known = find_lines(source.decode("utf-8", "replace"), [f.pointer for f in every if f.pointer]) if source else {}
    placed = [
        Fault(f.message, f.file or file, f.pointer, f.line or known.get(f.pointer or "", 1 if source else None), f.hint)
        for f in every
    ]
    return tuple(fault.brief() for fault in sorted(placed, key=lambda f: f.line or 0))


def format_value(value: Any) -> str:
    """Format a value for a message: short, on one line."""
    if isinstance(value, dict):
        return f"an object with {len(value)} members"
    if isinstance(value, list):
        return f"an array with {len(value)} items"
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _unknown_key(key: str, known: Iterable[str], path: tuple[str | int, ...]) -> Fault:
    return Fault(f"unknown key {format_value(key)}", pointer=pointer.join(*path, key), hint=suggest_name(key, known))


def _type_message(value: Any, types: Iterable[str]) -> str:
    names = [_TYPES.get(name, name) for name in dict.fromkeys(sorted(types))]
    return f"it is {format_value(value)}, must be {' or '.join(names)}"


def _describe(kind: Any, error: jsonschema_rs.ValidationError) -> tuple[str, str | None]:
    value: Any = error.instance
    sentence = _SENTENCES.get(kind.name)
    message = sentence(kind, value) if sentence else str(error.message)[:300]
    hint = None
    if kind.name == "enum" and isinstance(value, str):
        hint = suggest_nearest(value, [option for option in kind.options if isinstance(option, str)])
    if kind.name == "maximum" and kind.limit == 1 and 1 < value <= 100:
        hint = f"a fraction from 0 to 1: write {value / 100:g}"
    return message, hint


def _too_few(kind: Any, value: Any) -> str:
    return (
        f"it is {format_value(value)}, at least {kind.limit} of its parts are needed"
        if kind.limit > 1
        else "it is empty"
    )


_SENTENCES: Mapping[str, Callable[[Any, Any], str]] = {
    "type": lambda kind, value: _type_message(value, kind.types),
    "required": lambda kind, _: f"the key {kind.property!r} is missing",
    "enum": lambda kind, value: (
        f"it is {format_value(value)}, must be one of {', '.join(map(format_value, kind.options))}"
    ),
    "const": lambda kind, value: f"it is {format_value(value)}, must be {format_value(kind.expected_value)}",
    "maximum": lambda kind, value: f"it is {format_value(value)}, at most {kind.limit} is allowed",
    "minimum": lambda kind, value: f"it is {format_value(value)}, at least {kind.limit} is needed",
    "exclusiveMinimum": lambda kind, value: f"it is {format_value(value)}, must be more than {kind.limit}",
    "minLength": _too_few,
    "minItems": _too_few,
    "minProperties": _too_few,
    "pattern": lambda kind, value: f"{format_value(value)} is not of the form {kind.pattern}",
    "uniqueItems": lambda _kind, _value: "it holds the same item twice",
    "falseSchema": lambda _kind, _value: "this key is not allowed here",
    "not": lambda _kind, _value: "this key is not allowed here",
}
