"""A cap definition -> ``Capability``. Expects a document that the schema of cap definitions accepts.

Source: the third source document. The capability's name, its artifact and how arguments are passed are the gate's own
decisions (docs/types.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from verigate.discovery.declared import (
    MAX_ENTRIES,
    MAX_FAULTS,
    reference_faults,
    rules_faults,
    rules_of,
    table_faults,
)
from verigate.domain import spec_id as spec_ids
from verigate.domain.manifest import CAPABILITY_NAME, DEFAULT_VOLATILE, Argument, Capability, Output
from verigate.domain.media import resolve
from verigate.domain.standard_artifacts import BY_SPEC
from verigate.domain.urn import cap
from verigate.domain.urn.tagged import UrnError
from verigate.errors import Fault

ARTIFACTS = "caps"
"""The folder of the artifacts that cap definitions declare, so that none can lie where a standard one does."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_-]+")


def capability_name(adapter: str, command: str) -> str:
    """``domain:action``: the command where it is one already, else the adapter's name and the command, made to fit."""
    if CAPABILITY_NAME.fullmatch(command):
        return command
    return f"{_fitted(adapter)}:{_fitted(command)}"


def _fitted(word: str) -> str:
    return _NOT_IN_NAMES.sub("-", word.lower()).lstrip("_-") or "x"


def to_capability(document: Mapping[str, Any], *, adapter: str, file: str) -> Capability:
    """The capability that ``document`` declares; ``file`` is its name in the adapter's folder."""
    name = capability_name(adapter, document["command"])
    table = document.get("media_specs", {})
    output = document.get("output", {})
    media_spec = output.get("media_spec") or document["urn"]["tags"]["out"]
    return Capability(
        name=name,
        description=document.get("cap_description") or document["title"],
        as_string=False,
        # It is shown no other's artifacts, so there is nobody to wait for.
        needs=(),
        arguments=tuple(_argument(item, required) for item, required, _ in _arguments(document)),
        outputs=(Output(_path(name, media_spec, table), media_spec, DEFAULT_VOLATILE, rules_of(output)),),
        urn=str(cap.from_tags(document["urn"]["tags"])),
        command=document["command"],
        stdin=document.get("stdin"),
        file=file,
        media_specs=table,
    )


def _arguments(document: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], bool, str]]:
    """(argument, whether it is required, its pointer)."""
    arguments = document.get("arguments", {})
    for kind in ("required", "optional"):
        for index, item in enumerate(arguments.get(kind, ())):
            yield item, kind == "required", f"/arguments/{kind}/{index}"


def _argument(item: Mapping[str, Any], required: bool) -> Argument:
    """One with a position is passed there, whatever its flag: the source document's own example has both."""
    position = item.get("position")
    return Argument(
        item["name"],
        item["media_spec"],
        required,
        None if position is not None else _flag(item["cli_flag"]),
        position,
        item.get("default"),
        item.get("arg_description", ""),
        rules_of(item),
    )


def _flag(text: str) -> str:
    if text.startswith("-"):
        return text
    return f"-{text}" if len(text) == 1 else f"--{text}"


def _path(name: str, media_spec: str, table: Mapping[str, Any]) -> str:
    """Where the artifact lies: the standard path if it is the capability's own standard artifact, else below caps/."""
    standard = BY_SPEC.get(media_spec)
    if standard is not None and standard.capability == name:
        return standard.path
    spec = resolve(media_spec, table)
    suffix = "json" if spec.is_json else "txt" if spec.media_type.startswith("text/") else "bin"
    return f"{ARTIFACTS}/{name.replace(':', '/')}.{suffix}"


def faults_of_cap(document: Mapping[str, Any], file: str) -> tuple[Fault, ...]:
    """What the schema can't say: the URN is one, spec IDs resolve, arguments can be passed and told apart."""
    table = document.get("media_specs", {})
    found = table_faults(table, file)
    if len(table) > MAX_ENTRIES:
        return tuple(found)
    tags = document["urn"]["tags"]
    try:
        urn = cap.from_tags(tags)
    except UrnError as problem:
        urn = None
        found.append(Fault(str(problem), file, "/urn/tags"))
    output = document.get("output", {})
    said = [("/output/media_spec", output.get("media_spec")), ("/stdin", document.get("stdin"))]
    said += [(f"/urn/tags/{key}", spec_id) for key, spec_id in (urn.spec_ids if urn else ())]
    said += [(f"{place}/media_spec", item["media_spec"]) for item, _, place in _arguments(document)]
    for place, spec_id in said:
        if spec_id is not None and len(found) < MAX_FAULTS:
            found += reference_faults(spec_id, table, file, place)
    found += rules_faults(output, file, "/output")
    found += _output_faults(output, urn, file)
    found += _argument_faults(document, file)
    return tuple(found)


def _output_faults(output: Mapping[str, Any], urn: cap.CapUrn | None, file: str) -> Iterable[Fault]:
    media_spec = output.get("media_spec")
    if urn is None:
        return
    if media_spec is None and urn.gives is None:
        hint = "say it as media_spec of [output]"
        yield Fault(
            "what it prints has no media spec: neither [output] nor the URN's out names one", file, "", hint=hint
        )
    if media_spec is not None and urn.gives is not None:
        try:
            fits = spec_ids.conforms_to(spec_ids.parse(media_spec), urn.gives)
        except spec_ids.SpecIdError:
            return  # told of where it is resolved
        if not fits:
            message = f"it is {media_spec}, which is no {urn.gives}, the out of the URN"
            yield Fault(message, file, "/output/media_spec")


def _argument_faults(document: Mapping[str, Any], file: str) -> Iterable[Fault]:
    names: dict[str, str] = {}
    positions: dict[int, str] = {}
    for item, required, place in _arguments(document):
        yield from rules_faults(item, file, place)
        position = item.get("position")
        if position is None and "cli_flag" not in item:
            yield Fault("it is passed nowhere", file, place, hint="give it a position or a cli_flag")
        for known, key, kind in ((names, item["name"], "name"), (positions, position, "position")):
            if key is None:
                continue
            if key in known:
                yield Fault(f"{known[key]} has the {kind} {key!r} too", file, f"{place}/{kind}")
            known.setdefault(key, place)
        if required and "default" in item:
            yield Fault("a required argument has no default", file, f"{place}/default", hint="make it optional")
