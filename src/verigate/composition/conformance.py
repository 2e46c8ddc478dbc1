"""Run the conformance kit with the parts of this machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.config.builtin import find_builtin_root
from verigate.config.documents import read_fixture_document, read_manifest_document, read_tool_document
from verigate.config.profiles import load_profiles
from verigate.config.validation import check_media
from verigate.conformance import adapter_lookup, kit
from verigate.conformance.kit_machine import prepare_machine
from verigate.discovery.registry import discover
from verigate.discovery.search_path import SearchLocation
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.manifest import Origin
from verigate.domain.ports import Listener
from verigate.domain.task import IMPLICIT_TASK_TYPE
from verigate.usecases.silent import Silent

if TYPE_CHECKING:
    from verigate.domain.conformance import Conformance


def check_adapters(
    path: Path,
    capabilities: Sequence[str] = (),
    fixtures: Sequence[str] = (),
    *,
    checks: Sequence[str] = (),
    without: Sequence[str] = (),
    sandbox: str = "prefer",
    listener: Listener | None = None,
) -> tuple[Conformance, ...]:
    """Check the adapters at ``path`` with the conformance kit: a folder, a manifest, the .toml file of a tool.

    Empty choices mean all; of several adapters ``capabilities`` leaves those that declare one of them. ``without`` are
    programs that needn't be there; ``sandbox`` is ``prefer`` or ``require``. Raises UsageError for a choice that isn't
    there, GateError where the kit can't work at all.
    """
    builtin, environ = find_builtin_root(), dict(os.environ)
    profiles = load_profiles(builtin, builtin)
    profile = profiles.resolve(profiles.default_for(IMPLICIT_TASK_TYPE))
    registry = discover([SearchLocation(f"{builtin}/adapters", Origin.BUILTIN)], read_manifest_document)
    tools = ToolAdapters(str(builtin), read_tool_document)
    found = {
        adapter: adapter_lookup.load_adapter(adapter, read_manifest_document, tools, read_tool_document)
        for adapter in adapter_lookup.find_adapters_at(path.resolve())
    }
    choices = kit.split_choice(found.values(), kit.Choice(*map(tuple, (capabilities, fixtures, checks, without))))
    reports = []
    for (adapter, declared), choice in zip(found.items(), choices, strict=True):
        if choice is None:
            continue
        with prepare_machine(
            environ,
            registry,
            (profile.name, profiles.document(profile)),
            check_media,
            listener or Silent(),
            sandbox=sandbox,
        ) as machine:
            reports.append(kit.check_adapter(adapter, declared, read_fixture_document, machine, choice))
    return tuple(reports)
