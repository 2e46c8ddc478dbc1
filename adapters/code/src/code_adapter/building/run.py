"""code:build: find what there is to build, build each, write down how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Any

from code_adapter.building import compiled_steps, node_steps, python_steps
from code_adapter.building.declared_steps import declared_steps
from code_adapter.building.steps import Built, Problem, Step
from code_adapter.found import Missing, folders, parted, skipped
from code_adapter.subject_files import SubjectFiles, subject_files
from verigate.sdk import write_json

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write build.json and build.meta.json. Raises ToolFailed where a tool was killed or ran out of time."""
    files = subject_files(request)
    able, missing = parted(detect(request, files))
    steps = [item.start() for item in able]
    meta = {
        "expected": folders(able, missing),
        "examined": sorted({item.folder or "." for item in steps}),
        "skipped": skipped(missing),
        "files": sorted({path for item in steps for path in item.examined}),
    }
    write_json(request.task_dir, "build.json", summary(steps, missing))
    write_json(request.task_dir, "build.meta.json", meta)


def detect(request: Request, files: SubjectFiles) -> Iterator[Step | Missing]:
    """What the configuration declares, else what the files of the subject ask for."""
    declared = declared_steps(request, files)
    if declared is not None:
        return iter(declared)
    return chain.from_iterable(module.detect(request, files) for module in (python_steps, node_steps, compiled_steps))


def summary(steps: Sequence[Built], missing: Sequence[Missing]) -> dict[str, Any]:
    """build.json. It is a success only if something was built, all of it ended well, and no tool that is due lacks."""
    due = [item for item in missing if item.due]
    errors = {problem for step in steps for problem in step.errors}
    if steps:
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
