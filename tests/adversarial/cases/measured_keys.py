"""Claims that state measurements as fields, at any depth. The honest twin says something else there."""

from __future__ import annotations

from typing import Any

from repositories import Ended, Repository

from cases.pair import ANY, PAIRS, Pair

KIND = "measurements in a claim"
FIELDS: tuple[tuple[str, Any, str, Any], ...] = (
    ("coverage", 0.93, "covers", "the parser"),
    ("lint_fixed", 12, "linted", "with ruff"),
    ("tests_updated", 3, "tested", "by hand"),
    ("testsPassed", 47, "tester", "A. Author"),
    ("word_count", 900, "wording", "plain"),
    ("duration_ms", 5, "during", "the night"),
    ("status_codes", [200], "statutes", ["mine"]),
    ("build_status", "ok", "builder", "make"),
    ("links_checked", 20, "linked", "from the manual"),
    ("error_count", 0, "erratum", "none"),
)
"""A field that is a measurement and its value, and one that is none."""


def measured(field: str, value: Any, other: str, said: Any) -> None:
    """Register a twin with one field."""

    def build(repo: Repository, lie: bool) -> Ended:
        repo.policy(["code:diff"], {"reject_unclaimed_changes": True})
        repo.commit({"notes.txt": "one\n"})
        repo.task(type_="change")
        repo.write({"notes.txt": "two\n"})
        inner = {field: value} if lie else {other: said}
        repo.claim("file:notes.txt", type_="change", declared={"report": {"parts": [inner]}})
        return repo.verify()

    name = f"a_claim_with_{field.lower()}"
    PAIRS.append(Pair(name, build, 1, "CLAIM_INVALID", "claim.valid", None, KIND, ANY))


for each in FIELDS:
    measured(*each)
