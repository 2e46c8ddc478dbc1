"""The entries of an index: sorted, once each, without the gate's own folder."""

from __future__ import annotations

from verigate.sdk.subject import IndexEntry, IndexListing


def make_entry(path: bytes, mode: bytes = b"100644", stage: int = 0) -> bytes:
    return b"%b %b %d\t%b\0" % (mode, b"1" * 40, stage, path)


def test_paths_are_found_with_modes_and_ids() -> None:
    paths = (b".artifacts", b".artifacts-b", b".artifacts/x", b".artifacts0", b"a/.gitattributes", b"b")
    listing = IndexListing(b"".join(map(make_entry, paths)) + make_entry(b"link", b"120000"))
    assert listing.paths == [".artifacts-b", ".artifacts0", "a/.gitattributes", "b", "link"]
    assert len(listing) == 5
    assert listing.find("b") == IndexEntry("100644", "1" * 40)
    assert listing.find("a") is None
    assert listing.find("z") is None
    assert listing.links == ("link",)
    assert listing.list_named(".gitattributes") == ["a/.gitattributes"]
    assert listing.list_named("gitattributes") == []


def test_a_link_that_is_listed_first_is_one() -> None:
    assert IndexListing(make_entry(b"a", b"120000") + make_entry(b"b")).links == ("a",)
    assert IndexListing(make_entry(b"a") + make_entry(b"b")).links == ()


def test_paths_that_are_no_text_are_sorted_as_artifacts_have_them() -> None:
    listing = IndexListing(b"".join(map(make_entry, (b".artifacts/x", b"\xc3\xa9", b"\xff", b"]"))))
    assert not listing.is_text
    assert listing.paths == ["\udcff", "]", "\xe9"]
    assert all(listing.find(path) is not None for path in listing.paths)
    assert listing.find("a") is None


def test_a_path_in_several_stages_counts_once() -> None:
    listing = IndexListing(make_entry(b"a", stage=1) + make_entry(b"a", stage=2) + make_entry(b"b"))
    assert listing.paths == ["a", "b"]


def test_an_empty_index() -> None:
    listing = IndexListing(b"")
    assert listing.paths == []
    assert listing.find("a") is None
    assert listing.links == ()
