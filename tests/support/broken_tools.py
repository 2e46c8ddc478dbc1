"""Tools in TOML that break the contract in one way each: one conforming file with one change.

A change is a text that stands once in the file, and what stands there instead; or the whole of ``COMMAND``, by a shell
or Python program of a line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COMMAND = """command = { base = "grep", args = ["--line-number", "--with-filename", "--fixed-strings"], \
positional_order = ["word", "text"], end_of_options = "--" }"""
REPORT = 'report = { format = "lines", clean = [1], found = [0] }\n'
WORD = """word = { category = "CONSTRAINT", type = "string", required = false, default = "eval", \
render = "positional", desc = "The word" }
"""
TEXT = """text = { category = "TARGET", type = "filepath", required = true, cardinality = "many", \
expansion = "inline", effect = "reads", render = "positional", desc = "Texts" }"""
TOOL = f"""\
[adapter]
name = "Forbidden words"
aliases = ["forbidden"]

[[domains]]
name = "text"
description = "Texts"
extensions = [".txt"]

[[capabilities]]
domain = "text"
name = "words"
triggers = ["forbid"]
description = "Find words that must not be in texts"
destructive = false
{COMMAND}
{REPORT}
[capabilities.slots]
{WORD}{TEXT}
"""
FIXTURE: dict[str, Any] = {
    "schema": "verigate:fixture.v1",
    "files": {"a.txt": "one\neval\n", "b.txt": "two\n"},
    "issues": True,
    "expect": {"forbidden/words/lint.json": {"/issues/0/path": "a.txt", "/issues/0/line": 2, "/files_checked": 2}},
}


@dataclass(frozen=True)
class BrokenTool:
    """The code it is caught with, the edits, what the message must tell, and members of the fixture that differ."""

    code: str
    edits: tuple[tuple[str, str], ...] = ()
    tells: str = ""
    fixture: Mapping[str, Any] = field(default_factory=dict)

    def make(self, folder: Path) -> Path:
        """Its file in ``folder``, which isn't there yet, with the fixture beside it."""
        text = TOOL
        for old, new in self.edits:
            assert text.count(old) == 1, (old, text.count(old))
            text = text.replace(old, new)
        return write(folder, text, {**FIXTURE, **self.fixture})


def write(folder: Path, text: str, fixture: Mapping[str, Any]) -> Path:
    """A tool's file with one fixture."""
    case = folder / "fixtures" / "words" / "two-files"
    case.mkdir(parents=True)
    (case / "fixture.json").write_text(json.dumps(fixture), encoding="utf-8")
    path = folder / "words.toml"
    path.write_text(text, encoding="utf-8")
    return path


def running(program: str, *args: str) -> tuple[tuple[str, str], ...]:
    """The edits that make the command another program, which gets the texts alone and has no report."""
    command = f'command = {{ base = "{program}", args = {json.dumps(args)}, positional_order = ["text"] }}'
    return ((COMMAND, command), (REPORT, ""), (WORD, ""))


def shell(code: str) -> tuple[tuple[str, str], ...]:
    """The edits that make the command a line of sh."""
    return running("sh", "-c", code, "sh")


def lines(code: str) -> tuple[tuple[str, str], ...]:
    """The edits that make the command a line of sh that prints findings, and always ends with 0."""
    command, _, word = shell(code)
    return (command, (REPORT, REPORT.replace("clean = [1]", "clean = [3]")), word)


NOTHING: dict[str, Any] = {"expect": {}}
CHANGES = (TEXT, TEXT.replace('"reads"', '"changes"'))

BROKEN_TOOLS: dict[str, BrokenTool] = {
    "not-toml": BrokenTool("TOOL_DEFINITION", (('name = "words"', "name = words"),), "words.toml:12"),
    "no-adapter": BrokenTool("TOOL_DEFINITION", (("[adapter]", "[tool]"),), "no table [adapter]"),
    "unknown-key": BrokenTool("TOOL_DEFINITION", (("triggers =", "trigger ="),), "trigger"),
    "order-of-no-slot": BrokenTool("TOOL_DEFINITION", (('"word", "text"]', '"word", "texts"]'),), "words.toml:16"),
    "program-missing": BrokenTool(
        "TOOL_MISSING", (('base = "grep"', 'base = "verigate-no-such"'),), "verigate-no-such"
    ),
    "helper-missing": BrokenTool(
        "TOOL_MISSING", (("[[domains]]", '[sandbox]\ntools = ["verigate-helper"]\n\n[[domains]]'),), "verigate-helper"
    ),
    "domain-of-no-file": BrokenTool(
        "TOOL_NOT_STARTED", (('extensions = [".txt"]', 'extensions = [".words"]'),), "grep", NOTHING
    ),
    "slot-without-value": BrokenTool(
        "TOOL_SLOTS", (('required = false, default = "eval"', "required = true"),), "a value is missing"
    ),
    "exit-code-unforeseen": BrokenTool("TOOL_REPORT", (("found = [0]", "found = [2]"),), "exit code 0"),
    "lines-not-understood": BrokenTool(
        "TOOL_REPORT", (("found = [0] }", "found = [0], pattern = '(?P<path>[^:]+)' }"),), "isn't a finding"
    ),
    "takes-too-long": BrokenTool(
        "TIMEOUT_EXCEEDED", (*shell("sleep 30"), ("[[domains]]", "[sandbox]\ntimeout = 3\n\n[[domains]]")), "", NOTHING
    ),
    "another-value": BrokenTool(
        "EXPECTATION_FAILED", fixture={"expect": {"forbidden/words/lint.json": {"/files_checked": 7}}}, tells="7"
    ),
    "fixture-with-unknown-key": BrokenTool("FIXTURE_INVALID", fixture={"isues": True}, tells="isues"),
    "random": BrokenTool(
        "NOT_DETERMINISTIC",
        lines(
            """for f; do printf '%s:1: %s\\n' "$f" "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ' | tr 0-9 a-j)"; done"""
        ),
        "message",
        NOTHING,
    ),
    "splits-names": BrokenTool("ODD_FILE_NAMES", shell("cat $* > /dev/null"), "a piece of the name", NOTHING),
    "fails-on-a-name": BrokenTool(
        "ODD_FILE_NAMES", shell("case $* in *-rf*) exit 3 ;; esac"), "sh ended with 3, and with 0 on two-files", NOTHING
    ),
    "leaves-a-file": BrokenTool("WRITES_OUTSIDE", shell("touch left; true"), "left", NOTHING),
    "writes-for-a-moment": BrokenTool(
        "READ_ONLY_SUBJECT",
        running("python3", "-c", "import pathlib; file = pathlib.Path('left'); file.touch(); file.unlink()"),
        "differ",
        NOTHING,
    ),
    "changes-files": BrokenTool(
        "DESTRUCTIVE_UNDECLARED", (*shell('for f; do echo more >> "$f"; done'), CHANGES), "a.txt, b.txt", NOTHING
    ),
    "asks-the-network": BrokenTool(
        "NETWORK_UNDECLARED",
        running("python3", "-c", "import socket; socket.socket().connect_ex(('192.0.2.1', 80))"),
        "192.0.2.1 port 80",
        NOTHING,
    ),
}

LEAVES_A_PROCESS = BrokenTool(
    "",
    running(
        "python3", "-c", "import subprocess as s; s.Popen(['sleep', '9'], start_new_session=True, stdout=-3, stderr=-3)"
    ),
    fixture=NOTHING,
)
"""Not broken for its caller: what a tool leaves behind is ended with it."""
