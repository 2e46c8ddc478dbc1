"""code:tests and the cells of C#, by a stand-in for dotnet: the SDK isn't to be had on these machines."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import dotnet_stand_in
import pytest
from code_repo import make_repo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from code_repo import CodeRepo

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.8.0" />
    <PackageReference Include="xunit" Version="2.6.2" />
    <ProjectReference Include="../Shop/Shop.csproj" />
  </ItemGroup>
</Project>
"""
CART = """namespace Shop;

public static class Cart
{
    public static int Total(int a, int b) => a + b;
    public static int Half(int n) => n / 2;
}
"""
TEST = """using Shop;
using Xunit;

namespace Shop.Tests;

public class CartTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, Cart.Total(1, 2));
    }

    [Fact]
    public void Halves()
    {
        Assert.Equal(2, Cart.Half(4));
    }
}
"""
PATH = "Shop.Tests/CartTests.cs"
FILES = {
    "Shop/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk" />\n',
    "Shop/Cart.cs": CART,
    "Shop.Tests/Shop.Tests.csproj": PROJECT,
    PATH: TEST,
    ".gitignore": "bin/\nobj/\n",
}
BROKEN = CART.replace("a + b", "a + b + 1")


@pytest.fixture
def programs(tmp_path: Path) -> str:
    """A PATH with the stand-in."""
    place = tmp_path / "bin/dotnet"
    place.parent.mkdir()
    source = f"#!{sys.executable}\nimport runpy, sys\nsys.argv[0] = 'dotnet'\n"
    place.write_text(f"{source}runpy.run_path({dotnet_stand_in.__file__!r}, run_name='__main__')\n")
    place.chmod(0o755)
    return f"{place.parent}{os.pathsep}{os.environ['PATH']}"


def change(folder: Path, head: Mapping[str, str | None]) -> CodeRepo:
    repo = make_repo(folder, FILES)
    repo.write({path: text for path, text in head.items() if text is not None})
    for path, text in head.items():
        if text is None:
            (repo.root / path).unlink()
    return repo


def compare(folder: Path, head: Mapping[str, str | None], programs: str) -> dict[str, Any]:
    repo = change(folder, head)
    answer = repo.run("code:counterfactual", gated=True, config={"runs": 1}, PATH=programs)
    found: dict[str, Any] = answer.json("counterfactual.json")
    assert found["unexamined"] == []
    return found


def cells(found: dict[str, Any]) -> dict[str, str]:
    return {test["test"]: "".join(test["cells"][cell] for cell in ("BB", "HB", "BH", "HH")) for test in found["tests"]}


def test_outcomes_of_a_test_project(tmp_path: Path, programs: str) -> None:
    more = (
        TEST.replace("CartTests", "MoreTests")
        .replace("Equal(3", "Equal(4")
        .replace("[Fact]\n    public void Halves", '[Fact(Skip = "later")]\n    public void Halves')
    )
    found = (
        change(tmp_path / "a", {"Shop.Tests/MoreTests.cs": more}).run("code:tests", PATH=programs).json("tests.json")
    )
    assert (found["tool"], found["passed"], found["failed"], found["skipped"]) == ("dotnet test", 2, 1, 1)
    assert found["unexamined"] == []
    failure = found["failures"][0]
    assert (failure["id"], failure["path"], failure["line"]) == (
        "Shop.Tests.MoreTests.Adds",
        "Shop.Tests/MoreTests.cs",
        11,
    )
    assert "Expected: 4" in failure["message"]


def test_what_does_not_compile_is_a_failed_test(tmp_path: Path, programs: str) -> None:
    repo = change(tmp_path / "a", {"Shop/Cart.cs": CART.replace("Half", "Halve")})
    found = repo.run("code:tests", PATH=programs).json("tests.json")
    assert (found["failed"], found["total"]) == (1, 1)
    failure = found["failures"][0]
    assert (failure["id"], failure["path"], failure["line"]) == ("dotnet build", PATH, 17)
    assert "'Cart' does not contain a definition for 'Half'" in failure["message"]


def test_cells_of_a_weakened_a_skipped_and_a_deleted_test(tmp_path: Path, programs: str) -> None:
    weak = TEST.replace("Assert.Equal(3, Cart.Total(1, 2))", "Assert.True(Cart.Total(1, 2) > 2)")
    found = compare(tmp_path / "a", {"Shop/Cart.cs": BROKEN, PATH: weak}, programs)
    assert cells(found) == {"Adds": "PFPP", "Halves": "PPPP"}
    assert {entry["outcome"] for entry in found["control"]} == {"F"}
    skipped = TEST.replace("[Fact]", '[Fact(Skip = "later")]', 1)
    assert cells(compare(tmp_path / "b", {"Shop/Cart.cs": BROKEN, PATH: skipped}, programs))["Adds"] == "PFNN"
    found = compare(tmp_path / "c", {"Shop/Cart.cs": BROKEN, PATH: None}, programs)
    assert cells(found) == {"Adds": "PFNN", "Halves": "PPNN"}


def test_a_renamed_test_is_the_same_and_a_mend_is_proven(tmp_path: Path, programs: str) -> None:
    found = compare(tmp_path / "a", {PATH: TEST.replace("Adds", "AddsTwoPrices")}, programs)
    assert cells(found) == {"AddsTwoPrices": "PPPP", "Halves": "PPPP"}
    more = CART.replace("n / 2", "n / 2 + n % 2")
    head = {"Shop/Cart.cs": more, PATH: TEST.replace("Equal(2, Cart.Half(4))", "Equal(3, Cart.Half(5))")}
    assert cells(compare(tmp_path / "b", head, programs)) == {"Adds": "PPPP", "Halves": "PPFP"}


def test_a_form_that_does_not_compile_says_nothing(tmp_path: Path, programs: str) -> None:
    split = CART.replace("Half(int n) => n / 2", "Split(int n, int parts) => n / parts")
    head = {"Shop/Cart.cs": split, PATH: TEST.replace("Cart.Half(4)", "Cart.Split(4, 2)")}
    found = compare(tmp_path / "a", head, programs)
    assert cells(found) == {"Adds": "PXXP", "Halves": "PXXP"}
    assert {each["class"] for each in found["tests"]} == {"not_comparable"}


def test_a_renamed_method_is_called_by_its_new_name(tmp_path: Path, programs: str) -> None:
    head = {"Shop/Cart.cs": CART.replace("Half", "Halve"), PATH: TEST.replace("Cart.Half", "Cart.Halve")}
    found = compare(tmp_path / "a", head, programs)
    assert cells(found) == {"Adds": "PPPP", "Halves": "PPPP"}
    assert found["renamed"] == [{"from": "Half", "to": "Halve"}]


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("/r/Shop.Tests.csproj : error NU1101: Unable to find package xunit. No packages exist with this id", "xunit"),
        ("The command could not be loaded, possibly because:\n  * No .NET SDKs were found.\n", "no SDK of .NET"),
        ("MSBUILD : error MSB1009: Project file does not exist.", "left no report"),
    ],
)
def test_what_a_machine_lacks_is_named(printed: str, said: str, tmp_path: Path) -> None:
    place = tmp_path / "bin/dotnet"
    place.parent.mkdir()
    place.write_text(f"#!/bin/sh\ncat <<'END'\n{printed}\nEND\nexit 1\n")
    place.chmod(0o755)
    answer = change(tmp_path / "a", {}).run("code:tests", PATH=f"{place.parent}{os.pathsep}{os.environ['PATH']}")
    assert answer.exit_code == 1
    assert said in answer.stderr


def test_without_dotnet_its_tests_are_unexamined(tmp_path: Path) -> None:
    repo = change(tmp_path, {PATH: TEST.replace("Adds", "AddsTwo")})
    found = repo.run("code:tests", gated=True).json("tests.json")
    assert [(each["what"], "dotnet is not installed" in each["why"]) for each in found["unexamined"]] == [
        ("dotnet test", True)
    ]
    found = repo.run("code:counterfactual", gated=True).json("counterfactual.json")
    assert [each["path"] for each in found["unexamined"]] == [PATH]
