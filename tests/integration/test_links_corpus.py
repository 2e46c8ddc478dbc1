"""The links of 310 texts of public packages, and what lychee itself finds in the same files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
import text_corpus
from docutils import nodes
from links_call import Called

from links_adapter.link_names import name_link
from links_adapter.rst import _parse

COUNTS = {".md": 180, ".html": 60, ".txt": 20, ".rst": 50}
_DUMPED = re.compile(r"(.*) \((/.*?)\)(?: \[excluded\])?")


class Corpus(Called):
    """The texts, what the adapter found, and per file what ``lychee --dump`` did."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.paths = text_corpus.collect(self.root, COUNTS)
        self.run("discover")
        self.run("check", {"network": False})
        self.run("resample", {"network": False})
        self.ours: dict[str, Counter[str]] = defaultdict(Counter)
        for url, places in self.has("locations").items():
            for place in places:
                self.ours[place["file"]][url] += 1
        self.dumped: dict[str, Counter[str]] = defaultdict(Counter)
        for path, url in self._dump():
            self.dumped[path][url] += 1

    def _dump(self) -> Iterator[tuple[str, str]]:
        program = Path(sys.executable).parent / "lychee"
        options = ("--config", "/dev/null", "--dump", "--verbose", "--no-progress", "--no-ignore", "--hidden")
        files = [str(self.root / path) for path in self.paths]
        argv = [str(program), *options, "--include-mail", "--root-dir", str(self.root), *files]
        done = subprocess.run(argv, cwd=self.task, check=True, capture_output=True, text=True, timeout=60)
        for line in done.stdout.splitlines():
            match = _DUMPED.fullmatch(line)
            assert match is not None, line
            yield Path(match[2]).relative_to(self.root).as_posix(), name_link(match[1], self.root)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("links"))


def test_markdown_html_and_plain_text_have_the_links_that_lychee_dumps(corpus: Corpus) -> None:
    compared = [path for path in corpus.paths if not path.endswith(".rst")]
    differing = {path for path in compared if corpus.ours[path] != corpus.dumped[path]}
    assert not differing
    assert len(compared) == 260
    assert sum(sum(corpus.ours[path].values()) for path in compared) > 2000


@pytest.mark.release
def test_in_restructuredtext_lychee_finds_only_what_is_no_link(corpus: Corpus) -> None:
    """URLs in comments and in literal text, or cut off at the end of a line."""
    compared = [path for path in corpus.paths if path.endswith(".rst")]
    assert len(compared) == 50
    unexplained = []
    for path in compared:
        ours = corpus.ours[path]
        tree = _parse((corpus.root / path).read_text("utf-8", "replace"))
        quiet = (nodes.comment, nodes.literal, nodes.literal_block, nodes.doctest_block, nodes.raw, nodes.problematic)
        apart = " ".join(node.astext() for kind in quiet for node in tree.findall(kind)).lower()
        for url in corpus.dumped[path].keys() - ours.keys():
            bare = url.removeprefix("mailto:").rstrip("/").lower()
            if bare not in apart and not any(bare in found.lower() for found in ours):
                unexplained.append((path, url))
    assert unexplained == []
    assert sum(sum(corpus.ours[path].values()) for path in compared) > 500


def test_every_link_has_a_place_and_a_status_and_what_was_read_is_counted(corpus: Corpus) -> None:
    urls, places, statuses = corpus.has("urlset"), corpus.has("locations"), corpus.has("statuses")
    assert urls == sorted(places) == sorted(statuses)
    meta = corpus.has("discover.meta")
    assert sorted(meta["files"]) == corpus.paths
    assert meta["links"] == sum(meta["files"].values()) == sum(sum(found.values()) for found in corpus.ours.values())
    assert meta["unique"] == len(urls)
    lines = {path: (corpus.root / path).read_bytes().count(b"\n") + 1 for path in corpus.paths}
    assert all(1 <= p["line"] <= lines[p["file"]] and p["column"] >= 1 for found in places.values() for p in found)
    told = Counter(str(status) for url, status in statuses.items() if not url.startswith(("http://", "https://")))
    assert {"200", "FILE_NOT_FOUND", "FRAGMENT_NOT_FOUND", "NOT_FETCHED"} <= set(told)
    assert {statuses[url] for url in urls if url.startswith(("http://", "https://"))} <= {"NETWORK_FORBIDDEN"}
    assert corpus.has("check.meta")["links"] == corpus.has("check.meta")["checked"] == len(urls)
    assert corpus.has("resample") == {}
