"""code:counterfactual with real runners: tests of the base run on code whose functions stand in other files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from code_repo import make_repo
from lie_corpus import SHARED
from npm_tools import node_modules
from release_tests import some_always

Files = Mapping[str, str]


class Project(NamedTuple):
    """A project before and after a function moved. ``wrong`` makes it return one more; ``expected`` is the total."""

    base: Files
    head: Files
    wrong: tuple[str, str]
    expected: tuple[str, str]


PYTHON = "def each(price):\n    return price\n"
PY_TOTAL = "\n\ndef total(prices):\n    return sum(each(price) for price in prices)\n"
PY_TEST = "from shop.price import each, total\n\n\ndef test_adds():\n    assert total([each(1), 2]) == 3\n"
PY_HEAD = "from shop.price import each\nfrom shop.sums import total\n\n\ndef test_adds():\n"
INNER = "def test_adds():\n    from shop.{} import total\n\n    assert total([1, 2]) == 3\n"
JS_EACH = "export function each(price) {\n  return price;\n}\n"
JS_TOTAL = "export function total(prices) {\n  return prices.reduce((all, price) => all + each(price), 0);\n}\n"
NODE = "import assert from 'node:assert';\nimport { test } from 'node:test';\n{}\n"
NODE += "test('adds', () => assert.equal(total([each(1), 2]), 3));\n"
CJS_EACH = "function each(price) {\n  return price;\n}\n"
CJS_TOTAL = "function total(prices) {\n  return prices.reduce((all, price) => all + each(price), 0);\n}\n"
CJS = "const assert = require('node:assert');\nconst { test } = require('node:test');\n{}\n"
CJS += "test('adds', () => assert.equal(total([each(1), 2]), 3));\n"
TS_EACH = "export const each = (price: number): number => price;\n"
TS_TOTAL = "export function total(prices: number[]): number {\n"
TS_TOTAL += "  return prices.reduce((all, price) => all + each(price), 0);\n}\n"
VITEST = "import { expect, test } from 'vitest';\n{}\ntest('adds', () => expect(total([each(1), 2])).toBe(3));\n"
GO_EACH = "// Each is a price.\nfunc Each(price int) int {\n\treturn price\n}\n"
GO_TOTAL = "// Total adds.\nfunc Total(a, b int) int {\n\treturn a + b\n}\n"
GO_TEST = 'package shop_test\n\nimport (\n\t"testing"\n\n{}\n)\n\nfunc TestAdds(t *testing.T) {\n'
GO_TEST += '\tif got := {}.Total(price.Each(1), 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n'
RUST_TOTAL = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n"
RUST_EACH = "pub fn each(price: i32) -> i32 {\n    price\n}\n"
RUST_TEST = "{}\n\n#[test]\nfn adds() {\n    assert_eq!(total(each(1), 2), 3);\n}\n"
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
JAVA = "package demo;\n\npublic class {} {\n{}}\n"
JAVA_EACH = "    public static int each(int price) {\n        return price;\n    }\n"
JAVA_TOTAL = "    public static int total(int a, int b) {\n        return a + b;\n    }\n"
JAVA_TEST = "package demo;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\n"
JAVA_TEST += "public class PriceTest {\n    @Test\n    public void adds() {\n"
JAVA_TEST += "        assertEquals(3, {}.total(Price.each(1), 2));\n    }\n}\n"


def fill(text: str, *parts: str) -> str:
    for part in parts:
        text = text.replace("{}", part, 1)
    return text


MODULE = json.dumps({"type": "module", "scripts": {"test": "node --test"}})
PROJECTS: dict[str, Project] = {
    "pytest": Project(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "shop/__init__.py": "",
            "shop/price.py": PYTHON + PY_TOTAL,
            "tests/test_price.py": PY_TEST,
        },
        {
            "shop/price.py": PYTHON,
            "shop/sums.py": "from shop.price import each\n" + PY_TOTAL,
            "tests/test_price.py": PY_HEAD + PY_TEST.split("adds():\n")[1],
        },
        ("sum(each", "1 + sum(each"),
        ("== 3", "== 4"),
    ),
    "pytest, imported in the test": Project(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\n",
            "shop/__init__.py": "",
            "shop/price.py": PYTHON + PY_TOTAL,
            "tests/test_price.py": fill(INNER, "price"),
        },
        {
            "shop/price.py": PYTHON,
            "shop/sums.py": "from shop.price import each\n" + PY_TOTAL,
            "tests/test_price.py": fill(INNER, "sums"),
        },
        ("sum(each", "1 + sum(each"),
        ("== 3", "== 4"),
    ),
    "node": Project(
        {
            "package.json": MODULE,
            "src/price.js": JS_EACH + JS_TOTAL,
            "test/price.test.js": fill(NODE, "import { each, total } from '../src/price.js';"),
        },
        {
            "src/price.js": JS_EACH,
            "src/sums.js": "import { each } from './price.js';\n" + JS_TOTAL,
            "test/price.test.js": fill(
                NODE, "import { each } from '../src/price.js';\nimport { total } from '../src/sums.js';"
            ),
        },
        ("all + each", "all + 1 + each"),
        ("2]), 3", "2]), 5"),
    ),
    "node, CommonJS": Project(
        {
            "package.json": json.dumps({"scripts": {"test": "node --test"}}),
            "src/price.js": f"{CJS_EACH}{CJS_TOTAL}module.exports = {{ each, total }};\n",
            "test/price.test.js": fill(CJS, "const { each, total } = require('../src/price');"),
        },
        {
            "src/price.js": f"{CJS_EACH}module.exports = {{ each }};\n",
            "src/sums.js": f"const {{ each }} = require('./price');\n{CJS_TOTAL}module.exports = {{ total }};\n",
            "test/price.test.js": fill(
                CJS, "const { each } = require('../src/price');\nconst { total } = require('../src/sums');"
            ),
        },
        ("all + each", "all + 1 + each"),
        ("2]), 3", "2]), 5"),
    ),
    "vitest": Project(
        {
            "package.json": json.dumps({"type": "module", "scripts": {"test": "vitest run"}}),
            "src/price.ts": TS_EACH + TS_TOTAL,
            "test/price.test.ts": fill(VITEST, "import { each, total } from '../src/price';"),
        },
        {
            "src/price.ts": TS_EACH,
            "src/sums.ts": "import { each } from './price';\n" + TS_TOTAL,
            "test/price.test.ts": fill(
                VITEST, "import { each } from '../src/price';\nimport { total } from '../src/sums';"
            ),
        },
        ("all + each", "all + 1 + each"),
        ("toBe(3", "toBe(5"),
    ),
    "go": Project(
        {
            "go.mod": "module example.com/shop\n\ngo 1.19\n",
            "price/price.go": f"package price\n\n{GO_EACH}\n{GO_TOTAL}",
            "shop_test.go": fill(GO_TEST, '\t"example.com/shop/price"', "price"),
        },
        {
            "price/price.go": f"package price\n\n{GO_EACH}",
            "sums/sums.go": f"package sums\n\n{GO_TOTAL}",
            "shop_test.go": fill(GO_TEST, '\t"example.com/shop/price"\n\t"example.com/shop/sums"', "sums"),
        },
        ("a + b", "a + b + 1"),
        ("!= 3", "!= 4"),
    ),
    "rust": Project(
        {
            "Cargo.toml": CARGO,
            "src/lib.rs": RUST_EACH + RUST_TOTAL,
            "tests/adds.rs": fill(RUST_TEST, "use shop::{each, total};"),
        },
        {
            "src/lib.rs": "pub mod sums;\n\n" + RUST_EACH,
            "src/sums.rs": RUST_TOTAL,
            "tests/adds.rs": fill(RUST_TEST, "use shop::each;\nuse shop::sums::total;"),
        },
        ("a + b", "a + b + 1"),
        ("2), 3", "2), 4"),
    ),
    "maven": Project(
        {
            **SHARED["maven"],
            "src/main/java/demo/Price.java": fill(JAVA, "Price", JAVA_EACH + JAVA_TOTAL),
            "src/test/java/demo/PriceTest.java": fill(JAVA_TEST, "Price"),
        },
        {
            "src/main/java/demo/Price.java": fill(JAVA, "Price", JAVA_EACH),
            "src/main/java/demo/Sums.java": fill(JAVA, "Sums", JAVA_TOTAL),
            "src/test/java/demo/PriceTest.java": fill(JAVA_TEST, "Sums"),
        },
        ("a + b", "a + b + 1"),
        ("Equals(3", "Equals(4"),
    ),
}
PACKAGES = {
    **SHARED["maven"],
    "src/main/java/demo/Price.java": fill(JAVA, "Price", JAVA_EACH + JAVA_TOTAL.replace("static ", "")),
    "src/test/java/demo/PriceTest.java": fill(JAVA_TEST, "new Price()"),
}
IGNORED = {".gitignore": "node_modules\ntarget\nCargo.lock\n"}
NAMES = some_always(PROJECTS, str, {"pytest, imported in the test", "node", "go"}.__contains__, one_in=1000)


def compare(folder: Path, name: str, *changes: tuple[str, str], **more: str) -> dict[str, Any]:
    """Run the cells once after the function moved, and after texts were replaced in all files."""
    project = PROJECTS[name]
    repo = make_repo(folder, IGNORED | project.base)
    if "node" in name or name == "vitest":
        (repo.root / "node_modules").symlink_to(node_modules())
    head = {**project.head, **more}
    for old, new in changes:
        head = {path: text.replace(old, new) for path, text in head.items()}
    repo.write(head)
    found: dict[str, Any] = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert {entry["outcome"] for entry in found["control"]} == {"F"}, found
    return found


def read(found: dict[str, Any]) -> tuple[str, str]:
    (test,) = found["tests"]
    return test["class"], "".join(test["cells"][cell] for cell in ("BB", "HB", "BH", "HH"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_test_of_each_version_finds_what_moved(tmp_path: Path, name: str) -> None:
    found = compare(tmp_path, name)
    assert read(found) == ("kept", "PPPP"), found
    assert [each["from"].rpartition(".")[2] for each in found["moved"]] in (["total"], ["Total"])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_moved_and_does_something_else_is_found(tmp_path: Path, name: str) -> None:
    project = PROJECTS[name]
    found = compare(tmp_path, name, project.wrong, project.expected)
    assert read(found) == ("followed", "PFFP"), found


@pytest.mark.release
@pytest.mark.parametrize("moved_test", [False, True])
def test_a_class_in_another_package_is_found(tmp_path: Path, moved_test: bool) -> None:
    """Its test stays and imports it, or moves as well."""
    repo = make_repo(tmp_path, IGNORED | PACKAGES)
    code, test = PACKAGES["src/main/java/demo/Price.java"], PACKAGES["src/test/java/demo/PriceTest.java"]
    repo.git(
        "rm", "-q", "src/main/java/demo/Price.java", *(["src/test/java/demo/PriceTest.java"] if moved_test else [])
    )
    repo.write({"src/main/java/demo/sums/Price.java": code.replace("package demo;", "package demo.sums;")})
    if moved_test:
        repo.write({"src/test/java/demo/sums/PriceTest.java": test.replace("package demo;", "package demo.sums;")})
    else:
        imported = test.replace("import org.junit.Test;", "import demo.sums.Price;\nimport org.junit.Test;")
        repo.write({"src/test/java/demo/PriceTest.java": imported})
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert read(found) == ("kept", "PPPP"), found


PAY = "import {{ total }} from './{}.js';\n\nexport const pay = (prices) => total(prices) + 1;\n"
COPY = JS_TOTAL.replace("total", "{}").replace("all + each", "all + 2 * each")


def find_move(folder: Path, **head: str) -> dict[str, Any]:
    """Compare where the code also uses the function that moves."""
    base = {**PROJECTS["node"].base, "src/pay.js": PAY.format("price")}
    repo = make_repo(folder, IGNORED | base)
    repo.write({**PROJECTS["node"].head, **{f"src/{name}.js": text for name, text in head.items()}})
    found: dict[str, Any] = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    return found


def test_a_copy_for_tests_alone_is_no_move(tmp_path: Path) -> None:
    """The code calls another function, which is wrong, and the right one stands where only tests look."""
    user = "import { sumUp } from './all.js';\n\nexport const pay = (prices) => sumUp(prices) + 1;\n"
    wrong = "import { each } from './price.js';\n" + fill(COPY, "sumUp")
    found = find_move(tmp_path, pay=user, all=wrong)
    assert "moved" not in found
    assert read(found)[0] == "not_comparable"


def test_another_function_under_the_name_at_the_old_place_is_no_move(tmp_path: Path) -> None:
    """The code goes on to take it from there, and gets one that is wrong."""
    price = JS_EACH + "export { sumUp as total } from './all.js';\n"
    wrong = "import { each } from './price.js';\n" + fill(COPY, "sumUp")
    found = find_move(tmp_path, price=price, all=wrong)
    assert read(found) == ("loosened", "PFPP"), found


def test_what_the_code_uses_at_its_new_place_is_a_move(tmp_path: Path) -> None:
    assert read(find_move(tmp_path, pay=PAY.format("sums"))) == ("kept", "PPPP")


def test_a_file_that_misses_a_name_that_moved_and_one_that_got_another_name_is_compared(tmp_path: Path) -> None:
    """What hands on the one has no list of names, so that nothing could be said of the other."""
    half = "def half(price):\n    if price < 0:\n        raise ValueError(price)\n    return price // 2\n"
    twice = "\n\ndef twice(price):\n    if price < 0:\n        raise ValueError(price)\n    return price * 2\n"
    tests = "\n\n\ndef test_half():\n    assert half(4) == 2\n\n\ndef test_twice():\n    assert {}(2) == 4\n"
    rest = "def nothing(price):\n    return price\n"
    repo = make_repo(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/price.py": f"{rest}\n\n{half}{twice}",
            "tests/test_price.py": "from shop.price import half\nfrom shop.price import twice" + tests.format("twice"),
        },
    )
    head = "from shop.sums import double\nfrom shop.sums import half" + tests.format("double")
    doubled = twice.replace("twice", "double").replace("price", "amount")
    repo.write({"shop/price.py": rest, "shop/sums.py": half + doubled, "tests/test_price.py": head})
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert {test["test"]: test["class"] for test in found["tests"]} == {"test_half": "kept", "test_twice": "followed"}
