"""Rules that count lint findings. Findings suppressed by an active baseline entry don't count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.facts import Facts
from verigate.domain.standard_artifacts import BY_PATH
from verigate.gate.rule_outcome import (
    DECLARE,
    SHOWN,
    RuleOutcome,
    cite,
    cite_each,
    holds,
    list_declared,
    not_applicable,
    refuted,
    unknown,
)
from verigate.gate.rules.rule import Rule, for_each_artifact

if TYPE_CHECKING:
    from verigate.gate.baseline import SuppressedIssues

_SPEC = "verigate:lint.v1"
_STANDARD_PATH = "lint.json"


def _count_rule(key: str, severity: str, limit_of: Callable[[Any], int]) -> Rule:
    """Make a rule that allows at most ``limit_of(threshold)`` issues of ``severity``, counted under ``key``."""

    def rule(facts: Facts, threshold: Any) -> RuleOutcome:
        def judge(artifact: Artifact, limit: int) -> RuleOutcome:
            return _judge_lint(facts, artifact, key, severity, limit)

        return for_each_artifact(_SPEC, judge)(_drop_absent_linter(facts), limit_of(threshold))

    return rule


def _drop_absent_linter(facts: Facts) -> Facts:
    """Drop the artifact that reports "no linter found" if a planned tool linted instead.

    ``code:lint`` only knows a few linters; a shell project has none of them and plans shellcheck. Only the plan of the
    task type counts, because it is a guarded policy file. A linter that just the commitment asks for replaces nothing,
    and if the plan names ``code:lint`` itself, its finding none is the outcome.
    """
    every = facts.evidence.by_spec(_SPEC)
    planned = facts.plan.entry.order
    absent = {
        item.path
        for item in every
        if item.value.get("tool", "") is None and item.value["files_checked"] == 0 and not item.value.get("unexamined")
    }
    looked = [item for item in every if item.value["files_checked"] and item.producer in planned]
    if not absent or not looked or BY_PATH[_STANDARD_PATH].capability in planned:
        return facts
    kept = {path: item for path, item in facts.evidence.artifacts.items() if path not in absent & {_STANDARD_PATH}}
    return replace(facts, evidence=Evidence(kept))


def _judge_lint(facts: Facts, artifact: Artifact, key: str, severity: str, limit: int) -> RuleOutcome:
    if artifact.value["files_checked"] == 0:
        tool = artifact.value.get("tool")
        message = "no linter was found" if tool is None else f"{tool} checked no file"
        excluded = list_declared(artifact, "excluded")
        if tool is None and excluded and not artifact.value.get("unexamined"):
            return not_applicable(f"config/adapters.json leaves out every linter that the project has: {excluded}")
        if left := list_declared(artifact, "unexamined"):
            message = f"{'no linter could run' if tool is None else message}; not run: {left}"
        if lacking := list_declared(artifact, "missing"):
            message += f"; missing: {lacking}"
        return refuted("LINT_EMPTY", message, 0, cite(artifact, "files_checked"))
    issues = artifact.value["issues"]
    suppressed = _suppress_issues(facts, artifact, severity)
    covered = suppressed.covered if suppressed else frozenset()
    note, expired = (suppressed.note, suppressed.expired) if suppressed else ("", ())
    found = artifact.value[key] - len(covered)
    if found <= limit and (left := list_declared(artifact, "unexamined")):
        message = f"declared linters were not run: {left}; {DECLARE.format(key='lint')}"
        return unknown("LINT_UNEXAMINED", message, None, *cite_each(artifact, "unexamined"))
    if found <= limit:
        if excluded := list_declared(artifact, "excluded"):
            note = "; ".join(part for part in (note, f"left out by config/adapters.json: {excluded}") if part)
        if unread := list_declared(artifact, "unexamined_files"):
            note = "; ".join(part for part in (note, f"changed files that no linter looked at: {unread}") if part)
        entries = (*suppressed.in_force, *expired) if suppressed else ()
        listed = (*entries, *cite_each(artifact, "unexamined_files"))
        return holds(found, cite(artifact, key), cite(artifact, "files_checked"), *listed, message=note)
    noun = severity if found == 1 else f"{severity}s"
    meant = (n for n, issue in enumerate(issues) if issue.get("severity", severity) == severity and n not in covered)
    shown = [index for _, index in zip(range(SHOWN), meant, strict=False)]
    message = f"{found} lint {noun}, at most {limit} allowed"
    cited = (cite(artifact, "issues", index) for index in shown)
    return refuted("LINT_FAIL", f"{message}; {note}" if note else message, found, cite(artifact, key), *cited, *expired)


def _suppress_issues(facts: Facts, artifact: Artifact, severity: str) -> SuppressedIssues | None:
    if facts.baseline is None:
        return None
    from verigate.gate.baseline import suppress_issues  # imported late: only needed with a baseline

    return suppress_issues(facts.baseline, facts.matched[artifact.path], artifact, severity)


LINT_JUDGES: Mapping[str, Rule] = {
    "lint_clean": _count_rule("errors", "error", lambda _on: 0),
    "lint_errors_max": _count_rule("errors", "error", int),
    "lint_warnings_max": _count_rule("warnings", "warning", int),
}
