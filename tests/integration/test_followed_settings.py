"""Files that settings are taken from are settings: what a configuration imports or extends, and arguments in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from change_repository import Content, change_repository

ESLINT = "import rules from './lint/rules.js';\nexport default [{ rules }];\n"
RULES = "export default { 'no-unused-vars': 'error', eqeqeq: ['error', 'always'] };\n"
BASE: dict[str, Content] = {
    "eslint.config.js": ESLINT,
    "lint/rules.js": RULES,
    "src/db.js": "export default 1;\n",
    "src/other.js": "export default 2;\n",
    "test/db.test.js": "import db from '#db';\nimport test from 'node:test';\ntest('db', () => { db; });\n",
    "package.json": '{"name": "a", "imports": {"#db": "./src/db.js"}, "scripts": {"test": "node --test"}}\n',
    "tsconfig.json": '{"extends": "./config/base"}\n',
    "config/base.json": '{"compilerOptions": {"strict": true}}\n',
    "Makefile": "test:\n\tpytest $$(cat pytest.args)\n\npart:\n\tpytest @more.txt\n",
    "pytest.args": "tests\n",
    "more.txt": "tests\n",
    ".mvn/maven.config": "-B\n",
    "pom.xml": "<project/>\n",
    "data.json": '{"strict": true}\n',
}

WEAKER: tuple[tuple[str, dict[str, Content], str], ...] = (
    ("a rule is off", {"lint/rules.js": RULES.replace("['error', 'always']", "'off'")}, "lint_config_weakened"),
    ("a rule is gone", {"lint/rules.js": RULES.replace(", eqeqeq: ['error', 'always']", "")}, "lint_config_weakened"),
    ("all rules are gone", {"lint/rules.js": None, "eslint.config.js": "export default [];\n"}, "lint_config_weakened"),
    (
        "the compiler asks for less",
        {"config/base.json": '{"compilerOptions": {"strict": false}}\n'},
        "lint_config_weakened",
    ),
    ("arguments by cat", {"pytest.args": "tests -k nothing\n"}, "check_command_weakened"),
    ("arguments by @", {"more.txt": "tests --deselect tests/test_a.py\n"}, "check_command_weakened"),
    ("arguments of Maven", {".mvn/maven.config": "-B -DskipTests\n"}, "check_command_weakened"),
    (
        "another module of the same name",
        {"package.json": str(BASE["package.json"]).replace("src/db.js", "src/other.js")},
        "checks_shadowed",
    ),
)
HONEST: tuple[tuple[str, dict[str, Content]], ...] = (
    ("one more rule", {"lint/rules.js": RULES.replace("{ ", "{ 'no-var': 'error', ")}),
    ("a stricter rule", {"lint/rules.js": RULES.replace("always", "smart")}),
    (
        "another file of that kind",
        {"data.json": '{"strict": false}\n', "src/other.js": "export default { eqeqeq: 'off' };\n"},
    ),
    ("a harmless argument", {"pytest.args": "tests -q\n", ".mvn/maven.config": "-B -T1C\n"}),
    (
        "a module that moved",
        {
            "package.json": str(BASE["package.json"]).replace("src/db.js", "src/store.js"),
            "src/db.js": None,
            "src/store.js": "export default 1;\n",
        },
    ),
)


def find(tmp_path: Path, after: dict[str, Content]) -> list[dict[str, Any]]:
    outcome = change_repository(tmp_path / "repo", BASE, after).run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    return [each for each in outcome.json("integrity.json")["findings"] if each["weight"] != "note"]


@pytest.mark.parametrize(("after", "kind"), [each[1:] for each in WEAKER], ids=[each[0] for each in WEAKER])
def test_a_weaker_followed_file_is_found(after: dict[str, Content], kind: str, tmp_path: Path) -> None:
    found = find(tmp_path, after)
    assert kind in {each["kind"] for each in found}, found


@pytest.mark.parametrize("after", [each[1] for each in HONEST], ids=[each[0] for each in HONEST])
def test_an_honest_edit_is_none(after: dict[str, Content], tmp_path: Path) -> None:
    assert find(tmp_path, after) == []
