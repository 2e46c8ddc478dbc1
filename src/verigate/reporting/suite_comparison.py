"""Render the comparison of a suite inside the sandbox and outside, as text and as a JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from verigate.domain.known_failures import FailureKey
from verigate.domain.suite_comparison import Remedy, SuiteExamination, SuiteResult
from verigate.reporting.escape import escape

_SHOWN = 10


def render_comparison(found: SuiteExamination) -> str:
    """Render the comparison as escaped lines."""
    return "\n".join(_lines(found)) + "\n"


def comparison_document(found: SuiteExamination) -> dict[str, Any]:
    """Return the comparison as ``verigate:suite.v1``."""
    return {
        "schema": "verigate:suite.v1",
        "inside": found.inside.document(),
        "outside": found.outside.document() if found.outside is not None else None,
        "known": found.known,
        "both": [_key(key) for key in found.both],
        "outside_only": [_key(key) for key in found.outside_only],
        "flaky": [_key(key) for key in found.flaky],
        "remedies": [
            {
                "cause": remedy.cause,
                "grant": remedy.grant.document(),
                "by_hand": remedy.by_hand,
                "tests": [_key(key) for key in remedy.tests],
            }
            for remedy in found.remedies
        ],
        "unhelped": [{**_key(item.test), "cause": item.cause} for item in found.unhelped],
        "suite_cause": found.suite_cause,
    }


def _key(key: FailureKey) -> dict[str, str]:
    return {"id": key.id, "path": key.path}


def _lines(found: SuiteExamination) -> Iterator[str]:
    yield _describe("inside ", found.inside)
    if found.known:
        yield f"{_count(found.known, 'known failing test', 'known failing tests')} in the baseline"
    if found.outside is None:
        if not found.is_clean:
            yield "outside: not run, so nobody knows whose failures these are"
            yield from _list(tuple(sorted(found.inside.failing, key=lambda key: key.place)))
        return
    yield _describe("outside", found.outside)
    if found.both:
        yield f"{_count(len(found.both), 'test fails', 'tests fail')} inside and outside: the project's own"
        yield from _list(found.both)
    for remedy in found.remedies:
        yield from _describe_remedy(remedy)
    if found.suite_cause is not None:
        yield "the suite can't run inside, and can outside"
        yield f"  cause   {escape(found.suite_cause, limit=600)}"
    if found.unhelped:
        yield f"{_count(len(found.unhelped), 'test fails', 'tests fail')} inside only, and no grant helps"
        for item in found.unhelped[:_SHOWN]:
            yield f"  {_name(item.test)}"
            yield f"    cause   {escape(item.cause, limit=400)}"
        yield from _more(len(found.unhelped))
    if found.flaky:
        yield f"{_count(len(found.flaky), 'test fails', 'tests fail')} by chance: inside once, and not when run again"
        yield from _list(found.flaky)
    if found.outside_only:
        yield f"{_count(len(found.outside_only), 'test fails', 'tests fail')} outside only"
        yield from _list(found.outside_only)


def _describe_remedy(remedy: Remedy) -> Iterator[str]:
    grant = remedy.grant
    yield f"{_count(len(remedy.tests), 'test fails', 'tests fail')} inside only: {escape(remedy.cause, limit=400)}"
    yield from _list(remedy.tests)
    mode = f" ({grant.mode})" if grant.mode else ""
    hand = "; it may be a secret, so add it by hand" if remedy.by_hand else ""
    yield f"  proven  they pass with {grant.kind} {escape(grant.what, limit=300)}{mode}{hand}"


def _describe(where: str, result: SuiteResult) -> str:
    if result.problem is not None:
        return f"{where}  no result: {escape(result.problem, limit=600)}"
    return (
        f"{where}  {result.passed} passed, {result.failed} failed, {result.skipped} skipped in {result.seconds:.1f} s"
    )


def _list(keys: Sequence[FailureKey]) -> Iterator[str]:
    for key in keys[:_SHOWN]:
        yield f"  {_name(key)}"
    yield from _more(len(keys))


def _more(number: int) -> Iterator[str]:
    if number > _SHOWN:
        yield f"  … and {number - _SHOWN} more; all of them with --json"


def _name(key: FailureKey) -> str:
    place = f" ({escape(key.path, limit=200)})" if key.path else ""
    return f"{escape(key.id, limit=300)}{place}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
