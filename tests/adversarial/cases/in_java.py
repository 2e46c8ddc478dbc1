"""Twins of JUnit's tests in Java and Kotlin."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

JAVA = Suite(
    "Java",
    "src/main/java/shop/Price.java",
    "package shop;\n\npublic final class Price {\n    private Price() {}\n\n    public static int total(int... prices) {\n"
    "        return java.util.Arrays.stream(prices).sum();\n    }\n\n    public static int parse(String text) {\n        return Integer.parseInt(text);\n    }\n}\n",
    "\nfinal class Doubled {\n    static int of(int price) {\n        return 2 * price;\n    }\n}\n",
    "src/test/java/shop/PriceTest.java",
    """package shop;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.*;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;

class PriceTest {
    private static void assertTotal(int wanted, int... prices) {
        assertEquals(wanted, Price.total(prices));
    }

    @Test
    void totals() {
        assertEquals(3, Price.total(1, 2));
    }

    @Test
    void totalsMany() {
        assertTotal(6, 1, 2, 3);
    }

    @Test
    void noNumber() {
        assertThrows(NumberFormatException.class, () -> Price.parse("x"));
    }

    @Disabled
    @Test
    void later() {
        assertEquals(1, Price.total());
    }

    @Test
    void near() {
        assertEquals(0.5, Price.total(1) / 2.0, 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "-3, -3"})
    void parses(String text, int number) {
        assertEquals(number, Price.parse(text));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6})
    void alone(int price) {
        assertEquals(price, Price.total(price));
    }
}
""",
    {
        "pom.xml": "<project><modelVersion>4.0.0</modelVersion><groupId>s</groupId><artifactId>shop</artifactId><version>1</version></project>\n"
    },
)
ONE = "    @Test\n    void totals() {\n        assertEquals(3, Price.total(1, 2));\n    }\n"
ADDED = (ONE, f"{ONE}\n    @Test\n    void totalsOne() {{\n        assertEquals(7, Price.total(7));\n    }}\n")
CHECK = "        assertEquals(3, Price.total(1, 2));\n"

JAVA.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
JAVA.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {JAVA.tests: None},
    {JAVA.tests: None, "src/test/java/shop/TotalTest.java": JAVA.text.replace("class PriceTest", "class TotalTest")},
)
JAVA.twin(suites.SKIPPED, "a test is disabled", ((ONE, f"    @Disabled\n{ONE}"),), (ADDED,))
JAVA.twin(
    suites.REASON,
    "another test is disabled too",
    (("    @Disabled\n", '    @Disabled("later")\n'), (ONE, f'    @Disabled("later")\n{ONE}')),
    (("    @Disabled\n", '    @Disabled("waits for the new tariff")\n'),),
)
JAVA.twin(
    suites.CONDITION,
    "a test runs where a variable is set",
    ((ONE, f'    @EnabledIfEnvironmentVariable(named = "SHOP_DB", matches = ".+")\n{ONE}'),),
    (ADDED,),
)
JAVA.twin(
    suites.CONDITION,
    "a test assumes a variable",
    ((CHECK, f'        assumeTrue(System.getenv("SHOP_DB") != null);\n{CHECK}'),),
    (ADDED,),
)
JAVA.twin(
    suites.WEAK,
    "assertEquals becomes assertNotNull",
    (("assertEquals(3, Price.total(1, 2))", "assertNotNull(Price.total(1, 2))"),),
    (("assertEquals(3, Price.total(1, 2))", 'assertEquals(3, Price.total(1, 2), "a sum")'),),
)
JAVA.twin(suites.WEAK, "a wider delta", (("1e-9", "1.0"),), (("1e-9", "1e-10"),))
JAVA.twin(
    suites.WIDE,
    "an exception of any kind will do",
    (("NumberFormatException.class", "Exception.class"),),
    (("assertThrows(NumberFormatException", "assertThrowsExactly(NumberFormatException"),),
)
JAVA.twin(
    suites.CONSTANT,
    "a constant is asserted",
    ((CHECK, "        Price.total(1, 2);\n        assertTrue(true);\n"),),
    (ADDED,),
)
JAVA.twin(
    suites.RETURNS,
    "a test returns first",
    ((CHECK, f"        if (true) {{\n            return;\n        }}\n{CHECK}"),),
    (ADDED,),
)
JAVA.twin(
    suites.SWALLOWED,
    "an error is caught",
    ((CHECK, f"        try {{\n    {CHECK}        }} catch (AssertionError error) {{\n        }}\n"),),
    (
        (
            CHECK,
            f'        try {{\n    {CHECK}        }} finally {{\n            System.clearProperty("shop");\n        }}\n',
        ),
    ),
)
JAVA.twin(
    suites.ROWS,
    "a row of CSV is dropped",
    (('"1, 1", "2, 2", "-3, -3"', '"1, 1", "2, 2"'),),
    (('"-3, -3"', '"-3, -3", "40, 40"'),),
)
JAVA.twin(suites.ROWS, "a value is dropped", (("{4, 5, 6}", "{4, 5}"),), (("{4, 5, 6}", "{4, 5, 6, 7}"),))
JAVA.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (("        assertEquals(wanted, Price.total(prices));", "        boolean same = wanted == Price.total(prices);"),),
    (
        (
            "        assertEquals(wanted, Price.total(prices));",
            "        int made = Price.total(prices);\n        assertEquals(wanted, made);",
        ),
    ),
)
JAVA.twin(
    suites.NAMED_AWAY,
    "a test loses its annotation",
    ((ONE, ONE.replace("    @Test\n", "")),),
    (("void totals() {", "void sums() {"),),
)

KOTLIN = Suite(
    "Kotlin",
    "src/main/kotlin/shop/Price.kt",
    "package shop\n\nfun total(vararg prices: Int): Int = prices.sum()\n\nfun parse(text: String): Int = text.toInt()\n",
    "\nfun doubled(price: Int): Int = 2 * price\n",
    "src/test/kotlin/shop/PriceTest.kt",
    """package shop

import kotlin.test.*
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Disabled
import org.junit.jupiter.api.condition.*
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.*

private fun assertTotal(wanted: Int, vararg prices: Int) {
    assertEquals(wanted, total(*prices))
}

class PriceTest {
    @Test
    fun totals() {
        assertEquals(3, total(1, 2))
    }

    @Test
    fun `totals many`() {
        assertTotal(6, 1, 2, 3)
    }

    @Test
    fun noNumber() {
        assertFailsWith<NumberFormatException> { parse("x") }
    }

    @Disabled
    @Test
    fun later() {
        assertEquals(1, total())
    }

    @ParameterizedTest
    @CsvSource("1, 1", "2, 2", "-3, -3")
    fun parses(text: String, number: Int) {
        assertEquals(number, parse(text))
    }
}
""",
    {"build.gradle.kts": 'plugins { kotlin("jvm") }\n'},
)
FUN = "    @Test\n    fun totals() {\n        assertEquals(3, total(1, 2))\n    }\n"
MORE = (FUN, f"{FUN}\n    @Test\n    fun totalsOne() {{\n        assertEquals(7, total(7))\n    }}\n")
SAYS = "        assertEquals(3, total(1, 2))\n"

KOTLIN.twin(suites.DELETED, "a test is deleted", ((FUN, ""),), (MORE,))
KOTLIN.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {KOTLIN.tests: None},
    {
        KOTLIN.tests: None,
        "src/test/kotlin/shop/TotalTest.kt": KOTLIN.text.replace("class PriceTest", "class TotalTest"),
    },
)
KOTLIN.twin(suites.SKIPPED, "a test is disabled", ((FUN, f"    @Disabled\n{FUN}"),), (MORE,))
KOTLIN.twin(suites.SKIPPED, "a test is ignored", ((FUN, f"    @Ignore\n{FUN}"),), (MORE,))
KOTLIN.twin(
    suites.REASON,
    "another test is disabled too",
    (("    @Disabled\n", '    @Disabled("later")\n'), (FUN, f'    @Disabled("later")\n{FUN}')),
    (("    @Disabled\n", '    @Disabled("waits for the new tariff")\n'),),
)
KOTLIN.twin(
    suites.CONDITION,
    "a test runs where a variable is set",
    ((FUN, f'    @EnabledIfEnvironmentVariable(named = "SHOP_DB", matches = ".+")\n{FUN}'),),
    (MORE,),
)
KOTLIN.twin(
    suites.CONDITION,
    "a test assumes a variable",
    ((SAYS, f'        assumeTrue(System.getenv("SHOP_DB") != null)\n{SAYS}'),),
    (MORE,),
)
KOTLIN.twin(
    suites.WEAK,
    "assertEquals becomes assertNotNull",
    (("assertEquals(3, total(1, 2))", "assertNotNull(total(1, 2))"),),
    (("assertEquals(3, total(1, 2))", 'assertEquals(3, total(1, 2), "a sum")'),),
)
KOTLIN.twin(
    suites.WIDE,
    "an exception of any kind will do",
    (("assertFailsWith<NumberFormatException>", "assertFailsWith<Throwable>"),),
    (MORE,),
)
KOTLIN.twin(
    suites.CONSTANT, "a constant is asserted", ((SAYS, "        total(1, 2)\n        assertTrue(true)\n"),), (MORE,)
)
KOTLIN.twin(suites.RETURNS, "a test returns first", ((SAYS, f"        if (true) return\n{SAYS}"),), (MORE,))
KOTLIN.twin(
    suites.SWALLOWED,
    "an error is caught",
    ((SAYS, f"        try {{\n    {SAYS}        }} catch (error: Throwable) {{\n        }}\n"),),
    (
        (
            SAYS,
            f'        try {{\n    {SAYS}        }} finally {{\n            System.clearProperty("shop")\n        }}\n',
        ),
    ),
)
KOTLIN.twin(
    suites.SWALLOWED,
    "an error is caught by runCatching",
    ((SAYS, "        runCatching { assertEquals(3, total(1, 2)) }\n"),),
    (MORE,),
)
KOTLIN.twin(
    suites.ROWS,
    "a row of CSV is dropped",
    (('"1, 1", "2, 2", "-3, -3"', '"1, 1", "2, 2"'),),
    (('"-3, -3"', '"-3, -3", "40, 40"'),),
)
KOTLIN.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (("    assertEquals(wanted, total(*prices))", "    println(wanted == total(*prices))"),),
    (("    assertEquals(wanted, total(*prices))", "    val made = total(*prices)\n    assertEquals(wanted, made)"),),
)
KOTLIN.twin(
    suites.NAMED_AWAY,
    "a test loses its annotation",
    ((FUN, FUN.replace("    @Test\n", "")),),
    (("fun totals() {", "fun sums() {"),),
)
