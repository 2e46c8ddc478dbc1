"""Explain one check: the rule, expected and actual value, the cited lines of evidence, how to reproduce it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.rules import RULES
from verigate.domain.standard_artifacts import BY_PATH, BY_SPEC
from verigate.domain.verdict import SOURCE, Check, EvidenceRef, Verdict, shorten_cited
from verigate.formats import pointer as json_pointer
from verigate.reporting.addresses import address_reason
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape, escape_value, quote_for_shell
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.grouping import CAPABILITIES, group_name, short_name
from verigate.reporting.layout import MIN_WIDTH, cut, wrap
from verigate.reporting.outcome_style import CHECK_MARK
from verigate.reporting.palette import Palette
from verigate.reporting.reasons import REASONS
from verigate.reporting.text import format_command, format_evidence, inspect_command, verify_command

if TYPE_CHECKING:
    from verigate.reporting.findings import ReportFinding

MAX_LINES = 40
"""Most lines shown of one piece of evidence, or of one finding's message."""

MAX_FINDINGS = 200
"""Most findings shown of one check."""


class Excerpt(Struct, frozen=True):
    """The lines of an artifact that a piece of evidence cites.

    ``lines`` are unescaped; ``left_out`` counts the omitted lines after them. ``agrees`` is False if the artifact now
    differs from what the verdict cites; ``note`` then says how.
    """

    ref: EvidenceRef
    lines: tuple[str, ...] = ()
    left_out: int = 0
    agrees: bool = True
    note: str = ""


def excerpt_value(ref: EvidenceRef, value: Any, *, max_lines: int = MAX_LINES) -> Excerpt:
    """Excerpt the lines at ``ref.pointer`` of an artifact's parsed ``value``, compared with what the verdict cites."""
    try:
        found = json_pointer.resolve(value, ref.pointer)
    except (LookupError, ValueError):
        return Excerpt(ref, agrees=False, note="the artifact no longer has a value at this pointer")
    # Whole artifacts are cited without a value: their digest stands for it.
    agrees = (ref.value is None and not ref.pointer) or _is_cited_value(found, ref.value)
    note = "" if agrees else "the artifact now differs from what the verdict cites"
    return excerpt_text(ref, _indent_json(found), max_lines=max_lines, agrees=agrees, note=note)


def _is_cited_value(found: Any, cited: Any) -> bool:
    try:
        now = shorten_cited(found)
    except RecursionError:
        return False
    return type(now) is type(cited) and bool(now == cited)


def excerpt_text(
    ref: EvidenceRef, text: str, *, max_lines: int = MAX_LINES, agrees: bool = True, note: str = ""
) -> Excerpt:
    """Excerpt the first lines of an artifact that isn't JSON (a patch)."""
    # Not splitlines(): a form feed or U+2028 inside a line must not hide what follows it.
    lines = text.removesuffix("\n").split("\n")
    return Excerpt(ref, tuple(lines[:max_lines]), max(len(lines) - max_lines, 0), agrees, note)


def _indent_json(value: Any) -> str:
    try:
        return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return escape_value(value, limit=2000)


def render_explanation(
    check: Check,
    verdict: Verdict,
    evidence_lines: Sequence[Excerpt] = (),
    *,
    findings: Sequence[ReportFinding] = (),
    colour: bool = False,
    width: int = 100,
    documentation: str = "",
) -> str:
    """Render ``check`` as text. Evidence without an excerpt in ``evidence_lines`` is shown as the verdict cites it.

    ``findings`` are those of the check, each shown with its whole message. ``documentation`` is the address of a site
    that has a page about the reason.
    """
    lines = _explanation_lines(
        check, verdict, evidence_lines, findings, Palette(colour), max(width, MIN_WIDTH), documentation
    )
    return "\n".join(lines) + "\n"


def render_support(verdict: Verdict, checks: Sequence[Check], *, colour: bool = False, width: int = 100) -> str:
    """Render the checks that a pass rests on, a line each, and how to explain one of them."""
    palette = Palette(colour)
    task = quote_for_shell(verdict.task_id)
    lines = [f"{escape(verdict.task_id, limit=100)} passes: no check prevents it, and these hold", ""]
    for check in checks:
        mark, style = CHECK_MARK[check.outcome]
        first = f"{escape(check.id, limit=200)}  {escape(check.message, limit=300)}".rstrip()
        lines += [f"{palette.paint(mark, style)} {cut(first, max(width, MIN_WIDTH) - 2)}"]
    return "\n".join([*lines, "", f"gate explain {task} CHECK explains one of them"]) + "\n"


def _explanation_lines(  # noqa: PLR0917 - the parts of one text
    check: Check,
    verdict: Verdict,
    excerpts: Sequence[Excerpt],
    findings: Sequence[ReportFinding],
    palette: Palette,
    width: int,
    documentation: str,
) -> Iterator[str]:
    mark, style = CHECK_MARK[check.outcome]
    words = f"{check.outcome.value.replace('_', ' ')} {escape(check.reason or '', limit=40)}".strip()
    yield f"{palette.paint(mark, style)} {escape(check.id, limit=200)}  {palette.paint(words, style)}"
    if check.message:
        yield from wrap(escape(check.message, limit=2000), width, indent="  ")
    yield ""
    yield from _format_field("rule", _describe_rule(check, verdict), width)
    yield from _format_field("expected", escape_value(check.expected, limit=600), width)
    yield from _format_field("actual", escape_value(shown_actual(check), limit=600), width)
    if check.reason is not None and check.reason in REASONS:
        # Not wrapped: an address stays one.
        address = address_reason(check.reason, documentation)
        yield f"  {'settle':<10}gate explain {check.reason}{address and f', or {address}'}"
    if not check.holds_back:
        yield from _format_field("weight", "reported only; it doesn't hold the verdict back", width)
    own = [finding for finding in findings if finding.message != check.message or finding.path]
    if own:
        yield ""
        yield palette.paint("found", "bold")
        for finding in own[:MAX_FINDINGS]:
            yield from _finding_lines(finding, palette, width)
        if len(own) > MAX_FINDINGS:
            yield f"  … and {len(own) - MAX_FINDINGS:,} more: {format_command('show', verdict.task_id)} --verbose"
    yield ""
    yield palette.paint("evidence", "bold")
    if not check.evidence:
        yield "  none: no fact decides this" if check.reason else "  none is cited"
    by_ref = {id(item.ref): item for item in excerpts}
    for ref in check.evidence[:MAX_LINES]:
        found = by_ref.get(id(ref)) or next((item for item in excerpts if item.ref == ref), None)
        yield from _evidence_lines(ref, found, palette, width)
    if len(check.evidence) > MAX_LINES:
        yield f"  … and {len(check.evidence) - MAX_LINES} more"
    yield ""
    yield palette.paint("reproduce", "bold")
    if group_name(check.id) == CAPABILITIES:
        yield f"  {inspect_command(check, verdict.task_id)}"
    yield from (f"  {line}" for line in reproduce_commands(check, verdict))


def _finding_lines(finding: ReportFinding, palette: Palette, width: int) -> Iterator[str]:
    lines = finding.message.strip("\n").split("\n")
    yield from wrap(format_headline(finding), width, indent=" " * 6, first="  ", max_lines=8)
    # Cut lines instead of wrapping them: source and differences must stay readable.
    yield from (
        palette.paint(cut(f"    │ {escape(line.rstrip(), limit=width * 2)}", width).rstrip(), "dim")
        for line in lines[1 : MAX_LINES + 1]
    )
    if len(lines) > MAX_LINES + 1:
        yield f"    │ … and {len(lines) - MAX_LINES - 1} more lines"


def _format_field(label: str, text: str, width: int) -> list[str]:
    return wrap(text, width, indent=" " * 12, first=f"  {label:<10}", max_lines=8)


def _describe_rule(check: Check, verdict: Verdict) -> str:
    group, name = group_name(check.id), short_name(check.id).split(":", 1)[0]
    profile = escape(str(verdict.policy.get("profile", "none")), limit=60)
    thresholds = verdict.policy.get("thresholds")
    if name in RULES and RULES[name].domain == group and isinstance(thresholds, dict) and name in thresholds:
        reads = ", ".join(BY_SPEC[spec].path for spec in RULES[name].reads if spec in BY_SPEC)
        reading = f", reads {reads}" if reads else ""
        return f"{name}: {escape_value(thresholds[name], limit=200)} (profile {profile}{reading})"
    fixed = {
        CAPABILITIES: "a planned capability must leave valid artifacts",
        "unit": "each claimed unit must be supported by a fact",
        "units": "the claim must cover what was committed to",
        "weakening": "what is checked less than before must be accounted for",
        "claim": "a claim must be there, well formed and about this task",
        "gate": "a check of the gate itself; no profile can disable it",
    }
    return fixed.get(group, f"rule {escape(check.id, limit=200)} of profile {profile}")


def _evidence_lines(ref: EvidenceRef, found: Excerpt | None, palette: Palette, width: int) -> Iterator[str]:
    if found is None or not found.lines:
        yield cut(f"  {format_evidence(ref)}", width)
    else:
        yield cut(f"  {escape(ref.artifact, limit=120)} {escape(ref.pointer, limit=200)}".rstrip(), width)
        # Cut lines instead of wrapping them: the indentation of JSON must stay readable.
        for line in found.lines:
            yield palette.paint(cut(f"    │ {escape(line, limit=width * 2)}", width), "dim")
        if found.left_out:
            yield f"    │ … and {found.left_out} more lines"
    if found is not None and not found.agrees:
        yield palette.paint(cut(f"    {escape(found.note)}", width), "red")


def reproduce_commands(check: Check, verdict: Verdict) -> tuple[str, ...]:
    """Commands that show a check again, quoted for a shell: from the published evidence, then by running its tools."""
    lines = [format_command("replay", verdict.task_id)]
    if check.source == SOURCE:
        # Another run asks the model again; only the replay shows this answer.
        return (*lines, verify_command(verdict))
    producers = quote_for_shell(",".join(sorted(set(_list_producers(check)))))
    verify = verify_command(verdict)
    lines.append(f"{verify} --only {producers}" if producers not in {None, "''"} else verify)
    return tuple(lines)


def _list_producers(check: Check) -> Iterable[str]:
    if group_name(check.id) == CAPABILITIES:
        yield short_name(check.id)
    for ref in check.evidence:
        if ref.artifact in BY_PATH:
            yield BY_PATH[ref.artifact].capability
