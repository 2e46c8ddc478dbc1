# ruff: noqa: E501 - a table reads better in lines
from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_documents import UNIX, unix

from verigate.config.tool_definition import read_tool
from verigate.formats.toml_text import MAX_TOML_BYTES, TomlError, find_lines, loads
from verigate.tools.document import to_tool
from verigate.tools.model import Category, Execution, Expansion, Render, SlotType
from verigate.tools.policy import build_sandbox_policy

VERBOSE = 'verbose     = { category = "ARGUMENT", type = "boolean", required = false, default = false,'


def _faults(text: str) -> list[str]:
    document, faults = read_tool(text.encode(), "adapters/unix.toml")
    assert document is not None
    return [str(fault) for fault in faults]


def test_the_example_of_the_source_document_is_read_as_it_says() -> None:
    assert _faults(UNIX) == []
    tool = to_tool(unix())
    assert (tool.name, tool.aliases, tool.alias) == ("UNIX File Management", ("unix", "filesystem", "fs"), "unix")
    move = tool.capability("unix:move")
    assert tool.capability("move") is move
    assert tool.qualify(move) == "unix:move"
    assert move.domain.match_any
    assert move.destructive
    assert move.triggers == ("move", "put", "shift", "transfer", "relocate")
    assert (move.command.base, move.command.execution) == ("mv", Execution.SINGLE)
    source = move.get_slot("source")
    assert (source.category, source.type, source.required) == (Category.TARGET, SlotType.FILEPATH, True)
    assert (source.cardinality, source.expansion, source.render) == ("many", Expansion.INLINE, Render.POSITIONAL)
    assert (move.get_slot("verbose").flag, move.get_slot("verbose").default) == ("-v", False)
    assert build_sandbox_policy(tool).tools == ("mv", "git")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # one TARGET at least
        ('category = "TARGET"', 'category = "CONSTRAINT"', "19 /capabilities/0/slots: no slot has the category TARGET"),
        # a default only where a value isn't required
        ('required = true, cardinality = 1', 'required = true, default = "x"', "21 /capabilities/0/slots/destination/default: this key is not allowed here (a default is for required = false)"),
        # an enum needs values, and only an enum has them
        ('type = "boolean", required = false, default = false, render = "flag", flag = "-n"', 'type = "enum", required = false, render = "flag", flag = "-n"', "22 /capabilities/0/slots/no_clobber: the key 'values' is missing"),
        (VERBOSE, VERBOSE.replace("default = false", 'values = ["a"]'), "/capabilities/0/slots/verbose/values: this key is not allowed here (only an enum has values"),
        # render = "flag" needs a flag string, a positional has none
        ('render = "flag", flag = "-v"', 'render = "flag"', "23 /capabilities/0/slots/verbose: the key 'flag' is missing"),
        ('cardinality = 1, render = "positional"', 'flag = "-t", render = "positional"', "21 /capabilities/0/slots/destination/flag: this key is not allowed here"),
        # many needs an expansion
        ('expansion = "inline",', "", "20 /capabilities/0/slots/source: the key 'expansion' is missing"),
        # positional_order names the positional slots, all of them, once
        ('["source", "destination"]', '["source", "destinaton"]', "17 /capabilities/0/command/positional_order/1: positional_order names 'destinaton', which isn't a slot (did you mean 'destination'?)"),
        ('["source", "destination"]', '["source"]', "the slot 'destination' is positional, but positional_order doesn't list it (positional_order = [\"source\", \"destination\"])"),
        ('["source", "destination"]', '["source", "destination", "verbose"]', "names 'verbose', which is rendered as a flag"),
        ('["source", "destination"]', '["source", "destination", "source"]', "names 'source' twice"),
        # a domain has one way to match
        ('match       = "any"', "", "6 /domains/0: the key 'match' is missing"),
        ('match       = "any"', 'match = "any"\nextensions = [".mp4"]', "10 /domains/0/extensions: this key is not allowed here (match = \"any\" stands alone"),
        ('match       = "any"', 'extensions = ["mp4"]', "/domains/0/extensions/0: 'mp4' is not of the form"),
        ('match       = "any"', 'mimetypes = ["video"]', "/domains/0/mimetypes/0: 'video' is not of the form"),
        # a capability references a domain that is there
        ('domain      = "filesystem"', 'domain      = "filesytem"', "12 /capabilities/0/domain: there is no domain 'filesytem' (did you mean 'filesystem'?)"),
        ('["unix", "filesystem", "fs"]', '["Unix Tools"]', "4 /adapter/aliases/0: the first alias names the capabilities in a plan"),
        ('["unix", "filesystem", "fs"]', '["unix", "UNIX"]', "4 /adapter/aliases/1: the alias 'UNIX' appears twice"),
        ('["unix", "filesystem", "fs"]', '["logs"]', "4 /adapter/aliases/0: artifacts go into a folder named by the first alias"),
        ('base = "mv"', 'base = "mv -f"', "17 /capabilities/0/command/base: 'mv -f' is not of the form"),
        ('execution = "single"', 'execution = "twice"', "17 /capabilities/0/command/execution: it is 'twice', must be one of"),
        ('type = "boolean"', 'type = "bool"', "/capabilities/0/slots/no_clobber/type: it is 'bool', must be one of"),
        ('flag = "-v"', 'flag = "-n"', "23 /capabilities/0/slots/verbose/flag: the slots 'no_clobber' and 'verbose' have the flag -n"),
        (VERBOSE, VERBOSE.replace("boolean", "integer"), "the default isn't a value of the type integer: False is not a whole number"),
        (VERBOSE, VERBOSE.replace("default = false", "default = [true]"), "the default is a list (write the value alone)"),
        (VERBOSE, VERBOSE.replace("false,", 'false, format = "x",', 1), "a boolean has no value to format"),
        ('desc = "Location', 'descr = "Location', "/capabilities/0/slots/destination/descr: unknown key 'descr' (did you mean 'desc'?)"),
        ('cardinality = 1', 'cardinality = "many", expansion = "inline"', "it is ambiguous where 'source' ends and 'destination' begins"),
        ('positional_order =', 'flags_after = "verbose", positional_order =', "flags_after names 'verbose', which has no position"),
        ('positional_order =', 'flags_after = "source", end_of_options = "--", positional_order =', "flags_after has no effect"),
        ('[capabilities.slots]', 'report = { format = "json", findings = "results" }\n[capabilities.slots]', "'results' isn't a pointer"),
        ('[capabilities.slots]', 'report = { format = "lines", pattern = "(" }\n[capabilities.slots]', "it isn't a regular expression"),
        ('[capabilities.slots]', 'report = { format = "lines", pattern = "x" }\n[capabilities.slots]', "the pattern has no group that is the file's path"),
        ('[capabilities.slots]', 'report = { format = "lines", clean = [1] }\n[capabilities.slots]', "the exit code 1 can't mean both"),
        ('[capabilities.slots]', 'report = { format = "sarif", source = "source" }\n[capabilities.slots]', "neither stdout, stderr nor a DESTINATION slot"),
        ('[capabilities.slots]', 'report = { format = "json" }\n[capabilities.slots]', "19 /capabilities/0/report: the key 'findings' is missing"),
        ('[capabilities.slots]', 'report = { format = "sarif", pattern = "x" }\n[capabilities.slots]', "it belongs to format = \"lines\""),
    ],
)  # fmt: skip
def test_each_rule_is_told_with_line_and_remedy(old: str, new: str, said: str) -> None:
    changed = UNIX.replace(old, new) if old != 'type = "boolean"' else UNIX.replace(old, new, 1)
    assert changed != UNIX
    faults = _faults(changed)
    assert any(said in fault for fault in faults), faults
    assert all(fault.startswith("adapters/unix.toml:") for fault in faults)


def test_all_faults_of_a_file_are_told_at_once_in_the_order_of_its_text() -> None:
    text = UNIX.replace(', flag = "-v"', "").replace('match       = "any"', "").replace('"destination"]', '"dest"]')
    faults = _faults(text)
    assert len(faults) == 4
    numbers = [int(fault.split(":")[1].split()[0]) for fault in faults]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["capabilities"].append(d["capabilities"][0]),
        lambda d: d["domains"].append(d["domains"][0]),
        lambda d: d["capabilities"][0]["command"].update(execution="loop"),
    ],
)
def test_what_only_shows_in_several_entries(change: Callable[[dict[str, Any]], Any]) -> None:
    from verigate.tools.rules import find_faults

    document = unix()
    slots = document["capabilities"][0]["slots"]
    slots["more"] = {**slots["source"], "render": "flag", "flag": "-t"}
    assert find_faults(document) == ()
    change(document)
    assert len(find_faults(document)) == 1


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "# [adapter]\n", 'note = "[adapter]"\n', "[adapters]\n"])
def test_other_toml_is_no_tool(text: str) -> None:
    assert read_tool(text.encode(), "x.toml") == (None, ())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[adapter]\nname =\n", "x.toml:2: it is not TOML"),
        (b"[adapter]\n\xff", "x.toml:2: it is not UTF-8"),
        (b"[adapter]\na=" + b"[" * 3000, "x.toml"),
        (b"[adapter]\n" + b"#" * MAX_TOML_BYTES, "larger than"),
        (b"[adapter]\nwhen = 2020-01-01\nbig = " + b"9" * 400, "unknown key 'when'"),
        (b"adapter = 3\n", "/adapter: it is 3, must be an object"),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(content: bytes, said: str) -> None:
    faults = read_tool(content, "x.toml")[1]
    assert any(said in str(fault) for fault in faults), faults


@given(
    st.recursive(
        st.none() | st.booleans() | st.text() | st.integers(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["adapter", "domains", "capabilities", "slots", "command", "name", "report", "source"]),
                inner,
            )
        ),
    )
)
def test_no_document_makes_the_rules_fail(document: Any) -> None:
    from verigate.tools.rules import find_faults

    assert all(fault.message for fault in find_faults(document))
    assert all(fault.message for fault in find_faults({"capabilities": [document], "domains": [document]}))


def test_lines_of_pointers() -> None:
    text = '[a]\nb.c = 1\n"d e" = { f = [1,\n 2] }\n[[t]]\nx = 1\n[[t]]\n[t.u]\ny = 2\n[[t.v]]\nz = 3\n'
    assert tomllib.loads(text)
    wanted = {
        "/a": 1,
        "/a/b": 2,
        "/a/b/c": 2,
        "/a/d e/f": 3,
        "/a/d e/f/1": 4,
        "/t/0/x": 6,
        "/t/1": 7,
        "/t/1/u/y": 9,
        "/t/1/v/0/z": 11,
        "/a/nope/deep": 1,
    }
    assert find_lines(text, wanted) == wanted


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(TomlError):
        loads(text.encode("utf-8", "surrogatepass"))
    assert find_lines(text.encode("utf-8", "replace").decode(), ["/a"])["/a"] >= 1
