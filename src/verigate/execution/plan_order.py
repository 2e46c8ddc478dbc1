"""The order in which the capabilities of a plan start: what each needs comes first, and what probably takes longest."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from verigate.errors import ExecutionError

if TYPE_CHECKING:
    from verigate.domain.plan import Plan, PlannedCapability

WRITES_SUBJECT = "writes_subject"
"""The flag of a capability that runs programs of the subject."""


class PlanOrder:
    """Which capabilities can start, as others end."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan.capabilities
        self._by_name = {planned.name: planned for planned in self._plan}
        self._sorter = TopologicalSorter({planned.name: self.list_needs(planned) for planned in self._plan})
        self._ready: set[str] = set()

    def begin(self) -> None:
        """Find those that need nothing. Raises ExecutionError where some need each other."""
        try:
            self._sorter.prepare()
        except CycleError as error:
            cycle = [planned.name for planned in self._plan if planned.name in error.args[1]]
            raise ExecutionError(f"dependency cycle: {', '.join(cycle)}", hint="check needs in the manifests") from None

    def take(self) -> PlannedCapability | None:
        """Take one whose needs are done; None if there is none.

        Those that run programs of the subject (tests, coverage, builds) come first, since they probably take longest;
        others run next to them. Among equals the plan's order decides.
        """
        self._ready.update(self._sorter.get_ready())
        ready = [each for each in self._plan if each.name in self._ready]
        if not ready:
            return None
        planned = min(ready, key=lambda each: not _runs_subject(each))
        self._ready.remove(planned.name)
        return planned

    def end(self, name: str) -> None:
        """Note that one is done."""
        self._sorter.done(name)

    def list_needs(self, planned: PlannedCapability) -> tuple[str, ...]:
        """List the names of its direct needs that are in the plan."""
        return tuple(need for need in planned.needs if need in self._by_name)

    def list_all_needs(self, planned: PlannedCapability) -> set[str]:
        """List the names of all its direct and indirect needs."""
        closure: set[str] = set()
        pending = list(self.list_needs(planned))
        while pending:
            name = pending.pop()
            if name not in closure:
                closure.add(name)
                pending += self.list_needs(self._by_name[name])
        return closure


def _runs_subject(planned: PlannedCapability) -> bool:
    return planned.problem is None and planned.declaration.flags.get(WRITES_SUBJECT) is True
