"""Tasks and their artifacts as resources: ``verigate://tasks/T1`` and ``verigate://tasks/T1/artifacts/tests.json``.

Only what belongs to an intact verdict is there, and each file is held against its digest when it is read.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import quote, unquote

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)
from msgspec import Struct

from verigate.domain.task import TASK_ID
from verigate.errors import GateError

MAX_BYTES = 16 * 1024 * 1024
"""Bytes of an artifact that is given to a host."""

_SCHEME = "verigate://tasks/"
_ARTIFACTS = "artifacts/"
_JSON = "application/json"
_LISTED = 1000
_LONGEST = 4096


class TaskFiles(Struct, frozen=True):
    """A task with an intact verdict: its status, and the path, size and media type of each of its files."""

    task_id: str
    status: str
    files: tuple[tuple[str, int, str], ...]


class Evidence(Struct, frozen=True):
    """Reads tasks: ``tasks`` lists those with an intact verdict, ``read`` returns a file of one (empty path: the
    verdict). Both raise GateError.
    """

    tasks: Callable[[], Sequence[TaskFiles]]
    read: Callable[[str, str], tuple[bytes, str]]


def list_resources(evidence: Evidence) -> ListResourcesResult:
    """List the verdict of each task, and its files."""
    found: list[Resource] = []
    for task in evidence.tasks():
        found.append(
            Resource(
                uri=f"{_SCHEME}{task.task_id}",
                name=task.task_id,
                title=f"Verdict of {task.task_id}: {task.status}",
                mime_type=_JSON,
            )
        )
        found += (
            Resource(uri=_uri(task.task_id, path), name=f"{task.task_id}/{path}", mime_type=kind, size=size)
            for path, size, kind in task.files
        )
    return ListResourcesResult(resources=found[:_LISTED])


def list_templates() -> ListResourceTemplatesResult:
    """List the forms of the addresses."""
    verdict = ResourceTemplate(
        uri_template=f"{_SCHEME}{{task_id}}", name="verdict", title="The verdict of a task", mime_type=_JSON
    )
    artifact = ResourceTemplate(
        uri_template=f"{_SCHEME}{{task_id}}/{_ARTIFACTS}{{+path}}", name="artifact", title="A file of its evidence"
    )
    return ListResourceTemplatesResult(resource_templates=[verdict, artifact])


def read_resource(evidence: Evidence, uri: str) -> ReadResourceResult:
    """Read one. Raises MCPError for an address that is none, and for a task that isn't intact."""
    task_id, path = _parse(uri)
    try:
        content, kind = evidence.read(task_id, path)
    except GateError as problem:
        raise MCPError(INVALID_PARAMS, f"NOT VERIFIED: {'; '.join(map(str, problem.faults))[:2000]}") from problem
    if len(content) > MAX_BYTES:
        raise MCPError(INVALID_PARAMS, f"{path[:200]} has more than {MAX_BYTES} bytes; it lies in .artifacts/{task_id}")
    try:
        part: Any = TextResourceContents(uri=uri, mime_type=kind, text=content.decode("utf-8"))
    except UnicodeDecodeError:
        part = BlobResourceContents(uri=uri, mime_type=kind, blob=base64.b64encode(content).decode("ascii"))
    return ReadResourceResult(contents=[part])


def _uri(task_id: str, path: str) -> str:
    return f"{_SCHEME}{task_id}/{_ARTIFACTS}{quote(path, safe='/')}"


def _parse(uri: str) -> tuple[str, str]:
    """Return a task's id and the path of a file, empty for the verdict."""
    task_id, slash, rest = uri[:_LONGEST].removeprefix(_SCHEME).partition("/")
    path = unquote(rest.removeprefix(_ARTIFACTS))
    known = uri.startswith(_SCHEME) and TASK_ID.fullmatch(task_id) is not None
    if not known or (slash and (not rest.startswith(_ARTIFACTS) or not path)):
        raise MCPError(INVALID_PARAMS, f"there is no resource {uri[:200]!r}; list them")
    return task_id, path
