"""Programs of a script that use node's test runner."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from code_repo import make_repo

from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_projects import find_node_projects
from verigate.sdk.npm_scripts import OtherCommand, RunnerCall

TEST = "import assert from 'node:assert/strict'\nimport test from 'node:test'\n"
FILES = {
    "test/index.js": "import './core.js'\nimport './more'\n",
    "test/core.js": f"{TEST}import {{value}} from '#lib'\n\ntest('core', () => assert.equal(value, 'development'))\n",
    "test/more/index.js": f"{TEST}test('more', () => {{}})\n",
}


def find(root: Path, scripts: dict[str, str], files: dict[str, str]) -> tuple[RunnerCall, ...]:
    """Find the calls of a package with these scripts and files."""
    texts = {"package.json": json.dumps({"scripts": scripts}), **files}
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return tuple(
        call for project in find_node_projects(SubjectFiles(root, tuple(sorted(texts)))) for call in project.calls
    )


@pytest.mark.parametrize(
    "scripts",
    [
        {"test": "node --conditions development --enable-source-maps test/index.js"},
        {"test": "npm run cover", "cover": "c8 --100 npm run api", "api": "node -C development ./test/index.js"},
        {"test": "NODE_ENV=x npm run api", "api": "node --loader=./l.js test/index.js"},
    ],
)
def test_options_of_node_are_kept(tmp_path: Path, scripts: dict[str, str]) -> None:
    (call,) = find(tmp_path, scripts, FILES)
    assert call.runner == "node"
    assert call.arguments[-2:] == ("--test", "./test/index.js")
    words = next(text for text in scripts.values() if text.startswith("node")).split()
    assert list(call.arguments[:-2]) == words[1:-1]
    assert call.variables == ({"NODE_ENV": "x"} if "NODE_ENV" in scripts["test"] else {})


def test_what_the_program_does_not_import_runs_with_it(tmp_path: Path) -> None:
    (call,) = find(tmp_path, {"test": "node test/index.js"}, {**FILES, "lib/other.test.js": TEST})
    assert call.arguments == ("--test", "./test/index.js", "./lib/other.test.js")


def test_commands_around_it_are_kept(tmp_path: Path) -> None:
    (call,) = find(tmp_path, {"test": "node build.js && node test/index.js && tsd"}, {**FILES, "build.js": ""})
    assert call.before == (OtherCommand(("node", "build.js")),)
    assert call.after == (OtherCommand(("tsd",)),)


@pytest.mark.parametrize(
    "script", ["node test/index.js --fast", "node build.js", "node -e 0 test/index.js", "python test/index.js"]
)
def test_other_programs_are_no_runner(tmp_path: Path, script: str) -> None:
    """The files that use the runner are run as they were, by themselves."""
    (call,) = find(tmp_path, {"test": script}, {**FILES, "build.js": ""})
    assert call.arguments == ("--test", "./test/core.js", "./test/more/index.js")


def test_conditions_decide_what_is_tested(tmp_path: Path) -> None:
    imports = {"#lib": {"development": "./lib/development.js", "default": "./lib/production.js"}}
    package = {"type": "module", "imports": imports, "scripts": {"test": "node -C development test/index.js"}}
    files = {path: text.replace("'./more'", "'./more/index.js'") for path, text in FILES.items()}
    files |= {f"lib/{name}.js": f"export const value = '{name}'\n" for name in ("development", "production")}
    repo = make_repo(tmp_path, {"package.json": json.dumps(package), **files})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["tool"], tests["passed"], tests["failed"]) == ("node:test", 2, 0)
    repo.write({"package.json": json.dumps(package | {"scripts": {"test": "node test/index.js"}})})
    assert repo.run("code:tests", gated=True).json("tests.json")["failed"] == 1
