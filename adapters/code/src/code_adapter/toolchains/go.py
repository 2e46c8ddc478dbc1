"""go: its environment, its modules, and the causes that it names when nothing could be compiled."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from code_adapter.detection import Missing
from code_adapter.environment import PROBE_TIMEOUT_S, TOOL_TIMEOUT_S, find_user_home, make_tool_environ
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles, filter_topmost
from code_adapter.toolchains.go_cache import open_build_cache
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool
from verigate.sdk.subject import changed_paths, find_repository

NOT_INSTALLED = "go is not installed: install it (on Debian: apt-get install golang-go)"

_DOWNLOADS = re.compile(r"^go: downloading (\S+) (\S+)$", re.MULTILINE)
_LOOKED_UP = re.compile(r"(\S+@v[^\s:]+): (?:module lookup disabled|Get \")")
_NOT_THERE = re.compile(
    r"module lookup disabled by GOPROXY=off|: Get \"https?://|dial tcp: lookup |cannot find module providing package"
    r"|no such host|unrecognized import path|/@v/\S+\.lock: read-only file system"
    r"|mkdir \S+/cache/download/\S+: read-only file system"
)
_LOCKED = re.compile(r"/cache/download/(\S+?)/@v/(\S+)\.lock: read-only file system")
"""A module that go would have to fetch into the user's module cache, which a sandbox can't write."""

_TOOLCHAIN = re.compile(r"^go: (?:download|downloading) (go\d\S*).*$|requires go >= (\d\S*)", re.MULTILINE)
_USE = re.compile(r"^\s*use\s+(\S+)|^\s+(\./?\S*|\.)\s*$", re.MULTILINE)


def make_go_environ(request: Request) -> dict[str, str]:
    """Make the environment of go: offline, with the user's modules, settings and build cache.

    The gate gives adapters a private HOME. What go compiles is stored there; what the user's cache holds is linked, so
    that it isn't compiled again.
    """
    env = make_tool_environ(request)
    home = find_user_home()
    settings = home / ".config" / "go" / "env"
    if "GOENV" not in env and settings.is_file():
        # What `go env -w` wrote.
        env["GOENV"] = str(settings)
        _leave_to_settings(env, settings, home)
    if request.gated and (own := env.get("HOME")) and Path(own) != home:
        users = Path(request.environ.get("GOCACHE") or home / ".cache" / "go-build")
        env["GOCACHE"] = str(open_build_cache(users, Path(own)))
    if not _asks_a_folder(request, env):
        # There is no network; go says so at once, and names the module.
        env["GOPROXY"] = "off"
    return env


def _leave_to_settings(env: dict[str, str], settings: Path, home: Path) -> None:
    """Drop folders that the gate set because they exist, where the user's settings name others."""
    text = settings.read_text("utf-8", "replace")
    for name, default in (("GOPATH", home / "go"), ("GOMODCACHE", home / "go/pkg/mod")):
        if re.search(rf"^(?:GOPATH|{name})=", text, re.MULTILINE) and env.get(name) == str(default):
            del env[name]


def _asks_a_folder(request: Request, env: dict[str, str]) -> bool:
    run = run_tool(["go", "env", "GOPROXY"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    return b"file://" in run.stdout


def run_go(request: Request, folder: str, argv: Sequence[str], watch: Callable[[bytes], None] | None = None) -> ToolRun:
    """Run go in ``folder``; ``watch`` gets what it prints.

    Raises ToolFailed where it lacks a module or the version that go.mod asks for.
    """
    env = make_go_environ(request)
    run = run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env, watch=watch)
    require_modules(run, folder)
    return run


def read_go_version(request: Request, folder: str) -> str | None:
    """Read go's version for ``folder``; None if it can't be read."""
    env = make_tool_environ(request)
    run = run_tool(["go", "env", "GOVERSION"], cwd=request.repo_root / folder, timeout_s=PROBE_TIMEOUT_S, env=env)
    return run.stdout.decode("utf-8", "replace").strip().removeprefix("go") or None


def require_modules(run: ToolRun, folder: str) -> None:
    """Raise ToolFailed if go ended because modules, or itself in a newer version, are not on this machine."""
    if run.exit_code == 0:
        return
    text = clean_text(run.stderr)
    if wanted := _TOOLCHAIN.search(text):
        version = wanted[1] or f"go{wanted[2]}"
        raise ToolFailed(
            f"go.mod asks for {version.rstrip(':;,')}, which is not installed",
            where=folder or ".",
            hint="install that version of go, or raise no version in go.mod that this machine doesn't have",
        )
    if _NOT_THERE.search(text) is None:
        return
    listed = (*_DOWNLOADS.findall(text), *_LOCKED.findall(text))
    modules = sorted({f"{name}@{version}" for name, version in listed} | {*_LOOKED_UP.findall(text)})
    named = ", ".join(modules[:5]) + (f" and {len(modules) - 5} more" if len(modules) > 5 else "")
    cause = f"modules are not on this machine: {named}" if named else first_go_error(text)
    raise ToolFailed(cause, where=folder or ".", hint="run go mod download in that folder, with a network")


def first_go_error(text: str) -> str:
    """Return the first line of go's stderr that is an error, not progress."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("go: downloading", "# "))]
    return lines[0] if lines else "go ended without a message"


def find_modules(request: Request, files: SubjectFiles, suffix: str) -> Iterator[str | Missing]:
    """Yield the folder of each module with files that end with ``suffix``, also of modules inside others.

    ``./...`` ends at the next go.mod. An inner module whose requirements are not on this machine, or that is for
    another platform, is Missing: due if go.work lists it or the change touches it, else only listed, as a developer's
    own ``go test ./...`` leaves it out.
    """
    folders = sorted(
        "" if path == "go.mod" else path.removesuffix("/go.mod")
        for path in files.paths
        if path.rpartition("/")[2] == "go.mod" and not NOT_PROJECTS.intersection(PurePosixPath(path).parts)
    )
    top = set(filter_topmost(folders))
    changed: frozenset[str] | None = None
    used: frozenset[str] | None = None
    for folder, own in group_by_module(files, folders).items():
        if not any(path.endswith(suffix) for path in own):
            continue
        if shutil.which("go", path=request.project_path) is None:
            yield Missing("go", folder, NOT_INSTALLED)
            continue
        if folder not in top and (why := _find_lack(request, folder)):
            changed = _list_changed(request, files) if changed is None else changed
            used = _list_used(files) if used is None else used
            due = folder in used or not changed.isdisjoint(own)
            yield Missing("go", folder, why, due=due)
            continue
        yield folder


def _list_changed(request: Request, files: SubjectFiles) -> frozenset[str]:
    repository = find_repository(request)
    return files.known if repository is None else changed_paths(request, repository)


def group_by_module(files: SubjectFiles, folders: Sequence[str]) -> dict[str, list[str]]:
    """Group the files by the module whose folder is the nearest above; files in none are left out."""
    found: dict[str, list[str]] = {folder: [] for folder in folders}
    for path in files.paths:
        above = path
        while above:
            above = above.rpartition("/")[0]
            if above in found:
                found[above].append(path)
                break
    return found


def _find_lack(request: Request, folder: str) -> str | None:
    """Say which requirement of an inner module is missing; None if it can be compiled or fails otherwise."""
    try:
        run = run_go(request, folder, ["go", "list", "-deps", "-test", "./..."])
    except ToolFailed as error:
        return f"{error.message}; {error.hint}"
    if run.exit_code == 0 and not run.stdout.strip():
        return "none of its packages is built for this platform"
    return None


def _list_used(files: SubjectFiles) -> frozenset[str]:
    text = files.text("go.work") if "go.work" in files.known else ""
    named = (first or second for first, second in _USE.findall(text))
    return frozenset(str(PurePosixPath(name.strip('"'))).removeprefix("./") for name in named if name != "(")
