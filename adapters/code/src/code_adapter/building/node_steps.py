"""Build steps of Node projects: tsc for a tsconfig.json, ``npm run build`` if package.json has that script."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

from code_adapter.building.steps import BuildResult, BuildStep, finish_step
from code_adapter.building.text_errors import parse_any_errors, parse_tsc_errors
from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_node_tool, make_npm_options, make_tool_environ
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from code_adapter.testing.node_programs import explain_missing, lacks_modules
from code_adapter.testing.node_projects import find_script_folders
from code_adapter.testing.node_workspaces import join_path, read_package
from verigate.sdk import Request, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import uses_typescript
from verigate.sdk.reports.untrusted import ReportInvalid, parse_json_object

_BUILDS = re.compile(r"\btsc\s+(?:--build|-b)\b")
_ALONE = re.compile(
    r"tsc(?:\s+(?:-p|--project)\s+(?:\./?|(?:\./)?tsconfig\.json))?(?:\s+--noEmit)?|tsc\s+(?:--build|-b)"
)
"""Scripts that are tsc for the tsconfig.json of their folder, and nothing else."""

_HAS_PARTS = re.compile(r"references|\\u", re.IGNORECASE)
"""What a tsconfig.json with project references has, also with a name that is written by escapes."""


def detect(request: Request, files: SubjectFiles) -> Iterator[BuildStep | Missing]:
    """Yield a step for each topmost tsconfig.json and each topmost package.json with a build script.

    A script that is tsc alone runs once: what it builds is what the step of tsc would check.
    """
    built: dict[str, Callable[[], BuildResult]] = {}
    for folder in find_script_folders(files):
        scripts = read_package(files, folder).get("scripts")
        if not isinstance(scripts, dict) or not isinstance(scripts.get("build"), str):
            continue
        if shutil.which("npm", path=make_tool_environ(request)["PATH"]) is None:
            yield Missing("npm", folder, "npm is not installed")
        elif lacks_modules(request, files, folder):
            yield Missing("npm", folder, explain_missing(request, files, folder, "what `npm run build` needs"))
        else:
            built[folder] = cache(partial(run_npm, request, files, folder))
            yield BuildStep("npm", folder, built[folder])
    # Last: types of packages in the workspace may be an output of the build.
    packages = [read_package(files, path.rpartition("/")[0]) for path in files.known if is_package(path)]
    for folder in files.projects("tsconfig.json") if not packages or any(map(uses_typescript, packages)) else ():
        program = find_node_tool(request, files, folder, "tsc")
        if program is None:
            yield Missing("tsc", folder, explain_missing(request, files, folder, "tsc"))
        else:
            check = partial(run_tsc, request, folder, program, in_builds=_calls_builds(files, folder))
            is_same = folder in built and _is_tsc_alone(request, files, folder, program)
            yield BuildStep("tsc", folder, partial(reuse_build, built[folder], check) if is_same else check)


def is_package(path: str) -> bool:
    """Whether a path is the package.json of a project."""
    folders = path.split("/")[:-1]
    return path.rpartition("/")[2] == "package.json" and not NOT_PROJECTS.intersection(folders)


def _calls_builds(files: SubjectFiles, folder: str) -> bool:
    """Whether the package's own build script calls ``tsc --build``."""
    scripts = read_package(files, folder).get("scripts") if join_path(folder, "package.json") in files.known else None
    script = scripts.get("build") if isinstance(scripts, dict) else None
    return isinstance(script, str) and _BUILDS.search(script) is not None


def _is_tsc_alone(request: Request, files: SubjectFiles, folder: str, program: str) -> bool:
    """Whether ``npm run build`` starts ``program`` for the folder's tsconfig.json and does nothing else.

    An .npmrc may name another shell, which could run anything in place of the script. With project references tsc
    checks the parts only if it builds.
    """
    scripts = read_package(files, folder).get("scripts")
    if not isinstance(scripts, dict) or {"prebuild", "postbuild"} & scripts.keys():
        return False
    script = str(scripts.get("build")).strip()
    parents = [folder, *(folder.rsplit("/", depth)[0] for depth in range(1, folder.count("/") + 1)), ""]
    # Also as a link, which is no file of the subject.
    if not _ALONE.fullmatch(script) or any(os.path.lexists(request.repo_root / each / ".npmrc") for each in parents):
        return False
    if not program.endswith("/node_modules/.bin/tsc"):
        return False
    settings = files.text(join_path(folder, "tsconfig.json"))
    return bool(_BUILDS.search(script)) or not _HAS_PARTS.search(settings)


def reuse_build(build: Callable[[], BuildResult], check: Callable[[], BuildResult]) -> BuildResult:
    """Return the result of ``build`` as that of tsc; what failed is checked again, for errors that can be read."""
    done = build()
    return check() if done.exit_code or done.errors else replace(done, tool="tsc")


def run_tsc(request: Request, folder: str, program: str, *, in_builds: bool = False) -> BuildResult:
    """Check types without writing files; a solution with project references is built, which checks its parts.

    So is one that the project builds (``in_builds``): the declarations that its build wrote are no sources then.
    """
    texts, env = Texts(request.repo_root), make_tool_environ(request)
    where = request.repo_root / folder
    shown = run_tool([program, "--showConfig", "-p", "tsconfig.json"], cwd=where, timeout_s=TOOL_TIMEOUT_S, env=env)
    try:
        references = parse_json_object(shown.stdout, "tsc").get("references") if shown.exit_code == 0 else None
    except ReportInvalid:
        references = None
    mode = ["--build", "tsconfig.json"] if references or in_builds else ["--noEmit", "-p", "tsconfig.json"]
    run = run_tool([program, *mode, "--pretty", "false"], cwd=where, timeout_s=TOOL_TIMEOUT_S, env=env)
    return finish_step("tsc", folder, run, texts, parse_tsc_errors(run, texts, folder))


def run_npm(request: Request, files: SubjectFiles, folder: str) -> BuildResult:
    """Run the build script of package.json."""
    texts = Texts(request.repo_root)
    env = make_tool_environ(request, **make_npm_options(read_package(files, folder)))
    run = run_tool(["npm", "run", "build"], cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env)
    return finish_step("npm", folder, run, texts, parse_any_errors(run, texts, folder))
