"""Make the repository of a case of a corpus of lies, and verify its change with the real gate."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import lie_corpus  # noqa: E402 - its folder is on the path only now
import preemptive_corpus  # noqa: E402 - as above
from repositories import Repository  # noqa: E402 - as above

__all__ = ["ALONE", "ALONE_PROFILES", "ROOT", "Case", "Ended", "lie_corpus", "preemptive_corpus", "verify"]

ALONE = ("code:integrity", "code:counterfactual", "code:sensitivity")
"""What shows weakened tests."""
ALONE_PROFILES = {"code_default": {"integrity": True, "weakening": "disclose"}}
"""What judges by that alone: the suite of every form is green, so that a rule about tests that pass says nothing."""
TIMEOUT_S = 900


class Case(Protocol):
    """A small project with a base and forms of its change."""

    @property
    def name(self) -> str:
        """The name of the case."""

    @property
    def runner(self) -> str:
        """The test runner, which says what files all its projects share."""

    def files(self, form: str) -> Mapping[str, bytes]:
        """Return the files of a form, by path."""


@dataclass(frozen=True)
class Ended:
    """How a verification ended; ``artifacts`` are the published ones, by name."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    artifacts: Mapping[str, Any]

    @property
    def last_words(self) -> str:
        """The last line of the messages."""
        return (self.stderr.decode("utf-8", "replace").strip().splitlines() or ["no message"])[-1]

    def read_verdict(self) -> dict[str, Any]:
        """Read the verdict. Raises ValueError if there is none."""
        verdict: dict[str, Any] = json.loads(self.stdout)
        return verdict


def verify(
    case: Case,
    form: str,
    message: str,
    *,
    gate: str,
    capabilities: Sequence[str] = ALONE,
    profiles: Mapping[str, Any] = ALONE_PROFILES,
) -> Ended:
    """Commit the base of a case and then a form of its change, and verify the second commit against the first."""
    plan = {"code": {"order": [*capabilities], "required": [*capabilities], "optional": []}}
    policy = {"config/adapter-plan.json": json.dumps(plan), "config/verification.profiles.json": json.dumps(profiles)}
    with tempfile.TemporaryDirectory(prefix="lies-") as folder:
        base, head = dict(case.files("base")), dict(case.files(form))
        repository = Repository.make(Path(folder))
        written = base | {path: text.encode() for path, text in policy.items()}
        lie_corpus.write(written, repository.root, case.runner)
        repository.commit(message="Begin")
        changed = {path: head.get(path) for path in base.keys() | head if base.get(path) != head.get(path)}
        repository.commit(changed, message)
        argv = (gate, "-C", repository.root, "verify", "--ref", "HEAD", "--base", "HEAD^", "--json", "--quiet")
        env = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        started = time.monotonic()
        done = subprocess.run(argv, capture_output=True, check=False, env=env, timeout=TIMEOUT_S)
        seconds = time.monotonic() - started
        artifacts = {file.name: json.loads(file.read_bytes()) for file in repository.root.glob(".artifacts/*/*.json")}
    return Ended(done.returncode, done.stdout, done.stderr, seconds, artifacts)
