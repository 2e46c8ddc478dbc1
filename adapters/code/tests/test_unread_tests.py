"""Test files in languages that nothing here reads: by name, by place, and what is none."""

from __future__ import annotations

import pytest

from code_adapter.integrity import languages
from code_adapter.integrity.languages.unread import name_unread


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("test/install.bats", "Bats"),
        ("install.bats", "Bats"),
        ("src/test/groovy/com/shop/PriceTest.groovy", "Groovy"),
        ("shared/src/integrationTest/groovy/Price.groovy", "Groovy"),
        ("Shop.Tests/PriceTests.fs", "F#"),
        ("Shop.Tests/Helpers.fs", "F#"),
        ("src/Shop/PriceTests.vb", "Visual Basic"),
        ("Zend/tests/bug1.phpt", "PHP"),
        ("test/shop/price_test.exs", "Elixir"),
        ("Tests/ShopTests/PriceTests.swift", "Swift"),
        ("tests/test_price.c", "C"),
        ("tests/price.c", "C"),
        ("src/price_unittest.cc", "C++"),
        ("test/price_test.cpp", "C++"),
        ("t/price.t", "Perl"),
        ("test/price_test.dart", "Dart"),
        ("spec/price_spec.lua", "Lua"),
        ("src/test/scala/PriceSpec.scala", "Scala"),
        ("Price.Tests.ps1", "PowerShell"),
        ("tests/testthat/test-price.R", "R"),
        ("features/price.feature", "Gherkin"),
        ("tests/price.sh", "shell"),
        ("tests/fixtures/price_test.exs", "Elixir"),
    ],
)
def test_a_test_file_that_nothing_reads_has_its_language(path: str, language: str) -> None:
    assert name_unread(path) == language


@pytest.mark.parametrize(
    "path",
    [
        "tests/data/prices.json",
        "tests/prices.txt",
        "tests/README.md",
        "tests/__snapshots__/price.test.js.snap",
        "tests/logo.png",
        "tests/prices.csv",
        "tests/page.html",
        "tests/dump.sql",
        "tests/compose.yaml",
        "tests/Dockerfile",
        "tests/fixtures/price.rb",
        "tests/testdata/price.c",
        "src/test/resources/Price.groovy",
    ],
)
def test_what_tests_read_is_none(path: str) -> None:
    assert name_unread(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_price.py",
        "test/price.test.js",
        "price_test.go",
        "tests/price.rs",
        "src/test/java/PriceTest.java",
        "spec/models/user_spec.rb",
        "test/test_helper.rb",
        "tests/Unit/PriceTest.php",
        "Shop.Tests/PriceTests.cs",
        "shared/src/commonTest/kotlin/PriceTest.kt",
    ],
)
def test_a_language_with_a_reader_is_none(path: str) -> None:
    assert name_unread(path) is None


@pytest.mark.parametrize(
    "path",
    [
        "lib/price.rb",
        "src/latest.c",
        "src/contest.groovy",
        "src/Attest.fs",
        "run-tests.sh",
        "bin/test.sh.in",
        "config/config.exs",
        "test/build.gradle.kts",
        "tests/Package.swift",
        "inspect.php",
    ],
)
def test_other_sources_are_none(path: str) -> None:
    assert name_unread(path) is None


def test_a_language_that_is_parsed_and_has_no_table_is_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "LANGUAGES", {"python": languages.LANGUAGES["python"]})
    assert name_unread("price_test.go") == "go"
    assert name_unread("price.go") is None
    assert name_unread("tests/test_price.py") is None
