"""Findings, their kinds and weights.

tampering  machinery whose only purpose is that checks report other than what is so: always refuted
weakening  something that was checked is checked less: it must be accounted for
note       reported, and decides nothing
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from verigate.sdk.weakening_ids import digest_form, make_weakening_id

Weight = Literal["tampering", "weakening", "note"]

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "assertion_removed": "an existing test, or a text with doctests, makes fewer assertions that can fail "
        "(weakening; note if fewer statements assert the same, or the function that it was about is gone)",
        "assertion_swallowed": "the failure of an assertion is caught and dropped, the assertion is now under a "
        "condition or isn't awaited, or failed tests are run again (weakening; note in a new test)",
        "assertion_vacuous": "an assertion that can't fail was added (weakening; note in a new test that has real "
        "ones)",
        "assertion_weakened": "an assertion accepts more than before, or expects something else although no code "
        "changed (weakening; note if it stays exact)",
        "check_command_weakened": "a script, target or CI step no longer fails, or no longer runs its tool (weakening)",
        "checks_shadowed": "a file replaces a module of a checking tool or the source next to it, or runs before it "
        "(tampering); a setting names another program than the installed tool (weakening)",
        "ci_nonfatal": "a CI step or job may fail without consequence, or never runs (weakening; note for a new one "
        "that runs no existing check)",
        "coverage_narrowed": "coverage is measured on less: omit, exclude, source, branch (weakening; note if only "
        "tests or code that never runs are left out)",
        "expectation_changed": "an assertion that is as exact as before expects another value, and code changed too "
        "(weakening; the profile's `expectations` decide)",
        "exemption_added": "an exemption from checkwash was recorded (weakening)",
        "hidden_text": "invisible or direction-changing characters, or text that its tool reads differently: lone "
        "carriage returns, escapes, encodings (weakening)",
        "hook_repinned": "the hooks of a repository come from another commit, which may be older or a fork's "
        "(weakening; passes without a task if the profile accepts disclosures)",
        "hook_weakened": "a hook of pre-commit, prek or lefthook is gone, checks less, or has other arguments or "
        "another stage (weakening; note if another hook of its kind replaces it; `gate.judges` examines other "
        "changes)",
        "lint_config_weakened": "rules of a linter or type checker are off, ignored or excluded (weakening; note for "
        "layout rules, single rules of ruff about taste such as `PLR0917`, asserts in tests, folders without source, "
        "and rules of ruff that were not selected)",
        "test_collection_narrowed": "the configuration or conftest.py leaves existing tests out (weakening)",
        "test_detected": "code that isn't a test detects whether it is being tested, or equals whatever it is "
        "compared with (weakening; note for checks that are common in legitimate code, such as NODE_ENV)",
        "test_focused": ".only keeps every other test from running (weakening)",
        "test_outcome_hook": "a pytest hook that can change outcomes was added or changed (tampering if it sets an "
        "outcome or the exit status, weakening if it selects or skips tests; otherwise note; what a hook of the "
        "product returned as well isn't new)",
        "test_removed": "a test is gone without an equal replacement, or is where no runner finds it (weakening; "
        "note if the function that it was about is gone too, or new tests of the same file call the same and "
        "assert as often)",
        "test_skipped": "an existing test is skipped or expected to fail, also by a fixture, a helper or the code "
        "under test (weakening; note for a new test, a helper of new tests, and conditions on platform or version)",
        "test_tampered": "code replaces a part of the test runner or of an assertion library (tampering); test code "
        "patches or replaces what it should test, or ends the run (weakening)",
        "threshold_lowered": "a threshold of coverage or complexity was lowered or removed (weakening)",
        "suppression_added": "a comment or attribute silences a checking tool (weakening; note if it names a rule "
        "and has a reason, in new code; if the rule is about layout or taste; and if it names a rule, or leaves a "
        "line out of coverage, in test code; in data of tests; and for a type checker that is new to the project; "
        "names such as clippy::all, warnings and all name no rule)",
        "unexamined": "a changed test or settings file could not be examined, or a test file in a language that the "
        "gate can't read was changed or removed (weakening; note if it is new or only moved); a test file has a "
        "syntax error (note). A shell script that starts a runner, outside a test folder, is read as a script",
        "worth_a_look": "a finding of checkwash that no check of the gate covers (note)",
    }
)
"""Each kind that is looked for, with its weights."""

_ORDER = {"tampering": 0, "weakening": 1, "note": 2}


@dataclass(frozen=True, slots=True)
class Forms:
    """What was weakened, in base and in the subject; None where it isn't there."""

    base: str | None
    head: str | None


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """One place where the change may weaken a check. ``line`` counts from 1 in the subject, or is None.

    ``test`` is the name of the test that it is about, with enclosing classes or suites. ``forms`` None: those of the
    smallest named unit around the line, else of the file.
    """

    kind: str
    path: str
    line: int | None
    message: str
    weight: Weight
    rule: str
    source: Literal["verigate", "checkwash"] = "verigate"
    test: str | None = None
    forms: Forms | None = None

    def entry(self, forms: Forms) -> dict[str, Any]:
        """The finding as integrity.json holds it."""
        base, head = digest_form(forms.base), digest_form(forms.head)
        return {
            "id": make_weakening_id(self.kind, self.path, self.test, base, head),
            "kind": self.kind,
            "path": self.path,
            "line": self.line,
            "test": self.test,
            "message": self.message,
            "weight": self.weight,
            "source": self.source,
            "rule": self.rule,
        }

    @property
    def sort_key(self) -> tuple[int, str, int, str, str, str]:
        """Worst first, then by place."""
        return (_ORDER[self.weight], self.path, self.line or 0, self.kind, self.rule, self.message)
