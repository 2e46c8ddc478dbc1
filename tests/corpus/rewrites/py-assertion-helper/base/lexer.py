import re
from collections import namedtuple

Token = namedtuple("Token", "kind text column")

_RULES = [
    ("number", r"\d+(?:\.\d+)?"),
    ("name", r"[A-Za-z_]\w*"),
    ("operator", r"[-+*/=()]"),
    ("space", r"\s+"),
]
_ANY = re.compile("|".join(f"(?P<{kind}>{rule})" for kind, rule in _RULES))


def tokens(source):
    """Yield the tokens of a line; white space is dropped."""
    at = 0
    while at < len(source):
        found = _ANY.match(source, at)
        if found is None:
            raise SyntaxError(f"unexpected {source[at]!r} in column {at}")
        if found.lastgroup != "space":
            yield Token(found.lastgroup, found.group(), at)
        at = found.end()
