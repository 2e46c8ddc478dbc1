"""Build the section of runs: what ran, how long it took, in which sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verigate.domain.execution import CapabilityRun, Outcome, SandboxReport
from verigate.reporting.escape import escape
from verigate.reporting.html.artifacts import Places
from verigate.reporting.html.elements import Child, Element, SpaceBudget, code, el, link

_MAX_RUNS = 500
_MAX_TOTAL = 1_000_000
_MAX_NAMES = 100
"""Most names listed of one kind."""


def build_timings(runs: Sequence[CapabilityRun]) -> Element | None:
    """Build a table of durations; None if nothing ran."""
    ran = [run for run in runs[:_MAX_RUNS] if run.outcome is not None]
    if not ran:
        return None
    longest = max(duration_s(run) for run in ran) or 1.0
    head = (el("th", "capability", scope="col"), el("th", "seconds", scope="col", class_="number"))
    rows = [el("tr", *head, el("th", "relative to the longest", scope="col"))]
    for run in ran:
        bar = el("meter", min="0", max=f"{longest:.3f}", value=f"{duration_s(run):.3f}", aria_label="time taken")
        took = "cached" if run.cached else f"{duration_s(run):.2f}"
        name = el("th", code(run.capability, limit=120), scope="row")
        rows.append(el("tr", name, el("td", took, class_="number"), el("td", bar)))
    return el("table", el("thead", rows[0]), el("tbody", *rows[1:]), class_="times")


def build_sandboxes(runs: Sequence[CapabilityRun]) -> Element:
    """Build a list of sandboxes, each with the capabilities that ran in it."""
    found: dict[str, list[str]] = {}
    for run in runs[:_MAX_RUNS]:
        if run.sandbox is not None:
            found.setdefault(describe_sandbox(run.sandbox), []).append(run.capability)
    if not found:
        return el("p", "No sandbox is recorded: nothing ran here, or only the verdict is known.", class_="dim")
    return el("ul", *(el("li", f"{words}: ", *_build_names(names)) for words, names in found.items()))


def describe_sandbox(sandbox: SandboxReport) -> str:
    """Describe a sandbox: ``bubblewrap, no network, subject read-only``, and what was unavailable."""
    words = [
        escape(sandbox.mechanism, limit=60),
        "network allowed" if sandbox.network else "no network",
        "subject read-only" if sandbox.read_only else "subject writable in its own checkout",
    ]
    missing = f" (not available: {', '.join(escape(name, limit=60) for name in sandbox.missing)})"
    opened = "; ".join(f"{grant.kind} {escape(grant.what, limit=200)}" for grant in sandbox.granted if grant.opens)
    return ", ".join(words) + (f", opened: {opened}" if opened else "") + (missing if sandbox.missing else "")


def build_entries(runs: Sequence[CapabilityRun], places: Places) -> Iterator[Element]:
    """Build a folded entry for each capability."""
    room = SpaceBudget(_MAX_RUNS, _MAX_TOTAL)
    for number, run in enumerate(runs):
        if not room.left:
            yield el("p", f"Cut here: {len(runs) - number:,} more capabilities.", class_="warn")
            return
        word, style = ("✓ ran", "good") if run.failure is None else ("✗ failed", "bad")
        facts = [part for label, value in _fact_rows(run, places) for part in (el("dt", label), el("dd", *value))]
        head = el("summary", el("span", word, class_=f"mark {style}"), " ", code(run.capability, limit=120))
        body = el("div", el("dl", *facts), class_="body")
        yield room.take(el("details", head, body, open="" if run.failure else None))


def _fact_rows(run: CapabilityRun, places: Places) -> Iterator[tuple[str, Sequence[Child]]]:
    if run.failure is not None:
        yield "failed", (code(run.failure.reason, limit=40), " ", el("bdi", escape(run.failure.message, limit=1000)))
        if run.failure.hint:
            yield "try", (el("bdi", escape(run.failure.hint, limit=600)),)
    yield "weight", ("required" if run.required else "optional",)
    if run.adapter is not None:
        yield "adapter", (code(f"{run.adapter} {run.adapter_version or ''}".rstrip(), limit=200),)
    if run.manifest_digest is not None:
        yield "manifest", (code(run.manifest_digest, limit=80),)
    if run.argv:
        yield "command", (code(" ".join(escape(word, limit=200) for word in run.argv[:40]), limit=4000),)
    if run.outcome is not None:
        yield (
            "ended",
            (f"{_format_end(run.outcome)} after {duration_s(run):.2f} s{' (from the cache)' if run.cached else ''}",),
        )
    if run.sandbox is not None:
        yield "sandbox", (describe_sandbox(run.sandbox),)
    if run.tools_missing:
        yield "tools not found", tuple(_build_names(run.tools_missing))
    if run.subject_changes:
        yield "changed, put back", tuple(_build_names(run.subject_changes))
    if run.artifacts:
        made = sorted(artifact.path for artifact in run.artifacts)
        items = [el("li", link(places.artifacts.get(path), code(path, limit=200))) for path in made[:_MAX_NAMES]]
        yield "wrote", (el("ul", *items, _build_omission(len(made), "li")),)


def _format_end(outcome: Outcome) -> str:
    if outcome.timed_out:
        return "stopped, out of time,"
    return f"signal {outcome.signal}" if outcome.signal is not None else f"exit code {outcome.exit_code}"


def _build_names(names: Sequence[str]) -> Iterator[Child]:
    for number, name in enumerate(names[:_MAX_NAMES]):
        yield ", " if number else None
        yield code(name, limit=200)
    yield _build_omission(len(names), "span")


def _build_omission(number: int, tag: str) -> Element | None:
    return el(tag, f" … and {number - _MAX_NAMES:,} more") if number > _MAX_NAMES else None


def duration_s(run: CapabilityRun) -> float:
    """Duration in seconds, rounded as in run.json: a published verdict gives the same report."""
    return round(run.outcome.duration_s, 6) if run.outcome is not None else 0.0
