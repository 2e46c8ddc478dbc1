"""Which lines of changed files a test executes on the code of the subject, by the means of its language.

Python: coverage.py, with a context for each test. Go: a cover profile for each test. JavaScript: V8's own counts, of
files that run as they are written. What isn't seen this way is not known, which is not the same as not executed.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from code_adapter.counterfactual.cell_runs import CellRun, CellRunner, TestName
from code_adapter.counterfactual.changed_lines import ChangedCode, ChangedFile
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.go_cells import GoCells
from code_adapter.counterfactual.node_cells import NodeCells
from code_adapter.counterfactual.python_cells import PythonCells
from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.go_suite import read_module
from verigate.sdk import Request, run_tool

EXPORT = Path(__file__).with_name("lines_export.py")
MOST_ALONE = 20
"""Most tests that run one by one to be measured."""

_PATCHES_PROGRAMS = (7, 13)
"""The first coverage.py whose installation lets it see Python programs that tests start."""

_MOST_BYTES = 256 << 20
_PROFILE = re.compile(r"^(?P<file>.+):(?P<first>\d+)\.\d+,(?P<last>\d+)\.\d+ \d+ (?P<count>\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Executed:
    """The lines that a test executes, from 1, by path.

    ``why`` says why lines that aren't there may have run all the same; with an empty one they didn't.
    """

    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    why: str = ""


def measure_lines(
    request: Request, runner: CellRunner, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    """Run the tests in what is checked out, and see what they execute of the changed files."""
    if isinstance(runner, PythonCells):
        return _measure_python(request, runner, here, tests, code)
    if isinstance(runner, GoCells):
        return _measure_go(request, runner, here, tests, code)
    if isinstance(runner, NodeCells):
        return _measure_node(request, runner, here, tests, code)
    return dict.fromkeys(tests, Executed(why="which lines run isn't measured for this language"))


def _measure_python(
    request: Request, cells: PythonCells, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    sees_programs = _read_version(cells.python.modules.get("coverage")) >= _PATCHES_PROGRAMS
    with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
        # The folder and the settings have one name: COVERAGE_FILE of the tests would win over a key of the settings.
        data, settings = Path(folder) / "data", Path(folder) / "data.ini"
        data.mkdir()
        included = [str(request.repo_root / file.path) for file in code.files if file.language == "python"]
        settings.write_text(_write_settings(cells, included, data, sees_programs=sees_programs))
        run = cells.measured_by(settings).run(here, sorted({test.path for test in tests}), _choose(tests))
        if not list(data.iterdir()):
            return dict.fromkeys(tests, Executed(why=run.why or "none of the changed files was seen to run"))
        reports = _read_reports(request, cells, data)
    if not reports:
        return dict.fromkeys(tests, Executed(why="which lines ran could not be read"))
    why = "" if sees_programs else "programs that tests start are not seen without a newer coverage in its environment"
    return {
        test: _require_passed(run, test, Executed(dict(_read_contexts(request, reports, test)), why)) for test in tests
    }


def _write_settings(cells: PythonCells, included: Sequence[str], data: Path, *, sees_programs: bool) -> str:
    if not cells.has_coverage:
        return json.dumps({"files": [*included, *map(os.path.realpath, included)], "folder": str(data)})
    lines = ["[run]", "parallel = true", "dynamic_context = test_function"]
    lines += ["patch = subprocess"] if sees_programs else []
    return "\n".join([*lines, "include =", *(f"    {_escape(path)}" for path in included), ""])


def _read_reports(request: Request, cells: PythonCells, data: Path) -> list[dict[str, Any]]:
    """Read what was noted: ``{file: {line: [test]}}`` of each process."""
    if cells.has_coverage:
        export = [cells.python.executable, str(EXPORT), str(data), str(data / "lines-all.json")]
        run_tool(export, cwd=data, timeout_s=TOOL_TIMEOUT_S, env=cells.python.make_environ(request))
    found = (_read_json(path) for path in sorted(data.glob("lines-*.json")))
    return [report for report in found if isinstance(report, dict)]


def _read_contexts(
    request: Request, reports: Sequence[Mapping[str, Any]], test: TestName
) -> Iterator[tuple[str, frozenset[int]]]:
    """Read the lines that ran in a test, or outside of all of them: when modules are loaded, and things set up."""
    root = Path(os.path.realpath(request.repo_root))
    stem = Path(test.path).stem
    lines: dict[str, set[int]] = {}
    for report in reports:
        for name, noted in report.items():
            path = Path(os.path.realpath(name))
            if isinstance(noted, dict) and path.is_relative_to(root):
                ran = (int(line) for line, tests in noted.items() if any(_is_of(each, stem, test) for each in tests))
                lines.setdefault(path.relative_to(root).as_posix(), set()).update(ran)
    return ((path, frozenset(ran)) for path, ran in lines.items())


def _is_of(context: str, stem: str, test: TestName) -> bool:
    return not context or f".{context}".endswith((f".{stem}.{test.name}", f".{test.name}"))


def _escape(path: str) -> str:
    return re.sub(r"[\[\]*?,\s]", "?", path)


def _read_version(text: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text or "")[:2])


def _measure_go(
    request: Request, cells: GoCells, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    module = read_module(here, f"{cells.folder}/go.mod" if cells.folder else "go.mod")
    found = dict.fromkeys(tests, Executed(why=f"more than {MOST_ALONE} tests would have to run alone"))
    for test in tests if len(tests) <= MOST_ALONE else ():
        with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
            profile = Path(folder) / "profile"
            flags = f"{_read_variable(request, 'GOFLAGS')} -coverprofile={profile} -coverpkg=./...".strip()
            run = cells.with_request(_add_variable(request, "GOFLAGS", flags)).run(here, [test.path], _choose([test]))
            text = profile.read_text("utf-8", "replace") if profile.is_file() else ""
        lines, blocks = _read_profile(text, module, cells.folder)
        measured = any(
            statement.first in blocks.get(file.path, ()) for file in code.files for statement in file.statements
        )
        why = run.why or ("" if measured else "the changed lines are no part of what go's coverage counts")
        found[test] = _require_passed(run, test, Executed(lines, why))
    return found


def _read_profile(text: str, module: str, folder: str) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
    """Read a cover profile: the lines that ran, and all that are counted. Source: cmd/cover."""
    ran: dict[str, set[int]] = {}
    every: dict[str, set[int]] = {}
    for found in _PROFILE.finditer(text):
        path = f"{folder}/{found['file'].removeprefix(module).strip('/')}".strip("/")
        lines = range(int(found["first"]), int(found["last"]) + 1)
        every.setdefault(path, set()).update(lines)
        if int(found["count"]):
            ran.setdefault(path, set()).update(lines)
    frozen = [{path: frozenset(lines) for path, lines in each.items()} for each in (ran, every)]
    return frozen[0], frozen[1]


def _measure_node(
    request: Request, cells: NodeCells, here: SubjectFiles, tests: Sequence[TestName], code: ChangedCode
) -> dict[TestName, Executed]:
    if not cells.can_run_alone(here):
        return dict.fromkeys(tests, Executed(why="its runner doesn't run a test without the others of its file"))
    found = dict.fromkeys(tests, Executed(why=f"more than {MOST_ALONE} tests would have to run alone"))
    for test in tests if len(tests) <= MOST_ALONE else ():
        with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
            measured = cells.measured_by(_add_variable(request, "NODE_V8_COVERAGE", folder))
            run = measured.run(here, [test.path], _choose([test]))
            reports = [_read_json(file) for file in sorted(Path(folder).glob("coverage-*.json"))]
        lines, unread = _read_v8(request.repo_root, reports, code.files)
        why = run.why or (f"{unread} doesn't run as it is written" if unread else "")
        found[test] = _require_passed(run, test, Executed(lines, why))
    return found


def _read_v8(root: Path, reports: Sequence[Any], files: Sequence[ChangedFile]) -> tuple[dict[str, frozenset[int]], str]:
    """Read V8's counts: the lines on which a changed statement ran, and a file that wasn't loaded as it is written.

    Source: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-ScriptCoverage.
    """
    lines: dict[str, frozenset[int]] = {}
    unread = ""
    for file in files:
        text = file.source.decode("utf-8", "replace")
        scripts = [script for report in reports for script in _list_scripts(report, root / file.path)]
        plain = [ranges for ranges in scripts if ranges and max(end for _, end, _ in ranges) == _count_units(text)]
        if not plain:
            unread = file.path
        ran = {
            statement.first
            for ranges in plain
            for statement in file.statements
            if _has_run(ranges, _count_units(file.source[: statement.start].decode("utf-8", "replace")))
        }
        lines[file.path] = frozenset(ran)
    return lines, unread


def _list_scripts(report: Any, path: Path) -> Iterator[list[tuple[int, int, int]]]:
    scripts = report.get("result") if isinstance(report, dict) else None
    for script in scripts if isinstance(scripts, list) else ():
        if script.get("url") in {path.as_uri(), Path(os.path.realpath(path)).as_uri()}:
            yield [
                (int(each["startOffset"]), int(each["endOffset"]), int(each["count"]))
                for function in script["functions"]
                for each in function["ranges"]
            ]


def _has_run(ranges: Sequence[tuple[int, int, int]], offset: int) -> bool:
    around = [each for each in ranges if each[0] <= offset < each[1]]
    return bool(around) and min(around, key=lambda each: each[1] - each[0])[2] > 0


def _count_units(text: str) -> int:
    """Count the UTF-16 code units by which V8 counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _choose(tests: Sequence[TestName]) -> dict[str, frozenset[str]]:
    paths = {test.path for test in tests}
    return {path: frozenset(test.name for test in tests if test.path == path) for path in paths}


def _require_passed(run: CellRun, test: TestName, executed: Executed) -> Executed:
    """What a test executed that didn't pass under measurement says nothing."""
    if run.get(test) is Outcome.PASSED and run.canary is Outcome.FAILED:
        return executed
    return Executed(why=run.why or "it doesn't pass where it is measured")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes()) if path.stat().st_size <= _MOST_BYTES else None
    except (OSError, ValueError, RecursionError):
        return None


def _read_variable(request: Request, name: str) -> str:
    configured = request.config.get("environment", {})
    found = configured.get(name) if isinstance(configured, dict) else None
    return str(found if found is not None else request.environ.get(name, ""))


def _add_variable(request: Request, name: str, value: str) -> Request:
    """Add a variable to those that programs of the project get."""
    environment = {**request.config.get("environment", {}), name: value}
    return replace(request, config={**request.config, "environment": environment})
