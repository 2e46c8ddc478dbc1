"""Calls and operations that a change put in place of others: no mutant shows whether they do the same."""

from __future__ import annotations

import pytest

from code_adapter.sensitivity.changed_places import Place, find_places
from code_adapter.syntax.changes import ChangedFile, Side

MONEY = """\
import math


def read(text):
    whole, _, part = text.partition(".")
    part = (part + "00")[:2]
    if not whole:
        raise ValueError(text)
    return int(whole) * 100 + int(part)


def largest(words):
    found = 0
    for word in words:
        if len(word) > found:
            found = len(word)
    return found
"""
COUNT = """\
package count

func Count(text string) int {
	found := 0
	for _, word := range strings.Fields(text) {
		if len(word) > 1 {
			found++
		}
	}
	return found
}
"""


def others(path: str, before: str, after: str) -> dict[str | None, str]:
    side_by_side = (Side(path, "100644", text.encode()) for text in (before, after))
    found, _ = find_places([ChangedFile(*side_by_side)], lambda _: False, lambda _: False)
    return {place.unit: place.why for place in found if "no mutant exists" in place.why}


@pytest.mark.parametrize(
    ("old", "new", "unit", "why"),
    [
        ('(part + "00")[:2]', 'part.ljust(2, "0")', "read", "it uses ljust in place of a slice"),
        ("len(word) > found", "size(word) > found", "largest", "it uses size in place of len"),
        ("text.partition", "text.rpartition", "read", "it uses rpartition in place of partition"),
        ("int(part)", "int(part.strip())", "read", "it uses strip"),
        ("return int(whole)", "return whole", "read", "it no longer uses int"),
        ("* 100 + int(part)", "* 100 ^ int(part)", "read", "it uses ^"),
        ("int(part)", "-int(part)", "read", "it uses -"),
    ],
)
def test_another_call_or_operation_is_a_place(old: str, new: str, unit: str, why: str) -> None:
    assert old in MONEY
    found = others("money.py", MONEY, MONEY.replace(old, new, 1))
    assert found[unit].startswith(why), found


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("strings.Fields(text)", 'strings.Split(text, " ")', "it uses Split in place of Fields"),
        ("len(word)", "utf8.RuneCountInString(word)", "it uses RuneCountInString in place of len"),
    ],
)
def test_another_function_of_go(old: str, new: str, why: str) -> None:
    assert others("count.go", COUNT, COUNT.replace(old, new, 1))["Count"].startswith(why)


@pytest.mark.parametrize(
    "after",
    [
        MONEY.replace("found = len(word)", "size = len(word)\n            found = size"),
        MONEY.replace("raise ValueError(text)", "raise TypeError(text)"),
        MONEY.replace("    return found", "    print(found)\n    return found"),
        MONEY.replace("found = 0", "found = 1"),
        MONEY.replace('(part + "00")[:2]', "_pad(part)").replace(
            "def read", 'def _pad(part):\n    return (part + "00")[:2]\n\n\ndef read'
        ),
        MONEY.replace('    part = (part + "00")[:2]', '    pad = lambda part: (part + "00")[:2]\n    part = pad(part)'),
        MONEY.replace("largest", "find_largest"),
        MONEY.replace("text", "written"),
    ],
)
def test_moves_extractions_and_what_has_a_mutant_are_none(after: str) -> None:
    assert after != MONEY
    assert others("money.py", MONEY, after) == {}


def test_what_is_extracted_is_compared_with_what_it_was() -> None:
    extracted = MONEY.replace('(part + "00")[:2]', "_pad(part)")
    other = extracted.replace("def read", 'def _pad(part):\n    return part.ljust(2, "0")\n\n\ndef read')
    found = others("money.py", MONEY, other)
    assert "ljust" in found["_pad"]
    inlined = others("money.py", other, MONEY)
    assert "slice" in inlined["read"]


def test_a_name_for_another_function_is_no_definition() -> None:
    alias = MONEY.replace("    found = 0", "    size = wide\n    found = 0").replace("len(word) >", "size(word) >")
    assert "size" in others("money.py", MONEY, alias)["largest"]


def test_each_is_a_place_that_needs_a_mutant() -> None:
    side_by_side = (Side("count.go", "100644", text.encode()) for text in (COUNT, COUNT.replace("Fields", "Split")))
    found, _ = find_places([ChangedFile(*side_by_side)], lambda _: False, lambda _: False)
    why = "it uses Split in place of Fields, of which no mutant exists"
    assert Place("count.go", "Count", why=why) in found
