"""Compare the tests of base and subject: which are removed, assert less, or no longer run.

A renamed or moved test is the same test if its body, its name or most of its words are equal. Tests that became one
table of cases are the same if their literals are in the table. A test lost with the function under test is a warning,
since a claim about the removed function is refuted elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.functions.compare import compare
from code_adapter.functions.symbols import extract
from code_adapter.integrity.assertions import Assertion
from code_adapter.integrity.cases import Case, Inventory, find_helpers, list_tests
from code_adapter.integrity.external_skips import find_external_skips
from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.markers import Marker
from code_adapter.integrity.reached import Walk
from code_adapter.integrity.roles import is_collected, is_test_code
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_ALIKE_HERE, _ALIKE_ELSEWHERE = 0.5, 0.65
_SAME_WEIGHT = 0.8
_MOST_COMPARISONS = 250_000
"""Above this many pairs of tests a renamed one is looked for in its own file alone."""

_LITERALS_KEPT = 0.7
_COMMON = frozenset(
    {"self", "assert", "def", "test", "expect", "it", "const", "await", "async", "t", "return", "import"}
)


@dataclass(frozen=True, slots=True)
class _Pair:
    before: Case
    after: Case

    def find(self, kind: str, line: int, message: str, weight: Weight, rule: str) -> IntegrityFinding:
        """Make a finding about this test."""
        forms = Forms(self.before.source, self.after.source)
        return IntegrityFinding(kind, self.after.path, line, message, weight, rule, test=self.after.id, forms=forms)


def find_lost_tests(changes: ChangeSet, python_files: Iterable[str], walk: Walk) -> Iterator[IntegrityFinding]:
    """Find lost tests and assertions. ``python_files`` and ``walk`` are pytest's patterns and its file search in base.

    A test moved to where no runner collects it is lost.
    """
    patterns = tuple(python_files)
    sides = [(old, new) for _, old, new in changes.sides()]
    before = _inventory(changes, [old for old, _ in sides if old is None or walk.reaches(old.path)], patterns)
    after = _inventory(changes, [new for _, new in sides if new is None or walk.reaches(new.path)], patterns)
    unreached = [new for _, new in sides if new is not None and not walk.reaches(new.path)]
    astray = {case.digest: case.path for case in _inventory(changes, unreached, patterns).cases}
    findings, skipping = find_external_skips(changes, patterns)
    yield from findings
    gone_names = find_removed_names(changes)
    pairs, removed, added = _paired(list(before.cases), list(after.cases))
    gained = Counter(a.text for case in added for a in case.assertions.real)
    for pair in pairs:
        texts = Counter(a.text for a in pair.after.assertions.real) - Counter(
            a.text for a in pair.before.assertions.real
        )
        gained += texts
    multis = [case for case in (*added, *(pair.after for pair in pairs)) if case.multi]
    for case in removed:
        yield from _removed(case, gained, multis, gone_names, astray)
    for pair in pairs:
        yield from _asserts_less(pair, gained, gone_names)
        yield from _swallowed(pair)
        yield from _held_back(pair)
        yield from _find_skips(pair, skipping)
    yield from _vacuous(pairs, added)
    yield from _marked(before.markers, after.markers, {case.id for case in added}, {pair.after.id for pair in pairs})


def _inventory(changes: ChangeSet, sides: Iterable[Side | None], patterns: tuple[str, ...]) -> Inventory:
    """All tests and markers of one version of the change."""
    trees = [
        (side.path, tree)
        for side in sides
        if side is not None and (is_test_code(side.path) or is_collected(side.path, patterns))
        for tree in [changes.tree(side)]
        if tree is not None
    ]
    helpers = {name: count for _, tree in trees for name, count in find_helpers(tree).items()}
    found = [list_tests(tree, path, helpers) for path, tree in trees if is_collected(path, patterns)]
    return Inventory(
        tuple(case for item in found for case in item.cases), tuple(marker for item in found for marker in item.markers)
    )


def find_removed_names(changes: ChangeSet) -> frozenset[str]:
    """Return names of functions and classes outside tests that the change removes, not just renames or moves."""
    removed: dict[str, frozenset[str]] = {}
    kept: set[str] = set()
    bodies: list[frozenset[str]] = []
    for _, old, new in changes.sides():
        sides = [side for side in (old, new) if side is not None and language_of(side.path) is not None]
        if not sides or any(is_test_code(side.path) for side in sides):
            continue
        symbols = [
            extract(side.content or b"", side.path).symbols if side is not None and language_of(side.path) else ()
            for side in (old, new)
        ]
        kept |= {symbol.name for symbol in symbols[1]}
        for change in compare(*symbols):
            side = old if change.change == "removed" else new
            lines = (side.content or b"").splitlines() if side is not None else []
            text = b"\n".join(lines[change.symbol.line : change.symbol.end_line]).decode("utf-8", "replace")
            words = frozenset(text.split())
            if change.change == "removed":
                removed[change.symbol.name] = words
            elif change.change == "added":
                bodies.append(words)
    return frozenset(
        name
        for name, words in removed.items()
        if name not in kept and not any(_overlap(words, body) >= _ALIKE_ELSEWHERE for body in bodies)
    )


def _paired(before: list[Case], after: list[Case]) -> tuple[list[_Pair], list[Case], list[Case]]:
    pairs: list[_Pair] = []
    steps = (
        lambda old, new: old.path == new.path and old.id == new.id,
        lambda old, new: old.id == new.id and old.digest == new.digest,
        lambda old, new: old.digest == new.digest,
        lambda old, new: old.id == new.id,
        lambda old, new: old.name == new.name,
    )
    for same in steps:
        before, after = _pair_by(before, after, same, pairs)
    everywhere = len(before) * len(after) <= _MOST_COMPARISONS
    ranked = sorted(
        (
            (-_likeness(old, new), old.path != new.path, i, j)
            for i, old in enumerate(before)
            for j, new in enumerate(after)
            if (everywhere or old.path == new.path)
            and language_of(old.path) == language_of(new.path)
            and _likeness(old, new) >= (_ALIKE_HERE if old.path == new.path else _ALIKE_ELSEWHERE)
        ),
    )
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, _, i, j in ranked:
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            pairs.append(_Pair(before[i], after[j]))
    return (
        pairs,
        [case for i, case in enumerate(before) if i not in used_old],
        [case for j, case in enumerate(after) if j not in used_new],
    )


def _pair_by(before: list[Case], after: list[Case], same: object, pairs: list[_Pair]) -> tuple[list[Case], list[Case]]:
    assert callable(same)  # noqa: S101 - the steps above
    left: list[Case] = []
    rest = list(after)
    for old in before:
        new = next((candidate for candidate in rest if same(old, candidate)), None)
        if new is None:
            left.append(old)
        else:
            rest.remove(new)
            pairs.append(_Pair(old, new))
    return left, rest


def _likeness(old: Case, new: Case) -> float:
    return _overlap(old.words - _COMMON, new.words - _COMMON)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


def _removed(
    case: Case, gained: Counter[str], multis: list[Case], gone_names: frozenset[str], astray: Mapping[str, str]
) -> Iterator[IntegrityFinding]:
    texts = Counter(a.text for a in case.assertions.real)
    if texts and not texts - gained:
        gained -= texts
        return
    if any(_in_table(case, multi) for multi in multis):
        return
    about = sorted(case.words & gone_names)
    weight: Weight = "note" if about else "weakening"
    why = f", with {about[0]}, which it was about" if about else " and nothing replaces it"
    if case.digest in astray:
        why = f": no runner comes to {astray[case.digest]}"
    message, forms = f"the test {case.id} is gone{why}", Forms(case.source, None)
    yield IntegrityFinding("test_removed", case.path, None, message, weight, "test-removed", test=case.id, forms=forms)


def _find_skips(pair: _Pair, skipping: frozenset[str]) -> Iterator[IntegrityFinding]:
    for name in sorted((pair.after.words - pair.before.words) & skipping):
        message = f"{pair.after.id} now uses {name}, which skips tests"
        yield pair.find("test_skipped", pair.after.line, message, "weakening", "test-let-off")


def _in_table(case: Case, multi: Case) -> bool:
    literals = {word for word in case.words if word[0] in "\"'0123456789"}
    names = {word for word in case.words - _COMMON if word[0] not in "\"'0123456789"}
    if not literals or language_of(case.path) != language_of(multi.path):
        return False
    shared = len(names & multi.words) / len(names) if names else 1.0
    return len(literals & multi.words) / len(literals) >= _LITERALS_KEPT and shared >= _ALIKE_HERE


def _asserts_less(pair: _Pair, gained: Counter[str], gone_names: frozenset[str]) -> Iterator[IntegrityFinding]:
    old = Counter(a.text for a in pair.before.assertions.real)
    new = Counter(a.text for a in pair.after.assertions.real)
    lost, won = old - new, new - old
    helped = Counter(a.text for a in pair.after.assertions.delegated)
    helped -= Counter(a.text for a in pair.before.assertions.delegated)
    net = lost.total() - won.total() - helped.total()
    if net <= 0:
        return
    elsewhere = sum((lost & (gained - won)).values())
    if net - elsewhere <= 0:
        return
    asserts = pair.after.assertions.real or pair.after.assertions.delegated
    if asserts and pair.after.multi and _in_table(pair.before, pair.after):
        return
    gone = sum(count for text, count in lost.items() if any(name in text for name in gone_names))
    merged = bool(won) and _weight(won) >= _SAME_WEIGHT * _weight(lost)
    weight: Weight = "note" if net - elsewhere - gone <= 0 or merged else "weakening"
    first = next(iter(lost))
    count = net - elsewhere
    message = f"{pair.after.id} makes {count} fewer assertion{'s' if count > 1 else ''}, among them: {first[:160]}"
    yield pair.find("assertion_removed", pair.after.line, message, weight, "assertion-removed")


def _weight(texts: Counter[str]) -> int:
    """Count the names and literals, each once per assertion."""
    return sum(len(set(text.replace("(", " ").replace(",", " ").split())) * count for text, count in texts.items())


def _swallowed(pair: _Pair) -> Iterator[IntegrityFinding]:
    known = Counter(a.text for a in pair.before.assertions.swallowed)
    for assertion in pair.after.assertions.swallowed:
        if known[assertion.text]:
            known[assertion.text] -= 1
            continue
        message = f"{pair.after.id}: the failure of this assertion is caught and dropped: {assertion.text[:160]}"
        yield pair.find("assertion_swallowed", assertion.line, message, "weakening", "assertion-swallowed")


def _held_back(pair: _Pair) -> Iterator[IntegrityFinding]:
    """Assertions that were made in any case, and are now made under a condition, or where nobody waits for them."""
    before, after = pair.before.assertions, pair.after.assertions
    known = Counter(_tokens(a) for a in before.held)
    sure = Counter(_tokens(a) for a in before.real) - known
    sure -= Counter(_tokens(a) for a in after.real) - Counter(_tokens(a) for a in after.held)
    for assertion in after.held:
        key = _tokens(assertion)
        if known[key]:
            known[key] -= 1
        elif sure[key]:
            sure[key] -= 1
            message = f"{pair.after.id}: this assertion need not run any more: {assertion.text[:160]}"
            yield pair.find("assertion_swallowed", assertion.line, message, "weakening", "assertion-held-back")


def _tokens(assertion: Assertion) -> tuple[str, ...]:
    """Its names and literals: what is compared with what may change places."""
    return tuple(sorted(re.findall(r"\w+", assertion.text)))


def _vacuous(pairs: Iterable[_Pair], added: Iterable[Case]) -> Iterator[IntegrityFinding]:
    for before, after in [*((pair.before, pair.after) for pair in pairs), *((None, case) for case in added)]:
        known = Counter(a.text for a in before.assertions.vacuous) if before is not None else Counter()
        for assertion in after.assertions.vacuous:
            if known[assertion.text]:
                known[assertion.text] -= 1
                continue
            fewer = before is not None and len(after.assertions.real) < len(before.assertions.real)
            weight: Weight = (
                "weakening" if fewer or not (after.assertions.real or after.assertions.delegated) else "note"
            )
            message = f"{after.id}: this can't fail: {assertion.text[:160]}"
            yield IntegrityFinding(
                "assertion_vacuous",
                after.path,
                assertion.line,
                message,
                weight,
                "assertion-vacuous",
                test=after.id,
                forms=Forms(before.source if before is not None else None, after.source),
            )


def _marked(
    before: Iterable[Marker], after: Iterable[Marker], new_cases: set[str], old_cases: set[str]
) -> Iterator[IntegrityFinding]:
    known = Counter((marker.kind, marker.text) for marker in before)
    for marker in after:
        if known[marker.kind, marker.text]:
            known[marker.kind, marker.text] -= 1
            continue
        fresh = marker.case is not None and marker.case in new_cases and marker.case not in old_cases
        if marker.kind == "focus":
            message = f"{marker.text} keeps every other test from running"
            yield IntegrityFinding("test_focused", marker.path, marker.line, message, "weakening", "test-focused")
            continue
        if marker.text.startswith("#[should_panic") and fresh:
            continue
        weight: Weight = "note" if fresh or marker.conditional else "weakening"
        what = "is expected to fail" if marker.kind == "xfail" else "is skipped"
        subject = f"the new test {marker.case}" if fresh else marker.case or "the whole file or class"
        message = f"{subject} {what}: {marker.text}"
        yield IntegrityFinding("test_skipped", marker.path, marker.line, message, weight, f"test-{marker.kind}")
