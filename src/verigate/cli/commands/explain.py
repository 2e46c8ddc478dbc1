"""``gate explain``: explain a check by the lines of its evidence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.documentation_site import find_documentation
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.published_task import read_published_task, restore_report
from verigate.cli.target import find_repository
from verigate.config.which_task import list_task_ids
from verigate.domain.verdict import Check, CheckOutcome, Status, Verdict, parse_verdict
from verigate.errors import GateError, UsageError
from verigate.evidence.store import task_folder
from verigate.formats.near_names import suggest_nearest
from verigate.reporting.explain_class import CLASSES, describe_class, render_class
from verigate.reporting.grouping import is_problem
from verigate.reporting.reasons import REASONS

if TYPE_CHECKING:
    from verigate.evidence.store import Published
    from verigate.reporting.explain_baseline import BaselinedIssue


@click.command(name="explain")
@task_argument
@click.argument("check_id", required=False, metavar="[CHECK]")
@with_options(JSON)
def command(task_id: str | None, check_id: str | None, as_json: bool) -> int:
    """Explain the verdict of TASK_ID, or one CHECK of it: rule, expected, actual, evidence, how to reproduce it.

    Without CHECK, explain each check that prevents a pass; after a pass, list the checks that hold.

    In place of a task also a reason code, such as TEST_FAIL: what it means, and how to settle it; or the class of a
    test, such as followed: what its runs say.
    """
    if task_id is not None and check_id is None and task_id in REASONS and not _is_task(task_id):
        return _explain_code(task_id, as_json=as_json)
    if task_id is not None and check_id is None and task_id in CLASSES and not _is_task(task_id):
        return _explain_class(task_id, as_json=as_json)
    if task_id is not None and check_id is None and not _is_task(task_id):
        _refuse_near_code(task_id)
    from verigate import composition
    from verigate.reporting.explain import render_explanation, reproduce_commands

    published = read_published_task(task_id)
    of_baseline = _baseline(published)
    verdict = parse_verdict(published.verdict)
    chosen = [_find(verdict, check_id)] if check_id is not None else _decisive(verdict)
    if as_json:
        print_json(
            {
                "schema": "verigate:explanation.v1",
                "task_id": verdict.task_id,
                "status": verdict.status.value,
                "checks": [
                    {
                        **check,
                        "reproduce": list(reproduce_commands(_find(verdict, check["id"]), verdict)),
                        **_in_baseline(of_baseline(_find(verdict, check["id"]))),
                    }
                    for check in verdict.document()["checks"]
                    if check["id"] in {item.id for item in chosen}
                ],
            }
        )
        return 0
    if check_id is None and verdict.status is Status.PASS:
        from verigate.reporting.explain import render_support

        say(render_support(verdict, chosen, colour=use_colour(sys.stdout), width=width()))
        return 0
    from verigate.reporting.findings import collect_findings

    documentation = find_documentation(os.environ)
    listed = collect_findings(restore_report(published)).by_check()
    texts = [
        render_explanation(
            check,
            verdict,
            composition.read_excerpts(published, check),
            findings=[finding for finding in listed.get(check.id, ()) if is_problem(check)],
            colour=use_colour(sys.stdout),
            width=width(),
            documentation=documentation,
        )
        + _render_baseline(of_baseline(check))
        for check in chosen
    ]
    say("\n".join(texts))
    return 0


def _is_task(task_id: str) -> bool:
    """Return whether the repository that this is, if it is one, has a task of that name: it goes first."""
    try:
        return task_folder(find_repository(), task_id).is_dir()
    except GateError:
        return False


def _refuse_near_code(name: str) -> None:
    """Refuse what is no task, if it is nearly a code or a class. Raises UsageError."""
    near = suggest_nearest(name, (*REASONS, *CLASSES))
    if near is not None and suggest_nearest(name, list_task_ids(find_repository())) is None:
        raise UsageError(f"{name} is no task, no reason code and no class of a test", hint=near)


def _explain_class(name: str, *, as_json: bool) -> int:
    if as_json:
        print_json(describe_class(name))
    else:
        say(render_class(name, colour=use_colour(sys.stdout), width=width()))
    return 0


def _explain_code(code: str, *, as_json: bool) -> int:
    from verigate.reporting.explain_reason import describe_reason, render_reason

    documentation = find_documentation(os.environ)
    if as_json:
        print_json(describe_reason(code, documentation=documentation))
    else:
        say(render_reason(code, colour=use_colour(sys.stdout), width=width(), documentation=documentation))
    return 0


def _baseline(published: Published) -> Callable[[Check], Sequence[BaselinedIssue]]:
    """Return what finds the baseline entries of a check's findings."""
    if "baseline" not in published.verdict["policy"]:
        return lambda _: ()
    from verigate.reporting.explain_baseline import find_baselined_issues
    from verigate.usecases.replay import restore_facts

    facts = restore_facts(find_repository(), published)
    return lambda check: find_baselined_issues(check, facts.baseline, facts.evidence.artifacts.values())


def _in_baseline(found: Sequence[BaselinedIssue]) -> dict[str, Any]:
    return {"baseline": [item.document() for item in found]} if found else {}


def _render_baseline(found: Sequence[BaselinedIssue]) -> str:
    if not found:
        return ""
    from verigate.reporting.explain_baseline import render

    return render(found)


def _decisive(verdict: Verdict) -> list[Check]:
    """Return the checks that prevent a pass; for a pass, those that support it."""
    against = [
        check
        for check in verdict.checks
        if check.outcome in {CheckOutcome.ERROR, CheckOutcome.REFUTED, CheckOutcome.UNKNOWN}
    ]
    return against or [check for check in verdict.checks if check.outcome is CheckOutcome.HOLDS]


def _find(verdict: Verdict, check_id: str) -> Check:
    known = [check.id for check in verdict.checks]
    short = [name.split(".", 1)[-1] for name in known]
    for candidate in (check_id, *(name for name, last in zip(known, short, strict=True) if last == check_id)):
        if (found := verdict.check(candidate)) is not None:
            return found
    hint = suggest_nearest(check_id, {*known, *short}, 3) or f"known: {', '.join(known)}"
    raise UsageError(f"the verdict has no check {check_id!r}", hint=hint)
