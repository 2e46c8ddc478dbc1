"""A repository with an agent's host installed in it: what a host would do with its settings, done by hand."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import gated_repository
from gated_repository import Done, GatedRepository

WORKS = "def add(a, b):\n    return a + b\n"
BROKEN = "def add(a, b):\n    return a - b\n"

COUNT_TESTS = """\
failed=1
case $(cat shop.py 2>/dev/null) in *'a + b'*) failed=0 ;; esac
counts='"total": 1, "skipped": 0, "duration": 0.1'
printf '{%s, "passed": %s, "failed": %s}' "$counts" $((1 - failed)) "$failed" >"$TASK_DIR/tests.json"
"""
"""An adapter's act: one test, which passes if shop.py adds."""


def make(folder: Path, *, act: str = COUNT_TESTS, rules: Mapping[str, Any] | None = None) -> GatedRepository:
    """A repository whose type code has one test; its base has no shop.py."""
    plan = {"code": {"order": ["code:tests"], "required": ["code:tests"], "optional": []}}
    return gated_repository.make(
        folder,
        acts={"code:tests": act},
        files={
            "config/adapter-plan.json": plan,
            "config/verification.profiles.json": {"code_default": dict(rules or {"tests_pass": True})},
        },
    )


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def installed_command(settings: Any, event: str) -> str:
    """The gate's command for one of its events, from a host's settings."""
    found = [
        text for text in strings(settings) if "'verigate-hook'" in text and f"'{event}'" in text.split("'hook'")[-1]
    ]
    assert len(found) == 1, found
    return found[0]


def call(repository: GatedRepository, command: str, document: Any, **environ: str) -> Done:
    """Run an installed command as a host does: by a shell, with JSON on stdin, in a subfolder."""
    folder = repository.root / "docs"
    folder.mkdir(exist_ok=True)
    sent = document if isinstance(document, bytes) else json.dumps(document).encode()
    done = subprocess.run(
        ("bash", "-c", command),
        cwd=folder,
        env=repository.environ(**environ),
        input=sent,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def own_tasks(repository: GatedRepository, host: str) -> list[Path]:
    """The folders of the tasks that hooks of ``host`` made, in the order of their making."""
    folders = (repository.root / ".artifacts").glob(f"{host}-*")
    return sorted(folders, key=lambda path: path.stat().st_mtime_ns)
