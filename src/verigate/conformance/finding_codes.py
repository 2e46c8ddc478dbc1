"""Every code of a finding: what it stands for, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from verigate.domain.conformance import Finding


class Code(NamedTuple):
    """``means`` is what was seen, in general; ``fix`` what to do."""

    means: str
    fix: str


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "MANIFEST_SCHEMA": Code(
            "manifest.json is missing, can't be read, or is refused by its schema",
            "mend what the message names; `gate schema manifest` prints the schema",
        ),
        "MANIFEST_UNKNOWN_KEY": Code(
            "manifest.json has a key that means nothing to the gate, so what it asks for is not in force",
            "correct the key, or put it below `metadata`",
        ),
        "CONFIG_DEFAULTS": Code(
            "the defaults under `config` are refused by the schema beside them, or that schema can't be used",
            "make `config.defaults` valid by `config.schema`",
        ),
        "TOOL_DEFINITION": Code(
            "the .toml file of a tool can't be read, or is refused by its schema or its rules",
            "mend what the message names; `gate schema adapter` prints the schema",
        ),
        "ENTRY_MISSING": Code("the file that `entry` names isn't there", "correct `entry`, or add the file"),
        "ENTRY_NOT_EXECUTABLE": Code(
            "the entry has no permission to be executed", "chmod +x it, and commit that (git update-index --chmod=+x)"
        ),
        "ENTRY_INTERPRETER": Code(
            "the entry's first line names an interpreter that can't be found in the sandbox",
            "name an absolute path that exists, or `#!/usr/bin/env NAME` with NAME among `sandbox.tools`; end lines "
            "with LF alone",
        ),
        "FIXTURE_INVALID": Code(
            "a folder below `fixtures/` can't be used as a fixture",
            "mend its fixture.json; `gate schema fixture` prints the schema",
        ),
        "TOOL_MISSING": Code(
            "a program that a tool's capability needs isn't installed here, so nothing about it could be seen",
            "install it, or leave out what needs it, and say so: `--without PROGRAM`",
        ),
        "TOOL_NOT_STARTED": Code(
            "a tool was started on none of its fixtures: none has a file of its domain",
            "add a fixture with such files, or correct the domain",
        ),
        "TOOL_SLOTS": Code(
            "a call could not fill the slots of a tool's capability",
            "give the slot a `default`, or bring a fixture whose `config` has a value for it",
        ),
        "TOOL_REPORT": Code(
            "a tool ended with a code, or left a report, that its file doesn't foresee",
            "correct `clean`, `found`, `format` and what else stands in `report`, or the command",
        ),
        "DESTRUCTIVE_UNDECLARED": Code(
            "a tool's capability that is not declared destructive changed or removed files that were there",
            "`destructive = true`, or a command that leaves them alone",
        ),
        "DESTRUCTIVE_RUN": Code(
            "a destructive capability was run where nobody could say yes",
            "refuse it: a gate run only looks",
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
            "mend what the message names",
        ),
        "ARTIFACT_UNDECLARED": Code(
            "a call wrote a file that its capability doesn't declare, so nobody knows its type before reading it",
            "list it under the capability's `outputs` with path and media_spec, or write it to TMPDIR",
        ),
        "ARTIFACT_CONFLICT": Code(
            "a call changed what it was given, or wrote a name that belongs to somebody else",
            "leave copies and reserved names alone; choose a path of your own",
        ),
        "EXPECTATION_FAILED": Code(
            "an artifact holds another value than the fixture's `expect` says", "mend the adapter, or the expectation"
        ),
        "NOT_SORTED": Code(
            "an array that the schema calls sorted (`x-sorted`) is not", "sort it before it is written, by code point"
        ),
        "TIMESTAMP_IN_CONTENT": Code(
            "an artifact holds the moment of the call outside its declared volatile places",
            "leave the moment out, or declare its place under `volatile`",
        ),
        "PATH_IN_CONTENT": Code(
            "an artifact holds a path of this machine: of the checkout, the task folder, the home or the adapter",
            "write paths relative to GATE_REPO_ROOT",
        ),
        "NOT_DETERMINISTIC": Code(
            "two calls on the same subject gave different canonical bytes (RFC 8785), or one of them failed",
            "sort what is listed, seed what is random, fix locale and time zone; declare what is measured `volatile`",
        ),
        "STDOUT_USED": Code("a call wrote to stdout", "say it on stderr, which is for people; facts go into artifacts"),
        "WRITES_OUTSIDE": Code(
            "a call wrote, or tried to, outside the task folder, HOME and TMPDIR",
            "write to TMPDIR; a capability whose work lies in the checkout, or that runs the subject's own programs, "
            'says `"flags": {"writes_subject": true}`, in TOML `writes_subject = true`',
        ),
        "NETWORK_UNDECLARED": Code(
            "a call tried to reach the network, which its manifest doesn't ask for",
            'do without, or declare `"network": true` under `sandbox`',
        ),
        "TOOL_UNDECLARED": Code(
            "a call started, or looked for, a program that isn't among `sandbox.tools`",
            "declare it, or do without; only sh, which and coreutils are there undeclared",
        ),
        "PROCESS_LEFT_BEHIND": Code(
            "processes were still running when the call ended", "wait for what is started, or end it"
        ),
        "TIMEOUT_IGNORED": Code(
            "a call that was stopped at its timeout (SIGTERM) had to be killed",
            "end on SIGTERM within two seconds, with everything that was started",
        ),
        "UNKNOWN_CAPABILITY_ACCEPTED": Code(
            "a call with a capability that the manifest doesn't declare ended with 0",
            "compare the first argument with the names you serve, and exit 2 for any other",
        ),
        "EMPTY_REPOSITORY": Code(
            "a call on a repository without files did not end well with valid artifacts",
            "no files are zero files: write the artifacts with zero in their counts; where that makes no sense, name "
            "the capability under `refuses` in a fixture called empty-repository",
        ),
        "ODD_FILE_NAMES": Code(
            "a call did not cope with names that have spaces, quotes, line ends, leading dashes or bytes outside UTF-8",
            "list files with `git ls-files -z`, quote every variable, put `--` before paths, escape what isn't UTF-8; "
            "in TOML set `end_of_options`",
        ),
        "READ_ONLY_SUBJECT": Code(
            "a call on a checkout that can't be written to did not give the same artifacts",
            'write to TMPDIR instead; a capability that builds says `"flags": {"writes_subject": true}`, in TOML '
            "`writes_subject = true`",
        ),
    }
)


def make_finding(code: str, message: str, capability: str | None = None, fixture: str | None = None) -> Finding:
    """A finding with the fix that belongs to its code. Raises KeyError for a code that isn't in the table."""
    return Finding(code, message, CODES[code].fix, capability, fixture)
