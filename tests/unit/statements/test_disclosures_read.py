"""Lines that disclose weakenings: what counts as said by a commit message or a pull request, and what doesn't."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.weakening import Source
from verigate.statements.disclosures import (
    MAX_LINE,
    MAX_LINES,
    DisclosureError,
    is_reason,
    parse_line,
    read_message,
    read_pull_request,
)

LINE = "Weakens: test_skipped tests/test_a.py::test_a 0123456789ab (the service is gone)"
SCISSORS = "# ------------------------ >8 ------------------------"


def reasons(text: str) -> list[str]:
    return [found.reason for found in read_message(text, "c0ffee").disclosures]


def pull_request(text: str) -> list[str]:
    return [found.reason for found in read_pull_request(text).disclosures]


def test_a_line_names_kind_place_form_and_reason() -> None:
    (found,) = read_message(f"Skip a test\n\n{LINE}\n", "c0ffee").disclosures
    assert (found.kind, found.target, found.id) == ("test_skipped", "tests/test_a.py::test_a", "0123456789ab")
    assert (found.reason, found.source, found.reference) == ("the service is gone", Source.COMMIT, "c0ffee")


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        f"Subject\n\n{LINE}",
        f"Subject\nbody\n{LINE}\nSigned-off-by: A <a@example.com>",
        f"Subject\r\n\r\n{LINE}\r\n",
        f"> quoted\n\n{LINE}",
        f"```\ncode\n```\n{LINE}",
        f"````\n```\n````\n{LINE}",
        f"# a comment\n{LINE}",
        LINE.replace("Weakens", "weakens"),
        LINE.replace("Weakens: ", "Weakens:   "),
        f"Add \U0001f469\u200d\U0001f680 and \u0645\u06cc\u200c\u0631\u0648\u062f\n\n\ttabs\n{LINE}",
    ],
)
def test_what_a_message_says_counts(text: str) -> None:
    assert reasons(text) == ["the service is gone"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (f"Subject\n\n# {LINE}", ""),
        (f"Subject\n{SCISSORS}\n{LINE}", ""),
        (f"> {LINE}", ""),
        (f"> quoted\n{LINE}", "it stands in a quote"),
        (f"    {LINE}", ""),
        (f"\t{LINE}", ""),
        (f" {LINE}", ""),
        (f"* {LINE}", ""),
        (f"```\n{LINE}\n```", "it stands in a code block"),
        (f"~~~ text\n{LINE}", "it stands in a code block"),
        (f"````\n```\n{LINE}\n````", "it stands in a code block"),
        (f"```\n    ```\n{LINE}", "it stands in a code block"),
        (f"Subject\n\n<!--\n{LINE}\n-->", "it stands in HTML"),
        (LINE.replace("the service is gone", ""), "it gives no reason"),
        (LINE.replace("the service is gone", " … "), "it gives no reason"),
        (LINE.replace("the service is gone", "<reason>"), "it gives no reason"),
        (LINE.replace("the service is gone", "\u200b\u2063\u3164\u2800-"), "it gives no reason"),
        (LINE.replace("(the service is gone)", ""), "write `Weakens:"),
        (LINE.replace("0123456789ab", "0123456789a"), "write `Weakens:"),
        (LINE.replace("0123456789ab", "0123456789AB"), "write `Weakens:"),
        ("Weakens: test_skipped 0123456789ab (no place)", "write `Weakens:"),
        ("Weakens: * * (all of it)", "write `Weakens:"),
        (LINE.replace("gone", "gone" * MAX_LINE), "it has more than"),
        (f"Tidy up\n\n\0\n\n{LINE}", "behind a null byte"),
        (f"Tidy up\0{LINE}\n{LINE}", "behind a null byte"),
        (f"Tidy up\n\n\x1b[8m\n{LINE}\n\x1b[0m\x1b[3A\x1b[J\n", "the control character U+001B"),
        (f"Tidy up\n\n{LINE}\n\n\x9b3A\x9bJ", "the control character U+009B"),
        (f"Tidy up\n\n{LINE}\n{LINE}\rTidy up   \r", "the control character U+000D"),
        (f"Tidy up\n\n\u202d\n{LINE}", "shown in another order"),
    ],
)
def test_what_it_does_not_say_does_not_count(text: str, fault: str) -> None:
    read = read_message(text, "c0ffee")
    assert read.disclosures == ()
    assert [fault in found for found in dict.fromkeys(read.faults)] == ([True] if fault else [])


def test_a_line_below_scissors_or_in_a_comment_is_not_even_a_fault() -> None:
    assert read_message(f"{SCISSORS}\n{LINE}", "c0ffee").faults == ()


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        f"Title\n\n{LINE}\n{LINE}",
        f"Title\n\nCloses: shop/shop\n{LINE}",
        f"Title\n\n<!-- a template -->\n\n{LINE}",
        f"Title\n\n<!-- a\n\ntemplate -->\n\n{LINE}",
        f"Title\n\n<pre>\ncode\n</pre>\n\n{LINE}",
    ],
)
def test_what_a_pull_request_shows_counts(text: str) -> None:
    assert set(pull_request(text)) == {"the service is gone"}


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- {LINE} -->",
        f"<!--\n{LINE}\n-->",
        f"<!--\n\n{LINE}\n\n-->",
        f"<!-- one --> <!--\n\n{LINE}\n\n-->",
        f"text <!--\n\n{LINE}\n\n-->",
        f"<pre>\n</b>\n\n{LINE}\n</pre>",
        f"<style>\n\n{LINE}\n</style>",
        f"<?\n\n{LINE}\n?>",
        f'<img alt="\n{LINE}\n">',
        f'<img alt="\nCloses: it\n{LINE}\n">',
        f'[a]: /url "\n{LINE}\n"',
        f"- > a quote in a list\n{LINE}",
        f"> quoted\n{LINE}",
    ],
)
def test_what_a_pull_request_hides_does_not_count(text: str) -> None:
    assert pull_request(text) == []


def test_a_line_of_a_claim_needs_no_word_before_it() -> None:
    wanted = parse_line(LINE, Source.CLAIM, "claim.json")
    assert parse_line(LINE.removeprefix("Weakens: "), Source.CLAIM, "claim.json") == wanted
    with pytest.raises(DisclosureError):
        parse_line("everything", Source.CLAIM, "claim.json")


def test_a_target_with_blanks_and_a_reason_with_an_id_are_read_as_written() -> None:
    line = "lost my tests/a b.js::adds > two numbers (fast) 0123456789ab (as in abcdef012345 (see there))"
    found = parse_line(f"Weakens: {line}", Source.COMMIT, "c0ffee")
    assert (found.kind, found.target) == ("lost", "my tests/a b.js::adds > two numbers (fast)")
    assert found.reason == "as in abcdef012345 (see there)"


def test_what_is_read_is_bounded() -> None:
    read = read_message("\n".join([LINE] * (MAX_LINES + 30)), "c0ffee")
    assert len(read.disclosures) == MAX_LINES
    assert len(read.faults) == 20


def test_a_hostile_line_takes_no_time() -> None:
    started = time.process_time()
    for text in ("Weakens: a " + " " * MAX_LINE, "Weakens: a " + " 0123456789ab" * 300, "Weakens: a" + "\t(" * 1900):
        assert read_message("\n".join([text] * 500), "c0ffee").disclosures == ()
    assert time.process_time() - started < 5


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for read in (read_message(text, "c0ffee"), read_pull_request(text)):
        assert all(is_reason(found.reason) for found in read.disclosures)
