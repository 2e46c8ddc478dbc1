"""The values that the phases of one capability pass to each other."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from verigate.processes.home_view import NO_HOMES, Homes

if TYPE_CHECKING:
    from verigate.domain.execution import SandboxReport
    from verigate.domain.plan import PlannedCapability
    from verigate.domain.ports import Checkout, RunContext, Staging, Workspace
    from verigate.execution.gate_installation import GateInstallation
    from verigate.processes import sandbox, tool_path
    from verigate.processes.control_groups import Parent
    from verigate.processes.granted_paths import GrantedPath

HOME, TMP, CORE, EMPTY, PROGRESS, GIT = "home.d", "tmp.d", "core.d", "empty", "progress.d", "git.d"
CARGO, GRADLE, MAVEN = "cargo.d", "gradle.d", "settings.xml"
"""Names in a run's folder, next to the folder of the task, whose name has no dot."""


class RunSetting(Struct, frozen=True):
    """What all capabilities of a run share. ``folder`` is the run's own, on the machine, below the workspace.

    ``bubblewrap`` is the sandbox, ``landlock`` what confines without one; ``core`` are the programs that every adapter
    may use, by name, and ``linked`` a folder of links to them, if one is cached; ``homes`` are hidden but for
    ``toolchains``; ``profile`` is the text of their profile file, which is below ``folder`` for those that can't change
    it. ``groups`` are the parents of control groups, by controller.
    """

    workspace: Workspace
    staging: Staging
    context: RunContext
    host: GateInstallation
    bubblewrap: sandbox.Bubblewrap | None
    folder: str
    masked: tuple[str, ...]
    search: tool_path.Search
    core: Mapping[str, str]
    profile: bytes
    linked: str | None = None
    landlock: sandbox.Landlock | None = None
    homes: Homes = NO_HOMES
    toolchains: tuple[str, ...] = ()
    groups: Mapping[str, Parent] = {}
    secret: bytes = field(default_factory=partial(os.urandom, 16))

    @property
    def sandbox(self) -> sandbox.Sandbox | None:
        """What confines the calls; None if nothing does."""
        return self.bubblewrap or self.landlock

    def locate_call(self, planned: PlannedCapability) -> str:
        """Return the folder of a call. Its name says nothing about the capability: a suite sees it in HOME."""
        name = hashlib.blake2b(planned.declaration.slug.encode(), key=self.secret, digest_size=6)
        return f"{self.folder}/{name.hexdigest()}"


class ConfiguredCall(Struct, frozen=True):
    """Phase one: the adapter's configuration, resolved and written; the profile file of this invocation."""

    folder: str
    config: Mapping[str, Any]
    config_json: str
    profile: str


class PreparedCall(Struct, frozen=True):
    """Phase two: where an invocation runs, its tools and environment, and what configuration opens for it.

    ``project_path`` are the folders on the PATH of the project's programs, by their paths on the machine, and
    ``project`` their settings for the run's record; both are empty for an adapter that runs none of them. ``granted``
    are the paths that configuration opens, and ``timeout_s`` the seconds that the call may take.
    """

    staging: Path
    checkout: Checkout
    root: str
    toolbox: tool_path.Toolbox
    env: Mapping[str, str]
    report: SandboxReport
    timeout_s: float
    project_path: tuple[str, ...] = ()
    project: Mapping[str, str] = {}
    granted: tuple[GrantedPath, ...] = ()

    def __repr__(self) -> str:
        """Without the environment, which may hold secrets."""
        return f"Prepared({self.staging!r}, root={self.root!r}, toolbox={self.toolbox!r}, report={self.report!r})"


class CallInputs(Struct, frozen=True):
    """Phase three: the finished argument vector, and what it was made from."""

    planned: PlannedCapability
    configured: ConfiguredCall
    prepared: PreparedCall
    argv: tuple[str, ...]

    def as_offered(self) -> CallInputs:
        """Return them as a worker had them, which has all that was granted."""
        report = self.prepared.report
        if not report.absent:
            return self
        missing = tuple(what for what in report.missing if what not in report.absent)
        offered = replace(report, missing=missing, absent=frozenset())
        return replace(self, prepared=replace(self.prepared, report=offered))
