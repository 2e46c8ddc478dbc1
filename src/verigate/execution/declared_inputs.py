"""Which files a call is shown, if its capability declares what it reads.

A program of the project may read anything, and so may a capability whose configuration asks for more than it declares
(the flags ``reads_all_if`` and ``reads_all_if_rule``), or opens a path inside the repository. These are shown the whole
subject, and what they find is kept under the whole tree only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.domain.grants import GrantKind
from verigate.domain.manifest import BASE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import RunContext, Workspace


def find_inputs(
    planned: PlannedCapability, context: RunContext, workspace: Workspace
) -> tuple[tuple[str, ...], str] | None:
    """Return the patterns of the files that a call is shown, and the digest of these; None if it is shown all.

    So it is outside git, whatever a capability declares.
    """
    declared, manifest = planned.declaration, planned.provider
    if not declared.inputs or manifest is None:
        return None
    flags = declared.flags
    config: Mapping[str, Any] = {**manifest.config_defaults, **context.adapter_config.get(manifest.name, {})}
    rules = context.profile_document.get(context.profile_document.get("active", ""), {})
    grants = context.grants.get(manifest.name, ())
    shows_all = (
        flags.get("runs_project") is True,
        any(grant.kind is GrantKind.BIND and not grant.what.startswith(("/", "~/")) for grant in grants),
        bool(config.get(str(flags.get("reads_all_if")))),
        bool(rules.get(str(flags.get("reads_all_if_rule")))),
    )
    digest = None if any(shows_all) else workspace.digest_declared(declared.inputs)
    return None if digest is None else (declared.inputs, digest)


def writes_its_files(planned: PlannedCapability, context: RunContext) -> bool:
    """Whether a call writes those of the subject's files that it needs itself, where its checkout has none.

    Not where a granted path or its stdin may be a file of the checkout.
    """
    declared, manifest = planned.declaration, planned.provider
    return (
        declared.flags.get("writes_its_files") is True
        and BASE in declared.sees
        and declared.stdin is None
        and manifest is not None
        and not context.grants.get(manifest.name)
    )
