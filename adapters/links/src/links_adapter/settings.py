"""Read configuration, profile and manifest into one frozen value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.sdk import AdapterError, AdapterUsageError, Request

MANIFEST = Path(__file__).resolve().parents[2] / "manifest.json"

TIME_LIMIT_S = 1740.0
"""Just under the manifest's timeout, so that unchecked links can still be reported."""


class Settings(Struct, frozen=True):
    """The manifest's configuration keys by their names, and the profile's settings.

    ``timeout_ms``, ``concurrency`` and ``rate_limit_ms`` are the profile's; ``redirects_pass`` is its
    ``treat_3xx_as_pass``, true where no profile is given. ``forbidden_by`` is what forbids the network: ``manifest``,
    ``configuration`` or None. ``bodies`` is True, False or ``claimed``.
    """

    files: tuple[str, ...]
    exclude_files: tuple[str, ...]
    exclude: tuple[re.Pattern[str], ...]
    root_dir: str
    fallback_extensions: tuple[str, ...]
    verbatim: bool
    start_urls: tuple[str, ...]
    depth: int
    max_pages: int
    sitemaps: tuple[str, ...]
    method: str
    fragments: bool
    bodies: bool | str
    error_bodies: tuple[re.Pattern[str], ...]
    host_concurrency: int
    max_redirects: int
    retry_after_max_s: int
    user_agent: str
    resample_attempts: int
    resample_wait_ms: int
    timeout_ms: int
    concurrency: int
    rate_limit_ms: int
    redirects_pass: bool
    forbidden_by: str | None

    @property
    def network(self) -> bool:
        """Whether requests may leave the machine."""
        return self.forbidden_by is None

    @property
    def timeout_s(self) -> float:
        """Seconds for one request, from connecting to the last byte read."""
        return self.timeout_ms / 1000


def read_settings(request: Request, manifest: Path = MANIFEST) -> Settings:
    """Read the settings of a call. Raises AdapterError for an unreadable manifest, AdapterUsageError for bad values."""
    try:
        document = json.loads(manifest.read_bytes())
        values: dict[str, Any] = {**document["config"]["defaults"], **request.config}
        allowed = document["sandbox"].get("network", False) is True
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise AdapterError(f"the adapter's own manifest can't be read: {error}", where=str(manifest)) from error
    network = values.pop("network")
    forbidden_by = "manifest" if not allowed else None if network is True else "configuration"
    try:
        return Settings(
            **{name: _freeze(name, value) for name, value in values.items()},
            timeout_ms=_read_integer(request.rules, "timeout_ms", 10_000),
            concurrency=_read_integer(request.rules, "concurrency", 16),
            rate_limit_ms=_read_integer(request.rules, "rate_limit_ms", 0),
            redirects_pass=bool(request.rules.get("treat_3xx_as_pass", not request.rules)),
            forbidden_by=forbidden_by,
        )
    except TypeError as error:
        raise AdapterUsageError(f"unknown key in the configuration: {error}", where="GATE_CONFIG") from error


def _freeze(name: str, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if name not in {"exclude", "error_bodies"}:
        return tuple(value)
    try:
        return tuple(re.compile(pattern) for pattern in value)
    except re.error as error:
        raise AdapterUsageError(f"is not a regular expression: {error}", where=f"GATE_CONFIG /{name}") from error


def _read_integer(rules: Mapping[str, Any], key: str, otherwise: int) -> int:
    value = rules.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise
