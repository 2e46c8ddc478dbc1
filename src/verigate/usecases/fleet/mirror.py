"""The bare mirror of a repository that a worker keeps, and the working tree that a job runs in.

A mirror holds what clients sent as bundles. It lies in the user's cache folder and may be removed at any time.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from verigate.errors import ExecutionError, SubjectError
from verigate.subject.git import Git
from verigate.user_folders import UserFolders

MOST_HAVES = 1000
_REFS = "refs/fleet"
_KEY = re.compile(r"[0-9a-f]{64}")
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Mirror:
    """The mirror of the repository that ``key`` names (64 hexadecimal digits). Made if it isn't there."""

    def __init__(self, key: str, object_format: str, environ: Mapping[str, str]) -> None:
        place = UserFolders(environ).cache("mirrors")
        if place is None or not _KEY.fullmatch(key) or object_format not in {"sha1", "sha256"}:
            raise ExecutionError("there is no folder for a mirror", hint="set HOME or XDG_CACHE_HOME for the worker")
        self.path = Path(place, key)
        self._environ = environ
        self._format = object_format
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._lock():
            if not (self.path / "HEAD").exists():
                init = ("init", "--quiet", "--bare", "--template=", f"--object-format={object_format}")
                self._git.run(*init, "--", str(self.path))

    @property
    def _git(self) -> Git:
        return Git.from_root(str(self.path), self._environ)

    def list_haves(self) -> tuple[str, ...]:
        """List the commits that it has with all that they need."""
        listed = self._git.run("for-each-ref", f"--count={MOST_HAVES}", "--format=%(objectname)", _REFS)
        return tuple(listed.decode("ascii").split())

    def lacks(self, commits: Sequence[str]) -> bool:
        """Whether it lacks any of the commits."""
        return not set(commits) <= set(self.list_haves())

    def take(self, bundle: bytes, commits: Sequence[str]) -> None:
        """Take the objects of a bundle, which complete these commits. Raises SubjectError."""
        _check_ids(commits)
        with self._lock():
            file = self.path / "incoming.bundle"
            file.write_bytes(bundle)
            try:
                self._git.run("bundle", "unbundle", str(file))
                # Nothing is missing of a commit that gets a ref: others are sent what it lacks of them alone.
                self._git.run("rev-list", "--objects", "--quiet", "--not", "--all", "--not", *commits)
                for commit in commits:
                    self._git.run("update-ref", "--no-deref", f"{_REFS}/{commit}", commit)
            finally:
                file.unlink(missing_ok=True)

    @contextmanager
    def open_tree(self, root: Path, head: str) -> Iterator[None]:
        """Make a working tree of the mirror at ``root``, with a detached HEAD and nothing checked out; remove it then.

        It has no alternates: a sandbox shows the objects of a repository, and not what these refer to in turn.
        """
        _check_ids((head,))
        root.parent.mkdir(parents=True, exist_ok=True)
        with self._lock():
            self._git.run("worktree", "prune")  # of workers that were killed
            self._git.run("worktree", "add", "--quiet", "--no-checkout", "--detach", "--", str(root), head)
        try:
            yield
        finally:
            with self._lock():
                self._git.attempt("worktree", "remove", "--force", "--force", "--", str(root))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        descriptor = os.open(self.path / "fleet.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def _check_ids(commits: Sequence[str]) -> None:
    if not all(_ID.fullmatch(commit) for commit in commits):
        raise SubjectError("that is no id of a commit", hint="the client must send full ids")


class BundleMaker:
    """Make bundles of ``tips``, commits by full ids, of the repository at ``root``; ``folder`` is a private one."""

    def __init__(self, root: Path, environ: Mapping[str, str], folder: Path, tips: Sequence[str]) -> None:
        self._tips = tuple(dict.fromkeys(tips))
        git = Git.from_root(str(root), environ)
        if git.run("rev-parse", "--is-shallow-repository").strip() == b"true":
            raise SubjectError("workers can't be sent a shallow clone", where=str(root), hint="git fetch --unshallow")
        self.object_format = git.run("rev-parse", "--show-object-format").decode("ascii").strip()
        objects = git.run("rev-parse", "--path-format=absolute", "--git-path", "objects").decode().rstrip("\n")
        self._path = folder / "sender.git"
        init = ("init", "--quiet", "--bare", "--template=", f"--object-format={self.object_format}")
        git.run(*init, "--", str(self._path))
        info = self._path / "objects" / "info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "alternates").write_text(f"{objects}\n", "utf-8")
        self._git = Git.from_root(str(self._path), environ)
        for tip in self._tips:
            self._git.run("update-ref", "--no-deref", f"{_REFS}/{tip}", tip)
        roots = self._git.run("rev-list", "--max-parents=0", "--end-of-options", *self._tips)
        import hashlib

        self.key = hashlib.sha256(b"\n".join(sorted(roots.split()))).hexdigest()

    def make(self, haves: Sequence[str]) -> bytes:
        """Return a bundle of all tips, without what ``haves`` bring; of these, those that aren't here don't count."""
        asked = "".join(f"{have}\n" for have in haves if _ID.fullmatch(have))
        found = self._git.run("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=asked.encode() or b"\n")
        known = [line.split()[0].decode() for line in found.splitlines() if line.endswith(b" commit")]
        refs = [f"{_REFS}/{tip}" for tip in self._tips if tip not in set(known)]
        if not refs:
            return b""
        lines = "".join(f"{line}\n" for line in (*refs, *(f"^{each}" for each in known)))
        return self._git.run("bundle", "create", "--quiet", "-", "--stdin", stdin=lines.encode())

    @property
    def tips(self) -> tuple[str, ...]:
        """The commits that a worker must have."""
        return self._tips


def end_quietly(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that is left, with its group."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            return
        process.wait()
