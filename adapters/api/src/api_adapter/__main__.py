"""Map each capability to its module, which is imported when the capability is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType

from verigate.sdk import handlers_of, main
from verigate.sdk.entry import requiring

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
    return main(requiring("api", handlers_of(MODULES)))


if __name__ == "__main__":
    sys.exit(run())
