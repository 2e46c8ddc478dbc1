"""Find the policy files that a change changes.

The gate itself, not an adapter, computes whether one of them differs between base and subject.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from verigate.domain.policy_names import is_policy_file
from verigate.domain.subject import Change


def find_changed_policy_files(
    changes: Iterable[Change], exists: Callable[[str], bool], is_link: Callable[[str], bool]
) -> tuple[str, ...]:
    """Find the changed paths that are policy files, sorted.

    ``exists`` and ``is_link`` are those of ``is_policy_file``.
    """
    return tuple(sorted({change.path for change in changes if is_policy_file(change.path, exists, is_link)}))
