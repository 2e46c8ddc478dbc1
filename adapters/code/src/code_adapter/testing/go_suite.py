"""Run go test -json."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from code_adapter.detection import Missing
from code_adapter.reports.go_test import parse_go_test
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.testing.impact.change import Change, Selected
from code_adapter.testing.impact.go_impact import select_go_packages
from code_adapter.testing.make_test import read_go_options
from code_adapter.testing.progress_lines import make_go_reader
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from code_adapter.toolchains.go import find_modules, first_go_error, read_go_version, run_go
from verigate.sdk import Request, ToolRun, clean_text
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output

_OTHERS = frozenset({"vendor", "testdata", *NOT_PROJECTS})
_PLACE = re.compile(r"^\s*(?P<path>[^\s:][^:\n]*\.\w+):(?P<line>\d+)(?::\d+)?: ", re.MULTILINE)
_PACKAGE = re.compile(r"(.+?)\.(?:Test|Example|Fuzz|Benchmark)")
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each module with tests; without any module, say that tests which are there need one."""
    if not any(path.rpartition("/")[2] == "go.mod" for path in files.known):
        tests = [
            path for path in files.paths if path.endswith("_test.go") and not _OTHERS.intersection(path.split("/"))
        ]
        if tests:
            yield Missing("go test", "", f"{min(tests)} has tests, and the repository has no go.mod: run `go mod init`")
    for found in find_modules(request, files, "_test.go"):
        if isinstance(found, Missing):
            yield replace(found, tool="go test")
        else:
            yield Suite(
                "go test",
                found,
                partial(run_go_test, request, files, found),
                run_selected=partial(run_selected, request, files, found),
                stands_alone=True,
            )


def run_selected(request: Request, files: SubjectFiles, folder: str, change: Change) -> tuple[SuiteRun, Selected]:
    """Run the tests of packages that the change can affect. Raises ToolFailed, and WholeSuiteError if any may be."""
    selected, packages = select_go_packages(request, folder, change)
    return run_go_test(request, files, folder, packages), selected


def run_go_test(request: Request, files: SubjectFiles, folder: str, packages: Sequence[str] = ("./...",)) -> SuiteRun:
    """Run the tests of ``packages`` without cached results. Raises ToolFailed without a complete report.

    The options are those of the target ``test`` in the Makefile of the module or of the repository.
    """
    prefix = f"{folder}/" if folder else ""
    argv = ("go", "test", "-json", "-count=1", *read_go_test_options(files, folder), *packages)
    run = run_go(request, folder, argv, ProgressReport.of(request).watch_lines(make_go_reader()))
    code = check_exit_code(run, "go test", 0, 1, 2)
    if run.truncated:
        raise ReportInvalid("the output of go test exceeds the size limit")
    with add_tool_output(run):
        outcomes = parse_go_test(run.stdout, "go test")
    outcomes = _explain(outcomes, run, read_module(files, f"{prefix}go.mod"))
    check_consistency("go test", code, outcomes, run)
    return SuiteRun("go test", read_go_version(request, folder), folder, outcomes, argv, code)


def read_go_test_options(files: SubjectFiles, folder: str) -> tuple[str, ...]:
    """Read the options of ``go test`` in the Makefile of the module in ``folder``, or of the repository."""
    prefix = f"{folder}/" if folder else ""
    makefiles = [path for path in (f"{prefix}Makefile", "Makefile") if path in files.known]
    return read_go_options(files.text(makefiles[0])) if makefiles else ()


def read_module(files: SubjectFiles, path: str) -> str:
    """Read the module's path from its go.mod."""
    found = _MODULE.search(files.text(path))
    return found[1] if found else ""


def _explain(outcomes: Outcomes, run: ToolRun, module: str) -> Outcomes:
    """Add the compiler's messages, which go before 1.24 prints to stderr, and where each failure is."""
    errors = clean_text(run.stderr)
    compiled = split_by_package(errors)
    cases = [_locate(case, compiled, module) if case.outcome == "failed" else case for case in outcomes.cases]
    if run.exit_code and not outcomes.cases:
        # Nothing was compiled: go couldn't load the packages.
        first = first_go_error(errors)
        found = _PLACE.match(first)
        path, line = (found["path"], int(found["line"])) if found else (None, None)
        cases = [Case("go test", "failed", path, line, errors.strip())]
    return Outcomes(tuple(cases), outcomes.duration_ms)


def split_by_package(errors: str) -> Mapping[str, str]:
    """Split the compiler's messages at their headings, ``# example.com/package [more]``: package -> its messages."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in errors.splitlines():
        if line.startswith("# "):
            current = found.setdefault(line[2:].split(" ", 1)[0].removesuffix("_test"), [])
        else:
            current.append(line)
    return {package: "\n".join(lines) for package, lines in found.items()}


def _locate(case: Case, compiled: Mapping[str, str], module: str) -> Case:
    message = case.message or compiled.get(case.id, "")
    found = _PLACE.search(message)
    if found is None:
        return replace(case, message=message)
    path = found["path"]
    if case.message and "/" not in path:
        # A test names its file alone.
        package = _PACKAGE.match(case.id)
        folder = package[1].removeprefix(module).strip("/") if package else ""
        path = f"{folder}/{path}" if folder else path
    return replace(case, message=message, path=path, line=int(found["line"]))
