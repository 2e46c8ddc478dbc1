"""Run commands declared in the configuration: an argument vector, the format of its report, and the report's path."""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.python_environment import list_environment_folders
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import AdapterError, AdapterUsageError, Request, ToolFailed, ToolRun, path_text, run_tool
from verigate.sdk.reports.untrusted import add_tool_output, read_report

STDOUT = "-"

EXIT_CODE = "exit-code"
"""The format of a command without a report."""


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """A declared command. ``report`` is relative to the root, or ``-`` for stdout; "" if the format needs none.

    Of a command for tests ``files`` are patterns of the test files that it runs, () for any; ``must_fail`` is a test
    that fails, as the path and the text of a file.
    """

    command: tuple[str, ...]
    format: str
    report: str
    name: str
    cwd: str
    files: tuple[str, ...] = ()
    must_fail: tuple[str, str] | None = None


def read_declared_commands(request: Request, key: str, *formats: str) -> tuple[DeclaredCommand, ...] | None:
    """Read the commands below ``key`` of the configuration; None if the key is missing, so that tools are detected.

    Raises AdapterUsageError for an entry that can't be used.
    """
    entries = request.config.get(key)
    if entries is None:
        return None
    if not isinstance(entries, list):
        raise AdapterUsageError("is not a list of commands", where=f"configuration of code, /{key}")
    return tuple(_read_entry(entry, f"/{key}/{number}", formats) for number, entry in enumerate(entries))


def _read_entry(entry: object, pointer: str, formats: tuple[str, ...]) -> DeclaredCommand:
    where = f"configuration of code, {pointer}"
    if not isinstance(entry, dict):
        raise AdapterUsageError("is not an object", where=where)
    command, form, report = entry.get("command"), entry.get("format"), entry.get("report", "")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) and word for word in command[:1]):
        raise AdapterUsageError("has no command: a list of words", where=where)
    if form not in formats:
        raise AdapterUsageError(f"has the format {form!r}", where=where, hint=f"one of {', '.join(formats)}")
    cwd, name = entry.get("cwd", ""), entry.get("name", "")
    for text in (*command, report, cwd, name):
        if not isinstance(text, str) or "\0" in text:
            raise AdapterUsageError(f"has {text!r} where text is due", where=where)
    if not report and form != EXIT_CODE:
        raise AdapterUsageError(
            "has no report", where=where, hint='a path relative to the repository, or "-" for stdout'
        )
    for text in (report, cwd):
        if ".." in PurePosixPath(text).parts or PurePosixPath(text).is_absolute():
            raise AdapterUsageError(f"has {text!r}, which leads out of the repository", where=where)
    return DeclaredCommand(
        tuple(command),
        form,
        report,
        name or PurePosixPath(command[0]).name,
        "" if cwd == "." else cwd,
        _read_patterns(entry.get("files", []), where),
        _read_failing(entry.get("must_fail"), where),
    )


def _read_patterns(found: object, where: str) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise AdapterUsageError("has files that aren't a list of patterns", where=where)
    return tuple(found)


def _read_failing(found: object, where: str) -> tuple[str, str] | None:
    """Read the test that must fail. Raises AdapterUsageError unless it is a path and a text with a place for a name."""
    if found is None:
        return None
    path, text = (found.get("path"), found.get("text")) if isinstance(found, dict) else (None, None)
    if not isinstance(path, str) or not isinstance(text, str) or "{name}" not in path or "{name}" not in text:
        hint = 'as {"path": "tests/{name}.bats", "text": "@test \\"{name}\\" { false; }\\n"}'
        raise AdapterUsageError("has a must_fail without a path and a text with {name} in them", where=where, hint=hint)
    if ".." in PurePosixPath(path).parts or PurePosixPath(path).is_absolute() or "\0" in path:
        raise AdapterUsageError(f"has {path!r}, which leads out of the repository", where=where)
    return path, text


def run_declared(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> tuple[ToolRun, bytes]:
    """Run the command and read its report; ``b""`` for a format without one.

    A report that is part of the subject or already existed doesn't count, since its author could have written anything.
    Raises ToolFailed without a report, and if the command was killed or timed out.
    """
    report = request.repo_root / entry.report
    if entry.report not in {"", STDOUT}:
        _remove_old_report(request, files, entry.report)
    env = make_tool_environ(request)
    folders = [*_find_tool_folders(request, files, entry.cwd), *list_environment_folders(request, files)]
    env["PATH"] = os.pathsep.join([*dict.fromkeys(folders), env["PATH"]])
    try:
        run = run_tool(entry.command, cwd=request.repo_root / entry.cwd, timeout_s=TOOL_TIMEOUT_S, env=env)
    except ToolFailed as error:
        hint = (
            "it is looked for in the project's environments and node_modules, then on the caller's PATH outside the "
            "repository"
        )
        raise ToolFailed(error.message, where=error.where, hint=hint) from error
    if run.exit_code is None:
        raise run.as_failure(f"{entry.name} ended with {run.ended}")
    if not entry.report:
        return run, b""
    if entry.report == STDOUT:
        if run.truncated:
            raise ToolFailed(f"{entry.name} printed more than the output limit to stdout")
        return run, run.stdout
    if not report.parent.resolve().is_relative_to(request.repo_root.resolve()):
        raise ToolFailed(f"{entry.report!r} leads out of the repository")
    with add_tool_output(run):
        return run, read_report(report, entry.name)


def read_declared(
    request: Request, files: SubjectFiles, entry: DeclaredCommand, readers: Mapping[str, str]
) -> tuple[ToolRun, Any]:
    """Run the command and parse its report. ``readers`` maps a format to its function, ``module:name``.

    A reader takes (report, name of the tool); its result is returned. Raises ToolFailed.
    """
    run, raw = run_declared(request, files, entry)
    with add_tool_output(run):
        return run, pkgutil.resolve_name(readers[entry.format])(raw, entry.name)


def _remove_old_report(request: Request, files: SubjectFiles, report: str) -> None:
    if report in files.known or next(files.below(report), None) is not None:
        raise AdapterError(
            "the report is itself part of the subject", where=path_text(report), hint="run git rm --cached on it"
        )
    target = request.repo_root / report
    if not target.parent.resolve().is_relative_to(request.repo_root.resolve()):
        raise AdapterError("the report's folder leads out of the repository", where=path_text(report))
    try:
        target.unlink(missing_ok=True)
    except OSError as error:
        raise AdapterError(f"an old report can't be removed: {error.strerror}", where=path_text(report)) from error


def _find_tool_folders(request: Request, files: SubjectFiles, folder: str) -> Iterator[str]:
    """List bin folders of the project's environments, nearest first, without those that are part of the subject."""
    here = request.repo_root / folder
    while True:
        for name in (".venv/bin", "node_modules/.bin"):
            place: Path = here / name
            owner = place.parent.relative_to(request.repo_root).as_posix()
            if place.is_dir() and next(files.below(owner), None) is None:
                yield str(place)
        if here == request.repo_root:
            return
        here = here.parent
