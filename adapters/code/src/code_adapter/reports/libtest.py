"""Parse libtest's ``--format json``, one event a line. Source: rust-lang/rust, library/test/src/formatters/json.rs."""

from __future__ import annotations

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes, check_count
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, count_of, parse_json_object, reject_malformed

_OUTCOMES: dict[str, Outcome] = {"ok": "passed", "failed": "failed", "ignored": "skipped", "timeout": "failed"}


@reject_malformed
def parse_libtest(raw: bytes, tool: str) -> tuple[Outcomes, int]:
    """Return all tests and the number of suites. Other lines are output of tests and are skipped.

    Raises ReportInvalid for a suite that didn't end, or whose totals differ from its tests.
    """
    cases: list[Case] = []
    suites = 0
    running: int | None = None
    since = 0
    duration = 0.0
    for line in check_size(raw, tool).splitlines():
        if not line.startswith(b'{ "type":') and not line.startswith(b'{"type":'):
            continue
        event = parse_json_object(line, tool)
        kind, what = event.get("type"), event.get("event")
        if kind == "suite" and what == "started":
            if running is not None:
                raise ReportInvalid(f"{tool} started a test program before the previous one had ended")
            running, since = count_of(event.get("test_count"), "test_count", tool), len(cases)
            suites += 1
        elif kind == "suite" and what in {"ok", "failed"}:
            if running is None:
                raise ReportInvalid(f"{tool} ended a test program that it had not started")
            listed = Outcomes(tuple(cases[since:]))
            check_count(tool, running, len(listed.cases), "tests in a program")
            check_count(tool, count_of(event.get("passed"), "passed", tool), listed.passed, "passed tests")
            check_count(tool, count_of(event.get("failed"), "failed", tool), listed.failed, "failed tests")
            check_count(tool, count_of(event.get("ignored"), "ignored", tool), listed.skipped, "ignored tests")
            duration += float(event.get("exec_time") or 0)
            running = None
        elif kind == "test" and what in _OUTCOMES and running is not None:
            message = "\n".join(str(event[name]) for name in ("message", "stdout") if event.get(name))
            outcome = _OUTCOMES[what]
            cases.append(Case(str(event.get("name")), outcome, message=message if outcome == "failed" else ""))
    if running is not None:
        raise ReportInvalid(f"a test program of {tool} did not report its end; it may have been killed")
    return Outcomes(tuple(cases), duration * 1000), suites
