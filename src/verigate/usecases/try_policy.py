"""Try the policy that a change brings next to the one that judges it, and report what it would decide.

It is written by whoever is judged. So it runs in a sandbox or not at all, its adapters get no network that the trusted
policy doesn't give them, and only what the trusted policy opens is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from verigate.domain.manifest import Capability, Manifest, Origin, Registry
from verigate.domain.policy_source import PolicyRef, PolicySource, PolicyUse, TriedPolicy
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.verdict import Verdict
from verigate.errors import GateError, Interrupted
from verigate.usecases.request import Request

_NETWORK_FLAG = "network_if"
_OF_THE_CHANGE = frozenset({Origin.REPOSITORY, Origin.NPM})


def try_policy(
    request: Request, trusted: PolicySource, digest: str, verify: Callable[[Request], Verdict | None]
) -> TriedPolicy:
    """Verify once more by the subject's own policy, whose digest is ``digest``; no error of it is one of the run."""
    tried = replace(
        request,
        policy_ref=PolicyRef(trusted.commit, trusted.where),
        policy_use=PolicyUse.TRY,
        llm=False,
        reuse=False,
        message_follows=False,
    )
    try:
        verdict = verify(tried)
    except Interrupted:
        raise
    except GateError as problem:
        return TriedPolicy(digest, None, problem="; ".join(str(fault) for fault in problem.faults[:3]))
    if verdict is None:
        return TriedPolicy(digest, None, problem="nothing is planned")
    found = tuple(dict.fromkeys((reason.code, reason.check) for reason in verdict.reasons if reason.check != _JUDGES))
    return TriedPolicy(digest, verdict.status.value, found[: TriedPolicy.MOST_REASONS])


_JUDGES = "gate.judges"


def close_network(registry: Registry, workspace: SubjectWorkspace) -> Registry:
    """Take the network from adapters that the trusted policy doesn't have as they are.

    A configuration can't open one for the adapters that ship either.
    """
    closed = {id(manifest): _close(manifest, workspace) for manifest in registry.manifests}

    def close(manifest: Manifest) -> Manifest:
        return closed.get(id(manifest)) or _close(manifest, workspace)

    providers = {name: tuple(map(close, found)) for name, found in registry.providers.items()}
    return replace(registry, manifests=tuple(map(close, registry.manifests)), providers=providers)


def _close(manifest: Manifest, workspace: SubjectWorkspace) -> Manifest:
    capabilities = tuple(replace(each, flags=_drop_network(each)) for each in manifest.capabilities)
    sandbox = manifest.sandbox
    if manifest.origin in _OF_THE_CHANGE and not _is_trusted(manifest, workspace):
        sandbox = replace(sandbox, network=False)
    return replace(manifest, capabilities=capabilities, sandbox=sandbox)


def _drop_network(capability: Capability) -> Mapping[str, Any]:
    return {name: value for name, value in capability.flags.items() if name != _NETWORK_FLAG}


def _is_trusted(manifest: Manifest, workspace: SubjectWorkspace) -> bool:
    if manifest.origin is not Origin.REPOSITORY or manifest.launcher is not None:
        return False
    root = PurePosixPath(workspace.subject.root)
    folder = PurePosixPath(manifest.folder)
    return folder.is_relative_to(root) and workspace.is_trusted(str(folder.relative_to(root)))
