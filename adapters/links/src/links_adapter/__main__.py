"""Capability -> module. Each module is imported only when its capability is asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from verigate.sdk import AdapterError, main

if TYPE_CHECKING:
    from verigate.sdk import Handler, Request

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "links:check": "links_adapter.check",
        "links:discover": "links_adapter.discover",
        "links:resample": "links_adapter.resample",
    }
)
"""Each module has ``run(request: Request) -> None``."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    return main({name: _lazily(module) for name, module in MODULES.items()})


def _lazily(module: str) -> Handler:
    def handler(request: Request) -> None:
        try:
            importlib.import_module(module).run(request)
        except ModuleNotFoundError as error:
            name = (error.name or "").partition(".")[0]
            if name in {"links_adapter", "verigate"}:
                raise
            raise AdapterError(
                f"{name} is not installed", where=request.capability, hint="pip install 'verigate[links]'"
            ) from error

    return handler


if __name__ == "__main__":
    sys.exit(run())
