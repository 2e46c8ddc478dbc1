"""Detected tools of a capability: those that can run, and those that are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from verigate.sdk import ToolFailed

Ran = TypeVar("Ran")


@dataclass(frozen=True, slots=True)
class Runnable(Generic[Ran]):
    """A tool that can run in ``folder`` ("" is the root). ``start`` raises ToolFailed without a usable result.

    ``suite`` names the tests that it runs, the same for a test runner and for what measures its tests; "" if it has no
    such counterpart.
    """

    tool: str
    folder: str
    start: Callable[[], Ran] = field(repr=False)
    suite: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """A tool that can't run. ``due`` means that the project requires it, so the result without it is incomplete."""

    tool: str
    folder: str
    why: str
    due: bool = True


@dataclass(frozen=True, slots=True, order=True)
class Unexamined:
    """A tool that the project declares and that wasn't run. ``path`` is the folder or file that declares it."""

    what: str
    path: str
    why: str


def split_missing(found: Iterable[Runnable[Ran] | Missing]) -> tuple[list[Runnable[Ran]], list[Missing]]:
    """Split into tools that can run and missing tools."""
    able: list[Runnable[Ran]] = []
    missing: list[Missing] = []
    for item in found:
        if isinstance(item, Missing):
            missing.append(item)
        else:
            able.append(item)
    return able, missing


def require_all(able: Sequence[Runnable[Ran]], missing: Sequence[Missing]) -> None:
    """Raise ToolFailed if some tools can run and required ones are missing: partial numbers would look complete."""
    due = [item for item in missing if item.due]
    if able and due:
        raise ToolFailed("; ".join(f"{m.tool} in {m.folder or '.'}: {m.why}" for m in due), hint="install it")


def list_missing(missing: Iterable[Missing]) -> list[dict[str, Any]]:
    """List missing tools for ``<name>.meta.json``."""
    return [{"path": item.folder or ".", "why": item.why, "tool": item.tool} for item in missing]


def list_unexamined(missing: Iterable[Missing], declared: Iterable[Unexamined]) -> list[Unexamined]:
    """List required tools that are missing, and declared tools that can't be run."""
    due = {Unexamined(item.tool, item.folder or ".", item.why) for item in missing if item.due}
    return sorted({*due, *declared})


def list_wanting(missing: Iterable[Missing]) -> list[dict[str, Any]]:
    """List missing tools that the project doesn't require, for ``missing`` of an artifact that no tool made."""
    return [{"what": item.tool, "path": item.folder or ".", "why": item.why} for item in missing if not item.due]


def list_folders(able: Iterable[Runnable[Ran]], missing: Iterable[Missing]) -> list[str]:
    """List the folders to examine, for ``expected`` of ``<name>.meta.json``."""
    return sorted({item.folder or "." for item in able} | {item.folder or "." for item in missing})
