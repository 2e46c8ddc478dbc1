"""Run the checks of an engine in their order, and report each by its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from verigate.conformance.engine_kit.bench import EngineBench
from verigate.conformance.engine_kit.checks import CHECKS, Findings, NotAskedError, NotRunError
from verigate.domain.conformance import Conformance, ConformanceAnswer, ConformanceCheck, ConformanceFinding
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_nearest

CAPABILITY = "engine"
_NEEDS_ANSWERS = frozenset({"time", "cancel", "resume", "unknown_session", "malformed"})
"""Checks that say nothing about an engine that can't answer at all."""

_Check = Callable[[EngineBench], Coroutine[Any, Any, Findings]]


def check_engine(bench: EngineBench, chosen: Sequence[str] = ()) -> Conformance:
    """Check an engine; ``chosen`` are names of checks, () for all. Raises UsageError for a name that is none."""
    names = [name for name, _ in CHECKS]
    unknown = next((name for name in chosen if name not in names), None)
    if unknown is not None:
        hint = suggest_nearest(unknown, names) or f"choose of {', '.join(names)}"
        raise UsageError(f"there is no check {unknown!r}", where="--check", hint=hint)
    checked: list[ConformanceCheck] = []
    for name, check in CHECKS:
        if chosen and name not in chosen:
            continue
        checked.append(_run(bench, name, check, checked))
    return Conformance(
        bench.subject.name,
        "",
        bench.subject.where,
        (CAPABILITY,),
        (),
        tuple(checked),
        {"calls that may have asked the model": str(bench.asked)},
        len(bench.heard),
    )


def _run(bench: EngineBench, name: str, check: _Check, before: Sequence[ConformanceCheck]) -> ConformanceCheck:
    asks = " ".join((check.__doc__ or "").split())
    failed = next((item for item in before if item.check in {"environment", "execute"} and item.findings), None)
    if failed is not None and name in {*_NEEDS_ANSWERS, "execute"}:
        why = f"the check {failed.check} has findings"
        return ConformanceCheck(name, asks, ConformanceAnswer.NOT_RUN, CAPABILITY, why=why, hint="fix these first")
    try:
        found = asyncio.run(check(bench))
    except NotAskedError as reason:
        return ConformanceCheck(name, asks, ConformanceAnswer.NOT_ASKED, CAPABILITY, why=str(reason))
    except NotRunError as reason:
        return ConformanceCheck(name, asks, ConformanceAnswer.NOT_RUN, CAPABILITY, why=str(reason))
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - an engine is anybody's code
        message = f"{name}: it raises {type(problem).__name__}: {problem}"[:400]
        fix = "return errors by name in a result, or as checks of the environment test"
        found = (ConformanceFinding("raises", message, fix, CAPABILITY),)
    answer = ConformanceAnswer.REFUTED if found else ConformanceAnswer.HOLDS
    return ConformanceCheck(name, asks, answer, CAPABILITY, found)
