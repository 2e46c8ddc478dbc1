"""Build steps of Maven and Gradle projects: compile sources and tests of all modules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import BuildResult, BuildStep, Problem, finish_step
from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.toolchains.java import (
    JavaProject,
    find_projects,
    require_dependencies,
    run_build_tool,
)
from code_adapter.toolchains.java_errors import parse_java_errors
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Yield a step for each topmost project."""
    for found in find_projects(request, files):
        if isinstance(found, Missing):
            yield found
        else:
            yield BuildStep(found.tool.name, found.folder, partial(compile_project, request, found))


def compile_project(request: Request, project: JavaProject) -> BuildResult:
    """Compile without running tests. Raises ToolFailed where a dependency is missing."""
    texts, folder = Texts(request.repo_root), project.folder
    run = run_build_tool(request, project, project.tool.compile)
    problems = [
        ("error" if found.is_error else "warning", Problem(found.path, found.line, found.column, found.message))
        for found in parse_java_errors(run, texts, folder)
    ]
    if run.exit_code and not any(severity == "error" for severity, _ in problems):
        require_dependencies(run, project)
        message = run.add_cause(f"{project.tool.name} ended with {run.ended}")
        problems.append(("error", Problem("", 0, 0, texts.message(message))))
    return finish_step(project.tool.name, folder, run, texts, problems)
