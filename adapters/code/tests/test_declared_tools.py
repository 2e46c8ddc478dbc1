"""Which test runners and linters files declare, and what the scripts of a package start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from code_adapter.detection import Unexamined
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_projects import find_node_projects
from verigate.sdk.declared_tools import (
    drop_covered,
    find_declared_linters,
    find_declared_runners,
    find_unclaimed_tests,
)
from verigate.sdk.npm_scripts import (
    LinterCall,
    OpaqueCommand,
    OtherCommand,
    RunnerCall,
    ScriptStep,
    WorkspaceCall,
    read_script,
)
from verigate.sdk.npm_scripts.programs import GTS_ARGUMENTS


@pytest.mark.parametrize(
    ("files", "tests", "linters"),
    [
        ({"pom.xml": "<artifactId>junit-jupiter</artifactId>"}, ["maven"], []),
        ({"app/build.gradle.kts": "tasks.test { useJUnitPlatform() }"}, ["gradle"], []),
        ({"phpunit.xml.dist": "", "phpcs.xml": ""}, ["phpunit"], ["phpcs"]),
        ({".rspec": "", ".rubocop.yml": ""}, ["rspec"], ["rubocop"]),
        ({"Makefile": "build:\n\tcc a.c\ntest: build\n\t./run\n"}, ["make test"], []),
        ({"Makefile": "build:\n\tcc a.c\nTEST := x\n"}, [], []),
        ({"tox.ini": "[testenv]\ncommands =\n  python -m mytests\n"}, ["tox"], []),
        ({"tox.ini": "[testenv]\ncommands =\n  black .\n"}, [], []),
        ({"CMakeLists.txt": "enable_testing()\n", ".clang-tidy": ""}, ["ctest"], ["clang-tidy"]),
        ({"pyproject.toml": "[tool.pylint.main]\n", ".standard.yml": ""}, [], ["pylint", "standardrb"]),
        ({".golangci.yml": ""}, [], ["golangci-lint"]),
        ({"examples/a/pom.xml": "junit", "node_modules/a/tslint.json": "{}"}, [], []),
        ({"tests/examplefiles/meson/meson.build": "test('a', b)", "tests/data/a.robot": ""}, [], []),
        ({"meson.build": "test('a', b)", "tests/a.robot": ""}, ["meson test", "robot"], []),
    ],
)
def test_declared_tools(files: dict[str, str], tests: list[str], linters: list[str]) -> None:
    assert [tool.name for tool in find_declared_runners(files, lambda path: files[path])] == tests
    assert [tool.name for tool in find_declared_linters(files, lambda path: files[path])] == linters


@pytest.mark.parametrize(
    ("files", "runs", "left"),
    [
        ({"Makefile": "test:\n"}, ["pytest"], []),
        ({"Makefile": "test:\n"}, [], ["make test"]),
        ({"Makefile": "test:\n", "pom.xml": "junit"}, [], ["maven"]),
        ({"pom.xml": "junit"}, ["jest"], ["maven"]),
        ({"pom.xml": "junit"}, ["maven"], []),
        ({"tox.ini": "commands = x test"}, ["unittest"], []),
        ({"tox.ini": "commands = x test"}, ["mocha"], ["tox"]),
    ],
)
def test_a_wrapper_of_a_runner_that_was_found_is_no_second_one(
    files: dict[str, str], runs: list[str], left: list[str]
) -> None:
    declared = find_declared_runners(files, lambda path: files[path])
    assert [tool.name for tool in drop_covered(declared, runs)] == left


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("test/java/org/a/CaseB.java", "package a; import org.junit.jupiter.api.Test;\n", "java tests"),
        ("test/java/org/a/CaseA.java", "package a;\nimport org.junit.jupiter.api.Test;\n", "java tests"),
        ("src/org/a/ShopTest.kt", "import org.testng.annotations.Test\n", "java tests"),
        ("src/org/a/ShopTest.java", "package a;\nclass ShopTest {}\n", None),
        ("data/org/a/ShopTest.java", "import org.junit.Test;\n", None),
        ("shop/tests.py", "class T(TestCase):\n    def test_a(self): ...\n", "python tests"),
        ("shop/models.py", "def test_a(): ...\n", None),
        ("lib/shop.test.mjs", "import { test } from 'node:test';\n", "javascript tests"),
        ("test/shop.js", "  it('sells', () => {});\n", "javascript tests"),
        ("test/shop.js", "exports.test = (value) => value;\n", None),
        ("shop.rs", "#[test]\nfn sells() {}\n", "rust tests"),
        ("test/shop_test.rb", "", "ruby tests"),
        ("src/ShopTest.php", "class ShopTest extends TestCase {}\n", "php tests"),
        ("Shop/ShopTests.cs", "[Fact]\npublic void A() {}\n", "dotnet tests"),
        ("Tests/ShopTests.swift", "class ShopTests: XCTestCase {}\n", "swift tests"),
    ],
)
def test_tests_that_nothing_declares_are_found_by_their_sources(path: str, text: str, name: str | None) -> None:
    files = {path: text, "README.md": "# Shop\n"}
    found = [(tool.name, tool.path) for tool in find_unclaimed_tests(files, lambda each: files[each])]
    assert found == ([(name, path)] if name else [])


def steps(test: str, **scripts: str) -> list[ScriptStep]:
    return list(read_script({"scripts": {"test": test, **scripts}}))


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("gts lint", [LinterCall("eslint", GTS_ARGUMENTS)]),
        ("gts check -- src/a.ts", [LinterCall("eslint", ("--", "src/a.ts"))]),
        ("xo && c8 ava && tsd", [LinterCall("xo"), RunnerCall("ava"), OtherCommand(("tsd",))]),
        ("nyc --reporter lcov mocha -R spec 'test/**/*.js'", [RunnerCall("mocha", ("-R", "spec", "test/**/*.js"))]),
        ("cross-env NODE_ENV=test A='1 2' mocha", [RunnerCall("mocha", (), {"NODE_ENV": "test", "A": "1 2"})]),
        ("tape test/*.js | tap-spec", [RunnerCall("tape", ("test/*.js",))]),
        ("tape test/*.js | tee out | wc", [OpaqueCommand("tape test/*.js | tee out | wc", "it has a pipe")]),
        ("mocha > out.txt 2>&1", [RunnerCall("mocha")]),
        ("npx mocha@11 a.js && npx npm@'>=10.2' audit --production", [RunnerCall("mocha", ("a.js",))]),
        ("npx @scope/checks@2 all", [OtherCommand(("checks", "all"))]),
        (
            "node --experimental-vm-modules node_modules/jest/bin/jest.js --ci",
            [RunnerCall("jest", ("--ci",), {}, ("node", "--experimental-vm-modules"))],
        ),
        ("node -r esm node_modules/.bin/mocha", [RunnerCall("mocha", (), {}, ("node", "-r", "esm"))]),
        ("tsx --test a.ts", [RunnerCall("node", ("--test", "a.ts"), {}, ("tsx",))]),
        ("ts-mocha -p . a.ts", [RunnerCall("mocha", ("-p", ".", "a.ts"), {}, ("ts-mocha",))]),
        ("react-scripts test --env=jsdom", [RunnerCall("jest", ("--env=jsdom",), {}, ("react-scripts", "test"))]),
        ("cd packages/a && mocha", [RunnerCall("mocha", (), {}, (), "packages/a")]),
        ("cd client && npm test", [WorkspaceCall("test", (), ("./client",))]),
        ("pnpm -r test", [WorkspaceCall("test")]),
        ("pnpm --filter './packages/**' run unit", [WorkspaceCall("unit", (), ("./packages/**",))]),
        ("npm test --workspaces", [WorkspaceCall("test")]),
        ("yarn workspaces foreach -A run test", [WorkspaceCall("test")]),
        ("yarn workspace a test", [WorkspaceCall("test", (), ("a",))]),
        ("turbo run test --filter=a", [WorkspaceCall("test", (), ("a",))]),
        ("lerna run test", [WorkspaceCall("test")]),
        ("nx run-many -t test", [WorkspaceCall("test")]),
        ("jasmine", [OpaqueCommand("jasmine", "jasmine is a test runner whose report can't be read", "jasmine")]),
        ("server & mocha", [OpaqueCommand("server & mocha", "it starts a program in the background")]),
        ("(cd a; mocha)", [OpaqueCommand("(cd a; mocha)", "it has '('")]),
        ('echo "Error: no test specified" && exit 1', []),
        ("", []),
    ],
)
def test_steps(test: str, expected: list[ScriptStep]) -> None:
    assert steps(test) == expected


def test_scripts_that_run_others() -> None:
    assert steps("run-s build unit:*", build="tsc", **{"unit:a": "jest", "unit:b": "ava", "unit": "mocha"}) == [
        OtherCommand(("npm", "run", "build")),
        RunnerCall("jest"),
        RunnerCall("ava"),
    ]
    assert steps("yarn unit --bail", preunit="rimraf dist", unit="mocha", postunit="echo done") == [
        OtherCommand(("rimraf", "dist")),
        RunnerCall("mocha", ("--bail",)),
    ]
    assert steps("npm run loop", loop="npm run loop") == []


def test_wireit() -> None:
    package = {
        "scripts": {"build": "wireit", "test": "wireit"},
        "wireit": {"build": {"command": "tsc"}, "test": {"command": "mocha a.js", "dependencies": ["build"]}},
    }
    assert list(read_script(package)) == [OtherCommand(("tsc",)), RunnerCall("mocha", ("a.js",))]


def projects(root: Path, files: dict[str, object]) -> list[tuple[str, list[str], list[Unexamined]]]:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    found = find_node_projects(SubjectFiles(root, tuple(sorted(files))))
    return [(item.folder, [call.runner for call in item.calls], list(item.unexamined)) for item in found]


def test_a_script_without_a_known_runner_is_unexamined(tmp_path: Path) -> None:
    files = {"package.json": {"scripts": {"test": "node check.js"}}}
    why = "no known test runner in it: node check.js"
    assert projects(tmp_path, files) == [("", [], [Unexamined("npm test", "package.json", why)])]


def test_a_dependency_on_an_unknown_runner_is_unexamined(tmp_path: Path) -> None:
    files = {"package.json": {"devDependencies": {"@playwright/test": "1"}}}
    assert [item[2][0].what for item in projects(tmp_path, files)] == ["playwright"]


def test_packages_of_a_workspace(tmp_path: Path) -> None:
    files: dict[str, object] = {
        "package.json": {"scripts": {"test": "pnpm -r --filter '!docs' test"}},
        "pnpm-workspace.yaml": "packages:\n  - 'packages/*'\n  - examples/demo\n",
        "packages/a/package.json": {"scripts": {"test": "mocha"}},
        "packages/b/package.json": {"scripts": {"test": "uvu"}},
        "packages/b/inner/package.json": {"scripts": {"test": "ava"}},
        "packages/docs/package.json": {"name": "docs", "scripts": {"test": "jest"}},
        "packages/untested/package.json": {"devDependencies": {"vitest": "3"}},
        "examples/demo/package.json": {"scripts": {"test": "vitest run"}},
    }
    found = projects(tmp_path, files)
    assert [(folder, calls) for folder, calls, _ in found] == [
        ("examples/demo", ["vitest"]),
        ("packages/a", ["mocha"]),
        ("packages/b", []),
    ]
    assert found[2][2][0].what == "uvu"


def test_mocha_is_not_taken_for_what_a_program_of_the_package_calls(tmp_path: Path) -> None:
    package = {"scripts": {"test": "node test.js"}, "devDependencies": {"mocha": "11"}}
    why = Unexamined("npm test", "package.json", "no known test runner in it: node test.js")
    alone = projects(tmp_path / "a", {"package.json": package, "lib/__tests__/a.test.js": "it('a')"})
    assert alone == [("", [], [why])]
    assert [item[1] for item in projects(tmp_path / "b", {"package.json": package, "test/a.js": "it('a')"})] == [
        ["mocha"]
    ]


def test_a_linter_that_needs_a_shell_is_no_unexamined_test(tmp_path: Path) -> None:
    scripts = {
        "pretest": "npm run lint",
        "lint": "eslint .",
        "postlint": "eclint check $(git ls-files)",
        "test": "tape a.js",
    }
    assert projects(tmp_path, {"package.json": {"scripts": scripts}}) == [("", ["tape"], [])]
