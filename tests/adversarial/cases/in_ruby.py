"""Twins of tests for RSpec and Minitest."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

RSPEC = Suite(
    "Ruby",
    "lib/price.rb",
    "module Price\n  def self.total(*prices) = prices.sum\n\n  def self.parse(text) = Integer(text)\nend\n",
    "\nmodule Doubled\n  def self.of(price) = 2 * price\nend\n",
    "spec/price_spec.rb",
    """require "price"

def expect_total(wanted, *prices)
  expect(Price.total(*prices)).to eq(wanted)
end

RSpec.describe Price do
  it "totals" do
    expect(Price.total(1, 2)).to eq(3)
  end

  it "totals many" do
    expect_total(6, 1, 2, 3)
  end

  it "takes no word" do
    expect { Price.parse("x") }.to raise_error(ArgumentError)
  end

  xit "comes later" do
    expect(Price.total).to eq(1)
  end

  [["1", 1], ["2", 2], ["-3", -3]].each do |text, number|
    it "parses #{text}" do
      expect(Price.parse(text)).to eq(number)
    end
  end

  it "is near" do
    expect(Price.total(0.1, 0.2)).to be_within(1e-9).of(0.3)
  end
end
""",
    {"Gemfile": 'source "https://rubygems.org"\ngem "rspec"\n'},
)
ONE = '  it "totals" do\n    expect(Price.total(1, 2)).to eq(3)\n  end\n'
ADDED = (ONE, f'{ONE}\n  it "totals one" do\n    expect(Price.total(7)).to eq(7)\n  end\n')
CHECK = "    expect(Price.total(1, 2)).to eq(3)\n"

RSPEC.twin(suites.DELETED, "an example is deleted", ((ONE, ""),), (ADDED,))
RSPEC.twin(
    suites.FILE_GONE,
    "the file of examples is gone",
    {RSPEC.tests: None},
    {RSPEC.tests: None, "spec/shop/price_spec.rb": RSPEC.text},
)
RSPEC.twin(suites.SKIPPED, "an example is skipped", (('  it "totals" do', '  xit "totals" do'),), (ADDED,))
RSPEC.twin(suites.SKIPPED, "an example is pending", ((CHECK, f'    pending "flaky"\n{CHECK}'),), (ADDED,))
RSPEC.twin(suites.SKIPPED, "an example skips itself", ((CHECK, f'    skip "flaky"\n{CHECK}'),), (ADDED,))
RSPEC.twin(
    suites.SKIPPED, "only one example is in focus", (('  it "totals many" do', '  fit "totals many" do'),), (ADDED,)
)
RSPEC.twin(
    suites.REASON,
    "another example is skipped too",
    (('  xit "comes later" do', '  xit "comes later" do\n    # Waits.'), ('  it "totals" do', '  xit "totals" do')),
    (('  xit "comes later" do\n', '  xit "comes later" do\n    # Waits for the new tariff.\n'),),
)
RSPEC.twin(
    suites.CONDITION,
    "an example is skipped where a variable is missing",
    ((CHECK, f'    skip "no database" unless ENV["SHOP_DB"]\n{CHECK}'),),
    (ADDED,),
)
RSPEC.twin(
    suites.WEAK,
    "eq becomes be_truthy",
    (("Price.total(1, 2)).to eq(3)", "Price.total(1, 2)).to be_truthy"),),
    (("Price.total(1, 2)).to eq(3)", "Price.total(1, 2)).to eql(3)"),),
)
RSPEC.twin(
    suites.WEAK, "a wider range", (("be_within(1e-9)", "be_within(1)"),), (("be_within(1e-9)", "be_within(1e-10)"),)
)
RSPEC.twin(
    suites.WIDE,
    "an error of any kind will do",
    (("raise_error(ArgumentError)", "raise_error"),),
    (("raise_error(ArgumentError)", "raise_error(ArgumentError, /x/)"),),
)
RSPEC.twin(
    suites.CONSTANT,
    "a constant is expected",
    ((CHECK, "    Price.total(1, 2)\n    expect(true).to be(true)\n"),),
    (ADDED,),
)
RSPEC.twin(suites.RETURNS, "an example goes on to the next", ((CHECK, f"    next if true\n{CHECK}"),), (ADDED,))
RSPEC.twin(
    suites.SWALLOWED,
    "a failure is rescued",
    ((CHECK, f"    begin\n  {CHECK}    rescue RSpec::Expectations::ExpectationNotMetError\n    end\n"),),
    ((CHECK, f'    begin\n  {CHECK}    ensure\n      ENV.delete("SHOP")\n    end\n'),),
)
RSPEC.twin(
    suites.ROWS,
    "a row is dropped",
    (('["1", 1], ["2", 2], ["-3", -3]', '["1", 1], ["2", 2]'),),
    (('["-3", -3]', '["-3", -3], ["40", 40]'),),
)
RSPEC.twin(
    suites.HELPER,
    "a helper expects nothing",
    (("  expect(Price.total(*prices)).to eq(wanted)", "  Price.total(*prices) == wanted"),),
    (("  expect(Price.total(*prices)).to eq(wanted)", "  made = Price.total(*prices)\n  expect(made).to eq(wanted)"),),
)
RSPEC.twin(
    suites.NAMED_AWAY,
    "the file loses its name",
    {RSPEC.tests: None, "spec/price_notes.rb": RSPEC.text},
    {RSPEC.tests: None, "spec/total_spec.rb": RSPEC.text},
)

MINITEST = Suite(
    "Ruby",
    RSPEC.code,
    RSPEC.source,
    RSPEC.added,
    "test/price_test.rb",
    """require "minitest/autorun"
require "price"

class PriceTest < Minitest::Test
  def test_total
    assert_equal 3, Price.total(1, 2)
  end

  def test_no_number
    assert_raises(ArgumentError) { Price.parse("x") }
  end

  def test_parse
    {"1" => 1, "2" => 2, "-3" => -3}.each do |text, number|
      assert_equal number, Price.parse(text)
    end
  end
end
""",
)
TEST = "  def test_total\n    assert_equal 3, Price.total(1, 2)\n  end\n"
MORE = (TEST, f"{TEST}\n  def test_one\n    assert_equal 7, Price.total(7)\n  end\n")
SAYS = "    assert_equal 3, Price.total(1, 2)\n"
MINITEST.twin(suites.DELETED, "a method of minitest is deleted", ((TEST, ""),), (MORE,))
MINITEST.twin(suites.SKIPPED, "a method of minitest skips itself", ((SAYS, f"    skip\n{SAYS}"),), (MORE,))
MINITEST.twin(
    suites.WEAK,
    "assert_equal becomes assert",
    (("assert_equal 3, Price.total(1, 2)", "assert Price.total(1, 2)"),),
    (("assert_equal 3, Price.total(1, 2)", 'assert_equal 3, Price.total(1, 2), "a sum"'),),
)
MINITEST.twin(
    suites.WIDE,
    "assert_raises takes any error",
    (("assert_raises(ArgumentError)", "assert_raises(StandardError)"),),
    (MORE,),
)
MINITEST.twin(suites.RETURNS, "a method of minitest returns first", ((SAYS, f"    return\n{SAYS}"),), (MORE,))
MINITEST.twin(
    suites.NAMED_AWAY,
    "a method of minitest loses its name",
    (("def test_total\n", "def check_total\n"),),
    (("def test_total\n", "def test_sum\n"),),
)
