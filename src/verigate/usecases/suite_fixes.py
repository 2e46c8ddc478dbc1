"""Plan the lines of configuration that a comparison of suites leads to. Nothing is written here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from verigate.config.baseline import encode_baseline, parse_expiry, read_baseline
from verigate.config.files import read_bytes
from verigate.domain.baseline import LINT, BaselineEntry, count_occurrences
from verigate.domain.baseline_update import EntryTerms, update_baseline
from verigate.domain.execution import CapabilityRun
from verigate.domain.known_failures import TESTS, KnownFailure
from verigate.domain.profile import BASELINE_FILE, SANDBOX_FILE
from verigate.domain.suite_comparison import SuiteExamination
from verigate.integrations.setup.declared_tests import ADAPTERS_FILE, declare_tests
from verigate.integrations.setup.granted_files import merge_deselected, merge_excluded, merge_grants
from verigate.integrations.setup.tightening import (
    PLAN_FILE,
    PROFILE,
    PROFILES_FILE,
    TASK_TYPE,
    find_table,
    read_document,
    render_document,
)

_BUILD_RULE, _BUILD = "build_success", "code:build"
_DAYS = "90"
_PACKAGE = "package.json"
_MANAGERS = {"yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm", "bun.lock": "bun"}
_LONGEST_ID = 4000
_LONGEST_REASON = 1000
MAX_DESELECTED = 25
"""More tests than these are no exception: something else is wrong, which nobody should deselect."""


class SuiteFix(Struct, frozen=True):
    """A file with its new content; ``question`` asks for it, ``lines`` say what changes, each in a sentence."""

    path: str
    content: str
    exists: bool
    question: str
    lines: tuple[str, ...]


def plan_fixes(root: Path, found: SuiteExamination, adapter: str, today: str) -> tuple[SuiteFix, ...]:
    """Plan the files for the grants that help, for the tests that fail on both sides, and for those that nothing helps.

    Raises ConfigError for a present file that can't be used.
    """
    return tuple(
        fix for plan in (_plan_grants, _plan_baseline, _plan_deselected) for fix in plan(root, found, adapter, today)
    )


def plan_findings(root: Path, runs: Sequence[CapabilityRun], today: str) -> Iterator[SuiteFix]:
    """Plan the baseline for the lint findings of ``runs``. Raises ConfigError for a present file that can't be used."""
    found = count_occurrences([item for run in runs for item in run.artifacts if item.media_spec == LINT])
    old = read_baseline(root, today)
    until = parse_expiry(_DAYS, today)
    terms = EntryTerms(today, until, "there before the gate was")
    update = update_baseline(old.entries if old else (), found, terms, BaselineEntry, renew=False)
    if not update.added:
        return
    number = f"{update.added} lint finding{'' if update.added == 1 else 's'}"
    content = encode_baseline(update.entries, old.tests if old else ())
    question = f"list {number} in {BASELINE_FILE}, until {until}?"
    lines = (f"leaves {number} out until {until}: they were there before the gate",)
    yield SuiteFix(BASELINE_FILE, content.decode(), old is not None, question, lines)


def plan_excluded(root: Path, runs: Sequence[CapabilityRun], unread: Sequence[str], today: str) -> Iterator[SuiteFix]:
    """Plan the exclusion of linters whose report nothing here reads: those in ``unread`` that weren't run.

    One that is only not installed isn't excluded: it is to be installed. Raises ConfigError as ``plan_findings``.
    """
    left = {
        item["what"]
        for run in runs
        for artifact in run.artifacts
        if artifact.media_spec == LINT
        for item in artifact.value.get("unexamined", ())
    }
    tools = {name: f"the gate can't read its report; excluded on {today}" for name in unread if name in left}
    if not tools:
        return
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content = merge_excluded(before, "code", tools)
    lines = tuple(f"excludes {name}: {why}" for name, why in tools.items())
    question = f"exclude {', '.join(tools)} in {ADAPTERS_FILE}?"
    yield SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, question, lines)


def plan_declared(root: Path, runs: Sequence[CapabilityRun]) -> Iterator[SuiteFix]:
    """Plan to declare the ``test`` script of package.json, where no test ran for want of a reader of its report.

    Its exit code decides then. Raises ConfigError as ``plan_findings``.
    """
    suites = [artifact.value for run in runs for artifact in run.artifacts if artifact.media_spec == TESTS]
    left = [item for suite in suites if not suite["total"] for item in suite.get("unexamined", ())]
    if not any(item["path"] == _PACKAGE for item in left) or not _has_test_script(root):
        return
    manager = next((name for lock, name in _MANAGERS.items() if (root / lock).exists()), "npm")
    declared = declare_tests(root, f"{manager} test")
    exists = (root / ADAPTERS_FILE).exists()
    line = f"declares {manager} test as the command of the tests: its exit code decides"
    yield SuiteFix(ADAPTERS_FILE, declared.content, exists, f"declare {manager} test in {ADAPTERS_FILE}?", (line,))


def plan_unbuilt(root: Path) -> Iterator[SuiteFix]:
    """Plan a configuration that doesn't ask for the build, which fails here as the repository is.

    Only what ``gate init`` asks by itself is taken out: the shipped profile ``code`` has no rule about builds.
    """
    profiles, plan = (read_document(root / path) for path in (PROFILES_FILE, PLAN_FILE))
    profile, entry = find_table(profiles, PROFILE), find_table(plan, TASK_TYPE)
    if profile is None or profile.pop(_BUILD_RULE, None) is not True:
        return
    line = "doesn't ask for the build, which fails here as it is: set build_success to true when it passes"
    question = f"leave the build out in {PROFILES_FILE}?"
    yield SuiteFix(PROFILES_FILE, render_document(profiles), True, question, (line,))
    planned = [names for names in (entry or {}).values() if isinstance(names, list) and _BUILD in names]
    if planned:
        for names in planned:
            names.remove(_BUILD)
        yield SuiteFix(
            PLAN_FILE, render_document(plan), True, f"leave {_BUILD} out in {PLAN_FILE}?", (f"plans no {_BUILD}",)
        )


def _has_test_script(root: Path) -> bool:
    try:
        package = json.loads((root / _PACKAGE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    return isinstance(script, str) and "no test specified" not in script


def _plan_grants(root: Path, found: SuiteExamination, adapter: str, today: str) -> Iterator[SuiteFix]:  # noqa: ARG001 - one shape for all
    chosen = [remedy for remedy in found.remedies if not remedy.by_hand]
    if not chosen:
        return
    before = read_bytes(root / SANDBOX_FILE, shown=SANDBOX_FILE)
    content = merge_grants(before, adapter, [remedy.grant for remedy in chosen])
    lines = tuple(f"opens {remedy.grant.kind} {remedy.grant.what}: {remedy.cause}" for remedy in chosen)
    question = f"open the sandbox in {SANDBOX_FILE}?"
    yield SuiteFix(SANDBOX_FILE, content.decode(), before is not None, question, lines)


def _plan_baseline(root: Path, found: SuiteExamination, adapter: str, today: str) -> Iterator[SuiteFix]:  # noqa: ARG001 - as above
    failing = {key: 1 for key in found.both if len(key.id) <= _LONGEST_ID}
    if not failing:
        return
    old = read_baseline(root, today)
    until = parse_expiry(_DAYS, today)
    terms = EntryTerms(today, until, "failed before, inside the sandbox and outside")
    known = {entry.key: entry.count for entry in old.tests} if old else {}
    update = update_baseline(old.tests if old else (), {**known, **failing}, terms, KnownFailure, renew=False)
    if not update.added:
        return
    content = encode_baseline(old.entries if old else (), update.entries)
    number = f"{update.added} known failing test{'' if update.added == 1 else 's'}"
    yield SuiteFix(
        BASELINE_FILE,
        content.decode(),
        old is not None,
        f"list {number} in {BASELINE_FILE}, until {until}?",
        (f"leaves {number} out until {until}: they fail outside as well",),
    )


def _plan_deselected(root: Path, found: SuiteExamination, adapter: str, today: str) -> Iterator[SuiteFix]:  # noqa: ARG001 - as above
    tests = {
        item.test.id: f"fails in the sandbox only: {item.cause}"[:_LONGEST_REASON]
        for item in found.unhelped
        if len(item.test.id) <= _LONGEST_ID
    }
    if not 0 < len(tests) <= MAX_DESELECTED:
        return
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content = merge_deselected(before, adapter, tests)
    lines = tuple(f"deselects {test}: {reason}" for test, reason in tests.items())
    number = f"{len(tests)} test{'' if len(tests) == 1 else 's'}"
    yield SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, f"deselect {number} in {ADAPTERS_FILE}?", lines)
