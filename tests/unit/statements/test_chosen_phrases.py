"""Of the phrases of commits only those are compiled that may match a line: that changes no reading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from verigate.statements.beginnings import is_plain, list_beginnings, requires
from verigate.statements.commits import reading
from verigate.statements.commits.objects import NAME

ROOT = Path(__file__).parents[3]
MOST = 20
"""So many of all phrases may be compiled for one line."""


def list_corpus() -> list[str]:
    """List each string of the corpora of readings."""
    values: list[object] = []
    for file in sorted((ROOT / "tests/routing").rglob("*.json*")):
        content = file.read_text("utf-8")
        values += (
            [json.loads(line) for line in content.splitlines()] if file.suffix == ".jsonl" else [json.loads(content)]
        )
    return list(dict.fromkeys(list_strings(values)))


def list_strings(value: object) -> Iterator[str]:
    """List the strings in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from list_strings(each)


def list_all_phrases(text: str) -> Iterator[tuple[str, object]]:
    """List all phrases, whatever the text is."""
    del text
    return (phrase for group in reading._GROUPS for phrase in group)


def test_the_chosen_phrases_give_the_readings_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    imperative = re.compile(r"^(add|remov|renam|mov|us|updat|bump|fix|document)(?:p?ed|es|s)?\b", re.IGNORECASE)
    texts = [form for text in list_corpus() for form in (text, imperative.sub(r"\1", text), text.partition(" ")[2])]
    texts += [text.upper() for text in texts[::7]] + [text.replace("s", "\u017f", 1) for text in texts[::11]]
    chosen = [reading.read_commit_line(text) for text in texts]
    monkeypatch.setattr(reading, "list_phrases", list_all_phrases)
    assert len(texts) > 5000
    assert sum(any(fact.artifact == "changes.json" for fact in each.facts) for each in chosen) > 300
    assert [reading.read_commit_line(text) for text in texts] == chosen


@pytest.mark.parametrize(
    "text",
    ["Fix a crash", "Add `mean` to `a.py`", "Add support for more things", "Bump a from 1.2 to 1.3", "Release 1.2"],
)
def test_few_phrases_are_compiled_for_a_line(text: str) -> None:
    assert 0 < len(list(reading.list_phrases(text))) <= MOST < len(list(list_all_phrases(text))) / 2


@pytest.mark.parametrize(
    ("pattern", "beginnings"),
    [
        ("(?:add|adds) a", {"add", "adds"}),
        ("Raised? it", {"raise"}),
        ("raise(?:d|s)? it", {"raise"}),
        ("(?:(?:a|an) )*(?:b|c){2}", {"a", "an", "b", "c"}),
        ("(?:a )?(?:b )?", {""}),
        ("(?:a ){0,2}b", {"a ", "b"}),
        (r"(?:\[[\w-]+\] )?x|y(?P<z>q|r)", {"[", "x", "y"}),
        (r"(?!to )(?P<n>\w+)", {""}),
        (r"(?!to )(?P<n>a\ b|c\.d)", {"a b", "c.d"}),
        ("(?:a|)b", {""}),
        ("(?-i:a)", {""}),
        (".", {""}),
    ],
)
def test_how_a_text_begins_is_derived_from_the_pattern(pattern: str, beginnings: set[str]) -> None:
    assert list_beginnings(pattern) == beginnings


@pytest.mark.parametrize(
    ("pattern", "required"),
    [
        (f"add {NAME}", True),
        (f"(?:add|drop) (?P<names>{NAME}(?:, {NAME})*)", True),
        (f"add(?: {NAME})?", False),
        (f"add {NAME}|drop it", False),
        (f"(?:add {NAME}|drop (?:all )?{NAME})", True),
        (rf"add \((?:{NAME})*\)", False),
        (f"add(?! {NAME}) it", False),
        ("add it", False),
    ],
)
def test_whether_a_text_needs_a_name_is_derived_from_the_pattern(pattern: str, *, required: bool) -> None:
    assert requires(pattern, NAME) == required


def test_letters_that_equal_others_but_for_their_case_are_no_shortcut() -> None:
    assert is_plain("Zürich \u2014 Añadir")
    assert not is_plain("bump \u212aotlin")
    assert not is_plain("\u017fupport")
    assert re.fullmatch("k", "\u212a", re.IGNORECASE)
