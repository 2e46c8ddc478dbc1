"""Mutants of Java: Maven compiles each version once, and a quicker start runs the tests, as it ran them."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from java_projects import MAVEN

if TYPE_CHECKING:
    from pathlib import Path

JUNIT4 = "<groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>"
JUNIT5 = "<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter-engine</artifactId><version>debian</version>"
LIMITS = "package demo;\n\npublic class Limits {\n    public static final int FREE = 50;\n}\n"
PRICES = """package demo;

public class Prices {
    public static int total(int... prices) {
        int found = 0;
        for (int price : prices) {
            if (price < 0) {
                throw new IllegalArgumentException("negative");
            }
            found += price;
        }
        return found;
    }

    public static int shipping(int sum) {
        return sum >= Limits.FREE ? 0 : 5;
    }
}
"""
TEST = """package demo;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class PricesTest {
    @Test
    public void adds() {
        assertEquals(6, Prices.total(1, 2, 3));
        assertEquals(0, Prices.total());
    }

    @Test
    public void ships() {
        assertEquals(0, Prices.shipping(Limits.FREE));
        assertEquals(0, Prices.shipping(50));
        assertEquals(5, Prices.shipping(49));
    }
}
"""
WEAK = (
    ("assertEquals(6, Prices.total(1, 2, 3))", "assertTrue(Prices.total(1, 2, 3) > -9)"),
    ("assertEquals(0, Prices.total())", "assertTrue(Prices.total() > -9)"),
    ("        assertEquals(0, Prices.shipping(50));\n", ""),
    ("assertEquals(5, Prices.shipping(49))", "assertTrue(Prices.shipping(49) > -9)"),
)
PATH = "src/test/java/demo/PricesTest.java"


def project(*, five: bool) -> dict[str, str]:
    files = {name: text for name, text in MAVEN.items() if not name.startswith("src/")}
    test = TEST
    if five:
        assert files["pom.xml"].count(JUNIT4) == 1
        files["pom.xml"] = files["pom.xml"].replace(JUNIT4, JUNIT5)
        test = test.replace("org.junit.Assert.", "org.junit.jupiter.api.Assertions.")
        test = test.replace("org.junit.Test", "org.junit.jupiter.api.Test")
    sources = {"Limits": LIMITS, "Prices": PRICES}
    return {**files, **{f"src/main/java/demo/{name}.java": text for name, text in sources.items()}, PATH: test}


@pytest.mark.release
@pytest.mark.parametrize("five", [pytest.param(False, id="JUnit 4"), pytest.param(True, id="JUnit 5")])
def test_maven_starts_once_for_each_version_that_is_checked_out(tmp_path: Path, *, five: bool) -> None:
    """Four times at most: for base, the subject, base to confirm what is lost, and the subject for values."""
    files = project(five=five)
    repo = make_repo(tmp_path, files)
    weak = files[PATH]
    for old, new in WEAK:
        assert weak.count(old) == 1
        weak = weak.replace(old, new)
    repo.write({PATH: weak})
    repo.git("add", "--all")
    cells = repo.run("code:counterfactual", gated=True, config={"runs": 1})
    log, programs, maven = tmp_path / "starts", tmp_path / "programs", shutil.which("mvn")
    programs.mkdir()
    (programs / "mvn").write_text(f'#!/bin/sh\necho start >> {log}\nexec {maven} "$@"\n')
    (programs / "mvn").chmod(0o755)
    found: dict[str, Any] = repo.run(
        "code:sensitivity",
        gated=True,
        given=cells,
        config={"mutants_s": 900, "mutants": 8},
        PATH=f"{programs}:{os.environ['PATH']}",
    ).json("sensitivity.json")
    assert {item["test"] for item in found["lost_power"]} == {"adds", "ships"}
    tried = len(found["mutants"]) + found["unnoticed"] + found["unusable"]
    assert tried >= 8, found
    assert 1 <= len(log.read_text().splitlines()) <= 4
    # A constant is copied into the classes that use it: these are compiled again.
    constant = [item for item in found["mutants"] if item["path"].endswith("Limits.java")]
    assert constant, found["mutants"]
    assert all("ships" in test for item in constant for test in item["base"])
