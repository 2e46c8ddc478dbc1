"""Summarise the use of a verifier: engine and model, calls, tokens, cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def summarise_verifier(verifier: Mapping[str, Any]) -> str:
    """Summarise a verdict's ``verifier`` in a sentence; tolerates missing members and wrong types."""
    usage, problem = verifier.get("usage"), verifier.get("problem")
    counts = [usage.get(name) for name in ("inputTokens", "outputTokens")] if isinstance(usage, Mapping) else []
    tokens = sum(count for count in counts if isinstance(count, int))
    calls, cost = verifier.get("calls"), verifier.get("cost_usd")
    took = [
        f"{calls} call" if calls == 1 else f"{calls} calls",
        f"{tokens} tokens",
        f"{cost:g} USD" if isinstance(cost, int | float) else "cost unknown",
    ]
    text = f"asked {_format_model(verifier)}: {', '.join(took)}"
    if isinstance(problem, Mapping):
        return f"{text}; {problem.get('code')}"
    unnamed = isinstance(calls, int) and calls > 0 and verifier.get("model_version", "") is None
    return f"{text}; it doesn't report which model answered" if unnamed else text


def _format_model(verifier: Mapping[str, Any]) -> str:
    engine, model, exact = (verifier.get(name) for name in ("engine", "model", "model_version"))
    overrides = verifier.get("engine_overrides")
    if isinstance(overrides, list | tuple) and "built-in" in overrides:
        engine = f"{engine} (a {verifier.get('engine_origin')}'s, in place of the one that ships)"
    named = f"{engine} {model}" if model else str(engine)
    named = f"{named} ({exact})" if exact and exact != model else named
    changed = verifier.get("engine_set")
    if isinstance(changed, Mapping) and changed:
        named = f"{named} with {', '.join(map(str, sorted(changed)))} set for this run"
    return named
