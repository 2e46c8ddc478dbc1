"""Statements about a part: a kind of tests or findings, or those of a folder or file.

What holds of the whole holds of each part of it: "All unit tests pass" follows from tests of which all pass and none is
skipped. Where a report counts the part, it is looked up there. Otherwise nothing follows where the whole doesn't
hold: which of the failures belong to the part no fact says.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec.structs import replace

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.commands import Part
from verigate.statements.tokenizer import Token

_TEST_KINDS = frozenset(
    {"unit", "functional", "regression", "backend", "back-end", "frontend", "front-end", "component", "existing"}
)
_PARTS = {
    "tests": _TEST_KINDS,
    "suites": _TEST_KINDS,
    "error": frozenset({"new"}),
    "typeerror": frozenset({"new"}),
    "warning": frozenset({"new"}),
    "finding": frozenset({"new"}),
}
"""What has parts, by its form -> the words for them that stand right before it."""

_KINDS = frozenset({"integration", "e2e", "end-to-end", "acceptance", "smoke", "system", "api", "contract", "property"})
"""Kinds of tests that often run elsewhere, so that nothing follows for them from the whole."""

_NOUNS = frozenset({"?", "auth", "schema", "link", "image", "quote", "docs", "endpoint", "heading", "response", "api"})
_MOST_WORDS = 3
_ELSEWHERE = frozenset(
    {"windows", "macos", "mac", "linux", "unix", "ios", "android", "arm", "arm64", "x86", "wasm", "gpu", "cuda"}
    | {"docker", "kubernetes", "postgres", "mysql", "redis", "ci", "remote", "live", "cloud", "staging", "production"}
    | {"manual", "load", "stress", "performance", "perf", "benchmark", "browser", "ui", "visual", "mobile", "desktop"}
    | {"nightly", "slow", "long", "python", "node", "java", "related", "relevant", "affected", "targeted", "focused"}
    | {"other", "remaining", "rest", "most", "critical", "important", "key", "core", "main", "basic", "simple", "new"}
    | {"old", "previous", "failing", "flaky", "manual", "local", "automated", "necessary", "required", "available"}
    | {"updated", "modified", "changed", "relevant", "applicable", "corresponding", "pertinent", "enabled", "possible"}
)
"""Words before "tests" that don't say what they are about, or name tests that often run elsewhere."""

_EVERY = frozenset({"all", "no", "none"})
_ARTIFACTS = frozenset({"tests.json", "lint.json", "build.json"})


def split_part(tokens: Sequence[Token]) -> tuple[list[Token], Part] | None:
    """Split a clause about a part into what it says of the whole, and the part; None if it isn't one."""
    for index, token in enumerate(tokens):
        if token.part is not None:
            return [*tokens[:index], replace(token, part=None), *tokens[index + 1 :]], token.part
    universal = not _EVERY.isdisjoint(token.form for token in tokens)
    for index, (token, following) in enumerate(itertools.pairwise(tokens)):
        word = token.raw.lower()
        of_tests = following.form in {"tests", "suites"}
        if of_tests and word in _KINDS:
            return [*tokens[:index], *tokens[index + 1 :]], Part(word, found=True)
        if (universal or of_tests) and word in _PARTS.get(following.form, ()):
            return [*tokens[:index], *tokens[index + 1 :]], Part(word)
    return _split_place(tokens) or _split_words(tokens)


def _split_place(tokens: Sequence[Token]) -> tuple[list[Token], Part] | None:
    """Split "tests in PATH" and "PATH tests"."""
    for index, token in enumerate(tokens):
        if token.form != "path" or not str(token.value).strip("./*"):
            continue
        if [each.form for each in tokens[max(0, index - 2) : index]] == ["tests", "in"]:
            return [*tokens[: index - 1], *tokens[index + 1 :]], Part(scope=str(token.value), found=True)
        if index + 1 < len(tokens) and tokens[index + 1].form == "tests":
            return [*tokens[:index], *tokens[index + 1 :]], Part(scope=str(token.value), found=True)
    return None


def _split_words(tokens: Sequence[Token]) -> tuple[list[Token], Part] | None:
    """Split "all 7 timeout conversion tests", whose words the paths of the tests have."""
    at = next((index for index, token in enumerate(tokens) if token.form in {"tests", "suites"}), 0)
    start = at
    while start and tokens[start - 1].form in _NOUNS:
        start -= 1
    words = [token.raw.lower() for token in tokens[start:at]]
    counted = any(token.form in {*_EVERY, "num"} for token in tokens[:start])
    if not 0 < len(words) <= _MOST_WORDS or not counted or not _ELSEWHERE.isdisjoint(words):
        return None
    if not all(word.isascii() and word.replace("-", "").isalpha() for word in words):
        return None
    return [*tokens[:start], *tokens[at:]], Part(" ".join(words), found=True, named=True)


def limit_facts(facts: Sequence[StatedFact], part: Part) -> tuple[StatedFact, ...]:
    """Return facts of the whole as those of a part; () where they are about something that has no such parts."""
    fitting = _is_about_tests if part.found else _is_universal
    if not facts or not all(map(fitting, facts)):
        return ()
    return tuple(
        replace(fact, part=part.name, scope=part.scope, looked_up=part.found, named=part.named) for fact in facts
    )


def _is_about_tests(fact: StatedFact) -> bool:
    return fact.artifact == "tests.json" and not _counts_files(fact)


def _counts_files(fact: StatedFact) -> bool:
    """Whether files of tests are counted, which no report does for a part."""
    return fact.what.endswith("files")


def _is_universal(fact: StatedFact) -> bool:
    if fact.bad or _counts_files(fact) or fact.relation is not Relation.EQ or fact.artifact not in _ARTIFACTS:
        return False
    return fact.value == 0 or fact.what in {"/passed", "/total"}
