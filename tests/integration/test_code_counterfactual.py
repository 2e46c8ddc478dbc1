"""code:counterfactual with real pytest and unittest: the cells of tests that a change touches."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import node_modules, runners
from release_tests import left_for_a_release, some_always

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo

PYPROJECT = "[tool.pytest.ini_options]\n"
GOOD = "def total(prices):\n    return sum(prices)\n\n\ndef half(n):\n    return n // 2\n"
BROKEN = GOOD.replace("sum(prices)", "sum(prices) - 1")


def compare(folder: Path, base: dict[str, str], head: dict[str, str | None], **config: Any) -> dict[str, Any]:
    repo = make_repo(folder)
    repo.write({"pyproject.toml": PYPROJECT, **base})
    repo.commit()
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    return read(repo, **config)


def read(repo: CodeRepo, **config: Any) -> dict[str, Any]:
    outcome = repo.run("code:counterfactual", gated=True, **({"config": config} if config else {}))
    return outcome.json("counterfactual.json")


def classes(found: dict[str, Any]) -> dict[str, str]:
    return {test["test"]: test["class"] for test in found["tests"]}


ONE = "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == {}\n"
RIGHT, WRONG = ONE.format(3), ONE.format(2)
TEST = RIGHT + "\n\ndef test_half():\n    assert shop.half(4) == 2\n"


def test_tests_of_a_base_that_leaves_no_report_are_not_taken_for_new_ones(tmp_path: Path) -> None:
    conftest = "import a_package_that_is_not_installed\n"
    base = {"shop.py": GOOD, "test_shop.py": TEST, "conftest.py": conftest}
    found = compare(tmp_path, base, {"conftest.py": None, "test_shop.py": TEST.replace("== 3", ">= 2")})
    assert classes(found) == {"test_total": "not_comparable", "test_half": "not_comparable"}
    assert {test["cells"]["BB"][:1] for test in found["tests"]} == {"X"}
    assert [test["of_file"] for test in found["tests"]] == [True, True]
    assert len({test["id"] for test in found["tests"]}) == 1


def test_a_call_by_name_of_what_became_keyword_only_is_loosened(tmp_path: Path) -> None:
    """By the table: the old call is what the old test noticed, and nothing notices it any more."""
    code, test = "def price(amount, tax):\n    return amount + tax\n", ONE.replace("total([1, 2])", "price({})").format
    found = compare(
        tmp_path,
        {"shop.py": code, "test_shop.py": test("3, 1", 4)},
        {"shop.py": code.replace("tax)", "*, tax)"), "test_shop.py": test("3, tax=1", 4)},
    )
    assert classes(found) == {"test_total": "loosened"}


def test_a_weakened_assertion_beside_broken_code_is_loosened(tmp_path: Path) -> None:
    weakened = TEST.replace("== 3", ">= 2")
    found = compare(tmp_path, {"shop.py": GOOD, "test_shop.py": TEST}, {"shop.py": BROKEN, "test_shop.py": weakened})
    assert classes(found) == {"test_total": "loosened"}
    assert found["control"] == [{"cell": cell, "outcome": "F"} for _ in range(2) for cell in ("BB", "HB", "BH", "HH")]


SIGNED = "import os\n\n\ndef total(prices):\n    return sum(prices) - int(os.environ.get('SHOP_FEE', '1'))\n"
LEFT = (
    "import os\nimport shop\n\n\ndef test_a_name():\n    assert os.name\n{}\n\n"
    "def test_total():\n    assert shop.total([1, 2]) == 3\n"
)


def test_a_test_that_passes_by_what_another_one_of_its_file_leaves_behind_is_loosened(tmp_path: Path) -> None:
    left = LEFT.format("    os.environ['SHOP_FEE'] = '0'\n")
    base = {"shop.py": GOOD, "test_shop.py": LEFT.format("")}
    found = compare(tmp_path, base, {"shop.py": SIGNED, "test_shop.py": left})
    assert classes(found)["test_total"] == "loosened"


READING = (
    "import pathlib\nimport shop\n\n\ndef test_total():\n"
    "    assert str(shop.total([1, 2])) == pathlib.Path('{}').read_text().strip()\n"
)
LABEL = (
    "import pathlib\nimport shop\n\n\ndef test_label():\n"
    "    assert shop.label() == pathlib.Path('tests/label.txt').read_bytes()\n"
)


@pytest.mark.release
def test_what_a_link_of_the_tests_points_to_belongs_to_them(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write({"pyproject.toml": PYPROJECT, "shop.py": GOOD, "shared/v1": "3\n"})
    repo.write({"tests/test_shop.py": READING.format("tests/total.txt")})
    (repo.root / "tests/total.txt").symlink_to("../shared/v1")
    repo.commit()
    repo.write({"shop.py": BROKEN, "shared/v1": "2\n"})
    assert classes(read(repo)) == {"test_total": "followed"}


def test_how_the_data_of_tests_is_checked_out_belongs_to_them(tmp_path: Path) -> None:
    code = "def label():\n    return b'Item\\n'\n"
    base = {"shop.py": code, "tests/test_shop.py": LABEL, "tests/label.txt": "Item\n"}
    head = {"shop.py": code.replace("\\n", "\\r\\n"), ".gitattributes": "tests/label.txt text eol=crlf\n"}
    assert classes(compare(tmp_path, base, {**head, "tests/label.txt": "Item\r\n"})) == {"test_label": "followed"}


@pytest.mark.release
def test_the_id_of_a_test_changes_with_its_data(tmp_path: Path) -> None:
    test = READING.format("tests/total.txt")
    base = {"shop.py": GOOD, "tests/test_shop.py": test, "tests/total.txt": "3\n"}
    found = [
        compare(
            tmp_path / text,
            base,
            {"shop.py": GOOD.replace("sum(prices)", f"sum(prices) - {text}"), "tests/total.txt": f"{3 - int(text)}\n"},
        )
        for text in ("1", "2")
    ]
    assert len({each["tests"][0]["id"] for each in found}) == 2


NEW = "import shop\n\n\ndef test_twice():\n    assert shop.twice(2) == 4\n"
WITH_TWICE = GOOD + "\n\ndef twice(n):\n    return 2 * n\n"
CLASSES = {
    "kept": ({"shop.py": GOOD, "test_shop.py": RIGHT}, {"test_shop.py": RIGHT.replace("[1, 2]", "(1, 2)")}),
    "fixed": (
        {"shop.py": BROKEN, "test_shop.py": RIGHT},
        {"shop.py": GOOD, "test_shop.py": RIGHT + "    assert shop\n"},
    ),
    "greened": ({"shop.py": BROKEN, "test_shop.py": RIGHT}, {"test_shop.py": WRONG}),
    "blinded": ({"shop.py": BROKEN, "test_shop.py": RIGHT}, {"shop.py": GOOD, "test_shop.py": ONE.format("3 or True")}),
    "followed": ({"shop.py": GOOD, "test_shop.py": RIGHT}, {"shop.py": BROKEN, "test_shop.py": WRONG}),
    "loosened": (
        {"shop.py": GOOD, "test_shop.py": RIGHT},
        {"shop.py": BROKEN, "test_shop.py": RIGHT.replace("==", "<=")},
    ),
    "broken": ({"shop.py": GOOD, "test_shop.py": RIGHT}, {"test_shop.py": WRONG}),
    "broken_before": ({"shop.py": BROKEN, "test_shop.py": RIGHT}, {"test_shop.py": "import sys\n" + RIGHT}),
    "proven": ({"shop.py": BROKEN}, {"shop.py": GOOD, "test_shop.py": RIGHT}),
    "added": ({"shop.py": GOOD}, {"shop.py": WITH_TWICE, "test_shop.py": "from shop import twice\n" + NEW}),
    "unproven": ({"shop.py": GOOD}, {"test_shop.py": RIGHT}),
    "lost": ({"shop.py": GOOD, "test_shop.py": RIGHT}, {"test_shop.py": None}),
    "not_run": (
        {"shop.py": GOOD, "test_shop.py": "import pytest\n" + RIGHT.replace("\ndef", "\n@pytest.mark.skip\ndef")},
        {"test_shop.py": "import pytest\n" + WRONG.replace("\ndef", "\n@pytest.mark.skip\ndef")},
    ),
    "not_comparable": (
        {"shop.py": GOOD, "test_shop.py": "import nowhere\n" + RIGHT},
        {"test_shop.py": RIGHT},
    ),
}


def test_a_test_that_fails_without_a_new_name_says_so(tmp_path: Path) -> None:
    """What it shows of base is that the function wasn't there, whether it is imported by name or not."""
    test = RIGHT + "\n\n" + NEW.partition("\n\n\n")[2]
    found = compare(tmp_path, {"shop.py": BROKEN}, {"shop.py": WITH_TWICE, "test_shop.py": test})
    assert {each["test"]: (each["class"], each.get("new")) for each in found["tests"]} == {
        "test_total": ("proven", None),
        "test_twice": ("proven", ["twice"]),
    }


@pytest.mark.release
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("runner", ["pytest", *left_for_a_release("unittest")])
def test_a_change_has_its_class(tmp_path: Path, name: str, runner: str) -> None:
    base, head = CLASSES[name]
    if runner == "unittest":
        base, head = ({path: to_unittest(text) for path, text in files.items()} for files in (base, head))
        base = {"pyproject.toml": "", **base}
    found = compare(tmp_path, base, head)
    (kind,) = classes(found).values()
    assert kind == name, found
    assert found["counts"] == {name: 1}
    assert {entry["outcome"] for entry in found["control"]} == {"F"}


def test_a_failure_in_base_beside_other_dependencies_is_not_comparable(tmp_path: Path) -> None:
    base, head = CLASSES["greened"]
    installs = '[project]\nname = "shop"\nversion = "1"\ndependencies = [{}]\n' + PYPROJECT
    base, head = {**base, "pyproject.toml": installs.format("")}, {**head, "pyproject.toml": installs.format('"cart"')}
    found = compare(tmp_path, base, head)
    assert classes(found) == {"test_total": "not_comparable"}
    assert found["tests"][0]["weakens"] == "open"
    assert not found["tests"][0]["of_file"]
    assert "dependencies of the subject" in found["tests"][0]["why"]


def test_what_fails_in_both_beside_other_dependencies_is_no_weakening_and_not_excused(tmp_path: Path) -> None:
    base, head = CLASSES["broken_before"]
    installs = '[project]\nname = "shop"\nversion = "1"\ndependencies = [{}]\n' + PYPROJECT
    base, head = {**base, "pyproject.toml": installs.format("")}, {**head, "pyproject.toml": installs.format('"cart"')}
    found = compare(tmp_path, base, head)
    assert classes(found) == {"test_total": "broken"}
    assert found["tests"][0]["weakens"] == "tests"


def to_unittest(text: str | None) -> str | None:
    """The test as a method of a TestCase; other files as they are."""
    if text is None or "def test_" not in text:
        return text
    head, _, body = text.replace("@pytest.mark.skip", "@unittest.skip('x')").partition("\n\n\n")
    lines = [f"    {line}" if line else "" for line in body.replace("():", "(self):").split("\n")]
    return f"import unittest\n{head}\n\n\nclass ShopTest(unittest.TestCase):\n" + "\n".join(lines)


SHOP = (
    "def total(prices):\n    return sum(prices)\n\n\n"
    "def half(n):\n    if n % 2:\n        raise ValueError(n)\n    return n // 2\n"
)
TWO = (
    "from shop import half, total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\n"
    "def test_half():\n    assert half(4) == 2\n"
)


@pytest.mark.release
def test_one_import_that_is_gone_does_not_keep_the_other_tests_from_running(tmp_path: Path) -> None:
    without = SHOP[: SHOP.index("\n\ndef half")]
    tests = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) > 0\n"
    found = compare(tmp_path, {"shop.py": SHOP, "test_shop.py": TWO}, {"shop.py": without, "test_shop.py": tests})
    assert classes(found) == {"test_total": "kept", "test_half": "lost"}
    (half,) = [test for test in found["tests"] if test["test"] == "test_half"]
    assert (half["gone"], half["cells"]["HB"][0]) == (["shop.half"], "F")


def test_a_renamed_function_is_called_by_its_new_name(tmp_path: Path) -> None:
    head = {
        "shop.py": SHOP.replace("def half", "def halve"),
        "test_shop.py": TWO.replace("half(", "halve(").replace("import half", "import halve"),
    }
    found = compare(tmp_path, {"shop.py": SHOP, "test_shop.py": TWO}, head)
    assert classes(found) == {"test_halve": "kept"}
    assert [test["gone"] for test in found["tests"]] == [[]]


@pytest.mark.release
def test_a_function_that_moved_with_its_test_is_found_in_its_new_module(tmp_path: Path) -> None:
    half = "from half import half\n\n\ndef test_half():\n    assert half(4) == 2\n"
    head = {
        "shop.py": GOOD.partition("\n\n\ndef half")[0] + "\n",
        "half.py": "def half(n):\n    return n // 2\n",
        "test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
        "test_half.py": half,
    }
    both = head["test_shop.py"].replace("import total", "import half, total") + half.partition("half\n")[2]
    found = compare(tmp_path, {"shop.py": GOOD, "test_shop.py": both}, head)
    assert classes(found)["test_half"] == "kept", found


JS_GOOD = "exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n"
JS_BROKEN = JS_GOOD.replace("0);", "1);")
EXPECTED = ("strictEqual(shop.total([1, 2]), 3)", "ok(shop.total([1, 2]) >= 3)", "strictEqual(shop.total([1, 2]), 4)")
MATCHED = ("toBe(3)", "toBeGreaterThan(2)", "toBe(4)")
REQUIRES = "const assert = require('assert');\nconst shop = require('./shop.js');\n\n"
NODE = f"const test = require('node:test');\n{REQUIRES}test('total', () => {{\n  assert.@;\n}});\n"
MOCHA = f"{REQUIRES}describe('shop', () => {{\n  it('total', () => {{\n    assert.@;\n  }});\n}});\n"
JEST = "const shop = require('./shop.js');\n\ntest('total', () => {\n  expect(shop.total([1, 2])).@;\n});\n"
IMPORTS = "import { expect, test } from 'vitest';\nimport shop from './shop.js';\n"
VITEST = IMPORTS + JEST.partition("\n")[2]
SHOP_JS = "const shop = require('./shop.js');\n\n"
AVA = f"const test = require('ava');\n{SHOP_JS}test('total', (t) => {{\n  t.@;\n}});\n"
TAPE = f"const test = require('tape');\n{SHOP_JS}test('total', (t) => {{\n  t.@;\n  t.end();\n}});\n"
ASKED = ("is(shop.total([1, 2]), 3)", "true(shop.total([1, 2]) >= 3)", "is(shop.total([1, 2]), 4)")
JS = {
    "node": (NODE, EXPECTED),
    "mocha": (MOCHA, EXPECTED),
    "jest": (JEST, MATCHED),
    "vitest": (VITEST, MATCHED),
    "ava": (AVA, ASKED),
    "tape": (TAPE, EXPECTED),
}
SCRIPTS = {
    "node": "node --test",
    "mocha": "mocha '*.test.js'",
    "jest": "jest",
    "vitest": "vitest run",
    "ava": "ava '*.test.js'",
    "tape": "tape '*.test.js'",
}
OTHER = {"mocha": "it('other', () => {});", "ava": "test('other', (t) => t.pass());"}
OTHER["tape"] = "test('other', (t) => { t.pass(); t.end(); });"


@pytest.mark.release
@pytest.mark.parametrize("runner", some_always(JS, str, {"node", "jest", "vitest"}.__contains__))
def test_javascript_has_the_same_classes(tmp_path: Path, runner: str) -> None:
    text, expected = JS[runner]
    name = "shop.test.mjs" if runner == "vitest" else "shop.test.js"
    right, wide, wrong = (text.replace("@", each) for each in expected)
    more = "\n" + OTHER.get(runner, "test('other', () => {});") + "\n"
    changes = {
        "loosened": (JS_GOOD, {name: right}, {"shop.js": JS_BROKEN, name: wide}),
        "followed": (JS_GOOD, {name: right}, {"shop.js": JS_BROKEN, name: wrong + more}),
        "proven": (JS_BROKEN, {}, {"shop.js": JS_GOOD, name: right}),
    }
    for kind, (code, tests, change) in changes.items():
        repo = make_repo(tmp_path / kind)
        (repo.root / "node_modules").symlink_to(runners() if runner in OTHER else node_modules())
        package = json.dumps({"scripts": {"test": SCRIPTS[runner]}})
        repo.write({"package.json": package, ".gitignore": "node_modules\n", "shop.js": code, **tests})
        repo.commit()
        repo.write(change)
        found = read(repo, runs=1)
        assert {name: each for name, each in classes(found).items() if name.endswith("total")}.popitem()[1] == kind
        assert {entry["outcome"] for entry in found["control"]} == {"F"}, found


GO_CODE = "package shop\n\nfunc Total(a, b int) int { return a + b }\n"
GO_TEST = """package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got @ {
		t.Errorf("got %d", got)
	}
}
"""


def test_go_has_the_same_classes(tmp_path: Path) -> None:
    broken = GO_CODE.replace("a + b", "a + b + 1")
    right, wide, wrong = (GO_TEST.replace("@", each) for each in ("!= 3", "< 3", "!= 4"))
    more = "\nfunc TestOther(t *testing.T) {}\n"
    changes = {
        "loosened": (GO_CODE, {"shop_test.go": right}, {"shop.go": broken, "shop_test.go": wide}),
        "followed": (GO_CODE, {"shop_test.go": right}, {"shop.go": broken, "shop_test.go": wrong + more}),
        "proven": (broken, {}, {"shop.go": GO_CODE, "shop_test.go": right}),
        "not_comparable": (GO_CODE, {"shop_test.go": right + "\nvar x = unknown\n"}, {"shop_test.go": right}),
    }
    for kind, (code, tests, change) in changes.items():
        repo = make_repo(tmp_path / kind)
        repo.write({"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": code, **tests})
        repo.commit()
        repo.write(change)
        found = read(repo, runs=1)
        assert classes(found)["TestTotal"] == kind, found
        assert {entry["outcome"] for entry in found["control"]} == {"F"}, found


def test_after_a_panic_the_other_functions_of_go_run_as_well(tmp_path: Path) -> None:
    tests = (
        'package shop\n\nimport "testing"\n\n'
        'func TestAll(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal("all")\n\t}\n}\n\n'
        'func TestZero(t *testing.T) {\n\tif Total(0, 0) != 0 {\n\t\tt.Fatal("zero")\n\t}\n}\n'
    )
    panics = GO_CODE.replace("return a + b", 'if a > 0 { panic("no") }; return a + b')
    repo = make_repo(tmp_path)
    repo.write({"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": panics})
    repo.commit()
    repo.write({"shop.go": GO_CODE, "shop_test.go": tests})
    found = read(repo)
    assert classes(found) == {"TestAll": "proven", "TestZero": "unproven"}
    assert {each["outcome"] for each in found["control"]} == {"F"}


def test_a_function_of_go_that_does_not_compile_is_left_out_alone(tmp_path: Path) -> None:
    both = "package shop\n\nfunc Total(a, b int) int { return a + b }\n\nfunc Half(n int) int { return n / 2 }\n"
    only = both.partition("\n\nfunc Half")[0] + "\n"
    tests = (
        GO_TEST.replace("@", "!= 3") + "\nfunc TestHalf(t *testing.T) {\n\tif Half(4) != 2 {\n\t\tt.Fail()\n\t}\n}\n"
    )
    repo = make_repo(tmp_path)
    repo.write({"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": both, "shop_test.go": tests})
    repo.commit()
    repo.write({"shop.go": only, "shop_test.go": GO_TEST.replace("@", "!= 1+2")})
    found = {test["test"]: test for test in read(repo, runs=1)["tests"]}
    assert (found["TestTotal"]["class"], found["TestTotal"]["cells"]["HB"]) == ("kept", "P")
    assert (found["TestHalf"]["cells"]["HB"], found["TestHalf"]["gone"]) == ("X", ["Half"])


RUST = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n\npub fn half(n: i32) -> i32 {\n    n / 2\n}\n"
RUST_TESTS = """
#[cfg(test)]
mod tests {
    use super::{half, total};

    #[test]
    fn adds() {
        assert!(total(1, 2) == 3);
    }

    #[test]
    fn halves() {
        assert_eq!(half(4), 2);
    }
}
"""
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'


def cargo(folder: Path, base: dict[str, str], head: dict[str, str]) -> dict[str, dict[str, Any]]:
    repo = make_repo(folder)
    repo.write({"Cargo.toml": CARGO, ".gitignore": "target\nCargo.lock\n", **base})
    repo.commit()
    repo.write(head)
    found = read(repo, runs=1)
    assert {entry["outcome"] for entry in found["control"]} == {"F"}, found
    assert found["unexamined"] == []
    return {test["test"]: test for test in found["tests"]}


@pytest.mark.release
def test_rust_that_failed_before_is_fixed_where_the_code_was_mended_and_greened_where_the_test_was(
    tmp_path: Path,
) -> None:
    broken = RUST.replace("a + b", "a + b + 1")
    said = RUST_TESTS.replace("total(1, 2) == 3", 'total(1, 2) == 3, "adds"')
    found = cargo(tmp_path / "fixed", {"src/lib.rs": broken + RUST_TESTS}, {"src/lib.rs": RUST + said})
    assert (found["tests::adds"]["class"], found["tests::adds"]["cells"]["BB"]) == ("fixed", "F")
    wide = RUST_TESTS.replace("total(1, 2) == 3", "total(1, 2) > 0")
    head = {"src/lib.rs": broken + wide, "src/more.rs": "// more\n"}
    assert cargo(tmp_path / "greened", {"src/lib.rs": broken + RUST_TESTS}, head)["tests::adds"]["class"] == "greened"


@pytest.mark.release
def test_tests_of_rust_within_the_code_are_taken_from_their_own_version(tmp_path: Path) -> None:
    broken, wide = RUST.replace("a + b", "a + b + 1"), RUST_TESTS.replace("== 3", ">= 2")
    found = cargo(tmp_path, {"src/lib.rs": RUST + RUST_TESTS}, {"src/lib.rs": broken + wide})
    assert {name: test["class"] for name, test in found.items()} == {"tests::adds": "loosened"}
    assert found["tests::adds"]["path"] == "src/lib.rs"


@pytest.mark.release
def test_a_function_of_rust_that_does_not_compile_is_left_out_alone(tmp_path: Path) -> None:
    one = RUST.partition("\n\npub fn half")[0] + "\n"
    tests = RUST_TESTS.replace("{half, total}", "total").partition("\n\n    #[test]\n    fn halves")[0] + "\n}\n"
    found = cargo(
        tmp_path,
        {"src/lib.rs": RUST + RUST_TESTS, "src/main.rs": "fn main() {}\n"},
        {"src/lib.rs": one + tests.replace("== 3", "== 2 + 1")},
    )
    assert (found["tests::adds"]["class"], found["tests::adds"]["cells"]["HB"]) == ("kept", "P")
    assert (found["tests::halves"]["cells"]["HB"], found["tests::halves"]["gone"]) == ("X", ["half"])


def test_what_go_vet_finds_in_a_test_does_not_keep_it_from_running(tmp_path: Path) -> None:
    test = GO_TEST.replace("@", "!= 3").replace('t.Errorf("got %d", got)', 't.Errorf("got %s", got)')
    repo = make_repo(tmp_path)
    repo.write({"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": GO_CODE, "shop_test.go": test})
    repo.commit()
    repo.write({"shop_test.go": test.replace("%s", "%d")})
    (mended,) = read(repo, runs=1)["tests"]
    assert mended["class"] == "kept"


def test_integration_tests_of_rust_run_by_their_own_program(tmp_path: Path) -> None:
    test = "use shop::total;\n\n#[test]\nfn adds() {\n    assert_eq!(total(1, 2), @);\n}\n"
    base = {"src/lib.rs": RUST, "tests/total.rs": test.replace("@", "3"), "src/inner/mod.rs": ""}
    head = {"src/lib.rs": RUST.replace("a + b", "a + b + 1"), "tests/total.rs": test.replace("@", "4")}
    assert cargo(tmp_path, base, head)["adds"]["class"] == "followed"


def test_integration_tests_of_rust_that_move_into_one_program_are_found_there(tmp_path: Path) -> None:
    test = "use shop::total;\n\n#[test]\nfn adds() {\n    assert_eq!(total(1, 2), 3);\n}\n"
    repo = make_repo(tmp_path)
    repo.write({"Cargo.toml": CARGO, ".gitignore": "target\nCargo.lock\n", "src/lib.rs": RUST, "tests/total.rs": test})
    repo.commit()
    (repo.root / "tests/total.rs").unlink()
    repo.write({"tests/all/main.rs": "mod total;\n", "tests/all/total.rs": test})
    (moved,) = read(repo, runs=1)["tests"]
    assert (moved["path"], moved["cells"]["HB"], moved["cells"]["HH"]) == ("tests/all/total.rs", "P", "P")
    (repo.root / "tests/all/main.rs").write_text("// it runs none\n")
    (moved,) = read(repo, runs=1)["tests"]
    assert (moved["class"], moved["cells"]["HH"]) == ("lost", "N")


@pytest.mark.release
def test_support_that_only_tests_need_is_theirs_wherever_it_lies(tmp_path: Path) -> None:
    helper = "import unittest\n\n\ndef check(found, wanted):\n    unittest.TestCase().assertEqual(found, wanted)\n"
    test = "import shop\nfrom shop_checks import check\n\n\ndef test_total():\n    check(shop.total([1, 2]), 3)\n"
    silent = helper.replace("assertEqual(found, wanted)", "assertIsNotNone(found)")
    found = compare(
        tmp_path,
        {"shop.py": GOOD, "shop_checks.py": helper, "test_shop.py": test},
        {"shop.py": BROKEN, "shop_checks.py": silent},
    )
    assert classes(found) == {"test_total": "loosened"}


@pytest.mark.release
def test_a_new_test_file_that_acts_on_other_tests_has_them_run(tmp_path: Path) -> None:
    patch = "import shop\n\nshop.__dict__.update(total=sum)\n\n\ndef test_nothing():\n    assert shop\n"
    found = compare(tmp_path, {"shop.py": GOOD, "test_shop.py": RIGHT}, {"shop.py": BROKEN, "test_a.py": patch})
    assert classes(found) == {"test_nothing": "unproven", "test_total": "loosened"}


@pytest.mark.release
def test_settings_that_leave_out_a_folder_have_its_canary_left_out_as_well(tmp_path: Path) -> None:
    test = "test('@', () => { expect(require('../../total')(1, 2)).toBe(3); });\n"
    package = json.dumps({"scripts": {"test": "jest"}, "devDependencies": {"jest": "*"}})
    repo = make_repo(tmp_path)
    (repo.root / "node_modules").symlink_to(node_modules())
    tests = {f"test/{name}/{name}.test.js": test.replace("@", name) for name in ("whole", "part")}
    code = {"package.json": package, ".gitignore": "node_modules\n", "total.js": "module.exports = (a, b) => a + b;\n"}
    repo.write({**code, **tests, "jest.config.js": "module.exports = {};\n"})
    repo.commit()
    repo.write({"jest.config.js": "module.exports = { roots: ['<rootDir>/test/part'] };\n"})
    found = read(repo, runs=1)
    assert classes(found) == {"whole": "lost", "part": "kept"}
    assert {run["outcome"] for run in found["control"]} == {"F"}


def test_data_that_only_tests_name_is_theirs(tmp_path: Path) -> None:
    test = "import json, shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == json.load(open('prices.json'))\n"
    found = compare(
        tmp_path,
        {"shop.py": GOOD, "prices.json": "3", "test_shop.py": test},
        {"shop.py": BROKEN, "prices.json": "2"},
    )
    assert classes(found) == {"test_total": "followed"}


@pytest.mark.release
def test_examples_in_docstrings_are_tests_where_they_are_run(tmp_path: Path) -> None:
    settings = {"pyproject.toml": PYPROJECT + 'addopts = "--doctest-modules"\n'}
    right = 'def total(prices):\n    """Add.\n\n    >>> total([1, 2])\n    3\n    """\n    return sum(prices)\n'
    wrong = right.replace("    3\n", "    2\n").replace("sum(prices)", "sum(prices) - 1")
    found = compare(tmp_path, {**settings, "shop.py": right}, {"shop.py": wrong})
    assert list(classes(found).values()) == ["followed"], found


@pytest.mark.release
def test_tests_of_vitest_within_the_code_are_taken_from_their_own_version(tmp_path: Path) -> None:
    config = "export default { test: { includeSource: ['src/**/*.js'] } }\n"
    tests = "\nif (import.meta.vitest) {\n  const { it, expect } = import.meta.vitest\n"
    tests += "  it('adds', () => expect(total(1, 2)).@)\n}\n"
    code = "export function total(a, b) { return a + b }\n"
    package = json.dumps({"type": "module", "scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "*"}})
    repo = make_repo(tmp_path)
    (repo.root / "node_modules").symlink_to(node_modules())
    repo.write(
        {
            "package.json": package,
            "vitest.config.js": config,
            ".gitignore": "node_modules\n",
            "src/total.js": code + tests.replace("@", "toBe(3)"),
        }
    )
    repo.commit()
    repo.write({"src/total.js": code.replace("a + b", "a + b + 1") + tests.replace("@", "toBeGreaterThan(2)")})
    found = read(repo, runs=1)
    assert list(classes(found).values()) == ["loosened"], found


ENDLESS = "def total(prices):\n    while True:\n        pass\n\n\ndef half(n):\n    return n // 2\n"


@pytest.mark.release
@pytest.mark.slow
def test_a_test_that_does_not_end_on_the_other_code_has_failed(tmp_path: Path) -> None:
    found = compare(tmp_path, {"shop.py": ENDLESS}, {"shop.py": GOOD, "test_shop.py": TEST}, runs=1)
    assert classes(found) == {"test_total": "proven", "test_half": "unproven"}


def test_code_does_not_become_support_of_tests_by_an_import_that_the_change_adds(tmp_path: Path) -> None:
    found = compare(
        tmp_path,
        {"shop.py": GOOD, "test_shop.py": RIGHT},
        {"shop.py": f"import unittest\n\n\n{BROKEN}", "test_shop.py": RIGHT.replace("== 3", "== 2")},
        runs=1,
    )
    assert classes(found) == {"test_total": "followed"}


def test_a_check_in_front_of_the_tests_that_asks_for_new_ones_keeps_no_test_from_running(tmp_path: Path) -> None:
    """The type check of the new code reads a file of the new tests, which the old tests don't have."""
    checks = ("node --version", "node --check test/types.js")
    old, new = (
        json.dumps({"scripts": {"type-check": each, "test": "npm run type-check && node --test"}}) for each in checks
    )
    test = NODE.replace("./shop.js", "../shop.js")
    repo = make_repo(tmp_path)
    tests = {"test/shop.test.js": test.replace("@", EXPECTED[0])}
    repo.write({"package.json": old, "shop.js": JS_GOOD, **tests})
    repo.commit()
    weaker = {"test/shop.test.js": test.replace("@", EXPECTED[1]), "test/types.js": "exports.kind = Number;\n"}
    repo.write({"package.json": new, "shop.js": JS_BROKEN, **weaker})
    assert classes(read(repo, runs=1)) == {"total": "loosened"}
