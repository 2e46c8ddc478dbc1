"""The attempts of ``tests/corpus/mechanisms``: read and run, in a fresh home, with a clean environment."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/corpus/mechanisms"
LIMITS = CORPUS / "limits.json"
CODES = {"fail": {1}, "error": {2, 3}, "undecided": {4}}
PROGRAMS = ("gate", "python", "python3", "pytest", "ruff")
TIME_LIMIT_S = 600
_HEAD = re.compile(r"^# (rights|expect|because): *(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Attempt:
    """A script: ``codes`` are the exit codes that stop it, ``because`` a text that the output must have."""

    path: Path
    rights: str
    codes: frozenset[int]
    because: str

    @property
    def name(self) -> str:
        """Mechanism and script, as in ``limits.json``."""
        return f"{self.path.parent.name}/{self.path.stem}"


def read_attempts() -> list[Attempt]:
    """Read all attempts, sorted by name."""
    found = []
    for path in sorted(CORPUS.glob("*/[0-9]*.sh")):
        head = dict(_HEAD.findall(path.read_text(encoding="utf-8")))
        codes = frozenset().union(*(CODES[word] for word in head["expect"].split()[0].split("|")))
        found.append(Attempt(path, head["rights"], codes, head.get("because", "")))
    return found


def read_limits() -> dict[str, str]:
    """Map the attempts that may pass to the reasons."""
    limits: dict[str, str] = json.loads(LIMITS.read_bytes())
    return limits


def run_attempt(attempt: Attempt, *, honest: bool) -> tuple[int, str]:
    """Run one form; return the gate's exit code and all that was printed."""
    place = Path(tempfile.mkdtemp(prefix="attempt-"))
    try:
        for name in ("home", "tmp", "work", "bin"):
            (place / name).mkdir()
        for name in PROGRAMS:
            (place / "bin" / name).symlink_to(Path(sys.prefix, "bin", name))
        environ = {
            "PATH": f"{place}/bin:/usr/bin:/bin",
            "HOME": str(place / "home"),
            "TMPDIR": str(place / "tmp"),
            "LANG": "C.UTF-8",
            "ATTACKS": str(attempt.path.parent),
            **({"HONEST": "1"} if honest else {}),
        }
        for who in ("AUTHOR", "COMMITTER"):
            environ |= {f"GIT_{who}_NAME": "Ada", f"GIT_{who}_EMAIL": "ada@example.org"}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", str(attempt.path)],
            cwd=place / "work",
            env=environ,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=TIME_LIMIT_S,
            check=False,
        )
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")
    finally:
        # Some take the right to write from their folders.
        for folder, _, _ in os.walk(place):
            os.chmod(folder, 0o700)  # noqa: PTH101 - as walk names it
        shutil.rmtree(place, ignore_errors=True)


def judge_attempt(attempt: Attempt) -> str:
    """Say how the attempt ended: ``stopped``, ``passed``, or what is wrong with how it was stopped."""
    code, printed = run_attempt(attempt, honest=False)
    if code == 0:
        return "passed"
    if code not in attempt.codes:
        return f"exit code {code}"
    return "stopped" if attempt.because in printed else f"stopped, without {attempt.because!r}"
