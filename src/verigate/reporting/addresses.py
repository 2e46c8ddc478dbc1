"""Addresses of the documentation."""

from __future__ import annotations

SITE = "https://verigate.dev/"
"""Where the documentation is published, and the schemas by their ``$id``; equal to ``urls`` in pyproject.toml."""


def address_reason(code: str) -> str:
    """Return the address of the page about a reason code."""
    return f"{SITE}reasons/{code}/"
