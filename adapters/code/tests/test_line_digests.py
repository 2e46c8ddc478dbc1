"""The digest of a finding's line: of its content, and of nothing where nobody can say which line is meant."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from code_adapter.subject_files import SubjectFiles
from verigate.sdk.reports.line_digests import LineDigests


def digests(folder: Path, content: bytes, name: str = "a.py") -> LineDigests:
    (folder / name).write_bytes(content)
    return LineDigests(SubjectFiles(folder, (name,)))


@pytest.mark.parametrize(
    ("content", "line", "text"),
    [
        (b"one\ntwo\n", 1, "one"),
        (b"one\ntwo\n", 2, "two"),
        (b"one\r\ntwo\r\n", 2, "two"),
        (b"one\n  two \n", 2, "  two "),
        (b"one\n\n", 2, ""),
        ("\u00fc\n".encode(), 1, "\u00fc"),
        (b"one\x0ctwo\nthree", 2, "three"),
        (b"", 1, ""),
    ],
)
def test_a_line_is_known_by_its_content(tmp_path: Path, content: bytes, line: int, text: str) -> None:
    assert digests(tmp_path, content).of("a.py", line) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"one\n", 0),
        (b"one\n", 3),
        (b"one\n", -1),
        (b"", 2),
        (b"one\rtwo\n", 1),
        ("one\u2028two\n".encode(), 1),
        (b"\xff\n", 1),
    ],
)
def test_where_lines_are_disputed_there_is_none(tmp_path: Path, content: bytes, line: int) -> None:
    assert digests(tmp_path, content).of("a.py", line) is None


def test_notebooks_links_and_what_is_no_file_of_the_subject_have_none(tmp_path: Path) -> None:
    assert digests(tmp_path, b"one\n", "a.ipynb").of("a.ipynb", 1) is None
    assert digests(tmp_path, b"one\n").of("b.py", 1) is None
    (tmp_path / "link.py").symlink_to("a.py")
    assert LineDigests(SubjectFiles(tmp_path, ("link.py",))).of("link.py", 1) is None
