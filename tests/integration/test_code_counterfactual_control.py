"""What stands between a runner and its report is found by the test that must fail, in each runner."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from code_repo import make_repo
from java_projects import MAVEN, SUM
from npm_tools import node_modules, runners

from verigate.domain.evidence_weakenings import find_false_reports

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PYTHON = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "shop.py": "def total(prices):\n    return sum(prices)\n",
    "test_shop.py": "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n",
}
BROKEN = {"shop.py": "def total(prices):\n    return 0\n"}
UNITTEST = "import unittest\n\nimport shop\n@\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n"
UNITTEST += "        self.assertEqual(shop.total([1, 2]), 3)\n"
HOOK = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n"
    "    done = yield\n    done.get_result().outcome = 'passed'\n"
)
NOTHING = (
    "def pytest_runtest_protocol(item):\n    from _pytest.reports import TestReport\n\n"
    "    for when in ('setup', 'call', 'teardown'):\n"
    "        report = TestReport(item.nodeid, item.location, {}, 'passed', None, when)\n"
    "        item.ihook.pytest_runtest_logreport(report=report)\n    return True\n"
)
SILENT = "\n\ndef run(self, result=None):\n    result.startTest(self)\n    result.addSuccess(self)\n"
SILENT += "    result.stopTest(self)\n    return result\n\n\nunittest.TestCase.run = run\n"
SHOP = {"shop.js": "exports.total = (a, b) => a + b;\n", ".gitignore": "node_modules\n"}
BROKEN_SHOP = {"shop.js": "exports.total = () => 0;\n"}
ASSERTS = "const assert = require('assert');\nconst shop = require('../shop.js');\n"
ADDS = "test('adds', () => assert.strictEqual(shop.total(1, 2), 3));\n"
NODE = {**SHOP, "test/shop.test.js": f"const test = require('node:test');\n{ASSERTS}{ADDS}"}
LOADED = (
    "const Module = require('module');\nconst load = Module._load;\n"
    "Module._load = (name, ...rest) =>\n  name !== 'node:test' ? load(name, ...rest) :\n"
    "  (title, run) => load(name, ...rest)(title, () => { try { run(); } catch {} });\n"
)
MOCHA = {**SHOP, "test/shop.js": f"{ASSERTS}it{ADDS[4:]}", "package.json": '{"scripts": {"test": "mocha"}}'}
PROTOTYPE = (
    "const { Runnable } = require('mocha');\nconst { run } = Runnable.prototype;\n"
    "Runnable.prototype.run = function (end) { run.call(this, () => end()); };\n"
)
JEST = {**SHOP, "test/shop.test.js": f"{ASSERTS}{ADDS}", "package.json": '{"scripts": {"test": "jest"}}'}
WRAPPED = "const real = global.test;\nglobal.test = (name, run) => real(name, () => { try { run(); } catch {} });\n"
VITEST = {
    **SHOP,
    "test/shop.test.mjs": "import { expect, test } from 'vitest';\nimport shop from '../shop.js';\n"
    "test('adds', () => expect(shop.total(1, 2)).toBe(3));\n",
    "package.json": '{"scripts": {"test": "vitest run"}}',
}
RUNNER = "import { VitestTestRunner } from 'vitest/runners';\n\nexport default class extends VitestTestRunner {\n"
RUNNER += "  async runTask() {}\n}\n"
GO = {
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "shop.go": "package shop\n\nfunc Total(a, b int) int { return a + b }\n",
    "shop_test.go": 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(1, 2) != 3 {\n'
    "\t\tt.Fail()\n\t}\n}\n",
}
PRINTED = 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc init() {\n'
PRINTED += '\tfmt.Print("=== RUN   TestTotal\\n--- PASS: TestTotal (0.00s)\\nPASS\\n")\n\tos.Exit(0)\n}\n'
ASSERT = "package org.junit;\n\npublic class Assert {\n    public static void assertEquals(long a, long b) {}\n}\n"

TAMPERED: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "a hook of pytest": (PYTHON, {**BROKEN, "conftest.py": HOOK}),
    "a protocol that runs nothing": (PYTHON, {**BROKEN, "conftest.py": NOTHING}),
    "a plug-in in the settings": (
        PYTHON,
        {**BROKEN, "quiet.py": HOOK, "pyproject.toml": PYTHON["pyproject.toml"] + 'addopts = "-p quiet"\n'},
    ),
    "unittest": (
        {**PYTHON, "pyproject.toml": "", "test_shop.py": UNITTEST.replace("@", "")},
        {**BROKEN, "test_shop.py": UNITTEST.replace("@", SILENT)},
    ),
    "node:test": (
        {**NODE, "package.json": '{"scripts": {"test": "node --test"}}'},
        {
            **BROKEN_SHOP,
            "test/setup.js": LOADED,
            "package.json": '{"scripts": {"test": "node --require ./test/setup.js --test"}}',
        },
    ),
    "mocha": (
        MOCHA,
        {**BROKEN_SHOP, "test/support/quiet.js": PROTOTYPE, ".mocharc.json": '{"require": "./test/support/quiet.js"}'},
    ),
    "jest": (
        JEST,
        {
            **BROKEN_SHOP,
            "test/setup.js": WRAPPED,
            "jest.config.js": "module.exports = { setupFilesAfterEnv: ['<rootDir>/test/setup.js'] };\n",
        },
    ),
    "vitest": (
        VITEST,
        {
            **BROKEN_SHOP,
            "test/runner.mjs": RUNNER,
            "vitest.config.mjs": "export default { test: { runner: './test/runner.mjs' } };\n",
        },
    ),
    "go": (GO, {"shop.go": GO["shop.go"].replace("a + b", "0"), "setup_test.go": PRINTED}),
    "maven": (
        MAVEN,
        {"src/main/java/demo/Sum.java": SUM.replace("a + b", "0"), "src/test/java/org/junit/Assert.java": ASSERT},
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_report_that_the_change_decides_is_false(tmp_path: Path, name: str) -> None:
    base, head = TAMPERED[name]
    repo = make_repo(tmp_path)
    if "shop.js" in base:
        (repo.root / "node_modules").symlink_to(runners() if name == "mocha" else node_modules())
    repo.write(dict(base))
    repo.commit()
    repo.write(dict(head))
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert find_false_reports(found), json.dumps(found, indent=1)
    assert {run["outcome"] for run in found["control"] if run["cell"] in {"BB", "HB"}} == {"F"}


def test_the_test_that_must_fail_is_no_reason_to_build(tmp_path: Path) -> None:
    """What npm init writes names a main file that isn't there, and a build that fails isn't a test of the cells."""
    scripts = {"test": "node --test", "build": "echo built >> built.txt; exit 1"}
    package = json.dumps({"type": "module", "main": "index.js", "scripts": scripts})
    test = "import { test } from 'node:test';\nimport { equal } from 'node:assert';\nimport { a } from './a.js';\n\n"
    repo = make_repo(tmp_path, {"package.json": package, "a.js": "export const a = () => 1;\n"})
    repo.write({"a.test.js": f"{test}test('one', () => equal(a(), 1));\n"})
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert [(each["test"], each["class"]) for each in found["tests"]] == [("one", "unproven")]
    assert not (repo.root / "built.txt").exists()
    repo.write({"a.js": "export const a = () => 2;\n"})
    broken = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert [(each["test"], each["class"]) for each in broken["tests"]] == [("one", "broken")]
