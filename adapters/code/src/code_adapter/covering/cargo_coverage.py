"""Coverage of cargo tests by cargo llvm-cov, if it is installed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.detection import Missing
from code_adapter.environment import make_tool_environ
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import check_exit_code
from code_adapter.toolchains.cargo import run_cargo
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.lcov import parse_lcov
from verigate.sdk.reports.untrusted import add_tool_output, read_report


def detect(request: Request, files: SubjectFiles) -> Iterator[Measurement | Missing]:
    """Yield a measurement for each topmost Cargo.toml."""
    for folder in files.projects("Cargo.toml"):
        if shutil.which("cargo-llvm-cov", path=make_tool_environ(request)["PATH"]) is None:
            yield Missing("cargo llvm-cov", folder, "cargo-llvm-cov is not installed", due=False)
        else:
            yield Measurement("cargo llvm-cov", folder, partial(measure, request, folder))


def measure(request: Request, folder: str) -> Measured:
    """Run the tests of the workspace. Raises ToolFailed without a report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as place:
        report = Path(place) / "lcov.info"
        argv = ["cargo", "llvm-cov", "--offline", "--workspace", "--no-fail-fast", "--lcov", f"--output-path={report}"]
        run = run_cargo(request, folder, argv)
        code = check_exit_code(run, "cargo llvm-cov", 0, 1, 101)
        with add_tool_output(run):
            files = parse_lcov(read_report(report, "cargo llvm-cov"), "cargo llvm-cov")
        named = tuple(Texts(request.repo_root, (Path(place),)).argv(argv))
        return Measured(CoverageRun("cargo llvm-cov", None, folder, files, named, code))
