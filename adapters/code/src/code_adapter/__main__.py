"""Map each capability to its module, which is imported when the capability is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from verigate.sdk import ToolFailed, main
from verigate.sdk.entry import load_module, requiring

if TYPE_CHECKING:
    from verigate.sdk import Handler, Request

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "code:build": "code_adapter.building.run",
        "code:changes": "code_adapter.changes.capability",
        "code:counterfactual": "code_adapter.counterfactual.run",
        "code:coverage": "code_adapter.covering.run",
        "code:diff": "code_adapter.diff",
        "code:functions": "code_adapter.functions.capability",
        "code:integrity": "code_adapter.integrity.capability",
        "code:lint": "code_adapter.lint",
        "code:sensitivity": "code_adapter.sensitivity.capability",
        "code:tests": "code_adapter.tests",
    }
)
"""Each module has ``run(request: Request) -> None``."""

MAX_MESSAGE = 4000
"""Length limit of an error in characters, including the end of a tool's output."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    handlers = {name: _import_on_call(module) for name, module in MODULES.items()}
    # Plans of other domains contain these two, whose tasks don't need the whole extra of this domain.
    alone = {"code:diff": handlers["code:diff"]}
    by_grammars = {"code:functions": handlers["code:functions"]}
    return main(requiring("code", handlers) | requiring("code", by_grammars, only="tree_sitter_") | alone)


def _import_on_call(module: str) -> Handler:
    def handler(request: Request) -> None:
        try:
            load_module(module).run(request)
        except ToolFailed as error:
            from verigate.sdk.normalised_texts import Texts

            # The message has output of the tool and is shown in the verdict: remove times and private folders.
            error.message = Texts(request.repo_root).message(error.message, MAX_MESSAGE)
            raise

    return handler


if __name__ == "__main__":
    sys.exit(run())
