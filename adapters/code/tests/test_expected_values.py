"""Values that assertions compare with, in six languages, and what they are altered to."""

from __future__ import annotations

import pytest

from code_adapter.sensitivity.expected_values import list_expected


def altered(path: str, text: str) -> list[tuple[str, str]]:
    source = text.encode()
    return [
        (item.test, f"{item.value.was.decode()} {item.value.text.decode()}") for item in list_expected(path, source)
    ]


PYTHON = "def test_a():\n    {}\n"
GO = "package a\nfunc TestA(t *testing.T) {{\n\t{}\n}}\n"
RUST = "#[test]\nfn a() {{ {} }}\n"
JAVA = "class ATest {{ @Test void a() {{ {} }} }}"
SCRIPT = "test('a', async () => {{ {} }});"
FORMS = {"test_a.py": PYTHON, "a_test.go": GO, "tests/a.rs": RUST, "ATest.java": JAVA, "a.test.js": SCRIPT}
FORMS |= {"a.test.ts": SCRIPT}


@pytest.mark.parametrize(
    ("path", "statement", "wanted"),
    [
        ("test_a.py", "assert f(1) == 2", ["2 3"]),
        ("test_a.py", "assert g() is True", ["True False"]),
        ("test_a.py", "assert f() == approx(2.5)", ["2.5 5.5"]),
        ("test_a.py", "assert h() == {'a': [1]}", ["a aX", "1 2"]),
        ("test_a.py", "self.assertEqual(f(), 'x')", ["x xX"]),
        ("test_a.py", "self.assertAlmostEqual(f(), 10)", ["10 21"]),
        ("test_a.py", "assert a == 1 and b == 2", ["1 2", "2 3"]),
        ("test_a.py", "assert a == 1 or b == 2", []),
        ("test_a.py", "assert not a == 1", []),
        ("test_a.py", "assert a != 1", []),
        ("test_a.py", "assert 1 == 1", []),
        ("test_a.py", "assert a == f'{b}'", []),
        ("test_a.py", "if posix: assert a == 1", []),
        ("a.test.js", "expect(f(1)).toBe(2);", ["2 3"]),
        ("a.test.js", "expect(f()).not.toBe(3);", []),
        ("a.test.ts", "assert.deepStrictEqual(f(), { b: 'c' });", ["c cX"]),
        ("a.test.js", "t.is(g(), 1);", ["1 2"]),
        ("a.test.js", "expect(f()).to.be.closeTo(10, 1);", ["10 21"]),
        ("a.test.js", "expect(g()).to.equal(`x`);", ["x xX"]),
        ("a.test.js", "f((error) => { expect(error).toBe(null); expect(g()).toBe(1); });", ["1 2"]),
        ("a_test.go", "if f(1) != 2 {\n\t\tt.Fatal()\n\t}", ["2 3"]),
        ("a_test.go", "if f(1) != 2 {\n\t\treturn\n\t}", []),
        ("a_test.go", 'assert.Equal(t, "x", g())', ["x xX"]),
        ("a_test.go", "require.Equal(t, []int{1, 2}, g())", ["1 2", "2 3"]),
        ("a_test.go", "assert.InDelta(t, 10, g(), 1)", ["10 21"]),
        ("tests/a.rs", "assert_eq!(f(1), 2u8);", ["2u8 3u8"]),
        ("tests/a.rs", "assert!(g() == -3);", ["3 4"]),
        ("tests/a.rs", 'assert_eq!("x", h(), "why");', ["x xX"]),
        ("ATest.java", "assertEquals(2, f(1));", ["2 3"]),
        ("ATest.java", 'assertThat(g()).isEqualTo("x");', ["x xX"]),
    ],
)
def test_literals_of_equalities_are_altered(path: str, statement: str, wanted: list[str]) -> None:
    assert [change for _, change in altered(path, FORMS[path].format(statement))] == wanted


def test_they_are_named_by_their_test() -> None:
    text = "describe('a', () => { it('b', () => { expect(c()).toBe(1); }); });"
    assert altered("a.test.js", text) == [("a b", "1 2")]
    assert altered("a.test.js", "describe(") == []
    assert altered("a.md", "expect(c()).toBe(1)") == []
