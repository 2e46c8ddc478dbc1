"""The files of ``gate init``: made for the detected stack. Existing ones are only made stricter."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.domain.task_folder import ARTIFACTS_FOLDER, GITIGNORE
from verigate.domain.weakening import PROFILE_KEY, Policy
from verigate.errors import ExecutionError
from verigate.integrations.setup.declared_tests import Declaration
from verigate.integrations.setup.json_layout import lay_out
from verigate.integrations.setup.stack import Stack
from verigate.integrations.setup.tightening import PLAN_FILE, PROFILE, PROFILES_FILE, TASK_TYPE, plan_tightening

_SCHEMAS = "https://verigate.invalid/schemas"

_ORDER = {
    "code:diff": None,
    "code:functions": None,
    "code:integrity": None,
    "code:lint": "lint",
    "code:tests": "tests",
    "code:build": "build",
}
"""Capability -> the kind of tool it needs (None: none)."""


OF_DOCUMENTS = ("content:scan", "content:images")
"""Planned where no tool checks code: without them nothing of such a repository would be checked."""


class PlannedFile(Struct, frozen=True):
    """A file that would be written. ``path`` is relative to the root.

    One that ``exists`` is written only with ``changes``, each a sentence: what becomes stricter, or what the user asked
    for; ``content`` then holds all of it.
    """

    path: str
    content: str
    exists: bool
    changes: tuple[str, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether ``write_files`` writes it."""
        return not self.exists or bool(self.changes)


def plan_init_files(
    root: Path, stack: Stack, declared: Declaration | None = None, *, is_read: bool = True
) -> tuple[PlannedFile, ...]:
    """Plan what ``gate init`` would write at ``root``, with the command that was ``declared``; nothing is written.

    ``is_read``: a person reads every change; if not, nobody would see a disclosed weakening, and none is taken.
    """
    profile = _make_profile(stack, is_read=is_read)
    contents = {
        PLAN_FILE: _render_json({"$schema": f"{_SCHEMAS}/plan.v1.json", TASK_TYPE: _make_plan_entry(stack)}),
        PROFILES_FILE: _render_json({"$schema": f"{_SCHEMAS}/profiles.v1.json", PROFILE: profile}),
        f"{ARTIFACTS_FOLDER}/.gitignore": GITIGNORE,
    }
    tightened = plan_tightening(root, stack, is_read=is_read)
    files = tuple(
        PlannedFile(path, tightened[path][0], exists=True, changes=tightened[path][1])
        if path in tightened
        else PlannedFile(path, content, os.path.lexists(root / path))
        for path, content in contents.items()
    )
    return files if declared is None else (*files, _plan_declared(root, declared))


def _plan_declared(root: Path, declared: Declaration) -> PlannedFile:
    exists = os.path.lexists(root / declared.path)
    changes = (f"declares `{shlex.join(declared.command)}` as the command of the tests",) if exists else ()
    return PlannedFile(declared.path, declared.content, exists, changes)


def write_files(root: Path, files: tuple[PlannedFile, ...]) -> tuple[str, ...]:
    """Write the files that don't exist, and those with changes; return their paths.

    Raises ExecutionError where a folder or a file is a link.
    """
    written = []
    for planned in files:
        if not planned.is_written:
            continue
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
        if planned.exists and target.is_symlink():
            raise ExecutionError("it is a symbolic link", where=planned.path, hint="replace it with a real file")
        try:
            with target.open("w" if planned.exists else "x", encoding="utf-8") as stream:
                stream.write(lay_out(root, planned.path, planned.content))
        except FileExistsError:
            continue
        written.append(planned.path)
    return tuple(written)


def _make_plan_entry(stack: Stack) -> dict[str, Any]:
    order = [name for name, kind in _ORDER.items() if kind is None or stack.is_declared(kind)]
    if not stack.is_built:
        order = [name for name in order if name != "code:build"]
    order += OF_DOCUMENTS if stack.is_documents else ()
    return {
        "description": (
            f"Code here: {_format_names(stack.languages)}. Tests: {_format_names(stack.test_tools)}. "
            f"Linters: {_format_names(stack.linters)}. The other shipped task types stay as they are."
        ),
        "order": order,
        "required": order,
        "optional": [],
    }


def _make_profile(stack: Stack, *, is_read: bool) -> dict[str, Any]:
    words = ["The shipped profile code, for what this repository can answer."]
    words += [
        f"No {noun} was found, so null switches {rules} off: run gate init again when you add one."
        for kind, noun, rules in (
            ("tests", "test", "tests_pass and tests_min"),
            ("lint", "configured linter", "lint_errors_max"),
        )
        if kind in stack.gaps
    ]
    words += [
        f"{_format_names(stack.names(f'unread {kind}'))} can't be run as found: declare the command in "
        f"config/adapters.json under code, {kind}."
        for kind in ("tests", "lint")
        if stack.names(f"unread {kind}")
    ]
    if stack.names("coverage"):
        words.append("coverage_min (0 to 1) would measure coverage as well, and run the tests once more for it.")
    rules = stack.rules if is_read else {**stack.rules, PROFILE_KEY: Policy.REFUSE.value}
    return {"extends": "code", "description": " ".join(words), **_sort_keys(rules)}


def _sort_keys(rules: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(rules.items()))


def _format_names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none found"


def _render_json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
