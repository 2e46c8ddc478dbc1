"""State of a request while a capability is fitted to it: its tokens, and the use of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple, Protocol

from verigate.requests.tokenizer import Token, stem_text
from verigate.requests.vocabulary import NEGATIONS

_SKIPPED = frozenset(["a", "an", "the", "of", "my", "do", "any", "to", "its", "their", "your", "our"])
"""Words that may occur inside a phrase: "extract the audio", "do not overwrite"."""


class Role(NamedTuple):
    """What a path is, at the tokens ``start`` to ``end``: ``target``, ``holder`` (the folder that targets are in),
    ``destination`` or ``argument``; and the word that marks it.
    """

    start: int
    end: int
    role: str
    marker: str = ""


class NotFitting(Exception):  # noqa: N818 - why a capability is no candidate, which is no error
    """What was said can't fill the slots."""


class NotMeant(NotFitting):
    """A value fits its slot, and the words mean something else: a better explanation than what other tools lack."""


class Surroundings(Protocol):
    """The files around a request, seen from its folder. Paths are as in the request."""

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""

    def exists(self, path: str) -> bool:
        """Whether there is anything of this name."""

    def names(self, folder: str) -> Sequence[str]:
        """The names in a folder, in order; none where it can't be listed."""

    def files(self, folder: str) -> Sequence[str]:
        """The files in a folder and in those below it, as paths from where the request is made, in order."""

    def expand(self, pattern: str) -> Sequence[str]:
        """The paths that a pattern matches, as when its command is built, in order."""

    def mime_type(self, path: str) -> str | None:
        """The MIME type of a file's content, None for what is no file."""


class RequestReading:
    """The tokens of a request, and the use of each, None for unused ones.

    ``intents`` are the tokens that are triggers of any candidate and so aren't names. ``inside``: the targets were
    found in a named folder. ``roles`` are those of the paths.
    """

    def __init__(self, tokens: Sequence[Token], surroundings: Surroundings) -> None:
        self.tokens = tuple(tokens)
        self.used: list[str | None] = [None] * len(self.tokens)
        self.around = surroundings
        self.intents: frozenset[int] = frozenset()
        self.inside = False
        self.roles: list[Role] = []

    def __len__(self) -> int:
        return len(self.tokens)

    def is_free(self, index: int) -> bool:
        """Whether the token exists and is unused."""
        return 0 <= index < len(self.tokens) and self.used[index] is None

    def get_word(self, index: int) -> str:
        """Return the word in lower case, "" if there is none."""
        if 0 <= index < len(self.tokens) and self.tokens[index].kind in {"word", "separator"}:
            return self.tokens[index].text.lower()
        return ""

    def get_stem(self, index: int) -> str:
        """Return the stem of a word; ``no`` for every negation."""
        if not (0 <= index < len(self.tokens)) or self.tokens[index].kind != "word":
            return ""
        return "no" if self.get_word(index) in NEGATIONS else self.tokens[index].stem

    def mark_used(self, indexes: Iterable[int], role: str) -> None:
        """Mark tokens as used for ``role``."""
        for index in indexes:
            self.used[index] = role

    def match_phrase(self, start: int, wanted: Sequence[str], *, again: bool = False) -> tuple[int, ...] | None:
        """Match a phrase at ``start``; return its tokens, with articles in between, or None.

        ``again`` allows tokens that are used already.
        """
        found: list[int] = []
        index = start
        for part in wanted:
            while found and self.get_word(index) in _SKIPPED and self.get_stem(index) != part:
                found.append(index)
                index += 1
            if not (0 <= index < len(self.tokens)) or not (again or self.is_free(index)):
                return None
            if wanted == ("no",) and self.get_word(index) != "without":
                return None  # "without x" names what is left out; "not x" alone doesn't.
            if self.get_stem(index) != part:
                return None
            found.append(index)
            index += 1
        return tuple(found) if found else None

    def join_text(self, start: int, end: int) -> str:
        """Join the tokens from ``start`` to ``end``, inclusive, with single spaces."""
        return " ".join(token.raw for token in self.tokens[start : end + 1])


@cache
def split_phrase(phrase: str) -> tuple[str, ...]:
    """Split a phrase of an adapter's file into stems for ``RequestReading.match_phrase``."""
    return tuple("no" if word in _NO else word for word in stem_text(phrase))


_NO = frozenset(stem for word in NEGATIONS for stem in stem_text(word))
