"""Check that CI pipelines, package scripts and Makefiles still run each check and fail with it."""

from __future__ import annotations

import contextlib
import fnmatch
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.commands import find_new_weakness, is_nothing, judges
from code_adapter.integrity.documents import Unreadable, load_yaml
from code_adapter.integrity.finding import IntegrityFinding, Severity
from code_adapter.integrity.roles import is_collected, is_pipeline
from verigate.sdk.npm_scripts import RunnerCall, read_script

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_NONFATAL = {
    "continue-on-error": (True, "true"),
    "continueOnError": (True, "true"),
    "allow_failure": (True,),
    "allow_failures": (True,),
    "ignore_failure": (True,),
    "soft_fail": (True,),
    "fail_ci_if_error": (False,),
    "failure": ("ignore",),
}
_NEVER = re.compile(r"\s*(?:\$\{\{\s*)?(?:false|!true|0|always\(\)\s*&&\s*false)(?:\s*\}\})?\s*", re.IGNORECASE)
_SCRIPTS = re.compile(
    r"(?:pre|post)?(?:test|lint|check|coverage|cov|typecheck|type-check|ci|verify|validate|e2e|unit|build)[\w:.-]*"
)
_TARGET = re.compile(
    r"^(?P<name>[\w./-]*(?:test|check|lint|cover|verify|ci|typecheck|mypy)[\w./-]*)\s*:(?!=)", re.IGNORECASE
)
_MAKEFILES = frozenset({"Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"})


@dataclass(slots=True)
class _Pipeline:
    """What one version of all pipeline files says, taken together: a step may move between files."""

    commands: list[tuple[str, str]] = field(default_factory=list)
    flags: Counter[str] = field(default_factory=Counter)
    triggers: set[str] = field(default_factory=set)
    flag_paths: dict[str, str] = field(default_factory=dict)


def find_weakened_pipelines(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find weakened pipelines, ``package.json`` scripts, Makefile targets and shell scripts."""
    before, after = _Pipeline(), _Pipeline()
    paths: list[str] = []
    for file, old, new in changes.sides():
        if is_pipeline(file.path) or (file.before is not None and is_pipeline(file.before.path)):
            paths.append(file.path)
            # A base that can't be read may well be what the subject repairs.
            with contextlib.suppress(Unreadable):
                _read(before, file.path, text(old))
            try:
                _read(after, file.path, text(new))
            except Unreadable as error:
                yield IntegrityFinding(
                    "ci_nonfatal", file.path, None, f"this pipeline can't be read: {error}", "high", "ci-unreadable"
                )
        name = PurePosixPath(file.path).name
        if name == "package.json":
            yield from _scripts(file.path, text(old), text(new))
            yield from _fewer_paths(changes, file.path, text(old), text(new))
        elif name in _MAKEFILES:
            yield from _targets(file.path, text(old), text(new))
        elif name.endswith((".sh", ".bash")) and old is not None and new is not None:
            yield from _command(file.path, "the script", text(old), text(new))
    if paths:
        added = {file.path for file in changes.files if file.before is None}
        yield from _compared(before, after, paths, added)


def _compared(before: _Pipeline, after: _Pipeline, paths: list[str], new_paths: set[str]) -> Iterator[IntegrityFinding]:
    for flag, count in after.flags.items():
        if count > before.flags[flag]:
            path = after.flag_paths.get(flag, paths[0])
            # What only a new file says takes nothing from the steps there were, as long as those are all there.
            severity: Severity = "warn" if path in new_paths and not before.commands else "high"
            yield IntegrityFinding(
                "ci_nonfatal", path, None, f"a step may fail or never runs: {flag}", severity, "ci-nonfatal"
            )
    old = Counter(command for _, command in before.commands)
    new = Counter(command for _, command in after.commands)
    lost, gained = old - new, new - old
    lost_text = "\n".join(sorted(lost))
    for path, command in after.commands:
        if not gained[command]:
            continue
        gained[command] -= 1
        for weakness in find_new_weakness(lost_text, command):
            message = f"the step {command[:120]!r} judges less: {weakness}"
            yield IntegrityFinding("check_command_weakened", path, None, message, "high", "ci-command-weakened")
    ran, runs = _judges(before), _judges(after)
    for tool in sorted(ran):
        if not runs[tool] and not _replaced(tool, ran, runs):
            path = next(path for path, command in before.commands if tool in judges(command))
            yield IntegrityFinding(
                "check_command_weakened", path, None, f"no step runs {tool} any more", "high", "ci-judge-gone"
            )
    for trigger in sorted(before.triggers - after.triggers):
        if _judges(before):
            message = f"the pipelines no longer run on {trigger}"
            yield IntegrityFinding("ci_nonfatal", paths[0], None, message, "high", "ci-trigger-gone")


def _judges(pipeline: _Pipeline) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, command in pipeline.commands:
        found += judges(command)
    return found


_FAMILIES = (
    {
        "pytest",
        "py.test",
        "unittest",
        "tox",
        "nox",
        "python -m pytest",
        "python3 -m pytest",
        "python -m unittest",
        "make test",
    },
    {
        "jest",
        "vitest",
        "mocha",
        "ava",
        "tap",
        "node --test",
        "npm test",
        "npm run test",
        "npm t",
        "yarn test",
        "pnpm test",
    },
    {"ruff", "flake8", "pylint", "black", "isort", "pre-commit", "prek", "make lint", "tox", "nox"},
    {"eslint", "biome", "oxlint", "prettier", "npm run lint", "yarn lint", "pnpm lint"},
    {"mypy", "pyright", "tox", "nox"},
    {"cargo test", "cargo nextest", "nextest"},
    {"c8", "nyc", "coverage", "codecov", "pytest", "npm run coverage", "jest", "vitest"},
)


def _replaced(tool: str, ran: Counter[str], runs: Counter[str]) -> bool:
    """Whether another judge of the same kind, that didn't run before, runs now; a whole suite runs what it starts."""
    new = {name for name in runs if runs[name] > ran[name]} | (
        set(runs) & {"make test", "make check", "make ci"} - set(ran)
    )
    plain = re.sub(r"^(?:npm|yarn|pnpm|bun)(?: run)? ", "npm run ", tool)
    if plain != tool and plain in runs:
        return True
    if tool.startswith("python") and any(name in tool.split() for name in runs):
        return True
    return any(tool in family and family & new for family in _FAMILIES) or bool(
        {"gate", "make check", "make ci", "make verify", "tox", "nox", "pre-commit"} & new
    )


def _read(pipeline: _Pipeline, path: str, source: str) -> None:
    if not source.strip():
        return
    if path.endswith("Jenkinsfile"):
        pipeline.commands += [(path, line.strip()) for line in source.splitlines() if line.strip()]
        return
    document = load_yaml(source)
    if isinstance(document, dict):
        # YAML 1.1 reads the key `on` as true.
        triggers = document.get("on", document.get(True))
        if isinstance(triggers, str):
            triggers = [triggers]
        if isinstance(triggers, dict | list):
            wanted = {"push", "pull_request", "merge_group", "pull_request_target"}
            pipeline.triggers |= {str(trigger) for trigger in triggers} & wanted
    _collect(pipeline, path, document)


def _collect(pipeline: _Pipeline, path: str, document: Any) -> None:
    stack: list[tuple[str, Any]] = [("", document)]
    while stack:
        key, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((str(name), item) for name, item in value.items())
        elif isinstance(value, list):
            stack.extend((key, item) for item in value)
        elif isinstance(value, str) and key not in {"name", "if", "description", "uses", "id"}:
            commands = [
                line.strip()
                for line in _joined(value).splitlines()
                if line.strip() and not line.strip().startswith("#")
            ]
            pipeline.commands += [(path, command) for command in commands]
        if key in _NONFATAL and (value in _NONFATAL[key] or (isinstance(value, str) and "${{" in value)):
            _flag(pipeline, path, f"{key}: {str(value).lower()}")
        if key in {"if", "condition"} and not isinstance(value, dict | list) and _NEVER.fullmatch(str(value)):
            _flag(pipeline, path, f"{key}: {str(value).lower()}")
        if key == "when" and value in {"never", "manual"}:
            _flag(pipeline, path, f"when: {value}")


def _flag(pipeline: _Pipeline, path: str, flag: str) -> None:
    pipeline.flags[flag] += 1
    pipeline.flag_paths[flag] = path


def _joined(command: str) -> str:
    return re.sub(r"\\\n\s*", " ", command)


def _scripts(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old, new = _package_scripts(before), _package_scripts(after)
    for name in sorted(old):
        if not _SCRIPTS.fullmatch(name):
            continue
        if name in new:
            yield from _command(path, f"the script {name}", old[name], new[name], new)
        elif judges(old[name]) and not _runs_elsewhere(old[name], new):
            yield IntegrityFinding(
                "check_command_weakened", path, None, f"the script {name} is gone", "high", "script-gone"
            )
    for name in sorted(set(new) - set(old)):
        if name in {"test", "lint", "check"} and is_nothing(new[name]):
            yield IntegrityFinding(
                "check_command_weakened", path, None, f"the script {name} does nothing", "high", "script-empty"
            )


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
        yield IntegrityFinding("check_command_weakened", path, None, message, "high", "script-weakened")


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
        yield IntegrityFinding(
            "check_command_weakened",
            path,
            None,
            f"{what} now does nothing: {after.strip()[:120]!r}",
            "high",
            "command-empty",
        )
        return
    gone = sorted(tool for tool in ran if not runs[tool] and not _replaced(tool, ran, runs))
    if gone and not delegates and not (scripts and _runs_elsewhere(before, scripts)):
        yield IntegrityFinding(
            "check_command_weakened", path, None, f"{what} no longer runs {gone[0]}", "high", "command-judge-gone"
        )
    for weakness in find_new_weakness(before, after):
        if runs or ran:
            yield IntegrityFinding(
                "check_command_weakened", path, None, f"{what} judges less: {weakness}", "high", "command-weakened"
            )


def _targets(path: str, before: str, after: str) -> Iterator[IntegrityFinding]:
    old, new = _recipes(before), _recipes(after)
    for name in sorted(old):
        if name not in new:
            if judges(old[name]) and not any(set(judges(old[name])) <= set(judges(recipe)) for recipe in new.values()):
                yield IntegrityFinding(
                    "check_command_weakened", path, None, f"the target {name} is gone", "high", "target-gone"
                )
            continue
        yield from _command(path, f"the target {name}", old[name], new[name])
        ignoring = re.compile(r"^\s*@?-\s*@?\w", re.MULTILINE)
        if len(ignoring.findall(new[name])) > len(ignoring.findall(old[name])):
            message = f"the target {name} ignores a failing command (-)"
            yield IntegrityFinding("check_command_weakened", path, None, message, "high", "target-ignores-failure")
    if ".IGNORE:" in after and ".IGNORE:" not in before:
        yield IntegrityFinding(
            "check_command_weakened", path, None, ".IGNORE drops failures", "high", "target-ignores-failure"
        )


def _recipes(source: str) -> dict[str, str]:
    recipes: dict[str, str] = {}
    current: str | None = None
    for line in _joined(source).splitlines():
        target = _TARGET.match(line)
        if target:
            current = target["name"]
            recipes[current] = line.partition(":")[2].strip() + "\n"
        elif current is not None and line[:1] in {"\t", " "}:
            recipes[current] += line.strip("\t ") + "\n"
        elif line.strip() and not line.startswith("#"):
            current = None
    return recipes
