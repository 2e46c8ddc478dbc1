"""code:sensitivity with real runners: tests that pass whatever they compare with, and mutants in changed lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from release_tests import some_always

if TYPE_CHECKING:
    from pathlib import Path

Files = dict[str, str]
FEW = {"mutants_s": 300, "mutants": 5}
SHOP = "def total(prices):\n    if min(prices) < 0:\n        raise ValueError('negative')\n    return sum(prices)\n"
TEST = "import pytest\nimport shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"
PYTHON = {"pyproject.toml": "[tool.pytest.ini_options]\n", "shop.py": SHOP, "test_shop.py": TEST}


def measure(
    folder: Path, base: Files, head: Files, *, config: dict[str, int] | None = None, **more: Any
) -> dict[str, Any]:
    """Run the cells and then few mutants; the machine may be busy, so that a test has more time than usual."""
    repo = make_repo(folder, base)
    repo.write(head)
    cells = repo.run("code:counterfactual", gated=True, config={"runs": 1})
    answer = repo.run("code:sensitivity", gated=True, given=cells, config={**FEW, **(config or {})}, **more)
    found: dict[str, Any] = answer.json("sensitivity.json")
    return found


def blind(found: dict[str, Any]) -> list[tuple[str, int, str, bool]]:
    return [(each["test"], each["line"], each["change"], each["new"]) for each in found["unfailing"]]


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (TEST.replace("== 3", "== pytest.approx(3, abs=99)"), [("test_total", 6, "3 becomes 7", False)]),
        (
            TEST + "\n\ndef test_negative():\n    with pytest.raises(ValueError):\n        shop.total([-1])\n"
            "        assert shop.total([4]) == 4\n",
            [("test_negative", 12, "4 becomes 5", True)],
        ),
        pytest.param(
            TEST.replace("    assert", "    try:\n        assert") + "    except AssertionError:\n        pass\n",
            [("test_total", 7, "3 becomes 4", False)],
            marks=pytest.mark.release,
        ),
        (TEST.replace("assert shop", "found = shop").replace(" == 3", "\n    assert found == 3"), []),
        pytest.param(
            TEST + "    with pytest.raises(ValueError):\n        assert shop.total([-1]) == 9\n",
            [],
            marks=pytest.mark.release,
        ),
        pytest.param(
            TEST + "    assert shop.total([1]) == 1\n    assert shop.total([2]) == pytest.approx(2)\n",
            [],
            marks=pytest.mark.release,
        ),
    ],
)
def test_values_that_a_test_compares_with_are_altered(
    tmp_path: Path, head: str, wanted: list[tuple[str, int, str, bool]]
) -> None:
    assert blind(measure(tmp_path, PYTHON, {"test_shop.py": head})) == wanted


@pytest.mark.release
def test_what_a_test_could_not_notice_before_is_no_matter_of_the_change(tmp_path: Path) -> None:
    vague = TEST.replace("== 3", "== pytest.approx(3, abs=99)")
    found = measure(
        tmp_path, {**PYTHON, "test_shop.py": vague}, {"test_shop.py": f"{vague}    assert shop.total([1]) == 1\n"}
    )
    assert blind(found) == []


SCRIPT = "export const total = (a, b) => a * b + 1;\n"
SCRIPT_TEST = (
    "import assert from 'node:assert';\nimport {{ test }} from 'node:test';\nimport {{ total }} from './shop.js';\n\n"
    "test('adds', () => {{\n  {}\n}});\n"
)
RUST = "pub fn total(a: i32, b: i32) -> i32 {{\n    a * b + 1\n}}\n\n#[test]\nfn adds() {{\n    {}\n}}\n"
PACKAGES: dict[str, tuple[Files, str, str, str, str]] = {
    "node": (
        {"package.json": json.dumps({"type": "module", "scripts": {"test": "node --test"}}), "shop.js": SCRIPT},
        "shop.test.js",
        SCRIPT_TEST,
        "assert.equal(total(2, 3), 7);",
        "try { assert.equal(total(2, 3), 7); } catch {}",
    ),
    "rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
            ".gitignore": "target\n",
        },
        "src/lib.rs",
        RUST,
        "assert_eq!(total(2, 3), 7);",
        "let _ = std::panic::catch_unwind(|| { assert_eq!(total(2, 3), 7); });",
    ),
    "go": (
        {
            "go.mod": "module example.com/shop\n\ngo 1.19\n",
            "shop.go": "package shop\n\nfunc Total(a, b int) int {\n\treturn a*b + 1\n}\n",
        },
        "shop_test.go",
        'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {{\n{}\n}}\n',
        "\tif Total(2, 3) != 7 {\n\t\tt.Fatal()\n\t}",
        "\tt = &testing.T{}\n\tif Total(2, 3) != 7 {\n\t\tt.Error()\n\t}",
    ),
}


@pytest.mark.release
@pytest.mark.parametrize("language", some_always(PACKAGES, str, "node".__eq__, one_in=1000))
def test_other_languages(tmp_path: Path, language: str) -> None:
    files, path, form, exact, caught = PACKAGES[language]
    found = measure(tmp_path, {**files, path: form.format(exact)}, {path: form.format(caught)})
    assert [change for _, _, change, _ in blind(found)] == ["7 becomes 8"], found


SPECIAL = SHOP + "\n\ndef square(n):\n    if n == 7:\n        return 49\n    return 0\n"
SQUARE = TEST + "\n\ndef test_square():\n    assert shop.square(7) == 49\n"


@pytest.mark.release
def test_mutants_in_changed_lines_are_tried_where_somebody_asks(tmp_path: Path) -> None:
    head = {"shop.py": SPECIAL, "test_shop.py": SQUARE}
    assert measure(tmp_path / "a", PYTHON, head)["changed"] is None
    for folder, asked in (
        ("b", {"rules": {"noticed_min": 0.5}}),
        ("c", {"claim": {"statements": ["`square` is tested"]}}),
    ):
        changed = measure(tmp_path / folder, PYTHON, head, config={"mutants": 20}, **asked)["changed"]
        assert (changed["files"], changed["unexamined"]) == (1, [])
        assert {each["unit"] for each in changed["mutants"]} == {"square"}
        by_line = {(each["line"], each["fate"]) for each in changed["mutants"]}
        # What is special-cased for the test is noticed, and what the function does for all others isn't.
        assert {(9, "noticed"), (10, "unnoticed")} <= by_line
        assert (10, "noticed") not in by_line


@pytest.mark.release
def test_code_without_a_test_and_code_that_other_tests_run(tmp_path: Path) -> None:
    rules = {"noticed_min": 0.5}
    found = measure(tmp_path / "none", PYTHON, {"shop.py": SPECIAL}, rules=rules)["changed"]
    assert {each["fate"] for each in found["mutants"]} == {"unnoticed"}
    more = {
        **PYTHON,
        "test_more.py": (
            "import shop\n\n\ndef test_square():\n    assert shop.square(7) == 49\n    assert shop.square(2) == 4\n"
        ),
    }
    fixed = SHOP + "\n\ndef square(n):\n    return n * n\n"
    found = measure(tmp_path / "other", {**more, "shop.py": SPECIAL}, {"shop.py": fixed}, rules=rules)["changed"]
    assert {each["fate"] for each in found["mutants"]} == {"noticed"}
    assert all("test_more.py::test_square" in each["head"] for each in found["mutants"])
    found = measure(tmp_path / "text", PYTHON, {"README.md": "Shops.\n"}, rules=rules)["changed"]
    assert (found["files"], found["mutants"]) == (0, [])


CARGO = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    ".gitignore": "target\n",
}
INNER = (
    "pub fn total(a: i32, b: i32) -> i32 {\n    a * b + 1\n}\n\n#[cfg(test)]\nmod tests {\n    use super::total;\n\n"
    "    #[test]\n    fn adds() {\n        assert_eq!(total(2, 3), 7);\n    }\n}\n"
)


def test_tests_within_the_code_notice_though_none_of_them_changed(tmp_path: Path) -> None:
    rules = {"noticed_min": 0.5}
    head = {"src/lib.rs": INNER.replace("a * b + 1", "1 + a * b")}
    found = measure(tmp_path, {**CARGO, "src/lib.rs": INNER}, head, rules=rules)["changed"]
    assert found["mutants"], found
    assert {each["fate"] for each in found["mutants"]} == {"noticed"}


@pytest.mark.release
def test_tests_that_do_not_run_as_they_are_leave_open_who_notices(tmp_path: Path) -> None:
    base = {**PYTHON, "test_more.py": "import shop\n\n\ndef test_more():\n    assert shop.square(2) == 4\n"}
    base["conftest.py"] = "def pytest_collection_modifyitems(items):\n    raise RuntimeError('no tests today')\n"
    head = {"shop.py": SHOP + "\n\ndef square(n):\n    return n * n\n"}
    found = measure(tmp_path, base, head, rules={"noticed_min": 0.5})["changed"]
    assert "noticed" not in {each["fate"] for each in found["mutants"]}
    assert "unnoticed" not in {each["fate"] for each in found["mutants"]}
    assert "don't run as they are" in found["unexamined"][0]["why"], found


GUARDED = SHOP + "\n\ndef refund(price):\n    if price < 0:\n        raise ValueError(price)\n    return -price\n"
NO_CHANGE: dict[str, Any] = {"claim": {"statements": ["No behaviour change."]}}


def fates(found: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(each["unit"], each["fate"]) for each in found["places"]]


def test_places_that_changed_are_asked_about_where_behaviour_is_said_to_be_the_same(tmp_path: Path) -> None:
    """A guard that is removed leaves no changed line; whether tests notice anything of its function is known."""
    base = {**PYTHON, "shop.py": GUARDED}
    unguarded = GUARDED.replace("    if price < 0:\n        raise ValueError(price)\n", "")
    found = measure(tmp_path / "a", base, {"shop.py": unguarded}, **NO_CHANGE)
    assert fates(found) == [("refund", "unnoticed")]
    tidied = GUARDED.replace("    return sum(prices)", "    found = sum(prices)\n    return found")
    assert fates(measure(tmp_path / "b", base, {"shop.py": tidied}, **NO_CHANGE)) == [("total", "noticed")]
    assert measure(tmp_path / "c", base, {"shop.py": tidied})["places"] is None


@pytest.mark.release
def test_what_leads_elsewhere_leaves_behaviour_open(tmp_path: Path) -> None:
    files, path, form, exact, _ = PACKAGES["node"]
    base = {**files, path: form.format(exact), "a.js": 'export { pay } from "./b.js";\n', "c.js": "", "b.js": ""}
    found = measure(tmp_path, base, {"a.js": 'export { pay } from "./c.js";\n', "clean.sh": "rm -rf /\n"}, **NO_CHANGE)
    assert fates(found) == [(None, "unnoticed"), (None, "untried")]
    assert [each["path"] for each in found["places"]] == ["a.js", "clean.sh"]


USED = {
    **PYTHON,
    "cli.py": '"""Usage: cli [-a]"""\nprint(__doc__)\n',
    "prompt.md": "Never.\n",
    "load.py": "open('prompt.md')\n",
}
USED |= {"a.go": "package a\n", "sign.py": "a = 'b'\n", "note.py": '"""One."""\n', "notes.md": "One.\n"}
STEERED = {
    "cli.py": USED["cli.py"].replace("-a", "-b"),
    "prompt.md": "Always.\n",
    "a.go": "//go:build b\n\npackage a\n",
    "sign.py": "# coding: latin-1\na = 'c'\n",
    "note.py": '"""Two."""\n',
    "notes.md": "Two.\n",
}


def test_what_no_mutant_shows_is_listed_where_behaviour_is_stated(tmp_path: Path) -> None:
    found = measure(tmp_path, USED, STEERED, **NO_CHANGE)["places"]
    assert {each["path"]: each["why"] for each in found if each["fate"] == "untried"} == {
        "a.go": "a comment that steers the program differs",
        "cli.py": "documentation that the program reads differs",
        "prompt.md": "a text that the program reads differs",
        "sign.py": "a comment that steers the program differs",
    }
