"""Statements by the command line: routed, claimed, planned for, verified, replayed; and in the hook of an agent."""

from __future__ import annotations

import json
from pathlib import Path

import gated_repository as gr
import literal_facts as lf
import pytest
from agent_repository import WORKS, make

CODE = {path: lf.GOOD[path] for path in ("diff.json", "diff_names.json", "diffs.patch", "tests.json")}
RULES = {"tests_pass": True}


@pytest.fixture
def repository(tmp_path: Path) -> gr.GatedRepository:
    repository = gr.make(tmp_path, {**CODE, "lint.json": lf.GOOD["lint.json"]}, RULES)
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    return repository


def outcomes(repository: gr.GatedRepository) -> dict[str, str]:
    return {unit["id"]: unit["outcome"] for unit in repository.verdict()["units"]["per_unit"]}


def test_route_shows_kind_facts_and_capabilities_and_starts_nothing(repository: gr.GatedRepository) -> None:
    text = "All 47 tests pass, coverage is above 90%. No dead links in docs. Lint should be clean."
    done = repository.gate("route", text, "--json")
    assert done.code == 0, done.output
    first, second, third = done.json["statements"]
    assert (done.json["schema"], first["kind"], third["kind"]) == ("verigate:route.v1", "claim", "hedged")
    assert first["capabilities"] == ["code:tests", "code:coverage"]
    assert [fact["fact"] for fact in first["facts"]] == [
        "tests.json /passed = 47",
        "tests.json /failed = 0",
        "coverage.json /pct > 0.9",
    ]
    assert (second["facts"][0]["scope"], second["facts"][0]["capability"]) == ("docs/", "links:check")
    assert third["facts"] == []
    shown = repository.gate("route", "-", stdin=text)
    assert "tests.json /passed = 47  (code:tests)" in shown.out
    assert "undecided: it is hedged" in shown.out
    assert not repository.has_verdict()


def test_a_statement_is_claimed_planned_for_judged_and_replayed(repository: gr.GatedRepository) -> None:
    claimed = repository.gate("claim", "T1", "--text", "5 tests pass and lint is clean.\n\nIt is elegant.")
    assert claimed.code == 0, claimed.output
    assert "lint.json /errors = 0  (code:lint)" in claimed.out
    assert "undecided: it isn't understood" in claimed.out
    assert "leaves the verdict inconclusive" in claimed.out
    decided = repository.gate("claim", "T1", "--text", "5 tests pass.")
    assert (decided.code, "inconclusive" in decided.out) == (0, False), decided.output
    repository.gate("claim", "T1", "--text", "5 tests pass and lint is clean.\n\nIt is elegant.")
    plan = {item["name"]: item for item in repository.gate("plan", "T1", "--json").json["capabilities"]}
    assert "statement:1 of the claim" in plan["code:lint"]["reasons"]
    assert plan["code:lint"]["required"]
    done = repository.verify()
    assert done.code == 4, done.output
    assert outcomes(repository) == {"statement:1": "supported", "statement:2": "undecided"}
    assert repository.gate("replay", "T1").code == 4

    assert repository.gate("claim", "T1", "--text", "All 7 tests pass.").code == 0
    done = repository.verify()
    assert done.code == 1, done.output
    assert "tests.json /passed = 7, and it is 5" in done.out
    assert repository.gate("replay", "T1").code == 1

    assert repository.gate("claim", "T1", "--text", "All 5 tests pass.").code == 0
    assert repository.verify().code == 0
    assert repository.gate("replay", "T1").code == 0


def test_what_only_a_reported_statement_asks_for_is_optional(tmp_path: Path) -> None:
    repository = gr.make(tmp_path, CODE, {**RULES, "statements": "report"})
    repository.begin()
    repository.put("a.py", "answer = 42\n")
    assert repository.gate("claim", "T1", "--text", "Every quote is frob:attributed. There are 4 quotes.").code == 0
    plan = {item["name"]: item for item in repository.gate("plan", "T1", "--json").json["capabilities"]}
    assert not plan["content:quotes"]["required"]
    done = repository.verify()
    assert done.code == 0, done.output
    assert outcomes(repository) == {"statement:1": "undecided", "statement:2": "undecided"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x" * 70_000, "at most 65536 are read"),
        ("All tests pass " + "and so on " * 60, "less than 500 characters"),
        ("```\n47 passed\n```", "states nothing"),
    ],
)
def test_prose_of_which_something_would_be_left_out_is_refused(
    repository: gr.GatedRepository, text: str, told: str
) -> None:
    done = repository.gate("claim", "T1", "--text", "-", stdin=text)
    assert (done.code, told in done.err) == (2, True), done.output


@pytest.mark.release
def test_an_agent_that_says_what_is_not_so_is_told_the_fact(tmp_path: Path) -> None:
    repository = make(tmp_path)

    def stop(message: str) -> gr.Done:
        document = {"session_id": "s1", "stop_hook_active": False, "last_assistant_message": message}
        return repository.gate("hook", "claude", "stop", stdin=json.dumps(document))

    assert (
        repository.gate("hook", "claude", "prompt", stdin=json.dumps({"session_id": "s1", "prompt": "Go."})).code == 0
    )
    repository.put("shop.py", WORKS)
    reason = stop("I added `shop.py`. All 7 tests pass!").json["reason"]
    assert "unit:statement:2 refuted (CLAIM_REFUTED)" in reason
    assert "tests.json /passed = 7, and it is 1" in reason
    assert "fact: tests.json /passed = 1" in reason
    # What no fact decides is listed, and holds nothing back; nor does what nobody here can look at.
    assert stop("I added `shop.py`. All links work. It is elegant. The test passes.").out == ""
