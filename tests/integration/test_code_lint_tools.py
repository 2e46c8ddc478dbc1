"""code:lint with real ruff, eslint and clippy: its numbers are what the tools print by themselves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from code_repo import CodeRepo, make_repo
from npm_tools import node_modules

MESSY = "import os\nimport sys\n\nprint(undefined_name)\n"
RUFF = Path(sys.executable).with_name("ruff")
ESLINT_CONFIG = "export default [{ rules: { 'no-unused-vars': 'error', 'no-var': 'warn' } }];\n"
CRATE = '[package]\nname = "messy"\nversion = "0.1.0"\nedition = "2021"\n'


def printed(repo: CodeRepo, *argv: str | Path) -> Any:
    done = subprocess.run(argv, cwd=repo.root, capture_output=True, check=False)
    return json.loads(done.stdout)


def with_eslint(repo: CodeRepo) -> None:
    (repo.root / "node_modules").symlink_to(node_modules())


def test_ruff_finds_what_ruff_prints(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": "[tool.ruff]\n", "a.py": MESSY, "pkg/b.py": "x = 1\n", "c.pyi": ""})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    by_hand = printed(repo, RUFF, "check", "--no-cache", "--output-format", "json", ".")
    assert lint["errors"] == len(by_hand) == 3
    assert [(item["path"], item["line"], item["rule"]) for item in lint["issues"]] == sorted(
        (os.path.relpath(item["filename"], repo.root), item["location"]["row"], item["code"]) for item in by_hand
    )
    assert (lint["warnings"], lint["files_checked"], lint["tool"]) == (0, 3, "ruff")
    assert lint["tools"][0]["version"] == subprocess.check_output((RUFF, "--version"), text=True).split()[1]


def test_ignore_files_take_nothing_of_the_subject_away(tmp_path: Path) -> None:
    """What is committed is checked, whether git would have it or not; an environment beside it isn't."""
    files = {"pyproject.toml": "[tool.ruff]\nexclude = ['x']\n", "a.py": MESSY, "b.py": MESSY, ".ignore": "a.py\n"}
    repo = make_repo(tmp_path, files)
    (repo.root / ".gitignore").write_text("b.py\n.venv\n")
    (repo.root / ".venv").mkdir()
    (repo.root / ".venv" / "c.py").write_text(MESSY)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert {issue["path"] for issue in lint["issues"]} == {"a.py", "b.py"}


def test_a_syntax_error_is_an_error(tmp_path: Path) -> None:
    lint = make_repo(tmp_path, {"a.py": "def (:\n"}).run("code:lint", gated=True).json("lint.json")
    assert lint["errors"] >= 1
    assert {issue["severity"] for issue in lint["issues"]} == {"error"}


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.py": MESSY, "b.py": MESSY})
    first, second = (repo.run("code:lint", gated=True) for _ in range(2))
    for name in ("lint.json", "lint.meta.json"):
        assert (first.folder / name).read_bytes() == (second.folder / name).read_bytes()


def test_a_fixing_configuration_fixes_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": "[tool.ruff]\nfix = true\n", "a.py": "import os\n"})
    assert repo.run("code:lint", gated=True).json("lint.json")["errors"] == 1
    assert (repo.root / "a.py").read_text() == "import os\n"


def test_without_a_linter_the_tool_is_null(tmp_path: Path) -> None:
    lint = make_repo(tmp_path, {"notes.txt": "hello\n"}).run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"], lint["errors"]) == (None, 0, 0)


def test_everything_excluded_is_no_file_checked(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": "[tool.ruff]\nexclude = ['*.py']\n", "a.py": MESSY})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["tool"], lint["files_checked"]) == ("ruff", 0)


@pytest.mark.parametrize(
    "script",
    ["exit 2", "kill -9 $$", "echo '[]'; exit 1", "echo nonsense; exit 0", "exit 0"],
    ids=["error", "killed", "findings-hidden", "no-json", "silent"],
)
def test_a_linter_that_does_not_answer_is_an_error(tmp_path: Path, script: str) -> None:
    repo = make_repo(tmp_path, {".gitignore": ".venv/\n", "a.py": MESSY})
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", repo.root / ".venv"), check=True)
    fake = repo.root / ".venv" / "bin" / "ruff"
    fake.write_text(f"#!/bin/sh\n{script}\n")
    fake.chmod(0o755)
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "ruff" in answer.stderr
    assert "lint.json" not in answer.written


def test_a_ruff_of_the_subject_is_not_taken(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.py": MESSY})
    fake = repo.root / "tools" / "ruff"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho '[]'\n")
    fake.chmod(0o755)
    lint = repo.run("code:lint", gated=True, PATH=f"{fake.parent}:{os.environ['PATH']}").json("lint.json")
    assert lint["tool"] is None or lint["errors"] > 0


def test_eslint_finds_what_eslint_prints(tmp_path: Path) -> None:
    files = {
        ".gitignore": "node_modules\n",
        "package.json": '{"type": "module"}\n',
        "eslint.config.js": ESLINT_CONFIG,
        "a.js": "var unused = 1;\n",
        "b.js": "export const fine = 1;\n",
    }
    repo = make_repo(tmp_path, files)
    with_eslint(repo)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    by_hand = printed(repo, "node_modules/.bin/eslint", ".", "--format", "json")
    assert lint["errors"] == sum(item["errorCount"] for item in by_hand) == 1
    assert lint["warnings"] == sum(item["warningCount"] for item in by_hand) == 1
    assert (lint["files_checked"], lint["tool"]) == (len(by_hand), "eslint")


@pytest.mark.parametrize("config", ["throw new Error('broken')", "export default 7"], ids=["throws", "invalid"])
def test_eslint_that_crashes_is_an_error(tmp_path: Path, config: str) -> None:
    files = {".gitignore": "node_modules\n", "eslint.config.mjs": f"{config};\n", "a.js": "var a = 1;\n"}
    repo = make_repo(tmp_path, files)
    with_eslint(repo)
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "eslint" in answer.stderr


def test_two_linters_add_up(tmp_path: Path) -> None:
    files = {".gitignore": "node_modules\n", "eslint.config.mjs": ESLINT_CONFIG, "a.js": "var a = 1;\n", "a.py": MESSY}
    repo = make_repo(tmp_path, files)
    with_eslint(repo)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert lint["tool"] == "eslint+ruff"
    assert (lint["errors"], lint["warnings"]) == (4, 1)
    assert lint["files_checked"] == sum(tool["files_checked"] for tool in lint["tools"]) == 3


def test_a_configured_linter_that_is_missing_is_no_clean_result(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"eslint.config.mjs": ESLINT_CONFIG, "a.js": "var a = 1;\n", "a.py": "x = 1\n"})
    answer = repo.run("code:lint", gated=True)
    assert answer.exit_code != 0
    assert "eslint is not installed in the project" in answer.stderr


def test_clippy_finds_what_clippy_prints(tmp_path: Path) -> None:
    if shutil.which("cargo-clippy") is None:
        # Debian's cargo comes without clippy; then the fact is that there is none.
        lint = make_repo(tmp_path, {"Cargo.toml": CRATE, "src/lib.rs": ""}).run("code:lint").json("lint.json")
        assert lint["tool"] is None
        return
    source = "pub fn f(v: &Vec<u8>) -> usize {\n    let n = v.len();\n    return n;\n}\n"
    repo = make_repo(tmp_path, {".gitignore": "target\n", "Cargo.toml": CRATE, "src/lib.rs": source})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    rules = {(issue["path"], issue["rule"], issue["severity"]) for issue in lint["issues"]}
    assert ("src/lib.rs", "clippy::needless_return", "warning") in rules
    assert ("src/lib.rs", "clippy::ptr_arg", "warning") in rules
    assert (lint["errors"], lint["files_checked"], lint["tool"]) == (0, 1, "clippy")
    # A bench for a nightly compiler isn't linted by a stable one, as it isn't outside; code that asks for one fails.
    repo.write({"benches/speed.rs": "#![feature(test)]\nextern crate test;\n"})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert (lint["errors"], lint["files_checked"]) == (0, 1)
    repo.write({"src/lib.rs": f"#![feature(test)]\n{source}"})
    assert repo.run("code:lint", gated=True).json("lint.json")["errors"] > 0


def test_a_declared_linter_replaces_detection(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"a.py": MESSY})
    command = [str(RUFF), "check", "--no-cache", "--output-format", "sarif", "."]
    config = {"lint": [{"command": command, "format": "sarif", "report": "-", "name": "style"}]}
    lint = repo.run("code:lint", gated=True, config=config).json("lint.json")
    assert lint["errors"] == 3
    assert (lint["tool"], lint["files_checked"]) == ("style", 1)
