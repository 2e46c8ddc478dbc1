"""What a request is looked up in, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from verigate.requests.fitting import Fit
from verigate.tools.model import Tool


class Catalogue(Protocol):
    """The tools that there are."""

    @property
    def aliases(self) -> Mapping[str, Sequence[int]]:
        """Alias in lower case -> numbers of tools."""

    @property
    def triggers(self) -> Sequence[str]:
        """Every trigger."""

    def find_by_stems(self, stems: Iterable[str]) -> list[int]:
        """The numbers of the tools with a trigger that begins with one of these stems."""

    def tool(self, number: int) -> Tool:
        """One tool."""

    def file(self, number: int) -> str:
        """The file that declares it."""

    def is_trusted(self, number: int) -> bool:
        """Whether the user chose it."""


class Selection(NamedTuple):
    """What a request means: ``chosen``, or why that can't be said (``problem``) and what to try (``hint``).

    ``fits`` are all candidates, the best first; ``forced`` is the alias that was asked for. ``rivals`` fit as well as
    the best: whoever asks can choose among them.
    """

    request: str
    fits: tuple[Fit, ...] = ()
    chosen: Fit | None = None
    problem: str | None = None
    hint: str | None = None
    forced: str | None = None
    rivals: tuple[Fit, ...] = ()
    is_trusted: bool = True
