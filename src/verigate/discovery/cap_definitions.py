"""Add the cap definitions next to a manifest to its capabilities."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from verigate.domain.manifest import Capability, Manifest
from verigate.errors import Fault
from verigate.formats.toml_text import place_faults

DocumentReader = Callable[[bytes, str], tuple[Any, tuple[Fault, ...]]]
"""(bytes, file name for messages) -> (document, faults); a document with faults must not be used.

The document is None, without faults, for a .toml file that isn't a cap definition.
"""
ContentReader = Callable[[str], bytes]


def add_definitions(
    manifest: Manifest,
    paths: list[str],
    display_path: Callable[[str], str],
    content_of: ContentReader,
    read: DocumentReader,
) -> tuple[Manifest, tuple[Fault, ...]]:
    """Add the capabilities that these files declare to ``manifest``; also returns the faults of invalid files.

    The new digest covers the manifest and every definition.
    """
    from verigate.discovery.cap_file import find_cap_faults, to_capability

    faults: list[Fault] = []
    known = {capability.name: "manifest.json" for capability in manifest.capabilities}
    added: list[Capability] = []
    digest = hashlib.sha256(manifest.digest.encode())
    for path in paths:
        file, name = display_path(path), path.rpartition("/")[2]
        document, content, found = _read_definition(path, file, content_of, read)
        if document is None or found:
            faults += found
            continue
        if problems := find_cap_faults(document, file):
            faults += place_faults(content, problems)
            continue
        capability = to_capability(document, adapter=manifest.name, file=name)
        if capability.name in known:
            message = f"it declares {capability.name}, which {known[capability.name]} declares too"
            twice = Fault(message, file, "/command", hint="give it a command of its own")
            faults += place_faults(content, [twice])
            continue
        known[capability.name] = name
        added.append(capability)
        digest.update(hashlib.sha256(name.encode() + b"\0" + content).digest())
    if not added:
        return manifest, tuple(faults)
    both = (*manifest.capabilities, *added)
    return replace(manifest, capabilities=both, digest=digest.hexdigest()), tuple(faults)


def find_orphaned_definitions(
    paths: list[str], display_path: Callable[[str], str], content_of: ContentReader, read: DocumentReader
) -> tuple[Fault, ...]:
    """Report the cap definitions among these files, which have no manifest next to them."""
    faults: list[Fault] = []
    for path in paths:
        document, _, found = _read_definition(path, display_path(path), content_of, read)
        faults += found
        if document is not None and not found:
            message = "there is no manifest.json next to this cap definition, whose entry would run its command"
            faults.append(Fault(message, display_path(path), hint="put both into one folder below adapters/"))
    return tuple(faults)


def _read_definition(
    path: str, file: str, content_of: ContentReader, read: DocumentReader
) -> tuple[Any, bytes, tuple[Fault, ...]]:
    try:
        content = content_of(path)
    except OSError as problem:
        return None, b"", (Fault(f"it can't be read: {problem.strerror}", file),)
    document, faults = read(content, file)
    return document, content, faults
