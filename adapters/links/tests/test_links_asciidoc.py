"""AsciiDoc is read as Asciidoctor reads it."""

from __future__ import annotations

import html
import re
import subprocess
from pathlib import Path

import pytest
from links_call import Called

from links_adapter.asciidoc import find_anchors, find_links

GUIDE = r"""= Guide: the "big" one
:url: https://example.org/base
:imagesdir: img
:long: https://example.org/ \
       rest

See link:missing.html[gone], xref:nowhere.adoc[x], <<other.adoc#part,there>>, <<Second Part>>, <<here>>
and <<here,a text that goes
on>>. {url}/deep[deep] and https://a.example/dead[dead], bare https://example.org/bare.
\https://escaped.example[no] image:icon.png[] `+link:literal.html[no]+` ++https://passed.example++
mailto:a@b.example[me] <https://angle.example/a> (https://paren.example/x) link:++with%20space.html++[s]

// link:comment.html[no]
////
link:comment2.html[no]
////

----
https://listing.example[no]
----

[source]
https://source.example[no]

[source,sh]
--
curl https://open.example[no]
--

 https://literal.example[no]

* item https://item.example[yes]
 ** nested link:nested.html[yes]

image::pic.png[Pic]

[[here]]
== Second Part

[#custom]
=== Third `code` part.

== Other C++ things & more

== Second Part

[quote]
____
https://quote.example[yes]
____
"""
TARGETS = re.compile(r'(?:href|src)="([^"]*)"')
IDS = re.compile(r'<h[2-6] id="([^"]*)"|<a id="([^"]*)"')


def test_links_and_ids_are_those_of_asciidoctor(tmp_path: Path) -> None:
    (tmp_path / "guide.adoc").write_text(GUIDE)
    command = ["asciidoctor", "-a", "linkcss", "-e", "-o", "-", "guide.adoc"]
    page = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    written = {link.target for link in find_links(GUIDE)}
    # A cross reference to another document leads to what is made of it; one by title has one of two ids.
    made = {re.sub(r"\.adoc\b", ".html", target).replace("#second-part", "#here") for target in written}
    assert made == {html.unescape(target) for target in TARGETS.findall(page)}
    assert {one or other for one, other in IDS.findall(page)} <= find_anchors(GUIDE)


def test_a_link_has_its_place() -> None:
    found = {
        link.target: (link.line, link.column)
        for link in find_links("= A\n\nü link:b.html[x]\n\nsee https://c.example\n")
    }
    assert found == {"b.html": (3, 8), "https://c.example": (5, 5)}


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("link:{docs}/a.html[a]", ["{docs}/a.html"]),
        ("{repo}[a]", ["{repo}"]),
        ("xref:guide#id[a]", ["guide.adoc#id"]),
        ("include::part.adoc[]", ["part.adoc"]),
        ("ifdef::a[]\nhttps://a.example[]\nendif::[]", ["https://a.example"]),
        ("<<no such title>>", ["#no such title"]),
        (f"{'+' * 5000} {'<<a ' * 5000}", []),
    ],
)
def test_what_a_reference_leads_to(text: str, targets: list[str]) -> None:
    assert [link.target for link in find_links(text)] == targets


@pytest.mark.slow
def test_links_of_asciidoc_are_checked(tmp_path: Path) -> None:
    called = Called(tmp_path)
    links = "link:gone.html[x] link:more.html[x] xref:more.adoc#part[x] xref:more.adoc#no[x] <<_end>> {docs}[x]"
    (called.root / "guide.adoc").write_text(f"= Guide\n\n{links}\n\n== End\n")
    (called.root / "more.adoc").write_text("= More\n\n[#part]\nText.\n")
    called.run("discover")
    called.run("check")
    assert called.has("statuses") == {
        "gone.html": "FILE_NOT_FOUND",
        "more.html": 200,
        "more.adoc#part": 200,
        "more.adoc#no": "FRAGMENT_NOT_FOUND",
        "guide.adoc#_end": 200,
        "{docs}": "UNRESOLVED",
    }
