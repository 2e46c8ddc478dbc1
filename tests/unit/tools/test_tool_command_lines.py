from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tool_documents import capabilities, capability, slots_of, unix
from tool_lines_read import read_line, read_lines

from verigate.tools.document import to_tool
from verigate.tools.model import ToolCapability
from verigate.tools.render import render_commands
from verigate.tools.slots import SlotsError, fill_slots
from verigate.tools.values import Dimensions, Quantity, Timestamp, ValueFault, guard_path, unguard_path

TARGET = {"category": "TARGET", "type": "filepath", "required": True}
MANY = {**TARGET, "cardinality": "many", "expansion": "inline"}
OUT = {"category": "DESTINATION", "type": "filepath", "required": True, "render": "positional"}
MOVE = to_tool(unix()).capability("unix:move")
VIDEO = capability(
    {"base": "ffmpeg", "args": ["-nostdin"], "positional_order": ["out"], "execution": "loop"},
    {
        "source": {**MANY, "render": "flag", "flag": "-i"},
        "codec": {"type": "enum", "values": ["h264", "vp9"], "flag": "-c:v"},
        "size": {"type": "dimensions", "flag": "-vf", "format": "scale={width}:{height}"},
        "rate": {"type": "quantity", "flag": "-b:v", "units": {"Mbps": "M", "kbps": "k"}},
        "start": {"type": "timestamp", "flag": "-ss"},
        "out": OUT,
    },
)


def _several(expansion: str, execution: str = "single") -> ToolCapability:
    command = {"base": "t", "positional_order": ["out"], "execution": execution}
    source = {**TARGET, "cardinality": "many", "expansion": expansion, "flag": "-i"}
    return capability(command, {"source": source, "out": OUT})


@pytest.mark.parametrize(
    ("chosen", "slots", "lines"),
    [
        (MOVE, {"source": ["a.txt", "b.txt"], "destination": "dest/"}, ["mv a.txt b.txt dest/"]),
        (MOVE, {"source": "a", "destination": "b", "no_clobber": True, "verbose": True}, ["mv -n -v a b"]),
        (MOVE, {"source": "a", "destination": "b", "no_clobber": False}, ["mv a b"]),
        (MOVE, {"source": ["-rf", "$(x)", "-"], "destination": "--"}, ["mv ./-rf ./$(x) ./- ./--"]),
        (
            VIDEO,
            {"source": ["a.mp4", "v/b.mp4"], "out": "web/*.webm", "size": "1080p", "rate": "2 mbps", "codec": "VP9"},
            [
                "ffmpeg -nostdin -i a.mp4 -c:v vp9 -vf scale=1920:1080 -b:v 2M web/a.webm",
                "ffmpeg -nostdin -i v/b.mp4 -c:v vp9 -vf scale=1920:1080 -b:v 2M web/b.webm",
            ],
        ),
        (
            VIDEO,
            {"source": "a.mp4", "out": "b.webm", "start": "1:30"},
            ["ffmpeg -nostdin -i a.mp4 -ss 00:01:30 b.webm"],
        ),
        (
            VIDEO,
            {"source": ["a.mp4", "b.mp4"], "out": ["x", "y"]},
            ["ffmpeg -nostdin -i a.mp4 x", "ffmpeg -nostdin -i b.mp4 y"],
        ),
        # expansion says how several values stand in one invocation, execution how many invocations there are
        (_several("inline"), {"source": ["a", "b"], "out": "c"}, ["t -i a b c"]),
        (_several("loop"), {"source": ["a", "b"], "out": "c"}, ["t -i a -i b c"]),
        (_several("inline", "loop"), {"source": ["a", "b"], "out": "d/"}, ["t -i a d/a", "t -i b d/b"]),
        (_several("loop", "loop"), {"source": ["a", "b"], "out": "d/"}, ["t -i a d/a", "t -i b d/b"]),
        (
            capability(
                {"base": "convert", "positional_order": ["source", "out"], "flags_after": "source"},
                {
                    "source": {**TARGET, "render": "positional"},
                    "size": {"type": "dimensions", "flag": "-resize"},
                    "out": OUT,
                },
            ),
            {"source": "msl:x", "size": "800 x 600", "out": "o.png"},
            ["convert ./msl:x -resize 800x600 o.png"],
        ),
        (
            capability(
                {"base": "rg", "positional_order": ["pattern", "source"], "end_of_options": "--"},
                {
                    "pattern": {"type": "string", "render": "positional", "required": True},
                    "source": {**MANY, "render": "positional"},
                },
            ),
            {"pattern": "--pre=sh", "source": ["-rf", "src"]},
            ["rg -- --pre=sh ./-rf src"],
        ),
        (
            capability(
                {"base": "t"},
                {
                    "s": {**TARGET, "flag": "--in"},
                    "n": {"type": "integer", "flag": "-n"},
                    "t": {"type": "string", "flag": "--title"},
                    "e": {"type": "string", "flag": "-e"},
                    "d": {"type": "filepath", "flag": "if="},
                },
            ),
            {"s": "-x", "n": -5, "t": "-rf", "e": "-rf", "d": "-x"},
            ["t --in ./-x -n-5 --title=-rf -e-rf if=./-x"],
        ),
    ],
)
def test_slots_become_argument_vectors_and_are_read_back(
    chosen: ToolCapability, slots: dict[str, Any], lines: list[str]
) -> None:
    filled = fill_slots(chosen, slots)
    rendered = render_commands(chosen, filled)
    assert [" ".join(line) for line in rendered] == lines
    assert read_lines(chosen, rendered) == filled


@pytest.mark.parametrize(
    ("chosen", "slots", "message"),
    [
        (MOVE, {}, "/source: a value is missing: Files to move; /destination: a value is missing"),
        (MOVE, {"source": "a", "destination": ["b", "c"]}, "/destination: it takes 1, not 2"),
        (MOVE, {"source": "a", "destination": "b", "sauce": "c"}, "move has no slot 'sauce' (did you mean 'source'?)"),
        (MOVE, {"source": "a\0b", "destination": "", "verbose": "perhaps"}, "NUL character"),
        (VIDEO, {"source": "a", "out": "b", "codec": "h265"}, "'h265' is none of h264, vp9"),
        (VIDEO, {"source": "a", "out": "b", "rate": "3 bananas"}, "'bananas' is not a unit of it"),
        (VIDEO, {"source": ["a.mp4", "b.mp4"], "out": "c.webm"}, "one over the other"),
        (VIDEO, {"source": ["a.mp4", "x/a.mp4"], "out": "c/"}, "one over the other"),
        (VIDEO, {"source": ["a.mp4", "b.mp4"], "out": ["c", "d", "e"]}, "3 for 2 files"),
    ],
)
def test_what_does_not_fill_the_slots_is_told_at_once(
    chosen: ToolCapability, slots: dict[str, Any], message: str
) -> None:
    with pytest.raises(SlotsError) as caught:
        fill_slots(chosen, slots)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("chosen", "slots"),
    [
        (
            capability(
                {"base": "t", "positional_order": ["s", "p"]},
                {"s": {**TARGET, "render": "positional"}, "p": {"type": "string", "render": "positional"}},
            ),
            {"s": "a", "p": "-rf"},
        ),
        (
            capability({"base": "t"}, {"s": {**TARGET, "flag": "-i"}, "t": {"type": "string", "flag": "-metadata"}}),
            {"s": "a", "t": "-x"},
        ),
        (
            capability(
                {"base": "t"},
                {
                    "s": {**TARGET, "flag": "-i"},
                    "t": {"type": "string", "flag": "-t", "cardinality": "many", "expansion": "inline"},
                },
            ),
            {"s": "a", "t": ["b", "-x"]},
        ),
    ],
)
def test_a_value_that_the_tool_would_take_for_an_option_is_refused(
    chosen: ToolCapability, slots: dict[str, Any]
) -> None:
    filled = fill_slots(chosen, slots)
    with pytest.raises(SlotsError, match="for an option"):
        render_commands(chosen, filled)


@settings(max_examples=3 * settings.default.max_examples // 2)
@given(st.data())
def test_rendering_and_reading_again_gives_the_same_slots(data: st.DataObject) -> None:
    chosen = data.draw(capabilities())
    raw = data.draw(slots_of(chosen))
    try:
        filled = fill_slots(chosen, raw)
    except SlotsError as problem:
        assume("one over the other" not in str(problem))
        raise
    lines = render_commands(chosen, filled)
    assert read_lines(chosen, lines) == filled
    assert len(lines) == (len(filled[chosen.loop_slot.name]) if chosen.loop_slot else 1)


@settings(max_examples=3 * settings.default.max_examples // 2)
@given(st.data())
def test_no_value_leaves_its_own_word_and_none_becomes_an_option(data: st.DataObject) -> None:
    chosen = data.draw(capabilities())
    raw = data.draw(slots_of(chosen))
    try:
        lines = render_commands(chosen, fill_slots(chosen, raw))
    except SlotsError:
        return
    own = {slot.flag for slot in chosen.slots if slot.flag} | set(chosen.command.args) | {"--"}
    for line in lines:
        assert line[0] == "tool"
        before_end = line[: line.index("--")] if chosen.command.end_of_options in line else line
        for place, word in enumerate(before_end):
            given_to = before_end[place - 1] if place else ""
            known = word in own or any(word.startswith(flag) for flag in own if flag != "--")
            assert known or not word.startswith("-"), (line, given_to)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_a_guarded_path_is_the_same_file_and_no_option(path: str) -> None:
    plain = unguard_path(path)
    assert unguard_path(guard_path(plain)) == plain
    assert unguard_path(plain) == plain
    assert not guard_path(plain).startswith(("-", "@", "+", "~"))
    assert ":" not in guard_path(plain).partition("/")[0]


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_words_are_read_or_refused(words: list[str]) -> None:
    for chosen in (MOVE, VIDEO):
        try:
            filled = read_line(chosen, (chosen.command.base, *chosen.command.args, *words))
        except ValueFault:
            continue
        assert all(isinstance(values, tuple) and values for values in filled.values())


def test_what_is_no_line_of_the_capability_is_refused() -> None:
    for line in [("rm", "a", "b"), ("mv",), ("mv", "a")]:
        with pytest.raises(ValueFault):
            read_line(MOVE, line)
    with pytest.raises(ValueFault, match="differ"):
        read_lines(
            VIDEO, [("ffmpeg", "-nostdin", "-i", "a", "x"), ("ffmpeg", "-nostdin", "-i", "b", "-c:v", "vp9", "y")]
        )


def test_filled_slots_hold_values_of_their_types() -> None:
    filled = fill_slots(
        VIDEO, {"source": "./a", "out": "b", "size": "4k", "rate": 2.50, "start": "1h"} | {"rate": "2.50Mbps"}
    )
    assert filled["source"] == ("a",)
    assert filled["size"] == (Dimensions(3840, 2160),)
    assert filled["rate"] == (Quantity(Decimal("2.5"), "Mbps"),)
    assert filled["start"] == (Timestamp(Decimal(3600)),)
