"""The address of a site of the documentation that the environment names, for links to the page of a reason code.

It is a link and nothing else: nothing is fetched from there, and no verdict depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping

from verigate.cli.output import warn
from verigate.cli.plain_address import is_plain_address
from verigate.reporting.addresses import PUBLISHED

VARIABLE = "GATE_DOCS_URL"
"""The address at which ``bin/site build`` is served; without it, where this version's documentation is published."""


def find_documentation(environ: Mapping[str, str]) -> str:
    """Return the address of the documentation, "" if there is none. What can't be one is left out, with a warning."""
    url = environ.get(VARIABLE, "") or PUBLISHED
    if url and not is_plain_address(url):
        warn((f"no links to the documentation: {VARIABLE} must be http(s)://HOST[:PORT][/PATH], in plain ASCII",))
        return ""
    return url
