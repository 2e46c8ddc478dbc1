"""Find the fault that a program prints, by the rules of its description, while it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Stream
from verigate.formats.pointer import resolve
from verigate.verifier.program import Fault, FaultRule
from verigate.verifier.run_log import parse_object

_COLOURS = re.compile(r"^(?:\x1b\[[0-9;]{0,20}m)+")
_LONGEST_LINE = 1 << 20
_LONGEST_TEXT = 300


class FoundFault(Struct, frozen=True):
    """A fault, the words in which the program printed it, and whether the program is to be ended."""

    code: Fault
    text: str
    ends: bool


class FaultWatch:
    """Watches the output of one run. ``found`` is the last fault, or the one at which the program is ended."""

    def __init__(self, rules: Sequence[FaultRule]) -> None:
        self._rules = rules
        self.found: FoundFault | None = None

    def read(self, stream: Stream, chunk: str) -> bool:
        """Read whole lines of a stream; return whether the program is to be ended."""
        for line in chunk.split("\n") if self._rules else ():
            if self.found is not None and self.found.ends:
                return True
            found = find_fault(stream, line, self._rules)
            self.found = found or self.found
        return self.found is not None and self.found.ends


def find_fault(stream: Stream, line: str, rules: Sequence[FaultRule]) -> FoundFault | None:
    """Find the fault in a line by the first rule that matches; None if none does."""
    if not line.strip() or len(line) > _LONGEST_LINE:
        return None
    if stream == "stderr":
        plain = _COLOURS.sub("", line)
        texts = ((rule, plain if rule.prefix is not None and plain.startswith(rule.prefix) else None) for rule in rules)
    else:
        document = parse_object(line)
        texts = ((rule, None if document is None else _read_text(document, rule)) for rule in rules)
    for rule, text in texts:
        if text is not None and all(word in text for word in rule.words):
            return FoundFault(rule.code, " ".join(text.split())[:_LONGEST_TEXT], rule.ends)
    return None


def _read_text(document: Mapping[str, Any], rule: FaultRule) -> str | None:
    """Return the text that a rule looks at in an object, None if the object isn't the rule's."""
    if rule.prefix is not None or not rule.when:
        return None
    for pointer, wanted in rule.when.items():
        value = _resolve(document, pointer)
        if type(value) is not type(wanted) or value != wanted:
            return None
    texts = [value for pointer in rule.text if isinstance(value := _resolve(document, pointer), str)]
    return texts[0] if texts else "" if not rule.words else None


def _resolve(document: Any, pointer: str) -> Any:
    try:
        return resolve(document, pointer)
    except LookupError:
        return None
