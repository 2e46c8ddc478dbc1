"""Decide whether an exclusion in a setting is harmless."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.roles import is_test_code
from code_adapter.integrity.tools.guards import COLLECTED, LINT, NARROWED, Guard
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

LAYOUT = re.compile(
    r"E1\d\d|E2\d\d|E3\d\d|E501|E70[1-4]|W191|W29[13]|W391|W505|W503|W504|I001|I|D|D\d+|Q|Q\d+|COM|COM\d+|ISC001|"
    r"ANN\d*|EM\d*|FBT\d*|S101|PLR2004|INP001|ARG\d*|TD\d*|FIX\d*|E203|line-too-long|missing-\w*docstring|max-len|indent"
)
"""Names of lint rules that are about how code looks."""

_TASTE = re.compile(
    r"(?:UP|SIM|PLR|PTH|N|T20|ERA|RET|PIE|FLY|ISC|TID|PYI|FURB|EXE|C4|C90|SLF|INP|ICN|COM|Q|D|ANN|EM|FBT|ARG|TD|FIX)\d+"
)
"""One rule of taste: how what is right is best written. None of them finds a defect."""

_IN_TESTS = re.compile(r"(?:S|D|ANN|ARG|PLR|PLC|PLW|C90|SLF|INP|T20|FBT|N|E|ERA|PT|TRY|EM|DTZ|RUF)\d*")
_NEVER_RUNS = re.compile(
    r"TYPE_CHECKING|__main__|NotImplementedError|abstractmethod|overload|pragma|__repr__|__str__|Protocol|"
    r"assert_never|AssertionError|ImportError|\\\.\\\.\\\.|def __"
)
_NOT_SOURCE = re.compile(
    r"node_modules|dist|build|\.venv|venv|coverage|\.next|\.cache|vendor|third_party|generated|_pb2|"
    r"migrations|\.git\b|__pycache__|site-packages|\.tox|\.mypy|htmlcov|\.eggs|docs?\b|\.d\.ts|storybook|"
    r"\.artifacts"
)


def is_harmless(entry: str, changes: ChangeSet, guard: Guard, option: str = "") -> bool:
    """Whether the exclusion hides nothing from a check."""
    plain = entry.lstrip("!")
    if guard.kind == NARROWED and option.endswith(("exclude_lines", "exclude_also", "partial_also")):
        return bool(_NEVER_RUNS.search(plain))
    codes = re.fullmatch(r"(?:[\w./*-]+:)?[A-Z]+\d*|B\d+", plain)
    if "per-file-ignores" in option or "per_file_ignores" in option:
        target = option.partition("per-file-ignores.")[2] or plain.partition(":")[0]
        code = plain.rpartition(":")[2]
        in_tests = bool(re.search(r"test|conftest|spec", target)) and bool(_IN_TESTS.fullmatch(code))
        exported = target.endswith("__init__.py") and code in {"F401", "F403", "D104"}
        return in_tests or exported or _is_about_taste(code)
    if codes and guard.kind == LINT:
        return _is_about_taste(plain)
    matched = [
        path
        for path in changes.subject_paths
        if matches(path, plain, expression=guard.tool == "jest") and language_of(path) is not None
    ]
    if guard.kind == COLLECTED:
        return not any(is_test_code(path) for path in matched)
    if guard.kind == NARROWED:
        return all(is_test_code(path) or _NOT_SOURCE.search(path) for path in matched) and not _everything(plain)
    return (not matched or all(_NOT_SOURCE.search(path) for path in matched)) and not _everything(plain)


def _is_about_taste(rule: str) -> bool:
    """Whether a rule is about how code looks, or one about how it is best written."""
    one = _TASTE.fullmatch(rule) is not None and len(rule) >= _ONE_RULE
    return one or LAYOUT.fullmatch(rule) is not None


_ONE_RULE = 4
"""Characters of the name of one rule of ruff at least: ``N801``. A shorter one is that of a family."""


def is_renamed(pattern: str, was: Iterable[str], changes: ChangeSet) -> bool:
    """Whether all that a pattern leaves out was left out before, under the path that it had then.

    A file that is new next to those that moved would have been left out under their old path too. Not where
    the old path has files still, or the change removes code, which may stand in the new file.
    """
    old = tuple(was)
    before = {file.path: file.before.path for file in changes.files if file.renamed and file.before is not None}
    left = {path for path in changes.subject_paths if matches(path, pattern)}
    moved = {path for path in left if path in before and any(matches(before[path], each) for each in old)}
    if not moved or left == moved:
        return bool(moved)
    added = {file.path for file in changes.files if file.before is None}
    folders = {PurePosixPath(path).parent for path in moved}
    gone = (file.before.path for file in changes.files if file.before is not None and file.after is None)
    source = [each for each in old if any(matches(before[path], each) for path in moved)]
    stays = any(matches(path, each) for path in changes.subject_paths for each in source)
    next_to_moved = all(folders.intersection(PurePosixPath(path).parents) for path in left - moved)
    return left - moved <= added and next_to_moved and not stays and all(language_of(path) is None for path in gone)


def _everything(pattern: str) -> bool:
    return pattern in {"*", "**", "**/*", ".", "./", "", "/", ".*", "*.py", "src", "src/*", "src/**"}


def matches(path: str, pattern: str, *, expression: bool = False) -> bool:
    """Whether a tool's pattern matches ``path``; for a regular ``expression``, its literal parts are searched."""
    bare = (
        pattern.removeprefix("./")
        .removeprefix("<rootDir>/")
        .removeprefix("**/")
        .strip("/^$")
        .removesuffix("/**")
        .removesuffix("/*")
    )
    if not bare or _everything(pattern):
        return True
    # jest's patterns are regular expressions; a stranger's expression is not run, its literal parts are looked for.
    pieces = [piece for piece in re.split(r"[\\\\^$.*+?()\[\]{}|]+", bare) if piece]
    if expression and pieces and _in_order(pieces, path):
        return True
    if path == bare or path.startswith(f"{bare}/") or f"/{bare}/" in path or path.endswith(f"/{bare}"):
        return True
    return (
        fnmatch.fnmatchcase(path, bare)
        or fnmatch.fnmatchcase(path, f"*/{bare}")
        or fnmatch.fnmatchcase(path, f"{bare}/*")
    )


def _in_order(pieces: Iterable[str], path: str) -> bool:
    at = 0
    for piece in pieces:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True
