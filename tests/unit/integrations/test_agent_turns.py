"""Sentences of a message, and a turn from prompt to end with a gate that answers as told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from verigate.domain.statement_reading import MAX_CHARACTERS
from verigate.errors import SubjectError
from verigate.integrations.agents.host import Turn
from verigate.integrations.agents.judged import Judged
from verigate.integrations.agents.session import Session, Sessions
from verigate.integrations.agents.statements import sentences, since
from verigate.integrations.agents.turn import Kind, Look, begin, begin_subagent, end, keep_message
from verigate.statements.split import MAX_STATEMENTS

SENTENCES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ()),
    ("All tests pass.", ("All tests pass.",)),
    ("I added it. All 47 tests pass! Really?", ("I added it.", "All 47 tests pass!", "Really?")),
    ("See e.g. shop.py for it.", ("See e.g. shop.py for it.",)),
    ("## Summary\n\n- added `add()`\n  * [x] tested\n1. Done.", ("added `add()`", "[x] tested", "Done.")),
    ("Before.\n```python\nraise SystemExit. Now\n```\nAfter.", ("Before.", "After.")),
    ("---\n***\n|---|", ()),
    ("cut \ud83d here", ("cut ? here",)),
    ("x" * 700, ("x" * MAX_CHARACTERS,)),
)


@pytest.mark.parametrize(("message", "expected"), SENTENCES, ids=[repr(message)[:30] for message, _ in SENTENCES])
def test_sentences(message: str, expected: tuple[str, ...]) -> None:
    assert sentences(message) == expected


def test_sentences_are_bounded() -> None:
    assert len(sentences("Yes. " * 10_000)) == MAX_STATEMENTS
    assert sentences("First. " + "x " * 200_000)[0] != "First."


@pytest.mark.parametrize(
    ("message", "before", "new"),
    [("A.\nB.", "A.", "\nB."), ("A.", "A.", "A."), ("B.", "A.", "B."), ("A.", "", "A.")],
)
def test_only_what_is_new_is_claimed(message: str, before: str, new: str) -> None:
    assert since(message, before) == new


class Told:
    """A gate whose working tree and verdicts are set by the test."""

    def __init__(self) -> None:
        self.tree = "tree-0"
        self.empty = False
        self.judged = Judged(passed=False, reason="refuted")
        self.given: str | None = None
        self.broken = False
        self.marks: dict[str, Mapping[str, Any]] = {}
        self.claims: list[tuple[str, ...]] = []
        self.verified: list[tuple[str, str | None, bool]] = []
        self.commitments: dict[str, Mapping[str, Any]] = {}
        self.branches: dict[str, str] = {}

    def look(self, base: str | None) -> Look:  # noqa: ARG002 - a port's signature
        if self.broken:
            raise SubjectError("2 files have unmerged changes")
        return Look(self.tree, self.empty)

    def head(self) -> str | None:
        return "base"

    def base_for(self, commitment: Mapping[str, Any]) -> str | None:
        return str(commitment["base"])

    def task_in_force(self) -> str | None:
        return self.given

    def commitment_of(self, task_id: str) -> Mapping[str, Any]:
        return self.commitments.get(task_id, {"task_id": task_id})

    def commit_to(self, document: Mapping[str, Any]) -> None:
        self.commitments[document["task_id"]] = document

    def claim(self, task_id: str, actor: str, statements: Sequence[str]) -> bool:  # noqa: ARG002 - as above
        self.claims.append(tuple(statements))
        return True

    def verify(self, task_id: str, base: str | None, *, reported: bool) -> Judged:
        self.verified.append((task_id, base, reported))
        return self.judged

    def mark(self, task_id: str, document: Mapping[str, Any]) -> str:
        self.marks[task_id] = document
        return f"{task_id}/UNVERIFIED"

    def unmark(self, task_id: str) -> None:
        self.marks.pop(task_id, None)

    def has_mark(self, task_id: str) -> bool:
        return task_id in self.marks

    def refs(self) -> Mapping[str, str]:
        return dict(self.branches)

    def left_elsewhere(self, before: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(name for name, commit in self.branches.items() if before.get(name) != commit)

    def drop(self, task_id: str) -> None:
        self.commitments.pop(task_id, None)

    def now(self) -> str:
        return "2024-01-01T00:00:00Z"


@pytest.fixture
def sessions(tmp_path: Path) -> Sessions:
    return Sessions(tmp_path, "claude")


def stop(gate: Told, sessions: Sessions, message: str | None = "Done.", *, attempts: int = 2, **more: Any) -> Kind:
    return end("claude", Turn("s", message=message, **more), gate, sessions, attempts=attempts).kind


def test_the_cap_counts_per_turn(sessions: Sessions) -> None:
    gate = Told()
    for prompt in ("one", "two"):
        begin("claude", Turn("s", prompt=prompt), gate, sessions)
        gate.tree += "+"
        assert [stop(gate, sessions) for _ in range(3)] == [Kind.BLOCKED, Kind.BLOCKED, Kind.RELEASED]
        assert stop(gate, sessions) is Kind.UNCHANGED
    assert len(gate.marks) == 2
    gate.tree += "!"
    gate.judged = Judged(passed=True)
    begin("claude", Turn("s", prompt="three"), gate, sessions)
    gate.tree += "!"
    assert stop(gate, sessions) is Kind.PASSED
    assert gate.marks == {}


def test_a_disclosed_weakening_ends_the_turn_at_once_with_a_mark_for_the_person(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree += "+"
    problem = {"check": "weakening:0123456789ab", "code": "WEAKENING_DISCLOSED", "message": "m"}
    gate.judged = Judged(passed=False, reason="undecided", refuted=(problem,), disclosed="weakening: 1 disclosed")
    ending = end("claude", Turn("s", message="Done."), gate, sessions, attempts=2)
    assert ending.kind is Kind.RELEASED
    assert "for you to accept: weakening: 1 disclosed" in ending.text
    (mark,) = gate.marks.values()
    assert mark["why"] == "claude disclosed weakenings, which a person has to accept"
    assert mark["refuted"] == [problem]
    # Once it is restored the mark goes.
    begin("claude", Turn("s", prompt="two"), gate, sessions)
    gate.tree += "+"
    gate.judged = Judged(passed=True)
    assert stop(gate, sessions) is Kind.PASSED
    assert gate.marks == {}


def test_a_tree_that_can_not_be_read_is_not_verified_and_counted(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.broken = True
    ending = end("claude", Turn("s", message="Done."), gate, sessions, attempts=1)
    assert "NOT VERIFIED: 2 files have unmerged changes" in ending.text
    assert stop(gate, sessions, attempts=1) is Kind.RELEASED
    assert gate.verified == []


def test_an_aborted_turn_and_one_back_at_its_base_are_allowed(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree = "tree-1"
    assert stop(gate, sessions, aborted=True) is Kind.UNCHANGED
    gate.empty = True
    assert stop(gate, sessions) is Kind.UNCHANGED
    assert gate.verified == []


def test_what_was_said_before_the_end_is_the_claim(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    keep_message(Turn("s", message="All tests pass."), sessions)
    gate.tree = "tree-1"
    stop(gate, sessions, None)
    assert gate.claims == [("All tests pass.",)]


def test_a_turn_whose_begin_nobody_saw_is_verified_from_head(sessions: Sessions) -> None:
    gate = Told()
    assert stop(gate, sessions) is Kind.BLOCKED
    ((task, base, reported),) = gate.verified
    assert (base, reported) == ("base", True)
    assert stop(gate, sessions) is Kind.BLOCKED
    assert gate.verified[1][0] == task


def test_a_subagent_has_a_task_and_a_count_of_its_own(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree = "tree-1"
    begin_subagent("claude", Turn("s", agent="a"), gate, sessions)
    assert stop(gate, sessions, agent="a") is Kind.UNCHANGED
    gate.tree = "tree-2"
    assert stop(gate, sessions, agent="a") is Kind.BLOCKED
    assert stop(gate, sessions) is Kind.BLOCKED
    assert len({task for task, _, _ in gate.verified}) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"task_id": 3}', b'{"task_id": "x", "attempts": "many"}'])
def test_a_state_that_can_not_be_read_is_none(content: bytes, sessions: Sessions, tmp_path: Path) -> None:
    written = Session("x", {"type": "code"}, marks=(("t", None),))
    sessions.write("s", None, written)
    assert sessions.read("s") == written
    (path,) = (tmp_path / "sessions").iterdir()
    path.write_bytes(content)
    assert sessions.read("s") is None


def test_a_task_that_began_during_a_turn_is_never_taken(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree, gate.given = "tree-1", "easy"
    stop(gate, sessions)
    for session in ("s", "another"):
        begin("claude", Turn(session, prompt="two"), gate, sessions)
        gate.tree += "+"
        end("claude", Turn(session, message="Done."), gate, sessions, attempts=2)
    assert "easy" not in {task for task, _, _ in gate.verified}
    gate.given = "mine"
    begin("claude", Turn("s", prompt="three"), gate, sessions)
    gate.tree += "+"
    stop(gate, sessions)
    assert gate.verified[-1] == ("mine", None, True)


def test_the_commitment_of_a_given_task_is_put_back(sessions: Sessions) -> None:
    gate = Told()
    gate.given = "mine"
    gate.commitments["mine"] = {"task_id": "mine", "commitments": {"quality": {"tests_min": 5}}}
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    agreed, gate.commitments["mine"] = gate.commitments["mine"], {"task_id": "mine"}
    gate.tree = "tree-1"
    stop(gate, sessions)
    assert gate.commitments["mine"] == agreed


def test_a_turn_that_changes_nothing_but_the_commitment_has_changed_nothing(sessions: Sessions) -> None:
    """It is no part of the tree; the next turn would take it for what was agreed."""
    gate = Told()
    gate.given = "mine"
    agreed = {"task_id": "mine", "commitments": {"quality": {"tests_min": 5}}}
    gate.commitments["mine"] = agreed
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.commitments["mine"] = {"task_id": "mine"}
    assert stop(gate, sessions) == Kind.UNCHANGED
    assert gate.commitments["mine"] == agreed


def test_a_mark_that_the_agent_removed_comes_back_and_its_work_is_verified(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree += "+"
    assert [stop(gate, sessions) for _ in range(3)] == [Kind.BLOCKED, Kind.BLOCKED, Kind.RELEASED]
    begin("claude", Turn("s", prompt="two"), gate, sessions)
    (task,) = gate.marks
    gate.marks.clear()
    verified = len(gate.verified)
    assert stop(gate, sessions) is Kind.BLOCKED
    assert gate.marks[task]["why"] == "the mark was removed during a turn, without a pass"
    assert gate.verified[verified:][0][1] == "base"
    gate.judged = Judged(passed=True)
    gate.marks.clear()
    assert stop(gate, sessions) is Kind.PASSED
    assert gate.marks == {}


def test_a_mark_that_a_person_removed_between_turns_stays_away(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.tree += "+"
    assert [stop(gate, sessions) for _ in range(3)][-1] is Kind.RELEASED
    gate.marks.clear()
    begin("claude", Turn("s", prompt="two"), gate, sessions)
    assert stop(gate, sessions) is Kind.UNCHANGED
    assert gate.marks == {}


REFUTED = ({"check": "unit:statement:1", "code": "CLAIM_REFUTED", "message": "2 failed"},)


@pytest.mark.parametrize(
    ("message", "is_empty", "refuted", "expected"),
    [
        ("I fixed the parser, 47 tests pass.", True, (), Kind.BLOCKED),
        ("Done: added a test for it.", True, (), Kind.BLOCKED),
        ("All tests pass.", True, REFUTED, Kind.BLOCKED),
        ("All tests pass.", True, (), Kind.UNCHANGED),
        ("All tests pass.", False, ({"check": "code.integrity", "code": "X", "message": "m"},), Kind.UNCHANGED),
        ("I fixed the parser.", False, (), Kind.UNCHANGED),
        ("I fixed the parser in the previous turn.", True, (), Kind.UNCHANGED),
        ("The function total adds prices. Shall I go on?", True, REFUTED, Kind.UNCHANGED),
        ("I looked at it and changed nothing.", True, REFUTED, Kind.UNCHANGED),
        ("I haven't fixed anything yet.", True, REFUTED, Kind.UNCHANGED),
        ("", True, REFUTED, Kind.UNCHANGED),
    ],
)
def test_a_turn_that_changes_nothing_is_read_where_it_claims_something(
    message: str, is_empty: bool, refuted: Sequence[Mapping[str, str]], expected: Kind, sessions: Sessions
) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.empty, gate.judged = is_empty, Judged(passed=False, reason="refuted", refuted=refuted)
    assert stop(gate, sessions, message) is expected


def test_work_that_was_left_on_another_branch_is_named(sessions: Sessions) -> None:
    gate = Told()
    begin("claude", Turn("s", prompt="one"), gate, sessions)
    gate.branches["topic"] = "c1"
    ending = end("claude", Turn("s", message="See the branch."), gate, sessions, attempts=2)
    assert (ending.kind, ending.text) == (Kind.UNCHANGED, "verigate: not in the working tree, and not verified: topic")
    gate.empty = True
    blocked = end("claude", Turn("s", message="I fixed the parser."), gate, sessions, attempts=2)
    assert blocked.kind is Kind.BLOCKED
    assert "what is on topic isn't in the working tree" in blocked.text
