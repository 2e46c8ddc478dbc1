"""The public API for adapters written in Python."""

from __future__ import annotations

from verigate.sdk.artifacts import clean_text, json_bytes, path_text, write_bytes, write_json, write_pieces
from verigate.sdk.entry import Handler, handlers_of, main
from verigate.sdk.errors import AdapterError, AdapterUsageError, ToolFailed
from verigate.sdk.request import Request, parse_arguments
from verigate.sdk.tools import ToolRun, run_tool

__all__ = [
    "AdapterError",
    "AdapterUsageError",
    "Handler",
    "Request",
    "ToolFailed",
    "ToolRun",
    "clean_text",
    "handlers_of",
    "json_bytes",
    "main",
    "parse_arguments",
    "path_text",
    "run_tool",
    "write_bytes",
    "write_json",
    "write_pieces",
]
