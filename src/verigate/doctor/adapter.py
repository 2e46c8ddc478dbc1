"""Test the environment of one adapter: manifest, entry, declared tools. None of it is executed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping

from verigate.domain.engine import CheckLevel, EnvironmentCheck, EnvironmentTest
from verigate.domain.manifest import Manifest


def examine_adapter(
    manifest: Manifest, environ: Mapping[str, str], entry_problem: Callable[[str], str | None], now: str
) -> EnvironmentTest:
    """Report which of the adapter's needs are met; a tool that isn't on PATH may be in a project's environment."""
    count = len(manifest.capabilities)
    found = f"{manifest.name} {manifest.version} provides {count} capabilit{'y' if count == 1 else 'ies'}"
    checks = [EnvironmentCheck("manifest", CheckLevel.INFO, found, manifest.folder)]
    hint = "correct the key: it has no effect"
    checks += (EnvironmentCheck("manifest", CheckLevel.WARN, text, hint=hint) for text in manifest.warnings)
    problem = entry_problem(manifest.entry_path)
    if problem is None:
        checks.append(EnvironmentCheck("entry", CheckLevel.INFO, "its entry can be started", manifest.entry_path))
    else:
        hint = "fix the adapter, or remove it"
        checks.append(EnvironmentCheck("entry", CheckLevel.ERROR, problem, manifest.entry_path, hint))
    path = environ.get("PATH", os.defpath)
    for tool in manifest.sandbox.tools:
        place = shutil.which(tool, path=path)
        if place is not None:
            checks.append(EnvironmentCheck("tool", CheckLevel.INFO, f"{tool} is found", place))
        else:
            hint = "install it, unless a project's own environment has it"
            checks.append(EnvironmentCheck("tool", CheckLevel.WARN, f"{tool} is not on PATH", hint=hint))
    return EnvironmentTest(manifest.name, tuple(checks), now)
