"""code:counterfactual with a claim that says what is fixed: tests that are named, executed lines, and the control."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from lean_environment import lean_environment, make_environment, site_packages
from npm_tools import node_modules, runners

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = "[tool.pytest.ini_options]\n"
GOOD = "def total(prices):\n    found = 0\n    for price in prices:\n        found += price\n    return found\n"
BROKEN = GOOD.replace("found = 0", "found = 1")
OTHER = "\n\ndef half(n):\n    return n // 2\n"
TOTAL = "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"
HALF = "\n\ndef test_half():\n    assert shop.half(4) == 2\n"
READS = "\n\ndef test_text():\n    assert 'found = 0' in open('shop.py').read()\n"
ABSENT = "\n\ndef test_readme():\n    import os\n    assert os.path.exists('shop.md')\n"


def compare(
    folder: Path,
    base: dict[str, str],
    head: dict[str, str],
    *units: str,
    statements: tuple[str, ...] = (),
    coverage: bool = True,
) -> dict[str, Any]:
    repo = make_repo(folder)
    if not coverage:
        without_coverage(repo.root / ".venv")
    repo.write({".gitignore": ".venv/\n", **base})
    repo.commit()
    repo.write(head)
    claim = {"units_list": list(units), "statements": list(statements)}
    return repo.run("code:counterfactual", gated=True, claim=claim, config={"runs": 1}).json("counterfactual.json")


def without_coverage(environment: Path) -> None:
    """Make an environment with pytest and without coverage.py."""
    make_environment(environment)
    packages = site_packages(environment)
    packages.mkdir(parents=True)
    for path in site_packages(lean_environment()).iterdir():
        if "cov" not in path.name:
            (packages / path.name).symlink_to(path)


def proofs(found: dict[str, Any]) -> dict[str, tuple[str, bool | None, str]]:
    """The class of each test, whether it executes a changed line, and what it does in every run of the control."""
    shown = ((test, test["proof"] or {}) for test in found["tests"])
    return {
        test["test"]: (test["class"], proof.get("executes"), "".join(sorted(set(proof.get("control") or ""))))
        for test, proof in shown
    }


@pytest.mark.parametrize("coverage", [True, False])
@pytest.mark.parametrize("runner", ["pytest", "unittest"])
def test_a_named_test_runs_though_no_test_changed(tmp_path: Path, runner: str, coverage: bool) -> None:
    tests, settings, unit = TOTAL + HALF, PYPROJECT, "fix:test_total"
    if runner == "unittest":
        settings, unit = "", "fix:test_shop.py::ShopTest::test_total"
        tests = (
            "import unittest\nimport shop\n\n\nclass ShopTest(unittest.TestCase):\n"
            "    def test_total(self):\n        self.assertEqual(shop.total([1, 2]), 3)\n\n"
            "    def test_half(self):\n        self.assertEqual(shop.half(4), 2)\n"
        )
    base = {"pyproject.toml": settings, "shop.py": BROKEN + OTHER, "test_shop.py": tests}
    found = compare(tmp_path, base, {"shop.py": GOOD + OTHER}, unit, coverage=coverage)
    name = "test_total" if runner == "pytest" else "ShopTest.test_total"
    assert proofs(found) == {name: ("fixed", True, "P")}, found["tests"]
    (test,) = found["tests"]
    assert test["proof"]["lines"] == ["shop.py:2"]
    assert (found["changed"], found["named"]) == ([], [{"test": unit.removeprefix("fix:"), "found": 1, "why": ""}])
    assert {entry["outcome"] for entry in found["control"]} == {"F"}


def test_without_a_name_nothing_runs_though_the_code_changed(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": BROKEN, "test_shop.py": TOTAL}
    found = compare(tmp_path, base, {"shop.py": GOOD}, "func:total", statements=("Fixed a bug.", "It is elegant."))
    assert (found["tests"], found["files"], found["control"]) == ([], [], [])


@pytest.mark.release
def test_what_a_test_proves_is_looked_at_where_a_statement_says_that_something_is_fixed(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": BROKEN + OTHER}
    head = {"shop.py": GOOD + OTHER, "test_shop.py": TOTAL + HALF + READS + ABSENT, "shop.md": "Shop.\n"}
    found = proofs(compare(tmp_path, base, head, statements=("Fixed a bug.",)))
    assert found == {
        "test_total": ("proven", True, "P"),
        "test_half": ("unproven", None, ""),
        "test_text": ("proven", False, "F"),
        "test_readme": ("proven", False, "P"),
    }


def test_names_that_no_test_has_are_told_apart_from_those_that_only_a_run_knows(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": BROKEN, "test_shop.py": TOTAL}
    units = ("fix:test_nowhere", "fix:test_shop.py::TestShop::test_total", "fix:shop.py::test_total", "fix:$(id)")
    found = compare(tmp_path, base, {"shop.py": GOOD}, *units)
    whys = {entry["test"]: (entry["found"], bool(entry["why"])) for entry in found["named"]}
    assert whys == {
        "test_nowhere": (0, False),
        "test_shop.py::TestShop::test_total": (0, True),
        "shop.py::test_total": (0, True),
        "$(id)": (0, True),
    }


@pytest.mark.release
def test_data_that_the_code_reads_leaves_open_what_runs(tmp_path: Path) -> None:
    code = "import json\n\n\ndef rate():\n    return json.load(open('rates.json'))\n"
    test = "import shop\n\n\ndef test_rate():\n    assert shop.rate() == 3\n"
    base = {"pyproject.toml": PYPROJECT, "shop.py": code, "rates.json": "2", "test_shop.py": test}
    found = compare(tmp_path, base, {"rates.json": "3"}, "fix:test_rate")
    assert proofs(found) == {"test_rate": ("fixed", None, "")}


GO_TEST = (
    'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n'
    "\tif Total(1, 2) != 3 {\n\t\tt.Fail()\n\t}\n}\n"
)
GO_READS = (
    'package shop\n\nimport (\n\t"os"\n\t"strings"\n\t"testing"\n)\n\nfunc TestText(t *testing.T) {\n'
    '\ttext, _ := os.ReadFile("shop.go")\n\tif !strings.Contains(string(text), "sum := 0") {\n\t\tt.Fail()\n\t}\n}\n'
)


@pytest.mark.release
def test_go_is_measured_by_its_cover_profile(tmp_path: Path) -> None:
    good = "package shop\n\nfunc Total(a, b int) int {\n\tsum := 0\n\tsum += a + b\n\treturn sum\n}\n"
    base = {"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": good.replace("sum := 0", "sum := 1")}
    head = {"shop.go": good, "shop_test.go": GO_TEST, "text_test.go": GO_READS}
    found = compare(tmp_path, base, head, statements=("Fixes the bug.",))
    assert proofs(found) == {"TestTotal": ("proven", True, "P"), "TestText": ("proven", False, "F")}, found


JS_GOOD = "exports.total = (a, b) => {\n  const start = 0;\n  return start + a + b;\n};\n"
JS_TESTS = {
    "node": "const test = require('node:test');\n",
    "mocha": "",
    "jest": "",
}


@pytest.mark.parametrize("runner", JS_TESTS)
def test_javascript_is_measured_by_what_v8_or_istanbul_counts(tmp_path: Path, runner: str) -> None:
    call = "it" if runner == "mocha" else "test"
    tests = (
        f"{JS_TESTS[runner]}const assert = require('assert');\nconst shop = require('./shop.js');\n\n"
        f"{call}('total', () => {{\n  assert.strictEqual(shop.total(1, 2), 3);\n}});\n\n"
        f"{call}('text', () => {{\n"
        "  assert.ok(require('fs').readFileSync('shop.js', 'utf8').includes('const start = 0'));\n});\n"
    )
    repo = make_repo(tmp_path)
    (repo.root / "node_modules").symlink_to(runners() if runner == "mocha" else node_modules())
    script = {"node": "node --test", "mocha": "mocha '*.test.js'", "jest": "jest"}[runner]
    base = {"package.json": json.dumps({"scripts": {"test": script}}), ".gitignore": "node_modules\n"}
    repo.write({**base, "shop.js": JS_GOOD.replace("start = 0", "start = 1"), "shop.test.js": tests})
    repo.commit()
    repo.write({"shop.js": JS_GOOD})
    claim = {"units_list": ["fix:shop.test.js::total", "fix:text"]}
    found = repo.run("code:counterfactual", gated=True, claim=claim, config={"runs": 1}).json("counterfactual.json")
    assert proofs(found) == {"total": ("fixed", True, "P"), "text": ("fixed", False, "F")}, found


@pytest.mark.release
def test_a_test_of_node_within_suites_is_measured_alone(tmp_path: Path) -> None:
    tests = (
        "const { describe, it } = require('node:test');\nconst assert = require('assert');\n"
        "const shop = require('./shop.js');\n\ndescribe('the shop', () => {\n"
        "  it('adds two', () => assert.strictEqual(shop.total(1, 2), 3));\n"
        "  it('is text', () => assert.ok(String(shop.total).includes('start = 0')));\n});\n"
    )
    base = {"package.json": json.dumps({"scripts": {"test": "node --test"}}), "shop.js": JS_GOOD.replace("= 0", "= 1")}
    found = compare(
        tmp_path, {**base, "shop.test.js": tests}, {"shop.js": JS_GOOD}, "fix:the shop > adds two", "fix:is text"
    )
    assert proofs(found) == {"the shop adds two": ("fixed", True, "P"), "the shop is text": ("fixed", False, "F")}, (
        found
    )
