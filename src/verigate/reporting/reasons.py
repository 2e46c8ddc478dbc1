"""The reason codes and the checks of the gate itself: source and meaning of each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class ReasonText(NamedTuple):
    """``source`` names the kind of check; ``meaning`` explains the code, with what to try if that isn't obvious."""

    source: str
    meaning: str


REASONS: Mapping[str, ReasonText] = MappingProxyType(
    {
        "MISSING_UNIT": ReasonText(
            "rules, claim",
            "fewer units claimed than committed to, or a total that doesn't match the facts",
        ),
        "WORD_MIN": ReasonText("rules", "too few words"),
        "WORDS_UNRENDERED": ReasonText("rules", "words weren't counted as a browser shows them"),
        "DIFF_MISMATCH": ReasonText(
            "rules, units",
            "a claimed file isn't in the diff, or something was changed that wasn't claimed",
        ),
        "LINT_FAIL": ReasonText("rules", "more lint findings than allowed"),
        "LINT_EMPTY": ReasonText(
            "rules",
            "no linter was found, or it checked no file; install it in the project's environment, or declare a command",
        ),
        "LINT_UNEXAMINED": ReasonText(
            "rules",
            "the project declares a linter that was not run; declare its command, or exclude it with a reason",
        ),
        "TEST_FAIL": ReasonText("rules", "a test failed, or too many were skipped"),
        "TESTS_EMPTY": ReasonText("rules", "no test ran, or fewer than `tests_min`"),
        "TESTS_UNEXAMINED": ReasonText(
            "rules",
            "the project declares tests that were not run; declare their command, or exclude them with a reason",
        ),
        "COVERAGE_FAIL": ReasonText("rules", "below the threshold, fallen too far, or measured on nothing"),
        "NOTICED_FAIL": ReasonText(
            "rules", "tests notice fewer mutants of the changed lines than required, or none could be tried"
        ),
        "BUILD_FAIL": ReasonText("rules", "the build failed, or there was nothing to build with"),
        "FUNCTION_MISMATCH": ReasonText(
            "units",
            "the diff neither adds nor changes that function, or its body does nothing",
        ),
        "ENDPOINT_MISMATCH": ReasonText(
            "rules, units",
            "the diff neither adds nor changes that endpoint, or one is missing or undocumented",
        ),
        "FIX_UNPROVEN": ReasonText(
            "rules, units",
            "no test proves that fix: it doesn't fail on the code of base, or doesn't execute what the change changed",
        ),
        "LINK_FAIL": ReasonText("rules, units", "a link doesn't work, or too many links had to be retried"),
        "LINKS_UNCHECKED": ReasonText("rules, units", "a link without a status, or no link at all"),
        "HTTP_FAIL": ReasonText("reserved", "not given by any rule of this version"),
        "SCHEMA_MISMATCH": ReasonText("rules", "a response doesn't fit the documented schema"),
        "AUTH_FAIL": ReasonText("rules", "a protected endpoint answers without credentials, or none is protected"),
        "LATENCY_FAIL": ReasonText("rules", "a percentile is over its limit, or nothing was measured"),
        "RATE_LIMIT_FAIL": ReasonText("rules", "no rate limit was reached"),
        "HEADING_MISSING": ReasonText("rules, units", "a required or claimed heading isn't there"),
        "IMAGE_MISSING": ReasonText(
            "rules, units",
            "too few images, one without alternative text, or a claimed one that isn't there",
        ),
        "QUOTE_UNATTRIBUTED": ReasonText("rules, units", "a quote names no source, or a claimed one wasn't found"),
        "INTEGRITY_FAIL": ReasonText(
            "rules, gate",
            "the change weakens the checks and nothing accounts for it, touches plan, profiles, adapters or hooks, or "
            "carries an `UNVERIFIED` mark",
        ),
        "SUBMODULE_MISSING": ReasonText(
            "gate", "the change moves a submodule whose new commit isn't here, so everything ran without its files"
        ),
        "WEAKENING_DISCLOSED": ReasonText(
            "rules, units, statements",
            "a check is weakened and the change discloses it: a person has to accept it, and statements that depend on "
            "the check are undecided",
        ),
        "APPROVED": ReasonText(
            "reports",
            "a change of policy or a weakening holds because a person approved it; no check fails because of it",
        ),
        "CLAIM_INVALID": ReasonText(
            "claim",
            "the claim can't be read, contradicts itself or the commitment, is another task's, or carries measurements",
        ),
        "CLAIM_REFUTED": ReasonText("statements", "a fact contradicts it, or a verifier's answer that cites one"),
        "CLAIM_UNSUPPORTED": ReasonText(
            "units, gate",
            "no fact decides it; only something similar was found; nothing was verified; `--only`",
        ),
        "MISSING_CLAIM": ReasonText("claim", "there is no claim; `gate claim`"),
        "MISSING_ADAPTER": ReasonText(
            "capabilities",
            "no adapter provides it, its entry can't be started, or it is declared destructive; `gate adapters`",
        ),
        "ADAPTER_CRASH": ReasonText(
            "capabilities",
            "another exit code than 0, a signal, or a sandbox that could not be built; see `logs/`",
        ),
        "ADAPTER_TIMEOUT": ReasonText(
            "capabilities", "a capability ran longer than its manifest allows and was stopped"
        ),
        "ARTIFACT_MISSING": ReasonText(
            "capabilities, rules",
            "a capability exited with 0 but didn't write a required artifact; or a rule's artifact is missing",
        ),
        "ARTIFACT_INVALID": ReasonText(
            "capabilities", "what a capability wrote isn't valid; the message has the place"
        ),
        "ARTIFACT_CONFLICT": ReasonText(
            "capabilities", "a capability wrote or changed what belongs to another, or to the gate"
        ),
        "CUSTOM_RULE": ReasonText("rules", "a custom rule is false, or couldn't be evaluated"),
    }
)


GATE_CHECKS: Mapping[str, str] = MappingProxyType(
    {
        "capability:": "for each planned capability: it wrote valid evidence",
        "claim.present": "there is a claim",
        "claim.valid": "the claim is valid",
        "claim.work": "a task of code that claims work has changed something, and each file that it committed to",
        "custom.": "for each custom rule: its expression is true",
        "gate.judges": "the change touches no policy file (plan, profiles, adapters, hooks, commitment), "
        "or a person approved it",
        "gate.messages": "without a task, before a push and in CI: no commit says what its diff contradicts",
        "gate.only": "every planned capability ran; unknown with `--only`",
        "gate.rules": "the profile has an active rule",
        "gate.something_checked": "at least one rule or unit was decided by a fact",
        "gate.submodules": "new commits of submodules are here; what runs without their files decides nothing",
        "gate.unverified": "the change carries no mark of unverified work",
        "gate.verdict": "only in reports: a verdict other than pass that no other check explains",
        "unit:": "for each claimed unit and each statement: a fact supports it",
        "units.expected_total": "the claim has as many units as the commitment",
        "weakening:": "for each weakening: evidence, a disclosure, the profile or an approval accounts for it",
        "units.total": "the facts count as many units as the claim",
    }
)
"""Checks without a rule key, by id; an id that ends with ``:`` or ``.`` is a prefix."""
