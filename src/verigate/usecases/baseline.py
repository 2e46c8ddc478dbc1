"""Write and prune a repository's baseline by what its linters find now. Nothing is decided or published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from verigate.config.baseline import MAX_BYTES, encode_baseline, read_baseline
from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT, BaselineEntry, FindingKey, count_occurrences, list_issues, make_key
from verigate.domain.baseline_update import BaselineUpdate, EntryTerms, drop_stale_entries, update_baseline
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


def count_findings(request: Request, services: Services) -> CountedFindings:
    """Run each capability that lists lint findings on the subject of ``request``, without a cache.

    Published evidence isn't read: it is of another tree as soon as a file was saved, and of a task's plan. Raises
    ExecutionError if a capability fails or no linter looked at a file: then nobody knows the findings.
    """
    with prepare(request, services) as prepared:
        planned = frozenset(name for entry in prepared.configuration.plan.values() for name in entry.order)
        listing = tuple(sorted(_find_listing(prepared.registry, planned)))
    narrowed = replace(request, only=listing, use_cache=False)
    with prepare(narrowed, services) as prepared:
        _, runs = run_plan(narrowed, prepared, services)
    for run in runs:
        if run.failure is not None:
            raise ExecutionError(
                f"nothing was written: {run.failure.message}", where=run.capability, hint=run.failure.hint
            )
    artifacts = [artifact for run in runs for artifact in run.artifacts if artifact.media_spec == LINT]
    if not any(artifact.value["files_checked"] for artifact in artifacts):
        hint = "gate plan shows what would run; docs/code-adapter.md how linters are found"
        raise ExecutionError("nothing was written: no linter looked at any file", where=", ".join(listing), hint=hint)
    return CountedFindings(count_occurrences(artifacts), sum(map(_count_unbound, artifacts)))


def extend_baseline(root: Path, seen: CountedFindings, terms: EntryTerms, *, renew: bool) -> BaselineUpdate:
    """Add an entry for each finding. Raises ConfigError for an invalid baseline."""
    return update_baseline(_read_entries(root, terms.created), seen.found, terms, renew=renew)


def prune_baseline(root: Path, seen: CountedFindings, today: str) -> BaselineUpdate:
    """Remove what no longer occurs. Raises ConfigError for an invalid baseline, UsageError if there is none."""
    if not (root / BASELINE_FILE).exists():
        raise UsageError("there is no baseline", where=BASELINE_FILE, hint="gate baseline write")
    return drop_stale_entries(_read_entries(root, today), seen.found, today)


def save_baseline(root: Path, entries: tuple[BaselineEntry, ...]) -> None:
    """Write the file, or remove it if there are no entries. Raises UsageError for more than MAX_BYTES."""
    path = root / BASELINE_FILE
    if not entries:
        path.unlink(missing_ok=True)
        return
    content = encode_baseline(entries)
    if len(content) > MAX_BYTES:
        raise UsageError(
            f"the baseline would have {len(content)} bytes, more than the {MAX_BYTES} that are read",
            where=BASELINE_FILE,
            hint="leave generated and vendored files out of what the linter looks at",
        )
    write_atomically(path, content)


def _read_entries(root: Path, today: str) -> tuple[BaselineEntry, ...]:
    baseline = read_baseline(root, today)
    return baseline.entries if baseline is not None else ()


def _find_listing(registry: Registry, planned: frozenset[str]) -> set[str]:
    """Find the capabilities that write lint findings: the standard one, and those that declare such an output.

    Of the tools in TOML only those that a plan names: the others only ship, and nobody configured what they look for.
    """
    found = {standard.capability for standard in STANDARD if standard.media_spec == LINT}
    for name in registry.providers:
        provider = registry.provider(name)
        if provider is None or (provider.launcher is not None and name not in planned):
            continue
        outputs = provider.capability(name).outputs
        found |= {name for output in outputs if output.media_spec == LINT}
    return found


def _count_unbound(artifact: Artifact) -> int:
    counted = int(artifact.value["errors"]) + int(artifact.value["warnings"])
    return counted - sum(make_key(issue) is not None for issue in list_issues(artifact))
