"""Read the adapter's configuration, with the manifest's defaults in a call by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from verigate.sdk import Request

_MANIFEST = Path(__file__).resolve().parents[2] / "manifest.json"


class Rendered(Enum):
    """Whether a browser shows the pages: never, where there is one, or always."""

    NEVER = False
    AUTO = "auto"
    ALWAYS = True


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of ``config/adapters.json`` below ``content``; the manifest's schema describes each key.

    ``roots`` are the folders that a path beginning with "/" may be relative to, "" (the repository) first.
    """

    scope: str
    exclude: tuple[str, ...]
    count_code: str
    roots: tuple[str, ...]
    check_cited_files: bool
    rendered: Rendered


def read_settings(request: Request) -> Settings:
    """Read the configuration of a call; the gate passes a complete and validated one."""
    config = request.config
    if not request.gated:
        config = json.loads(_MANIFEST.read_bytes())["config"]["defaults"] | dict(config)
    return Settings(
        scope=str(config["scope"]),
        exclude=tuple(config["exclude"]),
        count_code=str(config["count_code"]),
        roots=("", *config["image_roots"]),
        check_cited_files=bool(config["check_cited_files"]),
        # A profile that asks for words as a browser shows them decides, whatever the configuration says.
        rendered=Rendered.ALWAYS if request.rules.get("words_rendered") else Rendered(config["rendered"]),
    )
