"""Renamed symbols: what counts as one, and how tests of the base get the new names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from both_sides import open_sides

from code_adapter.counterfactual.differing_code import read_differing_code
from code_adapter.counterfactual.renamed_names import Renames, find_renames


def rename(folder: Path, base: Mapping[str, str], head: Mapping[str, str]) -> list[tuple[str, str]]:
    """What is renamed between two states of a repository."""
    repository, sides = open_sides(folder, base, head)
    differing = read_differing_code(repository, sides.base, sides.head)
    found = find_renames(repository, sides.base, sides.head, differing)
    return [(each["from"], each["to"]) for each in found.describe()]


CODE = {
    "js": "export function total(prices) {\n  return prices.reduce((all, price) => all + price, 0);\n}\n",
    "ts": "export const total = (prices: number[]): number => prices.reduce((all, price) => all + price, 0);\n",
    "py": "class Cart:\n    def total(self):\n        return sum(self.prices)\n",
    "go": "package shop\n\nfunc total(a, b int) int {\n\treturn a + b\n}\n",
    "java": "class Cart {\n  int total(int a, int b) {\n    return a + b;\n  }\n}\n",
    "kt": "class Cart {\n  fun total(a: Int, b: Int): Int {\n    return a + b\n  }\n}\n",
    "rb": "class Cart\n  def total(a, b)\n    a + b\n  end\nend\n",
    "php": "<?php\nclass Cart {\n  function total($a, $b) {\n    return $a + $b;\n  }\n}\n",
    "cs": "class Cart {\n  int total(int a, int b) {\n    return a + b;\n  }\n}\n",
}
TESTS = {
    "js": "import { total } from '../src/cart.js';\ntest('total', () => expect(total([1])).toBe(1));\n",
    "ts": "import { total } from '../src/cart';\ntest('total', () => expect(total([1])).toBe(1));\n",
    "py": "def test_total():\n    assert Cart().total() == 'total'\n",
    "go": 'package shop\n\nfunc TestTotal(t *testing.T) {\n\tif total(1, 2) != 3 {\n\t\tt.Error("total")\n\t}\n}\n',
    "java": 'class CartTest {\n  @Test void adds() {\n    assertEquals(3, new Cart().total(1, 2), "total");\n  }\n}\n',
    "kt": 'class CartTest {\n  @Test fun adds() {\n    assertEquals(3, Cart().total(1, 2), "total")\n  }\n}\n',
    "rb": "describe 'total' do\n  it('adds') { expect(Cart.new.total(1, 2)).to eq 3 }\nend\n",
    "php": "<?php\nclass CartTest {\n  function testAdds() {\n    assertSame(3, $this->cart->total(1, 2));\n  }\n}\n",
    "cs": "class CartTests {\n  [Fact] void Adds() {\n    Assert.Equal(3, new Cart().total(1, 2));\n  }\n}\n",
}
FILES = {suffix: (f"src/cart.{suffix}", f"tests/cart_test.{suffix}") for suffix in CODE}
FILES |= {"go": ("shop/cart.go", "shop/cart_test.go"), "js": ("src/cart.js", "tests/cart.test.js")}
FILES |= {"ts": ("src/cart.ts", "tests/cart.test.ts"), "py": ("src/cart.py", "tests/test_cart.py")}
FILES |= {suffix: (f"src/main/Cart.{suffix}", f"src/test/CartTest.{suffix}") for suffix in ("java", "kt", "cs")}


def make(suffix: str, code: str | None = None, test: str | None = None, **more: str) -> dict[str, str]:
    source, tests = FILES[suffix]
    return {source: code or CODE[suffix], tests: test or TESTS[suffix], **more}


def called(text: str, new: str = "sumUp") -> str:
    return re.sub(r"(?<!\w)total(?=\(| \}| =)", new, text)


@pytest.mark.parametrize("suffix", sorted(CODE))
def test_a_definition_that_is_the_same_but_for_its_name_is_renamed(tmp_path: Path, suffix: str) -> None:
    head = make(suffix, called(CODE[suffix]), called(TESTS[suffix]) + "\n")
    assert rename(tmp_path, make(suffix), head) == [("total", "sumUp")]


@pytest.mark.parametrize("suffix", sorted(CODE))
def test_tests_of_the_base_get_the_new_name_and_keep_texts_and_titles(suffix: str) -> None:
    group = {"ts": "javascript", "js": "javascript", "py": "python", "kt": "java", "rb": "ruby", "cs": "csharp"}
    renames = Renames({group.get(suffix, suffix): {"total": "sumUp"}})
    changed = renames.apply(FILES[suffix][1], TESTS[suffix].encode()).decode()
    assert changed == called(TESTS[suffix])
    assert changed.count("total") == TESTS[suffix].count("total") - called(TESTS[suffix]).count("sumUp")


BODY = CODE["js"]
LONGER = BODY.replace("  return", "  check(prices);\n  check(prices.length);\n  log(prices);\n  return")


def test_a_body_that_changed_too_counts_where_tests_differ_in_the_name_alone(tmp_path: Path) -> None:
    changed = called(LONGER).replace("log(prices)", "log(prices, 1)")
    base = make("js", LONGER)
    assert rename(tmp_path / "same", base, make("js", changed, called(TESTS["js"]))) == [("total", "sumUp")]
    other = called(TESTS["js"]).replace("toBe(1)", "toBe(2)")
    assert rename(tmp_path / "other", base, make("js", changed, other)) == []


STILL = {
    "another-function": make("js", called(BODY) + "export function total() {\n  return 0;\n}\n", called(TESTS["js"])),
    "an-alias": make("js", called(BODY) + "export const total = sumUp;\n", called(TESTS["js"])),
    "a-call-elsewhere": make("js", called(BODY), called(TESTS["js"]), **{"src/pay.ts": "shop.total();\n"}),
    "a-property-elsewhere": make(
        "js", called(BODY), called(TESTS["js"]), **{"src/pay.js": "const a = { total: 1 };\n"}
    ),
}


@pytest.mark.parametrize("name", STILL)
def test_a_name_that_the_code_still_has_is_not_renamed(tmp_path: Path, name: str) -> None:
    assert rename(tmp_path, make("js"), STILL[name]) == []


GONE = {
    "a-comment": make("js", "// was total\n" + called(BODY), called(TESTS["js"])),
    "a-document": make("js", called(BODY), called(TESTS["js"]), **{"CHANGES.md": "total is sumUp now\n"}),
    "another-language": make("js", called(BODY), called(TESTS["js"]), **{"src/a.py": "def total():\n    pass\n"}),
}


@pytest.mark.parametrize("name", GONE)
def test_words_of_comments_documents_and_other_languages_are_no_names(tmp_path: Path, name: str) -> None:
    assert rename(tmp_path, make("js"), GONE[name]) == [("total", "sumUp")]


def test_a_name_that_the_base_defines_already_is_not_new(tmp_path: Path) -> None:
    more = {"src/more.js": "export function sumUp() {\n  return 1;\n}\n"}
    assert rename(tmp_path, make("js", **more), make("js", called(BODY), called(TESTS["js"]), **more)) == []


def test_a_name_that_becomes_two_or_one_that_was_two_is_unclear(tmp_path: Path) -> None:
    two = called(BODY) + called(BODY, "addUp")
    assert rename(tmp_path / "two", make("js", BODY + BODY), make("js", two, called(TESTS["js"]))) == []
    both = BODY + called(BODY, "addUp")
    one = called(BODY) + "export function b(x) {\n  return x;\n}\n"
    found = rename(tmp_path / "one", make("js", both), make("js", one, called(TESTS["js"])))
    assert found in ([], [("total", "sumUp")])
    assert len(found) < 2


def test_a_function_of_the_tests_themselves_is_none_of_the_code(tmp_path: Path) -> None:
    helper = {"tests/helper.js": BODY}
    base = make("js", "export const a = 1;\n", **helper)
    head = {**base, "tests/helper.js": called(BODY), FILES["js"][1]: called(TESTS["js"])}
    assert rename(tmp_path, base, head) == []


KEPT = {
    "it-defines-the-name": "function total() {\n  return 3;\n}\ntest('a', () => expect(total()).toBe(3));\n",
    "it-has-the-new-name": "const sumUp = 3;\ntest('a', () => expect(total([3])).toBe(sumUp));\n",
    "it-is-of-another-language": "",
    "it-has-it-in-texts-alone": "test('total', () => expect('total').toBe(`total`)); // total\n",
}


@pytest.mark.parametrize("name", KEPT)
def test_a_source_stays_as_it_is_where(name: str) -> None:
    path = "tests/cart.py" if name == "it-is-of-another-language" else "tests/cart.test.js"
    source = (KEPT[name] or "total()\n").encode()
    assert Renames({"javascript": {"total": "sumUp"}}).apply(path, source) == source


def test_tests_within_the_code_of_rust_get_the_new_name(tmp_path: Path) -> None:
    code = "pub fn total(a: i32, b: i32) -> i32 {\n    a + b\n}\n"
    test = "    #[test]\n    fn adds() {\n        assert!(total(1, 2) == 3);\n    }\n"
    tests = f"\n#[cfg(test)]\nmod tests {{\n    use super::total;\n{test}}}\n"
    new = (code + tests).replace("total", "sum_up")
    assert rename(tmp_path, {"src/lib.rs": code + tests}, {"src/lib.rs": new}) == [("total", "sum_up")]


def test_more_renamed_symbols_than_are_looked_for_are_none(tmp_path: Path) -> None:
    def write(start: str) -> str:
        return "".join(f"export function {start}{n}(a) {{\n  return a + {n};\n}}\n" for n in range(45))

    base = make("js", write("old"), "import { old1 } from '../src/cart.js';\n")
    assert rename(tmp_path, base, make("js", write("new"), "import { new1 } from '../src/cart.js';\n")) == []


INNER = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        assert!(true);\n    }\n}\n"


@pytest.mark.parametrize(
    ("base", "head", "same"),
    [
        ({"src/lib.rs": f"fn a() {{}}\n{INNER}"}, {"src/lib.rs": f"fn b() {{}}\n{INNER}"}, 1),
        ({"src/lib.rs": INNER, "src/a.rs": "fn a() {}\n"}, {"src/lib.rs": INNER, "src/a.rs": "fn b() {}\n"}, 1),
        ({"src/lib.rs": INNER}, {"src/lib.rs": INNER.replace("true", "false")}, 0),
        ({"src/lib.rs": "// a test\nfn a() {}\n"}, {"src/lib.rs": "// a test\nfn b() {}\n"}, 0),
        ({"src/a.rs": "// a test\n", "src/b.rs": "fn a() {}\n"}, {"src/a.rs": "// a test\n", "src/b.rs": ""}, 0),
    ],
    ids=["code-around-it", "another-source", "the-test", "no-test", "no-test-elsewhere"],
)
def test_tests_within_the_code_count_as_the_same(
    tmp_path: Path, base: dict[str, str], head: dict[str, str], same: int
) -> None:
    _, sides = open_sides(tmp_path, base, head)
    assert sides.count_same() == same


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("t.py", 'mock.patch("shop.cart.total")', 'mock.patch("shop.cart.sumUp")'),
        ("t.py", '@patch("shop.total.rate", 2)\ndef f(): pass', '@patch("shop.sumUp.rate", 2)\ndef f(): pass'),
        ("t.py", 'patch.object(cart, "total")', 'patch.object(cart, "sumUp")'),
        ("t.py", 'monkeypatch.setattr(cart, "total", 2)', 'monkeypatch.setattr(cart, "sumUp", 2)'),
        ("t.py", 'print("total")', 'print("total")'),
        ("t.py", 'patch("the total of all")', 'patch("the total of all")'),
        ("t.py", 'patch(f"{name}.total")', 'patch(f"{name}.total")'),
        ("t.js", "jest.spyOn(cart, 'total')", "jest.spyOn(cart, 'sumUp')"),
        ("t.js", "test('total', () => 1)", "test('total', () => 1)"),
        ("t.ts", "t.mock.method(cart, `total`)", "t.mock.method(cart, `sumUp`)"),
    ],
)
def test_texts_that_say_what_to_replace_get_the_new_name(path: str, before: str, after: str) -> None:
    names = {"total": "sumUp"}
    renames = Renames({"python": names, "javascript": names})
    assert renames.apply(path, before.encode()).decode() == after
    assert renames.reverse().apply(path, after.encode()).decode() == before
