"""Report what this repository needs to be verified, and what of it this machine lacks."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from verigate.doctor.finding import DoctorFinding, Level
from verigate.doctor.versions import read_versions
from verigate.integrations.setup.missing_dependencies import Missing, find_missing
from verigate.integrations.setup.missing_programs import MissingProgram, find_missing_programs
from verigate.integrations.setup.repository_scan import Scan, scan_repository
from verigate.integrations.setup.stack import Stack, detect_stack
from verigate.integrations.setup.wanted_node import WantedNode, find_wanted_nodes
from verigate.sdk.install_commands import find_install_commands
from verigate.subject.project_env import find_project_envs

KNOWN = ("node", "npm", "pnpm", "yarn", "bun", "cargo", "go", "java", "mvn", "gradle", "uv", "poetry", "pdm")
"""Programs that some repository needs, in the order of a report."""

_BY_LANGUAGE = {"javascript": ("node",), "typescript": ("node",), "rust": ("cargo",), "go": ("go",), "java": ("java",)}
_INSTALLED_PER_PROJECT = ("pytest", "eslint", "jest", "vitest", "mocha", "ava", "xo", "biome", "standard", "oxlint")
_IN_ENVIRONMENT = ("flake8",)
"""Programs that count only in the project's environment, next to their plug-ins."""

_EXTRAS = {"docs": ("content", "links"), "api": ("api",), "language": ("code",)}


class RepositoryNeeds(Struct, frozen=True):
    """``programs`` maps a program to the file that shows its need; ``extras`` are those of the gate that it can use."""

    programs: Mapping[str, str]
    tools: Mapping[str, str]
    extras: frozenset[str]
    missing: tuple[Missing, ...]
    absent: tuple[MissingProgram, ...]
    nodes: tuple[WantedNode, ...]
    tool_folders: tuple[str, ...]


def find_needs(root: Path, environ: Mapping[str, str]) -> RepositoryNeeds:
    """Read what the repository at ``root`` needs from its files; nothing is executed."""
    seen, stack = scan_repository(root), detect_stack(root)
    envs = find_project_envs(str(root), environ, sys.prefix, tracked=map(os.fsencode, seen.files))
    folders = [f"{env}/bin" for env in envs]
    folders += [f"{root}/{path.removesuffix('package.json')}node_modules/.bin" for path in _list_packages(seen)]
    kinds = {finding.kind for finding in stack.findings}
    return RepositoryNeeds(
        _list_programs(seen, stack),
        {
            finding.name: finding.path
            for finding in stack.findings
            if finding.kind in {"tests", "lint"} and finding.name in {*_INSTALLED_PER_PROJECT, *_IN_ENVIRONMENT}
        },
        frozenset(extra for kind, extras in _EXTRAS.items() if kind in kinds for extra in extras),
        find_missing(seen, environ, sys.prefix),
        find_missing_programs(seen, stack, environ),
        find_wanted_nodes(root, stack),
        tuple(folders),
    )


def _list_packages(seen: Scan) -> Iterable[str]:
    return (path for path in seen.files if path.rpartition("/")[2] == "package.json")


def _list_programs(seen: Scan, stack: Stack) -> dict[str, str]:
    needed: dict[str, str] = {}
    for finding in stack.findings:
        if finding.kind == "language":
            needed |= dict.fromkeys(_BY_LANGUAGE.get(finding.name, ()), finding.path)
    for install in find_install_commands({path for path in seen.files if "/" not in path}):
        program = install.commands[0][0]
        if program in KNOWN:
            needed[program] = install.because
    return needed


def report_needs(needs: RepositoryNeeds, environ: Mapping[str, str]) -> Iterable[DoctorFinding]:
    """Report each program that the repository needs, and the dependencies and tools that aren't installed."""
    path = environ.get("PATH", os.defpath)
    found = {name: place for name in KNOWN if (place := shutil.which(name, path=path)) is not None}
    versions = read_versions(found, environ)
    for name in KNOWN:
        because = needs.programs.get(name)
        if name in found:
            message = f"{versions[name] or 'its version is not known'} at {found[name]}"
            yield DoctorFinding(f"tool.{name}", Level.INFO, message, detail=because is None)
        elif because is not None:
            message = f"{name} is not on PATH, and {because} needs it"
            yield DoctorFinding(f"tool.{name}", Level.WARN, message, f"install {name}")
        else:
            yield DoctorFinding(f"tool.{name}", Level.INFO, f"{name} is not on PATH", detail=True, absent=True)
    for runner in needs.nodes:
        if conflict := runner.describe_conflict(versions.get("node", "")):
            yield DoctorFinding(f"tool.{runner.tool}", Level.WARN, conflict, runner.advice)
    for program in needs.absent:
        message = f"{program.what} is not installed, and {program.capability} needs it"
        yield DoctorFinding(f"tool.{program.what}", Level.WARN, message, program.advice)
    for item in needs.missing:
        place = f" in {item.folder}" if item.folder else ""
        message = f"{item.what} not installed{place}, and {item.install.because} asks for it"
        yield DoctorFinding("dependencies", Level.WARN, message, f"{item.line}, or gate init --install")
    if needs.missing:
        return  # What isn't there for lack of them has the same cause.
    for name, because in needs.tools.items():
        places = needs.tool_folders if name in _IN_ENVIRONMENT else (*needs.tool_folders, path)
        if shutil.which(name, path=os.pathsep.join(places)) is None and not _is_module(name, needs):
            message = f"{name} is not installed for this project, and {because} names it"
            yield DoctorFinding(f"tool.{name}", Level.WARN, message, "install it as the project's documentation says")


def _is_module(name: str, needs: RepositoryNeeds) -> bool:
    """Whether the gate brings it: pytest runs from its own environment where the project has none."""
    return name == "pytest" and not any(
        Path(folder).parent.joinpath("pyvenv.cfg").exists() for folder in needs.tool_folders
    )
