"""A copy of the project that is installed in its environment, as tox and ``pip install .`` make one.

Tests would import that copy, of whatever age, instead of the subject; and so they would where an editable installation
or a path in the environment leads to another checkout, such as the main one of a worktree. The subject's folder goes
first on the import path. What the installation generated and git ignores (a version file, compiled modules) is put into
the checkout.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from configparser import ConfigParser, Error
from pathlib import Path
from typing import Any

from code_adapter.environment import PROBE_TIMEOUT_S, make_tool_environ
from code_adapter.python_environment import Python
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, run_tool
from verigate.sdk.subject.repository import Repository

PROBE = Path(__file__).with_name("installed_files.py")
_MOST_BYTES = 256 * 1024 * 1024


def find_installed_copy(request: Request, files: SubjectFiles, folder: str, python: Python) -> Path | None:
    """Find the folder of the subject to import from, because ``python`` has a copy of the project in ``folder``.

    Returns None where there is no copy: the project isn't installed, or it is an editable installation of this folder.
    Raises ToolFailed where it is one of another checkout, and nothing says which folders it imports from.
    """
    found = _ask(request, python, folder, _read_name(files, folder))
    if elsewhere := found.get("elsewhere"):
        return _find_root(request, folder, str(elsewhere), found.get("roots") or [])
    installed = found.get("files") or []
    prefix = _find_prefix(files, folder, installed)
    if prefix is None:
        return None
    if request.gated:
        _add_generated(request, files, prefix, Path(found["site"]), installed)
    return request.repo_root / prefix


def _find_root(request: Request, folder: str, elsewhere: str, roots: Sequence[str]) -> Path:
    own = [path for root in roots if (path := request.repo_root / folder / root).is_dir()]
    if len(own) != 1:
        raise ToolFailed(
            f"the environment imports the project from another checkout, {elsewhere}",
            where=folder or ".",
            hint="install it from this one: pip install -e . in that folder",
        )
    return own[0]


def _ask(request: Request, python: Python, folder: str, name: str) -> Mapping[str, Any]:
    """Ask an environment what it has of the project in ``folder``; the second time it is known."""
    if (folder, name) not in python.copies:
        argv = [python.executable, "-I", str(PROBE), str(request.repo_root / folder), name]
        try:
            run = run_tool(argv, cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=make_tool_environ(request))
            # What the environment itself prints when it starts stands above the last line.
            python.copies[folder, name] = json.loads(run.stdout.splitlines()[-1]) if run.exit_code == 0 else {}
        except (ToolFailed, ValueError, IndexError):
            python.copies[folder, name] = {}
    return python.copies[folder, name]


def _read_name(files: SubjectFiles, folder: str) -> str:
    """Read the project's name, "" if no file that is data declares it."""
    within = f"{folder}/" if folder else ""
    document = files.toml(f"{within}pyproject.toml")
    tool = document.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    for table in (document.get("project"), poetry):
        if isinstance(table, dict) and isinstance(table.get("name"), str):
            return str(table["name"])
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(files.text(f"{within}setup.cfg"))
        return parser.get("metadata", "name", fallback="")
    except Error:
        return ""


def _find_prefix(files: SubjectFiles, folder: str, installed: Sequence[str]) -> str | None:
    """Find the folder of the subject that holds what is installed: the one where most of its modules are."""
    modules = {path for path in installed if path.endswith(".py")}
    below = f"{folder}/" if folder else ""
    found: Counter[str] = Counter()
    for path in files.paths:
        if not path.startswith(below):
            continue
        parts = path.split("/")
        for start in range(below.count("/"), len(parts)):
            if "/".join(parts[start:]) in modules:
                found["/".join(parts[:start])] += 1
                break
    return max(found, key=lambda prefix: (found[prefix], -len(prefix))) if found else None


def _add_generated(request: Request, files: SubjectFiles, prefix: str, site: Path, installed: Sequence[str]) -> None:
    lacking = {
        (f"{prefix}/{path}" if prefix else path): site / path
        for path in installed
        if (f"{prefix}/{path}" if prefix else path) not in files.known
    }
    size = 0
    for path in _list_ignored(request, [path for path in lacking if (request.repo_root / path).parent.is_dir()]):
        source, target = lacking[path], request.repo_root / path
        if not source.is_file() or os.path.lexists(target):
            continue
        size += source.stat().st_size
        if size > _MOST_BYTES:
            raise ToolFailed("what the installed project generated is too large to copy", where=str(site))
        shutil.copyfile(source, target)


def _list_ignored(request: Request, paths: Sequence[str]) -> Iterator[str]:
    """List those of ``paths`` that git ignores: a tracked file that was removed doesn't come back."""
    if not paths:
        return
    stdin = b"".join(os.fsencode(path) + b"\0" for path in paths)
    run = Repository(request.repo_root, request.environ).git("check-ignore", "-z", "--stdin", stdin=stdin, check=False)
    if run.exit_code == 0:
        yield from (os.fsdecode(path) for path in run.stdout.split(b"\0") if path)
