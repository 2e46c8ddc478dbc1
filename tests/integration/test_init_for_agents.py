"""What gate init writes for coding agents, when it is asked for, and on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import gated_repository as gr
import pytest
from repositories import Repository

SKILL = ".agents/skills/verigate/SKILL.md"


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Repository:
    repository = Repository.make(tmp_path / "repo")
    repository.commit({"README.md": "# Notes\n"}, "Begin")
    return repository


def _init(place: Repository, *options: str) -> str:
    done = place.gate("init", "--no-verdict", *options)
    assert done.exit_code == 0, done.stderr
    return done.stdout.decode()


def test_nothing_is_written_for_agents_unless_asked(place: Repository) -> None:
    for options in ((), ("--yes",), ("--no-agents", "--yes")):
        _init(place, *options)
        assert not (place.root / "AGENTS.md").exists()
        assert not (place.root / SKILL).exists()


def test_a_section_and_a_skill_are_written_once(place: Repository) -> None:
    assert "would write AGENTS.md" in _init(place, "--agents", "--dry-run")
    assert not (place.root / "AGENTS.md").exists()
    _init(place, "--agents")
    section, skill = ((place.root / name).read_text() for name in ("AGENTS.md", SKILL))
    head = re.match(r"---\nname: verigate\ndescription: (.{40,1024})\n---\n", skill)
    assert head is not None
    assert SKILL in section
    again = _init(place, "--agents")
    assert "kept    AGENTS.md" in again
    assert ((place.root / "AGENTS.md").read_text(), (place.root / SKILL).read_text()) == (section, skill)


def test_what_is_there_stays_and_an_older_section_is_replaced(place: Repository) -> None:
    pages, skill = place.root / "AGENTS.md", place.root / SKILL
    pages.write_text("# Ours\n\nUse tabs.")
    _init(place, "--agents")
    text = pages.read_text()
    assert text.startswith("# Ours\n\nUse tabs.\n\n<!-- verigate: begin -->\n")
    assert text.endswith("<!-- verigate: end -->\n")
    old = text.replace("It decides; your word doesn't.", "It decides.") + "\nMore of ours.\n"
    pages.write_text(old)
    skill.write_text("mine\n")
    _init(place, "--agents")
    assert pages.read_text() == text + "\nMore of ours.\n"
    assert skill.read_text() == "mine\n"


@pytest.mark.parametrize("kind", ["link", "folder", "bytes", "unended"])
def test_a_page_that_cannot_be_edited_is_refused_and_left(kind: str, place: Repository) -> None:
    pages, elsewhere = place.root / "AGENTS.md", place.root.parent / "elsewhere"
    elsewhere.write_text("x\n")
    if kind == "link":
        pages.symlink_to(elsewhere)
    elif kind == "folder":
        pages.mkdir()
    else:
        pages.write_bytes(b"\xff\xfe" if kind == "bytes" else b"a\n<!-- verigate: begin -->\nb\n")
    refused = place.gate("init", "--no-verdict", "--agents")
    assert refused.exit_code == 2, refused.stdout
    assert b"AGENTS.md" in refused.stderr
    assert elsewhere.read_text() == "x\n"
    assert not (place.root / "config").exists()


@pytest.mark.parametrize(
    ("options", "answers", "asked", "written"),
    [
        ((), "\ny\n", True, True),
        ((), "\nn\n", True, False),
        (("--yes",), "\n", False, True),
        (("--no-agents",), "\n", False, False),
    ],
)
def test_a_person_at_a_terminal_is_asked(
    options: tuple[str, ...], answers: str, asked: bool, written: bool, place: Repository
) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        (*gr.GATE, "init", "--no-verdict", *options),
        cwd=place.root,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.write(ours, answers.encode())
        process.communicate(timeout=60)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:
            pass  # the other end is closed
    os.close(ours)
    assert process.returncode == 0, shown
    assert (b"write what coding agents have to know" in shown) is asked
    assert (place.root / SKILL).exists() is written
