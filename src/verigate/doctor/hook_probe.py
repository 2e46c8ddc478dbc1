"""Probe whether an installed hook blocks: send an honest commit and a false one through it.

Both in a private clone with a small policy of its own, so that neither the repository nor its checks are touched.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from verigate.domain.policy_source import POLICY_VARIABLE
from verigate.domain.task_folder import CLAIM_FILE, COMMITMENT_FILE, task_path
from verigate.errors import ExecutionError
from verigate.integrations.git.hook_states import InstalledHook

TIMEOUT_S = 120.0
_TYPE = "planted"
_REMOTE = "planted-remote"
_IDENTITY = ("-c", "user.name=gate doctor", "-c", "user.email=doctor@example.invalid", "-c", "commit.gpgsign=false")
_POLICY = {
    "config/adapter-plan.json": {_TYPE: {"order": ["code:diff"], "required": ["code:diff"], "optional": []}},
    "config/verification.profiles.json": {_TYPE: {"required_artifacts": ["diff.json"]}},
}


MESSAGE_HOOK = "commit-msg"
SHOWN = ("pre-commit", "pre-merge-commit", MESSAGE_HOOK, "pre-applypatch", "pre-push")
"""The hooks that can block and that can be probed."""

_TEST = "def test_planted():\n    assert len('ab') == 2\n"
_ORDER = ["code:diff", "code:integrity"]
_ABOUT_TESTS = {
    "config/adapter-plan.json": {_TYPE: {"order": _ORDER, "required": _ORDER, "optional": []}},
    "config/verification.profiles.json": {_TYPE: {"integrity": True, "weakening": "disclose"}},
}
"""The policy for the hook that decides on weakenings."""

_LINES_SHOWN = 8


class HookProbe(Struct, frozen=True):
    """The results of the two commits. ``output`` is the end of the output; seconds of both together."""

    honest_passed: bool
    lie_stopped: bool
    output: str
    seconds: float


def probe_hook(root: Path, hook: str, installed: InstalledHook, environ: Mapping[str, str]) -> HookProbe:
    """Send both commits through ``hook``, one of SHOWN. Raises ExecutionError where git fails."""
    began = time.monotonic()
    asked = _ABOUT_TESTS if hook == MESSAGE_HOOK else _POLICY
    policy = {**{name: json.dumps(document).encode() for name, document in asked.items()}, **installed.configuration}
    if hook == MESSAGE_HOOK:
        policy["test_planted.py"] = _TEST.encode()
    with make_private_clone(root, environ, policy, inside=installed.inside, programs=installed.programs) as place:
        place.git("init", "-q", "--bare", "--template=", str(place.top / "remote.git"))
        place.git("remote", "add", _REMOTE, str(place.top / "remote.git"))
        place.git("push", "-q", "--no-verify", _REMOTE, "HEAD")
        for name, content in installed.files.items():
            path = place.top.with_name("hooks") / name
            path.write_bytes(content)
            path.chmod(0o755 if installed.executable else 0o644)
        honest = _commit_through(place, hook, "honest", "file:honest.txt")
        lie = _commit_through(place, hook, "lie", "file:planted.txt")
        stderr = (honest if honest.returncode else lie).stderr.decode("utf-8", "replace").strip()
    # An error of the gate ends with a hint, and git prints after a hook: one line wouldn't show the fault.
    output = " ".join(line.strip() for line in stderr.splitlines()[-_LINES_SHOWN:])
    return HookProbe(honest.returncode == 0, lie.returncode != 0, output, time.monotonic() - began)


class PrivateClone(Struct, frozen=True):
    """A private clone with its ``top``, the folder next to it in which git looks for hooks, and the environment."""

    top: Path
    hooks: Path
    environ: Mapping[str, str]

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the working tree."""
        (self.top / name).parent.mkdir(parents=True, exist_ok=True)
        (self.top / name).write_bytes(content)

    def git(self, *arguments: str) -> None:
        """Run git. Raises ExecutionError where it fails."""
        done = self.run(*arguments)
        if done.returncode != 0:
            stderr = os.fsdecode(done.stderr).strip()
            hint = "check that the temporary folder is writable, and run `git fsck`"
            raise ExecutionError(
                f"can't make a commit in a private clone: git {arguments[0]} failed: {stderr}", hint=hint
            )

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[bytes]:
        """Run git with the variables in ``more``; return the completed process. Raises ExecutionError on a timeout."""
        argv = ("git", *_IDENTITY, "-c", f"core.hooksPath={self.hooks}", *arguments)
        try:
            return subprocess.run(
                argv, cwd=self.top if self.top.is_dir() else self.top.parent, env={**self.environ, **more},
                stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=TIMEOUT_S,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise ExecutionError(f"git {arguments[0]} took more than {TIMEOUT_S:.0f} s in a private clone") from None


@contextmanager
def make_private_clone(
    root: Path,
    environ: Mapping[str, str],
    files: Mapping[str, bytes],
    *,
    inside: str = "",
    programs: Sequence[str] = (),
) -> Iterator[PrivateClone]:
    """Make a clone of the repository with a history of its own, whose one commit has ``files``; removed afterwards.

    git looks for hooks in ``inside`` of a folder next to it; ``programs`` come last on PATH.
    """
    with tempfile.TemporaryDirectory(prefix="verigate-doctor-") as private:
        place = PrivateClone(
            Path(private) / "clone", Path(private) / "hooks" / inside, _clean_environment(environ, programs)
        )
        place.hooks.mkdir(parents=True)
        # A template may bring hooks, a checkout may run filters.
        place.git("clone", "-q", "--shared", "--no-checkout", "--template=", str(root), str(place.top))
        # A push must not send anything of the repository.
        place.git("symbolic-ref", "HEAD", "refs/heads/planted")
        for name, content in files.items():
            place.write(name, content)
        place.git("add", "--force", "--", *files)
        place.git("commit", "-q", "--no-verify", "-m", "A policy to send commits through")
        yield place


def _commit_through(place: PrivateClone, hook: str, task: str, unit: str) -> subprocess.CompletedProcess[bytes]:
    """Stage a line in ``honest.txt``, claim ``unit`` for it, and commit, or commit past the hook and push.

    The lie for the hook commit-msg is a test that is gone without a word.
    """
    with (place.top / "honest.txt").open("a", encoding="utf-8") as stream:
        stream.write(f"{task}\n")
    commitment = {"task_id": task, "type": _TYPE}
    claim = {"task_id": task, "claim": {"type": _TYPE, "units_list": [unit]}}
    for name, document in ((COMMITMENT_FILE, commitment), (CLAIM_FILE, claim)):
        place.write(task_path(task, name), json.dumps(document).encode())
    place.git("add", "--force", "--", "honest.txt")
    if hook == MESSAGE_HOOK and task == "lie":
        place.write("test_planted.py", b"")
        place.git("add", "--force", "--", "test_planted.py")
    if hook in {"pre-commit", MESSAGE_HOOK}:
        return place.run("commit", "-q", "-m", task, GATE_TASK_ID=task)
    place.git("commit", "-q", "--no-verify", "-m", task)
    if hook == "pre-merge-commit":
        place.git("branch", "-q", "-f", "planted-side")
        place.git("reset", "-q", "--hard", "HEAD~1")
        return place.run("merge", "-q", "--no-ff", "--no-edit", "planted-side", GATE_TASK_ID=task)
    if hook == "pre-applypatch":
        patches = place.top.with_name("patches")
        place.git("format-patch", "-q", "-1", "-o", str(patches / task))
        place.git("reset", "-q", "--hard", "HEAD~1")
        return place.run("am", "-q", *map(str, (patches / task).iterdir()), GATE_TASK_ID=task)
    return place.run("push", "-q", _REMOTE, "HEAD", GATE_TASK_ID=task)


def _clean_environment(environ: Mapping[str, str], programs: Sequence[str]) -> dict[str, str]:
    """Remove the variables of the gate's own runs, such as a task or a key.

    A manager that is installed in the work tree isn't in the clone; what is on PATH comes first.
    """
    path = os.pathsep.join((environ.get("PATH", os.defpath), *programs))
    kept = {name: value for name, value in environ.items() if not _is_run_variable(name)}
    # The policy that is planted judges, whatever ref the repository or the user names.
    return {**kept, "PATH": path, POLICY_VARIABLE: "HEAD"}


def _is_run_variable(name: str) -> bool:
    return name.startswith(("GATE_", "VERIGATE_")) or (name.startswith("GIT_") and "CONFIG" not in name)
