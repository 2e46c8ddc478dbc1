"""Map each capability to its module, which is imported when the capability is called."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from verigate.sdk import main
from verigate.sdk.entry import load_module, requiring

if TYPE_CHECKING:
    from verigate.sdk import Request

CAPABILITIES = ("content:headings", "content:images", "content:quotes", "content:scan", "content:wordcount")


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    return main(requiring("content", dict.fromkeys(CAPABILITIES, _serve)))


def _serve(request: Request) -> None:
    load_module("content_adapter.capabilities").serve(request)


if __name__ == "__main__":
    sys.exit(run())
