"""code:tests with real runners: tests that base runs, that are the same in the subject, and that don't run there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import node_modules

from verigate.sdk.weakening_ids import digest_form, make_weakening_id

if TYPE_CHECKING:
    from pathlib import Path

Files = dict[str, str]

PYPROJECT = "[tool.pytest.ini_options]\n"


def unrun(folder: Path, base: Files, head: Files) -> dict[str, Any]:
    """Run the tests of ``head``; returns what tests.json has."""
    repo = make_repo(folder, base)
    repo.write(head)
    found: dict[str, Any] = repo.run("code:tests", gated=True).json("tests.json")
    return found


def names(found: dict[str, Any]) -> list[str]:
    return [test["test"] for test in found.get("no_longer_run", [])]


ASKS = (
    "import pytest\nimport shop\n\n\n@pytest.mark.skipif(shop.NATIVE, reason='it has tests of its own')\n"
    "def test_total():\n    assert shop.total([1, 2]) == 3\n\n\ndef test_name():\n    assert shop.NAME == 'shop'\n"
)
SHOP = "NAME = 'shop'\nNATIVE = False\n\n\ndef total(prices):\n    return sum(prices)\n"


def test_a_test_that_the_code_now_skips_is_listed_with_the_id_of_its_weakening(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": SHOP, "test_shop.py": ASKS}
    found = unrun(tmp_path, base, {"shop.py": SHOP.replace("False", "True")})
    form = digest_form(ASKS[ASKS.index("@pytest") : ASKS.index("\n\n\ndef test_name")])
    made = make_weakening_id("lost", "test_shop.py", "test_total", form, form)
    assert found["no_longer_run"] == [{"path": "test_shop.py", "test": "test_total", "id": made}]
    assert (found["passed"], found["skipped"]) == (1, 1)


def test_a_test_that_base_skips_as_well_is_not_listed(tmp_path: Path) -> None:
    skipping = SHOP.replace("False", "True")
    base = {"pyproject.toml": PYPROJECT, "shop.py": skipping, "test_shop.py": ASKS}
    found = unrun(tmp_path, base, {"shop.py": skipping.replace("sum(prices)", "sum(list(prices))")})
    assert "no_longer_run" not in found
    assert "uncompared" not in found


def test_a_test_that_fails_on_the_code_of_base_is_not_listed(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": SHOP.replace("sum(prices)", "0"), "test_shop.py": ASKS}
    assert "no_longer_run" not in unrun(tmp_path, base, {"shop.py": SHOP.replace("False", "True")})


def test_a_test_whose_table_the_code_empties_is_listed(tmp_path: Path) -> None:
    test = (
        "import pytest\nimport shop\n\n\n@pytest.mark.parametrize('price', shop.PRICES)\n"
        "def test_price(price):\n    assert shop.total([price]) == price\n\n\ndef test_name():\n    assert shop.NAME\n"
    )
    shop = SHOP + "\n\nPRICES = [1, 2]\n"
    base = {"pyproject.toml": PYPROJECT, "shop.py": shop, "test_shop.py": test}
    assert names(unrun(tmp_path, base, {"shop.py": shop.replace("[1, 2]", "[]")})) == ["test_price"]


def test_a_file_that_the_code_makes_skip_as_a_whole_is_listed_by_test(tmp_path: Path) -> None:
    test = (
        "import pytest\n\nfast = pytest.importorskip('shop.fast')\n\n\n"
        "def test_total():\n    assert fast.total([1, 2]) == 3\n"
    )
    base = {
        "pyproject.toml": PYPROJECT,
        "shop/__init__.py": "",
        "shop/fast.py": SHOP,
        "test_fast.py": test,
        "test_shop.py": "import shop\n\n\ndef test_it_is_there():\n    assert shop\n",
    }
    assert names(unrun(tmp_path, base, {"shop/fast.py": "raise ImportError('not built')\n" + SHOP})) == ["test_total"]


def test_tests_of_unittest_that_the_code_skips_are_listed(tmp_path: Path) -> None:
    test = (
        "import unittest\n\nimport shop\n\n\nclass ShopTest(unittest.TestCase):\n    def test_total(self):\n"
        "        if shop.NATIVE:\n            self.skipTest('native')\n"
        "        self.assertEqual(shop.total([1, 2]), 3)\n\n"
        "    def test_name(self):\n        self.assertEqual(shop.NAME, 'shop')\n"
    )
    base = {"shop.py": SHOP, "test_shop.py": test}
    assert names(unrun(tmp_path, base, {"shop.py": SHOP.replace("False", "True")})) == ["ShopTest.test_total"]


def test_nothing_runs_on_base_if_every_test_ran_or_no_code_differs(tmp_path: Path) -> None:
    base = {"pyproject.toml": PYPROJECT, "shop.py": SHOP.replace("False", "True"), "test_shop.py": ASKS}
    repo = make_repo(tmp_path, base)
    repo.write({"test_shop.py": ASKS + "\n\ndef test_two():\n    assert shop.total([2]) == 2\n"})
    assert repo.run("code:tests", gated=True).json("tests.meta.json")["metadata"]["asked_of_base"]["tests"] == 0
    repo.commit({"shop.py": SHOP})
    repo.write({"shop.py": SHOP + "\n\nFEE = 0\n"})
    assert repo.run("code:tests", gated=True).json("tests.meta.json")["metadata"]["asked_of_base"]["tests"] == 0


def test_a_skip_that_no_code_decides_is_not_asked_about(tmp_path: Path) -> None:
    lasting = (
        "import sys\n\nimport pytest\nimport shop\n\n\n@pytest.mark.skip(reason='slow')\n"
        "def test_slow():\n    assert 0\n\n\n"
        "@pytest.mark.skipif(sys.platform != 'win32', reason='of Windows')\ndef test_windows():\n    assert 0\n\n\n"
        "def test_name():\n    assert shop.NAME\n"
    )
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT, "shop.py": SHOP, "test_shop.py": lasting})
    repo.write({"shop.py": SHOP.replace("False", "True")})
    outcome = repo.run("code:tests", gated=True)
    assert outcome.json("tests.json")["skipped"] == 2
    assert outcome.json("tests.meta.json")["metadata"]["asked_of_base"]["tests"] == 0


GO_TEST = (
    'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Native {\n\t\tt.Skip("native")\n\t}\n'
    '\tif Total(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc TestName(t *testing.T) {\n'
    '\tif Name == "" {\n\t\tt.Fatal("none")\n\t}\n}\n'
)
GO = 'package shop\n\nconst Name = "shop"\n\nvar Native = false\n\nfunc Total(a, b int) int { return a + b }\n'


def test_a_test_of_go_that_the_code_skips_is_listed(tmp_path: Path) -> None:
    base = {"go.mod": "module example.com/shop\n\ngo 1.19\n", "shop.go": GO, "shop_test.go": GO_TEST}
    assert names(unrun(tmp_path, base, {"shop.go": GO.replace("false", "true")})) == ["TestTotal"]


@pytest.mark.release
@pytest.mark.parametrize("tool", ["node:test", "vitest"])
def test_tests_of_javascript_that_the_code_skips_are_listed(tmp_path: Path, tool: str) -> None:
    script, imported = {
        "node:test": ("node --test", "import { test } from 'node:test';\n"),
        "vitest": ("vitest run", "import { test } from 'vitest';\n"),
    }[tool]
    test = (
        f"import assert from 'node:assert';\n{imported}import {{ NATIVE, total }} from './shop.js';\n\n"
        "test('is there', () => { assert.ok(total); });\n\n"
        "test('adds prices', (context) => {\n  if (NATIVE) { return context.skip(); }\n"
        "  assert.strictEqual(total([1, 2]), 3);\n});\n"
    )
    shop = (
        "export const NATIVE = false;\nexport const total = (prices) => prices.reduce((sum, each) => sum + each, 0);\n"
    )
    base = {
        "package.json": json.dumps({"type": "module", "scripts": {"test": script}}),
        "shop.js": shop,
        "shop.test.js": test,
        ".gitignore": "node_modules\n",
    }
    repo = make_repo(tmp_path, base)
    if tool == "vitest":
        (repo.root / "node_modules").symlink_to(node_modules())
    repo.write({"shop.js": shop.replace("false", "true")})
    assert names(repo.run("code:tests", gated=True).json("tests.json")) == ["adds prices"]


@pytest.mark.release
def test_a_module_of_rust_that_is_no_longer_compiled_is_listed(tmp_path: Path) -> None:
    library = (
        'pub mod shop;\npub fn name() -> &\'static str {\n    "shop"\n}\n\n#[cfg(test)]\nmod tests {\n'
        '    #[test]\n    fn has_a_name() {\n        assert_eq!(super::name(), "shop");\n    }\n}\n'
    )
    shop = (
        "pub fn total(a: u32, b: u32) -> u32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n"
        "    fn adds() {\n        assert_eq!(super::total(1, 2), 3);\n    }\n}\n"
    )
    base = {
        "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
        "src/lib.rs": library,
        "src/shop.rs": shop,
        ".gitignore": "target\n",
    }
    head = {"src/lib.rs": library.replace("pub mod shop;", "pub mod shop {}")}
    assert names(unrun(tmp_path, base, head)) == ["tests::adds"]
