"""Compare the tests of base and subject: which are removed, assert less, or no longer run.

Tests that became one table of cases are the same if their literals are in the table. ``replaced_tests`` has what else
takes the place of a test. A test lost with the function under test is a note, since a claim about the removed function
is refuted elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from code_adapter.integrity.checks.external_skips import find_external_skips
from code_adapter.integrity.finding import Forms, IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.languages.asserted import Assertion
from code_adapter.integrity.pairing.cases import Case, split_words
from code_adapter.integrity.pairing.gone_members import MovedFields, find_moved_fields
from code_adapter.integrity.pairing.paired_tests import ALIKE_HERE, COMMON, Pair, PairedTests
from code_adapter.integrity.pairing.replaced_tests import Spare, find_repeating
from code_adapter.integrity.pairing.tabled_tests import TabledTests
from code_adapter.integrity.roles import is_test_code
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.languages.test_language import MarkerKind
    from code_adapter.integrity.pairing.markers import Marker

_SAME_WEIGHT = 0.8
_LITERALS_KEPT = 0.7
_SHOWN = 199
"""Letters of a mark that are known, without the sign of a decorator."""


def find_lost_tests(
    changes: ChangeSet, tests: PairedTests, python_files: Iterable[str], gone_names: Callable[[], frozenset[str]]
) -> Iterator[IntegrityFinding]:
    """Find lost tests and assertions. ``python_files`` are pytest's patterns in base, ``gone_names`` removed names.

    A test moved to where no runner collects it is lost.
    """
    findings, skipping = find_external_skips(changes, tuple(python_files))
    yield from findings
    gained = Counter(a.text for case in tests.added if not case.table.rows for a in case.assertions.real)
    for pair in tests.pairs:
        texts = Counter(a.text for a in pair.after.assertions.real) - Counter(
            a.text for a in pair.before.assertions.real
        )
        gained += texts
    multis = [(case, case.words) for case in tests.added if case.multi]
    multis += [(pair.after, _find_new_words(pair)) for pair in tests.pairs if pair.after.multi]
    tabled = TabledTests(tests.added, tests.pairs)
    spare = Spare((case for case in tests.added if not _is_let_off(case, tests)), tests.pairs, tests.removed)
    kept = [pair for pair in tests.pairs if not _is_let_off(pair.after, tests)]
    fields = find_moved_fields(changes) if tests.removed else MovedFields({})
    without_row = []
    for case in tests.removed:
        texts = Counter(a.text for a in case.assertions.real)
        if (fed := tabled.take(case)) is not None:
            spare.use_row(fed, case)
        elif texts and not texts - gained:
            gained -= texts
        else:
            without_row.append(case)
    for case in without_row:
        if not any(_in_table(case, multi, new) for multi, new in multis):
            moved = spare.find_moved(case, fields)
            about = gone_names() | ({moved[0]} if moved is not None else frozenset())
            rewritten = find_repeating(case, kept) or spare.find_rewritten(case)
            yield _removed(case, rewritten, about, tests.astray.get(case.digest))
    for pair in tests.pairs:
        if pair.before.table.rows or tabled.take(pair.before, pair.after) is None:
            yield from _asserts_less(pair, gained, gone_names)
        yield from _swallowed(pair)
        yield from _held_back(pair)
        yield from _find_skips(pair, skipping)
    yield from _vacuous(tests.pairs, tests.added)
    yield from _marked(changes, tests)


def _removed(case: Case, rewritten: Case | None, gone_names: frozenset[str], astray: str | None) -> IntegrityFinding:
    about = sorted((case.words | case.calls) & gone_names)
    weight: Weight = "note" if about or rewritten is not None else "weakening"
    why = f", with {about[0]}, which it was about" if about else " and nothing replaces it"
    if rewritten is not None:
        why = f", and {rewritten.id} asks the same function"
    if astray is not None:
        weight, why = "note" if about else "weakening", f": no runner comes to {astray}"
    message, forms = f"the test {case.id} is gone{why}", Forms(case.source, None)
    return IntegrityFinding("test_removed", case.path, None, message, weight, "test-removed", test=case.id, forms=forms)


def _is_let_off(case: Case, tests: PairedTests) -> bool:
    """Whether a test may be skipped, or is expected to fail, other than by what it calls."""
    marked = (marker for marker in tests.markers[1] if marker.path == case.path)
    return any(
        marker.text.partition("(")[0].rpartition(".")[2] != "importorskip"
        and (marker.case == case.id or case.id in marker.covered)
        for marker in marked
    )


def _find_skips(pair: Pair, skipping: frozenset[str]) -> Iterator[IntegrityFinding]:
    for name in sorted((pair.after.words - pair.before.words) & skipping):
        message = f"{pair.after.id} now uses {name}, which skips tests"
        yield pair.find("test_skipped", pair.after.line, message, "weakening", "test-let-off")


def _find_new_words(pair: Pair) -> frozenset[str]:
    """Find what a test now says more often: a table that stays as it was has taken in no other test."""
    return frozenset(Counter(split_words(pair.after.source)) - Counter(split_words(pair.before.source)))


def _in_table(case: Case, multi: Case, rows: frozenset[str]) -> bool:
    """Whether ``rows``, words of the table ``multi`` whose rows can't be read, have the literals of a test."""
    if multi.table.rows:
        return False
    literals = {word for word in case.words if word[0] in "\"'0123456789"}
    names = {word for word in case.words - COMMON if word[0] not in "\"'0123456789"}
    if not literals or language_of(case.path) != language_of(multi.path):
        return False
    shared = len(names & multi.words) / len(names) if names else 1.0
    return len(literals & rows) / len(literals) >= _LITERALS_KEPT and shared >= ALIKE_HERE


def _asserts_less(
    pair: Pair, gained: Counter[str], gone_names: Callable[[], frozenset[str]]
) -> Iterator[IntegrityFinding]:
    old = _read_claims(pair.before.assertions.real)
    new = _read_claims(pair.after.assertions.real)
    # One object is asked whether it equals itself: that can fail, if it was asked so before.
    new += _read_claims(pair.after.assertions.vacuous) & (old - new)
    lost, won = old - new, new - old
    helped = Counter(a.text for a in pair.after.assertions.delegated)
    helped -= Counter(a.text for a in pair.before.assertions.delegated)
    if "TempDir" in pair.after.words - pair.before.words:
        lost = Counter({text: count for text, count in lost.items() if not _CLEANS_UP.fullmatch(text)})
    net = lost.total() - won.total() - helped.total()
    if net <= 0:
        return
    elsewhere = sum((lost & (gained - won)).values())
    if net - elsewhere <= 0:
        return
    asserts = pair.after.assertions.real or pair.after.assertions.delegated
    if asserts and pair.after.multi and _in_table(pair.before, pair.after, pair.after.words):
        return
    gone = sum(count for text, count in lost.items() if any(name in text for name in gone_names()))
    merged = bool(won) and _weight(won) >= _SAME_WEIGHT * _weight(lost)
    weight: Weight = "note" if net - elsewhere - gone <= 0 or merged else "weakening"
    first = next(iter(lost))
    count = net - elsewhere
    message = f"{pair.after.id} makes {count} fewer assertion{'s' if count > 1 else ''}, among them: {first[:160]}"
    yield pair.find("assertion_removed", pair.after.line, message, weight, "assertion-removed")


_CLEANS_UP = re.compile(r"(?:assert|require)\.NoError\(t, os\.Remove(?:All)?\([^()]*\)\)")
"""Go: what a test says when it removes its own files, which a folder of ``t.TempDir`` doesn't need."""

_EQUALS = re.compile(r"(?:\w+\.)?assert(?P<kind>True|False)\((?P<one>[\w.]+)\.equals\((?P<other>[\w.]+)\)\)")


def _read_claims(assertions: Iterable[Assertion]) -> Counter[str]:
    """Count texts, those of Java that ask ``equals`` as by the runner's own matcher: ``assertEquals`` asks it too."""
    return Counter(_EQUALS.sub(_name_matcher, a.text) for a in assertions)


def _name_matcher(match: re.Match[str]) -> str:
    return f"assert{'Equals' if match['kind'] == 'True' else 'NotEquals'}({match['one']}, {match['other']})"


def _weight(texts: Counter[str]) -> int:
    """Count the names and literals, each once per assertion."""
    return sum(len(set(text.replace("(", " ").replace(",", " ").split())) * count for text, count in texts.items())


def _swallowed(pair: Pair) -> Iterator[IntegrityFinding]:
    known = Counter(_leave_out_message(a.text) for a in pair.before.assertions.swallowed)
    for assertion in pair.after.assertions.swallowed:
        said = _leave_out_message(assertion.text)
        if known[said]:
            known[said] -= 1
            continue
        message = f"{pair.after.id}: the failure of this assertion is caught and dropped: {assertion.text[:160]}"
        yield pair.find("assertion_swallowed", assertion.line, message, "weakening", "assertion-swallowed")


def _leave_out_message(said: str) -> str:
    """What an assertion says, without the message of one that always fails."""
    return _FAILS.sub(r"\g<call>()", said)


_FAILS = re.compile(
    r"(?P<call>(?:[\w$]+\.)*[Ff]ail)\(\s*(?P<quote>[\"'`])(?:(?!(?P=quote))[^\\]|\\.)*(?P=quote)\s*\);?"
)


def _held_back(pair: Pair) -> Iterator[IntegrityFinding]:
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


def _vacuous(pairs: Iterable[Pair], added: Iterable[Case]) -> Iterator[IntegrityFinding]:
    for before, after in [*((pair.before, pair.after) for pair in pairs), *((None, case) for case in added)]:
        known = Counter(a.text for a in before.assertions.vacuous) if before is not None else Counter()
        known += _read_claims(before.assertions.real) if before is not None else Counter()
        for assertion in after.assertions.vacuous:
            if known[assertion.text]:
                known[assertion.text] -= 1
                continue
            fewer = before is not None and len(after.assertions.real) < len(before.assertions.real)
            alone = not (after.assertions.real or after.assertions.delegated)
            asks = _asks_equals(before, after, assertion) or _asks_to_be_called(before, after, assertion)
            weight: Weight = "weakening" if fewer or (alone and not asks) else "note"
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


_PLANS = re.compile(r"\bplan\s*:\s*[1-9]|\.plan\(\s*[1-9]|\bexpect\.assertions\(\s*[1-9]")
"""How many assertions a test of JavaScript makes: one that isn't reached fails it."""


_BEGINS_FUNCTION = re.compile(
    r"(?:=>|\bfunction\b[^{]*|(?:^|[\s*])(?!(?:if|for|while|switch|catch|with)\b)[\w$]+\s*\([^()]*\))\s*\{\s*$"
)


def _asks_to_be_called(before: Case | None, after: Case, assertion: Assertion) -> bool:
    """Whether a new test counts its assertions, and this one stands in a function that the code under test calls."""
    if before is not None or language_of(after.path) not in {"javascript", "typescript"}:
        return False
    lines = after.source.splitlines()
    at = assertion.line - after.line
    if not 0 < at < len(lines) or _PLANS.search(after.source) is None:
        return False
    indents = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip() and line.lstrip()[0] not in "})]"]
    own = len(lines[at]) - len(lines[at].lstrip())
    return own > min(indents) and _BEGINS_FUNCTION.search(lines[at - 1]) is not None


def _asks_equals(before: Case | None, after: Case, assertion: Assertion) -> bool:
    """Whether a new test of Java is about ``equals`` by its name, and asks it of one object and itself."""
    named = (
        before is None
        and language_of(after.path) == "java"
        and re.search("equals|reflexive", after.name, re.IGNORECASE)
    )
    return bool(named) and re.fullmatch(r"(?:\w+\.)?assertEquals\((\w+), \1\)", assertion.text) is not None


def _was_held(
    marker: Marker,
    paired: Mapping[tuple[str, str], tuple[str, str]],
    held: Collection[tuple[str, str | None, MarkerKind, bool]],
    before: Iterable[Marker],
) -> bool:
    """Whether what a marker is about had one like it, whatever reason that gave."""
    if marker.case is not None:
        was = paired.get((marker.path, marker.case), (marker.path, marker.case))
        return (*was, marker.kind, False) in held
    return any(
        (each.path, each.kind, each.covered, each.case, each.conditional)
        == (marker.path, marker.kind, marker.covered, None, False)
        for each in before
        if each.covered
    )


def _match_marks(
    before: Iterable[Marker], after: Iterable[Marker], paired: Mapping[tuple[str, str], tuple[str, str]]
) -> tuple[Counter[tuple[MarkerKind, str]], list[Marker]]:
    """Take away what a test, or a whole file, had in base as well. Returns the other marks of base and subject."""
    there = Counter((marker.path, marker.case, marker.kind, marker.text) for marker in before)
    left: list[Marker] = []
    for marker in after:
        case = (marker.path, marker.case or "")
        was = paired.get(case, case)
        place = (was[0], was[1] or None, marker.kind, marker.text)
        if there[place]:
            there[place] -= 1
        else:
            left.append(marker)
    known: Counter[tuple[MarkerKind, str]] = Counter()
    for (_, _, kind, mark), count in there.items():
        known[kind, mark] += count
    return known, left


def _is_of_new_tests(function: str, changes: ChangeSet, tests: PairedTests) -> bool:
    """Whether new tests call a function whose name no test code of the base has, and no other test calls it."""
    others = (pair.after for pair in tests.pairs)
    if not function or any(function in case.calls for case in others):
        return False
    changed = [old.path for _, old, _ in changes.sides() if old is not None]
    paths = {
        path for path in (*changes.subject_paths, *changed) if is_test_code(path) and language_of(path) is not None
    }
    name = re.compile(rf"\b{re.escape(function)}\b".encode())
    known = len(paths) > _MOST_READ or any(name.search(changes.at_base(path) or b"") for path in sorted(paths))
    return not known and any(function in case.calls for case in tests.added)


_MOST_READ = 3000
"""Files of tests in which a name is looked for."""


def _marked(changes: ChangeSet, tests: PairedTests) -> Iterator[IntegrityFinding]:
    before, after = tests.markers
    paired = {(pair.after.path, pair.after.id): (pair.before.path, pair.before.id) for pair in tests.pairs}
    known, others = _match_marks(before, after, paired)
    languages = {marker.path: find_language(marker.path) for marker in after}
    settling = {language.find_settled_skips for language in languages.values() if language is not None}
    settled = frozenset[tuple[str, int]]().union(*(find(changes) for find in settling))
    new_cases = {(case.path, case.id) for case in tests.added} - paired.keys()
    known_marks = {marker.text.removeprefix("@")[:_SHOWN] for marker in before}
    held = {(marker.path, marker.case, marker.kind, marker.conditional) for marker in before if marker.case is not None}
    for marker in others:
        # A mark that went from one test to another lets off a test that ran.
        if known[marker.kind, marker.text] and (marker.case is None or (marker.path, marker.case) not in paired):
            known[marker.kind, marker.text] -= 1
            continue
        if marker.named and marker.text[:_SHOWN] in known_marks:
            continue
        if marker.case is None and (marker.path, marker.line) in settled:
            continue
        about = (marker.case,) if marker.case is not None else marker.covered
        fresh = bool(about) and all((marker.path, case) in new_cases for case in about)
        fresh |= marker.case is None and _is_of_new_tests(marker.inside, changes, tests)
        if marker.kind == "focus":
            message = f"{marker.text} keeps every other test from running"
            yield IntegrityFinding("test_focused", marker.path, marker.line, message, "weakening", "test-focused")
            continue
        if marker.text.startswith("#[should_panic") and fresh:
            continue
        if _was_held(marker, paired, held, before):
            continue  # it was skipped, or expected to fail, in any case
        language = languages[marker.path]
        named = language is not None and language.names_platform(changes, marker.path, marker.text)
        weight: Weight = "note" if fresh or marker.conditional or named else "weakening"
        what = "is expected to fail" if marker.kind == "xfail" else "is skipped"
        subject = marker.case or "the whole file or class"
        subject = f"the new test {marker.case}" if fresh and marker.case else subject
        message = f"{subject} {what}: {marker.text}"
        yield IntegrityFinding("test_skipped", marker.path, marker.line, message, weight, f"test-{marker.kind}")
