"""code:counterfactual by declared commands: real bats, and a C project whose ``make check`` prints TAP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from declared_projects import BATS, BATS_CONFIG, C_CONFIG, C_PROJECT, CHECKS, SHELL, SUM_C, TESTS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def compare(
    folder: Path, base: Mapping[str, str], head: Mapping[str, str | None], config: Mapping[str, Any]
) -> dict[str, Any]:
    repo = make_repo(folder, base)
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    answer = repo.run("code:counterfactual", gated=True, config={"runs": 1, **config})
    found: dict[str, Any] = answer.json("counterfactual.json")
    assert repo.git("status", "--porcelain", "--ignored").count(b"\n") == len(head)
    return found


def cells(found: dict[str, Any]) -> dict[str, str]:
    return {test["test"]: "".join(test["cells"][cell] for cell in ("BB", "HB", "BH", "HH")) for test in found["tests"]}


def outcomes(found: dict[str, Any]) -> set[str]:
    return {entry["outcome"] for entry in found["control"]}


BROKEN = SHELL.replace("$1 + $2", "$1 + $2 + 1")
BROKEN_C = SUM_C.replace("a + b", "a + b + 1")
KINDS: dict[str, tuple[dict[str, str], dict[str, Any], str, str, str, str]] = {
    "bats": (BATS, BATS_CONFIG, "sum.sh", BROKEN, "test/sum.bats", TESTS),
    "c": (C_PROJECT, C_CONFIG, "sum.c", BROKEN_C, "tests/sum_test.c", CHECKS),
}
WEAK = {
    "bats": TESTS.replace('[ "$output" -eq 3 ]', '[ "$output" -gt 2 ]'),
    "c": CHECKS.replace("sum(1, 2) == 3", "sum(1, 2) > 2"),
}
GONE = {
    "bats": (
        TESTS.replace('@test "adds two" {\n', '@test "adds two" {\n  skip "later"\n'),
        TESTS.replace('@test "adds two" {\n  run ./sum.sh add 1 2\n  [ "$output" -eq 3 ]\n}\n\n', ""),
    ),
    "c": (
        CHECKS.replace('ok(sum(1, 2) == 3, "adds two")', 'skip("adds two")'),
        CHECKS.replace('  ok(sum(1, 2) == 3, "adds two");\n', "").replace("plan(2)", "plan(1)"),
    ),
}
ALL = pytest.mark.parametrize("kind", sorted(KINDS))


@ALL
def test_a_weakened_test_beside_broken_code_is_loosened(kind: str, tmp_path: Path) -> None:
    project, config, code, broken, test, _ = KINDS[kind]
    found = compare(tmp_path, project, {code: broken, test: WEAK[kind]}, config)
    assert cells(found) == {"adds two": "PFPP", "halves": "PPPP"}
    assert [(each["class"], each["same_text"], each["path"]) for each in found["tests"]] == [
        ("loosened", False, test),
        ("kept", True, test),
    ]
    assert (found["files"], found["unexamined"], outcomes(found)) == ([test], [], {"F"})


@pytest.mark.release
@ALL
@pytest.mark.parametrize("how", [0, 1], ids=["skipped", "deleted"])
def test_a_test_that_is_skipped_or_deleted_is_lost(kind: str, how: int, tmp_path: Path) -> None:
    project, config, code, broken, test, text = KINDS[kind]
    assert GONE[kind][how] != text
    found = compare(tmp_path, project, {code: broken, test: GONE[kind][how]}, config)
    assert cells(found) == {"adds two": "PFNN", "halves": "PPPP"}
    assert {each["test"]: each["weakens"] for each in found["tests"]}["adds two"] == "yes"


@ALL
def test_a_renamed_test_is_the_same_test_in_the_same_words(kind: str, tmp_path: Path) -> None:
    project, config, _, _, test, text = KINDS[kind]
    found = compare(tmp_path, project, {test: text.replace("adds two", "sums two numbers")}, config)
    assert cells(found) == {"sums two numbers": "PPPP", "halves": "PPPP"}
    renamed = next(each for each in found["tests"] if each["test"] != "halves")
    assert (renamed["was"], renamed["same_text"]) == ({"path": test, "test": "adds two"}, True)
    assert outcomes(found) == {"F"}


@ALL
def test_a_mend_with_its_test_is_proven(kind: str, tmp_path: Path) -> None:
    project, config, code, broken, test, text = KINDS[kind]
    found = compare(tmp_path, {**project, code: broken, test: WEAK[kind]}, {code: project[code], test: text}, config)
    assert {each["test"]: each["class"] for each in found["tests"]} == {"adds two": "proven", "halves": "kept"}


def test_what_a_base_form_needs_in_the_code_keeps_c_from_compiling(tmp_path: Path) -> None:
    head = {"sum.c": SUM_C.replace("sum(", "total("), "sum.h": C_PROJECT["sum.h"].replace("sum(", "total(")}
    head["tests/sum_test.c"] = CHECKS.replace("sum(1", "total(1")
    found = compare(tmp_path, C_PROJECT, head, C_CONFIG)
    assert cells(found) == {"adds two": "PXXP", "halves": "PXXP"}
    assert {each["class"] for each in found["tests"]} == {"not_comparable"}


def test_without_a_command_its_files_are_unexamined(tmp_path: Path) -> None:
    for number, config in enumerate(({}, {"tests": [{**BATS_CONFIG["tests"][0], "format": "exit-code"}]})):
        found = compare(tmp_path / str(number), BATS, {"test/sum.bats": WEAK["bats"]}, config)
        assert (found["files"], found["tests"]) == ([], [])
        assert [each["path"] for each in found["unexamined"]] == ["test/sum.bats"]


def test_a_command_without_a_test_that_must_fail_only_accuses(tmp_path: Path) -> None:
    config = {"tests": [{name: value for name, value in C_CONFIG["tests"][0].items() if name != "must_fail"}]}
    found = compare(tmp_path, C_PROJECT, {"sum.c": BROKEN_C, "tests/sum_test.c": WEAK["c"]}, config)
    assert cells(found) == {"adds two": "PFPP", "halves": "PPPP"}
    assert outcomes(found) == {"N"}


@pytest.mark.release
def test_the_files_of_a_command_and_what_its_report_lacks(tmp_path: Path) -> None:
    other = 'ok() { true; }\n@test "another" {\n  ok\n}\n'
    head = {"test/sum.bats": WEAK["bats"], "more/other.bats": other.replace("  ok\n", "  ok 1\n")}
    found = compare(tmp_path / "a", {**BATS, "more/other.bats": other}, head, BATS_CONFIG)
    assert found["files"] == ["test/sum.bats"]
    assert [each["path"] for each in found["unexamined"]] == ["more/other.bats"]
    limited = {"tests": [{**BATS_CONFIG["tests"][0], "files": ["more/*.bats"]}]}
    found = compare(tmp_path / "b", {**BATS, "more/other.bats": other}, head, limited)
    assert (found["files"], len(found["unexamined"])) == ([], 2)


def test_a_name_in_a_comment_is_no_test(tmp_path: Path) -> None:
    """A test of the same name in another file doesn't stand for the one that is gone."""
    base = {**BATS, "test/other.bats": TESTS.partition('@test "halves"')[0]}
    head = {"sum.sh": BROKEN.replace("3)", "3)"), "test/sum.bats": f'# "adds two"\n{GONE["bats"][1]}'}
    found = compare(tmp_path, base, head, BATS_CONFIG)
    assert cells(found)["adds two"][2:] == "NN"


def test_a_file_that_replaces_what_tests_use_makes_the_one_pass_that_must_fail(tmp_path: Path) -> None:
    lying = "function [ { return 0; }\n"
    found = compare(tmp_path, BATS, {"sum.sh": BROKEN, "test/sum.bats": lying + TESTS}, BATS_CONFIG)
    assert {entry["cell"]: entry["outcome"] for entry in found["control"]} == {
        "BB": "F",
        "HB": "F",
        "BH": "P",
        "HH": "P",
    }


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"must_fail": {"path": "tests/a.c", "text": "{name}"}}, "must_fail"),
        ({"must_fail": {"path": "../{name}.c", "text": "{name}"}}, "leads out of the repository"),
        ({"files": "tests/*.c"}, "files that aren't a list"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_named(more: dict[str, Any], said: str, tmp_path: Path) -> None:
    config = {"tests": [{**C_CONFIG["tests"][0], **more}]}
    repo = make_repo(tmp_path, C_PROJECT)
    repo.write({"tests/sum_test.c": WEAK["c"]})
    answer = repo.run("code:counterfactual", gated=True, config=config)
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_a_test_that_must_fail_is_not_written_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    config = {"tests": [{**C_CONFIG["tests"][0], "must_fail": {"path": "more/{name}.c", "text": "{name}"}}]}
    repo = make_repo(tmp_path / "a", C_PROJECT)
    (repo.root / "more").symlink_to(outside)
    repo.write({"tests/sum_test.c": WEAK["c"]})
    found = repo.run("code:counterfactual", gated=True, config=config).json("counterfactual.json")
    assert list(outside.iterdir()) == []
    assert {each["cells"]["HH"] for each in found["tests"]} == {"X"}
