"""code:tests with real node, jest, vitest, cargo, go, and with declared commands."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import PINNED, node_modules

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo


def counts(tests: dict[str, Any]) -> tuple[int, int, int, int]:
    return tests["passed"], tests["failed"], tests["skipped"], tests["total"]


def js_repo(folder: Path, package: dict[str, Any], files: dict[str, str]) -> CodeRepo:
    """A repository with the shared node_modules, ignored as they usually are."""
    repo = make_repo(folder, {".gitignore": "node_modules\n", "package.json": json.dumps(package)})
    (repo.root / "node_modules").symlink_to(node_modules())
    repo.write(files)
    return repo


NODE = """
import { test, describe, it, after } from 'node:test';
import assert from 'node:assert';
test('passes', () => {});
test('fails', () => { assert.strictEqual(1, 2); });
test('skipped', { skip: true }, () => {});
test('to do', { todo: true }, () => { assert.fail('later'); });
describe('group', () => {
  it('inside', () => {});
  it('broken', () => { throw new Error('inside a group'); });
});
"""


def test_nodes_test_runner(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, {"scripts": {"test": "node --test"}}, {"test/a.test.mjs": NODE, "test/empty.test.mjs": ""})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert tests["tool"] == "node:test"
    assert counts(tests) == (2, 2, 2, 6)
    failures = {failure["id"]: failure for failure in tests["failures"]}
    assert sorted(failures) == ["fails", "group > broken"]
    assert failures["group > broken"]["path"] == "test/a.test.mjs"
    assert failures["group > broken"]["line"] == 10
    assert "inside a group" in failures["group > broken"]["message"]


def test_node_tests_without_a_package(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"lib.mjs": "export const f = () => 1;\n"})
    repo.write({"check/lib.spec.mjs": "import test from 'node:test';\ntest('a', () => {});\n"})
    assert counts(repo.run("code:tests").json("tests.json")) == (1, 0, 0, 1)


@pytest.mark.parametrize(
    "script", ["node --test 'spec/*.mjs'", "npm run unit -- spec/b.mjs", "cross-env A=1 node --test spec/*.mjs"]
)
def test_the_scripts_own_arguments_are_used(tmp_path: Path, script: str) -> None:
    scripts = {"test": script, "unit": "A=1 node --test --test-reporter spec"}
    body = "import test from 'node:test';\ntest('b', () => {});\n"
    repo = js_repo(tmp_path, {"scripts": scripts}, {"spec/b.mjs": body, "other.test.mjs": body})
    assert counts(repo.run("code:tests").json("tests.json")) == (1, 0, 0, 1)


@pytest.mark.parametrize(
    "body",
    [
        "import { after } from 'node:test';\nafter(() => { throw new Error('late'); });\nit('a', () => {});",
        "it('a', () => {});\nprocess.exitCode = 3;",
        "it('a', () => {});\nthrow new Error('at import');",
        "it('a', () => new Promise(() => {}));\nsetTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);",
    ],
)
def test_node_files_that_break_outside_a_test_fail(tmp_path: Path, body: str) -> None:
    repo = js_repo(
        tmp_path, {"scripts": {"test": "node --test"}}, {"a.test.mjs": f"import {{ it }} from 'node:test';\n{body}\n"}
    )
    answer = repo.run("code:tests")
    assert answer.exit_code == 1 or answer.json("tests.json")["failed"] > 0, answer.stderr


JEST = """
test('passes', () => {});
test('fails', () => { expect(1).toBe(2); });
test.skip('skipped', () => {});
test.todo('later');
"""


def test_jest(tmp_path: Path) -> None:
    package = {"scripts": {"test": "jest --coverage"}, "jest": {"coverageThreshold": {"global": {"lines": 100}}}}
    repo = js_repo(tmp_path, package, {"a.test.js": JEST, "b.test.js": "require('./nothing');\n"})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert tests["tools"] == [
        {"name": "jest", "version": PINNED["jest"], "passed": 1, "failed": 2, "skipped": 2, "total": 5}
    ]
    assert [(f["id"], f["path"], f["line"]) for f in tests["failures"]] == [
        ("fails", "a.test.js", 3),
        ("b.test.js", "b.test.js", None),
    ]


def test_jest_writes_no_snapshots_and_none_is_not_a_pass(tmp_path: Path) -> None:
    body = "test('s', () => { expect({a: 1}).toMatchSnapshot(); });\n"
    repo = js_repo(tmp_path, {"devDependencies": {"jest": "*"}}, {"a.test.js": body})
    assert counts(repo.run("code:tests").json("tests.json")) == (0, 1, 0, 1)
    assert not (repo.root / "__snapshots__").exists()


def test_jest_without_tests_is_a_total_of_zero(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, {"scripts": {"test": "jest"}}, {"a.js": "1;\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert (counts(tests), tests["tool"]) == ((0, 0, 0, 0), "jest")


@pytest.mark.parametrize("script", ["vitest", "vitest run --coverage --reporter verbose"])
def test_vitest(tmp_path: Path, script: str) -> None:
    body = "import { test, expect } from 'vitest';\n" + JEST
    files = {"a.test.js": body, "b.test.js": "import './nothing.js';\n"}
    repo = js_repo(tmp_path, {"type": "module", "scripts": {"test": script}}, files)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert tests["tools"] == [
        {"name": "vitest", "version": PINNED["vitest"], "passed": 1, "failed": 2, "skipped": 2, "total": 5}
    ]
    assert {f["path"] for f in tests["failures"]} == {"a.test.js", "b.test.js"}


def test_an_error_outside_of_vitests_tests_is_named(tmp_path: Path) -> None:
    late = "setTimeout(() => { throw new RangeError('after the test'); }, 0);"
    wait = "await new Promise((done) => setTimeout(done, 50));"
    body = f"import {{ it }} from 'vitest';\nit('a', async () => {{ {late} {wait} }});\n"
    repo = js_repo(tmp_path, {"type": "module", "scripts": {"test": "vitest run"}}, {"test/a.test.js": body})
    answer = repo.run("code:tests", gated=True)
    assert (answer.exit_code, "0 failed tests: RangeError: after the test" in answer.stderr) == (1, True), answer.stderr


@pytest.mark.parametrize("runner", ["jest", "vitest"])
def test_a_runner_that_leaves_early_is_an_error(tmp_path: Path, runner: str) -> None:
    head = "import { test } from 'vitest';\n" if runner == "vitest" else ""
    early = "console.log('\\u001b[31mleaving early after 12 ms');\nprocess.exit(0);\nexport default {};\n"
    config = {f"{runner}.config.mjs": early}
    repo = js_repo(tmp_path, {"scripts": {"test": runner}}, {**config, "a.test.js": f"{head}test('a', () => {{}});\n"})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert f"{runner} left no report" in answer.stderr
    assert "; it ended with exit code 0: leaving early after <duration>" in answer.stderr


def test_a_runner_that_is_not_installed_is_a_missing_tool(tmp_path: Path) -> None:
    package = {"package.json": '{"scripts":{"test":"jest"}}', "package-lock.json": "{}"}
    repo = make_repo(tmp_path, {**package, "a.test.js": JEST})
    answer = repo.run("code:tests")
    why = "jest is not installed in the project, which has no node_modules; run `npm ci`"
    assert answer.json("tests.json")["unexamined"] == [{"what": "jest", "path": ".", "why": why}]
    assert answer.json("tests.json")["tool"] is None
    assert "jest is not installed" in answer.json("tests.meta.json")["skipped"][0]["why"]


def test_a_runner_that_the_subject_carries_is_not_trusted(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"package.json": '{"scripts":{"test":"jest"}}', "a.test.js": JEST})
    repo.write({"node_modules/.bin/jest": f"#!/bin/sh\ntouch {tmp_path}/ran\n"})
    (repo.root / "node_modules/.bin/jest").chmod(0o755)
    assert repo.run("code:tests", gated=True).json("tests.json")["tool"] is None
    assert not (tmp_path / "ran").exists()


def test_python_and_javascript_are_added_up(tmp_path: Path) -> None:
    package = {"scripts": {"test": "npm run lint && node --test"}}
    repo = js_repo(tmp_path, package, {"a.test.mjs": NODE, "test_a.py": "def test_a(): pass\ndef test_b(): assert 0\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert tests["tool"] == "node:test+pytest"
    assert counts(tests) == (3, 3, 2, 8)
    assert [tool["total"] for tool in tests["tools"]] == [6, 2]


def test_workspaces_run_where_the_root_has_no_tests(tmp_path: Path) -> None:
    body = "import test from 'node:test';\ntest('b', () => {});\n"
    files = {f"packages/{name}/package.json": '{"scripts":{"test":"node --test"}}' for name in "ab"}
    files |= {f"packages/{name}/x.test.mjs": body for name in "ab"}
    repo = js_repo(tmp_path, {"workspaces": ["packages/*"]}, files)
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (2, 0, 0, 2)


CARGO = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
RUST = """
/// ```
/// assert_eq!(demo::add(1, 2), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[cfg(test)]
mod tests {
    #[test] fn passes() { println!("{{ \\"type\\": \\"suite\\" }}"); assert_eq!(super::add(1, 1), 2); }
    #[test] fn fails() { assert_eq!(super::add(1, 1), 3); }
    #[test] #[ignore] fn skipped() {}
    #[test] #[should_panic] fn panics() { panic!() }
}
"""


def test_cargo(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"Cargo.toml": CARGO, "src/lib.rs": RUST, ".gitignore": "target\nCargo.lock\n"})
    repo.write({"tests/it.rs": "#[test] fn outside() { assert_eq!(demo::add(1, 1), 2); }\n"})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert tests["tool"] == "cargo test"
    assert counts(tests) == (4, 1, 1, 6)
    assert [failure["id"] for failure in tests["failures"]] == ["tests::fails"]
    assert "left: 2" in tests["failures"][0]["message"]


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("#[test] fn a() { std::process::exit(0) }\n", "did not report its end"),
        ("#[test] fn a() { std::process::abort() }\n", "did not report its end"),
    ],
)
def test_a_rust_test_that_leaves_early_is_an_error(tmp_path: Path, source: str, word: str) -> None:
    repo = make_repo(tmp_path, {"Cargo.toml": CARGO, "src/lib.rs": source, ".gitignore": "target\nCargo.lock\n"})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert word in answer.stderr


def test_rust_that_does_not_compile_is_a_failure(tmp_path: Path) -> None:
    repo = make_repo(
        tmp_path, {"Cargo.toml": CARGO, "src/lib.rs": "fn f() -> i32 { true }\n", ".gitignore": "target\n"}
    )
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (0, 1, 0, 1)
    assert "mismatched types" in tests["failures"][0]["message"]


GO = """package m

import "testing"

func TestPasses(t *testing.T) { t.Run("sub", func(t *testing.T) {}) }
func TestFails(t *testing.T)  { t.Errorf("no") }
func TestSkip(t *testing.T)   { t.Skip("later") }
"""


def test_go(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"go.mod": "module example.com/m\n\ngo 1.19\n", "a.go": "package m\n", "a_test.go": GO})
    repo.write({"bad/b.go": "package bad\n\nfunc f() { x }\n", "bad/b_test.go": "package bad\n"})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert tests["tool"] == "go test"
    assert counts(tests) == (2, 2, 1, 5)
    assert [failure["id"] for failure in tests["failures"]] == ["example.com/m.TestFails", "example.com/m/bad"]


def test_a_go_test_that_leaves_early_is_no_pass(tmp_path: Path) -> None:
    body = 'package m\n\nimport ("os"; "testing")\n\nfunc TestA(t *testing.T) { os.Exit(0) }\n'
    repo = make_repo(tmp_path, {"go.mod": "module example.com/m\n\ngo 1.19\n", "a_test.go": body})
    answer = repo.run("code:tests")
    assert answer.exit_code == 1 or answer.json("tests.json")["failed"]


JUNIT = '<testsuites><testsuite name="s" tests="{}" failures="{}">{}</testsuite></testsuites>'
PASSING = JUNIT.format(1, 0, '<testcase classname="c" name="a"/>')
FAILING = JUNIT.format(1, 1, '<testcase classname="c" name="a"><failure message="no">text</failure></testcase>')


def declared(command: list[str], form: str = "junit", report: str = "out/report.xml", **more: str) -> dict[str, Any]:
    return {"tests": [{"command": command, "format": form, "report": report, **more}]}


def script(text: str, code: int = 0) -> list[str]:
    return ["sh", "-c", f'mkdir -p out && printf "%s" "$1" > out/report.xml; exit {code}', "sh", text]


def test_a_declared_command_replaces_detection(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": "def test_a(): assert 0\n"})
    tests = repo.run("code:tests", config=declared(script(PASSING), name="mine")).json("tests.json")
    assert (counts(tests), tests["tool"]) == ((1, 0, 0, 1), "mine")
    assert counts(repo.run("code:tests", config={"tests": []}).json("tests.json")) == (0, 0, 0, 0)


def test_a_declared_command_finds_programs_of_the_project_s_environments(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": ".tox\n"})
    environment = repo.root / ".tox/py311-django"
    program = environment / "bin/run-tests"
    repo.write({program.relative_to(repo.root).as_posix(): "#!/bin/sh\nexit 0\n", ".tox/py311-django/pyvenv.cfg": ""})
    program.chmod(0o755)
    config = {"tests": [{"command": ["run-tests"], "format": "exit-code"}]}
    assert "can't be started" in repo.run("code:tests", gated=True, config=config).stderr
    (environment / "bin/python").symlink_to(sys.executable)
    found = repo.run("code:tests", gated=True, config=config, GATE_PROJECT_ENVS=str(environment))
    assert counts(found.json("tests.json")) == (1, 0, 0, 1)


def test_a_declared_command_that_always_exits_0_still_fails(tmp_path: Path) -> None:
    tests = make_repo(tmp_path).run("code:tests", config=declared(script(FAILING, 0))).json("tests.json")
    assert counts(tests) == (0, 1, 0, 1)
    assert tests["failures"][0]["message"] == "no\ntext"


@pytest.mark.parametrize(
    ("config", "word"),
    [
        (declared(["true"]), "left no report"),
        (declared(["sh", "-c", "echo the disk is full; exit 1"]), "exit code 1: the disk is full"),
        (declared(["sh", "-c", "echo '1..2'; echo 'why' >&2"], "tap", "-"), "exit code 0: why\n"),
        (declared(["sh", "-c", "kill -9 $$"]), "SIGKILL"),
        (declared(script(PASSING, 1)), "no failed test"),
        (declared(script("")), "not JUnit"),
        (declared(script(PASSING[:-9])), "not JUnit"),
        (declared(script("<html/>")), "<html>"),
        (declared(script(JUNIT.format(5, 0, '<testcase name="a"/>'))), "lists 1"),
        (declared(script(JUNIT.format(1, 1, '<testcase name="a"/>'))), "1 failures"),
        (declared(["sh", "-c", "mkdir out; ln -s /etc/passwd out/report.xml"]), "left no report"),
        (declared(["sh", "-c", "mkdir out; mkfifo out/report.xml"]), "not a regular file"),
        (declared(["no-such-tool"]), "can't be started"),
        (declared(["printf", "ok 1 - a\\n"], "tap", "-"), "no TAP plan"),
        (declared(["printf", "1..2\\nok 1 - a\\n"], "tap", "-"), "plans 2"),
        (declared(["printf", "1..1\\nok 1\\nBail out! no\\n"], "tap", "-"), "bailed out"),
        (declared(["printf", "{"], "jest-json", "-"), "not JSON"),
        (declared(["true"], "junit", "../x"), "leads out"),
        (declared(["true"], "junit", "/x"), "leads out"),
        (declared(["true"], "lcov"), "format"),
        ({"tests": [{"format": "junit", "report": "x"}]}, "no command"),
        ({"tests": {}}, "not a list"),
    ],
)
def test_a_declared_command_without_a_true_report_is_an_error(
    tmp_path: Path, config: dict[str, Any], word: str
) -> None:
    answer = make_repo(tmp_path).run("code:tests", config=config)
    assert answer.exit_code in {1, 2}
    assert word in answer.stderr
    assert answer.written == []


def test_a_report_from_before_is_not_read(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": "out\n"})
    repo.write({"out/report.xml": PASSING})
    assert "left no report" in repo.run("code:tests", gated=True, config=declared(["true"])).stderr


def test_a_report_that_is_part_of_the_subject_is_refused(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"out/report.xml": PASSING})
    answer = repo.run("code:tests", gated=True, config=declared(["true"]))
    assert answer.exit_code == 1
    assert "part of the subject" in answer.stderr
    assert (repo.root / "out/report.xml").read_text() == PASSING


TAP = (
    "TAP version 14\n1..4\nok 1 - a\nnot ok 2 - b\n  ---\n  message: no\n  ...\n"
    "ok 3 - c # SKIP later\nnot ok 4 - d # TODO x\n"
)


def test_declared_tap_from_stdout(tmp_path: Path) -> None:
    command = [sys.executable, "-c", f"print({TAP!r})"]
    tests = make_repo(tmp_path).run("code:tests", config=declared(command, "tap", "-")).json("tests.json")
    assert counts(tests) == (1, 1, 2, 4)


def test_declared_jest_and_go_and_nodes_own_formats(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, {}, {"a.test.js": JEST, "b.test.mjs": NODE, "go.mod": "module m\n", "a_test.go": GO})
    node = ["node", "--test", "--test-reporter=junit", "b.test.mjs"]
    config = {
        "tests": [
            {
                "command": ["jest", "--json", "--outputFile=o.json", "a.test.js"],
                "format": "jest-json",
                "report": "o.json",
            },
            {"command": ["go", "test", "-json", "./..."], "format": "go-test-json", "report": "-"},
            {"command": node, "format": "junit", "report": "-"},
            {"command": [*node[:2], "--test-reporter=tap", node[3]], "format": "tap", "report": "-", "name": "tap"},
        ]
    }
    tests = repo.run("code:tests", config=config).json("tests.json")
    found = {tool["name"]: (tool["passed"], tool["failed"], tool["skipped"]) for tool in tests["tools"]}
    assert found["jest"] == (1, 1, 2)
    assert found["go"] == (2, 1, 1)
    assert found["node"][:2] == (2, 2)
    # TAP 14 sums up the group in one point.
    assert found["tap"] == (1, 2, 2)


def test_an_unknown_runner_next_to_a_known_one_is_unexamined(tmp_path: Path) -> None:
    package = {"scripts": {"test": "node --test && jasmine"}}
    repo = js_repo(tmp_path, package, {"a.test.mjs": "import test from 'node:test';\ntest('a', () => {});\n"})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (1, 0, 0, 1)
    assert [(item["what"], item["path"]) for item in tests["unexamined"]] == [("jasmine", "package.json")]


def test_a_declared_tool_can_be_excluded_with_a_reason(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pom.xml": "<a>junit</a>", "test_a.py": "def test_a(): pass\n"})
    config = {"excluded": [{"what": "maven", "why": "CI runs it on another machine"}]}
    tests = repo.run("code:tests", config=config).json("tests.json")
    assert tests["unexamined"] == []
    assert tests["excluded"] == [{"what": "maven", "path": "pom.xml", "why": "CI runs it on another machine"}]
    refused = repo.run("code:tests", config={"excluded": [{"what": "maven", "why": " "}]})
    assert (refused.exit_code, "has no why" in refused.stderr) == (2, True)


@pytest.mark.release
def test_commands_around_a_runner_run_and_a_failed_one_is_a_failed_test(tmp_path: Path) -> None:
    body = "import test from 'node:test';\nimport { a } from '../dist/a.mjs';\ntest('a', () => a + 1);\n"
    scripts = {"pretest": "npm run build", "build": "node make.mjs", "test": "node --test test && node after.mjs"}
    make = "import fs from 'node:fs';\nfs.mkdirSync('dist');\nfs.writeFileSync('dist/a.mjs', 'export const a = 1;');\n"
    files = {"test/a.test.mjs": body, "make.mjs": make, "after.mjs": "", "test/b.txt": ""}
    repo = js_repo(tmp_path, {"scripts": scripts}, files)
    assert counts(repo.run("code:tests").json("tests.json")) == (1, 0, 0, 1)
    repo.write(
        {"after.mjs": "throw new Error('types are wrong');\n", "make.mjs": make.replace("fs.mkdirSync('dist');", "")}
    )
    failed = repo.run("code:tests").json("tests.json")
    assert (counts(failed), failed["failures"][0]["id"]) == ((1, 1, 0, 2), "node after.mjs")
    assert failed["failures"][0]["message"].startswith("ended with exit code 1: Error: types are wrong")
    repo.write({"make.mjs": "throw new Error('no compiler');\n"})
    failed = repo.run("code:tests").json("tests.json")
    assert (counts(failed), failed["failures"][0]["id"]) == ((0, 1, 0, 1), "npm run build")


MENDS = """
from pathlib import Path

def test_one():
    Path(__file__).parents[2].joinpath("web/shop.py").write_text("price = 3\\n")
"""
PROJECT = '[tool.pytest.ini_options]\npythonpath = ["."]\n'


@pytest.mark.parametrize("capability", ["code:tests", "code:coverage"])
def test_no_suite_tests_what_another_wrote(tmp_path: Path, capability: str) -> None:
    repo = make_repo(
        tmp_path, {"api/pyproject.toml": PROJECT, "web/pyproject.toml": PROJECT, "web/shop.py": "price = 4\n"}
    )
    web = "from shop import price\n\n\ndef test_price():\n    assert price == 3\n"
    repo.write({"api/tests/test_a.py": MENDS, "web/tests/test_b.py": web})
    done = repo.run(capability, gated=True)
    if capability == "code:tests":
        tests = done.json("tests.json")
        assert counts(tests) == (1, 1, 0, 2)
        assert tests["failures"][0]["path"] == "web/tests/test_b.py"
    else:
        [first, second] = done.json("coverage.meta.json")["metadata"]["tests"]
        assert (len(first["passed"]), len(second["failed"])) == (1, 1)
