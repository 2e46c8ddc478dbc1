"""Baseline of existing lint findings and failing tests: each is suppressed until its expiry date.

An entry covers findings of lint.json by fingerprint, up to its count: one more copy is new. A finding that isn't bound
to the content of a line is never covered. Dates are ISO 8601 (``2026-11-22``) and sort as text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from verigate.domain import fingerprint
from verigate.domain.artifact import Artifact
from verigate.domain.known_failures import KnownFailure, parse_known_failure

LINT = "verigate:lint.v1"
SEVERITIES = ("error", "warning")
"""Severities that can be covered. For any other severity it is unknown which count includes the issue."""


class FindingKey(Struct, frozen=True):
    """Identity of a finding. The fingerprint includes path, rule and tool too; here they are for people."""

    fingerprint: str
    path: str
    rule: str
    tool: str

    @property
    def place(self) -> tuple[str, ...]:
        """What entries are sorted by."""
        return self.path, self.rule, self.tool, self.fingerprint


class BaselineEntry(Struct, frozen=True):
    """``count`` equal findings that are suppressed until ``expires``, the first day on which they count again."""

    key: FindingKey
    count: int
    created: str
    expires: str
    reason: str

    def document(self) -> dict[str, Any]:
        """Return the entry as it is written in the file."""
        key = self.key
        return {
            "path": key.path,
            "rule": key.rule,
            "tool": key.tool,
            "fingerprint": key.fingerprint,
            "count": self.count,
            "created": self.created,
            "expires": self.expires,
            "reason": self.reason,
        }


class Baseline(Struct, frozen=True):
    """The entries of a file in order, the file's bytes, and the date (UTC) for which expiry is decided.

    ``tests`` are the tests that failed before.
    """

    entries: tuple[BaselineEntry, ...]
    content: bytes
    judged_on: str
    tests: tuple[KnownFailure, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return hashlib.sha256(self.content).hexdigest()

    def has_expired(self, entry: BaselineEntry | KnownFailure) -> bool:
        """Whether an entry no longer covers anything."""
        return entry.expires <= self.judged_on


class BaselineMatch(Struct, frozen=True):
    """Match of a baseline with the issues of one artifact: index of the issue -> index of its entry.

    ``expired`` are the issues whose entry has expired.
    """

    covered: Mapping[int, int] = field(default_factory=dict)
    expired: Mapping[int, int] = field(default_factory=dict)


def parse_entry(document: Mapping[str, Any]) -> BaselineEntry:
    """Parse an entry that the schema accepts; the inverse of ``BaselineEntry.document``."""
    key = FindingKey(document["fingerprint"], document["path"], document["rule"], document["tool"])
    return BaselineEntry(key, document["count"], document["created"], document["expires"], document["reason"])


def build_baseline(document: Mapping[str, Any], content: bytes, judged_on: str) -> Baseline:
    """Build the baseline of a file that its schema accepts. Raises KeyError or TypeError for another shape."""
    entries = tuple(parse_entry(entry) for entry in document["entries"])
    return Baseline(entries, content, judged_on, tuple(map(parse_known_failure, document.get("tests", ()))))


def make_key(issue: Any) -> FindingKey | None:
    """Return the key of a member of ``issues``, None for an issue that no baseline can cover."""
    if not isinstance(issue, dict) or issue.get("severity") not in SEVERITIES:
        return None
    path, line = issue.get("path"), issue.get("line_sha256")
    if not (isinstance(path, str) and path and isinstance(line, str) and line):
        return None
    rule, tool = (str(issue.get(name) or "") for name in ("rule", "tool"))
    return FindingKey(fingerprint.fingerprint_issue(issue), path.removeprefix("./"), rule, tool)


def list_issues(artifact: Artifact) -> Sequence[Any]:
    """Return the issues of a lint artifact; () if its value has another shape."""
    issues = artifact.value.get("issues") if isinstance(artifact.value, dict) else None
    return issues if isinstance(issues, list) else ()


def match_issues(baseline: Baseline, artifact: Artifact) -> BaselineMatch:
    """Match issues with entries. Of equal issues the first are covered; entries in force precede expired ones."""
    room: dict[FindingKey, list[list[int]]] = {}
    order = sorted(range(len(baseline.entries)), key=lambda n: baseline.has_expired(baseline.entries[n]))
    for number in order:
        entry = baseline.entries[number]
        room.setdefault(entry.key, []).append([number, entry.count])
    covered: dict[int, int] = {}
    expired: dict[int, int] = {}
    for index, issue in enumerate(list_issues(artifact)):
        key = make_key(issue)
        left = next((pair for pair in room.get(key, ()) if pair[1]), None) if key is not None else None
        if left is not None:
            left[1] -= 1
            found = expired if baseline.has_expired(baseline.entries[left[0]]) else covered
            found[index] = left[0]
    return BaselineMatch(covered, expired)


def count_occurrences(artifacts: Sequence[Artifact]) -> Counter[FindingKey]:
    """Count each finding that a baseline can cover; of several artifacts the highest count is used."""
    found: Counter[FindingKey] = Counter()
    for artifact in artifacts:
        keys = (make_key(issue) for issue in list_issues(artifact))
        found |= Counter(key for key in keys if key is not None)
    return found


def count_stale(baseline: Baseline, matches: Iterable[BaselineMatch]) -> int:
    """Count the findings in entries that no longer occur; of several artifacts the highest count is used."""
    used: Counter[int] = Counter()
    for found in matches:
        used |= Counter([*found.covered.values(), *found.expired.values()])
    return sum(entry.count for entry in baseline.entries) - used.total()
