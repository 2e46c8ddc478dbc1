"""Changes after which every check still says what it said, and lies that are near to them.

All were met in public histories. ``kinds`` are all kinds that refute the change.
"""

from __future__ import annotations

from integrity_cases import CALC, JAVA, JAVASCRIPT, PYPROJECT, PYTHON, RUST, Change, Content, read

_FLOW = ".github/workflows/ci.yml"
_STEPS = "name: ci\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - {}\n"
_USES = "uses: actions-rs/cargo@v1\n        with:\n          command: test\n          args: {}"


def _cargo(name: str, before: str, after: str, *kinds: str) -> Change:
    old, new = (_STEPS.format(step) for step in (_USES.format(f"--features '{before}'"), f"run: cargo test {after}"))
    return Change(name, {**RUST, _FLOW: old}, {_FLOW: new}, kinds)


_STEP = (
    _cargo("a step of cargo that becomes a command, with a list in quotes", "std, toml", '--features "std, toml"'),
    _cargo(
        "a step of cargo that becomes a command, with a value of the matrix",
        "${{ matrix.one }}",
        "--features ${{ matrix.one }}",
    ),
    _cargo(
        "a step of cargo that becomes a command, and takes one test alone",
        "std",
        '--features "std" adds',
        "check_command_weakened",
    ),
)

_HOOK = "import pytest\n\n\ndef pytest_ignore_collect(collection_path, config: pytest.Config) -> {}:\n    return {}\n"
_SLOW = '"slow" in collection_path.name'


def _hook(name: str, after: str, *kinds: str) -> Change:
    before = _HOOK.format("bool", _SLOW)
    return Change(name, {**PYTHON, "conftest.py": before}, {"conftest.py": after}, kinds)


_HOOKS = (
    _hook("a hook of pytest that has other types", _HOOK.format("bool | None", _SLOW)),
    _hook(
        "a hook of pytest that has other types, and returns something else",
        _HOOK.format("bool | None", "True"),
        "test_outcome_hook",
    ),
)

_BIN = """class BinTest {{
  @Test void negative() {{
    try {{
      new Bin(-1);
      {}
    }} catch (Throwable e) {{
      Utils.look(IllegalArgumentException.class, e);
    }}
  }}
}}
"""
_BIN_PATH = "src/test/java/BinTest.java"


def _bin(name: str, after: str, *kinds: str) -> Change:
    return Change(name, {**JAVA, _BIN_PATH: _BIN.format('fail("excpect!");')}, {_BIN_PATH: after}, kinds)


_MESSAGES = (
    _bin("the message of a failure that was caught before", _BIN.format('fail("expected!");')),
    _bin(
        "another assertion that is caught",
        _BIN.format('assertEquals(1, new Bin(1).size());\n      fail("expected!");'),
        "assertion_swallowed",
    ),
)

_T = "tests/test_calc.py"
_STAR = "from calc import star\n\n\ndef test_star():\n    assert star({}) == {}\n"
_PRODUCT = '"""Numbers."""\n\n\ndef star(values):\n    return sorted(values)\n'


def _star(name: str, after: tuple[str, str], *kinds: str, code: str = "list(values)") -> Change:
    before = {**PYTHON, "calc.py": _PRODUCT, _T: _STAR.format("(1, 2)", "[1, 2]")}
    changed: dict[str, Content] = {"calc.py": _PRODUCT.replace("sorted(values)", code), _T: _STAR.format(*after)}
    return Change(name, before, changed, kinds)


_MORE = (
    _star("a call that is given more, and whose result is more", ("(1, 2, 3)", "[1, 2, 3]"), "expectation_changed"),
    _star("a call that is given less", ("(1,)", "[1]"), "assertion_weakened", "expectation_changed"),
    _star(
        "a call that is given more, in a commit of tests alone",
        ("(1, 2, 3)", "[1, 2, 3]"),
        "assertion_weakened",
        code="sorted(values)",
    ),
)

_FIXTURE = (
    "import pytest\n\nfrom calc import add\n\n\n@pytest.fixture\ndef needed(pytestconfig):\n"
    '    option = pytestconfig.getoption("assertmode")\n    if option {}:\n        pytest.skip({})\n\n\n'
    "def test_add(needed):\n    assert add(1, 2) == 3\n"
)


def _fixture(name: str, after: tuple[str, str], *kinds: str) -> Change:
    before = _FIXTURE.format('!= "rewrite"', '"needs it, and it is {}".format(option)')
    return Change(name, {**PYTHON, _T: before}, {_T: _FIXTURE.format(*after)}, kinds)


_REASONS = (
    _fixture(
        "a fixture that gives the reason to skip in another form", ('!= "rewrite"', 'f"needs it, it is {option}"')
    ),
    _fixture("a fixture that skips for more", ("is not None", '"needs it"'), "test_skipped"),
)

_SNAPSHOT = "// Jest Snapshot v1\n\nexports[`one 1`] = `1`;\n\nexports[`three 1`] = `3`;\n"
_SNAP = "test/__snapshots__/store.test.js.snap"


def _snap(name: str, old: str, new: str, *kinds: str) -> Change:
    assert old in _SNAPSHOT
    return Change(name, {**JAVASCRIPT, _SNAP: _SNAPSHOT}, {_SNAP: _SNAPSHOT.replace(old, new)}, kinds)


_THREE = "exports[`three"
_SNAPSHOTS = (
    _snap("a snapshot more", _THREE, f"exports[`two 1`] = `2`;\n\n{_THREE}"),
    _snap(
        "a snapshot more, and another one with another value",
        "`1`;",
        "`2`;\n\nexports[`two 1`] = `2`;",
        "assertion_weakened",
    ),
)

_RANGE = """import {{ it }} from "node:test";
import {{ serve, fetched }} from "../src/store.js";

it("{}", async () => {{
  const app = serve((req, res) => send(req, res));
  {}
  await fetched(app)("/", {{ headers: {{ range: "bytes=abc-def" }} }})
    {};
}});
"""
_RT = "test/range.test.js"
_REFUSED = (".expectStatus(416)", '.expectHeader("Content-Range", "bytes */11")')


def _range(name: str, after: str, *kinds: str) -> Change:
    before = _RANGE.format("refuses a malformed range", "", "\n    ".join(_REFUSED))
    return Change(name, {**JAVASCRIPT, _RT: before}, {_RT: after}, kinds)


_WHY = "\n  ".join(
    f"// {words}"
    for words in (
        "version two of the parser takes this range for one that is invalid,",
        "and no longer for one that can't be satisfied, so that this header",
        "is ignored, as the standard says, and all of the file is served",
    )
)
_EXPLAINED = (
    _range(
        "a test that gets another title and an explanation",
        _RANGE.format(
            "serves all for a malformed range", _WHY, '.expectStatus(200)\n    .expect("Content-Length", "11")'
        ),
    ),
    _range("a test that is gone but for its explanation", f"{_WHY}\n", "test_removed"),
)

_PAIR = "#[test]\nfn twice() {{\n    let {} = crate::start();\n    assert_eq!({}, 3);\n{}}}\n"


def _twice(name: str, bound: str, said: str, *kinds: str) -> Change:
    two, one = (_PAIR.format(bound, said, again) for again in (f"    assert_eq!({said}, 3);\n", ""))
    return Change(name, {**RUST, "tests/twice.rs": two}, {"tests/twice.rs": one}, kinds)


_TWICE = (
    _twice("Rust: one of two equal assertions of what may not change", "b", 'b.decode(b"=").unwrap()'),
    _twice("Rust: one of two equal assertions of what may change", "mut b", "b.next().unwrap()", "assertion_removed"),
)

_IGNORED = 'ignore = ["E501"]'


def _ignore(name: str, rule: str, *kinds: str) -> Change:
    selected = PYPROJECT.replace('select = ["E", "F", "B", "S"]', 'select = ["ALL"]')
    now = selected.replace(_IGNORED, f'ignore = ["E501", "{rule}"]')
    return Change(name, {**PYTHON, "pyproject.toml": selected}, {"pyproject.toml": now}, kinds)


_RULES = (
    _ignore("ruff: one rule of taste less", "PLR0917"),
    _ignore("ruff: a family of rules less", "PLR", "lint_config_weakened"),
    _ignore("ruff: a rule less that finds defects", "B006", "lint_config_weakened"),
)

_BUNDLE = (
    "/******/ (() => { // webpackBootstrap\n/******/ var __webpack_modules__ = ({\n%s\n/******/ });\n/******/ })();\n"
)


def _bundle(name: str, before: Content, after: str, *kinds: str) -> Change:
    return Change(name, {**JAVASCRIPT, "dist/index.js": before}, {"dist/index.js": after}, kinds)


def _pack(*packages: str) -> str:
    return _BUNDLE % "\n".join(packages)


_ONE, _TWO = (
    "/***/ 7: (() => {\n  const one = 1;\n/***/ }),",
    "/***/ 8: (() => {\n// eslint-disable-next-line\n  two();\n/***/ }),",
)
_BUNDLES = (
    _bundle("a package with its comments, in what a bundler made", _pack(_ONE), _pack(_ONE, _TWO)),
    _bundle(
        "a package with its comments, in what wasn't made by a bundler",
        "one();\n",
        _pack(_ONE, _TWO),
        "suppression_added",
    ),
    _bundle(
        "a bundle that was too large to be read",
        _pack(_ONE, f"// {'x' * (2 << 20)}"),
        _pack(_ONE, _TWO, "if (process.env.JEST_WORKER_ID) one();"),
    ),
    Change(
        "a package with its comments, in a source that looks like a bundle",
        {**JAVASCRIPT, "src/pack.js": _pack(_ONE)},
        {"src/pack.js": _pack(_ONE, _TWO)},
        ("suppression_added",),
    ),
    _bundle(
        "a bundle that asks whether it is being tested",
        _pack(_ONE),
        _pack(_ONE, "if (process.env.JEST_WORKER_ID) one();"),
        "test_detected",
    ),
)

KEPT_FORMS = (
    *_STEP,
    *_HOOKS,
    *_MESSAGES,
    *_MORE,
    *_REASONS,
    *_SNAPSHOTS,
    *_EXPLAINED,
    *_TWICE,
    *_RULES,
    *_BUNDLES,
)
assert _IGNORED in PYPROJECT
assert read(PYTHON, "calc.py") == CALC
