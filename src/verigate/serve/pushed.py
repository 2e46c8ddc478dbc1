"""Tasks that were pushed to a server: checked before anything is shown, and kept in a folder of the server's own."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain.task import TASK_ID
from verigate.domain.task_folder import ARTIFACTS_FOLDER, VERDICT_FILE
from verigate.errors import ConfigError, EvidenceError, UsageError
from verigate.evidence.task_archive import unpack_task
from verigate.serve.held_folder import hold_folder
from verigate.usecases.accept_push import AcceptedPush, accept_push

if TYPE_CHECKING:
    from verigate.evidence.attestations.trusted_keys import TrustedKeys

MOST_TASKS = 20_000
DEFAULT_QUOTA = 4096 * 1024 * 1024
_INCOMING = ".incoming"
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 45
_DIGITS = 12
_BLOCK = 4096
"""Bytes that each file and each folder takes at least, so that a quota bounds their number as well."""

_AHEAD = timedelta(days=1)
"""A verdict that is made later than this from now would hold back each one after it."""


class QuotaError(Exception):
    """There is no room for what was pushed."""


class OlderError(Exception):
    """A newer verdict of the task is there."""


class KeptTask(Struct, frozen=True):
    """A task that was taken. ``is_new``: it wasn't there, or is another verdict than the one that was."""

    repository: str
    task_id: str
    status: str
    signers: tuple[str, ...]
    is_new: bool


class PushedTasks:
    """The tasks that were pushed, in ``folder``: a folder ``NAME/.artifacts/TASK`` each. One server uses it at a time.

    Raises OSError if another one does. ``keys`` may be a function, which is
    asked for each task. ``quota`` is in bytes. ``now`` returns the time (RFC 3339).
    """

    def __init__(
        self,
        folder: Path,
        keys: TrustedKeys | Callable[[], TrustedKeys],
        now: Callable[[], str],
        quota: int = DEFAULT_QUOTA,
    ) -> None:
        self.folder = folder
        self._keys = keys
        self._now = now
        self._quota = quota
        self._lock = threading.Lock()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._hold = hold_folder(folder)
        # What a server left that was killed.
        shutil.rmtree(folder / _INCOMING, ignore_errors=True)
        (folder / _INCOMING).mkdir(mode=0o700)
        self._tasks, self._bytes = _measure(folder)

    def close(self) -> None:
        """Let another server have the folder."""
        os.close(self._hold)

    @contextmanager
    def receive(self) -> Iterator[Path]:
        """Make a folder for what comes in, which goes again."""
        with tempfile.TemporaryDirectory(dir=self.folder / _INCOMING, ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def keep(self, task_id: str, archive: Path) -> KeptTask:
        """Check an archive of a task, and keep what is in it. Raises EvidenceError, QuotaError and OlderError."""
        if not TASK_ID.fullmatch(task_id):
            raise EvidenceError("this is no task id", where=task_id[:100])
        with self.receive() as root:
            place = root / ARTIFACTS_FOLDER / task_id
            place.mkdir(parents=True)
            with archive.open("rb") as content:
                paths = unpack_task(content, place)
            now = self._now()
            accepted = accept_push(root, place, paths, self._read_keys(), now)
            _check_moment(accepted.finished, now)
            with self._lock:
                is_new = self._put(place, accepted, root)
        name = name_resource(accepted.resource)
        return KeptTask(name, task_id, str(accepted.published.verdict["status"]), accepted.signers, is_new)

    def _read_keys(self) -> TrustedKeys:
        """Return the keys that count now. Raises EvidenceError if they can't be known."""
        try:
            return self._keys() if callable(self._keys) else self._keys
        except (ConfigError, UsageError) as problem:
            hint = "look at the ref of --keys-ref on the server"
            raise EvidenceError("the keys of this server can't be read", where="--keys-ref", hint=hint) from problem

    def _put(self, place: Path, accepted: AcceptedPush, aside: Path) -> bool:
        target = self.folder / name_resource(accepted.resource) / ARTIFACTS_FOLDER / place.name
        there = self._find_newest(target, accepted)
        if there == accepted.published.verdict:
            return False
        replaces = target.exists()
        grows = _size(place) - (_size(target) if replaces else 0)
        if self._is_full(grows, replaces=replaces):
            # Somebody may have removed tasks by hand.
            self._tasks, self._bytes = _measure(self.folder)
        if self._is_full(grows, replaces=replaces):
            raise QuotaError(f"{self._tasks:,} tasks with {self._bytes:,} bytes are kept already")
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if replaces:
            # Killed in between, the task is gone, and its next push brings it again; two verdicts are never mixed.
            target.rename(aside / "before")
        place.rename(target)
        self._bytes += grows
        self._tasks += not replaces
        return True

    def _is_full(self, grows: int, *, replaces: bool) -> bool:
        return self._bytes + grows > self._quota or (not replaces and self._tasks >= MOST_TASKS)

    def _find_newest(self, target: Path, accepted: AcceptedPush) -> object:
        """Return the verdict that is there; None without a genuine one. Raises OlderError if it is newer."""
        from verigate.evidence.attestations.reading import parse_moment
        from verigate.usecases.replay import read_genuine

        try:
            there = read_genuine(target.parents[1], target).verdict
            moment = parse_moment(there["metadata"]["finished"])
        except (EvidenceError, KeyError, TypeError, ValueError):
            return None  # somebody changed it here; what was pushed is signed
        if moment > parse_moment(accepted.finished):
            raise OlderError(f"a verdict of {moment.isoformat()} is there, and this one is of {accepted.finished}")
        return there


def _check_moment(finished: str, now: str) -> None:
    from verigate.evidence.attestations.reading import parse_moment

    try:
        is_ahead = parse_moment(finished) > parse_moment(now) + _AHEAD
    except (TypeError, ValueError) as problem:
        raise EvidenceError(f"it doesn't say when it was made: {problem}", where=VERDICT_FILE) from problem
    if is_ahead:
        hint = "set the clock of the machine that verifies, and verify again"
        raise EvidenceError(f"it was made at {finished[:40]}, and here it is {now}", where=VERDICT_FILE, hint=hint)


def name_resource(resource: str) -> str:
    """Name a repository by what statements call it: the end of its address, and digits of a digest of the whole."""
    tail = _NOT_IN_A_NAME.sub("-", re.split(r"[/:]", resource.rstrip("/"))[-1].removesuffix(".git")).strip("-")
    digest = hashlib.sha256(resource.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{tail[:_LONGEST_NAME] or 'repository'}-{digest}"


def _measure(folder: Path) -> tuple[int, int]:
    tasks = [path for path in folder.glob(f"*/{ARTIFACTS_FOLDER}/*") if path.is_dir() and not path.is_symlink()]
    return len(tasks), sum(map(_size, tasks))


def _size(folder: Path) -> int:
    """Sum what the files and folders of a task take, each in whole blocks: a million empty files take room too."""
    total = 0
    for place, _, names in os.walk(folder):
        total += _BLOCK + sum(_measure_file(Path(place, name)) for name in names)
    return total


def _measure_file(path: Path) -> int:
    try:
        return _BLOCK * max(1, -(-path.lstat().st_size // _BLOCK))
    except FileNotFoundError:
        return 0  # somebody removes it just now
