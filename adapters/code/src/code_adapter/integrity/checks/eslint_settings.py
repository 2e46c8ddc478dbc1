"""Find shared configurations and files that ESLint's flat configuration no longer uses.

The content of shared configurations is unknown, but a finding is one that was removed without a replacement. Literal
rules are compared with the other settings. Source: ESLint's documentation, "Configuration Files".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.eslint import FLAT_NAME, list_alternatives, takes
from code_adapter.integrity.tools.options import Options
from code_adapter.integrity.tools.settings import read_settings
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_SET = re.compile(r"(?<![\w.$])([\w$]+)\.configs(?:\.[\w$]+|\[\s*['\"][^'\"]+['\"]\s*\])")
_CORE = frozenset({"js", "eslint", "ts", "tseslint", "eslintJs", "pluginJs"})
_IMPORT = re.compile(r"\bfrom\s*['\"]([^'\"]+)['\"]|\brequire\(\s*['\"]([^'\"]+)['\"]")
_WORKED_ON = re.compile(r"[\])]\s*\.(?:map|filter|slice|splice|flatMap)\(|process\.env\b|\bprocess\.argv\b")
_SCRIPTS = frozenset({"javascript", "typescript"})


def find_weakened_eslint(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened ``eslint.config.*`` files, edited or new ones that override that of the root."""
    for file, before, after in changes.sides():
        if after is None or not FLAT_NAME.fullmatch(PurePosixPath(after.path).name):
            continue
        old, new = text(before), text(after)
        if before is None:
            above = [str(folder) for folder in PurePosixPath(after.path).parents][1:]
            names = [f"{folder}/{name}".removeprefix("./") for folder in above for name in _names()]
            if "../" not in new and any(changes.at_base(name) is not None for name in names):
                yield _finding(file.path, "the configuration above no longer holds in this folder", "weakening")
            continue
        for weight, what in _lost(changes, after.path, old, new):
            yield _finding(file.path, what, weight)


def _names() -> Iterator[str]:
    return (f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts"))


def _finding(path: str, what: str, weight: Weight) -> IntegrityFinding:
    return IntegrityFinding("lint_config_weakened", path, None, f"eslint: {what}", weight, "eslint-flat")


def _lost(changes: ChangeSet, path: str, old: str, new: str) -> Iterator[tuple[Weight, str]]:
    if _WORKED_ON.search(new) and not _WORKED_ON.search(old):
        yield "weakening", "the configuration is worked on before it holds, or depends on the environment"
    gained = _modules(new) - _modules(old) or set(_SET.findall(new)) - set(_SET.findall(old))
    if gained:
        return  # another set, which may say as much
    for family in sorted(set(_SET.findall(old)) - set(_SET.findall(new))):
        yield "weakening" if family in _CORE else "note", f"the set {family}.configs is gone"
    was, now = _options(path, old), _options(path, new)
    before, after = _patterns(was), _patterns(now)
    source = [name for name in changes.subject_paths if language_of(name) in _SCRIPTS]
    left = [name for name in source if takes(before, name) and after and not takes(after, name)]
    if left:
        yield "weakening", f"{left[0]} and {len(left) - 1} more are no longer named"


def _modules(source: str) -> set[str]:
    return {one or other for one, other in _IMPORT.findall(source)}


def _options(path: str, source: str) -> Options:
    try:
        return read_settings(path, source).get("eslint", {})
    except Unreadable:
        return {}


def _patterns(options: Options) -> list[str]:
    found: list[str] = []
    for option, value in options.items():
        if option.rpartition(".")[2] == "files":
            found += [str(item) for item in (value if isinstance(value, list) else [value])]
    return [plain for pattern in found for plain in list_alternatives(pattern)]
