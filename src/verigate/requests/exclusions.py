"""Read what a request leaves out: codes of rules, names and kinds of files, words."""

from __future__ import annotations

import re

from verigate.requests.file_formats import parse_format, parse_plural
from verigate.requests.reading import RequestReading, split_phrase
from verigate.requests.tokenizer import stem_text
from verigate.requests.vocabulary import LEAVING_OUT
from verigate.tools.model import Slot, SlotType

SYMBOLIC = re.compile(r".*[0-9+=@$%!].*|[ugoa]+-[rwx]+")
_LEFT_OUT = frozenset(split_phrase(text) for text in LEAVING_OUT)


def is_name_for_words(reading: RequestReading, slot: Slot, index: int) -> bool:
    """Whether a slot for words would get the name of a file."""
    if slot.type is not SlotType.STRING or not slot.desc.lower().startswith("words"):
        return False
    token = reading.tokens[index]
    return token.kind == "path" or reading.around.exists(token.text)


def read_kind_left_out(
    reading: RequestReading, slot: Slot, value: str, span: tuple[int, ...]
) -> tuple[str, tuple[int, ...]]:
    """Read "the .js files" and "pngs" as a pattern, where names of files are left out."""
    described = slot.desc.lower()
    if (
        slot.type is not SlotType.STRING
        or "leave out" not in described
        or not {"name", "file"} & set(stem_text(described))
    ):
        return value, span
    noun = reading.get_word(span[-1] + 1) in {"files", "file"}
    suffix = parse_plural(value) or (parse_format(value) if noun or value.startswith(".") else None)
    if suffix is None or reading.around.exists(value):
        return value, span
    return f"*.{suffix}", (*span, span[-1] + 1) if noun else span


def is_excludable(reading: RequestReading, slot: Slot, parts: tuple[str, ...], index: int) -> bool:
    """Whether a value can be excluded by a slot, as a code or a name: "without warnings" excludes no rule."""
    if slot.type is not SlotType.STRING or "leave out" not in slot.desc.lower() or parts not in _LEFT_OUT:
        return True
    text = reading.tokens[index].text
    if (parse_plural(text) or parse_format(text)) and not reading.around.exists(text):
        return True
    names = not {"name", "file"}.isdisjoint(stem_text(slot.desc))
    return (
        is_marked(reading, index)
        or bool({"-", "_"} & set(text.strip("-_")))
        or (names and (parts != ("no",) or reading.around.exists(text)))
    )


def is_marked(reading: RequestReading, index: int) -> bool:
    """Whether a token is a name or a code by its form, rather than a word: ``E501``, ``*.log``, "quoted"."""
    token = reading.tokens[index]
    return token.kind != "word" or token.text.isupper() or SYMBOLIC.fullmatch(token.text) is not None
