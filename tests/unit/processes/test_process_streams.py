from __future__ import annotations

import random

import pytest

from verigate.processes.streams import Capture, Redactor, escape_text, find_last_line

PLAIN = Redactor()


def captured(content: bytes, limit: int, step: int) -> bytes:
    capture = Capture(limit)
    for start in range(0, len(content), step):
        capture.feed(content[start : start + step])
    assert capture.total == len(content)
    return capture.text(PLAIN)


@pytest.mark.parametrize("size", [0, 1, 9, 10])
@pytest.mark.parametrize("step", [1, 3, 100])
def test_what_fits_is_kept_whole(size: int, step: int) -> None:
    content = bytes(range(65, 65 + size))
    assert captured(content, 10, step) == content


@pytest.mark.parametrize("step", [1, 7, 64, 100_000])
def test_what_does_not_fit_keeps_head_and_tail_and_says_how_much_is_left_out(step: int) -> None:
    content = random.Random(1).randbytes(5000)  # noqa: S311 (any bytes will do)
    assert captured(content, 100, step) == content[:50] + b"\n[... 4900 bytes left out ...]\n" + content[-50:]


def test_a_flood_needs_no_more_memory_than_the_limit() -> None:
    capture = Capture(1000)
    for _ in range(1000):
        capture.feed(b"x" * 100_000)
    assert capture.total == 100_000_000
    assert len(capture._head) + len(capture._tail) <= 4 * 1000
    assert len(capture.text(PLAIN)) < 1100


def test_secrets_are_taken_out_the_longer_first() -> None:
    redact = Redactor(["hunter2", "hunter2-and-more"])
    assert redact(b"a hunter2-and-more b hunter2") == b"a [redacted] b [redacted]"


def test_a_secret_that_the_cut_went_through_leaves_no_part() -> None:
    secret = "s3cr3t-value"
    for offset in range(len(secret) + 1):
        capture = Capture(40)
        capture.feed(b"." * (20 - offset) + secret.encode() + b"," * 500)
        capture.feed(secret.encode() + b"." * (20 - offset))
        text = capture.text(Redactor([secret]))
        for size in range(2, len(secret)):
            assert secret[:size].encode() not in text
            assert secret[-size:].encode() not in text


def test_the_last_line_cannot_move_a_cursor_or_grow_without_bound() -> None:
    assert find_last_line(b"first\n\x1b[31mred\x07\n\n") == "\\x1b[31mred\\x07"
    assert find_last_line(b"\xff\xfe") == "\\xff\\xfe"
    assert find_last_line(b"\n \n") == ""
    assert len(find_last_line(b"x" * 100_000)) == 600


def test_what_is_indented_below_the_last_line_belongs_to_it() -> None:
    said = b"before\nno report; it printed:\n    one\n    \n\ttwo\n\n"
    assert find_last_line(said) == "no report; it printed: | one | two"
    long = find_last_line(b"no report:\n" + b"".join(b"    line %d\n" % number for number in range(1000)))
    assert long.startswith("no report: | …")
    assert long.endswith("| line 998 | line 999")
    assert len(long) < 320
    assert find_last_line(b"    all of it\n    is indented\n") == "all of it | is indented"
    assert escape_text("a\u202eb\u2028c") == "a\\u202eb\\u2028c"


def test_the_last_words_are_the_cause_not_the_version() -> None:
    said = (
        b"/a.js:3\nthrow new Error('x')\n^\n\nError: the cause of it\n    at Object (/a.js:3:7)\n\nNode.js v20.20.2\n"
    )
    assert find_last_line(said) == "Error: the cause of it | at Object (/a.js:3:7)"
