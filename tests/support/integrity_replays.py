"""Changes of the kinds that stopped honest commits of public histories, and lies that are near to them.

``kinds`` are all kinds that refute the change. ``expectation_changed`` is left to the profile's ``expectations``.
"""

from __future__ import annotations

from integrity_cases import CALC, GO, JAVA, JAVASCRIPT, PYTHON, TEST_STORE, Change, Content

_T, _JT, _STORE = "tests/test_calc.py", "test/store.test.js", "src/store.js"
_CHANGED = CALC.replace("return", "return ", 1)
_EXPECTS, _WEAKER, _GONE, _EMPTY = (
    ("expectation_changed",),
    ("assertion_weakened",),
    ("test_removed",),
    ("assertion_vacuous",),
)


def _py(name: str, before: str, after: str, *kinds: str, code: str = _CHANGED) -> Change:
    top = "from calc import add, divide, legacy\n\n\n"
    return Change(name, {**PYTHON, _T: top + before}, {_T: top + after, "calc.py": code}, kinds)


def _test(name: str, *lines: str) -> str:
    return f"def test_{name}():\n" + "".join(f"    {line}\n" for line in lines) + "\n\n"


_NONE = (
    _py(
        "a value that is None now",
        _test("add", "assert add(1, 2) == 3"),
        _test("add", "assert add(1, 2) is None"),
        *_EXPECTS,
    ),
    _py(
        "a value that is None or another one",
        _test("add", "assert add(1, 2) == 3"),
        _test("add", "assert (add(1, 2) or None) is None"),
        *_WEAKER,
    ),
    _py(
        "a value that is any",
        _test("add", "assert add(1, 2) == 3"),
        _test("add", "assert add(1, 2) is not None"),
        *_WEAKER,
    ),
    _py(
        "a value that is None, of something else",
        _test("add", "assert add(1, 2) == 3"),
        _test("add", "assert {}.get(1) is None"),
        *_WEAKER,
    ),
    _py(
        "a value that is None, in a commit of tests alone",
        _test("add", "assert add(1, 2) == 3"),
        _test("add", "assert add(1, 2) is None"),
        *_WEAKER,
        code=CALC,
    ),
)

_SETS = (
    'import {{ it }} from "node:test";\nimport assert from "node:assert";\n'
    'import {{ total }} from "../src/store.js";\n\n'
    'it("adds nothing", () => {{\n  assert.strictEqual({}, {});\n}});\n'
)


def _sets(name: str, after: tuple[str, str], *kinds: str, store: str = "undefined") -> Change:
    source = JAVASCRIPT[_STORE]
    assert isinstance(source, str)
    before = {**JAVASCRIPT, _JT: _SETS.format("total([])", "'undefined'")}
    return Change(name, before, {_JT: _SETS.format(*after), _STORE: source.replace(", 0)", f", {store})")}, kinds)


_UNDEFINED = (
    _sets("a value that is undefined now", ("total([])", "undefined"), *_EXPECTS),
    _sets("a value that is undefined, of something else", ("{}.total", "undefined"), *_WEAKER),
    _sets("a value that is undefined, in a commit of tests alone", ("total([])", "undefined"), *_WEAKER, store="0"),
)

_SAID = "ADDED = {!r}\n\n\n" + _test("said", "out = str(add(1, 2)) + ADDED", "assert out.count(ADDED) == 1")
_COUNTS = (
    _py("another text that is counted", _SAID.format("three"), _SAID.format("four"), *_EXPECTS),
    _py(
        "another text that is counted, none of which is expected",
        _SAID.format("three").replace("== 1", "== 0"),
        _SAID.format("four").replace("== 1", "== 0"),
        *_WEAKER,
    ),
)

_SMOKE = _test("smoke", "add(1, 2)", "divide(4, 2)")
_MORE = _test("more", '"""Divide as well."""', "add(1, 2)", "half = divide(4, 2)", "assert half == 2")
_REPEATED = (
    _py("a test without assertions that another one begins with", _SMOKE + _MORE, _MORE),
    _py("a test without assertions of other calls", _test("smoke", "add(1, 2)", "divide(4, 3)") + _MORE, _MORE, *_GONE),
    _py(
        "a test without assertions whose calls may not be made",
        _SMOKE + _MORE.replace("    add(1, 2)", "    if legacy(1):\n        return\n    add(1, 2)"),
        _MORE.replace("    add(1, 2)", "    if legacy(1):\n        return\n    add(1, 2)"),
        *_GONE,
    ),
    _py(
        "a test without assertions that one which is skipped begins with",
        _SMOKE + "import pytest\n\n\n@pytest.mark.skip\n" + _MORE,
        "import pytest\n\n\n@pytest.mark.skip\n" + _MORE,
        *_GONE,
    ),
    _py(
        "a test that is rewritten under another title as one that is skipped",
        _test("sum", "assert add(1, 2) == 3"),
        'import pytest\n\n\n@pytest.mark.skip("later")\n' + _test("adds_both", "both = add(2, 5)", "assert both == 7"),
        *_GONE,
    ),
    _py(
        "one of two assertions that say the same",
        _test("sum", "found = add(1, 2)", "assert found == 3", "assert found == 3"),
        _test("sum", "found = add(1, 2)", "assert found == 3"),
    ),
    _py(
        "one of two assertions that call the same",
        _test("sum", "assert add(1, 2) == 3", "assert add(1, 2) == 3"),
        _test("sum", "assert add(1, 2) == 3"),
        "assertion_removed",
    ),
    _py(
        "one of two assertions that say the same, between which something is done",
        _test("sum", "found = [add(1, 2)]", "assert found == [3]", "found.sort()", "assert found == [3]"),
        _test("sum", "found = [add(1, 2)]", "assert found == [3]", "found.sort()"),
        "assertion_removed",
    ),
    _py(
        "one of two tests that say the same",
        _test("sum", "assert add(1, 2) == 3") + _test("sum_again", "assert add(1, 2) == 3"),
        _test("sum", "assert add(1, 2) == 3"),
    ),
    _py(
        "one of two tests that said the same, and the other one says less",
        _test("sum", "assert add(1, 2) == 3") + _test("sum_again", "assert add(1, 2) == 3"),
        _test("sum", "assert add(1, 2)"),
        "assertion_weakened",
        "test_removed",
    ),
)


def _moved(name: str, test: str, *kinds: str) -> Change:
    before = _test("legacy", "tripled = legacy(2)", "assert tripled == 6") + _test("add", "assert add(1, 2) == 3")
    kept = "from calc import add\n\n\n" + _test("add", "assert add(1, 2) == 3")
    after: dict[str, Content] = {_T: kept, "tests/test_legacy.py": test}
    return Change(name, {**PYTHON, _T: "from calc import add, legacy\n\n\n" + before}, after, kinds)


_OTHER = (
    "from calc import add, legacy\n\n\nclass TestOld:\n"
    "    def test_triples_{}(self):\n        found = {}\n        assert {}\n"
)
_ELSEWHERE = (
    _moved(
        "a test that is rewritten in another file",
        _OTHER.format("each", "[legacy(2), legacy(3)]", "found == [6, 9]\n        assert found[0] == 6"),
    ),
    _moved(
        "a test that is rewritten as one that is skipped",
        _OTHER.format("each", "legacy(2)", "found == 6").replace(
            "class TestOld", 'import pytest\n\n\n@pytest.mark.skip("old")\nclass TestOld'
        ),
        *_GONE,
    ),
    _moved(
        "a test whose place one of another value takes",
        _OTHER.format("each", "[legacy(2), legacy(3)]", "found != [7, 9]"),
        *_GONE,
    ),
    _moved(
        "a test whose place one of another function takes",
        _OTHER.format("each", "[add(2, 4), add(4, 5)]", "found == [6, 9]"),
        *_GONE,
    ),
)

_PACKAGE = '{ "name": "store", "devDependencies": { "mocha": "11", "unexpected": "13" } }\n'
_PHRASES = TEST_STORE.replace('import { describe, it, expect } from "vitest";\n', "").replace(
    "expect(isEmpty([])).toBe(true);", 'expect(isEmpty([]), "to be true");'
)
_PHRASES = _PHRASES.replace(".toBe(3)", "").replace(
    "expect(total([{ price: 1 }, { price: 2 }]))", 'expect(total([{ price: 3 }]), "to equal", 3)'
)
_PHRASES = _PHRASES.replace("expect(total([])).toBe(0)", 'expect(total([]), "to be", 0)')
_FULL = '  it("is full", () => {\n    expect(isEmpty([1]), "to be false");\n  });\n});\n'
_WITH_FULL = _PHRASES.removesuffix("});\n") + _FULL


def _phrased(name: str, package: str, before: str, after: str, *kinds: str) -> Change:
    return Change(name, {**JAVASCRIPT, "package.json": package, _JT: before}, {_JT: after}, kinds)


_WORDS = (
    _phrased("Unexpected: a new test", _PACKAGE, _PHRASES, _WITH_FULL),
    _phrased(
        "Unexpected: a new test that asks nothing",
        _PACKAGE,
        _PHRASES,
        _WITH_FULL.replace(', "to be false"', ""),
        *_EMPTY,
    ),
    _phrased(
        "Unexpected: a new test that asks a constant",
        _PACKAGE,
        _PHRASES,
        _WITH_FULL.replace("isEmpty([1])", "false"),
        *_EMPTY,
    ),
    _phrased(
        "Unexpected: a new test that compares a value with itself",
        _PACKAGE,
        _PHRASES,
        _WITH_FULL.replace('isEmpty([1]), "to be false"', 'total, "to be", total'),
        *_EMPTY,
    ),
    _phrased(
        "Vitest: a test in the words of Unexpected",
        _PACKAGE.replace('"unexpected"', '"vitest"'),
        _PHRASES,
        _WITH_FULL,
        *_EMPTY,
    ),
    _phrased(
        "a test in the words of Unexpected, by Chai",
        _PACKAGE,
        _PHRASES,
        'import { expect } from "chai";\n' + _WITH_FULL,
        *_EMPTY,
    ),
    _phrased(
        "Unexpected: an assertion that is gone",
        _PACKAGE,
        _PHRASES,
        _PHRASES.replace('    expect(total([]), "to be", 0);\n', ""),
        "assertion_removed",
    ),
)

_QUEUE = (
    "export function open() {\n  let size = 1;\n  return {\n    add: (item) => item,\n"
    "    setSize: (next) => {\n      size = next;\n    },\n  };\n}\n"
)
_QUEUE_TEST = (
    'import { it, expect } from "vitest";\nimport { open } from "../src/queue.js";\n\n'
    'it("adds", () => {\n  expect(open().add(2)).toBe(2);\n});\n'
    'it("can grow", () => {\n  const queue = open();\n  queue.setSize(2);\n  expect(queue.add(1)).toBe(1);\n});\n'
)
_SET_SIZE = "    setSize: (next) => {\n      size = next;\n    },\n"
_ADDS = _QUEUE_TEST.partition('it("can grow"')[0]


def _queue(name: str, after: str, *kinds: str, **others: Content) -> Change:
    before = {**JAVASCRIPT, "src/queue.js": _QUEUE, "test/queue.test.js": _QUEUE_TEST}
    return Change(name, before, {"src/queue.js": after, "test/queue.test.js": _ADDS, **others}, kinds)


_METHODS = (
    _queue("a method of an object that is gone with its test", _QUEUE.replace(_SET_SIZE, "")),
    _queue("a method that gets another name, and whose test is gone", _QUEUE.replace("setSize", "resize"), *_GONE),
    _queue(
        "a method that goes to another file, and whose test is gone",
        _QUEUE.replace(_SET_SIZE, ""),
        *_GONE,
        **{"src/size.js": "export const sizes = {\n  setSize: (next) => next + 1,\n};\n"},
    ),
)

_TREE = (
    "class Tree {{\n  java.util.List<String> {0} = new java.util.ArrayList<>();\n"
    "  void open(String name) {{ {0}.add(name); }}\n  int depth() {{ return 1; }}\n}}\n"
)
_TREE_NOW = (
    "class Tree {\n  Scopes open = new Scopes();\n  void open(String name) { open.push(name); }\n"
    "  int depth() { return 1; }\n}\n"
)
_SCOPES = (
    "class Scopes {\n  private int count;\n  void push(String name) { count++; }\n  int size() { return count; }\n}\n"
)
_DEPTH = "  @Test void depth() { assertEquals(1, new Tree().depth()); }\n"
_TREE_TEST = (
    'class TreeTest {\n  @Test void grows() {\n    Tree tree = new Tree();\n    tree.open("a");\n'
    f"    assertEquals(1, tree.scopeNames.size());\n  }}\n{_DEPTH}}}\n"
)
_SCOPES_TEST = (
    "class ScopesTest {\n  @Test void counts() {\n    Scopes all = new Scopes();\n"
    '    all.push("p");\n    all.push("q");\n    assertEquals(2, all.size());\n  }\n}\n'
)


def _tree(name: str, tree: str, scopes: str, test: str, *kinds: str) -> Change:
    main, tests = "src/main/java", "src/test/java"
    before = {f"{main}/Tree.java": _TREE.format("scopeNames"), f"{tests}/TreeTest.java": _TREE_TEST}
    after = {f"{main}/Tree.java": tree, f"{tests}/TreeTest.java": f"class TreeTest {{\n{_DEPTH}}}\n"}
    return Change(name, dict(before), {**after, f"{main}/Scopes.java": scopes, f"{tests}/ScopesTest.java": test}, kinds)


_FIELDS = (
    _tree("a test that moves with a field to a class of its own", _TREE_NOW, _SCOPES, _SCOPES_TEST),
    _tree(
        "a field that gets another name, and whose test is gone", _TREE.format("names"), _SCOPES, _SCOPES_TEST, *_GONE
    ),
    _tree(
        "a field that goes to a class whose test asks nothing",
        _TREE_NOW,
        _SCOPES,
        _SCOPES_TEST.replace("assertEquals(2, all.size());", "all.size();"),
        *_GONE,
    ),
    _tree("a field that stays, and whose test is gone", _TREE.format("scopeNames"), _SCOPES, _SCOPES_TEST, *_GONE),
)

_HELPER = "\nfunc skip(t *testing.T, why string) {\n\tt.Helper()\n\tt.Skip(why)\n}\n"
_SKIPPED = (
    '\nfunc TestSumSlow(t *testing.T) {\n\tskip(t, "slow")\n\tif Sum(2, 2) != 4 {\n\t\tt.Fatal("wrong")\n\t}\n}\n'
)
_FOR_TINY = '\tswitch runtime.Compiler {\n\tcase "tinygo":\n\t\tskip(t, "no cgo")\n\t}\n'
_HEAD = "func TestSumZero(t *testing.T) {\n"


def _go(name: str, *pairs: tuple[str, str], more: str = _HELPER, kinds: tuple[str, ...] = ()) -> Change:
    source = GO["sum_test.go"]
    assert isinstance(source, str)
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new)
    return Change(name, GO, {"sum_test.go": source + more}, kinds)


_SKIPS = ("test_skipped",)
_IN_ZERO = (_HEAD, f'{_HEAD}\tskip(t, "slow")\n')
_HELPERS = (
    _go("Go: a helper that skips, which a new test calls", more=_HELPER + _SKIPPED),
    _go("Go: a helper that skips, which a test calls for a compiler", (_HEAD, _HEAD + _FOR_TINY)),
    _go("Go: a helper that skips, which a test calls", _IN_ZERO, kinds=_SKIPS),
    _go(
        "Go: a helper that skips, which a test calls for every other compiler",
        (_HEAD, _HEAD + _FOR_TINY.replace('case "tinygo"', "default")),
        kinds=_SKIPS,
    ),
    _go(
        "Go: a helper that skips, which a helper calls that a test calls",
        (_HEAD, f"{_HEAD}\tprepare(t)\n"),
        more=_HELPER + '\nfunc prepare(t *testing.T) {\n\tskip(t, "")\n}\n',
        kinds=_SKIPS,
    ),
    _go(
        "Go: a helper that skips, which a test calls by another name",
        (_HEAD, f'{_HEAD}\tlater := skip\n\tlater(t, "")\n'),
        kinds=_SKIPS,
    ),
    _go(
        "Go: a helper that skips, in a variable that a test calls",
        (_HEAD, f'{_HEAD}\tlater(t, "")\n'),
        more=_HELPER + "\nvar later = skip\n",
        kinds=_SKIPS,
    ),
)

_CI = ".github/workflows/ci.yml"
_STEPS = "on: [push]\njobs:\n  lint:\n    steps:\n      - run: npm run lint:fix\n      - run: npm test\n"


def _steps(name: str, step: str, *kinds: str) -> Change:
    return Change(name, {**JAVASCRIPT, _CI: _STEPS}, {_CI: _STEPS.replace("npm run lint:fix", step)}, kinds)


_SCRIPTS = (
    _steps("CI: a script that another package manager runs", "pnpm lint:fix"),
    _steps("CI: a runner in the place of a script", "bun lint:fix", "check_command_weakened"),
    _steps("CI: another script that another package manager runs", "pnpm lint:list", "check_command_weakened"),
)

_ITSELF = "  @Test void {}() {{\n    Sum sum = new Sum();\n    assertEquals(sum, sum);\n  }}\n}}\n"


def _itself(name: str, title: str, *kinds: str) -> Change:
    test = JAVA["src/test/java/SumTest.java"]
    assert isinstance(test, str)
    return Change(name, JAVA, {"src/test/java/SumTest.java": test.removesuffix("}\n") + _ITSELF.format(title)}, kinds)


_EQUALS = (
    _itself("Java: an object that is asked whether it equals itself", "testEquals_SameObject"),
    _itself("Java: a value that is compared with itself", "adds_large_numbers", *_EMPTY),
)

_RC: Content = '{ "extends": ["eslint:recommended", "shop", "plugin:vue/strict"], "rules": { "no-eval": 2 } }\n'
_FLAT = (
    'import js from "@eslint/js";\nimport shop from "eslint-config-shop";\nimport vue from "eslint-plugin-vue";\n\n'
    'export default [\n  js.configs.recommended,\n  ...vue.configs["flat/strict"],\n  ...shop(),\n'
    '  { rules: { "no-eval": "error" } },\n];\n'
)


def _flat(name: str, after: str, *kinds: str) -> Change:
    before = {path: content for path, content in JAVASCRIPT.items() if not path.startswith("eslint")}
    return Change(name, {**before, ".eslintrc": _RC}, {".eslintrc": None, "eslint.config.js": after}, kinds)


_LINT = ("lint_config_weakened",)
_ESLINT = (
    _flat("ESLint: brought to the flat form", _FLAT),
    _flat(
        "ESLint: brought to the flat form by its own function",
        _FLAT.replace("default [", "default defineConfig([").replace("\n];", "\n]);"),
    ),
    _flat("ESLint: brought to the flat form without a set", _FLAT.replace("  ...shop(),\n", ""), *_LINT),
    _flat(
        "ESLint: brought to the flat form, one set being worked on",
        _FLAT.replace("...shop()", "...shop().filter((each) => each.files)"),
        *_LINT,
    ),
    _flat(
        "ESLint: brought to the flat form, one set being another thing",
        _FLAT.replace("export", "shop = () => [];\n\nexport"),
        *_LINT,
    ),
    _flat("ESLint: brought to the flat form with a smaller set", _FLAT.replace("flat/strict", "flat/base"), *_LINT),
    _flat(
        "ESLint: brought to the flat form, and a rule is off",
        _FLAT.replace('"no-eval": "error"', '"no-eval": "off"'),
        *_LINT,
    ),
)

_RC_RULES = '{"rules": {"object-curly-newline": 1, "no-shadow": 1, "semi": 2}}'


def _leveled(name: str, before: str, after: str, *kinds: str) -> Change:
    project = {path: content for path, content in JAVASCRIPT.items() if not path.startswith("eslint")}
    return Change(name, {**project, ".eslintrc": _RC_RULES}, {".eslintrc": _RC_RULES.replace(before, after)}, kinds)


_LEVELS = (
    _leveled("ESLint: a rule about layout is off", '-newline": 1', '-newline": 0'),
    _leveled("ESLint: a rule about layout warns", '"semi": 2', '"semi": 1'),
    _leveled("ESLint: a rule about defects is off", 'shadow": 1', 'shadow": 0', *_LINT),
)

_STYLE = "// eslint-disable-next-line {}\nlet open = true;\n\n"


def _silenced(name: str, rule: str, *kinds: str) -> Change:
    source = JAVASCRIPT[_STORE]
    assert isinstance(source, str)
    return Change(name, JAVASCRIPT, {_STORE: _STYLE.format(rule) + source}, kinds)


def _typed(name: str, path: str, *kinds: str) -> Change:
    added = 'import { total } from "../src/store.js";\n\n// @ts-expect-error\ntotal("none");\n'
    return Change(name, JAVASCRIPT, {path: added}, kinds)


_RULES = (
    _typed("a type error that a new file of type tests expects", "test-d/store.ts"),
    _typed("a type error that new code expects", "src/other.ts", "suppression_added"),
    _silenced("a rule about style that is silenced", "prefer-const"),
    _silenced("a rule of a plugin about style that is silenced", "unicorn/prefer-at"),
    _silenced("a rule about layout that is silenced", "@stylistic/max-len"),
    _silenced("a rule of a plugin about defects that is silenced", "unicorn/no-thenable", "suppression_added"),
    _silenced("a rule about defects that is silenced", "no-unsafe-finally", "suppression_added"),
    _silenced("rules about style and about defects that are silenced", "prefer-const, no-eval", "suppression_added"),
)

_HEARS = """\
import { on, total } from "../src/store.js";

test("an error is told", async () => {
  const told = new Promise((resolve, reject) => {
    on("error", (error) => {
      try {
        expect(error.message).toBe("no price");
        resolve();
      } catch (failure) {
        %s
      }
    });
  });
  total([null]);
  await told;
});
"""


_TRIED = """\
import { total } from "../src/store.js";
%s
test("a sum", (%s) => { %stry { expect(total([])).toBe(9); } catch (failure) { %s } %s});
"""
_NEW = "new Promise((resolve, reject) => { "


def _tried(name: str, *parts: str, kinds: tuple[str, ...] = ("assertion_swallowed",)) -> Change:
    source = JAVASCRIPT[_STORE]
    assert isinstance(source, str)
    return Change(name, JAVASCRIPT, {_STORE: f"{source}\n", "test/sums.test.js": _TRIED % parts}, kinds)


def _caught(name: str, does: str, *kinds: str) -> Change:
    source = JAVASCRIPT[_STORE]
    assert isinstance(source, str)
    on = "const heard = [];\nexport const on = (_, hears) => heard.push(hears);\n"
    return Change(name, JAVASCRIPT, {_STORE: source + on, "test/errors.test.js": _HEARS % does}, kinds)


_CAUGHT = (
    _caught("what a new test catches, it rejects with", "reject(failure);"),
    _tried("what a new test catches, it gives to its callback", "", "done", "", "done(failure);", "", kinds=()),
    _tried("a callback that is no runner's", "const done = (_) => {};", "", "", "done(failure);", ""),
    _tried("a rejection that is no promise's", "const reject = (_) => {};", "", "", "reject(failure);", ""),
    _tried("a rejection that is caught", "", "", _NEW, "reject(failure);", "}).catch(() => {}); "),
    _tried(
        "a promise that nobody awaits", "", "", f"const told = {_NEW}", "reject(failure);", "}); told.catch(() => {}); "
    ),
    _tried("a callback that is put in place of the runner's", "", "done", "done = console.log; ", "done(failure);", ""),
    _caught("what a new test catches, it prints", "console.log(failure);", "assertion_swallowed"),
    _caught("what a new test catches, it resolves with", "resolve(failure);", "assertion_swallowed"),
    _caught(
        "a new test rejects with something after it has resolved", "resolve(); reject(failure);", "assertion_swallowed"
    ),
)

_RUFF = "[tool.ruff.lint]\nselect = [{}]\n"
_RELEASE = ".github/workflows/release.yml"
_PUBLISH = "on: push\njobs:\n  release:\n    runs-on: ubuntu-latest\n    steps:\n      - run: {}\n"


def _selected(name: str, before: str, after: str, *kinds: str) -> Change:
    warns = CALC.replace("return", 'import warnings; warnings.warn("old")  # noqa: B028\n    return', 1)
    files = {**PYTHON, "pyproject.toml": _RUFF.format(before)}
    return Change(name, files, {"pyproject.toml": _RUFF.format(after), "calc.py": warns}, kinds)


def _switched(name: str, before: str, after: str, *kinds: str) -> Change:
    source = JAVASCRIPT[_STORE]
    assert isinstance(source, str)
    rules = 'export default [{{ rules: {{ "no-eval": "{}" }} }}];\n'
    files = {**JAVASCRIPT, "eslint.config.js": rules.format(before)}
    silenced = f"// eslint-disable-next-line no-eval\nexport const run = (text) => eval(text);\n{source}"
    changed = {_STORE: silenced, "eslint.config.js": rules.format(after)}
    return Change(name, files, {path: text for path, text in changed.items() if files[path] != text}, kinds)


def _published(name: str, command: str, *kinds: str) -> Change:
    return Change(name, {**PYTHON, _RELEASE: _PUBLISH.format("pytest")}, {_RELEASE: _PUBLISH.format(command)}, kinds)


_SWITCHED_ON = (
    _selected("ruff: rules that the change selects, silenced", '"E", "F"', '"E", "F", "B"'),
    _selected("ruff: a rule that was selected, silenced", '"E", "F", "B"', '"E", "F", "B", "UP"', "suppression_added"),
    _selected("ruff: a rule that was selected with all, silenced", '"ALL"', '"ALL", "B"', "suppression_added"),
    _switched("ESLint: a rule that the change switches on, silenced", "off", "error"),
    _switched("ESLint: a rule that was on, silenced", "error", "error", "suppression_added"),
)

_PLANNED = """\
import {{ total }} from "../src/store.js";

test("each price is asked for", (t) => {{
  t.plan(1);
  const prices = {{
    get() {{
      {};
      return 1;
    }},
  }};
  {};
}});
"""


def _planned(name: str, inside: str, outside: str, *kinds: str) -> Change:
    return Change(name, JAVASCRIPT, {"test/prices.test.js": _PLANNED.format(inside, outside)}, kinds)


_CALLED = (
    _planned("a new test that plans an assertion in what is called", "t.ok(true)", "total(prices)"),
    _planned("a new test that plans an assertion of its own", "total(prices)", "t.ok(true)", *_EMPTY),
)

_PUBLISHED = (
    _published("CI: a branch that may be gone is deleted", "pytest && git push --delete origin old || true"),
    _published(
        "CI: a check after what may fail", "git push origin main || true; pytest || true", "check_command_weakened"
    ),
    _published("CI: a check within what may fail", "git push origin $(pytest) || true", "check_command_weakened"),
    _published("CI: a check of git that may fail", "pytest && git diff --exit-code || true", "check_command_weakened"),
)

REPLAYED = (
    *_SWITCHED_ON,
    *_CALLED,
    *_PUBLISHED,
    *_CAUGHT,
    *_NONE,
    *_UNDEFINED,
    *_COUNTS,
    *_REPEATED,
    *_ELSEWHERE,
    *_WORDS,
    *_METHODS,
    *_FIELDS,
    *_HELPERS,
    *_SCRIPTS,
    *_EQUALS,
    *_ESLINT,
    *_LEVELS,
    *_RULES,
)
