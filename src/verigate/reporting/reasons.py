"""The reason codes and the gate's own checks: where each comes from, and what it means in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class ReasonText(NamedTuple):
    """``source`` is who gives the code; ``meaning`` says what it means, and what to try where that isn't plain."""

    source: str
    meaning: str


REASONS: Mapping[str, ReasonText] = MappingProxyType(
    {
        "MISSING_UNIT": ReasonText(
            "rules, claim",
            "fewer units claimed than committed to, or a total that isn't what was found",
        ),
        "WORD_MIN": ReasonText("rules", "too few words"),
        "DIFF_MISMATCH": ReasonText(
            "rules, units",
            "a claimed file isn't in the diff, or something was changed that wasn't claimed",
        ),
        "LINT_FAIL": ReasonText("rules", "more lint findings than allowed"),
        "LINT_EMPTY": ReasonText(
            "rules",
            "no linter was found, or it checked no file; install it in the project's environment, or declare a command",
        ),
        "TEST_FAIL": ReasonText("rules", "a test failed, or too many were skipped"),
        "TESTS_EMPTY": ReasonText("rules", "no test ran, or fewer than `tests_min`"),
        "COVERAGE_FAIL": ReasonText("rules", "below the threshold, fallen too far, or measured on nothing"),
        "BUILD_FAIL": ReasonText("rules", "the build failed, or there was nothing to build with"),
        "FUNCTION_MISMATCH": ReasonText(
            "units",
            "the diff neither adds nor changes that function, or its body does nothing",
        ),
        "ENDPOINT_MISMATCH": ReasonText(
            "rules, units",
            "the diff neither adds nor changes that endpoint, or one is missing or undocumented",
        ),
        "LINK_FAIL": ReasonText("rules, units", "a link doesn't work, or had to be tried again too often"),
        "LINKS_UNCHECKED": ReasonText("rules, units", "a link without a status, or no link at all"),
        "HTTP_FAIL": ReasonText("reserved", "not given by any rule of this version"),
        "SCHEMA_MISMATCH": ReasonText("rules", "a response doesn't fit the documented schema"),
        "AUTH_FAIL": ReasonText("rules", "a protected endpoint answers without credentials, or none is protected"),
        "LATENCY_FAIL": ReasonText("rules", "a percentile is over its limit, or nothing was measured"),
        "RATE_LIMIT_FAIL": ReasonText("rules", "no rate limit was met"),
        "HEADING_MISSING": ReasonText("rules, units", "a required or claimed heading isn't there"),
        "IMAGE_MISSING": ReasonText(
            "rules, units",
            "too few images, one without alternative text, or a claimed one that isn't there",
        ),
        "QUOTE_UNATTRIBUTED": ReasonText("rules, units", "a quote names no source, or a claimed one wasn't found"),
        "INTEGRITY_FAIL": ReasonText(
            "rules, gate",
            "the change weakens the checks, touches plan, profiles, adapters or hooks, or carries an `UNVERIFIED` mark",
        ),
        "CLAIM_INVALID": ReasonText(
            "claim",
            "the claim can't be read, contradicts itself or the commitment, is another task's, or carries measurements",
        ),
        "CLAIM_REFUTED": ReasonText("statements", "a fact speaks against it, or a verifier's answer that cites one"),
        "CLAIM_UNSUPPORTED": ReasonText(
            "units, gate",
            "no fact decides it; only something similar was found; nothing was looked at; `--only`",
        ),
        "MISSING_CLAIM": ReasonText("claim", "nothing was claimed; `gate claim`"),
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
            "a capability ended well and didn't write what it must; or a rule's artifact isn't there",
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
        "capability:": "for each planned capability: it left evidence that can be used",
        "claim.present": "something was claimed",
        "claim.valid": "the claim can be read, and is one",
        "custom.": "for each custom rule: its expression is true",
        "gate.judges": "the change leaves alone what it is judged by: plan, profiles, adapters, hooks, the commitment",
        "gate.only": "every planned capability ran; unknown with `--only`",
        "gate.rules": "the profile has an active rule",
        "gate.something_checked": "something was looked at",
        "gate.unverified": "the change carries no mark of work that was let go unverified",
        "gate.verdict": "in reports of a verdict that isn't pass and that no other check explains",
        "unit:": "for each claimed unit and each statement: a fact supports it",
        "units.expected_total": "as many units are claimed as were committed to",
        "units.total": "as many units were found as the claim counts",
    }
)
"""Checks that no rule key asks for, by their ids; one that ends with ``:`` or ``.`` has a name behind it."""
