"""The rungs of the ladder, in the order in which they are tried.

1. what a known cause asks for: more time, grants that were proven, a linter called as the project calls it, a baseline
   of findings, an excluded tool, named tests;
2. a command that the project itself has;
3. a variable that the project's own files set;
4. the capability left out, with its reason. Tests are never left out where there are test files.

Where tests leave a report, a variable is tried before tests are named, and names before a command: a variable is a
cause, and an exit code says less than a report. Where they leave none, a command comes first: it opens nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.baseline import LINT, list_issues
from verigate.domain.grants import Grant, GrantKind
from verigate.domain.suite_comparison import Remedy, SuiteExamination
from verigate.integrations.setup.broken_tests import find_test_files
from verigate.integrations.setup.own_commands import Kind, OwnCommand, call_by_installed, find_own_commands
from verigate.integrations.setup.own_linter_calls import find_linter_calls
from verigate.integrations.setup.own_variables import find_own_variables
from verigate.integrations.setup.repository_scan import Scan, scan_repository
from verigate.integrations.setup.tightening import PLAN_FILE, TASK_TYPE, find_table, read_document
from verigate.usecases.settle.ladder import Proposal, Rung
from verigate.usecases.settle.left_out import plan_left_out
from verigate.usecases.settle.obstacles import Obstacle
from verigate.usecases.suite_fixes import (
    plan_declared,
    plan_excluded,
    plan_excluded_runners,
    plan_findings,
    plan_grants,
    plan_linter_calls,
    plan_named,
    plan_variables,
)

_ADAPTER = "code"
_ALONE = 3
"""So many variables are tried one by one, before all of them are."""


_MORE_TIME = 3
"""So many times as long as before; what takes longer still is left to the user."""


class Compared(Struct, frozen=True):
    """A comparison of the suite inside and outside, and the adapter that runs it."""

    found: SuiteExamination
    adapter: str


class Ladder:
    """Makes the rungs for a repository. ``unread`` are its linters that nothing here reads, ``today`` is in UTC.

    ``compare`` compares the tests inside and outside, at most once; None where nobody agreed or it can't be done.
    Nothing is left out of a repository that isn't ``installed``: it may work once it is. ``programs`` maps a capability
    to the command that installs the program of this machine that it lacks; without that, it can be left out.
    """

    def __init__(
        self,
        root: Path,
        unread: tuple[str, ...],
        today: str,
        compare: Callable[[], Compared | None],
        *,
        installed: bool = True,
        programs: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._root = root
        self._installed = installed
        self._programs = programs
        self._unread = unread
        self._today = today
        self._compare = compare

    def find_rungs(self, capability: str) -> tuple[Rung, ...]:
        """Return the rungs for a capability, first to last."""
        chosen = self._list_rungs(capability)
        return (self._give_time, *(map(_unless_out_of_time, chosen[:-1])), chosen[-1])

    def _list_rungs(self, capability: str) -> tuple[Rung, ...]:
        return {
            "code:lint": (
                self._call_linters,
                self._read_findings,
                self._try_commands("lint"),
                self._exclude_linters,
                self._try_variables,
                self._leave_out,
            ),
            "code:build": (self._try_commands("build"), self._try_variables, self._leave_out),
            "code:tests": (
                self._run_unseen,
                self._open_sandbox,
                self._set_variables,
                self._name_tests,
                self._replace_report,
                self._open_folders,
                self._exclude_runners,
                self._try_commands("tests", whole=False),
                self._leave_out,
            ),
        }.get(capability, (self._leave_out,))

    @cached_property
    def scan(self) -> Scan:
        """The repository's files."""
        return scan_repository(self._root)

    @cached_property
    def compared(self) -> Compared | None:
        """The comparison of the tests."""
        return self._compare()

    @property
    def _has_tests(self) -> bool:
        """Whether the repository shows in any way that it has tests."""
        return bool(find_test_files(self.scan) or self._find_commands("tests"))

    def list_known(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Make the proposals for linters that need no other run."""
        return self._list_findings(obstacle)

    def _give_time(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """More time for what was stopped while it ran: what it would say then is known by nobody."""
        if obstacle.out_of_time:
            seconds = int(obstacle.out_of_time * _MORE_TIME)
            reason = f"{obstacle.capability} takes longer than {obstacle.out_of_time:.0f} s"
            remedy = Remedy(Grant(GrantKind.TIME, str(seconds), reason), reason, ())
            yield Proposal(f"{seconds} s of time", tuple(plan_grants(self._root, [remedy], _ADAPTER)))

    def _call_linters(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Linters with findings called as the project calls them: the rest may be none of its lint."""
        if "LINT_FAIL" not in obstacle.codes:
            return
        failing = {
            issue.get("tool")
            for run in obstacle.runs
            for item in run.artifacts
            if item.media_spec == LINT
            for issue in list_issues(item)
            if isinstance(issue, dict)
        }
        found = [each for each in find_linter_calls(self.scan) if each.tool in failing]
        fixes = tuple(plan_linter_calls(self._root, found))
        if fixes:
            what = ", ".join(f"{each.tool} as {each.source} calls it" for each in found)
            yield Proposal(what, fixes, lessens=True)

    def _read_findings(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """A baseline of old findings. A linter is only excluded here where another one looked at files."""
        if "LINT_EMPTY" not in obstacle.codes:
            yield from self._list_findings(obstacle)

    def _exclude_linters(self, obstacle: Obstacle) -> Iterator[Proposal]:
        if "LINT_EMPTY" in obstacle.codes:
            yield from self._list_findings(obstacle)

    def _list_findings(self, obstacle: Obstacle) -> Iterator[Proposal]:
        fixes = (
            *plan_findings(self._root, obstacle.runs, self._today),
            *plan_excluded(self._root, obstacle.runs, self._unread, self._today),
        )
        if fixes:
            yield Proposal("what was there before the gate left out", fixes, keeps=True)

    def _open_sandbox(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Grants, and the same again where tests failed by chance.

        What git ignores in the repository may be what was built of older code. Where no test ran, it comes last.
        """
        ran = obstacle.crashed or (obstacle.suite is not None and obstacle.suite.failing)
        if not ran or self.compared is None:
            return
        if self.compared.found.flaky:
            yield Proposal("once more, since some tests fail by chance")
        yield from self._grant(lambda remedy: obstacle.suite is not None or not _is_of_repository(remedy))

    def _open_folders(self, obstacle: Obstacle) -> Iterator[Proposal]:
        if obstacle.crashed and self.compared is not None:
            yield from self._grant(lambda _: True)

    def _grant(self, wanted: Callable[[Remedy], bool]) -> Iterator[Proposal]:
        if self.compared is None:
            return
        chosen = [remedy for remedy in self.compared.found.remedies if wanted(remedy)]
        fixes = tuple(plan_grants(self._root, chosen, self.compared.adapter))
        if fixes:
            yield Proposal("what the sandbox lacks opened", fixes, keeps=True)

    def _run_unseen(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Where no test passed, it isn't known whether the runner is the project's.

        Where some ran, a variable may be all that they lack, and the report stays.
        """
        if obstacle.suite is None or not obstacle.suite.passed:
            if obstacle.suite is not None and obstacle.suite.total:
                yield from self._try_variables(obstacle)
            yield from self._try_commands("tests")(obstacle)

    def _set_variables(self, obstacle: Obstacle) -> Iterator[Proposal]:
        if obstacle.suite is None or obstacle.suite.passed or not obstacle.suite.total:
            yield from self._try_variables(obstacle)

    def _replace_report(self, obstacle: Obstacle) -> Iterator[Proposal]:
        if obstacle.suite is not None and obstacle.suite.passed:
            yield from self._try_commands("tests")(obstacle)

    def _name_tests(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """The tests that still fail, one by one: those that fail outside too, and few that fail here twice."""
        if obstacle.suite is None or not obstacle.suite.passed or not obstacle.suite.failing or self.compared is None:
            return
        found, failing = self.compared.found, obstacle.suite.failing
        both = tuple(key for key in found.both if key in failing)
        unhelped = tuple(item for item in found.unhelped if item.test in failing)
        left = replace(found, both=both, unhelped=unhelped)
        fixes = plan_named(self._root, left, self.compared.adapter, self._today)
        if fixes:
            yield Proposal("failing tests named one by one", fixes, keeps=True)

    def _try_commands(self, kind: Kind, *, whole: bool = True) -> Rung:
        """The project's commands; those for a part of the suite only where no test was seen to pass."""

        def propose(obstacle: Obstacle) -> Iterator[Proposal]:
            passes = obstacle.suite is not None and obstacle.suite.passed > 0
            if passes and not whole:
                return
            for command in self._find_commands(kind):
                if command.whole == whole:
                    yield from self._declare(kind, command)

        return propose

    def _declare(self, kind: Kind, command: OwnCommand) -> Iterator[Proposal]:
        """The command alone, then with the variables that the same file sets."""
        file = command.source.partition(",")[0]
        variables = [each for each in find_own_variables(self.scan) if each.source.partition(",")[0] == file]
        for chosen in ((), variables) if variables else ((),):
            fixes = tuple(plan_declared(self._root, kind, command.words, command.source, chosen))
            names = "".join(f" with {each.name}={each.value}" for each in chosen)
            yield Proposal(f"`{command.line}`{names} ({command.source})", fixes, proves=kind == "tests")

    def find_unplanned_tests(self) -> Obstacle | None:
        """Find tests for which the repository has a command, and the plan no place; None if there are none."""
        entry = find_table(read_document(self._root / PLAN_FILE), TASK_TYPE) or {}
        name = "code:tests"
        if name in (entry.get("order") or ()) or name in (entry.get("unchecked") or ()):
            return None
        commands = self._find_commands("tests")
        said = f"no tests are planned, though the repository has `{commands[0].line}`" if commands else ""
        return Obstacle(name, said) if commands else None

    def _find_commands(self, kind: Kind) -> tuple[OwnCommand, ...]:
        return tuple(map(call_by_installed, find_own_commands(self.scan, kind)))

    def _try_variables(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """The variables of the project's own files: a few alone, then all together."""
        fails = obstacle.suite is not None and obstacle.suite.failing
        if not (
            obstacle.crashed or fails or (obstacle.capability == "code:build" and "nothing" not in obstacle.message)
        ):
            return
        variables = find_own_variables(self.scan)
        choices = [(each,) for each in variables[:_ALONE]] + ([variables] if len(variables) > 1 else [])
        for chosen in choices:
            names = ", ".join(f"{each.name}={each.value}" for each in chosen)
            fix = plan_variables(self._root, _ADAPTER, chosen)
            yield Proposal(f"{names} ({chosen[0].source})", (fix,), accounts=True)

    def _exclude_runners(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Runners whose report nothing here reads, where other tests ran."""
        if "TESTS_UNEXAMINED" in obstacle.codes:
            fixes = tuple(plan_excluded_runners(self._root, obstacle.runs, self._today))
            if fixes:
                yield Proposal("what can't be read left out", fixes)

    def _leave_out(self, obstacle: Obstacle) -> Iterator[Proposal]:
        """Nothing while dependencies are missing, and tests only where a report says that there are none."""
        if not self._installed or obstacle.lacks_dependencies:
            return
        if obstacle.capability == "code:tests" and (self._has_tests or not obstacle.no_tests):
            return
        fixes = plan_left_out(self._root, obstacle, self._programs.get(obstacle.capability, ""))
        if fixes:
            yield Proposal(f"no {obstacle.capability}", fixes, drops=True)


def _unless_out_of_time(rung: Rung) -> Rung:
    """Make no proposal where time is what lacks: it would cost the same time again."""
    return lambda obstacle: () if obstacle.out_of_time else rung(obstacle)


def _is_of_repository(remedy: Remedy) -> bool:
    return remedy.grant.kind is GrantKind.BIND and not remedy.grant.what.startswith(("/", "~"))
