"""Read the configuration of a repository and the profiles of a base."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.errors import ConfigError

if TYPE_CHECKING:
    from verigate.config.configuration import Configuration
    from verigate.config.profiles import Profiles


class RepositoryPolicy(Struct, frozen=True):
    """The ``Policy`` of ``verigate.usecases.services``; ``builtin`` is the folder of what ships.

    ``today`` returns the date (ISO 8601, UTC) on which the entries of a baseline are judged.
    """

    builtin: Path
    today: Callable[[], str]

    def read(self, policy_root: Path) -> Configuration:
        """Read all configuration files. Raises ConfigError with the faults of all of them."""
        from verigate.config.configuration import load_configuration

        return load_configuration(policy_root, self.builtin, self.today)

    def read_base_profiles(self, content: bytes) -> Profiles | None:
        """Merge the content of a base's profiles file over the shipped profiles; None if it can't be used."""
        from verigate.config.profiles import load_profiles  # few changes touch the policy

        try:
            return load_profiles(self.builtin, self.builtin, content=content)
        except ConfigError:
            return None
