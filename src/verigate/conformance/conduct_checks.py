"""Checks of how a capability conducts itself: streams, writes, network, tools, processes, and unusual subjects."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.conformance.artifact_checks import Findings, differs, not_refused, stays_the_same, working
from verigate.conformance.bench import UNKNOWN, Observation
from verigate.conformance.calls import NO_TRACER, Calls, NotAskedError, NotRunError
from verigate.conformance.codes import finding
from verigate.conformance.deeds import Deeds
from verigate.conformance.fixtures import INJECTED, ODD_WORDS, Fixture
from verigate.conformance.tool_checks import fails_on_that_alone

_KILLED = 9
_SHOWN = 3


def stdout_is_unused(calls: Calls, name: str) -> Findings:
    """It writes nothing to stdout."""
    if calls.capability(name).command is not None:
        raise NotAskedError("its output is what it prints, by its cap definition")
    for fixture, seen in working(calls, name):
        if seen.out:
            shown = seen.out[:80].decode("utf-8", "backslashreplace")
            yield finding("STDOUT_USED", f"it wrote {len(seen.out)} bytes to stdout: {shown!r}", name, fixture.name)


def writes_stay_inside(calls: Calls, name: str) -> Findings:
    """It writes to the task folder, HOME and TMPDIR alone."""
    free = writes_subject(calls, name)
    for fixture, seen in working(calls, name):
        changed = () if free else seen.run.subject_changes
        if changed:
            yield finding("WRITES_OUTSIDE", f"it changed the checkout: {_listed(changed)}", name, fixture.name)
            continue
        subject = seen.paths[0]
        written = [path for path in _deeds(seen).written if not (free and path.startswith(f"{subject}/"))]
        if written:
            yield finding("WRITES_OUTSIDE", f"it wrote, or tried to: {_listed(written)}", name, fixture.name)


def network_is_declared(calls: Calls, name: str) -> Findings:
    """It doesn't ask for the network unless its manifest does."""
    key, asked = calls.capability(name).flags.get("network_if"), False
    if calls.manifest.sandbox.network:
        raise NotAskedError("its manifest asks for the network")
    for fixture, seen in working(calls, name):
        if isinstance(key, str) and {**calls.manifest.config_defaults, **fixture.config}.get(key):
            continue
        asked = True
        if found := _deeds(seen).network:
            yield finding("NETWORK_UNDECLARED", f"it tried to reach {_listed(found)}", name, fixture.name)
    if not asked:
        raise NotAskedError("the configuration of its fixtures asks for the network")


def tools_are_declared(calls: Calls, name: str) -> Findings:
    """It starts declared programs alone. Also asked of calls that failed: for want of a program, maybe."""
    for fixture in calls.fixtures(name):
        seen = calls.plain(name, fixture)
        if not seen.was_called:
            raise NotRunError(f"it was not called on {fixture.name}")
        found = _deeds(seen)
        if found.undeclared:
            yield finding("TOOL_UNDECLARED", f"it started {_listed(found.undeclared)}", name, fixture.name)
        elif found.looked_for:
            said = f"it looked for {_listed(found.looked_for)} on PATH, which is not declared"
            yield finding("TOOL_UNDECLARED", said, name, fixture.name)


def nothing_is_left_running(calls: Calls, name: str) -> Findings:
    """When it ends, everything that it started has ended."""
    for fixture, _ in working(calls, name):
        # Not the ordinary call: there the tracer is counted with what is left.
        again, _ = calls.varied(name, fixture)
        left = again.run.outcome.leftover_processes if again.run.outcome else 0
        if left:
            said = f"{left} process{'es' if left > 1 else ''} still ran when it had ended"
            yield finding("PROCESS_LEFT_BEHIND", said, name, fixture.name)


def timeout_is_heeded(calls: Calls, name: str) -> Findings:
    """Stopped at its timeout in the middle of its work, it ends."""
    seen = calls.stopped(name)
    outcome = seen.run.outcome
    if outcome is None or not outcome.timed_out:
        raise NotRunError(
            "it could not be met in the middle of its work", "let its artifacts be written by open or rename"
        )
    if outcome.signal == _KILLED:
        yield finding("TIMEOUT_IGNORED", "SIGTERM did not end it, and two seconds later it was killed", name)
    elif outcome.exit_code == 0:
        yield finding("TIMEOUT_IGNORED", "it went on after SIGTERM and ended with 0, as if nothing had been", name)


def unknown_is_refused(calls: Calls, name: str) -> Findings:
    """Called with a capability that nobody declares, it ends with another code than 0."""
    seen = calls.unknown(name)
    outcome = seen.run.outcome
    if outcome is None:
        raise NotRunError("it was not called")
    if outcome.exit_code == 0:
        said = f"called with {UNKNOWN!r} it ended with 0"
        yield finding("UNKNOWN_CAPABILITY_ACCEPTED", said, name)


def empty_is_zero(calls: Calls, name: str) -> Findings:
    """On a repository without files it writes valid artifacts, or refuses where a fixture says so."""
    fixture, seen = calls.empty(name)
    if problem := _problem(name, fixture, seen):
        yield finding("EMPTY_REPOSITORY", problem, name, fixture.name)


def odd_names_are_coped_with(calls: Calls, name: str) -> Findings:
    """File names of all kinds neither break it, nor are run, cut to pieces or taken in git's quoted form."""
    for fixture, seen in calls.odd(name):
        problem = _problem(name, fixture, seen)
        if problem is None and any(
            path.rpartition("/")[2] == INJECTED for path in (*seen.run.subject_changes, *seen.files)
        ):
            problem = "a file name was run as a command"
        if problem is None:
            problem = next(_misread(_deeds(seen), seen.paths[0]), None)
        if problem is None and name not in fixture.refuses:
            problem = fails_on_that_alone(calls, name, seen)
        if problem is not None:
            yield finding("ODD_FILE_NAMES", problem, name, fixture.name)


def _misread(found: Deeds, subject: str) -> Iterator[str]:
    """Names that were asked for and can only come from misreading one that is there."""
    for path in found.asked:
        if not path.startswith(f"{subject}/"):
            continue
        name = path.removeprefix(f"{subject}/")
        if name.startswith('"') and name.endswith('"'):
            yield f"it asked for {name!r}, a name as git quotes it"
        last = name.rpartition("/")[2]
        if last in ODD_WORDS or last.rpartition(".")[0] in ODD_WORDS:
            yield f"it asked for {name!r}, a piece of the name {' '.join(ODD_WORDS)!r}"


def read_only_suffices(calls: Calls, name: str) -> Findings:
    """On a checkout that can't be written to it gives the same artifacts."""
    if writes_subject(calls, name):
        raise NotAskedError("it says that it writes in the checkout")
    fixture, plain, seen = calls.read_only(name)
    if seen.run.sandbox is None or not seen.run.sandbox.read_only:
        raise NotRunError("nothing on this machine can make the checkout read-only", "install bubblewrap; gate doctor")
    problem = _problem(name, fixture, seen)
    steady = next(stays_the_same(calls, name), None) is None
    if problem is None and steady and (difference := differs(calls, name, plain, seen)):
        problem = f"its artifacts differ from those on one that can be written to: {difference}"
    if problem is not None:
        yield finding("READ_ONLY_SUBJECT", problem, name, fixture.name)


def writes_subject(calls: Calls, name: str) -> bool:
    """Whether a capability says that its work, or that of the subject's programs that it runs, lies in the checkout."""
    return calls.capability(name).flags.get("writes_subject") is True


def _problem(name: str, fixture: Fixture, seen: Observation) -> str | None:
    """What is wrong with a call on an unusual subject; None if nothing is."""
    if not seen.was_called:
        said = seen.run.failure.message if seen.run.failure else ""
        raise NotRunError(f"it was not called on {fixture.name}: {said}")
    if name in fixture.refuses:
        problem = not_refused(seen)
        return f"the fixture says that it refuses, but {problem}" if problem else None
    return seen.run.failure.message if seen.run.failure else None


def _deeds(seen: Observation) -> Deeds:
    if seen.deeds is None:
        raise NotRunError(*NO_TRACER)
    return seen.deeds


def _listed(found: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{', '.join(found[:_SHOWN])}{more}"
