"""Look-ups in the listing of a tree, and of paths by their decoded names."""

from __future__ import annotations

from verigate.subject.known_paths import KnownPaths
from verigate.subject.tree_listing import TreeEntry, TreeListing

IDS = {name: f"{number:040x}" for number, name in enumerate((b"a-b", b"a/b", b"a/link", b"a0", b"sub"))}
MODES = {b"a/link": b"120000", b"sub": b"160000"}


def make_line(name: bytes) -> bytes:
    mode = MODES.get(name, b"100644")
    return b"%b %b %b\t%b\0" % (mode, b"commit" if mode == b"160000" else b"blob", IDS[name].encode(), name)


LISTED = b"".join(map(make_line, IDS))


def test_what_is_listed_is_found() -> None:
    listing = TreeListing(LISTED)
    assert list(listing) == list(IDS)
    assert len(listing) == len(IDS)
    assert dict(listing.items()) == {name: TreeEntry(MODES.get(name, b"100644"), IDS[name]) for name in IDS}
    assert listing[b"a/b"] == TreeEntry(b"100644", IDS[b"a/b"])
    assert listing.get(b"a") is None
    assert b"sub" in listing
    assert b"z" not in listing
    assert "sub" not in listing
    assert list(listing.list_mode(b"160000")) == [(b"sub", IDS[b"sub"])]
    assert list(listing.list_mode(b"100755")) == []


def test_what_is_in_a_folder_is_listed_and_left_out() -> None:
    listing = TreeListing(LISTED)
    assert [path for path, _ in listing.list_below(b"a")] == [b"a/b", b"a/link"]
    assert [path for path, _ in listing.list_below(b"sub")] == [b"sub"]
    assert list(listing.leave_out(b"a")) == [b"a-b", b"a0", b"sub"]
    assert dict(listing.leave_out(b"none").items()) == dict(listing.items())
    assert list(listing.leave_out(b"sub").list_mode(b"160000")) == []


def test_a_tree_that_git_would_not_write_is_found_as_well() -> None:
    listing = TreeListing(b"".join(map(make_line, reversed(IDS))) + make_line(b"sub"))
    assert list(listing) == list(IDS)
    assert listing[b"a-b"].oid == IDS[b"a-b"]
    assert len(TreeListing()) == 0
    assert b"a" not in TreeListing()


def test_paths_are_known_by_their_decoded_names() -> None:
    known = KnownPaths([b"a/b", b"caf\xc3\xa9"], [b"\xff/x", b"b", b"z"])
    assert all(known.has(path) for path in ("a/b", "café", "\\xff/x", "b", "z"))
    assert not any(known.has(path) for path in ("a", "\udcff/x", "zz", ""))
    assert known.has_below("a")
    assert known.has_below("\\xff")
    assert not any(known.has_below(folder) for folder in ("b", "a/b", "\udcff", "caf"))
    assert not KnownPaths().has("a")
