"""Parts of code:integrity: assertions, commands, documents, suppressions."""

from __future__ import annotations

import pytest

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.vacuity import is_vacuous
from code_adapter.integrity.pairing.assertions import BodyReader
from code_adapter.integrity.pairing.cases import find_helpers, list_tests
from code_adapter.integrity.tools.commands import find_new_weakness, is_nothing, judges
from code_adapter.integrity.tools.documents import Unreadable, load_javascript, load_json, load_yaml
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse


@pytest.mark.parametrize(
    "text",
    [
        "assert True",
        "assert 1",
        'assert "message"',
        "assert x or True",
        "assert x == x",
        "self.assertTrue(True)",
        "self.assertEqual(1, 1)",
        "assert(true)",
        "assert(x === x, 'message')",
        "expect(true).toBe(true)",
        "expect(1).toEqual(1)",
        "expect(f(x) || true).toBe(true)",
        "expect(result)",
        "assert.ok(true)",
        "assert.True(t, true)",
        "assert!(true)",
        "assert_eq!(1, 1)",
        "assertTrue(true);",
        "assertEquals(1, 1);",
    ],
)
def test_what_cannot_fail(text: str) -> None:
    assert is_vacuous(text)


@pytest.mark.parametrize(
    "text",
    [
        "assert f(x)",
        "assert x == y",
        "assert f() == f()",
        "assert (x == 1)",
        "assert x, 'message'",
        "self.assertTrue(x)",
        "self.assertNotEqual(a, a)",
        "expect(f(x)).toBe(true)",
        "expect(x).toBeDefined()",
        "expect(true).toBe(false)",
        "assert.ok(value)",
        "assert(x === y, 'message')",
        "assert(f(a, b), )",
        "assert!(value)",
        "assert_eq!(sum(1), 1)",
        "assertEquals(1, sum(1));",
    ],
)
def test_what_can_fail(text: str) -> None:
    assert not is_vacuous(text)


@pytest.mark.parametrize(
    ("source", "path", "real", "vacuous", "swallowed"),
    [
        ("def test_a():\n    assert f() == 1\n    assert True\n", "test_a.py", 1, 1, 0),
        ("def test_a():\n    return\n    assert f() == 1\n", "test_a.py", 0, 0, 0),
        ("def test_a():\n    if False:\n        assert f() == 1\n", "test_a.py", 0, 0, 0),
        ("def test_a():\n    try:\n        assert f() == 1\n    except:\n        pass\n", "test_a.py", 0, 0, 1),
        (
            "def test_a():\n    try:\n        assert f() == 1\n    except ValueError:\n        pass\n",
            "test_a.py",
            1,
            0,
            0,
        ),
        (
            "def test_a():\n    try:\n        assert f() == 1\n    except Exception:\n        raise\n",
            "test_a.py",
            1,
            0,
            0,
        ),
        ("def test_a():\n    with pytest.raises(ValueError):\n        f()\n", "test_a.py", 1, 0, 0),
        ("def check(x):\n    assert x\n    assert x > 1\n\ndef test_a():\n    check(f())\n", "test_a.py", 2, 0, 0),
        ("def check(x):\n    pass\n\ndef test_a():\n    check(f())\n", "test_a.py", 0, 0, 0),
        ('it("a", () => { expect(f()).toBe(1); try { expect(g()).toBe(2) } catch {} });', "a.test.js", 1, 0, 1),
        ('test("a", (t) => { t.is(f(), 1); assert.equal(g(), 2); });', "a.test.js", 2, 0, 0),
        ("func TestA(t *testing.T) { require.Equal(t, 1, f()); t.Fatal() }", "a_test.go", 2, 0, 0),
        ("#[test]\nfn a() { assert_eq!(f(), 1); assert!(true); }", "a.rs", 1, 1, 0),
        (
            "class A { @Test void a() { assertEquals(1, f()); try { fail(); } catch (Throwable e) {} } }",
            "A.java",
            1,
            0,
            1,
        ),
    ],
)
def test_assertions_of_a_test(source: str, path: str, real: int, vacuous: int, swallowed: int) -> None:
    found = list_tests(parse(source.encode(), grammar_of(path) or ""), path, {}).cases
    assert len(found) == 1
    made = found[0].assertions
    assert (len(made.real), len(made.vacuous), len(made.swallowed)) == (real, vacuous, swallowed)


@pytest.mark.parametrize(
    ("source", "path", "real"),
    [
        ("def check(x):\n    assert x\n\ndef test_a():\n    check(f())\n    ask(g())\n", "test_a.py", (1, 2)),
        ("def test_a():\n    with dropped():\n        assert f()\n", "test_a.py", (1, 0)),
        ('it("a", () => { ask(f()); expect(g()).toBe(2); });', "a.test.js", (1, 2)),
        ("describe 'a' do\n  it 'b' do\n    right?(1)\n    expect(f).to eq 1\n  end\nend\n", "a_spec.rb", (1, 2)),
    ],
)
def test_a_body_is_read_again_where_a_helper_that_it_names_counts_otherwise(
    source: str, path: str, real: tuple[int, int]
) -> None:
    tree, language = parse(source.encode(), grammar_of(path) or ""), LANGUAGES[language_of(path) or ""]
    reader = BodyReader(language)
    find_helpers(tree, reader)
    helpers = {"ask": 1, "right?": 1, "with dropped": 1}
    for elsewhere, count in (({}, real[0]), (helpers, real[1]), ({}, real[0])):
        found = list_tests(tree, path, elsewhere, reader)
        assert found == list_tests(tree, path, elsewhere)
        made = found.cases[0].assertions
        assert len(made.real) + len(made.delegated) == count


@pytest.mark.parametrize(
    ("command", "tools"),
    [
        ("pytest -q", {"pytest"}),
        ("python -m pytest && ruff check .", {"python -m pytest", "ruff"}),
        ("npm run lint -- --fix", {"npm run lint"}),
        ("cargo test --all", {"cargo test"}),
        ("npx eslint .", {"eslint"}),
        ("echo done", set()),
        ("cat pytest.ini jest.config.js", set()),
        ("pip install pytest pytest-cov && mypy .", {"mypy"}),
        ("npm install --save-dev jest", set()),
        ("npm ci", set()),
    ],
)
def test_judges_of_a_command(command: str, tools: set[str]) -> None:
    assert set(judges(command)) == tools


@pytest.mark.parametrize("command", ["true", "exit 0", ":", "echo ok", "echo ok && exit 0", "true; exit 0"])
def test_commands_that_do_nothing(command: str) -> None:
    assert is_nothing(command)


@pytest.mark.parametrize("command", ["pytest", "exit 1", 'echo "no test" && exit 1', "node --test", ""])
def test_commands_that_do_something(command: str) -> None:
    assert not is_nothing(command)


@pytest.mark.parametrize(
    ("before", "after", "weaker"),
    [
        ("pytest", "pytest || true", ["|| true"]),
        ("pytest || true", "pytest -q || true", []),
        ("pytest", "pytest -x", []),
        ("pytest", "pytest --ignore=tests/a", ["--ignore=tests/a"]),
        ("pytest --cov-fail-under=90", "pytest --cov-fail-under=50", ["--cov-fail-under 90 became 50"]),
        ("pytest --cov-fail-under=50", "pytest --cov-fail-under=90", []),
        ("eslint . --max-warnings 0", "eslint . --max-warnings 99", ["--max-warnings 0 became 99"]),
        ("eslint . --max-warnings 0", "eslint .", ["--max-warnings 0 is gone"]),
        ("ruff check .", "ruff check . --exit-zero", ["--exit-zero"]),
        ("jest", "jest --passWithNoTests", ["--passWithNoTests"]),
    ],
)
def test_weaker_commands(before: str, after: str, weaker: list[str]) -> None:
    assert list(find_new_weakness(before, after)) == weaker


def test_javascript_configuration_is_read_without_running_it() -> None:
    source = """import x from "x";
    export default defineConfig([{ rules: { a: "error", "b/c": ["warn", 1] } },
      { ignores: ["dist"], n: 80, ok: true }]);
    function f() { return { never: 1 } }"""
    value = load_javascript(source)
    assert value == {"rules": {"a": "error", "b/c": ["warn", 1]}, "ignores": ["dist"], "n": 80, "ok": True}


def test_json_with_comments() -> None:
    assert load_json('{ "a": "// no", /* c */ "b": [1, 2,], } // end') == {"a": "// no", "b": [1, 2]}


@pytest.mark.parametrize("source", ["[" * 100_000, "{", "// only", '{"a": }'])
def test_json_that_is_none(source: str) -> None:
    with pytest.raises(Unreadable):
        load_json(source)


@pytest.mark.parametrize("source", ["a: [", "!!python/object/apply:os.system ['x']", "a: &a [*a, *b]", "x" * (2 << 20)])
def test_yaml_that_is_refused(source: str) -> None:
    with pytest.raises(Unreadable):
        load_yaml(source)


def test_a_yaml_document_that_contains_itself_is_refused() -> None:
    with pytest.raises(Unreadable):
        load_yaml("a: &a\n  b: *a\n  c: *a\n")
