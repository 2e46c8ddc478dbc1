"""Find JavaScript projects with tests: the calls of test runners, and what a script declares that can't be run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from code_adapter.detection import Unexamined
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_started import list_tests, read_started
from code_adapter.testing.node_workspaces import is_workspace, join_path, list_packages, read_package, select_packages
from verigate.sdk.npm_scripts import (
    LinterCall,
    OpaqueCommand,
    OtherCommand,
    RunnerCall,
    ScriptStep,
    WorkspaceCall,
    programs,
    read_script,
)

_CONFIG = {
    "jest": re.compile(r"^jest\.config\.\w+$"),
    "vitest": re.compile(r"^vitest\.config\.\w+$|^vitest\.workspace\.\w+$"),
    "mocha": re.compile(r"^\.mocharc\.\w+$"),
    "ava": re.compile(r"^ava\.config\.\w+$"),
}
_UNKNOWN_PACKAGES = {
    "jasmine": "jasmine",
    "karma": "karma",
    "cypress": "cypress",
    "@playwright/test": "playwright",
    "qunit": "qunit",
    "uvu": "uvu",
    "@web/test-runner": "web-test-runner",
    "@hapi/lab": "lab",
    "tap": "tap",
    "testem": "testem",
    "nightwatch": "nightwatch",
    "testcafe": "testcafe",
    "@cucumber/cucumber": "cucumber-js",
}
_NESTED = 4


@dataclass(frozen=True, slots=True)
class NodeProject:
    """A folder with JavaScript tests and the runner calls for them; ``package`` is its package.json."""

    folder: str
    calls: tuple[RunnerCall, ...]
    package: dict[str, object] = field(default_factory=dict)
    unexamined: tuple[Unexamined, ...] = ()


def find_node_projects(files: SubjectFiles) -> Iterator[NodeProject]:
    """Yield the topmost packages with tests; for a workspace whose root runs none, its packages."""
    seen: set[tuple[str, str]] = set()
    for folder in files.projects("package.json") or ("",):
        yield from _find(files, folder, "test", seen)


def find_script_folders(files: SubjectFiles) -> tuple[str, ...]:
    """Return the topmost folders with a package.json."""
    return files.projects("package.json")


def _find(files: SubjectFiles, folder: str, script: str, seen: set[tuple[str, str]]) -> Iterator[NodeProject]:
    if (folder, script) in seen or len(seen) > MAX_PACKAGES:
        return
    seen.add((folder, script))
    package = read_package(files, folder)
    read = (step for step in read_script(package, script) if not isinstance(step, LinterCall))
    steps = [*read_started(files, folder, package, read)]
    inside = [step for step in steps if isinstance(step, WorkspaceCall)]
    project = _project(files, folder, package, script, steps)
    if project.calls or project.unexamined:
        yield project
    for call in inside:
        for place in select_packages(files, folder, call):
            # A package manager passes over packages without the script.
            if call.script in _table(read_package(files, place), "scripts"):
                yield from _find(files, place, call.script, seen)
    if not steps and not project.calls and (is_workspace(files, folder) or script == "test"):
        for place in list_packages(files, folder):
            yield from _find(files, place, script, seen)


MAX_PACKAGES = 2000
"""Limit of packages of one workspace that are looked at."""


def _project(
    files: SubjectFiles, folder: str, package: dict[str, object], script: str, steps: Sequence[ScriptStep]
) -> NodeProject:
    calls = _attach_commands(steps)
    opaque = [
        step
        for step in steps
        if isinstance(step, OpaqueCommand) and step.text.partition(" ")[0] not in programs.LINTERS
    ]
    others = [step for step in steps if isinstance(step, OtherCommand)]
    delegated = any(isinstance(step, WorkspaceCall) for step in steps)
    if not calls and not delegated:
        calls = _find_unnamed(files, folder, package)
    place = join_path(folder, "package.json")
    name = "npm test" if script == "test" else f"npm run {script}"
    unexamined = [
        Unexamined(step.runner or name, place, f"{step.why}: {step.text}")
        for step in opaque
        if not any(re.search(rf"\b{call.runner}\b", step.text) and not step.runner for call in calls)
    ]
    if not calls and not delegated and others and not unexamined:
        text = " && ".join(command.text for command in others)
        unexamined.append(Unexamined(name, place, f"no known test runner in it: {text}"))
    if not calls and not steps:
        names = {**_table(package, "devDependencies"), **_table(package, "dependencies")}
        unexamined += [
            Unexamined(runner, place, "it is a dependency, and no script called test runs it")
            for dependency, runner in _UNKNOWN_PACKAGES.items()
            if dependency in names
        ]
    return NodeProject(folder, tuple(calls), package, tuple(unexamined))


def _attach_commands(steps: Sequence[ScriptStep]) -> list[RunnerCall]:
    """Return the calls, each with the commands before it, the last one also with those after it."""
    calls: list[RunnerCall] = []
    waiting: tuple[OtherCommand, ...] = ()
    for step in steps:
        if isinstance(step, OtherCommand):
            waiting += (step,)
        elif isinstance(step, RunnerCall):
            calls.append(replace(step, before=waiting + step.before))
            waiting = ()
    if calls and waiting:
        calls[-1] = replace(calls[-1], after=waiting)
    return calls


def _find_unnamed(files: SubjectFiles, folder: str, package: dict[str, object]) -> list[RunnerCall]:
    """Find the runners that a package configures or depends on, for one whose script calls none."""
    calls: list[RunnerCall] = []
    names = {path.rpartition("/")[2] for path in files.below(folder) if path.rpartition("/")[0] == folder}
    for runner, config in _CONFIG.items():
        declared = any(runner in _table(package, kind) for kind in ("devDependencies", "dependencies"))
        configured = runner in package or any(config.fullmatch(name) for name in names)
        # Without a configuration mocha runs ./test/*.{js,cjs,mjs}; a package may also call it from its own program.
        if configured or (declared and (runner != "mocha" or _has_specs(files, folder))):
            calls.append(RunnerCall(runner))
    if not calls and (tests := list_tests(files, folder)):
        cut = len(folder) + 1 if folder else 0
        calls.append(RunnerCall("node", ("--test", *(f"./{path[cut:]}" for path in tests))))
    return calls


def _has_specs(files: SubjectFiles, folder: str) -> bool:
    place = join_path(folder, "test")
    return any(
        path.rpartition("/")[0] == place and path.endswith((".js", ".cjs", ".mjs")) for path in files.below(place)
    )


def _table(package: dict[str, object], name: str) -> dict[str, object]:
    value = package.get(name)
    return value if isinstance(value, dict) else {}
