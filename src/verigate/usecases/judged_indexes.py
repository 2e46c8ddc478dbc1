"""Remember which indexes the hook pre-commit has judged, for the hook commit-msg to know what is left to the message.

An index is known by the tree that git makes of it, and by the commit that it is to stand on. What isn't known, or was
judged longer ago than an hour, is judged again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from verigate.execution.evidence_cache import EvidenceCache, compute_key

KNOWN_FOR_S = 3600
"""Seconds for which an index is known."""

_RECORD = "judged"


class IndexKey(Struct, frozen=True):
    """An index of the repository at ``root``: the tree that git would commit, and the commit's parents.

    ``task`` is the name of the folder of the task that it is judged as.
    """

    root: str
    tree: str
    parents: tuple[str, ...]
    task: str


class JudgedIndexes:
    """Indexes that passed, or that lack disclosures alone. ``version`` is the gate's; ``now`` as in PassedRuns."""

    def __init__(self, cache: EvidenceCache, version: str, now: Callable[[], str]) -> None:
        self._cache = cache
        self._version = version
        self._now = now

    def keep(self, key: IndexKey, *, left_to_message: bool) -> None:
        """Remember that an index passed, or that its weakenings are left to the message."""
        self._cache.remove_older_than(KNOWN_FOR_S)
        record = {"judged": self._now(), "left": left_to_message}
        self._cache.store(self._compute(key), {_RECORD: json.dumps(record).encode()})

    def is_left_to_message(self, key: IndexKey) -> bool | None:
        """Return whether weakenings of this index are left to the message; None if it isn't known."""
        files = self._cache.lookup(self._compute(key))
        if files is None:
            return None
        try:
            record = json.loads(files[_RECORD])
            age = (datetime.fromisoformat(self._now()) - datetime.fromisoformat(record["judged"])).total_seconds()
            return bool(record["left"]) if 0 <= age < KNOWN_FOR_S else None
        except (ValueError, LookupError, TypeError):
            return None

    def _compute(self, key: IndexKey) -> str:
        return compute_key(
            {"gate": self._version, "root": key.root, "tree": key.tree, "parents": list(key.parents), "task": key.task}
        )
