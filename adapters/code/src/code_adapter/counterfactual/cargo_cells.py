"""Run the tests of chosen Rust files in one cell. What rstest makes of a function belongs to that function."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from code_adapter.counterfactual.canary import plant_canary
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.left_out import MOST_ROUNDS, CompileError, LeftOut, open_left_out
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.reports.libtest import parse_libtest
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import check_exit_code
from code_adapter.toolchains.cargo import make_cargo_environ, read_diagnostics, run_cargo
from code_adapter.toolchains.libtest import bootstrap_for_tests
from verigate.sdk import Request, ToolFailed, ToolRun
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse
from verigate.sdk.reports.outcomes import Case

_FAILED = 101
_JSON = ("--", "-Z", "unstable-options", "--format", "json")


@dataclass(frozen=True)
class _Target:
    """A test program: its package's manifest, how cargo chooses it, and its first source, both from the repository."""

    manifest: str
    choice: tuple[str, ...]
    root: str

    def holds(self, path: str) -> bool:
        """Whether the file may be a module of this program. Programs of tests share a folder, or have one each."""
        if path == self.root:
            return True
        root = PurePosixPath(self.root)
        folder = str(root.parent)
        if self.choice[0] in {"--test", "--bench", "--example"} and not _has_own_folder(root):
            package = PurePosixPath(path).relative_to(folder).parts if path.startswith(f"{folder}/") else ()
            return len(package) > 1
        return path.startswith(f"{folder}/")

    def name_module(self, path: str) -> str:
        """Name the module that a file is, as libtest does; empty for the first source."""
        if path == self.root:
            return ""
        pure = PurePosixPath(path).relative_to(PurePosixPath(self.root).parent)
        parts = pure.parent.parts if pure.name == "mod.rs" else (*pure.parent.parts, pure.stem)
        return "::".join(parts)


class CargoCells(ProjectCells):
    """The cells of a Rust package or workspace."""

    base_first = True
    sources = re.compile(r"\.rs\Z")

    def __init__(self, request: Request, folder: str, tests: frozenset[str]) -> None:
        super().__init__(request, folder)
        self._tests = tests
        self._seed: tempfile.TemporaryDirectory[str] | None = None

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the programs of the sources ``paths``, or ``only`` the chosen tests, each with a test that must fail."""
        here = {path: list(_list_tests(files, path)) for path in paths if path in files.known}
        here = {path: tests for path, tests in here.items() if tests}
        if not here:
            return NOT_RUN
        self._plant_build()
        try:
            targets = [target for target in self._list_targets() if any(map(target.holds, here))]
            runs = [self._run_target(files, target, here, only) for target in targets]
        except ToolFailed as error:
            return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
        self._keep_build()
        if not runs:
            return CellRun({}, {}, Outcome.FAILED, "no test program of cargo holds these sources")
        return _merge(runs)

    @property
    def _built(self) -> Path:
        return self._request.repo_root / self._folder / "target"

    def _keep_build(self) -> None:
        """Keep what the first cell built, which is that of the base alone: each other one starts from a copy of it."""
        if self._seed is None and self._built.is_dir() and not self._built.is_symlink():
            self._seed = tempfile.TemporaryDirectory(prefix="verigate-cargo-")
            shutil.copytree(self._built, Path(self._seed.name) / "target", symlinks=True)

    def _plant_build(self) -> None:
        if self._seed is not None and not self._built.exists():
            shutil.copytree(Path(self._seed.name) / "target", self._built, symlinks=True)

    def _list_targets(self) -> Iterator[_Target]:
        argv = ["cargo", "metadata", "--offline", "--no-deps", "--format-version", "1"]
        run = run_cargo(self._request, self._folder, argv)
        check_exit_code(run, "cargo metadata", 0)
        for package in json.loads(run.stdout)["packages"]:
            for target in package["targets"]:
                kind = target["kind"][0]
                if not target.get("test", True) or kind == "custom-build":
                    continue
                named = kind in {"bin", "test", "bench", "example"}
                choice = (f"--{kind}", target["name"]) if named else ("--lib",)
                yield _Target(package["manifest_path"], choice, self._relative(target["src_path"]))

    def _relative(self, place: str) -> str:
        root = self._request.repo_root
        path = Path(place)
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else place

    def _run_target(
        self, files: SubjectFiles, target: _Target, here: Mapping[str, Sequence[str]], only: Only
    ) -> CellRun:
        held = [path for path in here if target.holds(path)]
        with ExitStack() as stack:
            canary = stack.enter_context(plant_canary(self._request, target.root))
            left = stack.enter_context(open_left_out())
            variables = stack.enter_context(
                bootstrap_for_tests(self._request, make_cargo_environ(self._request, self._folder))
            )
            chosen = []
            if all(path in only for path in held):
                chosen = [
                    canary,
                    *(_join(target.name_module(path), name) for path in held for name in sorted(only[path])),
                ]
            run, errors = self._compile(target, left, variables, chosen)
            if errors:
                where = self._relative(errors[0].path)
                why = f"{where}:{errors[0].line}: {errors[0].message.splitlines()[0]}"
                return CellRun({}, dict.fromkeys(held, why), Outcome.FAILED)
            outcomes, _ = parse_libtest(run.stdout, "cargo test")
            gone = left.list_gone(files, self._tests)
        found = _read(outcomes.cases, target, {path: here[path] for path in held})
        found += [(name, Outcome.BROKEN) for name in left.tests]
        failed = any(case.id == canary and case.outcome == "failed" for case in outcomes.cases)
        return CellRun(merge_parameters(found), {}, Outcome.FAILED if failed else Outcome.ABSENT, gone=gone)

    def _compile(
        self, target: _Target, left: LeftOut, variables: Mapping[str, str], chosen: Sequence[str]
    ) -> tuple[ToolRun, list[CompileError]]:
        """Compile and run; what doesn't compile of the tests is left out. Returns the errors that stay."""
        argv = ["cargo", "test", "--offline", "--no-fail-fast", f"--manifest-path={target.manifest}", *target.choice]
        for _ in range(MOST_ROUNDS):
            run = run_cargo(
                self._request, self._folder, [*argv, "--message-format=json", *_JSON, *chosen], None, **variables
            )
            code = check_exit_code(run, "cargo test", 0, _FAILED)
            errors = list(self._list_errors(run)) if code else []
            if not errors or not left.leave_out(self._request.repo_root, errors, self._tests):
                return run, errors
        return run, errors

    def _list_errors(self, run: ToolRun) -> Iterator[CompileError]:
        workspace = self._request.repo_root / self._folder
        for found in read_diagnostics(run):
            if found.level == "error" and found.path:
                path = self._relative(str((workspace / found.path).resolve()))
                yield CompileError(path, found.line, found.column, found.rendered)


def _has_own_folder(root: PurePosixPath) -> bool:
    return root.name in {"main.rs", "lib.rs", "mod.rs"} and root.parent.name not in {"tests", "benches", "examples"}


def _join(module: str, name: str) -> str:
    return f"{module}::{name}" if module else name


def _list_tests(files: SubjectFiles, path: str) -> Iterator[str]:
    for found in LANGUAGES["rust"].find_tests(parse(files.text(path).encode(), grammar_of(path) or "")):
        yield found.qualified


def _read(cases: Iterable[Case], target: _Target, held: Mapping[str, Sequence[str]]) -> list[tuple[TestName, Outcome]]:
    known: dict[str, TestName] = {}
    for path, tests in held.items():
        module = target.name_module(path)
        known |= {_join(module, name): TestName(path, name) for name in tests}
    found = []
    for case in cases:
        name = case.id.partition(" - ")[0]  # "should panic" and such follow
        while name and name not in known:
            name = name.rpartition("::")[0]
        if name:
            found.append((known[name], OUTCOMES[case.outcome]))
    return found


def _merge(runs: Sequence[CellRun]) -> CellRun:
    """Merge the runs of several programs; a file that one of them could compile isn't broken."""
    outcomes = merge_parameters(item for run in runs for item in run.outcomes.items())
    ran = {name.path for name in outcomes}
    broken = {path: why for run in runs for path, why in run.broken.items() if path not in ran}
    canary = Outcome.FAILED if all(run.canary is Outcome.FAILED for run in runs) else Outcome.ABSENT
    gone: dict[str, Mapping[str, str]] = {}
    for run in runs:
        gone |= run.gone
    return CellRun(outcomes, broken, canary, gone=gone)
