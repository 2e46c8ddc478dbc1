"""What builds of Java, Kotlin and Rust ask of tests and coverage, changed: stopped where it becomes less."""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path

import pytest
from change_repository import Content, change_repository
from release_tests import some_always

POM = """\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <properties>
    <least>0.80</least>
  </properties>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
        <configuration>
          <useModulePath>false</useModulePath>
        </configuration>
      </plugin>
      <plugin>
        <groupId>org.jacoco</groupId>
        <artifactId>jacoco-maven-plugin</artifactId>
        <executions>
          <execution>
            <id>check</id>
            <phase>verify</phase>
            <goals><goal>check</goal></goals>
            <configuration>
              <rules>
                <rule>
                  <element>BUNDLE</element>
                  <limits>
                    <limit><counter>LINE</counter><value>COVEREDRATIO</value><minimum>${least}</minimum></limit>
                    <limit><counter>CLASS</counter><value>MISSEDCOUNT</value><maximum>2</maximum></limit>
                  </limits>
                </rule>
              </rules>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
GRADLE = """\
plugins { id 'java'; id 'jacoco' }

dependencies {
    testImplementation('org.junit.jupiter:junit-jupiter:5.10.2') { exclude group: 'org.hamcrest' }
}

test {
    useJUnitPlatform()
    reports { html { enabled = true } }
}

jacocoTestCoverageVerification {
    violationRules {
        rule {
            limit {
                counter = 'LINE'
                minimum = 0.8 // of 1
            }
        }
    }
}
check.dependsOn jacocoTestCoverageVerification
"""
KOTLIN = """\
plugins { kotlin("jvm") version "2.0.0" }

tasks.test {
    useJUnitPlatform()
}

kover { reports { verify { rule { minBound(80) } } } }
"""
TARPAULIN = "[main]\nfail-under = 80\n"
MAKEFILE = "coverage:\n\tcargo llvm-cov --fail-under-lines 80 --fail-uncovered-functions 3\n"
FILES = {
    "pom.xml": POM,
    "build.gradle": GRADLE,
    "build.gradle.kts": KOTLIN,
    "tarpaulin.toml": TARPAULIN,
    "Makefile": MAKEFILE,
}
SUREFIRE = "          <useModulePath>false</useModulePath>\n"
PLATFORM = "    useJUnitPlatform()\n"

WEAKER = (
    ("a lower ratio", "pom.xml", "<least>0.80", "<least>0.10", "threshold_lowered"),
    ("no ratio", "pom.xml", "<minimum>${least}</minimum>", "", "threshold_lowered"),
    ("more missed classes", "pom.xml", "<maximum>2<", "<maximum>200<", "threshold_lowered"),
    ("an unbound check", "pom.xml", "<phase>verify<", "<phase>none<", "threshold_lowered"),
    ("another goal", "pom.xml", "<goal>check</goal>", "<goal>report</goal>", "threshold_lowered"),
    ("a check that only reports", "pom.xml", "<rules>", "<haltOnFailure>false</haltOnFailure><rules>",
     "threshold_lowered"),
    ("jacoco is off", "pom.xml", "<least>", "<jacoco.skip>true</jacoco.skip><least>", "threshold_lowered"),
    ("a class is left out", "pom.xml", "<limits>", "<excludes><exclude>shop.Price</exclude></excludes><limits>",
     "coverage_narrowed"),
    ("no tests", "pom.xml", "<least>", "<maven.test.skip>true</maven.test.skip><least>", "test_collection_narrowed"),
    ("no tests by the plug-in", "pom.xml", SUREFIRE, "<skipTests>true</skipTests>", "test_collection_narrowed"),
    ("a test file less", "pom.xml", SUREFIRE, "<excludes><exclude>**/PriceTest.java</exclude></excludes>",
     "test_collection_narrowed"),
    ("what an expression matches", "pom.xml", SUREFIRE, "<excludes><exclude>%regex[.*Pri.*]</exclude></excludes>",
     "test_collection_narrowed"),
    ("a group less", "pom.xml", SUREFIRE, "<excludedGroups>slow</excludedGroups>", "test_collection_narrowed"),
    ("one group alone", "pom.xml", SUREFIRE, "<groups>fast</groups>", "test_collection_narrowed"),
    ("failures are ignored", "pom.xml", SUREFIRE, "<testFailureIgnore>true</testFailureIgnore>",
     "check_command_weakened"),
    ("failures are tried again", "pom.xml", SUREFIRE, "<rerunFailingTestsCount>3</rerunFailingTestsCount>",
     "assertion_swallowed"),
    ("a lower ratio of gradle", "build.gradle", "0.8 //", "0.2 //", "threshold_lowered"),
    ("a ratio in a comment", "build.gradle", "minimum = 0.8 //", "// minimum = 0.8", "threshold_lowered"),
    ("a rule that is off", "build.gradle", "rule {", "rule {\n            enabled = false", "threshold_lowered"),
    ("nothing asks for the check", "build.gradle", "check.dependsOn jacocoTestCoverageVerification\n", "",
     "threshold_lowered"),
    ("failures are ignored by gradle", "build.gradle", PLATFORM, f"{PLATFORM}    ignoreFailures = true\n",
     "check_command_weakened"),
    ("a test file less of gradle", "build.gradle", PLATFORM, f"{PLATFORM}    exclude '**/PriceTest*'\n",
     "test_collection_narrowed"),
    ("a tag less of gradle", "build.gradle", PLATFORM, "    useJUnitPlatform { excludeTags 'slow' }\n",
     "test_collection_narrowed"),
    ("a test less by a filter", "build.gradle.kts", PLATFORM,
     f'{PLATFORM}    filter {{ excludeTestsMatching("shop.PriceTest") }}\n', "test_collection_narrowed"),
    ("the tests are off", "build.gradle.kts", PLATFORM, PLATFORM.replace("    use", "    enabled = false\n    use"),
     "test_collection_narrowed"),
    ("a lower bound of kover", "build.gradle.kts", "minBound(80)", "minBound(10)", "threshold_lowered"),
    ("a lower bound of tarpaulin", "tarpaulin.toml", "80", "20", "threshold_lowered"),
    ("a lower bound of llvm-cov", "Makefile", "lines 80", "lines 20", "check_command_weakened"),
    ("more that isn't covered", "Makefile", "functions 3", "functions 30", "check_command_weakened"),
)  # fmt: skip
AS_STRICT = (
    ("a higher ratio", "pom.xml", "<least>0.80", "<least>0.95"),
    ("a ratio as a percentage", "pom.xml", "<least>0.80", "<least>80%"),
    ("a later plug-in", "pom.xml", "3.2.5", "3.5.0"),
    ("a data file isn't a test", "pom.xml", SUREFIRE, "<excludes><exclude>**/Nothing.java</exclude></excludes>"),
    ("a property that is off", "pom.xml", "<least>", "<skipTests>false</skipTests><least>"),
    ("a higher ratio of gradle", "build.gradle", "0.8 //", "0.9 //"),
    ("words in another order", "build.gradle", "counter = 'LINE'\n                minimum = 0.8",
     "minimum = 0.8\n counter = 'LINE'"),
    ("another dependency", "build.gradle", "exclude group: 'org.hamcrest'", "exclude group: 'org.opentest4j'"),
    ("a report less", "build.gradle", "enabled = true", "enabled = false"),
    ("a higher bound of kover", "build.gradle.kts", "minBound(80)", "minBound(90)"),
    ("a higher bound of tarpaulin", "tarpaulin.toml", "80", "90"),
    ("a higher bound of llvm-cov", "Makefile", "lines 80", "lines 90"),
)  # fmt: skip
SOURCES: dict[str, Content] = {
    "src/main/java/shop/Price.java": "package shop;\n\nclass Price {\n    int net() { return 1; }\n}\n",
    "src/test/java/shop/PriceTest.java": "package shop;\n\nclass PriceTest {\n"
    "    @Test void net() { assertEquals(1, new Price().net()); }\n}\n",
}


def findings(tmp_path: Path, path: str, old: str, new: str) -> list[tuple[str, str]]:
    assert old in FILES[path]
    before = {**SOURCES, path: FILES[path]}
    after: dict[str, Content] = {path: FILES[path].replace(old, new)}
    outcome = change_repository(tmp_path / "repo", before, after).run("code:integrity", tmp_path / "T")
    assert outcome.exit_code == 0, outcome.stderr
    return [(each["kind"], each["weight"]) for each in outcome.json("integrity.json")["findings"]]


@pytest.mark.parametrize("case", some_always(WEAKER, itemgetter(0), one_in=6))
def test_a_build_that_asks_less_is_a_weakening(case: tuple[str, str, str, str, str], tmp_path: Path) -> None:
    assert (case[4], "weakening") in findings(tmp_path, *case[1:4])


@pytest.mark.parametrize("case", some_always(AS_STRICT, itemgetter(0), one_in=6))
def test_a_build_that_asks_as_much_is_none(case: tuple[str, str, str, str], tmp_path: Path) -> None:
    assert [kind for kind, weight in findings(tmp_path, *case[1:]) if weight != "note"] == []


def test_a_pom_that_cannot_be_read_is_a_weakening(tmp_path: Path) -> None:
    assert ("unexamined", "weakening") in findings(tmp_path, "pom.xml", "</project>", "")
