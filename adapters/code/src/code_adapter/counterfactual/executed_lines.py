"""Which lines of changed files a test executes on the code of the subject, by the means of its language.

Python: coverage.py, with a context for each test. Go: a cover profile for each test. JavaScript: V8's own counts, of
files that run as they are written. What isn't seen this way is not known, which is not the same as not executed.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import structs

from code_adapter.counterfactual.cell_runs import CellRun, CellRunner, TestName
from code_adapter.counterfactual.changed_lines import MEASURED, ChangedCode
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.go_cells import GoCells
from code_adapter.counterfactual.line_reports import find_contexts, read_istanbul, read_profile, read_v8
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

Groups = Sequence[Sequence[TestName]]
"""The tests that run together where one run doesn't tell its tests apart."""

_JAVASCRIPT = frozenset({"javascript", "typescript"})
_MOST_BYTES = 256 << 20


@dataclass(frozen=True)
class Executed:
    """The lines that a test executes, from 1, by path.

    ``why`` says why lines that aren't there may have run all the same; with an empty one they didn't. With
    ``is_one_of`` it is known of all of them together that one runs.
    """

    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    why: str = ""
    is_one_of: bool = False


def measure_lines(
    request: Request,
    runner: CellRunner,
    here: SubjectFiles,
    tests: Sequence[TestName],
    code: ChangedCode,
    *,
    together: bool = False,
) -> dict[TestName, Executed]:
    """Run the tests in what is checked out, and see what they execute of the changed files.

    ``together`` is for all of them in one run, each with the lines of all where they can't be separated, and with those
    of other tests of their files where the runner can't leave these out.
    """
    groups = [list(tests)] if together else [[test] for test in tests]
    try:
        languages, found = _measure(request, runner, here, groups, code, together=together)
    except (LookupError, TypeError, ValueError, AttributeError):
        # What the tests write, they can write in any shape.
        return dict.fromkeys(tests, Executed(why="the report of which lines run can't be read"))
    if all(file.language in languages for file in code.files):
        return found
    rest = "a part of the change is in another language"
    return {test: executed if executed.why else replace(executed, why=rest) for test, executed in found.items()}


def _measure(
    request: Request, runner: CellRunner, here: SubjectFiles, groups: Groups, code: ChangedCode, *, together: bool
) -> tuple[frozenset[str], dict[TestName, Executed]]:
    """Return the languages that were looked at, and what each test executes of them."""
    tests = [test for group in groups for test in group]
    if isinstance(runner, PythonCells):
        return frozenset({"python"}), _measure_python(request, runner, here, tests, code)
    if isinstance(runner, GoCells):
        return frozenset({"go"}), _measure_go(request, runner, here, groups, code)
    if isinstance(runner, NodeCells):
        if not together and not runner.can_run_alone(here):
            why = "its runner doesn't run a test without the others of its file"
            return _JAVASCRIPT, dict.fromkeys(tests, Executed(why=why))
        return _JAVASCRIPT, _measure_node(request, runner, here, groups, code)
    return MEASURED, dict.fromkeys(tests, Executed(why="which lines run isn't measured for this language"))


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
        test: _require_passed(run, test, Executed(dict(find_contexts(request.repo_root, reports, test)), why))
        for test in tests
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


def _escape(path: str) -> str:
    return re.sub(r"[\[\]*?,\s]", "?", path)


def _read_version(text: str | None) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text or "")[:2])


def _measure_go(
    request: Request, cells: GoCells, here: SubjectFiles, groups: Groups, code: ChangedCode
) -> dict[TestName, Executed]:
    module = read_module(here, f"{cells.folder}/go.mod" if cells.folder else "go.mod")
    found = _begin(groups)
    for group in groups if len(groups) <= MOST_ALONE else ():
        with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
            profile = Path(folder) / "profile"
            flags = f"{_read_variable(request, 'GOFLAGS')} -coverprofile={profile} -coverpkg=./...".strip()
            run = cells.with_request(_add_variable(request, "GOFLAGS", flags)).run(
                here, sorted({test.path for test in group}), _choose(group)
            )
            text = profile.read_text("utf-8", "replace") if profile.is_file() else ""
        lines, blocks = read_profile(text, module, cells.folder)
        measured = any(
            statement.first in blocks.get(file.path, ()) for file in code.files for statement in file.statements
        )
        why = run.why or ("" if measured else "the changed lines are no part of what go's coverage counts")
        found |= {test: _require_passed(run, test, Executed(lines, why)) for test in group}
    return found


def _measure_node(
    request: Request, cells: NodeCells, here: SubjectFiles, groups: Groups, code: ChangedCode
) -> dict[TestName, Executed]:
    files = [file for file in code.files if file.language in _JAVASCRIPT]
    found = _begin(groups)
    for group in groups if len(groups) <= MOST_ALONE else ():
        with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
            options = ["--coverage", "--coverageReporters=json", f"--coverageDirectory={folder}/jest"]
            options += ["--coverageThreshold={}", *(f"--collectCoverageFrom=**/{file.path}" for file in files)]
            measured = cells.measured_by(_add_variable(request, "NODE_V8_COVERAGE", folder), options)
            run = measured.run(here, sorted({test.path for test in group}), _choose(group))
            reports = [_read_json(file) for file in sorted(Path(folder).glob("coverage-*.json"))]
            by_jest = _read_json(Path(folder) / "jest" / "coverage-final.json")
        if isinstance(by_jest, dict):
            lines, unread = read_istanbul(request.repo_root, by_jest, files)
        else:
            lines, unread = read_v8(request.repo_root, reports, files)
        why = run.why or (f"{unread} doesn't run as it is written" if unread else "")
        found |= {test: _require_passed(run, test, Executed(lines, why)) for test in group}
    return found


def _begin(groups: Groups) -> dict[TestName, Executed]:
    why = f"more than {MOST_ALONE} tests would have to run alone"
    return {test: Executed(why=why) for group in groups for test in group}


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
    return structs.replace(request, config={**request.config, "environment": environment})
