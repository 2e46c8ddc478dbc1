"""Find the adapters of a repository and check that they can be started."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.documents import read_manifest_document, read_tool_document
from verigate.discovery.registry import discover
from verigate.discovery.search_path import SearchLocation, list_locations
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.adapter_package import PACKAGES_FILE
from verigate.domain.manifest import Registry

if TYPE_CHECKING:
    from verigate.config.configuration import Configuration


class RepositoryAdapters(Struct, frozen=True):
    """The ``Adapters`` of ``verigate.usecases.services``; ``builtin`` is the folder of what ships."""

    builtin: str
    environ: Mapping[str, str]

    def discover(self, policy_root: str, stands: str | None = None) -> Registry:
        """Find the adapters of the repository whose policy files lie at ``policy_root``.

        ``stands`` is its own path if that is a copy. Without it nothing will run, and warnings name the adapters that
        the repository could pin. Raises ConfigError.
        """
        pins: Mapping[str, str] = {}
        packages: tuple[SearchLocation, ...] = ()
        offered: tuple[str, ...] = ()
        if os.path.lexists(f"{policy_root}/{PACKAGES_FILE}"):
            from verigate.config.packages import read_pinned_packages
            from verigate.discovery.npm_packages import load_pinned_locations

            pins = read_pinned_packages(Path(policy_root))
            packages = load_pinned_locations(pins, policy_root, stands)
        if stands is None and Path(policy_root, "package.json").is_file():
            from verigate.discovery.npm_packages import warn_unpinned

            offered = tuple(warn_unpinned(policy_root, pins))
        registry = discover(
            list_locations(policy_root, self.builtin, self.environ, stands, packages),
            read_manifest_document,
            ToolAdapters(self.builtin, read_tool_document),
        )
        return replace(registry, warnings=(*registry.warnings, *offered)) if offered else registry

    def find_entry_problem(self, path: str) -> str | None:
        """Explain why an adapter's entry can't be started; None if it can."""
        return find_entry_problem(path)

    def resolve_settings(self, configuration: Configuration, registry: Registry) -> Mapping[str, Mapping[str, Any]]:
        """Resolve what is configured for each adapter, by its name, without defaults. Raises ConfigError."""
        from verigate.config.adapters_config import resolve_adapters_config

        return resolve_adapters_config(configuration.adapters, registry.manifests)


def check_settings(root: Path, registry: Registry) -> None:
    """Check what config/adapters.json of the repository gives to its adapters. Raises ConfigError."""
    from verigate.config.adapters_config import load_adapters_config, resolve_adapters_config
    from verigate.config.builtin import find_builtin_root

    resolve_adapters_config(load_adapters_config(root, find_builtin_root()), registry.manifests)


def find_entry_problem(path: str) -> str | None:
    """Explain why an adapter's entry can't be started; None if it can."""
    if not os.path.lexists(path):
        return "its entry does not exist"
    if not Path(path).is_file():
        return "its entry is not a file"
    if not os.access(path, os.X_OK):
        return "its entry is not executable; chmod +x it"
    return None


def list_entry_warnings(registry: Registry) -> list[str]:
    """Warn of each adapter that can't be started."""
    found = ((manifest, find_entry_problem(manifest.entry_path)) for manifest in registry.manifests)
    return [f"adapter {manifest.name}: {problem}: {manifest.entry_path}" for manifest, problem in found if problem]
