"""Decide which grants of config/sandbox.json are in force: a change must not open its own sandbox."""

from __future__ import annotations

from verigate.config.layers import Layers
from verigate.config.sandbox_file import parse_base_grants, resolve_grants
from verigate.domain.grants import Grants, keep_known
from verigate.domain.manifest import Registry
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import SANDBOX_FILE

_SHOWN = 5


def decide_grants(
    layers: Layers, registry: Registry, workspace: SubjectWorkspace, *, policy_change_allowed: bool
) -> tuple[Grants, tuple[str, ...]]:
    """Return the grants that the trusted policy (the policy ref's, else the base's) has too; warn about the others.

    Where its profile allows a change of policy, the subject's own are in force. Raises ConfigError for an
    unknown adapter.
    """
    own = resolve_grants(layers, (manifest.name for manifest in registry.manifests))
    if policy_change_allowed:
        return own, ()
    content = workspace.read_trusted_file(SANDBOX_FILE)
    kept, left_out = keep_known(own, {} if content is None else parse_base_grants(content))
    if not left_out:
        return kept, ()
    shown = ", ".join(left_out[:_SHOWN])
    where = "the base" if workspace.policy_source is None else workspace.policy_source.name
    return kept, (f"{SANDBOX_FILE}: not in {where}, so not opened: {shown}; land it in a commit of its own",)
