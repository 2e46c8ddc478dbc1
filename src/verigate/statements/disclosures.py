"""Read the lines by which a text discloses weakenings: ``Weakens: <kind> <path>::<test> <id> (<reason>)``.

Whoever writes the text may be hostile. Only what a reader of it sees as said by it counts: no comment, nothing below
scissors, no quote, no code block; in Markdown (a pull request's text) nothing inside of HTML either. A line discloses
one weakening, named in full. What is read is bounded, and a line that doesn't count is a fault with its reason. So is
each line of a text that can't be read as it is (``hidden_text``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from msgspec import Struct

from verigate.domain.weakening import TOKEN, Disclosure, Source
from verigate.formats.visible import INVISIBLE
from verigate.statements.hidden_text import find_hiding, split_shown

MAX_TEXT = 1024 * 1024
"""Characters of one text that are read."""

MAX_LINE = 4000
"""Characters of a line; a longer one doesn't count."""

MAX_LINES = 1000
"""Disclosures of one text that are read."""

_MAX_FAULTS = 20
_MAX_SHOWN = 160
_PREFIX = re.compile(rf"{TOKEN}:[ \t]*", re.IGNORECASE)
_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")
_ID = re.compile(r"[ \t]([0-9a-f]{12})[ \t]+\(")
_SCISSORS = re.compile(r"\S{1,64} -{24} >8 -{24}")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_COMMENT = re.compile(r"\s*<!--")
_QUOTE = re.compile(r" {0,3}>")
_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[ \t]+\S")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_VERBATIM = re.compile(r" {0,3}<(script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_HTML_BLOCKS = (
    (re.compile(r" {0,3}<\?"), "?>"),
    (re.compile(r" {0,3}<!\[CDATA\["), "]]>"),
    (re.compile(r" {0,3}<![A-Za-z]"), ">"),
)
"""Further kinds of HTML that may hold blank lines, and what ends them (CommonMark 0.31, section 4.6)."""

_PLACEHOLDERS = frozenset({"reason", "why"})
_HOW = f"write `{TOKEN}: KIND PATH::TEST ID (why)`, as `gate verify` prints it"


class DisclosureReading(Struct, frozen=True):
    """The disclosures of a text, and the lines that look like one and don't count, each with its reason."""

    disclosures: tuple[Disclosure, ...] = ()
    faults: tuple[str, ...] = ()


class DisclosureError(ValueError):
    """A line discloses nothing; the message says why."""


def read_message(text: str, reference: str, *, source: Source = Source.COMMIT) -> DisclosureReading:
    """Read a commit message as git stores it. ``reference`` is the id of the commit."""
    return _read(_list_said_lines(text, markdown=False), source, reference)


def read_pull_request(text: str, reference: str = "pull request") -> DisclosureReading:
    """Read title and body of a pull request, which is Markdown; the title is a paragraph of its own."""
    return _read(_list_said_lines(text, markdown=True), Source.PULL_REQUEST, reference)


def list_said(text: str, *, markdown: bool) -> list[str]:
    """List the lines of a commit message, or in Markdown of a pull request, that the text says itself."""
    return [line for line, objection in _list_said_lines(text, markdown=markdown) if not objection]


def parse_line(line: str, source: Source, reference: str) -> Disclosure:
    """Parse one line, with or without ``Weakens:``. Raises DisclosureError."""
    text = _PREFIX.sub("", line.strip(), count=1)
    if len(text) > MAX_LINE:
        raise DisclosureError(f"it has more than {MAX_LINE} characters")
    kind, _, rest = text.partition(" ")
    found = _ID.search(rest)
    if _KIND.fullmatch(kind) is None or found is None or not text.endswith(")") or not rest[: found.start()].strip():
        raise DisclosureError(_HOW)
    reason = rest[found.end() : -1]
    if not is_reason(reason):
        raise DisclosureError("it gives no reason")
    return Disclosure(kind, rest[: found.start()].strip(), found[1], reason.strip(), source, reference)


def is_reason(text: str) -> bool:
    """Whether a text says anything: a visible letter or digit, and more than the word that stands for a reason."""
    visible = (character for character in text if character not in INVISIBLE)
    words = "".join(character for character in visible if unicodedata.category(character)[0] in "LN").lower()
    return bool(words) and words not in _PLACEHOLDERS


def _read(lines: Iterator[tuple[str, str]], source: Source, reference: str) -> DisclosureReading:
    """Read lines, each with the reason why it doesn't count, if there is one."""
    found: list[Disclosure] = []
    faults: list[str] = []
    for line, objection in lines:
        if not _PREFIX.match(line):
            continue
        why = objection or (f"only {MAX_LINES} disclosures of a text are read" if len(found) == MAX_LINES else "")
        try:
            read = None if why else parse_line(line, source, reference)
        except DisclosureError as problem:
            read, why = None, str(problem)
        if read is not None:
            found.append(read)
        else:
            faults.append(f"{reference}: {line[:_MAX_SHOWN]}: {why}")
    return DisclosureReading(tuple(found), tuple(faults[:_MAX_FAULTS]))


def _list_said_lines(text: str, *, markdown: bool) -> Iterator[tuple[str, str]]:
    """List the lines of a text with an objection to each that the text doesn't say itself; "" without one."""
    shown, behind = split_shown(text[:MAX_TEXT])
    if hiding := find_hiding(shown):
        yield from ((line, hiding) for line in _LINE_ENDS.split(shown))
    else:
        yield from _list_shown_lines(shown, markdown=markdown)
    yield from ((line, "it stands behind a null byte, where git shows nothing") for line in _LINE_ENDS.split(behind))


def _list_shown_lines(text: str, *, markdown: bool) -> Iterator[tuple[str, str]]:
    fence, end_of_html, quoted, is_apart = "", "", False, True
    for line in _LINE_ENDS.split(text):
        if _SCISSORS.fullmatch(line):
            return
        if fence:
            yield line, "it stands in a code block"
            fence = "" if _closes(line, fence) else fence
        elif end_of_html:
            yield line, "it stands in HTML, which isn't shown"
            end_of_html = "" if end_of_html in line.lower() else end_of_html
        elif opened := _FENCE.match(line):
            fence, quoted, is_apart = opened[1], False, True
        elif (markdown or _COMMENT.match(line)) and (end_of_html := _open_html(line)):
            quoted, is_apart = False, False
        else:
            # A quote goes on until a blank line, with or without a `>` before each of its lines.
            quoted = _QUOTE.match(line) is not None or (quoted and bool(line.strip()))
            objection = "it stands in a quote" if quoted else ""
            if markdown and not quoted and not is_apart and line.strip():
                objection = "in a pull request it needs a blank line before it"
            yield line, objection
            # HTML and definitions of links hide what stands in one paragraph with them.
            is_apart = not line.strip() or (is_apart and not objection and _TRAILER.match(line) is not None)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]} and not line.startswith("    ")


def _open_html(line: str) -> str:
    """Return what ends the HTML that this line leaves open, in lower case; "" if none."""
    lowered = line.lower()
    if lowered.rfind("<!--") > lowered.rfind("-->"):
        return "-->"
    if (verbatim := _VERBATIM.match(line)) is not None:
        end = f"</{verbatim[1].lower()}"
        return "" if end in lowered else end
    for start, end in _HTML_BLOCKS:
        if (found := start.match(line)) is not None:
            return "" if end in line[found.end() :] else end
    return ""
