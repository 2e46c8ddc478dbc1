"""Recognize dates ("2 weeks ago", "yesterday") and names of people in free text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.requests.vocabulary import split_words

_UNIT = "(?:second|minute|hour|day|week|month|year)s?"
_DATE = re.compile(
    rf"(?:today|yesterday|noon|midnight|(?:last|this|past) (?:week|month|year|night|monday|tuesday|wednesday|thursday|"
    rf"friday|saturday|sunday)|(?:\d{{1,4}}|an?|one|two|three|four|five|six) {_UNIT}(?P<ago> ago)?|"
    rf"(?P<unit>day|week|month|year|hour)|"
    rf"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|"
    rf"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{{1,2}}(?: \d{{4}})?|"
    rf"\d{{4}}-\d{{2}}-\d{{2}}|v?\d+(?:\.\d+)+|\d{{4}})"
)
_NO_PERSON = split_words(
    """
    date time author day week month year name size default file files commit line folder type me us them everyone
    anyone nobody somebody someone the a an each every all any hand mistake default
    """
)


def parse_date(words: Sequence[str]) -> tuple[str, int] | None:
    """Read a date from the first words; return it and its number of words. A period counts back from now."""
    for length in range(min(3, len(words)), 0, -1):
        found = _DATE.fullmatch(" ".join(words[:length]).lower())
        if found is None:
            continue
        text = found.group()
        if found["unit"]:
            return f"1 {text} ago", length
        if (
            found["ago"] is None
            and re.fullmatch(rf"\S+ {_UNIT}", text)
            and text.split()[0] not in {"last", "this", "past"}
        ):
            text += " ago"
        return text, length
    return None


def count_name_words(words: Sequence[str]) -> int:
    """Count the words of a person's name: one, or several capitalized words; 0 without a name."""
    if not words or words[0].lower() in _NO_PERSON:
        return 0
    length = 1
    while words[0][:1].isupper() and length < min(4, len(words)) and words[length][:1].isupper():
        length += 1
    return length
