"""``gate init``: write the configuration for a repository and give a first verdict."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from verigate.cli.click_options import with_options
from verigate.cli.options import DRY_RUN, JSON
from verigate.cli.output import print_json, say, use_colour, warn, width
from verigate.cli.target import find_repository
from verigate.config.builtin import PROFILES_FILE
from verigate.errors import ExecutionError, GateError, Interrupted, UsageError
from verigate.reporting.escape import escape
from verigate.subject.git import is_git

if TYPE_CHECKING:
    from verigate.domain.verdict import Verdict
    from verigate.integrations.setup.declared_tests import Declaration
    from verigate.integrations.setup.init_files import PlannedFile
    from verigate.integrations.setup.stack import Stack
    from verigate.usecases.suite_bench import SuiteCall
    from verigate.usecases.verify import Verified

_LINT_RULES = frozenset({"lint_clean", "lint_errors_max", "lint_warnings_max"})
_TEST_RULES = frozenset({"tests_pass"})
"""Rules that a baseline settles."""

_NOTHING_FOUND = frozenset({"LINT_EMPTY", "TESTS_EMPTY"})
"""Reasons of these rules that a baseline doesn't settle: it holds findings and failures, and there are none."""

_ROUNDS = 3
"""So often what was written is verified, and what is left is looked at again."""


@click.command(name="init")
@with_options(DRY_RUN)
@click.option("--no-verdict", is_flag=True, help="Write the files; verify nothing.")
@click.option(
    "--install", is_flag=True, help="Install missing dependencies by the command of the lock file, without asking."
)
@click.option("--tests", "tests_line", metavar="COMMAND", help="Declare the command that runs the tests.")
@click.option(
    "--fix", is_flag=True, help="Write what settles failures of the current commit, after a question for each file."
)
@click.option("--outside", is_flag=True, help="If tests fail, run them outside the sandbox too, without asking.")
@click.option("--yes", is_flag=True, help="Agree to --outside, to each file of --fix, and to the pages for agents.")
@click.option(
    "--agents/--no-agents",
    default=None,
    help="Whether to say in AGENTS.md and in a skill how agents begin, claim, disclose and read a refusal.",
)
@click.option(
    "--reviewed/--unreviewed",
    default=None,
    help="Whether a person reads every change; if not, no weakening is taken by its disclosure.",
)
@click.option("--advisory", is_flag=True, help="Set up a gate that reports without blocking, and show the next step.")
@with_options(JSON)
def command(
    dry_run: bool,
    no_verdict: bool,
    install: bool,
    tests_line: str | None,
    fix: bool,
    outside: bool,
    yes: bool,
    reviewed: bool | None,
    advisory: bool,
    agents: bool | None,
    as_json: bool,
) -> int:
    """Detect the stack, write config/ and .artifacts/.gitignore, and verify the current commit with these files.

    An existing file is changed only where it can become stricter, or to declare the command of --tests. On a terminal,
    asks before it installs missing dependencies, for the command of a test runner that it doesn't know, whether a
    person reads every change, and whether to add what coding agents have to know.

    If tests fail, offers to run them outside the sandbox as well, where the project's own code has your rights, and
    explains each difference. Exits with 0 whatever the verdict is, and with 3 if what
    --install ordered can't be installed.
    """
    from verigate.cli.init_fixes import FailureSettler
    from verigate.cli.init_questions import can_ask, install_missing
    from verigate.cli.init_report import describe_files, describe_stack, show_files, show_missing, show_stack
    from verigate.cli.suite_check import FixTerms
    from verigate.integrations.setup.init_files import plan_init_files, write_files
    from verigate.integrations.setup.missing_dependencies import find_missing
    from verigate.integrations.setup.missing_programs import find_missing_programs
    from verigate.integrations.setup.repository_scan import scan_repository
    from verigate.integrations.setup.stack import detect_stack
    from verigate.integrations.setup.tightening import find_answerable

    root = _find_git_repository()
    seen = scan_repository(root)
    missing = find_missing(seen, os.environ, sys.prefix)
    programs = find_missing_programs(seen, detect_stack(root), os.environ)
    interactive = not as_json and not dry_run and can_ask()
    warnings = _find_node_conflicts(root)
    if not as_json:
        show_missing(missing, programs, warnings)
    installed = dry_run or install_missing(root, missing, asked=install, interactive=interactive)
    declared = _declare(root, tests_line, interactive=interactive)
    stack = detect_stack(root, declared.content if declared else None)
    notes = (*stack.notes, *find_answerable(root, stack, {item.capability for item in programs}))
    if reviewed is None and interactive and not os.path.lexists(root / PROFILES_FILE):
        from verigate.cli.init_questions import ask_for_reader

        reviewed = ask_for_reader()
    planned = plan_init_files(root, stack, declared, is_read=reviewed is not False)
    planned += _plan_for_agents(root, agents, agreed=yes, interactive=interactive)
    if not as_json:
        show_stack(stack, programs, notes)
        show_files(planned, dry_run=dry_run)
    written = () if dry_run else write_files(root, planned)
    problems: list[GateError] = []
    verified, call = (None, None) if dry_run or no_verdict else _verdict(root, problems, quiet=as_json)
    if not as_json:
        for path in written:
            click.echo(f"wrote   {path}")
        _show_verdict(verified, advisory=advisory)
    left = find_missing(scan_repository(root), os.environ, sys.prefix) if missing else ()
    settler = FailureSettler(
        root, FixTerms(fix, outside, yes, interactive), [item.line for item in left], programs, quiet=as_json
    )
    for _ in range(_ROUNDS):
        if not settler.settle(verified, call):
            break
        # What was agreed to is proven as a whole; a verdict may show what another failure has hidden.
        verified, call = _verdict(root, problems, quiet=as_json)
        if not as_json:
            _show_verdict(verified, advisory=advisory)
    if as_json:
        found = describe_stack(stack, missing, programs, notes, warnings)
        document = describe_files(planned, written, verified, dry_run=dry_run)
        print_json({**found, **document, **settler.describe()})
        return 0 if installed else ExecutionError.exit_code
    if not dry_run:
        _show_next(verified, advisory=advisory, failed=bool(problems))
    return 0 if installed else ExecutionError.exit_code


def _find_node_conflicts(root: Path) -> tuple[str, ...]:
    """Say which installed test runners ask for another node than this machine's; it is only asked if one wants any."""
    from verigate.doctor.versions import read_versions
    from verigate.integrations.setup.stack import detect_stack
    from verigate.integrations.setup.wanted_node import find_wanted_nodes, list_conflicts

    wanted, node = find_wanted_nodes(root, detect_stack(root)), shutil.which("node")
    if not wanted or node is None:
        return ()
    return list_conflicts(wanted, read_versions({"node": node}, os.environ)["node"])


def _plan_for_agents(root: Path, agents: bool | None, *, agreed: bool, interactive: bool) -> tuple[PlannedFile, ...]:
    """Plan what coding agents have to know, if that is asked for."""
    if agents is None and interactive:
        from verigate.cli.init_questions import ask_for_agents

        agents = ask_for_agents(root, agreed=agreed)
    if not agents:
        return ()
    from verigate.integrations.setup.for_agents import plan_agent_files

    return plan_agent_files(root)


def _show_verdict(verified: Verified | None, *, advisory: bool) -> None:
    if verified is None or verified.verdict is None:
        return
    from verigate.reporting.formats import TextStyle, render
    from verigate.reporting.report import Report

    click.echo("HEAD with these files, compared with itself; nothing is committed:\n")
    report = Report(verified.verdict, verified.runs, {}, verified.warnings, advisory, verified.baseline)
    say(render("text", report, TextStyle(use_colour(sys.stdout), width())))
    click.echo()


def _show_next(verified: Verified | None, *, advisory: bool, failed: bool) -> None:
    from verigate.domain.verdict import Status

    if failed:
        click.echo("next: fix that first, then `gate init` again for a verdict")
        return
    verdict = verified.verdict if verified is not None else None
    if verdict is not None and verdict.status is not Status.PASS and not advisory:
        written = "which are written all the same (exit code 0)"
        click.echo(f"HEAD doesn't pass with these files, {written}{_name_baseline(verdict)}")
        click.echo(
            "next: fix that first; or commit these files, then `gate install --advisory`, which reports and blocks "
            "nothing"
        )
        return
    hooks = "gate install --advisory" if advisory else "gate install"
    then = f"`{hooks}` for the git hooks, and `gate start NAME` for your next change"
    click.echo(f"next: commit these files and push them, then {then}")


def _name_baseline(verdict: Verdict) -> str:
    """Name the command that suppresses what was there already, where findings of linters or tests are in the way."""
    from verigate.domain.verdict import CheckOutcome

    refuted = {
        check.id.rpartition(".")[2]
        for check in verdict.checks
        if check.outcome is CheckOutcome.REFUTED and check.reason not in _NOTHING_FOUND
    }
    named = [
        command
        for rules, command in ((_LINT_RULES, "gate baseline write"), (_TEST_RULES, "gate baseline write --tests"))
        if refuted & rules
    ]
    return f"; to accept what was there before, until a date: {' and '.join(named)}" if named else ""


def _find_git_repository() -> Path:
    root = find_repository()
    if not is_git(root):
        raise UsageError(
            "this is not a git repository: the gate verifies changes, and git knows them",
            where=str(root),
            hint="git init, or -C with the repository's folder",
        )
    return root


def _declare(root: Path, line: str | None, *, interactive: bool) -> Declaration | None:
    """Declare the given command; without one ask for it where no test runner is known and somebody can answer."""
    from verigate.integrations.setup.declared_tests import declare_tests
    from verigate.integrations.setup.stack import detect_stack

    if line is None and interactive and (hint := _find_unknown_tests(detect_stack(root))):
        from verigate.cli.init_questions import ask_for_tests

        line = ask_for_tests(hint) or None
    return declare_tests(root, line) if line is not None else None


def _find_unknown_tests(stack: Stack) -> str:
    """Say why the command of the tests isn't known; empty if it is, or if there is nothing to test."""
    if unread := stack.names("unread tests"):
        return f"the tests of {', '.join(map(escape, unread))} can't be run as found"
    gap = "tests" in stack.gaps and stack.languages
    return f"no known test runner was found for {', '.join(stack.languages)}" if gap else ""


def _verdict(root: Path, problems: list[GateError], *, quiet: bool) -> tuple[Verified | None, SuiteCall | None]:
    """Verify the current commit with the present configuration; None, with the reason on stderr, without a verdict.

    An error that prevents it is added to ``problems``.
    How it came about was decided before there was a gate: it is compared with itself.
    """
    from verigate import composition
    from verigate.cli.progress import progress
    from verigate.domain.policy_names import CONFIG_FILES
    from verigate.domain.policy_source import PolicyUse
    from verigate.domain.subject import SubjectKind
    from verigate.integrations.setup.commit_with_files import make_present_commit
    from verigate.reporting.console_lines import render_error
    from verigate.usecases.request import Request
    from verigate.usecases.suite_bench import WatchedRunner
    from verigate.usecases.verify import verify

    try:
        files = {path: (root / path).read_bytes() for path in CONFIG_FILES if _is_plain_file(root / path)}
        present = make_present_commit(root, files, os.environ)
        if present is None:
            click.echo("no verdict: there is no commit yet", err=True)
            return None, None
        with progress(quiet=quiet, root=root) as listener:
            services = composition.services(root, listener=listener)
            watched = WatchedRunner(services.runner)
            services = replace(services, runner=watched)
            request = Request(None, SubjectKind.COMMIT, present, present, whole=True, policy_use=PolicyUse.OWN)
            verified = verify(request, services)
    except Interrupted:
        raise
    except GateError as problem:
        problems.append(problem)
        say(render_error(problem, colour=use_colour(sys.stderr), width=width()), err=True)
        click.echo("no verdict: the files are there, and nothing is verified", err=True)
        return None, None
    warn(verified.warnings)
    if verified.verdict is None:
        click.echo("no verdict: the current commit changes nothing", err=True)
    return verified, watched.call


def _is_plain_file(path: Path) -> bool:
    """Return whether this is a file and not a link: the target of a link is no policy."""
    return path.is_file() and not path.is_symlink()
