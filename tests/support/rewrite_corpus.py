"""The corpus of honest rewrites of tests: ``tests/corpus/rewrites/NAME/{base,head}`` with a ``case.json`` each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "rewrites"

RUNNERS = ("pytest", "unittest", "node:test", "mocha", "jest", "vitest", "go test", "cargo test", "maven")
LANGUAGES = ("python", "javascript", "typescript", "go", "rust", "java")
PRODUCT = ("unchanged", "refactoring", "feature", "fix", "behaviour")
"""What becomes of the code under test. ``behaviour``: its interface or results change on purpose, and ``message``
describes the change."""

Side = Literal["base", "head"]
SIDES: tuple[Side, ...] = ("base", "head")


@dataclass(frozen=True)
class RewriteCase:
    """A change that rewrites tests honestly: ``why`` gives the reason, ``message`` is its commit message.

    ``base_runner`` differs from ``runner`` where the change brings a new one.
    """

    name: str
    language: str
    runner: str
    base_runner: str
    kind: str
    product: str
    why: str
    message: str

    def tree(self, side: Side) -> Path:
        """The folder with all files before or after the change."""
        return CORPUS / self.name / side

    def files(self, side: Side) -> dict[str, bytes]:
        """The contents by path relative to the tree."""
        tree = self.tree(side)
        return {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}

    def runner_of(self, side: Side) -> str:
        """The runner of this side's tests."""
        return self.base_runner if side == "base" else self.runner


@cache
def read_cases() -> tuple[RewriteCase, ...]:
    """All cases by name. Raises TypeError where a case.json lacks a field or has an unknown one."""
    cases = []
    for path in sorted(CORPUS.glob("*/case.json")):
        fields = json.loads(path.read_bytes())
        fields.setdefault("base_runner", fields["runner"])
        cases.append(RewriteCase(name=path.parent.name, **fields))
    return tuple(cases)
