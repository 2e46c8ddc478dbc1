"""Long runs of comments are read in time that grows with them, and move nothing that follows."""

from __future__ import annotations

import time

import pytest

from verigate.sdk.languages.comment_runs import LONG_RUN, join_comment_runs
from verigate.sdk.languages.tree import line_of, parse, walk

HEAD, TAIL = b'"""A module."""\n', b"def f():\n    return 1\n"


def comments(count: int, text: bytes = b"# a comment") -> bytes:
    return b"".join(b"%s %d\n" % (text, number) for number in range(count))


def test_what_follows_stays_at_its_place() -> None:
    source = HEAD + comments(3 * LONG_RUN) + TAIL
    joined = join_comment_runs(source)
    assert (len(joined), joined.count(b"\n")) == (len(source), source.count(b"\n"))
    tree = parse(source, "python")
    (function,) = (node for node in walk(tree.root) if node.type == "function_definition")
    assert line_of(function) == 3 * LONG_RUN + 2
    assert source[function.start_byte : function.end_byte] == TAIL.rstrip()
    assert tree.source == source
    assert not tree.broken


@pytest.mark.parametrize("text", [b"# noqa: F401", b"# ruff: noqa", b"# type: ignore", b"    # pragma: no cover"])
def test_what_programs_read_is_left(text: bytes) -> None:
    source = HEAD + comments(LONG_RUN) + text + b"\n" + comments(LONG_RUN) + TAIL
    assert b"\n" + text + b"\n" in join_comment_runs(source)


def test_a_short_run_is_left() -> None:
    source = HEAD + comments(LONG_RUN - 1) + TAIL
    assert join_comment_runs(source) == source


def test_ten_thousand_comments_take_no_square() -> None:
    source = HEAD + comments(10_000) + TAIL
    start = time.process_time()
    parse(source, "python")
    assert time.process_time() - start < 2
