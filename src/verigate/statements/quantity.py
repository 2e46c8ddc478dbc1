"""How many are meant where no number is said: none of them, or some of them, said in more than one word.

"Not a single test fails" is "no test fails", "a handful of the tests" is "some tests". Said so before anything else is
read, a denial isn't taken for one of the whole sentence, and "a number of tests pass" not for all of them.
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
"""What only stresses what is said."""
_PLAIN = re.compile(r"(`+[^`\n]*`+|\"[^\"\n]*\")")


def counted(text: str) -> str:
    """``text`` with "no" and "some" for what says it in other words; code and quotes stay as they are."""
    parts = _PLAIN.split(text)
    return "".join(
        part if i % 2 else _SOME.sub("some", _NONE.sub("no", _STRESS.sub("", part))) for i, part in enumerate(parts)
    )
