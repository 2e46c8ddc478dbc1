"""Capability -> module. Each module is imported only when its capability is asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from verigate.sdk import ToolFailed, main
from verigate.sdk.entry import requiring

if TYPE_CHECKING:
    from verigate.sdk import Handler, Request

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "code:build": "code_adapter.building.run",
        "code:coverage": "code_adapter.covering.run",
        "code:diff": "code_adapter.diff",
        "code:functions": "code_adapter.functions",
        "code:integrity": "code_adapter.integrity",
        "code:lint": "code_adapter.lint",
        "code:tests": "code_adapter.testing.run",
    }
)
"""Each module has ``run(request: Request) -> None``."""

MAX_MESSAGE = 4000
"""Characters of an error, the end of a tool's output included."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    handlers = {name: _lazily(module) for name, module in MODULES.items()}
    # The plans of other domains have these two, and their tasks needn't bring all of this one's extra.
    alone = {"code:diff": handlers["code:diff"]}
    by_grammars = {"code:functions": handlers["code:functions"]}
    return main(requiring("code", handlers) | requiring("code", by_grammars, only="tree_sitter_") | alone)


def _lazily(module: str) -> Handler:
    def handler(request: Request) -> None:
        try:
            importlib.import_module(module).run(request)
        except ToolFailed as error:
            from verigate.sdk.normalised_texts import Texts

            # A tool's own words are part of it, and they end up in a verdict: not with times and private folders.
            error.message = Texts(request.repo_root).message(error.message, MAX_MESSAGE)
            raise

    return handler


if __name__ == "__main__":
    sys.exit(run())
