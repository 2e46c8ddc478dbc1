"""What is on this machine and in this repository, as findings with a level, a code and a hint."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path

from msgspec import Struct

from verigate.domain.manifest import Registry
from verigate.errors import GateError
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Host
from verigate.integrations.agents.settings import is_ignored, is_installed
from verigate.integrations.git_hooks import HookState, status

_TOOLS = ("node", "npm", "cargo", "go", "java", "uv")


class Level(StrEnum):
    """How much a finding matters: error means that a verdict can't be had."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class Finding(Struct, frozen=True):
    """One thing that was looked at."""

    code: str
    level: Level
    message: str
    hint: str = ""


def examine(
    root: Path,
    environ: Mapping[str, str],
    *,
    sandbox: Callable[[], str | None],
    configuration: Callable[[], object],
    registry: Callable[[], Registry],
    entry_problem: Callable[[str], str | None],
) -> list[Finding]:
    """Look at everything; a part that fails becomes a finding and keeps no other from being looked at.

    ``sandbox`` returns the version of a bubblewrap that works, None without one.
    """
    found = [*_interpreter(), *_programs(environ), *_sandbox(sandbox)]
    found += _guarded("configuration", lambda: _configuration(configuration))
    found += _guarded("adapters", lambda: _adapters(registry(), environ, entry_problem))
    found += _guarded("hooks", lambda: _hooks(root, environ))
    for host in HOSTS.values():
        found += _guarded(f"agent.{host.name}", partial(_agent, root, host))
    found += _ignored(root, environ)
    return found


def worst(findings: Iterable[Finding]) -> Level:
    """The highest level among them."""
    levels = {finding.level for finding in findings}
    return next((level for level in (Level.ERROR, Level.WARN) if level in levels), Level.INFO)


def _guarded(code: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(look())
    except GateError as problem:
        return [
            Finding(
                code, Level.ERROR, f"{fault.where}: {fault.message}" if fault.where else fault.message, fault.hint or ""
            )
            for fault in problem.faults
        ]


def _interpreter() -> Iterable[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", Level.INFO, f"Python {version} at {sys.executable}")


def _programs(environ: Mapping[str, str]) -> Iterable[Finding]:
    path = environ.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    if git is None:
        yield Finding("git", Level.ERROR, "git is not on PATH", "install git")
    else:
        yield Finding("git", Level.INFO, f"{_version(git)} at {git}")
    for name in _TOOLS:
        found = shutil.which(name, path=path)
        yield Finding(f"tool.{name}", Level.INFO, f"{name} at {found}" if found else f"{name} is not on PATH")


def _version(program: str) -> str:
    done = subprocess.run(
        (program, "--version"), capture_output=True, check=False, timeout=10, stdin=subprocess.DEVNULL
    )
    return done.stdout.decode("utf-8", "replace").strip()


def _sandbox(probe: Callable[[], str | None]) -> Iterable[Finding]:
    found = probe()
    if found is not None:
        yield Finding("sandbox", Level.INFO, f"bubblewrap works ({found}): network and file system are enforced")
    else:
        message = (
            "bubblewrap is not installed or not allowed here: a manifest's network and filesystem are not enforced"
        )
        hint = "install bubblewrap (apt-get install bubblewrap) and allow unprivileged user namespaces"
        yield Finding("sandbox", Level.WARN, message, hint)


def _configuration(load: Callable[[], object]) -> Iterable[Finding]:
    load()
    yield Finding("configuration", Level.INFO, "plan, profiles and adapter configuration are valid")


def _adapters(
    registry: Registry, environ: Mapping[str, str], entry_problem: Callable[[str], str | None]
) -> Iterable[Finding]:
    yield Finding("adapters", Level.INFO, f"{len(registry.manifests)} adapters, {len(registry.providers)} capabilities")
    path = environ.get("PATH", os.defpath)
    for warning in registry.warnings:
        yield Finding("adapter.manifest", Level.WARN, warning)
    for manifest in registry.manifests:
        if (problem := entry_problem(manifest.entry_path)) is not None:
            yield Finding("adapter.entry", Level.WARN, f"adapter {manifest.name}: {problem}: {manifest.entry_path}")
        missing = [tool for tool in manifest.sandbox.tools if shutil.which(tool, path=path) is None]
        if missing:
            message = f"adapter {manifest.name}: declared tools not on PATH: {', '.join(missing)}"
            yield Finding("adapter.tools", Level.INFO, message, "a project's own environment may have them")


def _hooks(root: Path, environ: Mapping[str, str]) -> Iterable[Finding]:
    for hook in status(root, environ=environ):
        ours = hook.state in {HookState.OURS, HookState.CARRIED}
        hint = "" if ours else "gate install"
        yield Finding(f"hook.{hook.hook}", Level.INFO if ours else Level.WARN, f"{hook.hook}: {hook.state.value}", hint)


def _agent(root: Path, host: Host) -> Iterable[Finding]:
    """Nothing for a host that the gate isn't installed in: most people use one of them."""
    if not is_installed(root, host):
        return
    code = f"agent.{host.name}"
    if is_ignored(root, host):
        message = f"{host.name} ignores {host.settings}, which has comments, and every hook in it"
        yield Finding(code, Level.WARN, message, "take the comments out")
    else:
        yield Finding(code, Level.INFO, f"{host.name}: installed in {host.settings}")


def _ignored(root: Path, environ: Mapping[str, str]) -> Iterable[Finding]:
    """Configuration that git ignores isn't part of any subject, and so judges nothing."""
    git = shutil.which("git", path=environ.get("PATH", os.defpath))
    names = [
        name for name in ("config/adapter-plan.json", "config/verification.profiles.json") if (root / name).exists()
    ]
    if git is None or not names:
        return
    done = subprocess.run(
        (git, "check-ignore", "--", *names), cwd=root, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    for name in done.stdout.decode("utf-8", "replace").splitlines():
        yield Finding(
            "configuration.ignored", Level.WARN, f"{name} is ignored by git: it will not be used", "un-ignore it"
        )
