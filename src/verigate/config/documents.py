"""The bytes of a manifest, a cap definition, a tool adapter or a fixture -> a document, or what is wrong with it."""

from __future__ import annotations

from typing import Any

from verigate.errors import ConfigError, Fault


def read_manifest_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """The bytes of a manifest or cap definition as a document that its schema accepts, or what is wrong with it."""
    if file.endswith(".toml"):
        from verigate.config.cap_definition import read_cap

        return read_cap(content, file)
    return _read("manifest", content, file)


def read_tool_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """The bytes of a tool adapter as a document that its schema and rules accept, or what is wrong with it."""
    from verigate.config.tool_definition import read_tool

    return read_tool(content, file)


def read_fixture_document(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    """A fixture.json's bytes as a document that its schema accepts, or what is wrong with it."""
    return _read("fixture", content, file)


def _read(kind: str, content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    from verigate.config.files import parse
    from verigate.config.validation import validate

    try:
        document = parse(content, shown=file)
    except ConfigError as problem:
        return None, problem.faults
    return document, validate(kind, document, file=file, source=content)
