"""Modules of Go as their developers run them: with cgo, their own options, inner modules, and what is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest
from code_repo import make_repo
from suite_repository import failures, judge, make_suite

MODULE = "module example.com/m\n\ngo 1.19\n"
PASSING = 'package m\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n'


CGO = """package m

// #include <stdlib.h>
// static int twice(int n) { return abs(n) * 2; }
import "C"

func Twice(n int) int { return int(C.twice(C.int(n))) }
"""
CGO_TEST = """package m

import "testing"

func TestTwice(t *testing.T) {
	if Twice(-2) != 4 {
		t.Fatal("no")
	}
}
"""


def test_cgo_is_compiled_inside(tmp_path: Path) -> None:
    repository = make_suite(tmp_path, {"go.mod": MODULE, "a.go": CGO, "a_test.go": CGO_TEST}, build=True)
    assert judge(repository).code == 0, failures(repository)
    # With the caller's own choice the file that needs cgo is left out, so there is no Twice.
    assert judge(repository, CGO_ENABLED="0").code == 1
    (message,) = failures(repository).values()
    assert message.startswith("./a_test.go:6:5: undefined: Twice")


def test_the_compilers_message_and_its_place_are_shown(tmp_path: Path) -> None:
    files = {"go.mod": MODULE, "bad/b.go": "package bad\n\nfunc f() { x }\n", "bad/b_test.go": "package bad\n"}
    files["sub/c_test.go"] = 'package sub\n\nimport "testing"\n\nfunc TestC(t *testing.T) {\n\tt.Error("no")\n}\n'
    tests = make_repo(tmp_path, files).run("code:tests", gated=True).json("tests.json")
    assert [(each["path"], each["line"], each["id"]) for each in tests["failures"]] == [
        ("bad/b.go", 3, "example.com/m/bad"),
        ("sub/c_test.go", 6, "example.com/m/sub.TestC"),
    ]
    assert "undefined: x" in tests["failures"][0]["message"]


def test_a_package_that_go_mod_does_not_name_is_a_failure_with_its_place(tmp_path: Path) -> None:
    files = {"go.mod": MODULE, "a.go": 'package m\n\nimport _ "example.com/other"\n', "a_test.go": PASSING}
    tests = make_repo(tmp_path, files).run("code:tests", gated=True).json("tests.json")
    (failure,) = tests["failures"]
    assert (failure["path"], failure["line"]) == ("a.go", 3)
    assert "no required module provides package example.com/other" in failure["message"]


def _publish(folder: Path) -> str:
    """Publish example.com/dep v1.0.0 in a folder; the GOPROXY."""
    place = folder / "example.com/dep/@v"
    place.mkdir(parents=True)
    module = "module example.com/dep\n\ngo 1.19\n"
    (place / "list").write_text("v1.0.0\n")
    (place / "v1.0.0.info").write_text(json.dumps({"Version": "v1.0.0", "Time": "2024-01-01T00:00:00Z"}))
    (place / "v1.0.0.mod").write_text(module)
    with zipfile.ZipFile(place / "v1.0.0.zip", "w") as archive:
        archive.writestr("example.com/dep@v1.0.0/go.mod", module)
        archive.writestr("example.com/dep@v1.0.0/dep.go", "package dep\n\nfunc Two() int { return 2 }\n")
    return f"file://{folder}"


NEEDING = {
    "go.mod": MODULE + "\nrequire example.com/dep v1.0.0\n",
    "go.sum": "example.com/dep v1.0.0 h1:jVd2LLKPr4jLjHtDMZnFObLPo9223cB62QEcTMfuQsw=\n"
    "example.com/dep v1.0.0/go.mod h1:fGPp69Hit/toBUWE+Ldh2b+Bo3ABzILGe56XIcOE/Is=\n",
    "a.go": 'package m\n\nimport "example.com/dep"\n\nvar Two = dep.Two()\n',
    "a_test.go": PASSING,
}


def test_modules_that_are_not_downloaded_are_named_with_the_command(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, NEEDING)
    for capability in ("code:tests", "code:build"):
        answer = repo.run(capability, gated=True, GOMODCACHE=str(tmp_path / "none"), HOME=str(tmp_path / "home"))
        assert answer.exit_code == 1
        assert "modules are not on this machine: example.com/dep@v1.0.0" in answer.stderr
        assert "run go mod download" in answer.stderr


@pytest.mark.release
def test_the_users_modules_and_build_cache_are_used_and_stay_as_they_are(tmp_path: Path) -> None:
    repository = make_suite(tmp_path / "r", NEEDING)
    modules, cache = tmp_path / "modules", tmp_path / "cache"
    settings = {"GOMODCACHE": str(modules), "GOCACHE": str(cache), "GOFLAGS": "-modcacherw"}
    own = {**os.environ, **settings, "GOPROXY": _publish(tmp_path / "proxy"), "GONOSUMDB": "*"}
    subprocess.run(["go", "build", "./..."], cwd=repository.root, env=own, check=True)
    before = {path: path.stat().st_mtime_ns for path in cache.rglob("*")}
    assert judge(repository, **settings).code == 0, failures(repository)
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*")} == before


def test_modules_that_are_vendored_and_ignored_are_found(tmp_path: Path) -> None:
    repository = make_suite(tmp_path / "r", {**NEEDING, ".gitignore": "vendor/\n"})
    own = {**os.environ, "GOMODCACHE": str(tmp_path / "modules"), "GOFLAGS": "-modcacherw", "GONOSUMDB": "*"}
    own["GOPROXY"] = _publish(tmp_path / "proxy")
    subprocess.run(["go", "mod", "vendor"], cwd=repository.root, env=own, check=True)
    done = judge(repository, GOMODCACHE=str(tmp_path / "none"))
    assert done.code == 0, (done.output, failures(repository))


INNER = {
    "go.mod": MODULE,
    "a_test.go": PASSING,
    "inner/go.mod": "module example.com/inner\n\ngo 1.19\n",
    "inner/a_test.go": PASSING.replace("TestA", "TestInner"),
    "examples/go.mod": "module example.com/examples\n",
    "examples/a_test.go": "package broken",
}


def test_modules_inside_a_module_are_tested_too(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, INNER)
    answer = repo.run("code:tests", gated=True)
    assert answer.json("tests.json")["passed"] == 2
    assert answer.json("tests.meta.json")["examined"] == [".", "inner"]


@pytest.mark.release
def test_an_inner_module_without_its_requirements_counts_where_it_is_changed_or_in_the_workspace(
    tmp_path: Path,
) -> None:
    needing = {f"inner/{name}": text for name, text in NEEDING.items()}
    nothing = {"GOMODCACHE": str(tmp_path / "none"), "HOME": str(tmp_path / "home")}
    repo = make_repo(tmp_path / "a", {**INNER, **needing})
    answer = repo.run("code:tests", gated=True, **nothing)
    assert answer.json("tests.json")["total"] == 1
    (skipped,) = answer.json("tests.meta.json")["skipped"]
    assert skipped["path"] == "inner"
    assert "example.com/dep@v1.0.0" in skipped["why"]
    repo.write({"inner/more.go": "package m\n"})
    assert "inner: modules are not on this machine" in repo.run("code:tests", gated=True, **nothing).stderr
    listed = make_repo(tmp_path / "b", {**INNER, **needing, "go.work": "go 1.19\n\nuse (\n\t.\n\t./inner\n)\n"})
    assert "inner: modules are not on this machine" in listed.run("code:tests", gated=True, **nothing).stderr


def test_an_inner_module_for_another_platform_counts_where_it_is_changed(tmp_path: Path) -> None:
    foreign = {"inner/go.mod": "module example.com/inner\n\ngo 1.19\n"}
    foreign["inner/main.go"] = "//go:build js && wasm\n\npackage main\n\nfunc main() {}\n"
    repo = make_repo(tmp_path, {"go.mod": MODULE, "a_test.go": PASSING, **foreign})
    for capability, name in (("code:lint", "lint"), ("code:build", "build")):
        answer = repo.run(capability, gated=True)
        assert answer.exit_code == 0, answer.stderr
        (skipped,) = answer.json(f"{name}.meta.json")["skipped"]
        assert (skipped["path"], skipped["why"]) == ("inner", "none of its packages is built for this platform")
    repo.write({"inner/more.go": "//go:build js && wasm\n\npackage main\n"})
    build = repo.run("code:build", gated=True).json("build.json")
    assert build["success"] is False
    assert "none of its packages is built" in build["errors"][0]["message"]


TAGGED = '//go:build slow\n\npackage m\n\nimport "testing"\n\nfunc TestSlow(t *testing.T) {}\n'
FUZZ = (
    'package m\n\nimport "testing"\n\nfunc FuzzA(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(*testing.T, int) {})\n}\n'
)
EXAMPLE = 'package m\n\nimport "fmt"\n\nfunc ExampleA() {\n\tfmt.Println(1)\n\t// Output: 1\n}\n'


def test_options_of_make_test_examples_and_seeds(tmp_path: Path) -> None:
    files = {"go.mod": MODULE, "a_test.go": PASSING, "slow_test.go": TAGGED, "fuzz_test.go": FUZZ, "e_test.go": EXAMPLE}
    files["testdata/fuzz/FuzzA/one"] = "go test fuzz v1\nint(1)\n"
    repo = make_repo(tmp_path, files)
    assert repo.run("code:tests", gated=True).json("tests.json")["passed"] == 5
    repo.commit({"Makefile": ".PHONY: test\ntest:\n\tgo test -tags=slow -v ./...\n"})
    assert repo.run("code:tests", gated=True).json("tests.json")["passed"] == 6


def test_go_that_is_not_installed_is_named_with_the_command(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"go.mod": MODULE, "a_test.go": PASSING})
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").symlink_to("/usr/bin/git")
    answer = repo.run("code:tests", gated=True, PATH=str(folder), GATE_PROJECT_PATH=str(folder))
    assert answer.json("tests.json")["tool"] is None
    assert "apt-get install golang-go" in answer.json("tests.meta.json")["skipped"][0]["why"]


@pytest.mark.release
def test_go_vet_is_the_linter_of_every_module(tmp_path: Path) -> None:
    files = {"go.mod": MODULE, "a.go": 'package m\n\nimport "fmt"\n\nfunc F() { fmt.Printf("%d", "x") }\n'}
    files["sub/b.go"] = "package sub\n\nfunc G() int { return 1; return 2 }\n"
    files["inner/go.mod"] = "module example.com/inner\n\ngo 1.19\n"
    files["inner/c.go"] = "package inner\n"
    repo = make_repo(tmp_path, files)
    lint = repo.run("code:lint", gated=True).json("lint.json")
    found = [(each["path"], each["line"], each["rule"], each["severity"]) for each in lint["issues"]]
    assert found == [("a.go", 5, "printf", "error"), ("sub/b.go", 3, "unreachable", "warning")]
    assert {tool["name"] for tool in lint["tools"]} == {"go vet"}
    # Then go vet ends with 0 whatever it finds: no clean report.
    assert "go list ended with exit code 1" in repo.run("code:lint", gated=True, GOFLAGS="-json").stderr
    repo.write({"sub/b.go": "package sub\n\nfunc G() int { return x }\n"})
    lint = repo.run("code:lint", gated=True).json("lint.json")
    assert [(each["path"], each["rule"]) for each in lint["issues"]] == [("a.go", "printf"), ("sub/b.go", "types")]
    repo.write({"sub/b.go": "package sub\n", "a.go": "package m\n"})
    assert repo.run("code:lint", gated=True).json("lint.json")["errors"] == 0
