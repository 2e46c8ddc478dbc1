"""The table of attempts to leave a sandbox, ``tests/corpus/escapes/attempts.tsv``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "escapes"


class Attempt(NamedTuple):
    """A row of the table: who tries what, and how it ends without a sandbox, with one, and with Landlock alone.

    An end is ``out``, ``held``, ``root`` (only root is out), ``user`` (only root is held), or ``-`` for what isn't
    tried there.
    """

    program: str
    name: str
    what: str
    outside: str
    whole: str
    landlock: str

    @property
    def id(self) -> str:
        """Its name in results."""
        return f"{self.program}:{self.name}"


def read_attempts() -> list[Attempt]:
    """Read the table of attempts."""
    lines = (CORPUS / "attempts.tsv").read_text("utf-8").splitlines()[1:]
    return [Attempt(*line.split("\t")) for line in lines]
