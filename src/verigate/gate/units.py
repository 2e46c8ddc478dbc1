"""Judge the units of a claim by the facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.domain.facts import Facts
from verigate.domain.link_status import LinkStatus, classify_link
from verigate.domain.task import Unit, UnitKind
from verigate.domain.verdict import CheckOutcome, EvidenceRef
from verigate.gate import content_units, symbols
from verigate.gate.fixes import judge_fix
from verigate.gate.path_scope import list_moves
from verigate.gate.rule_outcome import RuleOutcome, cite, combine, holds, refuted, unknown
from verigate.gate.symbol_support import weigh


def judge_unit(facts: Facts, unit: Unit) -> RuleOutcome:
    """Judge one claimed unit by the facts."""
    return _JUDGES[unit.kind](facts, unit)


def _require_artifact(facts: Facts, spec_id: str, what: str) -> RuleOutcome | None:
    if facts.evidence.by_spec(spec_id):
        return None
    return unknown("CLAIM_UNSUPPORTED", f"no artifact covers {what}")


def _judge_file(facts: Facts, unit: Unit) -> RuleOutcome:
    if missing := _require_artifact(facts, "verigate:diff-names.v1", "changed files"):
        return missing
    for artifact in facts.evidence.by_spec("verigate:diff-names.v1"):
        names = artifact.value if isinstance(artifact.value, dict) else {"": artifact.value}
        for change, paths in names.items():
            if not isinstance(paths, list) or unit.key not in paths:
                continue
            segments = (change, paths.index(unit.key)) if change else (paths.index(unit.key),)
            if change == "deleted":
                for (before, after), ref in list_moves(facts):
                    if before == unit.key:
                        return holds("renamed", ref, message=f"it was moved to {after}")
                return refuted("DIFF_MISMATCH", f"{unit.key} was deleted", "deleted", cite(artifact, *segments))
            return holds(change or "changed", cite(artifact, *segments))
    sources = facts.evidence.by_spec("verigate:diff-names.v1")
    hint = " (a claim names paths, not patterns)" if any(sign in unit.key for sign in "*?[") else ""
    message = f"{unit.key} is not in the diff{hint}"
    return refuted("DIFF_MISMATCH", message, "unchanged", *(cite(a) for a in sources[:1]))


def _judge_symbol(facts: Facts, unit: Unit) -> RuleOutcome:
    if missing := _require_artifact(facts, "verigate:functions.v1", "functions and endpoints"):
        return missing
    answers = [_judge_symbol_in(facts, artifact, unit) for artifact in facts.evidence.by_spec("verigate:functions.v1")]
    supported = [answer for answer in answers if answer.outcome is CheckOutcome.HOLDS]
    return (supported or answers)[0]


def _judge_endpoint(facts: Facts, unit: Unit) -> RuleOutcome:
    """Holds if the diff adds the endpoint and the running service doesn't report it as missing."""
    for artifact in facts.evidence.by_spec("verigate:endpoints.v1"):
        for index, entry in enumerate(artifact.value.get("dead") or ()):
            if symbols.is_same_endpoint(unit.key, entry["endpoint"]):
                answer = entry.get("answer")
                message = f"{unit.key} is in the code, but the service answers {answer}"
                return refuted("ENDPOINT_MISMATCH", message, answer, cite(artifact, "dead", index))
    return _judge_symbol(facts, unit)


def _judge_symbol_in(facts: Facts, artifact: Artifact, unit: Unit) -> RuleOutcome:
    code = "ENDPOINT_MISMATCH" if unit.kind is UnitKind.ENDPOINT else "FUNCTION_MISMATCH"
    found = symbols.find_changed(artifact, unit)
    support = weigh(facts, unit, found)
    if support.weak:
        return unknown("CLAIM_UNSUPPORTED", support.weak, found[0].value.get("only") or "in tests", *support.refs)
    if support.refs:
        return holds(support.refs[0].pointer.split("/")[2], *support.refs)
    if found:
        return refuted(code, f"{unit.key} exists, but its body does nothing", "stub", *found)
    return _judge_absent_symbol(facts, artifact, unit, code)


def _judge_absent_symbol(facts: Facts, artifact: Artifact, unit: Unit, code: str) -> RuleOutcome:
    group = "endpoints" if unit.kind is UnitKind.ENDPOINT else "functions"
    near = symbols.find_fuzzy_matches(artifact, unit)
    if near:
        names = ", ".join(symbols.list_candidates(near))
        if facts.profile.rules.get("fuzzy_units") == "accept":
            return holds("fuzzy", *near, message=f"accepted by the profile: {names}")
        return unknown("CLAIM_UNSUPPORTED", f"only something similar was changed: {names}", names, *near)
    if artifact.value.get("files_failed"):
        return unknown(
            "CLAIM_UNSUPPORTED",
            f"{unit.key} was not found, but some changed files could not be parsed",
            None,
            cite(artifact, "files_failed"),
        )
    gone = symbols.find_removed(artifact, unit)
    message = f"{unit.key} was removed" if gone else f"the diff neither adds nor changes {unit.key}"
    return refuted(code, message, "removed" if gone else "absent", *(gone or (cite(artifact, group, "added"),)))


def _judge_url(facts: Facts, unit: Unit) -> RuleOutcome:
    if missing := _require_artifact(facts, "verigate:statuses.v1", "link statuses"):
        return missing
    sources = facts.evidence.by_spec("verigate:statuses.v1")
    answers = [_judge_url_in(facts, artifact, unit) for artifact in sources if unit.key in artifact.value]
    if answers:
        return combine(answers)
    return refuted(
        "LINKS_UNCHECKED", f"{unit.key} was not among the checked links", "unchecked", *(cite(a) for a in sources[:1])
    )


def _judge_url_in(facts: Facts, artifact: Artifact, unit: Unit) -> RuleOutcome:
    status = artifact.value[unit.key]
    ref = cite(artifact, unit.key)
    found = classify_link(unit.key, status, redirects_pass=bool(facts.profile.rules.get("treat_3xx_as_pass")))
    if found is LinkStatus.LIVE:
        return holds(status, ref)
    if found is LinkStatus.DEAD:
        return refuted("LINK_FAIL", f"{unit.key} answers {status}", status, ref)
    return unknown("CLAIM_UNSUPPORTED", f"{unit.key} was not checked: {status}", status, ref)


def _judge_fix(facts: Facts, unit: Unit) -> RuleOutcome:
    if missing := _require_artifact(facts, COUNTERFACTUAL, "tests of base and subject"):
        return missing
    return judge_fix(facts, unit.key)


def _judge_statement(facts: Facts, unit: Unit) -> RuleOutcome:  # noqa: ARG001 - every judge takes the facts
    return unknown("CLAIM_UNSUPPORTED", f"{unit.id} is prose that no rule decides")


_JUDGES: Mapping[UnitKind, Callable[[Facts, Unit], RuleOutcome]] = {
    UnitKind.FILE: _judge_file,
    UnitKind.FUNCTION: _judge_symbol,
    UnitKind.ENDPOINT: _judge_endpoint,
    UnitKind.URL: _judge_url,
    UnitKind.HEADING: content_units.judge_heading,
    UnitKind.IMAGE: content_units.judge_image,
    UnitKind.QUOTE: content_units.judge_quote,
    UnitKind.FIX: _judge_fix,
    UnitKind.STATEMENT: _judge_statement,
}


_DENOMINATORS: Mapping[str, tuple[str, Callable[[Artifact], int], tuple[str, ...]]] = {
    "code": ("verigate:diff.v1", lambda artifact: int(artifact.value["total_changes"]), ("total_changes",)),
    "links": ("verigate:urlset.v1", lambda artifact: len(artifact.value), ()),
    "api": ("verigate:endpoints.v1", lambda artifact: len(artifact.value["discovered"]), ("discovered",)),
    "content": ("verigate:scan.v1", lambda artifact: len(artifact.value["files"]), ("files",)),
}
"""Domain -> (media spec of the artifact that counts its units, how to count, path of the count in it)."""


def count_known_units(facts: Facts) -> tuple[tuple[int, EvidenceRef], ...]:
    """Count the units of the task's type in the artifacts, to compare with claims that give a total without a list.

    The first domain of the plan that counts units decides, whether its artifact is there or not: what another domain
    counts is something else. Domains that only rules or units require come last. One (count, citation) for each
    artifact of that kind; empty without any.
    """
    planned = (name.partition(":")[0] for name in (*facts.plan.entry.order, *facts.plan.names))
    for domain in dict.fromkeys(planned):
        if domain in _DENOMINATORS:
            spec_id, count, segments = _DENOMINATORS[domain]
            artifacts = facts.evidence.by_spec(spec_id)
            return tuple((count(artifact), cite(artifact, *segments)) for artifact in artifacts)
    return ()
