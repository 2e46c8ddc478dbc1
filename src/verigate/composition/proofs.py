"""Prove the rules of a repository's profile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from verigate.composition import services
from verigate.config.builtin import find_builtin_root
from verigate.config.configuration import load_configuration
from verigate.domain.proof import Proof
from verigate.integrations.setup.repository_scan import scan_repository
from verigate.usecases.prove.prove_rules import prove_rules


def prove_repository(root: Path, task_type: str, report: Callable[[str], None]) -> Iterator[Proof]:
    """Prove the active rules of the type's profile, one after the other. Raises GateError."""
    profiles = load_configuration(root, find_builtin_root()).profiles
    profile = profiles.resolve(profiles.default_for(task_type))
    return prove_rules(scan_repository(root), services(root), profile, task_type, report)
