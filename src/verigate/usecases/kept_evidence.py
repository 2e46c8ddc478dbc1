"""Use evidence again: turn, commit, verify and push of one tree run the project's tests once.

What a capability found is found again under a key over all that it could read, on the same machine, for an hour. Tests
depend on more than that, so only what no check refused is kept, only of capabilities without a network in a whole
sandbox, and CI runs everything. A key under which two runs found different facts is void: a test that passes now and
then is run each time. What is decided is decided again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.execution import CapabilityRun
from verigate.domain.manifest import BASE
from verigate.domain.plan import PlannedCapability
from verigate.domain.ports import KnownCall
from verigate.evidence import run_record
from verigate.evidence.staging import RunStaging
from verigate.execution.evidence_cache import EvidenceCache
from verigate.usecases.evidence_keys import EvidenceKeys

REUSED_FOR_S = 3600
"""Seconds for which evidence is found again."""

OUTCOMES_FOR_S = 30 * 86_400
"""Seconds for which it is known what was found."""

_RECORD, _OUT, _ERR, _ARTIFACTS = "run", "out", "err", "artifacts/"
_OUTCOME = "outcome"
_SEVERAL = b"several"


class EvidenceStore(Struct, frozen=True):
    """Evidence kept in ``cache``, and what was found in ``outcomes``; ``now`` returns the moment, ISO 8601."""

    cache: EvidenceCache
    outcomes: EvidenceCache
    now: Callable[[], str]

    def find(self, key: str) -> KnownCall | None:
        """Return what was found under a key within the hour; None if nothing was, or it is void."""
        files = self.cache.lookup(key)
        if files is None or self.is_void(key):
            return None
        try:
            record = json.loads(files[_RECORD])
            if not 0 <= self.measure_age(record["finished"]) < REUSED_FOR_S:
                return None
            (run,) = run_record.runs_from(record, {})
            artifacts = tuple(Artifact(path, run.capability, 0, "", digest) for path, digest in record["digests"])
            content = {artifact.path: files[f"{_ARTIFACTS}{artifact.path}"] for artifact in artifacts}
            return KnownCall(replace(run, artifacts=artifacts, cached=True), content, files[_OUT], files[_ERR])
        except (ValueError, LookupError, TypeError, AttributeError):
            return None

    def observe(self, key: str, found: bytes) -> None:
        """Remember an outcome; where an earlier run with the same key found something else, the key is void."""
        known = self.outcomes.lookup(key)
        if known is None or known.get(_OUTCOME) not in {found, _SEVERAL}:
            self.outcomes.store(key, {_OUTCOME: found if known is None else _SEVERAL})

    def is_void(self, key: str) -> bool:
        """Whether different facts were found under a key, or it isn't known what was."""
        known = self.outcomes.lookup(key)
        return known is None or known.get(_OUTCOME) == _SEVERAL

    def keep(self, key: str, run: CapabilityRun, files: Mapping[str, bytes], streams: tuple[bytes, bytes]) -> None:
        """Keep what a run found, ``files`` by their paths and its output, unless the key is void."""
        if self.is_void(key):
            return
        document = run_record.runs_document((replace(run, artifacts=()),))
        digests = [[artifact.path, artifact.digest] for artifact in run.artifacts]
        record = json.dumps({"finished": self.now(), "digests": digests, **document}).encode()
        artifacts = {f"{_ARTIFACTS}{path}": content for path, content in files.items()}
        self.cache.store(key, {_RECORD: record, _OUT: streams[0], _ERR: streams[1], **artifacts})

    def measure_age(self, finished: str) -> float:
        """Return the seconds since a moment."""
        return (datetime.fromisoformat(self.now()) - datetime.fromisoformat(finished)).total_seconds()


class RunEvidence:
    """The kept evidence as one run uses it: the ``KnownEvidence`` of the ports. ``takes``: it may be used again."""

    def __init__(self, store: EvidenceStore, keys: EvidenceKeys, *, takes: bool) -> None:
        self._store = store
        self._keys = keys
        self._takes = takes
        self._found: dict[str, KnownCall | None] = {}
        self._ran: dict[str, tuple[str, CapabilityRun]] = {}

    def take(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> KnownCall | None:
        """As in the port."""
        if planned.name not in self._found:
            self._found[planned.name] = self._find(planned, visible) if self._takes else None
        return self._found[planned.name]

    def _find(self, planned: PlannedCapability, visible: Sequence[Artifact]) -> KnownCall | None:
        for with_base in (False, True) if BASE not in planned.declaration.sees else (True,):
            key = self._keys.compute(planned, visible, with_base=with_base)
            found = None if key is None else self._store.find(key)
            if found is not None:
                return replace(found, record=replace(found.record, required=planned.required, reasons=planned.reasons))
        return None

    def note(
        self, planned: PlannedCapability, visible: Sequence[Artifact], run: CapabilityRun, *, took_base: bool
    ) -> None:
        """As in the port."""
        with_base = took_base or BASE in planned.declaration.sees
        key = self._keys.compute(planned, visible, with_base=with_base)
        if key is not None:
            self._ran[planned.name] = key, run

    def observe(self) -> None:
        """Remember what every capability that ran has found."""
        self._store.outcomes.remove_older_than(OUTCOMES_FOR_S)
        for key, run in self._ran.values():
            self._store.observe(key, digest_outcome(run))

    def keep(self, staging: RunStaging, refused: Collection[str]) -> None:
        """Keep what ran now and can be used again, if no check refused an artifact of it (``refused``: their paths)."""
        self._store.cache.remove_older_than(REUSED_FOR_S)
        for key, run in self._ran.values():
            paths = [artifact.path for artifact in run.artifacts]
            if _is_reusable(run) and not any(path in refused for path in paths):
                files = {path: staging.accepted.read(path) for path in paths}
                self._store.keep(key, run, files, staging.read_log(run.capability))


def digest_outcome(run: CapabilityRun) -> bytes:
    """Digest the facts of a run without what differs each time, as durations; a failure is an outcome too."""
    failure = None if run.failure is None else run.failure.reason
    facts: list[Any] = [failure, sorted([artifact.path, artifact.digest] for artifact in run.artifacts)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest().encode()


def _is_reusable(run: CapabilityRun) -> bool:
    sandbox = run.sandbox
    return (
        run.failure is None and sandbox is not None and sandbox.is_whole and not sandbox.missing and not sandbox.network
    )
