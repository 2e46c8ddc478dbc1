"""Parse tagged URNs, ``prefix:key=value;...``, strictly, and write their canonical text.

Source: the facts on tagged URNs that come with the third source document.
"""

from __future__ import annotations

import re

from msgspec import Struct

from verigate.domain.urn.form import Form, FormKind

LONGEST = 4096
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_-]*")
_ANY_CASE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_NEEDS_QUOTES = frozenset(';="\\ ')
_FORMS = frozenset({"*", "?", "!"})
"""Bare words that are forms, not values: as values they are quoted."""


class UrnError(ValueError):
    """A text that isn't a tagged URN; the message says which part is wrong, and why."""


class TaggedUrn(Struct, frozen=True):
    """``tags`` are (key, form) in alphabetical order of the keys, so that equal URNs are equal values."""

    prefix: str
    tags: tuple[tuple[str, Form], ...] = ()

    def __str__(self) -> str:
        """The canonical text, which ``parse`` accepts."""
        return f"{self.prefix}:{';'.join(_write_tag(key, form) for key, form in self.tags)}"

    def form(self, key: str) -> Form | None:
        """Return the form of a key, None if the URN doesn't have it."""
        return next((form for name, form in self.tags if name == key), None)


def parse(text: str) -> TaggedUrn:
    """Parse a tagged URN. Prefix, keys and bare values are lower-cased. Raises UrnError."""
    if len(text) > LONGEST:
        raise UrnError(f"a URN of {len(text)} characters is longer than the {LONGEST} that are read")
    prefix, colon, rest = text.partition(":")
    if not colon or not _ANY_CASE.fullmatch(prefix):
        raise UrnError(f"{text!r} does not begin with a prefix and a colon, as in cap:op=extract")
    tags: dict[str, Form] = {}
    for part in _split_parts(rest):
        key, form = _read_part(part)
        if key in tags:
            raise UrnError(f"the key {key!r} stands there twice")
        tags[key] = form
    return build_urn(prefix.lower(), tags)


def build_urn(prefix: str, tags: dict[str, Form]) -> TaggedUrn:
    """Build a URN of tags in any order. Raises UrnError for a key or value that can't be written."""
    for key, form in tags.items():
        if not _IDENTIFIER.fullmatch(key):
            raise UrnError(f"the key {key!r} is not of the form {_IDENTIFIER.pattern}")
        named = form.kind in {FormKind.EXACT, FormKind.ABSENT_OR_NOT, FormKind.PRESENT_AND_NOT}
        if named and not form.value:
            raise UrnError(f"the key {key!r} has an empty value")
        if not form.value.isprintable():
            raise UrnError(f"the value of {key!r} holds a character that can't be printed")
    return TaggedUrn(prefix, tuple(sorted(tags.items())))


def _split_parts(text: str) -> list[str]:
    """Split a text at semicolons outside quotes; [] for an empty text."""
    if not text:
        return []
    parts: list[str] = []
    start = position = 0
    while position < len(text):
        if text[position] == '"':
            quoted = _QUOTED.match(text, position)
            if quoted is None:
                raise UrnError(f"a quote is not closed, or its backslash stands before another sign, in {text!r}")
            position = quoted.end()
            continue
        if text[position] == ";":
            parts.append(text[start:position])
            start = position + 1
        position += 1
    return [*parts, text[start:]]


def _read_part(part: str) -> tuple[str, Form]:
    head, equals, value = part.partition("=")
    if not part:
        raise UrnError("there is nothing before or after a semicolon")
    before, after = head[:1], head[-1:] if equals and len(head) > 1 else ""
    sign = before if before in {"?", "!"} else ""
    other = after if after in {"?", "!"} else ""
    key = head[len(sign) : len(head) - len(other)]
    if sign and other:
        raise UrnError(f"{part!r}: {sign} stands before the key or before the =, and not at both places")
    if not _ANY_CASE.fullmatch(key):
        raise UrnError(f"{part!r}: {key!r} is no key of the form {_IDENTIFIER.pattern}")
    key = key.lower()
    if sign and not equals:
        return key, Form(FormKind.FREE if sign == "?" else FormKind.ABSENT)
    # ``?x=v`` is another spelling of ``x?=v``, and ``!x=v`` of ``x!=v``.
    other = other or sign
    if not equals or (value == "*" and not other):
        return key, Form(FormKind.PRESENT)
    kind = {"?": FormKind.ABSENT_OR_NOT, "!": FormKind.PRESENT_AND_NOT, "": FormKind.EXACT}[other]
    return key, Form(kind, _read_value(part, value))


def _read_value(part: str, text: str) -> str:
    if not text:
        raise UrnError(f"{part!r} has an empty value; leave the = out for any value")
    if text in _FORMS:
        raise UrnError(f"{part!r}: {text} is no value here; write it in quotes if it is one")
    quoted = _QUOTED.fullmatch(text)
    if quoted is not None:
        return re.sub(r"\\(.)", r"\1", quoted[1])
    wrong = next((sign for sign in text if sign in _NEEDS_QUOTES or not sign.isprintable()), None)
    if wrong is not None:
        raise UrnError(f"{part!r}: a value with {wrong!r} stands in quotes")
    return text.lower()


def _write_tag(key: str, form: Form) -> str:
    match form.kind:
        case FormKind.FREE:
            return f"?{key}"
        case FormKind.ABSENT:
            return f"!{key}"
        case FormKind.PRESENT:
            return key
        case FormKind.ABSENT_OR_NOT:
            return f"{key}?={_quote(form.value)}"
        case FormKind.PRESENT_AND_NOT:
            return f"{key}!={_quote(form.value)}"
        case FormKind.EXACT:
            return f"{key}={_quote(form.value)}"


def _quote(value: str) -> str:
    bare = value not in _FORMS and value == value.lower() and not _NEEDS_QUOTES & set(value)
    if bare:
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
