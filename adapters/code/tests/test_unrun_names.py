"""Which of the written tests a report has, and which stay unrun whatever the code is."""

from __future__ import annotations

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.unrun.lasting_skips import stays_unrun
from code_adapter.unrun.reported_names import Seen, look_up
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun

Written = cell_runs.TestName


def run(tool: str, *ran: str, skipped: tuple[str, ...] = ()) -> SuiteRun:
    cases = [Case(name, "passed") for name in ran] + [Case(name, "skipped") for name in skipped]
    return SuiteRun(tool, None, "", Outcomes(tuple(cases)), (tool,), 0)


def seen(path: str, name: str, *runs: SuiteRun) -> Seen | None:
    test = Written(path, name)
    return look_up([test], runs).get(test)


@pytest.mark.parametrize(
    ("reported", "name", "expected"),
    [
        ("tests.test_a.test_one", "test_one", Seen.RUN),
        ("tests.test_a.test_one[1-a.b]", "test_one", Seen.RUN),
        ("test_a.test_one", "test_one", Seen.RUN),
        ("tests.test_a.Case.test_one", "Case.test_one", Seen.RUN),
        ("tests.test_b.test_one", "test_one", Seen.NEVER),
        ("tests.test_a.test_one_more", "test_one", Seen.NEVER),
        ("other.test_b.Inherits.test_one", "Case.test_one", Seen.RUN),
    ],
)
def test_pytest_names_tests_by_module_and_parameters(reported: str, name: str, expected: Seen) -> None:
    assert seen("tests/test_a.py", name, run("pytest", reported)) is expected


def test_a_skipped_test_and_one_of_a_skipped_module_are_seen_as_skipped() -> None:
    report = run("pytest", "test_b.test_two", skipped=("tests.test_a.test_one", "tests.test_c"))
    assert seen("tests/test_a.py", "test_one", report) is Seen.SKIPPED
    assert seen("tests/test_c.py", "test_one", report) is Seen.SKIPPED


def test_a_test_that_another_class_inherits_counts_once_for_each_report_of_it() -> None:
    own, base, gone = (Written("t.py", f"{name}.test_one") for name in ("Own", "Base", "Gone"))
    found = look_up([own, base, gone], [run("pytest", "t.Own.test_one", "t.Inherits.test_one")])
    assert found[own] is Seen.RUN
    assert [found[base], found[gone]].count(Seen.RUN) == 1, "either may be what the class inherits"
    assert look_up([own, base], [run("pytest", "t.Own.test_one")])[base] is Seen.NEVER


@pytest.mark.parametrize(
    ("path", "reported", "expected"),
    [
        ("shop/total_test.go", "example.com/a/shop.TestTotal", Seen.RUN),
        ("shop/total_test.go", "example.com/a/shop.TestTotal/small.prices", Seen.RUN),
        ("total_test.go", "example.com/a.TestTotal", Seen.RUN),
        ("shop/total_test.go", "example.com/a/shop.TestTotals", Seen.NEVER),
    ],
)
def test_go_names_tests_by_package(path: str, reported: str, expected: Seen) -> None:
    assert seen(path, "TestTotal", run("go test", reported)) is expected


def test_tests_of_one_name_in_two_packages_of_go_are_told_apart_by_folder() -> None:
    first, second = Written("a/x_test.go", "TestTotal"), Written("b/x_test.go", "TestTotal")
    found = look_up([first, second], [run("go test", "example.com/m/b.TestTotal")])
    assert (found[first], found[second]) == (Seen.NEVER, Seen.RUN)


def test_names_without_a_file_are_counted() -> None:
    first, second = Written("a.test.js", "adds one"), Written("b.test.js", "adds one")
    both = run("jest", "adds > one", "adds > one")
    assert set(look_up([first, second], [both]).values()) == {Seen.RUN}
    assert set(look_up([first, second], [run("jest", "adds > one")]).values()) == {Seen.NEVER}


def test_a_name_with_places_for_parameters_is_seen_by_its_beginning() -> None:
    assert seen("a.test.js", "adds %i and %i", run("vitest", "adds 1 and 2")) is Seen.RUN
    assert seen("a.test.js", "adds %i and %i", run("vitest", "takes 1 and 2")) is Seen.NEVER


def test_a_language_without_a_report_is_left_out() -> None:
    assert seen("src/lib.rs", "tests::adds", run("pytest", "t.test_one")) is None
    assert seen("t/test_a.py", "test_one", run("make check", "something")) is None
    assert seen("t/test_a.py", "test_one", run("make check", "t.test_a.test_one")) is Seen.RUN


@pytest.mark.parametrize(
    "mark",
    [
        "@pytest.mark.skip",
        "@pytest.mark.skip(reason='slow')",
        "@unittest.skip('slow')",
        "@pytest.mark.xfail",
        "@pytest.mark.xfail(reason='known')",
        "@pytest.mark.skipif(sys.platform == 'win32', reason='x')",
        "@pytest.mark.skipif(sys.version_info < (3, 12), reason='x')",
        "@unittest.skipUnless(os.environ.get('SLOW'), 'x')",
    ],
)
def test_marks_without_a_condition_or_about_the_machine_last(mark: str) -> None:
    assert stays_unrun("t.py", f"{mark}\ndef test_a():\n    pass\n", "", Seen.SKIPPED)


@pytest.mark.parametrize(
    "mark",
    [
        "@pytest.mark.skipif(shop.NATIVE, reason='x')",
        "@pytest.mark.skipif(not shop.slow() or sys.platform == 'win32', reason='x')",
        "@pytest.mark.xfail(shop.NATIVE, reason='x')",
        "@unittest.skipIf(NATIVE, 'x')",
        "@pytest.mark.parametrize('a', shop.TABLE)",
        "@pytest.mark.skipif(os.environ.get(shop.NAME), reason='x')",
        "@pytest.mark.skip('x' if shop.NATIVE else 'y')",
        "",
    ],
)
def test_conditions_that_code_decides_do_not_last(mark: str) -> None:
    assert not stays_unrun("t.py", f"{mark}\ndef test_a():\n    pass\n", "", Seen.SKIPPED)


@pytest.mark.parametrize(
    ("path", "form", "text", "how", "expected"),
    [
        ("a_test.go", "func ExampleTotal() {\n\tTotal()\n}", "", Seen.NEVER, True),
        ("a_test.go", "func ExampleTotal() {\n\tTotal()\n\t// Output: 3\n}", "", Seen.NEVER, False),
        ("a_test.go", "func TestTotal(t *testing.T) {}", "//go:build linux\n", Seen.NEVER, True),
        ("a_test.go", "func TestTotal(t *testing.T) {}", "//go:build linux\n", Seen.SKIPPED, False),
        ("a_windows_test.go", "func TestTotal(t *testing.T) {}", "", Seen.NEVER, True),
        ("src/lib.rs", "#[test]\n#[ignore]\nfn adds() {}", "", Seen.SKIPPED, True),
        ("src/lib.rs", "#[test]\nfn adds() {}", "", Seen.NEVER, False),
        ("a.test.js", "it.skip('adds', () => {})", "", Seen.SKIPPED, True),
        ("a.test.js", "xit('adds', () => {})", "", Seen.SKIPPED, True),
        ("a.test.js", "it('adds', () => {})", "", Seen.NEVER, False),
    ],
)
def test_other_languages_have_their_own_marks(path: str, form: str, text: str, how: Seen, expected: bool) -> None:
    assert stays_unrun(path, form, text, how) is expected
