"""Find where a request says the name of its result apart from the order: "…, and call it small.png"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from verigate.requests.reading import Surroundings
from verigate.requests.tokenizer import Token
from verigate.requests.wordings.cells import PATH, is_name, join_cells, list_group, make_words, substitute

_IT = (
    r"(?:it|that|this|them|these|the (?:result|results|output|outcome|copy|copies|new (?:file|picture|one)|rest|"
    r"remainder|picture|image|part|archive|tarball|file))"
)
_STORE = r"(?:put|write|store|save|place|file|keep|name|call|output|export)"
_STORED = r"(?:saved|written|stored|put|placed|filed|named|called)"
_AND = r"(?:[,;] )?(?:and )?(?:then )?(?:please )?"
_KIND = r"(?:(?:an?|the) (?:new )?(?:[\w-]+ )?(?:file|picture|image|archive|document|page) )?"
_NAME = rf"(?P<n>{PATH}|(?:(?!in|to|as|the|an?|it|that)[\w@+][\w@.+-]*(?= ,|$)))"
_PATTERNS = (
    (
        rf"{_AND}{_STORE} {_IT}(?: out)?(?: (?:in|into|to|as|at|under|inside|->))?(?: the "
        rf"(?:name|file|folder))?(?: of)? {_KIND}"
        rf"(?:(?:called|named) )?(?P<n>{PATH})"
    ),
    rf"{_AND}(?:name|call) {_IT} {_NAME}",
    rf"(?:, )?(?:in|into|to|as) (?:an?|the|one) (?:new |single )?(?:[\w-]+ )?file(?: (?:called|named))? (?P<n>{PATH})",
    (
        rf"(?:, )?(?:and )?(?:the )?(?:result|output|destination|new name|new file|filename|file name|name)(?: file)?"
        rf"(?: (?:is|be|goes|go|to|in|into|as|at|should be|shall be|will be))?"
        rf"(?: (?:called|named|to|into))? (?P<n>{PATH})"
    ),
    rf"(?:, )?(?:under|by|with) (?:the )?(?:new )?name(?: of)? {_NAME}",
    rf"(?:, )?(?:and )?{_STORED}(?: (?:to|as|in|into|under|at))(?: the (?:name|file))? (?P<n>{PATH})",
    rf"(?:, |and )(?:write|save|store|output)(?: to| into| as)? (?P<n>{PATH})",
    rf"(?:, )?(?:and )?(?:it|that|this|the result) (?:goes|should go|shall go) (?:in|into|to) (?P<n>{PATH})",
    rf"(?:, )?(?:and )?(?P<n>{PATH}) is where it goes",
    rf"(?<={PATH} )as (?:the )?(?:picture|image|video|file|page|document) (?P<n>{PATH})",
    rf"(?<![{PATH}] ), (?:as |to |into )?(?P<n>{PATH})$",
)
_HINTS = re.compile(
    rf"\b(?:result|output|name|call|save|saved|store|stored|write|written|put|place|placed|file|filename|goes|"
    rf"destination|export|keep|named|called|under)\b|, (?:as |to |into )?{PATH}$| as (?:the )?\w+ {PATH}"
)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<= )|(?<!\S)){pattern}(?!\S)" if not pattern.startswith("(?<") else rf"{pattern}(?!\S)")


def mark_results(tokens: Sequence[Token], around: Surroundings, cells: str) -> tuple[Token, ...]:
    """Say "-> NAME" for the name of a result that stands in a clause of its own, after the order.

    A request that begins with it is an order of its own, and one that names several is left as it is.
    """
    read = tuple(tokens)
    if _HINTS.search(cells) is None:
        return read
    for pattern in _PATTERNS:

        def build(match: re.Match[str], read: tuple[Token, ...] = read) -> tuple[Token, ...] | None:
            name = list_group(read, match, "n")
            before = read[: join_cells(read)[: match.start()].count(" ")]
            if len(name) != 1 or not any(is_name(token, around) for token in before):
                return None
            if match.group().startswith(", ") and match.group().count(" ") == 1 and around.exists(name[0].text):
                return None  # the last name of a list
            return (*make_words("->", name[0].start), *name)

        made = substitute(read, _compile(pattern), build)
        if made != read:
            return made
    return read
