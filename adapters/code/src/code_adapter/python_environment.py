"""Find the Python of the project's code: the first of the project's environments that has what a tool needs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from code_adapter.environment import PROBE_TIMEOUT_S, make_tool_environ
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, run_tool
from verigate.sdk.install_commands import make_tool_install

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
    copies: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)
    """What it has of a folder with a project of that name, as far as it was asked: nothing in a call changes it."""

    def make_environ(self, request: Request, **more: str) -> dict[str, str]:
        """Make the environment of what it runs: as if the project's environment were active."""
        env = make_tool_environ(request, **more)
        if self.origin == "project":
            folder = os.path.dirname(self.executable)  # noqa: PTH120 (the environment's python is a link out of it)
            env["PATH"] = os.pathsep.join([folder, env["PATH"]])
            place = os.path.dirname(folder)  # noqa: PTH120
            is_conda = (Path(place) / "conda-meta").is_dir()
            env.pop("VIRTUAL_ENV", None)
            env["CONDA_PREFIX" if is_conda else "VIRTUAL_ENV"] = place
        return env


def find_python(request: Request, files: SubjectFiles, folder: str, wanted: Sequence[str]) -> Python | None:
    """Find the Python for the code in ``folder``: the project's, else the first one with ``wanted[0]``.

    ``wanted`` are modules, ``module`` or ``module=distribution``. Of several environments of the project the first one
    with ``wanted[0]`` counts; a project that has one never gets a Python from elsewhere, even if modules are missing.
    Returns None if no Python has ``wanted[0]``.
    """
    module = wanted[0].partition("=")[0] if wanted else ""
    has_own = False
    for executable in _list_project_pythons(request, files, folder):
        found = _probe(request, executable, "project", wanted)
        if found is not None and (not module or module in found.modules):
            return found
        has_own = has_own or found is not None
    if has_own:
        return None
    # The adapter's own PATH first: there the gate has resolved what is a slow shim on the other one.
    paths = dict.fromkeys((request.environ.get("PATH"), request.project_path))
    candidates = [(shutil.which(name, path=path), "path") for name in ("python3", "python") for path in paths]
    candidates.append((sys.executable, "gate"))
    for candidate, origin in candidates:
        found = _probe(request, candidate, origin, wanted) if candidate else None
        if found is not None and (not module or module in found.modules):
            return found
    return None


def find_project_script(request: Request, files: SubjectFiles, folder: str, name: str) -> str | None:
    """Find the program ``name`` in the first of the project's environments that has it."""
    programs = (Path(python).with_name(name) for python in _list_project_pythons(request, files, folder))
    return next((str(program) for program in programs if os.access(program, os.X_OK)), None)


def list_environment_folders(request: Request, files: SubjectFiles) -> list[str]:
    """List the folders of programs of the environments that the gate found for the project, in its order."""
    places = map(Path, filter(None, request.environ.get("GATE_PROJECT_ENVS", "").split(os.pathsep)))
    return [str(place / "bin") for place in places if _is_environment(place, files)]


def describe_install(request: Request, files: SubjectFiles, folder: str, tool: str) -> str:
    """Describe how to install the Python program ``tool`` into the project's environment."""
    names = {path.rpartition("/")[2] for path in files.paths if path.rpartition("/")[0] == folder}
    own = next(_list_project_pythons(request, files, folder), None)
    usual = own is None or Path(own).parents[1].name == ".venv"
    line = make_tool_install(tool, names, has_env=own is not None)
    return f"run {line}" if usual else f"install it there with pip, as {tool}"


def _list_project_pythons(request: Request, files: SubjectFiles, folder: str) -> Iterator[str]:
    found = [place for place in _list_environments(request, folder) if _is_environment(place, files)]
    if named := request.environ.get("GATE_PROJECT_ENVS"):
        found += [place for place in map(Path, named.split(os.pathsep)) if _is_environment(place, files)]
    elif not found and (active := request.environ.get("VIRTUAL_ENV")) and _is_environment(Path(active), files):
        found.append(Path(active))
    yield from (str(place / "bin" / "python") for place in dict.fromkeys(found))
    # The gate looks for poetry's environment itself: HOME is another one inside.
    poetry = None if request.gated else shutil.which("poetry", path=request.project_path)
    pyproject = f"{folder}/pyproject.toml" if folder else "pyproject.toml"
    if poetry and "poetry" in files.toml(pyproject).get("tool", {}):
        run = run_tool(
            [poetry, "env", "info", "--path"],
            cwd=request.repo_root / folder,
            timeout_s=PROBE_TIMEOUT_S,
            env=make_tool_environ(request),
        )
        if run.exit_code == 0 and (place := Path(os.fsdecode(run.stdout.strip()))).is_absolute():
            yield str(place / "bin" / "python")


def _list_environments(request: Request, folder: str) -> Iterator[Path]:
    """List where environments may be: next to the code, then upwards."""
    chosen = request.environ.get("UV_PROJECT_ENVIRONMENT")
    here = request.repo_root / folder
    while True:
        yield from (here / name for name in ([chosen] if chosen else []) + [".venv", "venv"])
        if here == request.repo_root:
            return
        here = here.parent


def _is_environment(place: Path, files: SubjectFiles) -> bool:
    """Whether ``place`` is an environment that isn't part of the subject, which could contain anything."""
    if not (place / "bin" / "python").exists():
        return False
    if not ((place / "pyvenv.cfg").is_file() or (place / "conda-meta").is_dir()):
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
