"""code:counterfactual with real Maven and Gradle: the cells of Java tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from code_repo import make_repo
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


def test_a_loosened_test_is_found_and_the_others_of_its_file_are_kept(tmp_path: Path) -> None:
    base = {MAIN: SUM, TEST: write_class(ADDS, HALVES)}
    found = compare(tmp_path, base, {MAIN: BROKEN, TEST: write_class(WIDE, HALVES)})
    assert cells(found) == {"adds": "PFPP", "halves": "PPPP"}
    assert found["adds"]["class"] == "loosened"


def test_a_method_that_does_not_compile_is_left_out_alone(tmp_path: Path) -> None:
    base = {MAIN: SUM, TEST: write_class(ADDS, HALVES)}
    found = compare(tmp_path, base, {MAIN: ONE, TEST: write_class(ADDS.replace("3,", "2 + 1,"))})
    assert cells(found) == {"adds": "PPPP", "halves": "PXNN"}
    assert (found["halves"]["gone"], found["adds"]["gone"]) == (["half"], [])
