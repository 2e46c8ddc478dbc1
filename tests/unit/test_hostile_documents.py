"""Whatever a stranger's document holds: it is read, or refused in words, within a second for a megabyte of it."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from document_parsers import JSON, PARSERS, TEXTS, TOML, outcome, valid_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verigate.config.builtin import find_builtin_root
from verigate.config.measured import find_measured_facts
from verigate.config.schemas import compile_schema, list_schemas
from verigate.errors import LONGEST_MESSAGE, ConfigError, Fault, UsageError
from verigate.formats.json_text import find_lines
from verigate.formats.near_names import find_near
from verigate.formats.schema import MAX_FAULTS, Schema
from verigate.formats.strict_json import MAX_NAME, StrictJsonError, loads
from verigate.formats.toml_text import TomlError
from verigate.formats.toml_text import loads as toml

MB = 1 << 20
LONGEST_ANSWER = 3 * LONGEST_MESSAGE * MAX_FAULTS
LONGEST_S = 3
"""What is quadratic in a megabyte takes minutes. A shared processor is three times as slow as an idle one."""

_SETTINGS = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.mark.parametrize("name", PARSERS)
def test_each_reader_takes_its_own_document(tmp_path: Path, name: str) -> None:
    assert outcome(name, tmp_path, valid_text(name)) is None


_OTHER = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(
        ["media:integer", "a:b", "../x", "\0", "*", "(", "[", "$ref", "#", "2026-13-45", "file:", "1e999"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def _ways(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _ways(item, (*way, key))


@st.composite
def _mutated(draw: st.DrawFn, document: Any) -> Any:
    """``document`` with one to three of its parts replaced, left out, doubled, renamed or nested."""
    document = {"": copy.deepcopy(document)}
    for _ in range(draw(st.integers(1, 3))):
        way = draw(st.sampled_from([way for way in _ways(document) if way]))
        holder = document
        for key in way[:-1]:
            holder = holder[key]
        last = way[-1]
        match draw(st.sampled_from(["replace", "drop", "double", "rename", "nest"])):
            case "drop" if len(way) > 1:
                del holder[last]
            case "double" if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[last]))
            case "rename" if isinstance(holder, dict) and len(way) > 1:
                holder[draw(st.text(max_size=3)) or f"{last}s"] = holder.pop(last)
            case "nest":
                holder[last] = draw(st.sampled_from([[holder[last]], {"a": holder[last]}, {str(last): holder[last]}]))
            case _:
                holder[last] = draw(_OTHER)
    return document[""]


@pytest.mark.parametrize("name", JSON)
def test_a_valid_document_that_was_changed(tmp_path: Path, name: str) -> None:
    @_SETTINGS
    @given(_mutated(JSON[name].valid))
    def judge(value: Any) -> None:
        outcome(name, tmp_path, json.dumps(value).encode("utf-8", "replace"))

    judge()


@st.composite
def _spliced(draw: st.DrawFn, content: bytes) -> bytes:
    """``content`` with a part of it replaced by bytes that mean something in one of the formats, or by any."""
    start = draw(st.integers(0, len(content)))
    end = draw(st.integers(start, min(len(content), start + 12)))
    marks = st.sampled_from(
        [b'"', b"'", b"[", b"{", b"=", b"\n", b".", b"\\", b"#", b":", b";", b"\0", b"\xff", b"9" * 5000]
    )
    return content[:start] + draw(st.binary(max_size=4) | marks) + content[end:]


@pytest.mark.parametrize("name", PARSERS)
def test_bytes(tmp_path: Path, name: str) -> None:
    @_SETTINGS
    @given(_spliced(valid_text(name)) | st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
    def judge(content: bytes) -> None:
        outcome(name, tmp_path, content)

    judge()


def _members(text: str) -> str:
    return ",".join(f'"{text}{index}":{index}' for index in range(MB // (len(text) + 14)))


ANY_JSON = {
    "nested": "[" * MB,
    "nested in members": '{"a":' * (MB // 5),
    "nested and closed": "[" * (MB // 2) + "]" * (MB // 2),
    "members": f"{{{_members('k')}}}",
    "a long name above many members": f'{{"{"k" * (MB // 2)}":{{{_members("k")[: MB // 2]}:0}}}}',
    "a long name above many arrays": f'{{"{"k" * (MB // 2)}":[{"[]," * (MB // 6)}0]}}',
    "a member twice, at the end": f'{{{_members("k")},"k0":1}}',
    "many deep arrays": f"[{','.join(['[' * 98 + ']' * 98] * (MB // 197))}]",
    "an integer of many digits": "9" * MB,
    "an exponent of many digits": f"1e{'9' * MB}",
    "a string": f'"{"a" * MB}"',
    "a string without end": '"\\' * (MB // 2),
    "line ends": "\n" * MB + "x",
}
"""A megabyte that is no document of any kind."""

INFLATED = {
    "claim": [("claim", "units_list"), ("claim", "statements"), ("claim", "units_list", 0), ("scope", "a")],
    "commitment": [("commitments", "scope", "files"), ("commitments", "scope", "files", 0), ("commitments", "quality")],
    "plan": [("shop", "order"), ("shop", "required"), ("shop",)],
    "profiles": [("shop", "extends"), ("shop", "rules"), ("shop",), ("shop", "extends", 0)],
    "manifest": [("capabilities",), ("capabilities", 1, "needs"), ("capabilities", 1, "outputs"), ("media_specs",)],
    "baseline": [("entries",), ("entries", 0, "path")],
    "fixture": [("files",), ("capabilities",), ("expect",)],
    "packages": [("npm",)],
    "standard artifact": [("issues",), ("issues", 0), ("errors",)],
    "index": [("files",), ("files", 0, "volatile"), ("files", 0, "path")],
}
"""The places of a valid document that are blown up."""


def _inflated(value: Any) -> Iterator[Any]:
    size = len(json.dumps(value)) + 4
    yield [1] * (MB // 3)
    yield [f"a:b{index}" for index in range(MB // 14)]
    yield "*/" * (MB // 2)
    if isinstance(value, dict):
        yield value | {f"k{index}": value for index in range(MB // (size + 10))}
    if isinstance(value, list) and value:
        yield value * (MB // size)


def _set(document: Any, way: tuple[Any, ...], value: Any) -> Any:
    if not way:
        return value
    held = copy.copy(document)
    held[way[0]] = _set(held[way[0]], way[1:], value)
    return held


def _at(document: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        document = document[key]
    return document


def _judge(folder: Path, name: str, content: bytes) -> None:
    """It ends in time, and says no more than somebody can read. Of two tries the faster counts: machines are busy."""
    for left in (1, 0):
        start = time.process_time()
        said = outcome(name, folder, content)
        if time.process_time() - start < LONGEST_S:
            break
        assert left, f"{time.process_time() - start:.1f} s for {len(content)} bytes"
    assert len(said or "") < LONGEST_ANSWER


@pytest.mark.slow
@pytest.mark.parametrize("text", ANY_JSON.values(), ids=ANY_JSON)
@pytest.mark.parametrize("name", ["claim", "profiles", "packages", "artifact with a schema"])
def test_a_megabyte_of_json(tmp_path: Path, name: str, text: str) -> None:
    _judge(tmp_path, name, text.encode())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), [(name, way) for name, ways in INFLATED.items() for way in ways])
def test_a_megabyte_in_one_place_of_a_valid_document(tmp_path: Path, name: str, way: tuple[Any, ...]) -> None:
    document = JSON[name].valid
    for index, value in enumerate(_inflated(_at(document, way))):
        (tmp_path / str(index)).mkdir()
        _judge(tmp_path / str(index), name, json.dumps(_set(document, way, value)).encode())


LONG_TEXTS = (
    "[",
    '"',
    '"""',
    "a.",
    "a=",
    "**/",
    "(",
    "\\",
    "> ",
    "`",
    "a and ",
    "1/",
    "\0",
    ";",
    "../",
    "\n",
    "~~",
    "<a",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TEXTS, *TOML])
def test_a_megabyte_of_one_sign(tmp_path: Path, name: str) -> None:
    for sign in LONG_TEXTS:
        _judge(tmp_path, name, (sign * (MB // len(sign))).encode())


HOSTILE_TOML = {
    "a dotted key": "a." * 60_000 + "b = 1",
    "dotted keys": ("a." * 900 + "b = 1\n") * 60,
    "a dotted header": f"[{'a.' * 60_000}b]",
    "quoted parts": '"a".' * 25_000 + "b = 1",
    "nested arrays": f"x = {'[' * 50_000}",
    "nested tables": f"x = {'{a = ' * 90}1{'}' * 90}",
    "many digits": f"x = {'9' * 5000}",
    "a number in hex": f"x = 0x{'f' * 100_000}",
    "tables": "".join(f"[t{index}]\n" for index in range(12_000)),
    "arrays of tables": "[[z]]\n" * 14_000,
    "no date": "x = 2020-13-45",
    "infinity": "x = inf",
}


@pytest.mark.parametrize("name", TOML)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[pytest.mark.slow] if "tables" in name else ())
        for name, text in HOSTILE_TOML.items()
    ],
)
def test_toml_around_a_valid_document(tmp_path: Path, name: str, text: str) -> None:
    valid = valid_text(name).decode()
    for index, content in enumerate((f"{text}\n{valid}", f"{valid}\n{text}\n")):
        (tmp_path / str(index)).mkdir()
        _judge(tmp_path / str(index), name, content.encode())


def test_a_number_with_too_many_digits_is_no_traceback() -> None:
    with pytest.raises(TomlError, match="more digits than are read"):
        toml(f"[adapter]\nx = {'9' * 5000}".encode())
    with pytest.raises(TomlError, match="nested too deeply"):
        toml(f"x = {'{a = ' * 90}1{'}' * 90}".encode())


def test_dots_and_bytes_of_toml_are_bounded() -> None:
    with pytest.raises(TomlError, match="dots") as refused:
        toml(b"x = 1\n" + b"a." * 1001 + b"b = 1")
    assert refused.value.line == 2
    with pytest.raises(TomlError, match="larger"):
        toml(b"#" * (256 * 1024 + 1))


def test_a_long_member_name_is_refused_where_it_stands() -> None:
    assert loads(f'{{"{"k" * MAX_NAME}": 1}}'.encode(), max_name=MAX_NAME)
    assert loads(f'{{"{"k" * (MAX_NAME + 1)}": 1}}'.encode())
    with pytest.raises(StrictJsonError, match="more than the 4096 that are read") as refused:
        loads(f'{{"a":\n [{{"{"k" * (MAX_NAME + 1)}": 1}}]}}'.encode(), max_name=MAX_NAME)
    assert refused.value.line == 2


def test_lines_of_pointers_with_names_that_repeat_and_need_escapes() -> None:
    text = '{"a/b": {"0": 1,\n "~": [1,\n {"0": 2}]},\n "0": {"~": 3}}'
    wanted = {"/a~1b/0": 1, "/a~1b/~0/1/0": 3, "/0": 4, "/0/~0": 4, "": 1}
    assert find_lines(text, [*wanted, "/a~1b/1", "no pointer"]) == wanted


def test_measured_facts_below_a_long_name_cost_no_memory() -> None:
    long = "k" * 100_000
    document = {long: [{"words": index} for index in range(20_000)]}
    found = find_measured_facts(document)
    assert [next(found).pointer, next(found).pointer] == [f"/{long}/19999/words", f"/{long}/19998/words"]


def test_a_schema_that_refers_to_itself_is_read_once() -> None:
    own = {"additionalProperties": False, "properties": {"a": {"$ref": "#"}}, "$ref": "#/$defs/b"}
    faults = Schema({**own, "$defs": {"b": {"$ref": "#"}}}).find_faults({"a": {"b": 1}})
    assert [(fault.pointer, fault.message) for fault in faults] == [("/a/b", "unknown key 'b'")]


@pytest.mark.parametrize("wrong", [50, *(pytest.param(each, marks=pytest.mark.slow) for each in (0, 49, 1999, 99_999))])
def test_of_a_large_value_the_faults_are_real_and_in_their_places(wrong: int) -> None:
    """Also where the one thing that is wrong stands far behind, and what is required stands behind that."""
    value: dict[str, Any] = {f"k{index}": index for index in range(100_000)}
    value[f"k{wrong}"] = "x"
    value["last"] = {"items": list(range(30_000)), "name": "n"}
    inner = {"type": "object", "required": ["name"], "properties": {"items": {"items": {"type": "integer"}}}}
    document = {"required": ["last"], "properties": {"last": inner}, "additionalProperties": {"type": "integer"}}
    (fault,) = Schema(document).find_faults(value)
    assert (fault.pointer, fault.message) == (f"/k{wrong}", "it is 'x', must be an integer")


def test_our_schemas_ask_for_no_more_parts_than_are_explained() -> None:
    """Of a large value the beginnings of its arrays are explained, which must not be what is wrong with it."""
    text = json.dumps([compile_schema(name).document for name in list_schemas()])
    found = [
        part.partition(",")[0].strip(' :"}]') for key in ("minItems", "minProperties") for part in text.split(key)[1:]
    ]
    assert all(int(least) <= 50 for least in found)


@pytest.mark.parametrize("member", ["status", "loop_count", "workspace_roots", "session_id", "cwd", "text", "agent_id"])
@pytest.mark.parametrize("value", [[], {}, {"a": [1]}, "\ud800", "\0", 1e308, True, None, ["\ud800"], "x" * 70_000])
def test_a_member_of_another_kind_is_no_fault_of_a_hook(tmp_path: Path, member: str, value: Any) -> None:
    for name in (name for name in JSON if name.startswith("hook of ")):
        assert outcome(name, tmp_path, json.dumps({**JSON[name].valid, member: value}).encode()) is None


def test_a_rule_longer_than_is_read_is_refused_before_it_is_compiled(tmp_path: Path) -> None:
    said = outcome("custom rule", tmp_path, b"1 + " * 2000 + b"1 == 1") or ""
    assert "/shop/rules/0/expr" in said
    assert "it does not evaluate" in (outcome("custom rule", tmp_path, b"!" * 4000 + b"true") or "")


def test_near_names_of_very_many() -> None:
    known = [f"shop{index:06}" for index in range(100_000)]
    start = time.process_time()
    assert (
        find_near("shop0000000", ["shop000000", *known]) == ["shop000000", "shop000010", "shop000001"]
        or find_near("shop", known) == []
    )
    assert find_near("x" * 101, known) == []
    assert time.process_time() - start < 4


def test_long_texts_in_errors_are_cut() -> None:
    (fault,) = ConfigError([Fault("m" * 9000, pointer=f"/{'p' * 9000}", hint="h" * 9000)]).faults
    assert max(map(len, (fault.message, fault.pointer or "", fault.hint or ""))) < LONGEST_MESSAGE + 40
    assert fault.message.endswith("... (9000 characters)")
    assert len(UsageError("m" * 9000, where="w" * 9000).message) < LONGEST_MESSAGE + 40


COMMANDS = {
    "claim": (["claim", "T_test", "--file", "{file}"], "claim.json"),
    "plan": (["plan", "T_test"], "config/adapter-plan.json"),
    "profiles": (["plan", "T_test"], "config/verification.profiles.json"),
    "manifest": (["adapters"], "adapters/shop/manifest.json"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_line_refuses_in_words(tmp_path: Path, name: str) -> None:
    command, file = COMMANDS[name]
    folder = tmp_path / ".artifacts" / "T_test"
    folder.mkdir(parents=True)
    (folder / "commitment.json").write_text('{"task_id": "T_test", "type": "code"}')
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    for content in ("[" * MB, f"{{{_members('k')}}}", '{"\\ud800": 1}', f'{{"a": {"9" * MB}}}'):
        path.write_text(content)
        ran = subprocess.run(
            [sys.executable, "-m", "verigate", *(word.format(file=path) for word in command)],
            cwd=tmp_path,
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert ran.returncode == 2, ran.stderr[:2000]
        assert "Traceback" not in ran.stdout + ran.stderr
        assert path.name in "".join(ran.stderr.split())
        assert len(ran.stderr) < LONGEST_ANSWER


def test_what_ships_is_where_the_readers_look() -> None:
    assert (find_builtin_root() / "adapters").is_dir()
