"""Decide which grants of config/sandbox.json are in force: a change must not open its own sandbox."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice

from verigate.config.layers import Layers, raise_faults
from verigate.config.sandbox_file import parse_base_grants, resolve_grants
from verigate.domain.grants import Grants, keep_known
from verigate.domain.manifest import Manifest, Origin, Registry
from verigate.domain.ports import SubjectWorkspace
from verigate.domain.profile import SANDBOX_FILE
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.schema import MAX_FAULTS

_SHOWN = 5
_REVIEWED = frozenset({Origin.REPOSITORY, Origin.BUILTIN})
"""Where adapters come from that whoever wrote the file could see: a change of the repository's own is one of policy."""


def decide_grants(
    layers: Layers, registry: Registry, workspace: SubjectWorkspace, *, policy_change_allowed: bool
) -> tuple[Grants, tuple[str, ...]]:
    """Return the grants that the trusted policy (the policy ref's, else the base's) has too; warn about the others.

    Where its profile allows a change of policy, the subject's own are in force. Raises ConfigError for an
    unknown adapter, and for a name that an adapter from elsewhere shares: it would be given what was meant for another.
    """
    _refuse_shared_names(layers, registry)
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


def _refuse_shared_names(layers: Layers, registry: Registry) -> None:
    by_name: dict[str, list[Manifest]] = defaultdict(list)
    for manifest in registry.manifests:
        by_name[manifest.name].append(manifest)
    faults = [
        Fault(
            f"{len(found)} adapters are called {name!r}: {', '.join(each.folder for each in found[:_SHOWN])}",
            pointer=pointer.join(name),
            hint="a grant is meant for one of them: rename or remove the other",
        )
        for name, found in by_name.items()
        if name in layers.own and len(found) > 1 and any(each.origin not in _REVIEWED for each in found)
    ]
    raise_faults(layers, list(islice(faults, MAX_FAULTS)))
