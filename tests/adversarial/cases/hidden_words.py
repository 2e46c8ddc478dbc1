"""Pages of HTML whose words a browser doesn't show."""

from __future__ import annotations

from collections.abc import Mapping

from repositories import Ended, Repository

from cases.pair import PAIRS, Pair

KIND = "words that no browser shows"
PAGE = "docs/page.html"
WORDS = "word " * 400
HIDES: Mapping[str, tuple[str, str]] = {
    "by the attribute hidden": ("<p hidden>", "<p title=hidden>"),
    "by no display": ('<p style="display:none">', '<p style="display:block">'),
    "by visibility": ('<p style="visibility: hidden">', '<p style="visibility: visible">'),
    "by a font without size": ('<p style="font-size:0">', '<p style="font-size:90%">'),
    "by opacity": ('<p style="opacity:0">', '<p style="opacity:0.9">'),
    "far to the left": ('<p style="position:absolute;left:-9999px">', '<p style="position:relative;left:3px">'),
    "by clipping all": ('<p style="clip-path: inset(50%)">', '<p style="clip-path: none">'),
    "by a scale of nothing": ('<p style="transform:scale(0)">', '<p style="transform:scale(1)">'),
    "by a height of nothing": ('<p style="height:0;overflow:hidden">', '<p style="height:auto;overflow:hidden">'),
    "by its colour": ('<p style="color:transparent">', '<p style="color:black">'),
    "on paper alone": ("<style>@media screen{p{display:none}}</style><p>", "<style>@media print{p{display:none}}</style><p>"),
    "by a class": ("<style>.a{display:none}</style><p class=a>", "<style>.a{display:none}</style><p class=b>"),
    "by an id among others": ("<style>h6,#a{visibility:hidden}</style><p id=a>", "<style>h6,#a{visibility:hidden}</style><p id=b>"),
    "in a template": ("<template><p>", "<section><p>"),
    "in a closed dialog": ("<dialog><p>", "<dialog open><p>"),
    "in a script": ("<script>", "<p>"),
    "in noscript": ("<noscript><p>", "<div><p>"),
    "by an indent": ('<p style="text-indent:-9999px">', '<p style="text-indent:2em">'),
}  # fmt: skip


def hidden(how: str, lying: str, honest: str) -> None:
    """Register a twin whose words are hidden in one way."""

    def build(repo: Repository, lie: bool) -> Ended:
        repo.policy(["content:wordcount"], {"word_min": 400})
        repo.commit({"README.md": "# Old\n"})
        repo.task(type_="change", commitments={"scope": {"files": [PAGE]}})
        repo.write({PAGE: f"<!doctype html><title>A</title><h1>Title</h1>{lying if lie else honest}{WORDS}\n"})
        repo.claim(f"file:{PAGE}", type_="change")
        return repo.verify()

    name = f"words_are_hidden_{how.replace(' ', '_')}"
    PAIRS.append(Pair(name, build, 1, "WORD_MIN", "content.word_min", None, KIND, "HTML"))


for how, (lying, honest) in HIDES.items():
    hidden(how, lying, honest)
