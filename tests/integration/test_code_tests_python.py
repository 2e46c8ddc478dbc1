"""code:tests with real pytest and unittest."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from code_repo import make_repo
from lean_environment import lean_python

if TYPE_CHECKING:
    from pathlib import Path

PYPROJECT = "[project]\nname='demo'\nversion='1'\n[tool.pytest.ini_options]\n"
ALL_KINDS = """
import pytest

def test_passes(): pass
def test_fails(): assert object() == 1, "at 0x7f0012345678 in /tmp/abc/def after 0.53s"
@pytest.mark.skip(reason="later")
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert False
@pytest.mark.xfail
def test_unexpected(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
@pytest.fixture
def broken(): raise OSError("no")
def test_error(broken): pass
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): pass
"""


def counts(tests: dict[str, Any]) -> tuple[int, int, int, int]:
    return tests["passed"], tests["failed"], tests["skipped"], tests["total"]


def test_pytests_outcomes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT, "tests/test_a.py": ALL_KINDS})
    tests = repo.run("code:tests", gated=True).json("tests.json")
    assert counts(tests) == (4, 3, 2, 9)
    assert tests["tool"] == "pytest"
    assert tests["tools"] == [
        {"name": "pytest", "version": pytest.__version__, "passed": 4, "failed": 3, "skipped": 2, "total": 9}
    ]
    assert tests["files"] == [{"path": "tests/test_a.py", "passed": 4, "failed": 3, "skipped": 2}]
    failures = {failure["id"].rpartition(".")[2]: failure for failure in tests["failures"]}
    assert sorted(failures) == ["test_error", "test_fails", "test_strict"]
    assert failures["test_fails"]["path"] == "tests/test_a.py"
    lines = ALL_KINDS.splitlines()
    (asserts,) = (number for number, line in enumerate(lines, 1) if line.startswith("def test_fails"))
    (fixture,) = (number for number, line in enumerate(lines, 1) if line.startswith("def broken"))
    assert (failures["test_fails"]["line"], failures["test_error"]["line"]) == (asserts, fixture)
    assert "0x…" in failures["test_fails"]["message"]
    assert "0x7f" not in failures["test_fails"]["message"]
    assert "0.53s" not in failures["test_fails"]["message"]
    assert tests["duration"] > 0


def test_the_numbers_are_what_pytest_prints(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT, "test_a.py": ALL_KINDS})
    printed = subprocess.run(
        [lean_python(), "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=repo.root,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert "2 failed, 3 passed, 1 skipped, 1 xfailed, 1 xpassed, 1 error" in printed
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (3 + 1, 2 + 1, 1 + 1, 9)


def test_no_tests_is_a_total_of_zero(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT, "a.py": "x = 1\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (0, 0, 0, 0)
    assert tests["tool"] == "pytest"


def test_nothing_that_is_a_test_is_no_tool(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"README": "hello\n", "a.py": "x = 1\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (0, 0, 0, 0)
    assert tests["tool"] is None
    assert tests["tools"] == []


def test_collection_errors_are_failures_and_the_rest_runs(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": "import nothing_there\n", "test_b.py": "def test_b(): pass\n"})
    repo.write({"pyproject.toml": PYPROJECT})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (1, 1, 0, 2)
    assert "nothing_there" in tests["failures"][0]["message"]


LIES = {
    "killed": "import os, signal\ndef test_a(): os.kill(os.getpid(), signal.SIGKILL)\n",
    "leaves early": "import os\ndef test_a(): os._exit(0)\n",
    "leaves early at import": "import os\nos._exit(0)\n",
    "interrupts": "def test_a(): raise KeyboardInterrupt\n",
    "segfaults": "import ctypes\ndef test_a(): ctypes.string_at(0)\n",
}


@pytest.mark.parametrize("lie", LIES)
def test_pytest_without_an_answer_is_an_error(tmp_path: Path, lie: str) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT, "test_a.py": LIES[lie]})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "pytest" in answer.stderr
    assert answer.written == []


def test_why_pytest_left_no_report_is_told_in_its_own_words(tmp_path: Path) -> None:
    leaves = "import os, sys\ndef pytest_unconfigure(config):\n    os.unlink(config.option.xmlpath)\n"
    leaves += "    print('\\x1b[31mno space left\\x07 in', config.option.xmlpath)\n"
    answer = make_repo(tmp_path, {"conftest.py": leaves, "test_a.py": "def test_a(): pass\n"}).run("code:tests")
    assert (answer.exit_code, answer.written) == (1, [])
    *output, last = answer.stderr.splitlines()
    cause = "it ended with exit code 0: no space left\\x07 in <temporary>"
    assert last.endswith(f"pytest left no report (No such file or directory); {cause}"), "the same in every run"
    assert output[0].startswith("$ ")
    assert any("1 passed in " in line for line in output)


CONFTESTS = {
    "broken": "import nothing_there\n",
    "exit status 0 though tests fail": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
    "exit status 1 though none failed": "def pytest_sessionfinish(session):\n    session.exitstatus = 1\n",
    "report removed": "import glob, os\ndef pytest_unconfigure(config):\n    os.unlink(config.option.xmlpath)\n",
    "report emptied": "def pytest_unconfigure(config):\n    open(config.option.xmlpath, 'w').close()\n",
    "report is a bomb": "def pytest_unconfigure(config):\n"
    "    open(config.option.xmlpath, 'w').write('<!DOCTYPE x [<!ENTITY a \"b\">]><testsuites>&a;</testsuites>')\n",
    "report is endless": "def pytest_unconfigure(config):\n    open(config.option.xmlpath, 'a').truncate(200 << 20)\n",
    "report is a link": "import os\ndef pytest_unconfigure(config):\n"
    "    path = config.option.xmlpath; os.rename(path, path + '.x'); os.symlink(path + '.x', path)\n",
    "report without the failures": "def pytest_unconfigure(config):\n"
    "    path = config.option.xmlpath\n"
    "    open(path, 'w').write('<testsuites><testsuite tests=\"9\"><testcase name=\"a\"/></testsuite></testsuites>')\n",
}


@pytest.mark.release
@pytest.mark.parametrize("lie", CONFTESTS)
def test_a_conftest_that_tampers_is_an_error(tmp_path: Path, lie: str) -> None:
    body = "def test_a(): pass\n" if "none failed" in lie else "def test_a(): assert False\n"
    repo = make_repo(tmp_path, {"conftest.py": CONFTESTS[lie], "test_a.py": body})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert answer.written == []


def test_the_projects_options_hold_but_cannot_redirect_the_report(tmp_path: Path) -> None:
    options = "addopts='-q --junitxml=mine.xml -o junit_family=xunit2 --maxfail=1'\njunit_logging='all'\n"
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT + options})
    repo.write({"test_a.py": "def test_a(): assert 0\ndef test_b(): assert 0\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (0, 1, 0, 1)
    assert not (repo.root / "mine.xml").exists()


def test_what_only_collects_has_no_tests(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT + "addopts='--collect-only'\n"})
    repo.write({"test_a.py": "def test_a(): pass\n"})
    assert counts(repo.run("code:tests").json("tests.json")) == (0, 0, 0, 0)


def test_a_coverage_threshold_is_not_a_failed_test(tmp_path: Path) -> None:
    options = "addopts='--cov=. --cov-fail-under=100'\n"
    repo = make_repo(tmp_path, {"pyproject.toml": PYPROJECT + options, "a.py": "def f():\n    return 1\n"})
    repo.write({"test_a.py": "import a\ndef test_a(): pass\n"})
    assert counts(repo.run("code:tests").json("tests.json")) == (1, 0, 0, 1)


UNITTEST = """
import unittest

class A(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.fail("no")
    def test_error(self): raise OSError
    @unittest.skip("later")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass
    def test_subtests(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertEqual(n, 0)

class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError("class")
    def test_never(self): pass
"""


def test_unittests_outcomes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"tests/__init__.py": "", "tests/test_a.py": UNITTEST, "app.py": "x = 1\n"})
    repo.write({"unit/test_b.py": "import unittest, app\nclass C(unittest.TestCase):\n    def test_c(self): pass\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert tests["tool"] == "unittest"
    assert counts(tests) == (2, 5, 2, 9)
    assert {failure["path"] for failure in tests["failures"]} == {"tests/test_a.py", None}
    assert any("[n]" not in f["id"] and f["id"].endswith("test_subtests") for f in tests["failures"])


@pytest.mark.parametrize(
    "body",
    [
        "import os; os._exit(0)",
        "raise SystemExit(0)",
        "import atexit, os; atexit.register(os._exit, 0)\nclass A(unittest.TestCase):\n    def test_a(self): 1/0",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    ],
)
def test_unittest_without_an_answer_is_an_error(tmp_path: Path, body: str) -> None:
    repo = make_repo(tmp_path, {"test_a.py": f"import unittest\n{body}\n# class X(unittest.TestCase)\n"})
    answer = repo.run("code:tests", gated=True)
    assert answer.exit_code == 1
    assert "unittest" in answer.stderr


def test_a_module_that_cannot_be_imported_fails(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": "import unittest, nothing_there\nclass A(unittest.TestCase): pass\n"})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (0, 1, 0, 1)
    assert "nothing_there" in tests["failures"][0]["message"]


def test_the_projects_own_environment_is_used(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": ".venv/\n"})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=repo.root, check=True)
    body = (
        "import sys, unittest\nclass A(unittest.TestCase):\n    def test_a(self): self.assertIn('.venv', sys.prefix)\n"
    )
    repo.write({"test_a.py": body})
    answer = repo.run("code:tests")
    assert counts(answer.json("tests.json")) == (1, 0, 0, 1)
    assert answer.json("tests.meta.json")["commands"][0]["environment"] == "project"


@pytest.mark.release
def test_without_any_environment_the_gates_python_is_the_last_resort(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": "def test_a(): pass\n"})
    answer = repo.run("code:tests", PATH="/usr/bin:/bin", VIRTUAL_ENV="")
    assert counts(answer.json("tests.json")) == (1, 0, 0, 1)
    assert answer.json("tests.meta.json")["commands"][0]["environment"] == "gate"


def test_an_environment_without_pytest_is_a_missing_tool(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": ".venv/\n", "test_a.py": "def test_a(): pass\n"})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=repo.root, check=True)
    answer = repo.run("code:tests")
    assert answer.json("tests.json")["tool"] is None
    assert counts(answer.json("tests.json")) == (0, 0, 0, 0)
    assert answer.json("tests.meta.json")["skipped"][0]["tool"] == "pytest"


def test_without_pytest_unittest_runs_what_it_can_run(tmp_path: Path) -> None:
    unit = "import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n"
    repo = make_repo(tmp_path, {".gitignore": ".venv/\n", "tox.ini": "[testenv]\ndeps = pytest\n", "test_a.py": unit})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", ".venv"], cwd=repo.root, check=True)
    tests = repo.run("code:tests").json("tests.json")
    assert (tests["tool"], counts(tests)) == ("unittest", (1, 0, 0, 1))


def test_when_only_some_of_the_tests_can_run_it_is_an_error(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {".gitignore": ".venv/\n", "a/test_a.py": "def test_a(): pass\n", "a/setup.py": ""})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "a/.venv"], cwd=repo.root, check=True)
    repo.write({"b/test_b.py": "def test_b(): pass\n", "b/setup.py": ""})
    answer = repo.run("code:tests")
    assert answer.exit_code == 1
    assert "pytest in a" in answer.stderr


def test_an_environment_that_the_subject_carries_is_not_trusted(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"test_a.py": "def test_a(): assert False\n"})
    liar = f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 0\n"
    repo.write({".venv/bin/python": liar, ".venv/pyvenv.cfg": "home = /usr/bin\n"})
    (repo.root / ".venv/bin/python").chmod(0o755)
    assert counts(repo.run("code:tests", gated=True).json("tests.json")) == (0, 1, 0, 1)
    assert not (tmp_path / "ran").exists()


def test_two_projects_in_one_repository(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, {"one/setup.py": "", "one/test_x.py": "def test_x(): pass\n"})
    repo.write({"two/setup.py": "", "two/test_x.py": "def test_x(): assert 0\n", "fixtures/setup.py": ""})
    tests = repo.run("code:tests").json("tests.json")
    assert counts(tests) == (1, 1, 0, 2)
    assert tests["failures"][0]["path"] == "two/test_x.py"


def test_the_tests_do_not_see_the_gate(tmp_path: Path) -> None:
    body = "import os\ndef test_a():\n    assert [k for k in os.environ if k.startswith(('GATE_', 'GIT_'))] == []\n"
    repo = make_repo(tmp_path, {"test_a.py": body})
    assert counts(repo.run("code:tests", gated=True).json("tests.json")) == (1, 0, 0, 1)


def test_two_runs_differ_in_nothing_but_the_duration(tmp_path: Path) -> None:
    seen = []
    for place, zone in (("one", "UTC"), ("two/deeper", "Asia/Kolkata")):
        repo = make_repo(tmp_path / place, {"pyproject.toml": PYPROJECT, "test_a.py": ALL_KINDS})
        answer = repo.run("code:tests", gated=True, TZ=zone, PYTHONHASHSEED=str(len(seen) + 1))
        tests, meta = answer.json("tests.json"), answer.json("tests.meta.json")
        assert tests.pop("duration") >= 0
        assert meta.pop("metadata")
        seen.append(json.dumps([tests, meta]))
    assert seen[0] == seen[1]
