"""Twins of PHPUnit's and Pest's tests."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

PHPUNIT = Suite(
    "PHP",
    "src/Price.php",
    "<?php\n\nnamespace Shop;\n\nfunction total(int ...$prices): int\n{\n    return array_sum($prices);\n}\n\n"
    "function parse(string $text): int\n{\n    if (!is_numeric($text)) {\n        throw new \\DomainException($text);\n    }\n    return (int) $text;\n}\n",
    "\nfunction doubled(int $price): int\n{\n    return 2 * $price;\n}\n",
    "tests/PriceTest.php",
    """<?php

use PHPUnit\\Framework\\Attributes\\DataProvider;
use PHPUnit\\Framework\\Attributes\\TestWith;
use PHPUnit\\Framework\\TestCase;
use function Shop\\{parse, total};

final class PriceTest extends TestCase
{
    private function assertTotal(int $wanted, int ...$prices): void
    {
        $this->assertSame($wanted, total(...$prices));
    }

    public function testTotal(): void
    {
        $this->assertSame(3, total(1, 2));
    }

    public function testTotalOfMany(): void
    {
        $this->assertTotal(6, 1, 2, 3);
    }

    public function testNoNumber(): void
    {
        $this->expectException(DomainException::class);
        parse('x');
    }

    public function testLater(): void
    {
        $this->markTestSkipped();
        $this->assertSame(1, total());
    }

    public static function numbers(): array
    {
        return [['1', 1], ['2', 2], ['-3', -3]];
    }

    #[DataProvider('numbers')]
    public function testParse(string $text, int $number): void
    {
        $this->assertSame($number, parse($text));
    }

    #[TestWith([4])]
    #[TestWith([5])]
    public function testAlone(int $price): void
    {
        $this->assertSame($price, total($price));
    }

    public function testNear(): void
    {
        $this->assertEqualsWithDelta(0.5, total(1) / 2, 1e-9);
    }
}
""",
    {"composer.json": '{"name": "shop/shop", "require-dev": {"phpunit/phpunit": "^11"}}\n'},
)
ONE = "    public function testTotal(): void\n    {\n        $this->assertSame(3, total(1, 2));\n    }\n"
ADDED = (ONE, f"{ONE}\n    public function testOne(): void\n    {{\n        $this->assertSame(7, total(7));\n    }}\n")
CHECK = "        $this->assertSame(3, total(1, 2));\n"

PHPUNIT.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
PHPUNIT.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {PHPUNIT.tests: None},
    {PHPUNIT.tests: None, "tests/TotalTest.php": PHPUNIT.text.replace("class PriceTest", "class TotalTest")},
)
PHPUNIT.twin(
    suites.SKIPPED, "a test is marked as skipped", ((CHECK, f"        $this->markTestSkipped();\n{CHECK}"),), (ADDED,)
)
PHPUNIT.twin(
    suites.SKIPPED,
    "a test is marked as incomplete",
    ((CHECK, f"        $this->markTestIncomplete();\n{CHECK}"),),
    (ADDED,),
)
PHPUNIT.twin(
    suites.REASON,
    "another test is skipped too",
    (
        ("markTestSkipped();", "markTestSkipped('later');"),
        (CHECK, f"        $this->markTestSkipped('later');\n{CHECK}"),
    ),
    (("markTestSkipped();", "markTestSkipped('waits for the new tariff');"),),
)
PHPUNIT.twin(
    suites.CONDITION,
    "a test is skipped where a variable is missing",
    (
        (
            CHECK,
            f"        if (!getenv('SHOP_DB')) {{\n            $this->markTestSkipped('no database');\n        }}\n{CHECK}",
        ),
    ),
    (ADDED,),
)
PHPUNIT.twin(
    suites.WEAK,
    "assertSame becomes assertNotNull",
    (("assertSame(3, total(1, 2))", "assertNotNull(total(1, 2))"),),
    (("assertSame(3, total(1, 2))", "assertSame(3, total(1, 2), 'a sum')"),),
)
PHPUNIT.twin(suites.WEAK, "a wider delta", (("1e-9", "1.0"),), (("1e-9", "1e-10"),))
PHPUNIT.twin(
    suites.WIDE,
    "an exception of any kind will do",
    (("expectException(DomainException::class)", "expectException(Throwable::class)"),),
    (
        (
            "        $this->expectException(DomainException::class);\n",
            "        $this->expectException(DomainException::class);\n        $this->expectExceptionMessage('x');\n",
        ),
    ),
)
PHPUNIT.twin(
    suites.CONSTANT,
    "a constant is asserted",
    ((CHECK, "        total(1, 2);\n        $this->assertTrue(true);\n"),),
    (ADDED,),
)
PHPUNIT.twin(
    suites.RETURNS,
    "a test returns first",
    ((CHECK, f"        if (true) {{\n            return;\n        }}\n{CHECK}"),),
    (ADDED,),
)
PHPUNIT.twin(
    suites.SWALLOWED,
    "a failure is caught",
    ((CHECK, f"        try {{\n    {CHECK}        }} catch (\\Throwable $error) {{\n        }}\n"),),
    ((CHECK, f"        try {{\n    {CHECK}        }} finally {{\n            putenv('SHOP');\n        }}\n"),),
)
PHPUNIT.twin(
    suites.SWALLOWED,
    "no assertion is asked for",
    ((CHECK, "        $this->expectNotToPerformAssertions();\n        total(1, 2);\n"),),
    (ADDED,),
)
PHPUNIT.twin(
    suites.ROWS,
    "a row of the provider is dropped",
    (("['1', 1], ['2', 2], ['-3', -3]", "['1', 1], ['2', 2]"),),
    (("['-3', -3]", "['-3', -3], ['40', 40]"),),
)
PHPUNIT.twin(
    suites.ROWS,
    "a row of attributes is dropped",
    (("    #[TestWith([5])]\n", ""),),
    (("    #[TestWith([5])]\n", "    #[TestWith([5])]\n    #[TestWith([6])]\n"),),
)
PHPUNIT.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (("        $this->assertSame($wanted, total(...$prices));", "        $same = $wanted === total(...$prices);"),),
    (
        (
            "        $this->assertSame($wanted, total(...$prices));",
            "        $made = total(...$prices);\n        $this->assertSame($wanted, $made);",
        ),
    ),
)
PHPUNIT.twin(
    suites.NAMED_AWAY,
    "a test loses its name",
    (("function testTotal(", "function checkTotal("),),
    (("function testTotal(", "function testSum("),),
)
