"""All configuration files of a repository at once, so that one run of the gate tells every fault of every file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from verigate.config.adapters_config import load_adapters_config
from verigate.config.layers import Layers
from verigate.config.plan_file import load_plan
from verigate.config.profiles import Profiles, load_profiles
from verigate.domain.plan import PlanEntry
from verigate.errors import ConfigError, Fault

T = TypeVar("T")


class Configuration(Struct, frozen=True):
    """What a repository's files say, merged over what ships."""

    root: Path
    plan: Mapping[str, PlanEntry]
    profiles: Profiles
    adapters: Layers


def load_configuration(root: Path, builtin: Path) -> Configuration:
    """Read everything. Raises one ConfigError with the faults of all files."""
    faults: list[Fault] = []

    def gather(load: Callable[[Path, Path], T]) -> T | None:
        try:
            return load(root, builtin)
        except ConfigError as problem:
            faults.extend(problem.faults)
            return None

    plan, profiles, adapters = gather(load_plan), gather(load_profiles), gather(load_adapters_config)
    if plan is None or profiles is None or adapters is None:
        raise ConfigError(faults)
    return Configuration(root, plan, profiles, adapters)
