"""Claims in prose, as agents write them, and the facts that each needs: what the reader makes of them.

Each batch of texts was written before anything read it. A hash of the text says which half it belongs to; the reader
was made with one half in view and is measured on the other. What somebody has looked at who mends the reader lies in
``claims/seen`` and is development, whatever its hash: a batch whose misses were read, and cases written to mend by.
``claims/unseen`` is a batch by somebody who had not read the reader, never looked at by who mends it.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct
from readings import claims_success

from verigate.statements.reading import read_statement
from verigate.statements.split import split_statements

FOLDER = Path(__file__).parent / "claims"
DOUBTED = frozenset({"negated", "hedged", "plan", "past", "reported", "none"})
"""Kinds of which none may ever be counted as a claim of success."""


class Labelled(Struct, frozen=True):
    text: str
    kind: str
    facts: frozenset[str]
    batch: str

    @property
    def part(self) -> str:
        if self.batch:
            return {"seen": "development", "unseen": "blind"}[self.batch]
        return "held-out" if hashlib.sha256(self.text.encode()).digest()[0] % 2 == 1 else "development"


def _all() -> list[Labelled]:
    found = []
    for file in sorted(FOLDER.rglob("*.json")):
        entries: list[dict[str, Any]] = json.loads(file.read_text())
        batch = "" if file.parent == FOLDER else file.parent.name
        found += [Labelled(entry["text"], entry["kind"], frozenset(entry["facts"]), batch) for entry in entries]
    return found


CLAIMS = _all()


def _right(claim: Labelled) -> bool:
    """Whether the facts are those of the label. Labels have none for a part, which a report may count all the same."""
    found = [fact for text in split_statements(claim.text) for fact in read_statement(text).facts]
    whole = {str(fact) for fact in found if not fact.part and not fact.looked_up}
    return claim.facts in ({str(fact) for fact in found}, whole)


def _kind_right(claim: Labelled) -> bool:
    kinds = {read_statement(text).kind.value for text in split_statements(claim.text)}
    return claim.kind in {"mixed", "none"} or kinds == {claim.kind}


def test_the_facts_of_claims_in_prose(capsys: pytest.CaptureFixture[str]) -> None:
    assert len({claim.text for claim in CLAIMS}) == len(CLAIMS) >= 200
    share = {}
    for name in ("development", "held-out", "blind"):
        half = [claim for claim in CLAIMS if claim.part == name]
        right, kinds = sum(map(_right, half)), sum(map(_kind_right, half))
        share[name] = right / len(half)
        with capsys.disabled():
            print(f"\n{name}: facts {right}/{len(half)} ({right / len(half):.1%}), kind {kinds}/{len(half)}", end="")
    assert min(share.values()) >= 0.95, share


@pytest.mark.parametrize("kind", sorted(DOUBTED))
def test_what_is_denied_doubted_or_planned_is_never_a_claim_of_success(kind: str) -> None:
    chosen = [claim for claim in CLAIMS if claim.kind == kind]
    assert chosen
    for claim in chosen:
        readings = [read_statement(text) for text in split_statements(claim.text)]
        assert not any(claims_success(reading) for reading in readings), claim.text
        facts = [fact for reading in readings for fact in reading.facts]
        assert kind == "negated" or not facts, claim.text


HEDGES = tuple(
    """
    I think {}|{}, I think|Probably {}|{} if you rebuild|I hope {}|{} once it is merged|Hopefully {}|{} in theory
    I did not verify that {}|It is not true that {}|{} except one|{}, apart from the slow part|Make sure {}|TODO: {}
    I will check that {}|Previously {}|The user says {}|According to CI, {}|> {}|[ ] {}|~~{}~~|{}?|Please verify that {}
    I expect that {}|Let me check whether {}|{} (untested)|{} \U0001f91e
    """.strip()
    .replace("\n", "|")
    .replace("|    ", "|")
    .split("|")
)


@pytest.mark.parametrize("frame", HEDGES)
def test_every_claim_of_success_is_none_in_a_frame_that_takes_it_back(frame: str) -> None:
    single = [claim.text.rstrip(".!") for claim in CLAIMS if claim.kind == "claim" and claim.text[0].isalpha()]
    plain = [text for text in single if "\n" not in text and len(text) < 300]
    assert len(plain) > 150
    told = [
        text
        for text in plain
        if any(claims_success(read_statement(part)) for part in split_statements(frame.format(text)))
    ]
    assert told == []


def test_a_count_that_is_not_said_is_not_all_of_them() -> None:
    for some in ("A few", "A number of the", "Several", "Many of the", "A lot of", "Plenty of", "Some of our"):
        assert not any(fact for fact in read_statement(f"{some} tests pass").facts), some
        assert {str(fact) for fact in read_statement(f"{some} tests fail").facts} == {"tests.json /failed > 0"}, some


OTHER_WORDS = ("Windows", "frobnicated", "caches", "тоже", "除了慢的", "ünstable", "phase2")


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_a_word_that_is_not_known_leaves_no_claim_about_the_whole(word: str) -> None:
    for text in ("All {} tests pass", "All tests pass {}", "{} tests pass", "All tests pass ({})", "All tests pass, {}",
                 "Lint is clean {}", "The {} build succeeds", "Coverage {} is 90%", "All {} links work"):  # fmt: skip
        facts = read_statement(text.format(word)).facts
        assert all(fact.looked_up and fact.part == word for fact in facts), text.format(word)
