"""TAP, versions 12 to 14, read by tap.py. Source: https://testanything.org/tap-version-14-specification.html."""

from __future__ import annotations

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed


@reject_malformed
def parse_tap(raw: bytes, tool: str) -> Outcomes:
    """Read the top-level test points; a subtest's outcome is in its parent's point (TAP 14).

    Raises ReportInvalid for a stream without a plan, with fewer or more points than planned, with a bail-out, or with
    numbers out of order, since the outcomes of missing tests are unknown.
    """
    from tap.parser import Parser  # loads a reader of YAML

    text = check_size(raw, tool).decode("utf-8", "replace")
    cases: list[Case] = []
    planned: int | None = None
    for line in Parser().parse_text(_remove_subtests(text)):
        if line.category == "plan":
            if planned is not None:
                raise ReportInvalid(f"the report of {tool} has more than one TAP plan")
            planned = line.expected_tests
        elif line.category == "bail":
            raise ReportInvalid(f"{tool} bailed out: {line.reason}")
        elif line.category == "test":
            if line.number is not None and line.number != len(cases) + 1:
                raise ReportInvalid(f"the report of {tool} has test point {line.number} after {len(cases)} points")
            outcome: Outcome = "skipped" if line.skip or line.todo else "passed" if line.ok else "failed"
            name = line.description.removeprefix("- ").strip() or f"test {len(cases) + 1}"
            cases.append(Case(name, outcome, message=str(line.diagnostics or "") if outcome == "failed" else ""))
    if planned is None:
        raise ReportInvalid(f"the report of {tool} has no TAP plan; it may be truncated")
    if planned != len(cases):
        raise ReportInvalid(f"the report of {tool} plans {planned} tests, but lists {len(cases)}")
    return Outcomes(tuple(cases))


def _remove_subtests(text: str) -> str:
    """Remove indented lines: subtests and YAML blocks, which belong to the test point before them."""
    return "\n".join(line for line in text.splitlines() if line and not line[0].isspace()) + "\n"
