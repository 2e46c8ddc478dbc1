"""What ``gate init`` offers after a first verdict that is no pass: the ladder of each capability in the way."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.output import say
from verigate.cli.suite_check import FixTerms, describe_suite, show_fixes, write_agreed
from verigate.domain.verdict import Status
from verigate.errors import GateError, Interrupted
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.composition.suites import ExaminedSuite
    from verigate.integrations.setup.missing_programs import MissingProgram
    from verigate.usecases.settle.ladder import Proposal, Settlement
    from verigate.usecases.settle.obstacles import Obstacle
    from verigate.usecases.settle.rungs import Compared, Ladder
    from verigate.usecases.suite_bench import SuiteCall
    from verigate.usecases.suite_fixes import SuiteFix
    from verigate.usecases.verify import Verified

_SHOWN = 8
_DOCUMENTS = (".md", ".rst", ".adoc", ".html", ".ipynb", ".txt")
BUDGET_S = 900.0
"""So long offers may be tried, in seconds: later none is begun."""


class FailureSettler:
    """Climbs the ladder of each capability that stands in the way, and writes what was agreed to.

    What couldn't be settled once isn't tried again in a later round. ``missing`` are the commands that install what
    lacks: until then nothing is left out. ``programs`` are those of this machine that lack.
    """

    def __init__(
        self,
        root: Path,
        terms: FixTerms,
        missing: Sequence[str],
        programs: Sequence[MissingProgram] = (),
        *,
        quiet: bool,
    ) -> None:
        self._root = root
        self._missing = missing
        self._programs = {item.capability: item for item in programs}
        self._terms = terms
        self._quiet = quiet
        self._deadline = time.monotonic() + BUDGET_S
        self._examined: ExaminedSuite | None = None
        self._written: list[str] = []
        self._unsettled: list[Settlement] = []

    def settle(self, verified: Verified | None, call: SuiteCall | None) -> bool:
        """Settle what can be; returns whether the next verdict may be another one.

        ``call`` is how the verification called the adapter of the tests. Without an agreement and without somebody to
        ask nothing more runs: what is known is shown, and a line says how to go on.
        """
        if verified is None or verified.verdict is None:
            return False
        from verigate.usecases.settle.obstacles import checks_nothing, find_obstacles

        ladder = self._make_ladder(verified, call)
        given_up = {end.left.capability for end in self._unsettled}
        unplanned = ladder.find_unplanned_tests()
        found = (*find_obstacles(verified), *([unplanned] if unplanned is not None else []))
        obstacles = [each for each in found if each.capability not in given_up]
        if verified.verdict.status is Status.PASS:
            # What holds nothing back isn't touched.
            obstacles = [each for each in obstacles if each is unplanned]
        if not (self._terms.fix and (self._terms.yes or self._terms.interactive)):
            for obstacle in obstacles:
                self._show_known(obstacle, ladder)
            self._show_next(obstacles, unplanned)
            return False
        before = len(self._written)
        if checks_nothing(verified) and not obstacles and ladder.scan.find_suffix(*_DOCUMENTS):
            from verigate.usecases.settle.left_out import plan_documents

            self._write(tuple(plan_documents(self._root)))
        ends = [self._climb(obstacle, ladder) for obstacle in obstacles]
        self._unsettled += [end for end in ends if not end.settled]
        return len(self._written) > before or any(end.settled for end in ends)

    def describe(self) -> dict[str, Any]:
        """Return what was written, compared and left, as JSON."""
        suite = describe_suite(self._examined, tuple(self._written)) if self._examined is not None else None
        left = [
            {"capability": end.left.capability, "message": end.left.message, "tried": list(end.tried)}
            for end in self._unsettled
        ]
        return {"settled": list(dict.fromkeys(self._written)), "suite": suite, "unsettled": left}

    def _show_lacking(self, capability: str) -> None:
        """Say that a program lacks, and which command installs it, before the capability is left out for that."""
        lacking = self._programs.get(capability)
        if lacking is not None and not self._quiet:
            click.echo(f"{capability} can't run: {lacking.what} is missing; to check it: {lacking.advice}")

    def _climb(self, obstacle: Obstacle, ladder: Ladder) -> Settlement:
        from verigate import composition
        from verigate.integrations.setup.broken_tests import break_test_files
        from verigate.usecases.settle.ladder import Settlement, climb
        from verigate.usecases.settle.trial import CapabilityBench

        self._show_lacking(obstacle.capability)
        bench = CapabilityBench(
            self._root, composition.services(self._root), lambda: break_test_files(ladder.scan), self._deadline
        )
        try:
            rungs = ladder.find_rungs(obstacle.capability)
            end = climb(obstacle, rungs, bench, self._accept, self._report)
        except Interrupted:
            raise
        except GateError as problem:
            end = Settlement(False, obstacle, (problem.message,))
        if not end.settled and not self._quiet:
            self._show_unsettled(end)
        return end

    def _accept(self, proposal: Proposal) -> bool:
        if not proposal.fixes:
            return True
        return len(self._write(proposal.fixes)) == len(proposal.fixes)

    def _write(self, fixes: tuple[SuiteFix, ...]) -> tuple[str, ...]:
        written = write_agreed(self._root, fixes, self._terms)
        self._written += written
        if not self._quiet:
            show_fixes(fixes, written, self._terms, "gate init")
        return written

    def _report(self, what: str) -> None:
        if not self._quiet:
            click.echo(f"trying {escape(what, limit=300)}", err=True)

    def _make_ladder(self, verified: Verified, call: SuiteCall | None) -> Ladder:
        from verigate import composition
        from verigate.integrations.setup.stack import detect_stack
        from verigate.usecases.settle.rungs import Ladder

        unread = detect_stack(self._root).names("unread lint")
        return Ladder(
            self._root,
            unread,
            composition.today(),
            lambda: self._compare(verified, call),
            installed=not self._missing,
            programs={name: item.advice for name, item in self._programs.items()},
        )

    def _compare(self, verified: Verified, call: SuiteCall | None) -> Compared | None:
        """Compare the tests inside and outside, where that is agreed to, and show it."""
        if not self._terms.agree_outside():
            return None
        from verigate.cli.suite_check import compare_suite
        from verigate.reporting.suite_comparison import render_comparison
        from verigate.usecases.settle.rungs import Compared
        from verigate.usecases.suite_bench import FirstRun, read_inside

        try:
            first = FirstRun(call, read_inside(verified.runs)) if call is not None else None
            agreed = self._terms._replace(outside=True)
            self._examined = compare_suite(self._root, agreed, quiet=self._quiet, first=first)
        except Interrupted:
            raise
        except GateError as problem:
            click.echo(f"the tests aren't compared: {escape(problem.message, limit=500)}", err=True)
            return None
        if not self._quiet:
            say(render_comparison(self._examined.found))
        return Compared(self._examined.found, self._examined.adapter)

    def _show_known(self, obstacle: Obstacle, ladder: Ladder) -> None:
        """Show what is known without another run, and how to go on."""
        failing = obstacle.crashed or (obstacle.suite is not None and obstacle.suite.failed > 0)
        if obstacle.capability == "code:tests" and failing:
            self._show_tests(ladder)
        elif obstacle.capability == "code:lint":
            for proposal in ladder.list_known(obstacle):
                self._write(proposal.fixes)

    def _show_next(self, obstacles: Sequence[Obstacle], unplanned: Obstacle | None) -> None:
        """Say in one sentence what stands in the way, and which command to call."""
        if self._quiet or not obstacles:
            return
        if obstacles == [unplanned] and unplanned is not None:
            click.echo(f"{escape(unplanned.message)}: {self._name_fix('tries it')}")
            return
        names = [each.capability for each in obstacles]
        said = ", ".join(names[:-1]) + " and " * (len(names) > 1) + names[-1]
        held = f"{said} {'keep' if len(names) > 1 else 'keeps'} this commit from passing"
        if self._missing:
            click.echo(f"{held}: install what is missing first: {escape(self._missing[0])}")
        elif lacking := next((self._programs[name] for name in names if name in self._programs), None):
            left_out = f"gate init --fix leaves {lacking.capability} out instead"
            click.echo(f"{held}: {lacking.what} is missing: {lacking.advice}, then gate init again; {left_out}")
        elif self._terms.fix:
            click.echo(f"{held}: nobody can be asked here; call gate init --fix on a terminal, or with --yes")
        else:
            click.echo(f"{held}: {self._name_fix('looks for the cause')}")

    def _name_fix(self, what: str) -> str:
        """Name the command that does ``what``: with --yes where nobody can be asked."""
        if self._terms.interactive:
            return f"gate init --fix {what}, and asks before it writes"
        return f"gate init --fix --yes {what}, and writes without asking"

    def _show_tests(self, ladder: Ladder) -> None:
        if not (self._terms.outside or self._terms.yes or self._terms.interactive):
            if not self._quiet:
                click.echo("whose failures these are: gate doctor --tests --outside runs the tests outside as well")
        elif ladder.compared is not None and self._examined is not None:
            self._write(self._examined.fixes)

    def _show_unsettled(self, end: Settlement) -> None:
        name = end.left.capability
        click.echo(f"{name} still keeps this commit from passing: {escape(end.left.message, limit=500)}")
        for line in end.tried[:_SHOWN]:
            click.echo(f"  tried {escape(line, limit=500)}")
        if end.left.hint:
            click.echo(f"  hint  {escape(end.left.hint, limit=500)}")
        if self._missing:
            click.echo(f"  next  install what is missing, then call it again: {escape(self._missing[0])}")
        elif name == "code:tests":
            click.echo("  next  gate init --tests COMMAND, with the command that passes on your machine")
