"""The gate's own installation on this machine."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.processes.sandbox import find_bubblewrap


class GateInstallation(Struct, frozen=True):
    """The gate's own installation: its interpreter, its prefixes, its version.

    ``bin`` is the gate's own folder on PATH, None where it shares one with the system; ``bwrap`` the machine's
    bubblewrap, None where there is none.
    """

    python: str
    prefixes: tuple[str, ...]
    version: str
    bin: str | None
    bwrap: str | None

    @classmethod
    def current(cls, environ: Mapping[str, str]) -> GateInstallation:
        """Return the running installation."""
        from verigate import __version__

        own = sys.prefix != sys.base_prefix
        package = str(Path(__file__).resolve().parents[2])
        return cls(
            python=sys.executable,
            prefixes=tuple(dict.fromkeys((sys.prefix, sys.base_prefix, package))),
            version=__version__,
            bin=f"{sys.prefix}/bin" if own else None,
            bwrap=find_bubblewrap(environ),
        )
