"""Every finding code: its meaning, and how to fix it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from verigate.domain.conformance import ConformanceFinding


class Code(NamedTuple):
    """``means`` is the general observation; ``fix`` what to do."""

    means: str
    fix: str


class Note(NamedTuple):
    """Something that the contract allows, and that could be better."""

    finding: ConformanceFinding


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "MANIFEST_SCHEMA": Code(
            "manifest.json is missing, can't be read, or is refused by its schema",
            "fix what the message names; `gate schema manifest` prints the schema",
        ),
        "MANIFEST_UNKNOWN_KEY": Code(
            "manifest.json has a key that the gate doesn't know, so it has no effect",
            "correct the key, or put it below `metadata`",
        ),
        "CONFIG_DEFAULTS": Code(
            "the defaults under `config` are refused by the schema next to them, or that schema is not valid",
            "make `config.defaults` valid by `config.schema`",
        ),
        "TOOL_DEFINITION": Code(
            "the .toml file of a tool can't be read, or is refused by its schema or its rules",
            "fix what the message names; `gate schema adapter` prints the schema",
        ),
        "ENTRY_MISSING": Code("the file that `entry` names doesn't exist", "correct `entry`, or add the file"),
        "ENTRY_NOT_EXECUTABLE": Code(
            "the entry is not executable", "chmod +x it, and commit that (git update-index --chmod=+x)"
        ),
        "ENTRY_INTERPRETER": Code(
            "the entry's first line names an interpreter that can't be found in the sandbox",
            "name an absolute path that exists, or `#!/usr/bin/env NAME` with NAME among `sandbox.tools`; end lines "
            "with LF alone",
        ),
        "FIXTURE_INVALID": Code(
            "a folder below `fixtures/` is not a valid fixture",
            "fix its fixture.json; `gate schema fixture` prints the schema",
        ),
        "TOOL_MISSING": Code(
            "a program that a tool's capability needs isn't installed, so the capability could not be checked",
            "install it, or leave out what needs it with `--without PROGRAM`",
        ),
        "TOOL_NOT_STARTED": Code(
            "no fixture of a tool has a file of its domain, so it was never started",
            "add a fixture with such files, or correct the domain",
        ),
        "TOOL_SLOTS": Code(
            "a call had no values for the slots of a tool's capability",
            "give the slot a `default`, or add a fixture whose `config` has a value for it",
        ),
        "TOOL_REPORT": Code(
            "a tool ended with an exit code, or wrote a report, that its file doesn't declare",
            "correct `clean`, `found`, `format` or another key of `report`, or the command",
        ),
        "DESTRUCTIVE_UNDECLARED": Code(
            "a tool's capability that is not declared destructive changed or removed existing files",
            "set `destructive = true`, or use a command that doesn't change them",
        ),
        "DESTRUCTIVE_RUN": Code(
            "a destructive capability ran where nobody could confirm it",
            "refuse it: a gate run changes nothing",
        ),
        "CRASH_ON_FIXTURE": Code(
            "a call ended with another exit code than 0, or by a signal, and left no artifacts",
            "run the entry by hand on that fixture; an adapter that needs certain files brings fixtures of its own",
        ),
        "EXIT_NONZERO_ON_FINDINGS": Code(
            "a call wrote its artifacts, or met a subject with issues, and ended with another exit code than 0",
            "exit 0 whenever facts were written, good or bad; the gate decides",
        ),
        "TIMEOUT_EXCEEDED": Code(
            "a call took longer than `sandbox.timeout`", "raise the timeout, or do less; a fixture should be small"
        ),
        "ARTIFACT_MISSING": Code(
            "a call ended with 0 and lacks an artifact that is declared, or wrote none at all",
            "write every declared artifact, also where there is nothing to report",
        ),
        "ARTIFACT_INVALID": Code(
            "an artifact isn't strict JSON, is refused by its media spec, or doesn't add up",
            "fix what the message names",
        ),
        "ARTIFACT_UNDECLARED": Code(
            "a call wrote a file that its capability doesn't declare, so its type is unknown; a note where the "
            "capability is declared as a string, which has no place for outputs",
            "list it under the capability's `outputs` with path and media_spec, or write it to TMPDIR",
        ),
        "ARTIFACT_CONFLICT": Code(
            "a call changed its inputs, or wrote a reserved name",
            "don't write to inputs and reserved names; choose another path",
        ),
        "EXPECTATION_FAILED": Code(
            "an artifact differs from the fixture's `expect`", "fix the adapter, or the expectation"
        ),
        "NOT_SORTED": Code(
            "an array that the schema declares sorted (`x-sorted`) is not", "sort it by code point before writing it"
        ),
        "TIMESTAMP_IN_CONTENT": Code(
            "an artifact contains the time of the call outside its declared volatile places",
            "leave the time out, or declare its place under `volatile`",
        ),
        "PATH_IN_CONTENT": Code(
            "an artifact contains a path of this machine: of the checkout, the task folder, the home or the adapter",
            "write paths relative to GATE_REPO_ROOT",
        ),
        "VERDICT_IN_CONTENT": Code(
            "an artifact says whether something passes (`verdict`, `passed`, `status` and the like)",
            "write the facts behind it instead: counts, names, values; a rule of the profile decides",
        ),
        "NOT_DETERMINISTIC": Code(
            "two calls on the same subject gave different canonical bytes (RFC 8785), or one of them failed",
            "sort what is listed, seed what is random, fix locale and time zone; declare what is measured `volatile`",
        ),
        "STDOUT_USED": Code(
            "a call wrote to stdout; a note, since the gate keeps it as a log and reads no facts from it",
            "write to stderr, which is for people; facts go into artifacts",
        ),
        "WRITES_OUTSIDE": Code(
            "a call wrote, or tried to, outside the task folder, HOME and TMPDIR",
            "write to TMPDIR; a capability whose work lies in the checkout, or that runs the subject's own programs, "
            'declares `"flags": {"writes_subject": true}`, in TOML `writes_subject = true`',
        ),
        "NETWORK_UNDECLARED": Code(
            "a call tried to reach the network, which its manifest doesn't declare",
            'work without it, or declare `"network": true` under `sandbox`',
        ),
        "TOOL_UNDECLARED": Code(
            "a call started, or looked for, a program that isn't among `sandbox.tools`",
            "declare it, or work without it; only sh, which and coreutils need no declaration",
        ),
        "PROCESS_LEFT_BEHIND": Code(
            "processes were still running when the call ended", "wait for started processes, or end them"
        ),
        "TIMEOUT_IGNORED": Code(
            "a call that was stopped at its timeout (SIGTERM) had to be killed",
            "end on SIGTERM within two seconds, with everything that was started",
        ),
        "UNKNOWN_CAPABILITY_ACCEPTED": Code(
            "a call with an undeclared capability ended with 0",
            "compare the first argument with the names you serve, and exit 2 for any other",
        ),
        "EMPTY_REPOSITORY": Code(
            "a call on a repository without files did not end well with valid artifacts; a note where it refused "
            "with a reason and no stack trace",
            "no files are zero files: write the artifacts with zero in their counts; where that makes no sense, name "
            "the capability under `refuses` in a fixture called empty-repository",
        ),
        "ODD_FILE_NAMES": Code(
            "a call failed on names that have spaces, quotes, line ends, leading dashes or bytes outside UTF-8",
            "list files with `git ls-files -z`, quote every variable, put `--` before paths, escape what isn't UTF-8; "
            "in TOML set `end_of_options`",
        ),
        "READ_ONLY_SUBJECT": Code(
            "a call on a read-only checkout did not give the same artifacts",
            'write to TMPDIR instead; a capability that builds declares `"flags": {"writes_subject": true}`, in TOML '
            "`writes_subject = true`",
        ),
    }
)


def make_finding(
    code: str, message: str, capability: str | None = None, fixture: str | None = None
) -> ConformanceFinding:
    """Make a finding with the fix of its code. Raises KeyError for an unknown code."""
    return ConformanceFinding(code, message, CODES[code].fix, capability, fixture)


def make_note(code: str, message: str, capability: str, fixture: str) -> Note:
    """Make a note with the advice of its code. Raises KeyError for an unknown code."""
    return Note(make_finding(code, message, capability, fixture))
