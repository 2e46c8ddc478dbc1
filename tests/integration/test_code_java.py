"""code:tests and code:build with real Maven and Gradle, offline, with artifacts of Debian's packages."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from code_repo import make_repo
from java_projects import BUILD, FAILING, GRADLE, MAVEN, POM, REPOSITORY, SUM, TEST, maven_modules
from suite_repository import failures, judge, make_suite

from verigate.integrations.setup.stack import detect_stack

TESTS = "src/test/java/demo/SumTest.java"
MAIN = "src/main/java/demo/Sum.java"
BOTH = pytest.mark.parametrize(
    ("tool", "files"),
    [pytest.param("maven", MAVEN, id="maven"), pytest.param("gradle", GRADLE, id="gradle", marks=pytest.mark.release)],
)


@BOTH
def test_a_project_passes_inside_the_sandbox(tmp_path: Path, tool: str, files: dict[str, str]) -> None:
    repository = make_suite(tmp_path, files, build=True)
    done = judge(repository)
    assert done.code == 0, (done.output, failures(repository))
    tests = repository.published("tests.json")
    assert (tests["tool"], tests["passed"], tests["skipped"], tests["total"]) == (tool, 1, 1, 2)
    assert repository.published("build.json")["success"] is True


@pytest.mark.release
@BOTH
def test_failures_have_a_place(tmp_path: Path, tool: str, files: dict[str, str]) -> None:
    tests = make_repo(tmp_path, {**files, TESTS: FAILING}).run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], tests["failed"], tests["skipped"]) == (1, 2, 1)
    found = [(each["path"], each["line"], each["id"]) for each in tests["failures"]]
    assert found == [(TESTS, 16, "demo.SumTest.fails"), (TESTS, 21, "demo.SumTest.errors")]
    assert "expected:<4> but was:<3>" in tests["failures"][0]["message"]
    assert tests["tool"] == tool


@pytest.mark.parametrize(
    ("tool", "files", "build", "said"),
    [
        pytest.param(
            "maven",
            MAVEN,
            "pom.xml",
            ("<build>", "<build><testSourceDirectory>${basedir}/checks</testSourceDirectory>"),
            id="maven",
        ),
        pytest.param(
            "gradle",
            GRADLE,
            "build.gradle",
            ("", "sourceSets { test { java { srcDirs = ['checks'] } } }\n"),
            id="gradle",
            marks=pytest.mark.release,
        ),
    ],
)
def test_tests_are_found_where_the_build_says(
    tmp_path: Path, tool: str, files: dict[str, str], build: str, said: tuple[str, str]
) -> None:
    """They would be none, and the repository one without tests."""
    moved = {path: text for path, text in files.items() if path != TESTS}
    moved["checks/demo/SumTest.java"] = FAILING
    moved[build] = files[build].replace(*said, 1) if said[0] else files[build] + said[1]
    repo = make_repo(tmp_path, moved)
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert (tests["tool"], tests["passed"], tests["failed"]) == (tool, 1, 2)
    assert {each["path"] for each in tests["failures"]} == {"checks/demo/SumTest.java"}
    assert detect_stack(repo.root).test_tools == (tool,)


@pytest.mark.release
@BOTH
def test_what_does_not_compile_has_a_place(tmp_path: Path, tool: str, files: dict[str, str]) -> None:
    repo = make_repo(tmp_path, {**files, MAIN: SUM.replace("a + b", '"x"')})
    (error,) = repo.run("code:build", gated=True).json("build.json")["errors"]
    assert (error["path"], error["line"]) == (MAIN, 5)
    assert "String cannot be converted to int" in error["message"]
    (failure,) = repo.run("code:tests", gated=True).json("tests.json")["failures"]
    assert (failure["path"], failure["line"]) == (MAIN, 5)
    assert failure["id"] == f"{tool} {'test-compile' if tool == 'maven' else 'testClasses'}"


@pytest.mark.release
@pytest.mark.parametrize(
    ("files", "named", "command"),
    [
        ({**MAVEN, "pom.xml": POM.replace("4.x", "4.99")}, "junit:junit:jar:4.99", "mvn dependency:go-offline"),
        (
            {**GRADLE, "build.gradle": BUILD.replace("file", "https") % "repo.example/m"},
            "junit:junit:4.x",
            "gradle test",
        ),
    ],
)
def test_dependencies_that_are_not_downloaded_are_named_with_the_command(
    tmp_path: Path, files: dict[str, str], named: str, command: str
) -> None:
    repo = make_repo(tmp_path, files)
    for capability in ("code:tests", "code:build"):
        answer = repo.run(capability, gated=True)
        assert answer.exit_code == 1
        assert named in answer.stderr
        assert f"run {command}" in answer.stderr


def test_a_pom_that_can_not_be_read_is_an_error_that_quotes_maven(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {**MAVEN, "pom.xml": POM.replace("<version>1<", "<version<")})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "no failed test: Non-parseable POM" in answer.stderr
    (error,) = repo.run("code:build", gated=True).json("build.json")["errors"]
    assert error["message"].startswith("maven ended with exit code 1: Non-parseable POM pom.xml: ")


@pytest.mark.release
def test_all_modules_count_also_after_a_failure(tmp_path: Path) -> None:
    files = maven_modules("one", "two")
    files[f"one/{TESTS}"] = FAILING
    tests = make_repo(tmp_path, files).run("code:tests", gated=True).json("tests.json")
    assert (tests["passed"], tests["failed"], tests["total"]) == (2, 2, 6)
    assert {each["path"] for each in tests["failures"]} == {f"one/{TESTS}"}


@pytest.mark.release
def test_a_gradle_build_with_projects_in_a_subfolder(tmp_path: Path) -> None:
    files = {"java/settings.gradle": "include 'one'\n", "java/.gitignore": "build\n.gradle\n"}
    files["java/one/build.gradle"] = GRADLE["build.gradle"]
    files |= {f"java/one/{path}": text for path, text in GRADLE.items() if path.startswith("src/")}
    files[f"java/one/{TESTS}"] = FAILING
    tests = make_repo(tmp_path, files).run("code:tests", gated=True).json("tests.json")
    assert {each["path"] for each in tests["failures"]} == {f"java/one/{TESTS}"}


REPORT = '<testsuite name="demo.Old" tests="1"><testcase name="old" classname="demo.Old"/></testsuite>'


@pytest.mark.release
def test_reports_that_were_there_before_do_not_count(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, MAVEN)
    repo.write({"target/surefire-reports/TEST-demo.Old.xml": REPORT})
    assert repo.run("code:tests", gated=True).json("tests.json")["total"] == 2
    repo.git("add", "--force", "target/surefire-reports")
    repo.write({"target/surefire-reports/TEST-demo.Old.xml": REPORT})
    repo.git("add", "--force", "target/surefire-reports")
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "the report is itself part of the subject" in answer.stderr


def test_tests_that_are_switched_off_are_no_tests(tmp_path: Path) -> None:
    skipped = POM.replace("<properties>", "<properties><skipTests>true</skipTests>")
    tests = make_repo(tmp_path, {**MAVEN, "pom.xml": skipped}).run("code:tests", gated=True).json("tests.json")
    assert (tests["tool"], tests["total"]) == ("maven", 0)


@pytest.mark.release
def test_a_test_process_that_is_killed_is_no_pass(tmp_path: Path) -> None:
    leaving = TEST % "\n    @Test\n    public void leaves() {\n        Runtime.getRuntime().halt(0);\n    }\n"
    answer = make_repo(tmp_path, {**MAVEN, TESTS: leaving}).run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "maven ended with exit code 1 and no failed test" in answer.stderr


@pytest.mark.release
def test_the_program_that_the_wrapper_installed_is_used_and_its_script_is_not(tmp_path: Path) -> None:
    home = tmp_path / "m2"
    program = home / "wrapper/dists/apache-maven-9.9-bin/0abc/apache-maven-9.9/bin/mvn"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\ntouch {tmp_path}/used\nexec mvn "$@"\n')
    program.chmod(0o755)
    url = "distributionUrl=https\\://repo.example/apache-maven-9.9-bin.zip\n"
    files = {**MAVEN, ".mvn/wrapper/maven-wrapper.properties": url, "mvnw": f"#!/bin/sh\ntouch {tmp_path}/lied\n"}
    repo = make_repo(tmp_path / "r", files)
    tests = repo.run("code:tests", gated=True, MAVEN_USER_HOME=str(home)).json("tests.json")
    assert tests["total"] == 2
    assert (tmp_path / "used").exists()
    assert not (tmp_path / "lied").exists()


def test_programs_that_are_not_installed_are_named_with_the_command(tmp_path: Path) -> None:
    url = "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.5-bin.zip\n"
    repo = make_repo(tmp_path / "g", {**GRADLE, "gradle/wrapper/gradle-wrapper.properties": url})
    (skipped,) = repo.run("code:tests", gated=True).json("tests.meta.json")["skipped"]
    assert skipped["why"] == "gradle-8.5-bin is not installed: run ./gradlew --version once, with a network"
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to("/usr/bin/git")
    answer = make_repo(tmp_path / "m", MAVEN).run("code:tests", gated=True, PATH=str(folder))
    (skipped,) = answer.json("tests.meta.json")["skipped"]
    assert "apt-get install maven default-jdk-headless" in skipped["why"]


@pytest.mark.release
def test_a_folder_for_both_tools_is_tested_once(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {**GRADLE, **MAVEN})
    assert repo.run("code:tests", gated=True).json("tests.json")["tool"] == "maven"


@pytest.fixture
def repository_server() -> Iterator[str]:
    """Debian's artifacts by HTTP: what Gradle gets from there it keeps in its caches."""
    handler = partial(SimpleHTTPRequestHandler, directory=REPOSITORY)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.release
def test_what_gradle_has_downloaded_is_used_and_stays_as_it_is(tmp_path: Path, repository_server: str) -> None:
    build = BUILD.replace("file://%s", repository_server)
    repository = make_suite(tmp_path / "r", {**GRADLE, "build.gradle": build})
    home = tmp_path / "gradle"
    own = {**os.environ, "GRADLE_USER_HOME": str(home)}
    subprocess.run(["gradle", "--no-daemon", "testClasses"], cwd=repository.root, env=own, check=True)
    (home / "gradle.properties").write_text("token=hunter2hunter2\n")
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    assert judge(repository, GRADLE_USER_HOME=str(home)).code == 0, failures(repository)
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before


@pytest.mark.release
def test_mavens_settings_are_used_without_their_secrets(tmp_path: Path) -> None:
    body = TEST % (
        "\n    @Test\n    public void settings() throws Exception {\n"
        f'        var place = java.nio.file.Paths.get("{tmp_path}/r/home/.m2/settings.xml");\n'
        "        String text = new String(java.nio.file.Files.readAllBytes(place));\n"
        '        assertEquals(true, text.contains("mirrored") && !text.contains("hunter2"));\n    }\n'
    )
    repository = make_suite(tmp_path / "r", {**MAVEN, TESTS: body})
    (repository.home / ".m2").mkdir()
    settings = "<settings><servers><server><password>hunter2</password></server></servers><mirrors><mirror>"
    settings += "<id>mirrored</id><url>https://r.example</url><mirrorOf>x</mirrorOf></mirror></mirrors></settings>"
    (repository.home / ".m2/settings.xml").write_text(settings)
    assert judge(repository).code == 0, failures(repository)
