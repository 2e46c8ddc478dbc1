"""What silences a linter of scripts or texts, as findings of code:integrity."""

from __future__ import annotations

from typing import Any, cast

import pytest

from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.checks.silenced_linters import find_silenced_linters
from code_adapter.integrity.tools.text_linters import is_text_linter_file
from code_adapter.syntax.changes import ChangedFile, Side

YAML_DEFAULT = "extends: default\n"
PATHS = ("say.sh", "docs/guide.md", "a.yml", "node_modules/x/readme.md")


def _changes(*files: tuple[str, str | None, str | None]) -> ChangeSet:
    def side(path: str, source: str | None) -> Side | None:
        return None if source is None else Side(path, "100644", source.encode())

    changed = tuple(ChangedFile(side(path, old), side(path, new)) for path, old, new in files)
    return ChangeSet(changed, cast("Any", None), "b" * 40, (*PATHS, *(path for path, _, _ in files)))


def _found(*files: tuple[str, str | None, str | None]) -> list[tuple[str, str, str]]:
    return [(item.kind, item.weight, item.path) for item in find_silenced_linters(_changes(*files))]


@pytest.mark.parametrize(
    ("path", "old", "new", "weight"),
    [
        (".shellcheckrc", None, "disable=all\n", "weakening"),
        (".shellcheckrc", "disable=SC2086\n", "disable=SC2086,SC2164\n", "weakening"),
        ("scripts/.shellcheckrc", None, "extended-analysis=false\n", "weakening"),
        (".shellcheckrc", None, "disable=SC1091\n", "note"),
        (".yamllint", None, "rules: {}\n", "weakening"),
        (".yamllint", YAML_DEFAULT, "extends: relaxed\n", "weakening"),
        (".yamllint.yml", YAML_DEFAULT, YAML_DEFAULT + "rules: {key-duplicates: disable}\n", "weakening"),
        (".yamllint", YAML_DEFAULT, YAML_DEFAULT + "rules: {key-duplicates: {level: warning}}\n", "weakening"),
        (".yamllint", YAML_DEFAULT, YAML_DEFAULT + "ignore: |\n  a.yml\n", "weakening"),
        (".yamllint", YAML_DEFAULT, YAML_DEFAULT + "ignore: [node_modules/]\n", "note"),
        (".yamllint", YAML_DEFAULT, YAML_DEFAULT + "rules: {line-length: disable}\n", "note"),
        (".hadolint.yaml", None, "ignored: [DL3004]\n", "weakening"),
        (".hadolint.yaml", None, "override: {info: [DL3004]}\n", "weakening"),
        (".hadolint.yaml", None, "no-fail: true\n", "weakening"),
        (".codespellrc", None, "[codespell]\nskip = *\n", "weakening"),
        (".codespellrc", None, "[codespell]\nignore-regex = .*\n", "weakening"),
        ("setup.cfg", "", "[codespell]\nskip = docs/guide.md\n", "weakening"),
        ("pyproject.toml", "", '[tool.codespell]\nskip = "docs/*"\n', "weakening"),
        ("pyproject.toml", "", '[tool.codespell]\nignore-words-list = "hist"\n', "note"),
        (".markdownlint.json", None, '{"default": false}', "weakening"),
        (".markdownlint.yaml", "MD013: false\n", "MD013: false\nMD025: false\n", "weakening"),
        (".markdownlintignore", None, "docs/\n", "weakening"),
        (".bandit", None, "[bandit]\nskips: B307\n", "weakening"),
    ],
)
def test_settings(path: str, old: str | None, new: str, weight: str) -> None:
    assert is_text_linter_file(path)
    assert _found((path, old, new)) == [("lint_config_weakened", weight, path)]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (".shellcheckrc", "disable=SC2086\n", "# stricter\nenable=all\n"),
        (".shellcheckrc", "disable=SC2086\n", None),
        (".yamllint", None, YAML_DEFAULT + "rules: {line-length: {max: 120}}\n"),
        (".codespellrc", None, "[codespell]\ncheck-hidden = true\n"),
        ("pyproject.toml", "", "[tool.other]\nskip = '*'\n"),
        (".markdownlint.json", None, '{"MD013": {"line_length": 120}}'),
    ],
)
def test_settings_that_ask_no_less(path: str, old: str | None, new: str | None) -> None:
    assert _found((path, old, new)) == []


def test_a_setting_may_move() -> None:
    one, two = ".codespellrc", "setup.cfg"
    text = "[codespell]\nskip = docs/guide.md\n"
    assert _found((one, text, None), (two, "", text)) == []


def test_settings_that_can_not_be_read() -> None:
    assert _found((".yamllint", None, "rules: [\n")) == [("unexamined", "weakening", ".yamllint")]
    assert _found((".hadolint.yaml", None, "override: [1]\n")) == [("unexamined", "weakening", ".hadolint.yaml")]


@pytest.mark.parametrize(
    ("path", "line", "weight"),
    [
        ("say.sh", "# shellcheck disable=all", "weakening"),
        ("say.sh", "# shellcheck shell=sh disable=SC2086", "weakening"),
        ("say.sh", "# shellcheck disable=SC2086 # the words are options, one by one", "note"),
        ("say.sh", "# shellcheck disable=all # it has its reasons", "weakening"),
        ("a.yml", "# yamllint disable", "weakening"),
        ("a.yml", "b: 1  # yamllint disable-line rule:key-duplicates", "weakening"),
        ("a.yml", "# yamllint disable rule:line-length", "note"),
        ("Dockerfile", "# hadolint ignore=DL3004", "weakening"),
        ("Dockerfile.dev", "# hadolint global ignore=DL3008", "note"),
        ("docs/guide.md", "<!-- markdownlint-disable -->", "weakening"),
        ("docs/guide.md", "<!-- markdownlint-disable-next-line MD025 -->", "weakening"),
        ("docs/guide.md", "<!-- markdownlint-disable MD013 -->", "note"),
        ("docs/guide.md", "teh <!-- codespell:ignore -->", "weakening"),
        ("k.py", 'KEY = "x"  # pragma: allowlist secret', "weakening"),
        ("k.py", 'KEY = "x"  # pragma: allowlist secret, the example of the manual', "note"),
    ],
)
def test_directives(path: str, line: str, weight: str) -> None:
    assert _found((path, "one\n", f"one\n{line}\n")) == [("suppression_added", weight, path)]
    # What stood in base already, or only moved, is not new.
    assert _found((path, f"{line}\none\n", f"two\none\n{line}\n")) == []
    assert _found((path, f"{line}\n", "one\n"), (f"more/{path}", None, f"{line}\n")) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("docs/guide.md", "Write `# shellcheck disable=SC2086` before the line."),
        ("notes.txt", "<!-- markdownlint-disable -->"),
        ("say.sh", "# shellcheck source=lib.sh"),
        ("a.yml", "# yamllint enable"),
    ],
)
def test_words_that_silence_nothing(path: str, line: str) -> None:
    assert _found((path, "one\n", f"one\n{line}\n")) == []
