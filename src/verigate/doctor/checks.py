"""Examine this machine and this repository; findings with a level, a code and a hint."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from verigate.config.configuration import Configuration
from verigate.doctor.baseline import examine_baseline
from verigate.doctor.bytecode import count_without_bytecode
from verigate.doctor.engines import examine_engines
from verigate.doctor.finding import DoctorFinding, Level
from verigate.doctor.hook_probe import MESSAGE_HOOK, SHOWN, HookProbe, probe_hook
from verigate.doctor.policy import examine_policy
from verigate.doctor.repository_needs import RepositoryNeeds, find_needs, report_needs
from verigate.doctor.sandbox import examine_sandbox
from verigate.doctor.versions import read_versions
from verigate.domain.baseline import Baseline
from verigate.domain.engine import EnvironmentTest
from verigate.domain.execution import SandboxReport
from verigate.domain.grants import format_scope, parse_grants
from verigate.domain.manifest import Origin, Registry
from verigate.domain.policy_names import CONFIG_FILES
from verigate.domain.policy_source import PolicySource
from verigate.domain.profile import BASELINE_FILE
from verigate.errors import ConfigError, GateError
from verigate.extras import lacks
from verigate.integrations.agents import HOSTS
from verigate.integrations.agents.host import Host
from verigate.integrations.agents.settings import is_ignored, is_installed
from verigate.integrations.git.hook_states import HookState, HookStatus, read_installed, read_status
from verigate.integrations.git.hooks import find_outdated
from verigate.integrations.launchers import DEFAULT_HOOKS

_OURS = (HookState.OURS, HookState.CARRIED, HookState.MANAGED)
_DECLARED = frozenset({"configuration", "baseline", "adapters"})
"""Parts whose faults are those of files that every command reads."""
_AGENTS_HINT = "gate install --agent NAME, if coding agents work here"


def examine_machine(
    root: Path,
    environ: Mapping[str, str],
    *,
    sandbox: Callable[[], SandboxReport],
    bubblewrap: str | None,
    bubblewrap_error: Callable[[], str],
    adapters: Path,
    configuration: Callable[[], Configuration],
    policy: Callable[[], tuple[PolicySource | None, Sequence[str]]],
    baseline: Callable[[], Baseline | None],
    registry: Callable[[], Registry],
    entry_problem: Callable[[str], str | None],
    engines: Callable[[], Iterable[EnvironmentTest]],
    key: Callable[[], str | None],
    launcher: Sequence[str],
) -> list[DoctorFinding]:
    """Run all examinations; one that fails becomes a finding and doesn't prevent the others.

    ``sandbox`` reports what would hold a call that asks for all of it; ``bubblewrap`` is the path of the machine's,
    None without one, and ``bubblewrap_error`` quotes it where it fails; ``adapters`` is the folder of those that ship
    with the gate; ``policy`` returns the ref that policy is read from, and warnings about it; ``engines`` tests those
    that the profiles name; ``key`` returns the path of the key that signs verdicts; ``launcher`` is the command that an
    installed hook starts.
    """
    needs = find_needs(root, environ)
    found = [*_examine_interpreter(), *_examine_git(environ), *report_needs(needs, environ)]
    found += examine_sandbox(
        sandbox, is_installed=bubblewrap is not None, is_root=os.geteuid() == 0, quote=bubblewrap_error
    )
    found += _examine_bytecode(adapters)
    found += _examine_extras(needs)
    found += _examine_part("configuration", lambda: _examine_configuration(root, configuration))
    found += _examine_part("policy", lambda: examine_policy(*policy()))
    found += _examine_part("baseline", lambda: _examine_baseline(baseline()))
    found += _examine_part("adapters", lambda: _examine_adapters(registry(), environ, entry_problem))
    found += _examine_part("engines", lambda: _examine_engines(engines()))
    hooks = _examine_part("hooks", lambda: _examine_hooks(root, environ, launcher))
    found += hooks
    if not _is_failed(hooks, "hooks"):
        found += _examine_part("blocks", lambda: _examine_blocking(root, environ))
    found += _examine_part("key", lambda: _examine_key(key))
    with ThreadPoolExecutor(max_workers=len(SHOWN)) as pool:
        looks = [
            pool.submit(_examine_part, f"agent.{host.name}", partial(_examine_agent, root, host, environ, launcher))
            for host in HOSTS.values()
        ]
    agents = [item for look in looks for item in look.result()]
    found += agents or [
        DoctorFinding("agents", Level.INFO, "no hooks of a coding agent are installed", _AGENTS_HINT, True, absent=True)
    ]
    found += _find_ignored(root, environ)
    return found


def find_worst_level(findings: Iterable[DoctorFinding]) -> Level:
    """Return the highest level among the findings."""
    levels = {finding.level for finding in findings}
    return next((level for level in (Level.ERROR, Level.WARN) if level in levels), Level.INFO)


def _examine_part(code: str, look: Callable[[], Iterable[DoctorFinding]]) -> list[DoctorFinding]:
    try:
        return list(look())
    except GateError as problem:
        return [
            DoctorFinding(
                code,
                Level.ERROR,
                f"{fault.where}: {fault.message}" if fault.where else fault.message,
                fault.hint or "",
                invalid=isinstance(problem, ConfigError) and code in _DECLARED,
            )
            for fault in problem.faults
        ]


def _is_failed(found: Iterable[DoctorFinding], code: str) -> bool:
    """Whether the part ``code`` couldn't be examined: the finding that says so is named as the part itself."""
    return any(item.code == code for item in found)


def _examine_interpreter() -> Iterable[DoctorFinding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield DoctorFinding("python", Level.INFO, f"Python {version} at {sys.executable}")


def _examine_bytecode(adapters: Path) -> Iterable[DoctorFinding]:
    if number := count_without_bytecode(adapters):
        message = f"{number} Python files of the adapters lack bytecode and are compiled in each sandbox"
        yield DoctorFinding(
            "bytecode", Level.WARN, message, "gate doctor --fix, or install with uv's --compile-bytecode"
        )


def _examine_extras(needs: RepositoryNeeds) -> Iterable[DoctorFinding]:
    for extra, lack in lacks().items():
        useful = extra in needs.extras
        level = Level.WARN if useful else Level.INFO
        yield DoctorFinding(f"extra.{extra}", level, lack.message, lack.command, detail=not useful, absent=not useful)


def _examine_git(environ: Mapping[str, str]) -> Iterable[DoctorFinding]:
    git = shutil.which("git", path=environ.get("PATH", os.defpath))
    if git is None:
        yield DoctorFinding("git", Level.ERROR, "git is not on PATH", "install git")
        return
    version = read_versions({"git": git}, environ)["git"]
    yield DoctorFinding("git", Level.INFO, f"{version or 'its version is not known'} at {git}")


def _examine_configuration(root: Path, load: Callable[[], Configuration]) -> Iterable[DoctorFinding]:
    configuration = load()
    if not any(os.path.lexists(root / name) for name in CONFIG_FILES):
        message = "there is none here: the gate's own plan and profiles apply"
        yield DoctorFinding("configuration", Level.INFO, message, "gate init, which writes it", absent=True)
        return
    yield DoctorFinding("configuration", Level.INFO, "plan, profiles and adapter configuration are valid")
    if configuration.sandbox is None:
        return
    for adapter, grants in parse_grants(configuration.sandbox.own).items():
        opened = "; ".join(f"{format_scope(grant)} ({grant.reason})" for grant in grants)
        if opened:
            yield DoctorFinding(f"sandbox.{adapter}", Level.INFO, f"config/sandbox.json opens {opened}")


def _examine_baseline(baseline: Baseline | None) -> Iterable[DoctorFinding]:
    if baseline is None:
        return ()
    return examine_baseline(baseline)


def _examine_engines(tests: Iterable[EnvironmentTest]) -> Iterable[DoctorFinding]:
    return examine_engines(tests)


def _examine_adapters(
    registry: Registry, environ: Mapping[str, str], entry_problem: Callable[[str], str | None]
) -> Iterable[DoctorFinding]:
    yield DoctorFinding(
        "adapters", Level.INFO, f"{len(registry.manifests)} adapters, {len(registry.providers)} capabilities"
    )
    path = environ.get("PATH", os.defpath)
    for warning in registry.warnings:
        yield DoctorFinding("adapter.manifest", Level.WARN, warning)
    for manifest in registry.manifests:
        if (problem := entry_problem(manifest.entry_path)) is not None:
            yield DoctorFinding(
                "adapter.entry", Level.WARN, f"adapter {manifest.name}: {problem}: {manifest.entry_path}"
            )
        if manifest.launcher is not None and manifest.origin is Origin.BUILTIN:
            # No machine has all the programs for which a TOML file ships.
            continue
        absent = [tool for tool in manifest.sandbox.tools if shutil.which(tool, path=path) is None]
        if absent:
            message = f"adapter {manifest.name}: declared tools not on PATH: {', '.join(absent)}"
            hint, shipped = "a project's own environment may have them", manifest.origin is Origin.BUILTIN
            yield DoctorFinding("adapter.tools", Level.INFO, message, hint, detail=shipped, absent=True)


def _examine_hooks(root: Path, environ: Mapping[str, str], launcher: Sequence[str]) -> Iterable[DoctorFinding]:
    old = find_outdated(root, launcher, environ=environ)
    for hook in read_status(root, environ=environ):
        unneeded = hook.state is HookState.ABSENT and hook.hook not in DEFAULT_HOOKS
        ours = hook.state in _OURS or unneeded
        message, hint = f"{hook.hook}: {_describe_hook(hook, root)}", "" if ours else "gate install"
        level = Level.INFO if ours else Level.WARN
        yield DoctorFinding(f"hook.{hook.hook}", level, message, hint, absent=unneeded)
        if hook.hook in old:
            message = f"{hook.hook}: it starts another gate, or isn't executable and git skips it"
            yield DoctorFinding("hook.outdated", Level.WARN, message, "gate doctor --fix")


def _describe_hook(hook: HookStatus, root: Path) -> str:
    path = Path(hook.path)
    place = str(path.relative_to(root)) if path.is_relative_to(root) else hook.path
    if hook.state is HookState.ABSENT:
        return f"there is none in {path.parent.relative_to(root) if path.is_relative_to(root) else path.parent}"
    if hook.state is HookState.MANAGED:
        return f"{place} calls the gate{f', configured in {hook.caller}' if hook.caller != place else ''}"
    if hook.state is HookState.CARRIED:
        return f"installed as {place}.legacy, which {place} runs"
    return {
        HookState.OURS: f"installed in {place}",
        HookState.EDITED: f"{place} is the gate's, but was edited: it may not block",
        HookState.FOREIGN: f"{place} is another program's and doesn't call the gate",
    }[hook.state]


def _examine_blocking(root: Path, environ: Mapping[str, str]) -> Iterable[DoctorFinding]:
    """Report how installed hooks treat an honest and a false commit, in private clones, all hooks at once."""
    # Without the extra nothing compares tests.
    shown = [hook for hook in SHOWN if hook != MESSAGE_HOOK or "code" not in lacks()]
    mine = [item.hook for item in read_status(root, environ=environ) if item.state in _OURS and item.hook in shown]
    found = {hook: read_installed(root, hook, environ=environ) for hook in mine}
    for hook in (hook for hook, installed in found.items() if installed is None):
        message = f"{hook}: blocking can't be tested: the call of the gate was edited, or is part of other commands"
        yield DoctorFinding(f"blocks.{hook}", Level.WARN, message, f"put gate git-hook {hook} on a line of its own")
    ours = {hook: installed for hook, installed in found.items() if installed is not None}
    with ThreadPoolExecutor(max_workers=len(SHOWN)) as pool:
        probe = {hook: pool.submit(probe_hook, root, hook, installed, environ) for hook, installed in ours.items()}
    for hook, future in probe.items():
        yield _report_probe(hook, future.result(), advisory=ours[hook].advisory)


def _report_probe(hook: str, probe: HookProbe, *, advisory: bool) -> DoctorFinding:
    code = f"blocks.{hook}"
    if not probe.honest_passed:
        message = f"{hook}: it blocks an honest commit: {probe.output}"
        return DoctorFinding(code, Level.ERROR, message, "gate doctor --fix, or gate install")
    if probe.lie_stopped:
        message = f"{hook}: it let an honest commit pass and blocked a false one ({probe.seconds:.1f} s)"
        return DoctorFinding(code, Level.INFO, message)
    if advisory:
        message = f"{hook}: advisory, it reports and never blocks: a false commit passed"
        return DoctorFinding(code, Level.WARN, message, "gate install, to make it block")
    message = f"{hook}: it let a false commit pass: {probe.output}"
    return DoctorFinding(code, Level.ERROR, message, "gate uninstall && gate install")


def _examine_key(key: Callable[[], str | None]) -> Iterable[DoctorFinding]:
    path = key()
    if path is None:
        yield DoctorFinding(
            "key", Level.INFO, "no key is configured: verdicts are not signed", detail=True, absent=True
        )
        return
    yield DoctorFinding("key", Level.INFO, f"verdicts are signed with {path}")
    if Path(path).stat().st_mode & 0o077:
        message = "other users of this machine can read or change the key that signs verdicts"
        yield DoctorFinding("key.open", Level.WARN, message, f"chmod 600 {shlex.quote(path)}")


def _examine_agent(
    root: Path, host: Host, environ: Mapping[str, str], launcher: Sequence[str]
) -> Iterable[DoctorFinding]:
    """Report nothing for a host without installed hooks: most people use one host."""
    if not is_installed(root, host):
        return
    code = f"agent.{host.name}"
    if is_ignored(root, host):
        message = f"{host.name} ignores {host.settings}, which has comments, with every hook in it"
        yield DoctorFinding(code, Level.WARN, message, "remove the comments")
    else:
        yield DoctorFinding(code, Level.INFO, f"{host.name}: installed in {host.settings}")
        if (why := host.find_distrust(root, environ)) is not None:
            hint = " ".join(host.notes) or f"open {host.name} in this folder, and trust it"
            yield DoctorFinding(f"trust.{host.name}", Level.WARN, f"{host.name}: {why}", hint)
        if host.declared.holds_turns:
            yield _examine_agent_blocking(root, host, environ, launcher)
        else:
            message = f"{host.name}: it refuses tool calls, and can't hold back the end of a turn"
            yield DoctorFinding(f"blocks.{host.name}", Level.INFO, message, "gate install, for the hooks of git", True)


def _examine_agent_blocking(
    root: Path, host: Host, environ: Mapping[str, str], launcher: Sequence[str]
) -> DoctorFinding:
    from verigate.doctor.agent_hook_probe import find_stop_command, probe_agent_hook

    code = f"blocks.{host.name}"
    command = find_stop_command((root / host.settings).read_bytes(), host)
    if command is None:
        message = f"{host.name}: blocking can't be tested: the installed hook is of another version"
        return DoctorFinding(code, Level.WARN, message, f"gate install --agent {host.name}")
    probe = probe_agent_hook(root, host, command, environ, launcher)
    if not probe.honest_passed or not probe.lie_stopped:
        what = "it let a false turn pass" if probe.honest_passed else "it blocks an honest turn"
        return DoctorFinding(
            code, Level.ERROR, f"{host.name}: {what}: {probe.output}", f"gate install --agent {host.name}"
        )
    message = f"{host.name}: it let an honest turn pass and blocked a false one ({probe.seconds:.1f} s)"
    return DoctorFinding(code, Level.INFO, message)


def _find_ignored(root: Path, environ: Mapping[str, str]) -> Iterable[DoctorFinding]:
    """Report configuration that git ignores: it is no part of any subject, so it has no effect."""
    git = shutil.which("git", path=environ.get("PATH", os.defpath))
    names = [
        name
        for name in ("config/adapter-plan.json", "config/verification.profiles.json", BASELINE_FILE)
        if (root / name).exists()
    ]
    if git is None or not names:
        return
    done = subprocess.run(
        (git, "check-ignore", "--", *names), cwd=root, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    for name in done.stdout.decode("utf-8", "replace").splitlines():
        yield DoctorFinding(
            "configuration.ignored",
            Level.WARN,
            f"{name} is ignored by git: it has no effect",
            "remove it from .gitignore",
        )
