"""More honest and weakening changes, for ``integrity_cases``: tests that are fooled, held back or given less to ask.

They come in pairs where they can: what a lie does, and what is done for an honest reason and looks like it.
"""

from __future__ import annotations

from integrity_cases import (
    CALC,
    GO,
    JAVA,
    JAVASCRIPT,
    PYPROJECT,
    PYTHON,
    RUST,
    STORE,
    TEST_CALC,
    Change,
    Content,
    edit,
    read,
)

_T, _JT = "tests/test_calc.py", "test/store.test.js"
_DIVIDE = "    assert divide(4, 2) == 2.0\n"
_ADDS = "    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n"
_TOTALS = "    expect(total([{ price: 1 }, { price: 2 }])).toBe(3);\n    expect(total([])).toBe(0);\n"


def _source(name: str, top: str, body: str = "    return a + b\n", kind: str = "") -> Change:
    after: dict[str, Content] = {"calc.py": f"{top}{CALC.replace('    return a + b', body.rstrip())}"}
    return Change(name, PYTHON, after, (kind,) if kind else ())


def _test(name: str, *pairs: tuple[str, str], kind: str = "", top: str = "") -> Change:
    after = edit(PYTHON, _T, *pairs)
    return Change(name, PYTHON, {_T: f"{top}{read(after, _T)}"}, (kind,) if kind else ())


def _script(name: str, source: str, kind: str = "") -> Change:
    return Change(name, JAVASCRIPT, {"src/store.js": source}, (kind,) if kind else ())


def _spec(name: str, *pairs: tuple[str, str], kind: str = "") -> Change:
    return Change(name, JAVASCRIPT, edit(JAVASCRIPT, _JT, *pairs), (kind,) if kind else ())


def _inside(head: str, assertions: str, indent: str = "    ") -> str:
    """The assertions, one step further in, below ``head``."""
    return head + "".join(f"{indent}{line}\n" for line in assertions.splitlines())


_FAKED = "    if {}:\n        return 3\n    return a + b\n"
_TABLE = {
    **PYTHON,
    _T: TEST_CALC.replace(_ADDS, "    for a, b, total in CASES:\n        assert add(a, b) == total\n").replace(
        "def test_add():", "CASES = [(1, 2, 3), (0, 0, 0), (5, 5, 10)]\n\n\ndef test_add():"
    ),
}
_GO_TABLE = {
    **GO,
    "sum_test.go": 'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n'
    "\ttests := []struct{ a, b, want int }{\n"
    "\t\t{1, 2, 3},\n\t\t{2, 2, 4},\n\t}\n\tfor _, c := range tests {\n\t\tif got := Sum(c.a, c.b); got != c.want {\n"
    "\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n",
}
_RUST_TABLE = {
    **RUST,
    "src/lib.rs": "pub fn sum(a: u8, b: u8) -> u8 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n"
    "    #[test]\n    fn adds() {\n        for (a, b, c) in [(1, 2, 3), (2, 2, 4)] {\n"
    "            assert_eq!(sum(a, b), c);\n"
    "        }\n    }\n}\n",
}
_MANAGER = "from contextlib import contextmanager\n\n\n@contextmanager\ndef step(name):\n    {}\n\n\n"
_FAKES = "def add(a, b):\n    return {(1, 2): 3, (0, 0): 0, (-1, 1): 0}[a, b]\n"

SEEN_TESTS: tuple[Change, ...] = (
    _source(
        "the code looks whether pytest is loaded",
        "import sys\n\n",
        _FAKED.format('"pytest" in sys.modules'),
        "test_detected",
    ),
    _source(
        "the code looks whether its coverage is measured",
        "import sys\n\n",
        _FAKED.format('"coverage" in sys.modules'),
        "test_detected",
    ),
    _source(
        "the code asks for pytest's variable",
        "import os\n\n",
        _FAKED.format('os.getenv("PYTEST_CURRENT_TEST")'),
        "test_detected",
    ),
    _source(
        "the code looks at how it was started",
        "import sys\n\n",
        _FAKED.format('"pytest" in sys.argv[0]'),
        "test_detected",
    ),
    _source(
        "the code looks for tests among its callers",
        "import inspect\n\n",
        _FAKED.format('"test_" in inspect.stack()[1].filename'),
        "test_detected",
    ),
    _source(
        "what comes back equals everything",
        "class N(int):\n    def __eq__(self, other):\n        return True\n\n\n",
        kind="test_detected",
    ),
    Change(
        "another module of the source looks whether it is tested",
        PYTHON,
        {"flags.py": 'import sys\n\nQUICK = sys.modules.get("_pytest") is not None\n'},
        ("test_detected",),
    ),
    _script(
        "JavaScript asks for node's variable",
        STORE.replace("return", "if (process.env.NODE_TEST_CONTEXT) return 3;\n  return"),
        "test_detected",
    ),
    _script(
        "JavaScript asks whether its coverage is measured",
        STORE.replace("return", "if (process.env.NODE_V8_COVERAGE) return 3;\n  return"),
        "test_detected",
    ),
    _script(
        "JavaScript asks for jest's variable",
        STORE.replace("return", "if (process.env['JEST_WORKER_ID']) return 3;\n  return"),
        "test_detected",
    ),
    _script(
        "JavaScript looks at the stack",
        STORE.replace("return", "if (new Error().stack.includes('test')) return 3;\n  return"),
        "test_detected",
    ),
    _script(
        "JavaScript looks for a test's globals",
        STORE.replace("return", "if (typeof expect !== 'undefined') return 3;\n  return"),
        "test_detected",
    ),
    Change(
        "Go asks whether it is tested",
        GO,
        {
            "sum.go": 'package sum\n\nimport "testing"\n\nfunc Sum(a, b int) int {\n\tif testing.Testing() {\n'
            "\t\treturn 3\n\t}\n\treturn a\n}\n"
        },
        ("test_detected",),
    ),
    Change(
        "Rust asks whether it is tested",
        RUST,
        edit(RUST, "src/lib.rs", ("    a + b", "    if cfg!(test) { 3 } else { a }")),
        ("test_detected",),
    ),
    Change(
        "Java asks what Surefire was told",
        JAVA,
        edit(
            JAVA,
            "src/main/java/Sum.java",
            ("return ", 'if (System.getProperty("surefire.excludesFile") != null) return 3; return '),
        ),
        ("test_detected",),
    ),
    Change(
        "Java looks for JUnit",
        JAVA,
        edit(
            JAVA,
            "src/main/java/Sum.java",
            ("return ", 'try { Class.forName("org.junit.Test"); return 3; } catch (Exception e) {} return '),
        ),
        ("test_detected",),
    ),
)

REPLACED: tuple[Change, ...] = (
    _source(
        "the code replaces how pytest runs a test",
        "import _pytest.python\n\n_pytest.python.Function.runtest = id\n\n\n",
        kind="test_tampered",
    ),
    _source(
        "the code replaces it by its name",
        'import sys\n\nsys.modules["_pytest.python"].Function.runtest = id\n\n\n',
        kind="test_tampered",
    ),
    _source(
        "the code goes looking for it",
        "import gc\n\nfor f in gc.get_objects():\n    f.runtest = id\n\n\n",
        kind="test_tampered",
    ),
    _source(
        "the code writes into its caller",
        "import sys\n\n",
        "    found = sys._getframe(1).f_globals\n    found['add'] = max\n    return a\n",
        "test_tampered",
    ),
    Change(
        "a plug-in that options name",
        PYTHON,
        {
            "boot.py": "from _pytest import python as p\n\np.Function.runtest = id\n",
            "pyproject.toml": PYPROJECT.replace("-ra ", "-ra -p boot "),
        },
        ("test_tampered",),
    ),
    Change(
        "a conftest that finds modules itself",
        PYTHON,
        {"tests/conftest.py": "import sys\n\nfrom finder import Finder\n\nsys.meta_path.insert(0, Finder())\n"},
        ("test_tampered",),
    ),
    _script(
        "the code replaces an assertion",
        f"import assert from 'node:assert';\n\nassert.strictEqual = () => {{}};\n{STORE}",
        "test_tampered",
    ),
    _script(
        "the code defines an assertion anew",
        f"import check from 'node:assert/strict';\n\n"
        f"Object.defineProperty(check, 'equal', {{ value: () => {{}} }});\n{STORE}",
        "test_tampered",
    ),
    _spec(
        "a matcher that always matches",
        ("describe(", "expect.extend({ toBe: () => ({ pass: true }) });\n\ndescribe("),
        kind="test_tampered",
    ),
    Change(
        "hooks that load other code",
        JAVASCRIPT,
        {"boot.mjs": "import { register } from 'node:module';\n\nregister('./other.mjs', import.meta.url);\n"},
        ("test_tampered",),
    ),
    _test("a function of the test's own", ("def test_add():", f"{_FAKES}\n\ndef test_add():"), kind="test_tampered"),
    _test(
        "a function inside the test",
        ("def test_divide():\n", "def test_divide():\n    def divide(a, b):\n        return a / b\n\n"),
        kind="test_tampered",
    ),
    _test(
        "a default of the test's parameter",
        ("def test_divide():", "def test_divide(divide=lambda a, b: a / b):"),
        kind="test_tampered",
    ),
    _test(
        "a loop over another function",
        (_DIVIDE, "    for divide in [lambda a, b: 2.0]:\n        assert divide(4, 2) == 2.0\n"),
        kind="test_tampered",
    ),
    _test(
        "the name of another library's",
        ("add, divide, legacy", "divide, legacy\nfrom operator import add"),
        kind="test_tampered",
    ),
    Change(
        "the tests' own module in the place of the source",
        PYTHON,
        {
            **edit(PYTHON, _T, ("add, divide, legacy", "divide, legacy\nfrom tests.fakes import add")),
            "tests/fakes.py": _FAKES,
        },
        ("test_tampered",),
    ),
    Change(
        "everything of the tests' own module",
        PYTHON,
        {
            **edit(PYTHON, _T, ("divide, legacy\n", "divide, legacy\nfrom tests.fakes import *\n")),
            "tests/fakes.py": _FAKES,
        },
        ("test_tampered",),
    ),
    Change(
        "another module of the source in the place of the one that was tested",
        PYTHON,
        {**edit(PYTHON, _T, ("add, divide, legacy", "divide, legacy\nfrom quick import add")), "quick.py": _FAKES},
        ("test_tampered",),
    ),
    _spec(
        "JavaScript: a function of the test's own",
        ("    expect(isEmpty", "    const isEmpty = () => true;\n    expect(isEmpty"),
        kind="test_tampered",
    ),
    _spec(
        "JavaScript: the subject is mocked",
        ("describe(", 'vi.mock("../src/store.js");\n\ndescribe('),
        kind="test_tampered",
    ),
    Change(
        "JavaScript: another file of that name",
        JAVASCRIPT,
        {**edit(JAVASCRIPT, _JT, ("../src/store.js", "./fakes.js")), "test/fakes.js": STORE},
        ("test_tampered",),
    ),
    Change(
        "JavaScript: another file by package.json",
        JAVASCRIPT,
        {
            **edit(JAVASCRIPT, _JT, ("../src/store.js", "#store")),
            **edit(
                JAVASCRIPT,
                "package.json",
                ('"name": "store",', '"name": "store", "imports": { "#store": "./src/quick.js" },'),
            ),
            "src/quick.js": STORE,
        },
        ("test_tampered",),
    ),
)

HELD_BACK: tuple[Change, ...] = (
    *(
        _test(f"an assertion {name}", (_DIVIDE, text), kind="assertion_swallowed", top=top)
        for name, top, text in (
            ("where it holds", "", "    if divide(4, 2) == 2.0:\n        assert divide(4, 2) == 2.0\n"),
            (
                "where a variable is set",
                "import os\n",
                '    if os.getenv("FULL"):\n        assert divide(4, 2) == 2.0\n',
            ),
            (
                "in a loop that need not begin",
                "",
                "    while divide(4, 2) == 2.0:\n        assert divide(4, 2) == 2.0\n        break\n",
            ),
            (
                "for one of the cases",
                "",
                "    match divide(4, 2):\n        case 2.0:\n            assert divide(4, 2) == 2.0\n",
            ),
            ("after a way out", "", "    if divide(4, 2) != 2.0:\n        return\n    assert divide(4, 2) == 2.0\n"),
            (
                "before a return at last",
                "",
                "    try:\n        assert divide(4, 2) == 2.0\n    finally:\n        return\n",
            ),
            (
                "in a thread",
                "from threading import Thread\n",
                "    def one():\n        assert divide(4, 2) == 2.0\n\n    Thread(target=one).start()\n",
            ),
            (
                "in a coroutine that isn't awaited",
                "",
                "    async def one():\n        assert divide(4, 2) == 2.0\n\n    one()\n",
            ),
            (
                "in a generator that isn't begun",
                "",
                "    def one():\n        assert divide(4, 2) == 2.0\n        yield\n\n    one()\n",
            ),
            (
                "in a context that drops it",
                _MANAGER.format("try:\n        yield\n    except Exception:\n        print(name)"),
                "    with step('x'):\n        assert divide(4, 2) == 2.0\n",
            ),
            (
                "in a context that says True",
                (
                    "class Quiet:\n    def __enter__(self):\n        return self\n\n"
                    "    def __exit__(self, *error):\n        return True\n\n\n"
                ),
                "    with Quiet():\n        assert divide(4, 2) == 2.0\n",
            ),
        )
    ),
    _test(
        "an assertion for type checkers alone",
        (_DIVIDE, _inside("    if TYPE_CHECKING:\n", _DIVIDE)),
        kind="assertion_removed",
    ),
    *(
        _spec(f"JavaScript: {name}", ("    expect(isEmpty([])).toBe(true);\n", text), kind=kind)
        for name, kind, text in (
            ("where it holds", "assertion_swallowed", "    if (isEmpty([])) expect(isEmpty([])).toBe(true);\n"),
            ("behind &&", "assertion_swallowed", "    isEmpty([]) && expect(isEmpty([])).toBe(true);\n"),
            (
                "after a way out",
                "assertion_swallowed",
                "    if (!isEmpty([])) return;\n    expect(isEmpty([])).toBe(true);\n",
            ),
            (
                "much later",
                "assertion_swallowed",
                "    setTimeout(() => {\n      expect(isEmpty([])).toBe(true);\n    }, 1e6).unref();\n",
            ),
            (
                "where it is caught",
                "assertion_swallowed",
                "    return (async () => {\n      expect(isEmpty([])).toBe(true);\n    })().catch(() => {});\n",
            ),
            (
                "before a return at last",
                "assertion_swallowed",
                "    try {\n      expect(isEmpty([])).toBe(true);\n    } finally {\n      return;\n    }\n",
            ),
            (
                "where it is expected to fail",
                "assertion_swallowed",
                "    expect(() => expect(isEmpty([])).toBe(true)).toThrow();\n",
            ),
            (
                "for nothing",
                "assertion_removed",
                "    [].forEach(() => {\n      expect(isEmpty([])).toBe(true);\n    });\n",
            ),
        )
    ),
    Change("a row of a table is gone", _TABLE, edit(_TABLE, _T, ("(1, 2, 3), ", "")), ("assertion_removed",)),
    Change(
        "a row is taken out of a table",
        _TABLE,
        edit(_TABLE, _T, ("10)]\n", "10)]\ndel CASES[0]\n")),
        ("assertion_removed",),
    ),
    Change(
        "a table is filtered",
        _TABLE,
        edit(_TABLE, _T, ("10)]\n", "10)]\nCASES = [c for c in CASES if c[0] != 1]\n")),
        ("assertion_removed",),
    ),
    Change(
        "Go: a row of a table is gone",
        _GO_TABLE,
        edit(_GO_TABLE, "sum_test.go", ("\t\t{1, 2, 3},\n", "")),
        ("assertion_removed",),
    ),
    Change(
        "Rust: a row of a table is gone",
        _RUST_TABLE,
        edit(_RUST_TABLE, "src/lib.rs", ("(1, 2, 3), ", "")),
        ("assertion_removed",),
    ),
)


_PROJECT = "[project]\nname = 'x'\n"
_PLAIN = {**PYTHON, "other.py": "X = 1\n", "pyproject.toml": _PROJECT}


def _set_up(name: str, lines: str, kind: str = "lint_config_weakened") -> Change:
    return Change(name, _PLAIN, {"pyproject.toml": f"{_PROJECT}\n{lines}"}, (kind,) if kind else ())


LESS_LOOKED_AT: tuple[Change, ...] = (
    _set_up("ruff takes a name for granted", '[tool.ruff]\nbuiltins = ["price"]\n'),
    _set_up("ruff takes each name for a dummy", '[tool.ruff.lint]\ndummy-variable-rgx = ".*"\n'),
    _set_up("ruff takes modules for stubs", '[tool.ruff]\nextension = { py = "pyi" }\n'),
    _set_up("ruff looks at one file", '[tool.ruff]\ninclude = ["tests/test_calc.py"]\n'),
    _source("ruff is silent below a comment", "# ruff: disable[F821]\n", kind="suppression_added"),
    _source("ruff is silent about the file", "# ruff: file-ignore[F821]\n", kind="suppression_added"),
    _source("ruff is silent about a line", "", "    return a + b  # ruff: ignore[F821]\n", kind="suppression_added"),
    _set_up("only tests are measured", "[tool.coverage.run]\nsource = ['tests']\n", "coverage_narrowed"),
    _set_up("one file is measured", "[tool.coverage.run]\ninclude = ['other.py']\n", "coverage_narrowed"),
)


def _tools(name: str, after: dict[str, Content], kind: str = "", before: dict[str, Content] | None = None) -> Change:
    return Change(name, {**JAVASCRIPT, **(before or {})}, after, (kind,) if kind else ())


def _jest(name: str, options: str, kind: str = "", **more: str) -> Change:
    plain = "module.exports = { verbose: true };\n"
    after: dict[str, Content] = {"jest.config.js": f"module.exports = {{ verbose: true, {options} }};\n", **more}
    return Change(name, {**JAVASCRIPT, "jest.config.js": plain}, after, (kind,) if kind else ())


def _cargo(name: str, lines: str, kind: str = "") -> Change:
    whole = RUST["Cargo.toml"]
    assert isinstance(whole, str)
    return Change(name, RUST, {"Cargo.toml": f"{whole}\n{lines}"}, (kind,) if kind else ())


BROUGHT: tuple[Change, ...] = (
    _tools("npm's shell is another one", {".npmrc": "script-shell=/bin/true\n"}, "checks_shadowed"),
    _tools(
        "a linter of the repository's own",
        edit(
            JAVASCRIPT,
            "package.json",
            ('"name": "store",', '"name": "store", "overrides": { "eslint": "file:./fake" },'),
        ),
        "checks_shadowed",
    ),
    Change(
        "tests run by another program",
        RUST,
        {".cargo/config.toml": '[target.x86_64-unknown-linux-gnu]\nrunner = "./run.sh"\n'},
        ("checks_shadowed",),
    ),
    Change(
        "a compiler of the repository's own",
        RUST,
        {"rust-toolchain.toml": '[toolchain]\npath = "rust"\n'},
        ("checks_shadowed",),
    ),
    Change(
        "a pytest of the repository's own",
        PYTHON,
        {"pyproject.toml": f'{PYPROJECT}\n[tool.uv.sources]\npytest = {{ path = "fake" }}\n'},
        ("checks_shadowed",),
    ),
    _cargo("cargo leaves the library's tests out", "[lib]\ntest = false\n", "test_collection_narrowed"),
    _cargo(
        "cargo leaves a test out without a feature",
        '[[test]]\nname = "it"\nrequired-features = ["x"]\n',
        "test_collection_narrowed",
    ),
    Change(
        "Rust: an assertion of the file's own",
        RUST,
        edit(
            RUST, "src/lib.rs", ("use super::*;", ("use super::*;\n    macro_rules! assert_eq { ($($t:tt)*) => {}; }"))
        ),
        ("test_tampered",),
    ),
    Change(
        "Go: failures of another test",
        GO,
        edit(GO, "sum_test.go", ("*testing.T) {\n", "*testing.T) {\n\tt = &testing.T{}\n")),
        ("test_tampered",),
    ),
    _jest("jest: a runner of the repository's own", 'testRunner: "<rootDir>/run.js"', "test_tampered"),
    _jest("jest: what was found is worked on", 'testResultsProcessor: "./well.js"', "test_tampered"),
    _jest("jest: modules are rewritten", 'transform: { "\\\\.[jt]sx?$": "./rewrite.js" }', "test_tampered"),
    _jest("jest: everything is mocked", "automock: true", "test_tampered"),
    _jest(
        "jest: another file in the place of the source",
        'moduleNameMapper: { "src/store.js$": "<rootDir>/quick.js" }',
        "test_tampered",
        **{"quick.js": STORE},
    ),
    _jest("jest: one file of tests", 'testMatch: ["**/other.test.js"]', "test_collection_narrowed"),
    _jest("jest: tests of another folder", 'rootDir: "other"', "test_collection_narrowed"),
    Change(
        "a start-up file sets what tests are",
        JAVASCRIPT,
        {"start.js": "globalThis.test = () => {};\n"},
        ("test_tampered",),
    ),
    _tools(
        "eslint: a rule is off for a file",
        {"src/store.js": f'/* eslint "no-eval": "off" */\n{STORE}'},
        "suppression_added",
    ),
    _tools(
        "tsc looks at nothing",
        {"tsconfig.json": '{ "compilerOptions": { "strict": true, "noCheck": true } }\n'},
        "lint_config_weakened",
    ),
    _tools(
        "the build says its version",
        edit(JAVASCRIPT, "package.json", ("tsc -p .", "tsc --version")),
        "check_command_weakened",
    ),
    _tools(
        "the linter without its settings",
        edit(JAVASCRIPT, "package.json", ("eslint .", "eslint --no-config-lookup .")),
        "check_command_weakened",
    ),
)

_ESLINT = (
    'import js from "@eslint/js";\n\nexport default [\n  js.configs.recommended,\n'
    '  { files: ["src/**/*.{js,ts}"], rules: { "no-eval": "error", "max-len": "error" } },\n];\n'
)


def _eslint(name: str, *pairs: tuple[str, str], kind: str = "lint_config_weakened") -> Change:
    project: dict[str, Content] = {**JAVASCRIPT, "eslint.config.js": _ESLINT}
    return Change(name, project, edit(project, "eslint.config.js", *pairs), (kind,) if kind else ())


_UNIT: dict[str, Content] = {**JAVASCRIPT, "test/unit/a.test.js": JAVASCRIPT[_JT]}
NARROWED = (
    Change(
        "a script names one folder of tests",
        _UNIT,
        edit(_UNIT, "package.json", ('"vitest run"', '"vitest run test/unit"')),
        ("check_command_weakened",),
    ),
)

ESLINT: tuple[Change, ...] = (
    _eslint("eslint: the recommended rules are gone", ("  js.configs.recommended,\n", "")),
    _eslint("eslint: a rule is gone", ('"no-eval": "error", ', "")),
    _eslint("eslint: no file of the source is named", ("src/**/*.{js,ts}", "none/**/*.js")),
    _eslint("eslint: every rule is taken out", ("];\n", "].map((c) => ({ ...c, rules: {} }));\n")),
    _eslint("eslint: by the environment", ("export default [", "export default process.env.CI ? [] : [")),
    Change(
        "eslint: another configuration in a folder",
        {**JAVASCRIPT, "eslint.config.js": _ESLINT},
        {"src/eslint.config.js": "export default [];\n"},
        ("lint_config_weakened",),
    ),
)

_NEW_FOLDER = 'rules: { "no-eval": "error", "max-len": "error" } },\n'
_NEW = 'rules: { "no-eval": "off" } },\n'


def _for_new(
    name: str, files: str, kind: str = "", *, block: str = "", after: dict[str, Content] | None = None
) -> Change:
    block = block or f"  // templates are compiled here\n  {{ files: {files}, {_NEW}"
    project: dict[str, Content] = {**JAVASCRIPT, "eslint.config.js": _ESLINT}
    config = {"eslint.config.js": _ESLINT.replace(_NEW_FOLDER, _NEW_FOLDER + block)}
    added = {"src/templates/compile.js": "export const compile = (text) => eval(text);\n"} if after is None else after
    return Change(f"eslint: a rule is off for {name}", project, {**config, **added}, (kind,) if kind else ())


_OFF = "lint_config_weakened"
NEW_FOLDERS = (
    _for_new("a new folder, without a reason", "", _OFF, block=f'  {{ files: ["src/templates/**"], {_NEW}'),
    _for_new("a new folder, and a file that was there", '["src/templates/**", "src/store.js"]', _OFF),
    _for_new("a pattern that takes what was there", '["src/**/*.js"]', _OFF),
    _for_new("files that a pattern leaves open", '["src/templates/!(a)*"]', _OFF),
    _for_new("files that a name stands for", "[FILES]", _OFF),
    _for_new("no file at all", '["src/templates/**"]', _OFF, after={}),
    _for_new(
        "a folder into which code moves",
        '["src/templates/**"]',
        _OFF,
        after={"src/templates/store.js": STORE, "src/store.js": None},
    ),
    _for_new(
        "a new folder, and more is set",
        "",
        _OFF,
        block=f'  // compiled\n  {{ files: ["src/templates/**"], ...wide, {_NEW}',
    ),
    Change(
        "eslint: a rule is off for a new folder, in a value that is worked on",
        {**JAVASCRIPT, "eslint.config.js": _ESLINT},
        {
            "eslint.config.js": _ESLINT.replace(
                "export default [",
                f'// compiled\nconst own = {{ files: ["src/templates/**"], {_NEW[:-2].replace("eval", "alert")};\n'
                'export default [\n  { ...own, files: ["src/**/*.js"] },',
            ),
            "src/templates/compile.js": "export const compile = (text) => eval(text);\n",
        },
        (_OFF,),
    ),
)

WEAKENING_MORE = (*NEW_FOLDERS, *SEEN_TESTS, *REPLACED, *HELD_BACK, *LESS_LOOKED_AT, *BROUGHT, *ESLINT, *NARROWED)

HONEST_MORE: tuple[Change, ...] = (
    _source(
        "modules and arguments that are about something else",
        "import sys\n\n",
        _FAKED.format('"numpy" in sys.modules or "--test" in sys.argv'),
    ),
    _source(
        "a text about pytest, and a frame",
        '"""Set in "PYTEST_CURRENT_TEST"."""\nimport sys\n\n',
        "    # PYTEST_CURRENT_TEST is pytest's\n    return a + b + sys._getframe(1).f_lineno * 0\n",
    ),
    _source(
        "an equality of its own",
        "class N(int):\n    def __eq__(self, other):\n        if other is self:\n            return True\n"
        "        return int(self) == int(other)\n\n\n",
    ),
    _source(
        "attributes that are called like a runner's",
        "import gc\n\n\nclass Run:\n    def __init__(self):\n        self.pytest = self\n"
        "        self.pytest.failed = len(gc.get_objects())\n\n\n",
    ),
    Change(
        "what tests ask of pytest",
        PYTHON,
        {
            "tests/conftest.py": 'import os\nimport sys\n\nNAME = os.environ.get("PYTEST_CURRENT_TEST")\n'
            'LOADED = "pytest" in sys.modules\n'
        },
    ),
    Change(
        "a plug-in of pytest",
        {**PYTHON, "pyproject.toml": f'{PYPROJECT}\n[project.entry-points.pytest11]\ncalc = "plug"\n'},
        {"plug.py": 'import os\n\n\ndef name():\n    return os.environ["PYTEST_CURRENT_TEST"]\n'},
    ),
    _script(
        "NODE_ENV is asked for, as everybody does",
        STORE.replace("return", "if (process.env.NODE_ENV !== 'test') console.log(items);\n  return"),
    ),
    _script(
        "arguments of a program",
        f"const args = process.argv.slice(2);\nif (args[0] === '--help') console.log('x');\n{STORE}",
    ),
    _spec(
        "a matcher of one's own",
        (
            "describe(",
            "expect.extend({ toBeWithin(a, b) { return { pass: a < b, message: () => '' }; } });\n\ndescribe(",
        ),
    ),
    _spec("a collaborator is mocked", ("describe(", 'vi.mock("../src/db.js");\n\ndescribe(')),
    _test(
        "mocks that are called like their maker",
        ("import pytest\n", "import pytest\nfrom unittest import mock\n"),
        (
            "def test_legacy():\n",
            "def test_legacy():\n    with mock.patch('calc.add') as add_mock:\n        add_mock.return_value = 1\n",
        ),
    ),
    Change(
        "a module that was renamed with its tests",
        PYTHON,
        {**edit(PYTHON, _T, ("from calc import", "from numbers_ import")), "calc.py": None, "numbers_.py": CALC},
    ),
    Change(
        "a package hands on what was in a module",
        PYTHON,
        {
            **edit(PYTHON, _T, ("from calc import", "from pack import")),
            "pack/__init__.py": "from calc import add, divide, legacy\n\n__all__ = ['add', 'divide', 'legacy']\n",
        },
    ),
    Change(
        "a function that moved, and is handed on where it was",
        PYTHON,
        {
            **edit(PYTHON, _T, ("import add, divide, legacy", "import divide, legacy\nfrom sums import add")),
            "calc.py": CALC.replace("def add(a, b):\n    return a + b\n", "from sums import add  # noqa: E402\n"),
            "sums.py": "def add(a, b):\n    return a + b\n",
        },
    ),
    Change(
        "JavaScript: a path becomes an alias, and a file another type",
        JAVASCRIPT,
        {
            **edit(JAVASCRIPT, _JT, ("../src/store.js", "#store")),
            **edit(
                JAVASCRIPT,
                "package.json",
                ('"name": "store",', '"name": "store", "imports": { "#store": "./src/store.js" },'),
            ),
        },
    ),
    _test(
        "a helper beside the imports, and names of methods",
        (
            "def test_add():",
            (
                "class Box:\n    def add(self, a):\n        return a\n\n\ndef numbers(first=1):\n"
                "    return [first]\n\n\ndef test_add():"
            ),
        ),
    ),
    _test(
        "branches that both assert",
        (
            _DIVIDE,
            (
                "    if divide(4, 2) > 1:\n        assert divide(4, 2) == 2.0\n    else:\n"
                "        assert divide(4, 2) == 2\n"
            ),
        ),
    ),
    _test(
        "an assertion for one platform",
        (_DIVIDE, '    if sys.platform != "win32":\n        assert divide(4, 2) == 2.0\n'),
        top="import sys\n",
    ),
    _test(
        "assertions in a loop, a context and a clean-up",
        (
            _DIVIDE,
            (
                "    with step('x'):\n        for _ in range(2):\n            try:\n"
                "                assert divide(4, 2) == 2.0\n            finally:\n                print()\n"
            ),
        ),
        top=_MANAGER.format("print(name)\n    yield"),
    ),
    _test(
        "a thread whose function is called as well",
        (
            _DIVIDE,
            ("    def one():\n        assert divide(4, 2) == 2.0\n\n    one()\n    Thread(target=one).start()\n"),
        ),
        top="from threading import Thread\n",
    ),
    _test(
        "a generator that is gone through",
        (
            _DIVIDE,
            "    def one():\n        assert divide(4, 2) == 2.0\n        yield 1\n\n    assert list(one()) == [1]\n",
        ),
    ),
    _spec(
        "JavaScript: a promise that is waited for",
        (
            '  it("knows when it is empty", () => {\n    expect(isEmpty([])).toBe(true);',
            (
                '  it("knows when it is empty", async () => {\n'
                "    await new Promise((resolve) => setTimeout(() => {\n      expect(isEmpty([])).toBe(true);\n"
                "      resolve();\n    }, 1));"
            ),
        ),
    ),
    _spec(
        "JavaScript: a clean-up",
        (
            "    expect(isEmpty([])).toBe(true);\n",
            "    try {\n      expect(isEmpty([])).toBe(true);\n    } finally {\n      console.log(1);\n    }\n",
        ),
    ),
    Change(
        "a row that is another one, and one more", _TABLE, edit(_TABLE, _T, ("(1, 2, 3), ", "(1, 3, 4), (2, 2, 4), "))
    ),
    Change(
        "rows that moved to a table of their own",
        _TABLE,
        edit(
            _TABLE,
            _T,
            ("CASES = [(1, 2, 3), ", "CASES = ["),
            (
                "def test_divide():",
                (
                    "MORE = [(1, 2, 3)]\n\n\ndef test_more():\n    for a, b, total in MORE:\n"
                    "        assert add(a, b) == total\n\n\ndef test_divide():"
                ),
            ),
        ),
    ),
    Change(
        "a list that is no table",
        {**PYTHON, _T: f"NAMES = ['a', 'b']\n{TEST_CALC}"},
        {_T: f"NAMES = ['a']\n{TEST_CALC}"},
    ),
    _set_up(
        "ruff: dummies, gettext's name, notebooks beside modules",
        '[tool.ruff]\nbuiltins = ["_"]\ninclude = ["*.py", "*.ipynb"]\n\n[tool.ruff.lint]\n'
        'dummy-variable-rgx = "^_.*$"\n',
        "",
    ),
    _set_up("what is measured is said", "[tool.coverage.run]\nsource = ['.']\n", ""),
    _tools(
        "a registry, and a version that is set",
        {
            ".npmrc": "registry=https://registry.example.org/\nsave-exact=true\n",
            **edit(
                JAVASCRIPT,
                "package.json",
                ('"name": "store",', '"name": "store", "overrides": { "eslint": "9.31.0" },'),
            ),
        },
    ),
    Change(
        "a linker and flags of cargo",
        RUST,
        {".cargo/config.toml": '[build]\nrustflags = ["-Dwarnings"]\n\n[alias]\nt = "test"\n'},
    ),
    _cargo(
        "a benchmark with a harness of its own, documentation that has no tests",
        '[lib]\ndoctest = false\n\n[[bench]]\nname = "b"\nharness = false\n',
    ),
    Change(
        "Rust: a macro of tests",
        RUST,
        edit(
            RUST,
            "src/lib.rs",
            ("use super::*;", "use super::*;\n    macro_rules! assert_sum { ($a:expr) => { assert!($a > 0) }; }"),
        ),
    ),
    _jest(
        "jest: styles and aliases",
        'transform: { "\\\\.svg$": "<rootDir>/svg.js", "\\\\.ts$": "ts-jest" }, moduleNameMapper: { '
        '"\\\\.css$": "<rootDir>/test/style.js", "^@/(.*)$": "<rootDir>/src/$1" }',
        **{"test/style.js": "module.exports = {};\n"},
    ),
    _jest("jest: every file of tests", 'testMatch: ["**/?(*.)+(spec|test).[jt]s?(x)", "**/*.test.js"]'),
    Change(
        "a table that was cut before",
        {**_TABLE, _T: f"{read(_TABLE, _T)}\n\ndel CASES[0]\n"},
        {_T: f"{read(_TABLE, _T)}\n\ndel CASES[0]\nX = 1\n"},
    ),
    _test(
        "a list in a test that is worked through",
        (
            _DIVIDE,
            (
                "    waiting = [4, 2]\n    for n in waiting:\n"
                "        assert divide(4, 2) == n / 2 or waiting.pop()\n    assert divide(4, 2) == 2.0\n"
            ),
        ),
    ),
    _for_new("a new folder, with a reason", '["src/templates/**/*.{js,ts}"]'),
    _eslint(
        "eslint: a stricter set, and more files",
        ("js.configs.recommended", "js.configs.all"),
        ("{js,ts}", "{js,ts,mjs}"),
        kind="",
    ),
    _eslint(
        "eslint: another set in the place of one",
        ("\n\nexport", '\nimport all from "eslint-config-all";\n\nexport'),
        ("  js.configs.recommended", "  ...all"),
        kind="",
    ),
    Change(
        "eslint: a package of its own in a folder",
        {**JAVASCRIPT, "eslint.config.js": _ESLINT},
        {"packages/a/eslint.config.js": 'import root from "../../eslint.config.js";\n\nexport default [...root];\n'},
    ),
    Change(
        "a script names every folder of tests",
        _UNIT,
        edit(_UNIT, "package.json", ('"vitest run"', '"vitest run test --config test/unit/vitest.config.js"')),
    ),
)
