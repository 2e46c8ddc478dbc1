"""The address of a task's page on the server that the environment names, for reports to link to.

It is a link and nothing else: nothing is fetched from there, and no verdict depends on it. It comes from the
environment of the command, never from a file of the tree that is judged.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from verigate.cli.output import warn
from verigate.cli.plain_address import is_plain_address
from verigate.cli.target import find_repository
from verigate.domain.task import TASK_ID
from verigate.reporting.report import Report

SERVER_VARIABLE = "GATE_SERVER_URL"
"""The address of a ``gate serve`` that shows the tasks of this repository."""

NAME_VARIABLE = "GATE_SERVER_REPOSITORY"
"""What the repository is called there; without it by its folder, as ``gate serve`` does."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")


def add_page(report: Report) -> Report:
    """Return a report with the address of its task's page. What can't be an address is left out, with a warning."""
    verdict = report.verdict
    # A verdict with this check is never published, so no server shows it.
    if verdict.check("gate.only") is not None or not TASK_ID.fullmatch(verdict.task_id):
        return report
    if (fault := _find_fault(os.environ)) is not None:
        warn((f"no link to the task's page: {fault}",))
    return replace(report, page=find_page(find_repository(), verdict.task_id, os.environ))


def find_page(root: Path, task_id: str, environ: Mapping[str, str]) -> str:
    """Return the address of a task's page, "" where no server is named, or by what is no address."""
    from verigate.serve.addresses import task_address
    from verigate.serve.repositories import name_repositories

    url, name = environ.get(SERVER_VARIABLE, ""), environ.get(NAME_VARIABLE, "")
    if not url or _find_fault(environ) is not None:
        return ""
    return f"{url.rstrip('/')}{task_address(name or name_repositories((root,))[0].name, task_id)}"


def _find_fault(environ: Mapping[str, str]) -> str | None:
    url, name = environ.get(SERVER_VARIABLE, ""), environ.get(NAME_VARIABLE, "")
    if url and not is_plain_address(url):
        return f"{SERVER_VARIABLE} must be http(s)://HOST[:PORT][/PATH], in plain ASCII"
    if name and not _NAME.fullmatch(name):
        return f"{NAME_VARIABLE} must have 1 to 80 letters, digits, _ or -"
    return None
