"""Every command that a page gives for its figures exists, and takes the options that are shown. Starts each program."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict

import pytest
from document_parts import ROOT

_PROGRAM = r"(?:\.venv/bin/)?python (tests/(?:bench|support|fuzz)/\w+\.py)"
_COMMAND = re.compile(rf"({_PROGRAM}|\$H|HISTORY)((?: [^\s`|\"#]+)*)")
_HISTORY = "tests/bench/history.py"
"""What docs/false-blocks.md shortens to ``$H`` and ``HISTORY``."""


def options_by_program() -> dict[str, set[str]]:
    """The options that README.md, CONTRIBUTING.md and docs/*.md show, by the program."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for match in _COMMAND.finditer(page.read_text("utf-8")):
            found[match[2] or _HISTORY] |= {
                word.partition("=")[0] for word in match[3].split() if word.startswith("--")
            }
    return found


OPTIONS = options_by_program()


def test_the_commands_of_the_pages_are_found() -> None:
    assert len(OPTIONS) > 20
    assert {"--screen", "--markdown", "--skip", "--records", "--capability"} <= OPTIONS[_HISTORY]
    assert "--alone" in OPTIONS["tests/bench/lies.py"]


@pytest.mark.slow
@pytest.mark.parametrize("program", sorted(OPTIONS))
def test_a_program_of_a_page_has_the_options_that_the_page_shows(program: str) -> None:
    done = subprocess.run((sys.executable, program, "--help"), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {option for option in OPTIONS[program] if not re.search(rf"{option}\b", done.stdout)} == set()
