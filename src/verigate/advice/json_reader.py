"""Read and write JSON by the C functions of the standard library's json, which itself takes longer to load than this.

Where another Python has none, json does it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Parse = Callable[[str], Any]
    Encode = Callable[[str], str]

_SPACE = " \t\n\r"


class _Options:
    """What the scanner asks of a decoder: as ``json.JSONDecoder(strict=False)``."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - as the scanner reads it


def load_json() -> tuple[Parse, Encode]:
    """Return a function that parses a text, which raises ValueError or RecursionError, and one that writes a text."""
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:
        import json

        return json.loads, json.dumps
    scan = make_scanner(_Options)  # type: ignore[arg-type] # it reads these attributes of anything

    def parse(text: str) -> Any:
        stripped = text.strip(_SPACE)
        try:
            value, end = scan(stripped, 0)
        except (StopIteration, SystemError):
            # Without json itself, the scanner of Python 3.11 has no error to raise.
            raise ValueError("no JSON") from None
        if end != len(stripped):
            raise ValueError("more than one value")
        return value

    return parse, encode_basestring_ascii
