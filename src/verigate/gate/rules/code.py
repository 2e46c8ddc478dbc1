"""Rules of the code domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.domain.facts import Facts
from verigate.domain.task import Unit, UnitKind, parse_unit
from verigate.domain.verdict import CheckOutcome, EvidenceRef
from verigate.gate import symbols
from verigate.gate.fixes import judge_fix
from verigate.gate.path_scope import cover_paths, list_moves
from verigate.gate.rule_outcome import (
    DECLARE,
    SHOWN,
    RuleOutcome,
    cite,
    cite_each,
    combine,
    holds,
    list_declared,
    not_applicable,
    refuted,
    unknown,
)
from verigate.gate.rules.integrity import judge_integrity
from verigate.gate.rules.lint import LINT_JUDGES
from verigate.gate.rules.noticing import NOTICING_JUDGES
from verigate.gate.rules.rule import Rule, flag_rule, for_each_artifact, missing_artifact
from verigate.gate.rules.tests import TEST_JUDGES
from verigate.gate.units import judge_unit


def _refute_no_coverage(artifact: Artifact) -> RuleOutcome | None:
    if artifact.value["lines"]["total"]:
        return None
    tool = artifact.value.get("tool", "")
    message = "no coverage tool was found" if tool is None else "coverage was measured on no line"
    return refuted("COVERAGE_FAIL", message, 0, cite(artifact, "lines", "total"))


def _coverage_min(artifact: Artifact, least: float) -> RuleOutcome:
    if empty := _refute_no_coverage(artifact):
        return empty
    pct = artifact.value["pct"]
    refs = (cite(artifact, "pct"), cite(artifact, "lines"))
    if pct < least:
        return refuted("COVERAGE_FAIL", f"coverage is {pct:.2%}, at least {least:.2%} wanted", pct, *refs)
    return holds(pct, *refs)


def _patch_coverage_min(artifact: Artifact, least: float) -> RuleOutcome:
    patch = artifact.value.get("patch")
    only_others = bool(patch) and not patch["lines"]["total"] and bool(patch["unmeasured"])
    if not only_others and (empty := _refute_no_coverage(artifact)):
        return empty
    if not patch:
        return unknown("COVERAGE_FAIL", "coverage of the changed lines was not measured", None, cite(artifact, "pct"))
    total, unmeasured = patch["lines"]["total"], patch["unmeasured"]
    refs = (cite(artifact, "patch", "pct"), cite(artifact, "patch", "lines"))
    if total and patch["pct"] < least:
        index, file = next((index, file) for index, file in enumerate(patch["files"]) if file["missed"])
        where = f"{file['path']}:{file['missed'][0]}" if file["measured"] else f"{file['path']}, which no test imports"
        message = (
            f"{patch['pct']:.2%} of the changed lines are covered, at least {least:.2%} wanted; not covered: {where}"
        )
        return refuted("COVERAGE_FAIL", message, patch["pct"], *refs, cite(artifact, "patch", "files", index))
    if unmeasured:
        message = f"nothing measures the coverage of {', '.join(unmeasured[:SHOWN])}"
        if why := list_declared(artifact, "unexamined"):
            message += f"; {why}"
        message += "; declare a command in config/adapters.json under code, coverage"
        return unknown("COVERAGE_FAIL", message, None, cite(artifact, "patch", "unmeasured"))
    if not total:
        return not_applicable("the change wrote no line of product code that a test could run")
    return holds(patch["pct"], *refs)


def _coverage_drop_max(artifact: Artifact, most: float) -> RuleOutcome:
    if empty := _refute_no_coverage(artifact):
        return empty
    base = artifact.value.get("base")
    if not base:
        return unknown("COVERAGE_FAIL", "coverage of the base was not measured", None, cite(artifact, "pct"))
    drop = max(0.0, round(base["pct"] - artifact.value["pct"], 6))
    refs = (cite(artifact, "pct"), cite(artifact, "base", "pct"))
    if drop > most:
        return refuted("COVERAGE_FAIL", f"coverage fell by {drop:.2%}, at most {most:.2%} allowed", drop, *refs)
    return holds(drop, *refs)


@flag_rule
def _build_success(artifact: Artifact) -> RuleOutcome:
    nothing = artifact.value.get("tool", "") is None
    if artifact.value["success"] and not nothing:
        return holds(True, cite(artifact, "success"))
    if nothing and (why := list_declared(artifact, "nothing_to_build")):
        return not_applicable(f"there is nothing to build: {why}")
    number = len(artifact.value["errors"])
    counted = f"{number} {'error' if number == 1 else 'errors'}"
    message = f"the build failed with {counted}"
    if nothing and number:
        message = f"nothing was built: {counted}"
    elif nothing:
        signs = list_declared(artifact, "unbuilt")
        message = "there was nothing to build" + (
            f" with, although {signs}; {DECLARE.format(key='build')}" if signs else ""
        )
    return refuted("BUILD_FAIL", message, False, cite(artifact, "success"), *cite_each(artifact, "errors"))


def _committed_units(facts: Facts) -> tuple[Unit, ...]:
    commitment = facts.task.commitment
    functions = (*commitment.required_functions, *commitment.scope.functions)
    endpoints = (*commitment.required_endpoints, *commitment.scope.endpoints)
    units = [parse_unit(name if ":" in name else f"func:{name}", lambda _: False) for name in functions]
    units += [
        parse_unit(name if name.startswith(("endpoint:", "ep:")) else f"endpoint:{name}", lambda _: False)
        for name in endpoints
    ]
    return tuple(dict.fromkeys(units))


@flag_rule
def _units_match(facts: Facts) -> RuleOutcome:
    units = _committed_units(facts)
    if not units:
        return not_applicable("the commitment names no functions or endpoints")
    if not facts.evidence.by_spec("verigate:functions.v1"):
        return missing_artifact("verigate:functions.v1")
    answers = [(unit, judge_unit(facts, unit)) for unit in units]
    lacking = [(unit, answer) for unit, answer in answers if answer.outcome is not CheckOutcome.HOLDS]
    if not lacking:
        return holds(len(units), *(answer.evidence[0] for _, answer in answers))
    worst = combine([answer for _, answer in lacking])
    names = ", ".join(unit.id for unit, _ in lacking[:SHOWN])
    message = f"the change lacks {len(lacking)} of {len(units)} units of the commitment: {names}"
    why = next((answer.message for _, answer in lacking if answer.message), "")
    message += f"; {why}" if why else ""
    return RuleOutcome(worst.outcome, len(units) - len(lacking), message, worst.reason, worst.evidence[:SHOWN])


@flag_rule
def _fixes_proven(facts: Facts) -> RuleOutcome:
    units = facts.task.commitment.fixes
    if not units:
        return not_applicable("the commitment names no test that proves a fix")
    if not facts.evidence.by_spec(COUNTERFACTUAL):
        return missing_artifact(COUNTERFACTUAL)
    answers = [(unit, judge_fix(facts, unit.key)) for unit in units]
    lacking = [(unit, answer) for unit, answer in answers if answer.outcome is not CheckOutcome.HOLDS]
    if not lacking:
        return holds(len(units), *(answer.evidence[0] for _, answer in answers))
    worst = combine([answer for _, answer in lacking])
    message = f"{len(lacking)} of {len(units)} committed fixes are not proven: {lacking[0][1].message}"
    return RuleOutcome(worst.outcome, len(units) - len(lacking), message, worst.reason, worst.evidence[:SHOWN])


@flag_rule
def _reject_unclaimed(facts: Facts) -> RuleOutcome:
    if facts.task.claim is None and facts.task.implicit:
        return not_applicable("an implicit task claims nothing")
    names = facts.evidence.by_spec("verigate:diff-names.v1")
    if not names:
        return missing_artifact("verigate:diff-names.v1")
    if not facts.evidence.by_spec("verigate:functions.v1"):
        return missing_artifact("verigate:functions.v1")
    if not any(_list_changed_paths(artifact) for artifact in names):
        return not_applicable("the diff is empty")
    unclaimed = [*_find_unclaimed_symbols(facts), *_find_unclaimed_files(facts)]
    if unclaimed:
        shown = ", ".join(label for label, _ in unclaimed[:SHOWN])
        return refuted(
            "DIFF_MISMATCH",
            f"{len(unclaimed)} changes were not claimed: {shown}",
            len(unclaimed),
            *(ref for _, ref in unclaimed[:SHOWN]),
        )
    return holds(0, *(cite(artifact) for artifact in names))


def _find_unclaimed_symbols(facts: Facts) -> Iterable[tuple[str, EvidenceRef]]:
    """Find symbols that no unit claims: the producer's own list, which knows nesting, or else every other symbol."""
    is_covered = cover_paths(facts)
    units = [unit for unit in facts.units or () if unit.kind in {UnitKind.FUNCTION, UnitKind.ENDPOINT}]
    for artifact in facts.evidence.by_spec("verigate:functions.v1"):
        if "unclaimed" in artifact.value:
            for index, entry in enumerate(artifact.value["unclaimed"]):
                if not is_covered(str(entry["path"])):
                    yield f"{entry['id']} ({entry['change']} in {entry['path']})", cite(artifact, "unclaimed", index)
            continue
        claimed = {ref.pointer for unit in units for ref in symbols.find_changed(artifact, unit)}
        for group in ("functions", "endpoints"):
            for change in ("added", "changed", "removed"):
                for index, symbol in enumerate(artifact.value[group][change]):
                    ref = cite(artifact, group, change, index)
                    if ref.pointer not in claimed and not is_covered(str(symbol["path"])):
                        yield f"{symbol['name']} ({change} in {symbol['path']})", ref


def _list_changed_paths(artifact: Artifact) -> list[str]:
    groups = artifact.value.values() if isinstance(artifact.value, dict) else (artifact.value,)
    return [path for paths in groups if isinstance(paths, list) for path in paths]


def _find_unclaimed_files(facts: Facts) -> Iterable[tuple[str, EvidenceRef]]:
    is_covered = cover_paths(facts)
    units = [unit for unit in facts.units or () if unit.kind in {UnitKind.FUNCTION, UnitKind.ENDPOINT}]
    with_claimed_symbols = {
        str(ref.value["path"])
        for artifact in facts.evidence.by_spec("verigate:functions.v1")
        for unit in units
        for ref in (*symbols.find_changed(artifact, unit), *symbols.find_removed(artifact, unit))
    }
    with_claimed_symbols |= {before for (before, after), _ in list_moves(facts) if after in with_claimed_symbols}
    for artifact in facts.evidence.by_spec("verigate:diff-names.v1"):
        groups = artifact.value.items() if isinstance(artifact.value, dict) else (("", artifact.value),)
        for change, paths in groups:
            if not isinstance(paths, list):
                continue
            for index, path in enumerate(paths):
                if path not in with_claimed_symbols and not is_covered(path):
                    yield path, cite(artifact, *((change, index) if change else (index,)))


JUDGES: Mapping[str, Rule] = {
    **LINT_JUDGES,
    **TEST_JUDGES,
    **NOTICING_JUDGES,
    "coverage_min": for_each_artifact("verigate:coverage.v1", _coverage_min),
    "patch_coverage_min": for_each_artifact("verigate:coverage.v1", _patch_coverage_min),
    "coverage_drop_max": for_each_artifact("verigate:coverage.v1", _coverage_drop_max),
    "build_success": for_each_artifact("verigate:build.v1", _build_success),
    "units_match": _units_match,
    "fixes_proven": _fixes_proven,
    "reject_unclaimed_changes": _reject_unclaimed,
    "integrity": judge_integrity,
}
