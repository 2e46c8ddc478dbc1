"""The adapter's configuration as one value, with the manifest's defaults where a call by hand brings none."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from verigate.sdk import Request

_MANIFEST = Path(__file__).resolve().parents[2] / "manifest.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """What ``config/adapters.json`` may say under ``content``; the manifest's schema describes each key.

    ``roots`` are the folders that a path beginning with "/" may be relative to, "" (the repository) first.
    """

    scope: str
    exclude: tuple[str, ...]
    count_code: str
    roots: tuple[str, ...]
    check_cited_files: bool


def settings_of(request: Request) -> Settings:
    """The configuration of this call; under the gate it is complete and has been held against the schema."""
    config = request.config
    if not request.gated:
        config = json.loads(_MANIFEST.read_bytes())["config"]["defaults"] | dict(config)
    return Settings(
        scope=str(config["scope"]),
        exclude=tuple(config["exclude"]),
        count_code=str(config["count_code"]),
        roots=("", *config["image_roots"]),
        check_cited_files=bool(config["check_cited_files"]),
    )
