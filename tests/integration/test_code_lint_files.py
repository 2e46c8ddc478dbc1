"""code:lint names each changed file at which no linter of its language looked, as the real linters tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import CodeRepo, make_repo
from npm_tools import linters, node_modules, old_eslint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MESSY = "import os\n"
LOOSE = "export const same = (a) => a == 1;\n"


def unexamined(repo: CodeRepo, changed: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Change files, and list those that no linter looked at: the linter, the path, and why."""
    repo.commit()
    repo.write(changed)
    repo.git("add", "--all", "--force", *changed)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    return [(item["what"], item["path"], item["why"]) for item in lint["unexamined_files"]]


def with_packages(folder: Path, modules: Path, files: Mapping[str, Any]) -> CodeRepo:
    texts = {name: text if isinstance(text, str) else json.dumps(text) for name, text in files.items()}
    repo = make_repo(folder, {".gitignore": "node_modules\n", **texts})
    (repo.root / "node_modules").symlink_to(modules)
    return repo


def test_ruff_leaves_files_out_by_default_and_by_two_settings(tmp_path: Path) -> None:
    settings = '[tool.ruff]\nexclude = ["skip.py", "dist"]\n[tool.ruff.lint]\nexclude = ["lib/*"]\n'
    repo = make_repo(tmp_path, {"pyproject.toml": settings, "old.py": MESSY, "dist/old.py": MESSY})
    changed = dict.fromkeys(("a.py", "dist/b.py", "skip.py", "lib/c.py", "notes.txt"), MESSY)
    assert unexamined(repo, changed) == [
        ("ruff", "dist/b.py", "ruff's defaults or settings exclude it"),
        ("ruff", "lib/c.py", "ruff's lint.exclude leaves it out"),
        ("ruff", "skip.py", "ruff's defaults or settings exclude it"),
    ]


def test_ruff_excludes_folders_of_builds_by_default(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": "[tool.ruff]\n", "a.py": ""})
    assert [path for _, path, _ in unexamined(repo, {"dist/b.py": MESSY, "a.py": "x = 1\n"})] == ["dist/b.py"]


def test_many_files_of_ruff_are_asked_about_in_parts(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": '[tool.ruff.lint]\nexclude = ["m/7?.py"]\n', "a.py": ""})
    found = unexamined(repo, {f"m/{number}.py": "" for number in range(250)})
    assert [path for _, path, _ in found] == [f"m/7{digit}.py" for digit in range(10)]


def test_eslint_has_no_rules_for_a_suffix_or_ignores_a_folder(tmp_path: Path) -> None:
    """A flat configuration for ``**/*.js``: eslint lists other modules as linted, and no rule applies to them."""
    config = "export default [{ignores: ['gen/**']}, {files: ['**/*.js'], rules: {eqeqeq: 'error', semi: 'off'}}];\n"
    repo = with_packages(tmp_path, node_modules(), {"package.json": {"type": "module"}, "eslint.config.js": config})
    changed = dict.fromkeys(("a.js", "b.mjs", "gen/c.js", "d.ts"), LOOSE)
    assert unexamined(repo, changed) == [
        ("eslint", "b.mjs", "no rule of eslint applies to it"),
        ("eslint", "d.ts", "eslint's patterns or ignores leave it out"),
        ("eslint", "gen/c.js", "eslint's patterns or ignores leave it out"),
    ]


def test_a_script_of_eslint_names_one_folder_and_an_ignored_file(tmp_path: Path) -> None:
    config = "export default [{ignores: ['lib/gen.js']}, {rules: {eqeqeq: 'error'}}];\n"
    package = {"type": "module", "scripts": {"lint": "eslint -c lint.config.js lib lib/gen.js"}}
    files = {"package.json": package, "lint.config.js": config, "eslint.config.js": "export default [];\n"}
    repo = with_packages(tmp_path, node_modules(), files)
    found = unexamined(repo, dict.fromkeys(("lib/a.js", "lib/gen.js", "other.js"), LOOSE))
    assert [path for _, path, _ in found] == ["lib/gen.js", "other.js"]


def test_an_eslint_of_years_ago_has_no_suffix_but_js(tmp_path: Path) -> None:
    files = {
        "package.json": "{}",
        ".eslintrc.json": {
            "parserOptions": {"ecmaVersion": 2018, "sourceType": "module"},
            "rules": {"eqeqeq": "error"},
        },
    }
    repo = with_packages(tmp_path, old_eslint(), files)
    assert [path for _, path, _ in unexamined(repo, dict.fromkeys(("a.js", "b.mjs"), LOOSE))] == ["b.mjs"]


@pytest.mark.parametrize("older", [False, True])
def test_biome_is_asked_which_files_it_processes(tmp_path: Path, *, older: bool) -> None:
    files = {"ignore": ["**/skip.js"]} if older else {"includes": ["**", "!**/skip.js"]}
    package = {"scripts": {"lint": "biome lint src"}}
    repo = with_packages(tmp_path, linters(older=older), {"package.json": package, "biome.json": {"files": files}})
    changed = dict.fromkeys(("src/a.js", "src/skip.js", "other.js"), LOOSE)
    assert unexamined(repo, changed) == [
        ("biome", "other.js", "the command of the script doesn't name its folder"),
        ("biome", "src/skip.js", "its settings leave it out"),
    ]


def test_oxlint_is_asked_which_files_it_processes(tmp_path: Path) -> None:
    package = {"scripts": {"lint": "oxlint -D eqeqeq"}}
    files = {"package.json": package, ".oxlintrc.json": {"ignorePatterns": ["skip.js"]}}
    repo = with_packages(tmp_path, linters(), files)
    assert [path for _, path, _ in unexamined(repo, dict.fromkeys(("a.js", "skip.js"), "let b;\n"))] == ["skip.js"]


def test_a_file_that_one_of_two_linters_looks_at_is_examined(tmp_path: Path) -> None:
    package = {"scripts": {"lint": "oxlint a && biome lint b"}}
    repo = with_packages(tmp_path, linters(), {"package.json": package, "biome.json": {}})
    changed = dict.fromkeys(("a/x.js", "b/y.js", "c/z.js"), "let b;\n")
    assert [(what, path) for what, path, _ in unexamined(repo, changed)] == [("biome+oxlint", "c/z.js")]


def test_go_vet_does_not_read_files_for_other_systems(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"go.mod": "module m\n\ngo 1.19\n", "a.go": "package m\n"})
    changed = {
        "b.go": "package m\n",
        "b_test.go": "package m\n",
        "c_windows.go": "package m\n",
        "d.go": "//go:build never\n\npackage m\n",
        "testdata/e.go": "package e\n",
        "gen/f.go": "package gen\n",
    }
    found = unexamined(repo, changed)
    assert [path for _, path, _ in found] == ["c_windows.go", "d.go", "testdata/e.go"]


def test_clippy_reads_what_a_target_names(tmp_path: Path) -> None:
    crate = '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n'
    repo = make_repo(tmp_path, {".gitignore": "target\n", "Cargo.toml": crate, "src/lib.rs": "mod a;\n"})
    changed = {"src/a.rs": "", "src/b.rs": "", "tests/t.rs": "", "src/bin/c.rs": "fn main() {}\n", "other.rs": ""}
    assert [path for _, path, _ in unexamined(repo, changed)] == ["other.rs", "src/b.rs"]


def test_of_a_declared_command_nothing_is_known(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.py": MESSY})
    config = {"lint": [{"command": ["true"], "format": "exit-code", "name": "ruff"}]}
    lint = repo.run("code:lint", gated=True, config=config).json("lint.json")
    assert lint["unexamined_files"] == []
