"""Values of a media spec: the value that a text is, and the bytes that a string inside JSON stands for.

Source: the third source document, validation. A file of a binary spec is its bytes; only a value inside a JSON
document, which can't be bytes, is base64.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from verigate.domain.media import MediaSpec, is_binary
from verigate.errors import Fault
from verigate.formats.schema import format_value
from verigate.formats.strict_json import LARGEST_INTEGER

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_WORDS = {"true": True, "false": False}
_LONGEST_NUMBER = 400
_EXPECTED = {"integer": "an integer", "number": "a number", "boolean": "true or false"}


class TextValueError(ValueError):
    """A text that isn't of its media spec's type; the message says what it is and what it must be."""


def parse_text_value(spec: MediaSpec, text: str) -> Any:
    """The value of a text file of this spec: a number or a truth value where its schema asks for one, else the text.

    One line end after a number or truth value is allowed and nothing else around it. Raises TextValueError.
    """
    kind = (spec.schema or {}).get("type")
    if not isinstance(kind, str) or kind not in _EXPECTED:
        return text
    line = text[:-1].removesuffix("\r") if text.endswith("\n") else text
    value = _WORDS.get(line) if kind == "boolean" else _parse_number(line, kind)
    if value is None:
        raise TextValueError(f"it is {format_value(line)}, must be {_EXPECTED[kind]}")
    return value


def _parse_number(text: str, kind: str) -> int | float | None:
    """As strict as a number in JSON: no sign but minus, no leading zeros, nothing that a double can't hold."""
    if len(text) > _LONGEST_NUMBER or not (_INTEGER if kind == "integer" else _NUMBER).fullmatch(text):
        return None
    if _INTEGER.fullmatch(text):
        whole = int(text)
        return whole if abs(whole) <= LARGEST_INTEGER else None
    number = float(text)
    return number if math.isfinite(number) else None


def find_base64_fault(spec_id: str, value: Any) -> Fault | None:
    """What keeps a value inside JSON from being one of this binary spec, None if it is base64 (RFC 4648, section 4)."""
    if isinstance(value, str) and is_base64(value):
        return None
    return Fault(f"it is {format_value(value)}, must be a string in base64, because {spec_id} is binary", pointer="")


def is_base64(text: str) -> bool:
    """Whether the text is base64 with its padding and nothing else, line ends included."""
    import binascii

    try:
        binascii.a2b_base64(text, strict_mode=True)
    except ValueError:  # binascii.Error is one, and so is what text outside ASCII raises
        return False
    return True


class ContentEncoding:
    """The keyword ``contentEncoding``, which JSON Schema leaves without force: here ``base64`` is checked."""

    def __init__(self, _parent: Any, value: Any, _path: Any) -> None:
        self._checked = value == "base64"

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a string that isn't base64."""
        if self._checked and isinstance(instance, str) and not is_base64(instance):
            raise ValueError(f"it is {format_value(instance)}, must be base64, because its schema says so")


class ContentMediaType:
    """The keyword ``contentMediaType``: where it names a binary type, a string is base64 unless another encoding is."""

    def __init__(self, parent: Any, value: Any, _path: Any) -> None:
        self._type = value if isinstance(value, str) and is_binary(value) else None
        if isinstance(parent, dict) and "contentEncoding" in parent:
            self._type = None

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a string that isn't base64."""
        if self._type is not None and isinstance(instance, str) and not is_base64(instance):
            raise ValueError(f"it is {format_value(instance)}, must be base64, because {self._type} is binary")


KEYWORDS: Mapping[str, type] = {"contentEncoding": ContentEncoding, "contentMediaType": ContentMediaType}
"""What a media spec's schema means beyond JSON Schema; for ``Schema``."""
