"""Addresses of the documentation, and names that only look like addresses."""

from __future__ import annotations

NAMES = "https://verigate.invalid/"
"""What the names of schemas (``$id``), of a predicate type and of this verifier begin with.

Nothing is there, and nobody can put anything there: RFC 6761 reserves ``.invalid``. A name never changes.
"""

PUBLISHED = ""
"""Where this version's documentation is published, with a slash at its end; "" if nowhere.

Equal to ``Documentation`` of ``urls`` in pyproject.toml. Only an address that the project owns may stand here.
"""


def address_reason(code: str, documentation: str) -> str:
    """Return the address of the page about a reason code at a site of the documentation, "" where there is no site."""
    return f"{documentation.rstrip('/')}/reasons/{code}/" if documentation else ""
