"""Strict parser of media types, ``type/subtype; name=value`` (RFC 9110, section 8.3.1).

The standard library's parsers (``email``, ``cgi``) never reject a text: they turn what they can't read into
``text/plain``.
"""

from __future__ import annotations

import re

from msgspec import Struct

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105 - the grammar's word
_NAME = r"[0-9A-Za-z][0-9A-Za-z!#$&^_.+-]{0,126}"
_ESSENCE = re.compile(rf"[ \t]*({_NAME}/{_NAME})[ \t]*")
_BARE = r"[!#-+\--:<-~]+"
_QUOTED = r'"((?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*)"'
_PARAMETER = re.compile(rf";[ \t]*(?:({_TOKEN})=(?:({_BARE})|{_QUOTED}))?[ \t]*")
_PLAIN = re.compile(_TOKEN)
_LONGEST = 1000


class MediaTypeError(ValueError):
    """A text that isn't a media type; the message names the first invalid part."""


class MediaType(Struct, frozen=True):
    """``essence`` is ``type/subtype`` in lower case; ``parameters`` are (name in lower case, value) pairs in order."""

    essence: str
    parameters: tuple[tuple[str, str], ...] = ()

    def parameter(self, name: str) -> str | None:
        """Return the value of a parameter, None if it is missing."""
        return next((value for key, value in self.parameters if key == name), None)

    def __str__(self) -> str:
        """The text that ``parse`` accepts; a value that isn't a token is quoted."""
        return "".join([self.essence, *(f"; {name}={_quote_value(value)}" for name, value in self.parameters)])


def parse(text: str) -> MediaType:
    """Parse a media type. An unquoted value may contain the characters of a URL (``/``, ``:``).

    Raises MediaTypeError.
    """
    if len(text) > _LONGEST:
        raise MediaTypeError(f"a media type of {len(text)} characters is longer than the {_LONGEST} that are read")
    found = _ESSENCE.match(text)
    if found is None:
        raise MediaTypeError(f"{text!r} has no media type of the form type/subtype")
    parameters: dict[str, str] = {}
    position = found.end()
    while position < len(text):
        part = _PARAMETER.match(text, position)
        if part is None:
            lost = text[position:].lstrip("; \t")
            raise MediaTypeError(f"{lost!r} in {text!r} is no parameter of the form name=value")
        position = part.end()
        name, bare, quoted = part.groups()
        if name is None:
            continue
        if name.lower() in parameters:
            raise MediaTypeError(f"parameter {name.lower()!r} of {text!r} stands there twice")
        parameters[name.lower()] = bare if bare is not None else re.sub(r"\\(.)", r"\1", quoted)
    return MediaType(found[1].lower(), tuple(parameters.items()))


def _quote_value(value: str) -> str:
    if _PLAIN.fullmatch(value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
