"""Build the page and its sections: status, problems, the change, how it was verified, evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verigate.domain.task_folder import ARTIFACTS_FOLDER
from verigate.domain.verdict import Check, CheckOutcome, Status, UnitOutcome, Verdict
from verigate.reporting.approvals import list_approvals
from verigate.reporting.artifact_summaries import summarise_artifacts
from verigate.reporting.check_lines import format_counts
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.findings import Level, ReportFindings, collect_findings
from verigate.reporting.grouping import group_checks, is_problem
from verigate.reporting.html import capability_runs
from verigate.reporting.html.annotated_diff import Diff, annotate_diff
from verigate.reporting.html.artifacts import Viewer, build_viewer
from verigate.reporting.html.cells import build_cells
from verigate.reporting.html.checks import COLOURS, CheckEntries, PageContext
from verigate.reporting.html.elements import Child, Element, SpaceBudget, append_children, code, el, link, unlink
from verigate.reporting.html.style import STYLE, policy
from verigate.reporting.outcome_style import UNIT_MARK
from verigate.reporting.policy_source import name_policy_ref
from verigate.reporting.report import Report
from verigate.reporting.status_summary import explain_status
from verigate.reporting.subject_names import describe_subject
from verigate.reporting.text import format_command
from verigate.reporting.weakenings import count_weakenings, list_notices, list_weakenings

_STATUS = {
    Status.PASS: ("✓", "good"),
    Status.FAIL: ("✗", "bad"),
    Status.ERROR: ("!", "bad"),
    Status.INCONCLUSIVE: ("?", "warn"),
}
_OF_WEAKENINGS = {"open": "bad", "acquitted": "good"}
_NOTICES = 200
_NOTED = 5000
_OF_NOTED = 2_000_000
_UNITS = 5000
_OF_UNITS = 2_000_000


def document(title: str, *body: Child) -> Element:
    """Create an HTML document around ``body``; its policy forbids fetching and scripts."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=policy()),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="referrer", content="no-referrer"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="format-detection", content="telephone=no"),
        el("title", title),
        _style(),
    )
    return el("html", head, el("body", *body), lang="en")


def _style() -> Element:
    made = el("style")
    made.text = STYLE
    return made


def build_page(report: Report) -> Element:
    """Build the page for ``report``."""
    verdict, found = report.verdict, collect_findings(report)
    checks: dict[str, str] = {}
    for number, check in enumerate(report.checks):
        checks.setdefault(check.id, f"c{number}")
    cited = {
        (ref.artifact, ref.pointer): checks[check.id] for check in reversed(report.checks) for ref in check.evidence
    }
    shown = build_viewer(report, cited)
    diff = annotate_diff(report, found, checks)
    entries = CheckEntries(PageContext(verdict, found.by_check(), checks, diff.places, shown.places))
    sections = [
        ("notices", "Warnings", list(_build_notices(report))),
        ("weakenings", "Weakened checks", list(_build_weakenings(verdict))),
        ("approvals", "Approvals", list(_build_approvals(verdict))),
        ("problems", "Problems", list(_build_checks(report, entries, _PROBLEM_OUTCOMES))),
        ("cells", "Tests on both versions of the code", list(build_cells(report, shown.places))),
        ("noted", "Notes", list(_build_notes(found, diff))),
        ("baseline", "Left out by the baseline", list(_build_suppressed(found))),
        ("units", "Units", list(_build_units(verdict, checks))),
        ("diff", "The change", list(_build_diff(report, diff))),
        ("holds", "What holds", list(_build_checks(report, entries, (CheckOutcome.HOLDS,)))),
        ("others", "What doesn't apply", list(_build_checks(report, entries, (CheckOutcome.NOT_APPLICABLE,)))),
        ("run", "How it was verified", list(_build_run(report, shown))),
        ("artifacts", "Artifacts and logs", list(_build_artifacts(shown))),
        ("policy", "Policy and metrics", list(_build_policy(verdict))),
    ]
    filled = [(place, name, content) for place, name, content in sections if content]
    word = verdict.status.value.upper()
    mark, style = _STATUS[verdict.status]
    title = el("h1", el("span", f"{mark} {word}", class_=style), " ", code(verdict.task_id, limit=64))
    nav = el("nav", el("ul", *(el("li", link(place, name)) for place, name, _ in filled)), aria_label="Sections")
    main = el("main", id="main", tabindex="-1")
    for place, name, content in filled:
        append_children(
            main,
            el("section", el("h2", name, id=f"{place}-title"), *content, id=place, aria_labelledby=f"{place}-title"),
        )
    root = document(
        f"{word} {escape(verdict.task_id, limit=64)} · gate",
        el("a", "Skip to the content", href="#main", class_="skip"),
        el("header", title, *_build_head(report), nav),
        main,
        el("footer", *_build_foot(verdict)),
    )
    unlink(root)
    return root


_PROBLEM_OUTCOMES = (CheckOutcome.ERROR, CheckOutcome.REFUTED, CheckOutcome.UNKNOWN)


def _build_head(report: Report) -> Iterator[Element]:
    verdict = report.verdict
    yield el("p", explain_status(verdict))
    about = {
        "type": verdict.type,
        "profile": verdict.policy.get("profile"),
        "policy": name_policy_ref(verdict),
        "subject": verdict.subject.get("kind"),
        "tree": verdict.subject.get("tree"),
        "base": verdict.subject.get("base"),
    }
    facts = [
        (label, el("span", code(text), " ", el("bdi", remark)))
        for label, text, remark in describe_subject(verdict)
        if label not in about
    ]
    facts += [(name, code(str(value), limit=80)) for name, value in about.items() if value]
    if numbers := summarise_artifacts(report.artifacts.values()):
        facts.append(("found", el("bdi", " · ".join(summary.text for summary in numbers))))
    facts.append(("checks", el("span", format_counts(report.checks))))
    units = verdict.units
    if units.per_unit or units.expected is not None:
        words = [f"{units.count(outcome)} {outcome.value}" for outcome in UnitOutcome]
        words += [] if units.expected is None else [f"{escape_value(units.expected, limit=20)} expected"]
        facts.append(("units", el("span", " · ".join(words))))
    if report.page:
        facts.append(("on the server", el("a", code(report.page, limit=1000), href=report.page)))
    yield el("dl", *(part for name, value in facts for part in (el("dt", name), el("dd", value))))


def _build_notices(report: Report) -> Iterator[Element]:
    if report.sentences:
        yield el("ul", *(el("li", el("bdi", escape(notice, limit=600))) for notice in report.sentences[:_NOTICES]))
    yield from _build_omission(len(report.sentences) - _NOTICES, "warnings")


def _build_weakenings(verdict: Verdict) -> Iterator[Element]:
    if verdict.weakenings is None:
        return
    yield el("p", count_weakenings(verdict))
    items = []
    for item in list_weakenings(verdict):
        line = el("p", code(item.line, limit=5000)) if item.line else None
        word = el("span", item.word, class_=f"mark {_OF_WEAKENINGS.get(item.word, 'warn')}")
        items.append(el("li", word, " ", el("bdi", item.text), line))
    items += [el("li", el("bdi", notice, class_="dim")) for notice in list_notices(verdict)]
    yield el("ul", *items)


def _build_approvals(verdict: Verdict) -> Iterator[Element]:
    if verdict.approvals is None:
        return
    items = []
    for word, line in list_approvals(verdict):
        mark = el("span", word, class_=f"mark {'warn' if word == 'approved' else 'bad'}")
        items.append(el("li", mark, " ", el("bdi", line)))
    yield el("ul", *items)


def _build_checks(report: Report, entries: CheckEntries, outcomes: Sequence[CheckOutcome]) -> Iterator[Element]:
    before = entries.left_out
    for group in group_checks(report.checks):
        chosen: list[Check] = [check for check in group.checks if check.outcome in outcomes]
        yield from entries.group(group, chosen)
    if left_out := entries.left_out - before:
        all_of_them = code(f"{format_command('show', report.verdict.task_id)} --json", limit=400)
        yield el("p", f"Cut here: {left_out:,} more checks; all of them: ", all_of_them, class_="warn")


def _build_notes(found: ReportFindings, diff: Diff) -> Iterator[Element]:
    room, items = SpaceBudget(_NOTED, _OF_NOTED), []
    notes = [
        finding
        for finding in found.listed
        if finding.level is Level.NOTE and not is_problem(finding.check) and finding.check.accounted is None
    ]
    for finding in notes:
        if not room.left:
            break
        item = link(diff.places.get(finding.fingerprint), el("bdi", format_headline(finding)))
        items.append(room.take(el("li", item)))
    if items:
        yield el("p", "Found, but no check fails because of it.", class_="dim")
        yield el("ul", *items)
    yield from _build_omission(len(notes) - len(items) + found.left_out, "findings")


def _build_suppressed(found: ReportFindings) -> Iterator[Element]:
    room, items = SpaceBudget(_NOTED, _OF_NOTED), []
    for finding in found.covered:
        if not room.left or finding.entry is None:
            break
        entry = (
            f"until {finding.entry.expires}, dated {finding.entry.created}: {escape(finding.entry.reason, limit=300)}"
        )
        items.append(room.take(el("li", el("bdi", format_headline(finding)), " ", el("bdi", entry, class_="dim"))))
    if items:
        number = f"{len(found.covered):,}"
        yield el(
            "details", el("summary", f"{number} lint findings that an entry of the baseline covers"), el("ul", *items)
        )
    yield from _build_omission(len(found.covered) - len(items), "findings")


def _build_units(verdict: Verdict, checks: dict[str, str]) -> Iterator[Element]:
    room, items = SpaceBudget(_UNITS, _OF_UNITS), []
    order = (UnitOutcome.REFUTED, UnitOutcome.UNDECIDED, UnitOutcome.SUPPORTED)
    units = sorted(verdict.units.per_unit, key=lambda unit: order.index(unit.outcome))
    for unit in units:
        if not room.left:
            break
        mark, colour = UNIT_MARK[unit.outcome]
        word = el("span", f"{mark} {unit.outcome.value}", class_=f"mark {COLOURS[colour]}")
        name = link(checks.get(unit.check), code(unit.id, limit=300))
        message = el("bdi", f" {escape(unit.message, limit=600)}", class_="dim") if unit.message else None
        items.append(room.take(el("li", word, " ", name, message)))
    if items:
        yield el("ul", *items)
    yield from _build_omission(len(units) - len(items), "units")


def _build_diff(report: Report, diff: Diff) -> Iterator[Element]:
    yield from diff.entries
    yield from _build_omission(diff.left_out, "files")
    if diff.cut:
        yield el("p", "Cut here: the patch is longer than what a report is given.", class_="warn")
    if not diff.entries and report.runs:
        yield el("p", "No patch was published with this verdict.", class_="dim")


def _build_run(report: Report, shown: Viewer) -> Iterator[Element]:
    metadata = report.verdict.metadata
    known = [(name, metadata.get(name)) for name in ("started", "finished", "duration", "host", "gate_version")]
    shown_names = [(name.replace("_", " "), value) for name, value in known if value is not None]
    shown_as = ((name, code(value) if isinstance(value, str) else _build_value(value)) for name, value in shown_names)
    yield el("dl", *(part for name, value in shown_as for part in (el("dt", name), el("dd", value))))
    yield el("h3", "Sandbox")
    yield capability_runs.build_sandboxes(report.runs)
    if (table := capability_runs.build_timings(report.runs)) is not None:
        yield el("h3", "Timings")
        yield table
    if report.runs:
        yield el("h3", "Capabilities")
        yield from capability_runs.build_entries(report.runs, shown.places)


def _build_artifacts(shown: Viewer) -> Iterator[Element]:
    yield from shown.entries
    yield from _build_omission(shown.left_out, "files")


def _build_policy(verdict: Verdict) -> Iterator[Element]:
    thresholds = verdict.policy.get("thresholds")
    rules = sorted(thresholds.items()) if isinstance(thresholds, dict) else []
    digest = verdict.policy.get("digest")
    yield el("h3", "Rules of the profile")
    if digest is not None:
        yield el("p", "digest ", code(str(digest), limit=100))
    yield _build_pairs(rules)
    yield el("h3", "Metrics")
    yield _build_pairs(sorted(verdict.metrics.items()))
    if verdict.verifier is not None:
        yield el("h3", "Verifier")
        yield _build_pairs(sorted(verdict.verifier.items()))


def _build_pairs(pairs: Sequence[tuple[str, object]]) -> Element:
    if not pairs:
        return el("p", "none", class_="dim")
    shown = [
        part
        for name, value in pairs[:200]
        for part in (el("dt", code(str(name), limit=120)), el("dd", _build_value(value)))
    ]
    return el("div", el("dl", *shown), *_build_omission(len(pairs) - 200, "entries"))


def _build_value(value: object) -> Element:
    return code(escape_value(value, limit=2000), limit=10_000)


def _build_omission(number: int, what: str) -> Iterator[Element]:
    if number > 0:
        yield el("p", f"Cut here: {number:,} more {what}.", class_="warn")


def _build_foot(verdict: Verdict) -> Iterator[Element]:
    only = verdict.check("gate.only") is not None
    yield el(
        "p", "Every digest here is SHA-256. What is cited is in ", code(ARTIFACTS_FOLDER), ", next to the verdict."
    )
    if not only:
        yield el(
            "p", "To decide again from the same evidence: ", code(format_command("replay", verdict.task_id), limit=400)
        )
