"""Examine this machine, an engine or an adapter for ``gate doctor``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.composition import now, services, today
from verigate.composition.adapters import RepositoryAdapters, find_entry_problem
from verigate.config.adapters_config import load_adapters_config, resolve_adapters_config
from verigate.config.baseline import read_baseline
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.doctor.adapter import examine_adapter
from verigate.doctor.checks import examine_machine as look
from verigate.domain.engine import normalize_engine_type
from verigate.domain.manifest import SandboxPolicy
from verigate.domain.policy_source import PolicyWanted
from verigate.domain.subject import SubjectKind
from verigate.errors import ConfigError, UsageError
from verigate.evidence.attestation import KEY_VARIABLE, load_signer
from verigate.formats.near_names import suggest_name
from verigate.processes.sandbox import find_bubblewrap, probe_sandbox, quote_bubblewrap_error, report_sandbox
from verigate.subject.git import is_git
from verigate.subject.git_query import read_git_line
from verigate.subject.workspace import open_workspace
from verigate.usecases.engines import list_engine_types, run_environment_test, run_environment_tests
from verigate.usecases.policy_ref import find_policy_ref

if TYPE_CHECKING:
    from verigate.doctor.finding import DoctorFinding
    from verigate.domain.engine import EnvironmentTest
    from verigate.domain.execution import SandboxReport
    from verigate.domain.manifest import Registry
    from verigate.domain.policy_source import PolicySource


def examine(root: Path, environ: Mapping[str, str], launcher: Sequence[str]) -> list[DoctorFinding]:
    """Examine this machine."""
    bubblewrap = find_bubblewrap(environ)

    def sandbox() -> SandboxReport:
        closed = SandboxPolicy(network=False, read_only=True)
        return report_sandbox(probe_sandbox(bubblewrap, sys.executable), closed)

    def key() -> str | None:
        load_signer(environ, root)
        return environ.get(KEY_VARIABLE) or None

    return look(
        root,
        environ,
        sandbox=sandbox,
        bubblewrap_error=lambda: "" if bubblewrap is None else quote_bubblewrap_error(bubblewrap),
        bubblewrap=bubblewrap,
        adapters=find_builtin_root() / "adapters",
        configuration=lambda: load_configuration(root, find_builtin_root()),
        policy=lambda: _find_policy(root, environ),
        baseline=lambda: read_baseline(root, today()),
        registry=lambda: _discover(root, environ),
        entry_problem=find_entry_problem,
        engines=lambda: _test_named_engines(root, environ),
        key=key,
        launcher=launcher,
    )


def _discover(root: Path, environ: Mapping[str, str]) -> Registry:
    """Find the adapters and check what the configuration gives them. Raises ConfigError."""
    registry = RepositoryAdapters(str(find_builtin_root()), environ).discover(str(root))
    try:
        layers = load_adapters_config(root, find_builtin_root())
    except ConfigError:
        return registry  # reported with the configuration
    resolve_adapters_config(layers, registry.manifests)
    return registry


def _find_policy(root: Path, environ: Mapping[str, str]) -> tuple[PolicySource | None, Sequence[str]]:
    """Find the ref that the policy of the current commit is read from. Raises GateError if it can't be read."""
    wanted = PolicyWanted(find_policy_ref(str(root), environ))
    if wanted.ref is None and (not is_git(root) or not read_git_line(root, environ, "rev-parse", "--verify", "HEAD")):
        return None, ()
    kind = SubjectKind.COMMIT if is_git(root) else SubjectKind.WORKTREE
    ref = "HEAD" if kind is SubjectKind.COMMIT else None
    with open_workspace(root, kind=kind, ref=ref, environ=environ, policy=wanted) as workspace:
        return workspace.policy_source, workspace.policy_warnings


def _test_named_engines(root: Path, environ: Mapping[str, str]) -> Sequence[EnvironmentTest]:
    """Test the engines that the repository's profiles name; none if its configuration is invalid."""
    try:
        profiles = load_configuration(root, find_builtin_root()).profiles
    except ConfigError:
        return ()
    rules = [profiles.resolve(name).rules for name in profiles.names]
    if not any(rule.get("verifier") for rule in rules):
        return ()

    return run_environment_tests(rules, root, environ, now)


def test_environment(root: Path, name: str, environ: Mapping[str, str]) -> EnvironmentTest:
    """Test an engine or an adapter. Raises UsageError for an unknown name."""
    engines = list_engine_types(environ, root)
    if normalize_engine_type(name) in engines:
        return run_environment_test(name, root, environ, now)
    manifests = {manifest.name: manifest for manifest in services(root).adapters.discover(str(root)).manifests}
    if name in manifests:
        return examine_adapter(manifests[name], environ, find_entry_problem, now())
    known = [*(found.replace("_", "-") for found in engines), *manifests]
    raise UsageError(f"no engine and no adapter is called {name!r}", hint=suggest_name(name, known, 3))
