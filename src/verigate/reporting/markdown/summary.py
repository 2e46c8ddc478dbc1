"""List the lines of a verdict that are seen at once: what it is, what nobody said, what isn't so, which checks fail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict
from verigate.reporting.addresses import address_reason
from verigate.reporting.approvals import summarise_approvals
from verigate.reporting.artifact_summaries import summarise_artifacts
from verigate.reporting.check_lines import CheckLines
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.findings import Level, ReportFinding, ReportFindings
from verigate.reporting.grouping import UNITS, group_checks, group_name
from verigate.reporting.markdown.advice import advise
from verigate.reporting.markdown.spans import MARK, code_span
from verigate.reporting.policy_source import name_policy_ref
from verigate.reporting.reasons import REASONS
from verigate.reporting.report import ADVISORY, Report
from verigate.reporting.status_summary import summarise_status
from verigate.reporting.subject_names import describe_subject
from verigate.reporting.weakenings import WeakeningLine, list_weakenings, summarise_weakenings

_STATUS_MARK = {Status.PASS: "✅", Status.FAIL: "❌", Status.ERROR: "💥", Status.INCONCLUSIVE: "❓"}
_OUTCOME_MARK = {CheckOutcome.REFUTED: "❌", CheckOutcome.UNKNOWN: "❓", CheckOutcome.ERROR: "💥"}
_REPORTED_ONLY = "ℹ️"

_NOTES_SHOWN = 4
_FINDINGS_SHOWN = 5
_HEADING_LINES = 3
"""Of a heading, with a blank line on either side."""

_INTEGRITY = "code.integrity"
"""The check that weakenings refute, which are listed by themselves."""

_OPEN = "open"
_ACCOUNT = "Say why in a commit message or in the pull request:"

_RESTORE = "Put it back, or let a person sign it: `gate approve`."


class _Item(Struct, frozen=True):
    """An entry of a list: its line, and lines below it that may be left out."""

    head: str
    below: tuple[str, ...] = ()


def list_summary_lines(report: Report, found: ReportFindings, *, most: int) -> list[str]:
    """List at most ``most`` lines; each problem that has no room is counted."""
    verdict = report.verdict
    lines = [*_head_lines(report), *_note_lines(report)]
    problems = [check for group in group_checks(report.checks) for check in group.problems]
    weaker = [item for item in list_weakenings(verdict) if item.word == _OPEN] if verdict.weakenings else []
    listed, accounts = found.by_check(), CheckLines(verdict)

    def describe(check: Check) -> _Item:
        own = () if weaker and check.id == _INTEGRITY else listed.get(check.id, ())
        return _Item(_format_problem(check, accounts, report.documentation), tuple(_finding_lines(own)))

    said = [check for check in problems if group_name(check.id) == UNITS]
    others = [check for check in problems if group_name(check.id) != UNITS]
    parts = [
        ("Weakened, and not accounted for", [_describe_weakening(item) for item in weaker]),
        ("Said, and not so", [describe(check) for check in said]),
        ("Checks", [describe(check) for check in others]),
    ]
    parts = [(title, items) for title, items in parts if items]
    for number, (title, items) in enumerate(parts):
        # What comes later keeps room for a heading and two lines.
        later = (len(parts) - number - 1) * (_HEADING_LINES + 2)
        lines += ["", f"#### {title}: {len(items)}", ""]
        lines += _fit(items, most - len(lines) - later)
    return lines


def _fit(items: Sequence[_Item], room: int) -> Iterator[str]:
    """Yield the items, with as many of the lines below each as all have room for; count what has none."""
    if len(items) > room:
        yield from (item.head for item in items[: room - 1])
        yield f"- … and {len(items) - max(room - 1, 0)} more, below"
        return
    below = max(
        number
        for number in range(_FINDINGS_SHOWN + 1)
        if not number or sum(1 + min(number, len(item.below)) for item in items) <= room
    )
    for item in items:
        yield item.head
        yield from item.below[:below]


def _head_lines(report: Report) -> Iterator[str]:
    verdict = report.verdict
    yield MARK
    yield f"### {_STATUS_MARK[verdict.status]} Gate: {verdict.status.value.upper()}, {summarise_status(verdict)}"
    yield ""
    about = {
        "task": verdict.task_id,
        "profile": verdict.policy.get("profile"),
        "policy": name_policy_ref(verdict),
    }
    parts = [f"{name} {code_span(str(value), limit=64)}" for name, value in about.items() if value]
    for label, text, remark in describe_subject(verdict):
        if label not in {"repository", "base", "tree"}:
            parts.append(" ".join([label, code_span(text), *([code_span(remark)] if remark else [])]))
    if report.page:
        parts.append(f"[all of it on the server]({report.page})")
    yield " · ".join(parts)
    if numbers := summarise_artifacts(report.artifacts.values()):
        yield ""
        yield code_span(" · ".join(summary.steady for summary in numbers), limit=1000)


def _note_lines(report: Report) -> Iterator[str]:
    """Yield what no reader may miss: that nothing is blocked, what speaks against the verdict, what is weaker."""
    verdict = report.verdict
    first = [ADVISORY] if report.advisory else []
    first += report.notes
    first += [sentence for sentence in _summarise_accounted(verdict) if sentence]
    sentences = list(dict.fromkeys([*first, *report.sentences]))
    if not sentences:
        return
    yield ""
    room = _NOTES_SHOWN if len(sentences) <= _NOTES_SHOWN else _NOTES_SHOWN - 1
    yield from (f"- note: {code_span(sentence)}" for sentence in sentences[:room])
    if len(sentences) > room:
        yield f"- … and {len(sentences) - room} more notes, below"


def _summarise_accounted(verdict: Verdict) -> Iterator[str]:
    if verdict.weakenings is not None:
        yield summarise_weakenings(verdict)
    if verdict.approvals is not None:
        yield summarise_approvals(verdict)


def _describe_weakening(item: WeakeningLine) -> _Item:
    how = f"{_ACCOUNT} {code_span(item.line, limit=5000)}" if item.line else _RESTORE
    return _Item(f"- ⚠️ {code_span(item.text, limit=600)}. {how}")


def _format_problem(check: Check, accounts: CheckLines, documentation: str) -> str:
    mark = _OUTCOME_MARK[check.outcome] if check.holds_back else _REPORTED_ONLY
    weight = "" if check.holds_back else ", reported only"
    message = code_span(check.message.strip().partition("\n")[0] or check.id, limit=300)
    about = f"{message} {code_span(check.id, limit=120)} {_format_reason(check.reason, documentation)}"
    return f"- {mark} {check.outcome.value}{weight}: {about}.{advise(check, accounts)}"


def _format_reason(reason: str | None, documentation: str) -> str:
    """Link a reason of the gate's own to its page, if a site is named; an address is never made of foreign text."""
    if reason is not None and reason in REASONS and documentation:
        return f"[{reason}]({address_reason(reason, documentation)})"
    return code_span(reason or "none", limit=40)


def _finding_lines(listed: Sequence[ReportFinding]) -> Iterator[str]:
    shown = [text for finding in listed if finding.level is not Level.NOTE and (text := format_headline(finding))]
    for number, text in enumerate(shown[:_FINDINGS_SHOWN], start=1):
        left_out = len(shown) - number
        yield f"  - {code_span(text, limit=300)}" + (
            f" and {left_out} more" if number == _FINDINGS_SHOWN and left_out else ""
        )
