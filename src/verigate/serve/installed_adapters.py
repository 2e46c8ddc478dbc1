"""Adapters that were sent to a server: checked before anything finds them, and kept in a folder of their own."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.origin import Origin
from verigate.errors import EvidenceError
from verigate.evidence.store import write_atomically
from verigate.evidence.task_archive import unpack_task
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.serve.held_folder import hold_folder

if TYPE_CHECKING:
    from verigate.domain.manifest import Manifest

MANIFEST = "manifest.json"
RECORD = ".installed.json"
"""The file in the folder that says what was installed over HTTP: the name of each adapter, and its folder's inode."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class ForeignError(Exception):
    """Somebody else put there what would be replaced or removed."""


class InstalledAdapters:
    """The adapters in ``folder``, which the gate's commands search; what is checked lies next to it.

    ``find_all`` lists each adapter that commands of this server find: no other may have its name, by which it is
    configured, or replace a capability, and so decide what is found. ``find_configured`` lists the names that a served
    repository configures or grants something, with the file: that was meant for another adapter, which somebody finds
    elsewhere. Both raise EvidenceError if they can't. One server
    uses the folder at a time; raises OSError if another one does, or if the folder next to it is somebody's.
    """

    def __init__(
        self,
        folder: Path,
        find_all: Callable[[], Iterable[Manifest]],
        find_configured: Callable[[], Iterable[tuple[str, str]]] = tuple,
    ) -> None:
        self.folder = folder
        self._find_all = find_all
        self._find_configured = find_configured
        self._changing = threading.Lock()
        if not folder.name:
            raise OSError(errno.EINVAL, "there is no place next to it")
        self._incoming = folder.with_name(f"{folder.name}.incoming")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._hold = hold_folder(folder)
        try:
            self._empty_incoming()
        except OSError:
            self.close()
            raise

    def _empty_incoming(self) -> None:
        """Remove what a server left that was killed, and nothing that isn't a server's."""
        if not os.path.lexists(self.folder / RECORD):
            if os.path.lexists(self._incoming):
                raise OSError(errno.EEXIST, f"{self._incoming.name} next to it is needed, and somebody made it")
            self._record({})
        shutil.rmtree(self._incoming, ignore_errors=True)
        self._incoming.mkdir(mode=0o700)

    def close(self) -> None:
        """Let another server have the folder."""
        os.close(self._hold)

    @contextmanager
    def receive(self) -> Iterator[Path]:
        """Make a folder for what comes in, which goes again."""
        with tempfile.TemporaryDirectory(dir=self._incoming, ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def unpack(self, name: str, archive: Path) -> Path:
        """Unpack an adapter into a new folder, in which it is the folder ``name``; return the outer one.

        Raises EvidenceError for an archive or a manifest that can't be taken, and ForeignError for a place that is
        taken. Nothing of it is executed.
        """
        if not _NAME.fullmatch(name):
            raise EvidenceError("this is no name of an adapter", where=name[:100])
        self._require_ours(name)
        outer = Path(tempfile.mkdtemp(dir=self._incoming))
        try:
            (outer / name).mkdir()
            with archive.open("rb") as content:
                paths = unpack_task(content, outer / name, executable=True)
            _check_declarations(paths)
            self._check_manifest(name, outer / name / MANIFEST)
        except BaseException:  # a cancellation too: what was unpacked goes, whatever ended this
            self.drop(outer)
            raise
        return outer

    def _check_manifest(self, name: str, path: Path) -> None:
        where = MANIFEST
        try:
            manifest = loads(path.read_bytes())
            own = {each if isinstance(each, str) else str(each["name"]) for each in manifest["capabilities"]}
            called = manifest["name"]
        except OSError as problem:
            hint = "put the content of the adapter's folder into the archive, and not the folder"
            raise EvidenceError(f"there is no {MANIFEST} at the top", where=where, hint=hint) from problem
        except (StrictJsonError, AttributeError, LookupError, TypeError) as problem:
            raise EvidenceError(f"this is not a manifest: {problem}", where=where) from problem
        if called != name:
            raise EvidenceError(f"the adapter calls itself {str(called)[:100]!r}, and not {name!r}", where=where)
        self._check_others(name, own)

    def _check_others(self, name: str, capabilities: set[str]) -> None:
        earlier = f"{os.path.realpath(self.folder)}/{name}"
        hint = "commit it to the repository below adapters/, where somebody reviews it"
        if name not in self._read_record():
            for configured, where in self._find_configured():
                if configured == name:
                    try_instead = "give the adapter another name, or commit it to that repository below adapters/"
                    raise EvidenceError(f"{where} is about an adapter {name} already", where=MANIFEST, hint=try_instead)
        for other in self._find_all():
            if other.folder == earlier:
                continue
            whose = "a built-in" if other.origin is Origin.BUILTIN else "another"
            if other.name == name:
                raise EvidenceError(f"{whose} adapter is called {name} already", where=MANIFEST, hint=hint)
            if stolen := sorted(capabilities & {each.name for each in other.capabilities}):
                raise EvidenceError(f"{whose} adapter has {stolen[0]} already", where=MANIFEST, hint=hint)

    def put(self, name: str, outer: Path) -> None:
        """Put an adapter that was checked where it is found, in place of an earlier one.

        Raises EvidenceError and ForeignError as ``unpack``: others may have come since.
        """
        with self._changing, self.receive() as aside:
            self._check_manifest(name, outer / name / MANIFEST)
            self._require_ours(name)
            if os.path.lexists(self.folder / name):
                (self.folder / name).rename(aside / "before")
            # Killed in between, nothing is there; what is there is always known as ours.
            self._record({**self._read_record(), name: (outer / name).lstat().st_ino})
            (outer / name).rename(self.folder / name)

    def drop(self, outer: Path) -> None:
        """Remove what was unpacked."""
        shutil.rmtree(outer, ignore_errors=True)

    def remove(self, name: str) -> bool:
        """Remove an adapter; False if there is none of this name. Raises ForeignError if it wasn't installed here."""
        if not _NAME.fullmatch(name) or not os.path.lexists(self.folder / name):
            return False
        with self._changing, self.receive() as aside:
            self._require_ours(name)
            (self.folder / name).rename(aside / "removed")
            self._record({known: inode for known, inode in self._read_record().items() if known != name})
        return True

    def _require_ours(self, name: str) -> None:
        """Raise ForeignError if something is there that ``put`` didn't put there."""
        try:
            inode = (self.folder / name).lstat().st_ino
        except FileNotFoundError:
            return
        if self._read_record().get(name) != inode:
            raise ForeignError(f"{name} in the folder of --adapters was not installed by a server")

    def _read_record(self) -> dict[str, int]:
        """Read which adapters are ours; none if that can't be known."""
        try:
            known = loads((self.folder / RECORD).read_bytes())
        except (OSError, StrictJsonError):
            return {}
        return known if isinstance(known, dict) else {}

    def _record(self, known: dict[str, int]) -> None:
        write_atomically(self.folder / RECORD, json.dumps(known, indent=1, sort_keys=True).encode())


def _check_declarations(paths: Sequence[str]) -> None:
    """Refuse what discovery reads next to a manifest: definitions of capabilities, and tools, which name programs.

    They could declare what the manifest doesn't, and a broken one ends each command that finds it.
    """
    if found := sorted(path for path in paths if "/" not in path and path.casefold().endswith(".toml")):
        hint = "declare capabilities in manifest.json, and keep other TOML in a folder"
        raise EvidenceError(f"{found[0][:200]!r} is at the top", where="the archive", hint=hint)
