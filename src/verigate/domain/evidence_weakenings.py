"""Where the evidence has weakenings.

Findings of ``integrity.json``, classes of ``counterfactual.json``, tests that ``tests.json`` says run no longer, and
tests that ``sensitivity.json`` says notice less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.known_failures import TESTS
from verigate.domain.weakening import CHANGED, NOT_COMPARABLE, Weakening
from verigate.domain.weight import Weight

INTEGRITY = "verigate:integrity.v1"
COUNTERFACTUAL = "verigate:counterfactual.v1"
SENSITIVITY = "verigate:sensitivity.v1"
LOST_POWER = "lost_power"
"""The key of ``sensitivity.json`` with tests whose mutants nothing notices any more, and the kind of weakening."""
UNFAILING = "unfailing"
"""The key of ``sensitivity.json`` with tests that pass whatever one of their assertions compares with."""
CANNOT_FAIL = "test_cannot_fail"
"""The kind of weakening that those of them are that base has."""
UNRUN = "no_longer_run"
"""The key of ``tests.json`` with tests that pass on the code of base and don't run in the subject."""
NOT_RUN = "it passes on the code of base and doesn't run any more"
"""What is said of each of them."""

_CONDITIONAL = frozenset({"assertion-held-back", "test-let-off", "test-skip", "test-focused", "TEST_DISABLED"})
"""Rules about tests or assertions that need not run. What a focused test notices says nothing of the others."""

_ENDING = frozenset({"test_skipped", "test_removed"})
"""Kinds of findings after which their test notices nothing at all."""

_UNREAD = "language-unread"
_OF_HEAD = ("BH", "HH")
_WITH_ITS_SUBJECT = frozenset({"lost", "loosened", "followed"})
"""Classes of tests whose base form fails on the code of head, as it does without what it tested."""

_EXPECTATIONS = "expectations"
_WEAKENING_CLASSES = frozenset({"yes", _EXPECTATIONS, "open"})


def read_weight(finding: Mapping[str, Any]) -> Weight:
    """Read what a finding weighs; what has no known weight is tampering."""
    weight = finding.get("weight")
    return Weight(weight) if weight in set(Weight) else Weight.TAMPERING


def is_weakening_class(entry: Mapping[str, Any]) -> bool:
    """Whether a test has to be accounted for: its class weakens it, it followed a change, or nothing compares it."""
    return entry.get("weakens") in _WEAKENING_CLASSES


def find_false_reports(value: Mapping[str, Any]) -> list[int]:
    """Find the runs of the subject's code or tests whose report is false, as indexes of ``control``.

    A test that must fail is planted in each run. Where it passed, or tests pass in a report without it although base
    reports it, something of the change decides what is reported. A run that reports no test that passed says nothing.
    """
    control = value["control"]
    passed = {index for index, each in enumerate(control) if each["cell"] != "BB" and each["outcome"] == "P"}
    if any(each["cell"] == "BB" and each["outcome"] != "F" for each in control):
        return sorted(index for index in passed if control[index]["cell"] in _OF_HEAD)
    reporting = {cell for entry in value["tests"] for cell in _OF_HEAD if "P" in entry["cells"][cell]}
    missing = {index for index, each in enumerate(control) if each["cell"] in reporting and each["outcome"] != "F"}
    return sorted(passed | missing)


def reads_source(entry: Mapping[str, Any]) -> bool:
    """Whether a test fails, in each run, where only comments, layout and names of locals of the code differ."""
    control = (entry.get("proof") or {}).get("control") or ""
    return set(control) == {"F"}


def read_finding(finding: Mapping[str, Any]) -> Weakening:
    """Read the weakening that a finding of ``integrity.json`` reports."""
    kind = finding["kind"]
    return Weakening(kind, finding["path"], finding["test"], finding["id"], follows=kind == CHANGED)


def depends_on_condition(finding: Mapping[str, Any]) -> bool:
    """Whether something is checked under a condition alone: what runs see is how it is now, and on one machine."""
    return finding.get("rule") in _CONDITIONAL


def ends_test(weakening: Weakening) -> bool:
    """Whether a whole test is skipped or gone: what it noticed, nobody notices through it any more."""
    return weakening.kind in _ENDING and weakening.test is not None


def is_unread(finding: Mapping[str, Any]) -> bool:
    """Whether a finding only says that nothing reads the tests of a file: runs may say what became of them."""
    return finding.get("rule") == _UNREAD


def keeps_words(entry: Mapping[str, Any]) -> bool:
    """Whether a test that nothing reads is the same text in both versions but for its name, and passes everywhere."""
    return entry["class"] == "kept" and entry.get("same_text") is True


def read_entry(entry: Mapping[str, Any]) -> Weakening:
    """Read the weakening that the class of a test in ``counterfactual.json`` is, alone or with others of its file."""
    follows = entry.get("weakens") == _EXPECTATIONS
    test = None if entry["class"] == NOT_COMPARABLE and entry.get("of_file") else entry["test"]
    return Weakening(entry["class"], entry["path"], test, entry["id"], follows=follows)


def read_unrun(entry: Mapping[str, Any]) -> Weakening:
    """Read the weakening that a test of ``tests.json`` is which the subject doesn't run any more."""
    return Weakening("lost", entry["path"], entry["test"], entry["id"])


def read_lost_power(entry: Mapping[str, Any]) -> Weakening:
    """Read the weakening that a test of ``sensitivity.json`` is whose mutants the subject's tests don't notice."""
    return Weakening(LOST_POWER, entry["path"], entry["test"], entry["id"])


def read_unfailing(entry: Mapping[str, Any]) -> Weakening:
    """Read the weakening that a test of ``sensitivity.json`` is which passes with an altered value."""
    return Weakening(CANNOT_FAIL, entry["path"], entry["test"], entry["id"])


def list_measured(evidence: Evidence) -> Iterator[tuple[Weakening, Artifact, str, int]]:
    """List the weakenings that whole runs show, each with its artifact and its place there, a key and an index."""
    for artifact in evidence.by_spec(TESTS):
        for index, entry in enumerate(artifact.value.get(UNRUN, ())):
            yield read_unrun(entry), artifact, UNRUN, index
    for artifact in evidence.by_spec(SENSITIVITY):
        for index, entry in enumerate(artifact.value[LOST_POWER]):
            yield read_lost_power(entry), artifact, LOST_POWER, index
        for index, entry in enumerate(artifact.value[UNFAILING]):
            if not entry["new"]:
                yield read_unfailing(entry), artifact, UNFAILING, index


def list_gone(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """List what a test used and the code doesn't have any more; empty if the code still refers to any of it."""
    if entry["class"] not in _WITH_ITS_SUBJECT or entry.get("referred", True):
        return ()
    return tuple(entry.get("gone", ()))


def list_removed_names(evidence: Evidence) -> frozenset[str]:
    """List the names whose removal would account for tests that fail without them, where somebody says it."""
    entries = (entry for artifact in evidence.by_spec(COUNTERFACTUAL) for entry in artifact.value["tests"])
    return frozenset(name for entry in entries for name in list_gone(entry))


def list_compared(evidence: Evidence) -> Iterator[Weakening]:
    """List the weakenings that comparing the tests shows, which the hook of a commit's message does again."""
    for artifact in evidence.by_spec(INTEGRITY):
        yield from (read_finding(each) for each in artifact.value["findings"] if read_weight(each) is Weight.WEAKENING)
    for artifact in evidence.by_spec(COUNTERFACTUAL):
        yield from (read_entry(each) for each in artifact.value["tests"] if is_weakening_class(each))


def list_weakenings(evidence: Evidence) -> Iterator[Weakening]:
    """List the weakenings that the evidence has, as often as it has them."""
    yield from list_compared(evidence)
    yield from (weakening for weakening, *_ in list_measured(evidence))


def list_messages(evidence: Evidence) -> dict[Weakening, str]:
    """Map the weakenings that texts show to what the findings about them say."""
    findings = (finding for artifact in evidence.by_spec(INTEGRITY) for finding in artifact.value["findings"])
    found = (each for each in findings if read_weight(each) is Weight.WEAKENING)
    return {read_finding(each): each.get("message", "") for each in found}


def has_weakenings(evidence: Evidence) -> bool:
    """Whether there is anything that must be accounted for, or that nothing can account for."""
    findings = (finding for artifact in evidence.by_spec(INTEGRITY) for finding in artifact.value["findings"])
    if any(read_weight(finding) is not Weight.NOTE for finding in findings):
        return True
    if any(list_measured(evidence)):
        return True
    measured = [artifact.value for artifact in evidence.by_spec(COUNTERFACTUAL)]
    return any(
        any(is_weakening_class(entry) or reads_source(entry) for entry in value["tests"])
        or bool(find_false_reports(value))
        for value in measured
    )
