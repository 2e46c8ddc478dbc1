"""What is a word, and what is a character: literal texts and their counts."""

from __future__ import annotations

import pytest

from content_adapter.word_count import collapse_spaces, count_characters, count_words

COUNTS = [
    ("", 0, 0),
    ("one two\nthree\tfour", 4, 15),
    ("don't stop-gap e.g. 3.5", 4, 20),
    ("— – - * | & …", 0, 7),
    ("50 %", 1, 3),
    ("naïve cafe\u0301", 2, 10),
    ("a\u00a0b\u2003c", 3, 3),  # spaces of any width
    ("a\u200bb c\u2060d e\u00adf", 3, 6),  # zero-width space, word joiner, soft hyphen
    ("\u3164 \u115f \uffa0", 0, 0),  # fillers of Hangul: letters for Unicode, and blank
    ("x\u2800y", 1, 2),  # the blank of Braille
    ("\x01 \x02", 0, 0),
    ("\U000e0041 \U000e0042", 0, 0),  # tags
    ("中文字 hello", 4, 8),
    ("日本語のテスト", 5, 7),  # three ideographs, one Hiragana, one run of Katakana
    ("Pythonテスト", 2, 9),
    ("한국어 단어", 2, 5),
    ("สวัสดี ครับ", 2, 10),
    ("हिन्दी शब्द", 2, 10),
    ("👍 😀", 0, 2),
    ("a\u200ab\u200ac\u2009d\u202fe\u2006f", 1, 6),  # spaces too narrow to be seen between letters
    ("e\u0301\u200a\u200b\u200ax", 1, 3),
    ("10\u202f000 euros", 2, 10),
    ("one\u200a\u2014\u200atwo", 2, 7),  # a dash with hair spaces
    ("one\u200a two \u2009three", 3, 11),
    ("√2 ½ №5", 3, 5),
]


@pytest.mark.parametrize(("text", "word_count", "char_count"), COUNTS)
def test_counts(text: str, word_count: int, char_count: int) -> None:
    assert (count_words(text), count_characters(text)) == (word_count, char_count)


def test_one_line_has_nothing_that_can_not_be_seen() -> None:
    assert collapse_spaces("  a\n\tb\u200b  \u3164 c\u2028") == "a b c"
