"""Folders of tests that build files of Maven and Gradle name."""

from __future__ import annotations

import pytest

from verigate.sdk.java_layout import find_test_folders

SOURCE = "checks/demo/SumTest.java"


def find(files: dict[str, str], path: str) -> tuple[str, str] | None:
    """Find the module and the rest of ``path`` in a project of these build files."""
    return find_test_folders((*files, path), lambda name: files[name]).find(path)


@pytest.mark.parametrize(
    "text",
    [
        "<build><testSourceDirectory>checks</testSourceDirectory></build>",
        "<testSourceDirectory>\n  ${project.basedir}/checks/\n</testSourceDirectory>",
        "<testSourceDirectory>./checks</testSourceDirectory>",
    ],
)
def test_maven(text: str) -> None:
    assert find({"pom.xml": text}, SOURCE) == ("", "demo/SumTest.java")


@pytest.mark.parametrize(
    "text",
    [
        "sourceSets { test { java { srcDirs = ['checks'] } } }",
        "sourceSets {\n main { java { srcDir 'src' } }\n test {\n  java {\n   srcDir 'checks'\n  }\n }\n}",
        'sourceSets.test.java.srcDirs = ["other", "checks"]',
        'sourceSets { test { java.setSrcDirs(listOf("checks")) } }',
        'kotlin.sourceSets { test {kotlin.srcDir("$projectDir/it") }\n}\nsourceSets { test { java.srcDir("checks") }}',
    ],
)
def test_gradle(text: str) -> None:
    assert find({"build.gradle": text}, SOURCE) == ("", "demo/SumTest.java")


def test_modules_inherit_what_their_parent_says() -> None:
    files = {"pom.xml": "<testSourceDirectory>checks</testSourceDirectory>", "one/pom.xml": "<project/>"}
    assert find(files, f"one/{SOURCE}") == ("one", "demo/SumTest.java")


@pytest.mark.parametrize(
    "text",
    [
        "<!-- <testSourceDirectory>checks</testSourceDirectory> -->",
        "<testSourceDirectory>${tests}</testSourceDirectory>",
        "<testSourceDirectory>../checks</testSourceDirectory>",
        "<testSourceDirectory>.</testSourceDirectory>",
        "<sourceDirectory>checks</sourceDirectory>",
        "sourceSets { main { java { srcDirs = ['checks'] } } }",
    ],
)
def test_other_words_name_no_folder(text: str) -> None:
    assert find({"pom.xml": text, "build.gradle": text}, SOURCE) is None


def test_the_usual_folder_needs_no_word() -> None:
    assert find({}, "one/src/test/java/demo/SumTest.java") == ("one", "demo/SumTest.java")
    assert find({}, "src/main/java/demo/Sum.java") is None
