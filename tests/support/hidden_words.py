"""Tricks that hide words from readers, each with an honest page that looks much the same in its source.

``TRICK`` stands for seven words in each page. Where a page is a lie, no reader sees them, or not all readers do.
"""

from __future__ import annotations

from typing import NamedTuple

TRICK = "these seven words are what it hides"
BEFORE = "Two words."


class Twins(NamedTuple):
    """``gone``: a reader can't get at the words at all; otherwise some can, and they are doubtful.

    ``others`` are words that both pages show besides.
    """

    name: str
    lie: str
    honest: str
    gone: bool = True
    others: int = 0


def _styled(name: str, lie: str, honest: str, *, gone: bool = True) -> Twins:
    page = "<div style='{}'>" + TRICK + "</div>"
    return Twins(name, page.format(lie), page.format(honest), gone)


def _sheet(name: str, lie: str, honest: str, *, gone: bool = True, inner: str = TRICK) -> Twins:
    page = "<style>{}</style><div class=x>" + inner + "</div>"
    return Twins(name, page.format(lie), page.format(honest), gone)


_BLANK_FONT = "@font-face{{font-family:f;src:url({})}} .x{{font-family:f,serif}}"  # the subject has blank.ttf
_LETTERS = "".join(f"<i class=l>{letter}</i>" for letter in TRICK.replace(" ", "\u00a0"))

TWINS: tuple[Twins, ...] = (
    _styled(
        "left of the window", "position:absolute;left:calc(10px - 900px)", "position:absolute;left:calc(90px - 10px)"
    ),
    _styled("above the window", "position:absolute;top:calc(-20 * 5em)", "position:absolute;top:calc(20px * 5)"),
    _styled(
        "far right of the window", "position:absolute;left:500vw;width:50vw", "position:absolute;left:30vw;width:50vw"
    ),
    _styled("no height", "height:calc(1px - 1px);overflow:hidden", "height:calc(99px - 1px);overflow:hidden"),
    _styled(
        "no width", "max-width:calc(0 * 1em);overflow:clip;white-space:nowrap", "max-width:calc(99 * 1em);overflow:clip"
    ),
    _styled("a slit that scrolls", "height:3px;overflow:auto", "height:3em;overflow:auto"),
    _styled("opacity that multiplies", "opacity:calc(.2 * .2)", "opacity:calc(2 * .4)"),
    _styled("opacity of a filter", "filter:opacity(calc(1% + 1%))", "filter:opacity(calc(80% + 1%))"),
    _styled(
        "clipped by a rectangle",
        "position:absolute;clip:rect(4px,4px,5px,5px)",
        "position:absolute;clip:rect(0,900px,90px,0)",
    ),
    _styled(
        "clipped by a polygon", "clip-path:polygon(0 0,1px 0,1px 1px)", "clip-path:polygon(0 0,100% 0,100% 100%,0 100%)"
    ),
    _styled("clipped by a path", 'clip-path:path("M0 0h1v1z")', 'clip-path:path("M0 0h900v90h-900z")'),
    _styled("masked", "mask:linear-gradient(transparent,transparent)", "mask:linear-gradient(#000,#000)"),
    _styled("scaled away", "transform:matrix(.01,0,0,.01,0,0)", "transform:matrix(1,0,0,1,4,0)"),
    _styled("turned away", "transform:rotateX(90deg)", "transform:rotateX(20deg)"),
    _styled(
        "its back turned",
        "transform:rotateY(.5turn);backface-visibility:hidden",
        "transform:rotateY(1turn);backface-visibility:hidden",
    ),
    _styled("blurred", "filter:blur(12px)", "filter:blur(0)"),
    _styled("white on white", "color:color-mix(in srgb, white, #fefefe)", "color:color-mix(in srgb, black, #333)"),
    _styled(
        "the colour of a picture",
        "color:#123456;background:linear-gradient(#123456,#123456)",
        "color:#fff;background:linear-gradient(#123456,#123456)",
    ),
    _styled("a blend that takes it back", "color:#fff;mix-blend-mode:multiply", "color:#333;mix-blend-mode:multiply"),
    _styled("a font of nothing", "font-size:calc(.02px * 3)", "font-size:calc(6px * 3)"),
    _styled("letters on top of each other", "letter-spacing:-2em", "letter-spacing:.02em"),
    _styled(
        "lines on top of each other",
        "line-height:0;width:3em;margin:2em",
        "line-height:1.2;width:3em;margin:2em",
        gone=False,
    ),
    _styled("zoomed away", "zoom:calc(1% + 1%)", "zoom:calc(90% + 1%)"),
    _styled("discs for letters", "-webkit-text-security:disc", "-webkit-text-security:none"),
    _styled(
        "content that isn't laid out", "content-visibility:hidden;height:2em", "content-visibility:auto;height:2em"
    ),
    _styled("fixed below the window", "position:fixed;top:calc(100vh + 9px)", "position:fixed;top:calc(100vh - 90px)"),
    _styled(
        "underlined, but nothing above it",
        "color:#fff;text-decoration:underline #000",
        "color:#000;text-decoration:underline #000",
    ),
    _sheet(
        "an animation that ends hidden",
        "@keyframes a{to{opacity:0}} .x{animation:a 1s forwards}",
        "@keyframes a{from{opacity:0}} .x{animation:a 1s}",
    ),
    _sheet(
        "an animation that begins in a year",
        "@keyframes a{to{opacity:1}} .x{opacity:0;animation:a 1s 9999999s forwards}",
        "@keyframes a{to{opacity:1}} .x{opacity:0;animation:a 1s 1s forwards}",
    ),
    _sheet(
        "a transition that would take a year",
        ".x{color:#fff !important;transition:all 9999999s !important}",
        ".x{color:#222 !important;transition:all 1s !important}",
    ),
    _sheet(
        "on paper only",
        ".x{display:none} @media print{.x{display:block}}",
        "@media print{.x{display:none}}",
        gone=False,
    ),
    _sheet(
        "in the dark",
        "html{color-scheme:light dark} @media (prefers-color-scheme:dark){.x{color:#121212}}",
        "html{color-scheme:light dark} @media (prefers-color-scheme:dark){.x{color:#eee}}",
        gone=False,
    ),
    _sheet(
        "in narrow windows only",
        ".x{display:none} @media (width < 500px){.x{display:block}}",
        "@media (width < 500px){.x{display:none}}",
        gone=False,
    ),
    _sheet(
        "in one window only",
        "@media (width > 1700px){.x{visibility:hidden}}",
        "@media (width > 1700px){.x{color:#222}}",
        gone=False,
    ),
    _sheet(
        "by a container",
        ":root{container-type:inline-size} @container (width > 1px){.x{display:none}}",
        ":root{container-type:inline-size} @container (width < 1px){.x{display:none}}",
    ),
    _sheet("by a condition of the parent", "body:has(.x) .x{visibility:hidden}", "body:has(.y) .x{visibility:hidden}"),
    _sheet(
        "a variable that is set elsewhere",
        "@property --v{syntax:'*';inherits:true;initial-value:none} .x{display:var(--v)}",
        "@property --v{syntax:'*';inherits:true;initial-value:block} .x{display:var(--v)}",
    ),
    _sheet("words that nothing is between", ".x{word-spacing:-.24em}", ".x{word-spacing:-.02em}"),
    _sheet("a font without glyphs", _BLANK_FONT.format("blank.ttf"), _BLANK_FONT.format("missing.ttf")),
    _sheet(
        "behind a cover",
        ".x::after{content:'';position:absolute;inset:0;background:#ddd}.x{position:relative}",
        ".x::before{content:'';position:absolute;inset:0;background:#ddd;z-index:-1}.x{position:relative;z-index:0}",
    ),
    _sheet(
        "behind generated words",
        ".x{color:#fff;position:relative}.x::after{content:'other words here';position:absolute;left:0;color:#000}",
        ".x{position:relative}.x::after{content:'other words here';color:#000}",
    ),
    _sheet("in a sheet of the subject", "@import 'hide.css';", "@import 'show.css';"),
    _sheet(
        "in a nested window that hides",
        ".x{height:30px;overflow:hidden;padding-top:40px;box-sizing:border-box}",
        ".x{height:80px;overflow:hidden;padding-top:40px;box-sizing:border-box}",
    ),
    Twins(
        "a space of no size between",
        "<p>" + "<span style='font-size:0'> </span>".join(f"<b>{w}</b>" for w in TRICK.split()),
        "<p>" + "<span style='font-size:1em'> </span>".join(f"<b>{w}</b>" for w in TRICK.split()),
    ),
    Twins("hair spaces", "<p>" + "\u200a".join(TRICK.split()), "<p>" + "\u2003".join(TRICK.split())),
    Twins(
        "covered by what stands later",
        f"<p>{TRICK}</p><div style='margin-top:-3em;height:4em;background:#fff;position:relative'></div>",
        f"<p>{TRICK}</p><div style='margin-top:1em;height:4em;background:#fff;position:relative'></div>",
    ),
    Twins(
        "behind a frame",
        f"<p>{TRICK}</p><iframe style='position:fixed;inset:0;width:100%;height:99%;background:#fff'></iframe>",
        f"<p>{TRICK}</p><iframe style='width:100%;height:40px'></iframe>",
    ),
    Twins(
        "folded",
        f"<details><summary>More</summary>{TRICK}</details>",
        f"<details open><summary>More</summary>{TRICK}</details>",
        gone=False,
        others=1,
    ),
    Twins(
        "hidden until found", f"<div hidden=until-found>{TRICK}</div>", f"<div data-hidden=until-found>{TRICK}</div>"
    ),
    Twins("white by attributes", f"<font color=#ffffff>{TRICK}</font>", f"<font color=#333333>{TRICK}</font>"),
    Twins("a closed dialog of its own", f"<dialog>{TRICK}</dialog>", f"<dialog open>{TRICK}</dialog>"),
    Twins(
        "in no slot",
        f"<div><template shadowrootmode=open><p>x</p></template>{TRICK}</div>",
        f"<div><template data-mode=open><p>x</p></template>{TRICK}</div>",
    ),
    Twins(
        "a sheet at a URL",
        f"<link rel=stylesheet href=https://cdn.example/x.css><p>{TRICK}</p>",
        f"<link rel=stylesheet href=show.css><p>{TRICK}</p>",
        gone=False,
    ),
    Twins("behind a script's page", f"<noscript>{TRICK}</noscript>", f"<p>{TRICK}</p><noscript>other</noscript>"),
    Twins(
        "a picture that moves behind",
        f"<p style='color:#fff;background:url(moving.svg)'>{TRICK}</p>",
        f"<p style='color:#000;background:url(moving.svg)'>{TRICK}</p>",
    ),
)
