"""Holding an answer against what is documented for it; each difference with its place in the body and in the schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from api_adapter.operations import Documented, Operation, is_json
from api_adapter.schemas import bundled
from verigate.sdk import AdapterError, clean_text
from verigate.sdk.scopes import pointer

if TYPE_CHECKING:
    import jsonschema_rs

    from api_adapter.client import Answer
    from api_adapter.document import Document

MAX_VIOLATIONS = 20
"""What is listed of one answer: a wrong array has one violation per member."""

MAX_TEXT = 500
"""Characters of a pointer or message: both may name members that the service has named."""

_LENIENT = frozenset({400, 401, 403, 404, 405, 406, 409, 415, 422, 429})
"""Answers to a request that was refused; few descriptions list them, and they make no promise about a body."""


class Violation(Struct, frozen=True, order=True):
    """``pointer`` leads into the body, ``schema_pointer`` into the description; the body's values are left out.

    ``keyword`` is that of JSON Schema, or ``status``, ``content-type``, ``json``, ``size``, ``absent``.
    """

    endpoint: str
    status: int
    pointer: str
    schema_pointer: str
    keyword: str
    message: str


class Held(Struct, frozen=True):
    """What came of one answer: whether it was documented, whether its body was held against a schema."""

    documented: bool
    checked: bool
    violations: tuple[Violation, ...]


class Validators:
    """The compiled response schemas of one description."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._compiled: dict[str, tuple[jsonschema_rs.Validator, dict[str, str]]] = {}

    def hold(self, operation: Operation, answer: Answer) -> Held:
        """``answer`` against what ``operation`` documents. Raises AdapterError for a broken description."""
        status = answer.status or 0
        documented = documented_for(operation, status)
        if documented is None:
            if status in _LENIENT:
                return Held(documented=False, checked=False, violations=())
            at = f"{operation.at}/responses"
            message = f"status {status} is not documented"
            return Held(
                documented=False,
                checked=False,
                violations=(Violation(operation.id, status, "", at, "status", message),),
            )
        if not documented.content or operation.method == "HEAD" or status in {204, 304}:
            return Held(documented=True, checked=False, violations=())
        return self._body(operation, answer, status, documented)

    def _body(self, operation: Operation, answer: Answer, status: int, documented: Documented) -> Held:
        def violated(at: str, keyword: str, message: str) -> Held:
            return Held(True, True, (Violation(operation.id, status, "", at, keyword, message),))

        name = matching(documented, answer.media_type)
        if name is None:
            listed = ", ".join(sorted(documented.content))
            said = answer.media_type or "none"
            return violated(
                f"{documented.at}/content", "content-type", f"content type {said} is not documented: {listed}"
            )
        schema = documented.content[name]
        at = f"{documented.at}{pointer.join('content', name, 'schema')}"
        if self._document.dialect == "2.0":
            at = f"{documented.at}/schema"
        if schema is None or not is_json(answer.media_type):
            return Held(documented=True, checked=False, violations=())
        if answer.truncated:
            return violated(at, "size", "the body is larger than is read")
        try:
            value = json.loads(answer.body, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return violated(at, "json", "the body is not JSON")
        try:
            return Held(True, True, tuple(self._errors(operation, status, at, schema, value)))
        except (ValueError, RecursionError):
            # Half a character, or more brackets than can be counted: json.loads takes it, no validator does.
            return violated(at, "json", "the body can't be held against a schema")

    def _errors(self, operation: Operation, status: int, at: str, schema: Any, value: Any) -> list[Violation]:
        found = []
        validator, names = self._validator(at, schema)
        for error in validator.iter_errors(value):
            found.append(
                Violation(
                    operation.id,
                    status,
                    clean_text(pointer.join(*error.instance_path), MAX_TEXT),
                    _in_document(at, error.schema_path, names),
                    str(error.schema_path[-1]) if error.schema_path else "",
                    clean_text(error.message, MAX_TEXT),
                )
            )
            if len(found) == MAX_VIOLATIONS:
                break
        return sorted(found)

    def _validator(self, at: str, schema: Any) -> tuple[jsonschema_rs.Validator, dict[str, str]]:
        if at not in self._compiled:
            import jsonschema_rs

            try:
                whole, names = bundled(self._document, schema, "response")
                validator = jsonschema_rs.validator_for(
                    whole, validate_formats=True, mask="the value", retriever=_refuse
                )
                self._compiled[at] = validator, names
            except (ValueError, jsonschema_rs.ReferencingError) as error:
                raise AdapterError(
                    f"is no JSON Schema: {str(error)[:300]}", where=f"{self._document.place} {at}"
                ) from error
        return self._compiled[at]


def _in_document(at: str, path: Sequence[str | int], names: Mapping[str, str]) -> str:
    """Where a part of the bundled schema stands in the description."""
    if len(path) > 1 and path[0] == "$defs" and path[1] in names:
        return names[str(path[1])] + pointer.join(*path[2:])
    return at + pointer.join(*path)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")


def documented_for(operation: Operation, status: int) -> Documented | None:
    """The documented answer for a status: exact, then by class (``2XX``), then ``default``."""
    responses = operation.responses
    return responses.get(str(status)) or responses.get(f"{status // 100}XX") or responses.get("default")


def matching(documented: Documented, media_type: str) -> str | None:
    """The documented media type that covers ``media_type``, the most exact first."""
    names = {name.partition(";")[0].strip().lower(): name for name in documented.content}
    for candidate in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if candidate in names:
            return names[candidate]
    return None
