"""TypeScript's compiler where there is a tsconfig.json, and ``npm run build`` where package.json has such a script."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import Built, Step, built
from code_adapter.building.text_errors import any_errors, tsc_errors
from code_adapter.environment import TOOL_TIMEOUT_S, find_node_tool, tool_environ
from code_adapter.found import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_projects import package_of, script_folders
from verigate.sdk import Request, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.untrusted import ReportInvalid, parse_json_object


def detect(request: Request, files: SubjectFiles) -> Iterator[Step | Missing]:
    """A step for each topmost tsconfig.json and for each topmost package.json with a build script."""
    for folder in files.projects("tsconfig.json"):
        program = find_node_tool(request, files, folder, "tsc")
        if program is None:
            yield Missing("tsc", folder, "tsc is not installed in the project")
        else:
            yield Step("tsc", folder, partial(run_tsc, request, folder, program))
    for folder in script_folders(files):
        scripts = package_of(files, folder).get("scripts")
        if not isinstance(scripts, dict) or not isinstance(scripts.get("build"), str):
            continue
        if shutil.which("npm", path=tool_environ(request)["PATH"]) is None:
            yield Missing("npm", folder, "npm is not installed")
        else:
            yield Step("npm", folder, partial(run_npm, request, folder))


def run_tsc(request: Request, folder: str, program: str) -> Built:
    """Check types without writing; a solution of several projects is built, for that is how its parts are checked."""
    texts, env = Texts(request.repo_root), tool_environ(request)
    where = request.repo_root / folder
    shown = run_tool([program, "--showConfig", "-p", "tsconfig.json"], cwd=where, timeout_s=TOOL_TIMEOUT_S, env=env)
    try:
        references = parse_json_object(shown.stdout, "tsc").get("references") if shown.exit_code == 0 else None
    except ReportInvalid:
        references = None
    mode = ["--build", "tsconfig.json"] if references else ["--noEmit", "-p", "tsconfig.json"]
    run = run_tool([program, *mode, "--pretty", "false"], cwd=where, timeout_s=TOOL_TIMEOUT_S, env=env)
    return built("tsc", folder, run, texts, tsc_errors(run, texts, folder))


def run_npm(request: Request, folder: str) -> Built:
    """Run the build script as the project's developers do."""
    texts = Texts(request.repo_root)
    env = tool_environ(request, npm_config_update_notifier="false", npm_config_fund="false")
    run = run_tool(["npm", "run", "build"], cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env)
    return built("npm", folder, run, texts, any_errors(run, texts, folder))
