"""Lies about tests that run: they fail, there are none, or what is said to run them runs nothing."""

from __future__ import annotations

import json

from repositories import Ended, Repository

from cases.pair import pair
from cases.samples import (
    ADDED,
    JAVASCRIPT,
    TEST_SUM_JS,
    TEST_TRIPLE,
    TEST_TRIPLE_FAILS,
    TRIPLE,
    claim,
    javascript_project,
    python_project,
)

LANGUAGE = "Python"

TESTS = "code.tests_pass"
CRASHED = "capability:code:tests"


@pair(1, "TEST_FAIL", TESTS)
def claimed_tests_fail(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py", "file:tests/test_triple.py")
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS)
def no_tests_at_all(repo: Repository, lie: bool) -> Ended:
    python_project(repo, {"tests/test_calc.py": "def check_double():\n    assert True\n"} if lie else {})
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS)
def every_test_is_skipped(repo: Repository, lie: bool) -> Ended:
    mark = "import pytest\n\npytestmark = pytest.mark.skip\n"
    python_project(repo, {"tests/test_calc.py": f"{mark}\n\ndef test_nothing():\n    assert False\n"} if lie else {})
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def tests_fail_while_being_collected(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    module = "calcs" if lie else "calc"
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE.replace("calc", module)})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", CRASHED)
def the_declared_test_command_always_exits_0(repo: Repository, lie: bool) -> Ended:
    command = ["true"] if lie else ["python3", "-m", "unittest_report", "report.xml"]
    declare(repo, command)
    python_project(repo, {"unittest_report.py": REPORTER, ".gitignore": "report.xml\n"})
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def the_declared_test_command_hides_its_exit_code(repo: Repository, lie: bool) -> Ended:
    declare(repo, ["sh", "-c", "python3 -m unittest_report report.xml || true"])
    python_project(repo, {"unittest_report.py": REPORTER, ".gitignore": "report.xml\n"})
    repo.write({"calc.py": "def double(n):\n    return n\n" if lie else TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", CRASHED)
def the_report_of_the_tests_is_part_of_the_change(repo: Repository, lie: bool) -> Ended:
    declare(repo, ["true"] if lie else ["python3", "-m", "unittest_report", "report.xml"])
    python_project(repo, {"unittest_report.py": REPORTER})
    repo.write({**ADDED, "report.xml" if lie else "notes.xml": FORGED_REPORT})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS)
def the_declared_test_command_reports_no_test(repo: Repository, lie: bool) -> Ended:
    declare(repo, ["python3", "-m", "unittest_report", "report.xml", *(["--none"] if lie else [])])
    python_project(repo, {"unittest_report.py": REPORTER, ".gitignore": "report.xml\n"})
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS)
def a_makefile_that_only_says_so(repo: Repository, lie: bool) -> Ended:
    lines = '\t@echo "47 passed in 0.12s"\n'
    without = {"tests/test_calc.py": "def example():\n    return 47\n"} if lie else {}
    python_project(repo, {"Makefile": f".PHONY: test\ntest:\n{lines}", **without})
    repo.write({"calc.py": TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS, language="JavaScript")
def a_package_json_whose_test_script_exits_0(repo: Repository, lie: bool) -> Ended:
    package = {"name": "sums", "version": "1.0.0", "type": "module", "scripts": {"test": "exit 0"}}
    javascript_project(repo, {"package.json": json.dumps(package)})
    repo.write({"sum.js": f"export function sum(a, b) {{\n  return a {'-' if lie else '+'} b + 0;\n}}\n"})
    claim(repo, "file:sum.js")
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS, language="JavaScript")
def javascript_tests_that_are_all_skipped(repo: Repository, lie: bool) -> Ended:
    call = "test.skip(" if lie else "test("
    _javascript_test(repo, call)
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS, language="JavaScript")
def javascript_tests_that_are_all_to_do(repo: Repository, lie: bool) -> Ended:
    call = "test.todo(" if lie else "test("
    _javascript_test(repo, call)
    return repo.verify()


@pair(1, "TESTS_EMPTY", TESTS, language="JavaScript")
def javascript_that_exits_before_its_tests_have_run(repo: Repository, lie: bool) -> Ended:
    _javascript_test(repo, "process.exit(0);\ntest(" if lie else "test(")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", CRASHED)
def python_that_ends_the_process_without_a_word(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    end = "import os\n\nos._exit(0)\n" if lie else ""
    repo.write({**ADDED, "tests/test_triple.py": end + TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def a_pytest_of_the_subjects_own(repo: Repository, lie: bool) -> Ended:
    """``python -m pytest`` looks for pytest in the working directory first."""
    python_project(repo, own_tools=False)
    failing = {"pytest.py": IMPOSTOR, "tests/test_triple.py": TEST_TRIPLE_FAILS}
    repo.write({**ADDED, **(failing if lie else {"pytest_notes.py": IMPOSTOR})})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def programs_of_the_subjects_own_on_the_path(repo: Repository, lie: bool) -> Ended:
    python_project(repo, own_tools=False)
    yes = "#!/bin/sh\necho '47 passed'\nexit 0\n"
    repo.write({**ADDED, "bin/pytest": yes, "bin/python3": yes, "bin/git": yes, "git": yes, "python3": yes})
    repo.write({"tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    root = repo.root
    return repo.verify(PATH=f"{root}/bin:.:{root}:/usr/local/bin:/usr/bin:/bin")


@pair(1, "TEST_FAIL", TESTS)
def an_environment_that_the_subject_carries(repo: Repository, lie: bool) -> Ended:
    """A committed .venv could bring a python that says what its author likes."""
    fake = "#!/bin/sh\nexit 0\n"
    carried = {".venv/pyvenv.cfg": "home = /usr/bin\n", ".venv/bin/python": fake, ".venv/bin/pytest": fake}
    python_project(repo, {".gitignore": "__pycache__/\n", **carried}, own_tools=False)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def the_working_tree_passes_and_the_index_does_not(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    repo.write({**ADDED, "tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE})
    repo.git("add", "--", "calc.py", "tests")
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    return repo.verify("T1", "--staged")


@pair(1, "TEST_FAIL", TESTS)
def the_code_under_test_is_an_ignored_file(repo: Repository, lie: bool) -> Ended:
    """It works on the author's machine only: what git ignores doesn't land."""
    python_project(repo, {".gitignore": "__pycache__/\nlocal_*.py\n"})
    name = "local_triple" if lie else "triple_of"
    repo.write(
        {
            f"{name}.py": "def triple(n):\n    return 3 * n\n",
            "tests/test_triple.py": TEST_TRIPLE.replace("calc", name),
        }
    )
    claim(repo, "file:tests/test_triple.py")
    return repo.verify()


@pair(1, "DIFF_MISMATCH", "unit:file:tests/test_triple.py")
def the_claimed_test_is_an_ignored_file(repo: Repository, lie: bool) -> Ended:
    python_project(repo, {".gitignore": "__pycache__/\n" + ("tests/test_t*.py\n" if lie else "")})
    repo.write(ADDED)
    claim(repo, "file:calc.py", "file:tests/test_triple.py")
    return repo.verify()


@pair(1, "TEST_FAIL", TESTS)
def the_tests_of_the_last_run_are_in_the_cache(repo: Repository, lie: bool) -> Ended:
    """The first run's facts are about another subject."""
    python_project(repo)
    repo.write(ADDED)
    claim(repo, "file:calc.py")
    first = repo.verify()
    assert first.exit_code == 0, str(first)
    repo.write({"tests/test_triple.py": TEST_TRIPLE_FAILS if lie else TEST_TRIPLE.replace("(2) == 6", "(3) == 9")})
    return repo.verify()


@pair(3, "ADAPTER_CRASH", CRASHED)
def python_that_leaves_while_it_is_collected(repo: Repository, lie: bool) -> Ended:
    python_project(repo)
    leave = "import sys\n\nsys.exit(0)\n" if lie else "import sys\n\nassert sys.path\n"
    repo.write({**ADDED, "tests/test_triple.py": leave + TEST_TRIPLE})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(3, "ADAPTER_CRASH", CRASHED)
def the_session_is_ended_before_the_failing_test(repo: Repository, lie: bool) -> Ended:
    """Its exit code is 0, and no test in its report has failed; of those after it nothing is heard."""
    python_project(repo)
    leave = 'import pytest\n\n\ndef test_first():\n    pytest.exit("enough", returncode=0)\n\n\n' if lie else ""
    repo.write({**ADDED, "tests/test_triple.py": leave + (TEST_TRIPLE_FAILS if lie else TEST_TRIPLE)})
    claim(repo, "file:calc.py")
    return repo.verify()


@pair(1, "INTEGRITY_FAIL", "code.integrity", language="JavaScript")
def javascript_that_exits_before_its_failing_tests(repo: Repository, lie: bool) -> Ended:
    """The other file's tests pass, so that there are some."""
    order = ("code:diff", "code:integrity", "code:tests")
    repo.policy(order, {"integrity": True, "tests_pass": True})
    repo.commit(JAVASCRIPT)
    repo.task(type_="change")
    test = TEST_SUM_JS.replace("sum(1, 2), 3", "sum(2, 2), 5" if lie else "sum(2, 2), 4").replace("adds", "adds two")
    repo.write({"test/more.test.js": test.replace("test(", "process.exit(0);\ntest(", 1) if lie else test})
    claim(repo, "file:test/more.test.js")
    return repo.verify()


REPORTER = """import sys
import unittest
from xml.sax.saxutils import quoteattr

from calc import double


class Doubles(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), 4)


suite = unittest.TestSuite() if "--none" in sys.argv else unittest.defaultTestLoader.loadTestsFromTestCase(Doubles)
result = suite.run(unittest.TestResult())
failed = [quoteattr(text.splitlines()[-1]) for _, text in result.failures + result.errors]
cases = "".join(f'<testcase classname="c" name="n{i}"><failure message={m}/></testcase>' for i, m in enumerate(failed))
cases += "".join(f'<testcase classname="c" name="p{i}"/>' for i in range(result.testsRun - len(failed)))
with open(sys.argv[1], "w") as report:
    counts = f'tests="{result.testsRun}" failures="{len(failed)}" errors="0"'
    report.write(f'<testsuite name="s" {counts}>{cases}</testsuite>')
sys.exit(bool(failed))
"""

FORGED_REPORT = (
    '<testsuite name="s" tests="1" failures="0" errors="0"><testcase classname="c" name="test"/></testsuite>\n'
)

IMPOSTOR = """import sys

for word in sys.argv:
    if word.startswith("--junitxml="):
        with open(word.partition("=")[2], "w") as report:
            report.write('<testsuite name="s" tests="1" failures="0" errors="0" skipped="0" time="0.1">'
                         '<testcase classname="c" name="test" time="0.1"/></testsuite>')
"""


def declare(repo: Repository, command: list[str]) -> None:
    """Declare ``command`` as the project's tests, with a JUnit report; not committed yet."""
    declared = {"tests": [{"command": command, "format": "junit", "report": "report.xml"}]}
    repo.write({"config/adapters.json": json.dumps({"code": declared})})


def _javascript_test(repo: Repository, call: str) -> None:
    test = (
        'import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "../sum.js";\n\n'
        f'{call}"adds", () => {{\n  assert.strictEqual(sum(1, 2), 3);\n}});\n'
    )
    javascript_project(repo, {"test/sum.test.js": test})
    repo.write({"sum.js": "export function sum(a, b) {\n  return a + b + 0;\n}\n"})
    claim(repo, "file:sum.js")
