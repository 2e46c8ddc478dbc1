"""Checks of a tool in TOML alone: its program, its changes, and its refusal to destroy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from verigate.conformance.calls import Calls, NotApplicableError
from verigate.conformance.finding_codes import make_finding
from verigate.conformance.trial_bench import Observation
from verigate.domain.conformance import ConformanceFinding
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.tools.model import Tool
from verigate.tools.policy import build_sandbox_policy

RUN_ARTIFACT = "run.json"
_SHOWN = 3

Findings = Iterator[ConformanceFinding]


def list_programs(tool: Tool, name: str) -> frozenset[str]:
    """List the programs that a capability needs: its command's, and those of the adapter that no command names."""
    of_commands = {each.command.base for each in tool.capabilities}
    return frozenset(build_sandbox_policy(tool).tools) - of_commands | {tool.capability(name).command.base}


def check_program(calls: Calls, name: str) -> Findings:
    """Its program is installed, and is started on at least one of its fixtures."""
    if calls.tool is None:
        raise NotApplicableError("it is not a tool in TOML")
    needed, started, worked = list_programs(calls.tool, name), False, False
    for fixture in calls.fixtures(name):
        seen = calls.call_plain(name, fixture)
        if missing := sorted(needed.intersection(seen.run.tools_missing)):
            yield make_finding("TOOL_MISSING", f"{', '.join(missing)} is not installed", name)
            return
        worked = worked or seen.ended_well
        started = started or bool(_read_run(calls, name, seen).get("invocations"))
    if worked and not started:
        program = calls.tool.capability(name).command.base
        yield make_finding("TOOL_NOT_STARTED", f"{program} was never started: no fixture has a file for it", name)


def check_preservation(calls: Calls, name: str) -> Findings:
    """Existing files stay as they are, unless the capability is declared destructive."""
    for fixture in calls.fixtures(name):
        seen = calls.call_plain(name, fixture)
        there = {os.fsdecode(path) for path in fixture.files}
        if touched := sorted(there.intersection(seen.run.subject_changes)):
            more = f" and {len(touched) - _SHOWN} more" if len(touched) > _SHOWN else ""
            message = f"it changed or removed {', '.join(touched[:_SHOWN])}{more}, and is not declared destructive"
            yield make_finding("DESTRUCTIVE_UNDECLARED", message, name, fixture.name)


def check_destructive_refusal(calls: Calls, name: str) -> Findings:
    """A gate run doesn't call what destroys; called anyway, it changes nothing and doesn't exit with 0."""
    planned, called = calls.call_destructive(name)
    if planned.was_called or planned.run.failure is None:
        yield make_finding("DESTRUCTIVE_RUN", "it is declared destructive, and a gate run called it", name)
    if called.ended_well or called.files or called.run.subject_changes:
        yield make_finding("DESTRUCTIVE_RUN", "called in a gate run's place it did not refuse", name)


def find_special_failure(calls: Calls, name: str, seen: Observation) -> str | None:
    """Describe how a tool's program failed on an unusual subject after a good plain call; None if it didn't.

    For a tool with a report its launcher reports the failure. Without one, exit codes do.
    """
    if calls.tool is None:
        return None
    usual, unusual = (_read_run(calls, name, each).get("exit_code") for each in (calls.call_accepted(name)[1], seen))
    capability = calls.tool.capability(name)
    if capability.report is not None or usual != 0 or unusual in {0, None}:
        return None
    return f"{capability.command.base} ended with {unusual}, and with 0 on {calls.first(name).name}"


def _read_run(calls: Calls, name: str, seen: Observation) -> Any:
    path = next(each.path for each in calls.capability(name).outputs if each.path.endswith(f"/{RUN_ARTIFACT}"))
    try:
        value = loads(seen.files.get(path, b"{}"))
    except StrictJsonError:
        return {}
    return value if isinstance(value, dict) else {}
