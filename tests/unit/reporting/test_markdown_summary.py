"""What a reader of the Markdown sees before unfolding anything: at most 40 lines, what matters most first."""

from __future__ import annotations

import re

import cmarkgfm
import literal_facts as lf
import lxml.html
import pytest
import report_samples as samples
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, Status, UnitOutcome, Units, UnitVerdict, Verdict
from verigate.reporting.addresses import address_reason
from verigate.reporting.formats import TextStyle, render
from verigate.reporting.markdown.page import MOST_LINES
from verigate.reporting.markdown.spans import MARK
from verigate.reporting.reasons import REASONS
from verigate.reporting.report import ADVISORY, Report

FOOT = 2
"""Lines that the comment adds: a blank one and the link to the run."""

OPEN = {
    **lf.integrity_finding("test_skipped", "t.py", "weakening", "skipped", line=9), "test": "test_b", "id": "b" * 12
}  # fmt: skip
SITE = "https://docs.example/verigate"
OWN_LINKS = {address_reason(code, SITE) for code in REASONS}
WORDS = st.text(
    st.one_of(st.sampled_from("`|<>&@#[]()!*_~\\-+.:/ \n\r\t\u202e\u2066\u200b\x1b\0"), st.characters()), max_size=40
) | st.sampled_from([*samples.HOSTILE, "@octocat", "fixes #1", "owner/shop#2", "<img src=//evil.example>", "a|b"])


def markdown(report: Report) -> str:
    return render("markdown", replace(report, documentation=SITE), TextStyle())


def visible(text: str) -> list[str]:
    """The lines outside of what is folded; of a folded section its head."""
    return re.sub(r"(<summary>[^\n]*)\n.*?\n</details>", r"\1", text, flags=re.DOTALL).removesuffix("\n").split("\n")


def of_weakenings(*findings: object, **rules: object) -> Report:
    found = {"findings": list(findings), "files_examined": 1, "total": 1, "checks": ["tests"]}
    thresholds = {"integrity": True, "weakening": "disclose", **rules}
    documents = {"integrity.json": found, "lint.json": samples.lint(samples.issue("a.py"))}
    claim = lf.claim_document("func:gone")
    return samples.report(lf.facts(thresholds, documents, claim=claim, commitment=lf.COMMITMENT, changed=("t.py",)))


@pytest.mark.parametrize(
    "report",
    [
        *(pytest.param(samples.of_status(status), id=status.value) for status in Status),
        pytest.param(samples.of_many(), id="many", marks=pytest.mark.slow),
        *(pytest.param(samples.of_text(text), id=str(number)) for number, text in enumerate(samples.HOSTILE)),
    ],
)
def test_at_most_forty_lines_are_seen_with_the_link_of_the_comment(report: Report) -> None:
    for notices in ((), tuple(f"notice {number}" for number in range(30))):
        lines = visible(markdown(replace(report, notices=notices, advisory=bool(notices))))
        assert len(lines) + FOOT <= MOST_LINES == 40
        assert lines[0] == MARK


def test_what_nobody_said_comes_first_then_what_is_not_so_then_checks() -> None:
    report = of_weakenings(OPEN, lint_errors_max=0, units_match=True)
    text = markdown(report)
    heads = [line for line in visible(text) if line.startswith("#")]
    assert [head.rsplit(":", 1)[0] for head in heads] == [
        "### ❌ Gate", "#### Weakened, and not accounted for", "#### Said, and not so", "#### Checks"
    ]  # fmt: skip
    (weaker,) = [line for line in visible(text) if line.startswith("- ⚠️")]
    assert "`test_skipped in t.py::test_b`. Say why in a commit message or in the pull request: `Weakens: " in weaker


def test_each_problem_says_what_to_do_and_leads_to_the_page_of_its_reason() -> None:
    lines = [line for line in visible(markdown(samples.of_issues(samples.issue("a.py", 3)))) if line.startswith("- ")]
    assert lines[0] == (
        "- ❌ refuted: `1 lint error, at most 0 allowed` `code.lint_errors_max` "
        f"[LINT_FAIL]({SITE}/reasons/LINT_FAIL/). "
        "Fix what the linter found: `gate explain T1 code.lint_errors_max` lists it."
    )
    unlinked = render("markdown", samples.of_issues(samples.issue("a.py", 3)), TextStyle())
    assert "`code.lint_errors_max` `LINT_FAIL`. Fix what" in unlinked
    assert "](" not in unlinked
    assert visible(markdown(samples.of_issues(samples.issue("a.py", 3))))[-4] == "  - `a.py:3: E1: bad`"


def test_few_problems_show_their_findings_and_many_show_themselves() -> None:
    few = visible(markdown(samples.of_issues(*(samples.issue(f"{n}.py") for n in range(9)))))
    assert few.count("  - `4.py:1: E1: bad` and 4 more") == 1
    many = visible(markdown(samples.of_status(Status.FAIL)))
    assert [line for line in many if line.startswith("- … and ")]
    assert not [line for line in many if line.startswith("  - ")]


def test_what_no_reader_may_miss_stands_before_other_notes() -> None:
    report = replace(
        samples.of_status(Status.PASS), notices=tuple("abcdef"), notes=("it is about another tree",), advisory=True
    )
    notes = [line for line in visible(markdown(report)) if "note" in line]
    assert notes == [
        f"- note: `{ADVISORY}`", "- note: `it is about another tree`", "- note: `a`", "- … and 5 more notes, below"
    ]  # fmt: skip
    assert all(f"- `{letter}`" in markdown(report) for letter in "abcdef")


def test_seconds_are_left_out_so_that_the_same_facts_are_the_same_text() -> None:
    def timed(duration: int) -> str:
        value = {**lf.GOOD["tests.json"], "duration": duration}
        return markdown(samples.report(lf.facts({"tests_min": 1}, {"tests.json": value}, implicit=True)))

    assert timed(60) == timed(60_000)


@st.composite
def checks(draw: st.DrawFn, text: st.SearchStrategy[str]) -> Check:
    refs = tuple(EvidenceRef(draw(text), f"/{draw(text)}", draw(text), draw(text)) for _ in range(2))
    group = draw(st.sampled_from(["code.", "unit:", "capability:", ""]))
    reason = draw(st.sampled_from([*REASONS, None]) | text)
    values = (draw(text), draw(text), reason, draw(text), refs)
    outcome = draw(st.sampled_from(CheckOutcome))
    return Check(f"{group}{draw(text)}", outcome, *values, holds_back=draw(st.booleans()))


@st.composite
def verdicts(draw: st.DrawFn) -> Report:
    """A verdict whose texts are anything, with any number of checks of each outcome."""
    text = st.sampled_from(draw(st.lists(WORDS, min_size=1, max_size=8)))
    some = tuple(draw(st.lists(checks(text), max_size=12)))
    listed = [
        {"kind": draw(text), "path": draw(text), "test": draw(text), "accounted": None, "line": draw(text)}
        for _ in range(draw(st.sampled_from([0, 1, 30])))
    ]
    units = Units(3, (UnitVerdict(draw(text), UnitOutcome.REFUTED, draw(text), draw(text)),))
    status = draw(st.sampled_from(Status))
    number = draw(st.sampled_from([1, 1, 40]))
    weaker = {"listed": listed, "unaccounted": len(listed)} if listed else None
    verdict = Verdict(
        draw(text), draw(text), status, draw(text), some * number, (), units, {}, {"profile": draw(text)},
        {"kind": draw(text), "tree": draw(text)}, weakenings=weaker,
    )  # fmt: skip
    return Report(verdict, notices=tuple(draw(st.lists(text, max_size=9))), advisory=draw(st.booleans()))


@given(verdicts())
def test_any_verdict_fits_and_holds_no_markup_of_the_task(report: Report) -> None:
    text = markdown(report)
    assert len(visible(text)) + FOOT <= MOST_LINES
    assert len(text.encode()) <= 65_536
    page = lxml.html.fromstring(
        f"<div>{cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)}</div>"
    )
    assert {link.get("href") for link in page.iter("a")} <= OWN_LINKS
    allowed = {"div", "h3", "h4", "p", "ul", "li", "strong", "code", "pre", "details", "summary", "a"}
    assert {part.tag for part in page.iter() if isinstance(part.tag, str)} <= allowed
    for code in [*page.iter("code")]:
        code.text = ""
    # Mentions, references to issues and addresses work in plain text alone.
    assert not re.search(r"@|#|www|://", page.text_content())
