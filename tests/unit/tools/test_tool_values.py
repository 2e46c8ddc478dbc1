from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_documents import values_of
from tool_lines_read import read

from verigate.tools.matching import is_pattern, matches, select_paths
from verigate.tools.model import Category, FileDomain, Render, Slot, SlotType
from verigate.tools.slots import resolve_destination
from verigate.tools.templates import check_template, format_slot_value
from verigate.tools.values import Dimensions, Quantity, Timestamp, ValueFault, format_value, parse_value


def _slot(kind: str, **more: Any) -> Slot:
    return Slot("s", Category.ARGUMENT, SlotType(kind), False, "", Render.FLAG, flag="-s", **more)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("filepath", "./a/b.txt", "a/b.txt"),
        ("filepath", ".//-rf", "-rf"),
        ("filepath", "./", "."),
        ("filepath", "*.mp4", "*.mp4"),
        ("boolean", "TRUE", True),
        ("boolean", False, False),
        ("integer", "30", 30),
        ("integer", " -2", -2),
        ("quantity", "10MB", Quantity(Decimal(10), "MB")),
        ("quantity", "29.970 fps", Quantity(Decimal("29.97"), "fps")),
        ("quantity", "2x", Quantity(Decimal(2), "x")),
        ("quantity", "128kbps", Quantity(Decimal(128), "kbps")),
        ("quantity", ".5", Quantity(Decimal("0.5"))),
        ("quantity", 3, Quantity(Decimal(3))),
        ("quantity", "50%", Quantity(Decimal(50), "%")),
        ("dimensions", "1920x1080", Dimensions(1920, 1080)),
        ("dimensions", "800 × 600", Dimensions(800, 600)),
        ("dimensions", "640 by 480", Dimensions(640, 480)),
        ("dimensions", "1080p", Dimensions(1920, 1080)),
        ("dimensions", "720P", Dimensions(1280, 720)),
        ("dimensions", "4K", Dimensions(3840, 2160)),
        ("timestamp", "00:01:30", Timestamp(Decimal(90))),
        ("timestamp", "90s", Timestamp(Decimal(90))),
        ("timestamp", "1:30:00", Timestamp(Decimal(5400))),
        ("timestamp", "1:30", Timestamp(Decimal(90))),
        ("timestamp", "1:30.250", Timestamp(Decimal("90.25"))),
        ("timestamp", "1h2m3s", Timestamp(Decimal(3723))),
        ("timestamp", "250ms", Timestamp(Decimal("0.25"))),
        ("timestamp", "12.5", Timestamp(Decimal("12.5"))),
        ("enum", "VP9", "vp9"),
        ("string", " as it is ", " as it is "),
    ],
)
def test_text_becomes_a_value_of_its_type(kind: str, text: Any, value: Any) -> None:
    slot = _slot(kind, values=("h264", "vp9"))
    assert parse_value(slot, text) == value
    assert parse_value(slot, format_value(value)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("filepath", ""),
        ("filepath", "a\0b"),
        ("filepath", 3),
        ("boolean", "yes"),
        ("boolean", 1),
        ("integer", "3.5"),
        ("integer", "30fps"),
        ("integer", True),
        ("integer", "٣"),
        ("quantity", "fast"),
        ("quantity", "10 MB 20"),
        ("quantity", "1e9"),
        ("quantity", "10 M B"),
        ("dimensions", "1920"),
        ("dimensions", "0x0"),
        ("dimensions", "huge"),
        ("timestamp", "1:75"),
        ("timestamp", "1:75:00"),
        ("timestamp", "soon"),
        ("timestamp", ""),
        ("timestamp", "-3"),
        ("timestamp", "1.2.3s"),
        ("enum", "av1"),
        ("string", 3),
        ("string", "x" * 40_000),
    ],
)
def test_text_that_is_no_value_is_refused(kind: str, text: Any) -> None:
    with pytest.raises(ValueFault):
        parse_value(_slot(kind, values=("h264", "vp9")), text)


@pytest.mark.parametrize(
    ("kind", "form", "text", "as_written"),
    [
        ("dimensions", "scale={width}:{height}", "1080p", "scale=1920:1080"),
        ("dimensions", None, "1080p", "1920x1080"),
        ("timestamp", None, "90s", "00:01:30"),
        ("timestamp", "{seconds}", "00:01:30", "90"),
        ("quantity", None, "2.0Mbps", "2Mbps"),
        ("quantity", "{value}{unit}", "1000 KBPS", "1000k"),
        ("string", "title={value}", "a b", "title=a b"),
        ("filepath", "[{value}]", "-rf", "[./-rf]"),
        ("integer", "{value}", "30", "30"),
    ],
)
def test_values_are_written_as_the_tool_wants_them(kind: str, form: str | None, text: str, as_written: str) -> None:
    units = {"kbps": "k", "kbit": "k"} if "KBPS" in text else {}
    slot = _slot(kind, format=form, units=units)
    value = parse_value(slot, text)
    assert format_slot_value(slot, value) == as_written
    assert read(slot, as_written) == value


def test_two_names_of_one_unit_are_one_value() -> None:
    slot = _slot("quantity", units={"kbps": "k", "kbit/s": "k", "Mbps": "M"})
    assert parse_value(slot, "5kbit/s") == parse_value(slot, "5kbps")
    assert parse_value(slot, "5Mbps") != parse_value(slot, "5kbps")


@given(st.data(), st.sampled_from([kind for kind in SlotType if kind is not SlotType.BOOLEAN]))
def test_what_is_written_is_read_back(data: st.DataObject, kind: SlotType) -> None:
    slot = _slot(kind.value, values=("h264",))
    value = parse_value(slot, data.draw(values_of(slot, may_look_like_option=True)))
    assert read(slot, format_slot_value(slot, value)) == value
    assert parse_value(slot, format_value(value)) == value


@given(st.sampled_from(list(SlotType)), st.text(max_size=30))
def test_no_text_makes_a_type_fail_otherwise_than_by_saying_so(kind: SlotType, text: str) -> None:
    slot = _slot(kind.value, values=("h264",))
    try:
        value = parse_value(slot, text)
    except ValueFault:
        return
    assert parse_value(slot, format_value(value)) == value


@pytest.mark.parametrize(
    ("kind", "template", "good"),
    [
        ("dimensions", "{width}:{height}", True),
        ("dimensions", "{width}", False),
        ("timestamp", "{hms}", True),
        ("timestamp", "{hms}{seconds}", False),
        ("quantity", "{unit}", False),
        ("string", "{value}{value}", False),
        ("string", "{nope}", False),
        ("string", "{value", False),
        ("string", "x={value}", True),
    ],
)
def test_a_format_has_the_fields_of_its_type(kind: str, template: str, good: bool) -> None:
    assert (check_template(SlotType(kind), template) is None) is good


PATHS = ("a.py", "b.txt", "src/c.py", "src/deep/d.py", ".hidden.py", "src/.h/e.py", "[x].py", "src", "src/deep")


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.py", ("[x].py", "a.py")),
        ("./*.py", ("[x].py", "a.py")),
        ("**/*.py", ("[x].py", "a.py", "src/c.py", "src/deep/d.py")),
        ("src/*", ("src/c.py", "src/deep")),
        ("src/**", ("src", "src/c.py", "src/deep", "src/deep/d.py")),
        (".*.py", (".hidden.py",)),
        ("[ab].*", ("a.py", "b.txt")),
        ("[x].py", ("[x].py",)),
        ("?.txt", ("b.txt",)),
        ("*.md", ()),
    ],
)
def test_patterns_mean_what_they_mean_in_a_shell(pattern: str, found: tuple[str, ...]) -> None:
    assert is_pattern(pattern)
    assert select_paths(pattern, PATHS) == found
    assert select_paths(pattern, reversed(PATHS)) == found


def test_a_pattern_of_many_stars_is_no_trap() -> None:
    assert select_paths("/".join(["**", "a"] * 12), ["/".join("ab" * 20)]) == ()


def test_a_domain_is_a_matter_of_the_name_or_of_the_content() -> None:
    said = {"a.bin": "video/mp4", "b.mp4": "text/plain"}.get
    video = FileDomain("video", extensions=(".mp4",), mimetypes=("video/mp4",))
    assert [matches(video, path, said) for path in ("a.bin", "B.MP4", "c.txt")] == [True, True, False]
    assert matches(FileDomain("any", match_any=True), "c.txt", said)
    by_name = FileDomain("names", extensions=(".py",))
    assert [matches(by_name, path, said) for path in ("x.py", ".py", "py")] == [True, False, False]


@pytest.mark.parametrize(
    ("destination", "target", "path"),
    [
        ("out/", "a/b.mp4", "out/b.mp4"),
        ("out/*.webm", "a/b.mp4", "out/b.webm"),
        ("*.webm", "b.tar.gz", "b.tar.webm"),
        ("one.webm", "b.mp4", "one.webm"),
    ],
)
def test_each_target_has_a_destination(destination: str, target: str, path: str) -> None:
    assert resolve_destination(destination, target) == path
