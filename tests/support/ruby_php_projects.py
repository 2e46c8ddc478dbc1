"""Small projects of Ruby and PHP that need nothing but Debian's packages: see ``bin/test``."""

from __future__ import annotations

SHOP = """module Shop
  def self.total(prices)
    prices.sum
  end

  def self.half(number)
    number / 2
  end
end
"""
SHOP_PHP = (
    "<?php\n\nnamespace Shop;\n\nfinal class Cart\n{\n    public static function total(array $prices): int\n    {\n"
    "        return array_sum($prices);\n    }\n\n    public static function half(int $number): int\n    {\n"
    "        return intdiv($number, 2);\n    }\n}\n"
)

SPEC = """RSpec.describe Shop, ".total" do
  it "adds" do
    expect(Shop.total([1, 2])).to eq(3)
  end

  context "with two" do
    it "halves" do
      expect(Shop.half(4)).to eq(2)
    end
  end
end
"""
RSPEC = {
    ".rspec": "--require spec_helper\n--color\n--format documentation\n",
    "spec/spec_helper.rb": 'require "shop"\n\nRSpec.configure { |config| config.disable_monkey_patching! }\n',
    "lib/shop.rb": SHOP,
    "spec/shop_spec.rb": SPEC,
}

TEST = """require "test_helper"

class ShopTest < Minitest::Test
  def test_adds
    assert_equal 3, Shop.total([1, 2])
  end

  def test_halves
    assert_equal 2, Shop.half(4)
  end
end
"""
RAKEFILE = """require "rake/testtask"

Rake::TestTask.new(:test) do |task|
  task.libs << "test"
  task.pattern = "test/**/*_test.rb"
end

task default: :test
"""
MINITEST = {
    "test/test_helper.rb": 'require "shop"\nrequire "minitest/autorun"\n',
    "lib/shop.rb": SHOP,
    "test/shop_test.rb": TEST,
}

CASE = """<?php

namespace Shop\\Tests;

use PHPUnit\\Framework\\TestCase;
use Shop\\Cart;

final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, Cart::total([1, 2]));
    }

    public function testHalves(): void
    {
        $this->assertSame(2, Cart::half(4));
    }
}
"""
PHPUNIT = {
    "phpunit.xml.dist": (
        '<?xml version="1.0" encoding="UTF-8"?>\n<phpunit bootstrap="tests/bootstrap.php" stopOnFailure="true">\n'
        '    <testsuites>\n        <testsuite name="unit">\n            <directory>tests</directory>\n'
        "        </testsuite>\n    </testsuites>\n</phpunit>\n"
    ),
    "tests/bootstrap.php": "<?php\n\nrequire_once __DIR__ . '/../src/Cart.php';\n",
    "src/Cart.php": SHOP_PHP,
    "tests/CartTest.php": CASE,
}
