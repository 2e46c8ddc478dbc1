"""Run ruff on the whole project, or as the configuration calls it, with the project's settings.

Each finding is an error.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.lint.configured_calls import LintCall, join_words, read_linter_calls
from code_adapter.lint.linters import Linter
from code_adapter.python_environment import find_project_script, find_python
from code_adapter.python_programs import module_command
from code_adapter.python_programs import to_command_line as as_typed
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from verigate.sdk import Request, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.pre_commit_pins import CONFIG_FILE, read_pinned_version
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.subject.repository import Repository

TOOL = "ruff"
_SOURCES = (".py", ".pyi", ".ipynb")
_PATTERN = re.compile(r"[*?\[\]{},\\]")
_CONFIGURED = ("ruff.toml", ".ruff.toml")
_CHECKING = re.compile(rb"\[DEBUG\] Checking: (.+)")
_ASKED_AT_ONCE = 200


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing]:
    """Yield a run at the root for each call; ruff finds nested configuration itself."""
    calls = read_linter_calls(request, files).get(TOOL, ())
    if not any(path.endswith(_SOURCES) and not NOT_PROJECTS.intersection(path.split("/")[:-1]) for path in files.paths):
        return
    program = _program(request, files, configured=bool(calls) or _is_configured(files))
    if program is None:
        pinned = read_pinned_version(files.text(CONFIG_FILE), "ruff")
        why = f"ruff {pinned}, which {CONFIG_FILE} pins, is not installed" if pinned else "ruff is not installed"
        yield Missing("ruff", "", why, due=bool(calls) or _is_configured(files))
    else:
        for call in calls or (None,):
            yield Linter("ruff", "", partial(run_ruff, request, program, call))


def _is_configured(files: SubjectFiles) -> bool:
    if any(path.rpartition("/")[2] in _CONFIGURED for path in files.paths):
        return True
    return "ruff" in files.toml("pyproject.toml").get("tool", {})


def _program(request: Request, files: SubjectFiles, *, configured: bool) -> tuple[str, ...] | None:
    """Find the project's ruff, else the one on PATH, else the gate's own for a project that configures ruff.

    Never one that is part of the subject. The gate's own is taken only where the project doesn't pin another version
    for pre-commit: others find other things.
    """
    program = find_project_script(request, files, "", "ruff")
    if program is not None:
        return (program,)
    module = find_python(request, files, "", ("ruff",))
    if module is not None and module.origin == "project":
        return tuple(module_command(module.executable, "ruff"))
    found = shutil.which("ruff", path=make_tool_environ(request)["PATH"])
    if found is not None and not _is_subjects(found, files):
        return (found,)
    own = Path(sys.executable).with_name("ruff")
    if not configured or not os.access(own, os.X_OK):
        return None
    pinned = read_pinned_version(files.text(CONFIG_FILE), "ruff")
    return (str(own),) if pinned in {None, _read_version(request, (str(own),))} else None


def _is_subjects(program: str, files: SubjectFiles) -> bool:
    path = Path(program)
    return path.is_relative_to(files.root) and path.relative_to(files.root).as_posix() in files.known


def run_ruff(request: Request, program: tuple[str, ...], configured: LintCall | None = None) -> LintRun:
    """Return the findings and the checked files. Raises ToolFailed if either is missing.

    A configured call that checks no file is an error as well.
    """
    texts = Texts(request.repo_root)
    call = configured or LintCall()
    words = (*_every_file(request), *call.options)
    argv = [*program, "check", "--no-fix", "--no-cache", *words, "--output-format", "json", *call.places]
    run = _ruff(request, argv, 0, 1)
    found = tuple(sorted(_findings(run, texts)))
    # ruff exits with 1 for findings and with 0 without; with any other code the report is incomplete.
    if bool(found) != (run.exit_code == 1):
        raise run.as_failure(f"ruff ended with {run.ended} but reports {len(found)} findings")
    listed = _ruff(request, [*program, "check", "--no-cache", *words, "--show-files", *call.places], 0)
    shown = (texts.path(os.fsdecode(line)) for line in listed.stdout.splitlines())
    checked = tuple(sorted(path for path in shown if path is not None and path.endswith(_SOURCES)))
    if configured is not None and not checked:
        raise run.as_failure(f"ruff checked no file with {' '.join(join_words(call))}")
    exit_code = run.exit_code if run.exit_code is not None else -1
    typed = as_typed(argv) if program[1:] else argv
    ask = partial(_find_excluded, request, program, frozenset(checked), configured)
    version = _read_version(request, program)
    return LintRun("ruff", version, "", checked, found, tuple(texts.argv(typed)), exit_code, ask=ask)


def _find_excluded(
    request: Request,
    program: tuple[str, ...],
    shown: frozenset[str],
    call: LintCall | None,
    asked: Sequence[str],
) -> dict[str, str]:
    """Find the ``asked`` files that ruff doesn't check: those that it doesn't list, and those of ``lint.exclude``.

    ``--show-files`` lists the latter all the same; what ruff checks is only in its log.
    """
    why = "ruff's defaults or settings exclude it" if call is None else "no configured call of ruff looks at it"
    left = {path: why for path in asked if path not in shown}
    own = [each for each in (call.options if call is not None else ()) if each != "--force-exclude"]
    listed = [path for path in asked if path in shown]
    texts = Texts(request.repo_root)
    for start in range(0, len(listed), _ASKED_AT_ONCE):
        some = listed[start : start + _ASKED_AT_ONCE]
        fixed = ("--verbose", "--no-fix", "--no-cache", "--exit-zero", "--force-exclude")
        options = (*fixed, *_every_file(request), *own)
        run = _ruff(request, [*program, "check", *options, "--", *some], 0)
        checked = {texts.path(os.fsdecode(line)) for line in _CHECKING.findall(run.stderr + run.stdout)}
        left |= {path: "ruff's lint.exclude leaves it out" for path in some if path not in checked}
    return left


def _read_version(request: Request, program: tuple[str, ...]) -> str | None:
    words = _ruff(request, [*program, "--version"], 0).stdout.decode("utf-8", "replace").split()
    return words[-1] if words else None


def _every_file(request: Request) -> Iterator[str]:
    """Yield options that keep the subject's .gitignore and .ignore from excluding its own files.

    The gate's checkout contains only the subject, the project's environments and what installing it generated; a folder
    in a call by hand anything.
    """
    if request.gated:
        yield "--no-respect-gitignore"
        listed = Repository(request.repo_root, request.environ).entries(
            "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
        )
        for path in map(os.fsdecode, listed):
            if not _PATTERN.search(path):
                yield f"--extend-exclude={request.repo_root}/{path.rstrip('/')}"
        yield "--extend-exclude=.venv,venv,node_modules"


def _ruff(request: Request, argv: list[str], *expected: int) -> ToolRun:
    env = {name: value for name, value in make_tool_environ(request).items() if not name.startswith("RUFF_")}
    run = run_tool(argv, cwd=request.repo_root, timeout_s=TOOL_TIMEOUT_S, env=env)
    if run.exit_code not in expected or run.truncated:
        raise run.as_failure(f"ruff ended with {run.ended}")
    return run


def _findings(run: ToolRun, texts: Texts) -> Iterator[LintFinding]:
    try:
        items = json.loads(run.stdout)
        for item in items:
            place = item["location"]
            yield LintFinding(
                texts.path(item["filename"]) or texts.message(item["filename"]),
                int(place["row"]),
                int(place["column"]),
                item["code"] or "syntax-error",
                "error",
                texts.message(item["message"]),
                "ruff",
            )
    except (KeyError, TypeError, ValueError, RecursionError) as problem:
        raise run.as_failure(f"ruff left no readable report ({problem})") from problem
