"""The rules that count what linters found. What an unexpired entry of the baseline covers isn't counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact, Evidence
from verigate.domain.facts import Facts
from verigate.domain.standard import BY_PATH
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds, refuted
from verigate.gate.rules.rule import Rule, for_each_artifact

if TYPE_CHECKING:
    from verigate.gate.baseline import SuppressedIssues

_SPEC = "verigate:lint.v1"
_STANDARD_PATH = "lint.json"


def _count_rule(key: str, severity: str, limit_of: Callable[[Any], int]) -> Rule:
    """The rule that at most ``limit_of(threshold)`` issues of ``severity``, counted under ``key``, are left."""

    def rule(facts: Facts, threshold: Any) -> RuleOutcome:
        def judge(artifact: Artifact, limit: int) -> RuleOutcome:
            return _judge_lint(facts, artifact, key, severity, limit)

        return for_each_artifact(_SPEC, judge)(_drop_absent_linter(facts), limit_of(threshold))

    return rule


def _drop_absent_linter(facts: Facts) -> Facts:
    """Without the artifact that says that the project has no linter of its own, where a planned tool is one.

    ``code:lint`` knows a few linters and looks for these; a shell project has none of them, and plans shellcheck. Only
    the plan of the type counts, which is a file of the judges: a linter that the commitment asks for besides stands in
    for nothing, and where the plan names ``code:lint`` itself, that it found none is the answer.
    """
    every = facts.evidence.by_spec(_SPEC)
    planned = facts.plan.entry.order
    absent = {item.path for item in every if item.value.get("tool", "") is None and item.value["files_checked"] == 0}
    looked = [item for item in every if item.value["files_checked"] and item.producer in planned]
    if not absent or not looked or BY_PATH[_STANDARD_PATH].capability in planned:
        return facts
    kept = {path: item for path, item in facts.evidence.artifacts.items() if path not in absent & {_STANDARD_PATH}}
    return replace(facts, evidence=Evidence(kept))


def _judge_lint(facts: Facts, artifact: Artifact, key: str, severity: str, limit: int) -> RuleOutcome:
    if artifact.value["files_checked"] == 0:
        tool = artifact.value.get("tool")
        message = "no linter was found" if tool is None else f"{tool} checked no file"
        return refuted("LINT_EMPTY", message, 0, cite(artifact, "files_checked"))
    issues = artifact.value["issues"]
    left_out = _suppress_issues(facts, artifact, severity)
    covered, said, expired = (left_out.covered, left_out.said, left_out.expired) if left_out else (frozenset(), "", ())
    found = artifact.value[key] - len(covered)
    if found <= limit:
        entries = (*left_out.in_force, *expired) if left_out else ()
        return holds(found, cite(artifact, key), cite(artifact, "files_checked"), *entries, message=said)
    noun = severity if found == 1 else f"{severity}s"
    meant = (n for n, issue in enumerate(issues) if issue.get("severity", severity) == severity and n not in covered)
    shown = [index for _, index in zip(range(SHOWN), meant, strict=False)]
    message = f"{found} lint {noun}, at most {limit} allowed"
    cited = (cite(artifact, "issues", index) for index in shown)
    return refuted("LINT_FAIL", f"{message}; {said}" if said else message, found, cite(artifact, key), *cited, *expired)


def _suppress_issues(facts: Facts, artifact: Artifact, severity: str) -> SuppressedIssues | None:
    if facts.baseline is None:
        return None
    from verigate.gate.baseline import suppress_issues  # most repositories have no baseline, and don't pay for it

    return suppress_issues(facts.baseline, facts.matched[artifact.path], artifact, severity)


LINT_JUDGES: Mapping[str, Rule] = {
    "lint_clean": _count_rule("errors", "error", lambda _on: 0),
    "lint_errors_max": _count_rule("errors", "error", int),
    "lint_warnings_max": _count_rule("warnings", "warning", int),
}
