"""Requests in words -> slots: what the parts of the router make of single phrases, and what none of them may do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verigate.config.tool_definition import read_tool
from verigate.discovery.tool_index import ToolFile, ToolIndex, load_tool_index
from verigate.domain.manifest import Origin
from verigate.errors import GateError
from verigate.execution.direct_run import build_preview
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import stem_text, tokenize
from verigate.requests.units import parse_duration, parse_quantity
from verigate.requests.working_folder import WorkingFolder

TOOLS = Path(__file__).parents[3] / "adapters" / "tools"


def _index() -> ToolIndex:
    files = [
        ToolFile(str(path), path.name, Origin.BUILTIN, path.read_bytes())
        for path in (TOOLS / f"{name}.toml" for name in ("unix", "tar", "ffmpeg", "ripgrep"))
    ]
    return load_tool_index(files, read_tool, stem_text, "test", None)[0]


INDEX = _index()
SHELLS = {"sh", "bash", "dash", "zsh", "env", "eval", "xargs"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("move 'my file.txt' to b/", [("word", "move"), ("quoted", "my file.txt"), ("word", "to"), ("path", "b/")]),
        ("delete a.txt, please.", [("word", "delete"), ("path", "a.txt"), ("separator", ","), ("word", "please")]),
        ("a -> b", [("word", "a"), ("word", "->"), ("word", "b")]),
        ("lint .", [("word", "lint"), ("path", ".")]),
        ("x && y", [("word", "x"), ("separator", "&&"), ("word", "y")]),
        ("see *.py?", [("word", "see"), ("path", "*.py")]),
        ("it's 1.5", [("word", "it's"), ("word", "1.5")]),
    ],
)
def test_tokens(words: str, expected: list[tuple[str, str]]) -> None:
    assert [(token.kind, token.text) for token in tokenize(words)] == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2 minutes 30 seconds", "150"), ("1 hour", "3600"), ("5 mins and 2 secs", "302"), ("soon", None)],
)
def test_durations_in_words(text: str, seconds: str | None) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "units", "expected"),
    [
        ("2 megabits per second", {"Mbps": "M", "kbps": "k"}, "2Mbps"),
        ("1500 kilobits per second", {"Mbps": "M", "kbps": "k"}, "1500kbps"),
        ("30 frames per second", {"fps": ""}, "30fps"),
        ("3 apples per hour", {"fps": ""}, None),
        ("9**9**9 meters", {"fps": ""}, None),
    ],
)
def test_quantities_in_words(text: str, units: dict[str, str], expected: str | None) -> None:
    assert parse_quantity(text, units) == expected


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("delete '-rf'", ["-rf"]),
        ('delete "$(x)"', ["$(x)"]),
        ("delete 'a; rm b'", ["a; rm b"]),
        ('remove "`id`"', ["`id`"]),
    ],
)
def test_a_name_is_a_name(tmp_path: Path, words: str, target: list[str]) -> None:
    (tmp_path / target[0]).touch()
    chosen = route_request(words, INDEX, WorkingFolder(str(tmp_path))).chosen
    assert chosen is not None
    (line,) = build_preview(chosen.capability, chosen.given, tmp_path).lines
    assert line[:2] == ("rm", "--")
    assert line[2].removeprefix("./") == target[0]


PIECES = r"""
delete remove move copy to into from and then all every files folder a.txt b.txt '-rf' $(id) `id` ; && | > *.txt
archive compress as x.tgz not don't except convert talk.mp4 mp3 at 10s search for TODO in src recursively using tar
unix ../.. / ~ -r --exec sh -c \ , . .. * ? [a] {x,y} 755 u+x verbosely
"""
WORDS = st.sampled_from([*PIECES.split(), "\0", "\ud800", "\u202e", "\U0001f600", '"c d.txt"', "\n"])


@settings(max_examples=3 * settings.default.max_examples)
@given(st.lists(WORDS | st.text(max_size=12), max_size=14))
def test_no_input_leads_to_a_shell_or_past_end_of_options(words: list[str]) -> None:
    here = WorkingFolder(str(TOOLS))
    selection = route_request(" ".join(words), INDEX, here)
    if selection.chosen is None:
        assert selection.problem
        return
    capability = selection.chosen.capability
    try:
        lines = build_preview(capability, selection.chosen.given, TOOLS).lines
    except GateError:
        return
    flags = {slot.flag for slot in capability.slots if slot.flag}
    fixed = len(capability.command.args) + 1
    for line in lines:
        assert line[:fixed] == (capability.command.base, *capability.command.args)
        assert line[0] not in SHELLS
        end = line.index("--") if "--" in line[fixed:] else len(line)
        for word in line[fixed:end]:
            assert not word.startswith("-") or any(word.startswith(flag) for flag in flags), line


def test_the_words_of_a_repositorys_file_are_no_option(tmp_path: Path) -> None:
    """A file that is called like a keyword, or like a word that says nothing, makes the request ambiguous."""
    (tmp_path / "notes.txt").touch()
    chosen = route_request("please delete notes.txt recursively", INDEX, WorkingFolder(str(tmp_path))).chosen
    assert chosen is not None
    assert chosen.given == {"target": ["notes.txt"], "recursive": True}
    for name in ("all", "please", "recursively"):
        (tmp_path / name).touch()
        refused = route_request("please delete notes.txt recursively", INDEX, WorkingFolder(str(tmp_path)))
        assert (refused.chosen is None) == (name != "all")
        if refused.chosen is None:
            assert "is a word and a file here" in str(refused.problem)
    assert route_request("please delete all", INDEX, WorkingFolder(str(tmp_path))).chosen is None
