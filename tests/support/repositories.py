"""Real git repositories for tests, and the real command line run in them.

A ``Repository`` is a folder with git in it. Its methods write files, make commits, begin and claim tasks the way people
do by hand (commitment.json and claim.json are plain files), and start ``gate`` as a process of its own with an
environment that has nothing of the caller's but PATH and TMPDIR.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import forked_programs

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A. Author",
    "GIT_AUTHOR_EMAIL": "author@example.com",
    "GIT_COMMITTER_NAME": "A. Author",
    "GIT_COMMITTER_EMAIL": "author@example.com",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TEMPLATE_DIR": "",  # no sample hooks
}

Content = str | bytes | None


@dataclass(frozen=True)
class Ended:
    """How a ``gate`` process ended. ``verdict`` is what it printed with ``--json``, None where that isn't a verdict."""

    exit_code: int
    stdout: bytes
    stderr: bytes

    @cached_property
    def verdict(self) -> dict[str, Any] | None:
        try:
            document = json.loads(self.stdout)
        except ValueError:
            return None
        is_verdict = isinstance(document, dict) and document.get("schema") == "verigate:verdict.v1"
        return document if is_verdict else None

    @property
    def reasons(self) -> set[str]:
        """The reason codes of the verdict; of an end without one, none."""
        return {reason["code"] for reason in self.verdict["reasons"]} if self.verdict else set()

    def check(self, check_id: str) -> dict[str, Any] | None:
        """The check of this id in the verdict."""
        checks = self.verdict["checks"] if self.verdict else []
        return next((check for check in checks if check["id"] == check_id), None)

    def __str__(self) -> str:
        told = [f"exit code {self.exit_code}"]
        if self.verdict:
            told += [f"  {item['code']} ({item['check']}): {item['message']}" for item in self.verdict["reasons"]]
        else:
            told.append(self.stdout.decode("utf-8", "replace")[-4000:])
        return "\n".join([*told, self.stderr.decode("utf-8", "replace")[-4000:]])


@dataclass
class Repository:
    """A git repository in ``root``. ``home`` is the HOME of what is started in it, ``environ`` further variables."""

    root: Path
    home: Path
    environ: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path, files: Mapping[str, Content] | None = None) -> Repository:
        """A new repository ``folder/repo``; with ``files``, they are its first commit."""
        root, home = folder / "repo", folder / "home"
        root.mkdir(parents=True)
        home.mkdir()
        repository = cls(root, home)
        repository.git("init", "--quiet", "--initial-branch=main")
        if files is not None:
            repository.commit(files)
        return repository

    def git(self, *arguments: str, stdin: bytes | None = None, **environ: str) -> str:
        """Run git here; returns its stdout without the final newline. Raises CalledProcessError."""
        done = self.try_git(*arguments, stdin=stdin, **environ)
        done.check_returncode()
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def try_git(
        self, *arguments: str, stdin: bytes | None = None, **environ: str
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git here, whatever comes of it."""
        env = self._environment() | _IDENTITY | environ
        argv = ["git", "-c", "maintenance.auto=false", *arguments]
        return subprocess.run(argv, cwd=self.root, env=env, input=stdin, check=False, capture_output=True, timeout=60)

    def write(self, files: Mapping[str, Content]) -> None:
        """Write files, by path relative to the root; None removes one. Text beginning with ``#!`` is executable."""
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            raw = content.encode() if isinstance(content, str) else content
            path.write_bytes(raw)
            if raw.startswith(b"#!"):
                path.chmod(0o755)

    def commit(self, files: Mapping[str, Content] | None = None, message: str = "a commit") -> str:
        """Write ``files``, commit all there is, and return the commit's id."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        """The id of HEAD's commit."""
        return self.git("rev-parse", "HEAD")

    def task(self, task_id: str = "T1", type_: str = "code", *, base: str | None = None, **fields: Any) -> None:
        """Write a commitment. ``base`` is HEAD if it isn't given; ``fields`` are further members of the document."""
        document = {"task_id": task_id, "type": type_, "base": base or self.head, **fields}
        self.write({f".artifacts/{task_id}/commitment.json": json.dumps(document)})

    def claim(self, *units: str, task_id: str = "T1", type_: str = "code", **fields: Any) -> None:
        """Write a claim that lists ``units``. ``fields`` are further members of its body."""
        body = {"type": type_, **({"units_list": list(units)} if units else {}), **fields}
        self.write({f".artifacts/{task_id}/claim.json": json.dumps({"task_id": task_id, "claim": body})})

    def policy(
        self,
        order: Sequence[str],
        rules: Mapping[str, Any],
        *,
        optional: Sequence[str] = (),
        type_: str = "change",
        mutants_s: float = 0,
    ) -> None:
        """Give the repository a task type of its own with a profile of the same name; not committed yet.

        The rules are those of its code as well, which would count beside them otherwise. Mutants have ``mutants_s``
        seconds: they take a run each, which only tests about them need. What is configured for adapters stays.
        """
        required = [name for name in order if name not in optional]
        plan = {type_: {"order": list(order), "required": required, "optional": list(optional)}}
        configured = self.root / "config/adapters.json"
        adapters = json.loads(configured.read_bytes()) if configured.exists() else {}
        adapters["code"] = {"mutants_s": mutants_s, **adapters.get("code", {})}
        self.write(
            {
                "config/adapter-plan.json": json.dumps(plan),
                "config/verification.profiles.json": json.dumps({type_: dict(rules), "code_default": dict(rules)}),
                "config/adapters.json": json.dumps(adapters),
            }
        )

    def adapter(self, name: str, capability: str, script: str, *, timeout: int = 20, **fields: Any) -> None:
        """Give the repository an adapter; not committed yet. ``script`` is the whole entry, ``#!`` line included."""
        manifest = {
            "name": name,
            "version": "1.0.0",
            "description": f"Provides {capability}",
            "entry": "bin/entry",
            "capabilities": [capability],
            "sandbox": {"tools": ["python3", "git"], "timeout": timeout, "network": False},
            **fields,
        }
        self.write({f"adapters/{name}/manifest.json": json.dumps(manifest), f"adapters/{name}/bin/entry": script})

    def gate(self, *arguments: str, timeout: float = 120, **environ: str) -> Ended:
        """Run ``gate`` here."""
        env = self._environment() | self.environ | environ
        done = forked_programs.gate(arguments, cwd=self.root, env=env, timeout=timeout)
        return Ended(done.returncode, done.stdout, done.stderr)

    def verify(self, task_id: str = "T1", *arguments: str, timeout: float = 120, **environ: str) -> Ended:
        """``gate verify <task_id> --json``."""
        return self.gate("verify", task_id, "--json", "--quiet", *arguments, timeout=timeout, **environ)

    def artifact(self, path: str, task_id: str = "T1") -> Path:
        """A file of a task's published folder."""
        return self.root / ".artifacts" / task_id / path

    def _environment(self) -> dict[str, str]:
        return {"PATH": search_path(), "HOME": str(self.home), "LANG": "C.UTF-8", "TMPDIR": gettempdir()}


def search_path() -> str:
    """Where programs are looked for: the system's folders, and those of node and cargo on this machine."""
    folders = [str(Path(found).parent) for name in ("node", "cargo") if (found := shutil.which(name))]
    return os.pathsep.join(dict.fromkeys([*folders, "/usr/local/bin", "/usr/bin", "/bin"]))
