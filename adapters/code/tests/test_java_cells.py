"""Classes of Java, what reports say of them, and how builds are told which of them to run."""

from __future__ import annotations

from pathlib import Path

import pytest

from code_adapter.counterfactual import cell_runs
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.java_canary import find_framework, name_java_class, write_java
from code_adapter.counterfactual.java_choices import Chosen, choose_arguments, choose_methods, names_suites
from code_adapter.counterfactual.java_classes import list_classes, read_cases
from code_adapter.subject_files import SubjectFiles
from code_adapter.toolchains.java import GRADLE, MAVEN, JavaProject
from verigate.sdk.languages.tree import parse
from verigate.sdk.reports.outcomes import Case

PATH = "src/test/java/demo/SumTest.java"
SOURCE = """package demo;

import org.junit.jupiter.api.Test;

class Helper {
    @Test void helps() {}
}

public class SumTest {
    @Test void adds() {}

    @Nested class Inner {
        @Test void adds() {}
    }
}
"""
CLASSES = list(list_classes(PATH, SOURCE))


def test_the_class_of_the_file_has_no_prefix_and_the_others_have_one() -> None:
    assert [(each.name, each.prefix, each.tests) for each in CLASSES] == [
        ("demo.Helper", "Helper.", ("Helper.helps",)),
        ("demo.SumTest", "", ("adds",)),
        ("demo.SumTest$Inner", "Inner.", ("Inner.adds",)),
    ]


@pytest.mark.parametrize(
    ("reported", "test"),
    [
        ("demo.SumTest.adds", "adds"),
        ("demo.SumTest.adds[1.5]", "adds"),
        ("demo.SumTest.adds(int, int)[2]", "adds"),
        ("demo.SumTest.adds{int}[1]", "adds"),
        ("demo.SumTest.adds()", "adds"),
        ("demo.SumTest.inherited", "inherited"),
        ("demo.SumTest.it adds", "it adds"),
        ("demo.SumTest$Inner.adds", "Inner.adds"),
        ("demo.SumTestMore.adds", None),
        ("other.SumTest.adds", None),
    ],
)
def test_rows_are_one_test_and_classes_inside_keep_their_name(reported: str, test: str | None) -> None:
    found = list(read_cases([Case(reported, "passed", None, None, "")], CLASSES))
    assert found == ([(cell_runs.TestName(PATH, test), Outcome.PASSED)] if test else [])


@pytest.mark.parametrize("reported", ["demo.SumTest", "demo.SumTest.demo.SumTest", "demo.SumTest.initializationError"])
def test_a_class_that_fails_as_a_whole_fails_in_each_test(reported: str) -> None:
    found = list(read_cases([Case(reported, "failed", None, None, "")], CLASSES))
    assert found == [(cell_runs.TestName(PATH, name), Outcome.FAILED) for name in ("adds", "Inner.adds")]
    assert list(read_cases([Case(reported, "skipped", None, None, "")], CLASSES)) == []


POM = "<project><artifactId>maven-surefire-plugin</artifactId>{}</plugin></project>"
OTHER = "src/test/java/demo/OtherTest.java"
ALL = "src/test/java/demo/AllTests.java"


def choose(root: Path, more: dict[str, str], *, gradle: bool = False, only: bool = False) -> list[str]:
    """Return the arguments that choose SumTest; of files that they name the lines."""
    texts = {"pom.xml": POM.format(""), PATH: SOURCE, OTHER: "package demo;\nclass OtherTest {}\n", **more}
    texts["src/test/java/demo/PlanTest.java"] = "package demo;\nclass PlanTest {\n    @Test void plans() {}\n}\n"
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    planted = list(list_classes("src/test/java/demo/PlanTest.java", texts["src/test/java/demo/PlanTest.java"]))
    chosen = Chosen([*CLASSES, *planted], frozenset({planted[0].path}), {})
    if only:
        methods = choose_methods({PATH: frozenset({"adds", "Inner.adds"})}, chosen)
        chosen = Chosen(chosen.classes, chosen.planted, methods)
    project = JavaProject(GRADLE if gradle else MAVEN, "", "mvn")
    private = root / "private"
    private.mkdir()
    found = choose_arguments(project, SubjectFiles(root, tuple(texts)), chosen, private)
    starts = {f"-Dsurefire.{name}File={private}/{name}": name for name in ("excludes", "includes")}
    return [
        f"{starts[each]}: {' '.join((private / starts[each]).read_text().split())}" if each in starts else each
        for each in found
    ]


def test_surefire_is_told_what_to_leave_out_so_that_its_patterns_still_count(tmp_path: Path) -> None:
    suite = "@RunWith(Suite.class)\npublic class AllTests {}\n"
    assert choose(tmp_path / "a", {ALL: suite}) == ["excludes: **/*$* demo/OtherTest.java"]
    own = {
        "pom.xml": POM.format("<includes><include>*Spec</include></includes><excludes><exclude>x</exclude></excludes>")
    }
    assert choose(tmp_path / "b", own) == ["excludes: demo/OtherTest.java", "includes: demo/PlanTest.java"]


def test_modules_are_chosen_with_what_they_are_built_with(tmp_path: Path) -> None:
    found = choose(tmp_path, {"two/pom.xml": "", f"two/{OTHER}": "package two;\nclass OtherTest {}\n"})
    assert found == ["-pl", ".", "-am", "excludes: **/*$* demo/OtherTest.java two/OtherTest.java"]


def test_names_that_are_patterns_leave_nothing_out(tmp_path: Path) -> None:
    named = {f"src/test/java/{name}.java": "class Any {}\n" for name in ("*", "x\n%regex[.*]\ny", "Any")}
    assert choose(tmp_path / "a", named) == ["excludes: **/*$* Any.java demo/OtherTest.java"]


def test_single_methods_are_named_with_their_rows(tmp_path: Path) -> None:
    (found, *others) = choose(tmp_path / "maven", {}, only=True)
    assert found == ("-Dtest=demo/SumTest#adds+adds[*],demo/SumTest$Inner#adds+adds[*],demo/PlanTest#plans+plans[*]")
    assert others == ["-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false"]
    gradle = choose(tmp_path / "gradle", {}, gradle=True, only=True)
    assert gradle[:6] == [
        "--tests",
        "demo.SumTest.adds",
        "--tests",
        "demo.SumTest.adds[*]",
        "--tests",
        "demo.SumTest.adds(*",
    ]


def test_gradle_is_told_the_classes_with_those_inside_them(tmp_path: Path) -> None:
    found = choose(tmp_path, {}, gradle=True)
    assert [name for name in found if name != "--tests"] == [
        f"demo.{name}{more}" for name in ("Helper", "SumTest", "PlanTest") for more in ("", "$*")
    ]


def test_a_file_that_nothing_is_chosen_of_runs_as_a_whole() -> None:
    assert choose_methods({}, Chosen(CLASSES, frozenset(), {})) == {}


def test_suites_of_testng_are_known_by_the_settings_of_surefire(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text(POM.format("<suiteXmlFiles><suiteXmlFile>t.xml</suiteXmlFile></suiteXmlFiles>"))
    assert names_suites(SubjectFiles(tmp_path, ("pom.xml",)), "")


@pytest.mark.parametrize(
    ("like", "name"),
    [
        ("SumTest.java", "Amount3fTest"),
        ("SumTests.java", "Amount3fTests"),
        ("SumTestCase.java", "Amount3fTestCase"),
        ("SumIT.java", "Amount3fIT"),
        ("TestSum.java", "TestAmount3f"),
        ("Sums.java", "Amount3fTest"),
    ],
)
def test_the_class_that_must_fail_is_named_like_its_neighbour(like: str, name: str) -> None:
    assert name_java_class(like, "amount", "3f") == name


@pytest.mark.parametrize(
    ("text", "framework"),
    [
        ("import org.junit.jupiter.api.Test;", "junit5"),
        ("import org.junit.Test;", "junit4"),
        ("import org.testng.annotations.Test;", "testng"),
        ("import junit.framework.TestCase;", "junit3"),
        ("class Rows {}", None),
    ],
)
def test_the_class_that_must_fail_is_in_the_words_of_its_neighbours_framework(text: str, framework: str | None) -> None:
    assert find_framework(text) == framework
    head = "/* Ours. */\npackage demo;\n\nimport org.junit.jupiter.api.Tag;\n"
    neighbour = f'{head}{text}\n\n@Tag("fast")\nclass SumTest {{}}\n'
    written = write_java(
        neighbour, framework or "junit4", "PlanTest", {"word": "plan", "first": 1, "second": 2, "wrong": 4}
    )
    assert written.startswith("/* Ours. */\npackage demo;\n")
    assert '\n@Tag("fast")\npublic class PlanTest' in written
    assert "import org.junit.jupiter.api.Tag;\n" in written
    assert not parse(written.encode(), "java").broken
