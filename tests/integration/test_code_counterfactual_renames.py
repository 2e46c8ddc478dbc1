"""code:counterfactual with real runners: tests of the base run on code whose functions have other names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from code_repo import make_repo
from lie_corpus import SHARED
from npm_tools import node_modules
from release_tests import some_always

PY = "class Cart:\n    def __init__(self, *prices):\n        self.prices = prices\n\n"
PY += "    def total(self):\n        return sum(self.prices)\n"
PY_TEST = "from cart import Cart\n\n\ndef test_adds():\n    assert Cart(1, 2).total() == 3\n"
JS = "export function total(prices) {\n  return prices.reduce((all, price) => all + price, 0);\n}\n"
NODE = "import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { total } from './cart.js';\n\n"
NODE += "test('adds', () => assert.equal(total([1, 2]), 3));\n"
TS = "export const total = (prices: number[]): number => prices.reduce((all, price) => all + price, 0);\n"
VITEST = "import { expect, test } from 'vitest';\nimport { total } from './cart';\n\n"
VITEST += "test('adds', () => expect(total([1, 2])).toBe(3));\n"
GO = "package shop\n\nfunc total(a, b int) int {\n\treturn a + b\n}\n"
GO_TEST = 'package shop\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif got := total(1, 2); got != 3 {\n'
GO_TEST += '\t\tt.Errorf("got %d", got)\n\t}\n}\n'
RUST = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::total;\n\n"
RUST += "    #[test]\n    fn adds() {\n        assert_eq!(total(1, 2), 3);\n    }\n}\n"
JAVA = "package demo;\n\npublic class Sum {\n    public static int total(int a, int b) {\n"
JAVA += "        return a + b;\n    }\n}\n"
JAVA_TEST = "package demo;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\n"
JAVA_TEST += (
    "public class SumTest {\n    @Test\n    public void adds() {\n        assertEquals(3, Sum.total(1, 2));\n    }\n}\n"
)
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'

PROJECTS: dict[str, dict[str, str]] = {
    "pytest": {"pyproject.toml": "[tool.pytest.ini_options]\n", "cart.py": PY, "test_cart.py": PY_TEST},
    "node": {
        "package.json": json.dumps({"type": "module", "scripts": {"test": "node --test"}}),
        "cart.js": JS,
        "cart.test.js": NODE,
    },
    "vitest": {
        "package.json": json.dumps({"type": "module", "scripts": {"test": "vitest run"}}),
        "cart.ts": TS,
        "cart.test.ts": VITEST,
    },
    "go": {"go.mod": "module example.com/shop\n\ngo 1.19\n", "cart.go": GO, "cart_test.go": GO_TEST},
    "rust": {"Cargo.toml": CARGO, "src/lib.rs": RUST},
    "maven": {
        **SHARED["maven"],
        "src/main/java/demo/Sum.java": JAVA,
        "src/test/java/demo/SumTest.java": JAVA_TEST,
    },
}
IGNORED = {".gitignore": "node_modules\ntarget\nCargo.lock\n"}


def compare(folder: Path, name: str, change: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Run the cells once after texts were replaced in all files."""
    repo = make_repo(folder, IGNORED | PROJECTS[name])
    if name in {"node", "vitest"}:
        (repo.root / "node_modules").symlink_to(node_modules())
    head = dict(PROJECTS[name])
    for old, new in change:
        head = {path: text.replace(old, new) for path, text in head.items()}
    repo.write(head)
    found: dict[str, Any] = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert {entry["outcome"] for entry in found["control"]} == {"F"}, found
    return found


def read(found: dict[str, Any]) -> tuple[str, str]:
    (test,) = found["tests"]
    return test["class"], test["cells"]["HB"]


NAMES = some_always(PROJECTS, str, {"pytest", "node", "go"}.__contains__, one_in=1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_test_of_the_base_calls_a_function_by_its_new_name(tmp_path: Path, name: str) -> None:
    found = compare(tmp_path, name, (("total", "sumUp"),))
    assert read(found) == ("kept", "P")
    assert found["renamed"] == [{"from": "total", "to": "sumUp"}]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_a_renamed_function_does_otherwise_is_found(tmp_path: Path, name: str) -> None:
    """The tests of the subject expect what it does now; those of the base don't."""
    wrong = (("a + b", "a + b + 1"), ("price, 0)", "price, 1)"), ("sum(self.prices)", "sum(self.prices) + 1"))
    expected = tuple(
        (f"{start}3", f"{start}4") for start in ("== ", "[1, 2]), ", "toBe(", "!= ", "(1, 2), ", "Equals(")
    )
    found = compare(tmp_path, name, (*wrong, *expected, ("total", "sumUp")))
    kind, outcome = read(found)
    assert kind in {"followed", "not_comparable"}, found
    assert outcome in {"F", "X"}


def test_a_weakened_test_of_a_renamed_function_with_a_new_fault_is_found(tmp_path: Path) -> None:
    """The fault is in what the function calls: its own body is the same."""
    more = "\n\nexport function each(price) {\n  return price;\n}\n"
    base = {**PROJECTS["node"], "cart.js": JS.replace("all + price", "all + each(price)") + more}
    repo = make_repo(tmp_path, IGNORED | base)
    head = {path: text.replace("total", "sumUp") for path, text in base.items()}
    head["cart.js"] = head["cart.js"].replace("return price;", "return price + 1;")
    head["cart.test.js"] = head["cart.test.js"].replace(
        "assert.equal(sumUp([1, 2]), 3)", "assert.ok(sumUp([1, 2]) > 2)"
    )
    repo.write(head)
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert read(found) == ("loosened", "F"), found
    assert found["tests"][0]["cells"]["BH"] == "P"
