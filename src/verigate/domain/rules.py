"""The rule keys of a profile: the domain of each, the artifacts it reads, and which threshold is stricter.

Planning needs this table to know what must run, the gate to know what to decide. The rules' functions are in
``verigate.gate.rules``; a test compares the two with the profile schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct


class Stricter(StrEnum):
    """Which of two thresholds is the stricter one; NEITHER can't be combined and the profile's stands."""

    HIGHER = "higher"
    LOWER = "lower"
    TRUE = "true"
    FALSE = "false"
    UNION = "union"
    NEITHER = "neither"


class RuleSpec(Struct, frozen=True):
    """A rule key. ``reads`` are the media spec IDs it needs; ``setting`` keys only tune other rules."""

    key: str
    domain: str
    reads: tuple[str, ...] = ()
    stricter: Stricter = Stricter.NEITHER
    setting: bool = False


TESTS_KEY, ALL_TESTS = "tests", "all"
IMPACTED, IMPACTED_IN_CI = "impacted", "impacted_in_ci"
AFFECTED, AFFECTED_IN_CI = "affected", "affected_in_ci"
"""The setting of which tests run, and its values: all, those that the change can affect, those of affected packages."""

_SPECS: tuple[RuleSpec, ...] = (
    RuleSpec("lint_clean", "code", ("verigate:lint.v1",), Stricter.TRUE),
    RuleSpec("lint_errors_max", "code", ("verigate:lint.v1",), Stricter.LOWER),
    RuleSpec("lint_warnings_max", "code", ("verigate:lint.v1",), Stricter.LOWER),
    RuleSpec("tests_pass", "code", ("verigate:tests.v1",), Stricter.TRUE),
    RuleSpec(TESTS_KEY, "code", (), setting=True),
    RuleSpec("tests_min", "code", ("verigate:tests.v1",), Stricter.HIGHER),
    RuleSpec("skipped_max", "code", ("verigate:tests.v1",), Stricter.LOWER),
    RuleSpec("coverage_min", "code", ("verigate:coverage.v1",), Stricter.HIGHER),
    RuleSpec("patch_coverage_min", "code", ("verigate:coverage.v1",), Stricter.HIGHER),
    RuleSpec("coverage_drop_max", "code", ("verigate:coverage.v1",), Stricter.LOWER),
    RuleSpec("noticed_min", "code", ("verigate:sensitivity.v1",), Stricter.HIGHER),
    RuleSpec("build_success", "code", ("verigate:build.v1",), Stricter.TRUE),
    RuleSpec("units_match", "code", ("verigate:functions.v1",), Stricter.TRUE),
    RuleSpec("fixes_proven", "code", ("verigate:counterfactual.v1",), Stricter.TRUE),
    RuleSpec("reject_unclaimed_changes", "code", ("verigate:diff-names.v1", "verigate:functions.v1"), Stricter.TRUE),
    RuleSpec("integrity", "code", ("verigate:integrity.v1",), Stricter.TRUE),
    RuleSpec("weakening", "code", (), setting=True),
    RuleSpec("expectations", "code", (), setting=True),
    RuleSpec("allow_policy_change", "code", (), Stricter.FALSE, setting=True),
    RuleSpec("require_full_coverage", "links", ("verigate:urlset.v1", "verigate:statuses.v1"), Stricter.TRUE),
    RuleSpec("treat_3xx_as_pass", "links", (), Stricter.FALSE, setting=True),
    RuleSpec("failures_max", "links", ("verigate:statuses.v1",), Stricter.LOWER),
    RuleSpec("resample_max", "links", ("verigate:statuses.v1", "verigate:resample.v1"), Stricter.LOWER),
    RuleSpec("timeout_ms", "links", (), Stricter.LOWER, setting=True),
    RuleSpec("concurrency", "links", (), Stricter.LOWER, setting=True),
    RuleSpec("rate_limit_ms", "links", (), Stricter.HIGHER, setting=True),
    RuleSpec("links_min", "links", ("verigate:urlset.v1",), Stricter.HIGHER),
    RuleSpec("schema_valid", "api", ("verigate:responses.v1", "verigate:api-schema.v1"), Stricter.TRUE),
    RuleSpec("required_endpoints", "api", ("verigate:endpoints.v1",), Stricter.UNION),
    RuleSpec("undocumented_max", "api", ("verigate:endpoints.v1",), Stricter.LOWER),
    RuleSpec("auth_required", "api", ("verigate:auth.v1",), Stricter.TRUE),
    RuleSpec("latency_ms", "api", ("verigate:responses.v1",), Stricter.NEITHER),
    RuleSpec("rate_limit_required", "api", ("verigate:rate-limits.v1",), Stricter.TRUE),
    RuleSpec("samples", "api", (), Stricter.HIGHER, setting=True),
    RuleSpec("word_min", "content", ("verigate:wordcount.v1",), Stricter.HIGHER),
    RuleSpec("word_tolerance", "content", (), Stricter.LOWER, setting=True),
    RuleSpec("words_rendered", "content", ("verigate:wordcount.v1",), Stricter.TRUE),
    RuleSpec("headings_required", "content", ("verigate:headings.v1",), Stricter.UNION),
    RuleSpec("images_min", "content", ("verigate:images.v1",), Stricter.HIGHER),
    RuleSpec("images_found", "content", ("verigate:images.v1",), Stricter.TRUE),
    RuleSpec("images_alt_required", "content", ("verigate:images.v1",), Stricter.TRUE),
    RuleSpec("quotes_attributed", "content", ("verigate:quotes.v1",), Stricter.TRUE),
    RuleSpec("files_min", "content", ("verigate:scan.v1",), Stricter.HIGHER),
    RuleSpec("required_artifacts", "any", (), Stricter.UNION),
    RuleSpec("statements", "any", (), setting=True),
    RuleSpec("fuzzy_units", "any", (), setting=True),
    RuleSpec("sandbox", "any", (), setting=True),
    RuleSpec("rules", "any"),
    RuleSpec("verifier", "verifier", (), setting=True),
)

RULES: Mapping[str, RuleSpec] = {spec.key: spec for spec in _SPECS}


_ARTIFACT_IN_CEL = r"""\bartifacts\s*\[\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*\]"""


def list_custom_rule_reads(rule: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the artifact paths that a CEL rule names as ``artifacts["path"]``, sorted."""
    text = f"{rule.get('when') or ''}\n{rule.get('expr') or ''}"
    return tuple(sorted({double or single for double, single in re.findall(_ARTIFACT_IN_CEL, text)}))


_PLACE_IN_CEL = re.compile(
    _ARTIFACT_IN_CEL + r"""((?:\s*\.\s*[A-Za-z_]\w*\b(?!\s*\()|\s*\[\s*(?:"[^"\\]+"|'[^'\\]+'|\d+)\s*\])*)"""
)
_STEP_IN_CEL = re.compile(r"""\.\s*(\w+)|\[\s*(?:"([^"]+)"|'([^']+)'|(\d+))""")


def list_custom_rule_places(rule: Mapping[str, Any]) -> tuple[tuple[str, tuple[str | int, ...]], ...]:
    """Return the values that a CEL rule reads: artifact path and the members and indexes that it names after it.

    ``artifacts["a.json"].files.all(f, f.ok)`` reads ``("a.json", ("files",))``. A place above another one is left out.
    """
    text = f"{rule.get('when') or ''}\n{rule.get('expr') or ''}"
    found = {
        (double or single, tuple(_read_step(*step) for step in _STEP_IN_CEL.findall(steps)))
        for double, single, steps in _PLACE_IN_CEL.findall(text)
    }
    deepest = [
        (path, steps)
        for path, steps in found
        if not any(path == other and more[: len(steps)] == steps and more != steps for other, more in found)
    ]
    return tuple(sorted(deepest, key=lambda place: (place[0], [str(step) for step in place[1]])))


def _read_step(member: str, double: str, single: str, index: str) -> str | int:
    return int(index) if index else member or double or single


def is_active(key: str, threshold: Any) -> bool:
    """Whether a key with this threshold is in force (``false``, ``null`` and an empty list or object aren't)."""
    if key not in RULES or RULES[key].setting or threshold is None or threshold is False:
        return False
    return not (isinstance(threshold, list | tuple | dict) and len(threshold) == 0)


def choose_stricter(key: str, first: Any, second: Any) -> Any:
    """Return the stricter of two thresholds of one key."""
    if first is None or second is None:
        return second if first is None else first
    choose: Mapping[Stricter, Callable[[Any, Any], Any]] = {
        Stricter.HIGHER: max,
        Stricter.LOWER: min,
        Stricter.TRUE: lambda one, other: one or other,
        Stricter.FALSE: lambda one, other: one and other,
        Stricter.UNION: lambda one, other: [*one, *(item for item in other if item not in one)],
        Stricter.NEITHER: lambda one, _: one,
    }
    return choose[RULES[key].stricter](first, second)
