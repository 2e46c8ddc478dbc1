"""Each row of the table of docs/statements.md about what a change touches, run, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import literal_facts as lf
import pytest

from verigate.gate.statements import judge_statements

PAGE = Path(__file__).resolve().parents[3] / "docs/statements.md"
OUTCOMES = {"holds": "supported", "refuted": "refuted", "unknown": "undecided"}
KINDS = {"docs": "docs", "README.md": "docs", "tests": "test", "src": "code", "uv.lock": "lock"}


def rows() -> Iterator[tuple[str, str, str]]:
    section = PAGE.read_text("utf-8").partition("## What a change touches")[2].partition("\n## ")[0]
    yield from re.findall(r"^\| (?!says)([A-Z][^|]+) \| ([^|]+) \| (\w+) \|$", section, re.MULTILINE)


def entry(path: str, change: str = "modified", code: str = "differs", was: str | None = None) -> dict[str, Any]:
    kind = KINDS.get(path.partition("/")[0], "other")
    return {
        "path": path,
        "from": was,
        "change": change,
        "kind": kind,
        "code": code if kind in {"code", "test"} else "unknown",
        "edit": "other",
    }


def pin(name: str, change: str, *, locked: bool) -> dict[str, Any]:
    versions = {"from": [], "to": ["1.0"], "from_remarks": [], "to_remarks": []}
    place = {"ecosystem": "pypi", "path": "uv.lock" if locked else "pyproject.toml"}
    return {"role": "dependency", "name": name, "change": change, "locked": locked, **place, **versions}


SPELLED = {**entry("README.md"), "edit": "spelling"}


def judge(text: str, files: Sequence[dict[str, Any]], pins: Sequence[dict[str, Any]] = ()) -> str:
    """Judge the last sentence of a text."""
    sentences = re.split(r"(?<=[.]) (?=[A-Z])", text)
    changes = {
        "files": list(files),
        "pins": list(pins),
        "moved": [],
        "names": [],
        "words": [],
        "unread": [],
        "total": len(files),
    }
    known = lf.facts({}, {"changes.json": changes}, claim=lf.claim_document(statements=sentences))
    assert known.task.claim is not None
    return OUTCOMES[judge_statements(known, known.task.claim.statements)[-1].answer.outcome.value]


def test_the_page_has_the_table() -> None:
    assert len(list(rows())) == 31


@pytest.mark.parametrize(("text", "files", "outcome"), list(rows()))
def test_a_row(text: str, files: str, outcome: str) -> None:
    assert judge(text, [entry(path) for path in files.split(", ")]) == outcome


@pytest.mark.parametrize(
    ("text", "file", "outcome"),
    [
        ("No production code was changed.", entry("src/a.py", code="equal"), "supported"),
        ("No production code was changed.", entry("src/a.py", code="strings"), "undecided"),
        ("No production code was changed.", entry("src/a.py", code="values"), "refuted"),
        ("No production code was changed.", entry("src/a_windows.go", "renamed", code="equal"), "undecided"),
        ("This is a docs-only change.", entry("src/b.py", code="equal"), "supported"),
        ("This is a docs-only change.", entry("src/b.py", "renamed", code="equal"), "refuted"),
        ("No production code was changed.", entry("src/lib.rs"), "undecided"),
        ("No production code was changed.", entry("src/a.py", "deleted"), "refuted"),
        ("No production code was changed.", entry("what"), "undecided"),
        ("No tests were changed.", entry("tests/test_a.py", "added"), "undecided"),
        ("No tests were changed.", entry("tests/test_a.py", "deleted"), "refuted"),
        ("No documentation was updated.", entry("docs/a.md"), "refuted"),
        # Before: supported, and the last one refuted.
        ("This is a docs-only change.", entry("docs/conf.py", "added"), "undecided"),
        ("This is a docs-only change.", entry("docs/sub/Build.KT"), "undecided"),
        ("No production code was changed.", entry("docs/build.sh"), "undecided"),
        ("No documentation was updated.", entry("docs/conf.py"), "undecided"),
        # As before.
        ("This is a docs-only change.", entry("docs/examples/run.py"), "supported"),
        ("This is a docs-only change.", entry("docs/style.css"), "supported"),
    ],
)
def test_what_counts_as_touched(text: str, file: dict[str, Any], outcome: str) -> None:
    assert judge(text, [file]) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "This is a documentation change only.",
        "This is purely a documentation change.",
        "This is a pure docs update.",
        "Nothing but the docs was changed.",
        "I changed nothing but documentation.",
    ],
)
@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ([entry("docs/a.md")], "supported"),
        ([entry("docs/a.md"), entry("src/a.py")], "refuted"),
        ([entry("docs/a.md"), entry("uv.lock")], "undecided"),
    ],
)
def test_docs_only_in_other_words(text: str, files: list[dict[str, Any]], outcome: str) -> None:
    assert judge(text, files) == outcome


@pytest.mark.parametrize(
    ("code", "outcome"), [("equal", "supported"), ("differs", "refuted"), ("documentation", "undecided")]
)
def test_nothing_but_comments(code: str, outcome: str) -> None:
    assert judge("Nothing but comments changed.", [entry("src/a.py", code=code)]) == outcome


def test_a_program_in_docs_of_which_comments_changed_is_documentation() -> None:
    conf = {**entry("docs/conf.py"), "code": "equal"}
    assert judge("This is a docs-only change.", [conf]) == "supported"


@pytest.mark.parametrize(
    ("text", "other"), [("This is a docs-only change.", "README.md"), ("Only tests were changed.", "tests/test_a.py")]
)
@pytest.mark.parametrize(("code", "outcome"), [("strings", "undecided"), ("values", "refuted")])
def test_another_value_in_a_string_is_code(text: str, other: str, code: str, outcome: str) -> None:
    assert judge(text, [entry(other), entry("src/a.py", code=code)]) == outcome


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ([entry("src/b.py", "renamed", code="equal", was="src/a.py")], "supported"),
        ([entry("src/b.py", "renamed", was="src/a.py")], "undecided"),
        ([entry("src/b.py", "renamed", code="equal", was="src/a.py"), entry("src/c.py")], "undecided"),
        ([entry("src/b.py", "renamed", code="equal", was="src/a.py"), entry("src/c.py", "added")], "refuted"),
        ([entry("src/b.py", "added"), entry("src/a.py", "deleted")], "undecided"),
        ([entry("src/a.py", "deleted"), entry("src/b.py")], "refuted"),
        ([entry("docs/b.md", "renamed", was="docs/a.md")], "undecided"),
    ],
)
@pytest.mark.parametrize("text", ["This is a pure rename.", "This change is only a rename."])
def test_a_pure_rename_is_one_of_paths_or_undecided(text: str, files: list[dict[str, Any]], outcome: str) -> None:
    assert judge(text, files) == outcome


@pytest.mark.parametrize(
    "text", ["Only tests were changed.", "No code changes.", "All changes are in src/.", "Pure rename."]
)
def test_a_change_of_nothing_supports_nothing(text: str) -> None:
    assert judge(text, []) == "undecided"


@pytest.mark.parametrize(
    ("added", "outcome"),
    [
        (pin("six", "added", locked=False), "refuted"),
        (pin("six", "added", locked=True), "undecided"),
        (pin("six", "changed", locked=False), "supported"),
    ],
)
def test_dependencies_that_are_said_not_to_come(added: dict[str, Any], outcome: str) -> None:
    assert judge("No new dependencies were added.", [entry("src/a.py")], [added]) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "Only tests changed on Windows.",
        "No code changes, hopefully.",
        "No code was changed except in the parser.",
        "Nothing else was changed in the parser.",
        "All changes are in docs/ and src/.",
        "Almost no code was changed.",
        "No new dependencies were added to the core.",
    ],
)
def test_a_word_more_leaves_it_open(text: str) -> None:
    assert judge(f"I changed src/a.py. {text}", [entry("src/a.py")]) == "undecided"


MOVED = entry("tests/unit/test_a.py", "renamed", "equal", was="tests/test_a.py")


@pytest.mark.parametrize(
    ("text", "files", "outcome"),
    [
        ("Moved tests/test_a.py to tests/unit/.", [MOVED], "supported"),
        ("Moved tests/test_a.py to tests/slow/.", [MOVED], "undecided"),
        ("Moved tests/test_a.py to tests/unit/ on Linux.", [MOVED], "undecided"),
        ("Moved tests/test_a.py to tests/unit/. Nothing else was touched.", [MOVED], "supported"),
        ("Moved tests/test_a.py to tests/unit/. Nothing else was touched.", [MOVED, entry("src/a.py")], "refuted"),
        ("Moved tests/test_b.py to tests/unit/. Nothing else was touched.", [MOVED], "undecided"),
    ],
)
def test_a_file_that_moved_into_a_folder(text: str, files: list[dict[str, Any]], outcome: str) -> None:
    assert judge(text, files) == outcome


def raised(name: str, path: str = "pyproject.toml", *, was: str = ">=8", now: str = ">=8.2") -> dict[str, Any]:
    ecosystem = "github-actions" if path.startswith(".github/") else "pypi"
    own = {"from": [was], "to": [now], "path": path, "ecosystem": ecosystem}
    return {**pin(name, "changed", locked=path == "uv.lock"), **own}


RAISED = "Raised pytest from 8 to 8.2 in pyproject.toml."
OTHERS = f"{RAISED} No other dependency was changed."
MANIFEST = entry("pyproject.toml")


@pytest.mark.parametrize(
    ("text", "pins", "outcome"),
    [
        (RAISED, [raised("pytest")], "supported"),
        (RAISED, [raised("pytest", was=">=7", now=">=7.4")], "refuted"),
        (RAISED, [raised("pytest", was="==7.0", now="==7.4")], "refuted"),
        (RAISED, [raised("pytest", "requirements.txt")], "undecided"),
        (RAISED, [], "undecided"),
        ("Raised prices from 8 to 9.", [raised("prices", now=">=9")], "undecided"),
        ("Raised prices from 8 to 9 in shops.", [raised("prices", now=">=9")], "undecided"),
        ("Raised pytest from 8 to 8.2 in pyproject.toml on Linux.", [raised("pytest")], "undecided"),
        (OTHERS, [raised("pytest")], "supported"),
        (OTHERS, [raised("pytest"), raised("pytest", "uv.lock")], "supported"),
        (OTHERS, [raised("pytest"), raised("ruff")], "refuted"),
        (OTHERS, [raised("pytest"), pin("pytest-cov", "added", locked=False)], "refuted"),
        (OTHERS, [raised("pytest"), raised("pluggy", "uv.lock")], "undecided"),
        (OTHERS, [raised("pytest"), raised("actions/cache", ".github/workflows/ci.yml")], "undecided"),
        (f"We need ruff. {OTHERS}", [raised("pytest"), raised("ruff")], "undecided"),
        ("No other dependency was changed.", [raised("pytest")], "undecided"),
        (f"{RAISED} No other dependency was changed on Linux.", [raised("pytest")], "undecided"),
        (f"{RAISED} I did not touch any other dependency.", [raised("pytest"), raised("ruff")], "refuted"),
    ],
)
def test_a_dependency_that_was_raised_and_the_others(text: str, pins: list[dict[str, Any]], outcome: str) -> None:
    assert judge(text, [MANIFEST], pins) == outcome


BUMPED = "Bumped pytest from 8 to"
LOCKED = {**entry("uv.lock"), "kind": "lock"}


@pytest.mark.parametrize(
    ("text", "changed", "files", "outcome"),
    [
        (f"{BUMPED} 8.2.", raised("pytest"), [MANIFEST], "supported"),
        (f"{BUMPED} 9.", raised("pytest"), [MANIFEST], "refuted"),
        (f"{BUMPED} v9.1.", raised("pytest"), [MANIFEST], "refuted"),
        (f"{BUMPED} 8.20.", raised("pytest"), [MANIFEST], "refuted"),
        ("Bumped pytest to 9.", raised("pytest", was="~=8.1", now="~=8.2"), [MANIFEST], "refuted"),
        # what may be installed, or a lock file may pin
        (f"{BUMPED} 8.2.1.", raised("pytest"), [MANIFEST], "undecided"),
        ("Bumped pytest from 7 to 8.2.", raised("pytest"), [MANIFEST], "undecided"),
        (f"{BUMPED} 9.", raised("pytest"), [MANIFEST, LOCKED], "undecided"),
        (f"{BUMPED} 9.", raised("pytest", now=">=8.2,<10"), [MANIFEST], "undecided"),
        (f"{BUMPED} 9.", raised("pytest", now="<10"), [MANIFEST], "undecided"),
        (f"{BUMPED} 9.", raised("pytest", was="", now=">=8.2"), [MANIFEST], "undecided"),
        (f"{BUMPED} 1234567.", raised("pytest"), [MANIFEST], "undecided"),
    ],
)
def test_flip_a_version_that_no_lower_bound_became_is_refuted(
    text: str, changed: dict[str, Any], files: list[dict[str, Any]], outcome: str
) -> None:
    # Before: each was undecided but for the first, as its versions are ranges.
    assert judge(text, files, [changed]) == outcome


def test_a_lock_file_decides_which_version_came() -> None:
    locked = raised("pytest", "uv.lock", was="8.0.0", now="9.0.1")
    assert judge(f"{BUMPED} 9.", [MANIFEST, LOCKED], [raised("pytest"), locked]) == "supported"
    older = {**locked, "to": ["8.2.1"]}
    assert judge(f"{BUMPED} 9.", [MANIFEST, LOCKED], [raised("pytest"), older]) == "refuted"


def test_other_dependencies_in_a_lock_file_that_nothing_reads_are_open() -> None:
    assert judge(OTHERS, [MANIFEST, {**entry("bun.lockb"), "kind": "lock"}], [raised("pytest")]) == "undecided"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Bumped the version to 0.2.0.", "supported"),
        ("I bumped version to 0.2.0", "supported"),
        ("Raised the version to 0.2.0.", "supported"),
        ("Bumped the version to 0.3.0.", "refuted"),
        ("Bumped the version to 0.3.0 on Linux.", "undecided"),
        ("Bumped 0.3.0.", "undecided"),
        ("Upgraded 0.3.0.", "undecided"),
    ],
)
def test_the_own_version_that_was_raised(text: str, outcome: str) -> None:
    own = {**raised("shop", was="0.1.0", now="0.2.0"), "role": "own"}
    assert judge(text, [MANIFEST], [own]) == outcome
    assert judge("Bumped the version to 0.2.0.", [MANIFEST], []) == "undecided"


SAME, OTHER = entry("src/a.py", code="equal"), entry("src/b.py")


@pytest.mark.parametrize(
    ("text", "files", "outcome"),
    [
        ("Only comments were changed.", [SAME], "supported"),
        ("Only comments and docstrings changed.", [SAME, entry("tests/test_a.py", code="equal")], "supported"),
        ("Only comments were changed.", [SAME, OTHER], "refuted"),
        ("I only changed comments.", [entry("tests/test_a.py")], "refuted"),
        ("This is a comment-only change.", [entry("src/a.py", "added")], "refuted"),
        ("Only comments were changed.", [entry("src/a.py", code="strings")], "undecided"),
        ("Only comments were changed.", [entry("src/a.py", code="documentation")], "undecided"),
        ("Only comments were changed.", [entry("src/b.py", "renamed", "equal", was="src/a.py")], "undecided"),
        ("Only comments were changed.", [SAME, entry("README.md")], "undecided"),
        ("Only comments were changed.", [], "undecided"),
        ("Only comments were changed in src/a.py.", [SAME], "undecided"),
        ("Only comments were changed in src/a.py.", [SAME, OTHER], "undecided"),
        ("Only docstrings were changed.", [SAME], "undecided"),
        ("Only some comments were changed.", [SAME], "undecided"),
    ],
)
def test_only_comments(text: str, files: list[dict[str, Any]], outcome: str) -> None:
    assert judge(text, files) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "The tests were not touched.",
        "I did not touch the tests.",
        "The tests are unchanged.",
        "No tests were modified.",
    ],
)
@pytest.mark.parametrize(
    ("file", "outcome"),
    [
        (entry("src/a.py"), "supported"),
        (entry("tests/test_a.py", code="equal"), "undecided"),
        (entry("tests/test_a.py"), "refuted"),
        (entry("tests/test_a.py", "deleted"), "refuted"),
        (entry("tests/conftest.py", "added"), "undecided"),
        ({**entry("conftest.py", "added"), "kind": "test"}, "undecided"),
        (entry("what"), "undecided"),
    ],
)
def test_the_tests_were_not_touched(text: str, file: dict[str, Any], outcome: str) -> None:
    assert judge(text, [file]) == outcome


@pytest.mark.parametrize(
    "text",
    [
        "The tests were not touched on Windows.",
        "I did not touch the tests of the parser.",
        "The tests were not touched except one.",
        "The tests were not all touched.",
    ],
)
def test_a_word_more_about_tests_leaves_it_open(text: str) -> None:
    assert judge(text, [entry("src/a.py")]) == judge(text, [entry("tests/test_a.py")]) == "undecided"


OLD, NEW = "f" * 40, "0" * 40


def action(name: str, old: str, new: str, remarks: tuple[str, str]) -> dict[str, Any]:
    """A workflow's pin of an action that became another commit, with the comments next to it."""
    made = pin(name, "changed", locked=False) | {"ecosystem": "github-actions", "path": ".github/workflows/ci.yml"}
    return made | {"from": [old], "to": [new], "from_remarks": [remarks[0]], "to_remarks": [remarks[1]]}


@pytest.mark.parametrize(
    ("remarks", "outcome"),
    [
        (("v3.29.5", "v3.29.5"), "undecided"),
        (("v4.30.8", "v4.31.3"), "supported"),
        (("v4.30.8", "v4.31.2"), "refuted"),
        (("v4.30.7", "v4.31.2"), "refuted"),
    ],
)
def test_a_comment_that_did_not_change_with_its_commit_refutes_nothing(remarks: tuple[str, str], outcome: str) -> None:
    files = [entry(".github/workflows/ci.yml")]
    said = "I bumped github/codeql-action from 4.30.8 to 4.31.3."
    assert judge(said, files, [action("github/codeql-action", OLD, NEW, remarks)]) == outcome


@pytest.mark.parametrize(
    ("versions", "outcome"),
    [(("8.58.0", "8.58.0"), "supported"), (("8.58.0", "8.57.0"), "undecided"), (("8.57.0", "8.57.0"), "refuted")],
)
def test_packages_of_a_scope_each_have_the_version(versions: tuple[str, str], outcome: str) -> None:
    pins = [
        pin(f"@typescript-eslint/{name}", "changed", locked=False) | {"ecosystem": "npm", "from": ["8.1.0"], "to": [to]}
        for name, to in zip(("parser", "utils"), versions, strict=True)
    ]
    said = "I bumped @typescript-eslint packages to 8.58.0."
    assert judge(said, [entry("package.json")], [*pins, pin("eslint", "changed", locked=False)]) == outcome
    assert judge(said, [entry("package.json")]) == "undecided"


def test_texts_in_code_leave_a_change_of_documentation_open() -> None:
    assert judge("This is a docs-only change.", [entry("src/a.py", code="strings")]) == "undecided"
    assert judge("This is a docs-only change.", [entry("src/a.py", code="differs")]) == "refuted"


@pytest.mark.parametrize(
    "text",
    [
        "Fixed a typo in README.md.",
        "Corrected a spelling mistake in the README.",
        "I've fixed two small typos in `README.md`, no code touched.",
    ],
)
@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ([SPELLED], "supported"),
        ([{**SPELLED, "edit": "other"}], "undecided"),
        ([entry("src/a.py")], "refuted"),
    ],
)
def test_a_typo_in_a_file_is_compared_with_its_words(text: str, files: list[dict[str, Any]], outcome: str) -> None:
    # Before: undecided. Each was not read.
    assert judge(text, files) == outcome


def test_a_typo_in_one_file_says_nothing_of_others() -> None:
    assert judge("Fixed a typo in README.md.", [SPELLED, entry("src/a.py")]) == "supported"
    assert judge("Fixed a typo in README.md, no code touched.", [SPELLED, entry("src/a.py")]) == "refuted"
    assert judge("Fixed a typo in README.md on Linux.", [SPELLED]) == "undecided"
    assert judge("Fixed a typo in README.md. Nothing else was changed.", [SPELLED]) == "supported"
    assert judge("Fixed a typo in README.md. Nothing else was changed.", [SPELLED, entry("src/a.py")]) == "refuted"
