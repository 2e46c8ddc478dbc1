"""The report formats by the name that ``--format`` takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from msgspec import Struct

from verigate.domain.verdict import Verdict


class Look(Struct, frozen=True):
    """How text should look: ANSI colours or none, the width in cells, everything or one screen."""

    colour: bool = False
    width: int = 100
    verbose: bool = False


Renderer = Callable[[Verdict, Look], str]
"""A verdict in, the whole report out, ending in a newline. Formats for machines ignore the look."""


# Each renderer imports its module when it is called: a format that isn't asked for costs no start-up time.
def _text(verdict: Verdict, look: Look) -> str:
    from verigate.reporting import text

    return text.render(verdict, colour=look.colour, width=look.width, verbose=look.verbose)


def _json(verdict: Verdict, look: Look) -> str:  # noqa: ARG001
    from verigate.reporting import json_report

    return json_report.render(verdict)


FORMATS: Mapping[str, Renderer] = MappingProxyType({"text": _text, "json": _json})
