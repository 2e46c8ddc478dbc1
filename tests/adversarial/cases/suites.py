"""A small project of one language with its tests, and twins that edit these: the table behind ``in_*.py``.

A twin edits the file of tests by pairs of texts, or replaces files. Both forms add a function to the code, so that the
change isn't about tests alone. ``code:integrity`` judges it: nothing is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from repositories import Content, Ended, Repository

from cases.limits import find_limit
from cases.pair import PAIRS, Pair
from cases.samples import INTACT

Edit = tuple[str, str]
Change = tuple[Edit, ...] | Mapping[str, Content]
"""Texts of the test file and what replaces them, or whole files by path."""


@dataclass(frozen=True, eq=False)
class Suite:
    """``language`` as tables name it. ``more`` are further files of the base."""

    language: str
    code: str
    source: str
    added: str
    tests: str
    text: str
    more: Mapping[str, Content] = field(default_factory=dict)

    def twin(self, kind: str, what: str, lie: Change, honest: Change, before: Change = ()) -> None:
        """Register a pair: ``kind`` is its class, ``what`` the lie in a few words, ``before`` a change of the base."""
        name = f"{self.language}_{what}".lower().replace("#", "sharp").replace(" ", "_")
        base = {self.code: self.source, self.tests: self.text, **self.more}
        base |= self._apply(before, self.text)

        def build(repo: Repository, is_lie: bool) -> Ended:
            repo.policy(("code:diff", "code:integrity"), INTACT)
            repo.commit(base)
            repo.task(type_="change")
            text = base[self.tests]
            if not isinstance(text, str):
                raise TypeError(f"{self.tests} is no text in the base")
            repo.write({self.code: self.source + self.added, **self._apply(lie if is_lie else honest, text)})
            repo.claim(f"file:{self.code}", type_="change")
            return repo.verify()

        limit = find_limit(name, self.language)
        # The suite runs one of each class and each language, and all limits; the bench runs all.
        seen = {"kind": {pair.kind for pair in PAIRS}, "language": {pair.language for pair in PAIRS}}
        sampled = kind not in seen["kind"] or self.language not in seen["language"]
        made = Pair(name, build, 1, "INTEGRITY_FAIL", "code.integrity", None, kind, self.language, limit, sampled)
        PAIRS.append(made)

    def _apply(self, change: Change, text: str) -> dict[str, Content]:
        if isinstance(change, Mapping):
            return dict(change)
        if not change:
            return {}
        for old, new in change:
            if old not in text:
                raise ValueError(f"{self.tests} of {self.language} has no {old!r}")
            text = text.replace(old, new)
        return {self.tests: text}


DELETED = "a test is deleted"
FILE_GONE = "a file of tests is gone"
SKIPPED = "a test is skipped"
REASON = "a skip is no other skip for its reason"
CONDITION = "a test is skipped on a condition"
WEAK = "a weak matcher"
WIDE = "a widened expectation of an error"
CONSTANT = "a constant is asserted"
RETURNS = "a test ends early"
SWALLOWED = "a failure is swallowed"
ROWS = "rows of a table"
HELPER = "a helper that asserts"
NAMED_AWAY = "a test that no runner collects"
UNREAD = "tests in a language without a reader"
