"""Capability -> module. Each module is imported only when its capability is asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from verigate.sdk import main

if TYPE_CHECKING:
    from verigate.sdk import Handler, Request

MODULES: Mapping[str, str] = MappingProxyType(
    {
        "api:auth": "api_adapter.auth",
        "api:endpoints": "api_adapter.endpoints",
        "api:rate-limits": "api_adapter.rate_limits",
        "api:responses": "api_adapter.responses",
    }
)
"""Each module has ``run(request: Request) -> None``."""


def run() -> int:
    """Serve one call with this process's arguments; returns the exit code."""
    return main({name: _lazily(module) for name, module in MODULES.items()})


def _lazily(module: str) -> Handler:
    def handler(request: Request) -> None:
        importlib.import_module(module).run(request)

    return handler


if __name__ == "__main__":
    sys.exit(run())
