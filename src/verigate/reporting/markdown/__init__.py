"""Render GitHub-flavoured Markdown for pull request comments and job summaries.

At most MOST_LINES lines are seen at once; the rest is folded. All foreign text is in code spans and code blocks, which
can't contain links, images, tags or mentions. Backslash escapes don't prevent mentions and bare addresses.
"""

from __future__ import annotations

from verigate.reporting.findings import collect_findings
from verigate.reporting.markdown.folded import list_sections
from verigate.reporting.markdown.page import MOST_LINES, Page
from verigate.reporting.markdown.spans import MARK, code_span
from verigate.reporting.markdown.summary import list_summary_lines
from verigate.reporting.report import Report
from verigate.reporting.text import format_command

_FOOT_LINES = 4
"""Left for the line about what was cut, and for the one that ``gate-ci comment`` adds, each after a blank one."""


def render(report: Report) -> str:
    """Render verdict, weakenings, what was said and isn't so, and checks; then all of it, folded, up to the limit."""
    found = collect_findings(report)
    sections = list(list_sections(report, found))
    page = Page()
    # A blank line stands before the sections.
    for line in list_summary_lines(report, found, most=MOST_LINES - _FOOT_LINES - len(sections) - 1):
        page.add(line)
    page.add("")
    page.fold(sections)
    all_of_them = code_span(f"{format_command('show', report.verdict.task_id)} --json")
    return page.text(f"Cut at the size of a comment; all of it: {all_of_them}")


def render_nothing(why: str) -> str:
    """Render a single sentence."""
    return f"{MARK}\n### Gate: nothing to verify\n\n{code_span(why)}\n"
