"""The signed statement of a result: which action, what was found, for how long it counts.

A server's ActionResult is as good as the server. So what was found stands in a statement of the writer's, which is
signed; of the ActionResult only the places of statement and signature are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import orjson
from msgspec import Struct

from verigate.domain.remote_call import CacheStage
from verigate.formats.strict_json import loads
from verigate.remote.blobs import Digest

SCHEMA = "verigate:remote-result.v1"
VOID = "void"
"""The outcome of an action under which different facts were found: it serves nobody."""

RESULT_FOR = timedelta(days=7)
VOID_FOR = timedelta(days=30)
_SKEW = timedelta(minutes=5)
_MOST_FILES = 10_000


class Statement(Struct, frozen=True):
    """What a writer says. ``outcome`` is the digest of the facts, or VOID; ``worker`` is a label, not a proof."""

    action: Digest
    capability: str
    stage: CacheStage
    outcome: str
    finished: str
    expires: str
    files: Mapping[str, Digest]
    out: Digest
    err: Digest
    worker: Mapping[str, str]

    @property
    def is_void(self) -> bool:
        """Whether different facts were found under the action."""
        return self.outcome == VOID

    def encode(self) -> bytes:
        """Return the bytes that are signed: JSON with sorted members."""
        document = {
            "schema": SCHEMA,
            "action": list(self.action),
            "capability": self.capability,
            "stage": self.stage.value,
            "outcome": self.outcome,
            "finished": self.finished,
            "expires": self.expires,
            "files": {path: list(digest) for path, digest in self.files.items()},
            "out": list(self.out),
            "err": list(self.err),
            "worker": dict(self.worker),
        }
        return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def decode_statement(content: bytes) -> Statement:
    """Read a statement whose signature holds. Raises ValueError for whatever is no statement."""
    document = loads(content)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise ValueError(f"it isn't a {SCHEMA}")
    try:
        files = {_check_path(path): _read_digest(digest) for path, digest in document["files"].items()}
        statement = Statement(
            _read_digest(document["action"]),
            _read_text(document["capability"]),
            CacheStage(document["stage"]),
            _read_text(document["outcome"]),
            _read_text(document["finished"]),
            _read_text(document["expires"]),
            files,
            _read_digest(document["out"]),
            _read_digest(document["err"]),
            {_read_text(name): _read_text(value) for name, value in document["worker"].items()},
        )
    except (LookupError, TypeError, AttributeError) as problem:
        raise ValueError(f"it lacks a member, or has one of another type ({problem})") from problem
    if len(files) > _MOST_FILES:
        raise ValueError(f"it has more than {_MOST_FILES} files")
    return statement


def find_time_problem(statement: Statement, now: str) -> str | None:
    """Explain why a statement doesn't count at a moment; None if it does."""
    try:
        moment, finished, expires = map(datetime.fromisoformat, (now, statement.finished, statement.expires))
        if expires <= moment:
            return f"it expired on {statement.expires}"
        if finished > moment + _SKEW:
            return f"it was made later than now, {statement.finished}"
        longest = VOID_FOR if statement.is_void else RESULT_FOR
        return None if expires <= finished + longest else "it counts for longer than any result may"
    except (ValueError, TypeError):
        return "its times can't be read"


def compute_expiry(finished: str, *, void: bool) -> str:
    """Return the moment until which a statement counts."""
    end = datetime.fromisoformat(finished) + (VOID_FOR if void else RESULT_FOR)
    return end.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value


def _read_digest(value: Any) -> Digest:
    sha256, size = value
    if not isinstance(sha256, str) or type(size) is not int or not (found := Digest(sha256, size)).is_valid:
        raise TypeError(f"{value!r:.90} is not a digest")
    return found


def _check_path(path: str) -> str:
    parts = path.split("/")
    if not path or "\0" in path or not {"", ".", ".."}.isdisjoint(parts):
        raise ValueError(f"{path!r:.90} is not a path below the task's folder")
    return path
