"""Run chosen C# test files of a project of .NET in one cell, by ``dotnet test``."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from code_adapter.counterfactual.canary import judge_canaries, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.counterfactual.written_tests import WrittenTests
from code_adapter.detection import Missing
from code_adapter.subject_files import SubjectFiles
from code_adapter.toolchains.dotnet import DotnetProject, find_projects, list_errors, run_dotnet
from verigate.sdk import Request, ToolFailed
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case

_CLASS = re.compile(r"\b(?:class|record|struct)\s+(\w+)")
_ID = re.compile(r"(?P<owner>[\w.+`]+)\.(?P<method>\w+)(?!\w).*", re.DOTALL)


class DotnetCells(ProjectCells):
    """The cells of a test project. Each runs the build that its own code has.

    The whole project is one program, so that a file which doesn't compile keeps all of it from running.
    """

    runs_one = False
    sources = re.compile(r"\.cs\Z")

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the classes of the files ``paths``, each folder with a test that must fail."""
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        found = (each for each in find_projects(self._request, files) if each.folder == self._folder)
        project = next(found, None)
        if project is None or isinstance(project, Missing):
            return CellRun({}, {}, Outcome.FAILED, "no test project is there" if project is None else project.why)
        try:
            with (
                write_canaries(self._request, here, "dotnet") as planted,
                tempfile.TemporaryDirectory(prefix="verigate-") as private,
            ):
                return self._run(project, here, planted, only, Path(private))
        except ToolFailed as error:
            return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)

    def _run(
        self, project: DotnetProject, paths: Sequence[str], planted: Sequence[str], only: Only, private: Path
    ) -> CellRun:
        root = self._request.repo_root
        owners = {
            name: path
            for path in (*paths, *planted)
            for name in _CLASS.findall((root / path).read_text("utf-8", "replace"))
        }
        chosen = "|".join(f"FullyQualifiedName~.{name}." for name in sorted(owners))
        # Classes without a namespace have no sign before their name.
        chosen += "".join(f"|FullyQualifiedName~{name}." for name in sorted(owners))
        run, outcomes = run_dotnet(self._request, project, private, ["--filter", chosen])
        if outcomes is None:
            errors = list_errors(run)
            if not errors:
                raise run.as_failure(f"dotnet test left no report ({run.ended})", where=project.path)
            path = Texts(root).path(errors[0].path, self._folder) or errors[0].path
            return CellRun({}, dict.fromkeys(paths, f"{path}:{errors[0].line}: {errors[0].message}"), None, ran=False)
        return self._read(outcomes.cases, owners, planted, only)

    def _read(self, cases: Iterable[Case], owners: dict[str, str], planted: Sequence[str], only: Only) -> CellRun:
        written = WrittenTests(self._request.repo_root)
        found: list[tuple[TestName, Outcome]] = []
        canaries: dict[str, Outcome] = {}
        for case in cases:
            name = _ID.match(case.id.partition("(")[0])
            path = owners.get(re.split(r"[.+]", name["owner"])[-1]) if name is not None else None
            if name is None or path is None:
                continue
            if path in planted:
                passed = canaries.get(path) is Outcome.PASSED
                canaries[path] = Outcome.PASSED if passed else OUTCOMES[case.outcome]
            else:
                test = written.find_called(path, name["method"]) or TestName(path, name["method"])
                found.append((test, OUTCOMES[case.outcome]))
        outcomes = merge_parameters(found)
        kept = {name: done for name, done in outcomes.items() if name.name in only.get(name.path, {name.name})}
        return CellRun(kept, {}, judge_canaries(planted, canaries, [name.path for name, _ in found]))


def find_dotnet_folders(request: Request, files: SubjectFiles, lacking: dict[str, str]) -> set[str]:
    """Find the folders of test projects; ``lacking`` gets the files of those for which there is no dotnet."""
    folders = set()
    for found in find_projects(request, files):
        if isinstance(found, Missing):
            lacking |= dict.fromkeys((path for path in files.below(found.folder) if path.endswith(".cs")), found.why)
        else:
            folders.add(found.folder)
    return folders
