"""Input and result of routing: the catalogue of tools, and the selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from verigate.requests.fitting import Fit
from verigate.tools.model import Tool


class Catalogue(Protocol):
    """The available tools."""

    @property
    def aliases(self) -> Mapping[str, Sequence[int]]:
        """Alias in lower case -> numbers of tools."""

    @property
    def triggers(self) -> Sequence[str]:
        """Every trigger."""

    def find_by_stems(self, stems: Iterable[str]) -> list[int]:
        """Return the numbers of the tools with a trigger that begins with one of these stems."""

    def tool(self, number: int) -> Tool:
        """One tool."""

    def file(self, number: int) -> str:
        """Return the file that declares a tool."""

    def is_trusted(self, number: int) -> bool:
        """Whether the user trusts a tool."""


class Selection(NamedTuple):
    """The result of routing: ``chosen``, or why nothing was chosen (``problem``) and what to try (``hint``).

    ``fits`` are all candidates, the best first; ``forced`` is the requested alias. ``rivals`` fit as well as the best:
    the user can choose among them.
    """

    request: str
    fits: tuple[Fit, ...] = ()
    chosen: Fit | None = None
    problem: str | None = None
    hint: str | None = None
    forced: str | None = None
    rivals: tuple[Fit, ...] = ()
    is_trusted: bool = True
