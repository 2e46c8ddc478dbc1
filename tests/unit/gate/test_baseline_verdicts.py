"""The rules that count lint findings, with a baseline: what it covers, what it doesn't, what is said of it."""

from __future__ import annotations

from typing import Any

import literal_facts as literal
import pytest
from msgspec.structs import replace

from verigate.domain.baseline import Baseline, BaselineEntry, make_key
from verigate.domain.facts import Facts
from verigate.domain.verdict import Status
from verigate.gate.decision import decide_verdict

TODAY = "2026-06-15"


def issue(path: str = "a.py", severity: str = "error", line: str = "a") -> dict[str, Any]:
    return {"path": path, "line": 1, "rule": "E1", "severity": severity, "message": "bad", "line_sha256": line * 64}


def entry(found: dict[str, Any], count: int = 1, expires: str = "2026-08-01") -> BaselineEntry:
    key = make_key(found)
    assert key is not None
    return BaselineEntry(key, count, "2026-05-01", expires, "old")


def facts(rules: dict[str, Any], issues: list[Any], *entries: BaselineEntry, **lint: Any) -> Facts:
    counts = {f"{kind}s": sum(item.get("severity") == kind for item in issues) for kind in ("error", "warning")}
    value = {**counts, "files_checked": 1, "issues": issues, "tool": "t", **lint}
    made = literal.facts(rules, {"lint.json": value}, implicit=True)
    return replace(made, baseline=Baseline(entries, b"{}", TODAY))


ERRORS = {"lint_errors_max": 0}
LAPSED = "2026-06-15"
ODD = {**issue("odd.py"), "severity": None}


@pytest.mark.parametrize(
    ("rules", "issues", "entries", "status", "actual"),
    [
        (ERRORS, [issue()], [entry(issue())], Status.PASS, 0),
        ({"lint_clean": True}, [issue()], [entry(issue())], Status.PASS, 0),
        ({"lint_warnings_max": 0}, [issue(severity="warning")], [entry(issue(severity="warning"))], Status.PASS, 0),
        (ERRORS, [issue(), issue()], [entry(issue())], Status.FAIL, 1),
        (ERRORS, [issue(), issue()], [entry(issue(), 2)], Status.PASS, 0),
        (ERRORS, [issue(), issue("b.py")], [entry(issue())], Status.FAIL, 1),
        (ERRORS, [issue(line="b")], [entry(issue())], Status.FAIL, 1),
        (ERRORS, [issue()], [entry(issue(), expires=LAPSED)], Status.FAIL, 1),
        (ERRORS, [issue()], [entry(issue(severity="warning"))], Status.FAIL, 1),
        ({"lint_errors_max": 1}, [issue(), issue("b.py")], [entry(issue())], Status.PASS, 1),
        ({"lint_warnings_max": 0}, [issue()], [entry(issue())], Status.PASS, 0),
        (ERRORS, [], [entry(issue())], Status.PASS, 0),
        (ERRORS, [issue()], [], Status.FAIL, 1),
    ],
)
def test_what_unexpired_entries_cover_is_left_out(
    rules: dict[str, Any], issues: list[Any], entries: list[BaselineEntry], status: Status, actual: int
) -> None:
    verdict = decide_verdict(facts(rules, issues, *entries))
    check = verdict.check(f"code.{next(iter(rules))}")
    assert check is not None
    assert (verdict.status, check.actual) == (status, actual)


def test_an_issue_without_severity_is_in_no_count_that_a_baseline_could_lower() -> None:
    listed = [ODD, issue(severity="warning")]
    made = facts({"lint_warnings_max": 0}, listed, entry({**ODD, "severity": "warning"}), errors=1, warnings=1)
    assert decide_verdict(made).status is Status.FAIL


def test_findings_that_are_counted_and_not_listed_are_not_covered() -> None:
    assert decide_verdict(facts(ERRORS, [], entry(issue(), 9), errors=5)).status is Status.FAIL


def test_a_pass_because_of_the_baseline_says_so() -> None:
    made = facts(ERRORS, [issue(), issue("b.py")], entry(issue()), entry(issue("b.py"), expires="2026-07-01"))
    verdict = decide_verdict(made)
    check = verdict.check("code.lint_errors_max")
    assert check is not None
    assert check.message == ("2 in the baseline are left out (dated 2026-05-01, expiring 2026-07-01 to 2026-08-01)")
    cited = [(ref.artifact, ref.pointer) for ref in check.evidence]
    assert cited == [
        ("lint.json", "/errors"),
        ("lint.json", "/files_checked"),
        ("baseline.json", "/entries/0"),
        ("baseline.json", "/entries/1"),
    ]
    assert check.evidence[2].value["expires"] == "2026-08-01"


def test_an_expired_entry_says_when_it_expired() -> None:
    verdict = decide_verdict(
        facts(ERRORS, [issue(), issue("b.py")], entry(issue(), expires=LAPSED), entry(issue("b.py")))
    )
    check = verdict.check("code.lint_errors_max")
    assert check is not None
    assert check.message == (
        "1 lint error, at most 0 allowed; 1 in the baseline is left out (dated 2026-05-01, expiring 2026-08-01); "
        "1 of them was in the baseline until it expired on 2026-06-15"
    )
    assert [ref.pointer for ref in check.evidence] == ["/errors", "/issues/0", "/entries/0"]


def test_the_verdict_accounts_for_the_baseline() -> None:
    entries = (entry(issue()), entry(issue("b.py"), expires=LAPSED), entry(issue("gone.py"), 3))
    verdict = decide_verdict(facts(ERRORS, [issue(), issue("b.py")], *entries))
    assert verdict.policy["baseline"] == {
        "file": "config/verigate-baseline.json",
        "sha256": Baseline((), b"{}", TODAY).sha256,
        "judged_on": TODAY,
        "entries": 3,
        "created": ["2026-05-01", "2026-05-01"],
        "expires": ["2026-08-01", "2026-08-01"],
        "covered": 1,
        "expired": 1,
        "stale": 3,
    }


@pytest.mark.parametrize("lint", [None, {"files_checked": 0, "tool": None}])
def test_where_no_linter_looked_nothing_is_stale(lint: dict[str, Any] | None) -> None:
    made = facts(ERRORS, [], entry(issue()), **(lint or {}))
    if lint is None:
        made = replace(literal.facts(ERRORS, {}, implicit=True), baseline=made.baseline)
    account = decide_verdict(made).policy["baseline"]
    assert (account["covered"], account["stale"]) == (None, None)


def test_without_a_baseline_the_verdict_is_as_it_was() -> None:
    assert "baseline" not in decide_verdict(literal.facts(ERRORS, literal.GOOD, implicit=True)).policy


def test_nothing_but_lint_is_ever_left_out() -> None:
    """Failing tests and weakened ones in the file and line that an entry names."""
    made = literal.facts({"tests_pass": True, "integrity": True, "build_success": True}, literal.BAD, implicit=True)
    held = replace(made, baseline=Baseline((entry(issue("t.py"), 99),), b"{}", TODAY))
    assert [(check.id, check.outcome) for check in decide_verdict(made).checks] == [
        (check.id, check.outcome) for check in decide_verdict(held).checks
    ]
