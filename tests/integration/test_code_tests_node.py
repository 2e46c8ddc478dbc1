"""code:tests with real mocha, ava and tape, of a present and of an older version."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import runners

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo


def counts(tests: dict[str, Any]) -> tuple[int, int, int, int]:
    return tests["passed"], tests["failed"], tests["skipped"], tests["total"]


def repo_with(folder: Path, package: dict[str, Any], files: dict[str, str], *, older: bool = False) -> CodeRepo:
    repo = make_repo(folder, {".gitignore": "node_modules\n", "package.json": json.dumps(package)})
    (repo.root / "node_modules").symlink_to(runners(older=older))
    repo.write(files)
    return repo


def places(tests: dict[str, Any]) -> list[tuple[str, str | None, int | None]]:
    return sorted((item["id"], item["path"], item["line"]) for item in tests["failures"])


MOCHA = """const assert = require('assert');
describe('outer', () => {
  it('passes', () => {});
  it('fails', () => { assert.strictEqual(1, 2); });
  it.skip('skipped', () => {});
  it('pending');
  it('twice', (done) => { done(); setImmediate(() => done()); });
  it('wait', (done) => setTimeout(done, 50));
});
describe('hooked', () => { before(() => { throw new Error('in a hook'); }); it('never', () => {}); });
"""


@pytest.mark.parametrize("older", [False, True])
@pytest.mark.parametrize(
    "script", ["mocha --reporter dot -O a=b check", "npm run unit", "node -r ./setup.js node_modules/.bin/mocha check"]
)
def test_mocha(tmp_path: Path, script: str, *, older: bool) -> None:
    files = {"check/a.js": MOCHA, ".mocharc.json": '{"reporter": "nyan", "spec": ["check"]}', "setup.js": ""}
    repo = repo_with(tmp_path, {"scripts": {"test": script, "unit": "c8 mocha"}}, files, older=older)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (counts(tests), tests["tool"]) == ((2, 3, 2, 7), "mocha")
    assert places(tests)[1:] == [("outer fails", "check/a.js", 4), ("outer twice", "check/a.js", 7)]
    assert places(tests)[0][0].startswith('hooked "before all" hook')
    assert places(tests)[0][1:] == ("check/a.js", 10)


def test_mocha_runs_modules_in_parallel_and_through_tsx(tmp_path: Path) -> None:
    body = "import assert from 'node:assert';\nit('holds', () => { const a: number = 1; assert.ok(a); });\n"
    files = {"test/a.test.ts": body, "test/b.test.ts": body.replace("ok(a)", "ok(!a)")}
    package = {"type": "module", "scripts": {"test": "mocha --import=tsx --parallel 'test/**/*.ts'"}}
    tests = repo_with(tmp_path, package, files).run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (1, 1, 0, 2)
    assert places(tests)[0][1] == "test/b.test.ts"


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("require('./nothing');", "Cannot find module './nothing'"),
        ("it('a', () => {}); setTimeout(() => process.exit(0), 0); it('b', (done) => {});", "mocha left no report"),
        (
            "process.on('exit', () => process.exit(3)); it('a', () => {});",
            "exit code 3, but its report has 0",
        ),
    ],
)
def test_mocha_that_ends_otherwise_than_it_reports_is_an_error(tmp_path: Path, body: str, cause: str) -> None:
    answer = repo_with(tmp_path, {"scripts": {"test": "mocha"}}, {"test/a.js": body}).run("code:tests", gated=True)
    assert (answer.exit_code, cause in answer.stderr) == (1, True), answer.stderr
    # A runner that is too new for its node crashes in the same way; this one isn't.
    assert "mocha asks for node " not in answer.stderr


AVA = """import test from 'ava';
test('passes', (t) => { console.log('not ok 9 - noise'); t.pass(); });
test('fails', (t) => { t.is(1, 2); });
test.skip('skipped', (t) => { t.pass(); });
test.todo('later');
test.failing('expected', (t) => { t.fail(); });
"""


@pytest.mark.parametrize("older", [False, True])
def test_ava(tmp_path: Path, *, older: bool) -> None:
    other = "import test from 'ava';\ntest('also', async (t) => { t.deepEqual({ a: 1 }, { a: 2 }); });\n"
    package = {"type": "module", "scripts": {"test": "c8 ava --verbose"}}
    repo = repo_with(tmp_path, package, {"test/a.js": AVA, "test/b.js": other}, older=older)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (counts(tests), tests["tool"]) == ((2, 2, 2, 6), "ava")
    assert places(tests) == [("a › fails", "test/a.js", 3), ("b › also", "test/b.js", 2)]


@pytest.mark.parametrize(
    "body", ["throw new Error('at import');", "import test from 'ava';\ntest('a', (t) => { process.exit(0); });"]
)
def test_a_file_of_ava_that_breaks_is_no_pass(tmp_path: Path, body: str) -> None:
    package = {"type": "module", "scripts": {"test": "ava"}}
    answer = repo_with(tmp_path, package, {"test/a.js": body, "test/b.js": AVA}).run("code:tests", gated=True)
    assert answer.exit_code == 1 or answer.json("tests.json")["failed"] > 1, answer.stderr


@pytest.mark.parametrize("older", [False, True])
def test_tape(tmp_path: Path, *, older: bool) -> None:
    body = """const test = require('tape');
test('one', (t) => { t.equal(1, 1, 'same'); t.equal(1, 2, 'differs'); t.end(); });
test('two', { skip: true }, (t) => { t.fail('x'); t.end(); });
test('three', (t) => { t.plan(1); t.ok(true, 'ok', { skip: true }); });
"""
    repo = repo_with(tmp_path, {"scripts": {"test": "tape test/*.js | tap-spec"}}, {"test/a.js": body}, older=older)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (counts(tests), tests["tool"]) == ((1, 1, 1, 3), "tape")
    assert places(tests) == [("differs", "test/a.js", 2)]


def workspace(folder: Path, build: str, *, at_root: bool, script: str = "build") -> CodeRepo:
    """Two packages; b needs what a builds into dist, which git ignores, and is linked as npm links packages."""
    package: dict[str, Any] = {"workspaces": ["packages/*"]}
    inner = {"name": "a", "version": "1.0.0", "main": "dist/index.js", "scripts": {script: build}}
    if at_root:
        package["scripts"] = {script: f"cd packages/a && {build}"}
        inner["scripts"] = {}
    files = {
        "packages/a/package.json": json.dumps(inner),
        "packages/a/src/index.js": "module.exports = 1;\n",
        "packages/b/package.json": json.dumps({"name": "b", "scripts": {"test": "mocha"}, "dependencies": {"a": "*"}}),
        "packages/b/test/b.js": "const a = require('a');\nit('is one', () => { if (a !== 1) throw 1; });\n",
    }
    repo = make_repo(folder, {".gitignore": "node_modules\ndist\n", "package.json": json.dumps(package)})
    repo.write(files)
    modules = repo.root / "node_modules"
    modules.mkdir()
    for name in runners().iterdir():
        (modules / name.name).symlink_to(name)
    (modules / "a").symlink_to("../packages/a")
    return repo


@pytest.mark.parametrize(("at_root", "script"), [(False, "build"), (True, "build"), (False, "prepare")])
def test_packages_that_others_need_are_built_in_the_checkout(tmp_path: Path, script: str, *, at_root: bool) -> None:
    repo = workspace(tmp_path, "mkdir dist && cp src/index.js dist", at_root=at_root, script=script)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (counts(tests), tests["tool"]) == ((1, 0, 0, 1), "mocha"), tests["failures"]


def test_what_a_package_lists_among_its_files_is_built(tmp_path: Path) -> None:
    scripts = {"test": "mocha", "prepare": "mkdir build && cp made.js build"}
    package = {"main": "index.js", "files": ["index.js", "build"], "scripts": scripts}
    files = {"index.js": "module.exports = require('./build/made');\n", "made.js": "module.exports = 1;\n"}
    files["test/a.js"] = "const a = require('..');\nit('is one', () => { if (a !== 1) throw 1; });\n"
    tests = repo_with(tmp_path, package, files).run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (1, 0, 0, 1), tests["failures"]


def test_a_build_that_the_tests_need_and_that_fails_is_named(tmp_path: Path) -> None:
    repo = workspace(tmp_path, "node -e 'throw new Error(1)'", at_root=False)
    answer = repo.run("code:tests", gated=True)
    assert answer.json("tests.json")["failed"] == 1
    failure = answer.json("tests.json")["failures"][0]
    assert (failure["id"], "the tests need it, and it ended with exit code 1" in failure["message"]) == (
        "npm run build",
        True,
    )


def test_a_build_that_adds_tests_and_mends_nothing_counts_no_test_twice(tmp_path: Path) -> None:
    scripts = {"test": "node --test", "build": "cp test/a.test.js test/built.test.js"}
    body = (
        "const test = require('node:test');\ntest('holds', () => {});\ntest('fails', () => { throw Error('no'); });\n"
    )
    package = json.dumps({"main": "index.js", "scripts": scripts})
    repo = make_repo(tmp_path, {"package.json": package, "test/a.test.js": body})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["total"], tests["failed"]) == (2, 1), tests["failures"]


@pytest.mark.parametrize("runner", ["mocha", "ava", "tape"])
def test_coverage_of_a_runner_without_its_own(tmp_path: Path, runner: str) -> None:
    bodies = {
        "mocha": "import { a } from '../a.js';\nit('a', () => { a(1); });\n",
        "ava": "import test from 'ava';\nimport { a } from '../a.js';\ntest('a', (t) => { a(1); t.pass(); });\n",
        "tape": "import test from 'tape';\nimport { a } from '../a.js';\ntest('a', (t) => { t.ok(a(1)); t.end(); });\n",
    }
    source = "export function a(n) {\n  if (n) {\n    return 1;\n  }\n  return 2;\n}\n"
    package = {"type": "module", "scripts": {"test": f"c8 --check-coverage {runner} test/*.js"}}
    repo = repo_with(tmp_path, package, {"a.js": source, "test/a.js": bodies[runner]})
    coverage = repo.run("code:coverage", gated=True).json("coverage.json")
    assert coverage["tool"] == "c8"
    assert [item["path"] for item in coverage["files"]][:1] == ["a.js"]
    assert 0 < coverage["pct"] < 1


def test_a_script_has_the_variables_of_npm(tmp_path: Path) -> None:
    body = "const { npm_package_version: v, npm_lifecycle_event: e } = process.env;\n"
    body += "it('v', () => { if (`${v} ${e}` !== '1.2.3 test') throw new Error(v); });\n"
    package = {"name": "a", "version": "1.2.3", "scripts": {"test": "mocha"}}
    tests = repo_with(tmp_path, package, {"test/a.js": body}).run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (1, 0, 0, 1), tests["failures"]


def test_a_script_of_a_project_that_asks_for_another_manager_is_run(tmp_path: Path) -> None:
    package = {
        "scripts": {
            "prepared": "node -e \"require('fs').writeFileSync('made.txt', '1')\"",
            "test": "pnpm prepared && mocha check",
        },
        "devEngines": {"packageManager": {"name": "pnpm", "version": "11.22.0"}},
    }
    made = "it('is prepared', () => { require('assert').ok(require('fs').existsSync('made.txt')); });\n"
    tests = repo_with(tmp_path, package, {"check/a.js": made}).run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (1, 0, 0, 1)
