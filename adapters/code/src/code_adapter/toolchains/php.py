"""PHP: the projects that PHPUnit tests, their program, and their settings."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.integrity.languages.test_paths import PATH_RULES
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolRun, run_tool

PHPUNIT = "phpunit"
SETTINGS = ("phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist")
"""In the order in which PHPUnit takes one."""

_COMPOSER = "composer.json"
_SUFFIX = ".php"
_OPTIONS = ("--colors=never", "--no-coverage", "--do-not-cache-result")
_OF_PHPUNIT = re.compile(r"\bPHPUnit\b|\bextends\s+\\?(?:\w+\\)*\w*TestCase\b")
_FAILS_RISKY = re.compile(r"<phpunit\b[^>]*\bfailOnRisky\s*=\s*[\"']true[\"']")
_OF_PEST = re.compile(r"^\s*(?:it|test|describe|arch)\s*\(\s*['\"]", re.MULTILINE)


@dataclass(frozen=True)
class PhpProject:
    """A project in ``folder`` ("" is the root), its ``settings`` ("" without any), and its test files.

    ``fails_risky`` is whether its settings let tests fail that PHPUnit calls risky, as those without an assertion.
    """

    folder: str
    settings: str
    tests: tuple[str, ...]
    fails_risky: bool
    command: tuple[str, ...] = ()


def find_projects(request: Request, files: SubjectFiles) -> Iterator[PhpProject | Missing]:
    """Yield each topmost project that has tests of PHPUnit."""
    tests = [path for path in files.paths if _is_test_file(path)]
    for folder in dict.fromkeys((*files.projects(*SETTINGS, _COMPOSER), "")):
        start = f"{folder}/" if folder else ""
        own = [path for path in tests if path.startswith(start)]
        tests = [path for path in tests if path not in own]
        if own := [path for path in own if is_of_phpunit(files.text(path))]:
            settings = next((start + name for name in SETTINGS if start + name in files.known), "")
            risky = bool(settings) and _FAILS_RISKY.search(files.text(settings)) is not None
            yield _find_program(request, files, PhpProject(folder, settings, tuple(sorted(own)), risky))


def is_of_phpunit(text: str) -> bool:
    """Whether PHPUnit runs a test file; Pest's files have no class."""
    return bool(_OF_PHPUNIT.search(text)) and not _OF_PEST.search(text)


def _is_test_file(path: str) -> bool:
    if not path.endswith(_SUFFIX):  # nearly all paths of a large repository end here
        return False
    pure = PurePosixPath(path)
    return PATH_RULES["php"].is_collected(pure, ()) and not {"vendor", "fixtures", "node_modules"}.intersection(
        pure.parts
    )


def _find_program(request: Request, files: SubjectFiles, project: PhpProject) -> PhpProject | Missing:
    """Find the PHPUnit that composer installed; else the one on PATH, unless composer.json asks for its own."""
    start = f"{project.folder}/" if project.folder else ""
    own = request.repo_root / f"{start}vendor/bin/{PHPUNIT}"
    if shutil.which("php", path=request.project_path) is None:
        why = "php is not installed: install it (on Debian: apt-get install php-cli phpunit)"
        return Missing(PHPUNIT, project.folder, why)
    if own.is_file() and next(files.below(f"{start}vendor/bin"), None) is None:
        return replace(project, command=("php", str(own)))
    if "phpunit/phpunit" in (files.text(f"{start}{_COMPOSER}") if f"{start}{_COMPOSER}" in files.known else ""):
        return Missing(PHPUNIT, project.folder, f"{start}vendor/bin/{PHPUNIT} is not installed: run composer install")
    if shutil.which(PHPUNIT, path=request.project_path) is not None:
        return replace(project, command=(PHPUNIT,))
    why = f"{PHPUNIT} is not installed: run composer require --dev phpunit/phpunit (on Debian: apt-get install phpunit)"
    return Missing(PHPUNIT, project.folder, why)


def run_phpunit(request: Request, project: PhpProject, arguments: Sequence[str]) -> ToolRun:
    """Run PHPUnit in the project's folder, without its measurement of coverage and without notes for the next run."""
    argv = (*project.command, *_OPTIONS, *arguments)
    return run_tool(
        argv, cwd=request.repo_root / project.folder, timeout_s=TOOL_TIMEOUT_S, env=make_tool_environ(request)
    )
