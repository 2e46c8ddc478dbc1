"""Convert manifest.json to a ``Manifest``. Expects a document that the manifest schema accepts."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from typing import Any

from verigate.discovery.declaration_checks import (
    MAX_ENTRIES,
    MAX_FAULTS,
    MAX_REFERENCES,
    find_reference_faults,
    find_table_faults,
    find_validation_faults,
)
from verigate.discovery.manifest_keys import list_key_warnings
from verigate.domain.manifest import (
    CAPABILITY_NAME,
    DEFAULT_TIMEOUT_S,
    DEFAULT_VOLATILE,
    SEEN,
    Argument,
    Capability,
    Manifest,
    Origin,
    Output,
    SandboxPolicy,
)
from verigate.domain.validation_rules import validation_schema
from verigate.errors import Fault


def to_manifest(document: Mapping[str, Any], *, folder: str, origin: Origin, digest: str) -> Manifest:
    """Convert ``document`` to a manifest. ``digest`` is the sha256 of the file's bytes."""
    config = document.get("config") or {}
    return Manifest(
        name=document["name"],
        version=document["version"],
        entry=document["entry"],
        folder=folder,
        origin=origin,
        digest=digest,
        description=document.get("description", ""),
        capabilities=_list_capabilities(document),
        sandbox=_to_sandbox_policy(document.get("sandbox") or {}),
        config_defaults=config.get("defaults") or {},
        config_schema=config.get("schema"),
        media_specs=document.get("media_specs") or {},
        doctor=document.get("doctor"),
        warnings=list_key_warnings(document),
    )


def _to_sandbox_policy(document: Mapping[str, Any]) -> SandboxPolicy:
    timeout = document.get("timeout")
    if timeout is None:
        timeout = document["timeout_ms"] / 1000 if document.get("timeout_ms") else DEFAULT_TIMEOUT_S
    return SandboxPolicy(
        tools=tuple(document.get("tools") or ()),
        timeout_s=float(timeout),
        network=bool(document.get("network", False)),
        memory_mb=document.get("memory_mb"),
        read_only=document.get("filesystem") in {"readonly", "read-only", "ro"},
    )


def _list_capabilities(document: Mapping[str, Any]) -> tuple[Capability, ...]:
    outputs = document.get("outputs") or {}
    found = []
    for item in document["capabilities"]:
        if isinstance(item, str):
            found.append(
                Capability(item, outputs=_legacy_outputs(outputs[item])) if item in outputs else Capability(item)
            )
        else:
            found.append(_to_capability(item))
    return tuple(found)


def _legacy_outputs(entry: Any) -> tuple[Output, ...]:
    """Convert the older ``outputs`` field, one or several {file, schema}. Its schema names are labels, not spec IDs."""
    items = entry if isinstance(entry, list) else [entry] if entry else []
    paths = [item if isinstance(item, str) else item.get("file") for item in items]
    return tuple(Output(path, None, DEFAULT_VOLATILE) for path in paths if path)


def _to_capability(item: Mapping[str, Any]) -> Capability:
    return Capability(
        name=item["name"],
        description=item.get("description", ""),
        as_string=False,
        needs=None if item.get("needs") is None else tuple(item["needs"]),
        reads=tuple(item.get("reads", ())),
        sees=tuple(item.get("sees", SEEN)),
        inputs=None if item.get("inputs") is None else tuple(item["inputs"]),
        arguments=tuple(
            Argument(
                argument["name"],
                argument["media_spec"],
                argument.get("required", False),
                argument.get("cli_flag"),
                argument.get("position"),
                argument.get("default"),
                argument.get("description", ""),
                validation_schema(argument),
            )
            for argument in item.get("arguments", ())
        ),
        outputs=tuple(
            Output(
                output["path"],
                output.get("media_spec"),
                tuple(output.get("volatile", DEFAULT_VOLATILE)),
                validation_schema(output),
            )
            for output in item.get("outputs", ())
        ),
        destructive=bool(item.get("destructive", False)),
        triggers=tuple(item.get("triggers", ())),
        urn=item.get("urn"),
        flags=item.get("flags") or {},
    )


def find_manifest_faults(document: Mapping[str, Any], file: str) -> tuple[Fault, ...]:
    """Check what the schema can't: paths stay inside, names are unique and domain:action, spec IDs resolve."""
    found: list[Fault] = []
    if not _is_inside(document["entry"]):
        found.append(Fault(f"entry {document['entry']!r} leads out of the adapter's folder", file, "/entry"))
    seen: set[str] = set()
    table = document.get("media_specs") or {}
    if table:
        found += find_table_faults(table, file)
        if len(table) > MAX_ENTRIES:
            return tuple(found)
    declared = [item for item in document["capabilities"] if not isinstance(item, str)]
    if declared and _count_references(declared) > MAX_REFERENCES:
        return (*found, Fault(f"it has more than {MAX_REFERENCES} arguments and outputs", file, "/capabilities"))
    for index, item in enumerate(document["capabilities"]):
        if len(found) >= MAX_FAULTS:
            break
        is_name = isinstance(item, str)
        name = item if is_name else item["name"]
        if not CAPABILITY_NAME.fullmatch(name):
            fault = Fault(f"capability {name!r} is not of the form domain:action", file, f"/capabilities/{index}")
            found.append(fault)
        if name in seen:
            found.append(Fault(f"capability {name!r} is declared twice", file, f"/capabilities/{index}"))
        seen.add(name)
        if not is_name:
            place = f"/capabilities/{index}"
            found += _find_spec_faults(item.get("outputs", ()), table, file, f"{place}/outputs")
            found += _find_spec_faults(item.get("arguments", ()), table, file, f"{place}/arguments")
            if item.get("urn") is not None:
                found += _find_urn_faults(item["urn"], table, file, f"{place}/urn")
    return tuple(found)


def _count_references(declared: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(item.get("arguments", ())) + len(item.get("outputs", ())) for item in declared)


def _find_spec_faults(
    items: Sequence[Mapping[str, Any]], table: Mapping[str, Any], file: str, place: str
) -> list[Fault]:
    found: list[Fault] = []
    for index, item in enumerate(items):
        path = item.get("path")
        if path is not None and not _is_inside(path):
            found.append(Fault(f"output {path!r} leads out of the task folder", file, f"{place}/{index}/path"))
        if len(found) >= MAX_FAULTS:
            break
        if item.get("media_spec") is not None:
            found += find_reference_faults(item["media_spec"], table, file, f"{place}/{index}/media_spec")
        found += find_validation_faults(item, file, f"{place}/{index}")
    return found


def _find_urn_faults(text: str, table: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    from verigate.domain.urn import cap
    from verigate.domain.urn.tagged import UrnError

    try:
        urn = cap.parse(text)
    except UrnError as problem:
        return [Fault(str(problem), file, place)]
    return [
        Fault(f"{key}: {fault.message}", file, place)
        for key, spec_id in urn.spec_ids
        for fault in find_reference_faults(spec_id, table, file, place)
    ]


def _is_inside(path: str) -> bool:
    if path.startswith("/") or "\0" in path:
        return False
    return ".." not in path or not posixpath.normpath(path).startswith("..")
