"""Go on where a run of many jobs was interrupted: what it has found counts for the next one of the same call.

A run that came to its end is forgotten, and so is one after an hour: this isn't a cache of verdicts. A verdict is
decided again from its evidence when it is found again. It lies in the user's folder, with a code of authentication.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.domain.task_folder import CHECKSUMS_FILE, INDEX_FILE, VERDICT_FILE
from verigate.domain.verdict import Status
from verigate.domain.verification_job import Job
from verigate.errors import GateError
from verigate.evidence.store import task_folder
from verigate.execution.evidence_cache import EvidenceCache, compute_key
from verigate.usecases.fleet.sealed_results import Expected, Sealed, read_sealed

KNOWN_FOR_S = 3600
"""Seconds for which an interrupted run can be gone on with."""

_RECORD = ".finished"


class KnownResults:
    """Results of the jobs of one call.

    ``call`` is all that it depends on but the subjects, as a JSON value; ``now`` returns the moment, ISO 8601;
    ``folder`` is a private one, into which results are unpacked.
    """

    def __init__(
        self,
        cache: EvidenceCache,
        call: Mapping[str, Any],
        jobs: Sequence[Job],
        *,
        folder: Path,
        expected: Expected,
        now: Callable[[], str],
    ) -> None:
        self._cache = cache
        self._folder = folder
        self._expected = expected
        self._now = now
        described = [msgspec.to_builtins(job) for job in jobs]
        run = compute_key({"call": call, "jobs": described})
        # A working tree may have changed since; a commit can't.
        self._keys = {
            job: compute_key({"run": run, "job": document})
            for job, document in zip(jobs, described, strict=True)
            if job.ref is not None
        }
        cache.remove_older_than(KNOWN_FOR_S)

    def find(self, job: Job) -> Sealed | None:
        """Return what an interrupted run found of a job, None if that isn't known."""
        key = self._keys.get(job)
        files = None if key is None else self._cache.lookup(key)
        if key is None or files is None or not self._is_fresh(files.get(_RECORD, b"")):
            return None
        place = self._folder / f"known-{key}"
        target = task_folder(place, job.task_id or IMPLICIT_TASK_ID)
        try:
            for path, content in files.items():
                if path != _RECORD:
                    (target / path).parent.mkdir(parents=True, exist_ok=True)
                    (target / path).write_bytes(content)
            return read_sealed(place, job, self._expected)
        except (GateError, OSError):
            return None

    def keep(self, job: Job, sealed: Sealed) -> None:
        """Keep what was found, unless it is an error or nothing."""
        key, published = self._keys.get(job), sealed.published
        if key is None or published is None or sealed.verdict is None or sealed.verdict.status is Status.ERROR:
            return
        files = {path: published.read(path) for path in published.index}
        files |= {name: (published.folder / name).read_bytes() for name in (INDEX_FILE, CHECKSUMS_FILE, VERDICT_FILE)}
        self._cache.store(key, {**files, _RECORD: json.dumps({"finished": self._now()}).encode()})

    def forget(self) -> None:
        """Forget this run: it has come to its end."""
        for key in self._keys.values():
            self._cache.remove(key)

    def _is_fresh(self, record: bytes) -> bool:
        try:
            then = datetime.fromisoformat(json.loads(record)["finished"])
            return 0 <= (datetime.fromisoformat(self._now()) - then).total_seconds() < KNOWN_FOR_S
        except (ValueError, LookupError, TypeError):
            return False
