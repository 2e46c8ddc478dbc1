"""Summarise the failing tests that don't count: known ones in the baseline, and those that configuration deselects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from verigate.domain.verdict import Verdict
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.domain.baseline import Baseline

_SHOWN = 5


def summarise_deselected(verdict: Verdict) -> str:
    """Summarise the deselected tests; empty without any."""
    account = verdict.policy.get("deselected")
    return "; ".join(_deselected_parts(account)) if isinstance(account, Mapping) else ""


def _deselected_parts(account: Mapping[str, Any]) -> Iterator[str]:
    """Describe the tests; accepts anything, because a verdict may have been edited."""
    failing = account.get("failing")
    tests = account.get("tests")
    listed = [each for each in tests if isinstance(each, Mapping)] if isinstance(tests, list) else []
    shown = ", ".join(f"{each.get('test')} ({each.get('reason')})" for each in listed[:_SHOWN])
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    yield f"deselected: {count(failing, 'failing test does not count', 'failing tests do not count')}" + (
        f": {shown}{more}" if shown else ""
    )
    if account.get("expired"):
        yield f"{count(account['expired'], 'entry has expired', 'entries have expired')}"
    if account.get("passing"):
        yield f"{count(account['passing'], 'test passes', 'tests pass')}, and the entry can go"
    if account.get("absent"):
        yield f"{count(account['absent'], 'entry names no test', 'entries name no test')}"


def known_failure_parts(account: Mapping[str, Any], created: str) -> Iterator[str]:
    """Describe the known failing tests of a baseline; ``created`` are the dates of its entries, formatted."""
    covered = account.get("covered")
    if covered is None:
        yield f"{count(account.get('entries'), 'known failing test', 'known failing tests')}, but no test ran"
        return
    since = f" (baseline of {created})" if created else ""
    yield f"{count(covered, 'known failing test', 'known failing tests')}{since}"
    touched = account.get("touched")
    if isinstance(touched, list) and touched:
        yield f"{count(len(touched), 'test counts', 'tests count')} because the change touches it"
    if account.get("expired"):
        yield f"{count(account['expired'], 'test counts', 'tests count')} because the entry has expired"
    if account.get("passing"):
        pass_again = count(account["passing"], "test passes again or is gone", "tests pass again or are gone")
        yield f"{pass_again}: gate baseline prune --tests"


def list_known_failures(baseline: Baseline, most: int) -> Iterator[str]:
    """List at most ``most`` known failing tests, by expiry date, as escaped lines."""
    order = sorted(baseline.tests, key=lambda entry: (entry.expires, entry.key.place))
    yield count(len(order), "known failing test", "known failing tests")
    for entry in order[:most]:
        word = "expired" if baseline.has_expired(entry) else "until"
        place = f" in {escape(entry.key.path, limit=300)}" if entry.key.path else ""
        why = f"({escape(entry.reason, limit=200)}, {entry.created})"
        yield f"  {word} {entry.expires}  {escape(entry.key.id, limit=300)}{place}  {why}"
    if len(order) > most:
        yield f"  … and {len(order) - most} more; all of them: gate baseline show --json"


def count(number: Any, one: str, many: str) -> str:
    """Format a number with its noun; 0 for what is no number."""
    return f"{number if isinstance(number, int) else 0} {one if number == 1 else many}"
