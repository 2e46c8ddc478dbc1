"""Find JavaScript projects with tests and their test runners."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from code_adapter.npm_scripts import RunnerCall, find_runner_calls
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles

_NODE_TEST = re.compile(r"""(?:from\s*|require\(\s*|import\(\s*|import\s+)["']node:test["']""")
_SCRIPT = re.compile(r"\.(?:[cm]?js|[cm]?ts|jsx|tsx)$")
_CONFIG = {
    "jest": re.compile(r"^jest\.config\.\w+$"),
    "vitest": re.compile(r"^vitest\.config\.\w+$|^vitest\.workspace\.\w+$"),
}


@dataclass(frozen=True, slots=True)
class NodeProject:
    """A folder with JavaScript tests and the runner calls for them; ``package`` is its package.json."""

    folder: str
    calls: tuple[RunnerCall, ...]
    package: dict[str, object] = field(default_factory=dict)


def find_node_projects(files: SubjectFiles) -> Iterator[NodeProject]:
    """Yield the topmost packages with tests; for a workspace whose root runs none, its packages."""
    folders = files.projects("package.json")
    for folder in folders or ("",):
        project = _project(files, folder)
        if project.calls:
            yield project
        elif "workspaces" in project.package or _path(folder, "pnpm-workspace.yaml") in files.known:
            yield from (found for found in (_project(files, f) for f in _packages_below(files, folder)) if found.calls)


def find_script_folders(files: SubjectFiles) -> tuple[str, ...]:
    """Return the topmost folders with a package.json."""
    return files.projects("package.json")


def read_package(files: SubjectFiles, folder: str) -> dict[str, object]:
    """Read package.json of ``folder``; empty if it is missing. Raises AdapterError for invalid JSON."""
    return files.json(_path(folder, "package.json"))


def _project(files: SubjectFiles, folder: str) -> NodeProject:
    package = read_package(files, folder)
    scripts = package.get("scripts")
    calls = list(find_runner_calls(scripts)) if isinstance(scripts, dict) else []
    seen = {call.runner for call in calls}
    names = {path.rpartition("/")[2] for path in files.below(folder) if path.rpartition("/")[0] == folder}
    for runner, config in _CONFIG.items():
        declared = any(runner in _table(package, kind) for kind in ("devDependencies", "dependencies"))
        if runner not in seen and (declared or runner in package or any(config.fullmatch(name) for name in names)):
            calls.append(RunnerCall(runner))
            seen.add(runner)
    if not seen:
        tests = [path for path in files.below(folder) if _is_node_test(files, path)]
        if tests:
            cut = len(folder) + 1 if folder else 0
            calls.append(RunnerCall("node", ("--test", *(f"./{path[cut:]}" for path in tests))))
    return NodeProject(folder, tuple(calls), package)


def _is_node_test(files: SubjectFiles, path: str) -> bool:
    parts = path.split("/")
    if not _SCRIPT.search(path) or NOT_PROJECTS.intersection(parts[:-1]) or path.endswith("ts"):
        return False
    return bool(_NODE_TEST.search(files.text(path)))


def _packages_below(files: SubjectFiles, folder: str) -> list[str]:
    found = []
    for path in files.below(folder):
        above, _, name = path.rpartition("/")
        if name == "package.json" and above != folder and not NOT_PROJECTS.intersection(above.split("/")):
            found.append(above)
    return sorted(found)


def _table(package: dict[str, object], name: str) -> dict[str, object]:
    value = package.get(name)
    return value if isinstance(value, dict) else {}


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
