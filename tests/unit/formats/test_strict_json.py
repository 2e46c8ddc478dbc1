from __future__ import annotations

import json
import sys
import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.evidence.store import encode_json
from verigate.formats.json_text import find_lines, scan_places
from verigate.formats.strict_json import LARGEST_INTEGER, StrictJsonError, loads

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=30,
)


@given(_VALUES)
def test_what_the_gate_writes_is_read_as_it_was_written(value: object) -> None:
    assert loads(encode_json(value)) == value
    assert loads(orjson.dumps(value)) == value


@given(_VALUES, st.sampled_from([None, 2]))
def test_every_json_value_is_read_as_it_was_written(value: object, indent: int | None) -> None:
    assert loads(json.dumps(value, indent=indent).encode()) == value


@given(_VALUES)
def test_every_value_has_one_place_and_the_pointers_are_those_of_the_document(value: object) -> None:
    def pointers(item: object, at: str) -> list[str]:
        if isinstance(item, dict):
            pairs = [(key.replace("~", "~0").replace("/", "~1"), member) for key, member in item.items()]
        elif isinstance(item, list):
            pairs = [(str(index), member) for index, member in enumerate(item)]
        else:
            pairs = []
        return [at, *(place for key, member in pairs for place in pointers(member, f"{at}/{key}"))]

    assert [place.pointer for place in scan_places(json.dumps(value, ensure_ascii=False))] == pointers(value, "")


LONG = b'["' + b"x" * 70_000 + b'",%s]'


@pytest.mark.parametrize(
    "inner",
    [
        b'{"a":1,"a":1}', b'{"a":1,"\\u0061":1}', b"9007199254740992", b"-18446744073709551616", b"NaN", b"1e400",
        b'"\\ud800"', b'"\xff"', b"[" * 101 + b"]" * 101,
    ],
)  # fmt: skip
def test_a_text_of_any_length_is_read_as_strictly(inner: bytes) -> None:
    for text in (LONG % inner, b"[%s]" % inner, b"[\n  %s\n]\n" % inner, b'{\n  "a": %s\n}\n' % inner):
        with pytest.raises(StrictJsonError):
            loads(text)


@pytest.mark.parametrize("inner", [b"1.0", b"1e-07", b"-0", b'{"b":1,"a":2}', b'"\\u0061"', b' {"a": null}\n', b"1E5"])
def test_a_long_text_has_the_same_value(inner: bytes) -> None:
    text = LONG % inner
    assert repr(loads(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        (b'{"a": [1, {"b": 1,\n  "b": 2}]}', "already has a member", 2, 3),
        (b'{"a/b": 1, "a\\u002fb": 2}', "already has a member", 1, 12),
        (b"[1,\nNaN]", "NaN is not JSON", 2, 1),
        (b"-Infinity", "-Infinity is not JSON", 1, 1),
        (b"[1e400]", "too large for a double", 1, 2),
        (b"[9007199254740992]", "beyond 2^53", 1, 2),
        (b"[-9007199254740992]", "beyond 2^53", 1, 2),
        (b"1" * 5000, "beyond 2^53", 1, 1),
        (b"\xef\xbb\xbf{}", "byte order mark", 1, 1),
        ('"é"\n'.encode() + b"\xff", "not UTF-8", 2, 1),
        ('"é'.encode() + b"\xff", "not UTF-8", 1, 3),
        (b'"\\ud800"', "no low surrogate", 1, 2),
        # Python 3.13 names the comma itself.
        (b'{"a": 1,}', "not JSON", 1, 8 if sys.version_info >= (3, 13) else 9),
        (b"{} {}", "Extra data", 1, 4),
        (b"", "not JSON", 1, 1),
        (b'{"a": "\x01"}', "not JSON", 1, 8),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(text: bytes, message: str, line: int, column: int) -> None:
    with pytest.raises(StrictJsonError) as caught:
        loads(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("depth", [101, 900, 5000, 200_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting_is_refused_by_its_depth(depth: int, opening: bytes, closing: bytes) -> None:
    with pytest.raises(StrictJsonError, match="nested more than 100 levels"):
        loads(opening * depth + b"1" + closing * depth)


def test_a_hundred_levels_are_read() -> None:
    assert loads(b"[" * 100 + b"]" * 100)


def test_size_and_members_are_bounded() -> None:
    with pytest.raises(StrictJsonError, match="more than the 4 that are read"):
        loads(b"[1,2]", max_bytes=4)
    with pytest.raises(StrictJsonError, match="more than 3 members"):
        loads(b"[1,2,3,4,5]", max_members=3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        b"[" + b"1," * 500_000 + b"NaN]",
        b"[" + b"[]," * 330_000 + b"NaN]",
        b"[" * 1_000_000,
        b'"' + b"\\" * 999_999,
        b"{" + b",".join(b'"%d":1' % number for number in range(90_000)) + b',"1":2}',
        b"[" * 99 + b"1," * 480_000 + b"9007199254740993" + b"]" * 99,
    ],
)
def test_a_megabyte_is_refused_in_a_moment(text: bytes) -> None:
    before = time.process_time()
    with pytest.raises(StrictJsonError):
        loads(text)
    assert time.process_time() - before < 5  # generous: a quadratic reader needs minutes


def test_lines_of_pointers() -> None:
    text = '{"a": [1,\n{"b/c":\n2}],\n"z": 3}'
    assert find_lines(text, ["/a/1", "/a/1/b~1c", "/z", "/nowhere"]) == {"/a/1": 2, "/a/1/b~1c": 2, "/z": 4}
