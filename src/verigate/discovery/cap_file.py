"""Convert a cap definition to a ``Capability``. Expects a document that its schema accepts.

Source: the third source document. The capability's name, its artifact and how arguments are passed are the gate's own
decisions (docs/types.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from verigate.discovery.declaration_checks import (
    MAX_ENTRIES,
    MAX_FAULTS,
    find_reference_faults,
    find_table_faults,
    find_validation_faults,
)
from verigate.domain import spec_id as spec_ids
from verigate.domain.manifest import CAPABILITY_NAME, DEFAULT_VOLATILE, Argument, Capability, Output
from verigate.domain.media import resolve
from verigate.domain.standard_artifacts import BY_SPEC
from verigate.domain.urn import cap
from verigate.domain.urn.tagged import UrnError
from verigate.domain.validation_rules import validation_schema
from verigate.errors import Fault

ARTIFACTS = "caps"
"""Folder of the artifacts that cap definitions declare, apart from the standard ones."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_-]+")


def capability_name(adapter: str, command: str) -> str:
    """Form a name ``domain:action``: the command if it has this form, else adapter name and command."""
    if CAPABILITY_NAME.fullmatch(command):
        return command
    return f"{_fit_name(adapter)}:{_fit_name(command)}"


def _fit_name(word: str) -> str:
    return _NOT_IN_NAMES.sub("-", word.lower()).lstrip("_-") or "x"


def to_capability(document: Mapping[str, Any], *, adapter: str, file: str) -> Capability:
    """Convert ``document`` to a capability; ``file`` is its name in the adapter's folder."""
    name = capability_name(adapter, document["command"])
    table = document.get("media_specs", {})
    output = document.get("output", {})
    media_spec = output.get("media_spec") or document["urn"]["tags"]["out"]
    return Capability(
        name=name,
        description=document.get("cap_description") or document["title"],
        as_string=False,
        # It sees no other capability's artifacts, so it waits for none.
        needs=(),
        arguments=tuple(_to_argument(item, required) for item, required, _ in _list_arguments(document)),
        outputs=(
            Output(_artifact_path(name, media_spec, table), media_spec, DEFAULT_VOLATILE, validation_schema(output)),
        ),
        urn=str(cap.from_tags(document["urn"]["tags"])),
        command=document["command"],
        stdin=document.get("stdin"),
        file=file,
        media_specs=table,
    )


def _list_arguments(document: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], bool, str]]:
    """Yield (argument, whether it is required, its JSON pointer)."""
    arguments = document.get("arguments", {})
    for kind in ("required", "optional"):
        for index, item in enumerate(arguments.get(kind, ())):
            yield item, kind == "required", f"/arguments/{kind}/{index}"


def _to_argument(item: Mapping[str, Any], required: bool) -> Argument:
    """Convert an argument. A position takes precedence over a flag: the source document's own example has both."""
    position = item.get("position")
    return Argument(
        item["name"],
        item["media_spec"],
        required,
        None if position is not None else _format_flag(item["cli_flag"]),
        position,
        item.get("default"),
        item.get("arg_description", ""),
        validation_schema(item),
    )


def _format_flag(text: str) -> str:
    if text.startswith("-"):
        return text
    return f"-{text}" if len(text) == 1 else f"--{text}"


def _artifact_path(name: str, media_spec: str, table: Mapping[str, Any]) -> str:
    """The path of the artifact: the standard path for a standard artifact of this capability, else below caps/."""
    standard = BY_SPEC.get(media_spec)
    if standard is not None and standard.capability == name:
        return standard.path
    spec = resolve(media_spec, table)
    suffix = "json" if spec.is_json else "txt" if spec.media_type.startswith("text/") else "bin"
    return f"{ARTIFACTS}/{name.replace(':', '/')}.{suffix}"


def find_cap_faults(document: Mapping[str, Any], file: str) -> tuple[Fault, ...]:
    """Check what the schema can't: the URN is valid, spec IDs resolve, arguments are unique and can be passed."""
    table = document.get("media_specs", {})
    found = find_table_faults(table, file)
    if len(table) > MAX_ENTRIES:
        return tuple(found)
    tags = document["urn"]["tags"]
    try:
        urn = cap.from_tags(tags)
    except UrnError as problem:
        urn = None
        found.append(Fault(str(problem), file, "/urn/tags"))
    output = document.get("output", {})
    references = [("/output/media_spec", output.get("media_spec")), ("/stdin", document.get("stdin"))]
    references += [(f"/urn/tags/{key}", spec_id) for key, spec_id in (urn.spec_ids if urn else ())]
    references += [(f"{place}/media_spec", item["media_spec"]) for item, _, place in _list_arguments(document)]
    for place, spec_id in references:
        if spec_id is not None and len(found) < MAX_FAULTS:
            found += find_reference_faults(spec_id, table, file, place)
    found += find_validation_faults(output, file, "/output")
    found += _find_output_faults(output, urn, file)
    found += _find_argument_faults(document, file)
    return tuple(found)


def _find_output_faults(output: Mapping[str, Any], urn: cap.CapUrn | None, file: str) -> Iterable[Fault]:
    media_spec = output.get("media_spec")
    if urn is None:
        return
    if media_spec is None and urn.gives is None:
        hint = "set media_spec in [output]"
        yield Fault("its output has no media spec: neither [output] nor the URN's out names one", file, "", hint=hint)
    if media_spec is not None and urn.gives is not None:
        try:
            fits = spec_ids.conforms_to(spec_ids.parse(media_spec), urn.gives)
        except spec_ids.SpecIdError:
            return  # reported where it is resolved
        if not fits:
            message = f"{media_spec} doesn't conform to {urn.gives}, the out of the URN"
            yield Fault(message, file, "/output/media_spec")


def _find_argument_faults(document: Mapping[str, Any], file: str) -> Iterable[Fault]:
    names: dict[str, str] = {}
    positions: dict[int, str] = {}
    for item, required, place in _list_arguments(document):
        yield from find_validation_faults(item, file, place)
        position = item.get("position")
        if position is None and "cli_flag" not in item:
            yield Fault("it has neither a position nor a cli_flag", file, place, hint="add one of them")
        for known, key, kind in ((names, item["name"], "name"), (positions, position, "position")):
            if key is None:
                continue
            if key in known:
                yield Fault(f"{known[key]} has the {kind} {key!r} too", file, f"{place}/{kind}")
            known.setdefault(key, place)
        if required and "default" in item:
            yield Fault("a required argument has no default", file, f"{place}/default", hint="make it optional")
