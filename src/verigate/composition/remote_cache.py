"""Open the remote cache and executor of a run: which server, whose results count, and what signs those of this run."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.domain.profile import CACHE_FILE
from verigate.domain.remote_call import CacheStage
from verigate.domain.remote_server import (
    CACHE_VARIABLE,
    EXECUTOR_VARIABLE,
    KEY_VARIABLE,
    MODE_VARIABLE,
    OFF,
    WAIT_VARIABLE,
    CacheMode,
    parse_address,
    parse_mode,
    parse_wait,
)
from verigate.domain.worker_offer import OFFERS_VARIABLE, parse_offers
from verigate.errors import ConfigError, Fault, UsageError

if TYPE_CHECKING:
    from verigate.config.cache_file import RemoteCacheSetting
    from verigate.domain.approval import ApprovalPolicy
    from verigate.domain.plan import Plan
    from verigate.domain.ports import SubjectWorkspace
    from verigate.domain.remote_server import RemoteServerAddress
    from verigate.evidence.ssh_keygen import SshKeygen
    from verigate.usecases.remote_evidence import RunRemote
    from verigate.usecases.remote_executor import RunExecutor
    from verigate.usecases.signed_results import RemoteTrust, SignStatement, VerifySignature

_OF_CI = ("GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "JENKINS_URL")
_NOBODY = "no policy ref lists whose results count (config/allowed-signers)"
_NO = frozenset({"", "0", "false"})


def open_remote_cache(
    root: Path,
    environ: Mapping[str, str],
    configured: RemoteCacheSetting | None,
    workspace: SubjectWorkspace,
    plan: Plan,
    *,
    takes: bool,
) -> RunRemote | None:
    """Open the remote cache that the environment or the trusted policy names, and the executor; None without any.

    An executor's server is asked for results too, where no other is named.

    Raises ConfigError, UsageError for one that can't be used as it is configured.
    """
    executor = find_executor(environ)
    setting = find_setting(environ, configured)
    is_judged = setting is not None and not environ.get(CACHE_VARIABLE) and workspace.policy_source is None
    if setting is None and executor is not None:
        from verigate.config.cache_file import RemoteCacheSetting

        setting = RemoteCacheSetting(executor)
    if setting is None or not any(planned.declaration.inputs for planned in plan.capabilities):
        return None
    from verigate.extras import find_lack

    if (lack := find_lack("remote")) is not None:
        where = CACHE_VARIABLE if executor is None else EXECUTOR_VARIABLE
        raise ConfigError([Fault(lack.message, where, hint=lack.command)])
    from verigate import composition
    from verigate.composition.remote_credentials import find_credentials
    from verigate.evidence.ssh_keygen import SshKeygen
    from verigate.execution.evidence_cache import EvidenceCache
    from verigate.remote.server import RemoteServer
    from verigate.usecases.kept_evidence import EvidenceStore
    from verigate.usecases.remote_evidence import RunRemote
    from verigate.usecases.signed_results import RemoteTrust
    from verigate.user_folders import UserFolders

    stage = find_stage(environ)
    keygen = SshKeygen.find(root, environ)
    trusted = _read_signers(workspace)
    trust = RemoteTrust(
        stage,
        (CacheStage.CI,) if stage is CacheStage.CI else (CacheStage.CI, CacheStage.LOCAL),
        _make_verifier(keygen, trusted),
        find_signing_key(root, environ, keygen) if setting.mode is CacheMode.READ_WRITE else None,
    )
    found = EvidenceCache.from_user(UserFolders(environ, str(root)), "outcomes")
    credentials, note = find_credentials(root, environ, setting.remote), ""
    if is_judged:
        if credentials.identify:
            note = f"no credentials are sent to it: without a policy ref, whoever is judged can change {CACHE_FILE}"
        credentials = credentials.without_identity()
    return RunRemote(
        str(setting.remote),
        setting.mode,
        RemoteServer(setting.remote, credentials),
        trust,
        outcomes=None if found is None else EvidenceStore(found, found, composition.now),
        worker=describe_here(),
        now=composition.now,
        takes=takes,
        executor=None if executor is None or not takes else _open_executor(root, executor, trust, trusted, environ),
        note=note,
    )


def describe_here() -> dict[str, str]:
    """Describe this machine, as a label of what it finds."""
    from verigate import __version__
    from verigate.usecases.signed_results import describe_worker

    return describe_worker(platform.node(), __version__, {"system": platform.system(), "machine": platform.machine()})


def _open_executor(
    root: Path,
    address: RemoteServerAddress,
    trust: RemoteTrust,
    trusted: ApprovalPolicy | None,
    environ: Mapping[str, str],
) -> RunExecutor:
    from verigate import composition
    from verigate.composition.remote_credentials import find_credentials
    from verigate.remote.execution import QUEUE_S, RemoteExecutor
    from verigate.remote.server import RemoteServer
    from verigate.usecases.remote_executor import RunExecutor

    server = RemoteServer(address, find_credentials(root, environ, address))
    named = environ.get(WAIT_VARIABLE, "")
    opened = RemoteExecutor(server, queue_s=parse_wait(named) if named else QUEUE_S)
    objection = "" if _lists_signers(trusted) else _NOBODY
    offers = parse_offers(environ.get(OFFERS_VARIABLE, "").replace(",", " ").split(), OFFERS_VARIABLE)
    return RunExecutor(str(address), server, opened, trust, now=composition.now, offers=offers, objection=objection)


def find_executor(environ: Mapping[str, str]) -> RemoteServerAddress | None:
    """Return the server whose workers make calls; None without one. Raises UsageError."""
    named = environ.get(EXECUTOR_VARIABLE, "")
    return parse_address(named, EXECUTOR_VARIABLE) if named else None


def find_setting(environ: Mapping[str, str], configured: RemoteCacheSetting | None) -> RemoteCacheSetting | None:
    """Return the setting of the environment, else the configured one; ``off`` is none. Raises UsageError."""
    named, mode = environ.get(CACHE_VARIABLE, ""), environ.get(MODE_VARIABLE, "")
    if named == OFF or (not named and configured is None):
        return None
    from verigate.config.cache_file import RemoteCacheSetting

    if named:
        configured = RemoteCacheSetting(parse_address(named, CACHE_VARIABLE))
    if configured is None or not mode:
        return configured
    return RemoteCacheSetting(configured.remote, parse_mode(mode, MODE_VARIABLE))


def find_stage(environ: Mapping[str, str]) -> CacheStage:
    """Return where this run is: in CI by what CI systems set, else with a developer."""
    in_ci = environ.get("CI", "").lower() not in _NO or any(environ.get(name) for name in _OF_CI)
    return CacheStage.CI if in_ci else CacheStage.LOCAL


def _read_signers(workspace: SubjectWorkspace) -> ApprovalPolicy | None:
    """Return the signers of the policy ref; None where no ref is named, so that nobody's results count."""
    if workspace.policy_source is None:
        return None
    from verigate.config.approvals_file import read_approval_policy

    return read_approval_policy(workspace.read_trusted_file)


def _lists_signers(trusted: ApprovalPolicy | None) -> bool:
    return trusted is not None and bool(trusted.signers.strip())


def _make_verifier(keygen: SshKeygen, trusted: ApprovalPolicy | None) -> VerifySignature:
    def verify(statement: bytes, signature: bytes, stage: CacheStage) -> str:
        if trusted is None or not _lists_signers(trusted):
            raise ValueError(_NOBODY)
        return keygen.find_signer(statement, signature.decode("ascii"), trusted.signers, stage.namespace)

    return verify


def find_signing_key(root: Path, environ: Mapping[str, str], keygen: SshKeygen) -> SignStatement:
    """Return what signs results with the key that the environment names. Raises UsageError without one."""
    named = environ.get(KEY_VARIABLE, "")
    hint = "name the key of ssh-keygen that signs results; to read without one: GATE_REMOTE_CACHE_MODE=read"
    if not named:
        message = "a worker, and read-write, need a key that signs what they store"
        raise UsageError(message, where=KEY_VARIABLE, hint=hint)
    path = Path(named)
    if not path.is_absolute() or not path.is_file():
        raise UsageError(f"{named!r} is not the absolute path of a key", where=KEY_VARIABLE, hint=hint)
    from verigate.user_folders import is_inside

    if is_inside(named, str(root)):
        message = f"the key {named} lies in the repository: whoever is judged can sign with it"
        raise UsageError(message, where=KEY_VARIABLE, hint="move it out of the repository")
    return lambda statement, stage: keygen.sign(statement, path, stage.namespace).encode("ascii")
