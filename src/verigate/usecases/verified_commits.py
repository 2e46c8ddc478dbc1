"""Remember which commits were verified on this machine, so that a push says which ones weren't: who passes by the hooks
leaves a commit that nobody verified.

A commit is known by its tree and its parents, which is what was verified before it was made; its message is judged by
other means. A record says that the gate's verdict of just this passed. It lies in the user's folder, with a code of
authentication like all that the gate keeps there. It decides nothing in CI, which verifies everything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import datetime

from verigate.domain.commit_text import CommitText
from verigate.execution.evidence_cache import EvidenceCache, compute_key

KNOWN_FOR_S = 90 * 86_400
"""Seconds for which a commit is known to be verified."""

_RECORD = "verified"


class VerifiedCommits:
    """Commits whose verdict passed, of the repository whose common git folder is ``repository``.

    ``version`` is the gate's; ``now`` returns the moment, ISO 8601. Trees and parents are full ids.
    """

    def __init__(self, cache: EvidenceCache, repository: str, version: str, now: Callable[[], str]) -> None:
        self._cache = cache
        self._repository = repository
        self._version = version
        self._now = now

    def keep(self, tree: str, parents: Iterable[str]) -> None:
        """Remember that the commit of this tree on these parents was verified, and passed."""
        self._cache.remove_older_than(KNOWN_FOR_S)
        record = {"verified": self._now(), "gate": self._version}
        self._cache.store(self._compute(tree, parents), {_RECORD: json.dumps(record).encode()})

    def find_unknown(self, commits: Iterable[CommitText]) -> tuple[CommitText, ...]:
        """Return those of the commits that nothing says were verified, in their order."""
        return tuple(commit for commit in commits if not self._is_known(commit))

    def _is_known(self, commit: CommitText) -> bool:
        files = self._cache.lookup(self._compute(commit.tree, commit.parents))
        if not commit.tree or files is None:
            return False
        try:
            then = datetime.fromisoformat(json.loads(files[_RECORD])["verified"])
            return 0 <= (datetime.fromisoformat(self._now()) - then).total_seconds() < KNOWN_FOR_S
        except (ValueError, LookupError, TypeError):
            return False

    def _compute(self, tree: str, parents: Iterable[str]) -> str:
        return compute_key({"repository": self._repository, "tree": tree, "parents": list(parents)})
