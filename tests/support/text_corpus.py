"""Texts from public packages, and what other programs say about them: pandoc, and markdown-it read by lxml."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import npm_tools

SDISTS = {"docutils": "0.23", "coverage": "7.10.6"}
MOST_BYTES = 20_000
"""Above that pandoc's time for a file is no longer that of a test."""

_HERE = Path(__file__).parent / "independent"
_FORMATS = {".md": "gfm", ".rst": "rst", ".html": "html"}


@dataclass
class Independent:
    """What another program finds in a file. A word is a run without white space that has a letter or a digit."""

    words: int = 0
    levels: list[int] = field(default_factory=list)
    images: list[str] = field(default_factory=list)


def source_release(name: str, version: str) -> Path:
    """The source distribution of a PyPI package, fetched once."""
    folder = npm_tools.cache_folder() / "sdists" / f"{name}-{version}"
    if not folder.is_dir():
        part = folder.with_name(f".{folder.name}.{os.getpid()}")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        options = ("--no-deps", "--no-binary", name, "--quiet", "--dest", str(part))
        argv = (sys.executable, "-m", "pip", "download", *options, f"{name}=={version}")
        subprocess.run(argv, check=True, capture_output=True, timeout=300)
        archive = next(part.glob("*.tar.gz"))
        with tarfile.open(archive) as tar:
            tar.extractall(part, filter="data")
        archive.unlink()
        try:
            part.rename(folder)
        except OSError:  # another worker was first
            shutil.rmtree(part)
    return folder


def collect(target: Path, counts: Mapping[str, int]) -> list[str]:
    """Copy so many texts of each suffix from the packages, images beside them too; returns their sorted paths.

    Each content is taken once.
    """
    sources = [npm_tools.node_modules(), *(source_release(name, version) for name, version in SDISTS.items())]
    left, seen, taken = dict(counts), set(), []
    for source in sources:
        for path in sorted(source.rglob("*")):
            if path.suffix in {".png", ".svg", ".gif", ".jpg"} and path.is_file() and source != sources[0]:
                _copy(path, source, target)
            if not left.get(path.suffix) or not path.is_file() or path.is_symlink():
                continue
            content = path.read_bytes()
            if len(content) > MOST_BYTES or content in seen:
                continue
            seen.add(content)
            left[path.suffix] -= 1
            taken.append(_copy(path, source, target))
    assert not any(left.values()), left
    return sorted(taken)


def _copy(path: Path, source: Path, target: Path) -> str:
    name = f"{source.name.replace('node_modules', 'npm')}/{path.relative_to(source).as_posix()}"
    name = name.replace("node_modules/", "")
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, target / name)
    return name


def by_pandoc(root: Path, paths: Sequence[str]) -> dict[str, Independent]:
    """What one pandoc process finds in all of ``paths``."""
    listed = root.parent / "pandoc.list"
    listed.write_text("".join(f"{_FORMATS[Path(path).suffix]} {root / path}\n" for path in paths))
    argv = ("pandoc", "--from=markdown", "--to=plain", f"--lua-filter={_HERE / 'pandoc_facts.lua'}", "--quiet")
    environ = {"PATH": os.environ["PATH"], "LIST": str(listed), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(argv, env=environ, input=b"x", check=True, capture_output=True, timeout=120)
    found: dict[str, Independent] = {}
    now = Independent()
    for line in done.stdout.decode().splitlines():
        kind, _, value = line.partition("\t")
        if kind == "file":
            now = found.setdefault(Path(value).relative_to(root).as_posix(), Independent())
        elif kind == "heading":
            now.levels.append(int(value))
        elif kind == "image":
            now.images.append(value)
        elif kind == "text":
            now.words = words(value)
    return found


def by_markdown_it(root: Path, paths: Sequence[str]) -> dict[str, Independent]:
    """What lxml finds in the pages that one markdown-it process renders."""
    from lxml import html

    listed = root.parent / "markdown-it.list"
    listed.write_text("".join(f"{root / path}\n" for path in paths))
    argv = ("node", str(_HERE / "markdown_it.mjs"), str(npm_tools.markdown_parser()), str(listed))
    done = subprocess.run(argv, check=True, capture_output=True, timeout=120)
    found: dict[str, Independent] = {}
    for path, rendered in _pages(done.stdout):
        page = html.fromstring(f"<div>{rendered}</div>")
        headings = list(page.iter("h1", "h2", "h3", "h4", "h5", "h6"))
        facts = Independent(
            levels=[int(element.tag[1]) for element in headings if _is_told(element)],
            images=[element.get("src") or "" for element in page.iter("img")],
        )
        for element in page.xpath("//pre|//code|//kbd|//samp|//tt|//script|//style|//svg"):
            element.drop_tree()
        for element in page.iter("td", "th", "br", "p", "div", "li", "summary", "details", "h1", "h2", "h3"):
            element.tail = f" {element.tail or ''}"
        facts.words = words(page.text_content())
        found[Path(path).relative_to(root).as_posix()] = facts
    return found


def _is_told(heading: Any) -> bool:
    return bool(heading.text_content().strip() or any(image.get("alt") for image in heading.iter("img")))


def _pages(lines: bytes) -> Iterator[tuple[str, str]]:
    return (tuple(json.loads(line)) for line in lines.splitlines())


def words(text: str) -> int:
    """Runs without white space that have a letter or a digit."""
    return sum(any(character.isalnum() for character in run) for run in text.split())
