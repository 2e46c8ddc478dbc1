"""One capability: choose the values, make the command lines, run them, read the report, write the artifacts."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tool_adapter.called import Called
from tool_adapter.choose import chosen
from tool_adapter.examined import looked_at
from tool_adapter.reports import write_report
from tool_adapter.subject import ToolSubject, find_tool_subject
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
"""How many files run.json names; all of them are counted."""

_MARGIN_S = 5.0
_VERSION_TIMEOUT_S = 30.0
_VERSION = re.compile(r"\d+(?:\.\d+)+[^\s,;)]*")


def serve(request: Request, file: str) -> None:
    """Write ``<alias>/<capability>/run.json``, and the standard artifact of its report where it has one.

    Raises ToolFailed for a tool that crashed, AdapterUsageError for values that don't fill the slots.
    """
    tool = _tool(file)
    try:
        capability = tool.capability(request.capability)
    except KeyError:
        raise AdapterUsageError(
            f"{tool.name} has no capability {request.capability!r}", where=path_text(file)
        ) from None
    if capability.destructive:
        raise AdapterUsageError(f"{request.capability} is destructive, and a gate run only looks")
    subject = find_tool_subject(request)
    with _report_file(capability) as (report, private):
        given = chosen(request, tool, capability, subject) | report
        called = _call(request, tool, capability, subject, given, private)
    folder = f"{tool.alias}/{capability.name}"
    # First what may be refused: of a tool that can't be understood nothing is left.
    if capability.report is not None:
        write_report(request, called, folder, subject)
    write_json(request.task_dir, f"{folder}/run.json", _run_document(called))


def _tool(file: str) -> Tool:
    try:
        return to_tool(loads(Path(file).read_bytes()))
    except (OSError, TomlError) as problem:
        raise AdapterUsageError(f"the tool's file can't be read: {problem}", where=path_text(file)) from problem


@contextmanager
def _report_file(capability: ToolCapability) -> Iterator[tuple[dict[str, str], tuple[Path, ...]]]:
    """A private place for the report that a tool writes to a file; nothing of it stays in an artifact."""
    source = capability.report.source if capability.report else "stdout"
    if source in {"stdout", "stderr"}:
        yield {}, ()
        return
    with tempfile.TemporaryDirectory(prefix="verigate-report-") as folder:
        yield {source: f"{folder}/report"}, (Path(folder),)


def _call(  # noqa: PLR0917 - what one call consists of
    request: Request,
    tool: Tool,
    capability: ToolCapability,
    subject: ToolSubject,
    given: Mapping[str, Any],
    private: tuple[Path, ...],
) -> Called:
    lines, files = _lines(capability, given, subject)
    environ = {name: value for name, value in request.environ.items() if not name.startswith("GATE_")}
    program = shutil.which(capability.command.base, path=environ.get("PATH"))
    if program is None or not lines:
        files = files if program else ()
        return Called(tool, capability, None, program is not None, files, files, (), (), ())
    timeout = max(build_sandbox_policy(tool).timeout_s - _MARGIN_S, 1.0)
    runs: list[ToolRun] = []
    reports: list[bytes] = []
    for line in lines:
        run = run_tool(line, cwd=request.repo_root, timeout_s=timeout, env=environ)
        if run.exit_code is None:
            raise ToolFailed(f"{line[0]} ended with {run.ended}:\n{run.tails()}")
        if run.exit_code and capability.report is None:
            # For people, in the log: no artifact holds a tool's own words, which differ from run to run.
            sys.stderr.write(f"{' '.join(run.argv)} ended with {run.ended}:\n{run.tails()}\n")
        runs.append(run)
        reports.append(_report(capability, run, private))
    version = _version(request, capability, environ)
    texts = Texts(request.repo_root, private)
    shown = tuple(tuple(texts.argv(run.argv)) for run in runs)
    examined = files
    if capability.report is not None:
        asked = _lines(_listing(capability), given, subject)[0] if capability.report.lists else ()
        listings = [_listed(line, request, environ, timeout) for line in asked]
        with add_tool_output(runs[-1]):
            examined = looked_at(capability.report, files, zip(runs, reports, strict=True), listings, texts)
    return Called(tool, capability, version, True, files, examined, tuple(runs), tuple(reports), shown)


def _listing(capability: ToolCapability) -> ToolCapability:
    """The capability whose command lines make the tool print which files it looks at."""
    lists = capability.report.lists if capability.report is not None else ()
    return capability._replace(command=capability.command._replace(args=lists))


def _listed(line: Argv, request: Request, environ: Mapping[str, str], timeout: float) -> bytes:
    run = run_tool(line, cwd=request.repo_root, timeout_s=timeout, env=environ)
    if run.exit_code != 0 or run.truncated:
        raise ToolFailed(f"{line[0]}, asked which files it looks at, ended with {run.ended}:\n{run.tails()}")
    return run.stdout


def _lines(
    capability: ToolCapability, given: Mapping[str, Any], subject: ToolSubject
) -> tuple[tuple[Argv, ...], tuple[str, ...]]:
    """The command lines, none where a target has no file, and the files that they name."""
    targets = [slot for slot in capability.slots_of(Category.TARGET) if slot.type is SlotType.FILEPATH]
    if any(given.get(slot.name) == [] for slot in targets):
        return (), ()
    try:
        filled = fill_slots(capability, given)
        return render_commands(capability, filled), _examined(capability, filled, subject)
    except SlotsError as problem:
        raise AdapterUsageError(problem.message, where=f"slots of {capability.name}") from problem


def _examined(capability: ToolCapability, filled: Filled, subject: ToolSubject) -> tuple[str, ...]:
    """The subject's files that the targets are, or that lie in them and belong to the domain."""
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


def _report(capability: ToolCapability, run: ToolRun, private: Sequence[Path]) -> bytes:
    report = capability.report
    if report is None:
        return b""
    if run.exit_code not in {*report.clean, *report.found}:
        known = ", ".join(map(str, (*report.clean, *report.found)))
        hint = f"its file says that {known} are the exit codes of a run that was complete"
        raise ToolFailed(f"{run.argv[0]} ended with {run.ended}:\n{run.tails()}", hint=hint)
    if private:
        return read_report(private[0] / "report", run.argv[0])
    if run.truncated:
        raise ToolFailed(f"{run.argv[0]} wrote more than can be read")
    return run.stderr if report.source == "stderr" else run.stdout


def _version(request: Request, capability: ToolCapability, environ: Mapping[str, str]) -> str | None:
    command = capability.command
    try:
        run = run_tool(
            (command.base, *command.version), cwd=request.repo_root, timeout_s=_VERSION_TIMEOUT_S, env=environ
        )
    except AdapterError:
        return None
    said = (run.stdout or run.stderr).decode("utf-8", "replace").strip()
    number = _VERSION.search(said)
    if run.exit_code != 0 or not said:
        return None
    return number.group() if number else Texts(request.repo_root).message(said.splitlines()[0], 100)


def _run_document(called: Called) -> dict[str, Any]:
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
