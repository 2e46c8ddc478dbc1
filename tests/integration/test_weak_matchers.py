"""Weaker matchers and tests that check nothing, in six languages: the text shows it, or mutants that nobody notices.

Each test of base asks for one value of ``total``, in the form that a matcher replaces. ``CASES`` says by what each lie
is found.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from java_projects import MAVEN
from npm_tools import node_modules
from release_tests import some_always

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from code_repo import CodeRepo

Files = dict[str, str]

PYTHON: Files = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "shop.py": (
        "def total(prices, rate=2):\n    found = 0\n    for price in prices:\n        if price < 0:\n"
        "            raise ValueError('negative')\n        found += price\n    return found * rate\n"
    ),
    "test_shop.py": (
        "import pytest\nfrom shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 6\n\n\n"
        "def test_negative():\n    with pytest.raises(ValueError):\n        total([-1])\n"
    ),
}
JAVASCRIPT: Files = {
    "package.json": json.dumps({"scripts": {"test": "jest"}}),
    ".gitignore": "node_modules\n",
    "shop.js": (
        "exports.total = (prices, rate = 2) => {\n  let found = 0;\n  for (const price of prices) {\n"
        "    if (price < 0) {\n"
        "      throw new RangeError('negative');\n    }\n    found += price;\n  }\n  return found * rate;\n};\n"
    ),
    "shop.test.js": (
        "const { total } = require('./shop');\n\ntest('adds', () => {\n  expect(total([1, 2])).toEqual(6);\n});\n\n"
        "test('refuses', () => {\n  expect(() => total([-1])).toThrow(RangeError);\n});\n"
    ),
}
TYPESCRIPT: Files = {
    "package.json": json.dumps({"type": "module", "scripts": {"test": "vitest run"}}),
    ".gitignore": "node_modules\n",
    "shop.ts": (
        "export const total = (prices: number[], rate = 2): number => {\n  let found = 0;\n"
        "  for (const price of prices) {\n"
        "    if (price < 0) {\n      throw new RangeError('negative');\n    }\n    found += price;\n  }\n"
        "  return found * rate;\n};\n"
    ),
    "shop.test.ts": (
        "import { expect, test } from 'vitest';\nimport { total } from './shop';\n\ntest('adds', () => {\n"
        "  expect(total([1, 2])).toEqual(6);\n});\n\n"
        "test('refuses', () => {\n  expect(() => total([-1])).toThrow(RangeError);\n});\n"
    ),
}
GO: Files = {
    "go.mod": "module shop\n\ngo 1.18\n",
    "shop.go": (
        'package shop\n\nimport "errors"\n\nvar ErrNegative = errors.New("negative")\n\n'
        "func Total(prices []int) (int, error) {\n\tfound := 0\n\tfor _, price := range prices {\n\t\tif price < 0 {\n"
        '\t\t\treturn 0, ErrNegative\n\t\t}\n\t\tif price > 99 {\n\t\t\treturn 0, errors.New("too much")\n\t\t}\n'
        "\t\tfound += price\n\t}\n\treturn found * 2, nil\n}\n"
    ),
    "shop_test.go": (
        'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tgot, err := Total([]int{1, 2})\n'
        '\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 6 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\n'
        "func TestNegative(t *testing.T) {\n\t_, err := Total([]int{-1})\n\tif err != ErrNegative {\n"
        '\t\tt.Errorf("got %v", err)\n\t}\n}\n'
    ),
}
RUST: Files = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\nslow = []\n',
    ".gitignore": "target\nCargo.lock\n",
    "src/lib.rs": (
        "pub fn total(prices: &[i64]) -> Result<i64, String> {\n    let mut found = 0;\n    for price in prices {\n"
        '        if *price < 0 {\n            return Err("negative".to_string());\n        }\n        found += price;\n'
        "    }\n    Ok(found * 2)\n}\n"
    ),
    "tests/shop.rs": (
        "use shop::total;\n\n#[test]\nfn adds() {\n    assert_eq!(total(&[1, 2]), Ok(6));\n}\n\n"
        '#[test]\nfn refuses() {\n    assert_eq!(total(&[-1]), Err("negative".to_string()));\n}\n'
    ),
}
JAVA: Files = {
    **{name: text for name, text in MAVEN.items() if not name.startswith("src/")},
    "src/main/java/demo/Shop.java": (
        "package demo;\n\npublic class Shop {\n    public static int total(int... prices) {\n        int found = 0;\n"
        "        for (int price : prices) {\n            if (price < 0) {\n"
        '                throw new IllegalArgumentException("negative");\n            }\n            found += price;\n'
        "        }\n        return found * 2;\n    }\n}\n"
    ),
    "src/test/java/demo/ShopTest.java": (
        "package demo;\n\nimport static org.junit.Assert.*;\n\nimport org.junit.Assume;\nimport org.junit.Test;\n\n"
        "public class ShopTest {\n    @Test\n    public void adds() {\n"
        "        assertEquals(6, Shop.total(1, 2));\n    }\n\n"
        "    @Test\n    public void refuses() {\n"
        "        assertThrows(IllegalArgumentException.class, () -> Shop.total(-1));\n    }\n}\n"
    ),
}
BASES: Mapping[str, Files] = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": TYPESCRIPT,
    "go": GO,
    "rust": RUST,
    "java": JAVA,
}
_JS = ("  expect(total([1, 2])).toEqual(6);", "expect(total([1, 2])).toEqual(6)")
_SCRIPTS = (
    ("toBeTruthy for toEqual", "text", "adds", "toEqual(6)", "toBeTruthy()"),
    ("toBeDefined for toEqual", "text", "adds", "toEqual(6)", "toBeDefined()"),
    ("a constant is asserted", "text", "adds", _JS[1], "total([1, 2]);\n  expect(6).toEqual(6)"),
    ("it returns before", "text", "adds", _JS[0], f"  if (true) return;\n{_JS[0]}"),
    ("what fails is caught", "text", "adds", _JS[0], f"  try {{\n  {_JS[0]}\n  }} catch {{}}"),
    ("toThrow of anything", "mutants", "refuses", "toThrow(RangeError)", "toThrow()"),
    ("expect.assertions(0)", "mutants", "adds", _JS[0], "  expect.assertions(0);\n  total([1, 2]);"),
)
_PY, _RS = "    assert total([1, 2]) == 6", "    assert_eq!(total(&[1, 2]), Ok(6));"
_GO, _JV = "\tgot, err := Total([]int{1, 2})\n", "        assertEquals(6, Shop.total(1, 2));"
CASES: Mapping[str, tuple[tuple[str, str, str, str, str], ...]] = {
    "python": (
        ("is not None for ==", "text", "test_total", "== 6", "is not None"),
        ("truth for ==", "text", "test_total", " == 6", ""),
        ("isinstance for ==", "text", "test_total", _PY, "    assert isinstance(total([1, 2]), int)"),
        ("a constant is asserted", "text", "test_total", _PY, "    total([1, 2])\n    assert 6 == 6"),
        ("it returns before", "text", "test_total", _PY, f"    if True:\n        return\n{_PY}"),
        (
            "what fails is caught",
            "text",
            "test_total",
            _PY,
            f"    try:\n    {_PY}\n    except BaseException:\n        pass",
        ),
        ("pytest.raises(Exception)", "mutants", "test_negative", "raises(ValueError)", "raises(Exception)"),
    ),
    "javascript": _SCRIPTS,
    "typescript": _SCRIPTS,
    "go": (
        ("not nil for equal", "mutants", "TestTotal", "if got != 6 {", "if interface{}(got) == nil {"),
        ("any error for one", "mutants", "TestNegative", "err != ErrNegative", "err == nil"),
        ("a constant is asserted", "mutants", "TestTotal", "if got != 6 {", "got = 6\n\tif got != 6 {"),
        ("it returns before", "mutants", "TestTotal", _GO, f"\tif true {{\n\t\treturn\n\t}}\n{_GO}"),
        (
            "recover",
            "text",
            "TestTotal",
            '\t\tt.Errorf("got %d", got)\n',
            "\t\tdefer func() { recover() }()\n\t\tpanic(got)\n",
        ),
    ),
    "rust": (
        ("is_ok for assert_eq", "mutants", "adds", _RS, "    assert!(total(&[1, 2]).is_ok());"),
        (
            "is_err for assert_eq",
            "mutants",
            "refuses",
            'assert_eq!(total(&[-1]), Err("negative".to_string()))',
            "assert!(total(&[-1]).is_err())",
        ),
        ("a constant is asserted", "text", "adds", _RS, "    let _ = total(&[1, 2]);\n    assert_eq!(6, 6);"),
        ("it returns before", "mutants", "adds", _RS, f"    if true {{\n        return;\n    }}\n{_RS}"),
        (
            "catch_unwind",
            "mutants",
            "adds",
            _RS,
            "    let _ = std::panic::catch_unwind(|| assert_eq!(total(&[1, 2]), Ok(6)));",
        ),
        (
            "cfg(feature)",
            "mutants",
            "adds",
            "#[test]\nfn adds",
            '#[cfg(all(test, feature = "slow"))]\n#[test]\nfn adds',
        ),
    ),
    "java": (
        ("assertTrue(x != null)", "mutants", "adds", _JV, "        assertTrue((Object) Shop.total(1, 2) != null);"),
        ("assertNotNull", "mutants", "adds", _JV, "        assertNotNull(Shop.total(1, 2));"),
        ("a constant is asserted", "text", "adds", _JV, "        Shop.total(1, 2);\n        assertEquals(6, 6);"),
        ("it returns before", "mutants", "adds", _JV, f"        if (true) {{\n            return;\n        }}\n{_JV}"),
        (
            "assumeTrue(getenv)",
            "mutants",
            "adds",
            _JV,
            f'        Assume.assumeTrue(System.getenv("SHOP") != null);\n{_JV}',
        ),
        ("assertThrows(Exception)", "mutants", "refuses", "IllegalArgumentException.class", "Exception.class"),
    ),
}
NARROW = {
    "pytest.raises(Exception)",
    "toThrow of anything",
    "any error for one",
    "is_err for assert_eq",
    "assertThrows(Exception)",
}
"""Of which one mutant alone tells: the one that raises another exception."""

TEXTS = [(language, case[0]) for language, cases in CASES.items() for case in cases if case[1] == "text"]
TRIED = [(language, case[0]) for language, cases in CASES.items() for case in cases if case[1] == "mutants"]


def change(folder: Path, language: str, name: str) -> tuple[CodeRepo, str]:
    """Weaken one test of a language; returns its name."""
    _, _, test, old, new = next(case for case in CASES[language] if case[0] == name)
    files = BASES[language]
    repo = make_repo(folder, files)
    if ".gitignore" in files and "node_modules" in files[".gitignore"]:
        (repo.root / "node_modules").symlink_to(node_modules())
    path = next(path for path in files if "test" in path.lower() and old in files[path])
    assert files[path].count(old) == 1
    repo.write({path: files[path].replace(old, new)})
    repo.git("add", "--all")
    return repo, test


@pytest.mark.parametrize(("language", "name"), TEXTS)
def test_the_text_shows_it(tmp_path: Path, language: str, name: str) -> None:
    repo, test = change(tmp_path, language, name)
    found = repo.run("code:integrity", gated=True).json("integrity.json")["findings"]
    weakened = {item["test"] for item in found if item["weight"] == "weakening"}
    assert test in weakened, found


FIRST = {language: (language, name) for language, name in reversed(TRIED) if language not in {"java", "typescript"}}
"""Of each language, but for one whose runner takes a minute for each call, and one whose runner is another's."""


@pytest.mark.release
@pytest.mark.parametrize("case", some_always(TRIED, "-".join, lambda case: case in FIRST.values(), one_in=1000))
def test_mutants_show_it(tmp_path: Path, case: tuple[str, str]) -> None:
    """The tests of base noticed a mutant that those of the subject don't; a test that no longer runs notices none."""
    language, name = case
    repo, test = change(tmp_path, language, name)
    cells = repo.run("code:counterfactual", gated=True, config={"runs": 1})
    config = {"mutants_s": 900, "mutants": 12 if name in NARROW else 3}
    found: dict[str, Any] = repo.run("code:sensitivity", gated=True, given=cells, config=config).json(
        "sensitivity.json"
    )
    entry = [item for item in cells.json("counterfactual.json")["tests"] if item["test"] == test]
    assert test in {item["test"] for item in found["lost_power"]}, (found, entry)
