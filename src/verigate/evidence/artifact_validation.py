"""Validate a file that a capability wrote. Its media spec is known before it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.invariants import find_violations
from verigate.domain.manifest import DEFAULT_VOLATILE, Output
from verigate.domain.media import MediaSpec, MediaSpecError, resolve
from verigate.domain.plan import PlannedCapability
from verigate.domain.standard_artifacts import BY_PATH
from verigate.errors import Fault, shorten
from verigate.formats import canonical_json, pointer
from verigate.formats.strict_json import StrictJsonError, loads

MAX_ARTIFACT_BYTES = 64 * 1024 * 1024
"""Largest valid artifact. A lint report of 100,000 findings has about 15 MB."""

SchemaCheck = Callable[[MediaSpec, Any], Sequence[Fault]]
"""(media spec, parsed value) -> faults; none means valid."""


class ArtifactInvalidError(Exception):
    """An invalid artifact; the message names the file, the place in it and what is wrong."""


def accept_artifact(planned: PlannedCapability, path: str, content: bytes, check: SchemaCheck) -> Artifact:
    """Validate ``content``, written to ``path`` by ``planned``, as an artifact. Raises ArtifactInvalidError."""
    output = _find_output(planned, path)
    spec = _find_media_spec(planned, output, path)
    is_json = path.endswith(".json") or (spec is not None and spec.is_json)
    value = _parse_json(path, content) if is_json else None
    if spec is not None and (is_json or spec.is_text):
        _check_value(path, spec, value if is_json else _parse_text(path, content, spec), output, check)
    raw = hashlib.sha256(content).hexdigest()
    return Artifact(
        path=path,
        producer=planned.name,
        size=len(content),
        sha256=raw,
        digest=canonical_digest(path, value, output.volatile) if is_json else raw,
        media_spec=spec.spec_id if spec else None,
        volatile=output.volatile,
        is_json=is_json,
        value=value if is_json else None,
    )


def find_input_fault(
    planned: PlannedCapability, spec_id: str, name: str, content: bytes, check: SchemaCheck
) -> str | None:
    """Validate an input file of a capability by its media spec; returns what is wrong, or None."""
    try:
        spec = _resolve_spec(planned, spec_id, name)
        if spec.is_json or spec.is_text:
            value = _parse_json(name, content) if spec.is_json else _parse_text(name, content, spec)
            _check_value(name, spec, value, Output(name), check)
    except ArtifactInvalidError as problem:
        return str(problem)
    return None


def _find_output(planned: PlannedCapability, path: str) -> Output:
    for output in planned.declaration.outputs:
        if output.path == path:
            return output
    return Output(path, None, DEFAULT_VOLATILE)


def _find_media_spec(planned: PlannedCapability, output: Output, path: str) -> MediaSpec | None:
    spec_id = BY_PATH[path].media_spec if path in BY_PATH else output.media_spec
    return None if spec_id is None else _resolve_spec(planned, spec_id, path)


def _resolve_spec(planned: PlannedCapability, spec_id: str, path: str) -> MediaSpec:
    provider = planned.provider
    try:
        return resolve(spec_id, provider.specs_of(planned.declaration) if provider else {})
    except MediaSpecError as problem:
        raise ArtifactInvalidError(f"{path}: {problem}") from problem


def _parse_json(path: str, content: bytes) -> Any:
    try:
        return loads(content, max_bytes=MAX_ARTIFACT_BYTES)
    except StrictJsonError as problem:
        raise ArtifactInvalidError(f"{path}: not strict JSON: {problem}") from problem


def _parse_text(path: str, content: bytes, spec: MediaSpec) -> Any:
    from verigate.domain.media_values import TextValueError, parse_text_value

    try:
        return parse_text_value(spec, content.decode("utf-8"))
    except UnicodeDecodeError as problem:
        raise ArtifactInvalidError(f"{path}: {spec.media_type} is not UTF-8 at byte {problem.start}") from problem
    except TextValueError as problem:
        raise ArtifactInvalidError(f"{path} is not valid {spec.spec_id}: /: {problem}") from problem


def _check_value(path: str, spec: MediaSpec, value: Any, output: Output, check: SchemaCheck) -> None:
    faults = _format_faults(check(spec, value))
    faults = faults or [f"{place or '/'}: {message}" for place, message in find_violations(spec.spec_id, value)]
    if output.rules is not None:
        # The rules of the declaration come after those of the type (third source document, validation, step 3).
        faults = faults or _format_faults(check(replace(spec, schema=output.rules), value))
    if faults:
        more = f" and {len(faults) - 3} more" if len(faults) > 3 else ""
        raise ArtifactInvalidError(f"{path} is not valid {spec.spec_id}: {'; '.join(map(shorten, faults[:3]))}{more}")


def _format_faults(faults: Sequence[Fault]) -> list[str]:
    return [f"{fault.pointer or '/'}: {fault.message}" for fault in faults]


def canonical_digest(path: str, value: Any, volatile: Sequence[str]) -> str:
    """The sha256 (hex) of the RFC 8785 bytes of ``value`` without volatile members. Raises ArtifactInvalidError."""
    try:
        return hashlib.sha256(canonical_json.dumps(pointer.copy_without(value, volatile))).hexdigest()
    except (canonical_json.NoCanonicalFormError, RecursionError) as problem:
        raise ArtifactInvalidError(f"{path}: no canonical form (RFC 8785): {problem}") from problem
