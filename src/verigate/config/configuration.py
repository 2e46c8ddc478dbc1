"""Read all configuration files of a repository at once, so that one run reports every fault of every file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from verigate.config.adapters_config import load_adapters_config
from verigate.config.layers import Layers
from verigate.config.plan_file import load_plan
from verigate.config.profiles import Profiles, load_profiles
from verigate.domain.plan import PlanEntry
from verigate.domain.policy_source import POLICY_FILE
from verigate.domain.profile import APPROVALS_FILE, BASELINE_FILE, CACHE_FILE, SANDBOX_FILE, SIGNERS_FILE
from verigate.errors import ConfigError, Fault

if TYPE_CHECKING:
    from verigate.config.cache_file import RemoteCacheSetting
    from verigate.domain.baseline import Baseline

T = TypeVar("T")


class Configuration(Struct, frozen=True):
    """The configuration of a repository, merged over the shipped one.

    ``sandbox`` is its file of grants, ``remote_cache`` that of its remote cache, None where it has none.
    """

    root: Path
    plan: Mapping[str, PlanEntry]
    profiles: Profiles
    adapters: Layers
    baseline: Baseline | None = None
    sandbox: Layers | None = None
    remote_cache: RemoteCacheSetting | None = None


def load_configuration(root: Path, builtin: Path, today: Callable[[], str] | None = None) -> Configuration:
    """Read all files. Raises one ConfigError with the faults of all files.

    ``today`` returns the date (ISO 8601, UTC) on which the entries of a baseline are judged; it is called only if there
    is one. Without ``today`` the baseline isn't read.
    """
    faults: list[Fault] = []

    def gather(load: Callable[[Path, Path], T]) -> T | None:
        try:
            return load(root, builtin)
        except ConfigError as problem:
            faults.extend(problem.faults)
            return None

    plan, profiles, adapters = gather(load_plan), gather(load_profiles), gather(load_adapters_config)
    baseline = None
    if today is not None and os.path.lexists(root / BASELINE_FILE):
        from verigate.config.baseline import read_baseline  # most repositories have none

        day = today()
        baseline = gather(lambda own, _: read_baseline(own, day))
    if os.path.lexists(root / POLICY_FILE):
        from verigate.config.policy_file import read_policy_file  # most repositories have none

        gather(lambda own, _: read_policy_file(own))
    sandbox = None
    if os.path.lexists(root / SANDBOX_FILE):
        from verigate.config.sandbox_file import load_sandbox_layers  # most repositories have none

        sandbox = gather(load_sandbox_layers)
    if os.path.lexists(root / APPROVALS_FILE) or os.path.lexists(root / SIGNERS_FILE):
        from verigate.config.approvals_file import check_approval_files  # most repositories have none

        gather(check_approval_files)
    remote_cache = None
    if os.path.lexists(root / CACHE_FILE):
        from verigate.config.cache_file import read_cache_file  # most repositories have none

        remote_cache = gather(lambda own, _: read_cache_file(own))
    if plan is None or profiles is None or adapters is None or faults:
        raise ConfigError(faults)
    return Configuration(root, plan, profiles, adapters, baseline, sandbox, remote_cache)
