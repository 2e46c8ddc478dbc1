"""A verdict that a language model's answer made says so, in every format that says in words what was decided."""

from __future__ import annotations

import html
from typing import Any

import literal_facts as lf
import pytest
from msgspec.structs import replace

from verigate.domain.verdict import Verdict
from verigate.domain.verification import Citation, ModelAnswer, Problem, Verification, Word
from verigate.gate.decision import decide_verdict
from verigate.reporting import formats
from verigate.reporting.explain import reproduce_commands
from verigate.reporting.report import Report
from verigate.reporting.status_summary import summarise_status
from verigate.reporting.text import render
from verigate.reporting.verifier import summarise_verifier

CITED = (Citation("tests.json", "5", pointer="/passed"),)


def decided(word: Word | None, problem: Problem | None = None) -> Verdict:
    claim = lf.claim_document(statements=["The error message is friendlier"])
    facts = lf.facts({"tests_pass": True}, {"tests.json": lf.GOOD["tests.json"]}, claim=claim)
    answers = () if word is None else (ModelAnswer("q1", word, CITED, "it names the file"),)
    asked = Verification("gemini-api", "m", 1, {"q1": "statement:1"}, answers=answers, problem=problem, cost_usd=0.002)
    return decide_verdict(replace(facts, verification=asked))


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        (decided(Word.SUPPORTED), "facts support this, and a language model what they leave open"),
        (decided(Word.REFUTED), "a language model refutes this, by what it cites of the evidence"),
        (decided(Word.ABSTAIN), "the facts don't decide this"),
        (decided(None, Problem("timeout", "too late")), "the facts don't decide this"),
    ],
)
def test_a_model_s_verdict_is_not_told_as_one_of_facts(verdict: Verdict, told: str) -> None:
    assert summarise_status(verdict) == told
    text = render(Report(verdict), colour=False, width=120)
    assert told in text
    assert "asked gemini-api m: 1 call, 0 tokens, 0.002 USD" in text
    for name in ("junit", "markdown", "tap", "html", "sarif", "github"):
        content = html.unescape(formats.render(name, Report(verdict), formats.TextStyle()))
        assert told in content, name


def test_a_model_s_answer_is_shown_again_by_a_replay() -> None:
    verdict = decided(Word.REFUTED)
    check = verdict.check("unit:statement:1")
    assert check is not None
    first, second = reproduce_commands(check, verdict)
    assert first.endswith("replay T1")
    assert "--only" not in second


@pytest.mark.parametrize(
    ("verifier", "told"),
    [
        ({"engine": "e", "model": None, "calls": 0, "usage": {"inputTokens": 0, "outputTokens": 0}, "cost_usd": None,
          "problem": {"code": "missing_key"}}, "asked e: 0 calls, 0 tokens, cost unknown; missing_key"),
        ({"engine": "e", "model": "m", "model_version": "m-1", "calls": 2,
          "usage": {"inputTokens": 3, "outputTokens": 4}, "cost_usd": 0}, "asked e m (m-1): 2 calls, 7 tokens, 0 USD"),
        ({"engine": "e", "model": "m", "model_version": None, "calls": 1, "problem": None},
         "asked e m: 1 call, 0 tokens, cost unknown; it doesn't report which model answered"),
        ({}, "asked None: None calls, 0 tokens, cost unknown"),
        ({"usage": [1], "problem": "x", "calls": "1"}, "asked None: 1 calls, 0 tokens, cost unknown"),
    ],
)  # fmt: skip
def test_who_was_asked_and_what_it_took(verifier: Any, told: str) -> None:
    assert summarise_verifier(verifier) == told
