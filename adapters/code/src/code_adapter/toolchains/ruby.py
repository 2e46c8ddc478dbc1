"""Ruby: projects, what their tests are written with, and how their programs are called."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_user_home, make_tool_environ
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.test_paths import PATH_RULES, RUBY_HELPER
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool

RSPEC, MINITEST, TEST_UNIT = "rspec", "minitest", "test-unit"
_SUFFIX = ".rb"
_MARKERS = ("Gemfile", "Rakefile", ".rspec", "gems.rb")
_GEMFILES = ("Gemfile", "gems.rb")
_OF_RSPEC = re.compile(r"\bRSpec\b")
_OF_MINITEST = re.compile(
    r"\bMini[Tt]est\b|['\"]minitest\b|\b(?:ActiveSupport::TestCase|Action\w+::(?:Integration)?Test\w*|Rails::Generators::TestCase)\b"
)
_OF_TEST_UNIT = re.compile(r"\bTest::Unit\b|['\"]test/unit\b|['\"]test-unit\b")
_INSTALL = "apt-get install ruby ruby-rspec ruby-minitest rake"
_LACKS = re.compile(
    r"Could not find (?P<gem>\S+)(?: \([^)\n]*\))? in (?:any of the sources|locally installed gems|rubygems repository)"
    r"|Could not find gem '(?P<asked>[^'\n]+)'|bundler: command not found: (?P<program>\S+)"
    r"|Could not find '(?P<required>[\w.-]+)' \([^)\n]*\)"
)


@dataclass(frozen=True)
class RubyProject:
    """A project in ``folder`` ("" is the root). ``tests`` maps what they are written with to test files, sorted."""

    folder: str
    tests: dict[str, tuple[str, ...]]
    bundled: bool

    def make_command(self, *words: str) -> list[str]:
        """Make the command that runs a program of the project's own gems, where it names these."""
        return ["bundle", "exec", *words] if self.bundled else list(words)

    def find_missing(self, request: Request, tool: str, program: str) -> Missing | None:
        """Say that the program, or what starts it, isn't installed; None if it is."""
        wanted = "bundle" if self.bundled else program
        if shutil.which(wanted, path=request.project_path) is not None:
            return None
        install = "apt-get install bundler" if self.bundled else _INSTALL
        return Missing(tool, self.folder, f"{wanted} is not installed: install it (on Debian: {install})")


def find_projects(files: SubjectFiles) -> Iterator[RubyProject]:
    """Yield each topmost project that has test files, and the root for test files outside of all projects."""
    tests = [path for path in files.paths if _is_test_file(path)]
    for folder in dict.fromkeys((*files.projects(*_MARKERS), "")):
        start = f"{folder}/" if folder else ""
        own = [path for path in tests if path.startswith(start)]
        tests = [path for path in tests if path not in own]
        if found := _sort_tests(files, folder, own):
            yield RubyProject(folder, found, any(f"{start}{name}" in files.known for name in _GEMFILES))


def find_framework(text: str) -> str | None:
    """Find what a test file is written with; None if it doesn't say so."""
    if _OF_RSPEC.search(text):
        return RSPEC
    if _OF_MINITEST.search(text):
        return MINITEST
    return TEST_UNIT if _OF_TEST_UNIT.search(text) else None


def _is_test_file(path: str) -> bool:
    if not path.endswith(_SUFFIX):  # nearly all paths of a large repository end here
        return False
    pure = PurePosixPath(path)
    skipped = LANGUAGES["ruby"].skipped_folders
    return (
        PATH_RULES["ruby"].is_collected(pure, ())
        and not any(PurePosixPath(folder).match(pattern) for folder in pure.parts[:-1] for pattern in skipped)
        and not {"fixtures", "support", "templates", "examples"}.intersection(pure.parts[:-1])
    )


def _sort_tests(files: SubjectFiles, folder: str, paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Sort test files by what they are written with. What a file doesn't say, its helper and its name do."""
    if not paths:
        return {}
    helpers = [path for path in files.below(folder) if RUBY_HELPER.fullmatch(path.rpartition("/")[2])]
    said = {path: find_framework(files.text(path)) for path in (*helpers, *paths)}
    start = f"{folder}/" if folder else ""
    of_rspec = f"{start}.rspec" in files.known or RSPEC in said.values()
    of_minitest = MINITEST in said.values()
    found: dict[str, list[str]] = {}
    for path in paths:
        by_name = RSPEC if path.endswith("_spec.rb") and of_rspec else None
        rest = MINITEST if of_minitest else TEST_UNIT if TEST_UNIT in said.values() else None
        framework = said[path] or by_name or rest
        if framework is not None:
            found.setdefault(framework, []).append(path)
    return {framework: tuple(sorted(own)) for framework, own in found.items()}


def run_ruby(request: Request, project: RubyProject, argv: Sequence[str], *, preload: Path | None = None) -> ToolRun:
    """Run a command in the project's folder; every Ruby that it starts loads ``preload`` first."""
    env = make_tool_environ(request) | _list_gems(request, project.folder)
    if preload is not None:
        env["RUBYOPT"] = f"-r{preload}"
    return run_tool(argv, cwd=request.repo_root / project.folder, timeout_s=TOOL_TIMEOUT_S, env=env)


def _list_gems(request: Request, folder: str) -> dict[str, str]:
    """List the variables by which Ruby finds gems that the user has installed, or that lie in the project."""
    found = {}
    if "GEM_HOME" not in request.environ and "GEM_PATH" not in request.environ:
        home = find_user_home()
        places = [*home.glob(".gem/ruby/*"), *home.glob(".local/share/gem/ruby/*")]
        if own := sorted(str(place) for place in places if (place / "specifications").is_dir()):
            # An empty part at the end stands for what Ruby has by itself.
            found["GEM_PATH"] = os.pathsep.join([*own, ""])
    own_bundle = request.repo_root / folder / "vendor/bundle"
    if own_bundle.is_dir():
        found["BUNDLE_PATH"] = str(own_bundle)
    return found


def require_gems(run: ToolRun, project: RubyProject) -> None:
    """Raise ToolFailed if a program failed because gems are not on this machine."""
    if run.exit_code == 0:
        return
    text = clean_text(run.stdout + b"\n" + run.stderr)
    lacking = sorted({next(filter(None, each)) for each in _LACKS.findall(text)})
    if lacking:
        hint = "run bundle install in that folder, with a network" if project.bundled else f"install it ({_INSTALL})"
        named = ", ".join(lacking[:5])
        raise ToolFailed(
            f"Ruby lacks gems that are not on this machine: {named}", where=project.folder or ".", hint=hint
        )
