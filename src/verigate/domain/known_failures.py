"""Known failing tests: entries of a baseline for tests that failed before, each until its expiry date.

An entry covers failures of one test, by id and file, up to its count. It never covers a test that the change touches:
that test is the change's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from verigate.domain.artifact import Artifact

TESTS = "verigate:tests.v1"
_WORD = r"\w+"
_TEST_FILE = r"_test\.\w+$|(?:^|/)tests?[._/]|(?:^|/)Test\w*\.|Tests?\.\w+$|[._-](?:test|spec)\.\w+$"


class FailureKey(Struct, frozen=True):
    """Identity of a test: the runner's id, and its file relative to the root, empty where the runner names none."""

    id: str
    path: str

    @property
    def place(self) -> tuple[str, ...]:
        """What entries are sorted by."""
        return self.path, self.id


class KnownFailure(Struct, frozen=True):
    """``count`` failures of one test that don't count until ``expires``, the first day on which they do again."""

    key: FailureKey
    count: int
    created: str
    expires: str
    reason: str

    def document(self) -> dict[str, Any]:
        """Return the entry as it is written in the file."""
        return {
            "id": self.key.id,
            "path": self.key.path,
            "count": self.count,
            "created": self.created,
            "expires": self.expires,
            "reason": self.reason,
        }


class ChangeParts(Struct, frozen=True):
    """What a change touches: its ``paths``, and the names of its ``functions``.

    ``unlisted``: it changes code whose functions nobody listed.
    """

    paths: frozenset[str]
    functions: frozenset[str]
    unlisted: bool


class FailureMatch(Struct, frozen=True):
    """Match of the entries with the failures of one artifact: index of the failure -> index of its entry.

    ``expired`` are the failures whose entry has expired, ``touched`` those of tests that the change touches.
    """

    covered: Mapping[int, int] = field(default_factory=dict)
    expired: Mapping[int, int] = field(default_factory=dict)
    touched: Mapping[int, int] = field(default_factory=dict)


def parse_known_failure(document: Mapping[str, Any]) -> KnownFailure:
    """Parse an entry that the schema accepts; the inverse of ``KnownFailure.document``."""
    key = FailureKey(document["id"], document["path"])
    return KnownFailure(key, document["count"], document["created"], document["expires"], document["reason"])


def make_failure_key(failure: Any) -> FailureKey | None:
    """Return the key of a member of ``failures``, None for one without an id, which no entry covers."""
    if not isinstance(failure, dict) or not isinstance(failure.get("id"), str) or not failure["id"]:
        return None
    path = failure.get("path")
    return FailureKey(failure["id"], path.removeprefix("./") if isinstance(path, str) else "")


def list_failures(artifact: Artifact) -> Sequence[Any]:
    """Return the failures of a test artifact; () if its value has another shape."""
    failures = artifact.value.get("failures") if isinstance(artifact.value, dict) else None
    return failures if isinstance(failures, list) else ()


def match_failures(
    entries: Sequence[KnownFailure], judged_on: str, artifact: Artifact, change: ChangeParts
) -> FailureMatch:
    """Match failures with entries as of ``judged_on``; entries in force precede expired ones."""
    room: dict[FailureKey, list[list[int]]] = {}
    for number in sorted(range(len(entries)), key=lambda n: entries[n].expires <= judged_on):
        room.setdefault(entries[number].key, []).append([number, entries[number].count])
    covered: dict[int, int] = {}
    expired: dict[int, int] = {}
    touched: dict[int, int] = {}
    for index, failure in enumerate(list_failures(artifact)):
        key = make_failure_key(failure)
        left = next((pair for pair in room.get(key, ()) if pair[1]), None) if key is not None else None
        if left is None or key is None:
            continue
        left[1] -= 1
        lapsed = entries[left[0]].expires <= judged_on
        found = expired if lapsed else touched if is_touched(key, change) else covered
        found[index] = left[0]
    return FailureMatch(covered, expired, touched)


def count_failures(artifacts: Iterable[Artifact]) -> Counter[FailureKey]:
    """Count each failing test; of several artifacts the highest count is used."""
    found: Counter[FailureKey] = Counter()
    for artifact in artifacts:
        keys = (make_failure_key(failure) for failure in list_failures(artifact))
        found |= Counter(key for key in keys if key is not None)
    return found


def find_covered(entries: Sequence[KnownFailure], judged_on: str, artifact: Artifact, touched: Any) -> tuple[int, ...]:
    """Return the indexes of the covered failures; ``touched`` are the ids that a verdict lists as touched."""
    known = set(touched) if isinstance(touched, list) else set()
    failures = list_failures(artifact)
    nothing = ChangeParts(frozenset(), frozenset(), unlisted=False)
    covered = match_failures(entries, judged_on, artifact, nothing).covered
    return tuple(index for index in covered if failures[index]["id"] not in known)


def is_touched(key: FailureKey, change: ChangeParts) -> bool:
    """Whether a change touches a test: its file, or a function that its id names.

    A test whose file isn't known is also touched by a change whose functions nobody listed, by a changed file that its
    id names, and by a changed test file in a folder that its id names.
    """
    words = re.findall(_WORD, key.id.partition("[")[0])
    if key.path:
        return key.path in change.paths or (bool(words) and words[-1] in change.functions)
    if change.unlisted or not change.functions.isdisjoint(words):
        return True
    return any(_names_file(key.id, frozenset(words), path) for path in change.paths)


def _names_file(test: str, words: frozenset[str], path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if name in test:
        return True
    return re.search(_TEST_FILE, path) is not None and (not folder or folder.rpartition("/")[2] in words)
