"""Capability -> what it does. Modules are imported only when their capability is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from verigate.sdk import AdapterError, main

if TYPE_CHECKING:
    from verigate.sdk import Request

CAPABILITIES = ("content:headings", "content:images", "content:quotes", "content:scan", "content:wordcount")

NEEDS = frozenset({"PIL", "cmarkgfm", "docutils", "selectolax", "tinycss2"})
"""Modules of the extra ``content``."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    return main(dict.fromkeys(CAPABILITIES, _serve))


def _serve(request: Request) -> None:
    try:
        from content_adapter.capabilities import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDS:
            raise
        raise AdapterError(
            f"the Python package {error.name!r} isn't installed",
            where=sys.executable,
            hint="pip install 'verigate[content]' into the gate's own environment",
        ) from error
    serve(request)


if __name__ == "__main__":
    sys.exit(run())
