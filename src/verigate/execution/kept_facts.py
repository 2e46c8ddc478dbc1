"""Facts about single files, kept by the gate for the next call of a capability: see ``verigate.sdk.facts``.

The folder is one of the call's own, so only its adapter can write there; what it found is kept in an entry of the
evidence cache, with its HMAC, if the call ended well. Adapters that run programs of the project are given none.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.sdk.facts import FOUND, KNOWN, MAX_BYTES

if TYPE_CHECKING:
    from verigate.execution.evidence_cache import EvidenceCache
    from verigate.execution.phase_values import CallInputs

FLAG = "keeps_facts"
VARIABLE = "GATE_FACTS"
_FACTS, _FOLDER = "facts", "facts.d"


def give_facts(cache: EvidenceCache, key: str, inputs: CallInputs) -> CallInputs:
    """Write what is kept under ``key`` into a folder of the call; return the call with that folder."""
    folder = Path(inputs.configured.folder, _FOLDER)
    folder.mkdir(mode=0o700)
    files = cache.lookup(key) or {}
    if _FACTS in files:
        (folder / KNOWN).write_bytes(files[_FACTS])
    env = {**inputs.prepared.env, VARIABLE: str(folder)}
    return replace(inputs, prepared=replace(inputs.prepared, env=env))


def keep_facts(cache: EvidenceCache, key: str, inputs: CallInputs) -> None:
    """Keep what a call that ended well has found; nothing that isn't a regular file of bearable size."""
    folder = inputs.prepared.env.get(VARIABLE)
    if folder is None:
        return
    try:
        handle = os.open(f"{folder}/{FOUND}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return
        content = stream.read(MAX_BYTES + (1 << 20) + 1)
    if len(content) <= MAX_BYTES + (1 << 20):
        cache.store(key, {_FACTS: content})
