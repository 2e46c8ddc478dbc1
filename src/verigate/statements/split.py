"""Prose as statements: the sentences, list items and table rows of a Markdown text (CommonMark and tables).

Each is kept as it was written, and understood alone: what stands above it and changes its meaning ("Next steps:", an
unchecked box, a quote) is put before it. Code blocks and comments state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.reading import MAX_CHARACTERS
from verigate.statements import clean, doubt

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_PROSE = 64 * 1024
"""Characters of a text that are read: the last ones, which is where a report stands."""
MAX_STATEMENTS = 100

_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[eE]\.g\.)(?<!\bi\.e\.)[\"')\]*_`]*\s+(?=[^\sa-z])")
_LINE = re.compile(r"^\s*(?:[^\w\s`\[(\"'*_<]|\*\*[^*]+\*\*:?|__[^_]+__|[\w `*/-]{1,40}:(?:\s|$))")
"""A line that begins something of its own: with a sign or an emoji, or with a label."""
_BELONGS = re.compile(
    r"^\W*(?:except|apart from|aside from|other than|save for|but\b|unless|excluding|only if|if\b|provided|"
    r"not quite|well,|kidding|just kidding|"
    r"with the exception|probably|hopefully|maybe|perhaps|presumably|at least in theory|i (?:think|hope|believe|"
    r"guess|assume|suppose)\b|or so\b|"
    r"(?:i|we|this|that|it|these|those|which|they)?\s*(?:have not|haven't|has not|hasn't|did not|didn't|could not|"
    r"couldn't|was not|wasn't|were not|weren't|"
    r"is not|isn't|are not|aren't|cannot|can't)(?: \w+)? (?:been )?(?:verif\w*|check\w*|confirm\w*|tested|run|"
    r"measured|validated|true|the case)\b"
    r"(?: (?:this|that|it|them|any of \w+|yet|here|though|however|either|everything|anything|so|by me))*\W*$|"
    r"(?:this|that|it|these|which) (?:is|are|was|were) (?:not|un|only|what|my|an?|just|the|from|before)\w*\b)",
    re.IGNORECASE,
)
"""A sentence that takes back, or limits, the one before it."""
_ORNAMENT = re.compile(r"(?:[^\w\s`\"'(\[{]\s*)+(?:[a-z(]|$)")
"""What begins with a sign and goes on in lower case is no sentence of its own."""
_TITLES = re.compile(
    r"^\W*(?:summary|changes?(?: made)?|what(?: i| was|'s)? (?:did|done|changed?)|verification|results?|"
    r"test results|status|overview|details?|"
    r"notes?|done|files?(?: changed)?|implementation|testing|tests|background|context|quality(?: checks)?|checks|"
    r"validation|log|"
    r"final (?:state|status)|highlights|key changes|modified files|new files|i ran|expected output|output)[\s:*_#]*$",
    re.IGNORECASE,
)
_CHECKBOX = re.compile(r"^\s*\[(?P<mark>[ xX])\]\s+")
_SETS = re.compile(
    r"^\W*(?:not (?:done|run|verified|checked|tested|included)|known (?:issues|limitations|problems)|limitations|"
    r"caveats?|"
    r"blocked|blockers?|failing|failed|skipped|out of scope|unverified|missing|before|previously|if )",
    re.IGNORECASE,
)


class _Block(Struct):
    """A piece of prose and what it stands in."""

    text: str
    quoted: bool = False
    heading: bool = False
    above: str = ""


def statements(text: str, most: int = MAX_STATEMENTS) -> tuple[str, ...]:
    """The statements of ``text``; at most ``most``, each of at most MAX_CHARACTERS.

    Only the last MAX_PROSE characters are read. What isn't valid Unicode is replaced. Never raises.
    """
    found: list[str] = []
    for block in _blocks(_end_of(text).encode("utf-8", "replace").decode("utf-8")):
        found += _of_block(block)
        if len(found) >= most:
            break
    return tuple(part[:MAX_CHARACTERS] for part in found[:most])


_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)


def _end_of(text: str) -> str:
    """The last MAX_PROSE characters from the beginning of a line, in the code block that they are in."""
    if len(text) <= MAX_PROSE:
        return text
    end = text[-MAX_PROSE:]
    begins = re.search(r"\n", end) or _SENTENCE_END.search(end)
    end = end[begins.end() :] if begins is not None else end
    return f"```\n{end}" if len(_FENCE.findall(text[: len(text) - len(end)])) % 2 else end


def _of_block(block: _Block) -> Iterator[str]:
    above = f"{block.above} " if block.above else ""
    quoted = "> " if block.quoted else ""
    for sentence in _sentences(block.text):
        if any(letter.isalnum() for letter in clean.clean(sentence)):
            yield f"{quoted}{above}{sentence}"


def _sentences(text: str) -> list[str]:
    found: list[str] = []
    for line in _lines(text):
        for part in _SENTENCE_END.split(line):
            stripped = part.strip()
            if found and (_BELONGS.match(stripped.replace("\u2019", "'")) or _ORNAMENT.match(stripped)):
                found[-1] = f"{found[-1]} {stripped}"
            elif stripped:
                found.append(stripped)
    return found


def _lines(text: str) -> list[str]:
    """Lines that were broken to fit are one; those that begin something of their own are not."""
    joined: list[str] = []
    for line in text.splitlines():
        if joined and not (_LINE.match(line) and (len(joined) > 1 or _LINE.match(joined[-1]) or _ends(joined[-1]))):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line.strip())
    return joined


def _ends(line: str) -> bool:
    return line.rstrip("*_`)\"' ").endswith((".", "!", "?", ":"))


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Inlines are looked at by the reader of a statement: here only blocks count.
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def _blocks(text: str) -> Iterator[_Block]:
    walk = _Walk()
    for token in _parser().parse(text):
        yield from walk.step(token)


class _Walk:
    """A document's tokens in order, with the heading and the lead-in that are in force."""

    def __init__(self) -> None:
        self.quotes = 0
        self.lists = 0
        self.section = ""
        self.lead = ""
        self.kind = ""
        self.row: list[str] | None = None
        self.head: list[str] = []
        self.in_head = False

    def step(self, token: Token) -> Iterator[_Block]:
        """What this token adds."""
        kind = token.type
        if kind in {"blockquote_open", "blockquote_close"}:
            self.quotes += token.nesting
        elif kind in {"bullet_list_open", "bullet_list_close", "ordered_list_open", "ordered_list_close"}:
            self.lists += token.nesting
            if self.lists == 0:
                self.lead = ""
        elif kind in {"heading_open", "paragraph_open"}:
            self.kind = kind
        elif kind == "inline":
            yield from self._inline(token.content)
        elif kind.startswith(("t", "html")):
            yield from self._other(token)

    def _inline(self, text: str) -> Iterator[_Block]:
        if self.row is not None:
            self.row.append(text.strip())
        elif self.kind == "heading_open":
            self.section = text if _sets(text) else ""
            self.lead = ""
            if not _is_bare_title(text) and not self.section:
                yield _Block(text, self.quotes > 0, heading=True)
        elif self.lists == 0 and _leads(text):
            self.lead = text.splitlines()[-1] if _sets(text) else ""
            first = _without_lead(text)
            if first:
                yield _Block(first, self.quotes > 0, above=self._above())
        else:
            if self.lists == 0:
                self.lead = ""
                if _is_title(text) and _sets(text):
                    self.section = text
                    return
            yield from self._item(text)

    def _item(self, text: str) -> Iterator[_Block]:
        box = _CHECKBOX.match(text)
        above = self._above()
        if box is not None and box["mark"] == " ":
            text = text[box.end() :]
            above = f"{above} [ ]".strip()
        if not _is_bare_title(text):
            yield _Block(text, self.quotes > 0, above=above)

    def _above(self) -> str:
        parts = (part.strip().strip("*_# ").rstrip(":") for part in (self.section, self.lead))
        return " ".join(f"{part}:" for part in parts if part)

    def _other(self, token: Token) -> Iterator[_Block]:
        if token.type == "html_block":
            text = clean.clean(token.content)
            if text:
                yield _Block(text, self.quotes > 0, above=self._above())
        elif token.type == "thead_open":
            self.in_head = True
        elif token.type == "thead_close":
            self.in_head = False
        elif token.type == "table_close":
            self.head = []
        elif token.type == "tr_open":
            self.row = []
        elif token.type == "tr_close":
            yield from self._row(self.row or [])
            self.row = None

    def _row(self, cells: Sequence[str]) -> Iterator[_Block]:
        if self.in_head:
            self.head = [clean.clean(cell).lower() for cell in cells]
            if not any(any(letter.isdigit() for letter in cell) or _good(cell) for cell in self.head):
                return
        filled = [cell for cell in cells[1:] if cell]
        if not cells or not cells[0] or not filled:
            return
        columns = " ".join(cell for cell in self.head[1:] if cell) if len(filled) > 1 and not self.in_head else ""
        above = self._above()
        if columns and doubt.doubt(f"{columns}: x") is not None:
            above = f"{above} {columns}:".strip()
        elif any(
            word in {"before", "baseline", "old", "expected", "target", "planned", "previous"}
            for word in columns.split()
        ):
            above = f"{above} previously {columns}:".strip()
        yield _Block(f"{cells[0].rstrip(':')}: {', '.join(filled)}", self.quotes > 0, above=above)


def _is_bare_title(text: str) -> bool:
    plain = clean.clean(text)
    return bool(_TITLES.match(plain)) and not _good(plain)


def _good(cell: str) -> bool:
    return any(sign in cell for sign in "\u2705\u2714\u274c\u2717")


def _sets(text: str) -> bool:
    """Whether a heading or a lead-in changes what stands below it: no claim stands under "Next steps"."""
    last = clean.clean(text.splitlines()[-1] if text.strip() else "")
    return doubt.doubt(clean.spoken(last)) is not None or bool(_SETS.match(last))


def _is_title(text: str) -> bool:
    plain = clean.clean(text)
    return (
        "\n" not in text
        and len(plain.split()) <= 5
        and not plain.endswith((".", "!", "?"))
        and (bool(_SETS.match(plain)) or text.strip().startswith(("**", "__")))
    )


def _leads(text: str) -> bool:
    return clean.clean(text).rstrip("*_ ").endswith(":")


def _without_lead(text: str) -> str:
    """What stands before the sentence that leads in."""
    return " ".join(_sentences(text)[:-1])
