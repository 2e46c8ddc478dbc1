"""A real git repository, an adapter that writes exactly the artifacts a test asks for, and the real command line."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked_programs
from sample_repository import SampleRepository, clean_environ

from verigate.domain.standard_artifacts import BY_PATH

GATE = forked_programs.GATE
ADAPTER = """\
#!/bin/sh
set -eu
here=$(dirname -- "$0")
capability=$1
shift
while [ $# -gt 0 ]; do
    case $1 in --task-dir) TASK_DIR=$2 ;; esac
    shift 2
done
export TASK_DIR
if [ -d "$here/out/$capability" ]; then cp -R -- "$here/out/$capability/." "$TASK_DIR/"; fi
if [ -f "$here/acts/$capability" ]; then . "$here/acts/$capability"; fi
"""


@dataclass(frozen=True)
class Done:
    """How one call of the gate ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What was printed on stdout, as JSON."""
        return json.loads(self.out)

    @property
    def output(self) -> str:
        """Both streams, for messages of failing assertions."""
        return f"exit {self.code}\n{self.out}\n{self.err}"


@dataclass(frozen=True)
class GatedRepository:
    """``root`` is the repository; ``home`` holds HOME and TMPDIR of every call, outside it."""

    sample: SampleRepository
    home: Path

    @property
    def root(self) -> Path:
        return self.sample.path

    @property
    def tmp(self) -> Path:
        return self.home / "tmp"

    def copy(self, folder: Path) -> GatedRepository:
        """A copy of the repository in ``folder``, with a home of its own."""
        shutil.copytree(self.root, folder / "repository", symlinks=True)
        found = GatedRepository(SampleRepository(folder / "repository"), folder / "home")
        found.tmp.mkdir(parents=True)
        return found

    def environ(self, **more: str) -> dict[str, str]:
        kept = clean_environ()
        for name in [name for name in kept if name.startswith(("GATE_", "PYTEST_", "COV_", "VERIGATE_"))]:
            del kept[name]
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            kept.pop(name, None)
        return {**kept, "HOME": str(self.home), "TMPDIR": str(self.tmp), **more}

    def gate(self, *arguments: str, cwd: Path | None = None, stdin: str = "", **environ: str) -> Done:
        """One call of the gate, to its end."""
        env = self.environ(**environ)
        done = forked_programs.gate(arguments, cwd=cwd or self.root, env=env, stdin=stdin.encode())
        # Nothing that the gate says may be undecodable: it escapes what it shows.
        found = Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
        assert "Traceback (most recent call last)" not in found.err, found.output
        return found

    def begin(self, task_id: str = "T1", task_type: str = "facts", **document: Any) -> None:
        """Write a commitment by hand, with HEAD as its base."""
        full = {"task_id": task_id, "type": task_type, "base": self.sample.git("rev-parse", "HEAD"), **document}
        self.put(f".artifacts/{task_id}/commitment.json", full)

    def claim(self, *units: str, task_id: str = "T1", **body: Any) -> None:
        """Write a claim by hand."""
        if units:
            body["units_list"] = list(units)
        self.put(f".artifacts/{task_id}/claim.json", {"task_id": task_id, "claim": body})

    def put(self, path: str, content: Any) -> Path:
        """Write a file of the working tree: bytes and text as they are, anything else as JSON."""
        return self.sample.write(path, content if isinstance(content, str | bytes) else json.dumps(content))

    def verify(self, task_id: str = "T1", *arguments: str, **environ: Any) -> Done:
        return self.gate("verify", task_id, "--quiet", *arguments, **environ)

    def verdict(self, task_id: str = "T1") -> Any:
        """The published verdict."""
        return json.loads((self.root / ".artifacts" / task_id / "verdict.json").read_bytes())

    def published(self, path: str, task_id: str = "T1") -> Any:
        return json.loads((self.root / ".artifacts" / task_id / path).read_bytes())

    def has_verdict(self, task_id: str = "T1") -> bool:
        return (self.root / ".artifacts" / task_id / "verdict.json").exists()


def make(
    folder: Path,
    artifacts: Mapping[str, Any] | None = None,
    rules: Mapping[str, Any] | None = None,
    *,
    acts: Mapping[str, str] | None = None,
    order: Sequence[str] | None = None,
    optional: Sequence[str] = (),
    capabilities: Sequence[str] = (),
    timeout: float = 30,
    files: Mapping[str, Any] | None = None,
) -> GatedRepository:
    """A repository whose base holds an adapter for ``artifacts``, a plan with the type ``facts``, and its profile.

    Its code is judged by the rules of ``facts`` too, so that these alone count.

    ``acts`` maps capabilities to sh text that runs after their artifacts were written, with $TASK_DIR. ``order`` is by
    default every capability that writes or acts; those in ``optional`` are optional.
    """
    found = GatedRepository(SampleRepository.create(folder / "repository"), folder / "home")
    found.tmp.mkdir(parents=True)
    written = {**(artifacts or {})}
    producers = [BY_PATH[path].capability if path in BY_PATH else "my:check" for path in written]
    names = list(dict.fromkeys([*producers, *(acts or {}), *capabilities]))
    planned = list(order if order is not None else names)
    adapter_files(found, "facts", names, written, acts or {}, timeout=timeout)
    found.put(
        "config/adapter-plan.json",
        {
            "facts": {
                "order": planned,
                "required": [name for name in planned if name not in optional],
                "optional": [name for name in planned if name in optional],
            }
        },
    )
    found.put("config/verification.profiles.json", {"facts": dict(rules or {}), "code_default": dict(rules or {})})
    for name, content in (files or {}).items():
        found.put(name, content)
    found.sample.commit("the base")
    return found


def adapter_files(
    repository: GatedRepository,
    name: str,
    capabilities: Sequence[str],
    artifacts: Mapping[str, Any],
    acts: Mapping[str, str],
    *,
    timeout: float = 30,
) -> None:
    """Write an adapter to the working tree."""
    base = f"adapters/{name}"
    sandbox = {"tools": ["python3"], "timeout": timeout, "network": False}
    manifest = {"name": name, "version": "1.0.0", "entry": "run", "capabilities": list(capabilities)}
    repository.put(f"{base}/manifest.json", {**manifest, "sandbox": sandbox})
    repository.sample.write(f"{base}/run", ADAPTER, executable=True)
    for path, value in artifacts.items():
        capability = BY_PATH[path].capability if path in BY_PATH else "my:check"
        repository.put(f"{base}/out/{capability}/{path}", value)
    for capability, text in acts.items():
        repository.put(f"{base}/acts/{capability}", text)


def processes_with(marker: str) -> list[int]:
    """Ids of living processes that carry ``marker`` in their arguments or their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            known = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if marker.encode() in known:
            found.append(int(entry.name))
    return found


def wait_until_gone(marker: str, within_s: float) -> list[int]:
    """Which of ``processes_with`` are still there after a moment: on a busy machine what was killed takes one to go."""
    until = time.monotonic() + within_s
    left = processes_with(marker)
    while left and time.monotonic() < until:
        time.sleep(0.02)
        left = processes_with(marker)
    return left
