"""``gate baseline``: suppress existing findings and failing tests until an expiry date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.command_group import NearestGroup
from verigate.cli.options import DRY_RUN, JSON, QUIET, REF, STAGED, Option
from verigate.cli.output import print_json, say
from verigate.cli.target import find_repository

if TYPE_CHECKING:
    from verigate.domain.baseline_update import BaselineUpdate
    from verigate.usecases.baseline import CountedFailures, CountedFindings

SHOWN = 200
"""The most entries that ``show`` lists; ``--json`` has all of them."""


@click.group(name="baseline", cls=NearestGroup)
def command() -> None:
    """Suppress existing findings and failing tests until an expiry date.

    config/verigate-baseline.json lists them. It is a policy file: somebody else must review a change that adds an
    entry; a change that only removes entries needs no review.
    """


_SUBJECT = (STAGED, REF, DRY_RUN, QUIET)
_TESTS = Option("tests", ("--tests",), "Run the tests, not the linters.")


@command.command(name="write")
@click.option("--expires", default="90", metavar="DATE|DAYS", show_default=True, help="When new entries expire.")
@click.option(
    "--reason",
    default="there before the gate was",
    show_default=True,
    help="Why new entries are acceptable until then.",
)
@click.option("--renew", is_flag=True, help="Apply the date and the reason to existing entries too.")
@with_options(_TESTS, *_SUBJECT, JSON)
def write(
    expires: str,
    reason: str,
    renew: bool,
    tests: bool,
    staged: bool,
    ref: str | None,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Run the linters and write an entry for each finding that has none; with --tests, for each failing test.

    An existing entry keeps its date, even an expired one. An entry that matches nothing is removed.
    """
    from verigate import composition
    from verigate.config.baseline import parse_expiry
    from verigate.domain.baseline_update import EntryTerms
    from verigate.usecases.baseline import extend_baseline, extend_known_failures

    today = composition.today()
    try:
        until = parse_expiry(expires, today)
    except ValueError as problem:
        raise click.BadParameter(str(problem), param_hint="--expires") from None
    if not 0 < len(reason.strip()) <= 1000:
        raise click.BadParameter("a reason has 1 to 1000 characters", param_hint="--reason")
    terms = EntryTerms(today, until, reason.strip())
    if tests:
        failing = _run_tests(staged=staged, ref=ref, quiet=quiet or as_json)
        known = extend_known_failures(find_repository(), failing, terms, renew=renew)
        return _end(known, failing.unbound, until, tests=True, dry_run=dry_run, as_json=as_json)
    seen = _look(staged=staged, ref=ref, quiet=quiet or as_json)
    changed = extend_baseline(find_repository(), seen, terms, renew=renew)
    return _end(changed, seen.unbound, until, tests=False, dry_run=dry_run, as_json=as_json)


@command.command(name="prune")
@with_options(_TESTS, *_SUBJECT, JSON)
def prune(tests: bool, staged: bool, ref: str | None, dry_run: bool, quiet: bool, as_json: bool) -> int:
    """Run the linters and remove each entry that matches no finding; with --tests, each test that passes again.

    Adds nothing, so any change may contain the result.
    """
    from verigate import composition
    from verigate.usecases.baseline import prune_baseline, prune_known_failures

    if tests:
        failing = _run_tests(staged=staged, ref=ref, quiet=quiet or as_json, worktree=True)
        known = prune_known_failures(find_repository(), failing, composition.today())
        return _end(known, failing.unbound, None, tests=True, dry_run=dry_run, as_json=as_json)
    seen = _look(staged=staged, ref=ref, quiet=quiet or as_json)
    changed = prune_baseline(find_repository(), seen, composition.today())
    return _end(changed, seen.unbound, None, tests=False, dry_run=dry_run, as_json=as_json)


@command.command(name="show")
@with_options(JSON)
def show(as_json: bool) -> int:
    """Show the entries, the next to expire first. Nothing is executed."""
    from verigate import composition
    from verigate.config.baseline import read_baseline
    from verigate.reporting.baseline import render_listing

    baseline = read_baseline(find_repository(), composition.today())
    if as_json:
        entries = (
            []
            if baseline is None
            else [{**entry.document(), "expired": baseline.has_expired(entry)} for entry in baseline.entries]
        )
        tests = (
            []
            if baseline is None
            else [{**entry.document(), "expired": baseline.has_expired(entry)} for entry in baseline.tests]
        )
        print_json(
            {
                "schema": "verigate:baseline-shown.v1",
                "exists": baseline is not None,
                "today": composition.today(),
                "entries": entries,
                "tests": tests,
            }
        )
    else:
        say(render_listing(baseline, SHOWN))
    return 0


def _look(*, staged: bool, ref: str | None, quiet: bool) -> CountedFindings:
    from verigate import composition
    from verigate.cli.progress import progress
    from verigate.domain.subject import SubjectKind
    from verigate.usecases.baseline import count_findings
    from verigate.usecases.request import Request

    kind = SubjectKind.INDEX if staged else SubjectKind.COMMIT if ref is not None else SubjectKind.WORKTREE
    with progress(quiet=quiet) as listener:
        return count_findings(Request(None, kind, ref), composition.services(find_repository(), listener=listener))


def _run_tests(*, staged: bool, ref: str | None, quiet: bool, worktree: bool = False) -> CountedFailures:
    """Run the tests of the commit ``ref``, of the index, or of HEAD: what breaks in the working tree isn't known.

    ``worktree``: of the working tree in place of HEAD, where entries only go.
    """
    from verigate import composition
    from verigate.cli.progress import progress
    from verigate.domain.subject import SubjectKind
    from verigate.usecases.baseline import count_failing_tests
    from verigate.usecases.request import Request

    commit = ref or (None if staged or worktree else "HEAD")
    kind = SubjectKind.INDEX if staged else SubjectKind.COMMIT if commit is not None else SubjectKind.WORKTREE
    with progress(quiet=quiet) as listener:
        services = composition.services(find_repository(), listener=listener)
        return count_failing_tests(Request(None, kind, commit), services)


def _end(
    changed: BaselineUpdate[Any], unbound: int, until: str | None, *, tests: bool, dry_run: bool, as_json: bool
) -> int:
    from verigate import composition
    from verigate.domain.profile import BASELINE_FILE
    from verigate.reporting.baseline import render_rewrite
    from verigate.usecases.baseline import save_baseline

    if not dry_run and tests:
        save_baseline(find_repository(), composition.today(), tests=changed.entries)
    elif not dry_run:
        save_baseline(find_repository(), composition.today(), entries=changed.entries)
    if as_json:
        print_json(
            {
                "schema": "verigate:baseline-written.v1",
                "file": BASELINE_FILE,
                "dry_run": dry_run,
                "expires": until,
                "added": changed.added,
                "kept": changed.kept,
                "expired": changed.expired,
                "dropped": changed.dropped,
                "unbound": unbound,
                "tests" if tests else "entries": [entry.document() for entry in changed.entries],
            }
        )
    else:
        say(render_rewrite(changed, unbound, until, tests=tests, dry_run=dry_run))
    return 0
