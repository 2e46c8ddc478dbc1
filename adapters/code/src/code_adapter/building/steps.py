"""What the modules of this package give and take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from code_adapter.found import Able
from verigate.sdk import ToolFailed, ToolRun
from verigate.sdk.normalised_texts import Texts


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One error or warning. ``line`` and ``column`` count from 1, 0 where unknown; ``path`` is "" where unknown."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Built:
    """One step that ran. ``examined`` are the files that it is known to have looked at."""

    tool: str
    folder: str
    argv: tuple[str, ...]
    exit_code: int
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    examined: tuple[str, ...] = field(default=())


class Step(Able[Built]):
    """Something that can be built, and how."""

    __slots__ = ()


def built(
    tool: str,
    folder: str,
    run: ToolRun,
    texts: Texts,
    problems: Iterable[tuple[str, Problem]] = (),
) -> Built:
    """A step out of how its tool ended and what it said: (``error`` or ``warning``, problem).

    A failure without a readable error gets the end of the tool's output as one. Raises ToolFailed for a tool that was
    killed or ran out of time.
    """
    if run.exit_code is None:
        raise ToolFailed(f"{tool} ended with {run.ended}:\n{run.tail()}", where=folder or ".")
    listed = list(problems)
    errors = sorted({problem for severity, problem in listed if severity == "error"})
    warnings = sorted({problem for severity, problem in listed if severity == "warning"})
    if run.exit_code and not errors:
        errors = [Problem("", 0, 0, texts.message(run.tail()) or f"{tool} ended with {run.ended}")]
    return Built(tool, folder, tuple(texts.argv(run.argv)), run.exit_code, tuple(errors), tuple(warnings))
