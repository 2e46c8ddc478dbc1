"""Name the failure of a program's run. A run that failed has a name, a sentence and a hint, whatever it printed."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.engine import ExecutionResult
from verigate.verifier.lifecycle.faults import FoundFault
from verigate.verifier.program import Program
from verigate.verifier.provider_faults import from_program, from_status

_LONGEST_LINE = 300


class PrintedFailure(Struct, frozen=True):
    """What a run printed about its failure: an error, the provider's HTTP status, the whole text, a known fault."""

    error: str | None
    status: int | None
    text: str
    fault: FoundFault | None


def name_failure(known: ExecutionResult, program: Program, said: PrintedFailure) -> ExecutionResult:
    """Return the result with the name of its failure; the same result if the run succeeded."""
    name = program.description.name
    if said.fault is not None and said.fault.ends:
        return _name_fault(known, name, said.fault)
    if known.timed_out or known.signal is not None:
        return _name_early_end(known, name)
    failed = known.exit_code != 0 or (said.error is not None and known.result_json is None)
    if not failed and said.status is None:
        return known
    if any(word in said.text for word in program.unknown_session):
        unknown = _add_error(
            known, "unknown_session", f"{name} doesn't know the session", "it is asked again without one"
        )
        return replace(unknown, clear_session=True, session_id=None, session_params=None, session_display_id=None)
    if said.fault is not None and failed:
        return _name_fault(known, name, said.fault)
    return _name_other(known, name, said)


def _name_other(known: ExecutionResult, name: str, said: PrintedFailure) -> ExecutionResult:
    if said.status is not None and said.status >= 400:
        named = from_status(said.status, said.error)
        return _add_error(known, named.code, named.message, named.hint)
    why = said.error or find_last_line(said.text) or "it said nothing"
    message = f"{name} ended with exit code {known.exit_code}: {why}"[:500]
    return _add_error(known, "engine_failed", message, f"gate doctor {name}")


def _name_fault(known: ExecutionResult, name: str, fault: FoundFault) -> ExecutionResult:
    named = from_program(fault.code, name, fault.text)
    return _add_error(known, named.code, named.message, named.hint)


def _name_early_end(known: ExecutionResult, name: str) -> ExecutionResult:
    if known.timed_out:
        hint = "raise verifier.timeout_s in the profile, or timeout_s or silence_s in the engine's options"
        return _add_error(known, "timeout", f"{name} didn't end, or said nothing, in time", hint)
    return _add_error(known, "killed", f"{name} was ended by {known.signal}", "look for who ended it, or for memory")


def _add_error(result: ExecutionResult, code: str, message: str, hint: str) -> ExecutionResult:
    return replace(result, error_code=code, error_message=message, error_hint=hint)


def find_last_line(text: str) -> str:
    """Find the last line of a text that isn't blank, shortened; "" if there is none."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_LONGEST_LINE] if lines else ""
