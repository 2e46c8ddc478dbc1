from __future__ import annotations

import re
from dataclasses import dataclass

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.]+))?(?:\+([0-9A-Za-z.]+))?")


@dataclass(frozen=True)
class Version:
    major: int
    minor: int
    patch: int
    pre: str | None = None
    build: str | None = None


def parse(text: str) -> Version:
    found = _VERSION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    major, minor, patch, pre, build = found.groups()
    return Version(int(major), int(minor), int(patch), pre, build)
