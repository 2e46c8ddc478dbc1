"""Rules of a linter that the change switches on: what it silences of them was not reported before.

A rule counts where the base's own settings say that it is off, or select others by name, and the subject's don't.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.ruff import covers, list_selected, resolve_settings
from code_adapter.integrity.tools.setting_values import rank_level
from code_adapter.integrity.tools.settings import is_settings_file, read_settings

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.tools.options import Options
    from code_adapter.syntax.changes import Side

_IGNORES = ("lint.ignore", "lint.extend-ignore")


_CALLS_TOOLS = re.compile(
    r"[^/]+|\.(?:github|circleci|azure-pipelines|gitlab)/.+|(?:requirements|ci|tools|scripts|dev)/.+|"
    r".*/(?:[^/]+\.(?:toml|cfg|ini)|pyrightconfig\.json|package\.json|noxfile\.py|[Mm]akefile|justfile|requirements[^/]*)"
)
"""Files that configure, install or call tools: of the root, pipelines and scripts, and the settings of each folder."""

_TYPE_CHECKER = re.compile(rb"mypy(?!_cache)|(?:\b|based)pyright|pyre\b|pytype|pyrefly|\bty[ =]|pylance")


class SwitchedOnRules:
    """Answers whether a linter's rules are switched on by the change, for a file of the subject."""

    def __init__(self, changes: ChangeSet) -> None:
        self._changes = changes
        self._of_folder = cache(self._read_ruff)
        self._of_eslint = cache(self._read_eslint)
        self._checked_types = cache(self._names_type_checker)

    def has(self, rule: str, codes: tuple[str, ...], path: str) -> bool:
        """Whether all ``codes`` of a suppression of the kind ``rule`` are switched on for the file ``path``.

        Any of a type checker are where no file of the base named one.
        """
        if rule == "type-ignore":
            return not self._checked_types()
        if not codes:
            return False
        if rule == "noqa":
            before, after = self._of_folder(str(PurePosixPath(path).parent))
            return all(_selects(after, code) and not _selects(before, code) for code in codes)
        return rule == "eslint" and self._of_eslint().issuperset(codes)

    def _read_ruff(self, folder: str) -> tuple[Options, Options]:
        return resolve_settings(folder, self._changes.at_base), resolve_settings(folder, self._changes.at_subject)

    def _names_type_checker(self) -> bool:
        changed = (side.path for file in self._changes.files for side in (file.before, file.after) if side is not None)
        paths = {path for path in (*self._changes.subject_paths, *changed) if _CALLS_TOOLS.fullmatch(path)}
        return any(_TYPE_CHECKER.search(self._changes.at_base(path) or b"") for path in sorted(paths))

    def _read_eslint(self) -> frozenset[str]:
        """The rules that all settings of the base that name them switch off, and none of the subject does."""
        before: dict[str, list[Any]] = {}
        after: dict[str, list[Any]] = {}
        for _, old, new in self._changes.sides():
            _collect(old, before)
            _collect(new, after)
        off = (rule for rule, levels in before.items() if all(rank_level(level) == 0 for level in levels))
        return frozenset(rule for rule in off if all(rank_level(level) != 0 for level in after.get(rule, ())))


def _collect(side: Side | None, into: dict[str, list[Any]]) -> None:
    if side is None or not is_settings_file(side.path):
        return
    try:
        options = read_settings(side.path, text(side)).get("eslint", {})
    except Unreadable:
        return
    for option, level in options.items():
        _, found, rule = option.partition("rules.")
        if found and not rule.endswith(("]", "[].value")) and "[]" not in rule:
            into.setdefault(rule, []).append(level)


def _selects(options: Options, code: str) -> bool:
    """Whether ruff's settings select a rule by name, and don't ignore it. Without any nothing is selected by name."""
    ignored = [entry for name in _IGNORES for entry in options.get(name) or () if isinstance(entry, str)]
    return any(covers(prefix, code) for prefix in list_selected(options)) and not any(
        covers(prefix, code) for prefix in ignored
    )
