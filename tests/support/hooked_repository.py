"""A clone whose git hooks are those of the gate, and its remote: real git, and the real gate.

An adapter of the repository reports failing tests where ``bad.py`` is.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
from sample_repository import IDENTITY

PLAN = "config/adapter-plan.json"
ENTRY = {"order": ["code:tests"], "required": ["code:tests"], "optional": []}
BROKEN = {
    "passed": 0, "failed": 1, "skipped": 0, "total": 1, "duration": 1.0, "failures": [{"id": "t::one", "message": "no"}]
}  # fmt: skip
ACT = '[ ! -e bad.py ] || cp -- "$here/broken.json" "$TASK_DIR/tests.json"\n'


class HookedRepository:
    """A clone whose hooks are installed, and its remote."""

    def __init__(self, folder: Path, *options: str) -> None:
        files = {PLAN: {"code": ENTRY}, "adapters/facts/broken.json": BROKEN, ".gitignore": ".artifacts/\n"}
        facts, rules = {"tests.json": lf.GOOD["tests.json"]}, {"tests_pass": True, "tests_min": 1}
        self.gated = gr.make(folder, facts, rules, acts={"code:tests": ACT}, files=files)
        self.root = self.gated.root
        self.git("init", "-q", "--bare", "--initial-branch=main", str(folder / "remote.git"))
        self.git("remote", "add", "origin", str(folder / "remote.git"))
        self.git("push", "-q", "origin", "main")
        installed = self.gated.gate("install", *options)
        assert installed.code == 0, installed.output

    def run(self, *arguments: str, cwd: Path | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
        more = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true", **IDENTITY, **environ}
        return subprocess.run(
            ("git", "-c", "protocol.file.allow=always", *arguments), cwd=cwd or self.root,
            env=self.gated.environ(**more), capture_output=True, text=True, check=False,
        )  # fmt: skip

    def git(self, *arguments: str, **options: object) -> str:
        done = self.run(*arguments, **options)  # type: ignore[arg-type] # options of one of its parameters
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout.strip()

    def stopped(self, *arguments: str, **options: object) -> str:
        """Run git, which must not succeed, nor move HEAD; return what was printed, as one line."""
        head = self.git("rev-parse", "HEAD", **options)
        done = self.run(*arguments, **options)  # type: ignore[arg-type] # options of one of its parameters
        said = " ".join((done.stdout + done.stderr).split())
        assert done.returncode != 0, said
        assert self.git("rev-parse", "HEAD", **options) == head
        return said

    def add(self, name: str, content: str = "x = 1\n", *, cwd: Path | None = None) -> None:
        ((cwd or self.root) / name).write_text(content)
        self.git("add", "--", name, cwd=cwd)

    def slip(self, name: str, content: str = "x = 1\n") -> str:
        """Commit a file past the hooks."""
        self.add(name, content)
        self.git("commit", "-q", "--no-verify", "-m", f"Add {name}")
        return self.git("rev-parse", "HEAD")
