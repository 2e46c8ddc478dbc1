"""GitHub-flavoured Markdown for a comment on a pull request and for a job summary.

Every text that isn't the gate's own stands in a code span: there is no link, image, tag or mention in one, which
backslashes would not keep out (mentions and bare addresses are found after them).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from verigate.domain.verdict import Check, CheckOutcome, UnitOutcome
from verigate.reporting.account import Accounts, counts, located, where
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.findings import Finding, Findings, Level, findings
from verigate.reporting.grouping import grouped, is_problem
from verigate.reporting.report import Report
from verigate.reporting.text import command, evidence_line, summary

MARK = "<!-- verigate -->"
"""The first line: by it a comment is found again that is to be updated."""

LIMIT = 65_000
"""Bytes of UTF-8; a comment on GitHub holds 65,536 characters."""

_FINDINGS_SHOWN = 20
_EVIDENCE_SHOWN = 3
_NAMES_SHOWN = 200
_RUN = re.compile("`+")


def render(report: Report) -> str:
    """The verdict, what stands in its way, notes, and what holds; cut at LIMIT, and then it says so."""
    verdict = report.verdict
    page = _Page()
    for line in _head(report):
        page.add(line)
    found = findings(report)
    problems = [check for group in grouped(report.checks) for check in group.problems]
    listed, accounts = found.by_check(), Accounts(verdict)
    all_of_them = code(f"{command('show', verdict.task_id)} --json")
    page.section("What stands in the way", [_problem(check, accounts, listed.get(check.id, ())) for check in problems])
    page.section("Noted", list(_notes(found)))
    page.details("What holds", CheckOutcome.HOLDS, report.checks)
    page.details("What doesn't apply", CheckOutcome.NOT_APPLICABLE, report.checks)
    return page.text(f"Cut at the size of a comment; all of it: {all_of_them}")


def render_nothing(why: str) -> str:
    """One sentence."""
    return f"{MARK}\n### Gate: nothing to verify\n\n{code(why)}\n"


def code(text: str, *, limit: int = 400) -> str:
    """Foreign text as a code span on one line: the fence is longer than any run of backticks in it."""
    shown = escape(text, limit=limit) or " "
    fence = "`" * (max(map(len, _RUN.findall(shown)), default=0) + 1)
    # One space on either side is taken off again (CommonMark 6.1).
    pad = " " if shown.strip() and (shown[0] in "` " or shown[-1] in "` ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


class _Page:
    """Blocks of text as long as there is room for them."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._room = LIMIT
        self._cut = False

    def add(self, block: str) -> bool:
        """Whether the block still fitted."""
        size = len(block.encode("utf-8", "replace")) + 1
        if self._cut or size > self._room:
            self._cut = True
            return False
        self._room -= size
        self._blocks.append(block)
        return True

    def section(self, title: str, entries: Sequence[str]) -> None:
        """A heading and its entries; after the last that fits, how many are left out."""
        if not entries or not self.add(f"\n#### {title}\n"):
            return
        for number, entry in enumerate(entries):
            if not self.add(entry):
                self._blocks.append(f"- … and {len(entries) - number} more")
                return

    def details(self, title: str, outcome: CheckOutcome, checks: Iterable[Check]) -> None:
        """The names of the checks with this outcome, folded away."""
        names = [code(check.id, limit=120) for check in checks if check.outcome is outcome]
        if not names:
            return
        more = f" … and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        told = ", ".join(names[:_NAMES_SHOWN])
        self.add(f"\n<details><summary>{title}: {len(names)}</summary>\n\n{told}{more}\n\n</details>")

    def text(self, where_it_was_cut: str) -> str:
        """The page; the last line says where the rest is, if there is a rest."""
        foot = [f"\n{where_it_was_cut}"] if self._cut else []
        return "\n".join([*self._blocks, *foot]) + "\n"


def _head(report: Report) -> Iterator[str]:
    verdict = report.verdict
    yield MARK
    yield f"### Gate: {verdict.status.value.upper()}, {summary(verdict)}\n"
    about = {
        "task": verdict.task_id,
        "type": verdict.type,
        "profile": verdict.policy.get("profile"),
        "tree": str(verdict.subject.get("tree") or "")[:12],
        "base": str(verdict.subject.get("base") or "")[:12],
    }
    yield " · ".join(f"{name} {code(str(value), limit=64)}" for name, value in about.items() if value) + "\n"
    yield f"- checks: {counts(report.checks)}"
    units = verdict.units
    if units.per_unit or units.expected is not None:
        told = [f"{units.count(outcome)} {outcome.value}" for outcome in UnitOutcome]
        expected = [] if units.expected is None else [f"{units.expected} expected"]
        yield f"- units: {' · '.join([*told, *expected])}"
    for notice in report.sentences[:20]:
        yield f"- note: {code(notice)}"


def _problem(check: Check, accounts: Accounts, listed: Sequence[Finding]) -> str:
    outcome = check.outcome.value.replace("_", " ")
    weight = "" if check.holds_back else " (reported only)"
    head = f"- **{outcome}**{weight} {code(check.reason or 'none', limit=40)} {code(check.id, limit=200)}"
    return "\n".join([head, *(f"  - {line}" for line in _facts(check, accounts, listed))])


def _facts(check: Check, accounts: Accounts, listed: Sequence[Finding]) -> Iterator[str]:
    if check.message:
        yield code(check.message, limit=600)
    yield f"expected {code(escape_value(check.expected))}, actual {code(escape_value(check.actual))}"
    own = [finding for finding in listed if finding.message != check.message and finding.level is not Level.NOTE]
    yield from (code(located(finding)) for finding in own[:_FINDINGS_SHOWN])
    if len(own) > _FINDINGS_SHOWN:
        yield f"… and {len(own) - _FINDINGS_SHOWN} more"
    yield from (f"at {code(where(finding))}" for finding in listed if finding.message == check.message and finding.path)
    # What is listed above is the evidence, with its places.
    shown = check.evidence[: 1 if own else _EVIDENCE_SHOWN]
    yield from (f"evidence {code(evidence_line(ref))}" for ref in shown)
    yield f"reproduce {code(accounts.reproduction(check))}"


def _notes(found: Findings) -> Iterator[str]:
    for finding in found.listed:
        if finding.level is Level.NOTE and not is_problem(finding.check):
            yield f"- {code(located(finding))}"
