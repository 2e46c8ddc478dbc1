"""Kotlin: its definitions and routes, tests, what skips them, what they assert, and what is suppressed."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from read_languages import Read, endpoints, read, stubs, symbols

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.test_paths import PATH_RULES
from verigate.sdk.languages.tree import parse, walk

KOTLIN = LANGUAGES["kotlin"]

SOURCE = """
package shop

abstract class Price(val sum: Int) : Comparable<Price> {
  constructor() : this(1)
  val rounded: Int
    get() = sum
  fun add(more: Int): Int = sum + more
  fun `takes away`(less: Int): Int {
    return sum - less
  }
  fun later(): Int = TODO()
  fun laterToo(): Int {
    TODO("not yet")
  }
  fun never() {
    throw NotImplementedError()
  }
  fun nothing() {
  }
  abstract fun count(): Int
  companion object {
    fun parse(text: String): Price = Price(text.toInt())
  }
}
interface Taxed {
  fun tax(): Float
}
object Prices {
  fun all() = listOf<Price>()
}
enum class Currency { EURO }
data class Point(val x: Int)
class Empty
fun List<Price>.total(): Int = sumOf { it.sum }
"""
JUNIT = """
class PriceTest {
  @Test
  fun `adds two`() {
    assertEquals(2, price.add(1))
    price.sum shouldBe 1
    price.sum.shouldBe(1)
    assertFailsWith<IllegalArgumentException> { price.add(-1) }
    assertThat(price.sum).isEqualTo(1)
    assertTotal(2)
    verify { store.save(price) }
  }
  @Test fun isOpen() = assertTrue(price.isOpen)
  @Test
  fun itself() {
    assertTrue(true)
  }
  fun assertTotal(sum: Int) {
    assertEquals(sum, price.total())
  }
  @Nested
  inner class Parsing {
    @ParameterizedTest
    fun parses(text: String) {
      assertNotNull(Price.parse(text))
    }
  }
}
"""
KOTEST = """
class PriceSpec : FunSpec({
  test("adds") {
    price.add(1) shouldBe 2
  }
  context("parsing") {
    test("parses").config(timeout = 1.seconds) {
      shouldThrow<NumberFormatException> { Price.parse("x") }
    }
  }
})
class OtherSpec : StringSpec({
  "is open" {
    price.isOpen.shouldBeTrue()
  }
})
class FreePrices : FreeSpec({
  "a price" - {
    "adds" {
      1 + 1 shouldBe price
    }
  }
})
"""


def test_definitions() -> None:
    assert symbols(SOURCE, "src/main/kotlin/Price.kt") == {
        "Price": "class",
        "Price.constructor": "method",
        "Price.rounded": "method",
        "Price.add": "method",
        "Price.takes away": "method",
        "Price.later": "method",
        "Price.laterToo": "method",
        "Price.never": "method",
        "Price.nothing": "method",
        "Price.count": "method",
        "Price.parse": "method",
        "Taxed": "class",
        "Taxed.tax": "method",
        "Prices": "class",
        "Prices.all": "method",
        "Currency": "class",
        "Point": "class",
        "Empty": "class",
        "total": "function",
    }
    assert stubs(SOURCE, "Price.kt") == {"Price.later", "Price.laterToo", "Price.never", "Price.nothing", "Empty"}


KTOR = """
fun Application.module() {
  routing {
    get("/prices/{id}") {
      call.respond(price)
    }
    route("/api") {
      post("/prices") { create() }
      delete { clear() }
    }
  }
}
"""
SPRING = """
@RestController
@RequestMapping("/api")
class PriceController {
  @GetMapping("/prices/{id}")
  fun show(@PathVariable id: Int): Price = Price(id)
}
"""


def test_routes() -> None:
    assert endpoints(KTOR, "Module.kt") == {"GET /prices/{id}", "POST /api/prices", "DELETE /api"}
    assert endpoints(SPRING, "PriceController.kt") == {"GET /api/prices/{id}"}


def test_annotated_tests() -> None:
    found = read(JUNIT, "src/test/kotlin/PriceTest.kt")
    assert found.tests == {"adds two": 7, "isOpen": 1, "itself": 0, "Parsing.parses": 1}
    assert found.vacuous == ["assertTrue(true)"]
    assert found.markers == []


def test_titles_of_kotest() -> None:
    found = read(KOTEST, "src/test/kotlin/PriceSpec.kt")
    assert found.tests == {
        "adds": 1,
        "parsing > parses": 1,
        "OtherSpec.is open": 1,
        "FreePrices.a price > adds": 1,
    }


@pytest.mark.parametrize(
    ("method", "conditional"),
    [
        ('@Test @Disabled("later") fun a() { check() }', False),
        ("@Test\n@Ignore\nfun a() { check() }", False),
        ("@Test @DisabledOnOs(OS.WINDOWS) fun a() { check() }", True),
        ("@Test fun a() { assumeTrue(false) }", False),
    ],
)
def test_markers(method: str, conditional: bool) -> None:
    found = read(f"class PriceTest {{\n  {method}\n}}\n", "PriceTest.kt")
    assert [(each[0], each[2], each[3]) for each in found.markers] == [("skip", "a", conditional)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('xtest("adds") { check() }', "skip"),
        ('test("!adds") { check() }', "skip"),
        ('test("adds").config(enabled = false) { check() }', "skip"),
        ('xcontext("later") {\n    test("adds") { check() }\n  }', "skip"),
        ('test("f:adds") { check() }', "focus"),
    ],
)
def test_markers_of_kotest(line: str, kind: str) -> None:
    found = read(f"class PriceSpec : FunSpec({{\n  {line}\n}})\n", "PriceSpec.kt")
    assert [each[0] for each in found.markers] == [kind]


def test_no_markers() -> None:
    source = (
        'class PriceTest {\n  @Test fun a() {\n    assumeTrue(ready)\n    list.ignore("x")\n    "!a".run { }\n  }\n}\n'
    )
    assert read(source, "PriceTest.kt").markers == []


ONE = "assertEquals(1, price())"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return\nassertEquals(1, price())", Read()),
        ("if (false) {\nassertEquals(1, price())\n}", Read()),
        ("try {\nassertEquals(1, price())\n} catch (e: Throwable) {\n}", Read(swallowed=[ONE])),
        ("try {\nassertEquals(1, price())\n} catch (e: AssertionError) {\nlog(e)\n}", Read(swallowed=[ONE])),
        ("try {\nassertEquals(1, price())\n} catch (e: Exception) {\nthrow e\n}", Read(real=[ONE])),
        ("if (ready) {\nassertEquals(1, price())\n}", Read(real=[ONE], held=[ONE])),
        ("if (!ready) return\nassertEquals(1, price())", Read(real=[ONE], held=[ONE])),
        ("if (isWindows) {\nassertEquals(1, price())\n}", Read(real=[ONE])),
        ('assertTrue("elapsed", elapsed < 10)', Read(real=['assertTrue("elapsed", elapsed < 10)'])),
    ],
)
def test_what_runs(body: str, wanted: Read) -> None:
    found = read(f"class PriceTest {{\n@Test\nfun a() {{\n{body}\n}}\n}}\n", "PriceTest.kt")
    assert (found.real, found.held, found.swallowed) == (wanted.real, wanted.held, wanted.swallowed)


def test_a_group_is_what_it_holds() -> None:
    body = (
        "assertSoftly {\n  price.sum shouldBe 1\n  price.total shouldBe 2\n}\nassertAll({ assertEquals(1, price()) })"
    )
    found = read(f"class PriceTest {{\n@Test\nfun a() {{\n{body}\n}}\n}}\n", "PriceTest.kt")
    assert found.real == ["price.sum shouldBe 1", "price.total shouldBe 2", ONE]


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("src/test/kotlin/Price.kt", True),
        ("shared/src/commonTest/kotlin/Price.kt", True),
        ("src/main/kotlin/PriceTest.kt", True),
        ("src/main/kotlin/Price.kt", False),
        ("src/main/kotlin/Contest.kt", False),
        ("test/build.gradle.kts", False),
    ],
)
def test_test_code(path: str, test: bool) -> None:
    assert PATH_RULES["kotlin"].is_test_code(PurePosixPath(path)) is test


def test_detection() -> None:
    assert KOTLIN.detection is not None
    assert KOTLIN.detection.search('Class.forName("org.junit.jupiter.api.Test")')
    assert not KOTLIN.detection.search('Class.forName("org.h2.Driver")')


def test_suppressions() -> None:
    tree = parse(b'@file:Suppress("unused")\n\n@Suppress("UNCHECKED_CAST", "MagicNumber")\nval a = 1\n', "kotlin")
    found = [made for node in walk(tree.root) if (made := KOTLIN.read_silencer(node)) is not None]
    assert [(made.rule, made.codes) for made in found] == [
        ("kotlin", ("unused",)),
        ("kotlin", ("MagicNumber", "UNCHECKED_CAST")),
    ]
