"""Small real git repositories with a base commit and a subject in the index, and calls of the code adapter on them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked_programs

Content = str | bytes | None
"""None removes a file."""


@dataclass(frozen=True)
class Outcome:
    """How one call of the adapter ended, and what it wrote."""

    exit_code: int
    stderr: str
    task_dir: Path

    def json(self, name: str) -> Any:
        return json.loads((self.task_dir / name).read_bytes())


@dataclass(frozen=True)
class ChangeRepository:
    """A repository whose HEAD is base and whose index is the subject, as the gate hands it to an adapter."""

    root: Path
    base: str

    def run(
        self,
        capability: str,
        task_dir: Path,
        *,
        claim: Mapping[str, Any] | None = None,
        commitment: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        path: str | None = None,
        gated: bool = True,
    ) -> Outcome:
        task_dir.mkdir(parents=True, exist_ok=True)
        (task_dir / "commitment.json").write_text(json.dumps({"task_id": "T", "type": "code", **(commitment or {})}))
        (task_dir / "claim.json").write_text(json.dumps({"task_id": "T", "claim": {"type": "code", **(claim or {})}}))
        env = {"PATH": path or os.environ["PATH"], "HOME": str(task_dir), "GATE_PYTHON": sys.executable}
        if gated:
            env |= {"GATE_REPO_ROOT": str(self.root), "GATE_BASE": self.base, "GATE_TASK_ID": "T"}
        arguments = [capability, "--task-dir", str(task_dir)]
        done = forked_programs.code_adapter(arguments, cwd=self.root, env=env | dict(environ or {}))
        return Outcome(done.returncode, done.stderr.decode("utf-8", "replace"), task_dir)


def git(root: Path, *arguments: str | bytes) -> str:
    """Run git in ``root`` with an identity and without the user's configuration."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TEMPLATE_DIR": "",  # no sample hooks
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    }
    argv = ["git", "-c", "maintenance.auto=false", *arguments]
    done = subprocess.run(argv, cwd=root, env=env, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return done.stdout.decode("utf-8", "replace").strip()


def write(root: Path, files: Mapping[str, Content]) -> None:
    """Write or remove files below ``root``; names may hold bytes that are no UTF-8 (``os.fsdecode``)."""
    for name, content in files.items():
        path = root / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def change_repository(root: Path, before: Mapping[str, Content], after: Mapping[str, Content]) -> ChangeRepository:
    """A repository with ``before`` committed and ``after`` on top of it in index and working tree."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    write(root, before)
    git(root, "add", "-A", "-f", "--", ".")
    git(root, "commit", "-q", "--allow-empty", "-m", "base")
    write(root, after)
    git(root, "add", "-A", "-f", "--", ".")
    return ChangeRepository(root, git(root, "rev-parse", "HEAD"))
