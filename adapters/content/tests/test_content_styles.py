"""What styles hide, certainly or possibly, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from content_adapter.reading.page import read_page
from content_adapter.styles.media_queries import Holds, holds_on_screen
from content_adapter.styles.visibility import Visibility, judge
from content_adapter.visible_text import extract_text


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;left:-9999px",
        "position: fixed; top: -1000vh",
        "position:absolute;left:9999px",
        "height:0;overflow:hidden",
        "max-height:0;overflow-y:clip",
        "width:0;height:0;overflow:hidden",
        "width:1px;height:1px;overflow:hidden",
        "opacity:.001",
        "opacity:0%",
        "filter:opacity(0)",
        "position:absolute;clip:rect(0,0,0,0)",
        "clip-path:inset(100%)",
        "clip-path:circle(0)",
        "transform:scale(0)",
        "transform:translateX(-9999px)",
        "scale:0",
        "zoom:0",
        "text-indent:-9999px",
        "margin-left:-9999px",
        "font-size:.01px",
        "font:0/0 a",
        "color:rgba(0,0,0,0)",
        "color:rgb(0 0 0 / 1%)",
        "color:#00000000",
        "color:#0000",
        "-webkit-text-fill-color:transparent",
        "color:#fff;background:#FFFFFF",
        "DISPLAY : none !important",
    ],
)
def test_a_style_that_hides(style: str) -> None:
    assert judge(style) is Visibility.HIDDEN
    assert extract_text(f"<p>one</p><div style='{style}'>two</div>", doubtful=True).split() == ["one"]


@pytest.mark.parametrize(
    "style",
    [
        "left:-9999px",
        "height:0",
        "opacity:calc(1 - 1)",
        "font-size:calc(1px * 0)",
        "clip-path:polygon(0 0, 0 0, 0 0)",
        "clip-path:url(#a)",
        "mask:url(a.svg)",
        "filter:blur(9px)",
        "transform:matrix(0,0,0,0,0,0)",
        "transform:rotateY(90deg)",
        "word-spacing:-1em",
        "letter-spacing:-1em",
        "line-height:0",
        "color:color-mix(in srgb, red, transparent)",
        "color:transparent;background-clip:text",
    ],
)
def test_a_style_that_only_a_browser_understands(style: str) -> None:
    assert judge(style) in {Visibility.DOUBTFUL, Visibility.HIDDEN}
    page = f"<p>one</p><div style='{style}'>two</div>"
    assert extract_text(page).split() == ["one"]


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;left:50%;top:-8px;transform:translate(-50%,-50%)",
        "position:relative;inset:0",
        "height:100vh;overflow:hidden",
        "max-width:60em;margin:-16px auto 0",
        "width:calc(100% - 2rem)",
        "font-size:clamp(1rem, 2vw, 3rem)",
        "font:bold 12px/1.5 serif",
        "font:700 1rem sans-serif",
        "opacity:.6;filter:grayscale(1)",
        "color:rgba(0,0,0,.87);background:#fff",
        "color:white;background:black",
        "color:rgb(10 20 30)",
        "letter-spacing:-.02em",
        "line-height:1.5",
        "transform:rotate(-2deg) scale(1.1)",
        "display:grid;visibility:visible",
        "text-indent:2em",
        "animation:fade 1s",
        "clip:auto;clip-path:none;transform:none",
    ],
)
def test_an_honest_style(style: str) -> None:
    assert judge(style) is Visibility.SHOWN
    assert extract_text(f"<p>one</p><div style='{style}'>two</div>").split() == ["one", "two"]


@pytest.mark.parametrize(
    ("sheet", "sure", "most"),
    [
        ("@media screen { .x { display: none } }", 1, 1),
        ("@media all and (min-width: 1px) { .x { display: none } }", 1, 1),
        ("@media (max-width: 5000px) { .x { display: none } }", 1, 1),
        ("@media not print { .x { display: none } }", 1, 1),
        ("@media (min-width: 1500px) { .x { display: none } }", 1, 2),
        ("@media (unheard-of: 1) { .x { display: none } }", 1, 2),
        ("@media print { .x { display: none } }", 2, 2),
        ("@media (max-width: 600px) { .x { display: none } }", 2, 2),
        ("@media (prefers-color-scheme: dark) { .x { color: transparent } }", 2, 2),
        ("@supports (display: block) { .x { display: none } }", 1, 1),
        ("@supports not (display: nothing) { .x { display: none } }", 1, 2),
        ("@layer a { .x { display: none } }", 1, 1),
        ("@container (width > 1px) { .x { display: none } }", 1, 2),
        ("body { & .x { display: none } }", 1, 1),
        ("body { .x { display: none } }", 1, 1),
        ("@media screen { @layer b { div { &.x { opacity: 0 } } } }", 1, 1),
        (":root { --v: none } .x { display: var(--v) }", 1, 1),
        (":root { --v: var(--w); --w: none } .x { display: var(--v) }", 1, 1),
        (":root { --v: none } .dark { --v: block } .x { display: var(--v) }", 1, 2),
        (".x { display: var(--nowhere, none) }", 1, 1),
        (":root { --gap: 2rem } .x { margin: var(--gap); color: var(--text, #333) }", 2, 2),
        ("@keyframes go { to { opacity: 0 } } .x { animation: go 1s forwards }", 1, 2),
        ("@keyframes come { from { opacity: 0 } to { opacity: 1 } } .x { animation: come 1s }", 2, 2),
        (".x:hover { display: none } .x::before { display: none }", 2, 2),
        (".x:nonsense(1) { display: none }", 1, 2),
    ],
)
def test_rules_of_a_sheet(sheet: str, sure: int, most: int) -> None:
    page = f"<style>{sheet}</style><body><p>one</p><div class=x>two</div>"
    if "nonsense" in sheet:
        sure = 0
    assert len(extract_text(page).split()) == sure
    assert len(extract_text(page, doubtful=True).split()) == most


@pytest.mark.parametrize(
    ("head", "sure", "most"),
    [
        ("<link rel=stylesheet href=s.css>", 1, 1),
        ("<link rel='stylesheet' href='/static/s.css?v=1'>", 1, 1),
        ("<style>@import url(s.css);</style>", 1, 1),
        ("<link rel=stylesheet href=imports.css>", 1, 1),
        ("<link rel=stylesheet href=s.css media=print>", 2, 2),
        ("<link rel='alternate stylesheet' href=s.css>", 2, 2),
        ("<link rel=stylesheet href=nowhere.css>", 2, 2),
        ("<link rel=stylesheet href='https://fonts.googleapis.com/css2?family=Inter'>", 2, 2),
        ("<link rel=stylesheet href=plain.css>", 2, 2),
        ("<link rel=stylesheet href=https://cdn.example/s.css>", 0, 2),
        ("<base href=https://cdn.example/><link rel=stylesheet href=plain.css>", 0, 2),
        ("<link rel=stylesheet href=../../etc/passwd>", 2, 2),
        ("<link rel=stylesheet href=circle.css>", 0, 2),
    ],
)
def test_linked_sheets_of_the_subject_are_read(tmp_path: Path, head: str, sure: int, most: int) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "static").mkdir()
    for folder in ("docs", "static"):
        (tmp_path / folder / "s.css").write_text(".x{display:none} /* </style> */")
    (tmp_path / "docs" / "imports.css").write_text("@import 's.css' screen;")
    (tmp_path / "docs" / "circle.css").write_text("@import 'circle.css';")
    (tmp_path / "docs" / "plain.css").write_text("body{color:#222;font-size:1rem}")
    (tmp_path / "docs" / "p.html").write_text(f"<head>{head}</head><body><p>one</p><div class=x>two</div></body>")
    page = read_page(tmp_path, "docs/p.html")
    assert len(page.text().split()) == sure
    assert len(page.text(doubtful=True).split()) == most


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("", Holds.YES),
        ("print, screen", Holds.YES),
        ("only screen and (min-width: 40em)", Holds.YES),
        ("not screen", Holds.NO),
        ("(width >= 600px)", Holds.MAYBE),
        ("speech", Holds.NO),
    ],
)
def test_media_queries(query: str, holds: Holds) -> None:
    assert holds_on_screen(query) is holds


def test_hostile_sheets_end(tmp_path: Path) -> None:
    deep = "a{" * 5000 + "display:none" + "}" * 5000
    assert isinstance(extract_text(f"<style>{deep}</style><p>one</p>"), str)
    loop = ":root{--a:var(--b);--b:var(--a)} p{display:var(--a)}"
    assert extract_text(f"<style>{loop}</style><p>one</p>").split() == []
    wide = ":root{" + "--v:none;" * 20000 + "}"
    assert extract_text(f"<style>{wide}</style><p>one</p>").split() == ["one"]
