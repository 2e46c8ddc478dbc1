"""Build steps and their results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from code_adapter.detection import Runnable
from verigate.sdk import ToolRun
from verigate.sdk.normalised_texts import Texts


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One error or warning. ``line`` and ``column`` count from 1, 0 if unknown; ``path`` is "" if unknown."""

    path: str
    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A finished step. ``examined`` are the files known to be examined."""

    tool: str
    folder: str
    argv: tuple[str, ...]
    exit_code: int
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    examined: tuple[str, ...] = field(default=())


class BuildStep(Runnable[BuildResult]):
    """A build step that can run."""

    __slots__ = ()


def finish_step(
    tool: str,
    folder: str,
    run: ToolRun,
    texts: Texts,
    problems: Iterable[tuple[str, Problem]] = (),
) -> BuildResult:
    """Make a finished step from the tool's exit and its problems: (``error`` or ``warning``, problem).

    A failure without a readable error gets the end of the tool's output as its error. Raises ToolFailed for a tool that
    was killed or timed out.
    """
    if run.exit_code is None:
        raise run.as_failure(f"{tool} ended with {run.ended}", where=folder or ".")
    listed = list(problems)
    errors = sorted({problem for severity, problem in listed if severity == "error"})
    warnings = sorted({problem for severity, problem in listed if severity == "warning"})
    if run.exit_code and not errors:
        errors = [Problem("", 0, 0, texts.message(run.tail()) or f"{tool} ended with {run.ended}")]
    return BuildResult(tool, folder, tuple(texts.argv(run.argv)), run.exit_code, tuple(errors), tuple(warnings))
