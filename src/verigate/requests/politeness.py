"""Words that are only polite, and would set a condition or deny if they were meant: "if you don't mind".

They count as such only where a request begins or ends with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.requests.tokenizer import Token
from verigate.requests.vocabulary import split_words

_ASKING = (
    r"(?:(?:i'd|i would) (?:really |very much |greatly )?appreciate (?:it )?if you (?:could|would|can)|"
    r"(?:it'd|it would|it'll|it will|that would|would) be (?:really |very )?"
    r"(?:great|nice|good|lovely|awesome|cool|helpful) if you (?:could|would|can)|"
    r"(?:would|could|can|will) (?:you|u) (?:be so (?:kind|good) (?:as to|and)|be able to|mind)|"
    r"be so (?:kind|good) (?:as to|and)|"
    r"do me (?:a|the) favou?r(?: and)?)"
)
_IF = (
    r"(?:if (?:you|u) (?:don't mind|do not mind|please|would|could|can)|"
    r"if (?:it's|it is|that's|that is) not too much (?:trouble|to ask)|"
    r"(?:when|whenever) (?:you|u) (?:can|get a (?:chance|minute|moment)|have (?:a )?(?:chance|minute|moment|time)))"
)
_THANKS = (
    r"(?:(?:many |much )?thanks|thank (?:you|u)|thx|tx|ty|cheers|much appreciated)"
    r"(?: (?:a lot|so much|very much|in advance|a bunch|a ton|again))?"
)
_FIRST = rf"(?:{_ASKING}|{_IF}(?= (?:,|please|pls|plz) )|{_THANKS})(?= )"
_LAST = rf"(?<= )(?:{_IF}|{_THANKS}|{_ASKING})$"
_HINTS = split_words("you u kind good favor favour trouble ask thanks thank thx tx ty cheers appreciated")
"""Each phrase has one of these words: where there is none, the expressions needn't be compiled."""

_SEPARATORS = frozenset({",", ";", "-", "\u2013", "\u2014"})


def strip_politeness(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of a request without the polite phrases that it begins and ends with."""
    kept = list(tokens)
    if not _HINTS & {token.text.lower() for token in tokens}:
        return tuple(kept)
    while (found := re.match(_FIRST, _join_words(kept))) is not None:
        kept = kept[len(found.group().split()) :]
        while kept and kept[0].text in _SEPARATORS:
            kept.pop(0)
    while (found := re.search(_LAST, _join_words(kept))) is not None:
        kept = kept[: -len(found.group().split())]
        while kept and kept[-1].text in _SEPARATORS:
            kept.pop()
    return tuple(kept)


def _join_words(tokens: Sequence[Token]) -> str:
    """The words as one text, of which each token is one; what is quoted, and a path, is no word."""
    return " ".join(
        "\0" if token.kind in {"quoted", "path"} else token.text.lower().replace("\u2019", "'") for token in tokens
    )
