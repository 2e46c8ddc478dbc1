"""Whether an installed hook blocks: an honest commit and a lie are sent through it.

Both in a private clone with a small policy of its own, so that neither the repository nor its checks are touched.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.errors import ExecutionError

TIMEOUT_S = 120.0
_TYPE = "planted"
_REMOTE = "planted-remote"
_IDENTITY = ("-c", "user.name=gate doctor", "-c", "user.email=doctor@example.invalid", "-c", "commit.gpgsign=false")
_POLICY = {
    "config/adapter-plan.json": {_TYPE: {"order": ["code:diff"], "required": ["code:diff"], "optional": []}},
    "config/verification.profiles.json": {_TYPE: {"required_artifacts": ["diff.json"]}},
}


SHOWN = ("pre-commit", "pre-push")
"""The hooks that can block, and through which something can be sent."""


class Sent(Struct, frozen=True):
    """What became of the two commits. ``told`` is the last thing that was said; seconds of both together."""

    honest_passed: bool
    lie_stopped: bool
    told: str
    seconds: float


def send(root: Path, hook: str, launcher: bytes, environ: Mapping[str, str]) -> Sent:
    """Send both through ``hook``, one of SHOWN, whose installed text is ``launcher``.

    Raises ExecutionError where git fails.
    """
    began = time.monotonic()
    # What is set for the gate's own runs, a task or a key, is none of this one's.
    kept = {name: value for name, value in environ.items() if not _is_of_a_run(name)}
    with tempfile.TemporaryDirectory(prefix="verigate-doctor-") as private:
        clone, hooks = Path(private) / "clone", Path(private) / "hooks"
        hooks.mkdir()
        # A template may bring hooks, a checkout may run filters.
        _git(clone.parent, kept, "clone", "-q", "--shared", "--no-checkout", "--template=", str(root), str(clone))
        # A history of its own: a push sends nothing of the repository's.
        _git(clone, kept, "symbolic-ref", "HEAD", "refs/heads/planted")
        for name, document in _POLICY.items():
            _write(clone / name, document)
        _git(clone, kept, "add", "--force", "--", *_POLICY)
        _git(clone, kept, "commit", "-q", "--no-verify", "-m", "A policy to send commits through")
        _git(clone, kept, "init", "-q", "--bare", "--template=", str(clone / "remote.git"))
        _git(clone, kept, "remote", "add", _REMOTE, str(clone / "remote.git"))
        _git(clone, kept, "push", "-q", "--no-verify", _REMOTE, "HEAD")
        installed = hooks / hook
        installed.write_bytes(launcher)
        installed.chmod(0o755)
        honest = _through(hook, clone, kept, "honest", "file:honest.txt")
        lie = _through(hook, clone, kept, "lie", "file:planted.txt")
        told = (honest if honest.returncode else lie).stderr.decode("utf-8", "replace").strip()
    return Sent(
        honest.returncode == 0, lie.returncode != 0, told.splitlines()[-1] if told else "", time.monotonic() - began
    )


def _through(
    hook: str, clone: Path, environ: Mapping[str, str], task: str, unit: str
) -> subprocess.CompletedProcess[bytes]:
    """Stage a line in ``honest.txt``, claim ``unit`` for it, and commit, or commit past the hook and push."""
    with (clone / "honest.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{task}\n")
    _write(clone / ".artifacts" / task / "commitment.json", {"task_id": task, "type": _TYPE})
    claim = {"type": _TYPE, "units_list": [unit]}
    _write(clone / ".artifacts" / task / "claim.json", {"task_id": task, "claim": claim})
    _git(clone, environ, "add", "--force", "--", "honest.txt")
    own = {**environ, "GATE_TASK_ID": task}
    if hook == "pre-commit":
        return _run(clone, own, "commit", "-q", "-m", task)
    _git(clone, environ, "commit", "-q", "--no-verify", "-m", task)
    return _run(clone, own, "push", "-q", _REMOTE, "HEAD")


def _write(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


def _git(folder: Path, environ: Mapping[str, str], *arguments: str) -> None:
    done = _run(folder, environ, *arguments)
    if done.returncode != 0:
        said = os.fsdecode(done.stderr).strip()
        hint = "see that the temporary folder can be written to, and that `git fsck` is content"
        raise ExecutionError(f"no commit could be planted: git {arguments[0]} failed: {said}", hint=hint)


def _is_of_a_run(name: str) -> bool:
    return name.startswith(("GATE_", "VERIGATE_")) or (name.startswith("GIT_") and "CONFIG" not in name)


def _run(folder: Path, environ: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Git in ``folder``, the clone or beside it, with the hooks beside the clone and none of the user's."""
    beside = folder if (folder / "hooks").is_dir() else folder.parent
    argv = ("git", *_IDENTITY, "-c", f"core.hooksPath={beside / 'hooks'}", *arguments)
    try:
        return subprocess.run(
            argv, cwd=folder, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False,
            timeout=TIMEOUT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ExecutionError(f"git {arguments[0]} took more than {TIMEOUT_S:.0f} s in a private clone") from None
