"""code:lint with real biome, xo, standard and oxlint, of a present and of an older version, as scripts call them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from npm_tools import linters, node_modules, old_eslint

if TYPE_CHECKING:
    from pathlib import Path

    from code_repo import CodeRepo

BAD = "const é = 1; var a = é;\nif (a == 2) { debugger; }\n"


def repo_with(folder: Path, package: dict[str, Any], files: dict[str, str], *, older: bool = False) -> CodeRepo:
    repo = make_repo(folder, {".gitignore": "node_modules\n", "package.json": json.dumps(package, indent=2) + "\n"})
    (repo.root / "node_modules").symlink_to(linters(older=older))
    repo.write(files)
    return repo


def issues(lint: dict[str, Any]) -> list[tuple[str, int, int, str]]:
    return [(item["path"], item["line"], item["column"], item["rule"]) for item in lint["issues"]]


@pytest.mark.parametrize("older", [False, True])
def test_biome(tmp_path: Path, *, older: bool) -> None:
    config = {"linter": {"rules": {"suspicious": {"noDebugger": "warn"}}}}
    scripts = {"lint": "biome lint src", "lint:fix": "biome check --write ."}
    files = {"biome.json": json.dumps(config), "src/a.js": BAD, "src/b.js": "", "other.js": BAD}
    lint = repo_with(tmp_path, {"scripts": scripts}, files, older=older).run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"], lint["errors"]) == ("biome", 2, sum(1 for _ in errors(lint)))
    assert ("src/a.js", 2, 7, "lint/suspicious/noDoubleEquals") in issues(lint)
    warnings = [item["rule"] for item in lint["issues"] if item["severity"] == "warning"]
    assert "lint/suspicious/noDebugger" in warnings
    assert {item["path"] for item in lint["issues"]} == {"src/a.js"}


@pytest.mark.parametrize("older", [False, True])
def test_biome_checks_the_format_where_the_script_has_an_option_that_biome_lacks(
    tmp_path: Path, *, older: bool
) -> None:
    files = {"biome.json": "{}", "a.js": "const a = 1;\n", "b.js": "const  b=1\n"}
    repo = repo_with(tmp_path, {"scripts": {"format:check": "biome format --check a.js b.js"}}, files, older=older)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert [item["path"] for item in errors(lint)] == ["b.js"]


def errors(lint: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for item in lint["issues"] if item["severity"] == "error"]


@pytest.mark.parametrize("older", [False, True])
def test_xo(tmp_path: Path, *, older: bool) -> None:
    package = {"type": "module", "scripts": {"test": "xo --fix && ava"}}
    files = {"a.js": BAD, "b.js": "export const b = 1;\n"}
    lint = repo_with(tmp_path, package, files, older=older).run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"]) == ("xo", 2)
    assert ("a.js", 2, 7, "eqeqeq") in issues(lint)


def test_standard(tmp_path: Path) -> None:
    repo = repo_with(tmp_path, {"scripts": {"lint": "standard --verbose a.js"}}, {"a.js": BAD, "b.js": BAD})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"]) == ("standard", 1)
    assert ("a.js", 2, 7, "eqeqeq") in issues(lint)


def test_oxlint(tmp_path: Path) -> None:
    repo = repo_with(tmp_path, {"scripts": {"lint": "oxlint --quiet -D eqeqeq"}}, {"a.js": BAD, "b.js": "let b;\n"})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"], lint["errors"]) == ("oxlint", 2, 1)
    assert ("a.js", 2, 7, "eslint(eqeqeq)") in issues(lint)


def test_eslint_checks_what_the_script_names(tmp_path: Path) -> None:
    config = "module.exports = [{ rules: { eqeqeq: 'error' } }];\n"
    scripts = {
        "lint": "npm run lint:js && prettier -c .",
        "lint:js": "eslint --max-warnings 0 -f stylish --fix 'lib/**'",
    }
    repo = make_repo(tmp_path, {".gitignore": "node_modules\n", "package.json": json.dumps({"scripts": scripts})})
    (repo.root / "node_modules").symlink_to(node_modules())
    repo.write({"eslint.config.js": config, "lib/a.js": BAD, "other.js": BAD})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (issues(lint), lint["files_checked"]) == ([("lib/a.js", 2, 7, "eqeqeq")], 1)


def test_files_without_a_finding_count_where_eslint_is_quiet(tmp_path: Path) -> None:
    config = 'export default [{ rules: { eqeqeq: "error", "no-debugger": "warn" } }];\n'
    repo = make_repo(
        tmp_path, {".gitignore": "node_modules\n", "package.json": '{"scripts": {"lint": "eslint --quiet"}}'}
    )
    (repo.root / "node_modules").symlink_to(node_modules())
    repo.write({"eslint.config.mjs": config, "b.js": "b();\n"})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"], lint["errors"]) == ("eslint", 2, 0)
    repo.write({"a.js": BAD})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["files_checked"], lint["errors"], lint["warnings"]) == (3, 1, 0)


def test_an_eslint_of_years_ago(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": "node_modules\n", "package.json": '{"scripts": {"lint": "eslint src"}}'})
    (repo.root / "node_modules").symlink_to(old_eslint())
    repo.write({".eslintrc.json": '{"rules": {"eqeqeq": "error"}}', "src/a.js": BAD.replace("const é = 1; ", "")})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (issues(lint), lint["files_checked"]) == ([("src/a.js", 2, 7, "eqeqeq")], 1)


def test_a_linter_whose_report_cannot_be_read_is_unexamined(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"package.json": '{"scripts": {"lint": "tslint -p ."}}', "a.ts": ""})
    unexamined = repo.run("code:lint").json("lint.json")["unexamined"]
    assert [(item["what"], item["path"]) for item in unexamined] == [("tslint", "package.json")]


@pytest.mark.parametrize(
    ("files", "how"),
    [
        ({"package-lock.json": "{}"}, "which has no node_modules; run `npm ci`"),
        ({"yarn.lock": "# yarn lockfile v1"}, "which has no node_modules; run `yarn install --frozen-lockfile`"),
        (
            {"yarn.lock": "__metadata:\n  version: 8\n", ".yarnrc.yml": "nodeLinker: node-modules\n"},
            "which has no node_modules; run `yarn install --immutable`",
        ),
    ],
)
def test_without_node_modules_every_capability_names_the_command(
    tmp_path: Path, files: dict[str, str], how: str
) -> None:
    scripts = {"test": "ts-scripts test", "build": "ts-scripts build", "lint": "eslint ."}
    package = {"scripts": scripts, "devDependencies": {"@borderless/ts-scripts": "1", "eslint": "9"}}
    repo = make_repo(tmp_path, {"package.json": json.dumps(package), "eslint.config.js": "", **files})
    assert how in repo.run("code:tests").json("tests.json")["unexamined"][0]["why"]
    assert how in repo.run("code:lint").json("lint.json")["unexamined"][0]["why"]
    assert how in repo.run("code:build").json("build.meta.json")["skipped"][0]["why"]


def test_a_linter_that_is_not_installed_names_the_command_that_installs_it(tmp_path: Path) -> None:
    files = {"package.json": '{"scripts": {"lint": "biome lint"}}', "pnpm-lock.yaml": "", "biome.json": "{}"}
    unexamined = make_repo(tmp_path, files).run("code:lint").json("lint.json")["unexamined"]
    why = "biome is not installed in the project, which has no node_modules; run `pnpm install --frozen-lockfile`"
    assert unexamined == [{"what": "biome", "path": ".", "why": why}]
