"""Ruby, PHP, C# and Kotlin with real git: what a change takes from the tests is found, what is honest is not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from change_repository import Content, change_repository


@dataclass(frozen=True)
class Sample:
    """A test file with two tests, and what a change may do to one of them; a source, and what is added to it."""

    path: str
    text: str
    second: str
    renamed: tuple[str, str]
    skipped: tuple[str, str]
    assertion: str
    another: tuple[str, str]
    swallowed: tuple[str, str]
    source: str
    code: str
    added: str
    functions: dict[str, bool]


SECOND_RUBY = """
  it "parses" do
    expect(Price.parse("1").sum).to eq(1)
  end
"""
RUBY = Sample(
    path="spec/price_spec.rb",
    text=f"""RSpec.describe Price do
  it "adds" do
    price = Price.new(1)
    expect(price.add(1)).to eq(2)
    expect(price.sum).to eq(1)
  end
{SECOND_RUBY}end
""",
    second=SECOND_RUBY,
    renamed=('it "adds" do', 'it "adds up" do'),
    skipped=('it "adds" do', 'xit "adds" do'),
    assertion="    expect(price.sum).to eq(1)\n",
    another=(SECOND_RUBY, f'{SECOND_RUBY}  it "rounds" do\n    expect(Price.round(1.5)).to eq(2)\n  end\n'),
    swallowed=(
        "    expect(price.add(1)).to eq(2)\n",
        "    begin\n      expect(price.add(1)).to eq(2)\n    rescue Exception\n    end\n",
    ),
    source="lib/price.rb",
    code="class Price\n  def add(more)\n    @sum + more\n  end\nend\n",
    added="class Price\n  def add(more)\n    @sum + more\n  end\n\n  def round\n    @sum.round\n  end\n\n"
    "  def later\n    raise NotImplementedError\n  end\nend\n",
    functions={"Price.round": False, "Price.later": True},
)
SECOND_PHP = """
  public function testParses(): void {
    $this->assertSame(1, Price::parse('1')->sum);
  }
"""
PHP = Sample(
    path="tests/PriceTest.php",
    text=f"""<?php
final class PriceTest extends TestCase {{
  public function testAdds(): void {{
    $price = new Price(1);
    $this->assertSame(2, $price->add(1));
    $this->assertSame(1, $price->sum);
  }}
{SECOND_PHP}}}
""",
    second=SECOND_PHP,
    renamed=("testAdds", "testAddsUp"),
    skipped=("    $price = new Price(1);\n", "    $this->markTestSkipped('later');\n    $price = new Price(1);\n"),
    assertion="    $this->assertSame(1, $price->sum);\n",
    another=(
        SECOND_PHP,
        f"{SECOND_PHP}  public function testRounds(): void {{\n    self::assertSame(2, Price::round(1.5));\n  }}\n",
    ),
    swallowed=(
        "    $this->assertSame(2, $price->add(1));\n",
        "    try {\n      $this->assertSame(2, $price->add(1));\n    } catch (\\Throwable $e) {\n    }\n",
    ),
    source="src/Price.php",
    code="<?php\nclass Price {\n  function add($more) { return $this->sum + $more; }\n}\n",
    added="<?php\nclass Price {\n  function add($more) { return $this->sum + $more; }\n"
    "  function round() { return round($this->sum); }\n"
    "  function later() { throw new NotImplementedException(); }\n}\n",
    functions={"Price.round": False, "Price.later": True},
)
SECOND_CSHARP = """
  [Fact]
  public void Parses() {
    Assert.Equal(1, Price.Parse("1").Sum);
  }
"""
CSHARP = Sample(
    path="Shop.Tests/PriceTests.cs",
    text=f"""using Xunit;
public class PriceTests {{
  [Fact]
  public void Adds() {{
    var price = new Price(1);
    Assert.Equal(2, price.Add(1));
    price.Sum.Should().Be(1);
  }}
{SECOND_CSHARP}}}
""",
    second=SECOND_CSHARP,
    renamed=("void Adds()", "void AddsUp()"),
    skipped=("[Fact]\n  public void Adds", '[Fact(Skip = "later")]\n  public void Adds'),
    assertion="    price.Sum.Should().Be(1);\n",
    another=(
        SECOND_CSHARP,
        f"{SECOND_CSHARP}  [Fact]\n  public void Rounds() {{\n    Assert.Equal(2, Price.Round(1));\n  }}\n",
    ),
    swallowed=(
        "    Assert.Equal(2, price.Add(1));\n",
        "    try {\n      Assert.Equal(2, price.Add(1));\n    } catch (Exception) {\n    }\n",
    ),
    source="Shop/Price.cs",
    code="public class Price {\n  public int Add(int more) => Sum + more;\n}\n",
    added="public class Price {\n  public int Add(int more) => Sum + more;\n  public int Round() { return Sum; }\n"
    "  public int Later() => throw new NotImplementedException();\n}\n",
    functions={"Price.Round": False, "Price.Later": True},
)
SECOND_KOTLIN = """
  @Test
  fun parses() {
    assertEquals(1, Price.parse("1").sum)
  }
"""
KOTLIN = Sample(
    path="src/test/kotlin/PriceTest.kt",
    text=f"""class PriceTest {{
  @Test
  fun adds() {{
    val price = Price(1)
    assertEquals(2, price.add(1))
    price.sum shouldBe 1
  }}
{SECOND_KOTLIN}}}
""",
    second=SECOND_KOTLIN,
    renamed=("fun adds()", "fun `adds up`()"),
    skipped=("@Test\n  fun adds", '@Test\n  @Disabled("later")\n  fun adds'),
    assertion="    price.sum shouldBe 1\n",
    another=(
        SECOND_KOTLIN,
        f"{SECOND_KOTLIN}  @Test\n  fun rounds() {{\n    assertEquals(2, Price.round(1.5))\n  }}\n",
    ),
    swallowed=(
        "    assertEquals(2, price.add(1))\n",
        "    try {\n      assertEquals(2, price.add(1))\n    } catch (e: Throwable) {\n    }\n",
    ),
    source="src/main/kotlin/Price.kt",
    code="class Price(val sum: Int) {\n  fun add(more: Int) = sum + more\n}\n",
    added="class Price(val sum: Int) {\n  fun add(more: Int) = sum + more\n\n"
    "  fun round(): Int {\n    return sum\n  }\n\n"
    "  fun later(): Int = TODO()\n}\n",
    functions={"Price.round": False, "Price.later": True},
)
SAMPLES = {"ruby": RUBY, "php": PHP, "csharp": CSHARP, "kotlin": KOTLIN}


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    return SAMPLES[request.param]


def change(sample: Sample, old: str, new: str) -> dict[str, Content]:
    assert sample.text.count(old) == 1, old
    return {sample.path: sample.text.replace(old, new)}


def find_weakenings(tmp_path: Path, sample: Sample, after: dict[str, Content]) -> set[str]:
    before: dict[str, Content] = {sample.path: sample.text, sample.source: sample.code}
    outcome = change_repository(tmp_path / "repo", before, after).run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    value: dict[str, Any] = outcome.json("integrity.json")
    assert value["files_examined"] == value["total"]
    return {finding["kind"] for finding in value["findings"] if finding["weight"] != "note"}


def test_a_removed_test_is_found(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, change(sample, sample.second, "")) == {"test_removed"}


def test_a_removed_file_is_found(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, {sample.path: None}) == {"test_removed"}


def test_a_skipped_test_is_found(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, change(sample, *sample.skipped)) == {"test_skipped"}


def test_a_removed_assertion_is_found(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, change(sample, sample.assertion, "")) == {"assertion_removed"}


def test_a_dropped_failure_is_found(tmp_path: Path, sample: Sample) -> None:
    assert "assertion_swallowed" in find_weakenings(tmp_path, sample, change(sample, *sample.swallowed))


def test_another_name_is_none(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, change(sample, *sample.renamed)) == set()


def test_another_test_is_none(tmp_path: Path, sample: Sample) -> None:
    assert find_weakenings(tmp_path, sample, change(sample, *sample.another)) == set()


def test_another_place_is_none(tmp_path: Path, sample: Sample) -> None:
    folder, _, name = sample.path.rpartition("/")
    after: dict[str, Content] = {sample.path: None, f"{folder}/moved/{name}": sample.text}
    assert find_weakenings(tmp_path, sample, after) == set()


def test_functions_and_stubs_are_listed(tmp_path: Path, sample: Sample) -> None:
    before: dict[str, Content] = {sample.source: sample.code}
    outcome = change_repository(tmp_path / "repo", before, {sample.source: sample.added}).run(
        "code:functions", tmp_path / "T"
    )
    assert outcome.exit_code == 0, outcome.stderr
    value = outcome.json("functions.json")
    assert {each["qualified"]: each["stub"] for each in value["functions"]["added"]} == sample.functions
    assert value["files_failed"] == []


@pytest.mark.parametrize(
    ("sample", "after"),
    [
        (RUBY, {RUBY.path: None, "spec/price.rb": RUBY.text}),
        (PHP, {PHP.path: None, "tests/Prices.php": PHP.text}),
        (PHP, change(PHP, "testParses", "parses")),
        (CSHARP, change(CSHARP, "[Fact]\n  public void Parses", "public void Parses")),
        (CSHARP, change(CSHARP, CSHARP.second, f"#if false{CSHARP.second}#endif\n")),
        (KOTLIN, change(KOTLIN, "@Test\n  fun parses", "fun parses")),
    ],
    ids=["ruby-file", "php-file", "php-name", "csharp-attribute", "csharp-if-false", "kotlin-annotation"],
)
def test_a_test_that_no_runner_finds_is_lost(tmp_path: Path, sample: Sample, after: dict[str, Content]) -> None:
    assert "test_removed" in find_weakenings(tmp_path, sample, after)
