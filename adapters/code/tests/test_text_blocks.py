"""Tests in files that nothing reads: where a reported name stands, and which lines are its test's."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.report_names import locate_cases
from code_adapter.counterfactual.text_blocks import NamedText
from code_adapter.subject_files import SubjectFiles
from verigate.sdk.reports.outcomes import Case

TEXT = 'setup\n@test "adds two" {\n  one\n}\n@test "halves" {\n  two\n}\n'


@pytest.mark.parametrize(
    ("reported", "written"),
    [
        ("adds two", "adds two"),
        ("sum.bats.adds two", "adds two"),
        ("Suite > adds two", "adds two"),
        ("test adds two", "adds two"),
        ("Shop.Tests.halves(n: 1)", "halves"),
        ("shop::halves[0]", "halves"),
        ("two adds two", None),
        ("nothing", None),
    ],
)
def test_a_name_is_found_whole_or_after_what_joins_it_to_its_suite(reported: str, written: str | None) -> None:
    assert NamedText(TEXT).find_written(reported) == written


def test_each_line_belongs_to_a_test_or_to_all_of_them() -> None:
    found = NamedText(TEXT).split(["adds two", "halves", "nothing"])
    assert list(found) == ["adds two", "halves"]
    assert found["adds two"].text == '@test "adds two" {\n  one\n}'
    assert found["adds two"].unnamed == '@test "" {\n  one\n}'
    assert {block.around for block in found.values()} == {"setup"}


def test_names_that_no_line_has_leave_no_block() -> None:
    assert NamedText(TEXT).split(["nothing"]) == NamedText(TEXT).split([]) == {}


def test_two_names_of_one_line_have_the_same_block() -> None:
    found = NamedText('for each in "a b" "c d"; do\n  run\ndone\n').split(["a b", "c d"])
    assert found["a b"].text == found["c d"].text
    assert found["a b"].unnamed != found["c d"].unnamed


def locate(tmp_path: Path, texts: dict[str, str], names: list[str], chosen: list[str]) -> list[tuple[str, str]]:
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    files = SubjectFiles(tmp_path, tuple(texts))
    others = [path for path in texts if path not in chosen]
    found = locate_cases([Case(name, "passed") for name in names], files, chosen, others, "")
    assert {outcome for _, outcome in found} <= {Outcome.PASSED}
    return [(name.path, name.name) for name, _ in found]


def test_a_name_belongs_to_the_file_that_has_it(tmp_path: Path) -> None:
    texts = {"a.bats": '"one" "both"', "b.bats": '"two" "both"'}
    assert locate(tmp_path, texts, ["one", "two", "made up"], ["a.bats"]) == [("a.bats", "one"), ("a.bats", "made up")]
    # As many tests as files: each has one. Fewer: that of the file which didn't change.
    assert locate(tmp_path, texts, ["both", "both"], ["a.bats"]) == [("a.bats", "both")]
    assert locate(tmp_path, texts, ["both"], ["a.bats"]) == []
    assert locate(tmp_path, texts, ["a.bats both"], ["a.bats"]) == [("a.bats", "a.bats both")]
    assert locate(tmp_path, texts, ["b.bats.both"], ["a.bats"]) == []


def test_a_long_name_and_a_long_text_take_no_time(tmp_path: Path) -> None:
    name = "a.b:c/" * 20_000
    assert NamedText("x\n" * 200_000).find_written(name) is None
    assert locate(tmp_path, {"a.bats": "x " * 500_000}, [name] * 3, ["a.bats"]) == [("a.bats", name)] * 3
