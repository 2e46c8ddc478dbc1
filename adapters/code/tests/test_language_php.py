"""PHP: its definitions and routes, tests, what skips them, what they assert, and what is suppressed."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from read_languages import Read, endpoints, read, stubs, symbols

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.silencers import read_comment
from code_adapter.integrity.languages.test_paths import PATH_RULES
from verigate.sdk.languages.tree import parse, walk

PHP = LANGUAGES["php"]

SOURCE = """<?php
namespace Shop;
use Countable;
abstract class Price implements Countable {
  public function __construct(private int $sum) {}
  public function add(int $more): int { return $this->sum + $more; }
  public static function parse(string $text) { throw new \\RuntimeException('Not implemented yet'); }
  public function later() { throw new NotImplementedException(); }
  public function nothing() { /* later */ }
  public function broken() { throw new \\LogicException('no sum'); }
  abstract public function count(): int;
}
interface Taxed { function tax(): float; }
trait Adds { function plus() { return 1; } }
enum Currency: string { case Euro = 'EUR'; function sign() { return 'E'; } }
class Empties {}
class Gone extends \\Exception {}
function total(array $prices) { return array_sum($prices); }
"""
PHPUNIT = """<?php
final class PriceTest extends TestCase {
  public function setUp(): void { $this->price = new Price(1); }
  public function testAdds(): void {
    $this->assertSame(2, $this->price->add(1));
    self::assertTrue($this->price->isOpen());
    static::assertEquals(1, $this->price->sum);
    $this->expectException(TypeError::class);
    $this->assertTotal(2);
    $this->mock->expects($this->once())->method('add');
  }
  #[Test]
  #[DataProvider('prices')]
  public function it_parses(string $text): void { Assert::assertNotNull(parse($text)); }
  /** @test */
  public function rounds(): void { $this->assertTrue(true); }
  public function testing(): void {}
  private function assertTotal(int $sum): void { $this->assertSame($sum, $this->price->total()); }
}
class OtherTest extends TestCase { function testAdds() { $this->fail('later'); } }
"""
PEST = """<?php
describe('Price', function () {
  it('adds', function () {
    expect(price()->add(1))->toBe(2)->and(1)->toBe(1);
  });
  test('parses', fn () => expect(parse('1'))->toEqual(1))->with(['1', '2']);
});
it('is taxed')->expect(fn () => tax())->toBe(0.2);
"""


def test_definitions() -> None:
    assert symbols(SOURCE, "src/Price.php") == {
        "Price": "class",
        "Price.__construct": "method",
        "Price.add": "method",
        "Price.parse": "method",
        "Price.later": "method",
        "Price.nothing": "method",
        "Price.broken": "method",
        "Price.count": "method",
        "Taxed": "class",
        "Taxed.tax": "method",
        "Adds": "class",
        "Adds.plus": "method",
        "Currency": "class",
        "Currency.sign": "method",
        "Empties": "class",
        "Gone": "class",
        "total": "function",
    }
    assert stubs(SOURCE, "src/Price.php") == {"Price.parse", "Price.later", "Price.nothing", "Empties"}


LARAVEL = """<?php
Route::get('/prices/{id}', [PriceController::class, 'show']);
Route::prefix('api')->middleware('auth')->group(function () {
  Route::post('prices', 'PriceController@store');
  Route::any('/old', OldController::class);
});
Cache::get('/key', 1);
"""
SLIM = """<?php
$app->get('/prices/{id}', function ($request, $response) { return $response; });
$app->group('/api', function ($group) {
  $group->delete('/prices', 'PriceController:delete');
});
$client->get('/elsewhere', []);
"""
SYMFONY = """<?php
#[Route('/api')]
class PriceController {
  #[Route('/prices/{id}', name: 'price', methods: ['GET'])]
  public function show(int $id): Response { return new Response($id); }
}
"""


def test_routes() -> None:
    assert endpoints(LARAVEL, "routes/web.php") == {"GET /prices/{id}", "POST /api/prices", "ANY /api/old"}
    assert endpoints(SLIM, "routes.php") == {"GET /prices/{id}", "DELETE /api/prices"}
    assert endpoints(SYMFONY, "src/PriceController.php") == {"GET /api/prices/{id}"}


def test_methods_of_phpunit() -> None:
    found = read(PHPUNIT, "tests/PriceTest.php")
    assert found.tests == {"testAdds": 6, "it_parses": 1, "rounds": 0, "OtherTest.testAdds": 1}
    assert found.real[:3] == [
        "assertSame(2, $this->price->add(1))",
        "assertTrue($this->price->isOpen())",
        "assertEquals(1, $this->price->sum)",
    ]
    assert found.vacuous == ["assertTrue(true)"]
    assert found.markers == []


def test_titles_of_pest() -> None:
    found = read(PEST, "tests/PriceTest.php")
    assert found.tests == {"Price > adds": 1, "Price > parses": 1, "is taxed": 1}


@pytest.mark.parametrize(
    ("method", "kind", "conditional"),
    [
        ("function testA() { $this->markTestSkipped('later'); }", "skip", False),
        ("function testA() { self::markTestIncomplete(); }", "skip", False),
        ("function testA() { if (PHP_VERSION_ID < 80000) { $this->markTestSkipped('old'); } }", "skip", True),
        ("function testA() { if (!extension_loaded('intl')) $this->markTestSkipped(); }", "skip", True),
        ("function testA() { if ($this->slow) { $this->markTestSkipped(); } }", "skip", False),
        ("#[RequiresPhp('>= 8.2')] function testA() {}", "skip", True),
        ("/** @requires extension intl */ function testA() {}", "skip", True),
    ],
)
def test_markers_of_phpunit(method: str, kind: str, conditional: bool) -> None:
    source = f"<?php\nclass PriceTest extends TestCase {{\n function testFirst() {{}}\n {method}\n}}\n"
    assert [(each[0], each[2], each[3]) for each in read(source, "PriceTest.php").markers] == [
        (kind, "testA", conditional)
    ]


@pytest.mark.parametrize(
    ("line", "kind", "conditional"),
    [
        ("it('adds', fn () => check())->skip();", "skip", False),
        ("it('adds', fn () => check())->skip('later');", "skip", False),
        ("it('adds', fn () => check())->skip(PHP_OS_FAMILY === 'Windows', 'no');", "skip", True),
        ("it('adds', fn () => check())->skipOnWindows();", "skip", True),
        ("it('adds', fn () => check())->todo();", "skip", False),
        ("describe('x', function () { it('adds', fn () => check()); })->skip();", "skip", False),
        ("it('adds', fn () => check())->only();", "focus", False),
    ],
)
def test_markers_of_pest(line: str, kind: str, conditional: bool) -> None:
    assert [(each[0], each[3]) for each in read(f"<?php\n{line}\n", "tests/PriceTest.php").markers] == [
        (kind, conditional)
    ]


def test_no_markers() -> None:
    source = "<?php\nit('adds', fn () => check())->skip(false);\n$list->skip(1);\n$query->only('id');\n"
    assert read(source, "tests/PriceTest.php").markers == []


ONE = "assertSame(1, price())"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return; $this->assertSame(1, price());", Read()),
        ("throw new E(); $this->assertSame(1, price());", Read()),
        ("if (false) { $this->assertSame(1, price()); }", Read()),
        ("try { $this->assertSame(1, price()); } catch (\\Throwable $e) { }", Read(swallowed=[ONE])),
        ("try { $this->assertSame(1, price()); } catch (\\Exception $e) { log($e); }", Read(swallowed=[ONE])),
        ("try { $this->assertSame(1, price()); } catch (DomainException $e) { }", Read(real=[ONE])),
        ("try { $this->assertSame(1, price()); } finally { return; }", Read(swallowed=[ONE])),
        ("if ($ready) { $this->assertSame(1, price()); }", Read(real=[ONE], held=[ONE])),
        ("if (!$ready) { return; } $this->assertSame(1, price());", Read(real=[ONE], held=[ONE])),
        ("if (PHP_VERSION_ID > 80000) { $this->assertSame(1, price()); }", Read(real=[ONE])),
        ("$ready && $this->assertSame(1, price());", Read(real=[ONE], held=[ONE])),
        ("while (false) { $this->assertSame(1, price()); }", Read()),
    ],
)
def test_what_runs(body: str, wanted: Read) -> None:
    found = read(f"<?php\nclass PriceTest {{ function testA() {{ {body} }} }}\n", "tests/PriceTest.php")
    assert (found.real, found.held, found.swallowed) == (wanted.real, wanted.held, wanted.swallowed)


@pytest.mark.parametrize(
    ("path", "collected"),
    [
        ("tests/Unit/PriceTest.php", True),
        ("src/PriceTest.php", True),
        ("tests/PriceTestCase.php", True),
        ("tests/Pest.php", False),
        ("tests/prices.php", False),
        ("src/Price.php", False),
        ("src/Contest.php", False),
    ],
)
def test_collected_files(path: str, collected: bool) -> None:
    assert PATH_RULES["php"].is_collected(PurePosixPath(path), ()) is collected


def test_detection() -> None:
    assert PHP.detection is not None
    for source in ("if (defined('PHPUNIT_COMPOSER_INSTALL')) {", "class_exists('PHPUnit\\\\Framework\\\\TestCase')"):
        assert PHP.detection.search(source), source
    for source in ("getenv('APP_ENV') === 'testing'", "defined('ABSPATH')", "class_exists(Price::class)"):
        assert not PHP.detection.search(source), source


@pytest.mark.parametrize(
    ("comment", "rule", "codes"),
    [
        ("// phpcs:ignore Squiz.Arrays.Foo", "phpcs", ("Squiz.Arrays.Foo",)),
        ("// phpcs:disable", "phpcs", ()),
        ("/** @phpstan-ignore-next-line */", "phpstan", ()),
        ("// @phpstan-ignore argument.type (why)", "phpstan", ("argument.type",)),
        ("/** @psalm-suppress MixedAssignment */", "psalm", ("MixedAssignment",)),
        ("// @codeCoverageIgnoreStart", "coverage", ()),
    ],
)
def test_suppressions(comment: str, rule: str, codes: tuple[str, ...]) -> None:
    assert [(each.rule, each.codes) for each in read_comment(comment, PHP.foreign_silencers)] == [(rule, codes)]


def test_suppressing_attributes() -> None:
    tree = parse(b"<?php\n#[CodeCoverageIgnore]\nclass A {}\n", "php")
    assert [each.rule for node in walk(tree.root) if (each := PHP.read_silencer(node))] == ["coverage"]
