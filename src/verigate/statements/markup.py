"""Strip Markdown from a statement: emphasis is removed and its words stay, struck-out words go."""

from __future__ import annotations

import re

from verigate.statements.file_names import EXTENSIONS

_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_STRUCK = re.compile(r"~~.*?~~", re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])|(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)"
)
_CODE = re.compile(r"`+[^`\n]*`+")
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|\u201c[^\u201d\n]{1,400}\u201d|\u00ab[^\u00bb\n]{1,400}\u00bb")
_FILE = re.compile(rf"(?<![\w/.-])(?:[\w.@-]+/)*[\w-]+(?:\.[\w-]+)*\.(?:{'|'.join(EXTENSIONS)})\b(?![\w.-]*\w)")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\ufe0e\ufe0f]")


_CHECKED = re.compile(r"^\s*\[[xX]\](?=\s)")


def strip_markup(text: str) -> str:
    """Remove comments, struck-out words, tags, link targets and emphasis; keep code and quotations."""
    text = _INVISIBLE.sub("", _COMMENT.sub(" ", text))
    text = _CHECKED.sub("\u2705", _STRUCK.sub(" ", text))
    text = _LINK.sub(r"\1", _TAG.sub(" ", text))
    parts = re.split(r"(`+[^`\n]*`+)", text)
    return " ".join("".join(p if i % 2 else _EMPHASIS.sub("", p) for i, p in enumerate(parts)).split())


def strip_quotations(text: str) -> str:
    """Replace quotations, code and names of files by an ellipsis, so that only the author's own words are left."""
    return _FILE.sub(" \u2026 ", _QUOTED.sub(" \u2026 ", _CODE.sub(" \u2026 ", text)))


def strip_links(text: str) -> str:
    """Replace links by their words, and remove what can't be seen."""
    return _LINK.sub(r"\1", _INVISIBLE.sub("", text))
