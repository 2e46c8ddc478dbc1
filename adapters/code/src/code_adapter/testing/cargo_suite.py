"""Run cargo test and read libtest's JSON events."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial

from code_adapter.detection import Missing
from code_adapter.environment import PROBE_TIMEOUT_S, make_tool_environ
from code_adapter.reports.libtest import parse_libtest
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.impact.affected import AffectedPackages
from code_adapter.testing.impact.cargo_affected import select_cargo_packages
from code_adapter.testing.impact.change import Selected
from code_adapter.testing.progress_lines import make_cargo_reader
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from code_adapter.toolchains.cargo import (
    NOT_INSTALLED,
    Target,
    make_cargo_environ,
    read_diagnostics,
    read_test_targets,
    run_cargo,
)
from code_adapter.toolchains.libtest import bootstrap_for_tests
from verigate.sdk import Request, ToolFailed, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.outcomes import Case, Outcomes, merge_outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output

FAILED_TESTS = 101
"""cargo's exit code for a failed test or a compile error."""

_ALL = ("--workspace",)
_JSON = ("--", "-Z", "unstable-options", "--format", "json")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each topmost Cargo.toml."""
    for folder in files.projects("Cargo.toml"):
        if shutil.which("cargo", path=request.project_path) is None:
            yield Missing("cargo test", folder, NOT_INSTALLED)
        else:
            start = partial(run_cargo_test, request, folder)
            yield Suite("cargo test", folder, start, run_affected=partial(run_affected, request, folder))


def run_affected(request: Request, folder: str, affected: AffectedPackages) -> tuple[SuiteRun, Selected]:
    """Run the tests of affected packages. Raises ToolFailed, WholeSuiteError and NothingSelectedError."""
    selected, packages = select_cargo_packages(request, folder, affected)
    return run_cargo_test(request, folder, packages), selected


def run_cargo_test(request: Request, folder: str, packages: Sequence[str] = _ALL) -> SuiteRun:
    """Compile, then run unit, integration and documentation tests. Raises ToolFailed if a report is missing.

    ``packages`` are cargo's options that choose among the workspace's.
    """
    test = ("cargo", "test", "--offline", *packages, "--no-fail-fast")
    compiled = run_cargo(request, folder, [*test, "--no-run", "--message-format=json"])
    code = check_exit_code(compiled, "cargo test --no-run", 0, FAILED_TESTS)
    if code == FAILED_TESTS:
        return SuiteRun(
            "cargo test", _version(request), folder, Outcomes((_read_failure(compiled),)), _show(request, test), code
        )
    targets, libraries = read_test_targets(compiled)
    plain = [target for target in targets if not target.has_harness()]
    with_harness = [target for target in targets if target not in plain]
    with bootstrap_for_tests(request, make_cargo_environ(request, folder)) as variables:
        runs = []
        if with_harness or not plain:
            selected = _select(with_harness) if plain else ("--tests",)
            runs.append(_run(request, folder, [*test, *selected, *_JSON], variables))
        documented = _run(request, folder, [*test, "--doc", *_JSON], variables) if libraries else None
    outcomes = []
    suites = 0
    for run in (*runs, *([documented] if documented else [])):
        found, count = _read(run)
        outcomes.append(found)
        suites += count if run is not documented else 0
    if suites != len(with_harness):
        raise ToolFailed(f"cargo built {len(with_harness)} test programs, but {suites} reported in {folder or '.'}")
    outcomes += [_run_plain(request, folder, target) for target in plain]
    merged = merge_outcomes(outcomes)
    argv = _show(request, (*test, "--tests", *_JSON))
    return SuiteRun("cargo test", _version(request), folder, merged, argv, FAILED_TESTS if merged.failed else 0)


def _show(request: Request, argv: Sequence[str]) -> tuple[str, ...]:
    return tuple(Texts(request.repo_root).argv(argv))


def _run(request: Request, folder: str, argv: Sequence[str], variables: dict[str, str]) -> ToolRun:
    watch = ProgressReport.of(request).watch_lines(make_cargo_reader())
    return run_cargo(request, folder, argv, watch, **variables)


def _select(targets: Sequence[Target]) -> Iterator[str]:
    """Choose these targets in the place of ``--tests``, which holds all."""
    kinds = {target.kind for target in targets}
    if "bin" in kinds:
        yield "--bins"
    if kinds - {"bin", "test", "bench", "example"}:
        yield "--lib"
    for target in targets:
        if target.kind in {"test", "bench", "example"}:
            yield from (f"--{target.kind}", target.name)


def _read(run: ToolRun) -> tuple[Outcomes, int]:
    """Read the outcomes and the number of programs that reported."""
    code = check_exit_code(run, "cargo test", 0, FAILED_TESTS)
    if run.truncated:
        raise ReportInvalid("the output of cargo test exceeds the size limit")
    with add_tool_output(run):
        found, count = parse_libtest(run.stdout, "cargo test")
    check_consistency("cargo test", code, found, run)
    return found, count


def _run_plain(request: Request, folder: str, target: Target) -> Outcomes:
    """Run a program with a main function of its own as one test: cargo knows no more than its exit code either."""
    chosen = ("--lib",) if target.kind not in {"bin", "test", "bench", "example"} else (f"--{target.kind}", target.name)
    argv = ["cargo", "test", "--offline", f"--manifest-path={target.manifest}", *chosen]
    run = run_cargo(request, folder, argv)
    if run.exit_code is None:
        raise run.as_failure(f"the test program {target.name} ended with {run.ended}")
    failed = run.exit_code != 0
    return Outcomes((Case(target.name, "failed" if failed else "passed", message=run.tail() if failed else ""),))


def _read_failure(run: ToolRun) -> Case:
    """Make the failed test that stands for what doesn't compile, at the place of the first error."""
    errors = [found for found in read_diagnostics(run) if found.level == "error"]
    message = "\n".join(found.rendered for found in errors) or run.tail()
    placed = next((found for found in errors if found.path), None)
    path, line = (placed.path, placed.line) if placed else (None, None)
    return Case("cargo test --no-run", "failed", path, line, message)


def _version(request: Request) -> str | None:
    env = make_tool_environ(request)
    run = run_tool(["cargo", "--version"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    words = run.stdout.decode("utf-8", "replace").split()
    return words[1] if run.exit_code == 0 and len(words) > 1 else None
