"""Read a cap definition from a .toml file next to a manifest, and validate it by its schema.

Source: the third source document. A file with a ``[urn.tags]`` table is a cap definition; any other TOML (a
``pyproject.toml``, an adapter with ``[adapter]``) is ignored.
"""

from __future__ import annotations

import math
import re
from typing import Any

from verigate.config.validation import validate
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.strict_json import LARGEST_INTEGER, MAX_DEPTH
from verigate.formats.toml_text import place_faults

MAX_BYTES = 128 * 1024
_MAX_DOTS = 1000
"""Size and the parts of one key are bounded: ``tomllib`` takes time quadratic in them."""

_MAY_BE_ONE = re.compile(rb"""(?m)^[ \t]*+(?:\[{1,2}[ \t]*+)?["']?urn["']?[ \t]*+[.\]=]""")
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


def read_cap(content: bytes, file: str) -> tuple[dict[str, Any] | None, tuple[Fault, ...]]:
    """Return the definition and its faults; (None, ()) for TOML that is no cap definition."""
    if not _MAY_BE_ONE.search(content):
        return None, ()
    if len(content) > MAX_BYTES:
        return None, (Fault(f"it has {len(content)} bytes, more than the {MAX_BYTES} that are read", file),)
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.count(b".") > _MAX_DOTS:
            return None, (Fault(f"the line has more than the {_MAX_DOTS} dots that are read", file, line=number),)
    document = _parse_toml(content, file)
    if isinstance(document, Fault):
        return None, (document,)
    urn = document.get("urn")
    if not isinstance(urn, dict) or "tags" not in urn:
        return None, ()
    faults = tuple(Fault(message, file, place) for place, message in _find_non_json(document))
    return document, place_faults(content, faults or validate("cap", document, file=file))


def _parse_toml(content: bytes, file: str) -> dict[str, Any] | Fault:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        return Fault(f"byte 0x{content[problem.start]:02x} is not UTF-8", file, line=line)
    except tomllib.TOMLDecodeError as problem:
        return _report_syntax(str(problem), content, file)
    except ValueError:
        # The standard library reads no integer of more than 4300 digits, and reports it by another class.
        return Fault("it has a number with more digits than are read", file)
    except RecursionError:
        return Fault("it is nested too deeply", file)


def _report_syntax(message: str, content: bytes, file: str) -> Fault:
    found = _PLACE.search(message)
    last = content.count(b"\n") + 1
    line = (int(found[1]) if found[1] else last) if found else None
    return Fault(f"it is not TOML: {_PLACE.sub('', message)}", file, line=line)


def _find_non_json(document: dict[str, Any]) -> list[tuple[str, str]]:
    """(pointer, what is wrong) for what TOML has and JSON hasn't: dates, infinities, integers beyond a double."""
    found: list[tuple[str, str]] = []
    pending: list[tuple[Any, tuple[str | int, ...]]] = [(document, ())]
    while pending:
        value, path = pending.pop()
        if len(path) > MAX_DEPTH:
            return [(pointer.join(*path[:3]), "it is nested too deeply")]
        if isinstance(value, dict):
            pending += [(item, (*path, key)) for key, item in value.items()]
        elif isinstance(value, list):
            pending += [(item, (*path, index)) for index, item in enumerate(value)]
        elif (problem := _explain_non_json(value)) is not None:
            found.append((pointer.join(*path), problem))
    return sorted(found)


def _explain_non_json(value: Any) -> str | None:
    if isinstance(value, bool | str):
        return None
    if isinstance(value, int):
        return None if abs(value) <= LARGEST_INTEGER else "it is an integer that a double can't hold"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"it is {value}, which JSON hasn't"
    return f"it is a date or time ({value}); write it as a string"
