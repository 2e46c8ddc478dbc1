"""Split prose into statements: the sentences, list items and table rows of a Markdown text (CommonMark and tables).

Each statement is kept verbatim and can be read alone: context that changes its meaning ("Next steps:", an unchecked
box, a quote) is put before it. Code blocks and comments state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.statement_reading import MAX_CHARACTERS
from verigate.statements import markup, qualifiers
from verigate.statements.commands import list_commands
from verigate.statements.scope_phrases import read_scope

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_PROSE = 64 * 1024
"""How many characters of a text are read, from its end, where reports summarize."""
MAX_STATEMENTS = 100

_COMMAND = "|".join(re.escape(each) for each in list_commands())
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b[eE]\.g\.)(?<!\bi\.e\.)[\"')\]*_`]*\s+"
    rf"(?=[^\sa-z]|(?<!etc\. )(?<!vs\. )(?<!incl\. )(?:{_COMMAND})\b)"
)
"""Where a sentence ends: what follows is no lower case, or a command, which people write as it is: "tsc passes"."""
_LINE = re.compile(r"^\s*(?:[^\w\s`\[(\"'*_<]|\*\*[^*]+\*\*:?|__[^_]+__|[\w `*/-]{1,40}:(?:\s|$))")
"""A line that starts a new sentence: it begins with a sign, an emoji or a label."""
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
"""A sentence that retracts or limits the one before it."""
_ORNAMENT = re.compile(r"(?:[^\w\s`\"'(\[{]\s*)+(?:[a-z(]|$)")
"""A sign followed by lower case continues the sentence before it."""
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
    """A paragraph, list item or table row, and its context in the document."""

    text: str
    quoted: bool = False
    heading: bool = False
    above: str = ""


def split_statements(text: str, most: int = MAX_STATEMENTS, *, never_empty: bool = False) -> tuple[str, ...]:
    """Split ``text`` into at most ``most`` statements of at most MAX_CHARACTERS each.

    Only the last MAX_PROSE characters are read. Invalid Unicode is replaced. With ``never_empty`` a text that says
    something in code blocks alone is a quotation, which nobody reads as a claim. Never raises.
    """
    found: list[str] = []
    for block in _walk_blocks(_take_tail(text).encode("utf-8", "replace").decode("utf-8")):
        found += _split_block(block)
        if len(found) >= most:
            break
    if never_empty and not found and (said := next(filter(_says_anything, text.splitlines()), None)) is not None:
        # What says something in code blocks alone is reported as unread, never as nothing.
        found.append(f"> {said.strip()}".encode("utf-8", "replace").decode("utf-8"))
    return tuple(part[:MAX_CHARACTERS] for part in found[:most])


def _says_anything(line: str) -> bool:
    return any(letter.isalnum() for letter in line) and _FENCE.match(line) is None


_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)


def _take_tail(text: str) -> str:
    """Return the last MAX_PROSE characters, from the start of a line; an open code block is opened again."""
    if len(text) <= MAX_PROSE:
        return text
    end = text[-MAX_PROSE:]
    begins = re.search(r"\n", end) or _SENTENCE_END.search(end)
    end = end[begins.end() :] if begins is not None else end
    return f"```\n{end}" if len(_FENCE.findall(text[: len(text) - len(end)])) % 2 else end


def _split_block(block: _Block) -> Iterator[str]:
    above = f"{block.above} " if block.above else ""
    quoted = "> " if block.quoted else ""
    for sentence in split_sentences(block.text):
        if any(letter.isalnum() for letter in markup.strip_markup(sentence)):
            yield f"{quoted}{above}{sentence}"


def split_sentences(text: str) -> list[str]:
    """Split a text without blocks into sentences; one that limits the one before it stays with it."""
    found: list[str] = []
    for line in _join_wrapped_lines(text):
        for part in _SENTENCE_END.split(line):
            stripped = part.strip()
            if found and (_limits_previous(stripped) or _ORNAMENT.match(stripped)):
                found[-1] = f"{found[-1]} {stripped}"
            elif stripped:
                found.append(stripped)
    return found


def _limits_previous(sentence: str) -> bool:
    """Whether a sentence says something of the one before it: "this is a guess", not "this is a pure rename"."""
    return _BELONGS.match(sentence.replace("\u2019", "'")) is not None and not read_scope(sentence)


def _join_wrapped_lines(text: str) -> list[str]:
    """Join lines that were wrapped; keep apart those that start a new sentence."""
    joined: list[str] = []
    for line in text.splitlines():
        if joined and not (
            _LINE.match(line) and (len(joined) > 1 or _LINE.match(joined[-1]) or _ends_sentence(joined[-1]))
        ):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line.strip())
    return joined


def _ends_sentence(line: str) -> bool:
    return line.rstrip("*_`)\"' ").endswith((".", "!", "?", ":"))


@cache
def _load_parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    # Only blocks matter here; ``markup`` handles inline markup.
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


def _walk_blocks(text: str) -> Iterator[_Block]:
    walk = _BlockWalker()
    for token in _load_parser().parse(text):
        yield from walk.visit(token)


class _BlockWalker:
    """Walks the tokens of a document and tracks the heading and the lead-in that apply."""

    def __init__(self) -> None:
        self.quotes = 0
        self.lists = 0
        self.section = ""
        self.lead = ""
        self.kind = ""
        self.row: list[str] | None = None
        self.head: list[str] = []
        self.in_head = False

    def visit(self, token: Token) -> Iterator[_Block]:
        """Yield the blocks that this token completes."""
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
            yield from self._visit_inline(token.content)
        elif kind.startswith(("t", "html")):
            yield from self._visit_table_or_html(token)

    def _visit_inline(self, text: str) -> Iterator[_Block]:
        if self.row is not None:
            self.row.append(text.strip())
        elif self.kind == "heading_open":
            self.section = text if _changes_meaning(text) else ""
            self.lead = ""
            if not _is_bare_title(text) and not self.section:
                yield _Block(text, self.quotes > 0, heading=True)
        elif self.lists == 0 and _is_lead_in(text):
            self.lead = text.splitlines()[-1] if _changes_meaning(text) else ""
            first = _drop_lead_in(text)
            if first:
                yield _Block(first, self.quotes > 0, above=self._qualifier_above())
        else:
            if self.lists == 0:
                self.lead = ""
                if _is_title(text) and _changes_meaning(text):
                    self.section = text
                    return
            yield from self._visit_item(text)

    def _visit_item(self, text: str) -> Iterator[_Block]:
        box = _CHECKBOX.match(text)
        above = self._qualifier_above()
        if box is not None and box["mark"] == " ":
            text = text[box.end() :]
            above = f"{above} [ ]".strip()
        if not _is_bare_title(text):
            yield _Block(text, self.quotes > 0, above=above)

    def _qualifier_above(self) -> str:
        parts = (part.strip().strip("*_# ").rstrip(":") for part in (self.section, self.lead))
        return " ".join(f"{part}:" for part in parts if part)

    def _visit_table_or_html(self, token: Token) -> Iterator[_Block]:
        if token.type == "html_block":
            text = markup.strip_markup(token.content)
            if text:
                yield _Block(text, self.quotes > 0, above=self._qualifier_above())
        elif token.type == "thead_open":
            self.in_head = True
        elif token.type == "thead_close":
            self.in_head = False
        elif token.type == "table_close":
            self.head = []
        elif token.type == "tr_open":
            self.row = []
        elif token.type == "tr_close":
            yield from self._visit_row(self.row or [])
            self.row = None

    def _visit_row(self, cells: Sequence[str]) -> Iterator[_Block]:
        if self.in_head:
            self.head = [markup.strip_markup(cell).lower() for cell in cells]
            if not any(any(letter.isdigit() for letter in cell) or _has_mark(cell) for cell in self.head):
                return
        filled = [cell for cell in cells[1:] if cell]
        if not cells or not cells[0] or not filled:
            return
        columns = " ".join(cell for cell in self.head[1:] if cell) if len(filled) > 1 and not self.in_head else ""
        above = self._qualifier_above()
        if columns and qualifiers.find_qualifier(f"{columns}: x") is not None:
            above = f"{above} {columns}:".strip()
        elif any(
            word in {"before", "baseline", "old", "expected", "target", "planned", "previous"}
            for word in columns.split()
        ):
            above = f"{above} previously {columns}:".strip()
        yield _Block(f"{cells[0].rstrip(':')}: {', '.join(filled)}", self.quotes > 0, above=above)


def _is_bare_title(text: str) -> bool:
    plain = markup.strip_markup(text)
    return bool(_TITLES.match(plain)) and not _has_mark(plain)


def _has_mark(cell: str) -> bool:
    return any(sign in cell for sign in "\u2705\u2714\u274c\u2717")


def _changes_meaning(text: str) -> bool:
    """Whether a heading or a lead-in changes the meaning of what follows: "Next steps" contains no claims."""
    last = markup.strip_markup(text.splitlines()[-1] if text.strip() else "")
    return qualifiers.find_qualifier(markup.strip_quotations(last)) is not None or bool(_SETS.match(last))


def _is_title(text: str) -> bool:
    plain = markup.strip_markup(text)
    return (
        "\n" not in text
        and len(plain.split()) <= 5
        and not plain.endswith((".", "!", "?"))
        and (bool(_SETS.match(plain)) or text.strip().startswith(("**", "__")))
    )


def _is_lead_in(text: str) -> bool:
    return markup.strip_markup(text).rstrip("*_ ").endswith(":")


def _drop_lead_in(text: str) -> str:
    """Return the text before the lead-in sentence."""
    return " ".join(split_sentences(text)[:-1])
