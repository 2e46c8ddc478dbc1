"""Run the commands around a runner in a test script, such as builds: a failed one is a failed test."""

from __future__ import annotations

import os
from collections.abc import Sequence

from code_adapter.environment import TOOL_TIMEOUT_S, make_npm_options, make_tool_environ
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_options import expand_pattern
from code_adapter.testing.node_programs import list_program_folders
from code_adapter.testing.node_workspaces import join_path, read_package
from verigate.sdk import Request, ToolFailed, ToolRun, run_tool
from verigate.sdk.npm_scripts import OtherCommand
from verigate.sdk.npm_scripts.shell_words import Pattern
from verigate.sdk.reports.outcomes import Case


def make_node_environ(request: Request, files: SubjectFiles, folder: str, **more: str) -> dict[str, str]:
    """Make the environment of a script in ``folder``: the programs of its node_modules come first on PATH."""
    options = make_npm_options(read_package(files, folder))
    env = make_tool_environ(request, **options, **_make_npm_variables(request, files, folder), **more)
    env["PATH"] = os.pathsep.join([*list_program_folders(request, files, folder), env["PATH"]])
    return env


def _make_npm_variables(request: Request, files: SubjectFiles, folder: str) -> dict[str, str]:
    """Make the variables that npm sets for a script. Source: https://docs.npmjs.com/cli/using-npm/scripts#environment."""
    if join_path(folder, "package.json") not in files.known:
        return {}
    package = read_package(files, folder)
    named = {key: package.get(key) for key in ("name", "version", "type")}
    texts = {f"npm_package_{key}": text for key, text in named.items() if isinstance(text, str) and "\0" not in text}
    place = str(request.repo_root / folder)
    return texts | {
        "npm_lifecycle_event": "test",
        "npm_package_json": f"{place}/package.json",
        "INIT_CWD": place,
    }


def run_commands(
    request: Request, files: SubjectFiles, folder: str, commands: Sequence[OtherCommand]
) -> tuple[Case, ...]:
    """Run ``commands`` one after the other; return the first that failed as a failed test, or nothing."""
    for command in commands:
        run = run_command(request, files, folder, command)
        if run.exit_code != 0:
            message = run.add_cause(f"ended with {run.ended}")
            return (Case(command.text, "failed", message=f"{message}\n{run.tail()}"),)
    return ()


def run_command(request: Request, files: SubjectFiles, folder: str, command: OtherCommand) -> ToolRun:
    """Run one command of a script. Raises ToolFailed if its program isn't there."""
    place = request.repo_root / folder / command.folder
    words = [
        name
        for word in command.words
        for name in (expand_pattern(place, word) if isinstance(word, Pattern) else [word])
    ]
    env = make_node_environ(request, files, folder, **dict(command.variables))
    try:
        return run_tool(words, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
    except ToolFailed as error:
        hint = "install what the project needs, or declare the command for its tests in config/adapters.json"
        raise ToolFailed(
            f"{error.message} (in the test script: {command.text})", where=error.where, hint=hint
        ) from error
