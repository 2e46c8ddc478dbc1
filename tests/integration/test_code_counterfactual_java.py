"""code:counterfactual with real Maven and Gradle: the cells of Java tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from java_projects import GRADLE, KOTLIN, SUM_KT, TEST_KT, maven_modules
from lie_corpus import SHARED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAIN, TEST = "src/main/java/demo/Sum.java", "src/test/java/demo/SumTest.java"
SUM = (
    "package demo;\n\npublic class Sum {\n    public static int of(int a, int b) {\n        return a + b;\n    }\n\n"
    "    public static int half(int n) {\n        return n / 2;\n    }\n}\n"
)
ONE = SUM.partition("\n\n    public static int half")[0] + "\n}\n"
BROKEN = SUM.replace("a + b", "a + b + 1")
HEAD = "package demo;\n\nimport static org.junit.Assert.assertEquals;\nimport static org.junit.Assert.assertTrue;\n\n"
HEAD += "import org.junit.Test;\n\n"
ADDS = "    @Test\n    public void adds() {\n        assertEquals(3, Sum.of(1, 2));\n    }\n"
WIDE = ADDS.replace("assertEquals(3, Sum.of(1, 2))", "assertTrue(Sum.of(1, 2) > 2)")
HALVES = "\n    @Test\n    public void halves() {\n        assertEquals(2, Sum.half(4));\n    }\n"


def write_class(*methods: str, name: str = "SumTest", head: str = HEAD) -> str:
    return f"{head}public class {name} {{\n{''.join(methods)}}}\n"


def compare(folder: Path, base: Mapping[str, str], head: Mapping[str, str], project: Any = None) -> dict[str, Any]:
    """Run the cells of a change once; returns the tests by name, and checks that each run has its failure."""
    repo = make_repo(folder, {**(SHARED["maven"] if project is None else project), **base})
    repo.write(head)
    found = repo.run("code:counterfactual", gated=True, config={"runs": 1}).json("counterfactual.json")
    assert {entry["outcome"] for entry in found["control"]} <= {"F"}, found
    assert found["unexamined"] == []
    assert b"target" not in repo.git("status", "--porcelain", "--ignored")
    return {test["test"]: test for test in found["tests"]}


def cells(found: dict[str, Any]) -> dict[str, str]:
    return {name: "".join(test["cells"][cell] for cell in ("BB", "HB", "BH", "HH")) for name, test in found.items()}


@pytest.mark.release
def test_a_loosened_test_is_found_and_the_others_of_its_file_are_kept(tmp_path: Path) -> None:
    base = {MAIN: SUM, TEST: write_class(ADDS, HALVES)}
    found = compare(tmp_path, base, {MAIN: BROKEN, TEST: write_class(WIDE, HALVES)})
    assert cells(found) == {"adds": "PFPP", "halves": "PPPP"}
    assert found["adds"]["class"] == "loosened"


SETS_UP = (
    "    private int found;\n\n    @org.junit.Before\n    public void setUp() {\n"
    "        found = Sum.half(4);\n    }\n\n    @Test\n    public void works() {\n"
    "        assertTrue(found >= 0);\n    }\n"
)


@pytest.mark.release
def test_a_method_that_does_not_compile_is_left_out_alone_unless_it_sets_up_others(tmp_path: Path) -> None:
    other = "src/test/java/demo/HalfTest.java"
    base = {MAIN: SUM, TEST: write_class(ADDS, HALVES), other: write_class(SETS_UP, name="HalfTest")}
    head = {MAIN: ONE, TEST: write_class(ADDS.replace("3,", "2 + 1,"))}
    head[other] = base[other].replace("found = Sum.half(4)", "found = 2")
    found = compare(tmp_path, base, head)
    assert cells(found) == {"adds": "PPPP", "halves": "PXNN", "works": "PXPP"}
    assert {name: test["gone"] for name, test in found.items()} == {"adds": [], "halves": ["half"], "works": []}


JUPITER = (
    "package demo;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.*;\n"
    "import org.junit.jupiter.params.ParameterizedTest;\nimport org.junit.jupiter.params.provider.CsvSource;\n\n"
)
NESTED = JUPITER + (
    "class NestedTest {\n    @Test void three() { assertEquals(3, Sum.of(1, 2)); }\n\n"
    "    @Disabled @Test void later() { assertEquals(3, 2); }\n\n"
    '    @ParameterizedTest @CsvSource({"1,2", "2,3"}) void rows(int a, int b) { assertEquals(b, Sum.of(a, 1)); }\n\n'
    "    @Nested class Inner {\n        @Test void adds() { assertEquals(4, Sum.of(2, 2)); }\n    }\n}\n"
)
SHARED_TESTS = JUPITER + "abstract class Shared {\n    @Test void shared() { assertEquals(3, Sum.of(1, 2)); }\n}\n"
ROWS = (
    "package demo;\n\nimport static org.junit.Assert.assertEquals;\n\nimport java.util.*;\nimport org.junit.Test;\n"
    "import org.junit.runner.RunWith;\nimport org.junit.runners.Parameterized;\n\n@RunWith(Parameterized.class)\n"
    "public class RowsTest {\n    @Parameterized.Parameters\n    public static Collection<Object[]> rows() {\n"
    "        return Arrays.asList(new Object[][] {{1, 1}, {12, 7}});\n    }\n\n    private final int[] row;\n\n"
    "    public RowsTest(int a, int wanted) {\n        row = new int[] {a, wanted};\n    }\n\n"
    "    @Test\n    public void sums() {\n        assertEquals(row[1], Math.min(7, Sum.of(row[0], 0)));\n    }\n}\n"
)


NEEDED = ("api", "engine", "params")


def _depend(group: str, name: str, version: str, scope: str) -> str:
    parts = {"groupId": group, "artifactId": name, "version": version, "scope": scope}
    return f"<dependency>{''.join(f'<{key}>{value}</{key}>' for key, value in parts.items())}</dependency>"


@pytest.mark.release
def test_modules_rows_nested_and_inherited_tests(tmp_path: Path) -> None:
    project = maven_modules("one", "two")
    needed = [_depend("demo", "one", "1", "compile")]
    needed += [_depend("org.junit.jupiter", f"junit-jupiter-{name}", "5.9.2", "test") for name in NEEDED]
    end = f"<dependencies>{''.join(needed)}</dependencies></project>"
    project["two/pom.xml"] = project["two/pom.xml"].replace("</project>", end)
    del project[f"two/{MAIN}"], project[f"two/{TEST}"]
    one, two = "one/src/test/java/demo", "two/src/test/java/demo"
    marks = ADDS.replace("adds()", "adds() throws Exception").replace(
        "assertEquals(3, Sum.of(1, 2))", f'new java.io.File("{tmp_path}/ran").createNewFile()'
    )
    base = {
        f"one/{MAIN}": SUM,
        f"one/{TEST}": write_class(ADDS),
        f"{one}/OtherTest.java": write_class(marks, name="OtherTest"),
        f"{one}/RowsTest.java": ROWS,
        f"{two}/NestedTest.java": NESTED,
        f"{two}/Shared.java": SHARED_TESTS,
        f"{two}/ChildTest.java": "package demo;\n\nclass ChildTest extends Shared {}\n",
    }
    nested = NESTED.replace("(3, Sum", "(4, Sum").replace("(3, 2)", "(2, 2)").replace('"1,2", "2,3"', '"1,3", "2,4"')
    head = {
        f"one/{MAIN}": BROKEN,
        f"one/{TEST}": write_class(WIDE),
        f"{one}/RowsTest.java": ROWS.replace("{1, 1}, ", ""),
        f"{two}/NestedTest.java": nested.replace("assertEquals(4, Sum.of(2, 2))", "assertTrue(Sum.of(2, 2) > 3)"),
        f"{two}/Shared.java": SHARED_TESTS.replace("(3, Sum", "(4, Sum"),
    }
    found = compare(tmp_path, base, head, project)
    assert cells(found) == {
        "adds": "PFPP",
        "sums": "PFPP",
        "three": "PFFP",
        "rows": "PFFP",
        "Inner.adds": "PFPP",
        "shared": "PFFP",
        "later": "NNNN",
    }
    assert (found["sums"]["class"], found["shared"]["path"]) == ("loosened", f"{two}/ChildTest.java")
    assert not (tmp_path / "ran").exists()


@pytest.mark.release
def test_gradle_has_the_same_cells(tmp_path: Path) -> None:
    base = {MAIN: SUM, TEST: write_class(ADDS, HALVES)}
    found = compare(tmp_path, base, {MAIN: ONE.replace("a + b", "a + b + 1"), TEST: write_class(WIDE)}, GRADLE)
    assert cells(found) == {"adds": "PFPP", "halves": "PXNN"}
    assert found["halves"]["gone"] == ["half"]


@pytest.mark.release
def test_kotlin_by_gradle_has_the_same_cells(tmp_path: Path) -> None:
    """A weakened test beside broken code, one that is gone, one that is renamed, and a skipped one."""
    main, test = "src/main/kotlin/demo/Sum.kt", "src/test/kotlin/demo/SumTest.kt"
    more = TEST_KT.rpartition("}")[0] + (
        "\n    @Test\n    fun third() {\n        val n = Sum.of(1, 1)\n        assertEquals(n, 2)\n    }\n"
        "\n    @Test\n    fun zero() {\n        assertEquals(0, Sum.of(0, 0))\n    }\n}\n"
    )
    code = SUM_KT.replace("a + b", "if (a == 1 && b == 2) 4 else a + b")
    changed = more.replace("assertEquals(3, Sum.of(1, 2))", "assertTrue(Sum.of(1, 2) > 2)").replace("third", "`a sum`")
    changed = changed.replace("    @Test\n    fun zero", "    @org.junit.Ignore\n    @Test\n    fun zero")
    start, _, rest = changed.partition("    @Test\n    fun `halves")
    changed = start + rest.partition("    }\n\n")[2]
    found = compare(tmp_path, {**KOTLIN, test: more}, {main: code, test: changed}, KOTLIN)
    assert cells(found) == {"adds": "PFPP", "halves a number": "PPNN", "a sum": "PPPP", "zero": "PPNN"}
    assert found["adds"]["class"] == "loosened"
    assert found["a sum"]["was"] == {"path": test, "test": "third"}
