"""The public API for adapters written in Python."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verigate.sdk.artifacts import clean_text, json_bytes, path_text, write_bytes, write_json, write_pieces
    from verigate.sdk.entry import Handler, handlers_of, main
    from verigate.sdk.errors import AdapterError, AdapterUsageError, ToolFailed
    from verigate.sdk.media import MediaSpec, MediaSpecError, UrnError, build_urn, is_binary, resolve
    from verigate.sdk.request import Request, parse_arguments
    from verigate.sdk.tools import ToolRun, run_tool

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

_MODULES = {
    "artifacts": ("clean_text", "json_bytes", "path_text", "write_bytes", "write_json", "write_pieces"),
    "entry": ("Handler", "handlers_of", "main"),
    "errors": ("AdapterError", "AdapterUsageError", "ToolFailed"),
    "media": ("MediaSpec", "MediaSpecError", "UrnError", "build_urn", "is_binary", "resolve"),
    "request": ("Request", "parse_arguments"),
    "tools": ("ToolRun", "run_tool"),
}
"""Module -> its names here. Each start of an adapter, and of the gate, would pay for what it doesn't use."""
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import a name from its module when it is asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
