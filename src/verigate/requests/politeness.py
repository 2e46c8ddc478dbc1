"""Strip polite phrases that would read as a condition or a negation: "if you don't mind".

Only at the beginning and the end of a request.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.requests.reading import Surroundings
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
"""Each phrase contains one of these words: without any, the regular expressions aren't compiled."""

_SEPARATORS = frozenset({",", ".", ";", "-", "\u2013", "\u2014"})


def strip_politeness(tokens: Sequence[Token], around: Surroundings) -> tuple[Token, ...]:
    """Return the tokens without polite phrases at the beginning and the end; a word that is a name here stays."""
    kept = list(tokens)
    if not _HINTS & {token.text.lower() for token in tokens}:
        return tuple(kept)
    while (found := re.match(_FIRST, _join_words(kept))) is not None:
        count = len(found.group().split())
        if any(around.exists(token.text) for token in kept[:count]):
            break
        kept = kept[count:]
        while kept and kept[0].text in _SEPARATORS:
            kept.pop(0)
    while (found := re.search(_LAST, _join_words(kept))) is not None:
        count = len(found.group().split())
        if any(around.exists(token.text) for token in kept[-count:]):
            break
        kept = kept[:-count]
        while kept and kept[-1].text in _SEPARATORS:
            kept.pop()
    return tuple(kept)


def _join_words(tokens: Sequence[Token]) -> str:
    """Join the tokens into one text with one word per token; quotations and paths are masked."""
    return " ".join(
        "\0" if token.kind in {"quoted", "path"} else token.text.lower().replace("\u2019", "'") for token in tokens
    )
