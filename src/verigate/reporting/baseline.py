"""Render a baseline: its summary in reports, the result of writing it, and the list of its entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verigate.domain.profile import BASELINE_FILE
from verigate.domain.verdict import Verdict
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline, BaselineEntry
    from verigate.domain.baseline_update import BaselineUpdate


def summarise_baseline(verdict: Verdict) -> str:
    """Summarise how many findings the baseline suppresses, and its dates; empty without a baseline."""
    account = verdict.policy.get("baseline")
    return "; ".join(_summary_parts(account)) if isinstance(account, Mapping) else ""


def _summary_parts(account: Mapping[str, Any]) -> Iterator[str]:
    tests = account.get("tests")
    if isinstance(tests, Mapping):
        from verigate.reporting.left_out_tests import known_failure_parts  # imported late: few baselines have tests

        yield from known_failure_parts(tests, _format_date_range(tests.get("created")))
        if not account.get("entries"):
            return
    covered, expired, stale = (account.get(key) for key in ("covered", "expired", "stale"))
    if covered is None:
        yield f"baseline: {_count(account.get('entries'), 'entry', 'entries')}, but no linter ran"
        return
    since, until = _format_date_range(account.get("created")), _format_date_range(account.get("expires"))
    dates = f", dated {since}, expiring {until}" if covered and since and until else ""
    yield f"baseline: {_count(covered, 'lint finding is', 'lint findings are')} left out{dates}"
    if expired:
        yield f"{_count(expired, 'finding counts', 'findings count')} because the entry has expired"
    if stale:
        yield f"{_count(stale, 'finding no longer occurs', 'findings no longer occur')}: gate baseline prune"


def _count(number: Any, one: str, many: str) -> str:
    return f"{number if isinstance(number, int) else 0} {one if number == 1 else many}"


def _format_date_range(ends: Any) -> str:
    """Format the first and the last date; accepts anything, because a verdict may have been edited."""
    dates = [str(date) for date in ends] if isinstance(ends, list) else []
    return " to ".join(dict.fromkeys(dates))


def render_rewrite(
    changed: BaselineUpdate[Any], unbound: int, until: str | None, *, tests: bool = False, dry_run: bool
) -> str:
    """Report what changed in the file; ``until`` is the expiry date of new entries, None if none could be added."""
    lines = _test_lines if tests else _finding_lines
    return (
        "\n".join(
            [
                *_file_lines(changed, dry_run=dry_run),
                *lines(changed, unbound, until),
                *_end_lines(changed, dry_run=dry_run),
            ]
        )
        + "\n"
    )


def _file_lines(changed: BaselineUpdate[Any], *, dry_run: bool) -> Iterator[str]:
    if changed.entries:
        verb = "would write" if dry_run else "wrote"
        yield f"{verb} {BASELINE_FILE}: {_count(len(changed.entries), 'entry', 'entries')}"
    else:
        yield f"there is nothing to suppress, so {BASELINE_FILE} isn't needed"


def _end_lines(changed: BaselineUpdate[Any], *, dry_run: bool) -> Iterator[str]:
    if changed.added and not dry_run:
        yield "commit it on its own, for somebody else to review: gate.judges refuses it together with other work"


def _finding_lines(changed: BaselineUpdate[Any], unbound: int, until: str | None) -> Iterator[str]:
    if changed.added:
        yield f"  {_count(changed.added, 'finding is', 'findings are')} left out until {until}"
    if changed.kept:
        yield f"  {_count(changed.kept, 'finding keeps', 'findings keep')} the date of before"
    if changed.expired:
        renewed = "; --renew gives them a new date" if until else ""
        yield f"  {_count(changed.expired, 'finding counts', 'findings count')}: the entry has expired{renewed}"
    if changed.dropped:
        yield f"  {_count(changed.dropped, 'finding no longer occurs', 'findings no longer occur')} and left the file"
    if unbound:
        yield f"  {_count(unbound, 'finding counts', 'findings count')}: not bound to the content of a line"


def _test_lines(changed: BaselineUpdate[Any], unbound: int, until: str | None) -> Iterator[str]:
    if changed.added:
        yield f"  {_count(changed.added, 'failing test is', 'failing tests are')} left out until {until}"
    if changed.kept:
        yield f"  {_count(changed.kept, 'failing test keeps', 'failing tests keep')} the date of before"
    if changed.expired:
        counts = _count(changed.expired, "failing test counts", "failing tests count")
        yield f"  {counts}: the entry has expired{'; --renew gives them a new date' if until else ''}"
    if changed.dropped:
        yield f"  {_count(changed.dropped, 'test no longer fails', 'tests no longer fail')} and left the file"
    if unbound:
        yield f"  {_count(unbound, 'failing test counts', 'failing tests count')}: not listed by name"


def render_listing(baseline: Baseline | None, most: int) -> str:
    """List at most ``most`` entries, by expiry date."""
    if baseline is None:
        return "there is no baseline; gate baseline write makes one\n"
    lines = [_listing_head(baseline)]
    order = sorted(baseline.entries, key=lambda entry: (entry.expires, entry.key.path, entry.key.rule))
    lines += [format_entry(entry, expired=baseline.has_expired(entry)) for entry in order[:most]]
    if len(order) > most:
        lines.append(f"  … and {len(order) - most} more; all of them: gate baseline show --json")
    if baseline.tests:
        from verigate.reporting.left_out_tests import list_known_failures  # imported late: few baselines have tests

        lines += list_known_failures(baseline, most)
    return "\n".join(lines) + "\n"


def _listing_head(baseline: Baseline) -> str:
    in_force = sum(entry.count for entry in baseline.entries if not baseline.has_expired(entry))
    expired = sum(entry.count for entry in baseline.entries) - in_force
    also = f", and {expired} whose entry has expired" if expired else ""
    return f"{BASELINE_FILE}: {_count(in_force, 'finding is', 'findings are')} left out{also} ({baseline.judged_on})"


def format_entry(entry: BaselineEntry, *, expired: bool) -> str:
    """Format one entry as an escaped line."""
    word = "expired" if expired else "until"
    what = (
        f"{escape(entry.key.path, limit=300)}: {escape(entry.key.tool, limit=60)} {escape(entry.key.rule, limit=100)}"
    )
    times = f" ×{entry.count}" if entry.count > 1 else ""
    return f"  {word} {entry.expires}  {what}{times}  ({escape(entry.reason, limit=200)}, {entry.created})"
