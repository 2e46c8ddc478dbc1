"""Run unittest modules and write the outcome of each test; started with the project's Python of any version.

Usage: python unittest_runner.py REPORT TOP MODULE...   TOP is the folder that the modules are imported from.
"""

# The names are unittest's, and this file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: D102, N802, PTH105, PTH109, PTH123

from __future__ import annotations

import json
import os
import sys
import time
import unittest
from typing import Any


class Recorder(unittest.TestResult):
    """Records one outcome per started test, and one per class or module that couldn't be set up."""

    rank = {"passed": 0, "skipped": 1, "failed": 2}  # noqa: RUF012 - this file must run on old Pythons too

    def __init__(self) -> None:
        super().__init__()
        self.cases: list[dict[str, Any]] = []
        self.current: dict[str, Any] | None = None
        # Taken out of the environment: the tests have no use for it.
        self.progress = os.environ.pop("VERIGATE_PROGRESS", None)
        self.expected = 0
        self.reported = 0.0

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        self.current = self.entry(test)
        self.report(self.current["id"])

    def report(self, now: str) -> None:
        if self.progress is None or time.time() - self.reported < 0.1:
            return
        self.reported = time.time()
        try:
            with open(self.progress + ".new", "w", encoding="utf-8", errors="backslashreplace") as stream:
                json.dump({"done": self.testsRun - 1, "total": self.expected or None, "now": now[:200]}, stream)
            os.replace(self.progress + ".new", self.progress)
        except OSError:
            self.progress = None

    def stopTest(self, test: Any) -> None:
        super().stopTest(test)
        if self.current is not None and self.current["outcome"] is None:
            # The test reported no outcome, which happens if its run() was replaced.
            self.current.update(outcome="failed", message="the test ended without an outcome")
        self.current = None

    def entry(self, test: Any) -> dict[str, Any]:
        found: dict[str, Any] = {"id": str(test.id()), "outcome": None, "path": None, "line": None, "message": ""}
        module = sys.modules.get(type(test).__module__)
        found["path"] = getattr(module, "__file__", None)
        method: Any = getattr(test, found["id"].rpartition(".")[2], None)
        while hasattr(method, "__wrapped__"):
            method = method.__wrapped__
        found["line"] = getattr(getattr(method, "__code__", None), "co_firstlineno", None)
        self.cases.append(found)
        return found

    def note(self, test: Any, outcome: str, message: str = "") -> None:
        # Without a current test, a setUpClass or setUpModule failed or skipped.
        case = self.current if self.current is not None else self.entry(test)
        before = case["outcome"]
        if before is None or self.rank[outcome] > self.rank[before]:
            case["outcome"] = outcome
        if message:
            case["message"] = "\n".join(part for part in (case["message"], message) if part)

    def addSuccess(self, test: Any) -> None:
        super().addSuccess(test)
        self.note(test, "passed")

    def addFailure(self, test: Any, err: Any) -> None:
        super().addFailure(test, err)
        self.note(test, "failed", self.failures[-1][1])

    def addError(self, test: Any, err: Any) -> None:
        super().addError(test, err)
        self.note(test, "failed", self.errors[-1][1])

    def addSkip(self, test: Any, reason: str) -> None:
        super().addSkip(test, reason)
        self.note(test, "skipped")

    def addExpectedFailure(self, test: Any, err: Any) -> None:
        super().addExpectedFailure(test, err)
        self.note(test, "skipped")

    def addUnexpectedSuccess(self, test: Any) -> None:
        super().addUnexpectedSuccess(test)
        self.note(test, "failed", "unexpected success: the test is marked as an expected failure")

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            listed = self.failures if issubclass(err[0], test.failureException) else self.errors
            self.note(test, "failed", f"{subtest.id()}\n{listed[-1][1]}")


def main(argv: list[str]) -> int:
    """Run the modules; returns 0 when all tests passed, else 1."""
    report, top, names = argv[1], argv[2], argv[3:]
    sys.argv = ["python -m unittest"]
    # Replace this file's folder, which must not be importable by the tests.
    sys.path[0:1] = [top] if top == os.getcwd() else [top, os.getcwd()]
    # The subject's folder, if the project is installed as a copy. As PYTHONPATH it would replace this file's imports.
    first = os.environ.pop("VERIGATE_IMPORT_PATH", None)
    if first is not None:
        sys.path.insert(1, first)
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [first, os.environ.get("PYTHONPATH")]))
    recorder = Recorder()
    loader = unittest.TestLoader()
    started = time.time()
    suite = unittest.TestSuite(loader.loadTestsFromName(name) for name in names)
    recorder.expected = suite.countTestCases()
    suite.run(recorder)
    answer = {
        "complete": True,
        "total": len(recorder.cases),
        "duration_ms": (time.time() - started) * 1000,
        "cases": recorder.cases,
    }
    with open(report + ".part", "w", encoding="utf-8", errors="backslashreplace") as stream:
        json.dump(answer, stream)
    os.replace(report + ".part", report)
    return int(not recorder.wasSuccessful())


if __name__ == "__main__":
    sys.exit(main(sys.argv))
