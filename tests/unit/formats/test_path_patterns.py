"""Patterns of a manifest's inputs."""

from __future__ import annotations

import pytest

from verigate.formats.path_patterns import match_paths


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", [b"a.py", b".py"], [b"src/a.py", b"a.pyc", b"A.PY", b"a.py/b"]),
        ("src/**/*.py", [b"src/a.py", b"src/deep/er/b.py"], [b"a.py", b"other/src/a.py", b"src/a.PY"]),
        ("**", [b"a", b"a/b/\xff\n.c"], []),
        ("**/a?.md", [b"ab.md", b"x/y/ac.md"], [b"a.md", b"a/.md", b"a/b.md"]),
        (":(icase)**/*.md", [b"README.MD", b"docs/a.Md"], [b"a.mdx"]),
        ("a+(b)[c].py", [b"a+(b)[c].py"], [b"aab.py", b"a+(b)c.py"]),
        (":(icase)\u00e9.md", ["\u00e9.md".encode(), "\u00e9.MD".encode()], [b"e.md"]),
    ],
)
def test_a_pattern_matches_whole_paths(pattern: str, matching: list[bytes], others: list[bytes]) -> None:
    matches = match_paths((pattern,))
    assert [path for path in matching if not matches(path)] == []
    assert [path for path in others if matches(path)] == []


def test_each_pattern_has_its_own_case_and_none_matches_nothing() -> None:
    matches = match_paths((":(icase)*.md", "*.py"))
    assert [path for path in (b"a.MD", b"a.py", b"a.PY") if matches(path)] == [b"a.MD", b"a.py"]
    assert not match_paths(())(b"")
