"""What is asked before a comparison runs outside or writes a file, and what follows from each answer."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from verigate.cli.suite_check import FixTerms, show_fixes, write_agreed
from verigate.usecases.suite_fixes import SuiteFix

GRANTS = SuiteFix("config/sandbox.json", "{}\n", False, "open the sandbox?", ("opens env \x1b[2J: it isn't set",))
TESTS = SuiteFix("config/adapters.json", "[]\n", False, "deselect 1 test?", ("deselects t",))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions; each is answered with yes if it is about the sandbox, else with no."""
    questions: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        questions.append(question)
        return "open the sandbox" in question

    monkeypatch.setattr(click, "confirm", confirm)
    return questions


def terms(*, fix: bool = True, outside: bool = False, yes: bool = False, interactive: bool = False) -> FixTerms:
    return FixTerms(fix, outside, yes, interactive)


@pytest.mark.parametrize(
    ("given", "written", "questions"),
    [
        (terms(interactive=True), ("config/sandbox.json",), 2),
        (terms(yes=True), ("config/sandbox.json", "config/adapters.json"), 0),
        (terms(yes=True, interactive=True), ("config/sandbox.json", "config/adapters.json"), 0),
        (terms(), (), 0),
        (terms(outside=True), (), 0),
        (terms(fix=False, interactive=True), (), 0),
        (terms(fix=False, yes=True), (), 0),
    ],
)
def test_a_file_is_written_after_a_yes_alone(
    tmp_path: Path, asked: list[str], given: FixTerms, written: tuple[str, ...], questions: int
) -> None:
    assert write_agreed(tmp_path, (GRANTS, TESTS), given) == written
    assert len(asked) == questions
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.json")) == sorted(written)


@pytest.mark.parametrize(
    ("given", "agreed", "questions"),
    [
        (terms(), False, 0),
        (terms(outside=True), True, 0),
        (terms(yes=True), True, 0),
        (terms(interactive=True), False, 1),
    ],
)
def test_nothing_runs_outside_without_a_yes(asked: list[str], given: FixTerms, agreed: bool, questions: int) -> None:
    assert given.agree_outside() is agreed
    assert len(asked) == questions


@pytest.mark.parametrize(
    ("interactive", "command"), [(True, "gate init --fix"), (False, "gate init --fix --yes, which agrees to all of it")]
)
def test_what_would_change_is_shown_escaped_with_the_command_that_writes_it(
    capsys: pytest.CaptureFixture[str], *, interactive: bool, command: str
) -> None:
    show_fixes((GRANTS, TESTS), ("config/adapters.json",), terms(fix=False, interactive=interactive), "gate init")
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "would write config/sandbox.json",
        "  opens env \\x1b[2J: it isn't set",
        "wrote config/adapters.json",
        "  deselects t",
        f"to write this: {command}",
        "commit these files on their own, for somebody else to review: they hold from the next change on",
    ]


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "config").symlink_to("elsewhere")
    with pytest.raises(Exception, match="symbolic link"):
        write_agreed(tmp_path, (GRANTS,), terms(yes=True))
    assert list((tmp_path / "elsewhere").iterdir()) == []
