"""Build steps of cargo and go."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import BuildResult, BuildStep, Problem, finish_step
from code_adapter.building.text_errors import parse_go_errors
from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.cargo_suite import read_cargo_messages
from code_adapter.toolchains.go import find_modules, run_go
from verigate.sdk import Request, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Yield a step for each topmost Cargo.toml and for each go.mod."""
    path = make_tool_environ(request)["PATH"]
    for folder in files.projects("Cargo.toml"):
        if shutil.which("cargo", path=path) is None:
            yield Missing("cargo", folder, "cargo is not installed")
        else:
            yield BuildStep("cargo", folder, partial(run_cargo, request, folder))
    for found in find_modules(request, files, ".go"):
        yield found if isinstance(found, Missing) else BuildStep("go", found, partial(build_go, request, found))


def run_cargo(request: Request, folder: str) -> BuildResult:
    """Build every member of the workspace offline."""
    texts = Texts(request.repo_root)
    argv = ["cargo", "build", "--offline", "--workspace", "--message-format=json"]
    env = make_tool_environ(request, CARGO_TERM_COLOR="never")
    run = run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env)
    return finish_step("cargo", folder, run, texts, _rustc_problems(run, texts, folder))


def _rustc_problems(run: ToolRun, texts: Texts, folder: str) -> Iterator[tuple[str, Problem]]:
    for item in read_cargo_messages(run):
        message = item.get("message")
        if item.get("reason") != "compiler-message" or not isinstance(message, dict):
            continue
        if message.get("level") not in {"error", "warning"}:
            continue
        spans = [span for span in message.get("spans", []) if span.get("is_primary")]
        span = spans[0] if spans else {}
        path = texts.path(span.get("file_name"), folder) or ""
        line, column = int(span.get("line_start", 0)), int(span.get("column_start", 0))
        yield (
            str(message["level"]),
            Problem(path, line, column, texts.message(str(message.get("message")))),
        )


def build_go(request: Request, folder: str) -> BuildResult:
    """Compile every package and discard the output."""
    texts = Texts(request.repo_root)
    run = run_go(request, folder, ["go", "build", "-o", "/dev/null", "./..."])
    return finish_step("go", folder, run, texts, parse_go_errors(run, texts, folder))
