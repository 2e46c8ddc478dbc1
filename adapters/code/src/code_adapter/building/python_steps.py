"""Build steps of Python projects: compile every file, and run ``python -m build`` if it is installed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from code_adapter.building.steps import BuildResult, BuildStep, Problem, finish_step
from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.python_environment import Python, find_python
from code_adapter.python_programs import module_command, to_command_line
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.testing.python_projects import MARKERS
from verigate.sdk import Request, path_text, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import check_count
from verigate.sdk.reports.untrusted import add_tool_output, count_of, parse_json_object, read_report

CHECK = Path(__file__).with_name("compile_check.py")


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Yield for each Python project a step that compiles, and one that builds if it can build offline."""
    folders = files.projects(*MARKERS)
    sources = [path for path in files.paths if path.endswith(".py") and not _is_material(path)]
    loose = [path for path in sources if not any(_is_below(path, folder) for folder in folders)]
    for folder in (*folders, *([""] if loose else [])):
        own = [path for path in (sources if folder in folders else loose) if _is_below(path, folder)]
        backend = _backend(files, folder)
        wanted = ("sys", "build", *([backend] if backend else []))
        python = find_python(request, files, folder, wanted)
        if own and python is None:
            yield Missing("python", folder, "there is no Python for it")
        elif own and python is not None:
            yield BuildStep("python", folder, partial(compile_files, request, folder, python, own))
        if backend and python is not None:
            yield _find_packaging(request, folder, python, backend)


def _find_packaging(request: Request, folder: str, python: Python, backend: str) -> BuildStep | Missing:
    if python.origin != "project":
        return Missing("build", folder, "the project has no environment of its own to build in", due=False)
    for module in ("build", backend):
        if module not in python.modules:
            return Missing("build", folder, f"{module} is not installed in the project's environment", due=False)
    return BuildStep("build", folder, partial(package, request, folder, python))


def compile_files(request: Request, folder: str, python: Python, paths: list[str]) -> BuildResult:
    """Compile ``paths`` with the project's Python. Raises ToolFailed without a complete report."""
    texts = Texts(request.repo_root)
    with tempfile.TemporaryDirectory(prefix="verigate-") as place:
        listed, report = Path(place) / "files", Path(place) / "report.json"
        listed.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in paths))
        # -I: import nothing of the subject, such as its sitecustomize or its json.py.
        argv = [python.executable, "-I", str(CHECK), str(listed), str(report)]
        run = run_tool(argv, cwd=request.repo_root, timeout_s=TOOL_TIMEOUT_S, env=make_tool_environ(request))
        if run.exit_code not in {0, 1}:
            raise run.as_failure(f"compiling ended with {run.ended}", where=folder or ".")
        with add_tool_output(run):
            answer = parse_json_object(read_report(report, "python"), "python")
    check_count("python", count_of(answer.get("checked"), "checked", "python"), len(paths), "files")
    problems = [("error", _problem(item, texts)) for item in answer["errors"]]
    problems += [("warning", _problem(item, texts)) for item in answer["warnings"]]
    step = finish_step("python", folder, run, texts, problems)
    return replace(
        step, argv=("python", "-m", "compileall", folder or "."), examined=tuple(path_text(path) for path in paths)
    )


def package(request: Request, folder: str, python: Python) -> BuildResult:
    """Build source distribution and wheel into a private folder."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as place:
        texts = Texts(request.repo_root, (Path(place),))
        program = module_command(python.executable, "build")
        argv = [*program, "--no-isolation", "--skip-dependency-check", "--outdir", place]
        run = run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=python.make_environ(request))
        step = finish_step("build", folder, run, texts)
        if run.exit_code == 0 and not any(path.suffix == ".whl" for path in Path(place).iterdir()):
            raise run.as_failure("python -m build ended with exit code 0, but made no wheel", where=folder or ".")
    return replace(step, argv=tuple(to_command_line(step.argv)))


def _problem(item: dict[str, Any], texts: Texts) -> Problem:
    path = path_text(item["path"])
    return Problem(path, int(item["line"]), int(item["column"]), texts.message(str(item["message"])))


def _backend(files: SubjectFiles, folder: str) -> str | None:
    """Return the top-level module of the build backend, None if pyproject.toml names none."""
    system = files.toml(f"{folder}/pyproject.toml" if folder else "pyproject.toml").get("build-system")
    backend = system.get("build-backend") if isinstance(system, dict) else None
    if not isinstance(backend, str) or system is None or system.get("backend-path"):
        return None
    return backend.partition(":")[0].partition(".")[0] or None


def _is_below(path: str, folder: str) -> bool:
    return folder == "" or path.startswith(f"{folder}/")


def _is_material(path: str) -> bool:
    """Whether a file is test data or a template, which often is invalid on purpose."""
    return bool((NOT_PROJECTS - {"examples", "build", "dist", "target"}).intersection(path.split("/")[:-1]))
