"""How far a runner is, read from what it prints."""

from __future__ import annotations

import json

import pytest

from code_adapter.testing.progress_lines import (
    make_cargo_reader,
    make_go_reader,
    make_pytest_reader,
    make_tap_reader,
)
from verigate.sdk.progress import Seen, Step


def read(reader: Seen, *lines: str) -> list[Step]:
    return [step for line in lines if (step := reader(line)) is not None]


def test_pytest_names_a_file_once() -> None:
    lines = (
        "collected 5 items",
        "tests/test_a.py ..F   [3/5]",
        "sss. [ 4/5]",
        "b/test_b.py . [5/5]",
        "",
    )
    assert read(make_pytest_reader(), *lines) == [
        Step(3, 5, "tests/test_a.py"),
        Step(4, 5, "tests/test_a.py"),
        Step(5, 5, "b/test_b.py"),
    ]


def test_libtest_announces_each_program() -> None:
    events = [
        {"type": "suite", "event": "started", "test_count": 1},
        {"type": "test", "event": "started", "name": "a"},
        {"type": "test", "event": "ok", "name": "a"},
        {"type": "suite", "event": "started", "test_count": 2},
        {"type": "test", "event": "failed", "name": "b"},
    ]
    steps = read(make_cargo_reader(), "warning: x", *map(json.dumps, events), "{", '{"type": "test", "name": 1}')
    assert steps == [Step(0, 1, "a"), Step(1, 1, "a"), Step(2, 3, "b")]


def test_go_has_no_total() -> None:
    events = [{"Action": "run", "Test": "TestA"}, {"Action": "pass", "Test": "TestA"}, {"Action": "pass"}]
    assert read(make_go_reader(), *map(json.dumps, events)) == [Step(0, None, "TestA"), Step(1, None, "TestA")]


@pytest.mark.parametrize(("first", "total"), [("1..2", 2), ("TAP version 13", None)])
def test_tap_has_a_total_where_the_plan_comes_first(first: str, total: int | None) -> None:
    steps = read(make_tap_reader(), first, "ok 1 - adds", "not ok 2 subtracts", "okay", "1..99999999999")
    assert steps == [Step(1, total, "adds"), Step(2, total, "subtracts")]
