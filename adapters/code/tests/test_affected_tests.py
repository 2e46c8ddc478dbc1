"""Which test files a change of the test tree can affect, and which files act on the tests of others."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.counterfactual.affected_tests import choose_test_files
from code_adapter.counterfactual.pairing import pair_renamed
from code_adapter.counterfactual.shared_effects import list_shared_effects


def choose(changed: str, tests: Mapping[str, str], support: Mapping[str, str] | None = None) -> list[str]:
    files = {**tests, **(support or {})}
    return choose_test_files([changed], list(tests), list(support or {}), lambda path: files.get(path, ""))


CHOSEN: Mapping[str, tuple[str, Mapping[str, str], Mapping[str, str], set[str]]] = {
    "a test alone": ("tests/test_a.py", {"tests/test_a.py": "a = 1", "tests/test_b.py": "a = 1"}, {}, {"a"}),
    "a test that another imports": (
        "tests/test_a.py",
        {"tests/test_a.py": "", "tests/test_b.py": "from .test_a import Base"},
        {},
        {"a", "b"},
    ),
    "a test of another runner": ("tests/test_b.py", {"web/a.test.js": ""}, {}, set()),
    "a file that no runner collects": ("tests/data.txt", {"web/a.test.js": ""}, {}, {"a"}),
    "a word is no import": ("test/a.test.js", {"test/a.test.js": "", "test/b.test.js": "a()"}, {}, {"a"}),
    "a file that looks like a test": (
        "test/setup.js",
        {"test/setup.js": "", "test/b.js": 'require("./setup")', "test/c.js": ""},
        {},
        {"setup", "b"},
    ),
    "a file that settings load": (
        "test/setup.js",
        {"test/setup.js": "", "test/b.js": "", "test/c.js": ""},
        {".mocharc.json": '{"require": "./test/setup.js"}'},
        {"setup", "b", "c"},
    ),
    "a module of tests in Rust": (
        "tests/common/mod.rs",
        {"tests/common/mod.rs": "", "tests/b.rs": "mod common;", "tests/c.rs": "// in common"},
        {},
        {"mod", "b"},
    ),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_whoever_uses_a_changed_file_is_affected(name: str) -> None:
    changed, tests, support, wanted = CHOSEN[name]
    chosen = {path.rpartition("/")[2].split(".")[0].removeprefix("test_") for path in choose(changed, tests, support)}
    assert chosen == wanted


EFFECTS = {
    "test_a.py": (
        (
            "import shop\n\nCASES = [1]\nshop.total = sum\nshop.patch()\n\n"
            "if __name__ == '__main__':\n    unittest.main()\n"
            "for name in dir(shop):\n    pass\n\n\ndef test_a():\n    shop.patch()\n"
        ),
        ["shop.total = sum", "shop.patch()", "for name in dir(shop): pass"],
    ),
    "a.test.js": (
        (
            "'use strict';\nconst shop = require('./shop');\nafterEach(clear);\nglobal.x = 1;\nmodule.exports = {};\n"
            "describe('a', () => {\n  beforeEach(clear);\n  it('b', () => {});\n});\ntest.each([1])('c', () => {});\n"
        ),
        ["afterEach(clear);", "global.x = 1;"],
    ),
    "a_test.go": (
        (
            'package shop\n\nimport "testing"\n\n// Says nothing.\nfunc TestA(t *testing.T) {}\n\nfunc init() { x() }\n'
            "\nfunc TestMain(m *testing.M) { m.Run() }\n"
        ),
        ["func init() { x() }", "func TestMain(m *testing.M) { m.Run() }"],
    ),
    "a_test.rs": ("fn helper() {}\n", []),
}


@pytest.mark.parametrize("path", EFFECTS)
def test_what_acts_on_the_tests_of_other_files_is_found(path: str) -> None:
    source, wanted = EFFECTS[path]
    assert list_shared_effects(path, source) == wanted


def test_a_name_that_goes_on_is_the_same_test() -> None:
    def pair(lost: str, added: str) -> bool:
        old = {cell_runs.TestName("test_a.py", lost): f"def {lost}():\n    assert read('a|b') == 2"}
        new = {cell_runs.TestName("test_a.py", added): f"def {added}():\n    with raises(ValueError):\n        load()"}
        return bool(pair_renamed(old, new))

    assert pair("test_version_1", "test_version_1_is_refused")
    assert pair("test_version_1_is_read", "test_version_1")
    assert not pair("test_read", "test_read_of_a_closed_file")
    assert not pair("test_version_1", "test_version_12_is_read")
