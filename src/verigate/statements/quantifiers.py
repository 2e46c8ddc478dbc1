"""Reduce phrases of quantity to "no" and "some".

"Not a single test fails" becomes "no test fails", "a handful of the tests" becomes "some tests". This comes first, so
that such a negation isn't read as one of the whole sentence, and "a number of tests pass" not as "all tests pass".
"""

from __future__ import annotations

import re

_OF = r"(?: of)?(?: (?:the|these|those|our|my|your|them))?"
_NONE = re.compile(
    rf"\b(?:not (?:even )?(?:a single|(?:just )?one(?: single)?|any)|no single|no more(?! than)|nary a){_OF}(?= \w)",
    re.IGNORECASE,
)
_SOME = re.compile(
    rf"\b(?:(?:quite |only |just )?a (?:few|couple|handful|number|bunch|lot|good many|great many)|several|many|"
    rf"multiple|various|numerous|lots|plenty|a minority|some){_OF}(?= \w)",
    re.IGNORECASE,
)
_STRESS = re.compile(r" (?:across the board|any ?more|any longer)(?!\w)", re.IGNORECASE)
"""Phrases of mere emphasis."""
_PLAIN = re.compile(r"(`+[^`\n]*`+|\"[^\"\n]*\")")


def normalize_quantifiers(text: str) -> str:
    """Replace phrases of quantity by "no" and "some"; leave code and quotations as they are."""
    parts = _PLAIN.split(text)
    return "".join(
        part if i % 2 else _SOME.sub("some", _NONE.sub("no", _STRESS.sub("", part))) for i, part in enumerate(parts)
    )
