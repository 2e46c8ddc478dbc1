"""Fixtures: what a folder says, what is refused, and what the kit makes of it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from verigate.config.documents import read_fixture_document
from verigate.conformance import fixtures
from verigate.conformance.fixtures import EMPTY, GENERIC, ODD, Fixture, read_fixtures
from verigate.conformance.kit_machine import choose_locale

CAPABILITIES = ("x:one", "x:two")


def read(folder: Path) -> tuple[list[Fixture], list[str]]:
    return read_fixtures(folder / "fixtures", CAPABILITIES, read_fixture_document)


def case(folder: Path, document: Any, **files: str) -> Path:
    place = folder / "fixtures" / "case"
    place.mkdir(parents=True)
    for name, text in files.items():
        (place / name).write_text(text)
    if document is not None:
        (place / "fixture.json").write_text(json.dumps(document))
    return place


def test_a_folder_is_a_tree_and_its_fixture_json_no_part_of_it(tmp_path: Path) -> None:
    place = case(tmp_path, {"files": {"lib/a.sh": "#!/bin/sh\n"}, "capabilities": ["x:two"], "issues": True}, b="text")
    (place / "run").write_text("x")
    (place / "run").chmod(0o755)
    [found], wrong = read(tmp_path)
    assert wrong == []
    assert found.files == {b"b": b"text", b"run": b"x", b"lib/a.sh": b"#!/bin/sh\n"}
    assert found.executables == {b"run", b"lib/a.sh"}
    assert (found.base, found.issues, found.own) == ({}, True, True)
    assert not found.serves("x:one")
    assert found.serves("x:two")


@pytest.mark.parametrize(
    ("base", "told"),
    [
        (None, {}),
        ({}, {b"a": b"1", b"b": b"2"}),
        ({"a": None}, {b"b": b"2"}),
        ({"a": "0", "gone": "3"}, {b"a": b"0", b"b": b"2", b"gone": b"3"}),
    ],
)
def test_the_base_is_told_by_how_it_differs(tmp_path: Path, base: Any, told: dict[bytes, bytes]) -> None:
    case(tmp_path, {"files": {"a": "1", "b": "2"}, **({"base": base} if base is not None else {})})
    [found], _ = read(tmp_path)
    assert found.base == told


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"capabilites": ["x:one"]}, "capabilities"),
        ({"capabilities": []}, "/capabilities"),
        ({"capabilities": ["x:three"]}, "x:three"),
        ({"refuses": ["x:three"]}, "x:three"),
        ({"files": {"../a": "x"}}, "../a"),
        ({"files": {"/a": "x"}}, "/a"),
        ({"files": {"a/.git/config": "x"}}, ".git"),
        ({"base": {"a//b": "x"}}, "a//b"),
        ({"files": {"a": 1}}, "/files/a"),
        ([], "object"),
    ],
)
def test_a_document_that_makes_no_sense_is_told(tmp_path: Path, document: Any, told: str) -> None:
    case(tmp_path, document)
    found, [wrong] = read(tmp_path)
    assert found == []
    assert wrong.startswith("fixtures/case: ")
    assert told in wrong


def test_what_is_no_file_and_what_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = case(tmp_path, None, a="x")
    (place / "link").symlink_to("/etc/passwd")
    assert "link is neither a file nor a folder" in read(tmp_path)[1][0]
    (place / "link").unlink()
    os.mkfifo(place / "pipe")
    assert "pipe is neither" in read(tmp_path)[1][0]
    (place / "pipe").unlink()
    monkeypatch.setattr(fixtures, "MAX_BYTES", 0)
    assert "should be small" in read(tmp_path)[1][0]


def test_an_adapter_s_own_go_before_the_generic_one() -> None:
    one = Fixture("one", {}, capabilities=("x:one",))
    special = Fixture(EMPTY, {}, refuses=frozenset({"x:two"}))
    assert [each.name for each in fixtures.select_fixtures([one, special], "x:one")] == ["one"]
    assert [each.name for each in fixtures.select_fixtures([one, special], "x:two")] == [GENERIC]
    assert fixtures.find_special([one, special], EMPTY, "x:two") is special
    assert fixtures.find_special([one, special], ODD, "x:two") is None


def test_the_kit_s_own_trees_keep_what_an_adapter_is_told() -> None:
    like = Fixture("one", {b"a.py": b"x", b"b.py": b"y", b"Makefile": b"z"}, config={"key": 1}, expect={"a": {"": 1}})
    empty = fixtures.make_empty(like)
    assert (empty.name, empty.files, empty.config, empty.expect) == (EMPTY, {}, {"key": 1}, {})
    odd = fixtures.make_odd(like, None)
    assert (odd.name, odd.config, odd.expect) == (ODD, {"key": 1}, {})
    assert like.files.items() <= odd.files.items()
    added = odd.files.keys() - like.files.keys()
    assert {b"odd folder/-rf.py", b"odd folder/-rf", b"odd folder/line\nend.py"} <= added
    assert {odd.files[name] for name in added} == {b"x", b"z"}
    other = fixtures.make_odd(like, Fixture(ODD, {}, refuses=frozenset({"x:one"})))
    assert (other.refuses, other.files, other.config) == ({"x:one"}, odd.files, {})


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        ((), "C"),
        (("C", "C.utf8", "POSIX"), "C"),
        (("C.utf8", "en_US.utf8", "tr_TR.utf8"), "tr_TR.utf8"),
        (("en_US", "en_GB.UTF-8"), "en_GB.UTF-8"),
        (("ja_JP.eucjp", "ja_JP.utf8"), "ja_JP.utf8"),
    ],
)
def test_another_locale(installed: tuple[str, ...], chosen: str) -> None:
    assert choose_locale(installed) == chosen
