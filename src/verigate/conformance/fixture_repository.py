"""Make a git repository of a fixture: its base committed, its subject in the working tree."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path

from verigate.conformance.fixtures import Fixture
from verigate.errors import ExecutionError

_MOMENT = "2001-02-03T04:05:06Z"
_IDENTITY = {
    "GIT_AUTHOR_NAME": "Conformance Kit",
    "GIT_AUTHOR_EMAIL": "kit@example.invalid",
    "GIT_AUTHOR_DATE": _MOMENT,
    "GIT_COMMITTER_NAME": "Conformance Kit",
    "GIT_COMMITTER_EMAIL": "kit@example.invalid",
    "GIT_COMMITTER_DATE": _MOMENT,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C",
}
"""Fixed, so that the commit has the same id in every run."""


def make_repository(place: Path, fixture: Fixture, path: str) -> None:
    """Make ``place`` (which must not exist) the repository of a fixture; ``path`` is the caller's PATH.

    Raises ExecutionError.
    """
    place.mkdir(parents=True)
    _run_git(place, path, "init", "--quiet", "--template=", "--initial-branch=main")
    _write(place, fixture.base, fixture.executables)
    if fixture.base:
        _run_git(place, path, "add", "--all", "--force")
    _run_git(place, path, "commit", "--quiet", "--allow-empty", "--no-verify", "--no-gpg-sign", "-m", "The base")
    for gone in fixture.base.keys() - fixture.files.keys():
        _resolve_path(place, gone).unlink()
    _write(place, fixture.files, fixture.executables)


def _write(place: Path, files: Mapping[bytes, bytes], executables: AbstractSet[bytes]) -> None:
    for name, content in files.items():
        path = _resolve_path(place, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if name in executables else 0o644)


def _resolve_path(place: Path, name: bytes) -> Path:
    return place / os.fsdecode(name)


def _run_git(place: Path, path: str, *arguments: str) -> None:
    try:
        done = subprocess.run(
            ("git", *arguments), cwd=place, env={"PATH": path, **_IDENTITY}, capture_output=True, check=False
        )
    except FileNotFoundError as problem:
        raise ExecutionError("the conformance kit needs git", hint="install git") from problem
    if done.returncode != 0:
        stderr = done.stderr.decode(errors="replace").strip()
        raise ExecutionError(f"can't make a fixture: git {arguments[0]} failed: {stderr}", where=str(place))
