"""An artifact whose order says nothing is sorted when it is accepted; every other one is left as it was written."""

from __future__ import annotations

import pytest

from verigate.evidence.artifact_order import sort_artifact


def test_a_list_of_links_is_sorted() -> None:
    assert sort_artifact("links/urlset.json", b'["https://b", "https://a"]') == b'[\n "https://a",\n "https://b"\n]'


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("links/urlset.json", b'["https://a", "https://b"]'),
        ("links/urlset.json", b'["https://b", 1]'),
        ("links/urlset.json", b"[broken"),
        ("links/resample.json", b'[{"url": "b"}, {"url": "a"}]'),
        ("notes.json", b'["b", "a"]'),
    ],
)
def test_anything_else_is_left(path: str, content: bytes) -> None:
    assert sort_artifact(path, content) == content
