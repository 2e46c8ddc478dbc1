"""More changes of the kinds that stopped honest commits of public histories, and lies that are near to them."""

from __future__ import annotations

from integrity_cases import JAVASCRIPT, PYTHON, Change, Content

_CHECKED = "[tool.mypy]\nstrict = true\n{}\n"


def _checks(name: str, before: str, after: str, *kinds: str) -> Change:
    base = {**PYTHON, "pyproject.toml": _CHECKED.format(before), "shop/__init__.py": ""}
    return Change(name, base, {"pyproject.toml": _CHECKED.format(after)}, kinds)


_MYPY = (
    _checks("mypy: a package is checked by its path", 'packages = "calc"', 'files = ["calc.py", "tests"]'),
    _checks("mypy: a path is checked by its package", 'files = ["shop", "src/store"]', 'packages = ["shop", "store"]'),
    _checks(
        "mypy: one of two is checked", 'files = ["shop", "calc.py"]', 'packages = ["shop"]', "lint_config_weakened"
    ),
    _checks("mypy: others are checked", 'packages = "calc"', 'files = ["tests"]', "lint_config_weakened"),
)

_ROWS = "  const cases = [{}];\n  for (const row of cases) t.equal(total(row), row.length);\n"
_OLD = f"""test("rows", (t) => {{\n{_ROWS.format("[1], [2, 3], [4, 5, 6], [7]")}}});\n"""
_NEW = f"""\ntest("others", (t) => {{\n{_ROWS.format("[8]")}}});\n"""
_TOP = 'import {{ total }} from "../src/store.js";\n\n{}'


def _rows(name: str, after: str, *kinds: str) -> Change:
    base = {**JAVASCRIPT, "test/rows.test.js": _TOP.format(_OLD).replace("test(", "t.test(")}
    return Change(name, base, {"test/rows.test.js": _TOP.format(after).replace("test(", "t.test(")}, kinds)


_TABLES = (
    _rows("a table of the same name in another test of tap", _OLD + _NEW),
    _rows("a shorter table in a test of tap", _OLD.replace("[4, 5, 6], ", "") + _NEW, "assertion_removed"),
)

_CI = ".github/workflows/ci.yml"
_STEPS = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npx playwright test\n{}"


def _fetched(name: str, step: str, *kinds: str) -> Change:
    base = {**JAVASCRIPT, _CI: _STEPS.format("")}
    return Change(name, base, {_CI: _STEPS.format(f"      - run: {step}\n")}, kinds)


_FETCHED = (
    _fetched("CI: a browser that may be there is fetched", "yarn playwright install || true"),
    _fetched("CI: tests in browsers may fail", "yarn playwright test || true", "check_command_weakened"),
    _fetched(
        "CI: all after a browser is fetched may fail",
        "npx playwright install && npm test || true",
        "check_command_weakened",
    ),
)

_LINTS = '[lints.rust]\nunexpected_cfgs = { level = "allow" }\n'
_CRATE = '[package]\nname = "a"\nversion = "0.1.0"\nautotests = false\n\n'
_RUST: dict[str, Content] = {"Cargo.toml": _CRATE + _LINTS, "src/lib.rs": "pub fn one() -> u8 {\n    1\n}\n"}
_VIRTUAL = '[workspace]\nmembers = ["crates/*"]\n'


def _crate(name: str, root: str, crate: str, *kinds: str) -> Change:
    moved: dict[str, Content] = {"Cargo.toml": root, "crates/a/Cargo.toml": crate, "src/lib.rs": None}
    return Change(name, _RUST, moved | {"crates/a/src/lib.rs": _RUST["src/lib.rs"]}, kinds)


_CRATES = (
    _crate("Cargo: a manifest that moved", _VIRTUAL, _CRATE + _LINTS),
    _crate(
        "Cargo: a manifest that moved, and switches off more",
        _VIRTUAL,
        _CRATE + _LINTS + 'unused = "allow"\n',
        "lint_config_weakened",
    ),
    _crate(
        "Cargo: a crate beside it that switches off the same",
        _CRATE + _LINTS + "[workspace]\n",
        _CRATE.replace('"a"', '"b"') + _LINTS,
        "lint_config_weakened",
        "test_collection_narrowed",
    ),
)

_LARGE = "module.exports = [\n" + '  "0123456789012345678901234567890123456789",\n' * 25_000 + "];\n"
_BUNDLES = (
    Change("a large program that is no test", JAVASCRIPT, {".yarn/releases/yarn-4.cjs": _LARGE}, ()),
    Change("a large test", JAVASCRIPT, {"test/large.test.cjs": _LARGE}, ("unexamined",)),
)

_FUTURE = """\
class FutureTest {
    @Test
    void completes() {
        assertTrue(Future.run(() -> 1).isDone());
    }
%s
    @Test
    void fails() {
        assertTrue(Future.fail().isFailure());
    }
%s}
"""
_HANGS = """
    @Test
    void hangsWhenItIsInterrupted() {
        Future future = Future.run(interrupt());
        future.await(100, MILLISECONDS);
        assertTrue(future.isFailure());
        assertEquals("timeout after 100 ms", future.cause().text());
    }
"""
_ENDS = """
    @Test
    void becomesCancelledAtAnInterruption() {
        Task<Void> stopped = Future.run(interrupt());
        stopped.await(5, SECONDS);
        assertTrue(stopped.isCancelled());
        assertSame(CancellationException.class, stopped.cause().type());
    }
"""
_JAVA: dict[str, Content] = {
    "src/main/java/Future.java": "class Future {\n    boolean isFailure() { return false; }\n}\n",
    "src/test/java/FutureTest.java": _FUTURE % (_HANGS, ""),
}


def _rewritten(name: str, here: str, below: str, *kinds: str) -> Change:
    source = str(_JAVA["src/main/java/Future.java"]).replace("false", "true")
    test = _FUTURE % (here, below)
    return Change(name, _JAVA, {"src/main/java/Future.java": source, "src/test/java/FutureTest.java": test}, kinds)


_REWRITTEN = (
    _rewritten("a test rewritten where it stood, under another name", _ENDS, ""),
    _rewritten(
        "a test rewritten where it stood, that asks less",
        _ENDS.replace("        assertTrue(stopped.isCancelled());\n", ""),
        "",
        "test_removed",
    ),
    _rewritten("a test that is gone, and a new one elsewhere", "", _ENDS, "test_removed"),
    _rewritten(
        "a test of something else where one stood",
        _ENDS.replace("interrupt()", "1").replace("stopped.await(5, SECONDS);", ""),
        "",
        "test_removed",
    ),
)

_RANGE = """\
import unittest


class TestRange(unittest.TestCase):
    def test_equal(self):
        one = range(3)
        {}
"""


def _compares(name: str, before: str, after: str, *kinds: str) -> Change:
    base = {**PYTHON, "tests/test_range.py": _RANGE.format(before)}
    return Change(name, base, {"tests/test_range.py": _RANGE.format(after)}, kinds)


_EXPECTED = (
    _compares(
        "an assertion with a message becomes one that compares",
        "self.assertTrue(one, one)",
        "self.assertEqual(one, one)\n        self.assertEqual(one, range(0, 3))",
    ),
    _compares(
        "an assertion that compares expects something else",
        "self.assertEqual(one, range(3))",
        "self.assertEqual(one, range(0, 3, 2))",
        "assertion_weakened",
    ),
)

_PROXY = """\
import assert from "node:assert";
import {{ test }} from "node:test";
import {{ total }} from "../src/store.js";

test("a request", () => {{
  const request = total([]);
  {}
}});
"""


def _asks(name: str, before: str, after: str, *kinds: str) -> Change:
    base = {**JAVASCRIPT, "test/request.test.js": _PROXY.format(before)}
    code = str(JAVASCRIPT["src/store.js"]).replace("sum + item.price", "sum - item.price")
    return Change(name, base, {"test/request.test.js": _PROXY.format(after), "src/store.js": code}, kinds)


_SUBSTITUTED = (
    _asks(
        "an assertion of a value that another one compares",
        "assert.ok(request.ip);\n  assert.strictEqual(request.ip, '1.1.1.1');",
        "assert.strictEqual(request.ip, null);\n  assert.strictEqual(request.host, 'real.test');",
        "expectation_changed",
    ),
    _asks(
        "an assertion of a value that nothing compares",
        "assert.strictEqual(request.ip, '1.1.1.1');\n  assert.strictEqual(request.host, 'a.test');",
        "assert.strictEqual(request.port, 80);\n  assert.strictEqual(request.host, 'a.test');",
        "assertion_weakened",
        "expectation_changed",
    ),
)

MOVED = (*_SUBSTITUTED, *_EXPECTED, *_REWRITTEN, *_MYPY, *_TABLES, *_FETCHED, *_CRATES, *_BUNDLES)
