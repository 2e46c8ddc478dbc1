"""Tests that become a table of cases: a row stands for each, or the test is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from release_tests import some_always

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = (
    "tests/test_a.py",
    """\
from shop import slug

def test_slug_lowers():
    assert slug("Ab") == "ab"

def test_slug_of_blank():
    assert slug("a b") == "a-b"

def test_slug_of_nothing():
    assert slug("") == ""
""",
)

PRICES = (
    "tests/test_a.py",
    """\
from shop import total

def test_total_of_one_price():
    cart = [10]
    assert total(cart) == 10

def test_total_of_two_prices():
    cart = [10, 20]
    assert total(cart) == 30

def test_total_with_discount():
    cart = [10, 20]
    result = total(cart, discount=0.5)
    assert result == 15
""",
)

UNITTEST = (
    "tests/test_a.py",
    """\
import unittest
from shop import slug

class SlugTest(unittest.TestCase):
    def test_lowers(self):
        self.assertEqual(slug("Ab"), "ab")

    def test_joins(self):
        self.assertEqual(slug("a b"), "a-b")

    def test_nothing(self):
        self.assertEqual(slug(""), "")
""",
)

JEST = (
    "test/slug.test.js",
    """\
import { slug } from '../slug.js';

test('lowers', () => {
  expect(slug('Ab')).toBe('ab');
});

test('joins words', () => {
  expect(slug('a b')).toBe('a-b');
});

test('nothing stays nothing', () => {
  expect(slug('')).toBe('');
});
""",
)

SUITES = (
    "test/slug.test.js",
    """\
import { area } from '../a.js';

describe('square', () => {
  it('has an area', () => {
    expect(area('square', 2)).toBe(4);
  });
  it('has none of nothing', () => {
    expect(area('square', 0)).toBe(0);
  });
});

describe('circle', () => {
  it('has an area', () => {
    expect(area('circle', 2)).toBe(12);
  });
  it('has none of nothing', () => {
    expect(area('circle', 0)).toBe(0);
  });
});
""",
)

CART = (
    "test/cart.test.js",
    """\
const { total } = require('../cart');

describe('total', () => {
  it('should return 0 for an empty cart', () => {
    const cart = [];
    expect(total(cart)).toBe(0);
  });

  it('should add the prices of all items', () => {
    const cart = [{ price: 5 }, { price: 7 }];
    expect(total(cart)).toBe(12);
  });

  it('should multiply by quantity', () => {
    const cart = [{ price: 5, quantity: 3 }];
    expect(total(cart)).toBe(15);
  });
});
""",
)

JAVA = (
    "src/test/java/shop/SlugTest.java",
    """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;

class SlugTest {
    @Test
    void lowers() {
        assertEquals("ab", Slug.of("Ab"));
    }

    @Test
    void joinsWords() {
        assertEquals("a-b", Slug.of("a b"));
    }

    @Test
    void nothing() {
        assertEquals("", Slug.of(""));
    }
}
""",
)

KNOWN = (
    "src/test/java/shop/SlugTest.java",
    """\
package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;
import org.junit.jupiter.api.Test;

class SlugTest {
    @Test
    void knowsAda() {
        assertTrue(Slug.known("ada"));
    }

    @Test
    void knowsBob() {
        assertTrue(Slug.known("bob"));
    }
}
""",
)

GO = (
    "slug_test.go",
    """\
package shop

import "testing"

func TestSlugLowers(t *testing.T) {
	if got := Slug("Ab"); got != "ab" {
		t.Errorf("got %q", got)
	}
}

func TestSlugJoins(t *testing.T) {
	if got := Slug("a b"); got != "a-b" {
		t.Errorf("got %q", got)
	}
}

func TestSlugOfNothing(t *testing.T) {
	if got := Slug(""); got != "" {
		t.Errorf("got %q", got)
	}
}
""",
)

RUST = (
    "tests/slug.rs",
    """\
use shop::slug;

#[test]
fn lowers() {
    assert_eq!(slug("Ab"), "ab");
}

#[test]
fn joins() {
    assert_eq!(slug("a b"), "a-b");
}
""",
)

HONEST = {
    "py parametrize": (
        PYTHON,
        """\
import pytest
from shop import slug

@pytest.mark.parametrize(("text", "wanted"), [("Ab", "ab"), ("a b", "a-b"), ("", "")], ids=["lowers", "blank", "none"])
def test_slug(text, wanted):
    assert slug(text) == wanted
""",
    ),
    "py parametrize pytest.param id": (
        PYTHON,
        """\
import pytest
from shop import slug

@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("Ab", "ab", id="lowers"),
        pytest.param("a b", "a-b", id="blank"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_slug(text, wanted):
    assert slug(text) == wanted
""",
    ),
    "js it.each": (
        JEST,
        """\
import { slug } from '../slug.js';

test.each([
  ['lowers', 'Ab', 'ab'],
  ['joins words', 'a b', 'a-b'],
  ['nothing stays nothing', '', ''],
])('%s', (_, text, wanted) => {
  expect(slug(text)).toBe(wanted);
});
""",
    ),
    "js it.each objects": (
        JEST,
        """\
import { slug } from '../slug.js';

it.each([
  { text: 'Ab', wanted: 'ab' },
  { text: 'a b', wanted: 'a-b' },
  { text: '', wanted: '' },
])('slug of $text', ({ text, wanted }) => {
  expect(slug(text)).toBe(wanted);
});
""",
    ),
    "js it.each template": (
        JEST,
        """\
import { slug } from '../slug.js';

it.each`
  text     | wanted
  ${'Ab'}  | ${'ab'}
  ${'a b'} | ${'a-b'}
  ${''}    | ${''}
`('slug of $text', ({ text, wanted }) => {
  expect(slug(text)).toBe(wanted);
});
""",
    ),
    "js it.each named table": (
        JEST,
        """\
import { slug } from '../slug.js';

const CASES = [
  ['Ab', 'ab'],
  ['a b', 'a-b'],
  ['', ''],
];

it.each(CASES)('slug of %s', (text, wanted) => {
  expect(slug(text)).toBe(wanted);
});
""",
    ),
    "py named table": (
        PYTHON,
        """\
import pytest
from shop import slug

CASES = [("Ab", "ab"), ("a b", "a-b"), ("", "")]

@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_slug(text, wanted):
    assert slug(text) == wanted
""",
    ),
    "js describe.each": (
        SUITES,
        """\
import { area } from '../a.js';

describe.each([['square', 4], ['circle', 12]])('%s', (kind, of2) => {
  it('has an area', () => {
    expect(area(kind, 2)).toBe(of2);
  });
  it('has none of nothing', () => {
    expect(area(kind, 0)).toBe(0);
  });
});
""",
    ),
    "js forEach": (
        JEST,
        """\
import { slug } from '../slug.js';

const cases = { Ab: 'ab', 'a b': 'a-b', '': '' };
for (const [text, wanted] of Object.entries(cases)) {
  test(`slug of ${text}`, () => {
    expect(slug(text)).toBe(wanted);
  });
}
""",
    ),
    "java csvsource": (
        JAVA,
        """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlugTest {
    @ParameterizedTest
    @CsvSource({"Ab, ab", "a b, a-b", "'', ''"})
    void slug(String text, String wanted) {
        assertEquals(wanted, Slug.of(text));
    }
}
""",
    ),
    "java csv textblock": (
        JAVA,
        '''\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlugTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        Ab  | ab
        a b | a-b
        ''  | ''
        """)
    void slug(String text, String wanted) {
        assertEquals(wanted, Slug.of(text));
    }
}
''',
    ),
    "java methodsource": (
        JAVA,
        """\
package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SlugTest {
    @ParameterizedTest
    @MethodSource("texts")
    void slug(String text, String wanted) {
        assertEquals(wanted, Slug.of(text));
    }

    static Stream<Arguments> texts() {
        return Stream.of(Arguments.of("Ab", "ab"), Arguments.of("a b", "a-b"), Arguments.of("", ""));
    }
}
""",
    ),
    "java valuesource": (
        KNOWN,
        """\
package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlugTest {
    @ParameterizedTest
    @ValueSource(strings = {"ada", "bob"})
    void knows(String name) {
        assertTrue(Slug.known(name));
    }
}
""",
    ),
    "go table": (
        GO,
        """\
package shop

import "testing"

func TestSlug(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"lowers":  {"Ab", "ab"},
		"joins":   {"a b", "a-b"},
		"nothing": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Slug(c.text); got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
""",
    ),
    "go table in the loop, with another message": (
        GO,
        """\
package shop

import "testing"

func TestSlugLowers(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
	}{
		{"Ab", "ab"},
		{"a b", "a-b"},
		{"", ""},
	} {
		if got := Slug(c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}
""",
    ),
    "go table var": (
        GO,
        """\
package shop

import "testing"

var slugs = []struct{ name, text, want string }{
	{name: "lowers", text: "Ab", want: "ab"},
	{name: "joins", text: "a b", want: "a-b"},
	{name: "nothing", text: "", want: ""},
}

func TestSlug(t *testing.T) {
	for _, c := range slugs {
		t.Run(c.name, func(t *testing.T) {
			if got := Slug(c.text); got != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
""",
    ),
    "rust rows": (
        RUST,
        """\
use shop::slug;

#[test]
fn slugs() {
    for (text, wanted) in [("Ab", "ab"), ("a b", "a-b")] {
        assert_eq!(slug(text), wanted);
    }
}
""",
    ),
    "rust rstest": (
        RUST,
        """\
use rstest::rstest;
use shop::slug;

#[rstest]
#[case::lowers("Ab", "ab")]
#[case::joins("a b", "a-b")]
fn slugs(#[case] text: &str, #[case] wanted: &str) {
    assert_eq!(slug(text), wanted);
}
""",
    ),
    "py subTest": (
        UNITTEST,
        """\
import unittest
from shop import slug

class SlugTest(unittest.TestCase):
    def test_slug(self):
        for text, wanted in (("Ab", "ab"), ("a b", "a-b"), ("", "")):
            with self.subTest(text=text):
                self.assertEqual(slug(text), wanted)
""",
    ),
    "py numbers": (
        PRICES,
        """\
import pytest
from shop import total

@pytest.mark.parametrize(
    "cart, discount, expected",
    [
        ([10], 0, 10),
        ([10, 20], 0, 30),
        ([10, 20], 0.5, 15),
    ],
)
def test_total(cart, discount, expected):
    assert total(cart, discount=discount) == expected
""",
    ),
    "js each different shape": (
        CART,
        """\
const { total } = require('../cart');

describe('total', () => {
  it.each([
    ['an empty cart', [], 0],
    ['all items', [{ price: 5 }, { price: 7 }], 12],
    ['quantity', [{ price: 5, quantity: 3 }], 15],
  ])('is right for %s', (_name, items, expected) => {
    expect(total(items)).toBe(expected);
  });
});
""",
    ),
}


def take(text: str, *parts: tuple[str, str]) -> str:
    for old, new in parts:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def lie(honest: str, *parts: tuple[str, str]) -> tuple[tuple[str, str], str]:
    base, after = HONEST[honest]
    return base, take(after, *parts)


LIES = {
    "parametrize without a row": lie("py parametrize", (', ("a b", "a-b")', ""), (', "blank"', "")),
    "parametrize with named rows without one": lie(
        "py parametrize pytest.param id", ('        pytest.param("a b", "a-b", id="blank"),\n', "")
    ),
    "a named table without a row": lie("py named table", (', ("a b", "a-b")', "")),
    "it.each without a row": lie("js it.each objects", ("  { text: 'a b', wanted: 'a-b' },\n", "")),
    "it.each with a template without a row": lie("js it.each template", ("  ${'a b'} | ${'a-b'}\n", "")),
    "describe.each without a row": lie("js describe.each", (", ['circle', 12]", "")),
    "a loop without a row": lie("js forEach", ("'a b': 'a-b', ", "")),
    "@CsvSource without a row": lie("java csvsource", (', "a b, a-b"', "")),
    "@CsvSource with a text without a row": lie("java csv textblock", ("        a b | a-b\n", "")),
    "@MethodSource without a row": lie("java methodsource", (', Arguments.of("a b", "a-b")', "")),
    "a table of Go without a row": lie("go table", ('\t\t"joins":   {"a b", "a-b"},\n', "")),
    "a table of Go in the loop without a row": lie(
        "go table in the loop, with another message", ('\t\t{"a b", "a-b"},\n', "")
    ),
    "a row of Go that expects another value": lie(
        "go table in the loop, with another message", ('{"a b", "a-b"}', '{"a b", "a_b"}')
    ),
    "a table of Go in a variable without a row": lie(
        "go table var", ('\t{name: "joins", text: "a b", want: "a-b"},\n', "")
    ),
    "rows of Rust without one": lie("rust rows", (', ("a b", "a-b")', "")),
    "cases of rstest without one": lie("rust rstest", ('#[case::joins("a b", "a-b")]\n', "")),
}


def find(folder: Path, before: tuple[str, str], after: str) -> list[dict[str, Any]]:
    path, text = before
    repo = make_repo(folder, {path: text})
    repo.write({path: after})
    repo.git("add", "--all")
    diff = repo.run("code:diff", gated=True)
    found: list[dict[str, Any]] = repo.run("code:integrity", gated=True, given=diff).json("integrity.json")["findings"]
    return [{key: item[key] for key in ("kind", "weight", "test", "message")} for item in found]


@pytest.mark.parametrize("name", some_always(HONEST, str))
def test_a_row_stands_for_each_test(tmp_path: Path, name: str) -> None:
    found = find(tmp_path, *HONEST[name])
    assert [item for item in found if item["weight"] != "note" or item["kind"] == "test_removed"] == []


@pytest.mark.parametrize("name", some_always(LIES, str))
def test_a_test_without_a_row_is_gone(tmp_path: Path, name: str) -> None:
    found = find(tmp_path, *LIES[name])
    assert [item for item in found if item["weight"] != "note"], found
