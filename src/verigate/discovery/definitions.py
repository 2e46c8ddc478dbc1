"""The cap definitions beside a manifest, added to what it provides."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from verigate.domain.manifest import Capability, Manifest
from verigate.errors import Fault

DocumentReader = Callable[[bytes, str], tuple[Any, tuple[Fault, ...]]]
"""(bytes, file name for messages) -> (document, faults); with a fault the document is not to be used.

A .toml file that is no cap definition is None without a fault.
"""
ContentReader = Callable[[str], bytes]


def with_definitions(
    manifest: Manifest,
    paths: list[str],
    shown: Callable[[str], str],
    content_of: ContentReader,
    read: DocumentReader,
) -> tuple[Manifest, tuple[Fault, ...]]:
    """``manifest`` with the capabilities that these files declare, and the faults of those that can't be used.

    Its digest is then that of the manifest's and of every definition's bytes.
    """
    from verigate.discovery.cap_file import faults_of_cap, to_capability

    faults: list[Fault] = []
    known = {capability.name: "manifest.json" for capability in manifest.capabilities}
    added: list[Capability] = []
    digest = hashlib.sha256(manifest.digest.encode())
    for path in paths:
        file, name = shown(path), path.rpartition("/")[2]
        document, content, found = _read(path, file, content_of, read)
        if document is None or found:
            faults += found
            continue
        if problems := faults_of_cap(document, file):
            faults += problems
            continue
        capability = to_capability(document, adapter=manifest.name, file=name)
        if capability.name in known:
            message = f"it declares {capability.name}, and so does {known[capability.name]}"
            faults.append(Fault(message, file, "/command", hint="give it a command of its own"))
            continue
        known[capability.name] = name
        added.append(capability)
        digest.update(hashlib.sha256(name.encode() + b"\0" + content).digest())
    if not added:
        return manifest, tuple(faults)
    both = (*manifest.capabilities, *added)
    return replace(manifest, capabilities=both, digest=digest.hexdigest()), tuple(faults)


def without_manifest(
    paths: list[str], shown: Callable[[str], str], content_of: ContentReader, read: DocumentReader
) -> tuple[Fault, ...]:
    """Faults for the cap definitions among these files, beside which no manifest lies."""
    faults: list[Fault] = []
    for path in paths:
        document, _, found = _read(path, shown(path), content_of, read)
        faults += found
        if document is not None and not found:
            message = "no manifest.json lies beside this cap definition, whose entry would run its command"
            faults.append(Fault(message, shown(path), hint="put both into one folder below adapters/"))
    return tuple(faults)


def _read(
    path: str, file: str, content_of: ContentReader, read: DocumentReader
) -> tuple[Any, bytes, tuple[Fault, ...]]:
    try:
        content = content_of(path)
    except OSError as problem:
        return None, b"", (Fault(f"it can't be read: {problem.strerror}", file),)
    document, faults = read(content, file)
    return document, content, faults
