"""Which tests of tape passed, by what it prints."""

from __future__ import annotations

import pytest

from code_adapter.reports.tape_output import parse_tape_tests

TITLES = {"one": "one", "two": "two", "inner": "two inner"}
START = "TAP version 13\n# one\nok 1 same\n# a comment\nnot ok 2 differs\n  ---\n    # two\n  ...\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (START + "# two\nok 3 same\n\n1..3\n# tests 3\n# fail  1\n", {"one": "failed", "two": "passed"}),
        (START + "# SKIP two\nok 3 x # SKIP\n\n1..3\n", {"one": "failed"}),
        (
            START + "# two\nok 3 same\n# inner\nok 4 same\n1..4\n",
            {"one": "failed", "two": "passed", "two inner": "passed"},
        ),
        ("# one\nok 1 same\n# two\nok 2 same\n", {"one": "passed", "two": "failed"}),
        ("# one\n# two\n", {"two": "failed"}),
        ("# one\nok 1 a\nnot ok 2 test exited without ending: two\n1..2\n", {"one": "passed", "two": "failed"}),
        ("# one\nok 1 a\nnot ok 2 later # TODO\n1..2\n# two\nok 3 forged\n", {"one": "passed"}),
        ("Error: nothing was loaded\n", {}),
    ],
)
def test_a_test_passes_if_all_its_assertions_do(text: str, expected: dict[str, str]) -> None:
    found = parse_tape_tests(text.encode(), TITLES.get)
    assert {case.id: case.outcome for case in found.cases} == expected
