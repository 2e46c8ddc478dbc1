"""The files of ``gate init``: made for the detected stack, never over an existing file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.domain.task_folder import ARTIFACTS_FOLDER, GITIGNORE
from verigate.errors import ExecutionError
from verigate.integrations.setup.stack import Stack

_SCHEMAS = "https://verigate.dev/schemas"

_ORDER = {
    "code:diff": None,
    "code:functions": None,
    "code:integrity": None,
    "code:lint": "lint",
    "code:tests": "tests",
    "code:coverage": "coverage",
    "code:build": "build",
}
"""Capability -> the kind of tool it needs (None: none)."""

_OPTIONAL = frozenset({"code:coverage"})


class PlannedFile(Struct, frozen=True):
    """A file that would be written. ``path`` is relative to the root; an ``exists`` file is not written."""

    path: str
    content: str
    exists: bool


def plan_init_files(root: Path, stack: Stack) -> tuple[PlannedFile, ...]:
    """Plan what ``gate init`` would write at ``root``; nothing is written."""
    contents = {
        "config/adapter-plan.json": _render_json(
            {"$schema": f"{_SCHEMAS}/plan.v1.json", "code": _make_plan_entry(stack)}
        ),
        "config/verification.profiles.json": _render_json(
            {"$schema": f"{_SCHEMAS}/profiles.v1.json", "code_default": _make_profile(stack)}
        ),
        f"{ARTIFACTS_FOLDER}/.gitignore": GITIGNORE,
    }
    return tuple(PlannedFile(path, content, os.path.lexists(root / path)) for path, content in contents.items())


def write_files(root: Path, files: tuple[PlannedFile, ...]) -> tuple[str, ...]:
    """Write the files that don't exist; return their paths. Raises ExecutionError where a folder is a link."""
    written = []
    for planned in files:
        target = root / planned.path
        # Through a folder that is a link the file would be written elsewhere.
        folder = Path(os.path.realpath(target.parent))
        if folder != Path(os.path.realpath(root)) / Path(planned.path).parent:
            raise ExecutionError(
                f"{Path(planned.path).parent} is a symbolic link",
                where=planned.path,
                hint="replace it with a real folder",
            )
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with target.open("x", encoding="utf-8") as stream:
                stream.write(planned.content)
        except FileExistsError:
            continue
        written.append(planned.path)
    return tuple(written)


def _make_plan_entry(stack: Stack) -> dict[str, Any]:
    order = [name for name, kind in _ORDER.items() if kind is None or stack.names(kind)]
    return {
        "description": (
            f"Code here: {_format_names(stack.languages)}. Tests: {_format_names(stack.test_tools)}. "
            f"Linters: {_format_names(stack.linters)}. The other shipped task types stay as they are."
        ),
        "order": order,
        "required": [name for name in order if name not in _OPTIONAL],
        "optional": [name for name in order if name in _OPTIONAL],
    }


def _make_profile(stack: Stack) -> dict[str, Any]:
    words = ["The shipped profile code, for what this repository can answer."]
    words += [
        f"No {noun} was found: delete the null {rules} when you add one."
        for kind, noun, rules in (
            ("tests", "test", "of tests_pass and tests_min"),
            ("lint", "configured linter", "of lint_errors_max"),
        )
        if kind in stack.gaps
    ]
    if stack.names("coverage"):
        words.append("Coverage is measured; coverage_min (0 to 1) would ask for some.")
    return {"extends": "code", "description": " ".join(words), **_sort_keys(stack.rules)}


def _sort_keys(rules: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(rules.items()))


def _format_names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none found"


def _render_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
