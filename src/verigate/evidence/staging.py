"""Give each capability a private folder, and accept valid artifacts from it."""

from __future__ import annotations

import hashlib
import os
import posixpath
import shutil
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from verigate.domain.artifact import Artifact
from verigate.domain.execution import Failure
from verigate.domain.manifest import Origin
from verigate.domain.plan import PlannedCapability
from verigate.domain.ports import Collected
from verigate.domain.shown_task import shown_task_id, withhold_unseen
from verigate.domain.standard_artifacts import BY_PATH, list_expected_paths
from verigate.domain.task_folder import LOGS_FOLDER, RESERVED_NAMES
from verigate.evidence.accepted_files import AcceptedFiles
from verigate.evidence.artifact_order import sort_artifact
from verigate.evidence.artifact_validation import (
    MAX_ARTIFACT_BYTES,
    ArtifactInvalidError,
    SchemaCheck,
    accept_artifact,
    find_input_fault,
)

MAX_FILES = 10_000
MAX_TOTAL_BYTES = 512 * 1024 * 1024
_MAX_PATH = 512


class _RefusedError(Exception):
    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(reason, message)


class RunStaging:
    """The staging folders of one run, below ``root``, each ``<capability>/<task id>``.

    ``inputs`` are the bytes of commitment.json and claim.json as capabilities see them. Accepted files are copied to
    ``accepted``, stored in ``kept`` (default: a folder below ``root``). ``logs`` holds the output streams by name,
    ``<domain>.<action>.out`` and ``.err``. Each of the ``planned`` capabilities owns the outputs it declares, even
    before it has run; if two declare the same output, the first one owns it.
    """

    def __init__(
        self,
        root: Path,
        task_id: str,
        inputs: Mapping[str, bytes],
        check: SchemaCheck,
        planned: Iterable[PlannedCapability] = (),
        *,
        kept: Path | None = None,
    ) -> None:
        self._root = root
        self._task_id = task_id
        self._inputs = dict(inputs)
        self._check = check
        self._visible: dict[str, dict[str, str]] = {}
        self._owners: dict[str, str] = {}
        for capability in planned:
            for output in capability.declaration.outputs:
                self._owners.setdefault(posixpath.normpath(output.path), capability.name)
        self.accepted = AcceptedFiles(kept or root / "accepted")
        self.logs: dict[str, bytes] = {}

    def keep_log(self, planned: PlannedCapability, out: bytes, err: bytes) -> None:
        """As in the Staging port."""
        slug = planned.declaration.slug
        self.logs |= {f"{slug}.out": out, f"{slug}.err": err}

    def read_log(self, capability: str) -> tuple[bytes, bytes]:
        """Return the output of a capability that was kept; empty if none was."""
        slug = capability.replace(":", ".")
        return self.logs.get(f"{slug}.out", b""), self.logs.get(f"{slug}.err", b"")

    def open(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> Path:
        """Create a new folder with commitment and claim as it sees them, and the ``visible`` artifacts.

        It is named by the task id, as far as it sees one.
        """
        inputs = withhold_unseen(self._inputs, self._task_id, planned.declaration.sees)
        folder = self._root / planned.declaration.slug / shown_task_id(self._task_id, planned.declaration.sees)
        if folder.exists():
            # Of a call that was prepared and isn't made, since what it finds is known.
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        for name, content in inputs.items():
            (folder / name).write_bytes(content)
        known = {name: hashlib.sha256(content).hexdigest() for name, content in inputs.items()}
        self._visible[planned.name] = known
        self.show(planned, folder, visible)
        return folder

    def show(self, planned: PlannedCapability, folder: Path, visible: Sequence[Artifact]) -> None:
        """Copy ``visible`` artifacts into the folder of a capability that hasn't run yet."""
        for artifact in visible:
            target = folder / artifact.path
            if "/" in artifact.path:
                target.parent.mkdir(parents=True, exist_ok=True)
            self.accepted.copy(artifact.path, target)
            self._visible[planned.name][artifact.path] = artifact.sha256

    def collect(self, planned: PlannedCapability, folder: Path) -> Collected:
        """Attribute, validate and hash what the capability wrote. Accepts everything or nothing."""
        known = self._visible[planned.name]
        try:
            files = dict(_read_files(folder))
            self._refuse_changed(files, known)
            written = {path: content for path, content in files.items() if path not in known}
            self._refuse_foreign(planned, written)
            written = {path: sort_artifact(path, content) for path, content in written.items()}
            artifacts = tuple(_accept(planned, path, written[path], self._check) for path in sorted(written))
            _refuse_missing(planned, artifacts)
        except _RefusedError as refusal:
            return Collected((), refusal.failure)
        for artifact in artifacts:
            self.accepted.keep(artifact.path, written[artifact.path])
        return Collected(artifacts)

    def input_fault(self, planned: PlannedCapability, spec_id: str, name: str, content: bytes) -> str | None:
        """As in the Staging port."""
        return find_input_fault(planned, spec_id, name, content, self._check)

    def _refuse_changed(self, files: Mapping[str, bytes], known: Mapping[str, str]) -> None:
        for path, digest in sorted(known.items()):
            if path not in files:
                raise _RefusedError("ARTIFACT_CONFLICT", f"it removed {path}, which isn't its own")
            if hashlib.sha256(files[path]).hexdigest() != digest:
                raise _RefusedError("ARTIFACT_CONFLICT", f"it changed {path}, which isn't its own")

    def _refuse_foreign(self, planned: PlannedCapability, written: Iterable[str]) -> None:
        declared = _declared_by_builtin(planned)
        for path in sorted(written):
            if path.partition("/")[0] in {*RESERVED_NAMES, LOGS_FOLDER}:
                raise _RefusedError("ARTIFACT_CONFLICT", f"it wrote {path}, a name that belongs to the gate")
            if self.accepted.is_taken(path):
                raise _RefusedError("ARTIFACT_CONFLICT", f"it wrote {path}, which another capability has written")
            owner = BY_PATH[path].capability if path in BY_PATH else self._owners.get(path, planned.name)
            if owner != planned.name:
                raise _RefusedError("ARTIFACT_CONFLICT", f"it wrote {path}, which belongs to {owner}")
            if declared is not None and path not in declared:
                # Tests and builds run code of the change, which must not be able to add evidence.
                raise _RefusedError("ARTIFACT_CONFLICT", f"it wrote {path}, which its adapter doesn't declare")


def _declared_by_builtin(planned: PlannedCapability) -> frozenset[str] | None:
    """All outputs of a built-in capability, which declares them completely; None for any other."""
    if planned.provider is None or planned.provider.origin is not Origin.BUILTIN or not planned.declaration.outputs:
        return None
    return frozenset(output.path for output in planned.declaration.outputs)


def _accept(planned: PlannedCapability, path: str, content: bytes, check: SchemaCheck) -> Artifact:
    try:
        return accept_artifact(planned, path, content, check)
    except ArtifactInvalidError as problem:
        raise _RefusedError("ARTIFACT_INVALID", str(problem)) from problem


def _refuse_missing(planned: PlannedCapability, artifacts: Sequence[Artifact]) -> None:
    written = {artifact.path for artifact in artifacts}
    declared = (output.path for output in planned.declaration.outputs if output.path not in BY_PATH)
    for path in (*list_expected_paths(planned.name), *declared):
        if path not in written:
            raise _RefusedError("ARTIFACT_MISSING", f"it exited with 0 but did not write {path}")
    if not written:
        raise _RefusedError("ARTIFACT_MISSING", "it exited with 0 but wrote no artifact")


def _read_files(folder: Path) -> Iterable[tuple[str, bytes]]:
    """Read every file below ``folder``. Never follows links that lead out of it."""
    total = 0
    for count, (path, full) in enumerate(_walk_files(str(folder), ""), start=1):
        content = _read_file(path, full, str(folder))
        total += len(content)
        if count > MAX_FILES or total > MAX_TOTAL_BYTES:
            raise _RefusedError("ARTIFACT_INVALID", f"it wrote more than {MAX_FILES} files or {MAX_TOTAL_BYTES} bytes")
        yield path, content


def _walk_files(folder: str, prefix: str) -> Iterable[tuple[str, str]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as problem:
        raise _RefusedError(
            "ARTIFACT_INVALID", f"{prefix or 'the task folder'} can't be read: {problem.strerror}"
        ) from problem
    for entry in entries:
        path = f"{prefix}{entry.name}"
        if not path.isprintable() or len(path) > _MAX_PATH or "\\" in path:
            raise _RefusedError("ARTIFACT_INVALID", f"the file name {ascii(path)[:200]} is not allowed for an artifact")
        if entry.is_dir(follow_symlinks=False):
            if prefix.count("/") > 20:
                raise _RefusedError("ARTIFACT_INVALID", f"{path} is nested too deeply")
            yield from _walk_files(entry.path, f"{path}/")
        else:
            yield path, entry.path


def _read_file(path: str, full: str, folder: str) -> bytes:
    if Path(full).is_symlink():
        target = os.path.realpath(full)
        if not target.startswith(f"{os.path.realpath(folder)}/"):
            raise _RefusedError("ARTIFACT_INVALID", f"{path} is a link that leads out of the task folder")
        full = target
    try:
        # O_NONBLOCK: opening a named pipe must not wait for a writer.
        descriptor = os.open(full, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as problem:
        raise _RefusedError("ARTIFACT_INVALID", f"{path} can't be read: {problem.strerror}") from problem
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _RefusedError("ARTIFACT_INVALID", f"{path} is not a regular file")
        if status.st_size > MAX_ARTIFACT_BYTES:
            limit = MAX_ARTIFACT_BYTES // 1024 // 1024
            raise _RefusedError("ARTIFACT_INVALID", f"{path} has {status.st_size} bytes, at most {limit} MiB are read")
        return file.read()
