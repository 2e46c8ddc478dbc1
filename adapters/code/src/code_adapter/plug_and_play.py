"""Find the programs of a project whose packages Yarn's Plug'n'Play keeps in archives: there is no node_modules.

Packages are in zip archives that only node with the loader ``.pnp.cjs`` can read, so each program gets a script that
starts node with it. Source: https://yarnpkg.com/features/pnp, https://yarnpkg.com/advanced/pnpapi
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from verigate.sdk import ToolFailed, run_tool

LOADER = ".pnp.cjs"
_ESM_LOADER = ".pnp.loader.mjs"
_LIST_PACKAGES = Path(__file__).with_suffix(".cjs")
_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Package:
    """A package that a workspace may require: its ``version``, and its ``programs``, scripts of node by name."""

    version: str | None
    programs: Mapping[str, str]


def make_node_options(root: Path) -> dict[str, str]:
    """Make the variable with which node loads the packages of the project at ``root``; nothing without a loader.

    Yarn sets the same for what it runs.
    """
    if not (root / LOADER).is_file() or _has_packages(root / "node_modules"):
        return {}
    options = ["--require", json.dumps(str(root / LOADER))]
    if (root / _ESM_LOADER).is_file():
        options += ["--experimental-loader", json.dumps((root / _ESM_LOADER).as_uri())]
    return {"NODE_OPTIONS": " ".join(options)}


def _has_packages(folder: Path) -> bool:
    """Whether there is more in a node_modules than caches, whose names begin with a dot."""
    return folder.is_dir() and any(not place.name.startswith(".") for place in folder.iterdir())


def list_packages(root: Path, folder: str, env: Mapping[str, str]) -> dict[str, Package]:
    """List what the workspace in ``folder`` of the project at ``root`` may require, by name. Empty without a loader.

    ``env`` is a tool's environment, with the options of node.
    """
    if "NODE_OPTIONS" not in make_node_options(root):
        return {}
    return _list_packages(root, folder, tuple(sorted(env.items())))


@cache
def _list_packages(root: Path, folder: str, env: tuple[tuple[str, str], ...]) -> dict[str, Package]:
    variables = dict(env)
    node = shutil.which("node", path=variables.get("PATH"))
    if node is None:
        return {}
    try:
        run = run_tool([node, str(_LIST_PACKAGES), str(root / folder)], cwd=root, timeout_s=_TIMEOUT_S, env=variables)
        answer: object = json.loads(run.stdout.rpartition(b"\n")[2]) if run.exit_code == 0 else {}
    except (ToolFailed, ValueError, RecursionError):
        return {}
    return {name: _read(entry) for name, entry in answer.items()} if isinstance(answer, dict) else {}


def _read(entry: Any) -> Package:
    version, programs = entry.get("version"), entry.get("programs")
    return Package(
        version if isinstance(version, str) else None,
        {name: place for name, place in programs.items() if isinstance(place, str)},
    )


def make_program_folder(root: Path, folder: str, env: Mapping[str, str]) -> Path | None:
    """Make a folder with a script for each program that the workspace in ``folder`` may start; None if there is none.

    It is in the adapter's private folder for temporary files, which goes with it.
    """
    packages = list_packages(root, folder, env)
    programs = {name: place for each in packages.values() for name, place in each.programs.items()}
    return _write(tuple(sorted(programs.items()))) if programs else None


@cache
def _write(programs: tuple[tuple[str, str], ...]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="verigate-programs-"))
    for name, place in programs:
        if "/" not in name and name not in {"", ".", ".."}:
            script = folder / name
            script.write_text(f'#!/bin/sh\nexec node {shlex.quote(place)} "$@"\n')
            script.chmod(0o755)
    return folder
