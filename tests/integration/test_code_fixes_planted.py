"""Fixes in languages without reports of lines: failures that are planted in the changed lines show what a test runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from java_projects import KOTLIN, SUM_KT
from lie_corpus import SHARED
from npm_tools import node_modules

if TYPE_CHECKING:
    from pathlib import Path

CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
RUST = """\
/// The price after a discount.
pub fn price(of: i64, kind: &str) -> i64 {
    let off = match kind {
        "member" => of / 10,
        _ => 0,
    };
    of - off
}

pub fn half(n: i64) -> i64 {
    n / 2
}
"""
RUST_TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_pay_less() {
        assert_eq!(price(100, "member"), 90);
    }

    #[test]
    fn halves() {
        assert_eq!(half(4), 2);
    }

    #[test]
    fn reads() {
        assert!(include_str!("lib.rs").contains(concat!("of", " / 10")));
    }

    #[test]
    #[should_panic]
    fn refuses() {
        assert_eq!(price(100, "member"), 91);
        assert_eq!(price(100, "member"), 90);
    }
}
"""


def proofs(found: dict[str, Any]) -> dict[str, tuple[str, bool | None, str]]:
    """The class of each test, whether it executes a changed line, and what it does in every run of the control."""
    shown = ((test, test["proof"] or {}) for test in found["tests"])
    return {
        test["test"].rpartition("::")[2]: (
            test["class"],
            proof.get("executes"),
            "".join(sorted(set(proof.get("control") or ""))),
        )
        for test, proof in shown
    }


def find(found: dict[str, Any], name: str) -> dict[str, Any]:
    (test,) = (test for test in found["tests"] if test["test"].rpartition("::")[2] == name)
    proof: dict[str, Any] = test["proof"]
    return proof


def compare(folder: Path, base: dict[str, str], head: dict[str, str], *units: str) -> dict[str, Any]:
    repo = make_repo(folder)
    repo.write(base)
    repo.commit()
    repo.write(head)
    claim = {"units_list": list(units), "statements": ["Fixed a bug."]}
    return repo.run("code:counterfactual", gated=True, claim=claim, config={"runs": 1}).json("counterfactual.json")


def cargo(folder: Path, base: str, head: str, *units: str) -> dict[str, Any]:
    files = {"Cargo.toml": CARGO, ".gitignore": "target\nCargo.lock\n", "src/lib.rs": base}
    return compare(folder, files, {"src/lib.rs": head}, *units)


def test_a_test_of_rust_proves_a_fix_of_what_it_runs(tmp_path: Path) -> None:
    base = RUST.replace("of / 10", "of / 20") + RUST_TESTS.partition("    #[test]\n    fn members")[0] + "}\n"
    found = cargo(tmp_path, base, RUST + RUST_TESTS)
    assert proofs(found) == {
        "members_pay_less": ("proven", True, "P"),
        "halves": ("unproven", None, ""),
        "reads": ("proven", None, "P"),
        "refuses": ("unproven", None, ""),
    }, found["tests"]
    assert find(found, "members_pay_less")["lines"] == ["src/lib.rs:4"]
    assert "doesn't run them, or expects to fail there" in find(found, "reads")["why"]


@pytest.mark.release
def test_several_changed_lines_of_rust_are_one_of_which_runs(tmp_path: Path) -> None:
    head = RUST.replace("of - off", "let found = of - off;\n    found")
    base = RUST.replace("of - off", "let found = of - off;\n    found + 1").replace("n / 2", "n / 4 * 2")
    found = cargo(tmp_path, base, head + RUST_TESTS)
    named = {name: proof for name, proof in proofs(found).items() if name in {"members_pay_less", "halves"}}
    assert named == {"members_pay_less": ("proven", True, "P"), "halves": ("unproven", None, "")}, found["tests"]
    proof = find(found, "members_pay_less")
    assert (proof["lines"], "it runs one of 2 changed lines" in proof["why"]) == ([], True), proof


@pytest.mark.release
def test_a_test_of_rust_that_reads_the_very_line_proves_nothing(tmp_path: Path) -> None:
    line = '        \\"member\\" => of / 10,\\n'
    reads = RUST_TESTS.replace('concat!("of", " / 10")', f'"let off = match kind {{\\n{line}"')
    base = RUST.replace("of / 10", "of / 20")
    found = cargo(tmp_path, base, RUST + reads)
    executes = {name: proof[1] for name, proof in proofs(found).items()}
    assert executes["reads"] is None, found["tests"]
    assert executes["members_pay_less"] is True


@pytest.mark.release
def test_a_place_that_can_not_fail_hides_no_other(tmp_path: Path) -> None:
    """A constant that fails doesn't compile."""
    code = "pub const TWO: i64 = {\n    2\n};\n\npub fn half(n: i64) -> i64 {\n    n / TWO\n}\n"
    tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn halves() {\n"
    tests += "        assert_eq!(super::half(4), 2);\n    }\n}\n"
    base = code.replace("    2\n", "    3\n").replace("n / TWO", "n / TWO + 2")
    found = cargo(tmp_path, base, code + tests)
    assert proofs(found) == {"halves": ("proven", True, "P")}
    assert find(found, "halves")["lines"] == ["src/lib.rs:6"]


JAVA = (
    "package demo;\n\npublic class Sum {\n    public static int of(int a, int b) {\n        return a + b;\n    }\n\n"
    "    public static int half(int n) {\n        return n / 2;\n    }\n}\n"
)
JAVA_TEST = """package demo;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SumTest {
    @Test
    public void adds() {
        assertEquals(3, Sum.of(1, 2));
    }

    @Test
    public void halves() {
        assertEquals(2, Sum.half(4));
    }
}
"""


@pytest.mark.release
def test_a_test_of_java_proves_a_fix_of_what_it_runs(tmp_path: Path) -> None:
    main, test = "src/main/java/demo/Sum.java", "src/test/java/demo/SumTest.java"
    base = {**SHARED["maven"], main: JAVA.replace("a + b", "a + b + 1"), test: JAVA_TEST}
    found = compare(tmp_path, base, {main: JAVA, test: JAVA_TEST}, "fix:adds")
    assert proofs(found)["adds"][1:] == (True, "P"), found["tests"]
    assert find(found, "adds")["lines"] == [f"{main}:5"]


@pytest.mark.release
def test_a_test_of_kotlin_proves_a_fix_of_what_it_runs(tmp_path: Path) -> None:
    main = "src/main/kotlin/demo/Sum.kt"
    base = {**KOTLIN, main: SUM_KT.replace("a + b", "a + b + 1")}
    found = compare(tmp_path, base, {main: SUM_KT}, "fix:adds")
    assert proofs(found) == {"adds": ("fixed", True, "P")}, found["tests"]


VITEST = "import { expect, test } from 'vitest';\nimport { price } from './shop';\n\n"
TS = "export function price(of: number, member: boolean): number {\n  const off = member ? of / 10 : 0;\n"
TS += "  return of - off;\n}\n"


def test_a_test_of_vitest_in_typescript_proves_a_fix_of_what_it_runs(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    (repo.root / "node_modules").symlink_to(node_modules())
    tests = (
        VITEST + "test('members', () => {\n  expect(price(100, true)).toBe(90);\n});\n\n"
        "test('others', () => {\n  expect(price.length).toBe(2);\n});\n"
    )
    files = {"package.json": json.dumps({"scripts": {"test": "vitest run"}}), ".gitignore": "node_modules\n"}
    repo.write({**files, "shop.ts": TS.replace("/ 10", "/ 100"), "shop.test.ts": tests})
    repo.commit()
    repo.write({"shop.ts": TS})
    claim = {"units_list": ["fix:shop.test.ts::members"]}
    found = repo.run("code:counterfactual", gated=True, claim=claim, config={"runs": 1}).json("counterfactual.json")
    assert proofs(found) == {"members": ("fixed", True, "P")}, found
    assert find(found, "members")["lines"] == ["shop.ts:2"]
