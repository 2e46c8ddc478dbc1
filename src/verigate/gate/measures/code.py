"""Compare statements about tests, lint, build, coverage and integrity with their artifacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.selected_tests import KEY, describe_selected, is_partial
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.measures.parts import count_part
from verigate.gate.measures.test_files import FILE_COUNTS, measure_files
from verigate.gate.measures.type_errors import measure_types
from verigate.gate.rule_outcome import RuleOutcome, cite, cite_each, holds, list_build_errors, list_declared

_FILES = "unexamined_files"
_TOP_LEVEL = "top_level"
_AT_LEAST = frozenset({Relation.GT, Relation.GE})


def measure_tests(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/passed``, ``/failed``, ``/skipped`` or ``/total``. If no test ran, nothing is supported.

    Known failing tests in the baseline don't count as failed. A part is looked up where the report counts by file.
    ``files``, ``passed_files`` and ``failed_files`` are counts of files of tests, which some runners call suites.
    """
    if selected := describe_selected(artifact.value):
        return _measure_selected(artifact, fact, selected)
    if fact.what in FILE_COUNTS:
        return measure_files(artifact, fact)
    if fact.what == "share":
        return _measure_share(artifact, fact)
    part = count_part(artifact, fact) if fact.part or fact.looked_up else None
    return _measure_whole(facts, artifact, fact) if part is None else _measure_part(artifact, fact, *part)


def _measure_selected(artifact: Artifact, fact: StatedFact, selected: str) -> RuleOutcome:
    """Compare with those tests that the change can affect: a failure of them is one, the others are unknown."""
    failed = artifact.value["failed"]
    too_many = fact.what == "/failed" and fact.relation not in _AT_LEAST and not is_satisfied(fact, failed)
    if failed and (fact.what == "share" or (too_many and failed > fact.value)):
        return contradict(fact, f"{failed} of those that ran failed", cite(artifact, "failed"))
    return leave_undecided(fact, selected, *cite_each(artifact, KEY, is_partial))


def _measure_share(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare whether each test passed: of skipped ones nobody knows."""
    counts = _select_counts(artifact, fact, ("passed", "failed", "skipped", "total"))
    if isinstance(counts, RuleOutcome):
        return counts
    value, place = counts
    if value["failed"]:
        return contradict(fact, f"{value['failed']} of {value['total']} failed", cite(artifact, *place, "failed"))
    if value["skipped"] or not value["passed"]:
        why = f"{value['skipped']} of {value['total']} were skipped" if value["skipped"] else "no test ran"
        return leave_undecided(fact, why, cite(artifact, *place, "skipped"))
    return holds(fact.value, cite(artifact, *place, "passed"), message=f"{fact}")


def _measure_whole(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    counts = _select_counts(artifact, fact, ("passed", "failed", "skipped", "total"))
    if isinstance(counts, RuleOutcome):
        return counts
    value, place = counts
    name = fact.what.removeprefix("/")
    refs = (cite(artifact, *place, name), *(cite_each(artifact, "failures") if name == "failed" else ()))
    if value["passed"] + value["failed"] == 0 and is_satisfied(fact, value[name]):
        return leave_undecided(fact, "no test ran", *refs)
    if fact.tool is None and is_satisfied(fact, value[name]) and (left := list_declared(artifact, "unexamined")):
        return leave_undecided(fact, f"declared tests were not run: {left}", *cite_each(artifact, "unexamined"))
    known = _count_known_failures(facts, artifact) if name == "failed" else 0
    if not known or is_satisfied(fact, value[name]):
        return compare(fact, value[name], *refs)
    if place:
        return leave_undecided(fact, "the baseline leaves some of them out", *refs)
    return compare(fact, value[name] - known, *refs)


def _measure_part(
    artifact: Artifact, fact: StatedFact, counts: Mapping[str, int], refs: tuple[EvidenceRef, ...]
) -> RuleOutcome:
    value = counts[fact.what.removeprefix("/")]
    if counts["passed"] + counts["failed"] == 0 and is_satisfied(fact, value):
        return leave_undecided(fact, "none of its tests ran", *refs)
    if is_satisfied(fact, value) and (left := list_declared(artifact, "unexamined")):
        return leave_undecided(fact, f"declared tests were not run: {left}", *cite_each(artifact, "unexamined"))
    if fact.named and not is_satisfied(fact, value):
        return leave_undecided(fact, f"the files with these words in their paths have {value}", *refs)
    if fact.named and artifact.value["failed"]:
        why = "tests fail, and may be of this part without these words in their paths"
        return leave_undecided(fact, why, *cite_each(artifact, "failures"))
    return compare(fact, value, *refs)


def _count_known_failures(facts: Facts, artifact: Artifact) -> int:
    if facts.baseline is None or not facts.baseline.tests:
        return 0
    from verigate.gate.known_failures import select_known_failures  # imported late: only needed with a baseline

    return len(select_known_failures(facts, facts.baseline, artifact).covered)


def _select_counts(
    artifact: Artifact, fact: StatedFact, keys: tuple[str, ...]
) -> tuple[Mapping[str, Any], tuple[str | int, ...]] | RuleOutcome:
    """Select the counts of all tools, or of the tool that the statement names, and their place in the artifact."""
    value = artifact.value
    if value.get("tool", "") is None:
        return leave_undecided(fact, "no tool was found", cite(artifact, "tool"))
    if fact.tool is None:
        return _leave_out_subtests(fact, value, ())
    tools = value.get("tools") or []
    for index, tool in enumerate(tools):
        if is_same_tool(fact.tool, tool.get("name")) and all(key in tool for key in keys):
            return _leave_out_subtests(fact, tool, ("tools", index))
    if is_same_tool(fact.tool, value.get("tool")) and len(tools) <= 1:
        return _leave_out_subtests(fact, value, ())
    return leave_undecided(fact, f"no artifact reports what {fact.tool} found")


def _leave_out_subtests(
    fact: StatedFact, value: Mapping[str, Any], place: tuple[str | int, ...]
) -> tuple[Mapping[str, Any], tuple[str | int, ...]]:
    """Select the counts without subtests if the fact is about those, unless only a subtest failed."""
    top = value.get(_TOP_LEVEL)
    if not fact.top_level or top is None or (value["failed"] and not top["failed"]):
        return value, place
    return top, (*place, _TOP_LEVEL)


def names_tool(artifact: Artifact, tool: str) -> bool:
    """Whether an artifact reports on this tool."""
    value = artifact.value
    listed = value.get("tools") if isinstance(value, Mapping) else None
    named = [value.get("tool"), *(each.get("name") for each in listed or ())] if isinstance(value, Mapping) else []
    return any(is_same_tool(tool, name) for name in named)


def is_same_tool(wanted: str, found: Any) -> bool:
    """Whether the tool name ``found`` in an artifact is the ``wanted`` tool: ``cargo`` matches ``cargo test`` too."""
    return isinstance(found, str) and wanted in {found.lower(), *found.lower().replace("-", " ").split()}


def measure_lint(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/errors``, ``/warnings``, ``findings`` (both) or ``/files_checked``. Baselined findings don't count."""
    if fact.what == "/files_checked":
        return compare(fact, artifact.value["files_checked"], cite(artifact, "files_checked"))
    keys = ("errors", "warnings") if fact.what == "findings" else (fact.what.removeprefix("/"),)
    counts = _select_counts(artifact, fact, keys)
    if isinstance(counts, RuleOutcome):
        return counts
    value, place = counts
    refs = tuple(cite(artifact, *place, key) for key in keys)
    found = sum(int(value[key]) for key in keys)
    if (gap := _find_lint_gap(artifact, fact, value, found)) is not None:
        return gap
    covered = _count_suppressed(facts, artifact, keys)
    if not covered or is_satisfied(fact, found):
        return compare(fact, found, *refs)
    if place:
        return leave_undecided(fact, "the baseline suppresses some of it", *refs)
    return compare(fact, found - covered, *refs)


def _find_lint_gap(artifact: Artifact, fact: StatedFact, value: Mapping[str, Any], found: int) -> RuleOutcome | None:
    if value.get("files_checked", artifact.value["files_checked"]) == 0:
        return leave_undecided(fact, "no file was checked", cite(artifact, "files_checked"))
    if fact.tool is None and is_satisfied(fact, found) and (left := list_declared(artifact, "unexamined")):
        return leave_undecided(fact, f"declared linters were not run: {left}", *cite_each(artifact, "unexamined"))
    if is_satisfied(fact, found) and not fact.bad and (left := list_declared(artifact, _FILES, _names_tool_of(fact))):
        refs = cite_each(artifact, _FILES, _names_tool_of(fact))
        return leave_undecided(fact, f"changed files that no linter looked at: {left}", *refs)
    return None


def _names_tool_of(fact: StatedFact) -> Callable[[Any], bool]:
    """Choose the entries of the tool that a statement names; all of them if it names none."""
    return lambda item: fact.tool is None or any(is_same_tool(fact.tool, name) for name in item["what"].split("+"))


def _count_suppressed(facts: Facts, artifact: Artifact, keys: tuple[str, ...]) -> int:
    if facts.baseline is None:
        return 0
    from verigate.gate.baseline import suppress_issues  # imported late: only needed with a baseline

    matched = facts.matched[artifact.path]
    return sum(len(suppress_issues(facts.baseline, matched, artifact, key.removesuffix("s")).covered) for key in keys)


def _leave_unbuilt(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    if artifact.value["errors"]:
        return leave_undecided(
            fact, f"nothing was built: {list_build_errors(artifact)}", *cite_each(artifact, "errors")
        )
    why = list_declared(artifact, "nothing_to_build")
    return leave_undecided(fact, f"there was nothing to build{why and f': {why}'}", cite(artifact, "tool"))


def measure_build(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/success``, ``/errors`` or ``/warnings``; for a single tool only the exit codes of its steps.

    ``types`` are errors of type checkers and of compilers that check types.
    """
    value = artifact.value
    if fact.what == "types":
        return measure_types(facts, artifact, fact)
    if value.get("tool", "") is None:
        return _leave_unbuilt(artifact, fact)
    if fact.what == "/success":
        return _measure_success(artifact, fact)
    key = fact.what.removeprefix("/")
    if fact.tool is not None and not _find_steps(artifact, fact.tool):
        return leave_undecided(fact, f"no artifact reports what {fact.tool} found")
    return compare(fact, len(value[key]), cite(artifact, key))


def _measure_success(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    value = artifact.value
    if fact.tool is None:
        return compare(fact, value["success"], cite(artifact, "success"), *cite_each(artifact, "errors"))
    steps = _find_steps(artifact, fact.tool)
    if not steps:
        return leave_undecided(fact, f"{fact.tool} built nothing")
    good = all(value["steps"][index]["exit_code"] == 0 for index in steps)
    return compare(fact, good, *(cite(artifact, "steps", index, "exit_code") for index in steps[:5]))


def _find_steps(artifact: Artifact, tool: str) -> list[int]:
    steps = artifact.value.get("steps") or []
    return [index for index, step in enumerate(steps) if is_same_tool(tool, step["tool"])]


def measure_coverage(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/pct`` and ``/base/pct`` (lines), ``functions``, ``branches``, or the ``change`` since the base."""
    value = artifact.value
    if value["lines"]["total"] == 0:
        return leave_undecided(fact, "coverage was measured on no line", cite(artifact, "lines", "total"))
    if fact.what in {"functions", "branches"}:
        counts = value[fact.what]
        if counts["total"] == 0:
            return leave_undecided(fact, f"no {fact.what} were counted", cite(artifact, fact.what, "total"))
        return compare(fact, counts["covered"] / counts["total"], cite(artifact, fact.what))
    if fact.what == "/pct":
        return _compare_share(fact, value, cite(artifact, "pct"), cite(artifact, "lines"))
    return _compare_with_base(artifact, fact)


def _compare_with_base(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    value = artifact.value
    base = value.get("base")
    if not base:
        return leave_undecided(fact, "coverage of the base was not measured", cite(artifact, "pct"))
    if fact.what == "/base/pct":
        return _compare_share(fact, base, cite(artifact, "base", "pct"))
    change = round(value["pct"] - base["pct"], 6)
    return compare(fact, change, cite(artifact, "pct"), cite(artifact, "base", "pct"))


def _compare_share(fact: StatedFact, counts: Mapping[str, Any], *refs: Any) -> RuleOutcome:
    """Compare a share. ``pct`` may be rounded in the artifact, so the exact quotient is tried first."""
    lines = counts["lines"]
    exact = lines["covered"] / lines["total"] if lines["total"] else counts["pct"]
    return compare(fact, exact if is_satisfied(fact, exact) else counts["pct"], *refs)
