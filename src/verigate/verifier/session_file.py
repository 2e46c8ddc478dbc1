"""Keep a task's session with an engine between executions, validated when it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from verigate.domain.engine import ExecutionResult, Runtime, SessionCodec, Usage

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")
_TOTALS = ("inputTokens", "outputTokens")
_MOST = 1 << 53


class PlainCodec:
    """Codec for engines without their own: ``{"sessionId": ...}``, an id that can't be mistaken for a flag.

    A program that counts the tokens of a session in total adds ``inputTokens`` and ``outputTokens``: the totals so far.
    """

    def deserialize(self, raw: Any) -> Mapping[str, Any] | None:
        """Return the parameters, None unless they have exactly this shape."""
        if not isinstance(raw, Mapping) or raw.keys() not in ({"sessionId"}, {"sessionId", *_TOTALS}):
            return None
        session, totals = raw["sessionId"], {name: raw[name] for name in _TOTALS if name in raw}
        good = isinstance(session, str) and _SESSION.fullmatch(session) is not None
        counted = all(type(total) is int and 0 <= total < _MOST for total in totals.values())
        return {"sessionId": session, **totals} if good and counted else None

    def serialize(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the parameters, None if ``deserialize`` would reject them."""
        return self.deserialize({name: params[name] for name in ("sessionId", *_TOTALS) if name in params})

    def display_id(self, params: Mapping[str, Any]) -> str | None:
        """Return the first eight characters of the session id."""
        return str(params.get("sessionId", ""))[:8] or None


class SessionFile:
    """File with a task's session with one engine. An unusable file counts as no session."""

    def __init__(self, run_root: str, engine: str, codec: SessionCodec) -> None:
        self._path = Path(run_root) / f"{engine}.session.json"
        self._codec = codec

    def read(self) -> Runtime:
        """Read the session; an empty one if there is none."""
        try:
            raw = msgspec.json.decode(self._path.read_bytes())
            params = self._codec.deserialize(raw)
        except Exception:  # noqa: BLE001 - a codec is anybody's code, and the file anybody's bytes
            params = None
        if params is None:
            return Runtime()
        session = params.get("sessionId")
        return Runtime(session if isinstance(session, str) else None, dict(params))

    def keep(self, params: Mapping[str, Any] | None) -> None:
        """Store the parameters, unless the codec rejects them."""
        kept = None if params is None else self._codec.serialize(params)
        if kept is not None:
            self._path.touch(mode=0o600)
            self._path.write_bytes(msgspec.json.encode(kept))

    def label(self, result: ExecutionResult) -> ExecutionResult:
        """Return the result with the session's id for people, by the codec where the engine names none."""
        if result.session_params is None or result.session_display_id is not None:
            return result
        try:
            shown = self._codec.display_id(result.session_params)
        except Exception:  # noqa: BLE001 - a codec is anybody's code
            shown = None
        return replace(result, session_display_id=shown if isinstance(shown, str) else None)

    def drop(self) -> None:
        """Delete the session."""
        self._path.unlink(missing_ok=True)


def build_params(session: str | None, total: Usage | None) -> Mapping[str, Any] | None:
    """Build the parameters to keep; ``total`` is the count of the whole session, None for a program that has none."""
    if session is None:
        return None
    totals = {} if total is None else dict(zip(_TOTALS, (total.input_tokens, total.output_tokens), strict=True))
    return {"sessionId": session, **totals}


def compute_usage(total: Usage | None, session: str | None, runtime: Runtime) -> Usage | None:
    """Compute the tokens of one call from the total of its session.

    Where the total before the call isn't known, or is larger, the whole total counts: too much rather than too little.
    """
    before = runtime.session_params or {}
    if total is None or session is None or before.get("sessionId") != session:
        return total
    counts = [before.get(name) for name in _TOTALS]
    if not all(type(count) is int for count in counts):
        return total
    used = Usage(total.input_tokens - (counts[0] or 0), total.output_tokens - (counts[1] or 0))
    return total if min(used.input_tokens, used.output_tokens) < 0 else used
