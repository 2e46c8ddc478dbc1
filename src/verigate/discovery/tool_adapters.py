"""Load tool adapters in TOML: the built-in ones from an index, others by parsing.

The index is next to the built-in files, written by ``tests/support/tool_index.py``: parsing twenty files takes longer
than all the rest of discovery, and most plans name no tool. It is keyed by the digests of the files, so a changed file
is parsed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec.structs import replace

from verigate.discovery.cap_definitions import ContentReader, DocumentReader
from verigate.domain.manifest import Manifest, Origin
from verigate.errors import ExecutionError, Fault
from verigate.tools.misspelt_table import explain_misspelt_table, find_misspelt_table

FOLDER = "adapters/tools"
INDEX = "index.json"
LAUNCHER = "bin/adapter-tool"


class ToolAdapters:
    """Loads tool adapters: ``read`` parses and checks a file, ``root`` contains the built-in ones."""

    def __init__(self, root: str, read: DocumentReader) -> None:
        self._folder = f"{root}/{FOLDER}"
        self._read = read
        self.launcher = f"{self._folder}/{LAUNCHER}"

    @cached_property
    def shipped(self) -> Mapping[str, Manifest]:
        """The built-in adapters by the digest of their files, sorted by name. Raises ExecutionError."""
        try:
            listed = msgspec.json.decode(Path(f"{self._folder}/{INDEX}").read_bytes(), type=tuple[Manifest, ...])
        except FileNotFoundError:
            # An installation without tools: a plan that names one finds no provider.
            return {}
        except (OSError, msgspec.MsgspecError) as problem:
            raise ExecutionError(
                f"the index of the built-in tools can't be read: {problem}",
                where=f"{self._folder}/{INDEX}",
                hint="install the gate again",
            ) from problem
        return {
            each.digest: replace(each, folder=self._folder, origin=Origin.BUILTIN, launcher=self.launcher)
            for each in listed
        }

    def load(
        self,
        paths: Iterable[str],
        origin: Origin,
        *,
        display_path: Callable[[str], str],
        real_path: Callable[[str], str],
        content_of: ContentReader,
    ) -> tuple[list[Manifest], list[Fault]]:
        """Load the tool adapters among these .toml files; also returns the faults of invalid ones."""
        manifests: list[Manifest] = []
        faults: list[Fault] = []
        for path in paths:
            try:
                content = content_of(path)
            except OSError:
                # Reported already by the search for cap definitions.
                continue
            if b"adapter" not in content:
                continue
            manifest, problems = self._load_one(path, content, origin, display_path(path), real_path(path))
            faults += problems
            manifests += [manifest] if manifest is not None else []
        return manifests, faults

    def find_misspelt(
        self, paths: Iterable[str], *, display_path: Callable[[str], str], content_of: ContentReader
    ) -> list[str]:
        """Return a warning for each of these .toml files that is no adapter and looks like one."""
        warnings = []
        for path in paths:
            try:
                name = find_misspelt_table(content_of(path))
            except OSError:
                continue
            if name is not None:
                warnings.append(explain_misspelt_table(display_path(path), name))
        return warnings

    def _load_one(
        self, path: str, content: bytes, origin: Origin, shown: str, target: str
    ) -> tuple[Manifest | None, tuple[Fault, ...]]:
        folder, _, file = target.rpartition("/")
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
