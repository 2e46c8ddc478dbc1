"""Declared tools that the configuration leaves out, each with a reason; the artifact lists them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from code_adapter.detection import Unexamined
from verigate.sdk import AdapterUsageError, Request

KEY = "excluded"


@dataclass(frozen=True, slots=True)
class ExcludedTool:
    """``path`` "" means wherever the tool is declared."""

    what: str
    path: str
    why: str

    def is_about(self, what: str, path: str) -> bool:
        """Whether it leaves out the tool ``what`` that ``path`` declares."""
        return self.what == what and self.path in {"", path}


def list_declared_tools(request: Request, unexamined: Iterable[Unexamined]) -> dict[str, list[dict[str, Any]]]:
    """Make ``unexamined`` and ``excluded`` of the artifact. Raises AdapterUsageError for an entry without a reason."""
    entries = _read(request)
    left: list[dict[str, Any]] = []
    excluded: list[dict[str, Any]] = []
    for item in unexamined:
        entry = next((entry for entry in entries if entry.is_about(item.what, item.path)), None)
        if entry is None:
            left.append(asdict(item))
        else:
            excluded.append(asdict(item) | {"why": entry.why})
    return {"unexamined": left, "excluded": excluded}


def is_excluded(request: Request, what: str, path: str) -> bool:
    """Whether the configuration leaves out the tool ``what`` that ``path`` declares."""
    return any(entry.is_about(what, path) for entry in _read(request))


def _read(request: Request) -> tuple[ExcludedTool, ...]:
    entries = request.config.get(KEY, [])
    if not isinstance(entries, list):
        raise AdapterUsageError("is not a list", where=f"configuration of code, /{KEY}")
    return tuple(_read_entry(entry, f"configuration of code, /{KEY}/{index}") for index, entry in enumerate(entries))


def _read_entry(entry: object, where: str) -> ExcludedTool:
    if not isinstance(entry, dict):
        raise AdapterUsageError("is not an object", where=where)
    what, path, why = entry.get("what"), entry.get("path", ""), entry.get("why")
    if not isinstance(what, str) or not what or not isinstance(path, str):
        raise AdapterUsageError("has no what: the name of a tool", where=where)
    if not isinstance(why, str) or not why.strip():
        raise AdapterUsageError("has no why: the reason not to run it", where=where)
    return ExcludedTool(what, path, why)
