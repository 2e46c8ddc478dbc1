"""Adapters that were sent to a server: checked before anything finds them, and kept in a folder of their own."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from verigate.errors import EvidenceError
from verigate.evidence.task_archive import unpack_task
from verigate.formats.strict_json import StrictJsonError, loads

MANIFEST = "manifest.json"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class InstalledAdapters:
    """The adapters in ``folder``, which the gate's commands search; what is checked lies next to it.

    ``taken`` are capabilities of built-in adapters, which no other may replace: it would decide what they find.
    """

    def __init__(self, folder: Path, taken: Collection[str]) -> None:
        self.folder = folder
        self._taken = frozenset(taken)
        self._incoming = folder.with_name(f"{folder.name}.incoming")
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.rmtree(self._incoming, ignore_errors=True)
        self._incoming.mkdir(mode=0o700)

    @contextmanager
    def receive(self) -> Iterator[Path]:
        """Make a folder for what comes in, which goes again."""
        with tempfile.TemporaryDirectory(dir=self._incoming, ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def unpack(self, name: str, archive: Path) -> Path:
        """Unpack an adapter into a new folder, in which it is the folder ``name``; return the outer one.

        Raises EvidenceError for an archive or a manifest that can't be taken. Nothing of it is executed.
        """
        if not _NAME.fullmatch(name):
            raise EvidenceError("this is no name of an adapter", where=name[:100])
        outer = Path(tempfile.mkdtemp(dir=self._incoming))
        try:
            (outer / name).mkdir()
            with archive.open("rb") as content:
                paths = unpack_task(content, outer / name, executable=True)
            _check_declarations(paths)
            self._check_manifest(name, outer / name / MANIFEST)
        except BaseException:
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
        if stolen := sorted(own & self._taken):
            hint = "commit it to the repository below adapters/, where somebody reviews it"
            raise EvidenceError(f"a built-in adapter has {stolen[0]} already", where=where, hint=hint)

    def put(self, name: str, outer: Path) -> None:
        """Put an adapter that was checked where it is found, in place of an earlier one."""
        with self.receive() as aside:
            if (self.folder / name).exists():
                (self.folder / name).rename(aside / "before")
            (outer / name).rename(self.folder / name)

    def drop(self, outer: Path) -> None:
        """Remove what was unpacked."""
        shutil.rmtree(outer, ignore_errors=True)

    def remove(self, name: str) -> bool:
        """Remove an adapter; False if there is none of this name."""
        place = self.folder / name
        if not _NAME.fullmatch(name) or place.is_symlink() or not place.is_dir():
            return False
        with self.receive() as aside:
            place.rename(aside / "removed")
        return True


def _check_declarations(paths: Sequence[str]) -> None:
    """Refuse what discovery reads next to a manifest: definitions of capabilities, and tools, which name programs.

    They could declare what the manifest doesn't, and a broken one ends each command that finds it.
    """
    if found := sorted(path for path in paths if "/" not in path and path.casefold().endswith(".toml")):
        hint = "declare capabilities in manifest.json, and keep other TOML in a folder"
        raise EvidenceError(f"{found[0][:200]!r} is at the top", where="the archive", hint=hint)
