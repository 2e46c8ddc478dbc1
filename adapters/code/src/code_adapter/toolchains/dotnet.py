"""``dotnet test``: the test projects of a subject, and how it is called. Its reports are TRX.

Options: https://learn.microsoft.com/dotnet/core/tools/dotnet-test and, of the logger,
https://github.com/microsoft/vstest/blob/main/docs/report.md.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_user_home, make_tool_environ
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool
from verigate.sdk.reports.outcomes import Outcomes, merge_outcomes
from verigate.sdk.reports.trx import parse_trx
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output, read_report

DOTNET = "dotnet test"
_PROJECT = re.compile(r".*\.(?:cs|fs|vb)proj")
_OF_TESTS = re.compile(r"Microsoft\.NET\.Test\.Sdk|MSTest\.Sdk|<IsTestProject>\s*true")
_LACKS = re.compile(
    r"error NU1\d{3}: (?:Unable to (?:find package|load the service index for source) )?(?P<what>[^\n\[]{1,200})"
)
_NO_SDK = re.compile(r"No \.NET SDKs were found|A compatible \.NET SDK was not found|SDK .{0,60}could not be found")
_ERROR = re.compile(
    r"^\s*(?P<path>[^\n(]+?\.(?:cs|fs|vb))\((?P<line>\d+),(?P<column>\d+)\): error (?P<message>[^\n\[]+)", re.MULTILINE
)
_QUIET = {
    **dict.fromkeys(("DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO", "DOTNET_SKIP_FIRST_TIME_EXPERIENCE"), "1"),
    "MSBUILDDISABLENODEREUSE": "1",
}
_MOST_REPORTS = 200


@dataclass(frozen=True)
class DotnetProject:
    """A test project: its file, and the folder of it."""

    path: str

    @property
    def folder(self) -> str:
        """The folder, "" for the root."""
        return self.path.rpartition("/")[0]


@dataclass(frozen=True)
class DotnetError:
    """An error of the compiler. ``path`` is as it was printed."""

    path: str
    line: int
    message: str


def find_projects(request: Request, files: SubjectFiles) -> Iterator[DotnetProject | Missing]:
    """Yield each test project of .NET."""
    for path in files.paths:
        if not _PROJECT.fullmatch(path) or NOT_PROJECTS.intersection(path.split("/")[:-1]):
            continue
        if _OF_TESTS.search(files.text(path)):
            project = DotnetProject(path)
            if shutil.which("dotnet", path=request.project_path) is None:
                why = "dotnet is not installed: install the SDK of https://dotnet.microsoft.com/download"
                yield Missing(DOTNET, project.folder, why)
            else:
                yield project


def run_dotnet(
    request: Request, project: DotnetProject, private: Path, arguments: Sequence[str] = ()
) -> tuple[ToolRun, Outcomes | None]:
    """Build and run the tests of a project; None in place of outcomes where it left no report.

    Raises ToolFailed if it was killed, or packages or an SDK aren't on this machine.
    """
    results = private / "results"
    shutil.rmtree(results, ignore_errors=True)
    argv = [
        *("dotnet", "test", str(request.repo_root / project.path), "--nologo", "--logger", "trx"),
        *("--results-directory", str(results), "-nodeReuse:false", "-p:UseSharedCompilation=false", *arguments),
    ]
    env = make_tool_environ(request) | _QUIET
    packages = find_user_home() / ".nuget/packages"
    if "NUGET_PACKAGES" not in env and packages.is_dir():
        env["NUGET_PACKAGES"] = str(packages)
    run = run_tool(argv, cwd=request.repo_root / project.folder, timeout_s=TOOL_TIMEOUT_S, env=env)
    if run.exit_code is None:
        raise run.as_failure(f"{DOTNET} ended with {run.ended}", where=project.path)
    found = sorted(results.glob("*.trx"))
    if len(found) > _MOST_REPORTS:
        raise ReportInvalid(f"{DOTNET} left {len(found)} reports", where=project.path)
    if not found:
        _require_packages(run, project)
        return run, None
    with add_tool_output(run):
        return run, merge_outcomes(parse_trx(read_report(each, DOTNET), DOTNET) for each in found)


def list_errors(run: ToolRun) -> list[DotnetError]:
    """List what the compiler says that keeps the tests from running, each once."""
    text = clean_text(run.stdout + b"\n" + run.stderr)
    found = (DotnetError(each["path"], int(each["line"]), each["message"].strip()) for each in _ERROR.finditer(text))
    return list(dict.fromkeys(found))


def _require_packages(run: ToolRun, project: DotnetProject) -> None:
    text = clean_text(run.stdout + b"\n" + run.stderr)
    if _NO_SDK.search(text):
        hint = "install the SDK that global.json or the project asks for"
        raise ToolFailed("there is no SDK of .NET that fits", where=project.path, hint=hint)
    if lacking := sorted({each["what"].strip() for each in _LACKS.finditer(text)}):
        hint = "run dotnet restore in that folder, with a network"
        raise ToolFailed(
            f"{DOTNET} lacks what is not on this machine: {'; '.join(lacking[:3])}", where=project.path, hint=hint
        )
