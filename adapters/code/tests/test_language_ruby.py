"""Ruby: its definitions and routes, tests, what skips them, what they assert, and what is suppressed."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from read_languages import Read, endpoints, read, stubs, symbols

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.silencers import read_comment
from code_adapter.integrity.languages.test_paths import PATH_RULES
from code_adapter.integrity.pairing.cases import list_tests
from verigate.sdk.languages.tree import parse

RUBY = LANGUAGES["ruby"]

SOURCE = """
module Shop
  class Price < Base
    attr_reader :sum
    def initialize(sum); end
    def self.of(sum, currency: "EUR") = new(sum)
    def add(other) = raise(NotImplementedError)
    def open?; @open end
    class << self
      def parse(text)
        # later
      end
    end
    define_method(:total) { sum + 1 }
  end
  class Empty; end
  class Gone < StandardError; end
end
module Helpers
  def tax; 0.2 end
end
Point = Struct.new(:x) do
  def length; x end
end
"""
SPEC = """
RSpec.describe Shop::Price, type: :model do
  let(:price) { described_class.new(1) }
  describe "#add" do
    it "adds" do
      expect(price.add(1)).to eq(2)
      expect { price.add(nil) }.to raise_error(TypeError)
      is_expected.to be_valid
    end
    it { is_expected.to be_open }
    specify("nothing") { price.add(0) }
    xit "later" do
      expect(price).to eq 1
    end
  end
end
"""
MINITEST = """
class PriceTest < Minitest::Test
  def setup; @price = Price.new(1) end
  def test_adds
    assert_equal 2, @price.add(1)
    refute @price.open?
    assert_raises(TypeError) { @price.add(nil) }
    check_total(2)
    _(@price.sum).must_equal 1
    @price.wont_be_nil
  end
  test "of Rails" do
    assert true
  end
  def check_total(sum)
    assert_equal sum, @price.total
    assert sum
  end
end
"""


def test_definitions() -> None:
    assert symbols(SOURCE, "lib/price.rb") == {
        "Shop.Price": "class",
        "Shop.Price.sum": "method",
        "Shop.Price.initialize": "method",
        "Shop.Price.of": "method",
        "Shop.Price.add": "method",
        "Shop.Price.open?": "method",
        "Shop.Price.parse": "method",
        "Shop.Price.total": "method",
        "Shop.Empty": "class",
        "Shop.Gone": "class",
        "Helpers": "class",
        "Helpers.tax": "method",
        "Point": "class",
        "Point.length": "method",
    }
    assert stubs(SOURCE, "lib/price.rb") == {"Shop.Price.add", "Shop.Price.parse", "Shop.Empty"}


RAILS = """
Rails.application.routes.draw do
  root to: "home#index"
  get "/prices/:id", to: "prices#show"
  namespace :api do
    post "prices" => "prices#create"
    resources :users do
      get :preview, on: :member
    end
  end
end
"""
SINATRA = """
get "/prices/:id" do
  Price.find(params[:id]).to_json
end
post("/prices") { }
cache.get "/key"
get "/a/test/asks"
"""


def test_routes() -> None:
    assert endpoints(RAILS, "config/routes.rb") == {"GET /", "GET /prices/:id", "POST /api/prices"}
    assert endpoints(SINATRA, "app.rb") == {"GET /prices/:id", "POST /prices"}


def test_examples() -> None:
    found = read(SPEC, "spec/price_spec.rb")
    assert found.tests == {
        "Shop::Price > #add > adds": 3,
        "Shop::Price > #add > { is_expected.to be_open }": 1,
        "Shop::Price > #add > nothing": 0,
        "Shop::Price > #add > later": 1,
    }
    assert found.markers == [("skip", "xit later", "Shop::Price > #add > later", False)]


def test_should() -> None:
    source = """
class PriceTest < ActiveSupport::TestCase
  should "add" do
    assert_equal 1, price
  end
  it { should be_open }
  it { price.should eq(1) }
end
"""
    assert list(read(source, "test/price_test.rb").tests.values()) == [1, 1, 1]


def test_test_methods() -> None:
    found = read(MINITEST, "test/price_test.rb")
    assert found.tests == {"PriceTest > test_adds": 7, "PriceTest > of Rails": 0}
    assert found.vacuous == ["assert(true)"]
    assert found.real[3:5] == ["check_total(2)", "check_total(2) #1"]


@pytest.mark.parametrize(
    ("line", "kind", "conditional"),
    [
        ('it "adds" do skip "later" end', "skip", False),
        ('it "adds" do skip end', "skip", False),
        ('it "adds" do skip "old" if RUBY_VERSION < "3.1" end', "skip", True),
        ('it "adds" do skip "old" unless defined?(Fiddle) end', "skip", True),
        ('it "adds" do pending "later" end', "xfail", False),
        ('it "adds"', "skip", False),
        ('it "adds", skip: true do check end', "skip", False),
        ('it "adds", :skip do check end', "skip", False),
        ('it "adds", if: false do check end', "skip", False),
        ('it "adds", if: RUBY_PLATFORM =~ /linux/ do check end', "skip", True),
        ('xcontext "later" do it("adds") { check } end', "skip", False),
        ('before { skip "never" }', "skip", False),
        ('fit "adds" do check end', "focus", False),
        ('fdescribe "adds" do check end', "focus", False),
        ('it "adds", focus: true do check end', "focus", False),
        ('it "adds", :focus do check end', "focus", False),
    ],
)
def test_markers(line: str, kind: str, conditional: bool) -> None:
    found = read(f"describe Price do\n  {line}\nend\n", "spec/price_spec.rb")
    assert [(made[0], made[3]) for made in found.markers] == [(kind, conditional)]


@pytest.mark.parametrize(
    "line",
    [
        'it "adds", skip: false do check end',
        'it "adds", if: true do check end',
        'it "adds" do list.skip(1) end',
        'it "adds" do price.skip end',
        'it "adds" do skip = 1 end',
        "let(:skip) { 1 }",
    ],
)
def test_no_markers(line: str) -> None:
    assert read(f"describe Price do\n  {line}\nend\n", "spec/price_spec.rb").markers == []


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return\nassert_equal 1, price", Read()),
        ("raise 'x'\nassert_equal 1, price", Read()),
        ("if false\nassert_equal 1, price\nend", Read()),
        ("assert_equal 1, price if false", Read()),
        ("[].each { |x| assert_equal 1, x }", Read()),
        ("begin\nassert_equal 1, price\nrescue Exception\nend", Read(swallowed=["assert_equal(1, price)"])),
        (
            "begin\nassert_equal 1, price\nrescue Exception => e\nflunk e.message\nend",
            Read(real=["assert_equal(1, price)", "flunk(e.message)"]),
        ),
        (
            "assert_equal 1, price if price",
            Read(real=["assert_equal(1, price)"], held=["assert_equal(1, price)"]),
        ),
        (
            "return if price.nil?\nassert_equal 1, price",
            Read(real=["assert_equal(1, price)"], held=["assert_equal(1, price)"]),
        ),
        ("assert_equal 1, price unless RUBY_ENGINE == 'jruby'", Read(real=["assert_equal(1, price)"])),
        (
            "expect(1).to eq(1)\nexpect(true).to be_truthy",
            Read(vacuous=["expect(1).to eq(1)", "expect(true).to be_truthy"]),
        ),
    ],
)
def test_what_runs(body: str, wanted: Read) -> None:
    found = read(f"class PriceTest < Minitest::Test\ndef test_a\n{body}\nend\nend\n", "test/price_test.rb")
    assert (found.real, found.held, found.swallowed, found.vacuous) == (
        wanted.real,
        wanted.held,
        wanted.swallowed,
        wanted.vacuous,
    )


@pytest.mark.parametrize(
    ("path", "collected"),
    [
        ("spec/price_spec.rb", True),
        ("spec/spec_helper.rb", False),
        ("spec/support/prices.rb", False),
        ("spec/price.rb", False),
        ("test/price_test.rb", True),
        ("test/prices.rb", True),
        ("lib/price.rb", False),
        ("lib/latest.rb", False),
    ],
)
def test_collected_files(path: str, collected: bool) -> None:
    assert PATH_RULES["ruby"].is_collected(PurePosixPath(path), ()) is collected


def test_detection() -> None:
    assert RUBY.detection is not None
    for source in ("return if defined?(RSpec)", "$PROGRAM_NAME =~ /rspec/", "caller.any? { |line| line =~ /_spec/ }"):
        assert RUBY.detection.search(source), source
    for source in ("if ENV['RAILS_ENV'] == 'test'", "Rails.env.test?", "defined?(Rails)"):
        assert not RUBY.detection.search(source), source


def test_suppressions() -> None:
    found = [*read_comment("# rubocop:disable Security/Eval, Style/Foo -- trusted", ())]
    assert [(each.rule, each.codes, each.reason) for each in found] == [
        ("rubocop", ("Security/Eval", "Style/Foo"), "trusted")
    ]
    assert [each.rule for each in read_comment("# :nocov:", ())] == ["coverage"]


def test_the_described_class_is_a_word_of_its_tests() -> None:
    tree = parse(SPEC.encode(), "ruby")
    (first, *_) = list_tests(tree, "spec/price_spec.rb", {}).cases
    assert "Price" in first.words
