"""What a capability finds in the subject: tools that can run, and tools that are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from verigate.sdk import ToolFailed

Ran = TypeVar("Ran")


@dataclass(frozen=True, slots=True)
class Able(Generic[Ran]):
    """A tool that can run in ``folder`` ("" is the root). ``start`` raises ToolFailed where it gives no answer."""

    tool: str
    folder: str
    start: Callable[[], Ran] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Missing:
    """A tool that can't run. ``due``: the project asks for it, so that its absence is no clean answer."""

    tool: str
    folder: str
    why: str
    due: bool = True


def parted(found: Iterable[Able[Ran] | Missing]) -> tuple[list[Able[Ran]], list[Missing]]:
    """Those that can run, and those that are missing."""
    able: list[Able[Ran]] = []
    missing: list[Missing] = []
    for item in found:
        if isinstance(item, Missing):
            missing.append(item)
        else:
            able.append(item)
    return able, missing


def all_or_none(able: Sequence[Able[Ran]], missing: Sequence[Missing]) -> None:
    """Raise ToolFailed where some can run and others are due: the numbers of a part would read as those of all."""
    due = [item for item in missing if item.due]
    if able and due:
        raise ToolFailed("; ".join(f"{m.tool} in {m.folder or '.'}: {m.why}" for m in due), hint="install it")


def skipped(missing: Iterable[Missing]) -> list[dict[str, Any]]:
    """The same for ``<name>.meta.json``."""
    return [{"path": item.folder or ".", "why": item.why, "tool": item.tool} for item in missing]


def folders(able: Iterable[Able[Ran]], missing: Iterable[Missing]) -> list[str]:
    """Where something is to be looked at, for ``expected`` of ``<name>.meta.json``."""
    return sorted({item.folder or "." for item in able} | {item.folder or "." for item in missing})
