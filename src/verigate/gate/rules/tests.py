"""Rules that count tests. Known failing tests in an active baseline entry don't count as failures."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from verigate.domain import selected_tests
from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.known_failures import TESTS, list_failures
from verigate.domain.selected_tests import describe_selected, is_partial
from verigate.gate.rule_outcome import (
    DECLARE,
    SHOWN,
    RuleOutcome,
    cite,
    cite_each,
    combine,
    holds,
    list_declared,
    refuted,
    unknown,
)
from verigate.gate.rules.rule import Rule, for_each_artifact

if TYPE_CHECKING:
    from verigate.gate.known_failures import KnownFailures


def judge_failed_tests(facts: Facts) -> RuleOutcome | None:
    """Judge ``tests_pass`` by the artifacts with failed tests; None if no test failed."""
    found = [artifact for artifact in facts.evidence.by_spec(TESTS) if artifact.value["failed"]]
    return combine([_judge_passing(facts, artifact) for artifact in found]) if found else None


def count_executed(artifact: Artifact) -> int:
    """Count the tests that ran."""
    return int(artifact.value["passed"]) + int(artifact.value["failed"])


def _tests_pass(facts: Facts, _on: Any) -> RuleOutcome:
    return for_each_artifact(TESTS, lambda artifact, _: _judge_passing(facts, artifact))(facts, None)


def _judge_passing(facts: Facts, artifact: Artifact) -> RuleOutcome:
    if empty := _refute_no_tests(artifact):
        return empty
    known = _select_known(facts, artifact)
    failed = artifact.value["failed"] - (len(known.covered) if known else 0)
    notes = [note for note in (known.note if known else "", _describe_deselected(artifact)) if note]
    cited = known.cited if known else ()
    if failed:
        covered = known.covered if known else frozenset()
        counted = [index for index in range(len(list_failures(artifact))) if index not in covered]
        return refuted(
            "TEST_FAIL",
            "; ".join([f"{failed} of {count_executed(artifact)} tests failed", *notes]),
            failed,
            cite(artifact, "failed"),
            *(cite(artifact, "failures", index) for index in counted[:SHOWN]),
            *cited,
        )
    if not artifact.value["passed"]:
        message = "; ".join(["no test passed", *notes])
        return refuted("TESTS_EMPTY", message, 0, cite(artifact, "passed"), cite(artifact, "failed"), *cited)
    if left := list_declared(artifact, "unexamined"):
        message = f"declared tests were not run: {left}; {DECLARE.format(key='tests')}"
        return unknown("TESTS_UNEXAMINED", message, None, *cite_each(artifact, "unexamined"))
    if excluded := list_declared(artifact, "excluded"):
        notes.append(f"left out by config/adapters.json: {excluded}")
    if selected := describe_selected(artifact.value):
        notes.insert(0, selected)
    if repeated := list_declared(artifact, "repeated"):
        notes.append(f"run again without measuring coverage, where they had failed: {repeated}")
    if uncompared := list_declared(artifact, "uncompared"):
        notes.append(f"not compared with the base: {uncompared}")
    cited_lists = (cite_each(artifact, key) for key in ("repeated", "uncompared"))
    listed = (
        *cite_each(artifact, selected_tests.KEY, is_partial),
        *cite_each(artifact, "deselected", is_left_out),
        *chain.from_iterable(cited_lists),
    )
    refs = (cite(artifact, "failed"), cite(artifact, "passed"), *listed)
    return holds(0, *refs, *cited, message="; ".join(notes))


def is_left_out(entry: Any) -> bool:
    """Whether a member of ``deselected`` is a failing test that isn't counted."""
    return isinstance(entry, dict) and entry.get("outcome") == "failed" and not entry.get("expired")


def _describe_deselected(artifact: Artifact) -> str:
    number = sum(is_left_out(entry) for entry in artifact.value.get("deselected") or ())
    if not number:
        return ""
    return f"{number} failing test{' is' if number == 1 else 's are'} deselected by config/adapters.json"


def _select_known(facts: Facts, artifact: Artifact) -> KnownFailures | None:
    if facts.baseline is None or not facts.baseline.tests:
        return None
    from verigate.gate.known_failures import select_known_failures  # imported late: only needed with a baseline

    return select_known_failures(facts, facts.baseline, artifact)


def _refute_no_tests(artifact: Artifact) -> RuleOutcome | None:
    if count_executed(artifact):
        return None
    total = artifact.value["total"]
    message = f"all {total} tests were skipped" if total else "no test ran"
    left = list_declared(artifact, "unexamined")
    message = f"{message}; not run: {left}" if left else message
    refs = (cite(artifact, "total"), cite(artifact, "skipped"), *cite_each(artifact, "unexamined"))
    return refuted("TESTS_EMPTY", message, 0, *refs)


def _tests_min(artifact: Artifact, least: int) -> RuleOutcome:
    executed = count_executed(artifact)
    if 0 < executed < least and (selected := describe_selected(artifact.value)):
        message = f"at least {least} tests are wanted, and {executed} ran: {selected}"
        return unknown("TESTS_UNEXAMINED", message, executed, *cite_each(artifact, selected_tests.KEY, is_partial))
    if executed < max(least, 1):
        return refuted(
            "TESTS_EMPTY", f"{executed} tests ran, at least {least} wanted", executed, cite(artifact, "total")
        )
    return holds(executed, cite(artifact, "passed"), cite(artifact, "failed"))


def _skipped_max(artifact: Artifact, most: int) -> RuleOutcome:
    if empty := _refute_no_tests(artifact):
        return empty
    skipped = artifact.value["skipped"]
    if skipped > most:
        return refuted(
            "TEST_FAIL", f"{skipped} tests skipped, at most {most} allowed", skipped, cite(artifact, "skipped")
        )
    return holds(skipped, cite(artifact, "skipped"))


TEST_JUDGES: Mapping[str, Rule] = {
    "tests_pass": _tests_pass,
    "tests_min": for_each_artifact(TESTS, _tests_min),
    "skipped_max": for_each_artifact(TESTS, _skipped_max),
}
