"""C#: its definitions and routes, tests, what skips them, what they assert, and what is suppressed."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from read_languages import Read, endpoints, read, stubs, symbols

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.test_paths import PATH_RULES
from verigate.sdk.languages.tree import parse, walk

CSHARP = LANGUAGES["csharp"]

SOURCE = """
namespace Shop;
public abstract class Price : IComparable {
  private int _sum;
  public int Auto { get; set; }
  public int Sum => _sum;
  public int Rounded { get { return _sum; } }
  public Price(int sum) { }
  public int Add(int more) => _sum + more;
  public int Add(string more) { return _sum; }
  public void Later() { throw new NotImplementedException(); }
  public int LaterToo() => throw new NotImplementedException();
  public void Nothing() { }
  public abstract int Count();
  public static Price operator +(Price a, Price b) => a;
  void Outer() { int Inner() { return 1; } Inner(); }
}
public interface ITaxed { float Tax(); }
public record Point(int X);
public struct Money { public int Cents() { return 1; } }
public enum Currency { Euro }
class Empty { }
class Gone : Exception { }
"""
XUNIT = """
using Xunit;
namespace Shop.Tests {
  public class PriceTests : IDisposable {
    public PriceTests() { _price = new Price(1); }
    [Fact]
    public void Adds() {
      Assert.Equal(2, _price.Add(1));
      Assert.Throws<ArgumentException>(() => _price.Add(null));
      _price.Sum.Should().Be(1);
      _price.Sum.ShouldBe(1);
      AssertTotal(2);
      _mock.Verify(m => m.Save());
    }
    [Theory]
    [InlineData("1")]
    public async Task Parses(string text) { await Assert.ThrowsAsync<FormatException>(() => Price.Parse(text)); }
    void AssertTotal(int sum) { Assert.Equal(sum, _price.Total()); }
    public void NoTest() { }
    class Inner { [Fact] public void Adds() => Assert.True(true); }
  }
  public class OtherTests {
    [Test, Category("x")] public void Nunit() { Assert.That(price, Is.EqualTo(1)); }
    [TestMethod] public void Mstest() { CollectionAssert.AreEqual(a, b); }
    [TestCase(1)] public void Cases(int n) { Assert.AreEqual(n, n + 0); }
  }
#if false
  public class Off { [Fact] public void Never() { Assert.Equal(1, price); } }
#endif
}
"""


def test_definitions() -> None:
    assert symbols(SOURCE, "src/Price.cs") == {
        "Price": "class",
        "Price.Sum": "method",
        "Price.Rounded": "method",
        "Price.Price": "method",
        "Price.Add": "method",
        "Price.Later": "method",
        "Price.LaterToo": "method",
        "Price.Nothing": "method",
        "Price.Count": "method",
        "Price.operator +": "method",
        "Price.Outer": "method",
        "Price.Outer.Inner": "function",
        "ITaxed": "class",
        "ITaxed.Tax": "method",
        "Point": "class",
        "Money": "class",
        "Money.Cents": "method",
        "Currency": "class",
        "Empty": "class",
        "Gone": "class",
    }
    assert stubs(SOURCE, "src/Price.cs") == {"Price.Later", "Price.LaterToo", "Price.Nothing", "Empty"}


CONTROLLER = """
[ApiController]
[Route("api/[controller]")]
public class PricesController : ControllerBase {
  [HttpGet("{id}")] public Price Get(int id) { return new Price(id); }
  [HttpPost] public Price Post(Price price) => price;
  [HttpDelete, Route("{id}")] public void Delete(int id) { _prices.Remove(id); }
  [HttpGet("/health")] public string Health() => "fine";
}
"""
MINIMAL = """
var app = builder.Build();
app.MapGet("/prices/{id}", (int id) => new Price(id));
var api = app.MapGroup("/api").RequireAuthorization();
api.MapPost("/prices", Create);
cache.Get("/key", 1);
"""


def test_routes() -> None:
    assert endpoints(CONTROLLER, "PricesController.cs") == {
        "GET /api/Prices/{id}",
        "POST /api/Prices",
        "DELETE /api/Prices/{id}",
        "GET /health",
    }
    assert endpoints(MINIMAL, "Program.cs") == {"GET /prices/{id}", "POST /api/prices"}


def test_test_methods() -> None:
    found = read(XUNIT, "Shop.Tests/PriceTests.cs")
    assert found.tests == {
        "Adds": 6,
        "Parses": 1,
        "Inner.Adds": 0,
        "OtherTests.Nunit": 1,
        "OtherTests.Mstest": 1,
        "OtherTests.Cases": 1,
    }
    assert found.vacuous == ["Assert.True(true)"]
    assert found.markers == []


@pytest.mark.parametrize(
    ("method", "conditional"),
    [
        ('[Fact(Skip = "later")] public void A() { }', False),
        ('[Theory(Skip = "later", DisplayName = "x")] public void A() { }', False),
        ('[Fact(Skip = "old", SkipUnless = nameof(IsNew))] public void A() { }', True),
        ('[Test, Ignore("later")] public void A() { }', False),
        ("[Test][Explicit] public void A() { }", False),
        ("[TestMethod][Ignore] public void A() { }", False),
        ('[TestCase(1, Ignore = "later")] public void A(int n) { }', False),
        ('[Test][Platform("Win")] public void A() { }', True),
        ('[Test] public void A() { Assert.Ignore("later"); }', False),
        ("[Test] public void A() { Assert.Inconclusive(); }", False),
        ("[Test] public void A() { Assert.Pass(); Check(); }", False),
        ("[Test] public void A() { Assume.That(false); }", False),
        ('[Test] public void A() { if (OperatingSystem.IsWindows()) Assert.Ignore("no"); }', True),
        ("[Fact] public void A() { Skip.If(OperatingSystem.IsLinux()); }", True),
    ],
)
def test_markers(method: str, conditional: bool) -> None:
    found = read(f"class PriceTests {{ {method} }}\n", "PriceTests.cs")
    assert [(each[0], each[2], each[3]) for each in found.markers] == [("skip", "A", conditional)]


def test_a_check_of_another_object_asserts_nothing() -> None:
    body = "validator.Validate(price); validator.CheckAll(); page.AssertTitle(1); CheckTotal<int>(2);"
    found = read(f"class PriceTests {{ [Fact] public void A() {{ {body} }} }}\n", "PriceTests.cs")
    assert found.real == ["page.AssertTitle(1)", "CheckTotal<int>(2)"]


def test_a_class_is_skipped() -> None:
    found = read('[Ignore("later")]\nclass PriceTests { [Test] public void A() { } }\n', "PriceTests.cs")
    assert [(each[0], each[2]) for each in found.markers] == [("skip", None)]


def test_no_markers() -> None:
    source = (
        "class PriceTests { [Fact(Skip = null)] void A() { list.Skip(1); Assume.That(ready); } [JsonIgnore] int B; }"
    )
    assert read(source, "PriceTests.cs").markers == []


ONE = "Assert.Equal(1, Price())"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return; Assert.Equal(1, Price());", Read()),
        ("if (false) { Assert.Equal(1, Price()); }", Read()),
        ("try { Assert.Equal(1, Price()); } catch { }", Read(swallowed=[ONE])),
        ("try { Assert.Equal(1, Price()); } catch (Exception) { }", Read(swallowed=[ONE])),
        ("try { Assert.Equal(1, Price()); } catch (Exception e) { Log(e); }", Read(swallowed=[ONE])),
        ("try { Assert.Equal(1, Price()); } catch (Exception) { throw; }", Read(real=[ONE])),
        ("try { Assert.Equal(1, Price()); } catch (FormatException) { }", Read(real=[ONE])),
        ("if (ready) Assert.Equal(1, Price());", Read(real=[ONE], held=[ONE])),
        ("if (!ready) return; Assert.Equal(1, Price());", Read(real=[ONE], held=[ONE])),
        ("if (OperatingSystem.IsLinux()) { Assert.Equal(1, Price()); }", Read(real=[ONE])),
    ],
)
def test_what_runs(body: str, wanted: Read) -> None:
    found = read(f"class PriceTests {{ [Fact] public void A() {{ {body} }} }}\n", "PriceTests.cs")
    assert (found.real, found.held, found.swallowed) == (wanted.real, wanted.held, wanted.swallowed)


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("src/UnitTests/Prices.cs", True),
        ("Shop.Tests/Helpers.cs", True),
        ("test/Shop/Price.cs", True),
        ("src/Shop/PriceTests.cs", True),
        ("src/Shop/Price.cs", False),
        ("src/Latest/Contest.cs", False),
        ("src/Attestation.cs", False),
    ],
)
def test_test_code(path: str, test: bool) -> None:
    assert PATH_RULES["csharp"].is_test_code(PurePosixPath(path)) is test


def test_detection() -> None:
    assert CSHARP.detection is not None
    for source in (
        'AppDomain.CurrentDomain.GetAssemblies().Any(a => a.FullName.StartsWith("xunit"))',
        'Process.GetCurrentProcess().ProcessName == "testhost"',
        'Type.GetType("Xunit.Assert, xunit.assert")',
    ):
        assert CSHARP.detection.search(source), source
    assert not CSHARP.detection.search("AppDomain.CurrentDomain.GetAssemblies().Select(a => a.FullName)")


SILENCED = """
#pragma warning disable 618, CA1062 // the old one is asked
#pragma warning restore CS0618
[SuppressMessage("Design", "CA1000:Do not", Justification = "by design")]
[ExcludeFromCodeCoverage]
class Price { }
"""


def test_suppressions() -> None:
    tree = parse(SILENCED.encode(), "csharp")
    found = [made for node in walk(tree.root) if (made := CSHARP.read_silencer(node)) is not None]
    assert [(made.rule, made.codes, made.reason.strip()) for made in found] == [
        ("csharp", ("CA1062", "CS0618"), "the old one is asked"),
        ("csharp", ("CA1000",), "by design"),
        ("coverage", (), ""),
    ]
