from __future__ import annotations

import pytest

from verigate.domain.code_paths import is_code, is_document
from verigate.domain.subject import Change, ChangeKind

READ = (
    *("README.md", "docs/guide.RST", "notes.txt", "a b.markdown", "docs/é.adoc", "src/calc.py.md", ".github/help.md"),
    *("LICENSE", "docs/Changelog", "AUTHORS", "logo.png", "docs/a.SVG", "paper.pdf"),
    *("docs/testing.md", "docs/tests.md", "latest.txt", "test.md"),
)
CODE = (
    *("calc.py", "Makefile", ".gitignore", "package.json", "site.css", "script", "main.xyz", "CODEOWNERS"),
    *("index.html", "page.htm", "notes.ipynb", "x.mdx", "data.csv"),
    *("requirements.txt", "requirements/dev.txt", "dev-constraints.txt", "CMakeLists.txt"),
    *("a.egg-info/entry_points.txt", "src/A.dist-info/entry_points.txt", "conanfile.txt", "meson_options.txt"),
    *("test_api.txt", "docs/Testing.txt", "tests/expected.txt", "pkg/Tests/api.md", "go/testdata/a.txt", "tests/a.png"),
    *(".md", "docs/.txt", "md", "README.md.py", "README.md ", "README.md\n", "a\n.md", "\\xff.md", "a\u202emd.md"),
)


@pytest.mark.parametrize("path", READ)
def test_what_is_only_read(path: str) -> None:
    assert is_document(path)
    assert [is_code(Change(path, kind)) for kind in ChangeKind] == [False] * 3
    assert is_code(Change(path, ChangeKind.MODIFIED, plain=False)), "a link or an executable is code under any name"


@pytest.mark.parametrize("path", CODE)
def test_every_other_file_is_code(path: str) -> None:
    assert not is_document(path)
    assert [is_code(Change(path, kind)) for kind in ChangeKind] == [True] * 3
