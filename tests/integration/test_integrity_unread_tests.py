"""Tests in languages that code:integrity doesn't read: a change of one is no silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from change_repository import Content, change_repository

OTHER: dict[str, Content] = {"src/price.txt": "1\n"}
UNREAD: dict[str, Content] = {
    "test/install.bats": '@test "installs" {\n  run install\n  [ "$status" -eq 0 ]\n}\n',
    "test/price_test.lua": "describe('price', function()\n  it('adds', function() check() end)\nend)\n",
    "src/test/groovy/PriceTest.groovy": "class PriceTest {\n  @Test void adds() { assertEquals(1, price()) }\n}\n",
    "Shop/PriceTests.fs": "module PriceTests\n[<Fact>]\nlet adds () = Assert.Equal(1, price ())\n",
    "test/price_test.exs": 'defmodule PriceTest do\n  test "adds" do\n    assert price() == 1\n  end\nend\n',
    "Tests/ShopTests/PriceTests.swift": "class PriceTests: XCTestCase {\n  func testAdds() { check(1) }\n}\n",
    "tests/price.c": "int main(void) {\n  assert(price() == 1);\n}\n",
    "src/price_unittest.cc": "TEST(Price, Adds) {\n  EXPECT_EQ(1, price());\n}\n",
}
DATA: dict[str, Content] = {
    f"tests/{name}": "1\n"
    for name in ("data.json", "list.txt", "README.md", "page.html", "dump.sql", "prices.csv", "ci.yaml", "logo.png")
} | {"tests/__snapshots__/price.test.js.snap": "1\n", "tests/fixtures/price.rb": "price 1\n"}


def integrity(tmp_path: Path, before: dict[str, Content], after: dict[str, Content]) -> dict[str, Any]:
    outcome = change_repository(tmp_path / "repo", before, after).run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    value: dict[str, Any] = outcome.json("integrity.json")
    return value


def unexamined(value: dict[str, Any]) -> dict[str, str]:
    return {finding["path"]: finding["weight"] for finding in value["findings"] if finding["kind"] == "unexamined"}


def edit(files: dict[str, Content]) -> dict[str, Content]:
    return {path: f"{text}\n" for path, text in files.items()}


@pytest.mark.parametrize("after", [edit(UNREAD), dict.fromkeys(UNREAD)], ids=["changed", "removed"])
def test_a_test_that_nothing_reads_is_a_weakening(after: dict[str, Content], tmp_path: Path) -> None:
    value = integrity(tmp_path, {**OTHER, **UNREAD}, after)
    assert unexamined(value) == dict.fromkeys(UNREAD, "weakening")
    # It can be accounted for: a change in which no file was examined could not.
    assert value["files_examined"] == value["total"] == len(UNREAD)


def test_a_script_that_starts_a_runner_is_read_as_one(tmp_path: Path) -> None:
    script = "ci/test_full.sh"
    before: dict[str, Content] = {**OTHER, script: "set -ex\ncargo test\ncargo test --all-features\n"}
    value = integrity(
        tmp_path / "more", before, {script: "set -ex\ncargo update\ncargo test\ncargo test --all-features\n"}
    )
    assert unexamined(value) == {}
    value = integrity(tmp_path / "less", before, {script: "set -ex\ncargo test || true\n"})
    assert {finding["kind"] for finding in value["findings"]} == {"check_command_weakened"}
    assert unexamined(integrity(tmp_path / "gone", before, {script: None})) == {script: "weakening"}
    of_tests: dict[str, Content] = {"tests/test_full.sh": "set -ex\ncargo test\n"}
    value = integrity(tmp_path / "tests", {**OTHER, **of_tests}, edit(of_tests))
    assert unexamined(value) == {"tests/test_full.sh": "weakening"}


def test_a_new_one_takes_nothing_away(tmp_path: Path) -> None:
    assert unexamined(integrity(tmp_path, OTHER, UNREAD)) == dict.fromkeys(UNREAD, "note")


def test_one_may_move_but_not_away(tmp_path: Path) -> None:
    lua, bats = "test/price_test.lua", "test/install.bats"
    before = {**OTHER, lua: UNREAD[lua], bats: UNREAD[bats]}
    after: dict[str, Content] = {lua: None, bats: None, "test/shop/price_test.lua": UNREAD[lua]}
    found = unexamined(integrity(tmp_path, before, {**after, "docs/install.txt": UNREAD[bats]}))
    assert found.pop("test/shop/price_test.lua") == "note"
    assert list(found.values()) == ["weakening"]


@pytest.mark.parametrize("after", [edit(DATA), dict.fromkeys(DATA)], ids=["changed", "removed"])
def test_data_of_tests_is_no_test(after: dict[str, Content], tmp_path: Path) -> None:
    assert unexamined(integrity(tmp_path, {**OTHER, **DATA}, after)) == {}
