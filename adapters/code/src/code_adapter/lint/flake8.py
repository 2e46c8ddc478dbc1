"""Run flake8 where the project configures it, or as the configuration calls it, with the environment's plug-ins.

Each violation is an error. Sources: flake8 3.9 to 7, ``flake8 --help``, ``flake8.style_guide``, ``flake8.checker``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from code_adapter.detection import Unexamined
from code_adapter.environment import PROBE_TIMEOUT_S, TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.excluded_tools import is_excluded
from code_adapter.lint.configured_calls import EVERYTHING, LintCall, read_linter_calls
from code_adapter.lint.linters import Linter
from code_adapter.python_environment import describe_install, find_project_script
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles, filter_topmost
from verigate.sdk import Request, ToolRun, clean_text, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding

TOOL = "flake8"
LOADS_ITS_OWN = "its settings load plug-ins from the project ([flake8:local-plugins]), which could report anything"
SEVERAL = "more than one file configures it here, and flake8 reads one of them"
NOT_INSTALLED = "it is not installed in the project's environment, in version 3.9 or later"
_FILES = {".flake8", "setup.cfg", "tox.ini"}
_SECTION = re.compile(r"^\[flake8\]", re.MULTILINE)
_PLUGINS = re.compile(r"^\s*\[\s*flake8:local[-_]plugins", re.MULTILINE)
_CALLED = "config/adapters.json"
"""What calls it where the project has no settings for it."""

_MARK = "verigate"
_FORMAT = f"--format={_MARK}\t%(path)s\t%(row)d\t%(col)d\t%(code)s\t%(text)s"
_OPTIONS = (_FORMAT, "--output-file=", "--no-show-source", "--benchmark")
_COUNTED = re.compile(r"^(\d+)\s+total files processed$", re.MULTILINE)
_OLDEST = (3, 9)
"""The first with --no-show-source."""

_MOST_ASKED = 50
_PATTERN = re.compile(r"[*?\[\],\s]")


@dataclass(frozen=True, slots=True)
class Flake8Call:
    """A program of a known version with what it is called with. A target starts with ``./``; none is in another."""

    program: str
    options: tuple[str, ...]
    targets: tuple[str, ...]
    version: str

    def names(self, path: str) -> bool:
        """Whether a target is the file ``path``, which starts with ``./`` too, or a folder that holds it."""
        return any(_holds(target, path) for target in self.targets)


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Unexamined]:
    """Yield a run for each topmost folder that configures it, if the project has it installed.

    Calls of the configuration take the place of these: they run at the root.
    """
    calls = read_linter_calls(request, files).get(TOOL, ())
    places = _find_settings(files) if not calls else {"": next(_list_settings(files, ""), _CALLED)}
    for folder in filter_topmost(sorted(places)):
        targets = _list_targets(files, folder)
        if not targets:
            continue
        program = find_project_script(request, files, folder, TOOL)
        version = _read_version(request, program) if program is not None else None
        if is_excluded(request, TOOL, places[folder]):
            yield Unexamined(TOOL, places[folder], "")
        elif any(_PLUGINS.search(files.text(path)) for path in _list_settings(files, folder)):
            yield Unexamined(TOOL, places[folder], LOADS_ITS_OWN)
        elif sum(bool(_SECTION.search(files.text(path))) for path in _list_settings(files, folder)) > 1:
            yield Unexamined(TOOL, places[folder], SEVERAL)
        elif program is None or version is None:
            how = describe_install(request, files, folder, TOOL)
            yield Unexamined(TOOL, places[folder], f"{NOT_INSTALLED}: {how}")
        else:
            for call in calls or (LintCall(),):
                own = targets if EVERYTHING in call.places else [f"./{place}" for place in call.places]
                start = Flake8Call(program, call.options, tuple(own), version)
                yield Linter(TOOL, folder, partial(run_flake8, request, folder, start))


def _find_settings(files: SubjectFiles) -> dict[str, str]:
    """Find the folders that configure it, each with the file that does."""
    places: dict[str, str] = {}
    for path in sorted(files.paths):
        folder, _, name = path.rpartition("/")
        own = name in _FILES and not NOT_PROJECTS.intersection(folder.split("/"))
        if own and folder not in places and (name == ".flake8" or _SECTION.search(files.text(path))):
            places[folder] = path
    return places


def _list_settings(files: SubjectFiles, folder: str) -> Iterator[str]:
    """Yield the files of ``folder`` that flake8 may read, whichever it takes."""
    yield from (path for name in sorted(_FILES) if (path := f"{folder}/{name}".lstrip("/")) in files.known)


def _list_targets(files: SubjectFiles, folder: str) -> list[str]:
    """List the files and folders directly in ``folder`` that have Python in them.

    An environment or what git ignores is none of them. An option that excludes these would take the place of the
    project's own ``extend-exclude``.
    """
    start = len(folder) + 1 if folder else 0
    below = [path[start:] for path in files.below(folder) if path.endswith(".py")]
    return sorted({f"./{path.partition('/')[0]}" for path in below})


def run_flake8(request: Request, folder: str, call: Flake8Call) -> LintRun:
    """Return the violations and the number of files. Raises ToolFailed if its output contradicts how it ended."""
    texts = Texts(request.repo_root)
    run = _start(request, folder, (call.program, *_OPTIONS, *call.options, *call.targets))
    found = tuple(sorted(_read_findings(run, folder, texts)))
    checked = _count_files(run)
    if run.exit_code not in {0, 1} or run.truncated or (run.exit_code == 1 and not found):
        raise run.as_failure(f"flake8 ended with {run.ended} but reports {len(found)} violations", where=folder or ".")
    if not checked:
        raise run.as_failure("flake8 checked no file", where=folder or ".")
    ask = partial(_find_left, partial(_count_walked, request, folder, call), call, f"{folder}/" if folder else "")
    shown = tuple(texts.argv((call.program, *call.options, *call.targets)))
    return LintRun(TOOL, call.version, folder, (), found, shown, run.exit_code or 0, checked, ask)


def _find_left(
    count: Callable[[Sequence[str]], int], call: Flake8Call, start: str, asked: Sequence[str]
) -> dict[str, str]:
    """Find the ``asked`` files that flake8 doesn't check: all are counted at once, and each where some are missing."""
    near = {path: f"./{path.removeprefix(start)}" for path in asked if path.startswith(start)}
    left = {path: "flake8 is configured for another folder" for path in asked if path not in near}
    left |= {path: "no configured call of flake8 looks at it" for path in near if not call.names(near[path])}
    left |= {path: "flake8 can't be asked about this name" for path in near if _PATTERN.search(path)}
    own = [path for path in near if path not in left]
    if not own or count([near[path] for path in own]) == len(own):
        return left
    why = "flake8's settings or its configured call exclude it" if call.options else "flake8's settings exclude it"
    left |= {path: why for path in own[:_MOST_ASKED] if not count([near[path]])}
    return left | dict.fromkeys(own[_MOST_ASKED:], f"flake8 was asked about {_MOST_ASKED} files alone")


def _count_walked(request: Request, folder: str, call: Flake8Call, paths: Sequence[str]) -> int:
    """Count which of the ``paths`` flake8 checks of what it is called with.

    It would check an excluded file that is named as an argument; ``--filename`` only chooses among what it walks.
    """
    chosen = [each for each in call.targets if any(_holds(each, path) for path in paths)]
    options = (*_OPTIONS, *call.options, f"--filename={','.join(paths)}")
    return _count_files(_start(request, folder, (call.program, *options, *chosen))) if chosen else 0


def _holds(target: str, path: str) -> bool:
    return path == target or path.startswith(f"{target}/")


def _start(request: Request, folder: str, argv: Sequence[str]) -> ToolRun:
    place = Path(request.repo_root) / folder
    return run_tool(argv, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=make_tool_environ(request))


def _read_version(request: Request, program: str) -> str | None:
    """Return the version; None if it doesn't say one or is older than 3.9."""
    env = make_tool_environ(request)
    run = run_tool([program, "--version"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    found = re.match(r"(\d+)\.(\d+)[\w.]*", clean_text(run.stdout))
    if run.exit_code or found is None or (int(found[1]), int(found[2])) < _OLDEST:
        return None
    return found[0]


def _count_files(run: ToolRun) -> int:
    found = _COUNTED.findall(clean_text(run.stdout))
    return int(found[-1]) if found else 0


def _read_findings(run: ToolRun, folder: str, texts: Texts) -> Iterator[LintFinding]:
    for fields in _split_lines(clean_text(run.stdout).splitlines()):
        path, line, column, rule, message = fields
        shown = texts.path(path, folder) or texts.message(path)
        yield LintFinding(shown, int(line), int(column), rule, "error", texts.message(message), TOOL)


def _split_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    for line in lines:
        mark, *fields = line.split("\t", 5)
        if mark == _MARK and len(fields) == 5 and fields[1].isdecimal() and fields[2].isdecimal():
            yield fields
