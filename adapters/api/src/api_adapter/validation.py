"""Validate responses against the description; violations have their location in the body and in the schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from api_adapter.body_coverage import Coverage, look_through
from api_adapter.operations import Documented, Operation, is_json
from api_adapter.schemas import bundle_schema
from verigate.sdk import AdapterError, clean_text
from verigate.sdk.scopes import pointer

if TYPE_CHECKING:
    import jsonschema_rs

    from api_adapter.client import ApiResponse
    from api_adapter.document import Document

MAX_VIOLATIONS = 20
"""Limit of listed violations per response, since a wrong array has one per item."""

MAX_TEXT = 500
"""Length limit of a pointer or message, both of which may contain names chosen by the service."""

_LENIENT = frozenset({400, 401, 403, 404, 405, 406, 409, 415, 422, 429})
"""Statuses of rejected requests; few descriptions list them, and they make no promise about a body."""


class Violation(Struct, frozen=True, order=True):
    """A violation. ``pointer`` is into the body, ``schema_pointer`` into the description; no values are included.

    ``keyword`` is that of JSON Schema, or ``status``, ``content-type``, ``json``, ``size``, ``absent``.
    """

    endpoint: str
    status: int
    pointer: str
    schema_pointer: str
    keyword: str
    message: str


class ValidationResult(Struct, frozen=True):
    """Result of validating a response: whether it is documented, and whether its body was validated."""

    documented: bool
    checked: bool
    violations: tuple[Violation, ...]


class Validators:
    """Validates responses with the compiled schemas of one description.

    ``coverage`` has for each endpoint what its successful bodies cover.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._compiled: dict[str, tuple[jsonschema_rs.Validator, dict[str, str], dict[str, Any]]] = {}
        self.coverage: dict[str, Coverage] = {}

    def validate(self, operation: Operation, answer: ApiResponse) -> ValidationResult:
        """Validate ``answer`` against ``operation``. Raises AdapterError for an invalid description."""
        status = answer.status or 0
        documented = find_documented(operation, status)
        if documented is None:
            if status in _LENIENT:
                return ValidationResult(documented=False, checked=False, violations=())
            at = f"{operation.at}/responses"
            message = f"status {status} is not documented"
            return ValidationResult(
                documented=False,
                checked=False,
                violations=(Violation(operation.id, status, "", at, "status", message),),
            )
        if not documented.content or operation.method == "HEAD" or status in {204, 304}:
            return ValidationResult(documented=True, checked=False, violations=())
        return self._body(operation, answer, status, documented)

    def _body(self, operation: Operation, answer: ApiResponse, status: int, documented: Documented) -> ValidationResult:
        def violation_at(at: str, keyword: str, message: str) -> ValidationResult:
            return ValidationResult(True, True, (Violation(operation.id, status, "", at, keyword, message),))

        name = match_media_type(documented, answer.media_type)
        if name is None:
            listed = ", ".join(sorted(documented.content))
            given = answer.media_type or "none"
            return violation_at(
                f"{documented.at}/content", "content-type", f"content type {given} is not documented: {listed}"
            )
        schema = documented.content[name]
        at = f"{documented.at}{pointer.join('content', name, 'schema')}"
        if self._document.dialect == "2.0":
            at = f"{documented.at}/schema"
        if schema is None or not is_json(answer.media_type):
            return ValidationResult(documented=True, checked=False, violations=())
        if answer.truncated:
            return violation_at(at, "size", "the body exceeds the size limit")
        try:
            value = json.loads(answer.body, parse_constant=_no_number)
        except (ValueError, RecursionError):
            return violation_at(at, "json", "the body is not JSON")
        try:
            return ValidationResult(True, True, tuple(self._errors(operation, status, at, schema, value)))
        except (ValueError, RecursionError):
            # json.loads accepts lone surrogates and deep nesting, the validator doesn't.
            return violation_at(at, "json", "the body can't be validated")

    def _errors(self, operation: Operation, status: int, at: str, schema: Any, value: Any) -> list[Violation]:
        found = []
        validator, names, whole = self._validator(at, schema)
        if 200 <= status < 300:
            look_through(self.coverage.setdefault(operation.id, Coverage()), whole, value)
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

    def _validator(self, at: str, schema: Any) -> tuple[jsonschema_rs.Validator, dict[str, str], dict[str, Any]]:
        if at not in self._compiled:
            import jsonschema_rs

            try:
                whole, names = bundle_schema(self._document, schema, "response")
                validator = jsonschema_rs.validator_for(
                    whole, validate_formats=True, mask="the value", retriever=_refuse
                )
                self._compiled[at] = validator, names, whole
            except (ValueError, jsonschema_rs.ReferencingError) as error:
                raise AdapterError(
                    f"is not a JSON Schema: {str(error)[:300]}", where=f"{self._document.place} {at}"
                ) from error
        return self._compiled[at]


def _in_document(at: str, path: Sequence[str | int], names: Mapping[str, str]) -> str:
    """Convert a path in the bundled schema to a JSON pointer into the description."""
    if len(path) > 1 and path[0] == "$defs" and path[1] in names:
        return names[str(path[1])] + pointer.join(*path[2:])
    return at + pointer.join(*path)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")


def find_documented(operation: Operation, status: int) -> Documented | None:
    """Find the documented response for a status: exact, then by class (``2XX``), then ``default``."""
    responses = operation.responses
    return responses.get(str(status)) or responses.get(f"{status // 100}XX") or responses.get("default")


def match_media_type(documented: Documented, media_type: str) -> str | None:
    """Find the most specific documented media type that covers ``media_type``."""
    names = {name.partition(";")[0].strip().lower(): name for name in documented.content}
    for candidate in (media_type, f"{media_type.partition('/')[0]}/*", "*/*"):
        if candidate in names:
            return names[candidate]
    return None
