"""The content adapter on 320 texts of public packages, beside pandoc and markdown-it.

From the npm packages that other tests need, and from the source distributions of coverage and docutils. Where the
numbers differ, the file must show one of the causes that docs/content-adapter.md names.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import text_corpus
from schema_checks import check_by_schema

from verigate.config import schemas

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "adapters" / "content" / "bin" / "adapter-content"
COUNTS = {".md": 245, ".rst": 25, ".html": 50}
NAMES = ("scan", "wordcount", "headings", "images", "quotes")

IDEOGRAPHS = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
FRONT_MATTER = re.compile(r"\A---\s")
ALERT = re.compile(r"^> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]", re.MULTILINE)
FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
RAW_HTML = re.compile(r"</?[A-Za-z][^>]*>|<!--")


class Corpus:
    """The files, and what the adapter says about them."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "corpus"
        self.paths = text_corpus.collect(self.root, COUNTS)
        task = folder / "task"
        task.mkdir()
        environ = {"PATH": os.environ["PATH"], "GATE_PYTHON": sys.executable, "GATE_CONFIG": '{"exclude": []}'}
        for name in NAMES:
            argv = (str(ENTRY), f"content:{name}", "--task-dir", str(task))
            subprocess.run(argv, cwd=self.root, env=environ, check=True, timeout=120)
        self.facts: dict[str, Any] = {
            name: json.loads((task / "content" / f"{name}.json").read_bytes()) for name in NAMES
        }
        self.words = {entry["path"]: entry["word_count"] for entry in self.facts["wordcount"]["files"]}

    def of(self, suffix: str) -> list[str]:
        return [path for path in self.paths if path.endswith(suffix)]

    def text(self, path: str) -> str:
        return (self.root / path).read_text("utf-8", "replace")

    def levels(self, path: str) -> list[int]:
        return sorted(int(level[1]) for level, texts in self.facts["headings"][path].items() for _ in texts)

    def sources(self, path: str) -> list[str]:
        return [image["src"] for image in self.facts["images"][path]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("texts"))


def test_every_file_is_in_every_artifact(corpus: Corpus) -> None:
    assert len(corpus.paths) >= 300
    for name in ("scan", "wordcount"):
        assert [entry["path"] for entry in corpus.facts[name]["files"]] == corpus.paths
    for name in ("headings", "images", "quotes"):
        assert sorted(corpus.facts[name]) == corpus.paths
    assert corpus.facts["scan"]["files_total"] == len(corpus.paths)
    assert corpus.facts["wordcount"]["total"] == sum(corpus.words.values())


@pytest.mark.parametrize("name", NAMES)
def test_the_artifacts_fit_their_schemas(corpus: Corpus, name: str) -> None:
    check_by_schema(corpus.facts[name], schemas.bundle_schema(name))


def test_every_field_is_met_in_real_texts(corpus: Corpus) -> None:
    """Each field of the source document's table, with a value that only a reading of the text can give."""
    scanned = corpus.facts["scan"]["files"]
    assert all(entry["word_count"] == corpus.words[entry["path"]] <= entry["char_count"] for entry in scanned)
    assert sum(entry["char_count"] for entry in scanned) > 4 * corpus.facts["wordcount"]["total"] > 100_000
    for level in ("h1", "h2", "h3"):
        assert sum(len(entry[level]) for entry in corpus.facts["headings"].values()) > 100
    images = [image for found in corpus.facts["images"].values() for image in found]
    assert {"found", "missing", "remote"} <= {image["state"] for image in images}
    assert any(image["alt"] for image in images)
    assert any(image["alt"] is None for image in images)
    measured = [image for image in images if image["state"] == "found"]
    assert measured
    assert all(image["width"] > 0 and image["height"] > 0 for image in measured)
    assert all(image["width"] is None for image in images if image["state"] != "found")
    quotes = [quote for found in corpus.facts["quotes"].values() for quote in found]
    assert any(quote["source"] for quote in quotes)
    assert any(quote["source"] is None for quote in quotes)
    assert all(quote["text"] for quote in quotes)


def test_markdown_as_markdown_it_reads_it(corpus: Corpus) -> None:
    """Headings and images are the same in every file; words where none of the causes below is in the file."""
    paths = corpus.of(".md")
    other = text_corpus.by_markdown_it(corpus.root, paths)
    for path in paths:
        assert corpus.sources(path) == other[path].images, path
        if has_its_own_reading(corpus.text(path)):
            continue
        assert corpus.levels(path) == sorted(other[path].levels), path
        assert corpus.words[path] == other[path].words, path


@pytest.mark.release
@pytest.mark.parametrize("suffix", [".md", ".rst", ".html"])
def test_texts_as_pandoc_reads_them(corpus: Corpus, suffix: str) -> None:
    """The headings of nineteen files in twenty are the same, and one word in twenty is counted otherwise at most."""
    paths = corpus.of(suffix)
    other = text_corpus.by_pandoc(corpus.root, paths)
    plain = [path for path in paths if suffix != ".md" or not RAW_HTML.search(corpus.text(path))]
    assert len(plain) > len(paths) / 2
    levels = [corpus.levels(path) == sorted(other[path].levels) for path in plain]
    images = [len(corpus.sources(path)) == len(other[path].images) for path in plain]
    assert sum(levels) >= 0.95 * len(plain)
    assert sum(images) >= 0.95 * len(plain)
    ours, theirs = (sum(counts[path] for path in paths) for counts in (corpus.words, words_of(other)))
    assert abs(ours - theirs) < 0.05 * theirs
    if suffix == ".md":
        alike = [path for path in plain if not has_its_own_reading(corpus.text(path))]
        assert sum(corpus.words[path] == other[path].words for path in alike) >= 0.95 * len(alike)


def has_its_own_reading(source: str) -> bool:
    """Front matter, footnotes, alerts and scripts without spaces: none of them is in CommonMark."""
    return any(cause.search(source) for cause in (IDEOGRAPHS, FRONT_MATTER, FOOTNOTE, ALERT))


def words_of(found: dict[str, text_corpus.Independent]) -> dict[str, int]:
    return {path: facts.words for path, facts in found.items()}
