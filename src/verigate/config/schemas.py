"""Load the JSON Schemas of file kinds and standard artifacts from the package."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from verigate.domain.standard_artifacts import BY_SPEC
from verigate.formats.schema import Schema, find_outside_references

_FOLDER = Path(__file__).resolve().parent / "schemas"
_NAMES = "https://verigate.invalid/schemas/"
_SUFFIX = ".v1.schema.json"
_REFERENCE = r'"\$ref"\s*:\s*"https://verigate\.invalid/schemas/([a-z-]+)\.v1\.json'

KINDS = (
    *("commitment", "claim", "plan", "profiles", "manifest", "cap", "adapter", "adapters", "sandbox", "packages"),
    *("policy", "policy-refs", "cache"),
    *("baseline", "approvals", "approval", "fixture", "run", "artifacts", "verdict", "engine", "engines", "runner"),
    "range-shard",
)
"""The file kinds that aren't artifacts of an adapter; ``gate schema`` prints them."""


@cache
def list_schemas() -> tuple[str, ...]:
    """List the names of all kinds and standard artifacts with a schema (``lint`` for ``verigate:lint.v1``)."""
    listed = os.listdir(_FOLDER)  # noqa: PTH208 - on the way of every verify, and a Path for each takes longer
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in listed if name.endswith(_SUFFIX)))


def load_schema(kind_or_spec: str) -> Mapping[str, Any]:
    """Return the schema of a kind (``plan``) or of a spec ID (``verigate:lint.v1``) as it is in the package.

    Raises KeyError if there is none.
    """
    return _load(_name(kind_or_spec))


@cache
def read_schema_texts(kind_or_spec: str) -> bytes:
    """Return the texts of a schema and of all schemas that it refers to. Raises KeyError."""
    pending, found = [_name(kind_or_spec)], dict[str, bytes]()
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = _text(name)
            pending += re.findall(_REFERENCE, found[name].decode())
    return b"".join(found.values())


def bundle_schema(kind_or_spec: str) -> dict[str, Any]:
    """Bundle a schema with those that it refers to, for editors and for ``gate schema``. Raises KeyError.

    Each is embedded whole under its ``$id``, a compound schema document of JSON Schema 2020-12.
    """
    own = dict(load_schema(kind_or_spec))
    embedded: dict[str, Any] = {}
    pending = [own]
    while pending:
        for target in find_outside_references(pending.pop()):
            uri = target.partition("#")[0]
            if uri not in embedded and uri != own["$id"]:
                embedded[uri] = dict(_load(_name_of(uri)))
                pending.append(embedded[uri])
    return {**own, "$defs": {**own.get("$defs", {}), **embedded}} if embedded else own


def compile_schema(kind_or_spec: str) -> Schema:
    """Compile the schema of a kind or spec ID, at most once in a process. Raises KeyError."""
    return _schema(_name(kind_or_spec))


def load_artifact_schema(spec_id: str) -> Mapping[str, Any] | None:
    """Return the schema of a standard artifact; None for other spec IDs and for artifacts that aren't JSON."""
    if spec_id not in BY_SPEC or not BY_SPEC[spec_id].path.endswith(".json"):
        return None
    return load_schema(spec_id)


def find_schema(uri: str) -> Mapping[str, Any] | None:
    """Return the schema with this ``$id``; None if it isn't one of ours."""
    if not uri.startswith(_NAMES):
        return None
    try:
        return _load(_name_of(uri))
    except KeyError:
        return None


def _name(kind_or_spec: str) -> str:
    return kind_or_spec.removeprefix("verigate:").removesuffix(".v1") if ":" in kind_or_spec else kind_or_spec


def _name_of(uri: str) -> str:
    return uri.removeprefix(_NAMES).removesuffix(".v1.json")


@cache
def _schema(name: str) -> Schema:
    return Schema(_load(name), find_schema)


@cache
def _load(name: str) -> Mapping[str, Any]:
    import orjson

    read: Mapping[str, Any] = orjson.loads(_text(name))
    return read


@cache
def _text(name: str) -> bytes:
    # A name is looked up among those that exist, never joined to a path: it may be a stranger's.
    if name not in list_schemas():
        raise KeyError(name)
    return (_FOLDER / f"{name}{_SUFFIX}").read_bytes()
