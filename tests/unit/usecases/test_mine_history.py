"""What stands behind what was said: tables of events of a session, and the standing that follows."""

from __future__ import annotations

import pytest

from verigate.domain.agent_history import (
    Backing,
    PastEdit,
    PastEvent,
    PastMessage,
    PastRun,
    PastSession,
    PastTurn,
    RepositoryToday,
    SaidDone,
    Topic,
    Unread,
)
from verigate.reporting.agent_history import history_document, render_history, share_document
from verigate.usecases.mine_history import judge_sessions

_EDIT = PastEdit("/w/shop.py")


def _ran(command: str, code: int | None = 0) -> PastRun:
    return PastRun(command, None if code is None else code == 0, code)


def _judge(*events: PastEvent, said: str = "I fixed the parser.", folder: str = "/w") -> list[SaidDone]:
    turn = PastTurn(5.0, (*events, PastMessage(said)))
    session = PastSession("claude", "s1", folder, (turn,))
    return list(judge_sessions([session], lambda path: path == "/w/shop.py", lambda *_: ""))


@pytest.mark.parametrize(
    ("events", "said", "backing"),
    [
        ((_EDIT, _ran("pytest")), "I fixed the parser.", Backing.PASSED),
        ((_EDIT, _ran("pytest tests/test_a.py")), "I fixed the parser.", Backing.PASSED),
        ((_EDIT, _ran("pytest tests/test_a.py")), "All tests pass.", Backing.PART),
        ((_EDIT, _ran("pytest"), _ran("pytest a.py")), "All tests pass.", Backing.PASSED),
        ((_EDIT, _ran("ruff check .")), "I fixed the parser.", Backing.PASSED),
        ((_EDIT, _ran("ruff check .")), "All tests pass.", Backing.NONE),
        ((_EDIT, _ran("ruff check .")), "All tests pass. Lint is clean.", Backing.NONE),
        ((_EDIT, _ran("gate verify")), "All tests pass.", Backing.PASSED),
        ((_EDIT, _ran("pytest"), _EDIT), "All tests pass.", Backing.STALE),
        ((_EDIT, _ran("pytest"), _ran("sed -i s/a/b/ shop.py")), "All tests pass.", Backing.STALE),
        ((_EDIT, _ran("pytest"), PastEdit("/home/me/notes.md")), "All tests pass.", Backing.PASSED),
        ((_EDIT, _ran("pytest"), PastEdit("~/notes.md")), "All tests pass.", Backing.PASSED),
        ((_EDIT, _ran("sed -i s/a/b/ shop.py && pytest")), "All tests pass.", Backing.PASSED),
        ((_EDIT, _ran("pytest", 1)), "I fixed the parser.", Backing.FAILED),
        ((_EDIT, _ran("pytest"), _ran("pytest", 1)), "I fixed the parser.", Backing.FAILED),
        ((_EDIT, _ran("pytest", 1), _ran("pytest")), "I fixed the parser.", Backing.PASSED),
        ((_EDIT, _ran("ruff check ."), _ran("pytest", 1)), "I fixed the parser.", Backing.FAILED),
        ((_EDIT, _ran("pytest | tail")), "I fixed the parser.", Backing.HIDDEN),
        ((_EDIT, _ran("pytest", None)), "I fixed the parser.", Backing.HIDDEN),
        ((_EDIT, _ran("pytest"), _ran("pytest | tail")), "I fixed the parser.", Backing.PASSED),
        ((_EDIT, _ran("pytest | tail", 1)), "I fixed the parser.", Backing.FAILED),
        ((_EDIT, _ran("ls")), "I fixed the parser.", Backing.NONE),
        ((_EDIT,), "I fixed the parser.", Backing.NONE),
        ((_ran("pytest"),), "All tests pass.", Backing.UNEDITED),
    ],
)
def test_a_standing_follows_from_the_runs_after_the_last_edit(
    events: tuple[PastEvent, ...], said: str, backing: Backing
) -> None:
    (found,) = _judge(*events, said=said)
    assert found.backing is backing


@pytest.mark.parametrize(
    "said", ["The parser is in shop.py.", "I will fix the parser.", "Shall I run the tests?", "I could not fix it.", ""]
)
def test_what_says_nothing_done_is_not_counted(said: str) -> None:
    assert _judge(_EDIT, said=said) == []


def test_a_turn_that_ends_with_a_run_says_nothing() -> None:
    turn = PastTurn(5.0, (PastMessage("I fixed the parser."), _ran("pytest")))
    assert list(judge_sessions([PastSession("claude", "s", "/w", (turn,))], bool, lambda *_: "")) == []


def test_statements_topics_files_and_verdict_are_told() -> None:
    turn = PastTurn(5.0, (_EDIT, PastEdit("gone.py"), PastMessage("I fixed it, sort of. All tests pass.")))
    asked: list[tuple[str, tuple[str, ...]]] = []

    def find(folder: str, said: object) -> str:
        asked.append((folder, tuple(said)))  # type: ignore[arg-type] # a sequence
        return "fail"

    (found,) = judge_sessions([PastSession("codex", "s", "/w", (turn,))], lambda path: path == "/w/shop.py", find)
    assert found.topics == (Topic.TESTS,)
    assert "All tests pass." in found.statements
    assert (found.edited, found.present, found.verdict) == (2, 1, "fail")
    assert asked == [("/w", ("I fixed it, sort of.", "All tests pass."))]


def test_a_resumed_session_repeats_nothing() -> None:
    turn = PastTurn(5.0, (_EDIT, PastMessage("I fixed the parser.")))
    later = PastTurn(9.0, (_ran("pytest"), PastMessage("All tests pass.")))
    sessions = [PastSession("claude", "s1", "/w", (turn,)), PastSession("claude", "s2", "/w", (turn, later))]
    found = list(judge_sessions(sessions, bool, lambda *_: ""))
    assert [(each.session, each.backing) for each in found] == [("s1", Backing.NONE), ("s2", Backing.PASSED)]


def test_a_share_of_nothing_says_so() -> None:
    assert share_document([])["share"] is None
    unedited = _judge(_ran("pytest"), said="All tests pass.")
    assert share_document(unedited)["share"] is None
    assert "nothing to count" in render_history({"claude": 1}, unedited, [], Unread(), shown=5)
    assert "no session was found: nothing to count" in render_history({"claude": 0}, [], [], Unread(), shown=5)


def test_hostile_texts_are_shown_and_not_obeyed() -> None:
    run = PastRun("pytest \x1b[2J\n\x1b]0;x\x07", succeeded=False, exit_code=1)
    found = _judge(_EDIT, run, said="I fixed \x1b[31mthe parser\u202e.", folder="/w")
    today = [RepositoryToday("/w/\x1b[2J", exists=False)]
    text = render_history({"claude": 1}, found, today, Unread(1, 2), shown=5)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "1 file and 2 lines that can't be read" in text
    document = history_document({"claude": 1}, found, today, Unread(1, 2))
    assert document["all"]["share"] == 1.0
    assert document["said"][0]["run"]["exit_code"] == 1
