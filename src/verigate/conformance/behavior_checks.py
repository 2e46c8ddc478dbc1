"""Check how a capability behaves: streams, writes, network, tools, processes, and unusual subjects."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.conformance.artifact_checks import (
    Findings,
    check_determinism,
    find_artifact_difference,
    find_refusal_fault,
    has_crashed,
    observe_working,
)
from verigate.conformance.calls import NO_TRACER, Calls, NotApplicableError, NotRunError
from verigate.conformance.finding_codes import make_finding, make_note
from verigate.conformance.fixtures import INJECTED, ODD_WORDS, Fixture
from verigate.conformance.tool_checks import find_special_failure
from verigate.conformance.trace_analysis import ObservedActions
from verigate.conformance.trial_bench import UNKNOWN, Observation

_KILLED = 9
_SHOWN = 3


def check_stdout(calls: Calls, name: str) -> Findings:
    """It writes nothing to stdout. A note: the gate keeps stdout as a log, and takes no facts from it."""
    if calls.capability(name).command is not None:
        raise NotApplicableError("its cap definition makes stdout its output")
    for fixture, seen in observe_working(calls, name):
        if seen.out:
            shown = seen.out[:80].decode("utf-8", "backslashreplace")
            yield make_note("STDOUT_USED", f"it wrote {len(seen.out)} bytes to stdout: {shown!r}", name, fixture.name)


def check_writes(calls: Calls, name: str) -> Findings:
    """It writes only to the task folder, HOME and TMPDIR."""
    free = is_writing_subject(calls, name)
    for fixture, seen in observe_working(calls, name):
        changed = () if free else seen.run.subject_changes
        if changed:
            yield make_finding(
                "WRITES_OUTSIDE", f"it changed the checkout: {_format_list(changed)}", name, fixture.name
            )
            continue
        subject = seen.paths[0]
        written = [path for path in _analyze(seen).written if not (free and path.startswith(f"{subject}/"))]
        if written:
            yield make_finding("WRITES_OUTSIDE", f"it wrote, or tried to: {_format_list(written)}", name, fixture.name)


def check_network(calls: Calls, name: str) -> Findings:
    """It uses no network unless its manifest declares it."""
    key, asked = calls.capability(name).flags.get("network_if"), False
    if calls.manifest.sandbox.network:
        raise NotApplicableError("its manifest declares the network")
    for fixture, seen in observe_working(calls, name):
        if isinstance(key, str) and {**calls.manifest.config_defaults, **fixture.config}.get(key):
            continue
        asked = True
        if found := _analyze(seen).network:
            yield make_finding("NETWORK_UNDECLARED", f"it tried to reach {_format_list(found)}", name, fixture.name)
    if not asked:
        raise NotApplicableError("the configuration of its fixtures enables the network")


def check_tools(calls: Calls, name: str) -> Findings:
    """It starts only declared programs. Failed calls count too: a missing program may be the cause."""
    for fixture in calls.fixtures(name):
        seen = calls.call_plain(name, fixture)
        if not seen.was_called:
            raise NotRunError(f"it was not called on {fixture.name}")
        found = _analyze(seen)
        if found.undeclared:
            yield make_finding("TOOL_UNDECLARED", f"it started {_format_list(found.undeclared)}", name, fixture.name)
        elif found.looked_for:
            message = f"it looked for {_format_list(found.looked_for)} on PATH, which is not declared"
            yield make_finding("TOOL_UNDECLARED", message, name, fixture.name)


def check_processes(calls: Calls, name: str) -> Findings:
    """Everything that it started has ended when it ends."""
    for fixture, _ in observe_working(calls, name):
        # Not the plain call: there the tracer counts as left over.
        again, _ = calls.call_varied(name, fixture)
        left = again.run.outcome.leftover_processes if again.run.outcome else 0
        if left:
            message = f"{left} process{'es' if left > 1 else ''} still ran when it had ended"
            yield make_finding("PROCESS_LEFT_BEHIND", message, name, fixture.name)


def check_timeout(calls: Calls, name: str) -> Findings:
    """It ends when it is stopped at its timeout in the middle of its work."""
    seen = calls.call_until_timeout(name)
    outcome = seen.run.outcome
    if outcome is None or not outcome.timed_out:
        raise NotRunError("it could not be stopped in the middle of its work", "write its artifacts by open or rename")
    if outcome.signal == _KILLED:
        yield make_finding("TIMEOUT_IGNORED", "SIGTERM did not end it, and two seconds later it was killed", name)
    elif outcome.exit_code == 0:
        yield make_finding("TIMEOUT_IGNORED", "it continued after SIGTERM and ended with 0", name)


def check_unknown_capability(calls: Calls, name: str) -> Findings:
    """Called with an undeclared capability, it doesn't exit with 0."""
    seen = calls.call_unknown(name)
    outcome = seen.run.outcome
    if outcome is None:
        raise NotRunError("it was not called")
    if outcome.exit_code == 0:
        message = f"called with {UNKNOWN!r} it ended with 0"
        yield make_finding("UNKNOWN_CAPABILITY_ACCEPTED", message, name)


def check_empty_repository(calls: Calls, name: str) -> Findings:
    """On a repository without files it writes valid artifacts, or refuses.

    An orderly refusal that no fixture announces is a note: without facts nothing passes.
    """
    fixture, seen = calls.call_on_empty(name)
    if problem := _find_problem(name, fixture, seen):
        refused = calls.tool is None and name not in fixture.refuses
        refused = refused and find_refusal_fault(seen) is None and not has_crashed(seen)
        yield (make_note if refused else make_finding)("EMPTY_REPOSITORY", problem, name, fixture.name)


def check_odd_file_names(calls: Calls, name: str) -> Findings:
    """Unusual file names neither break it, nor are run, split or read in git's quoted form."""
    for fixture, seen in calls.call_on_odd_names(name):
        problem = _find_problem(name, fixture, seen)
        if problem is None and any(
            path.rpartition("/")[2] == INJECTED for path in (*seen.run.subject_changes, *seen.files)
        ):
            problem = "a file name was run as a command"
        if problem is None:
            problem = next(_find_misread_names(_analyze(seen), seen.paths[0]), None)
        if problem is None and name not in fixture.refuses:
            problem = find_special_failure(calls, name, seen)
        if problem is not None:
            yield make_finding("ODD_FILE_NAMES", problem, name, fixture.name)


def _find_misread_names(found: ObservedActions, subject: str) -> Iterator[str]:
    """Find requested names that can only come from misreading an existing one."""
    for path in found.asked:
        if not path.startswith(f"{subject}/"):
            continue
        name = path.removeprefix(f"{subject}/")
        if name.startswith('"') and name.endswith('"'):
            yield f"it requested {name!r}, a name as git quotes it"
        last = name.rpartition("/")[2]
        if last in ODD_WORDS or last.rpartition(".")[0] in ODD_WORDS:
            yield f"it requested {name!r}, a piece of the name {' '.join(ODD_WORDS)!r}"


def check_read_only_checkout(calls: Calls, name: str) -> Findings:
    """On a read-only checkout it gives the same artifacts."""
    if is_writing_subject(calls, name):
        raise NotApplicableError("it declares that it writes to the checkout")
    fixture, plain, seen = calls.call_read_only(name)
    if seen.run.sandbox is None or not seen.run.sandbox.read_only:
        raise NotRunError("nothing on this machine can make the checkout read-only", "install bubblewrap; gate doctor")
    problem = _find_problem(name, fixture, seen)
    steady = next(check_determinism(calls, name), None) is None
    if problem is None and steady and (difference := find_artifact_difference(calls, name, plain, seen)):
        problem = f"its artifacts differ from those on a writable checkout: {difference}"
    if problem is not None:
        yield make_finding("READ_ONLY_SUBJECT", problem, name, fixture.name)


def is_writing_subject(calls: Calls, name: str) -> bool:
    """Whether a capability, or the subject's programs that it runs, writes to the checkout by declaration."""
    return calls.capability(name).flags.get("writes_subject") is True


def _find_problem(name: str, fixture: Fixture, seen: Observation) -> str | None:
    """Find what is wrong with a call on an unusual subject; None if nothing is."""
    if not seen.was_called:
        message = seen.run.failure.message if seen.run.failure else ""
        raise NotRunError(f"it was not called on {fixture.name}: {message}")
    if name in fixture.refuses:
        problem = find_refusal_fault(seen)
        return f"the fixture says that it refuses, but {problem}" if problem else None
    return seen.run.failure.message if seen.run.failure else None


def _analyze(seen: Observation) -> ObservedActions:
    if seen.deeds is None:
        raise NotRunError(*NO_TRACER)
    return seen.deeds


def _format_list(found: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{', '.join(found[:_SHOWN])}{more}"
