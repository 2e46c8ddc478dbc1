"""Plan the capabilities of a run, in order and with reasons, from task, plan file, profile and registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from verigate.domain.manifest import Registry
from verigate.domain.plan import Plan, PlanEntry, PlannedCapability
from verigate.domain.profile import Profile
from verigate.domain.task import Statement, Unit
from verigate.errors import UsageError
from verigate.formats.near_names import find_near, suggest_nearest
from verigate.planning.demand import list_demands, list_statement_demands
from verigate.planning.test_changes import COMPARES_POWER, COMPARES_TESTS, RUNS_TESTS, may_change_tests

PLAN_REASON = "plan of "
"""Begins the reason of what the plan file names."""


def build_plan(
    task_type: str,
    entry: PlanEntry,
    profile: Profile,
    units: Sequence[Unit],
    registry: Registry,
    *,
    entry_problem: Callable[[str], str | None],
    only: Iterable[str] = (),
    only_planned: bool = False,
    statements: Sequence[Statement] = (),
    changed: Iterable[str] = (),
    runs_doctests: Callable[[], bool] = lambda: False,
    fixes: bool = False,
    quick: bool = False,
) -> Plan:
    """Plan one run.

    ``changed`` are the paths that differ from the base: where they may be tests, and tests run, those of base and
    subject are compared; where that fails the comparison of the texts decides. ``runs_doctests``: docstrings may be
    tests.

    ``fixes`` is whether the commitment names tests that must prove a fix. ``quick``: a commit waits for the verdict, so
    no mutants are tried.

    A capability that only a statement needs is required if an undecided statement prevents a pass, else optional.

    ``entry_problem`` explains why an adapter's executable can't be started (None: it can). ``only`` limits the plan to
    these capabilities and their declared needs; an unknown name raises UsageError, and what isn't planned is added, or
    left out with ``only_planned``.
    """
    demands = list_demands(profile, units, fixes=fixes)
    required, reasons = _collect_wanted(task_type, entry, profile, demands, statements, registry)
    compares = RUNS_TESTS in required and COMPARES_TESTS in registry.providers
    if compares and may_change_tests(changed, runs_doctests):
        reasons.setdefault(COMPARES_TESTS, []).append(f"tests changed, and {RUNS_TESTS} is planned")
        required.setdefault(COMPARES_TESTS, False)
        if COMPARES_POWER in registry.providers and not quick:
            reasons.setdefault(COMPARES_POWER, []).append(f"tests changed, and {RUNS_TESTS} is planned")
            required.setdefault(COMPARES_POWER, False)
    later = (COMPARES_TESTS, *(() if quick else (COMPARES_POWER,))) if compares and not only else ()
    added_with_tests = tuple(name for name in later if name in registry.providers and name not in required)
    asked = frozenset(only)
    chosen = asked & reasons.keys() if only_planned else asked
    if asked:
        _check_only(chosen, reasons, registry)
        for name in sorted(chosen - reasons.keys()):
            reasons[name], required[name] = ["asked for by --only"], True
    _add_declared_needs(reasons, required, registry)
    order = _sort_by_needs(list(reasons), registry)
    if asked:
        order = _select_needed(order, chosen, registry)
    planned = [
        _plan_capability(name, required[name], tuple(reasons[name]), order, registry, entry_problem=entry_problem)
        for name in order
    ]
    return Plan(task_type, entry, tuple(planned), added_with_tests=added_with_tests)


def _collect_wanted(  # noqa: PLR0917 - what asks for capabilities
    task_type: str,
    entry: PlanEntry,
    profile: Profile,
    demands: Mapping[str, Sequence[str]],
    statements: Sequence[Statement],
    registry: Registry,
) -> tuple[dict[str, bool], dict[str, list[str]]]:
    reasons = {name: [f"{PLAN_REASON}{task_type}"] for name in entry.order}
    required = {name: name in entry.required for name in entry.order}
    for name, why in demands.items():
        reasons.setdefault(name, []).extend(why)
        required.setdefault(name, True)
    counts = profile.rules.get("statements", "require") != "report"
    for name, why in list_statement_demands(statements, registry).items():
        reasons.setdefault(name, []).extend(why)
        required.setdefault(name, counts)
    return required, reasons


def _check_only(chosen: frozenset[str], planned: Mapping[str, object], registry: Registry) -> None:
    known = sorted({*planned, *registry.providers})
    for name in sorted(chosen):
        if name not in known:
            hint = suggest_nearest(name, known, 3) or f"known: {', '.join(known)}"
            raise UsageError(f"no capability is called {name!r}", where="--only", hint=hint)


def _get_needs(name: str, registry: Registry) -> tuple[str, ...] | None:
    provider = registry.provider(name)
    return provider.capability(name).needs if provider else None


def _get_reads(name: str, registry: Registry) -> tuple[str, ...]:
    """Return what ``name`` declares to read, without capabilities that need it themselves."""
    provider = registry.provider(name)
    found = provider.capability(name).reads if provider else ()
    return tuple(read for read in found if name not in _list_needs(read, registry))


def _list_needs(name: str, registry: Registry) -> set[str]:
    found: set[str] = set()
    queue = [name]
    while queue:
        new = set(_get_needs(queue.pop(), registry) or ()) - found
        found |= new
        queue += new
    return found


def _add_declared_needs(reasons: dict[str, list[str]], required: dict[str, bool], registry: Registry) -> None:
    queue = list(reasons)
    while queue:
        name = queue.pop()
        for need in _get_needs(name, registry) or ():
            if need not in reasons:
                reasons[need], required[need] = [f"needed by {name}"], required[name]
                queue.append(need)


def _sort_by_needs(names: list[str], registry: Registry) -> list[str]:
    """Sort ``names``, each right after what it declares to need or read; in a cycle the last stays before one of these.

    graphlib would place needs after names that don't wait for them; a name without declared needs waits for all before
    it.
    """
    known = frozenset(names)
    ordered: dict[str, None] = {}
    begun: set[str] = set()
    stack = names[::-1]
    while stack:
        name = stack[-1]
        if name in begun:
            ordered.setdefault(stack.pop())
            continue
        begun.add(name)
        earlier = (*(_get_needs(name, registry) or ()), *_get_reads(name, registry))
        stack += [other for other in reversed(earlier) if other in known and other not in begun]
    return list(ordered)


def _select_needed(order: list[str], chosen: frozenset[str], registry: Registry) -> list[str]:
    kept = set(chosen)
    for name in reversed(order):
        if name in kept:
            kept.update(_get_needs(name, registry) or ())
    return [name for name in order if name in kept]


def _plan_capability(
    name: str,
    required: bool,
    reasons: tuple[str, ...],
    order: list[str],
    registry: Registry,
    *,
    entry_problem: Callable[[str], str | None],
) -> PlannedCapability:
    position = order.index(name)
    provider = registry.provider(name)
    if provider is None:
        found = find_near(name, registry.providers)
        hint = f"; nearest: {', '.join(found)}" if found else ""
        lacking = f"no adapter provides {name}{hint}"
        return PlannedCapability(name, required, reasons, None, tuple(order[:position]), lacking)
    declared, reads = provider.capability(name).needs, _get_reads(name, registry)
    waits = (*order[:position], *reads) if declared is None else (*declared, *reads)
    needs = tuple(need for need in order if need in waits)
    broken = entry_problem(provider.entry_path)
    problem = f"adapter {provider.name}: {broken}: {provider.entry}" if broken else None
    later = [need for need in needs if order.index(need) >= position]
    if problem is None and later:
        problem = f"dependency cycle: {', '.join(dict.fromkeys((name, *later)))}"
    return PlannedCapability(name, required, reasons, provider, needs, problem)
