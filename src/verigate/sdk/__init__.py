"""The public API for adapters written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.sdk.artifacts import clean_text, json_bytes, path_text, write_bytes, write_json, write_pieces
from verigate.sdk.entry import Handler, handlers_of, main
from verigate.sdk.errors import AdapterError, AdapterUsageError, ToolFailed
from verigate.sdk.request import Request, parse_arguments
from verigate.sdk.tools import ToolRun, run_tool

if TYPE_CHECKING:
    from verigate.sdk.media import MediaSpec, MediaSpecError, UrnError, build_urn, is_binary, resolve

__all__ = [
    "AdapterError",
    "AdapterUsageError",
    "Handler",
    "MediaSpec",
    "MediaSpecError",
    "Request",
    "ToolFailed",
    "ToolRun",
    "UrnError",
    "build_urn",
    "clean_text",
    "handlers_of",
    "is_binary",
    "json_bytes",
    "main",
    "parse_arguments",
    "path_text",
    "resolve",
    "run_tool",
    "write_bytes",
    "write_json",
    "write_pieces",
]

_LAZY = frozenset({"MediaSpec", "MediaSpecError", "UrnError", "build_urn", "is_binary", "resolve"})
"""Few adapters need these, and each start of an adapter would pay for them."""


def __getattr__(name: str) -> object:
    """Import the names of ``verigate.sdk.media`` when they are asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from verigate.sdk import media

    return getattr(media, name)
