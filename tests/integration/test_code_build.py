"""code:build with real Python, tsc, npm, cargo, go and with declared commands."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import node_modules

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo


def build(repo: CodeRepo, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = repo.run("code:build", **options).json("build.json")
    return found


def test_nothing_to_build_is_no_success(tmp_path: Path) -> None:
    assert build(make_repo(tmp_path, {"README": "x\n"})) == {
        "success": False,
        "errors": [],
        "warnings": [],
        "tool": None,
        "steps": [],
    }


def test_python_that_compiles(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.py": "x = 1\n", "pkg/b.py": "y = 2\n", "tests/fixtures/broken.py": "def (\n"})
    answer = repo.run("code:build", gated=True)
    assert answer.json("build.json") == {
        "success": True,
        "errors": [],
        "warnings": [],
        "tool": "python",
        "steps": [{"tool": "python", "argv": ["python", "-m", "compileall", "."], "cwd": ".", "exit_code": 0}],
    }
    assert answer.json("build.meta.json")["files"] == ["a.py", "pkg/b.py"]
    assert not list(repo.root.rglob("__pycache__"))


def test_python_that_does_not(tmp_path: Path) -> None:
    repo = make_repo(
        tmp_path, {"a.py": "x = 1\n", "b.py": "x = 1\ndef f(:\n", "c.py": b"\xff\n", "w.py": 'p = "\\d"\n'}
    )
    repo.write({"caf\udce9.py": "y =\n", "-rf.py": "z = (\n"})
    found = build(repo)
    assert not found["success"]
    places = {(error["path"], error["line"]) for error in found["errors"]}
    assert {("b.py", 2), ("-rf.py", 1), ("caf\\xe9.py", 1)} <= places
    assert len(places) == 4
    assert found["warnings"][0]["path"] == "w.py"


def test_nothing_of_the_subject_is_run(tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    repo = make_repo(tmp_path, {"a.py": code, "json.py": code, "sitecustomize.py": code, "usercustomize.py": code})
    assert build(repo, gated=True, PYTHONPATH=str(repo.root))["success"]
    assert not (tmp_path / "ran").exists()


PROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "demo"
version = "1"
[tool.hatch.build.targets.wheel]
packages = ["{}"]
"""


def test_a_python_package_is_built(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PROJECT.format("demo"), "demo/__init__.py": "", "README.md": ""})
    found = build(repo, gated=True)
    assert found["success"], found
    assert found["tool"] == "build+python"
    assert found["steps"][0]["argv"][:3] == ["python", "-m", "build"]
    assert not (repo.root / "dist").exists()


def test_a_build_module_of_the_subjects_own_is_not_the_builder(tmp_path: Path) -> None:
    broken = PROJECT.format("demo").replace('version = "1"', 'version = "not a version!"')
    repo = make_repo(tmp_path, {"pyproject.toml": broken, "demo/__init__.py": "", "build.py": "raise SystemExit(0)\n"})
    assert not build(repo, gated=True)["success"]


def test_a_python_package_that_cannot_be_built(tmp_path: Path) -> None:
    broken = PROJECT.format("demo").replace('version = "1"', 'version = "not a version!"')
    repo = make_repo(tmp_path, {"pyproject.toml": broken, "demo/__init__.py": ""})
    found = build(repo, gated=True)
    assert not found["success"]
    assert [step["exit_code"] for step in found["steps"]] == [1, 0]
    assert "version" in found["errors"][0]["message"]


def js_repo(folder: Path, files: dict[str, str]) -> CodeRepo:
    repo = make_repo(folder, {".gitignore": "node_modules\n"})
    (repo.root / "node_modules").symlink_to(node_modules())
    repo.write(files)
    return repo


def test_typescript(tmp_path: Path) -> None:
    config = json.dumps({"compilerOptions": {"strict": True, "types": []}, "include": ["src"]})
    repo = js_repo(tmp_path, {"tsconfig.json": config, "src/a.ts": "export const n: number = 1;\n"})
    assert build(repo, gated=True)["success"]
    repo.write({"src/b.ts": 'import { n } from "./a";\nexport const s: string = n;\n'})
    found = build(repo, gated=True)
    assert (found["success"], found["tool"]) == (False, "tsc")
    (error,) = found["errors"]
    assert (error["path"], error["line"], error["column"]) == ("src/b.ts", 2, 14)
    assert "TS2322" in error["message"]
    assert not (repo.root / "src/a.js").exists()


@pytest.mark.release
def test_what_a_project_builds_with_tsc_is_checked_in_that_mode(tmp_path: Path) -> None:
    options = {"allowJs": True, "checkJs": True, "declaration": True, "emitDeclarationOnly": True, "composite": True}
    config = json.dumps({"compilerOptions": {**options, "types": []}, "include": ["*.js"]})
    package = json.dumps(
        {"scripts": {"build": "tsc --build --clean && tsc --build"}, "devDependencies": {"typescript": "5"}}
    )
    # The declaration that tsc writes of such a function is no valid source.
    code = "/**\n * @this {{n: number}}\n * @param {number} n\n */\nexport default function Count(n) { this.n = n }\n"
    repo = js_repo(tmp_path, {"tsconfig.json": config, "package.json": package, "a.js": code})
    found = build(repo, gated=True)
    assert found["success"], found
    assert [step["tool"] for step in found["steps"]] == ["npm", "tsc"]
    repo.write({"b.js": "/** @type {string} */\nexport const s = 1\n"})
    assert not build(repo, gated=True)["success"]


@pytest.mark.release
def test_a_typescript_solution_checks_its_parts(tmp_path: Path) -> None:
    part = json.dumps({"compilerOptions": {"composite": True, "types": [], "outDir": "out"}})
    files = {
        "tsconfig.json": '{ // a comment\n "files": [], "references": [{"path": "part"}] }',
        "part/tsconfig.json": part,
    }
    repo = js_repo(tmp_path, {**files, "part/a.ts": "export const s: string = 1;\n"})
    found = build(repo, gated=True)
    assert not found["success"]
    assert found["errors"][0]["path"] == "part/a.ts"


def test_a_compiler_that_is_not_installed_is_no_success(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"tsconfig.json": "{}", "a.ts": "export const n: number = 1;\n", "a.py": "x = 1\n"})
    found = build(repo)
    assert (found["success"], found["tool"]) == (False, "python")
    assert "tsc is not installed" in found["errors"][0]["message"]


@pytest.mark.parametrize(
    ("scripts", "more", "runs"),
    [
        ({"build": "tsc"}, {}, 1),
        ({"build": "tsc -p tsconfig.json --noEmit"}, {}, 1),
        ({"build": "tsc -b"}, {}, 1),
        ({"build": "tsc", "prebuild": "true"}, {}, 2),
        ({"build": "tsc && true"}, {}, 2),
        ({"build": "tsc -p other.json"}, {"other.json": '{"files": []}'}, 2),
        # Another shell may run anything in place of the script.
        ({"build": "tsc"}, {".npmrc": "script-shell=/bin/true\n"}, 2),
        ({"build": "tsc"}, {"tsconfig.json": '{"files": [], "refer\\u0065nces": []}'}, 2),
    ],
)
def test_a_build_script_that_is_tsc_alone_runs_once(
    tmp_path: Path, scripts: dict[str, str], more: dict[str, str], runs: int
) -> None:
    config = json.dumps({"compilerOptions": {"strict": True, "types": [], "outDir": "out"}, "files": ["a.ts"]})
    package = json.dumps({"scripts": scripts, "devDependencies": {"typescript": "5"}})
    files = {"package.json": package, "tsconfig.json": config, "a.ts": "export const n: number = 1;\n", **more}
    repo = js_repo(tmp_path, files)
    found = build(repo)
    assert [step["tool"] for step in found["steps"]] == ["npm", "tsc"]
    assert found["tool"] == "npm+tsc"
    npm, tsc = (step["argv"] for step in found["steps"])
    assert (npm != tsc) is (runs == 2), found["steps"]
    if "tsconfig.json" in more:
        return
    repo.write({"a.ts": "export const n: string = 1;\n"})
    found = build(repo)
    assert not found["success"]
    assert ("a.ts", 1, 14) in [(error["path"], error["line"], error["column"]) for error in found["errors"]]
    assert found["steps"][1]["exit_code"] != 0


def test_an_npm_build_script(tmp_path: Path) -> None:
    repo = js_repo(tmp_path, {"package.json": '{"scripts":{"build":"node build.js"}}', "build.js": "console.log(1);\n"})
    found = build(repo, gated=True)
    assert (found["success"], found["tool"]) == (True, "npm")
    repo.write({"build.js": "console.error('src/x.js:3:7: error: no such thing'); process.exit(2);\n"})
    found = build(repo, gated=True)
    assert (found["success"], found["steps"][0]["exit_code"]) == (False, 2)
    assert {"path": "src/x.js", "line": 3, "column": 7, "message": "no such thing"} in found["errors"]


def test_a_build_that_is_killed_is_an_error(tmp_path: Path) -> None:
    answer = make_repo(tmp_path).run(
        "code:build", config={"build": [{"command": ["sh", "-c", "kill -9 $$"], "format": "exit-code"}]}
    )
    assert answer.exit_code == 1
    assert "SIGKILL" in answer.stderr


CARGO = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'


def test_cargo(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": "target\nCargo.lock\n"})
    repo.write({"rust/Cargo.toml": CARGO, "rust/src/lib.rs": "pub fn f() -> i32 { let unused = 1; 2 }\n"})
    found = build(repo, gated=True)
    assert (found["success"], found["tool"]) == (True, "cargo")
    assert [(w["path"], w["line"]) for w in found["warnings"]] == [("rust/src/lib.rs", 1)]
    repo.write({"rust/src/lib.rs": "pub fn f() -> i32 {\n    true\n}\n"})
    found = build(repo, gated=True)
    assert not found["success"]
    assert [(e["path"], e["line"], e["column"]) for e in found["errors"] if e["path"]] == [("rust/src/lib.rs", 2, 5)]


def test_a_broken_cargo_manifest_is_no_success(tmp_path: Path) -> None:
    found = build(make_repo(tmp_path, {"Cargo.toml": "[package\n"}))
    assert not found["success"]
    assert found["errors"][0]["message"]


def test_go(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"go.mod": "module example.com/m\n\ngo 1.19\n", "a.go": "package m\n"})
    repo.write({"cmd/x/main.go": "package main\n\nfunc main() {}\n"})
    assert build(repo, gated=True)["success"]
    repo.write({"b.go": "package m\n\nfunc f() { x }\n"})
    found = build(repo, gated=True)
    assert (found["success"], found["tool"]) == (False, "go")
    assert [(e["path"], e["line"]) for e in found["errors"]] == [("b.go", 3)]


SARIF: dict[str, Any] = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "cc"}},
            "results": [
                {
                    "ruleId": "E1",
                    "level": "error",
                    "message": {"text": "no"},
                    "locations": [
                        {"physicalLocation": {"artifactLocation": {"uri": "a%20b.c"}, "region": {"startLine": 3}}}
                    ],
                }
            ],
        }
    ],
}


def test_declared_commands(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"broken.py": "def (\n"})
    ok = {"command": ["true"], "format": "exit-code"}
    assert build(repo, config={"build": [ok]})["success"]
    assert not build(repo, config={"build": [ok, {"command": ["false"], "format": "exit-code"}]})["success"]
    assert build(repo, config={"build": []})["tool"] is None
    command = [sys.executable, "-c", f"print({json.dumps(json.dumps(SARIF))})"]
    found = build(repo, config={"build": [{"command": command, "format": "sarif", "report": "-", "name": "cc"}]})
    assert not found["success"]
    assert found["errors"] == [{"path": "a b.c", "line": 3, "column": 0, "message": "no"}]


@pytest.mark.parametrize(
    "sarif",
    [
        {"version": "2.0.0", "runs": []},
        {"version": "2.1.0", "runs": [{"tool": {"driver": {}}, "results": []}]},
        {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]},
        {
            "version": "2.1.0",
            "runs": [
                {"tool": {"driver": {"name": "x"}}, "results": [], "invocations": [{"executionSuccessful": False}]}
            ],
        },
    ],
)
def test_sarif_that_is_no_answer_is_an_error(tmp_path: Path, sarif: dict[str, Any]) -> None:
    config = {"build": [{"command": ["printf", "%s", json.dumps(sarif)], "format": "sarif", "report": "-"}]}
    answer = make_repo(tmp_path).run("code:build", config=config)
    assert answer.exit_code == 1
    assert answer.written == []


def test_two_runs_are_identical(tmp_path: Path) -> None:
    seen = []
    for place in ("one", "two/deeper"):
        repo = make_repo(tmp_path / place, {"a.py": "def f(:\n", "Cargo.toml": CARGO, "src/lib.rs": "fn f() { x }\n"})
        answer = repo.run("code:build", gated=True)
        seen.append({path.name: path.read_bytes() for path in answer.folder.iterdir()})
    assert seen[0] == seen[1]


PLAIN = {"package.json": '{"scripts": {"test": "node --test", "lint": "eslint ."}}', "a.js": "exports.a = 1;\n"}


def nothing_to_build(repo: CodeRepo) -> tuple[list[str], list[tuple[str, str]]]:
    found = build(repo, gated=True)
    assert (found["success"], found["tool"], found["errors"]) == (False, None, [])
    return (
        [item["path"] for item in found.get("nothing_to_build", ())],
        [(item["path"], item["why"]) for item in found.get("unbuilt", ())],
    )


def test_javascript_that_runs_as_it_is_written_has_nothing_to_build(tmp_path: Path) -> None:
    files = {
        **PLAIN,
        "packages/b/package.json": "{}",
        "types.d.ts": "",
        "tests/fixtures/c.ts": "",
        "Makefile": "test:\n\tnpm test\n",
    }
    assert nothing_to_build(make_repo(tmp_path, files)) == (["package.json", "packages/b/package.json"], [])


@pytest.mark.parametrize(
    ("files", "path", "why"),
    [
        ({"b.ts": ""}, "b.ts", "it is compiled before it runs"),
        ({"src/B.jsx": ""}, "src/B.jsx", "it is compiled before it runs"),
        ({"style.scss": ""}, "style.scss", "it is compiled before it runs"),
        ({"native.c": ""}, "native.c", "it is compiled before it runs"),
        ({"webpack.prod.config.js": ""}, "webpack.prod.config.js", "it is the configuration or program of a build"),
        ({"tsconfig.build.json": "{}"}, "tsconfig.build.json", "it is the configuration or program of a build"),
        ({"gulpfile.js": ""}, "gulpfile.js", "it is the configuration or program of a build"),
        ({"Makefile": "dist: a.js\n\tcp a.js $@\n"}, "Makefile", "it has the target dist"),
        ({"package.json": '{"scripts": {"bundle:js": "x"}}'}, "package.json", "it has the script bundle:js"),
        (
            {"package.json": '{"scripts": {"prepare": "esbuild a.js"}}'},
            "package.json",
            "its script prepare calls esbuild",
        ),
        ({"package.json": '{"devDependencies": {"typescript": "5"}}'}, "package.json", "it depends on typescript"),
    ],
)
def test_signs_of_a_build_are_listed(tmp_path: Path, files: dict[str, str], path: str, why: str) -> None:
    assert nothing_to_build(make_repo(tmp_path, {**PLAIN, **files})) == ([], [(path, why)])


def test_a_change_that_takes_the_build_away_does_not_make_it_needless(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {})
    repo.commit({**PLAIN, "package.json": '{"scripts": {"build": "exit 1"}}'})
    repo.write({"package.json": "{}"})
    repo.git("add", "--all")
    assert nothing_to_build(repo) == ([], [("package.json", "it has the script build, in the base")])


def test_other_languages_and_an_empty_declaration_say_nothing_of_it(tmp_path: Path) -> None:
    assert nothing_to_build(make_repo(tmp_path, {"a.rb": "1\n"})) == ([], [])
    repo = make_repo(tmp_path / "declared", PLAIN)
    assert "nothing_to_build" not in build(repo, gated=True, config={"build": []})
