"""Parse text files as values of a media spec, and check base64 strings inside JSON.

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
    """A text that doesn't match its media spec; the message gives the actual and the expected type."""


def parse_text_value(spec: MediaSpec, text: str) -> Any:
    """Parse a text file of this spec: a number or boolean if the schema requires one, else the text itself.

    A number or boolean may be followed by one line end and nothing else. Raises TextValueError.
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
    """Parse a number as strictly as JSON: no sign but minus, no leading zeros, within the range of a double."""
    if len(text) > _LONGEST_NUMBER or not (_INTEGER if kind == "integer" else _NUMBER).fullmatch(text):
        return None
    if _INTEGER.fullmatch(text):
        whole = int(text)
        return whole if abs(whole) <= LARGEST_INTEGER else None
    number = float(text)
    return number if math.isfinite(number) else None


def find_base64_fault(spec_id: str, value: Any) -> Fault | None:
    """Return why a value inside JSON isn't one of this binary spec; None for base64 (RFC 4648, section 4)."""
    if isinstance(value, str) and is_base64(value):
        return None
    return Fault(f"it is {format_value(value)}, must be a string in base64, because {spec_id} is binary", pointer="")


def is_base64(text: str) -> bool:
    """Whether a text is base64 with padding and nothing else, not even line ends."""
    import binascii

    try:
        binascii.a2b_base64(text, strict_mode=True)
    except ValueError:  # binascii.Error is one, and so is what text outside ASCII raises
        return False
    return True


class ContentEncoding:
    """The keyword ``contentEncoding``, an annotation in JSON Schema: here ``base64`` is checked."""

    def __init__(self, _parent: Any, value: Any, _path: Any) -> None:
        self._checked = value == "base64"

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a string that isn't base64."""
        if self._checked and isinstance(instance, str) and not is_base64(instance):
            raise ValueError(f"it is {format_value(instance)}, must be base64, because its schema says so")


class ContentMediaType:
    """The keyword ``contentMediaType``: strings of a binary type must be base64 unless another encoding is given."""

    def __init__(self, parent: Any, value: Any, _path: Any) -> None:
        self._type = value if isinstance(value, str) and is_binary(value) else None
        if isinstance(parent, dict) and "contentEncoding" in parent:
            self._type = None

    def validate(self, instance: Any) -> None:
        """Raise ValueError for a string that isn't base64."""
        if self._type is not None and isinstance(instance, str) and not is_base64(instance):
            raise ValueError(f"it is {format_value(instance)}, must be base64, because {self._type} is binary")


KEYWORDS: Mapping[str, type] = {"contentEncoding": ContentEncoding, "contentMediaType": ContentMediaType}
"""Keywords of media spec schemas beyond JSON Schema, for ``Schema``."""
