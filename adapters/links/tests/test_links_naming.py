"""Names of links are the same on every machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from links_adapter.discover import serialise_locations
from links_adapter.link_names import EMPTY, is_web, name_link, normalise, origin_of, scheme_of
from links_adapter.text_links import Place
from verigate.sdk import clean_text, json_bytes

ROOT = Path("/srv/checkout")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("file:///srv/checkout/docs/a.md#top", "docs/a.md#top"),
        ("file:///srv/checkout/docs/", "docs/"),
        ("file:///srv/checkout/", "./"),
        ("file:///srv/checkout", "./"),
        ("file:///srv/checkout#top", "./#top"),
        ("file:///srv/checkout/a%20b.md?x=1", "a%20b.md?x=1"),
        ("file:///srv/checkout/%C3%BC.md", "%C3%BC.md"),
        ("file:///srv/checkout/%FF.md", "%FF.md"),
        ("file:///srv/checkout/a:b.md", "a%3Ab.md"),
        ("file:///srv/other/x.md", "../other/x.md"),
        ("file:///srv/checkouts/x.md", "../checkouts/x.md"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("https://a.example/x#y", "https://a.example/x#y"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("", EMPTY),
    ],
)
def test_a_link_into_the_repository_is_relative_to_it(url: str, name: str) -> None:
    assert name_link(url, ROOT) == name


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("docs/a.md", ""), ("HTTP://a.example", "http"), ("mailto:x", "mailto"), ("http://[bad", "http"), (EMPTY, "")],
)
def test_the_scheme_of_a_name(name: str, scheme: str) -> None:
    assert scheme_of(name) == scheme


def test_what_is_asked_over_the_network() -> None:
    assert is_web("HTTPS://a.example")
    assert not is_web("httpx/a.md")
    assert origin_of("https://me@A.example:8443/x") == ("https", "a.example:8443")


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("http://a.example", "http://a.example/"),
        ("HTTPS://me@A.Example:8443?q=ü", "https://me@a.example:8443/?q=%C3%BC"),
        ("https://a.example/a b%20c#ä", "https://a.example/a%20b%20c#%C3%A4"),
        ("https://[bad", "https://[bad"),
    ],
)
def test_urls_of_restructuredtext_are_written_as_lychee_writes_them(url: str, written: str) -> None:
    assert normalise(url) == written


_NAMES = st.text('aB/"\\\n\t\x00\x1f\x7f\u00e9\u2028\U0001f600\udc80', max_size=8).map(clean_text)
_PLACES = st.builds(Place, _NAMES, st.integers(0, 1 << 40), st.integers(0, 3))


@given(st.dictionaries(_NAMES, st.frozensets(_PLACES, max_size=3), max_size=4))
def test_places_are_written_as_the_sdk_writes(places: dict[str, frozenset[Place]]) -> None:
    told = {
        name: [{"file": place.source, "line": place.line, "column": place.column} for place in sorted(there)]
        for name, there in places.items()
    }
    assert serialise_locations(places) == json_bytes(told, "links/locations.json") + b"\n"
