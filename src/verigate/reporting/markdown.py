"""Render GitHub-flavoured Markdown for pull request comments and job summaries.

All foreign text is in code spans, which can't contain links, images, tags or mentions. Backslash escapes don't prevent
mentions and bare addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from verigate.domain.verdict import Check, CheckOutcome, UnitOutcome
from verigate.reporting.approvals import list_approvals
from verigate.reporting.artifact_summaries import summarise_artifacts
from verigate.reporting.check_lines import CheckLines, format_counts
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.finding_headline import format_headline, format_location, list_further_lines
from verigate.reporting.findings import Level, ReportFinding, ReportFindings, collect_findings
from verigate.reporting.grouping import group_checks, is_problem
from verigate.reporting.policy_source import name_policy_ref
from verigate.reporting.report import Report
from verigate.reporting.subject_names import describe_subject
from verigate.reporting.text import format_command, format_evidence, summarise_status
from verigate.reporting.weakenings import count_weakenings, list_notices, list_weakenings

MARK = "<!-- verigate -->"
"""The first line, which identifies the comment to update."""

LIMIT = 65_000
"""Bytes of UTF-8; a comment on GitHub holds 65,536 characters."""

_FINDINGS_SHOWN = 20
_EVIDENCE_SHOWN = 3
_NAMES_SHOWN = 200
_MESSAGE_LINES = 15
_LONGEST_LINE = 200
_RUN = re.compile("`+")


def render(report: Report) -> str:
    """Render the verdict, problems, notes, and checks that hold; cut at LIMIT, with a last line that says so."""
    verdict = report.verdict
    page = _Page()
    for line in _head_lines(report):
        page.add(line)
    found = collect_findings(report)
    problems = [check for group in group_checks(report.checks) for check in group.problems]
    listed, accounts = found.by_check(), CheckLines(verdict)
    all_of_them = code_span(f"{format_command('show', verdict.task_id)} --json")
    if verdict.weakenings is not None:
        page.section(f"Weakened checks: {count_weakenings(verdict)}", list(_weakening_lines(report)))
    if verdict.approvals is not None:
        page.section("Approvals", [f"- {word} {code_span(line, limit=1000)}" for word, line in list_approvals(verdict)])
    page.section("Problems", [_format_problem(check, accounts, listed.get(check.id, ())) for check in problems])
    page.section("Notes", list(_note_lines(found)))
    page.details("What holds", CheckOutcome.HOLDS, report.checks)
    page.details("What doesn't apply", CheckOutcome.NOT_APPLICABLE, report.checks)
    return page.text(f"Cut at the size of a comment; all of it: {all_of_them}")


def render_nothing(why: str) -> str:
    """Render a single sentence."""
    return f"{MARK}\n### Gate: nothing to verify\n\n{code_span(why)}\n"


def code_span(text: str, *, limit: int = 400) -> str:
    """Format foreign text as a code span on one line, with a fence longer than any run of backticks in it."""
    shown = escape(text, limit=limit) or " "
    fence = "`" * (max(map(len, _RUN.findall(shown)), default=0) + 1)
    # CommonMark strips one space on either side (section 6.1).
    pad = " " if shown.strip() and (shown[0] in "` " or shown[-1] in "` ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def code_block(lines: Sequence[str]) -> list[str]:
    """Format lines of foreign text as a fenced code block; the fence is longer than any run of backticks in it."""
    shown = [escape(line, limit=_LONGEST_LINE) for line in lines[:_MESSAGE_LINES]]
    if len(lines) > _MESSAGE_LINES:
        shown.append(f"… and {len(lines) - _MESSAGE_LINES} more lines")
    fence = "`" * max(3, max((len(run) for line in shown for run in _RUN.findall(line)), default=0) + 1)
    return [fence, *shown, fence]


def _format_text(headline: str, message: str) -> str:
    """Format a text as an item of a list: its first line as a code span, the others as a block below it."""
    further = list_further_lines(message)
    return "\n".join([headline, *(f"    {line}" for line in code_block(further))] if further else [headline])


class _Page:
    """Collects blocks of text up to LIMIT bytes."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._room = LIMIT
        self._cut = False

    def add(self, block: str) -> bool:
        """Add a block; return whether it fitted."""
        size = len(block.encode("utf-8", "replace")) + 1
        if self._cut or size > self._room:
            self._cut = True
            return False
        self._room -= size
        self._blocks.append(block)
        return True

    def section(self, title: str, entries: Sequence[str]) -> None:
        """Add a heading and its entries; after the last that fits, the number of omitted ones."""
        if not entries or not self.add(f"\n#### {title}\n"):
            return
        for number, entry in enumerate(entries):
            if not self.add(entry):
                self._blocks.append(f"- … and {len(entries) - number} more")
                return

    def details(self, title: str, outcome: CheckOutcome, checks: Iterable[Check]) -> None:
        """Add the names of the checks with this outcome, folded."""
        names = [code_span(check.id, limit=120) for check in checks if check.outcome is outcome]
        if not names:
            return
        more = f" … and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        shown = ", ".join(names[:_NAMES_SHOWN])
        self.add(f"\n<details><summary>{title}: {len(names)}</summary>\n\n{shown}{more}\n\n</details>")

    def text(self, where_it_was_cut: str) -> str:
        """The page; if it was cut, the last line says where to find the rest."""
        foot = [f"\n{where_it_was_cut}"] if self._cut else []
        return "\n".join([*self._blocks, *foot]) + "\n"


def _head_lines(report: Report) -> Iterator[str]:
    verdict = report.verdict
    yield MARK
    yield f"### Gate: {verdict.status.value.upper()}, {summarise_status(verdict)}\n"
    about = {
        "task": verdict.task_id,
        "type": verdict.type,
        "profile": verdict.policy.get("profile"),
        "policy": name_policy_ref(verdict),
    }
    yield " · ".join(f"{name} {code_span(str(value), limit=64)}" for name, value in about.items() if value) + "\n"
    parts = [
        " ".join([label, code_span(text), *([code_span(remark)] if remark else [])])
        for label, text, remark in describe_subject(verdict)
    ]
    if parts:
        yield " · ".join(parts) + "\n"
    if numbers := summarise_artifacts(report.artifacts.values()):
        yield f"- {code_span(' · '.join(summary.text for summary in numbers), limit=1000)}"
    yield f"- checks: {format_counts(report.checks)}"
    units = verdict.units
    if units.per_unit or units.expected is not None:
        outcomes = [f"{units.count(outcome)} {outcome.value}" for outcome in UnitOutcome]
        expected = [] if units.expected is None else [f"{units.expected} expected"]
        yield f"- units: {' · '.join([*outcomes, *expected])}"
    for notice in report.sentences[:20]:
        yield f"- note: {code_span(notice)}"


def _format_problem(check: Check, accounts: CheckLines, listed: Sequence[ReportFinding]) -> str:
    outcome = check.outcome.value.replace("_", " ")
    weight = "" if check.holds_back else " (reported only)"
    head = f"- **{outcome}**{weight} {code_span(check.reason or 'none', limit=40)} {code_span(check.id, limit=200)}"
    return "\n".join([head, *(f"  - {line}" for line in _fact_lines(check, accounts, listed))])


def _fact_lines(check: Check, accounts: CheckLines, listed: Sequence[ReportFinding]) -> Iterator[str]:
    if check.message:
        yield _format_text(code_span(check.message.strip().partition("\n")[0], limit=600), check.message)
    yield f"expected {code_span(escape_value(check.expected))}, actual {code_span(escape_value(check.actual))}"
    own = [finding for finding in listed if finding.message != check.message and finding.level is not Level.NOTE]
    yield from (_format_text(code_span(format_headline(finding)), finding.message) for finding in own[:_FINDINGS_SHOWN])
    if len(own) > _FINDINGS_SHOWN:
        yield f"… and {len(own) - _FINDINGS_SHOWN} more"
    yield from (
        f"at {code_span(format_location(finding))}"
        for finding in listed
        if finding.message == check.message and finding.path
    )
    # The findings listed above already show the evidence with its locations.
    shown = check.evidence[: 1 if own else _EVIDENCE_SHOWN]
    yield from (f"evidence {code_span(format_evidence(ref))}" for ref in shown)
    yield f"reproduce {code_span(accounts.reproduction(check))}"


def _weakening_lines(report: Report) -> Iterator[str]:
    for item in list_weakenings(report.verdict):
        yield f"- {item.word} {code_span(item.text, limit=1000)}"
        if item.line:
            yield f"  - {code_span(item.line, limit=5000)}"
    yield from (f"- {code_span(notice)}" for notice in list_notices(report.verdict))


def _note_lines(found: ReportFindings) -> Iterator[str]:
    for finding in found.listed:
        if finding.level is Level.NOTE and not is_problem(finding.check) and finding.check.accounted is None:
            yield f"- {code_span(format_headline(finding))}"
