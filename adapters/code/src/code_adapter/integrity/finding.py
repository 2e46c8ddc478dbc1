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
        "(weakening; note where the rest says as much in fewer statements, or where the function it was about is gone)",
        "assertion_swallowed": "assertions stand where their failure is caught and dropped, or now under a "
        "condition or where nobody waits for them, or tests that fail are run again (weakening; note in a new test)",
        "assertion_vacuous": "an assertion that can't fail was added (weakening; note with real ones in a new test)",
        "assertion_weakened": "an assertion accepts more than before, whatever else the change does, or expects "
        "something else though no code changed (weakening; note where it stays exact)",
        "check_command_weakened": "a script, target or CI step no longer fails, or no longer runs its tool (weakening)",
        "checks_shadowed": "a file takes the place of a judge's own module or of the source next to it, or is run "
        "before it (tampering); a setting names another program than the installed tool (weakening)",
        "ci_nonfatal": "a CI step or job may fail without consequence, or never runs (weakening; note for a new one "
        "that runs nothing of what was run)",
        "coverage_narrowed": "coverage is measured on less: omit, exclude, source, branch (weakening; note where only "
        "tests or code that never runs are left out)",
        "expectation_changed": "an assertion that is as exact as before expects another value, and code changed too "
        "(weakening, on which the profile's expectations decide)",
        "exemption_added": "an exemption from checkwash was recorded (weakening)",
        "hidden_text": "invisible or direction-changing characters, or text that its tool reads another way: lone "
        "carriage returns, escapes, encodings (weakening)",
        "hook_repinned": "the hooks of a repository come from another commit, of which nobody can tell offline whether "
        "it is a later one, or a fork's (weakening, which passes without a task where the profile takes disclosures)",
        "hook_weakened": "a hook of pre-commit, prek or lefthook is gone, looks at less, has other arguments or "
        "another stage (weakening; note where another hook of its kind takes its place; what else changes there is for "
        "the gate itself)",
        "lint_config_weakened": "linter or type checker: rules off, ignored or excluded (weakening; note for layout "
        "rules, asserts in tests, and folders without source)",
        "test_collection_narrowed": "configuration, or conftest.py, leaves existing tests out (weakening)",
        "test_detected": "code that is no test finds out whether it is being tested, or equals whatever it is compared "
        "with (weakening; note for what honest code asks too, such as NODE_ENV)",
        "test_focused": ".only keeps every other test from running (weakening)",
        "test_outcome_hook": "a pytest hook that can change outcomes was added or changed (tampering where it sets an "
        "outcome or the exit status, weakening where it chooses or skips tests; note otherwise)",
        "test_removed": "a test is gone without an equal replacement, or stands where no runner looks (weakening; note "
        "where the function it was about is gone too, or where new tests of the same file call the same and assert as "
        "often)",
        "test_skipped": "an existing test is skipped or expected to fail, also by a fixture, a helper or the code "
        "under test (weakening; note for a new test, and for conditions on platform or version)",
        "test_tampered": "code replaces a part of the test runner or of an assertion library (tampering); test code "
        "patches or replaces what it should test, or ends the run (weakening)",
        "threshold_lowered": "a threshold of coverage or complexity was lowered or removed (weakening)",
        "suppression_added": "a comment or attribute silences a judge (weakening; note where it names a rule, in "
        "new code, with a reason next to it or above; where the rule is about layout or taste; and where it names a "
        "rule, or leaves a line out of coverage, in test code)",
        "unexamined": "a changed test or settings file could not be examined, or a test file in a language without a "
        "reader was changed or removed (weakening; note where it is new or only moved); a test file has a syntax error "
        "(note)",
        "worth_a_look": "what checkwash notes and nothing here judges (note)",
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
