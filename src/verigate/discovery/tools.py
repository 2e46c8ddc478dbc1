"""Tool adapters in TOML: those that lie on a shelf, and those that ship with the gate, which nobody parses for it.

What the shipped files declare stands in an index beside them, made by ``tests/support/tool_index.py``: reading twenty
files takes longer than all the rest of discovery, and most plans name no tool. The index goes by the digests of the
files, so one that was changed is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec.structs import replace

from verigate.discovery.definitions import ContentReader, DocumentReader
from verigate.domain.manifest import Manifest, Origin
from verigate.errors import ExecutionError, Fault

FOLDER = "adapters/tools"
INDEX = "index.json"
LAUNCHER = "bin/adapter-tool"


class Tools:
    """How tool adapters are read: ``read`` parses and checks a file, ``root`` holds what ships with the gate."""

    def __init__(self, root: str, read: DocumentReader) -> None:
        self._folder = f"{root}/{FOLDER}"
        self._read = read
        self.launcher = f"{self._folder}/{LAUNCHER}"

    @cached_property
    def shipped(self) -> Mapping[str, Manifest]:
        """The shipped adapters by the digest of their files, in the order of their names. Raises ExecutionError."""
        try:
            listed = msgspec.json.decode(Path(f"{self._folder}/{INDEX}").read_bytes(), type=tuple[Manifest, ...])
        except FileNotFoundError:
            # An installation without tools; a plan that names one finds no adapter that provides it.
            return {}
        except (OSError, msgspec.MsgspecError) as problem:
            raise ExecutionError(
                f"the index of the tools that ship with the gate can't be read: {problem}",
                where=f"{self._folder}/{INDEX}",
                hint="install the gate again",
            ) from problem
        return {
            each.digest: replace(each, folder=self._folder, origin=Origin.BUILTIN, launcher=self.launcher)
            for each in listed
        }

    def found(
        self,
        paths: Iterable[str],
        origin: Origin,
        *,
        shown: Callable[[str], str],
        standing: Callable[[str], str],
        content_of: ContentReader,
    ) -> tuple[list[Manifest], list[Fault]]:
        """The tool adapters among these .toml files, and the faults of those that can't be used."""
        manifests: list[Manifest] = []
        faults: list[Fault] = []
        for path in paths:
            try:
                content = content_of(path)
            except OSError:
                # Said already, by who looked for cap definitions.
                continue
            if b"adapter" not in content:
                continue
            manifest, problems = self._one(path, content, origin, shown(path), standing(path))
            faults += problems
            manifests += [manifest] if manifest is not None else []
        return manifests, faults

    def _one(
        self, path: str, content: bytes, origin: Origin, shown: str, standing: str
    ) -> tuple[Manifest | None, tuple[Fault, ...]]:
        folder, _, file = standing.rpartition("/")
        digest = hashlib.sha256(content).hexdigest()
        if f"/{FOLDER}/" in path:
            known = self.shipped.get(digest)
            if known is not None:
                return replace(known, entry=file, folder=folder, origin=origin), ()
        document, faults = self._read(content, shown)
        if document is None or faults:
            return None, faults
        from verigate.discovery.tool_manifest import to_tool_manifest

        return (
            to_tool_manifest(document, file=file, folder=folder, origin=origin, digest=digest, launcher=self.launcher),
            (),
        )
