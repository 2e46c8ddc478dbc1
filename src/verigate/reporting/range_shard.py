"""Write the document of a shard of a range. ``usecases.fleet.merge_shards`` reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
from msgspec import to_builtins

from verigate.domain.range_shard import SHARD_SCHEMA, RangePlan, RangeVerdicts, Shard
from verigate.domain.verdict import Verdict
from verigate.formats import canonical_json

SEAL = "sha256"


def shard_document(plan: RangePlan, shard: Shard, found: RangeVerdicts) -> dict[str, Any]:
    """Return the document: the range, all of its commits, and this shard's verdicts, with a digest of all that."""
    document: dict[str, Any] = {
        "schema": SHARD_SCHEMA,
        "gate": plan.gate,
        "base": plan.base,
        "tip": plan.tip,
        "policy": plan.policy,
        "shard": {"number": shard.number, "of": shard.of},
        "commits": [to_builtins(each) for each in plan.commits],
        "merges": list(plan.merges),
        "verdicts": [
            {
                "commit": each.commit.id,
                "never_verified": each.never_verified,
                "problem": each.problem,
                "verdict": _describe(each.verdict),
            }
            for each in found.commits
        ],
        "whole": {
            "shard": shard.of if plan.has_whole else None,
            "problem": found.whole_problem,
            "verdict": _describe(found.whole),
        },
    }
    # As a reader finds it: a verdict holds tuples and enumerations.
    read: dict[str, Any] = orjson.loads(orjson.dumps(document))
    return {**read, SEAL: seal_document(read)}


def seal_document(document: Mapping[str, Any]) -> str:
    """Return the digest of a document without its seal (sha256 of its canonical form, RFC 8785), in hex.

    Raises NoCanonicalFormError.
    """
    return hashlib.sha256(canonical_json.dumps({k: v for k, v in document.items() if k != SEAL})).hexdigest()


def _describe(verdict: Verdict | None) -> dict[str, Any] | None:
    return verdict.document() if verdict is not None else None
