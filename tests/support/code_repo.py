"""Small real git repositories, and the code adapter run on them through its launcher."""

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
from lean_environment import lean_environment

_GIT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


@dataclass(frozen=True)
class Answer:
    """How one call of the adapter ended; ``folder`` is the task folder it wrote to."""

    exit_code: int
    stderr: str
    folder: Path

    def json(self, name: str) -> Any:
        assert self.exit_code == 0, self.stderr
        return json.loads((self.folder / name).read_bytes())

    @property
    def written(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@dataclass(frozen=True)
class CodeRepo:
    """A repository in ``root`` whose task folders are made in ``tasks``, outside it."""

    root: Path
    tasks: Path

    def git(self, *arguments: str | bytes, **environ: str) -> bytes:
        env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | _GIT | environ
        argv = ["git", "-c", "maintenance.auto=false", *arguments]
        return subprocess.run(argv, cwd=self.root, env=env, check=True, capture_output=True).stdout

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes] | None = None, message: str = "a commit") -> str:
        self.write(files or {})
        self.git("-c", "core.fsmonitor=false", "add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").decode().strip()

    def run(
        self,
        capability: str,
        *,
        gated: bool = False,
        config: Mapping[str, Any] | None = None,
        rules: Mapping[str, Any] | None = None,
        base: str | None = None,
        given: Answer | None = None,
        claim: Mapping[str, Any] | None = None,
        **environ: str,
    ) -> Answer:
        """Call the adapter: by hand, or ``gated`` with the index as the subject, as the gate's runner does.

        It sees the artifacts of ``given``, and a claim with these members.
        """
        folder = self.tasks / f"T{sum(1 for _ in self.tasks.iterdir())}"
        folder.mkdir()
        for artifact in given.folder.iterdir() if given is not None else ():
            (folder / artifact.name).write_bytes(artifact.read_bytes())
        if claim is not None:
            (folder / "claim.json").write_text(json.dumps({"task_id": folder.name, "claim": claim}))
        env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "GATE_", "PYTEST_", "VIRTUAL_ENV", "COV"))
        }
        # pytest and coverage for repositories without an environment of their own.
        tools = {"GATE_PYTHON": sys.executable, "VIRTUAL_ENV": str(lean_environment())}
        env |= tools | {"PYTHONHASHSEED": "0"} | environ
        if gated:
            self.git("-c", "core.fsmonitor=false", "add", "--all")
            env |= {"GATE_REPO_ROOT": str(self.root), "GATE_PROTOCOL": "1", "GATE_TASK_ID": folder.name}
            env["GATE_BASE"] = base or self.git("rev-parse", "HEAD").decode().strip()
        if config is not None:
            env["GATE_CONFIG"] = json.dumps(config)
        arguments = [capability, "--task-dir", str(folder)]
        if rules is not None:
            (self.tasks / f"{folder.name}.profile.json").write_text(json.dumps({"p": rules, "active": "p"}))
            arguments += ["--profile", str(self.tasks / f"{folder.name}.profile.json")]
        done = forked_programs.code_adapter(arguments, cwd=self.root, env=env)
        return Answer(done.returncode, done.stderr.decode("utf-8", "replace"), folder)


def make_repo(folder: Path, files: Mapping[str, str | bytes] | None = None) -> CodeRepo:
    """A repository with one commit of ``files`` in ``folder``."""
    root, tasks = folder / "repo", folder / "tasks"
    root.mkdir(parents=True)
    tasks.mkdir()
    repo = CodeRepo(root, tasks)
    repo.git("init", "--quiet", "--initial-branch=main")
    repo.commit(files)
    return repo
