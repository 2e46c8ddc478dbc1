"""Command line ``adapter-tool ALIAS:CAPABILITY --adapter FILE ...``: that of the contract, with the tool's file."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from verigate.sdk import AdapterUsageError, ToolFailed, main
from verigate.sdk.entry import load_module

if TYPE_CHECKING:
    from verigate.sdk import Request

_FLAG = "--adapter"
_MAX_MESSAGE = 4000


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    words = sys.argv[1:]
    file = None
    if _FLAG in words[:-1]:
        place = words.index(_FLAG)
        file = words[place + 1]
        del words[place : place + 2]
    return main({word: partial(_serve, file) for word in words[:1]}, words)


def _serve(file: str | None, request: Request) -> None:
    if file is None:
        raise AdapterUsageError("no tool given", where=_FLAG, hint=f"pass the tool's .toml file as {_FLAG} FILE")
    try:
        load_module("tool_adapter.invoke").serve(request, file)
    except ToolFailed as error:
        from verigate.sdk.normalised_texts import Texts

        # The message has output of the tool and is shown in the verdict: remove times and private folders.
        error.message = Texts(request.repo_root).message(error.message, _MAX_MESSAGE)
        raise


if __name__ == "__main__":
    sys.exit(run())
