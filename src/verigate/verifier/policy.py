"""Read a profile's policy for the verifier: whether a model may be asked, and its budgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Usage

TIMEOUT_S = 120.0
MAX_TOKENS = 200_000
MAX_OUTPUT_TOKENS = 8192
MIN_OUTPUT_TOKENS = 512
"""Minimum for an answer with citations."""

_BYTES_PER_TOKEN = 3
"""A safe estimate for current tokenizers: four bytes a token for English, three for code and other scripts."""


class Prices(Struct, frozen=True):
    """Prices in US dollars per million tokens."""

    input: float
    output: float

    def compute_cost(self, usage: Usage) -> float:
        """Compute the cost of these tokens in US dollars."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


class VerifierPolicy(Struct, frozen=True):
    """The profile's ``verifier``. Seconds and tokens are for all calls together; None costs no matter.

    ``session``: an engine may go on with the task's earlier session.
    """

    engine: str
    model: str | None = None
    timeout_s: float = TIMEOUT_S
    max_tokens: int = MAX_TOKENS
    max_cost_usd: float | None = None
    prices: Prices | None = None
    session: bool = False


def read_policy(rules: Mapping[str, Any]) -> VerifierPolicy | None:
    """Read the policy in a profile's rules; None if they name no engine, or never ask."""
    said = rules.get("verifier")
    if not isinstance(said, Mapping) or not said.get("engine") or said.get("when") == "never":
        return None
    prices = said.get("usd_per_million_tokens")
    return VerifierPolicy(
        engine=said["engine"],
        model=said.get("model"),
        timeout_s=float(said.get("timeout_s", TIMEOUT_S)),
        max_tokens=int(said.get("max_tokens", MAX_TOKENS)),
        max_cost_usd=said.get("max_cost_usd"),
        prices=Prices(float(prices["input"]), float(prices["output"])) if prices else None,
        session=said.get("session") is True,
    )


def estimate_tokens(text: str) -> int:
    """Estimate the maximum number of tokens in a text: only the provider's tokenizer has the exact number."""
    return len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN + 1
