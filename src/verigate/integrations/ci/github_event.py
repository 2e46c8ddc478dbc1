"""Read the event that started a run of GitHub Actions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.errors import UsageError


class Event(Struct, frozen=True):
    """An event: its name and its payload (https://docs.github.com/en/webhooks/webhook-events-and-payloads).

    ``read_only`` is the reason why the job's token can only read, None if it can do more.
    """

    name: str
    payload: Mapping[str, Any]
    read_only: str | None = None

    def at(self, *keys: str) -> Any:
        """Return the value in the payload below these keys, None without one."""
        found: Any = self.payload
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return found

    def text(self, *keys: str) -> str | None:
        """Return the text there; None for anything else and for an empty one."""
        found = self.at(*keys)
        return found if isinstance(found, str) and found else None

    @property
    def is_pull_request(self) -> bool:
        """Whether it is about a pull request and contains it."""
        return isinstance(self.at("pull_request"), Mapping)

    @property
    def number(self) -> int | None:
        """The pull request's number."""
        found = self.at("pull_request", "number")
        return found if isinstance(found, int) and found > 0 else None


def read_event(environ: Mapping[str, str]) -> Event:
    """Read the event of this run. Raises UsageError if GITHUB_EVENT_PATH names no JSON object."""
    name, path = environ.get("GITHUB_EVENT_NAME", ""), environ.get("GITHUB_EVENT_PATH", "")
    hint = "run this in a job of GitHub Actions, or unset GITHUB_ACTIONS"
    try:
        payload = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as problem:
        raise UsageError(f"the event can't be read: {problem!a}", where="GITHUB_EVENT_PATH", hint=hint) from None
    if not isinstance(payload, dict):
        raise UsageError("the event is not a JSON object", where="GITHUB_EVENT_PATH", hint=hint)
    event = Event(name, payload)
    return Event(name, payload, _explain_read_only(event, environ))


def _explain_read_only(event: Event, environ: Mapping[str, str]) -> str | None:
    """https://docs.github.com/en/actions/reference/workflows-and-actions/events-that-trigger-workflows#pull_request."""
    if event.name != "pull_request":
        return None
    # A deleted fork has no name.
    if event.text("pull_request", "head", "repo", "full_name") != event.text(
        "pull_request", "base", "repo", "full_name"
    ):
        return "the pull request comes from a fork"
    if environ.get("GITHUB_ACTOR") == "dependabot[bot]":
        return "Dependabot opened the pull request"
    return None
