"""Parse manifests, cap definitions, tool adapters and fixtures into documents, or report their faults."""

from __future__ import annotations

from typing import Any

from verigate.errors import ConfigError, Fault


def read_manifest_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """Parse a manifest or cap definition and validate it by its schema. Returns the document and its faults."""
    if file.endswith(".toml"):
        from verigate.config.cap_definition import read_cap

        document, faults = read_cap(content, file)
    else:
        document, faults = _read("manifest", content, file)
    if document is None or faults or b"default" not in content:
        return document, faults
    from verigate.config.declared_defaults import find_default_faults

    return document, find_default_faults(document, file)


def read_tool_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """Parse a tool adapter and validate it by schema and rules. Returns the document and its faults."""
    from verigate.config.tool_definition import read_tool

    return read_tool(content, file)


def read_fixture_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """Parse a fixture.json and validate it by its schema. Returns the document and its faults."""
    return _read("fixture", content, file)


def _read(kind: str, content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    from verigate.config.files import parse_json
    from verigate.config.validation import validate

    try:
        document = parse_json(content, shown=file)
    except ConfigError as problem:
        return None, problem.faults
    return document, validate(kind, document, file=file, source=content)
