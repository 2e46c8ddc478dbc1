"""Compare the settings of base and subject by the table of guards."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.eslint_new_files import (
    find_rules_off_for_new_files,
    read_flat_settings,
)
from code_adapter.integrity.checks.watches import WATCHES, Setting
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.eslint import FLAT_NAME, name_grammar
from code_adapter.integrity.tools.eslint_flat_sets import list_extended
from code_adapter.integrity.tools.guards import Guard
from code_adapter.integrity.tools.options import Options
from code_adapter.integrity.tools.ruff import list_ruff_settings
from code_adapter.integrity.tools.setting_order import find_in_force, list_places
from code_adapter.integrity.tools.settings import GUARDS, is_settings_file, read_settings
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side


def find_weakened_settings(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened settings of test runners, coverage, linters and type checkers."""
    before: dict[tuple[str, str], Options] = {}
    after: dict[tuple[str, str], Options] = {}
    files: dict[tuple[str, str], str] = {}
    for file, old, new in changes.sides():
        for side, into in ((old, before), (new, after)):
            if side is None or not is_settings_file(side.path):
                continue
            folder = str(PurePosixPath(side.path).parent)
            try:
                found = _read(changes, side, is_after=into is after)
            except Unreadable as error:
                if into is after:
                    yield IntegrityFinding(
                        "unexamined", side.path, None, f"can't be read: {error}", "weakening", "settings-unreadable"
                    )
                continue
            found.pop("ruff", None)
            for tool, options in found.items():
                into.setdefault((tool, folder), {}).update(options)
                files[tool, folder] = side.path if into is after else files.get((tool, folder), file.path)
    yield from find_rules_off_for_new_files(changes)
    _put_in_force(changes, before, after, files)
    _drop_brought(changes, before)
    fresh = not _had_source(changes)
    for folder, path, old_settings, new_settings in list_ruff_settings(changes, fresh=fresh):
        before["ruff", folder], after["ruff", folder], files["ruff", folder] = old_settings, new_settings, path
    for key in sorted(set(before) | set(after)):
        old_options, new_options = before.get(key) or _find_moved(key, before, after), after.get(key, {})
        path = files[key]
        # Nothing on one side: the tool may be configured in a file that didn't change.
        if not old_options and (fresh or (key[0] in {"eslint", "tsconfig"} and _is_new_tool(changes, key[0]))):
            continue
        yield from compare_options(key[0], old_options, new_options, path, changes)


def _find_moved(
    key: tuple[str, str], before: dict[tuple[str, str], Options], after: dict[tuple[str, str], Options]
) -> Options:
    """Find the options of a folder new to the tool that another folder had with the same value, and has no more."""
    tool, new = key[0], after.get(key, {})
    others = [(options, after.get(place, {})) for place, options in before.items() if place[0] == tool]
    return {
        option: value
        for option, value in new.items()
        if any(option in was and was[option] == value and option not in now for was, now in others)
    }


def compare_options(
    tool: str, before: Options, after: Options, path: str, changes: ChangeSet
) -> Iterator[IntegrityFinding]:
    """Compare the options of a tool by its guards; ``path`` is where a finding stands."""
    for guard in GUARDS:
        if guard.tool == tool:
            yield from _watched(guard, before, after, path, changes)


def _read(changes: ChangeSet, side: Side, *, is_after: bool) -> dict[str, Options]:
    """Read the settings of a file by tool. Raises Unreadable."""
    found = read_settings(side.path, text(side))
    if is_after and "eslint" in found:
        found["eslint"] = read_flat_settings(changes, side.path, text(side)) or found["eslint"]
    return found


def _put_in_force(
    changes: ChangeSet,
    before: dict[tuple[str, str], Options],
    after: dict[tuple[str, str], Options],
    files: dict[tuple[str, str], str],
) -> None:
    """Where a tool takes its settings from another file than before, compare these two, changed or not.

    A new file that is asked first makes void what stands in the others, even if it is empty.
    """
    sides = [side for file in changes.files for side in (file.before, file.after) if side is not None]
    for tool, folder in sorted({place for side in sides for place in list_places(side.path)}):
        with contextlib.suppress(Unreadable):  # said above of what changed
            old = find_in_force(tool, folder, changes.at_base)
            new = find_in_force(tool, folder, changes.at_subject)
            if old is not None and new is not None and old[0] != new[0]:
                before[tool, folder], after[tool, folder], files[tool, folder] = old[1], new[1], new[0]


def _drop_brought(changes: ChangeSet, before: dict[tuple[str, str], Options]) -> None:
    """Leave out of ``extends`` what a flat configuration of the same folder, new with the change, holds."""
    for _, old, new in changes.sides():
        if old is not None or new is None or not FLAT_NAME.fullmatch(PurePosixPath(new.path).name):
            continue
        options = before.get(("eslint", str(PurePosixPath(new.path).parent)), {})
        named = options.get("extends")
        if named is not None:
            brought = list_extended(text(new), name_grammar(new.path))
            left = [name for name in (named if isinstance(named, list) else [named]) if name not in brought]
            options.pop("extends")
            options |= {"extends": left} if left else {}


def _had_source(changes: ChangeSet) -> bool:
    """Whether there was anything to judge in base: where there wasn't, a configuration is set up, not weakened."""
    changed = {file.after.path for file in changes.files if file.after is not None}
    unchanged = (path for path in changes.subject_paths if path not in changed)
    removed = (file.before.path for file in changes.files if file.before is not None)
    return any(language_of(path) is not None for path in (*unchanged, *removed))


def _is_new_tool(changes: ChangeSet, tool: str) -> bool:
    """Whether base had no configuration of this tool at all: setting one up can't weaken it."""
    known = {file.before.path for file in changes.files if file.before is not None}
    unchanged = set(changes.subject_paths) - {file.path for file in changes.files}
    names = {PurePosixPath(path).name for path in known | unchanged}
    return not any(
        name.startswith((".eslintrc", "eslint.config") if tool == "eslint" else "tsconfig") for name in names
    )


def _watched(
    guard: Guard, before: Options, after: Options, path: str, changes: ChangeSet
) -> Iterator[IntegrityFinding]:
    pattern = re.compile(guard.option)
    for option in sorted(name for name in set(before) | set(after) if pattern.fullmatch(name)):
        old, new = before.get(option), after.get(option)
        if old == new:
            continue
        for weight, what in WATCHES[guard.watch](Setting(option, old, new, guard, changes, before, after)):
            label, rule = f"{guard.tool}: {option}: {what}", f"{guard.tool}-{guard.watch}"
            yield IntegrityFinding(guard.kind, path, None, label[:400], weight, rule, forms=_forms(option, old, new))


def _forms(option: str, old: Any, new: Any) -> Forms:
    """The key and its value on both sides."""
    base, head = (None if value is None else f"{option} = {json.dumps(value, default=str)}" for value in (old, new))
    return Forms(base, head)
