"""Where an adapter was found. Apart from ``manifest``, whose structs a request in words doesn't load."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Where an adapter was found, in order of precedence."""

    REPOSITORY = "repository"
    PATH = "path"
    NPM = "npm"
    PACKAGE = "package"
    BUILTIN = "builtin"
