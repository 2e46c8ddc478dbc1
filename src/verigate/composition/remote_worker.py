"""Construct a worker of a server of the Remote Execution API."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from verigate import composition
from verigate.composition.adapters import RepositoryAdapters
from verigate.config.builtin import find_builtin_root
from verigate.domain.execution import CapabilityRun
from verigate.domain.grants import GrantKind
from verigate.domain.manifest import Manifest
from verigate.domain.remote_call import InputFile
from verigate.domain.remote_server import RemoteServerAddress
from verigate.domain.worker_offer import NEEDS_PROPERTY, make_grants
from verigate.errors import ExecutionError, UsageError


def run_worker(
    address: RemoteServerAddress,
    name: str,
    environ: Mapping[str, str],
    *,
    actions: int | None,
    offers: frozenset[str],
    tell: Callable[[str], None],
) -> None:
    """Execute the actions that a server leases; ``offers`` as in ``worker_offer``.

    Raises UsageError, ExecutionError, Interrupted.
    """
    from verigate.extras import find_lack

    if (lack := find_lack("remote")) is not None:
        raise UsageError(lack.message, where="--remote", hint=lack.command)
    from verigate.composition.remote_cache import describe_here, find_signing_key
    from verigate.composition.remote_credentials import find_credentials
    from verigate.config.validation import check_media
    from verigate.evidence.ssh_keygen import SshKeygen
    from verigate.execution.gate_installation import GateInstallation
    from verigate.execution.runner import run_plan
    from verigate.processes import sandbox
    from verigate.processes.stop_request import StopRequest
    from verigate.remote.bot_session import BotSession
    from verigate.remote.fault import RemoteFault
    from verigate.remote.server import RemoteServer
    from verigate.usecases.leased_call import LeaseServices, run_leased_call
    from verigate.usecases.remote_worker import WorkerServices, work

    _check_offers(offers, environ)
    here = Path.cwd()
    sign = find_signing_key(here, environ, SshKeygen.find(here, environ))
    credentials = find_credentials(here, environ, address)
    host = GateInstallation.current(environ)
    found = sandbox.probe_sandbox(host.bwrap, host.python)
    if not isinstance(found, sandbox.Bubblewrap):
        raise ExecutionError(
            "a worker needs a whole sandbox", hint="install bubblewrap; gate doctor says what it lacks"
        )

    stop = StopRequest()

    def run(*arguments: Any, **options: Any) -> tuple[CapabilityRun, ...]:
        return run_plan(*arguments, host=host, probed=lambda: found, stop=stop, **options)

    leases = LeaseServices(
        environ,
        partial(_find_manifests, environ),
        run,
        check_media,
        offers,
        partial(_is_own_adapter, _list_own_adapters(environ) if offers else ()),
    )
    server = RemoteServer(address, credentials)
    try:
        services = WorkerServices(
            lambda action, folder: run_leased_call(server, action, folder, leases),
            sign,
            composition.now,
            describe_here(),
            tell,
            _watch_installation(),
            stop,
        )
        properties = [("OSFamily", platform.system().lower()), ("ISA", platform.machine())]
        properties += [(NEEDS_PROPERTY, offer) for offer in offers]
        session = BotSession(server, f"{name}-{os.getpid()}", properties)
        work(server, session, services, actions=actions)
    except RemoteFault as fault:
        hint = "is it a server with a scheduler for workers? See docs/remote.md"
        if fault.concerns_credentials:
            hint = "docs/remote.md, TLS and tokens"
        raise ExecutionError(f"the server {fault}", where=str(address), hint=hint) from fault
    finally:
        server.close()


def _find_manifests(environ: Mapping[str, str], folder: Path) -> Sequence[Manifest]:
    """Find the adapters below a folder, and no others. Raises ConfigError."""
    adapters = RepositoryAdapters(str(find_builtin_root()), {**environ, "GATE_ADAPTER_PATH": str(folder)})
    (folder.parent / "policy").mkdir()
    registry = adapters.discover(str(folder.parent / "policy"))
    return [each for each in registry.manifests if each.folder.startswith(f"{os.path.realpath(folder)}/")]


def _check_offers(offers: frozenset[str], environ: Mapping[str, str]) -> None:
    """Check that this machine has what it offers. Raises UsageError."""
    for grant in make_grants(offers):
        path = grant.what.replace("~", environ.get("HOME", ""), 1) if grant.what.startswith("~/") else grant.what
        is_here = {GrantKind.BIND: os.path.lexists(path), GrantKind.ENV: grant.what in environ}
        if not is_here.get(grant.kind, True):
            raise UsageError(f"this machine has no {grant.what}", where="--offer", hint="offer what it has")


def _list_own_adapters(environ: Mapping[str, str]) -> tuple[str, ...]:
    """List the folders of adapters that are installed here: the gate's own, and those of GATE_ADAPTER_PATH."""
    with tempfile.TemporaryDirectory(prefix="verigate-policy-") as nothing:
        registry = RepositoryAdapters(str(find_builtin_root()), environ).discover(nothing)
    return tuple(manifest.folder for manifest in registry.manifests)


def _is_own_adapter(folders: Sequence[str], files: Mapping[str, InputFile]) -> bool:
    """Whether these are the files of an adapter in one of the folders, as they are now."""
    from verigate.execution.remote_calls import list_files

    return any(dict(list_files(folder)) == files for folder in folders)


def _watch_installation() -> Callable[[], None]:
    """Return what forgets the digests of tools, and raises ExecutionError where the gate itself was replaced."""
    from verigate.execution import remote_calls

    own = remote_calls.forget_digests()

    def check() -> None:
        if remote_calls.forget_digests() != own:
            raise ExecutionError(f"the gate's installation in {sys.prefix} changed", hint="start the worker again")

    return check
