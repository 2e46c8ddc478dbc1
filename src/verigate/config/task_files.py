"""Read commitment.json, what a task promises, and claim.json, what was done.

Any tool may write both, so unknown keys are warnings. An invalid commitment ends the command with ConfigError; the
faults of an invalid claim become part of the verdict.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.config.files import label, parse_json, read_bytes
from verigate.config.measured import find_measured_facts
from verigate.config.validation import find_unknown_keys, validate
from verigate.config.which_task import suggest_task
from verigate.domain.scope_paths import MOST_IN_PATTERNS, is_too_long
from verigate.domain.task import (
    Claim,
    Commitment,
    Scope,
    Statement,
    StatementSource,
    Unit,
    UnitKind,
    is_same_family,
    parse_unit,
)
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE
from verigate.domain.weakening import Disclosure, Source
from verigate.errors import ConfigError, Fault
from verigate.formats import pointer
from verigate.formats.schema import MAX_FAULTS, locate_faults


class CommitmentReading(Struct, frozen=True):
    """A commitment, and warnings about its unknown keys."""

    commitment: Commitment
    warnings: tuple[Fault, ...] = ()


class ClaimReading(Struct, frozen=True):
    """A claim, or the faults that make it invalid. Neither: no claim was made."""

    claim: Claim | None
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def read_commitment(
    path: Path, task_id: str, root: Path | None = None, *, content: bytes | None = None
) -> CommitmentReading:
    """Read the commitment of ``task_id``. Raises ConfigError if it is missing, unreadable, invalid or another task's.

    Messages show the path relative to ``root``. ``content`` is what the file holds, if it was read before.
    """
    shown = label(path, root)
    source = read_bytes(path, shown=shown) if content is None else content
    if source is None:
        hint = suggest_task(root, task_id) if root is not None else f"begin it with `gate start {task_id}`"
        raise ConfigError([Fault(f"the task {task_id} has no commitment", file=shown, hint=hint)])
    document = parse_json(source, shown=shown)
    faults = validate("commitment", document, file=shown, source=source)
    if not faults and document["task_id"] != task_id:
        message = f"it is the commitment of the task {document['task_id']}, not of {task_id}"
        faults = locate_faults([Fault(message, pointer="/task_id")], file=shown, source=source)
    if not faults and is_too_long(document.get("commitments", {}).get("scope", {}).get("files", ())):
        message = f"its patterns have more than the {MOST_IN_PATTERNS} characters that are read"
        place = "/commitments/scope/files"
        faults = locate_faults([Fault(message, pointer=place, hint="name folders")], file=shown, source=source)
    if faults:
        raise ConfigError(faults)
    return CommitmentReading(
        commitment_from(document), find_unknown_keys("commitment", document, file=shown, source=source)
    )


def is_same_commitment(content: bytes, commitment: Commitment) -> bool:
    """Return whether a commitment.json equals ``commitment``, whatever its layout; False if it can't be read."""
    return is_same_document(content, commitment.document)


def is_same_document(content: bytes, document: Any) -> bool:
    """Return whether a file states this JSON value, whatever its layout; False if it can't be read.

    Who sends a file to a server chose its size and depth: what has more parts than the value isn't parsed.
    """
    wanted = json.dumps(document, sort_keys=True)
    if any(content.count(sign.encode()) > wanted.count(sign) for sign in ",[{"):
        return False
    try:
        found = parse_json(content, shown=COMMITMENT_FILE)
    except ConfigError:
        return False
    return json.dumps(found, sort_keys=True) == wanted


def commitment_from(document: Mapping[str, Any]) -> Commitment:
    """Convert a valid document to a value."""
    promised = document.get("commitments", {})
    scope = promised.get("scope", {})
    requirements = document.get("requirements", {})
    return Commitment(
        task_id=document["task_id"],
        type=document["type"],
        profile=document.get("profile"),
        user_instruction=document.get("user_instruction"),
        base=document.get("base"),
        expected_total=promised.get("expected_total"),
        scope=Scope(
            files=tuple(scope.get("files", ())),
            functions=tuple(scope.get("functions", ())),
            endpoints=tuple(map(_read_endpoint, scope.get("endpoints", ()))),
            fixes=tuple(scope.get("fixes", ())),
            target_directory=scope.get("target_directory"),
            target_url=scope.get("target_url"),
        ),
        quality=promised.get("quality", {}),
        required_functions=tuple(requirements.get("functions", ())),
        required_endpoints=tuple(map(_read_endpoint, requirements.get("endpoints", ()))),
        required_fixes=tuple(requirements.get("fixes", ())),
        document=document,
    )


def _read_endpoint(item: str | Mapping[str, str]) -> str:
    """Read an endpoint as ``METHOD /path``; an address stands for its path."""
    if isinstance(item, str):
        return item
    from urllib.parse import urlsplit  # few commitments name endpoints so

    path = urlsplit(item["url"]).path or "/"
    return f"{item.get('method', 'GET').upper()} {path}"


def read_claim(
    path: Path, task_id: str, task_type: str, root: Path | None = None, *, content: bytes | None = None
) -> ClaimReading:
    """Read the claim of ``task_id``, whose commitment is of ``task_type``. Never raises for what the file holds.

    ``content`` is the claim that lands instead of the file, if there is one.
    """
    shown = label(path, root)
    try:
        source = read_bytes(path, shown=shown) if content is None else content
        if source is None:
            return ClaimReading(None)
        document = parse_json(source, shown=shown)
    except ConfigError as problem:
        return ClaimReading(None, problem.faults)
    return parse_claim(document, task_id, task_type, shown=shown, source=source)


def parse_claim(
    document: Any, task_id: str, task_type: str, *, shown: str, source: bytes | None = None
) -> ClaimReading:
    """Validate a claim that is parsed already, as ``read_claim`` does."""
    faults = list(validate("claim", document, file=shown, source=source))
    found = list(islice(find_measured_facts(document), MAX_FAULTS))
    if not faults:
        found += islice(
            chain(_check_identity(document, task_id), _find_contradictions(document, task_type)), MAX_FAULTS
        )
    faults += locate_faults(found, file=shown, source=source)
    unknown = find_unknown_keys("claim", document, file=shown, source=source)
    if faults:
        return ClaimReading(None, tuple(faults), unknown)
    return ClaimReading(claim_from(document, task_type), (), unknown)


def claim_from(document: Mapping[str, Any], task_type: str) -> Claim:
    """Convert a valid document to a value; a claim without a type has that of the task."""
    _, body = _find_body(document)
    actor = document.get("actor")
    units = body.get("units_list")
    return Claim(
        task_id=document["task_id"],
        type=body.get("type", document.get("type", task_type)),
        actor=actor if isinstance(actor, str) else None,
        units_total=body.get("units_total"),
        unit_ids=tuple(units) if units is not None else None,
        statements=_list_statements(body),
        document=document,
        disclosures=_read_disclosures(body) if body.get("weakens") else (),
    )


def _read_disclosures(body: Mapping[str, Any]) -> tuple[Disclosure, ...]:
    from verigate.statements.disclosures import parse_line  # few claims disclose anything

    return tuple(parse_line(line, Source.CLAIM, CLAIM_FILE) for line in body["weakens"])


def _find_body(document: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    key = "claim" if "claim" in document else "claimed"
    return key, document[key]


def _list_statements(body: Mapping[str, Any]) -> tuple[Statement, ...]:
    """List the statements, unread. One without an id gets ``statement:N``, N its position from 1."""
    found: list[Statement] = []
    for number, item in enumerate(body.get("statements", ()), start=1):
        text, name = (item, None) if isinstance(item, str) else (item["text"], item.get("id"))
        key = str(name).removeprefix("statement:") if name else str(number)
        source = StatementSource.MESSAGE if isinstance(item, str) else StatementSource(item.get("source", "message"))
        found.append(Statement(f"statement:{key}", text, source=source))
    return tuple(found)


def _check_identity(document: Mapping[str, Any], task_id: str) -> Iterator[Fault]:
    if document["task_id"] != task_id:
        message = f"it is the claim of the task {document['task_id']}, not of {task_id}"
        yield Fault(message, pointer="/task_id")
    if "claim" in document and "claimed" in document:
        yield Fault("it has both claim and claimed; one of them must go", pointer="/claimed")


def _find_contradictions(document: Mapping[str, Any], task_type: str) -> Iterator[Fault]:
    key, body = _find_body(document)
    for place, holder in ((pointer.join(key, "type"), body), ("/type", document)):
        if not is_same_family(holder.get("type", task_type), task_type):
            message = f"the claim is about {holder['type']!r}, but the commitment about {task_type!r}"
            yield Fault(message, pointer=place)
    statements = _list_statements(body)
    yield from _check_statements(key, body, statements)
    yield from _check_disclosures(key, body.get("weakens", ()))
    units = body.get("units_list")
    if units is None:
        return
    total = body.get("units_total")
    if total is not None and total != len(units):
        message = f"it is {total}, but units_list has {len(units)} entries"
        yield Fault(message, pointer=pointer.join(key, "units_total"))
    known = {statement.id for statement in statements}
    seen: dict[Unit, str] = {}
    for index, text in enumerate(units):
        place = pointer.join(key, "units_list", index)
        try:
            unit = parse_unit(text, _is_a_file)
        except ValueError as problem:
            yield Fault(str(problem), pointer=place)
            continue
        if unit in seen:
            yield Fault(f"{text!r} is there already, as {seen[unit]!r}", pointer=place)
        seen.setdefault(unit, text)
        if unit.kind is UnitKind.STATEMENT and unit.id not in known:
            yield Fault(f"{text!r} names no statement of this claim", pointer=place)


def _check_disclosures(key: str, lines: Sequence[str]) -> Iterator[Fault]:
    if not lines:
        return
    from verigate.statements.disclosures import DisclosureError, parse_line  # few claims disclose anything

    for index, line in enumerate(lines):
        try:
            parse_line(line, Source.CLAIM, CLAIM_FILE)
        except DisclosureError as problem:
            yield Fault(f"it discloses no weakening: {problem}", pointer=pointer.join(key, "weakens", index))


def _is_a_file(_path: str) -> bool:
    """Take each bare id for a file: the subject isn't known yet, and equal ids only have to stay equal."""
    return True


def _check_statements(key: str, body: Mapping[str, Any], statements: tuple[Statement, ...]) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, statement in enumerate(statements):
        place = pointer.join(key, "statements", index)
        if not statement.text.strip():
            yield Fault("the statement says nothing", pointer=place)
        if statement.id in seen:
            item = body["statements"][index]
            inner = f"{place}/id" if isinstance(item, dict) and "id" in item else place
            yield Fault(f"two statements have the id {statement.id!r}", pointer=inner)
        seen.add(statement.id)
