"""Build the ``Registry`` of all adapters on the search path. The first provider of a capability wins."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from verigate.discovery import cap_definitions
from verigate.discovery.bounded_read import read_bounded
from verigate.discovery.cap_definitions import DocumentReader
from verigate.discovery.manifest_file import find_manifest_faults, to_manifest
from verigate.discovery.search_path import AdapterFolder, SearchLocation
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.manifest import Manifest, Origin, Registry
from verigate.errors import ConfigError, Fault

UNSHADOWABLE = frozenset({"code:integrity", "code:counterfactual", "code:sensitivity"})
"""Capabilities that only the built-in adapter may serve: a change must not bring its own check."""

_STRICT_ORIGINS = frozenset({Origin.REPOSITORY, Origin.PATH, Origin.NPM})


def discover(locations: Iterable[SearchLocation], read: DocumentReader, tools: ToolAdapters | None = None) -> Registry:
    """Read every manifest in ``locations``, with the cap definitions next to it, and the tool adapters in TOML.

    In each location, adapters with a manifest precede tools; the built-in ones come last.

    Raises ConfigError with every fault of manifests in the repository, GATE_ADAPTER_PATH and pinned npm packages: an
    adapter that was meant to serve a capability must not be skipped silently. Other faults become warnings.
    """
    manifests: list[Manifest] = []
    faults: list[Fault] = []
    warnings: list[str] = []
    for location in locations:
        try:
            folders = location.list_folders()
        except OSError as problem:
            unreadable = Fault(
                f"the adapters in it can't be listed: {problem.strerror}", location.display_path(location.folder)
            )
            if location.origin in _STRICT_ORIGINS:
                faults.append(unreadable)
            else:
                warnings.append(str(unreadable))
            continue
        found: list[Fault] = []
        definitions_found: list[str] = []
        for folder in (each for each in folders if each.has_manifest):
            manifest, problems = _read_manifest(folder, location, read)
            definitions_found += folder.tables
            found += problems
            if manifest is not None:
                manifests.append(manifest)
                warnings += (f"{location.display_path(folder.manifest)}: {warning}" for warning in manifest.warnings)
        # Built-in files without a manifest are tools, which have an index.
        without = [each for each in folders if not each.has_manifest] if not location.indexed else []
        loose = [path for folder in without for path in folder.tables]
        if loose:
            found += cap_definitions.find_orphaned_definitions(loose, location.display_path, read_bounded, read)
        if tools is not None and (loose or definitions_found):
            more, wrong = tools.load(
                (*definitions_found, *loose),
                location.origin,
                display_path=location.display_path,
                real_path=location.real_path,
                content_of=read_bounded,
            )
            manifests += more
            found += wrong
            warnings += tools.find_misspelt(
                (*definitions_found, *loose), display_path=location.display_path, content_of=read_bounded
            )
        if tools is not None and location.indexed:
            manifests += tools.shipped.values()
        if location.origin in _STRICT_ORIGINS:
            faults += found
        else:
            warnings += (str(fault.brief()) for fault in found)
    if faults:
        raise ConfigError(faults)
    return Registry(tuple(manifests), _index_providers(manifests), tuple(warnings))


def _read_manifest(
    adapter: AdapterFolder, location: SearchLocation, read: DocumentReader
) -> tuple[Manifest | None, tuple[Fault, ...]]:
    """Read a manifest with its cap definitions; invalid definitions are skipped and reported as faults."""
    path = adapter.manifest
    shown = location.display_path(path)
    try:
        content = read_bounded(path)
    except OSError as problem:
        return None, (Fault(f"it can't be read: {problem.strerror}", shown),)
    document, faults = read(content, shown)
    if not faults and location.origin is not Origin.BUILTIN:
        # Built-in manifests are checked by a test instead: they are read at every start.
        faults = find_manifest_faults(document, shown)
    if faults:
        return None, faults
    folder = location.real_path(adapter.path)
    manifest = to_manifest(document, folder=folder, origin=location.origin, digest=hashlib.sha256(content).hexdigest())
    if adapter.tables:
        manifest, faults = cap_definitions.add_definitions(
            manifest, adapter.tables, location.display_path, read_bounded, read
        )
    if not manifest.capabilities and not faults:
        hint = "list one in capabilities, or put a cap definition next to it"
        return None, (Fault("it provides no capability", shown, "/capabilities", hint=hint),)
    return manifest, faults


def _index_providers(manifests: list[Manifest]) -> dict[str, tuple[Manifest, ...]]:
    index: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        for capability in manifest.capabilities:
            index.setdefault(capability.name, []).append(manifest)
    for name in UNSHADOWABLE & index.keys():
        index[name].sort(key=lambda manifest: manifest.origin is not Origin.BUILTIN)
    return {name: tuple(found) for name, found in sorted(index.items())}
