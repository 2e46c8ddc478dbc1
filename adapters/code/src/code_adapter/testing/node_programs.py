"""Find the program of a runner call: node on PATH, the others in node_modules."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from code_adapter.environment import find_node_tool, make_tool_environ
from code_adapter.plug_and_play import LOADER, list_packages, make_node_options, make_program_folder
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_workspaces import read_package
from verigate.sdk import Request
from verigate.sdk.install_commands import find_install_command
from verigate.sdk.npm_scripts import RunnerCall
from verigate.sdk.npm_scripts.programs import INTERPRETERS


def find_program(request: Request, files: SubjectFiles, folder: str, call: RunnerCall) -> tuple[str, ...] | None:
    """Return the words that start the runner of ``call``; None if it isn't installed."""
    if not call.launcher:
        program = _find(request, files, folder, "node" if call.runner == "node" else call.runner)
        return (program,) if program else None
    first = _find(request, files, folder, call.launcher[0].rpartition("/")[2])
    if first is None:
        return None
    if call.runner == "node" or call.launcher[0].rpartition("/")[2] not in INTERPRETERS:
        return (first, *call.launcher[1:])
    script = find_node_script(request, files, folder, call.runner)
    return (first, *call.launcher[1:], script) if script else None


def _find(request: Request, files: SubjectFiles, folder: str, name: str) -> str | None:
    if name == "node":
        return shutil.which("node", path=make_tool_environ(request)["PATH"])
    return find_node_tool(request, files, folder, name)


def find_node_script(request: Request, files: SubjectFiles, folder: str, name: str) -> str | None:
    """Find the JavaScript file of ``node_modules/.bin/<name>``, which itself may be a script of sh."""
    if find_node_tool(request, files, folder, name) is None:
        return None
    packed = list_packages(request.repo_root, folder, make_tool_environ(request)).get(name)
    if packed is not None:
        return packed.programs.get(name)
    here = request.repo_root / folder
    while True:
        package = here / "node_modules" / name
        if (package / "package.json").is_file():
            return _read_bin(package, name)
        if here == request.repo_root:
            return None
        here = here.parent


def _read_bin(package: Path, name: str) -> str | None:
    try:
        entry = json.loads((package / "package.json").read_bytes()).get("bin")
    except (ValueError, AttributeError, RecursionError):
        return None
    inner = entry.get(name) if isinstance(entry, dict) else entry
    return str(package / inner) if isinstance(inner, str) else None


def list_program_folders(request: Request, files: SubjectFiles, folder: str) -> list[str]:
    """List ``node_modules/.bin`` of ``folder`` and of the folders above it, without those that are in the subject.

    With Yarn's Plug'n'Play it is a folder of scripts that start node.
    """
    if programs := make_program_folder(request.repo_root, folder, make_tool_environ(request)):
        return [str(programs)]
    found: list[str] = []
    here = request.repo_root / folder
    while True:
        place = here / "node_modules"
        inside = place.relative_to(files.root).as_posix()
        if (place / ".bin").is_dir() and next(files.below(inside), None) is None:
            found.append(str(place / ".bin"))
        if here == request.repo_root:
            return found
        here = here.parent


def lacks_modules(request: Request, files: SubjectFiles, folder: str) -> bool:
    """Whether the package in ``folder`` depends on others and none are installed there or above."""
    package = read_package(files, folder)
    if not any(package.get(kind) for kind in ("dependencies", "devDependencies")):
        return False
    if make_node_options(request.repo_root):
        return False
    here = PurePosixPath(folder)
    return not any((request.repo_root / place / "node_modules").is_dir() for place in (here, *here.parents))


_OPTIONAL = frozenset({"biome", "eslint", "oxlint", "prettier", "standard", "xo"})
"""Linters, which a project may have left while their configuration stayed."""

_TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")


def _is_listed(files: SubjectFiles, folder: str, name: str) -> bool:
    """Whether the package in ``folder``, or one above it, depends on ``name``, or on what may bring it."""
    here = PurePosixPath(folder)
    packages = [read_package(files, "" if str(place) == "." else str(place)) for place in (here, *here.parents)]
    listed = [key for package in packages for table in _TABLES for key in _read_table(package, table)]
    return any(name in key for key in listed)


def _read_table(package: Mapping[str, object], table: str) -> Iterable[str]:
    found = package.get(table)
    return [str(key) for key in found] if isinstance(found, Mapping) else []


def explain_missing(request: Request, files: SubjectFiles, folder: str, name: str) -> str:
    """Say that ``name`` isn't installed, and which command installs what the lock file lists."""
    if make_node_options(request.repo_root):
        if list_packages(request.repo_root, folder, make_tool_environ(request)):
            return f"{name} is not among the dependencies of the package; run `yarn add --dev {name}`"
        return f"the packages that {LOADER} names can't be read here; run `yarn install --immutable`"
    here = PurePosixPath(folder)
    installed = False
    while True:
        installed = installed or (request.repo_root / here / "node_modules").is_dir()
        inside = "" if str(here) == "." else f"{here}/"
        names = {path.rpartition("/")[2] for path in files.known if path.rpartition("/")[0] == inside.rstrip("/")}
        command = find_install_command("node", names)
        if str(here) == "." or (command is not None and command.because != "package.json"):
            break
        here = here.parent
    if installed and name in _OPTIONAL and not _is_listed(files, folder, name):
        return f"{name} is configured, but is neither installed nor among the dependencies in package.json"
    how = f"; run `{command.line}`" + (f" in {here}" if inside else "") if command is not None else ""
    return f"{name} is not installed in the project{'' if installed else ', which has no node_modules'}{how}"
