"""Which file of the repository is which page of the site, and where its links lead there."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^\s*(```+).*?^\s*\1\s*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")

TOP = {
    "README.md": "index.md",
    "AGENTS.md": "for-agents.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "examples/adapters/README.md": "example-adapters.md",
    "docs/decisions/README.md": "decisions/index.md",
}
"""Pages whose place on the site isn't their place below ``docs/``."""


def find_pages(root: Path) -> dict[str, str]:
    """Return repository path -> path in the staged folder, for every page of the site that is written by hand."""
    found = {name: place for name, place in TOP.items() if (root / name).is_file()}
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root).as_posix()
        found.setdefault(name, name.removeprefix("docs/"))
    for path in sorted((root / ".agents" / "skills").glob("*/SKILL.md")):
        found[path.relative_to(root).as_posix()] = f"skills/{path.parent.name}.md"
    return found


def find_pictures(root: Path) -> dict[str, str]:
    """Return repository path -> path in the staged folder, for every picture of a page."""
    paths = sorted((root / "docs" / "images").iterdir())
    return {path.relative_to(root).as_posix(): path.relative_to(root / "docs").as_posix() for path in paths}


def move_links(text: str, name: str, places: Mapping[str, str], source: str | None) -> str:
    """Return the Markdown ``text`` of the page ``name`` with its relative links as its place on the site needs them.

    A link to a file that is no page leads to ``source``, the address of the files of this repository; without one only
    the words of the link are left. Code is left as it is.
    """

    def move(found: re.Match[str]) -> str:
        image, words, link = found.groups()
        if re.match(r"[a-z]+:|#", link):
            return found[0]
        target, _, anchor = link.partition("#")
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if meant in places:
            moved = os.path.relpath(places[meant], posixpath.dirname(places[name]) or ".")
            return f"{image}[{words}]({moved}{'#' if anchor else ''}{anchor})"
        return words if source is None else f"{image}[{words}]({source}{meant})"

    return outside_code(text, lambda part: _LINK.sub(move, part))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return ``text`` with ``change`` applied to it with all code hidden: a link's words may hold some."""
    hidden: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found[0])
        return f"\ue000{len(hidden) - 1}\ue001"

    shown = change(_CODE.sub(hide, _FENCE.sub(hide, text)))
    while "\ue000" in shown:
        shown = re.sub("\ue000(\\d+)\ue001", lambda found: hidden[int(found[1])], shown)
    return shown
