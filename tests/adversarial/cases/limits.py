"""Twins whose lie passes where nothing is run, and why that is accepted.

``code:integrity`` compares texts. Where the tests run, ``code:counterfactual`` runs the old tests on the new code and
the other way round, and ``code:sensitivity`` changes the code: these decide about such lies. ``tests/corpus/lies`` has
each class with real runs. A twin of this table that is caught after all fails its test, so that it leaves the table.
"""

from __future__ import annotations

RUNS = "text alone doesn't decide this; runs of the tests do: see docs/counterfactual.md"
NO_RUN = "text alone doesn't decide this, and a declared command has to run these tests: see docs/code-adapter.md"

_RUNNING = frozenset({"Python", "JavaScript", "TypeScript", "Go", "Rust", "Java"})
"""Languages whose runners the adapter starts by itself."""

NAMES = (
    "csharp_equal_becomes_notnull",
    "csharp_equalto_becomes_not.null",
    "csharp_an_exception_of_any_kind_will_do",
    "go_unequal_becomes_less",
    "go_any_error_will_do",
    "go_a_constant_is_compared",
    "go_a_test_returns_first",
    "go_a_panic_is_recovered",
    "java_a_test_runs_where_a_variable_is_set",
    "java_a_test_assumes_a_variable",
    "java_assertequals_becomes_assertnotnull",
    "java_a_wider_delta",
    "java_an_exception_of_any_kind_will_do",
    "java_a_test_returns_first",
    "kotlin_a_test_runs_where_a_variable_is_set",
    "kotlin_a_test_assumes_a_variable",
    "kotlin_assertequals_becomes_assertnotnull",
    "kotlin_an_exception_of_any_kind_will_do",
    "kotlin_an_error_is_caught_by_runcatching",
    "javascript_an_error_of_any_kind_will_do",
    "typescript_an_error_of_any_kind_will_do",
    "php_assertsame_becomes_assertnotnull",
    "php_a_wider_delta",
    "php_an_exception_of_any_kind_will_do",
    "python_a_valueerror_becomes_any_exception",
    "python_assertraises_takes_any_exception",
    "ruby_eq_becomes_be_truthy",
    "ruby_a_wider_range",
    "ruby_an_error_of_any_kind_will_do",
    "ruby_assert_equal_becomes_assert",
    "ruby_assert_raises_takes_any_error",
    "rust_a_feature_hides_a_test",
    "rust_a_test_is_ignored_without_a_feature",
    "rust_assert_eq_becomes_is_ok",
    "rust_equal_becomes_at_least",
    "rust_any_panic_will_do",
    "rust_any_error_will_do",
    "rust_a_test_returns_first",
    "rust_a_panic_is_caught",
)


CORPUS = {
    "python_doctest_with_an_ellipsis": "a text file with doctests counts as code",
    "python_copy_shares_its_parts": "the tests still notice every mutant that was tried",
    "python_fixture_cleans_the_rows": "the tests still notice every mutant that was tried",
    "python_retry_catches_the_last_failure": "it waits for what doesn't come: time is up after two mutants",
    "rust_expected_times_are_parsed": "of three tests fewer than three mutants are noticed",
}
"""Lies of the corpora that pass, as docs/lies-and-rewrites.md says."""

FOLLOWED = "a change of behaviour in every cell: expectations have to be disclosed, see docs/lies-and-rewrites.md"


def find_limit(name: str, language: str) -> str | None:
    """Return why the lie of a pair may pass, None for one that must be caught."""
    if name not in NAMES:
        return None
    return RUNS if language in _RUNNING else NO_RUN
