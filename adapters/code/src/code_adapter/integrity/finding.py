"""Findings, their kinds and severities.

critical  a check's result is replaced or removed as a whole
high      a check covers less than before, and nothing in the change explains it
warn      needs review; an honest change can have reasons for it
info      a fact for the record

The gate refutes on critical and high alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

Severity = Literal["critical", "high", "warn", "info"]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "assertion_removed": "an existing test, or a text with doctests, makes fewer assertions that can fail (high; "
        "warn where the rest says as much in fewer statements, or where the function it was about is gone)",
        "assertion_swallowed": "assertions stand where their failure is caught and dropped, or now under a "
        "condition or where nobody waits for them, or tests that fail are run again (high; warn in a new test)",
        "assertion_vacuous": "an assertion that can't fail was added (high; warn with real ones in a new test)",
        "assertion_weakened": "an assertion accepts more than before (checkwash: high, or warn where code repaired in "
        "the same change accounts for it)",
        "check_command_weakened": "a script, target or CI step no longer fails, or no longer runs its tool (high)",
        "checks_shadowed": "a file takes the place of a judge's own module or of the source next to it, or is run "
        "before it (critical)",
        "ci_changed": "a pipeline file changed without a known weakening (info)",
        "ci_nonfatal": "a CI step or job may fail without consequence, or never runs (high)",
        "coverage_narrowed": "coverage is measured on less: omit, exclude, source, branch (high; warn where only tests "
        "or code that never runs are left out)",
        "exemption_added": "an exemption from checkwash was recorded (high)",
        "gate_file_touched": "a file of the gate, its hooks or adapters changed (info: the gate judges that itself)",
        "hidden_text": "invisible or direction-changing characters, or text that its tool reads another way: lone "
        "carriage returns, escapes, encodings (high)",
        "lint_config_weakened": "linter or type checker: rules off, ignored or excluded (high; warn for layout rules, "
        "asserts in tests, and folders without source)",
        "test_collection_narrowed": "configuration, or conftest.py, leaves existing tests out (high)",
        "test_detected": "code that is no test finds out whether it is being tested, or equals whatever it is compared "
        "with (high; warn for what honest code asks too, such as NODE_ENV)",
        "test_focused": ".only keeps every other test from running (high)",
        "test_outcome_hook": "a pytest hook that can change outcomes was added or changed (critical where it touches "
        "outcomes, exit status or the list of tests; warn otherwise)",
        "test_removed": "a test is gone without an equal replacement, or stands where no runner looks (high; warn "
        "where the function it was about is gone too)",
        "test_skipped": "an existing test is skipped or expected to fail, also by a fixture, a helper or the code "
        "under test (high; warn for a new test, and for conditions on platform or version)",
        "test_tampered": "test code patches or replaces what it should test, or any code a part of the runner "
        "(checkwash's severity; critical for the runner)",
        "threshold_lowered": "a threshold of coverage or complexity was lowered or removed (high)",
        "suppression_added": "a comment or attribute silences a judge (high; warn where it names a rule "
        "and gives a reason, where the rule is about layout or taste, and where it names a rule in test code)",
        "unexamined": "a changed file could not be examined (high for tests and configuration; info otherwise)",
        "worth_a_look": "what checkwash notes and nothing here judges (warn)",
    }
)
"""Each kind that is looked for, with its severities."""

_ORDER = {"critical": 0, "high": 1, "warn": 2, "info": 3}


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """One place where the change may weaken a check. ``line`` counts from 1 in the subject, or is None."""

    kind: str
    path: str
    line: int | None
    message: str
    severity: Severity
    rule: str
    source: Literal["verigate", "checkwash"] = "verigate"

    def entry(self) -> dict[str, Any]:
        """The finding as integrity.json holds it."""
        return {
            "kind": self.kind,
            "path": self.path,
            "line": self.line,
            "message": self.message,
            "severity": self.severity,
            "source": self.source,
            "rule": self.rule,
        }

    @property
    def sort_key(self) -> tuple[int, str, int, str, str, str]:
        """Worst first, then by place."""
        return (_ORDER[self.severity], self.path, self.line or 0, self.kind, self.rule, self.message)
