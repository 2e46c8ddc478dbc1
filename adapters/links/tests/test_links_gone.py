"""A link of the base that a text lost is gone; one that was replaced or moved isn't."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from links_call import Called

BASE = {
    "docs/a.md": "# A\n\n[gone](https://gone.example/) and [this](b.md)\n",
    "docs/b.md": "# B\n\nNothing.\n",
    "c.rst": "See `it <https://rst.example/>`__.\n",
    "d.adoc": "= D\n\nhttps://adoc.example/[it]\n",
}


def find_gone(tmp_path: Path, change: Mapping[str, str | None], config: Any = None) -> list[dict[str, str]]:
    called = Called(tmp_path)
    write(called.root, BASE)
    for command in (["init", "-q"], ["add", "--all"], ["commit", "-q", "-m", "base"]):
        git(called.root, *command)
    write(called.root, change)
    called.run("discover", config)
    found: list[dict[str, str]] = called.has("gone")
    return found


def write(root: Path, files: Mapping[str, str | None]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)


def git(root: Path, *command: str) -> None:
    names = {f"GIT_{who}_{what}": "a@a.example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {"PATH": os.environ["PATH"], "HOME": str(root.parent), **names}
    subprocess.run(["git", *command], cwd=root, env=env, check=True)


LOST = {"url": "https://gone.example/", "file": "docs/a.md"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({"docs/a.md": "# A\n\nno link but [this](b.md)\n"}, [LOST]),
        ({"docs/a.md": "# A\n\n`https://gone.example/` and [this](b.md)\n"}, [LOST]),
        ({"docs/a.md": None, "docs/z.md": "# A\n\nno link but [this](b.md)\n"}, [LOST]),
        ({"docs/a.md": None}, [{"url": "docs/b.md", "file": "docs/a.md"}, LOST]),
        ({"c.rst": "See.\n"}, [{"url": "https://rst.example/", "file": "c.rst"}]),
        ({"d.adoc": "= D\n"}, [{"url": "https://adoc.example/", "file": "d.adoc"}]),
        ({"docs/a.md": "# A\n\n[now](https://new.example/) and [this](b.md)\n"}, []),
        ({"docs/a.md": "# A\n\n[this](b.md)\n", "docs/b.md": "# B\n\n<https://gone.example/>\n"}, []),
        ({"docs/a.md": None, "docs/z.md": BASE["docs/a.md"]}, []),
        ({"docs/b.md": "# B\n\nSomething.\n"}, []),
    ],
    ids=["deleted", "code", "renamed", "file", "rst", "adoc", "replaced", "moved", "moved file", "untouched"],
)
def test_what_is_gone(tmp_path: Path, change: Mapping[str, str | None], gone: list[dict[str, str]]) -> None:
    assert find_gone(tmp_path, change) == gone


@pytest.mark.slow
def test_what_is_excluded_was_no_link(tmp_path: Path) -> None:
    assert find_gone(tmp_path, {"docs/a.md": "# A\n"}, {"exclude": ["gone", "b.md"]}) == []


@pytest.mark.slow
def test_outside_git_nothing_is_gone(tmp_path: Path) -> None:
    called = Called(tmp_path)
    write(called.root, BASE)
    called.run("discover")
    assert called.has("gone") == []
