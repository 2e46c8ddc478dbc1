"""Run ``dotnet test`` for each test project, and read its TRX reports."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from code_adapter.toolchains.dotnet import DOTNET, DotnetProject, find_projects, list_errors, run_dotnet
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each test project."""
    for project in find_projects(request, files):
        if isinstance(project, Missing):
            yield project
        else:
            yield Suite(DOTNET, project.folder, partial(run_tests, request, project))


def run_tests(request: Request, project: DotnetProject) -> SuiteRun:
    """Run the tests of a project. What doesn't compile is one failed test. Raises ToolFailed without a report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        run, outcomes = run_dotnet(request, project, Path(private))
    code = check_exit_code(run, DOTNET, 0, 1)
    texts = Texts(request.repo_root)
    if outcomes is None:
        errors = list_errors(run)
        if not errors or not code:
            raise run.as_failure(f"{DOTNET} left no report ({run.ended})", where=project.path)
        lines = [f"{texts.path(each.path) or each.path}:{each.line}: {each.message}" for each in errors]
        outcomes = Outcomes((Case("dotnet build", "failed", errors[0].path, errors[0].line, "\n".join(lines)),))
    check_consistency(DOTNET, code, outcomes, run)
    place = request.repo_root / project.folder
    cases = tuple(replace(case, path=_relate(case.path, place)) for case in outcomes.cases)
    argv = tuple(texts.argv(run.argv))
    return SuiteRun(DOTNET, None, project.folder, Outcomes(cases, outcomes.duration_ms), argv, code)


def _relate(path: str | None, folder: Path) -> str | None:
    inside = path is not None and Path(path).is_relative_to(folder)
    return Path(path).relative_to(folder).as_posix() if inside and path is not None else None
