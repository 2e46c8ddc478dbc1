"""Find the project's environment: its Python, its node_modules, and the variables of its tools."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, run_tool

TOOL_TIMEOUT_S = 590.0
"""Just under the manifest's timeout, so that the error names the tool."""

PROBE_TIMEOUT_S = 60.0

_NOT_PASSED_ON = (
    *("GATE_", "GIT_", "PYTEST_", "COV_CORE_", "COVERAGE_"),
    *("NODE_TEST_", "NODE_OPTIONS", "NODE_V8_", "JEST_"),
)
_PROBE = """
import importlib.util, json, os, re, sys
def plain(name):
    return re.sub("[-_.]+", "_", name).lower()
def version(name):
    for folder in sys.path:
        try:
            entries = os.listdir(folder)
        except OSError:
            continue
        for entry in entries:
            if entry.endswith(".dist-info") and plain(entry.partition("-")[0]) == plain(name):
                with open(os.path.join(folder, entry, "METADATA"), encoding="utf-8") as lines:
                    for line in lines:
                        if line.startswith("Version:"):
                            return line.partition(":")[2].strip()
    from importlib import metadata
    return metadata.version(name)
found = {}
for name in sys.argv[1:]:
    module, _, dist = name.partition("=")
    try:
        if importlib.util.find_spec(module) is None:
            continue
    except Exception:
        continue
    try:
        found[module] = version(dist or module)
    except Exception:
        found[module] = None
print(json.dumps({"modules": found, "python": ".".join(map(str, sys.version_info[:3]))}))
"""
# Importing importlib.metadata would take three times as long as the rest.


@dataclass(frozen=True, slots=True)
class Python:
    """A Python for the project's code. ``origin`` is ``project``, ``path`` or, as the last resort, ``gate``."""

    executable: str
    origin: str
    version: str
    modules: Mapping[str, str | None] = field(default_factory=dict)
    """The requested modules that it has, with their version or None."""


def make_tool_environ(request: Request, **more: str) -> dict[str, str]:
    """Make the environment of a program of the project: the adapter's without what configures the gate, git or tools.

    PATH is a developer's (``Request.project_path``). The gate gives adapters a private HOME, so cargo and rustup get
    the folders of the user's toolchains.
    """
    env = {name: value for name, value in request.environ.items() if not name.startswith(_NOT_PASSED_ON)}
    env["PATH"] = request.project_path
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    for name, folder in (("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")):
        if name not in env and (home / folder).is_dir():
            env[name] = str(home / folder)
    return env | {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"} | more


def find_python(request: Request, files: SubjectFiles, folder: str, wanted: Sequence[str]) -> Python | None:
    """Find the Python for the code in ``folder``: the project's, else the first one with ``wanted[0]``.

    ``wanted`` are modules, ``module`` or ``module=distribution``. A project with its own environment never gets another
    one, even if modules are missing there. Returns None if no Python has ``wanted[0]``.
    """
    module = wanted[0].partition("=")[0] if wanted else ""
    for executable in _project_pythons(request, files, folder):
        if found := _probe(request, executable, "project", wanted):
            return found if not module or module in found.modules else None
    candidates = [(shutil.which(name, path=request.project_path), "path") for name in ("python3", "python")]
    candidates.append((sys.executable, "gate"))
    for candidate, origin in candidates:
        found = _probe(request, candidate, origin, wanted) if candidate else None
        if found is not None and (not module or module in found.modules):
            return found
    return None


def _project_pythons(request: Request, files: SubjectFiles, folder: str) -> Iterator[str]:
    root = request.repo_root
    chosen = request.environ.get("UV_PROJECT_ENVIRONMENT")
    places: list[Path] = []
    here = root / folder
    while True:
        places += [here / name for name in ([chosen] if chosen else []) + [".venv", "venv"]]
        if here == root:
            break
        here = here.parent
    if active := request.environ.get("VIRTUAL_ENV"):
        places.append(Path(active))
    for place in places:
        if _is_environment(place, files):
            yield str(place / "bin" / "python")
    poetry = shutil.which("poetry", path=request.project_path)
    pyproject = f"{folder}/pyproject.toml" if folder else "pyproject.toml"
    if poetry and "poetry" in files.toml(pyproject).get("tool", {}):
        run = run_tool(
            [poetry, "env", "info", "--path"],
            cwd=root / folder,
            timeout_s=PROBE_TIMEOUT_S,
            env=make_tool_environ(request),
        )
        if run.exit_code == 0 and (place := Path(os.fsdecode(run.stdout.strip()))).is_absolute():
            yield str(place / "bin" / "python")


def _is_environment(place: Path, files: SubjectFiles) -> bool:
    """Whether ``place`` is a virtual environment that isn't part of the subject, which could contain anything."""
    if not (place / "pyvenv.cfg").is_file() or not (place / "bin" / "python").exists():
        return False
    if not place.is_relative_to(files.root):
        return True
    inside = place.relative_to(files.root).as_posix()
    return next(files.below(inside), None) is None


def _probe(request: Request, executable: str, origin: str, wanted: Sequence[str]) -> Python | None:
    argv = [executable, "-I", "-c", _PROBE, *wanted]
    try:
        run = run_tool(argv, cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=make_tool_environ(request))
        answer: dict[str, Any] = json.loads(run.stdout.strip().rpartition(b"\n")[2]) if run.exit_code == 0 else {}
    except (ToolFailed, ValueError):
        return None
    return Python(executable, origin, answer["python"], answer["modules"]) if answer else None


def find_node_tool(request: Request, files: SubjectFiles, folder: str, name: str) -> str | None:
    """Find ``node_modules/.bin/<name>`` in ``folder`` or its parents up to the root; None if it isn't installed.

    A program that is part of the subject is ignored, since it could report anything.
    """
    here = request.repo_root / folder
    while True:
        program = here / "node_modules" / ".bin" / name
        if program.exists() and os.access(program, os.X_OK):
            tracked = next(files.below(program.parent.parent.relative_to(files.root).as_posix()), None)
            return str(program) if tracked is None else None
        if here == request.repo_root:
            return None
        here = here.parent


def has_node_package(request: Request, folder: str, name: str) -> bool:
    """Whether ``node_modules/<name>`` exists for ``folder``."""
    here = request.repo_root / folder
    while not (here / "node_modules" / name / "package.json").is_file():
        if here == request.repo_root:
            return False
        here = here.parent
    return True


def read_node_package_version(request: Request, folder: str, name: str) -> str | None:
    """Read the version from ``node_modules/<name>/package.json``; None if it can't be read."""
    here = request.repo_root / folder
    while True:
        path = here / "node_modules" / name / "package.json"
        if path.is_file():
            try:
                version = json.loads(path.read_bytes()).get("version")
            except (ValueError, AttributeError, RecursionError):
                return None
            return version if isinstance(version, str) else None
        if here == request.repo_root:
            return None
        here = here.parent
