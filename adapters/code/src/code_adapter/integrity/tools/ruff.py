"""Ruff's settings, and how those of a folder are resolved: the nearest file, on top of the file that it extends.

Source: ruff's documentation, "Configuring Ruff", on hierarchical and extended configuration and on default rules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.tools.documents import Unreadable, load_toml
from code_adapter.integrity.tools.guards import LINT, THRESHOLD, Guard
from code_adapter.integrity.tools.options import Options, flatten
from code_adapter.integrity.tools.setting_files import Reader, read_as

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

GUARDS: tuple[Guard, ...] = (
    Guard("ruff", r"(?:lint\.)?(?:select|extend-select)", "keep", LINT),
    Guard("ruff", r"(?:lint\.)?(?:ignore|extend-ignore|(?:extend-)?per-file-ignores\..*)", "grow", LINT),
    Guard("ruff", r"exclude|extend-exclude|lint\.exclude|format\.exclude", "grow", LINT),
    Guard("ruff", r"(?:lint\.)?(?:mccabe\.max-complexity|pylint\.max-.*|pycodestyle\.max-.*)", "ceiling", THRESHOLD),
    Guard("ruff", r"include", "keep", LINT),
    Guard("ruff", r"builtins|lint\.pyflakes\.allowed-unused-imports", "grow", LINT),
    Guard("ruff", r"(?:lint\.)?dummy-variable-rgx", "pattern", LINT),
    Guard("ruff", r"extension\..*", "present", LINT),
)

READERS: tuple[tuple[str, Reader], ...] = (
    ("ruff.toml", read_as("ruff", load_toml)),
    (".ruff.toml", read_as("ruff", load_toml)),
)

Read = Callable[[str], bytes | None]
"""The bytes of a file of one side, None where it isn't there."""

NAMES = (".ruff.toml", "ruff.toml", "pyproject.toml")
"""In order of precedence."""

SELECTS = ("lint.select", "lint.extend-select")
"""The options that say which rules are on, together."""

_DEFAULT_RULES = ["E4", "E7", "E9", "F"]
_OF_LINT = ("select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-per-file-ignores")
_DEPTH = 5


_OF_MORE = frozenset({"PL"})
"""Prefixes that stand for several linters: of Pylint."""


def list_selected(options: Mapping[str, Any]) -> list[str]:
    """List the rules and prefixes of rules that settings select."""
    values = [options.get(name) for name in SELECTS]
    return [str(entry) for value in values if isinstance(value, list) for entry in value]


def covers(prefix: str, rule: str) -> bool:
    """Whether a prefix stands for a rule, or for all of another prefix: ``E`` for E501 and not for EXE001."""
    prefix, rule = (_FORMER.sub("TC", each) for each in (prefix, rule))
    if prefix in {"ALL", rule}:
        return True
    return rule.startswith(prefix) and (prefix in _OF_MORE or prefix.rstrip(_DIGITS) == rule.rstrip(_DIGITS))


_DIGITS = "0123456789"
_FORMER = re.compile(r"^TCH(?=\d|$)")
"""The former name of TC, which ruff still takes."""


def is_unselected(rule: str, selected: list[str]) -> bool:
    """Whether nothing that is selected stands for a rule, or is one of its prefix. Not known of an empty selection."""
    return bool(selected) and not any(covers(prefix, rule) or covers(rule, prefix) for prefix in selected)


def list_ruff_settings(changes: ChangeSet, *, fresh: bool) -> Iterator[tuple[str, str, Options, Options]]:
    """List changed settings: folder, a changed file, the settings in base and in the subject.

    Without a configuration ruff's defaults apply, unless the project is ``fresh`` and had nothing to check.
    """
    defaults: Options = {} if fresh else {"lint.select": _DEFAULT_RULES}
    folders: dict[str, str] = {}
    for file in changes.files:
        for side in (file.before, file.after):
            if side is not None and side.path.endswith(".toml"):
                path = PurePosixPath(side.path)
                folders.setdefault(str(path.parent), side.path)
                if path.name not in NAMES:
                    # The root's file may extend this one.
                    folders.setdefault(".", side.path)
    for folder, changed in sorted(folders.items()):
        before, after = resolve_settings(folder, changes.at_base), resolve_settings(folder, changes.at_subject)
        if before != after:
            yield folder, changed, before or defaults, after or defaults


def resolve_settings(folder: str, read: Read) -> Options:
    """Resolve the settings for files in ``folder``; empty if nothing configures ruff or the files are unreadable."""
    here = PurePosixPath(folder)
    for place in (here, *here.parents):
        for name in NAMES:
            path = str(place / name)
            options = _stated(path, read(path))
            if options is not None:
                return {"lint.select": _DEFAULT_RULES, **_extended(path, options, read, _DEPTH)}
    return {}


def _extended(path: str, options: Options, read: Read, depth: int) -> Options:
    target = options.get("extend")
    if not isinstance(target, str) or depth == 0:
        return options
    below = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    inherited = _stated(below, read(below))
    return {**_extended(below, inherited, read, depth - 1), **options} if inherited is not None else options


def _stated(path: str, content: bytes | None) -> Options | None:
    if content is None:
        return None
    try:
        document: object = load_toml(content.decode("utf-8-sig", "replace"))
    except Unreadable:
        return {}
    if path.rpartition("/")[2] == "pyproject.toml":
        tool = document.get("tool") if isinstance(document, dict) else None
        document = tool.get("ruff") if isinstance(tool, dict) else None
    if not isinstance(document, dict):
        return None
    return {
        f"lint.{name}" if name.split(".")[0] in _OF_LINT else name: value for name, value in flatten(document).items()
    }
