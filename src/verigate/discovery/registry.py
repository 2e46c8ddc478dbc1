"""All adapters on the search path -> ``Registry``. First one wins."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from verigate.discovery import definitions
from verigate.discovery.bounded import read_bounded
from verigate.discovery.definitions import DocumentReader
from verigate.discovery.manifest_file import faults_of, to_manifest
from verigate.discovery.search_path import Shelf, toml_files
from verigate.discovery.tools import Tools
from verigate.domain.manifest import Manifest, Origin, Registry
from verigate.errors import ConfigError, Fault

UNSHADOWABLE = frozenset({"code:integrity"})
"""Capabilities that only the built-in adapter may serve: a change must not bring its own judge along."""

_BINDING = frozenset({Origin.REPOSITORY, Origin.PATH, Origin.NPM})


def discover(shelves: Iterable[Shelf], read: DocumentReader, tools: Tools | None = None) -> Registry:
    """Read every manifest of ``shelves``, with the cap definitions beside it, and the tool adapters in TOML.

    On one shelf the adapters with a manifest go before the tools; those that ship with the gate come last of all.

    Raises ConfigError with every fault of the manifests of the repository, of GATE_ADAPTER_PATH and of pinned npm
    packages: what such a manifest provides is hidden until it is mended. Faults elsewhere become warnings.
    """
    manifests: list[Manifest] = []
    faults: list[Fault] = []
    warnings: list[str] = []
    for shelf in shelves:
        try:
            paths, without = shelf.manifests()
        except OSError as problem:
            unreadable = Fault(f"the adapters in it can't be listed: {problem.strerror}", shelf.shown(shelf.folder))
            if shelf.origin in _BINDING:
                faults.append(unreadable)
            else:
                warnings.append(str(unreadable))
            continue
        found: list[Fault] = []
        definitions_found: list[str] = []
        for path in paths:
            manifest, problems, beside = _read(path, shelf, read)
            definitions_found += beside
            found += problems
            if manifest is not None:
                manifests.append(manifest)
                warnings += (f"{shelf.shown(path)}: {warning}" for warning in manifest.warnings)
        # What ships with the gate beside its manifests are tools, and those stand in an index.
        loose = [path for folder in without for path in toml_files(folder)] if not shelf.indexed else []
        if loose:
            found += definitions.without_manifest(loose, shelf.shown, read_bounded, read)
        if tools is not None and (loose or definitions_found):
            more, wrong = tools.found(
                (*definitions_found, *loose),
                shelf.origin,
                shown=shelf.shown,
                standing=shelf.standing,
                content_of=read_bounded,
            )
            manifests += more
            found += wrong
        if tools is not None and shelf.indexed:
            manifests += tools.shipped.values()
        if shelf.origin in _BINDING:
            faults += found
        else:
            warnings += (str(fault.brief()) for fault in found)
    if faults:
        raise ConfigError(faults)
    return Registry(tuple(manifests), _providers(manifests), tuple(warnings))


def _read(path: str, shelf: Shelf, read: DocumentReader) -> tuple[Manifest | None, tuple[Fault, ...], list[str]]:
    """A manifest with the cap definitions beside it; of these, those that can't be used are left out with a fault.

    Last the .toml files beside it, whatever they are.
    """
    shown = shelf.shown(path)
    try:
        content = read_bounded(path)
    except OSError as problem:
        return None, (Fault(f"it can't be read: {problem.strerror}", shown),), []
    document, faults = read(content, shown)
    if not faults and shelf.origin is not Origin.BUILTIN:
        # Those that ship with the gate are held to it by a test, and read at every start.
        faults = faults_of(document, shown)
    beside = toml_files(path.rpartition("/")[0])
    if faults:
        return None, faults, beside
    folder = shelf.standing(path).rpartition("/")[0]
    manifest = to_manifest(document, folder=folder, origin=shelf.origin, digest=hashlib.sha256(content).hexdigest())
    if beside:
        manifest, faults = definitions.with_definitions(manifest, beside, shelf.shown, read_bounded, read)
    if not manifest.capabilities and not faults:
        hint = "list one in capabilities, or put a cap definition beside it"
        return None, (Fault("it provides no capability", shown, "/capabilities", hint=hint),), beside
    return manifest, faults, beside


def _providers(manifests: list[Manifest]) -> dict[str, tuple[Manifest, ...]]:
    index: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        for capability in manifest.capabilities:
            index.setdefault(capability.name, []).append(manifest)
    for name in UNSHADOWABLE & index.keys():
        index[name].sort(key=lambda manifest: manifest.origin is not Origin.BUILTIN)
    return {name: tuple(found) for name, found in sorted(index.items())}
