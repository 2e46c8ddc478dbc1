"""Read checkwash's findings: of which kind and weight each is, and which a check of our own answers.

Source: checkwash's documentation on its rules (https://github.com/taipei49314/checkwash).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.checks.checkwash_words import describe_strengths
from code_adapter.integrity.checks.kept_forms import keeps_snapshots, skips_as_before
from code_adapter.integrity.checks.stand_ins import keeps_imports
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.languages.python.claims import asks_more, is_same_test
from code_adapter.integrity.pairing.tabled_tests import find_tabled
from code_adapter.integrity.roles import is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.pairing.paired_tests import PairedTests
    from verigate.sdk.languages.tree import Tree

_KINDS: Mapping[str, str] = {
    "ASSERT_SUBSTITUTED": "assertion_weakened",
    "ASSERT_WEAKENED": "assertion_weakened",
    "BROAD_EXCEPT_ADDED": "assertion_swallowed",
    "CONFTEST_PATCHES_PROD": "test_tampered",
    "EXEMPTION_ADDED": "exemption_added",
    "EXPECTATION_DEFINITION_CHANGED": "assertion_weakened",
    "EXPECTED_VALUE_CHANGED": "assertion_weakened",
    "EXPECTED_VALUE_DERIVED": "assertion_weakened",
    "EXPECTED_VALUE_HARDCODED": "assertion_weakened",
    "HIDDEN_UNICODE": "hidden_text",
    "SUBJECT_INPUT_CHANGED": "assertion_weakened",
    "SUBJECT_NORMALIZED": "assertion_weakened",
    "TEST_DISABLED": "test_skipped",
    "TEST_FILE_UNPARSEABLE": "unexamined",
    "TEST_PATCHES_SUBJECT": "test_tampered",
    "TOLERANCE_LOOSENED": "assertion_weakened",
}
_JUDGED_HERE = frozenset({"ASSERT_REMOVED", "CI_WORKFLOW_TOUCHED", "SUPPRESSION_ADDED", "SCOPE_DRIFT"})
"""Rules whose question is answered by a check of our own, which knows more replacements."""

_OF_CLAIMS = frozenset({"ASSERT_SUBSTITUTED", "ASSERT_WEAKENED"})
"""Rules about assertions that say something else now, whatever else the test says."""

_SCRIPTS = frozenset({"javascript", "typescript"})
"""Languages in which the claims are compared with the literals around them."""

_OF_VALUES = frozenset({"EXPECTATION_DEFINITION_CHANGED", "EXPECTED_VALUE_CHANGED", "EXPECTED_VALUE_HARDCODED"})
"""Rules about assertions that expect another value, and check as much as before."""

_EXCUSES = frozenset({"REPAIR_EVIDENCE", "PACKAGE_REPAIR", "DEPENDENCY_DRIFT"})
"""That other things changed too: what accounts for a weakening, and no reason to take it for less than one."""

_OPPOSITE = "assertion polarity inverted"
_CONTRADICTS = re.compile(r": assertion contradicts the old one \((===?) .* -> \1 ", re.DOTALL)
_IS_NOTHING = re.compile(
    r"assert\s+[^=<>!]+?\s+is\s+None|self\.assertIsNone\([^=<>!]+\)|expect\([^=<>!]+\)\.(?:toBeNull|toBeUndefined)\(\);?"
)
"""An assertion of one value, which checkwash takes for as weak as one of every other value."""

_NOT_ONE = re.compile(r"\b(?:or|and|not|if|lambda|None)\b|\|\||&&|\?")
_COUNTED = re.compile(r"assert\s+[\w.\[\]]+\.count\(\s*\w+\s*\)\s*==\s*[1-9]\d*")
"""How often an output has what is expected: the argument of ``count`` is a part of the expected value."""
_EXPECTS_NOTHING = re.compile(r"(?:self\.)?assert(?:True|False)\(")
"""What has no expected value: the second argument of unittest's is the message."""

_AWAITED = re.compile(r"\((?P<what>.+) -> await (?P=what)\)")
"""A promise, which is no value yet."""

_LISTED = re.compile(
    r"\((?P<what>.+) -> (?:(?:list|tuple|Array\.from)\((?P=what)\)|\[\.\.\.(?P=what)\])\)"
    r" while the expected value stayed",
    re.DOTALL,
)
"""All that an iterator gives, in its order: only its type isn't compared any more."""

_SUBSTITUTED = re.compile(r"of the same strength \((?P<what>.+?) -> .+\); the original assertion is gone", re.DOTALL)
_COMPARED = r"(?:[eE]qual|toBe|toEqual|toStrictEqual)\(\s*{0}\s*,|\bexpect\(\s*{0}\s*\)\.to\w+\(|\bassert\s+{0}\s*==\s"
"""Assertions that compare a value, whose text is put in, with an expected one."""

_IS_SDK = re.compile(r"'verigate\.sdk[\w.]*'")
"""What adapters of the repository import, and the gate puts on their path."""

_MARKER = re.compile(r"disabling marker added \((?P<name>[\w.]+\()['\"]")
"""A marker whose only argument is its reason."""

_SET_UP = re.compile(r"\(setup\.(?P<name>\w+)\.skip\)$")
"""A fixture, or a method that runs before each test."""

_IMPORT = re.compile(r"(?:from\s+\S+\s+)?import\s")
_STILL_EXACT, _MILD_DROP = 90, 30
"""checkwash's own measure of a matcher that changed in style alone."""


def read_entries(
    entries: Iterable[Mapping[str, Any]], changes: ChangeSet, tests: PairedTests
) -> Iterator[IntegrityFinding]:
    """Read the findings of a report, without those that a check of our own answers.

    What a row of a table says now, which is fed to a test, is compared with the rows.
    """
    tabled = find_tabled(tests)
    for entry in entries:
        of_claims = entry["rule"] in _OF_CLAIMS | _OF_VALUES | {"SUBJECT_INPUT_CHANGED"}
        if (of_claims and (str(entry["path"]), str(entry.get("unit"))) in tabled) or _is_judged_here(entry, changes):
            continue
        yield _finding(entry, changes)


def _finding(entry: Mapping[str, Any], changes: ChangeSet) -> IntegrityFinding:
    rule = str(entry["rule"])
    unit = clean_text(str(entry["unit"])) if entry.get("unit") else ""
    message = describe_strengths(str(entry["message"]))
    return IntegrityFinding(
        kind=_name_kind(entry, changes),
        path=clean_text(str(entry["path"])),
        line=_line(entry, changes),
        message=clean_text(message if not unit or message.startswith(f"{unit}: ") else f"{unit}: {message}", 500),
        weight=_weigh(entry),
        rule=rule,
        source="checkwash",
        test=unit or None,
    )


def _name_kind(entry: Mapping[str, Any], changes: ChangeSet) -> str:
    """Name the kind: what an assertion expects may follow the code, where code changed."""
    rule = entry["rule"]
    if rule == "GUARDRAIL_TOUCHED":
        return "exemption_added"
    opposite = rule == "ASSERT_WEAKENED" and _OPPOSITE in str(entry["message"]) and not entry.get("subject_changed")
    listed = rule == "SUBJECT_NORMALIZED" and _LISTED.search(str(entry["message"])) is not None
    more = rule == "ASSERT_SUBSTITUTED" and asks_more(*_read_texts(entry))
    other = rule in _OF_VALUES or listed or opposite or more
    other = other or _expects_another_value(entry) or _is_still_asked(entry, changes)
    if other and _touches_code(changes):
        return "expectation_changed"
    return _KINDS.get(rule, "worth_a_look")


def _touches_code(changes: ChangeSet) -> bool:
    """Whether code changes that is no test."""
    paths = (side.path for file in changes.files for side in (file.before, file.after) if side is not None)
    return any(language_of(path) is not None and not is_test_code(path) for path in paths)


def _expects_another_value(entry: Mapping[str, Any]) -> bool:
    """Whether an assertion checkwash takes for weaker, or for one of another input, expects another value alone."""
    before, after = (" ".join(text.split()) for text in _read_texts(entry))
    if entry["rule"] == "SUBJECT_INPUT_CHANGED":
        return before == after and _COUNTED.fullmatch(after) is not None
    if _CONTRADICTS.search(str(entry["message"])):
        still = entry.get("strength_after")
        return isinstance(still, int) and still >= _STILL_EXACT and entry.get("subject_changed") is False
    value = after.removeprefix("assert ").removesuffix(" is None")
    exact = _IS_NOTHING.fullmatch(after) is not None and _NOT_ONE.search(value) is None
    return entry["rule"] == "ASSERT_WEAKENED" and exact and entry.get("subject_changed") is False


def _read_texts(entry: Mapping[str, Any]) -> tuple[str, str]:
    """What an assertion said and says; empty where there is none."""
    before, after = (
        str(side.get("text", "")) if isinstance(side, dict) else "" for side in map(entry.get, ("before", "after"))
    )
    return before, after


def _is_still_asked(entry: Mapping[str, Any], changes: ChangeSet) -> bool:
    """Whether the test compares what an assertion was about that is gone: it expects something, if not the same."""
    path, about = str(entry["path"]), _SUBSTITUTED.search(str(entry["message"]))
    language, (_, tree) = find_language(path), _find_trees(changes, path)
    if entry["rule"] != "ASSERT_SUBSTITUTED" or about is None or language is None or tree is None:
        return False
    compared = re.compile(_COMPARED.format(re.escape(about["what"])))
    tests = [test for test in language.find_tests(tree) if str(entry.get("unit")) in {test.name, test.qualified}]
    return len(tests) == 1 and compared.search(text_of(tests[0].body)) is not None


def _is_judged_here(entry: Mapping[str, Any], changes: ChangeSet) -> bool:
    """Whether a check of our own answers the rule's question, or there is nothing to ask."""
    rule, path = entry["rule"], str(entry["path"])
    if rule == "GUARDRAIL_TOUCHED":
        return not path.startswith((".checkwash/", ".greenwash/"))
    after = entry.get("after")
    shown = str(after.get("text")) if isinstance(after, dict) else ""
    if rule == "TEST_PATCHES_SUBJECT" and _IMPORT.match(shown):
        return keeps_imports(changes, path)
    before = entry.get("before")
    expected_nothing = isinstance(before, dict) and _EXPECTS_NOTHING.match(str(before.get("text"))) is not None
    is_promise = rule == "SUBJECT_NORMALIZED" and _AWAITED.search(str(entry["message"])) is not None
    is_sdk = rule == "IMPORT_UNRESOLVED" and _IS_SDK.search(str(entry["message"])) is not None
    is_same = rule == "EXPECTATION_DEFINITION_CHANGED" and _is_same_test(changes, path, str(entry.get("unit")))
    is_same |= rule == "EXPECTED_VALUE_CHANGED" and path.endswith(".snap") and _keeps_snapshots(changes, path)
    if is_promise or is_sdk or is_same or (rule in _OF_VALUES and expected_nothing):
        return True
    of_claims = rule in _OF_CLAIMS or (rule == "EXPECTED_VALUE_CHANGED" and language_of(path) in _SCRIPTS)
    if of_claims and entry.get("unit") and _keeps_claims(changes, path, str(entry["unit"])):
        return True
    language = find_language(path)
    if (rule == "TEST_DISABLED" and language is not None) and (
        language.names_platform(changes, path, shown) or _gives_another_reason(changes, path, str(entry["message"]))
    ):
        return True
    handed_on = rule == "BROAD_EXCEPT_ADDED" and _hands_failures_on(changes, path)
    return rule in _JUDGED_HERE or handed_on or entry.get("shape") == "unit_removed"


def _gives_another_reason(changes: ChangeSet, path: str, message: str) -> bool:
    """Whether a file has no more decorators like the one that is named than it had: its reason alone is another.

    A mark that gets a name can stand anywhere by that name, so one that is no decorator is no other reason.
    """
    called = _MARKER.search(message)
    trees = _find_trees(changes, path)
    set_up = _SET_UP.search(message)
    if set_up is not None and trees[0] is not None and trees[1] is not None:
        return skips_as_before(trees[0], trees[1], set_up["name"])
    if called is None or any(tree is None for tree in trees):
        return False
    decorator = re.compile(rf"^[ \t]*@{re.escape(called['name'])}", re.MULTILINE)
    old, new = (tree.source.decode("utf-8", "replace") for tree in trees if tree is not None)
    decorators = len(decorator.findall(new))
    return 0 < decorators == new.count(called["name"]) <= len(decorator.findall(old))


def _keeps_claims(changes: ChangeSet, path: str, unit: str) -> bool:
    """Whether the test ``unit`` makes all claims of its base form, under the same conditions, and any at all."""
    language, (old, new) = find_language(path), _find_trees(changes, path)
    return language is not None and old is not None and new is not None and language.keeps_claims(old, new, path, unit)


def _is_same_test(changes: ChangeSet, path: str, unit: str) -> bool:
    """Whether the test ``unit`` differs in how constants are written alone."""
    old, new = _find_trees(changes, path)
    return old is not None and new is not None and is_same_test(old, new, path, unit)


def _hands_failures_on(changes: ChangeSet, path: str) -> bool:
    """Whether what is caught in addition is still a failure."""
    language, (old, new) = find_language(path), _find_trees(changes, path)
    return language is not None and new is not None and language.hands_failures_on(old, new)


def _keeps_snapshots(changes: ChangeSet, path: str) -> bool:
    """Whether a file of the subject has each snapshot that it had in base."""
    sides = ((before, after) for _, before, after in changes.sides() if after is not None and after.path == path)
    return any(keeps_snapshots(text(before), text(after)) for before, after in sides)


def _find_trees(changes: ChangeSet, path: str) -> tuple[Tree | None, Tree | None]:
    """Find the syntax trees of a file of the subject in base and subject, None where there is none."""
    for _, before, after in changes.sides():
        if after is not None and after.path == path:
            return changes.tree(before) if before is not None else None, changes.tree(after)
    return None, None


def _weigh(entry: Mapping[str, Any]) -> Weight:
    """Weigh an entry, whatever else the change does: ``_EXCUSES`` lower checkwash's severity, and not the weight."""
    if entry.get("allowlisted"):
        return "note"
    if entry["rule"] in {"EXEMPTION_ADDED", "GUARDRAIL_TOUCHED"}:
        return "weakening"
    excused = _is_excused(entry) and not _is_mild(entry)
    return "weakening" if excused or entry["severity"] not in {"warn", "info"} else "note"


def _is_excused(entry: Mapping[str, Any]) -> bool:
    return not _EXCUSES.isdisjoint(entry.get("deescalators") or ())


def _is_mild(entry: Mapping[str, Any]) -> bool:
    """Whether an assertion is as exact as before, about the same."""
    drop, after = entry.get("strength_drop"), entry.get("strength_after")
    return (
        isinstance(drop, int)
        and isinstance(after, int)
        and drop < _MILD_DROP
        and after >= _STILL_EXACT
        and not entry.get("subject_changed")
    )


def _line(entry: Mapping[str, Any], changes: ChangeSet) -> int | None:
    """The line in the subject, else in the base: checkwash gives offsets into the text."""
    for _, before, after in changes.sides():
        for name, side in (("after", after), ("before", before)):
            evidence = entry.get(name)
            span = evidence.get("span") if isinstance(evidence, dict) else None
            if side is None or side.path != entry["path"] or not isinstance(span, list) or len(span) != 2:
                continue
            start, end = span
            if isinstance(start, int) and isinstance(end, int) and 0 <= start < end:
                return text(side).count("\n", 0, start) + 1
    return None
