"""All adapters on the search path -> ``Registry``. First one wins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from verigate.discovery.manifest_file import faults_of, to_manifest
from verigate.discovery.search_path import Shelf
from verigate.domain.manifest import Manifest, Origin, Registry
from verigate.errors import ConfigError, Fault

DocumentReader = Callable[[bytes, str], tuple[Any, tuple[Fault, ...]]]
"""(bytes, file name for messages) -> (document, faults); with a fault the document is not to be used."""

UNSHADOWABLE = frozenset({"code:integrity"})
"""Capabilities that only the built-in adapter may serve: a change must not bring its own judge along."""

_BINDING = frozenset({Origin.REPOSITORY, Origin.PATH})


def discover(shelves: Iterable[Shelf], read: DocumentReader) -> Registry:
    """Read every manifest of ``shelves``.

    Raises ConfigError with every fault of the repository's and GATE_ADAPTER_PATH's manifests: what such a manifest
    provides is hidden until it is mended. Faults elsewhere become warnings.
    """
    manifests: list[Manifest] = []
    faults: list[Fault] = []
    warnings: list[str] = []
    for shelf in shelves:
        for path in shelf.manifests():
            manifest, found = _read(path, shelf.origin, read)
            if manifest is not None:
                manifests.append(manifest)
                warnings += (f"{path}: {warning}" for warning in manifest.warnings)
            elif shelf.origin in _BINDING:
                faults += found
            else:
                warnings += (str(fault) for fault in found)
    if faults:
        raise ConfigError(faults)
    return Registry(tuple(manifests), _providers(manifests), tuple(warnings))


def _read(path: str, origin: Origin, read: DocumentReader) -> tuple[Manifest | None, tuple[Fault, ...]]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path costs twice the read, and there may be a thousand
            content = file.read()
    except OSError as problem:
        return None, (Fault(f"can't be read: {problem.strerror}", path),)
    document, faults = read(content, path)
    faults = faults or faults_of(document, path)
    if faults:
        return None, faults
    folder = path.rpartition("/")[0]
    return to_manifest(document, folder=folder, origin=origin, digest=hashlib.sha256(content).hexdigest()), ()


def _providers(manifests: list[Manifest]) -> dict[str, tuple[Manifest, ...]]:
    index: dict[str, list[Manifest]] = {}
    for manifest in manifests:
        for capability in manifest.capabilities:
            index.setdefault(capability.name, []).append(manifest)
    for name in UNSHADOWABLE & index.keys():
        index[name].sort(key=lambda manifest: manifest.origin is not Origin.BUILTIN)
    return {name: tuple(found) for name, found in sorted(index.items())}
