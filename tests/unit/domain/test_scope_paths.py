"""Which paths the names in a commitment's scope stand for."""

from __future__ import annotations

import pytest

from verigate.domain.scope_paths import named_by

PATHS = ("README.md", "docs/a.md", "docs/deep/b.rst", "docs.md", "src/a.py")

NAMED = [
    ([], None, []),
    ([], ".", []),
    ([], "./", []),
    ([], "./docs/", ["docs/a.md", "docs/deep/b.rst"]),
    ([], "docs/deep", ["docs/deep/b.rst"]),
    (["docs"], None, ["docs/a.md", "docs/deep/b.rst"]),
    (["./docs/"], None, ["docs/a.md", "docs/deep/b.rst"]),
    (["docs/a.md"], None, ["docs/a.md"]),
    (["a.md"], None, []),
    (["*.md"], None, ["README.md", "docs.md"]),
    (["**/*.md"], None, ["README.md", "docs/a.md", "docs.md"]),
    (["/docs/*.md"], None, ["docs/a.md"]),
    (["src/[ab].py", "README.md"], "docs/deep", ["README.md", "docs/deep/b.rst", "src/a.py"]),
    (["", "./", "/"], "", []),
]


@pytest.mark.parametrize(("files", "directory", "expected"), NAMED)
def test_what_a_scope_names(files: list[str], directory: str | None, expected: list[str]) -> None:
    assert list(filter(named_by(files, directory), PATHS)) == expected
