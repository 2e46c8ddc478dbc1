"""Render a verdict as text for people: one screen, problems first, each with evidence and the next command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from verigate.domain.policy_source import POLICY_OPTION
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, UnitOutcome, Units, Verdict
from verigate.reporting.artifact_summaries import Finding, summarise_artifacts
from verigate.reporting.common_cause import group_by_cause
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape, escape_value, quote_for_shell
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.grouping import CAPABILITIES, UNITS, Group, group_checks, group_name, is_problem, short_name
from verigate.reporting.layout import MIN_WIDTH, cut, pad, wrap
from verigate.reporting.outcome_style import CHECK_MARK, STATUS_STYLE, UNIT_MARK
from verigate.reporting.palette import Palette
from verigate.reporting.report import ADVISORY, Report
from verigate.reporting.status_summary import explain_status
from verigate.reporting.subject_names import render_subject

if TYPE_CHECKING:
    from verigate.reporting.findings import ReportFinding

_PROBLEMS_SHOWN = 8
_MESSAGE_LINES = 4  # the command that brings what is missing fits, also with a long path
_UNIT_LINES = 2
_EVIDENCE_SHOWN = 4
_FINDINGS_SHOWN = 5
_FINDING_LINES = 3
_NUMBER_LINES = 2
_VERBOSE_LIMIT = 1000
"""Limit of a verbose report: a hostile claim may have a million units."""

_TITLES = {"capability": "capabilities"}
OUTCOME_WORDS = (
    (CheckOutcome.HOLDS, "hold"),
    (CheckOutcome.REFUTED, "refuted"),
    (CheckOutcome.UNKNOWN, "unknown"),
    (CheckOutcome.ERROR, "in error"),
    (CheckOutcome.NOT_APPLICABLE, "not applicable"),
)


def render(report: Report, *, colour: bool, width: int, verbose: bool = False) -> str:
    """Render a verdict in lines of at most ``width`` terminal cells (40 or more).

    ``verbose`` adds the checks that hold, in full, and raises the limits.
    """
    return "\n".join(_Text(report, Palette(colour), max(width, MIN_WIDTH), verbose).lines()) + "\n"


class _Text:
    def __init__(self, report: Report, palette: Palette, width: int, verbose: bool) -> None:
        verdict = report.verdict
        self._report = report
        self._verdict = verdict
        self._palette = palette
        self._width = width
        self._verbose = verbose
        self._room = _VERBOSE_LIMIT if verbose else _PROBLEMS_SHOWN
        # A verdict with this check is never published, so it can't be shown or explained afterwards.
        self._only = verdict.check("gate.only") is not None
        self._crashed = not verbose and any(
            check.outcome is CheckOutcome.ERROR and group_name(check.id) == CAPABILITIES for check in verdict.checks
        )
        # That tests don't run any more may follow from what makes the suite fail.
        self._suite_fails = any(
            check.outcome is CheckOutcome.REFUTED and short_name(check.id) == "tests_pass" for check in verdict.checks
        )
        self._listed, self._warnings = _list_findings(report)

    def lines(self) -> Iterator[str]:
        """Every line of the report."""
        yield from self._head()
        yield from self._weakenings()
        yield from self._approvals()
        groups = [group for group in group_checks(self._verdict.checks) if group.name != UNITS]
        for group in sorted(groups, key=lambda group: not group.problems):
            yield from self._group(group)
        yield from self._units(self._verdict.units)
        yield from self._render_warnings()
        yield from self._foot()

    def _head(self) -> Iterator[str]:
        verdict, paint = self._verdict, self._palette.paint
        profile = escape(str(verdict.policy.get("profile", "none")), limit=60)
        status = verdict.status.value.upper()
        weaker = ""
        if verdict.weakenings is not None:
            from verigate.reporting.weakenings import summarise_weakenings  # imported late: few changes weaken anything

            weaker = summarise_weakenings(verdict, short=True)
            weaker = f"{weaker} · " if weaker else ""
        if verdict.approvals is not None:
            from verigate.reporting.approvals import summarise_approvals  # imported late: few changes are approved

            approved = summarise_approvals(verdict, short=True)
            weaker = f"{approved} · {weaker}" if approved else weaker
        rest = (
            f"{weaker}{escape(verdict.task_id, limit=64)} · type {escape(verdict.type, limit=60)} · profile {profile}"
        )
        yield f"{paint(status, *STATUS_STYLE[verdict.status])}  {cut(rest, self._width - len(status) - 2)}"
        yield paint(cut(f"  {explain_status(verdict)}", self._width), "dim")
        if self._report.page:
            # Not cut: it is to be opened.
            yield paint(f"  {self._report.page}", "dim")
        if self._report.advisory:
            yield paint(cut(f"  {ADVISORY}", self._width), "yellow")
        if "baseline" in verdict.policy:
            from verigate.reporting.baseline import summarise_baseline  # imported late: only needed with a baseline

            # Wrapped, not cut: it ends with a date.
            yield from (
                paint(line, "yellow") for line in wrap(escape(summarise_baseline(verdict)), self._width, indent="  ")
            )
        if "deselected" in verdict.policy:
            from verigate.reporting.left_out_tests import summarise_deselected  # imported late, as above

            left_out = escape(summarise_deselected(verdict), limit=2000)
            yield from (paint(line, "yellow") for line in wrap(left_out, self._width, indent="  "))
        if "sandbox" in verdict.policy:
            from verigate.reporting.grants import summarise_grants  # imported late: most repositories grant nothing

            opened = escape(summarise_grants(verdict), limit=2000)
            yield from (paint(line, "yellow") for line in wrap(opened, self._width, indent="  "))
        if "unchecked" in verdict.policy:
            from verigate.reporting.unchecked import summarise_unchecked  # imported late: most plans leave nothing out

            unchecked = escape(summarise_unchecked(verdict), limit=2000)
            yield from (paint(line, "yellow") for line in wrap(unchecked, self._width, indent="  "))
        yield from self._origins()
        if verdict.verifier is not None:
            from verigate.reporting.verifier import (
                summarise_verifier as asked,
            )  # imported late: only needed with a verifier

            yield from (paint(line, "dim") for line in wrap(escape(asked(verdict.verifier)), self._width, indent="  "))
        if subject := render_subject(verdict):
            yield from (paint(line, "dim") for line in wrap(subject, self._width, indent="  "))
        if numbers := summarise_artifacts(self._report.artifacts.values()):
            shown = " · ".join(summary.text for summary in numbers)
            yield from wrap(shown, self._width, indent="  ", max_lines=0 if self._verbose else _NUMBER_LINES)

    def _origins(self) -> Iterator[str]:
        """Say which ref the policy is of, what the change is compared with, and which submodules it moves."""
        verdict = self._verdict
        found: list[tuple[str, str]] = []
        if "ref" in verdict.policy:
            from verigate.reporting import policy_source  # imported late: few repositories name a ref

            found += [
                (policy_source.summarise_source(verdict), "dim"),
                (policy_source.summarise_base(verdict), "dim"),
                (policy_source.summarise_tried(verdict), "yellow"),
            ]
        if "submodules" in verdict.subject:
            from verigate.reporting.submodules import summarise_submodules  # imported late: few changes move one

            found += [(sentence, "yellow") for sentence in summarise_submodules(verdict)]
        for text, style in found:
            if not text:
                continue
            for line in wrap(escape(text, limit=2000), self._width, indent="  "):
                yield self._palette.paint(line, style)

    def _weakenings(self) -> Iterator[str]:
        if self._verdict.weakenings is None:
            return
        from verigate.reporting.weakenings import (  # imported late, as above
            count_weakenings,
            list_notices,
            list_weakenings,
        )

        most = _VERBOSE_LIMIT if self._verbose else _PROBLEMS_SHOWN
        listed = list_weakenings(self._verdict)
        follow = [item for item in listed if item.follows and self._suite_fails]
        listed = [item for item in listed if item not in follow]
        yield ""
        yield f"{self._palette.paint('weakened', 'bold')}  {count_weakenings(self._verdict)}"
        for item in listed[:most]:
            yield from wrap(item.text, self._width, indent=" " * 14, first=f"  {pad(item.word, 10)}  ", max_lines=4)
            if item.line:
                # Neither wrapped nor cut: it is there to be pasted.
                yield f"      {item.line}"
        if len(listed) > most:
            yield f"  … and {len(listed) - most:,} more: {self._command('show')} --verbose"
        if follow:
            number = f"{len(follow)} tests don't" if len(follow) > 1 else "1 test doesn't"
            yield from wrap(f"{number} run any more; repair what fails first", self._width, indent="  ", first="  ")
        for notice in list(list_notices(self._verdict))[:_PROBLEMS_SHOWN]:
            yield from wrap(notice, self._width, indent="    ", first="  ", max_lines=3)

    def _approvals(self) -> Iterator[str]:
        if self._verdict.approvals is None:
            return
        from verigate.reporting.approvals import list_approvals  # imported late, as above

        yield ""
        yield self._palette.paint("approvals", "bold")
        for word, line in list(list_approvals(self._verdict))[: _VERBOSE_LIMIT if self._verbose else _PROBLEMS_SHOWN]:
            yield from wrap(line, self._width, indent=" " * 14, first=f"  {pad(word, 10)}  ", max_lines=6)

    def _group(self, group: Group) -> Iterator[str]:
        yield ""
        yield self._palette.paint(escape(_TITLES.get(group.name, group.name), limit=40), "bold")
        yield from self._problems(group)
        calm = [check for check in group.checks if not is_problem(check)]
        if not self._verbose:
            yield from self._calm(calm)
            return
        for check in calm[:_VERBOSE_LIMIT]:
            yield self._title(check)
            yield from self._facts(check)

    def _problems(self, group: Group) -> Iterator[str]:
        after_crash = [check for check in group.problems if self._crashed and _lacks_facts(check)]
        problems = [check for check in group.problems if check not in after_crash]
        problems.sort(key=lambda check: self._suite_fails and short_name(check.id) == "integrity")
        shown = problems[: self._room]
        self._room -= len(shown)
        for check, *others in group_by_cause(shown, {name for name, found in self._listed.items() if found}):
            yield from self._problem(check, others)
        if left_out := len(problems) - len(shown):
            all_of_them = "the same with --json" if self._only else f"{self._command('show')} --json"
            yield f"  … and {left_out} more problems; all of them: {all_of_them}"
        yield from self._render_undecided(after_crash)

    def _render_undecided(self, checks: Sequence[Check]) -> Iterator[str]:
        """Show checks that lack facts because a capability crashed: a line for each reason."""
        by_message: dict[str, list[str]] = {}
        for check in checks:
            by_message.setdefault(check.message, []).append(escape(short_name(check.id), limit=60))
        mark, style = CHECK_MARK[CheckOutcome.UNKNOWN]
        for message, names in list(by_message.items())[:_PROBLEMS_SHOWN]:
            head = f"  {self._palette.paint(mark, style)} "
            text = f"{', '.join(names)}: {escape(message, limit=300)}"
            yield from wrap(text, self._width, indent="    ", first=head, max_lines=3)

    def _calm(self, checks: list[Check]) -> Iterator[str]:
        for outcome, label in ((CheckOutcome.HOLDS, ""), (CheckOutcome.NOT_APPLICABLE, "not applicable: ")):
            names = [escape(short_name(check.id), limit=60) for check in checks if check.outcome is outcome]
            if names:
                mark, style = CHECK_MARK[outcome]
                head = f"  {self._palette.paint(mark, style)} "
                yield from wrap(label + ", ".join(names), self._width, indent="    ", first=head, max_lines=3)

    def _problem(self, check: Check, others: Sequence[Check] = ()) -> Iterator[str]:
        yield self._title(check)
        if others:
            names = ", ".join(escape(short_name(other.id), limit=60) for other in others)
            yield from wrap(f"and {names}, for the same cause", self._width, indent="      ", max_lines=3)
        if check.message:
            limit = 0 if self._verbose else _MESSAGE_LINES
            yield from wrap(escape(check.message, limit=500), self._width, indent="      ", max_lines=limit)
        found = self._listed.get(check.id, ())
        yield from self._findings(found, "" if self._only else inspect_command(check, self._verdict.task_id))
        if found and not self._verbose:
            # The findings say what was expected and found.
            yield from (cut(f"      evidence  {format_evidence(ref)}", self._width) for ref in check.evidence[:1])
        elif self._verbose or group_name(check.id) != CAPABILITIES:
            yield from self._facts(check)
        if self._only:
            yield f"      reproduce {verify_command(self._verdict)}"
        else:
            command = inspect_command(check, self._verdict.task_id)
            yield f"      {pad(command.split()[1], 8)}  {command}"

    def _findings(self, found: Sequence[ReportFinding], all_of_them: str) -> Iterator[str]:
        most = _VERBOSE_LIMIT if self._verbose else _FINDINGS_SHOWN
        for finding in found[:most]:
            yield from wrap(
                format_headline(finding), self._width, indent=" " * 10, first=" " * 6, max_lines=_FINDING_LINES
            )
        if len(found) > most:
            yield f"      … and {len(found) - most:,} more{f': {all_of_them}' if all_of_them else ''}"

    def _render_warnings(self) -> Iterator[str]:
        if self._warnings:
            yield ""
            counted = cut(f"{len(self._warnings):,}, no check fails because of them", self._width - 10)
            yield f"{self._palette.paint('warnings', 'bold')}  {counted}"
            yield from self._findings(self._warnings, "" if self._only else f"{self._command('show')} --verbose")

    def _title(self, check: Check) -> str:
        mark, style = CHECK_MARK[check.outcome]
        name = cut(escape(short_name(check.id), limit=200), self._width // 2)
        words = [check.outcome.value.replace("_", " ")]
        if check.reason:
            words.append(escape(check.reason, limit=40))
        if not check.holds_back:
            words.append("(reported only)")
        return f"  {self._palette.paint(mark, style)} {pad(name, 22)}  {self._palette.paint(' '.join(words), style)}"

    def _facts(self, check: Check) -> Iterator[str]:
        for label, value in (("expected", check.expected), ("actual", shown_actual(check))):
            if value is not None:
                yield cut(f"      {pad(label, 8)}  {escape_value(value)}", self._width)
        shown = check.evidence if self._verbose else check.evidence[:_EVIDENCE_SHOWN]
        for number, ref in enumerate(shown):
            yield cut(f"      {'evidence' if number == 0 else '        '}  {format_evidence(ref)}", self._width)
        if left_out := len(check.evidence) - len(shown):
            yield f"                … and {left_out} more"

    def _units(self, units: Units) -> Iterator[str]:
        if not units.per_unit and units.expected is None:
            return
        expected = "" if units.expected is None else f" · {units.expected} expected"
        yield ""
        said = sum(unit.id.startswith("statement:") for unit in units.per_unit)
        statements = f" · {said} statement{'s' if said > 1 else ''}" if said else ""
        yield f"{self._palette.paint('units', 'bold')}  {len(units.per_unit) - said} judged{expected}{statements}"
        for outcome in UnitOutcome:
            mark, style = UNIT_MARK[outcome]
            shown = [unit for unit in units.per_unit if unit.outcome is outcome]
            if not shown:
                continue
            names = ", ".join(escape(unit.id, limit=120) for unit in shown[:_VERBOSE_LIMIT])
            head = f"  {self._palette.paint(mark, style)} {pad(outcome.value, 9)} {len(shown):>4}  "
            limit = 0 if self._verbose else _UNIT_LINES
            yield from wrap(names, self._width, indent=" " * 20, first=head, max_lines=limit)
        for group in group_checks(self._verdict.checks):
            if group.name == UNITS:
                yield from self._problems(group)

    def _foot(self) -> Iterator[str]:
        verdict = self._verdict
        counts = {outcome: 0 for outcome, _ in OUTCOME_WORDS}
        for check in verdict.checks:
            counts[check.outcome] += 1
        counted = [f"{counts[outcome]} {word}" for outcome, word in OUTCOME_WORDS if counts[outcome]]
        codes = sorted({escape(reason.code, limit=40) for reason in verdict.reasons})
        yield ""
        yield f"{self._palette.paint('checks', 'bold')}  {' · '.join(counted) if counted else 'none'}"
        if codes:
            yield from wrap(", ".join(codes[:20]), self._width, indent="         ", first="reasons  ", max_lines=3)
        if (duration := verdict.metadata.get("duration")) is not None:
            yield self._palette.paint(cut(f"took     {escape_value(duration, limit=20)} s", self._width), "dim")
        if self._only:
            yield f"next     nothing was published; to explain it, run: {verify_command(verdict)}"

    def _command(self, name: str, check: str | None = None) -> str:
        return format_command(name, self._verdict.task_id, check)


def _lacks_facts(check: Check) -> bool:
    return check.outcome is CheckOutcome.UNKNOWN and check.reason == "ARTIFACT_MISSING"


def _list_findings(report: Report) -> tuple[Mapping[str, Sequence[ReportFinding]], Sequence[ReportFinding]]:
    """List the findings of each problem by check id, and those that no check fails because of."""
    problems = any(is_problem(check) for check in report.verdict.checks)
    if not problems and not any(
        summary.found is not Finding.NONE for summary in summarise_artifacts(report.artifacts.values())
    ):
        return {}, ()
    from verigate.reporting.findings import collect_findings, is_warning  # imported late: only where something is found

    found = collect_findings(report)
    own = {
        check_id: [finding for finding in listed if finding.message != finding.check.message or finding.path]
        for check_id, listed in found.by_check().items()
    }
    return own, [finding for finding in found.listed if is_warning(finding)]


def format_evidence(ref: EvidenceRef) -> str:
    """Format ``artifact pointer = value`` as one bounded line; an artifact cited as a whole by its digest."""
    artifact = escape(ref.artifact, limit=120)
    if not ref.pointer and ref.value is None:
        return f"{artifact} (sha256 {escape(ref.sha256[:12])})"
    return f"{artifact} {escape(ref.pointer, limit=120) or '(whole)'} = {escape_value(ref.value, limit=200)}"


def format_command(name: str, task_id: str, check: str | None = None) -> str:
    """Format ``gate <name> <task> [check]``, quoted for a shell; omits a check id that can't be quoted exactly."""
    words = [word for word in (task_id, check) if word is not None]
    quoted = [quote_for_shell(word) for word in words]
    return " ".join(["gate", name, *(word for word in quoted if word is not None)])


def inspect_command(check: Check, task_id: str) -> str:
    """Format the command that shows more of a problem: ``gate output`` for a capability, else ``gate explain``."""
    if group_name(check.id) == CAPABILITIES:
        return format_command("output", task_id, short_name(check.id))
    return format_command("explain", task_id, check.id)


def verify_command(verdict: Verdict) -> str:
    """Format the ``gate verify`` command that leads to this verdict: the task, unless implicit, and the subject.

    A verdict has the tree of a commit, not its name: the user fills in COMMIT.
    """
    words = ["gate verify"] if verdict.task_id == IMPLICIT_TASK_ID else [format_command("verify", verdict.task_id)]
    subject = {"index": "--staged", "commit": "--ref COMMIT"}.get(str(verdict.subject.get("kind")))
    ref = verdict.policy.get("ref")
    named = (
        quote_for_shell(str(ref.get("name"))) if isinstance(ref, Mapping) and ref.get("by") == POLICY_OPTION else None
    )
    return " ".join([*words, *([subject] if subject else []), *([POLICY_OPTION, named] if named else [])])
