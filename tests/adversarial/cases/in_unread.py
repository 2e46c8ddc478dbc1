"""Twins of tests in languages without a reader: any change of one is reported, and a new one takes nothing away."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

BATS = Suite(
    "Bash",
    "bin/total",
    "#!/bin/bash\nset -eu\necho $(($1 + $2))\n",
    "# Totals two prices.\n",
    "test/total.bats",
    '@test "totals" {\n  run bin/total 1 2\n  [ "$output" = 3 ]\n}\n\n@test "takes no word" {\n  run bin/total 1 x\n  [ "$status" -ne 0 ]\n}\n',
)
C = Suite(
    "C",
    "src/price.c",
    "int total(int a, int b) { return a + b; }\n",
    "int doubled(int a) { return 2 * a; }\n",
    "tests/test_price.c",
    "#include <assert.h>\nint total(int, int);\n\nvoid test_total(void) {\n  assert(total(1, 2) == 3);\n}\n\nint main(void) {\n  test_total();\n  return 0;\n}\n",
)
CPP = Suite(
    "C++",
    "src/price.cpp",
    "int total(int a, int b) { return a + b; }\n",
    "int doubled(int a) { return 2 * a; }\n",
    "tests/price_test.cpp",
    "#include <gtest/gtest.h>\nint total(int, int);\n\nTEST(Price, Totals) {\n  EXPECT_EQ(total(1, 2), 3);\n}\n",
)
SWIFT = Suite(
    "Swift",
    "Sources/Shop/Price.swift",
    "func total(_ a: Int, _ b: Int) -> Int { a + b }\n",
    "func doubled(_ a: Int) -> Int { 2 * a }\n",
    "Tests/ShopTests/PriceTests.swift",
    "import XCTest\n\nfinal class PriceTests: XCTestCase {\n  func testTotal() {\n    XCTAssertEqual(total(1, 2), 3)\n  }\n}\n",
)
ELIXIR = Suite(
    "Elixir",
    "lib/price.ex",
    "defmodule Price do\n  def total(a, b), do: a + b\nend\n",
    "\ndefmodule Doubled do\n  def of(a), do: 2 * a\nend\n",
    "test/price_test.exs",
    'defmodule PriceTest do\n  use ExUnit.Case\n\n  test "totals" do\n    assert Price.total(1, 2) == 3\n  end\nend\n',
)
LUA = Suite(
    "Lua",
    "src/price.lua",
    "return { total = function(a, b) return a + b end }\n",
    "-- Totals two prices.\n",
    "spec/price_spec.lua",
    'describe("price", function()\n  it("totals", function()\n    assert.are.equal(3, price.total(1, 2))\n  end)\nend)\n',
)
_EDITS = {
    BATS: (('  [ "$output" = 3 ]\n', "  true\n"), ('  run bin/total 1 2\n', '  skip "flaky"\n  run bin/total 1 2\n'), ("more.bats", '@test "more" {\n  true\n}\n')),
    C: (("  assert(total(1, 2) == 3);\n", "  total(1, 2);\n"), ("  test_total();\n", ""), ("test_more.c", "int main(void) { return 0; }\n")),
    CPP: (("EXPECT_EQ(total(1, 2), 3)", "EXPECT_TRUE(true)"), ("TEST(Price, Totals) {\n", "TEST(Price, Totals) {\n  GTEST_SKIP();\n"), ("more_test.cpp", "TEST(Price, More) {}\n")),
    SWIFT: (("XCTAssertEqual(total(1, 2), 3)", "XCTAssertNotNil(total(1, 2))"), ("  func testTotal() {\n", '  func testTotal() throws {\n    throw XCTSkip("flaky")\n'), ("MoreTests.swift", "final class MoreTests {}\n")),
    ELIXIR: (("assert Price.total(1, 2) == 3", "assert Price.total(1, 2)"), ('  test "totals" do\n', '  @tag :skip\n  test "totals" do\n'), ("more_test.exs", "defmodule MoreTest do\nend\n")),
    LUA: (("assert.are.equal(3, price.total(1, 2))", "assert.truthy(price.total(1, 2))"), ('  it("totals"', '  pending("totals"'), ("more_spec.lua", "describe('more', function() end)\n")),
}  # fmt: skip

for suite, (weaker, skipped, (more, text)) in _EDITS.items():
    folder = suite.tests.rpartition("/")[0]
    new = {f"{folder}/{more}": text}
    moved = f"{folder}/prices/{suite.tests.rpartition('/')[2]}"
    suite.twin(suites.UNREAD, "the file of tests is gone", {suite.tests: None}, {suite.tests: None, moved: suite.text})
    suite.twin(suites.UNREAD, "a test asserts less", (weaker,), new)
    suite.twin(suites.UNREAD, "a test is skipped", (skipped,), new)
