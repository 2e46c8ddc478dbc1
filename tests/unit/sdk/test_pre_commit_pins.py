"""Which version of a tool .pre-commit-config.yaml pins, and what isn't one."""

from __future__ import annotations

import pytest

from verigate.sdk.pre_commit_pins import read_pinned_version

REPO = "repos:\n- repo: https://github.com/astral-sh/ruff-pre-commit{end}\n  rev: {rev}\n  hooks: [{{id: ruff}}]\n"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (REPO.format(end="", rev="v0.15.16"), "0.15.16"),
        (REPO.format(end=".git", rev="'0.9.1'"), "0.9.1"),
        (REPO.format(end="", rev="0123456789012345678901234567890123456789"), None),
        (REPO.format(end="", rev="[1]"), None),
        (REPO.format(end="-other", rev="v1.2.3"), None),
        ("# astral-sh/ruff-pre-commit\nrepos: []\n", None),
        ("repos: [\n astral-sh/ruff-pre-commit", None),
        ("!!python/object/apply:os.system ['astral-sh/ruff-pre-commit']", None),
        ("astral-sh/ruff-pre-commit" + "[" * 5000, None),
        ("", None),
    ],
)
def test_the_revision_of_the_mirror_is_the_version(text: str, version: str | None) -> None:
    assert read_pinned_version(text, "ruff") == version
