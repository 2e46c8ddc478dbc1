"""Compare files that settings are taken from: what a configuration imports or extends, and arguments in files.

Source: ESLint, "Combine Configs"; TypeScript, "extends"; Maven, "Configuring Maven" (.mvn/maven.config); Node.js,
"Subpath imports".
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.weakened_settings import compare_options
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.roles import is_collected
from code_adapter.integrity.tools.commands import find_new_weakness, judges
from code_adapter.integrity.tools.documents import Unreadable, load_javascript, load_json
from code_adapter.integrity.tools.eslint import name_grammar
from code_adapter.integrity.tools.options import Options, flatten
from code_adapter.integrity.tools.setting_values import rank_level
from code_adapter.integrity.tools.settings import is_settings_file

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_READING = {
    "eslint": re.compile(r"eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?"),
    "tsconfig": re.compile(r"tsconfig[\w.-]*\.json"),
}
_SUFFIXES = ("", ".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.mjs", "/index.cjs", "/index.ts")
_FOLLOWED = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json")
_RELATIVE = re.compile(r"""['"](\.{1,2}/[^'"\n]{1,200})['"]""")
_MAVEN = frozenset({".mvn/maven.config", ".mvn/jvm.config"})
_CALLERS = re.compile(
    r"(?:GNU)?[Mm]akefile|[Jj]ustfile|package\.json|tox\.ini|setup\.cfg|pyproject\.toml|pytest\.ini|.+\.(?:sh|bash|ya?ml)"
)
_OF_ARGUMENTS = frozenset({"", ".args", ".cfg", ".conf", ".config", ".list", ".opts", ".options", ".rsp", ".txt"})
_MOST_FILES = 60
_MOST_BYTES = 200_000


def find_weakened_followed_settings(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened settings in files that no tool knows by name: those that its configuration names."""
    yield from _list_followed(changes)
    yield from _list_arguments(changes)
    yield from _list_imports(changes)


def _list_followed(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    if not any(
        file.before is not None and file.path.endswith(_FOLLOWED) and not is_settings_file(file.path)
        for file in changes.files
    ):
        return
    named = {tool: _follow(changes, pattern) for tool, pattern in _READING.items()}
    for _, before, after in changes.sides():
        for tool, paths in named.items():
            # A new file is judged by the configuration that names it.
            if before is None or before.path not in paths or is_settings_file(before.path):
                continue
            gone = "" if after is None else text(after)
            try:
                old, new = _read(tool, before.path, text(before)), _read(tool, before.path, gone)
            except Unreadable:
                continue
            yield from compare_options(tool, old, new, before.path, changes)


def _follow(changes: ChangeSet, pattern: re.Pattern[str]) -> frozenset[str]:
    """List the files that configurations of the base name, and those that these name in turn."""
    known = {*changes.subject_paths, *(file.before.path for file in changes.files if file.before is not None)}
    left = [path for path in sorted(known) if pattern.fullmatch(PurePosixPath(path).name)][:_MOST_FILES]
    found: set[str] = set()
    while left and len(found) < _MOST_FILES:
        path = left.pop()
        content = changes.at_base(path)
        if content is None or len(content) > _MOST_BYTES:
            continue
        for name in _RELATIVE.findall(content.decode("utf-8", "replace")):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            target = next((f"{whole}{suffix}" for suffix in _SUFFIXES if f"{whole}{suffix}" in known), None)
            if target is not None and target not in found:
                found.add(target)
                left.append(target)
    return frozenset(found)


def _read(tool: str, path: str, source: str) -> Options:
    """Read the options of a followed file. Raises Unreadable."""
    if not source.strip():
        return {}
    document = load_json(source) if path.endswith(".json") else load_javascript(source, name_grammar(path))
    if not isinstance(document, dict):
        raise Unreadable("no object")
    if tool == "eslint" and "rules" not in document:
        rules = {name: level for name, level in document.items() if rank_level(level) is not None}
        document = {**{name: value for name, value in document.items() if name not in rules}, "rules": rules}
    return flatten(document)


def _list_arguments(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """``$(cat FILE)``, ``@FILE`` and Maven's files of arguments, as part of the command that takes them."""
    callers: list[str] | None = None
    for file, before, after in changes.sides():
        if file.path in _MAVEN:
            yield from _compare_command(file.path, "mvn {}", text(before), text(after))
            continue
        # What a change adds is named by a command that changed as well.
        if before is None or PurePosixPath(file.path).suffix not in _OF_ARGUMENTS or is_settings_file(file.path):
            continue
        if callers is None:
            callers = _read_callers(changes)
        for call in _find_calls(callers, file.path):
            yield from _compare_command(file.path, call, text(before), text(after))


def _read_callers(changes: ChangeSet) -> list[str]:
    paths = [path for path in changes.subject_paths if _CALLERS.fullmatch(PurePosixPath(path).name)]
    contents = (changes.at_base(path) for path in paths[:_MOST_FILES])
    return [each.decode("utf-8", "replace") for each in contents if each is not None and len(each) <= _MOST_BYTES]


def _find_calls(callers: list[str], path: str) -> Iterator[str]:
    name = rf"(?:\./)?(?:{re.escape(path)}|{re.escape(PurePosixPath(path).name)})"
    taken = re.compile(
        rf"\$+\(\s*(?:cat\s+|<\s*)['\"]?{name}['\"]?\s*\)|`\s*cat\s+{name}\s*`|(?<=[\s'\"=])@{name}(?=[\s'\"]|$)"
    )
    for source in callers:
        for line in source.splitlines() if PurePosixPath(path).name in source else ():
            if taken.search(line):
                command = line if judges(line) else f"pytest {line}"
                yield taken.sub("{}", command.replace("{", "").replace("}", ""), count=1)


def _compare_command(path: str, call: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old, new = (call.replace("{}", " ".join(source.split()), 1) for source in (before, after))
    for weakness in find_new_weakness(old, new):
        message = f"arguments of a command that are read from here judge less: {weakness}"
        yield IntegrityFinding(
            "check_command_weakened",
            path,
            None,
            message[:400],
            "weakening",
            "arguments-weakened",
            forms=Forms(before or None, after or None),
        )


def _list_imports(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """``imports`` of package.json: a name that tests use, and that is another file now while the old one stands."""
    for file, before, after in changes.sides():
        if PurePosixPath(file.path).name != "package.json" or before is None or after is None:
            continue
        old, new = _read_imports(text(before)), _read_imports(text(after))
        folder = posixpath.dirname(file.path)
        for name in sorted(old):
            targets = _list_targets(old[name])
            if name not in new or old[name] == new[name] or not _has_all(changes, folder, targets):
                continue
            user = next(iter(_find_users(changes, folder, name)), None)
            if user is not None:
                message = f"imports: {name}, which {user} uses, is {json.dumps(new[name])[:120]} now"
                forms = Forms(json.dumps(old[name]), json.dumps(new[name]))
                yield IntegrityFinding(
                    "checks_shadowed", file.path, None, message[:400], "weakening", "package-imports", forms=forms
                )


def _read_imports(source: str) -> dict[str, Any]:
    try:
        found = load_json(source).get("imports")
    except (Unreadable, AttributeError):
        return {}
    return {str(name): value for name, value in found.items()} if isinstance(found, dict) else {}


def _list_targets(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [target for each in inner for target in _list_targets(each)]


def _has_all(changes: ChangeSet, folder: str, targets: list[str]) -> bool:
    """Whether all of them are files still: else the name follows a file that was moved."""
    paths = set(changes.subject_paths)
    own = [each for each in targets if each.startswith("./") and "*" not in each]
    return bool(own) and all(posixpath.normpath(posixpath.join(folder, each)) in paths for each in own)


def _find_users(changes: ChangeSet, folder: str, name: str) -> Iterator[str]:
    inside = f"{folder}/" if folder else ""
    quoted = (f'"{name}"', f"'{name}'")
    tests = [path for path in changes.subject_paths if path.startswith(inside) and is_collected(path)]
    for path in tests[:_MOST_FILES]:
        content = changes.at_subject(path)
        if content is not None and any(each in content.decode("utf-8", "replace") for each in quoted):
            yield path
