"""What a repository's own files say about its commands and variables; nothing is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verigate.integrations.setup.broken_tests import break_test_files, find_test_files
from verigate.integrations.setup.own_commands import Kind, OwnCommand, call_by_installed, find_own_commands
from verigate.integrations.setup.own_variables import find_own_variables
from verigate.integrations.setup.repository_scan import Scan, scan_repository

TOX = """\
[testenv]
setenv =
    SHOP_MODE = test
    TMP_DIR = {envtmpdir}
commands =
    pip install x
    # a remark
    py3: {envpython} -m shop.test {posargs:--fast}
    python -O -m shop.test

[testenv:lint]
commands =
    - black .
    flake8 {posargs:shop} \\
        tests
"""
NOX = """\
import nox

@nox.session
def tests(session):
    session.install("x")
    session.run("coverage", "erase")
    session.run("python", "-m", "trial", "shop", *session.posargs)

@nox.session
def lint(session):
    session.run(session.python, "x")
"""
WORKFLOW = """\
on: push
env: {FORCE_COLOR: true, API_TOKEN: abc, HOME: /x, PYTEST_ADDOPTS: "-k none"}
jobs:
  test:
    steps:
      - run: pip install tests
      - run: |
          echo test
          ./check-shop test --all
        env: {WORKERS: 1, MADE: "${{ matrix.x }}", NEVER: ""}
"""
TASKS = """\
[tool.pdm.scripts]
test = {cmd = "trial shop"}
all = "x && y"
[tool.poe.tasks]
lint = {cmd = ["flake8", "my shop"]}
test = {shell = "x"}
"""
SCRIPTS = {
    "test": "eslint . && runner && browser",
    "test:node": "runner",
    "test:watch": "runner --watch",
    "lint": "eslint .",
    "lint:fix": "eslint --fix",
    "format:check": "prettier --check .",
    "typecheck": "SHOP=1 tsc",
}


def scan(folder: Path, files: dict[str, str]) -> Scan:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content)
    return scan_repository(folder)


def lines(seen: Scan, kind: Kind) -> list[str]:
    return [command.line for command in find_own_commands(seen, kind)]


@pytest.mark.parametrize(
    ("files", "kind", "expected"),
    [
        ({"package.json": json.dumps({"scripts": SCRIPTS})}, "tests", ["npm test", "npm run test:node"]),
        ({"package.json": json.dumps({"scripts": SCRIPTS})}, "lint", ["npm run lint", "npm run format:check"]),
        ({"package.json": json.dumps({"scripts": SCRIPTS}), "yarn.lock": ""}, "build", ["yarn run typecheck"]),
        ({"package.json": '{"scripts": {"test": "echo Error: no test specified"}}'}, "tests", []),
        ({"package.json": '{"scripts": {"test": "eslint ."}}'}, "tests", []),
        ({"package.json": "["}, "tests", []),
        ({"Makefile": "test:\n\ttrue\nlint := x\nbuild: test\n"}, "tests", ["make test"]),
        ({"Makefile": "test:\n\ttrue\nlint := x\nbuild: test\n"}, "lint", []),
        ({"tox.ini": TOX}, "tests", ["python -m shop.test --fast"]),
        ({"tox.ini": TOX}, "lint", ["flake8 shop tests"]),
        ({"noxfile.py": NOX}, "tests", ["python -m trial shop"]),
        ({"noxfile.py": NOX}, "lint", []),
        ({"noxfile.py": "def tests(:"}, "tests", []),
        (
            {"pyproject.toml": '[tool.hatch.envs.default.scripts]\ntest = "trial {args:shop}"\nall = "x"\n'},
            "tests",
            ["trial shop"],
        ),
        ({"pyproject.toml": TASKS}, "tests", ["trial shop"]),
        ({"pyproject.toml": TASKS}, "lint", ["flake8 'my shop'"]),
        ({"pyproject.toml": '[tool.tox.env_run_base]\ncommands = [["pytest", "x", {}]]\n'}, "tests", ["pytest x"]),
        ({"tox.toml": '[env.lint]\ncommands = [["flake8", "{tox_root}/shop"]]\n'}, "lint", ["flake8 ./shop"]),
        ({"tox.toml": '[env.lint]\ncommands = [["flake8"]]\n'}, "tests", []),
        ({"pyproject.toml": "tool = 1\n", "manage.py": ""}, "tests", ["python manage.py test"]),
        ({"tox.ini": "[testenv]\ncommands = run 'a*b' \"c?\" d\n"}, "tests", ["run 'a*b' 'c?' d"]),
        ({"tox.ini": "[testenv]\ncommands = run a*b\n"}, "tests", []),
        ({"tox.ini": '[testenv]\ncommands = run "$(x)"\n'}, "tests", []),
        ({"build.xml": '<project><target name="test"/></project>'}, "tests", ["ant test"]),
        ({"run_tests.py": "", "scripts/test.sh": ""}, "tests", ["python run_tests.py", "bash scripts/test.sh"]),
        ({".github/workflows/a.yml": WORKFLOW}, "tests", ["./check-shop test --all"]),
        ({".github/workflows/a.yml": "a: ["}, "tests", []),
        ({"Makefile": "test:\n", ".github/workflows/a.yml": "run: make test; rm x\n"}, "tests", ["make test"]),
    ],
)
def test_commands_are_found_likeliest_first(
    tmp_path: Path, files: dict[str, str], kind: Kind, expected: list[str]
) -> None:
    assert lines(scan(tmp_path, files), kind) == expected


def test_a_part_of_the_suite_is_known_as_one(tmp_path: Path) -> None:
    found = find_own_commands(scan(tmp_path, {"package.json": json.dumps({"scripts": SCRIPTS})}), "tests")
    assert [command.whole for command in found] == [True, False]


def test_npm_runs_the_script_of_a_package_manager_that_is_not_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    asked = [OwnCommand(words, "package.json") for words in (("pnpm", "run", "build"), ("yarn", "test"), ("make", "x"))]
    assert [call_by_installed(each).line for each in asked] == ["npm run build", "npm test", "make x"]
    (tmp_path / "pnpm").touch(0o755)
    assert call_by_installed(asked[0]) == asked[0]


def test_variables_come_from_the_repository_alone(tmp_path: Path) -> None:
    files = {
        ".github/workflows/a.yml": WORKFLOW,
        "tox.ini": TOX,
        "package.json": json.dumps({"scripts": SCRIPTS}),
        ".env.example": "SHOP_URL='http://x'\nSECRET_KEY=y\n# REMARK=z\n",
    }
    found = {each.name: (each.value, each.source) for each in find_own_variables(scan(tmp_path, files))}
    assert found == {
        "FORCE_COLOR": ("true", ".github/workflows/a.yml"),
        "WORKERS": ("1", ".github/workflows/a.yml"),
        "SHOP_MODE": ("test", "tox.ini, testenv"),
        "SHOP": ("1", "package.json, script typecheck"),
        "SHOP_URL": ("http://x", ".env.example"),
    }


def test_variables_of_recipes_sessions_and_steps_are_found(tmp_path: Path) -> None:
    files = {
        "Makefile": "export XA = 1\nB := 2\ntest:\n\tXC=x XD=./y pytest XE=5\n\techo XF=1 x\nexport XG=$(shell date)\n",
        "noxfile.py": 'session.env["XH"] = "1"\nsession.run("x", env={"XI": "2", "XJ": other})\n',
        "pyproject.toml": '[tool.hatch.envs.test.env-vars]\nXK = "1"\n',
        ".github/workflows/a.yml": "steps:\n- run: |\n    export XL=1\n    XM=2 pytest\n    echo XN=3\n",
    }
    found = {each.name: each.value for each in find_own_variables(scan(tmp_path, files))}
    assert found == {"XA": "1", "XC": "x", "XD": "./y", "XH": "1", "XI": "2", "XK": "1", "XL": "1", "XM": "2"}


def test_test_files_are_broken_and_nothing_else(tmp_path: Path) -> None:
    tests = {"tests/shop.py", "src/__tests__/a.tsx", "a.test.js", "shop_test.py", "src/test/java/ATest.java"}
    others = {"shop.py", "tests/fixtures/a.py", "tests/data.json", "contest.js", "latest.py"}
    seen = scan(tmp_path, dict.fromkeys(tests | others, "x"))
    assert set(find_test_files(seen)) == tests
    broken = break_test_files(seen)
    assert broken["shop_test.py"] == b'raise RuntimeError("broken to see")\n'
    assert broken["a.test.js"].startswith(b"throw ")


def test_tests_among_the_code_are_broken_as_well(tmp_path: Path) -> None:
    rust = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[tokio::test]\n    async fn b() {}\n}\n"
    files = {"src/lib.rs": rust, "src/main.rs": "fn main() {}\n", "checks/sell.py": "def test_sell(): pass\n"}
    files |= {
        "shop.ts": "if (import.meta.vitest) {\n}\n",
        "shop.py": "x = 1\n",
        "fixtures/a.py": "def test_a(): pass\n",
    }
    broken = break_test_files(scan(tmp_path, files))
    assert set(broken) == {"src/lib.rs", "checks/sell.py", "shop.ts"}
    assert broken["src/lib.rs"].startswith(rust.encode())
    assert b"#[test]\nfn broken_to_see()" in broken["src/lib.rs"]
    named = break_test_files(scan(tmp_path, files | {"tests/sell.rs": "#[test]\nfn c() {}\n"}))
    assert set(named) == {"src/lib.rs", "tests/sell.rs"}
