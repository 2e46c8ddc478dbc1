"""The keys of a tool's file beyond the source document: synonyms, joined values, batches, names of files, limits."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_documents import UNIX, capability

from verigate.config.tool_definition import read_tool
from verigate.tools.document import to_tool
from verigate.tools.matching import matches
from verigate.tools.misspelt_table import find_misspelt_table
from verigate.tools.model import FileDomain
from verigate.tools.render import MAX_LINE_BYTES, render_commands
from verigate.tools.slots import SlotsError, fill_slots

SOURCE = {"category": "TARGET", "type": "filepath", "required": True, "cardinality": "many", "expansion": "inline"}
FILTER = {"type": "dimensions", "flag": "-vf", "format": "scale={width}:{height}", "separator": ","}
RATE = {"type": "quantity", "flag": "-vf", "format": "fps={value}", "units": {"fps": ""}, "separator": ","}
RULES = {"type": "string", "cardinality": "many", "expansion": "inline", "flag": "--ignore=", "separator": ","}
CODEC = {"type": "enum", "values": ["hevc", "h264"], "synonyms": {"h265": "hevc"}, "flag": "-c:v"}
JOINED = capability({"base": "t"}, {"s": {**SOURCE, "flag": "-i"}, "f": FILTER, "r": RATE, "n": RULES, "c": CODEC})


def lines(**slots: Any) -> list[str]:
    return [" ".join(line) for line in render_commands(JOINED, fill_slots(JOINED, {"s": "a", **slots}))]


def test_values_of_one_flag_are_one_word() -> None:
    assert lines(f="720p", r="30 fps") == ["t -i a -vf scale=1280:720,fps=30"]
    assert lines(r="30 fps") == ["t -i a -vf fps=30"]
    assert lines(n=["E501", "E402"]) == ["t -i a --ignore=E501,E402"]
    with pytest.raises(SlotsError, match="separates values"):
        lines(n=["a,b", "c"])


def test_a_synonym_is_its_choice() -> None:
    assert lines(c="H265") == lines(c="hevc") == ["t -i a -c:v hevc"]


def test_some_results_are_written_without_some_words() -> None:
    out = {"category": "DESTINATION", "type": "filepath", "required": True, "render": "positional"}
    chosen = capability(
        {"base": "t", "args": ["--safe", "--quiet"], "positional_order": ["out"]},
        {"s": {**SOURCE, "flag": "-i"}, "out": {**out, "drops": {".DOCX": ["--safe"]}}},
    )
    made = [render_commands(chosen, fill_slots(chosen, {"s": "a", "out": end}))[0] for end in ("x.docx", "x.md")]
    assert made == [("t", "--quiet", "-i", "a", "x.docx"), ("t", "--safe", "--quiet", "-i", "a", "x.md")]


@given(st.lists(st.text("abcdef/", min_size=200, max_size=4000), min_size=1, max_size=40), st.booleans())
def test_batches_have_every_target_once_and_fit(paths: list[str], is_flag: bool) -> None:
    many = [f"{path}{n}" for n in range(20) for path in paths]
    place = {"flag": "-i"} if is_flag else {"render": "positional"}
    order = [] if is_flag else ["s"]
    command = {"base": "t", "args": ["-q"], "positional_order": order, "end_of_options": "--", "batches": True}
    chosen = capability(command, {"s": {**SOURCE, **place, "expansion": "loop"}})
    made = render_commands(chosen, fill_slots(chosen, {"s": many}))
    taken = [word for line in made for word in line[2:] if word not in {"-i", "--"}]
    assert len(taken) == len(many)
    assert all(sum(len(word.encode()) + 9 for word in line) <= MAX_LINE_BYTES for line in made)
    assert all(line[:2] == ("t", "-q") for line in made)
    whole = chosen._replace(command=chosen.command._replace(batches=False))
    assert len(render_commands(whole, fill_slots(whole, {"s": many}))) == 1


def test_a_domain_may_name_files() -> None:
    domain = FileDomain("docker", names=("Dockerfile*",), extensions=(".dockerfile",))
    found = {
        path: matches(domain, path, lambda _: None)
        for path in ("Dockerfile", "a/Dockerfile.dev", "x.py", "a/MyDockerfile")
    }
    assert found == {"Dockerfile": True, "a/Dockerfile.dev": True, "x.py": False, "a/MyDockerfile": False}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('desc = "Print each', 'synonyms = { a = "b" }, desc = "Print each', "only an enum has synonyms"),
        ('desc = "Print each', 'extensions = [".x"], desc = "Print each', "only a DESTINATION"),
        ('desc = "Print each', 'limits = { move = [1] }, desc = "Print each', "only a number has limits"),
        ('desc = "Location', 'same_folder = ["rename"], desc = "Location', "none of the capability's triggers"),
        ('desc = "Files to move"', 'separator = ",", desc = "Files to move"', "only the values of a flag are joined"),
        ('flag = "-v"', 'flag = "-n"', "both the same separator"),
        ('execution = "single"', 'execution = "loop", batches = true', "has batches"),
    ],
)
def test_a_key_in_the_wrong_place_is_a_fault(old: str, new: str, message: str) -> None:
    broken = UNIX.replace(old, new)
    assert broken != UNIX
    _, faults = read_tool(broken.encode(), "unix.toml")
    assert any(message in str(fault) and fault.line for fault in faults), faults


def test_a_domain_that_no_capability_has_is_no_fault() -> None:
    unused = UNIX.replace(
        "[[capabilities]]", '[[domains]]\nname = "x"\ndescription = "X"\nmatch = "any"\n\n[[capabilities]]', 1
    )
    assert read_tool(unused.encode(), "unix.toml")[1] == ()
    assert len(to_tool(tomllib.loads(unused)).domains) == 2


def test_a_misspelt_table_is_found() -> None:
    assert find_misspelt_table(UNIX.replace("[adapter]", "[adaptor]").encode()) == "adaptor"
    assert find_misspelt_table(UNIX.encode()) is None
    assert find_misspelt_table(b"[adaptor]\nx = 1\n") is None
    assert find_misspelt_table(b"[tool.other]\n[[capabilities]]\n") is None
