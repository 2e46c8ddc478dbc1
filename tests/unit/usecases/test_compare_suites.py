"""The order of a comparison, with a bench that answers at once: who is asked, what is tried, what is offered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from verigate.domain.grants import Grant, GrantKind
from verigate.domain.known_failures import FailureKey
from verigate.domain.suite_comparison import SuiteExamination, SuiteResult, Unhelped
from verigate.errors import ConfigError
from verigate.integrations.setup.granted_files import merge_deselected, merge_grants
from verigate.reporting.suite_comparison import comparison_document, render_comparison
from verigate.usecases.compare_suites import SUITE, compare_suites
from verigate.usecases.failure_causes import Machine
from verigate.usecases.suite_bench import TracedResult
from verigate.usecases.suite_fixes import MAX_DESELECTED, plan_fixes

A, B, C, D = (FailureKey(f"t.test_{name}", "t.py") for name in "abcd")
TRACE = b"".join(
    b'7 stat("%s", 0x7) = -1 ENOENT (No such file or directory)\n' % path for path in (b"/opt/a/x", b"/opt/b/x")
)


def result(
    *failing: FailureKey, problem: str | None = None, seconds: float = 1.0, only: Sequence[FailureKey] = ()
) -> SuiteResult:
    total = len(only) or (9 if problem is None else len(failing))
    return SuiteResult(total - len(failing), len(failing), 0, dict.fromkeys(failing, "E   boom"), seconds, problem)


class Bench:
    """``needs`` maps a failing test to the path that it needs inside, None: nothing helps."""

    def __init__(self, needs: dict[FailureKey, str | None], outside: SuiteResult, *, flaky: Sequence[FailureKey] = ()):
        self._needs, self._outside, self._flaky = needs, outside, flaky
        self.calls: list[str] = []
        self.can_trace = True

    def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
        open_paths = {grant.what for grant in grants}
        self.calls.append(f"inside {' '.join(sorted(open_paths))}".strip())
        flaky = [] if len(self.calls) > 1 else list(self._flaky)
        return result(*(test for test, path in self._needs.items() if path not in open_paths), *flaky, only=only)

    def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
        self.calls.append("traced alone" if only else "traced")
        return TracedResult(result(*self._needs, only=only), TRACE, "/private")

    def run_outside(self) -> SuiteResult:
        self.calls.append("outside")
        return self._outside


def describe(_: str) -> Machine:
    return Machine(
        root="/srv/shop",
        home="/home/a",
        private_home="/private",
        environ={},
        exists=lambda _: True,
        is_secret=lambda _: False,
        ignored=lambda _: None,
        listens=lambda _: False,
        mentioned=lambda _: (),
        finds_program=lambda _: False,
    )


def compare(bench: Bench, *, agreed: bool = True, known: frozenset[FailureKey] = frozenset()) -> SuiteExamination:
    return compare_suites(bench, lambda _: agreed, describe, lambda _: None, known)


def test_nothing_runs_outside_without_a_yes() -> None:
    bench = Bench({A: None}, result())
    found = compare(bench, agreed=False)
    assert bench.calls == ["inside"]
    assert (found.outside, found.is_clean) == (None, False)
    assert "nobody knows whose failures these are" in render_comparison(found)


def test_a_clean_suite_asks_nobody() -> None:
    def never(_: SuiteResult) -> bool:
        raise AssertionError("asked")

    bench = Bench({}, result())
    assert compare_suites(bench, never, describe, lambda _: None).is_clean
    assert bench.calls == ["inside"]


def test_what_fails_on_both_sides_is_the_projects_and_needs_no_trace() -> None:
    bench = Bench({A: None}, result(A, B))
    found = compare(bench)
    assert bench.calls == ["inside", "outside"]
    assert (found.both, found.outside_only, found.unhelped) == ((A,), (B,), ())


def test_a_grant_is_offered_only_if_a_test_needs_it() -> None:
    bench = Bench({A: "/opt/a/x", B: None}, result())
    found = compare(bench)
    assert [(remedy.grant.what, remedy.tests) for remedy in found.remedies] == [("/opt/a/x", (A,))]
    (unhelped,) = found.unhelped
    assert unhelped.test == B
    assert unhelped.cause.startswith("a path isn't visible: /opt/b/x; it also fails with that granted")
    assert bench.calls == ["inside", "outside", "traced alone", "inside /opt/a/x /opt/b/x", "inside /opt/a/x"]


def test_a_test_that_installs_packages_is_named_without_a_trace() -> None:
    class Installs(Bench):
        def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
            made = super().run_inside(grants, only)
            return replace(made, failing={A: "Error: Command failed: npm --quiet install\n"})

        def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
            return replace(super().run_traced(only), trace=b"")

    (unhelped,) = compare(Installs({A: None}, result())).unhelped
    assert unhelped.cause == "it downloads packages, which needs the network: npm --quiet install"


def test_two_grants_that_two_tests_need_are_both_offered() -> None:
    found = compare(Bench({A: "/opt/a/x", B: "/opt/b/x"}, result()))
    assert [(remedy.grant.what, remedy.tests) for remedy in found.remedies] == [("/opt/a/x", (A,)), ("/opt/b/x", (B,))]


def test_tests_that_fail_only_among_others_are_run_with_all() -> None:
    class Together(Bench):
        def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
            traced = super().run_traced(only)
            return traced if not only else TracedResult(result(only=only), b"", "/private")

    bench = Together({A: "/opt/a/x"}, result())
    found = compare(bench)
    assert [(remedy.grant.what, remedy.tests) for remedy in found.remedies] == [("/opt/a/x", (A,))]
    assert bench.calls[2:4] == ["traced alone", "traced"]


def test_a_run_of_fewer_tests_proves_nothing() -> None:
    class Fewer(Bench):
        def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
            made = super().run_inside(grants, only)
            return SuiteResult(passed=1) if grants else made

    found = compare(Fewer({A: "/opt/a/x", B: None}, result()))
    assert found.remedies == ()


def test_a_slow_suite_tries_the_likeliest_grant_alone() -> None:
    class Slow(Bench):
        def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
            return result(*super().run_inside(grants, only).failing, seconds=400, only=only)

    bench = Slow({A: "/opt/a/x", B: "/opt/b/x"}, result())
    found = compare(bench)
    assert [remedy.grant.what for remedy in found.remedies] == ["/opt/a/x"]
    assert bench.calls == ["inside", "outside", "traced alone", "inside /opt/a/x"]


def test_a_trace_that_ends_without_a_report_makes_nothing_flaky() -> None:
    class TooSlow(Bench):
        def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
            return TracedResult(result(problem="it timed out", only=only), TRACE, "/private")

    found = compare(TooSlow({A: "/opt/a/x"}, result()))
    assert (found.flaky, [remedy.tests for remedy in found.remedies]) == ((), [(A,)])


def test_what_fails_by_chance_is_offered_nothing() -> None:
    found = compare(Bench({}, result(), flaky=[C]))
    assert (found.flaky, found.remedies, found.unhelped) == ((C,), (), ())


def test_known_failing_tests_are_nobodys_news() -> None:
    bench = Bench({A: None}, result(A))
    found = compare(bench, known=frozenset({A}))
    assert (found.is_clean, found.known, bench.calls) == (True, 1, ["inside"])


def test_a_suite_without_a_report_inside_is_one_failure() -> None:
    class Broken(Bench):
        def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
            super().run_inside(grants, only)
            return result() if "/opt/b/x" in {grant.what for grant in grants} else result(problem="no report")

        def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
            return TracedResult(result(problem="no report", only=only), TRACE, "/private")

    found = compare(Broken({}, result()))
    assert [(remedy.grant.what, remedy.tests) for remedy in found.remedies] == [("/opt/b/x", (SUITE,))]
    assert compare(Broken({}, result(problem="no report either"))).remedies == ()


def test_hostile_ids_are_escaped_as_text_and_kept_as_json(tmp_path: Path) -> None:
    hostile = FailureKey("t.test[\x1b[2J\nPASS]", "t.py")
    found = SuiteExamination(result(hostile), result(), unhelped=(Unhelped(hostile, "no \x1b[31mcause"),))
    text = render_comparison(found)
    assert "\x1b" not in text
    assert "t.test[\\x1b[2J\\nPASS]" in text
    assert comparison_document(found)["unhelped"][0]["id"] == hostile.id
    (fix,) = plan_fixes(tmp_path, found, "code", "2026-06-15")
    assert json.loads(fix.content)["code"]["deselect"][0]["test"] == hostile.id


def test_too_many_tests_without_a_cause_are_not_deselected(tmp_path: Path) -> None:
    many = tuple(Unhelped(FailureKey(f"t.test_{n}", "t.py"), "?") for n in range(MAX_DESELECTED + 1))
    assert plan_fixes(tmp_path, SuiteExamination(result(), result(), unhelped=many), "code", "2026-06-15") == ()


def test_fixes_keep_what_is_configured(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config/adapters.json").write_text('{"code": {"build": []}, "api": {"base_url": "x"}}')
    found = SuiteExamination(result(A, B), result(A), both=(A,), unhelped=(Unhelped(B, "ptrace"),))
    baseline, deselected = plan_fixes(tmp_path, found, "code", "2026-06-15")
    entry = json.loads(baseline.content)["tests"][0]
    assert (entry["id"], entry["created"], entry["expires"]) == (A.id, "2026-06-15", "2026-09-13")
    document = json.loads(deselected.content)
    assert document["api"] == {"base_url": "x"}
    assert document["code"] == {
        "build": [],
        "deselect": [{"test": B.id, "reason": "fails in the sandbox only: ptrace"}],
    }
    (tmp_path / "config/verigate-baseline.json").write_text(baseline.content)
    (tmp_path / "config/adapters.json").write_text(deselected.content)
    again = plan_fixes(tmp_path, found, "code", "2026-06-15")
    assert [fix.path for fix in again] == ["config/adapters.json"]
    assert again[0].content == deselected.content


def test_grants_are_merged_and_never_widened() -> None:
    ro = Grant(GrantKind.BIND, "~/a", "new", "ro")
    network, variable = Grant(GrantKind.NETWORK, "hosts", "n"), Grant(GrantKind.ENV, "A", "v")
    before = b'{"code": {"bind": [{"path": "~/a", "mode": "rw", "reason": "old"}]}, "links": {}}'
    merged = json.loads(merge_grants(before, "code", [ro, network, variable]))
    assert merged == {
        "code": {
            "bind": [{"path": "~/a", "mode": "rw", "reason": "old"}],
            "network": {"access": "hosts", "reason": "n"},
            "env": [{"name": "A", "reason": "v"}],
        },
        "links": {},
    }
    once = merge_grants(None, "code", [ro])
    assert merge_grants(once, "code", [ro]) == once


@pytest.mark.parametrize("content", [b"[]", b"{", b'{"code": []}', b'{"code": {"bind": {}}}'])
def test_a_file_of_another_shape_is_left_alone(content: bytes) -> None:
    with pytest.raises(ConfigError):
        merge_grants(content, "code", [Grant(GrantKind.BIND, "~/a", "r", "ro")])
    with pytest.raises(ConfigError):
        merge_deselected(content.replace(b"bind", b"deselect"), "code", {"t": "r"})
