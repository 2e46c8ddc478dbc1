"""Build steps of cargo and go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import BuildResult, BuildStep, Problem, finish_step
from code_adapter.building.text_errors import parse_go_errors
from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.toolchains.cargo import NOT_INSTALLED, read_diagnostics, run_cargo
from code_adapter.toolchains.go import find_modules, run_go
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Yield a step for each topmost Cargo.toml and for each go.mod."""
    for folder in files.projects("Cargo.toml"):
        if shutil.which("cargo", path=request.project_path) is None:
            yield Missing("cargo", folder, NOT_INSTALLED)
        else:
            yield BuildStep("cargo", folder, partial(build_cargo, request, folder))
    for found in find_modules(request, files, ".go"):
        yield found if isinstance(found, Missing) else BuildStep("go", found, partial(build_go, request, found))


def build_cargo(request: Request, folder: str) -> BuildResult:
    """Build every member of the workspace offline."""
    texts = Texts(request.repo_root)
    run = run_cargo(request, folder, ["cargo", "build", "--offline", "--workspace", "--message-format=json"])
    problems = (
        (
            found.level,
            Problem(texts.path(found.path, folder) or "", found.line, found.column, texts.message(found.message)),
        )
        for found in read_diagnostics(run)
    )
    return finish_step("cargo", folder, run, texts, problems)


def build_go(request: Request, folder: str) -> BuildResult:
    """Compile every package and discard the output."""
    texts = Texts(request.repo_root)
    run = run_go(request, folder, ["go", "build", "-o", "/dev/null", "./..."])
    return finish_step("go", folder, run, texts, parse_go_errors(run, texts, folder))
