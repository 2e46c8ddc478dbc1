"""Serve one capability: choose slot values, render and run command lines, read the report, write artifacts."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tool_adapter.examined_files import select_examined
from tool_adapter.report_artifacts import write_report
from tool_adapter.slot_values import choose_slot_values
from tool_adapter.tool_call import ToolCall
from tool_adapter.tool_subject import ToolSubject, find_tool_subject
from verigate.formats.toml_text import TomlError, loads
from verigate.sdk import AdapterError, AdapterUsageError, Request, ToolFailed, ToolRun, path_text, run_tool, write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.untrusted import add_tool_output, read_report
from verigate.tools.document import to_tool
from verigate.tools.model import Category, SlotType, Tool, ToolCapability
from verigate.tools.policy import build_sandbox_policy
from verigate.tools.render import Argv, render_commands
from verigate.tools.slots import Filled, SlotsError, fill_slots

MAX_EXAMINED = 10_000
"""Limit of files listed in run.json; the count covers all."""

_MARGIN_S = 5.0
_VERSION_TIMEOUT_S = 30.0
_VERSION = re.compile(r"\d+(?:\.\d+)+[^\s,;)]*")


def serve(request: Request, file: str) -> None:
    """Write ``<alias>/<capability>/run.json``, and the standard artifact of its report if it has one.

    Raises ToolFailed for a tool that crashed, AdapterUsageError for values that don't fill the slots.
    """
    tool = _load_tool(file)
    try:
        capability = tool.capability(request.capability)
    except KeyError:
        raise AdapterUsageError(
            f"{tool.name} has no capability {request.capability!r}", where=path_text(file)
        ) from None
    if capability.destructive:
        raise AdapterUsageError(f"{request.capability} is destructive; a gate run only reads")
    subject = find_tool_subject(request)
    with _report_file(capability) as (report, private):
        given = choose_slot_values(request, tool, capability, subject) | report
        called = _invoke(request, tool, capability, subject, given, private)
    folder = f"{tool.alias}/{capability.name}"
    # Write the report first: if it is rejected, no artifact remains.
    if capability.report is not None:
        write_report(request, called, folder, subject)
    write_json(request.task_dir, f"{folder}/run.json", _describe_run(called))


def _load_tool(file: str) -> Tool:
    try:
        return to_tool(loads(Path(file).read_bytes()))
    except (OSError, TomlError) as problem:
        raise AdapterUsageError(f"the tool's file can't be read: {problem}", where=path_text(file)) from problem


@contextmanager
def _report_file(capability: ToolCapability) -> Iterator[tuple[dict[str, str], tuple[Path, ...]]]:
    """Provide a private path for a report that the tool writes to a file."""
    source = capability.report.source if capability.report else "stdout"
    if source in {"stdout", "stderr"}:
        yield {}, ()
        return
    with tempfile.TemporaryDirectory(prefix="verigate-report-") as folder:
        yield {source: f"{folder}/report"}, (Path(folder),)


def _invoke(  # noqa: PLR0917 - what one call consists of
    request: Request,
    tool: Tool,
    capability: ToolCapability,
    subject: ToolSubject,
    given: Mapping[str, Any],
    private: tuple[Path, ...],
) -> ToolCall:
    lines, files = _render_lines(capability, given, subject)
    environ = {name: value for name, value in request.environ.items() if not name.startswith("GATE_")}
    program = shutil.which(capability.command.base, path=environ.get("PATH"))
    if program is None or not lines:
        files = files if program else ()
        return ToolCall(tool, capability, None, program is not None, files, files, (), (), ())
    timeout = max(build_sandbox_policy(tool).timeout_s - _MARGIN_S, 1.0)
    runs: list[ToolRun] = []
    reports: list[bytes] = []
    for line in lines:
        run = run_tool(line, cwd=request.repo_root, timeout_s=timeout, env=environ)
        if run.exit_code is None:
            raise run.as_failure(f"{line[0]} ended with {run.ended}")
        if run.exit_code and capability.report is None:
            # Log the output for people. Artifacts don't contain it, since it varies between runs.
            sys.stderr.write(f"{run.output}\n{line[0]} ended with {run.ended}\n")
        runs.append(run)
        reports.append(_read_output_report(capability, run, private))
    version = _read_version(request, capability, environ)
    texts = Texts(request.repo_root, private)
    argv = tuple(tuple(texts.argv(run.argv)) for run in runs)
    examined = files
    if capability.report is not None:
        asked = _render_lines(_use_list_arguments(capability), given, subject)[0] if capability.report.lists else ()
        listings = [_list_files(line, request, environ, timeout) for line in asked]
        with add_tool_output(runs[-1]):
            examined = select_examined(capability.report, files, zip(runs, reports, strict=True), listings, texts)
    return ToolCall(tool, capability, version, True, files, examined, tuple(runs), tuple(reports), argv)


def _use_list_arguments(capability: ToolCapability) -> ToolCapability:
    """Change the command lines so that the tool lists the files that it examines."""
    lists = capability.report.lists if capability.report is not None else ()
    return capability._replace(command=capability.command._replace(args=lists))


def _list_files(line: Argv, request: Request, environ: Mapping[str, str], timeout: float) -> bytes:
    run = run_tool(line, cwd=request.repo_root, timeout_s=timeout, env=environ)
    if run.exit_code != 0 or run.truncated:
        raise run.as_failure(f"{line[0]} failed to list the files that it examines: it ended with {run.ended}")
    return run.stdout


def _render_lines(
    capability: ToolCapability, given: Mapping[str, Any], subject: ToolSubject
) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
    """Render the command lines (none if a target has no file) and return the files that they cover."""
    targets = [slot for slot in capability.slots_of(Category.TARGET) if slot.type is SlotType.FILEPATH]
    if any(given.get(slot.name) == [] for slot in targets):
        return (), ()
    try:
        filled = fill_slots(capability, given)
        return render_commands(capability, filled), _find_target_files(capability, filled, subject)
    except SlotsError as problem:
        raise AdapterUsageError(problem.message, where=f"slots of {capability.name}") from problem


def _find_target_files(capability: ToolCapability, filled: Filled, subject: ToolSubject) -> tuple[str, ...]:
    """Find the subject's files that are targets, or are below a target and belong to the domain."""
    from verigate.tools.matching import matches

    found: set[str] = set()
    for slot in capability.slots_of(Category.TARGET):
        for value in filled.get(slot.name, ()):
            if slot.type is not SlotType.FILEPATH:
                continue
            named = str(value) in subject.known
            below = subject.below(str(value))
            found |= {file for file in below if named or matches(capability.domain, file, subject.mime_type)}
    return tuple(sorted(found))


def _read_output_report(capability: ToolCapability, run: ToolRun, private: Sequence[Path]) -> bytes:
    report = capability.report
    if report is None:
        return b""
    if run.exit_code not in {*report.clean, *report.found}:
        known = ", ".join(map(str, (*report.clean, *report.found)))
        hint = f"the tool's file lists these exit codes of a complete run: {known}"
        raise run.as_failure(f"{run.argv[0]} ended with {run.ended}", hint=hint)
    if private:
        return read_report(private[0] / "report", run.argv[0])
    if run.truncated:
        raise ToolFailed(f"{run.argv[0]} printed more than the output limit")
    return run.stderr if report.source == "stderr" else run.stdout


def _read_version(request: Request, capability: ToolCapability, environ: Mapping[str, str]) -> str | None:
    command = capability.command
    try:
        run = run_tool(
            (command.base, *command.version), cwd=request.repo_root, timeout_s=_VERSION_TIMEOUT_S, env=environ
        )
    except AdapterError:
        return None
    output = (run.stdout or run.stderr).decode("utf-8", "replace").strip()
    number = _VERSION.search(output)
    if run.exit_code != 0 or not output:
        return None
    return number.group() if number else Texts(request.repo_root).message(output.splitlines()[0], 100)


def _describe_run(called: ToolCall) -> dict[str, Any]:
    codes = [run.exit_code or 0 for run in called.runs]
    return {
        "tool": called.tool.alias if called.found else None,
        "program": called.capability.command.base,
        "version": called.version,
        "capability": called.tool.qualify(called.capability),
        "invocations": [{"argv": list(argv), "exit_code": code} for argv, code in zip(called.argv, codes, strict=True)],
        "exit_code": max(codes) if codes else None,
        "files": [path_text(path) for path in called.examined[:MAX_EXAMINED]],
        "files_total": len(called.examined),
        "left_out": [path_text(path) for path in sorted({*called.given} - {*called.examined})[:MAX_EXAMINED]],
    }
