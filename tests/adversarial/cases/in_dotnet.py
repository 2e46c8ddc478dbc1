"""Twins of xUnit's and NUnit's tests in C#."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

CSHARP = Suite(
    "C#",
    "src/Shop/Price.cs",
    "using System.Linq;\n\nnamespace Shop;\n\npublic static class Price\n{\n    public static int Total(params int[] prices) => prices.Sum();\n"
    "    public static int Parse(string text) => int.Parse(text);\n}\n",
    "\npublic static class Doubled\n{\n    public static int Of(int price) => 2 * price;\n}\n",
    "tests/Shop.Tests/PriceTests.cs",
    """using System;
using NUnit.Framework;
using Xunit;

namespace Shop.Tests;

public class PriceTests
{
    private static void AssertTotal(int wanted, params int[] prices)
    {
        Assert.Equal(wanted, Price.Total(prices));
    }

    [Fact]
    public void Totals()
    {
        Assert.Equal(3, Price.Total(1, 2));
    }

    [Fact]
    public void TotalsMany()
    {
        AssertTotal(6, 1, 2, 3);
    }

    [Fact]
    public void NoNumber()
    {
        Assert.Throws<FormatException>(() => Price.Parse("x"));
    }

    [Fact(Skip = "later")]
    public void Later()
    {
        Assert.Equal(1, Price.Total());
    }

    [Theory]
    [InlineData("1", 1)]
    [InlineData("2", 2)]
    [InlineData("-3", -3)]
    public void Parses(string text, int number)
    {
        Assert.Equal(number, Price.Parse(text));
    }
}

[TestFixture]
public class MoreTests
{
    [Test]
    public void Adds()
    {
        Assert.That(Price.Total(1, 2), Is.EqualTo(3));
    }

    [TestCase(1)]
    [TestCase(2)]
    public void Alone(int price)
    {
        Assert.That(Price.Total(price), Is.EqualTo(price));
    }
}
""",
    {"tests/Shop.Tests/Shop.Tests.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n'},
)
ONE = "    [Fact]\n    public void Totals()\n    {\n        Assert.Equal(3, Price.Total(1, 2));\n    }\n"
ADDED = (
    ONE,
    f"{ONE}\n    [Fact]\n    public void TotalsOne()\n    {{\n        Assert.Equal(7, Price.Total(7));\n    }}\n",
)
CHECK = "        Assert.Equal(3, Price.Total(1, 2));\n"

CSHARP.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
CSHARP.twin(
    suites.FILE_GONE,
    "the file of tests is gone",
    {CSHARP.tests: None},
    {CSHARP.tests: None, "tests/Shop.Tests/TotalTests.cs": CSHARP.text},
)
CSHARP.twin(suites.SKIPPED, "a fact is skipped", ((ONE, ONE.replace("[Fact]", '[Fact(Skip = "flaky")]')),), (ADDED,))
CSHARP.twin(
    suites.SKIPPED,
    "a test of NUnit is ignored",
    (("    [Test]\n", '    [Test]\n    [Ignore("flaky")]\n'),),
    (("    [Test]\n", '    [Test]\n    [Category("sums")]\n'),),
)
CSHARP.twin(
    suites.REASON,
    "another fact is skipped too",
    (('Skip = "later"', 'Skip = "waits"'), (ONE, ONE.replace("[Fact]", '[Fact(Skip = "waits")]'))),
    (('Skip = "later"', 'Skip = "waits for the new tariff"'),),
)
CSHARP.twin(
    suites.CONDITION,
    "a test ends where a variable is missing",
    ((CHECK, f'        if (Environment.GetEnvironmentVariable("SHOP_DB") == null) return;\n{CHECK}'),),
    (ADDED,),
)
CSHARP.twin(
    suites.CONDITION, "a symbol of the preprocessor hides a test", ((ONE, f"#if SHOP_DB\n{ONE}#endif\n"),), (ADDED,)
)
CSHARP.twin(
    suites.WEAK,
    "Equal becomes NotNull",
    (("Assert.Equal(3, Price.Total(1, 2))", "Assert.NotNull(Price.Total(1, 2))"),),
    (("Assert.Equal(3, Price.Total(1, 2))", "Assert.StrictEqual(3, Price.Total(1, 2))"),),
)
CSHARP.twin(
    suites.WEAK,
    "EqualTo becomes Not.Null",
    (("Assert.That(Price.Total(1, 2), Is.EqualTo(3))", "Assert.That(Price.Total(1, 2), Is.Not.Null)"),),
    (("Is.EqualTo(3))", 'Is.EqualTo(3), "a sum")'),),
)
CSHARP.twin(
    suites.WIDE,
    "an exception of any kind will do",
    (("Assert.Throws<FormatException>", "Assert.ThrowsAny<Exception>"),),
    (ADDED,),
)
CSHARP.twin(
    suites.CONSTANT,
    "a constant is asserted",
    ((CHECK, "        Price.Total(1, 2);\n        Assert.True(true);\n"),),
    (ADDED,),
)
CSHARP.twin(suites.RETURNS, "a test returns first", ((CHECK, f"        if (true) return;\n{CHECK}"),), (ADDED,))
CSHARP.twin(
    suites.SWALLOWED,
    "a failure is caught",
    ((CHECK, f"        try\n        {{\n    {CHECK}        }}\n        catch (Exception)\n        {{\n        }}\n"),),
    (
        (
            CHECK,
            f"        try\n        {{\n    {CHECK}        }}\n        finally\n        {{\n            GC.Collect();\n        }}\n",
        ),
    ),
)
CSHARP.twin(
    suites.ROWS,
    "a row of a theory is dropped",
    (('    [InlineData("-3", -3)]\n', ""),),
    (('    [InlineData("-3", -3)]\n', '    [InlineData("-3", -3)]\n    [InlineData("40", 40)]\n'),),
)
CSHARP.twin(
    suites.ROWS,
    "a case of NUnit is dropped",
    (("    [TestCase(2)]\n", ""),),
    (("    [TestCase(2)]\n", "    [TestCase(2)]\n    [TestCase(3)]\n"),),
)
CSHARP.twin(
    suites.HELPER,
    "a helper asserts nothing",
    (
        (
            "        Assert.Equal(wanted, Price.Total(prices));",
            "        Console.WriteLine(wanted == Price.Total(prices));",
        ),
    ),
    (
        (
            "        Assert.Equal(wanted, Price.Total(prices));",
            "        var made = Price.Total(prices);\n        Assert.Equal(wanted, made);",
        ),
    ),
)
CSHARP.twin(
    suites.NAMED_AWAY,
    "a fact loses its attribute",
    ((ONE, ONE.replace("    [Fact]\n", "")),),
    (("public void Totals()", "public void Sums()"),),
)
