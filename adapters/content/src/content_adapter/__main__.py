"""Capability -> what it does. Modules are imported only when their capability is asked for."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from verigate.sdk import AdapterError, main

if TYPE_CHECKING:
    from verigate.sdk import Request

CAPABILITIES = ("content:headings", "content:images", "content:quotes", "content:scan", "content:wordcount")

NEEDS = ("PIL", "comrak", "docutils", "selectolax", "tinycss2")
"""Modules of the extra ``content``."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    return main(dict.fromkeys(CAPABILITIES, _serve))


def _serve(request: Request) -> None:
    if missing := [module for module in NEEDS if find_spec(module) is None]:
        raise AdapterError(
            f"the Python packages of the extra 'content' are not all installed, {', '.join(missing)} not",
            where=sys.executable,
            hint="pip install 'verigate[content]' into the gate's own environment",
        )
    from content_adapter.capabilities import serve

    serve(request)


if __name__ == "__main__":
    sys.exit(run())
