"""Summarise standard artifacts in a few words: ``144 tests passed in 0.7 s (pytest)``, ``3 of 147 tests failed``.

The words are for people. Whether a number counts against the change is for the rules to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.evidence_weakenings import COUNTERFACTUAL, SENSITIVITY, is_weakening_class
from verigate.domain.execution import CapabilityRun
from verigate.domain.selected_tests import describe_selected
from verigate.domain.weight import REFUTING, Weight
from verigate.reporting.escape import escape


class Finding(StrEnum):
    """What a capability found: ``none``; ``warnings`` alone; ``some``, which a rule or a baseline may allow; ``failed``
    tests or builds.
    """

    NONE = "none"
    WARNINGS = "warnings"
    SOME = "some"
    FAILED = "failed"


class ArtifactSummary(Struct, frozen=True):
    """One artifact in escaped words. ``aside``: worth a line of its capability, and nothing for a head line.

    ``untimed`` is the text without what differs from run to run, "" if the text has nothing of it.
    """

    text: str
    found: Finding = Finding.NONE
    aside: bool = False
    untimed: str = ""

    @property
    def steady(self) -> str:
        """The words that are the same in each run with the same facts."""
        return self.untimed or self.text


def summarise_artifacts(artifacts: Iterable[Artifact]) -> tuple[ArtifactSummary, ...]:
    """Summarise those artifacts that have numbers for people, in the order of the table below."""
    return tuple(summary for summary in _summarise_all(artifacts) if not summary.aside)


def _summarise_all(artifacts: Iterable[Artifact]) -> tuple[ArtifactSummary, ...]:
    by_spec: dict[str, list[Artifact]] = {}
    for artifact in artifacts:
        by_spec.setdefault(artifact.media_spec or "", []).append(artifact)
    summaries = (_summarise(spec, artifact) for spec in _SUMMARIES for artifact in by_spec.get(spec, ()))
    return tuple(summary for summary in summaries if summary is not None)


def summarise_run(run: CapabilityRun) -> ArtifactSummary | None:
    """Summarise what a capability found; None if its artifacts have no numbers for people."""
    found = _summarise_all(run.artifacts)
    if not found:
        return None
    worst = max((summary.found for summary in found), key=list(Finding).index)
    return ArtifactSummary(", ".join(summary.text for summary in found), worst)


def _summarise(spec: str, artifact: Artifact) -> ArtifactSummary | None:
    try:
        return _SUMMARIES[spec](artifact.value)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None  # published evidence that was edited; the verdict itself is checked elsewhere


def count(number: int, noun: str) -> str:
    """Format ``1 file``, ``2 files``, ``1,234 files``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _name_tool(value: Mapping[str, Any]) -> str:
    tool = value.get("tool")
    return escape(tool, limit=60) if isinstance(tool, str) else ""


def _summarise_tests(value: Mapping[str, Any]) -> ArtifactSummary:
    passed, failed, skipped = value["passed"], value["failed"], value["skipped"]
    tool, duration = _name_tool(value), value.get("duration") or 0
    skips = f", {skipped:,} skipped" if skipped else ""
    taken = f" in {duration / 1000:.1f} s" if duration >= 50 else ""
    own = [item for item in value.get("tools") or () if item.get("environment") == "gate"]
    by = f" ({tool}{', of the gate: the project has none' if own else ''})" if tool else ""
    if failed:
        text = f"{failed:,} of {count(passed + failed, 'test')} failed{skips}"
        return ArtifactSummary(f"{text}{taken}{by}", Finding.FAILED, untimed=f"{text}{by}")
    if not passed:
        return ArtifactSummary(f"no test ran{skips}{by}", Finding.SOME)
    again = ", but not while coverage was measured" if value.get("repeated") else ""
    some = f"; {selected}" if (selected := describe_selected(value)) else ""
    text = f"{count(passed, 'test')} passed{again}{skips}{some}"
    return ArtifactSummary(f"{text}{taken}{by}", untimed=f"{text}{by}")


def _summarise_lint(value: Mapping[str, Any]) -> ArtifactSummary | None:
    tool, files = _name_tool(value), value["files_checked"]
    if not files:
        lacking = dict.fromkeys(escape(item["what"], limit=60) for item in value.get("missing") or ())
        absent = f"no linter {'could run' if value.get('unexamined') else 'was found'}"
        absent += f"; missing: {', '.join(lacking)}" if lacking else ""
        return ArtifactSummary(f"{tool} checked no file" if tool else absent, Finding.SOME)
    problems = [count(value[key], key.removesuffix("s")) for key in ("errors", "warnings") if value[key]]
    linted = f"{count(files, 'file')} linted{f' by {tool}' if tool else ''}"
    if problems:
        found = Finding.SOME if value["errors"] else Finding.WARNINGS
        return ArtifactSummary(f"{linted}: {', '.join(problems)}", found)
    return ArtifactSummary(linted)


def _summarise_coverage(value: Mapping[str, Any]) -> ArtifactSummary | None:
    if not value["lines"]["total"]:
        return ArtifactSummary("coverage of no line", Finding.SOME)
    base = value.get("base")
    before = f" (base {base['pct']:.1%})" if isinstance(base, dict) else ""
    return ArtifactSummary(f"coverage {value['pct']:.1%}{before}")


def _summarise_build(value: Mapping[str, Any]) -> ArtifactSummary | None:
    if value.get("tool", "") is None:
        if value["errors"]:
            return ArtifactSummary("nothing was built", Finding.FAILED)
        return ArtifactSummary("nothing to build")
    if value["success"]:
        return ArtifactSummary("the build succeeded")
    return ArtifactSummary(f"the build failed with {count(len(value['errors']), 'error')}", Finding.FAILED)


_DEEDS = ("added", "changed", "removed")


def _refutes(finding: Mapping[str, Any]) -> bool:
    return finding.get("weight") in REFUTING


def _summarise_integrity(value: Mapping[str, Any]) -> ArtifactSummary | None:
    # Several detectors see one change: their findings have the same id.
    refuting = len({item.get("id") or index for index, item in enumerate(value["findings"]) if _refutes(item)})
    notes = sum(item.get("weight") == Weight.NOTE for item in value["findings"])
    if refuting:
        return ArtifactSummary(
            f"{count(refuting, 'change')} {'weakens' if refuting == 1 else 'weaken'} the checks", Finding.SOME
        )
    if notes:
        return ArtifactSummary(f"integrity: {count(notes, 'note')}", Finding.WARNINGS)
    if not value["files_examined"]:
        # As with gate init, which compares a commit with itself.
        return ArtifactSummary("no changed file to examine", aside=True)
    return ArtifactSummary(
        f"{count(value['files_examined'], 'file')} examined, no weakening in what they say", aside=True
    )


def _summarise_functions(value: Mapping[str, Any]) -> ArtifactSummary:
    numbers = {deed: sum(len(value[kind][deed]) for kind in ("functions", "endpoints")) for deed in _DEEDS}
    said = ", ".join(f"{number:,} {deed}" for deed, number in numbers.items() if number)
    return ArtifactSummary(f"definitions: {said or 'none changed'}", aside=True)


def _summarise_cells(value: Mapping[str, Any]) -> ArtifactSummary | None:
    tests = value["tests"]
    if not tests:
        if not value["unexamined"]:
            return ArtifactSummary(f"no test was compared with its base: {_say_why_none(value)}", aside=True)
        why = escape(str(value["unexamined"][0]["why"]), limit=120)
        return ArtifactSummary(f"no test could be compared with its base: {why}", Finding.WARNINGS, aside=True)
    classes = Counter(entry["class"].replace("_", " ") for entry in tests if is_weakening_class(entry))
    found = ", ".join(f"{number:,} {escape(name)}" for name, number in sorted(classes.items()))
    compared = f"{count(len(tests), 'test')} compared with the base"
    return ArtifactSummary(f"{compared}: {found}", Finding.SOME) if found else ArtifactSummary(compared, aside=True)


def _say_why_none(value: Mapping[str, Any]) -> str:
    if not value["changed"]:
        return "no test file changed"
    changed = count(len(value["changed"]), "changed file")
    if value.get("same"):
        return f"each test of {changed} is as it was"
    return f"{changed} of tests {'has' if len(value['changed']) == 1 else 'have'} no test that runs on both sides"


def _summarise_power(value: Mapping[str, Any]) -> ArtifactSummary | None:
    words: list[str] = []
    lost, blind = len(value["lost_power"]), sum(not each["new"] for each in value["unfailing"])
    if lost:
        words.append(f"{count(lost, 'test')} lost what {'it' if lost == 1 else 'they'} noticed")
    if blind:
        words.append(f"{count(blind, 'test')} can't fail")
    partly = bool(value["unexamined"])
    unknown = partly and value["asked"] and not value["held"] and not lost
    noticed = sum(each["fate"] == "noticed" for each in value["mutants"])
    if noticed and not lost and not unknown:
        words.append(f"{count(noticed, 'mutant')} still noticed")
    changed = value["changed"]
    if changed is not None and changed["mutants"]:
        noticed = sum(each["fate"] == "noticed" for each in changed["mutants"])
        words.append(f"{noticed:,} of {count(len(changed['mutants']), 'mutant')} of the change noticed")
    why = escape(str(value["unexamined"][0]["why"]), limit=120) if partly else ""
    if unknown:
        words.append(f"whether {count(value['asked'], 'test')} of changed files still notice faults isn't known: {why}")
    elif partly and value["asked"]:
        words.append(f"not all was tried: {why}")
    if not words:
        if value["asked"] or partly:
            return None
        return ArtifactSummary("no changed test of base to try with mutants", aside=True)
    found = Finding.SOME if lost or blind else Finding.WARNINGS if partly else Finding.NONE
    return ArtifactSummary(", ".join(words), found, aside=found is not Finding.SOME and not unknown)


def _summarise_links(value: Mapping[str, Any]) -> ArtifactSummary | None:
    failing = sum(status >= 400 for status in value.values() if isinstance(status, int))
    errors = sum(isinstance(status, str) and not status.startswith("NOT_") for status in value.values())
    text = count(len(value), "link")
    if failing or errors:
        return ArtifactSummary(f"{failing + errors:,} of {text} failed", Finding.SOME)
    return ArtifactSummary(f"{text} checked")


def _summarise_responses(value: Mapping[str, Any]) -> ArtifactSummary | None:
    return ArtifactSummary(f"{count(len(value), 'endpoint')} called")


def _summarise_api_schema(value: Mapping[str, Any]) -> ArtifactSummary | None:
    violations = max(len(value["errors"]), int(value.get("errors_total") or 0))
    return ArtifactSummary(f"{count(violations, 'schema violation')}", Finding.SOME) if violations else None


def _summarise_diff(value: Mapping[str, Any]) -> ArtifactSummary | None:
    return ArtifactSummary(f"{count(value['total_changes'], 'file')} changed")


def _summarise_changes(value: Mapping[str, Any]) -> ArtifactSummary:
    looked = [count(len(value[key]), word) for key, word in (("names", "name"), ("pins", "pin")) if value[key]]
    looked += [f"{len(value['moved']):,} moved or renamed"] if value["moved"] else []
    return ArtifactSummary(f"looked up: {', '.join(looked)}" if looked else "nothing to look up", aside=True)


def _summarise_words(value: Mapping[str, Any]) -> ArtifactSummary | None:
    return ArtifactSummary(f"{count(value['total'], 'word')} in {count(len(value['files']), 'text')}")


_SUMMARIES: Mapping[str, Callable[[Any], ArtifactSummary | None]] = {
    "verigate:tests.v1": _summarise_tests,
    "verigate:build.v1": _summarise_build,
    "verigate:lint.v1": _summarise_lint,
    "verigate:coverage.v1": _summarise_coverage,
    "verigate:integrity.v1": _summarise_integrity,
    "verigate:functions.v1": _summarise_functions,
    COUNTERFACTUAL: _summarise_cells,
    SENSITIVITY: _summarise_power,
    "verigate:statuses.v1": _summarise_links,
    "verigate:responses.v1": _summarise_responses,
    "verigate:api-schema.v1": _summarise_api_schema,
    "verigate:wordcount.v1": _summarise_words,
    "verigate:diff.v1": _summarise_diff,
    "verigate:changes.v1": _summarise_changes,
}
