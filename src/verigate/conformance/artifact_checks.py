"""Check what a capability wrote: its exit, its artifacts, their order and content, and their determinism."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from verigate.conformance import artifact_content
from verigate.conformance.calls import (
    Calls,
    NotApplicableError,
    NotRunError,
    find_declared_outputs,
    find_required_outputs,
    list_volatile,
)
from verigate.conformance.finding_codes import Note, make_finding, make_note
from verigate.conformance.fixtures import Fixture
from verigate.conformance.tool_failure import choose_tool_code
from verigate.conformance.trial_bench import Observation
from verigate.conformance.verdict_words import find_verdict
from verigate.domain.conformance import ConformanceFinding
from verigate.domain.invariants import UNSORTED, find_violations
from verigate.domain.manifest import Capability
from verigate.domain.media import MediaSpecError, resolve
from verigate.formats import pointer
from verigate.formats.strict_json import StrictJsonError, loads

Findings = Iterator[ConformanceFinding | Note]
_TEXT = object()
_STACK_TRACE = re.compile(
    rb"^Traceback \(most recent call last\)"
    rb"|^[ \t]+at .*:\d+(?::\d+)?\)?[ \t\r]*$"  # JavaScript, Java
    rb"|^Exception in thread |^thread '.*' .*panicked at|^goroutine \d+ \["  # Java, Rust, Go
    rb"|:\d+:in [`']|: line \d+: ",  # Ruby, sh
    re.MULTILINE,
)


def check_exit(calls: Calls, name: str) -> Findings:
    """It exits with 0, also if the subject has issues; if a fixture says that it refuses, it prints the reason."""
    for fixture in calls.fixtures(name):
        seen = calls.call_plain(name, fixture)
        outcome, failure = seen.run.outcome, seen.run.failure
        if outcome is None:
            raise NotRunError(f"it was not called on {fixture.name}: {failure.message if failure else ''}")
        if outcome.timed_out:
            message = failure.message if failure else "it took too long"
            yield make_finding("TIMEOUT_EXCEEDED", message, name, fixture.name)
        elif name in fixture.refuses:
            if problem := find_refusal_fault(seen):
                yield make_finding(
                    "CRASH_ON_FIXTURE", f"the fixture says that it refuses, but {problem}", name, fixture.name
                )
        elif not outcome.ok:
            wrote = find_required_outputs(calls.capability(name)) or frozenset(seen.files)
            # The stdout of a cap definition's command goes to a file that exists from the beginning.
            complete = bool(wrote) and all(seen.files.get(path) for path in wrote)
            issues = fixture.own and fixture.issues and outcome.exit_code is not None
            code = "EXIT_NONZERO_ON_FINDINGS" if complete or issues else "CRASH_ON_FIXTURE"
            if calls.tool is not None:
                code = choose_tool_code(calls.tool, outcome)
            yield make_finding(code, failure.message if failure else "it did not end well", name, fixture.name)


def find_refusal_fault(seen: Observation) -> str | None:
    """Find what a call lacks to be an orderly refusal (exit code not 0, no artifacts, a reason); None if nothing."""
    outcome = seen.run.outcome
    if outcome is None or outcome.exit_code is None or outcome.timed_out:
        return "it did not end by itself"
    if outcome.exit_code == 0:
        return "it ended with 0"
    if seen.files:
        return f"it wrote {min(seen.files)}"
    if not seen.err.strip():
        return "it printed no reason on stderr"
    return "it ended with a stack trace" if b"Traceback (most recent call last)" in seen.err else None


def has_crashed(seen: Observation) -> bool:
    """Whether a call printed what interpreters print of an error that nobody handled."""
    return _STACK_TRACE.search(seen.err) is not None


def check_artifacts(calls: Calls, name: str) -> Findings:
    """Its artifacts are declared, complete, and valid by their media specs."""
    declared = find_declared_outputs(calls.capability(name))
    for fixture, seen in observe_working(calls, name):
        failure = seen.run.failure
        if failure is not None:
            if not is_only_unsorted(calls.capability(name), seen):
                yield make_finding(_choose_code(failure.reason), failure.message, name, fixture.name)
            continue
        undeclared = sorted(seen.files.keys() - declared.keys())
        if undeclared:
            more = f" and {len(undeclared) - 1} more" if len(undeclared) > 1 else ""
            make = make_note if calls.capability(name).as_string else make_finding
            yield make("ARTIFACT_UNDECLARED", f"it wrote {undeclared[0]}{more}, undeclared", name, fixture.name)


def _choose_code(reason: str) -> str:
    return reason if reason in {"ARTIFACT_MISSING", "ARTIFACT_INVALID", "ARTIFACT_CONFLICT"} else "CRASH_ON_FIXTURE"


def check_expectations(calls: Calls, name: str) -> Findings:
    """Its artifacts contain what its fixtures expect."""
    asked = False
    for fixture, seen in observe_accepted(calls, name):
        own = find_declared_outputs(calls.capability(name))
        for path, places in fixture.expect.items():
            if path not in own and path not in seen.files:
                continue
            asked = True
            value = parse_json(seen.files.get(path, b""))
            for place, wanted in places.items():
                yield from _compare_expected(path, value, place, wanted, (name, fixture.name))
    if not asked:
        raise NotApplicableError("no fixture of its own expects anything")


def _compare_expected(path: str, value: Any, place: str, wanted: Any, about: tuple[str, str]) -> Findings:
    try:
        found = pointer.resolve(value, place)
    except (LookupError, ValueError):
        yield make_finding("EXPECTATION_FAILED", f"{path} has nothing at {place or '(whole)'}", *about)
        return
    difference = artifact_content.find_difference(wanted, found, place)
    if difference is not None:
        message = f"{path} at {difference.place or '(whole)'}: expected {difference.one}, found {difference.other}"
        yield make_finding("EXPECTATION_FAILED", message, *about)


def check_sorting(calls: Calls, name: str) -> Findings:
    """Arrays that a schema declares sorted are sorted."""
    capability, asked = calls.capability(name), False
    for fixture, seen in observe_working(calls, name):
        for path, schema in find_schemas(calls, capability).items():
            asked = asked or "x-sorted" in str(schema)
            value = parse_json(seen.files.get(path, b""))
            first = next(artifact_content.find_unsorted(schema, value), None) if value is not _TEXT else None
            if first is not None:
                place, item, before = first
                message = f"{path} at {place}: {item} comes after {before}"
                yield make_finding("NOT_SORTED", message, name, fixture.name)
    if not asked:
        raise NotApplicableError("no schema of its artifacts has x-sorted")


def find_schemas(calls: Calls, capability: Capability) -> dict[str, Mapping[str, Any]]:
    """Find the schema of each artifact: of its standard media spec, its table, or its declaration."""
    from verigate.config.schemas import load_artifact_schema

    table = {**calls.manifest.media_specs, **(capability.media_specs or {})}
    found: dict[str, Mapping[str, Any]] = {}
    for path, output in find_declared_outputs(capability).items():
        parts: list[Mapping[str, Any] | None] = [output.rules]
        if output.media_spec is not None:
            parts.append(load_artifact_schema(output.media_spec))
            try:
                parts.append(resolve(output.media_spec, table).schema)
            except MediaSpecError:
                continue
        usable = [part for part in parts if part]
        if usable:
            found[path] = usable[0] if len(usable) == 1 else {"allOf": usable}
    return found


def is_only_unsorted(capability: Capability, seen: Observation) -> bool:
    """Whether an artifact was refused only because of the order of its entries."""
    broken = [
        message
        for path, output in find_declared_outputs(capability).items()
        if output.media_spec and path in seen.files and (value := parse_json(seen.files[path])) is not _TEXT
        for _, message in _find_violations(output.media_spec, value)
    ]
    return bool(broken) and set(broken) == {UNSORTED}


def _find_violations(spec_id: str, value: Any) -> tuple[tuple[str, str], ...]:
    try:
        return find_violations(spec_id, value)
    except (KeyError, TypeError, AttributeError):
        return (("", "its shape doesn't allow to check its counts"),)


def check_moments(calls: Calls, name: str) -> Findings:
    """No artifact contains the time of its call, except where it is declared volatile."""
    for fixture, seen in observe_accepted(calls, name):
        for path, value in read_values(calls.capability(name), seen).items():
            if found := artifact_content.find_moment(value, seen.window):
                message = f"{path} at {found[0] or '(whole)'} contains {found[1]!r}, the time of the call"
                yield make_finding("TIMESTAMP_IN_CONTENT", message, name, fixture.name)
                break


def check_paths(calls: Calls, name: str) -> Findings:
    """No artifact contains a path of the machine."""
    for fixture, seen in observe_accepted(calls, name):
        for path, value in read_values(calls.capability(name), seen).items():
            if found := artifact_content.find_path(value, seen.paths):
                message = f"{path} at {found[0] or '(whole)'} contains the path {found[1]}"
                yield make_finding("PATH_IN_CONTENT", message, name, fixture.name)
                break


def check_verdicts(calls: Calls, name: str) -> Findings:
    """No artifact says whether something passes: the gate decides that."""
    for fixture, seen in observe_accepted(calls, name):
        for path, raw in sorted(seen.files.items()):
            value = parse_json(raw)
            found = find_verdict(_decode_text(raw) if value is _TEXT else value)
            if found is not None:
                message = f"{path} at {found.place or '(whole)'} says {found.text}"
                yield make_finding("VERDICT_IN_CONTENT", message, name, fixture.name)
                break


def _decode_text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def check_determinism(calls: Calls, name: str) -> Findings:
    """Two calls give the same canonical bytes, with other folders, time zones, locales, hash seeds and entry orders."""
    for fixture, seen in observe_accepted(calls, name):
        again, turned = calls.call_varied(name, fixture)
        if not turned:
            hint = "mount a tmpfs at /dev/shm"
            raise NotRunError("the order of folder entries could not be changed", hint)
        if not again.ended_well:
            message = again.run.failure.message if again.run.failure else "it did not end well"
            yield make_finding("NOT_DETERMINISTIC", f"its second call failed: {message}", name, fixture.name)
            continue
        if difference := find_artifact_difference(calls, name, seen, again):
            yield make_finding("NOT_DETERMINISTIC", f"two calls differ: {difference}", name, fixture.name)


def find_artifact_difference(calls: Calls, name: str, seen: Observation, again: Observation) -> str | None:
    """Find the first difference between two calls' artifacts that no other check reports; None without one."""
    capability = calls.capability(name)
    if seen.files.keys() != again.files.keys():
        path = min(seen.files.keys() ^ again.files.keys())
        return f"only {'the first' if path in seen.files else 'the second'} wrote {path}"
    one, other = read_values(capability, seen), read_values(capability, again)
    schemas = find_schemas(calls, capability)
    for path in sorted(one):
        left, right = _mask_known(one[path], seen), _mask_known(other[path], again)
        found = artifact_content.find_difference(left, right)
        if found is None:
            continue
        unsorted = path in schemas and any(
            any(artifact_content.find_unsorted(schemas[path], each)) for each in (left, right)
        )
        if not (found.reordered and unsorted):
            order = ", the same entries in another order" if found.reordered else ""
            return f"{path} at {found.place or '(whole)'}: {found.one}, then {found.other}{order}"
    return None


def _mask_known(value: Any, seen: Observation) -> Any:
    def hide(text: str) -> bool:
        return any(path in text for path in seen.paths) or any(artifact_content.find_moments(text, seen.window))

    return artifact_content.mask(value, hide)


def observe_working(calls: Calls, name: str) -> Iterator[tuple[Fixture, Observation]]:
    """Yield the fixtures on which a capability should work, with its plain call. Raises NotRunError if one fails."""
    found = [fixture for fixture in calls.fixtures(name) if name not in fixture.refuses]
    if not found:
        raise NotRunError("no fixture lets it work", "add a fixture on which it writes its artifacts")
    for fixture in found:
        yield fixture, calls.call_working(name, fixture)


def observe_accepted(calls: Calls, name: str) -> Iterator[tuple[Fixture, Observation]]:
    """Yield those whose artifacts the gate accepts, or refuses only because of their order."""
    for fixture, seen in observe_working(calls, name):
        if seen.run.failure is not None and not is_only_unsorted(calls.capability(name), seen):
            raise NotRunError(f"its artifacts are not accepted on {fixture.name}")
        yield fixture, seen


def parse_json(raw: bytes) -> Any:
    """Parse a file as JSON; return a marker if it isn't."""
    try:
        return loads(raw)
    except StrictJsonError:
        return _TEXT


def read_values(capability: Capability, seen: Observation) -> dict[str, Any]:
    """Read what a call wrote: JSON without its volatile places; other texts as lines, other files as bytes in hex."""
    found: dict[str, Any] = {}
    for path, raw in sorted(seen.files.items()):
        value = parse_json(raw)
        if value is not _TEXT:
            found[path] = pointer.copy_without(value, list_volatile(capability, path))
            continue
        try:
            found[path] = raw.decode("utf-8").split("\n")
        except UnicodeDecodeError:
            found[path] = [raw[at : at + 32].hex() for at in range(0, len(raw), 32)]
    return found
