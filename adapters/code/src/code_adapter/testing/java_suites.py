"""Run the tests of Maven and Gradle projects and read the JUnit reports of every module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import Suite, check_consistency
from code_adapter.toolchains.java import (
    SOURCES,
    BuildTool,
    JavaProject,
    find_folders,
    find_projects,
    require_dependencies,
    run_build_tool,
)
from code_adapter.toolchains.java_errors import parse_java_errors
from verigate.sdk import AdapterError, Request, ToolRun, path_text
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.outcomes import Case, Outcomes, merge_outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import MAX_REPORT_BYTES, ReportInvalid, add_tool_output, read_report

_MAX_REPORTS = 20_000
_FRAME = re.compile(r"\((\w[\w.$-]*\.(?:java|kt|groovy|scala)):(\d+)\)")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each topmost project with sources of tests."""
    for found in find_projects(request, files, with_tests=True):
        if isinstance(found, Missing):
            yield found
        else:
            yield Suite(found.tool.name, found.folder, partial(run_tests, request, files, found))


def run_tests(request: Request, files: SubjectFiles, project: JavaProject) -> SuiteRun:
    """Compile and run the tests of all modules. Raises ToolFailed without usable reports."""
    tool, folder = project.tool, project.folder
    modules = find_modules(files, folder)
    for module in modules:
        remove_old_reports(files, module, tool)
    run = run_build_tool(request, project, "test")
    if run.exit_code is None:
        raise run.as_failure(f"{tool.name} ended with {run.ended}", where=folder or ".")
    with add_tool_output(run):
        sources = find_sources(files, folder)
        outcomes = merge_outcomes(read_module(files, module, tool, sources) for module in modules)
    texts = Texts(request.repo_root)
    if run.exit_code and not outcomes.failed:
        outcomes = _explain(outcomes, run, project, texts)
    check_consistency(tool.name, run.exit_code, outcomes, run)
    # Paths of cases are relative to the root, those of a run to its folder.
    cases = (replace(case, path=_from_folder(case.path, folder)) for case in outcomes.cases)
    argv = tuple(texts.argv(run.argv))
    return SuiteRun(tool.name, None, folder, Outcomes(tuple(cases), outcomes.duration_ms), argv, run.exit_code)


def _explain(outcomes: Outcomes, run: ToolRun, project: JavaProject, texts: Texts) -> Outcomes:
    """Add what the compiler said as one failed test. Raises ToolFailed where the cause isn't in the sources."""
    tool, folder = project.tool, project.folder
    errors = [found for found in parse_java_errors(run, texts, folder) if found.is_error]
    if not errors:
        require_dependencies(run, project)
        raise run.as_failure(
            f"{tool.name} ended with {run.ended} and no failed test",
            where=folder or ".",
            hint="run it by hand in the same folder; the cause may be a plug-in or an error outside tests",
        )
    lines = [f"{found.path}:{found.line}: {found.message}" for found in errors]
    failed = Case(f"{tool.name} {tool.compile}", "failed", errors[0].path, errors[0].line, "\n".join(lines))
    return Outcomes((*outcomes.cases, failed), outcomes.duration_ms)


def find_modules(files: SubjectFiles, folder: str) -> tuple[str, ...]:
    """Return the modules below ``folder`` that have tests, "" for the root."""
    folders = find_folders(files, folder)
    return tuple(sorted({found[0] for path in files.below(folder) if (found := folders.find(path)) is not None}))


def find_sources(files: SubjectFiles, folder: str) -> dict[str, dict[str, str]]:
    """Map each module below ``folder`` to its sources of tests: their path below the folder of tests, and the whole."""
    folders = find_folders(files, folder)
    sources: dict[str, dict[str, str]] = {}
    for path in files.below(folder):
        if path.endswith(SOURCES) and (found := folders.find(path)) is not None:
            sources.setdefault(found[0], {})[found[1]] = path
    return sources


def remove_old_reports(files: SubjectFiles, module: str, tool: BuildTool) -> None:
    """Remove reports that are there before the tests run. Raises AdapterError for one that is part of the subject."""
    for report in _list_reports(files, module, tool):
        path = report.relative_to(files.root).as_posix()
        if path in files.known:
            hint = "run git rm --cached on it"
            raise AdapterError("the report is itself part of the subject", where=path_text(path), hint=hint)
        report.unlink()


def read_module(
    files: SubjectFiles, module: str, tool: BuildTool, sources: Mapping[str, Mapping[str, str]]
) -> Outcomes:
    """Read the reports of one module; paths of the cases are relative to the root. Raises ReportInvalid.

    ``sources`` are those of ``find_sources``.
    """
    outcomes = []
    left = 4 * MAX_REPORT_BYTES
    for report in _list_reports(files, module, tool):
        raw = read_report(report, tool.name)
        left -= len(raw)
        if left < 0:
            raise ReportInvalid(f"the reports of {tool.name} are larger than {4 * MAX_REPORT_BYTES} bytes together")
        outcomes.append(parse_junit(raw, tool.name))
    merged, own = merge_outcomes(outcomes), sources.get(module, {})
    return Outcomes(tuple(_locate(case, own) for case in merged.cases), merged.duration_ms)


def _list_reports(files: SubjectFiles, module: str, tool: BuildTool) -> list[Path]:
    place = files.root / module / tool.reports
    if not place.resolve().is_relative_to(files.root.resolve()):
        raise ReportInvalid(f"the reports of {tool.name} lead out of the repository", where=path_text(module or "."))
    # Gradle has a folder for each of its tasks.
    found = sorted([*place.glob("*.xml"), *(place.glob("*/*.xml") if tool.name == "gradle" else ())])
    if len(found) > _MAX_REPORTS:
        raise ReportInvalid(f"{tool.name} left {len(found)} reports", where=path_text(module or "."))
    return found


def _locate(case: Case, sources: Mapping[str, str]) -> Case:
    """Add the source file of a failed test's class, and the line there that its message names."""
    if case.outcome != "failed":
        return case
    for name in _list_classes(case.id):
        path = next((sources[f"{name}{suffix}"] for suffix in SOURCES if f"{name}{suffix}" in sources), None)
        if path is not None:
            file = path.rpartition("/")[2]
            line = next((int(number) for named, number in _FRAME.findall(case.message) if named == file), None)
            return replace(case, path=path, line=line)
    return case


def _list_classes(name: str) -> Iterator[str]:
    """Yield what may be the class in ``package.Class$Inner.test``, the longest first, as a path."""
    words = name.partition("$")[0].split("(")[0].split(".")
    return ("/".join(words[:count]) for count in range(len(words), 0, -1))


def _from_folder(path: str | None, folder: str) -> str | None:
    return path if path is None or not folder else path.removeprefix(f"{folder}/")
