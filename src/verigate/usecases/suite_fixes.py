"""Plan the lines of configuration that a comparison of suites leads to. Nothing is written here."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from verigate.config.baseline import encode_baseline, parse_expiry, read_baseline
from verigate.config.files import read_bytes
from verigate.domain.baseline import LINT, BaselineEntry, count_occurrences
from verigate.domain.baseline_update import EntryTerms, update_baseline
from verigate.domain.execution import CapabilityRun
from verigate.domain.grants import Grant, GrantKind
from verigate.domain.known_failures import TESTS, KnownFailure
from verigate.domain.profile import BASELINE_FILE, SANDBOX_FILE
from verigate.domain.suite_comparison import Remedy, SuiteExamination
from verigate.integrations.setup.declared_tests import ADAPTERS_FILE, declare_command
from verigate.integrations.setup.granted_files import (
    merge_deselected,
    merge_environment,
    merge_excluded,
    merge_grants,
    merge_linter_calls,
)
from verigate.integrations.setup.own_linter_calls import OwnLinterCalls
from verigate.integrations.setup.own_variables import OwnVariable
from verigate.integrations.setup.stack import detect_stack
from verigate.integrations.setup.tightening import plan_tightening

_DAYS = "90"
_LONGEST_ID = 4000
_LONGEST_REASON = 1000
MAX_DESELECTED = 25
"""More tests than these are no exception: something else is wrong, which nobody should deselect."""
MAX_SHARE = 0.05
"""And no larger part of the suite; a single test always is an exception."""


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
    return (*plan_grants(root, found.remedies, adapter), *plan_named(root, found, adapter, today))


def plan_named(root: Path, found: SuiteExamination, adapter: str, today: str) -> tuple[SuiteFix, ...]:
    """Plan the files that name failing tests one by one. Raises ConfigError as ``plan_fixes``."""
    return (*_plan_baseline(root, found, today), *_plan_deselected(root, found, adapter))


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


def plan_linter_calls(root: Path, found: Sequence[OwnLinterCalls]) -> Iterator[SuiteFix]:
    """Plan that linters are called as the project calls them. Raises ConfigError as ``plan_findings``."""
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content, added = merge_linter_calls(before, "code", {each.tool: each.calls for each in found})
    chosen = [each for each in found if each.tool in added]
    if not chosen:
        return
    lines = tuple(f"calls {each.tool} as {each.source} does: {each.line}" for each in chosen)
    question = f"call {' and '.join(each.tool for each in chosen)} so, in {ADAPTERS_FILE}?"
    yield SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, question, lines)


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
    why = f"the gate can't read its report; excluded on {today}"
    yield from _plan_exclusion(root, {name: why for name in unread if name in left})


def _plan_exclusion(root: Path, tools: Mapping[str, str]) -> Iterator[SuiteFix]:
    if not tools:
        return
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content = merge_excluded(before, "code", tools)
    lines = tuple(f"excludes {name}: {why}" for name, why in tools.items())
    question = f"exclude {', '.join(tools)} in {ADAPTERS_FILE}?"
    yield SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, question, lines)


def plan_excluded_runners(root: Path, runs: Sequence[CapabilityRun], today: str) -> Iterator[SuiteFix]:
    """Plan the exclusion of test runners that weren't run. Raises ConfigError as ``plan_findings``."""
    suites = [artifact.value for run in runs for artifact in run.artifacts if artifact.media_spec == TESTS]
    left = [item["what"] for suite in suites for item in suite.get("unexamined", ())]
    why = f"the gate can't read its report, and no command of the project runs it in the sandbox; excluded on {today}"
    yield from _plan_exclusion(root, dict.fromkeys(left, why))


def plan_declared(
    root: Path, key: str, words: Sequence[str], source: str, variables: Sequence[OwnVariable] = ()
) -> Iterator[SuiteFix]:
    """Plan to declare a command below ``key`` with ``variables``; its exit code decides.

    Where nothing of its kind was known before, the plan and the profile ask for it from now on. Raises ConfigError as
    ``plan_findings``.
    """
    line = shlex.join(words)
    content = declare_command(root, key, words).content
    if variables:
        content = merge_environment(content.encode(), "code", {each.name: each.value for each in variables}).decode()
    says = f"declares {line} ({source}) for code:{key}: its exit code decides"
    lines = (says, *(f"sets {each.name}={each.value}, as {each.source} does" for each in variables))
    exists = (root / ADAPTERS_FILE).exists()
    yield SuiteFix(ADAPTERS_FILE, content, exists, f"declare {line} in {ADAPTERS_FILE}?", lines)
    for path, (text, changes) in plan_tightening(root, detect_stack(root, content)).items():
        yield SuiteFix(path, text, True, f"ask for it in {path}?", changes)


def plan_variables(root: Path, adapter: str, variables: Sequence[OwnVariable]) -> SuiteFix:
    """Plan variables of the repository's own files for its programs. Raises ConfigError as ``plan_findings``."""
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content = merge_environment(before, adapter, {each.name: each.value for each in variables})
    lines = tuple(f"sets {each.name}={each.value}, as {each.source} does" for each in variables)
    names = ", ".join(each.name for each in variables)
    return SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, f"set {names} in {ADAPTERS_FILE}?", lines)


def plan_grants(root: Path, remedies: Sequence[Remedy], adapter: str) -> Iterator[SuiteFix]:
    """Plan the grants that were proven, without those that only a person adds. Raises ConfigError as ``plan_fixes``."""
    chosen = [remedy for remedy in remedies if not remedy.by_hand]
    if not chosen:
        return
    before = read_bytes(root / SANDBOX_FILE, shown=SANDBOX_FILE)
    content = merge_grants(before, adapter, [remedy.grant for remedy in chosen])
    lines = tuple(f"{_describe(remedy.grant)}: {remedy.cause}" for remedy in chosen)
    question = f"open the sandbox in {SANDBOX_FILE}?"
    yield SuiteFix(SANDBOX_FILE, content.decode(), before is not None, question, lines)


def _describe(grant: Grant) -> str:
    return f"gives {grant.what} s" if grant.kind is GrantKind.TIME else f"opens {grant.kind} {grant.what}"


def _plan_baseline(root: Path, found: SuiteExamination, today: str) -> Iterator[SuiteFix]:
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


def _plan_deselected(root: Path, found: SuiteExamination, adapter: str) -> Iterator[SuiteFix]:
    tests = {
        item.test.id: f"fails in the sandbox only: {item.cause}"[:_LONGEST_REASON]
        for item in found.unhelped
        if len(item.test.id) <= _LONGEST_ID
    }
    most = max(1, min(MAX_DESELECTED, int(found.inside.total * MAX_SHARE)))
    if not 0 < len(tests) <= most:
        return
    before = read_bytes(root / ADAPTERS_FILE, shown=ADAPTERS_FILE)
    content = merge_deselected(before, adapter, tests)
    lines = tuple(f"deselects {test}: {reason}" for test, reason in tests.items())
    number = f"{len(tests)} test{'' if len(tests) == 1 else 's'}"
    yield SuiteFix(ADAPTERS_FILE, content.decode(), before is not None, f"deselect {number} in {ADAPTERS_FILE}?", lines)
