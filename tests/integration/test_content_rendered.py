"""Words as a browser shows them: real Chromium on pages that hide words, and on honest ones that look alike."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import hidden_words as hw
import psutil
import pytest
from PIL import Image
from release_tests import some_always

from content_adapter.headings import list_headings
from content_adapter.images import list_images
from content_adapter.quotes import list_quotes
from content_adapter.reading.page import Page
from content_adapter.rendering.render import Renderer
from content_adapter.word_count import count_words

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renderer]:
    """One browser for all pages, and a subject with what they refer to."""
    root = tmp_path_factory.mktemp("subject")
    (root / "hide.css").write_text(".x { opacity: 0 }")
    (root / "show.css").write_text(".x { opacity: .9 }")
    (root / "moving.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#fff">'
        '<animate attributeName="fill" values="#fff;#ddf" dur="1s" repeatCount="indefinite"/></rect></svg>'
    )
    Image.new("RGB", (90, 60), "#804020").save(root / "full.png")
    Image.new("RGBA", (90, 60), (0, 0, 0, 0)).save(root / "clear.png")
    rect = '<rect width="40" height="40"/>'
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><style>{}</style>' + rect + "</svg>"
    (root / "styled.svg").write_text(drawing.format("rect { opacity: 0 }"))
    (root / "drawn.svg").write_text(drawing.format("rect { fill: blue }"))
    (root / "blank.ttf").write_bytes(_blank_font())
    made = Renderer(root, ("",))
    yield made
    made.close()


def _blank_font() -> bytes:
    """A font of the machine, in which each glyph has an empty outline: all offsets of ``loca`` are 0 (OpenType)."""
    named = subprocess.run(("fc-match", "-f", "%{file}", "sans:fontformat=TrueType"), capture_output=True, check=True)
    font = bytearray(Path(os.fsdecode(named.stdout)).read_bytes())
    tables = (font[12 + 16 * n : 28 + 16 * n] for n in range(int.from_bytes(font[4:6])))
    (loca,) = (table for table in tables if table[:4] == b"loca")
    start, size = int.from_bytes(loca[8:12]), int.from_bytes(loca[12:16])
    font[start : start + size] = bytes(size)
    return bytes(font)


def count(renderer: Renderer, markup: str) -> tuple[int, int]:
    """Words that are shown for certain, and these with those that may be."""
    page = Page("page.html", "html", f"<!doctype html><body>{markup}")
    shown = page.with_shown(renderer.render("page.html", page.markup_to_show))
    return count_words(shown.text()), count_words(shown.text(doubtful=True))


@pytest.mark.parametrize("twins", some_always(hw.TWINS, lambda twins: twins.name, one_in=6))
def test_words_that_no_reader_sees_are_not_counted(renderer: Renderer, twins: hw.Twins) -> None:
    shown, trick = len(hw.BEFORE.split()) + twins.others, len(hw.TRICK.split())
    honest, _ = count(renderer, f"<p>{hw.BEFORE}</p>{twins.honest}")
    assert honest == shown + trick, "the honest page shows all"
    sure, most = count(renderer, f"<p>{hw.BEFORE}</p>{twins.lie}")
    # Seven words that run together are one.
    assert sure <= shown + 1
    assert (most <= shown + 1) is twins.gone


def shown_page(renderer: Renderer, markup: str) -> Page:
    page = Page("page.html", "html", f"<!doctype html><body>{markup}")
    return page.with_shown(renderer.render("page.html", page.markup_to_show))


def test_images_that_show_nothing_are_none(renderer: Renderer) -> None:
    markup = (
        "<h1>Pictures</h1><img src=full.png alt=full><img src=clear.png alt=clear><img src=missing.png alt=missing>"
        "<img src=full.png alt=hidden style='opacity:calc(1 - 1)'><img src=styled.svg alt=svg>"
        "<img src=drawn.svg alt=drawn>"
        "<img src=full.png alt=outside style='position:absolute;left:calc(-9px * 99)'>"
        "<p style='height:40px;overflow:hidden'><br><br><br><br><img src=full.png alt=cut></p>"
        "<img src=full.png alt=tall style='height:3000px'>"
    )
    known = frozenset(path.name for path in renderer.root.iterdir())
    images = list_images(shown_page(renderer, markup), renderer.root, known, ("",))
    states = {image["alt"]: image["state"] for image in images}
    assert states == {"full": "found", "missing": "missing", "drawn": "found", "tall": "found"}


def test_headings_and_quotes_that_no_reader_sees_are_none(renderer: Renderer) -> None:
    hidden = "style='position:absolute;top:calc(-9px * 99)'"
    markup = f"<h1>One</h1><h1 {hidden}>Two</h1><blockquote>Said here</blockquote><blockquote {hidden}>Not</blockquote>"
    page = shown_page(renderer, markup)
    assert list_headings(page)["h1"] == ["One"]
    assert [quote.text for quote in list_quotes(page)] == ["Said here"]


def test_code_is_left_to_the_setting(renderer: Renderer) -> None:
    page = shown_page(renderer, "<p>one <code>two</code></p><pre>three four</pre>")
    assert [count_words(page.text(code)) for code in ("none", "inline", "all")] == [1, 2, 4]


def test_scripts_of_a_page_are_refused_and_words_count_as_written(renderer: Renderer) -> None:
    markup = (
        "<p>one two</p><div hidden>more</div><script>document.body.append('a b c d');document.title='owned'</script>"
        "<img src=missing.png onerror=\"document.body.innerHTML=''\"><svg onload=\"document.body.innerHTML=''\"></svg>"
        "<iframe srcdoc='<script>parent.document.body.innerHTML=1</script>'></iframe><noscript>not this</noscript>"
        "<meta http-equiv=refresh content='0;url=other.html'>"
    )
    assert count(renderer, markup) == (2, 2)


@pytest.mark.release
@pytest.mark.parametrize(
    "reference",
    [
        "<link rel=stylesheet href='{}'>",
        "<style>@import '{}';</style>",
    ],
)
def test_sheets_outside_of_the_subject_are_never_read(renderer: Renderer, tmp_path: Path, reference: str) -> None:
    sheet = tmp_path / "outside.css"
    sheet.write_text(".x { display: none }")
    page = "<p>one</p><p class=x>two</p>"
    # A reader's browser would read it: nobody knows what of the page is shown.
    assert count(renderer, reference.format(sheet.as_uri()) + page) == (0, 2)
    assert count(renderer, reference.format("https://cdn.example/s.css") + page) == (0, 2)
    # Not to be found in the subject: left out, as by a browser.
    assert count(renderer, reference.format("../../" + str(sheet)) + page) == (2, 2)
    (renderer.root / "leads-out.css").unlink(missing_ok=True)
    (renderer.root / "leads-out.css").symlink_to(sheet)
    assert count(renderer, reference.format("leads-out.css") + page) == (0, 2)
    assert count(renderer, reference.format("https://fonts.googleapis.com/css2?family=Inter") + page) == (2, 2)


@pytest.mark.release
def test_long_pages_and_long_boxes_are_looked_at_whole(renderer: Renderer) -> None:
    lines = "".join(f"<p>line {number} of it</p>" for number in range(300))
    assert count(renderer, lines) == (1200, 1200)
    assert count(renderer, f"<style>p:nth-child(odd){{color:#fff}}</style>{lines}") == (600, 600)
    header = "<header style='position:sticky;top:0;height:150px;background:#ddd'>Two words</header>"
    assert count(renderer, header + lines) == (1202, 1202)
    assert count(renderer, f"<div style='height:200px;overflow:auto'>{lines}</div>") == (1200, 1200)
    assert count(renderer, f"<div style='height:200px;overflow:hidden'>{lines}</div>")[0] < 40


def call(
    root: Path, config: dict[str, object], path: str | None = None, mark: str = "unmarked"
) -> subprocess.CompletedProcess[str]:
    """The adapter by hand; all that it starts has the variable ``mark``."""
    task = root.parent / "task"
    task.mkdir(exist_ok=True)
    (task / "commitment.json").write_text("{}")
    python = Path(sys.executable)
    entry = Path(__file__).parents[2] / "adapters" / "content" / "src" / "start.py"
    env = {**os.environ, "GATE_CONFIG": json.dumps(config), mark: "1"} | ({} if path is None else {"PATH": path})
    return subprocess.run(
        (python, "-I", entry, "content:wordcount", "--task-dir", task),
        cwd=root, env=env, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.fixture
def written(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(("git", "init", "-q", root), check=True)
    for number in range(4):
        (root / f"{number}.html").write_text("<!doctype html><p>one two<p style='opacity:calc(.1 * .1)'>three")
    return root


@pytest.mark.release
def test_a_call_renders_in_parallel_and_leaves_no_process(written: Path) -> None:
    mark = f"of-{os.getpid()}-{id(written)}"
    done = call(written, {"rendered": True}, mark=mark)
    assert done.returncode == 0, done.stderr
    counted = json.loads((written.parent / "task" / "content" / "wordcount.json").read_bytes())
    assert (counted["rendered"], counted["total"], counted["total_doubtful"]) == (True, 8, 0)
    assert [process for process in psutil.process_iter(["environ"]) if mark in (process.info["environ"] or {})] == []


def test_without_chromium_nothing_is_rendered(written: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    git = shutil.which("git")
    assert git is not None
    (folder / "git").symlink_to(git)
    refused = call(written, {"rendered": True}, str(folder))
    assert refused.returncode == 1
    assert re.search(r"[0-9]\.html: Chromium isn't installed", refused.stderr)
    assert "apt-get install chromium" in refused.stderr
    static = call(written, {"rendered": "auto"}, str(folder))
    assert static.returncode == 0, static.stderr
    assert "pages are read without a browser: Chromium isn't installed" in static.stderr
    counted = json.loads((written.parent / "task" / "content" / "wordcount.json").read_bytes())
    assert (counted["rendered"], counted["total"], counted["total_doubtful"]) == (False, 8, 4)
    # Nobody can hide anything in these, and no browser is asked for.
    for page in written.glob("*.html"):
        page.unlink()
    (written / "page.md").write_text("# One\n\ntwo\n")
    assert call(written, {"rendered": True}, str(folder)).returncode == 0


def test_a_chromium_of_the_subject_is_never_started(written: Path) -> None:
    program = written / "bin" / "chromium"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\ntouch started\n")
    program.chmod(0o755)
    git = shutil.which("git")
    assert git is not None
    (program.parent / "git").symlink_to(git)
    refused = call(written, {"rendered": True}, str(program.parent))
    assert "Chromium isn't installed" in refused.stderr
    assert not (written / "started").exists()
