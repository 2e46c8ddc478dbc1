"""Find the anchors of AsciiDoc: explicit ids, and those that are made of section titles.

Source: https://docs.asciidoctor.org/asciidoc/latest/sections/auto-ids/. Ids are made as Asciidoctor does by default
and as GitHub does, which has no prefix and hyphens.
"""

from __future__ import annotations

import re
from itertools import product

from links_adapter.asciidoc_lines import Attributes, read_lines

_EXPLICIT = re.compile(r"\[{2,3}([\w:][\w:.-]*)(?:,[^\]]*)?\]{2,3}|anchor:([\w:][\w:.-]*)\[|\[[^\[\],]*#([\w:][\w:-]*)")
_NAMED = re.compile(r"""\[(?:[^\]]*,)?\s*id=["']?([^"',\]\s]+)""")
_SECTION = re.compile(r"(?:={1,6}|#{1,6})\s+(\S.*)")
_MACRO = re.compile(r"(?:link|xref|image|https?):\S*?\[([^\]]*)\]")
_INVALID = re.compile(r"<[^>]+>|&(?:[a-z][a-z]+\d{0,2}|#\d{2,5}|#x[\da-f]{2,4});|[^ \w.-]")


def find_anchors_and_titles(text: str) -> tuple[frozenset[str], dict[str, str]]:
    """Return all ids, and the id of each section by its title."""
    attributes = Attributes()
    ids: set[str] = set()
    titles: dict[str, str] = {}
    for line in read_lines(text, attributes):
        for match in (*_EXPLICIT.finditer(line.text), *_NAMED.finditer(line.text)):
            ids.add(next(group for group in match.groups() if group))
        section = _SECTION.fullmatch(line.text)
        if section is None:
            continue
        values = attributes.values
        prefixes = {values["idprefix"]} if "idprefix" in values else {"_", ""}
        separators = {values["idseparator"]} if "idseparator" in values else {"_", "-"}
        for prefix, separator in sorted(product(prefixes, separators)):
            made = _make_id(section[1], prefix, separator)
            titles.setdefault(section[1], made)
            ids.add(_number(made, separator, ids))
    return frozenset(ids), titles


def _make_id(title: str, prefix: str, separator: str) -> str:
    plain = _MACRO.sub(r"\1", title).replace("`", "").replace("*", "")
    made = _INVALID.sub("", plain.lower())
    made = re.sub(r"[ .-]+", separator[:1], made)
    made = made.strip(separator[:1]) if separator else made
    return f"{prefix}{made}"


def _number(made: str, separator: str, known: set[str]) -> str:
    count, name = 2, made
    while name in known:
        name = f"{made}{separator}{count}"
        count += 1
    return name
