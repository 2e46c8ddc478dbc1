"""The bench that measures engines on 100 open statements counts right, against a scripted model."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from gemini_server import Text, gemini_server

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import judgement

from verigate.gate.decision import decide_verdict
from verigate.gate.verifier_answers import select_open_questions

PATCH = """diff --git a/cart.py b/cart.py
index 87446126..9d54a47f 100644
--- a/cart.py
+++ b/cart.py
@@ -1,3 +1,4 @@
 def total(items):
-    return sum(items)
+    found = [item.price for item in items]
+    return round(sum(found), 2)

"""


@pytest.fixture(autouse=True)
def _patches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every change be one of our own: those of the bench are read from clones."""
    monkeypatch.setattr(judgement, "PATCHES", {item.change: PATCH for item in judgement.read_statements()})


def test_the_corpus_has_a_hundred_statements_with_their_truth() -> None:
    statements = judgement.read_statements()
    assert len({item.text for item in statements}) == len(statements) == 100
    assert {item.truth for item in statements} == {"supported", "refuted", "open"}
    named = [json.loads(line) for line in (judgement.CORPUS / "changes.jsonl").read_text().splitlines()]
    assert {item.change for item in statements} == {change["change"] for change in named}
    assert all(len(change["commit"]) == 40 and change["paths"] for change in named)


def test_every_statement_is_open_and_none_is_decided_by_a_fact() -> None:
    statements = judgement.read_statements()
    for change in dict.fromkeys(item.change for item in statements):
        of_it = [item for item in statements if item.change == change]
        facts, _ = judgement.facts_of(change, of_it, "gemini-api")
        asked = {question.text for question in select_open_questions(facts, decide_verdict(facts))}
        assert [item.text for item in of_it if item.text not in asked] == []


@pytest.mark.slow
def test_the_tally_is_what_the_script_says() -> None:
    statements = judgement.read_statements()
    said = [judgement.scripted_word(number, item.truth) for number, item in enumerate(statements, start=1)]
    pairs = list(zip(said, (item.truth for item in statements), strict=True))
    with judgement.scripted(statements) as environ:
        tally = judgement.judge_all("gemini-api", None, statements, environ)
    given = [(word, truth) for word, truth in pairs if word != "abstain"]
    assert (tally.asked, tally.answered, tally.voided) == (100, len(given), 0)
    assert tally.right == sum(word == truth for word, truth in given)
    assert tally.false_passes == sum(word == "supported" != truth for word, truth in given)
    assert tally.answered_open == sum(truth == "open" for _, truth in given)
    assert (tally.problems, tally.tokens > 0) == ((), True)


def test_an_answer_with_a_citation_that_isn_t_there_is_counted_as_void() -> None:
    statements = judgement.read_statements()[:1]
    policy = judgement.VerifierPolicy("gemini-api")
    with gemini_server() as server:
        judgement.script(statements)(server)
        honest = server.answer
        assert honest is not None
        server.answer = lambda asked: Text(honest(asked).text.replace('"quoted": "', '"quoted": "no such line '))
        judged, _ = judgement.judge_change(statements[0].change, statements, policy, server.environment())
    assert [(item.word, item.voided) for item in judged] == [("abstain", True)]
