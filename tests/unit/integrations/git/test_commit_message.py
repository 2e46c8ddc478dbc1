"""Where the Gate-Task trailer goes, and where none goes. git places it; nothing else of a message changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sample_repository import SampleRepository, clean_environ

from verigate.errors import UsageError
from verigate.integrations.git.commit_message import Draft, TrailerOutcome, insert_trailer, read_said_message

SCISSORS = "# ------------------------ >8 ------------------------\n"
PLACED = {
    "a subject": ("Fix it\n", "Fix it\n\nGate-Task: T1\n"),
    "a subject without an end": ("Fix it", "Fix it\n\nGate-Task: T1\n"),
    "a subject that looks like a trailer": ("shop: fix it\n", "shop: fix it\n\nGate-Task: T1\n"),
    "beside trailers": (
        "Fix\n\nSigned-off-by: A <a@b.c>\n",
        "Fix\n\nSigned-off-by: A <a@b.c>\nGate-Task: T1\n",
    ),
    "a line of dashes is text": ("Fix\n\nbody\n---\nmore\n", "Fix\n\nbody\n---\nmore\n\nGate-Task: T1\n"),
    "before git's comments": (
        "Fix\n\nRefs: 1\n\n# Please enter\n#\tnew file: x\n",
        "Fix\n\nRefs: 1\nGate-Task: T1\n\n# Please enter\n#\tnew file: x\n",
    ),
    "a diff below the scissors stays": (
        f"Fix\n# Please\n{SCISSORS}# Do not\n+Gate-Task: T9\n",
        f"Fix\n\nGate-Task: T1\n# Please\n{SCISSORS}# Do not\n+Gate-Task: T9\n",
    ),
    "a squashed branch names its own": (
        "Squashed commit of the following:\n\n    Fix\n\n    Gate-Task: T9\n",
        "Squashed commit of the following:\n\n    Fix\n\n    Gate-Task: T9\n\nGate-Task: T1\n",
    ),
    "a word in the text": ("Fix\n\nGate-Task is new\n", "Fix\n\nGate-Task is new\n\nGate-Task: T1\n"),
    "bytes of any encoding": (b"\xe4\xff\n", b"\xe4\xff\n\nGate-Task: T1\n"),
}
LEFT = {
    "named already": ("Fix\n\nGate-Task: T1\n", TrailerOutcome.NAMED),
    "another task": ("Fix\n\nGate-Task: T0\nSigned-off-by: A <a@b.c>\n", TrailerOutcome.NAMED),
    "in other letters": ("Fix\n\ngate-task:T1\n\n# comment\n", TrailerOutcome.NAMED),
    "nothing": ("", TrailerOutcome.EMPTY),
    "only comments": ("\n# Please enter\n", TrailerOutcome.EMPTY),
    "only comments and a diff": (f"\n{SCISSORS}+x\n", TrailerOutcome.EMPTY),
    "only a sign-off": ("\n\nSigned-off-by: A <a@b.c>\n# Please\n", TrailerOutcome.EMPTY),
    "fixup": ("fixup! Fix it\n", TrailerOutcome.FOLDED),
    "squash": ("squash! Fix it\n\nmore\n", TrailerOutcome.FOLDED),
    "amend": ("amend! Fix it\n\nFix it well\n", TrailerOutcome.FOLDED),
}


def raw(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


@pytest.mark.parametrize("case", PLACED)
def test_a_commit_of_new_work_names_its_task_once(case: str) -> None:
    before, after = map(raw, PLACED[case])
    assert insert_trailer(Draft(before), "T1", os.environ) == (TrailerOutcome.ADDED, after)
    assert insert_trailer(Draft(after), "T1", os.environ) == (TrailerOutcome.NAMED, after)


@pytest.mark.parametrize("case", LEFT)
def test_other_messages_keep_their_bytes(case: str) -> None:
    text, outcome = LEFT[case]
    assert insert_trailer(Draft(text.encode()), "T1", os.environ) == (outcome, text.encode())


def test_comments_begin_as_git_is_told() -> None:
    text = b"Fix\n\n#12 is done\n; Please enter\n"
    expected = b"Fix\n\n#12 is done\n\nGate-Task: T1\n; Please enter\n"
    assert insert_trailer(Draft(text, b";"), "T1", os.environ) == (TrailerOutcome.ADDED, expected)
    assert insert_trailer(Draft(b"; Please enter\n", b";"), "T1", os.environ)[0] is TrailerOutcome.EMPTY


def test_without_an_editor_nothing_is_a_comment() -> None:
    assert insert_trailer(Draft(b"#12 is done\n", b""), "T1", os.environ)[1] == b"#12 is done\n\nGate-Task: T1\n"


def test_a_template_that_nobody_filled_in_stays_one() -> None:
    template = b"What:\n\nWhy:\n# hint\n"
    assert (
        insert_trailer(Draft(template + b"\n# git's\n", template=template), "T1", os.environ)[0] is TrailerOutcome.EMPTY
    )
    assert insert_trailer(Draft(b"What: x\n\nWhy: y\n", template=template), "T1", os.environ)[0] is TrailerOutcome.ADDED


SAID = {
    "as it is": (b"Fix\n\nbody\n", {}, "Fix\n\nbody"),
    "without comments": (b"Fix\n# Weakens: x\nbody\n#\n", {}, "Fix\nbody"),
    "without what is below scissors": (
        b"Fix\n# ------------------------ >8 ------------------------\nmore\n",
        {},
        "Fix",
    ),
    "with what looks like a comment, if no editor was opened": (b"Fix\n# 1\n", {"GIT_EDITOR": ":"}, "Fix\n# 1"),
    "any bytes": (b"\xff\n", {}, "\ufffd"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_a_message_says(case: str, tmp_path: Path) -> None:
    text, environ, said = SAID[case]
    repository = SampleRepository.create(tmp_path / "r")
    file = repository.write(".git/COMMIT_EDITMSG", text)
    assert read_said_message(file, repository.path, clean_environ(**environ)) == said


def test_comments_of_a_message_begin_as_git_is_told(tmp_path: Path) -> None:
    repository = SampleRepository.create(tmp_path / "r")
    repository.git("config", "core.commentChar", ";")
    file = repository.write("m", "Fix\n# said\n; not said\n")
    assert read_said_message(file, repository.path, clean_environ()) == "Fix\n# said"


def test_a_message_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    repository = SampleRepository.create(tmp_path / "r")
    with pytest.raises(UsageError, match="can't be read"):
        read_said_message(repository.path / "nowhere", repository.path, clean_environ())
