"""Addresses of pages and places in them, which stay the same: reports and people link to them."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import quote

_PLAIN = re.compile(r"[^A-Za-z0-9._:/-]")
_LONGEST = 120


def task_address(repository: str, task_id: str) -> str:
    """Return the address of a task's page."""
    return f"/t/{quote(repository, safe='')}/{quote(task_id, safe='')}"


def artifact_address(repository: str, task_id: str, path: str) -> str:
    """Return the address of the viewer of an artifact."""
    return f"{task_address(repository, task_id)}/artifact/{quote(path, safe='/', errors='surrogatepass')}"


def raw_address(repository: str, task_id: str, path: str) -> str:
    """Return the address of an artifact's own bytes."""
    return f"{task_address(repository, task_id)}/raw/{quote(path, safe='/', errors='surrogatepass')}"


def name_anchor(kind: str, name: str) -> str:
    """Return the id of a place on a page: ``check-code.tests_pass``. Other characters become ``~HEX~``."""
    plain = _PLAIN.sub(lambda match: f"~{ord(match[0]):x}~", name)
    if len(plain) > _LONGEST:
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        plain = f"{plain[:_LONGEST]}~{digest}"
    return f"{kind}-{plain}"


def check_anchor(check_id: str) -> str:
    """Return the id of a check on its task's page."""
    return name_anchor("check", check_id)


def pointer_anchor(pointer: str) -> str:
    """Return the id of the line that a JSON pointer leads to, on the page of an artifact."""
    return name_anchor("at", pointer or "/")
