"""Check that package scripts, Makefile targets and shell scripts still run each check and fail with it."""

from __future__ import annotations

import fnmatch
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import Forms, IntegrityFinding
from code_adapter.integrity.roles import is_collected
from code_adapter.integrity.tools.commands import find_new_weakness, is_nothing, is_replaced, join_lines, judges
from code_adapter.integrity.tools.exit_codes import ends_at_failure, goes_on, list_lost
from code_adapter.integrity.tools.included import find_included_makefiles
from verigate.sdk.npm_scripts import RunnerCall, read_script

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_SCRIPTS = re.compile(
    r"(?:pre|post)?(?:test|lint|check|coverage|cov|typecheck|type-check|ci|verify|validate|e2e|unit|build)[\w:.-]*"
)
_TARGET = re.compile(
    r"^(?P<name>[\w./-]*(?:test|check|lint|cover|verify|ci|typecheck|mypy)[\w./-]*)\s*:(?!=)", re.IGNORECASE
)
_SHELL = re.compile(r"#![^\n]*\b(?:ba|da|k|z)?sh\b")
_MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"})


def find_weakened_scripts(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened scripts of ``package.json``, targets of Makefiles and shell scripts."""
    included = find_included_makefiles(changes.subject_paths, changes.at_base)
    for file, old, new in changes.sides():
        name = PurePosixPath(file.path).name
        if name == "package.json":
            yield from _scripts(file.path, text(old), text(new))
            yield from _fewer_paths(changes, file.path, text(old), text(new))
        elif name in _MAKEFILES or name.endswith(".mk") or file.path in included:
            yield from _targets(file.path, text(old), text(new))
        elif old is not None and new is not None and (name.endswith((".sh", ".bash")) or _SHELL.match(text(old))):
            yield from _command(file.path, "the script", text(old), text(new))
            yield from _going_on(file.path, text(old), text(new))


def _weakened(path: str, message: str, rule: str, base: str | None, head: str | None) -> IntegrityFinding:
    forms = Forms(base, head)
    return IntegrityFinding("check_command_weakened", path, None, message, "weakening", rule, forms=forms)


def _going_on(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    """A script that ended at the first failure, and runs a check that is followed by more."""
    if ends_at_failure(before) and not ends_at_failure(after) and goes_on(after):
        yield _weakened(path, "the script no longer ends at a failure (set -e)", "script-goes-on", before, after)


def _scripts(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old, new = _package_scripts(before), _package_scripts(after)
    for name in sorted(old):
        if not _SCRIPTS.fullmatch(name):
            continue
        if name in new:
            yield from _command(path, f"the script {name}", old[name], new[name], new)
        elif judges(old[name]) and not _runs_elsewhere(old[name], new):
            yield _weakened(path, f"the script {name} is gone", "script-gone", old[name], None)
    for name in sorted(set(new) - set(old)):
        if name in {"test", "lint", "check"} and is_nothing(new[name]):
            yield _weakened(path, f"the script {name} does nothing", "script-empty", None, new[name])


def _fewer_paths(changes: ChangeSet, path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    """``node --test`` that becomes ``node --test test/unit``: tests that no call names any more."""
    folder = path.rpartition("/")[0]
    inside = f"{folder}/" if folder else ""
    tests = [name.removeprefix(inside) for name in changes.subject_paths if name.startswith(inside)]
    tests = [name for name in tests if is_collected(name) and name.endswith(("js", "ts", "jsx", "tsx"))]
    named = [_named(source, tests) for source in (before, after)]
    if named[0] or not named[1] or any(not paths for paths in named[1]):
        return
    left = [name for name in tests if not any(_below(name, part) for paths in named[1] for part in paths)]
    if left:
        message = f"test no longer runs {left[0]}" + (f" and {len(left) - 1} more" if len(left) > 1 else "")
        scripts = (json.dumps(_package_scripts(source), sort_keys=True) for source in (before, after))
        yield _weakened(path, message, "script-weakened", *scripts)


def _named(source: str, tests: list[str]) -> list[list[str]]:
    """The files and folders of tests that each call of a runner names; empty where no call names any."""
    calls = [
        [word for word in call.arguments if any(_below(name, word) for name in tests)]
        for call in read_script({"scripts": _package_scripts(source)})
        if isinstance(call, RunnerCall)
    ]
    return calls if any(calls) else []


def _below(name: str, word: str) -> bool:
    plain = word.removeprefix("./").rstrip("/")
    if plain in {"", "."}:
        return word != ""
    return name == plain or name.startswith(f"{plain}/") or fnmatch.fnmatchcase(name, plain.replace("**/", "*"))


def _runs_elsewhere(command: str, scripts: dict[str, str]) -> bool:
    tools = set(judges(command))
    return any(tools <= set(judges(other)) for other in scripts.values())


def _package_scripts(source: str) -> dict[str, str]:
    try:
        document = json.loads(source) if source.strip() else {}
    except (ValueError, RecursionError):
        return {}
    scripts = document.get("scripts") if isinstance(document, dict) else None
    return {str(k): v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


def _command(
    path: str, what: str, before: str, after: str, scripts: dict[str, str] | None = None
) -> Iterator[IntegrityFinding]:
    if before == after:
        return
    ran, runs = judges(before), judges(after)
    delegates = re.search(
        r"\b(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?[\w:-]+|\bnode\s+\S+|\b(?:sh|bash|make|just)\s+\S+|^\./", after
    )
    if is_nothing(after) and not is_nothing(before):
        message = f"{what} now does nothing: {after.strip()[:120]!r}"
        yield _weakened(path, message, "command-empty", before, after)
        return
    gone = sorted(tool for tool in ran if not runs[tool] and not is_replaced(tool, ran, runs))
    if gone and not delegates and not (scripts and _runs_elsewhere(before, scripts)):
        yield _weakened(path, f"{what} no longer runs {gone[0]}", "command-judge-gone", before, after)
    lost = Counter(list_lost(after)) - Counter(list_lost(before))
    for weakness in (*find_new_weakness(before, after), *sorted(lost)):
        if runs or ran:
            yield _weakened(path, f"{what} judges less: {weakness}", "command-weakened", before, after)


def _targets(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old, new = _recipes(before), _recipes(after)
    for name in sorted(old):
        if name not in new:
            if judges(old[name]) and not any(set(judges(old[name])) <= set(judges(recipe)) for recipe in new.values()):
                yield _weakened(path, f"the target {name} is gone", "target-gone", old[name], None)
            continue
        yield from _command(path, f"the target {name}", old[name], new[name])
        ignoring = re.compile(r"^\s*@?-\s*@?\w", re.MULTILINE)
        if len(ignoring.findall(new[name])) > len(ignoring.findall(old[name])):
            message = f"the target {name} ignores a failing command (-)"
            yield _weakened(path, message, "target-ignores-failure", old[name], new[name])
    if ".IGNORE:" in after and ".IGNORE:" not in before:
        yield _weakened(path, ".IGNORE drops failures", "target-ignores-failure", before, after)


def _recipes(source: str) -> dict[str, str]:
    recipes: dict[str, str] = {}
    current: str | None = None
    for line in join_lines(source).splitlines():
        target = _TARGET.match(line)
        if target:
            current = target["name"]
            recipes[current] = line.partition(":")[2].strip() + "\n"
        elif current is not None and line[:1] in {"\t", " "}:
            recipes[current] += line.strip("\t ") + "\n"
        elif line.strip() and not line.startswith("#"):
            current = None
    return recipes
