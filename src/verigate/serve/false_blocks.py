"""What people reported as false blocks, for pages and the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import Struct

from verigate.domain.false_block import FalseBlock
from verigate.evidence.false_block_store import read_false_blocks
from verigate.serve.addresses import task_address
from verigate.serve.repositories import ServedRepository

MOST_LISTED = 200


class FalseBlockView(Struct, frozen=True):
    """A report about a verdict of a task. ``findings`` are ids of checks, ``reasons`` their codes."""

    repository: str
    task_id: str
    href: str
    verdict: str
    status: str
    finished: str
    findings: tuple[str, ...]
    reasons: tuple[str, ...]
    reason: str
    by: str
    reported: str


class FalseBlockList(Struct, frozen=True):
    """Reports, the newest first; ``left_out`` counts those beyond the first 200.

    ``codes`` are the reason codes with the number of reports that have each. ``unreadable`` counts lines of the files
    that are no reports.
    """

    reports: tuple[FalseBlockView, ...] = ()
    left_out: int = 0
    codes: tuple[tuple[str, int], ...] = ()
    unreadable: int = 0


def list_false_blocks(
    repositories: Iterable[ServedRepository], environ: Mapping[str, str], task_id: str | None = None
) -> FalseBlockList:
    """List the reports about these repositories, or about one task of each."""
    views, unreadable = [], 0
    for repository in repositories:
        found = read_false_blocks(repository.root, environ)
        unreadable += found.unreadable
        views += [show_false_block(repository, each) for each in found.reports if task_id in {None, each.task_id}]
    views.sort(key=lambda view: view.reported, reverse=True)
    codes = Counter(code for view in views for code in view.reasons)
    ordered = tuple(sorted(codes.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_LISTED])
    return FalseBlockList(tuple(views[:MOST_LISTED]), max(0, len(views) - MOST_LISTED), ordered, unreadable)


def show_false_block(repository: ServedRepository, report: FalseBlock) -> FalseBlockView:
    """Return a report as pages show it."""
    return FalseBlockView(
        repository.name,
        report.task_id,
        task_address(repository.name, report.task_id),
        report.verdict,
        report.status,
        report.finished,
        report.findings,
        report.reasons,
        report.reason,
        report.by,
        report.reported,
    )
