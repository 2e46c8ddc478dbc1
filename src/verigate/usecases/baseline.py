"""Write and prune a repository's baseline by what its linters and tests find now. Nothing is decided or published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.baseline import MAX_BYTES, encode_baseline, read_baseline
from verigate.domain.artifact import Artifact
from verigate.domain.baseline import (
    LINT,
    Baseline,
    BaselineEntry,
    FindingKey,
    count_occurrences,
    list_issues,
    make_key,
)
from verigate.domain.baseline_update import BaselineUpdate, EntryTerms, drop_stale_entries, update_baseline
from verigate.domain.known_failures import TESTS, FailureKey, KnownFailure, count_failures
from verigate.domain.manifest import Registry
from verigate.domain.profile import BASELINE_FILE
from verigate.domain.standard_artifacts import STANDARD
from verigate.errors import ExecutionError, UsageError
from verigate.evidence.store import write_atomically
from verigate.usecases.prepare import prepare
from verigate.usecases.request import Request
from verigate.usecases.run_plan import run_plan
from verigate.usecases.services import Services


class CountedFindings(Struct, frozen=True):
    """Findings of linters: the count of each that can be suppressed, and the number of those that can't."""

    found: Mapping[FindingKey, int]
    unbound: int


class CountedFailures(Struct, frozen=True):
    """Failing tests: the count of each, and the number of those that aren't listed by name."""

    found: Mapping[FailureKey, int]
    unbound: int


def count_findings(request: Request, services: Services) -> CountedFindings:
    """Run each capability that lists lint findings on the subject of ``request``, without a cache.

    Published evidence isn't read: it is of another tree as soon as a file was saved, and of a task's plan. Raises
    ExecutionError if a capability fails or no linter looked at a file: then nobody knows the findings.
    """
    listing, artifacts = _run_listing(request, services, LINT)
    if not any(artifact.value["files_checked"] for artifact in artifacts):
        hint = "gate plan shows what would run; docs/code-adapter.md how linters are found"
        raise ExecutionError("nothing was written: no linter looked at any file", where=listing, hint=hint)
    return CountedFindings(count_occurrences(artifacts), sum(map(_count_unbound, artifacts)))


def count_failing_tests(request: Request, services: Services) -> CountedFailures:
    """Run each capability that reports tests on the subject of ``request``, without a cache.

    Raises ExecutionError if a capability fails or no test ran: then nobody knows which tests fail.
    """
    listing, artifacts = _run_listing(request, services, TESTS)
    if not any(artifact.value["passed"] + artifact.value["failed"] for artifact in artifacts):
        hint = "gate plan shows what would run; docs/code-adapter.md how tests are found"
        raise ExecutionError("nothing was written: no test ran", where=listing, hint=hint)
    found = count_failures(artifacts)
    return CountedFailures(found, max(sum(item.value["failed"] for item in artifacts) - found.total(), 0))


def _run_listing(request: Request, services: Services, spec: str) -> tuple[str, list[Artifact]]:
    """Run the capabilities that write artifacts of this media spec; returns their names for people, and these."""
    with prepare(request, services) as prepared:
        planned = frozenset(name for entry in prepared.configuration.plan.values() for name in entry.order)
        listing = tuple(sorted(_find_listing(prepared.registry, planned, spec)))
    narrowed = replace(request, only=listing, use_cache=False)
    with prepare(narrowed, services) as prepared:
        runs = run_plan(narrowed, prepared, services).runs
    for run in runs:
        if run.failure is not None:
            raise ExecutionError(
                f"nothing was written: {run.failure.message}", where=run.capability, hint=run.failure.hint
            )
    found = [artifact for run in runs for artifact in run.artifacts if artifact.media_spec == spec]
    return ", ".join(listing), found


def extend_baseline(
    root: Path, seen: CountedFindings, terms: EntryTerms, *, renew: bool
) -> BaselineUpdate[BaselineEntry]:
    """Add an entry for each finding. Raises ConfigError for an invalid baseline."""
    old = read_baseline(root, terms.created)
    return update_baseline(old.entries if old else (), seen.found, terms, BaselineEntry, renew=renew)


def extend_known_failures(
    root: Path, seen: CountedFailures, terms: EntryTerms, *, renew: bool
) -> BaselineUpdate[KnownFailure]:
    """Add an entry for each failing test. Raises ConfigError for an invalid baseline."""
    old = read_baseline(root, terms.created)
    return update_baseline(old.tests if old else (), seen.found, terms, KnownFailure, renew=renew)


def prune_baseline(root: Path, seen: CountedFindings, today: str) -> BaselineUpdate[BaselineEntry]:
    """Remove what no longer occurs. Raises ConfigError for an invalid baseline, UsageError if there is none."""
    return drop_stale_entries(_require(root, today).entries, seen.found, today)


def prune_known_failures(root: Path, seen: CountedFailures, today: str) -> BaselineUpdate[KnownFailure]:
    """Remove the tests that pass again. Raises ConfigError for an invalid baseline, UsageError if there is none."""
    return drop_stale_entries(_require(root, today).tests, seen.found, today)


def save_baseline(
    root: Path,
    today: str,
    *,
    entries: tuple[BaselineEntry, ...] | None = None,
    tests: tuple[KnownFailure, ...] | None = None,
) -> None:
    """Write the file, or remove it if there are no entries. What isn't given stays as it is.

    Raises UsageError for more than MAX_BYTES.
    """
    old, path = read_baseline(root, today), root / BASELINE_FILE
    entries = entries if entries is not None else old.entries if old else ()
    tests = tests if tests is not None else old.tests if old else ()
    if not entries and not tests:
        path.unlink(missing_ok=True)
        return
    content = encode_baseline(entries, tests)
    if len(content) > MAX_BYTES:
        raise UsageError(
            f"the baseline would have {len(content)} bytes, more than the {MAX_BYTES} that are read",
            where=BASELINE_FILE,
            hint="leave generated and vendored files out of what the linter looks at",
        )
    write_atomically(path, content)


def _require(root: Path, today: str) -> Baseline:
    found = read_baseline(root, today)
    if found is None:
        raise UsageError("there is no baseline", where=BASELINE_FILE, hint="gate baseline write")
    return found


def _find_listing(registry: Registry, planned: frozenset[str], spec: str) -> set[str]:
    """Find the capabilities that write this media spec: the standard one, and those that declare such an output.

    Of the tools in TOML only those that a plan names: the others only ship, and nobody configured what they look for.
    """
    found = {standard.capability for standard in STANDARD if standard.media_spec == spec}
    for name in registry.providers:
        provider = registry.provider(name)
        if provider is None or (provider.launcher is not None and name not in planned):
            continue
        outputs = provider.capability(name).outputs
        found |= {name for output in outputs if output.media_spec == spec}
    return found


def _count_unbound(artifact: Artifact) -> int:
    counted = int(artifact.value["errors"]) + int(artifact.value["warnings"])
    return counted - sum(make_key(issue) is not None for issue in list_issues(artifact))
