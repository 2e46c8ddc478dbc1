"""A small real git repository in a temporary folder."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from verigate.domain.task_folder import TRAVELLING_FILES

IDENTITY = {
    "GIT_AUTHOR_NAME": "A Person",
    "GIT_AUTHOR_EMAIL": "person@example.org",
    "GIT_COMMITTER_NAME": "A Person",
    "GIT_COMMITTER_EMAIL": "person@example.org",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def clean_environ(**more: str) -> dict[str, str]:
    """This process's environment without git's variables and without an active virtual environment."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_") and key != "VIRTUAL_ENV"}
    return {**kept, **more}


_TRAVELLING = (
    ".artifacts/.gitignore",
    *(f".artifacts/*/{name}" for name in TRAVELLING_FILES),
    ".artifacts/.approvals/*.json",
)


@dataclass(frozen=True)
class SampleRepository:
    """``path`` is its top folder."""

    path: Path

    @classmethod
    def create(cls, path: Path, *options: str) -> SampleRepository:
        path.mkdir(parents=True, exist_ok=True)
        repository = cls(path)
        repository.git("init", "--quiet", "--initial-branch=main", *options)
        return repository

    def git(self, *arguments: str, stdin: bytes = b"", environ: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ("git", "-c", "protocol.file.allow=always", "-c", "maintenance.auto=false", *arguments),
            cwd=self.path,
            env={**clean_environ(), **IDENTITY, **(environ or {})},
            input=stdin,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return os.fsdecode(done.stdout).strip()

    def write(self, name: str | bytes, content: str | bytes = "", *, executable: bool = False) -> Path:
        path = self.path / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if executable:
            path.chmod(0o755)
        return path

    def commit(self, message: str = "work") -> str:
        left = (f":(exclude){name}" for name in ("node_modules", ".venv", "target", ".artifacts"))
        self.git("add", "--all", "--force", "--", *left, ".")
        self.git("add", "--update")
        # Of the gate's files those that may travel: evidence can't be committed.
        travelling = [path for pattern in _TRAVELLING for path in self.path.glob(pattern)]
        if travelling:
            self.git("add", "--force", "--", *(str(path.relative_to(self.path)) for path in travelling))
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def fingerprint(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything about a folder that a write would change: modes, times, links, contents.

    Not the times of git's objects: git touches an object instead of writing it a second time.
    """
    found: dict[str, tuple[object, ...]] = {}
    for path in folder.rglob("*"):
        info = path.lstat()
        content: object = None
        if stat.S_ISLNK(info.st_mode):
            content = path.readlink()
        elif stat.S_ISREG(info.st_mode):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        time = 0 if ".git/objects/" in str(path) and path.is_file() else info.st_mtime_ns
        found[str(path)] = (info.st_mode, time, info.st_ino, content)
    return found


def contents(folder: Path, *, without: tuple[str, ...] = (".git",)) -> dict[str, str]:
    """Relative path to content, link text or mode of every file, link and folder."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if relative.parts[0] in without:
            continue
        mode = f"{path.lstat().st_mode:o}"
        if path.is_symlink():
            found[str(relative)] = f"{mode} -> {path.readlink()}"
        elif path.is_file():
            found[str(relative)] = f"{mode} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        else:
            found[str(relative)] = mode
    return found
