"""``code:build``: find the build steps, run each, write the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from code_adapter.building import compiled_steps, java_steps, node_steps, python_steps
from code_adapter.building.declared_steps import read_declared_steps
from code_adapter.building.nothing_to_build import find_nothing_to_build
from code_adapter.building.steps import BuildResult, BuildStep, Problem
from code_adapter.detection import Missing, list_folders, list_missing, split_missing
from code_adapter.subject_files import SubjectFiles, find_subject_files
from verigate.sdk import write_json

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write build.json and build.meta.json. Raises ToolFailed if a tool was killed or timed out."""
    files = find_subject_files(request)
    able, missing = split_missing(detect(request, files))
    steps = [item.start() for item in able]
    meta = {
        "expected": list_folders(able, missing),
        "examined": sorted({item.folder or "." for item in steps}),
        "skipped": list_missing(missing),
        "files": sorted({path for item in steps for path in item.examined}),
    }
    summary = summarise(steps, missing)
    if summary["tool"] is None and not missing and request.config.get("build") is None:
        nothing, signs = find_nothing_to_build(request, files)
        listed = {"nothing_to_build": list(map(asdict, nothing)), "unbuilt": list(map(asdict, signs))}
        summary |= {key: found for key, found in listed.items() if found}
    write_json(request.task_dir, "build.json", summary)
    write_json(request.task_dir, "build.meta.json", meta)


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Return the declared steps, else those detected from the subject's files."""
    declared = read_declared_steps(request, files)
    if declared is not None:
        return iter(declared)
    modules = (python_steps, node_steps, compiled_steps, java_steps)
    return chain.from_iterable(module.detect(request, files) for module in modules)


def summarise(steps: Sequence[BuildResult], missing: Sequence[Missing]) -> dict[str, Any]:
    """Make build.json. It succeeds only if something was built, every step passed, and no required tool is missing."""
    due = [item for item in missing if item.due]
    errors = {problem for step in steps for problem in step.errors}
    errors |= {Problem(item.folder or ".", 0, 0, item.why) for item in due}
    warnings = {problem for step in steps for problem in step.warnings}
    return {
        "success": bool(steps) and not due and all(step.exit_code == 0 and not step.errors for step in steps),
        "errors": [asdict(problem) for problem in sorted(errors)],
        "warnings": [asdict(problem) for problem in sorted(warnings)],
        "tool": "+".join(sorted({step.tool for step in steps})) or None,
        "steps": [
            {"tool": step.tool, "argv": list(step.argv), "cwd": step.folder or ".", "exit_code": step.exit_code}
            for step in sorted(steps, key=lambda step: (step.tool, step.folder, step.argv))
        ],
    }
