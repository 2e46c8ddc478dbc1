"""The contract type ``adapter_packages`` of import-linter: no adapter's package is left out of .importlinter.

The adapters' sources are installed nowhere: each adapter starts from its own folder. import-linter loads its contract
types before it looks for packages, so loading this module is also what puts these sources on ``sys.path``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

_ROOT = Path(__file__).resolve().parents[2]
_SOURCES = sorted(_ROOT.glob("adapters/*/src"))
_ENGINES = sorted(_ROOT.glob("examples/engines/*/src"))
"""Packages of the examples, which a contract of their own is about."""

sys.path.extend(map(str, (*_SOURCES, *_ENGINES)))


def find_packages() -> tuple[str, ...]:
    """The names of the packages below ``adapters/*/src``."""
    return tuple(init.parent.name for source in _SOURCES for init in sorted(source.glob("*/__init__.py")))


class AdapterPackagesContract(Contract):
    """Kept if every adapter's package is among the ``root_packages``."""

    type_name = "adapter_packages"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002 - import-linter's
        """Compare the packages that there are with those of the graph."""
        missing = [name for name in find_packages() if name not in graph.modules]
        return ContractCheck(kept=not missing, metadata={"missing": missing})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print what is missing."""
        for name in check.metadata["missing"]:
            output.print_error(f"{name} is not among the root_packages of .importlinter: add it there and below")
